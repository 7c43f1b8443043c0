// A host program that reads where nothing is: a message, and status 1.
// UNSUPPORTED: asan
// RUN: not tile-run %s --target=cpu 2>&1 | FileCheck %s
// CHECK: error: expected the program to end, found a segmentation fault{{.*}}; --check tests what kernels access
func.func @main() -> i32 {
  %null = llvm.mlir.zero : !llvm.ptr
  %v = llvm.load volatile %null : !llvm.ptr -> i32
  return %v : i32
}

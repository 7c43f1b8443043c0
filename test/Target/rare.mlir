// The second version in a loop is rare, by its location, which may be of another file: its branch has weights, and what it alone
// needs is computed there and not in front of the loop, where the first one's is.
//
// RUN: tile-run %s --emit=llvm --arch sm_90a | FileCheck %s --check-prefix=LLVM
// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s

// LLVM: define ptx_kernel void @versions({{.*}} !prof ![[#CALLS:]]
// LLVM: br i1 {{.*}} !prof ![[#WEIGHTS:]]
// LLVM-DAG: ![[#CALLS]] = !{!"function_entry_count", i64 1000}
// LLVM-DAG: ![[#WEIGHTS]] = !{!"branch_weights", i32 1048576, i32 1}

// CHECK-LABEL: .entry versions(
// CHECK-NOT: xor.b32
// CHECK: mul.lo.s32
// CHECK-NOT: xor.b32
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK: st.volatile.global.b32
// CHECK-NOT: xor.b32
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK: xor.b32
// CHECK: st.global.b32
#line = loc("k.mlir":1:1)
#slow = loc("tile.rare"(#line))
gpu.module @kernels {
  llvm.func @versions(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32, %m: i32) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^test(%c0 : i32)
  ^test(%i: i32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %found = llvm.load %at : !llvm.ptr<1> -> i32
    %whole = llvm.icmp "ne" %found, %m : i32
    llvm.cond_br %whole, ^fast, ^slow
  ^fast:
    %f = llvm.mul %m, %m : i32
    llvm.store volatile %f, %at : i32, !llvm.ptr<1>
    llvm.br ^next
  ^slow:
    %s = llvm.xor %m, %n : i32 loc(#slow)
    llvm.store %s, %q : i32, !llvm.ptr<1> loc(#slow)
    llvm.br ^next loc(#slow)
  ^next:
    %j = llvm.add %i, %c1 : i32
    llvm.br ^test(%j : i32)
  ^end:
    llvm.return
  }
}

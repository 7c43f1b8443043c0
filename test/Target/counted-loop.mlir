// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s

// A loop of a known number of steps keeps its counter of 32 bits beside the address of 64, which it moves: ptxas unrolls
// what counts so, and nothing whose end asks for the lower half of an offset.
// CHECK-LABEL: .visible .entry bags(
// CHECK: ld.global
// CHECK-NOT: cvt.u32.u64
// CHECK: setp.lt.{{[su]}}32 %[[P:p[0-9]+]], %r{{[0-9]+}}, 20;
// CHECK: @%[[P]] bra
gpu.module @kernels {
  llvm.func @bags(%table: !llvm.ptr<1>, %tokens: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(20 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^test(%c0, %zero : i32, f32)
  ^test(%i: i32, %sum: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %at = llvm.zext nneg %i : i32 to i64
    %q = llvm.getelementptr %tokens[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
    %token = llvm.load %q : !llvm.ptr<1> -> i64
    %row = llvm.getelementptr %table[%token] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %row : !llvm.ptr<1> -> f32
    %next = llvm.fadd %sum, %x : f32
    %j = llvm.add %i, %c1 overflow<nsw, nuw> : i32
    llvm.br ^test(%j, %next : i32, f32)
  ^end:
    llvm.store %sum, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

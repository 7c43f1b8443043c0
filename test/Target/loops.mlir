// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s

// A loop tests at its end, behind a guard, and what does not change in it is computed in front of it.
// CHECK-LABEL: .visible .entry sum(
// CHECK: setp.lt.s32
// CHECK: mul.lo.s32
// CHECK: $L__BB[[#BODY:]]_[[#LOOP:]]:
// CHECK-NOT: mul.lo.s32
// CHECK: ld.global
// CHECK: @%p{{[0-9]+}} bra {{.*}}$L__BB[[#BODY]]_[[#LOOP]];
gpu.module @kernels {
  llvm.func @sum(%p: !llvm.ptr<1>, %n: i32, %a: i32, %b: i32) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^test(%c0, %c0 : i32, i32)
  ^test(%i: i32, %sum: i32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %ab = llvm.mul %a, %b : i32
    %at = llvm.add %ab, %i : i32
    %q = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %q : !llvm.ptr<1> -> i32
    %next = llvm.add %sum, %x : i32
    %j = llvm.add %i, %c1 : i32
    llvm.br ^test(%j, %next : i32, i32)
  ^end:
    llvm.store %sum, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

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

  // What a loop does otherwise in its first step stands in front of it: no step asks for that.
  // CHECK-LABEL: .visible .entry first(
  // CHECK: ld.volatile.global
  // CHECK: $L__BB[[#BODY:]]_[[#LOOP:]]:
  // CHECK-NOT: setp.eq
  // CHECK: ld.volatile.global
  // CHECK-NOT: setp.eq
  // CHECK: rcp.rn.f32
  // CHECK: fma.rn.f32
  // CHECK: bra {{.*}}$L__BB[[#BODY]]_[[#LOOP]];
  // CHECK-NOT: bra
  // CHECK: ret;
  llvm.func @first(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(100 : i32) : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^test(%c0, %zero, %zero : i32, f32, f32)
  ^test(%i: i32, %mean: f32, %count: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load volatile %q : !llvm.ptr<1> -> f32
    %is = llvm.icmp "eq" %i, %c0 : i32
    llvm.cond_br %is, ^next(%x, %one : f32, f32), ^others
  ^others:
    %delta = llvm.fsub %x, %mean : f32
    %more_of = llvm.fadd %count, %one : f32
    %share = llvm.fdiv %one, %more_of : f32
    %part = llvm.intr.fma(%delta, %share, %mean) : (f32, f32, f32) -> f32
    llvm.br ^next(%part, %more_of : f32, f32)
  ^next(%m: f32, %w: f32):
    %j = llvm.add %i, %c1 : i32
    llvm.br ^test(%j, %m, %w : i32, f32, f32)
  ^end:
    llvm.store %mean, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

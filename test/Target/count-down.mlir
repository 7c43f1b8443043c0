// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s

// A row's neighbours, of which nobody knows how many there are: their loop counts to 0, so that ptxas unrolls it, though
// the index counts up beside it.
// CHECK-LABEL: .visible .entry neighbours(
// CHECK: sub.s32
// CHECK: [[LOOP:\$L__BB.*]]:
// CHECK: ld.global
// CHECK: add.s32 %[[LEFT:r[0-9]+]], %{{r[0-9]+}}, -1;
// CHECK: setp.ne.b32 %[[P:p[0-9]+]], %[[LEFT]], 0;
// CHECK: @%[[P]] bra [[LOOP]];
gpu.module @kernels {
  llvm.func @neighbours(%bounds: !llvm.ptr<1>, %table: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %first = llvm.load %bounds : !llvm.ptr<1> -> i32
    %last_p = llvm.getelementptr %bounds[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %last = llvm.load %last_p : !llvm.ptr<1> -> i32
    llvm.br ^test(%first, %zero : i32, f32)
  ^test(%i: i32, %sum: f32):
    %more = llvm.icmp "slt" %i, %last : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %q = llvm.getelementptr %table[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %q : !llvm.ptr<1> -> f32
    %factor = llvm.sitofp %i : i32 to f32
    %product = llvm.fmul %x, %factor : f32
    %next = llvm.fadd %sum, %product : f32
    %j = llvm.add %i, %c1 overflow<nsw> : i32
    llvm.br ^test(%j, %next : i32, f32)
  ^end:
    llvm.store %sum, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Blocks of four: so many as there are, and one for what is left. Their counter does not wrap, so the address moves on by
  // itself, and unrolled steps have theirs in the access.
  // CHECK-LABEL: .visible .entry blocks(
  // CHECK: shr.u32 %{{r[0-9]+}}, %{{r[0-9]+}}, 2;
  // CHECK: ld.global.b32 %{{r[0-9]+}}, [%[[AT:rd[0-9]+]]];
  // CHECK: add.s32 %[[LEFT:r[0-9]+]], %{{r[0-9]+}}, -1;
  // CHECK: setp.ne.b32 %{{p[0-9]+}}, %[[LEFT]], 0;
  // CHECK: add.s64 %[[AT]], %[[AT]], 16;
  // CHECK: ret;
  llvm.func @blocks(%n: i32, %first: i32, %table: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^test(%first, %zero : i32, f32)
  ^test(%i: i32, %sum: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %q = llvm.getelementptr %table[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %q : !llvm.ptr<1> -> f32
    %next = llvm.fadd %sum, %x : f32
    %j = llvm.add %i, %c4 : i32
    llvm.br ^test(%j, %next : i32, f32)
  ^end:
    llvm.store %sum, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Where threads meet in each step, it stays.
  // CHECK-LABEL: .visible .entry meeting(
  // CHECK-NOT: add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, -1;
  // CHECK: setp.lt.s32
  // CHECK: ret;
  llvm.func @meeting(%n: i32, %first: i32, %table: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^test(%first, %zero : i32, f32)
  ^test(%i: i32, %sum: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^step, ^end
  ^step:
    %q = llvm.getelementptr %table[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %q : !llvm.ptr<1> -> f32
    nvvm.barrier0
    %next = llvm.fadd %sum, %x : f32
    %j = llvm.add %i, %c1 overflow<nsw> : i32
    llvm.br ^test(%j, %next : i32, f32)
  ^end:
    llvm.store %sum, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

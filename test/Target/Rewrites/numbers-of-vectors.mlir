// RUN: tile-run %s --emit=ptx --arch sm_90a | FileCheck %s

// Where the rows of a segment lie, two at a time, is computed as a vector (lib/Target/Gpu.c): number by number it moves on
// from step to step, and no product of 64 bits is left in the loop.
// CHECK-LABEL: .visible .entry segment(
// CHECK: mul.lo.s64
// CHECK: [[LOOP:\$L__BB.*]]:
// CHECK-NOT: {{mul|mad}}.lo.s64
// CHECK: ld.global
// CHECK-NOT: {{mul|mad}}.lo.s64
// CHECK: bra [[LOOP]];
gpu.module @kernels {
  llvm.func @segment(%x: !llvm.ptr<1>, %bounds: !llvm.ptr<1>, %pitch: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i64) : i64
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %lanes = llvm.mlir.constant(dense<[0, 1]> : vector<2xi64>) : vector<2xi64>
    %none = llvm.mlir.poison : vector<2xi64>
    %first = llvm.load %bounds : !llvm.ptr<1> -> i64
    %last_p = llvm.getelementptr %bounds[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
    %last = llvm.load %last_p : !llvm.ptr<1> -> i64
    %p0 = llvm.insertelement %pitch, %none[%c0 : i32] : vector<2xi64>
    %pitches = llvm.shufflevector %p0, %none [0, 0] : vector<2xi64>
    llvm.br ^test(%first, %zero : i64, f32)
  ^test(%i: i64, %sum: f32):
    %more = llvm.icmp "slt" %i, %last : i64
    llvm.cond_br %more, ^step, ^end
  ^step:
    %i0 = llvm.insertelement %i, %none[%c0 : i32] : vector<2xi64>
    %is = llvm.shufflevector %i0, %none [0, 0] : vector<2xi64>
    %rows = llvm.add %is, %lanes : vector<2xi64>
    %places = llvm.mul %rows, %pitches : vector<2xi64>
    %at0 = llvm.extractelement %places[%c0 : i32] : vector<2xi64>
    %at1 = llvm.extractelement %places[%c1 : i32] : vector<2xi64>
    %q0 = llvm.getelementptr %x[%at0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %q1 = llvm.getelementptr %x[%at1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x0 = llvm.load %q0 : !llvm.ptr<1> -> f32
    %x1 = llvm.load %q1 : !llvm.ptr<1> -> f32
    %both = llvm.fadd %x0, %x1 : f32
    %next = llvm.fadd %sum, %both : f32
    %j = llvm.add %i, %c2 : i64
    llvm.br ^test(%j, %next : i64, f32)
  ^end:
    llvm.store %sum, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

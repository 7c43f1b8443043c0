// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#row = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// Whole vectors go to one instruction of the chip each.
// CHECK-LABEL: llvm.func @instructions
tile.func @instructions(%x: f32) {
  // CHECK: %[[X:.*]] = vector.broadcast
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%[[X]]) : (vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.fma"(%[[X]], %{{.*}}, %[[X]]) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.exp2"({{.*}}) : (vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.fabs"
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %s = math.sqrt %a : tensor<512xf32, #row>
  %f = math.fma %a, %s, %a : tensor<512xf32, #row>
  %e = math.exp2 %f : tensor<512xf32, #row>
  %b = math.absf %e : tensor<512xf32, #row>
  tile.return
}

// Half is added towards 0; an integer has no use for the fraction dropped.
// CHECK-LABEL: llvm.func @round
tile.func @round(%x: f32, %y: f64, %p: !tile.ptr<i32>) {
  // CHECK: %[[H:.*]] = llvm.call_intrinsic "llvm.copysign"(%{{.*}}, %[[X:.*]]) : (f32, f32) -> f32
  // CHECK: %[[S:.*]] = llvm.inline_asm "add.rz.f32 $0, $1, $2;", "=f,f,f" %[[X]], %[[H]] : (f32, f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.trunc"(%[[S]]) : (f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.f2i.rz"(%[[S]]) : (f32) -> i32
  // CHECK: llvm.inline_asm "add.rz.f64 $0, $1, $2;", "=d,d,d"
  %r = math.round %x : f32
  %i = arith.fptosi %r : f32 to i32
  tile.store %p, %i : !tile.ptr<i32>
  %d = math.round %y : f64
  tile.return
}

// exp(x) = 2^n 2^f: n by saturation, rounded down; ex2 of f needs no care of small results.
// CHECK-LABEL: llvm.func @exp(
tile.func @exp(%x: f32) {
  // CHECK-COUNT-4: llvm.inline_asm "fma.rn.sat.f32 $0, $1, $2, $3;"
  // CHECK-COUNT-4: llvm.inline_asm "fma.rm.f32 $0, $1, $2, $3;"
  // CHECK: %[[N:.*]] = arith.subf %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.fma"(%[[X:.*]], {{.*}}, %[[N]])
  // CHECK: llvm.call_intrinsic "llvm.fma"(%[[X]], {{.*}}, %[[R]])
  // CHECK: arith.shli {{.*}} : vector<4xi32>
  // CHECK-NOT: llvm.exp2
  // CHECK-COUNT-4: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;"
  // CHECK: arith.mulf {{.*}} : vector<4xf32>
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %e = math.exp %a : tensor<512xf32, #row>
  tile.return
}

// 16-bit floats are computed in f32.
// CHECK-LABEL: llvm.func @narrow
tile.func @narrow(%x: f16) {
  // CHECK: %[[W:.*]] = arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: %[[E:.*]] = llvm.call_intrinsic "llvm.exp2"(%[[W]])
  // CHECK: arith.truncf %[[E]] : vector<4xf32> to vector<4xf16>
  // CHECK-COUNT-4: llvm.inline_asm "tanh.approx.f32 $0, $1;"
  // CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xf16>
  %a = tile.splat %x : f16 -> tensor<512xf16, #row>
  %e = math.exp2 %a : tensor<512xf16, #row>
  %t = math.tanh %e : tensor<512xf16, #row>
  tile.return
}

// Far from 0, erf is 1 less a power of 2, of which an error is too small to matter; near 0 it is a
// polynomial.
// CHECK-LABEL: llvm.func @erf
// CHECK-SAME: (%[[X:.*]]: f32)
tile.func @erf(%x: f32) {
  // CHECK: %[[SIZE:.*]] = llvm.call_intrinsic "llvm.minimum"
  // CHECK-COUNT-5: llvm.call_intrinsic "llvm.fma"({{.*}}, %[[SIZE]], {{.*}})
  // CHECK: %[[E:.*]] = llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;"
  // CHECK: %[[REST:.*]] = arith.subf %{{.*}}, %[[E]] : f32
  // CHECK: %[[FAR:.*]] = llvm.call_intrinsic "llvm.copysign"(%[[REST]], %[[X]])
  // CHECK: %[[Z:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK-COUNT-5: llvm.call_intrinsic "llvm.fma"({{.*}}, %[[Z]], {{.*}})
  // CHECK: %[[NEAR:.*]] = llvm.call_intrinsic "llvm.fma"({{.*}}, %[[X]], %[[X]])
  // CHECK: %[[IS:.*]] = arith.cmpf olt
  // CHECK: arith.select %[[IS]], %[[NEAR]], %[[FAR]]
  %e = math.erf %x : f32
  tile.return
}

// Of a sum with 1 that is rounded to 16 bits nobody sees how right erf is near 0: there is no polynomial
// of x^2. The sum may be 1 + erf, h + h erf or their fma, and be multiplied.
// CHECK-LABEL: llvm.func @erf_rounded
tile.func @erf_rounded(%x: f32, %h: f32, %i: f32, %p: !tile.ptr<f16>, %q: !tile.ptr<bf16>) {
  // CHECK-COUNT-6: llvm.call_intrinsic "llvm.fma"({{.*}})
  // CHECK-NEXT: arith.mulf
  // CHECK-NOT: arith.select
  // CHECK: llvm.call_intrinsic "llvm.copysign"
  %one = arith.constant 1.0 : f32
  %e = math.erf %x : f32
  %s = arith.addf %one, %e : f32
  %m = arith.mulf %h, %s : f32
  %r = arith.truncf %m : f32 to f16
  tile.store %p, %r : !tile.ptr<f16>
  // CHECK-NOT: arith.select
  // CHECK: llvm.call_intrinsic "llvm.copysign"
  %f = math.erf %h : f32
  %t = math.fma %x, %f, %x : f32
  %u = arith.truncf %t : f32 to bf16
  tile.store %q, %u : !tile.ptr<bf16>
  // CHECK-NOT: arith.select
  // CHECK: llvm.call_intrinsic "llvm.copysign"
  // CHECK-NOT: arith.select
  %g = math.erf %i : f32
  %v = arith.mulf %g, %x : f32
  %w = arith.addf %x, %v : f32
  %y = arith.truncf %w : f32 to f16
  tile.store %p, %y : !tile.ptr<f16>
  tile.return
}

// Sums that are seen in f32, with others than 1, and erf itself are as right as ever.
// CHECK-LABEL: llvm.func @erf_seen
tile.func @erf_seen(%x: f32, %h: f32, %p: !tile.ptr<f16>, %q: !tile.ptr<f32>) {
  // CHECK: arith.select
  // CHECK: arith.select
  // CHECK: arith.select
  // CHECK: arith.select
  // CHECK: llvm.return
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %e = math.erf %x : f32
  %s = arith.addf %one, %e : f32
  tile.store %q, %s : !tile.ptr<f32>
  %f = math.erf %h : f32
  %t = arith.addf %two, %f : f32
  %u = arith.truncf %t : f32 to f16
  tile.store %p, %u : !tile.ptr<f16>
  %i = arith.mulf %h, %x : f32
  %g = math.erf %i : f32
  %v = arith.truncf %g : f32 to f16
  tile.store %p, %v : !tile.ptr<f16>
  %j = math.erf %s : f32
  %w = arith.addf %one, %j : f32
  %y = arith.subf %w, %x : f32
  %z = arith.truncf %y : f32 to f16
  tile.store %p, %z : !tile.ptr<f16>
  tile.return
}

// Far out 1 - 2 / (e^2|x| + 1) by the chip's approximations, near 0 a polynomial.
// CHECK-LABEL: llvm.func @tanh
// CHECK-SAME: (%[[X:.*]]: f32)
tile.func @tanh(%x: f32) {
  // CHECK: %[[SIZE:.*]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK: %[[TWICE:.*]] = arith.mulf %[[SIZE]]
  // CHECK: %[[E:.*]] = llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[TWICE]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[E]]
  // CHECK: %[[PART:.*]] = llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %[[SUM]]
  // CHECK: %[[FAR:.*]] = llvm.call_intrinsic "llvm.fma"(%[[PART]]
  // CHECK: %[[Z:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.fma"({{.*}}, %[[Z]], {{.*}})
  // CHECK: %[[NEAR:.*]] = llvm.call_intrinsic "llvm.fma"({{.*}}, %[[X]], %[[X]])
  // CHECK: %[[IS:.*]] = arith.cmpf olt, %[[SIZE]]
  // CHECK: %[[T:.*]] = arith.select %[[IS]], %[[NEAR]], %[[FAR]]
  // CHECK: llvm.call_intrinsic "llvm.copysign"(%[[T]], %[[X]])
  %t = math.tanh %x : f32
  tile.return
}

// Where the program allows it, the chip's own approximations.
// CHECK-LABEL: llvm.func @approximate
tile.func @approximate(%x: f32, %h: f16) {
  // CHECK: %[[L:.*]] = arith.mulf %arg0
  // CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[L]]
  // CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %arg0
  // CHECK: llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" %arg0
  // CHECK: llvm.inline_asm "lg2.approx.f32 $0, $1;", "=f,f" %arg0
  // CHECK: %[[LOG:.*]] = llvm.inline_asm "lg2.approx.f32 $0, $1;", "=f,f" %arg0
  // CHECK: arith.mulf %[[LOG]]
  // CHECK: llvm.inline_asm "sin.approx.f32 $0, $1;"
  // CHECK: llvm.inline_asm "cos.approx.f32 $0, $1;"
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.fma"
  // CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;"
  // CHECK-NOT: arith.select
  // CHECK: %[[WIDE:.*]] = arith.extf %arg1
  // CHECK: llvm.inline_asm "lg2.approx.f32 $0, $1;", "=f,f" %[[WIDE]]
  %e = math.exp %x fastmath<afn> : f32
  %p = math.exp2 %x fastmath<fast> : f32
  %t = math.tanh %x fastmath<contract,afn> : f32
  %m = math.log2 %x fastmath<afn> : f32
  %l = math.log %x fastmath<afn> : f32
  %s = math.sin %x fastmath<afn> : f32
  %c = math.cos %x fastmath<afn> : f32
  %f = math.erf %x fastmath<afn> : f32
  %n = math.log2 %h fastmath<afn> : f16
  tile.return
}

// Division and square root; f64 has no approximation, and no other flag asks for one.
// CHECK-LABEL: llvm.func @approximate_division
// CHECK: %[[D:.*]] = llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f" %arg0, %arg1
// CHECK: %[[E:.*]] = llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f" %[[D]], %arg1
// CHECK: %[[S:.*]] = llvm.inline_asm "sqrt.approx.ftz.f32 $0, $1;", "=f,f" %[[E]]
// CHECK: %[[R:.*]] = llvm.inline_asm "rsqrt.approx.ftz.f32 $0, $1;", "=f,f" %[[S]]
// CHECK: arith.divf %[[R]], %arg1 fastmath<contract> : f32
// CHECK: arith.divf %arg2, %arg2 fastmath<arcp> : f64
// CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f64)
tile.func @approximate_division(%x: f32, %y: f32, %w: f64) {
  %d = arith.divf %x, %y fastmath<arcp> : f32
  %e = arith.divf %d, %y fastmath<afn> : f32
  %s = math.sqrt %e fastmath<afn> : f32
  %r = math.rsqrt %s fastmath<afn> : f32
  %f = arith.divf %r, %y fastmath<contract> : f32
  %v = arith.divf %w, %w fastmath<arcp> : f64
  %t = math.sqrt %v fastmath<afn> : f64
  tile.return
}

// The reciprocal of a number that is said to be in range is the chip's; what a quotient by it lacks is added. In f64 the
// reciprocal is corrected twice.
// CHECK-LABEL: llvm.func @reciprocal
// CHECK: llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %arg0
// CHECK: %[[N:.*]] = llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %arg0
// CHECK: %[[T:.*]] = arith.mulf %arg0, %[[N]] : f32
// CHECK: %[[M:.*]] = arith.negf %arg0 : f32
// CHECK: %[[X:.*]] = llvm.call_intrinsic "llvm.fma"(%[[M]], %[[T]], %arg0)
// CHECK: llvm.call_intrinsic "llvm.fma"(%[[X]], %[[N]], %[[T]])
// CHECK: %[[G:.*]] = llvm.inline_asm "rcp.approx.ftz.f64 $0, $1;", "=d,d" %arg1
// CHECK: %[[L:.*]] = arith.negf %arg1 : f64
// CHECK: %[[E:.*]] = llvm.call_intrinsic "llvm.fma"(%[[L]], %[[G]], %{{.*}})
// CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.fma"(%[[E]], %[[E]], %[[E]])
// CHECK: %[[I:.*]] = llvm.call_intrinsic "llvm.fma"(%[[P]], %[[G]], %[[G]])
// CHECK: %[[Q:.*]] = arith.mulf %{{.*}}, %[[I]] : f64
// CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.fma"(%[[L]], %[[Q]], %{{.*}})
// CHECK: llvm.call_intrinsic "llvm.fma"(%[[R]], %[[I]], %[[Q]])
tile.func @reciprocal(%x: f32, %y: f64) {
  %one = arith.constant 1.0 : f32
  %wide = arith.constant 1.0 : f64
  %a = arith.divf %one, %x {tile_gpu.divisor_in_range} : f32
  %b = arith.divf %x, %x {tile_gpu.divisor_in_range} : f32
  %c = arith.divf %wide, %y {tile_gpu.divisor_in_range} : f64
  tile.return
}

// The root of a number that is said to be in range: by that of its reciprocal, and what its square lacks.
// CHECK-LABEL: llvm.func @root
// CHECK: %[[I:.*]] = llvm.inline_asm "rsqrt.approx.ftz.f32 $0, $1;", "=f,f" %arg0
// CHECK: %[[S:.*]] = arith.mulf %arg0, %[[I]] : f32
// CHECK: %[[H:.*]] = arith.mulf %[[I]], %{{.*}} : f32
// CHECK: %[[M:.*]] = arith.negf %[[S]] : f32
// CHECK: %[[L:.*]] = llvm.call_intrinsic "llvm.fma"(%[[M]], %[[S]], %arg0)
// CHECK: llvm.call_intrinsic "llvm.fma"(%[[L]], %[[H]], %[[S]])
// CHECK: llvm.inline_asm "rsqrt.approx.ftz.f64 $0, $1;", "=d,d" %arg1
// CHECK-NOT: llvm.sqrt
// CHECK: llvm.return
tile.func @root(%x: f32, %y: f64) {
  %a = math.sqrt %x {tile_gpu.radicand_in_range} : f32
  %b = math.sqrt %y {tile_gpu.radicand_in_range} : f64
  tile.return
}

// Functions of which no last bit hangs on it divide and take roots so, and cube roots not at all.
// CHECK-LABEL: llvm.func @no_division
// CHECK-NOT: arith.divf
// CHECK-NOT: llvm.sqrt
// CHECK: llvm.return
tile.func @no_division(%x: f32, %y: f64) {
  %a = math.asin %x : f32
  %b = math.acos %y : f64
  %c = math.cbrt %x : f32
  %d = math.cbrt %y : f64
  %e = math.atan %x : f32
  %f = math.asinh %x : f32
  %g = math.acosh %y : f64
  %h = math.tan %x : f32
  %i = math.sinh %x : f32
  %j = math.cosh %y : f64
  tile.return
}

// An angle that is said to be small is not reduced, and asks no thread whether one is large.
// CHECK-LABEL: llvm.func @small_angle
// CHECK-NOT: scf.if
// CHECK: llvm.return
tile.func @small_angle(%x: f32, %y: f64) {
  %a = math.sin %x {tile.angle_in_range} : f32
  %b = math.cos %y {tile.angle_in_range} : f64
  tile.return
}

// Of f16 two at a time; without the flag, or one alone, in f32.
// CHECK-LABEL: llvm.func @pairs
// CHECK: %[[W:.*]] = llvm.bitcast %{{.*}} : vector<4xf16> to vector<2xi32>
// CHECK-COUNT-2: llvm.inline_asm "tanh.approx.f16x2 $0, $1;", "=r,r"
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
// CHECK-COUNT-2: llvm.inline_asm "ex2.approx.f16x2 $0, $1;", "=r,r"
// CHECK-COUNT-4: llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f"
// CHECK-NOT: f16x2
tile.func @pairs(%h: f16) {
  %x = tile.splat %h : f16 -> tensor<512xf16, #row>
  %t = math.tanh %x fastmath<afn> : tensor<512xf16, #row>
  %e = math.exp2 %t fastmath<afn> : tensor<512xf16, #row>
  %s = math.tanh %e : tensor<512xf16, #row>
  %o = math.tanh %h fastmath<afn> : f16
  tile.return
}

// Other flags allow something else.
// CHECK-LABEL: llvm.func @other_flags
tile.func @other_flags(%x: f32) {
  // CHECK-NOT: tanh.approx
  // CHECK: llvm.return
  %t = math.tanh %x fastmath<nnan,contract> : f32
  tile.return
}

// CHECK-LABEL: llvm.func @scalars
tile.func @scalars(%x: f32, %n: i32, %d: f64) {
  // CHECK: llvm.inline_asm "rsqrt.approx.f32 $0, $1;", "=f,f" %arg0 : (f32) -> f32
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: llvm.call_intrinsic "llvm.ctlz"(%arg1, %[[NO]]) : (i32, i1) -> i32
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%arg2) : (f64) -> f64
  %r = math.rsqrt %x : f32
  %c = math.ctlz %n : i32
  %s = math.sqrt %d : f64
  tile.return
}

// f64 has no approximations: polynomials, and the exponent put in from bits.
// CHECK-LABEL: llvm.func @wide
tile.func @wide(%x: f64, %y: f64) {
  // CHECK-NOT: llvm.inline_asm
  // CHECK: %[[MAGIC:.*]] = arith.constant 0x4338000000000000 : f64
  // CHECK-COUNT-12: llvm.call_intrinsic "llvm.fma"({{.*}}) : (f64, f64, f64) -> f64
  // CHECK: arith.shli %{{.*}}, %{{.*}} : i64
  // CHECK: arith.bitcast %{{.*}} : i64 to f64
  // CHECK: llvm.call_intrinsic "llvm.trunc"
  // CHECK-NOT: math.
  %e = math.exp %x : f64
  %p = math.powf %e, %y : f64
  tile.return
}

// A power has one division, which need not be rounded right.
// CHECK-LABEL: llvm.func @power
tile.func @power(%x: f32, %y: f32) {
  // CHECK: %[[INVERSE:.*]] = llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f" %cst{{.*}}, %{{.*}}
  // CHECK: arith.mulf %{{.*}}, %[[INVERSE]] : f32
  // CHECK: arith.mulf %{{.*}}, %[[INVERSE]] : f32
  // CHECK-NOT: div
  // CHECK: llvm.return
  %p = math.powf %x, %y : f32
  tile.return
}

// Arguments that three parts of pi/2 cannot reduce take a branch, all of a strip's together.
// CHECK-LABEL: llvm.func @sine
tile.func @sine(%x: f32) {
  // CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE:.*]] : vector<2xi1> into i1
  // CHECK: %[[R:.*]]:2 = scf.if %[[ANY]] -> (vector<2xf32>, vector<2xi32>)
  // CHECK: arith.mului_extended %{{.*}}, %{{.*}} : vector<2xi32>
  // CHECK: arith.select %[[LARGE]]
  // CHECK: arith.mulf %[[R]]#0, %[[R]]#0
  // CHECK-NOT: math.
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %s = math.sin %a : tensor<512xf32, #row>
  tile.return
}

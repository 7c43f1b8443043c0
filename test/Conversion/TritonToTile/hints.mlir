// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s

// What a kernel says of its numbers stays on the op, a number for each dimension; other hints say nothing.
// CHECK-LABEL: tile.func @said
tt.func public @said(%p: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  // Of neighbours as many as a vector has.
  // CHECK: arith.addi {{.*}} {tile.contiguity = array<i64: 16>, tile.divisibility = array<i64: 16>} : tensor<64xi32>
  %a = arith.addi %ns, %i {tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<32> : tensor<1xi32>} : tensor<64xi32>
  // CHECK: tile.load {{.*}} {tile.divisibility = array<i64: 8>} : !tile.ptr<i32>
  %m = tt.load %p {tt.divisibility = dense<8> : tensor<1xi32>} : !tt.ptr<i32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  // CHECK: tile.addptr {{.*}} {tile.constancy = array<i64: 4>} :
  %q = tt.addptr %ps, %a {tt.constancy = dense<4> : tensor<1xi32>} : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  %o = arith.muli %n, %n {tt.divisibility = dense<[2, 3]> : tensor<2xi32>} : i32
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  tt.store %q, %ms : tensor<64x!tt.ptr<i32>>
  tt.return
}

// Rows that wrap around, of which their author promises that they do not: never all of a tile.
// CHECK-LABEL: tile.func @wrapped
tt.func public @wrapped(%p: !tt.ptr<f64>, %n: i32) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ns = tt.splat %n : i32 -> tensor<8xi32>
  // CHECK: arith.remsi {{.*}} {tile.contiguity = array<i64: 4>, tile.divisibility = array<i64: 4>{{.*}}} : tensor<8xi32>
  %a = arith.remsi %i, %ns {tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>} : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<f64> -> tensor<8x!tt.ptr<f64>>
  // CHECK: tile.addptr {{.*}} {tile.contiguity = array<i64: 4>, tile.divisibility = array<i64: 32>} :
  %q = tt.addptr %ps, %a {tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<64> : tensor<1xi32>} : tensor<8x!tt.ptr<f64>>, tensor<8xi32>
  %zero = arith.constant dense<0.0> : tensor<8xf64>
  tt.store %q, %zero : tensor<8x!tt.ptr<f64>>
  tt.return
}

// No dividend counts as below 0, as Triton's compiler has it; a scalar's quotient is what it is.
// CHECK-LABEL: tile.func @around
tt.func public @around(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %pid: i32, %n: i32 {tt.divisibility = 16 : i32}) {
  %c64 = arith.constant 64 : i32
  // CHECK: arith.divsi %{{.*}}, %{{.*}} : i32
  %s = arith.divsi %pid, %n : i32
  %first = arith.muli %s, %c64 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %fs = tt.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %fs, %i : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  // CHECK: arith.remsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %r = arith.remsi %at, %ns : tensor<64xi32>
  // CHECK: arith.divsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %d = arith.divsi %at, %ns : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %ps, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %q, %d : tensor<64x!tt.ptr<i32>>
  tt.return
}

// A descriptor made of what was loaded beside it demands 16 bytes of both; what comes from elsewhere is not touched.
// CHECK-LABEL: tile.func @described
tt.func public @described(%list: !tt.ptr<i64>, %m: i32, %n: i32, %v: tensor<8x64xf16>) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %a = tt.load %list : !tt.ptr<i64>
  // CHECK: tile.ptr_cast {{.*}} {tile.divisibility = array<i64: 16>} :
  %base = tt.int_to_ptr %a : i64 -> !tt.ptr<f16>
  // CHECK: %[[P:.*]] = arith.extsi %{{.*}} {tile.divisibility = array<i64: 8>} : i32 to i64
  %pitch = arith.extsi %n : i32 to i64
  // CHECK: tile.make_desc %{{.*}}, [%{{.*}}, %{{.*}}], [%[[P]]]
  %d = tt.make_tensor_descriptor %base, [%m, %n], [%pitch, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<8x64xf16>>
  tt.descriptor_store %d[%zero, %zero], %v : !tt.tensordesc<tensor<8x64xf16>>, tensor<8x64xf16>
  tt.return
}

// A box begins on 16 bytes of its row, if it is loaded; of a product with such a number nothing is said.
// CHECK-LABEL: tile.func @boxes
tt.func public @boxes(%d: !tt.tensordesc<tensor<8x64xf16>>, %begin: i32, %i: i32, %out: !tt.ptr<f16>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  // CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %{{.*}} {tile.divisibility = array<i64: 8>} : i32
  %at = arith.addi %begin, %i : i32
  // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %[[AT]]]
  %v = tt.descriptor_load %d[%c0, %at] : !tt.tensordesc<tensor<8x64xf16>> -> tensor<8x64xf16>
  // CHECK: %[[COLUMN:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
  %column = arith.muli %i, %c64 : i32
  // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %[[COLUMN]]]
  %w = tt.descriptor_load %d[%c0, %column] : !tt.tensordesc<tensor<8x64xf16>> -> tensor<8x64xf16>
  %s = arith.addf %v, %w : tensor<8x64xf16>
  tt.descriptor_store %d[%c0, %at], %s : !tt.tensordesc<tensor<8x64xf16>>, tensor<8x64xf16>
  tt.return
}

// A hash wraps: what only ops of numbers without a sign read, or a mask's `&`. What an offset is made of is tested.
// CHECK-LABEL: tile.func @hashed
tt.func public @hashed(%p: !tt.ptr<i32>, %mask: i32) {
  %golden = arith.constant dense<-1640531535> : tensor<64xi32>
  %c27 = arith.constant dense<27> : tensor<64xi32>
  %c7 = arith.constant dense<7> : tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: arith.muli {{.*}} {tile.wraps} : tensor<64xi32>
  %h = arith.muli %i, %golden : tensor<64xi32>
  // CHECK: arith.addi {{.*}} {tile.wraps} : tensor<64xi32>
  %g = arith.addi %h, %i : tensor<64xi32>
  %high = arith.shrui %g, %c27 : tensor<64xi32>
  %masks = tt.splat %mask : i32 -> tensor<64xi32>
  // CHECK: arith.muli {{.*}} {tile.wraps} : tensor<64xi32>
  %f = arith.muli %g, %c7 : tensor<64xi32>
  %low = arith.andi %f, %masks : tensor<64xi32>
  // CHECK: arith.addi %{{[^{]*}} : tensor<64xi32>
  %at = arith.addi %high, %low : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %ps, %at : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %q, %i : tensor<64x!tt.ptr<i32>>
  tt.return
}

// What is read both ways is an offset; a loop may carry a hash.
// CHECK-LABEL: tile.func @both
tt.func public @both(%p: !tt.ptr<i32>, %n: i32, %x: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  // CHECK: arith.muli %{{[^{]*}} : i32
  %row = arith.muli %n, %x : i32
  %part = arith.shrui %row, %c31 : i32
  // CHECK: scf.for
  // CHECK: arith.muli {{.*}} {tile.wraps} : i32
  // CHECK: arith.addi {{.*}} {tile.wraps} : i32
  %h = scf.for %k = %c0 to %n step %c1 iter_args(%a = %part) -> (i32) : i32 {
    %m = arith.muli %a, %c31 : i32
    %s = arith.addi %m, %k : i32
    scf.yield %s : i32
  }
  %slot = arith.remui %h, %n : i32
  %q = tt.addptr %p, %slot : !tt.ptr<i32>, i32
  %r = tt.addptr %q, %row : !tt.ptr<i32>, i32
  tt.store %r, %x : !tt.ptr<i32>
  tt.return
}

// A difference may be below 0, and so may what is loaded: of these nothing is said, and each element is divided.
// CHECK-LABEL: tile.func @below
tt.func public @below(%p: !tt.ptr<i32>, %n: i32, %first: i32) {
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %fs = tt.splat %first : i32 -> tensor<64xi32>
  %back = arith.subi %i, %fs : tensor<64xi32>
  // CHECK: arith.divsi %{{[^{]*}} : tensor<64xi32>
  %d = arith.divsi %back, %c8 : tensor<64xi32>
  %on = arith.addi %i, %fs : tensor<64xi32>
  // CHECK: arith.remsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %r = arith.remsi %on, %c8 : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %ps, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %x = tt.load %q : tensor<64x!tt.ptr<i32>>
  // CHECK: arith.remsi %{{[^{]*}} : tensor<64xi32>
  %s = arith.remsi %x, %c8 : tensor<64xi32>
  %sum = arith.addi %d, %s : tensor<64xi32>
  tt.store %q, %sum : tensor<64x!tt.ptr<i32>>
  tt.return
}

// Which tile a program computes, as the groups of tutorial 03 say it: the last group may be smaller, by a difference of the
// program's own numbers, and what rows wrap by is a promise all the same.
// CHECK-LABEL: tile.func @grouped
tt.func public @grouped(%p: !tt.ptr<i32>, %m: i32, %count: i32) {
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %group = arith.divsi %pid, %c64 : i32
  %first = arith.muli %group, %c8 : i32
  %left = arith.subi %count, %first : i32
  %size = arith.minsi %left, %c8 : i32
  %in = arith.remsi %pid, %size : i32
  %row = arith.addi %first, %in : i32
  %start = arith.muli %row, %c64 : i32
  %ss = tt.splat %start : i32 -> tensor<64xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %offs = arith.addi %ss, %i : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  // CHECK: arith.remsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %r = arith.remsi %offs, %ms : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %ps, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %q, %r : tensor<64x!tt.ptr<i32>>
  tt.return
}

// Where a program's window begins in front of the array, `id * stride - padding`, quotients are those of each element; a number
// counted from the other end is a count.
// CHECK-LABEL: tile.func @padded
tt.func public @padded(%p: !tt.ptr<i32>, %count: i32, %padding: i32) {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %pid = tt.get_program_id x : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = arith.muli %pid, %c16 : i32
  %before = arith.subi %start, %padding : i32
  %bs = tt.splat %before : i32 -> tensor<64xi32>
  %window = arith.addi %bs, %i : tensor<64xi32>
  // CHECK: arith.divsi %{{[^{]*}} : tensor<64xi32>
  %d = arith.divsi %window, %c8 : tensor<64xi32>
  %behind = arith.subi %start, %c16 : i32
  %hs = tt.splat %behind : i32 -> tensor<64xi32>
  %left = arith.addi %hs, %i : tensor<64xi32>
  // CHECK: arith.remsi %{{[^{]*}} : tensor<64xi32>
  %e = arith.remsi %left, %c8 : tensor<64xi32>
  %last = arith.subi %count, %c1 : i32
  %other = arith.subi %last, %pid : i32
  %from = arith.muli %other, %c16 : i32
  %fs = tt.splat %from : i32 -> tensor<64xi32>
  %back = arith.addi %fs, %i : tensor<64xi32>
  // CHECK: arith.divsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %f = arith.divsi %back, %c8 : tensor<64xi32>
  %de = arith.addi %d, %e : tensor<64xi32>
  %sum = arith.addi %de, %f : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %q, %sum : tensor<64x!tt.ptr<i32>>
  tt.return
}

// The second part of what torch.cat joins: its columns are counted from 0, where the mask has any.
// CHECK-LABEL: tile.func @second_part
tt.func public @second_part(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %m48 = arith.constant dense<-48> : tensor<64xi32>
  %c48 = arith.constant dense<48> : tensor<64xi64>
  %c40 = arith.constant dense<40> : tensor<64xi64>
  %c12 = arith.constant dense<12> : tensor<64xi32>
  %c60 = arith.constant dense<60> : tensor<64xi32>
  %wide = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
  %second = arith.cmpi sge, %wide, %c48 : tensor<64xi64>
  %early = arith.cmpi sge, %wide, %c40 : tensor<64xi64>
  %end = arith.cmpi slt, %i, %c60 : tensor<64xi32>
  %in = arith.andi %second, %end : tensor<64xi1>
  %back = arith.addi %i, %m48 : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  // CHECK: arith.divsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %row = arith.divsi %back, %c12 : tensor<64xi32>
  // CHECK: arith.remsi {{.*}} {tile.nonnegative} : tensor<64xi32>
  %of = arith.remsi %row, %c12 : tensor<64xi32>
  %q = tt.addptr %ps, %of : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %q, %in : tensor<64x!tt.ptr<f32>>
  // Below 0 where a mask begins earlier, where there is none, and where somebody else looks at it.
  // CHECK: arith.remsi %{{[^{]*}} : tensor<64xi32>
  %r1 = arith.remsi %back, %c12 : tensor<64xi32>
  %q1 = tt.addptr %ps, %r1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v1 = tt.load %q1, %early : tensor<64x!tt.ptr<f32>>
  // CHECK: arith.divsi %{{[^{]*}} : tensor<64xi32>
  %r2 = arith.divsi %back, %c12 : tensor<64xi32>
  %q2 = tt.addptr %ps, %r2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v2 = tt.load %q2 : tensor<64x!tt.ptr<f32>>
  // CHECK: arith.divsi %{{[^{]*}} : tensor<64xi32>
  %r3 = arith.divsi %back, %c60 : tensor<64xi32>
  %q3 = tt.addptr %ps, %r3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v3 = tt.load %q3, %in : tensor<64x!tt.ptr<f32>>
  %f3 = arith.sitofp %r3 : tensor<64xi32> to tensor<64xf32>
  %s1 = arith.addf %v, %v1 : tensor<64xf32>
  %s2 = arith.addf %v2, %v3 : tensor<64xf32>
  %s3 = arith.addf %s1, %s2 : tensor<64xf32>
  %s4 = arith.addf %s3, %f3 : tensor<64xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %o = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %o, %s4 : tensor<64x!tt.ptr<f32>>
  tt.return
}

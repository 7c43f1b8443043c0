// Extents become powers of two, and every op that could show the difference is told where a tile ends.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.func @accesses
// CHECK-SAME: (%[[P:.*]]: tensor<64x!tile.ptr<f32>>, %[[M:.*]]: tensor<64xi1>, %[[O:.*]]: tensor<64xf32>)
tile.func @accesses(%p: tensor<48x!tile.ptr<f32>>, %m: tensor<48xi1>, %o: tensor<48xf32>) {
  // CHECK-DAG: %[[END:.*]] = arith.constant dense<48> : tensor<64xi32>
  // CHECK-DAG: %[[LANE:.*]] = tile.arange : tensor<64xi32>
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[LANE]], %[[END]]
  // CHECK: %[[V:.*]] = tile.load %[[P]], %[[IN]] {tile.extents = array<i64: 48>} : tensor<64x!tile.ptr<f32>>
  // CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %[[M]]
  // CHECK: %[[W:.*]] = tile.load %[[P]], %[[BOTH]], %[[O]] {tile.extents = array<i64: 48>} :
  // CHECK: tile.store %[[P]], %[[V]], %[[IN]] {tile.extents = array<i64: 48>} :
  // CHECK: tile.store %[[P]], %[[W]], %[[BOTH]] {tile.extents = array<i64: 48>} :
  %v = tile.load %p : tensor<48x!tile.ptr<f32>>
  %w = tile.load %p, %m, %o : tensor<48x!tile.ptr<f32>>
  tile.store %p, %v : tensor<48x!tile.ptr<f32>>
  tile.store %p, %w, %m : tensor<48x!tile.ptr<f32>>
  tile.return
}

// A mask for each dimension that has padding.
// CHECK-LABEL: tile.func @two_dimensions
tile.func @two_dimensions(%p: tensor<3x8x6x!tile.ptr<f32>>) {
  // CHECK-DAG: %[[ROWS:.*]] = tile.arange : tensor<4xi32>
  // CHECK-DAG: %[[COLUMNS:.*]] = tile.arange : tensor<8xi32>
  // CHECK-DAG: %[[INR:.*]] = arith.cmpi ult, %[[ROWS]], %
  // CHECK-DAG: %[[INC:.*]] = arith.cmpi ult, %[[COLUMNS]], %
  // CHECK: arith.andi %{{.*}}, %{{.*}} : tensor<4x8x8xi1>
  // CHECK: tile.load %{{.*}}, %{{.*}} {tile.extents = array<i64: 3, 8, 6>} : tensor<4x8x8x!tile.ptr<f32>>
  %v = tile.load %p : tensor<3x8x6x!tile.ptr<f32>>
  tile.store %p, %v : tensor<3x8x6x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @atomics
tile.func @atomics(%p: tensor<5x!tile.ptr<i32>>, %x: tensor<5xi32>, %m: tensor<5xi1>) {
  // CHECK: %[[IN:.*]] = arith.cmpi ult
  // CHECK: tile.atomic_rmw add relaxed gpu %{{.*}}, %{{.*}}, %[[IN]] : tensor<8x!tile.ptr<i32>>
  // CHECK: tile.atomic_cas relaxed gpu %{{.*}}, %{{.*}}, %{{.*}}, %[[IN]] : tensor<8x!tile.ptr<i32>>
  %a = tile.atomic_rmw add relaxed gpu %p, %x : tensor<5x!tile.ptr<i32>>
  %b = tile.atomic_cas relaxed gpu %p, %x, %a : tensor<5x!tile.ptr<i32>>
  tile.return
}

// Elements are computed where they are; division alone looks at all of them.
// CHECK-LABEL: tile.func @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>, %[[Y:.*]]: tensor<8xi32>
tile.func @elementwise(%x: tensor<5xi32>, %y: tensor<5xi32>, %p: tensor<5x!tile.ptr<i32>>) {
  // CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1> : tensor<8xi32>
  // CHECK-DAG: %[[THREE:.*]] = arith.constant dense<3> : tensor<8xi32>
  // CHECK: arith.addi %[[X]], %[[Y]] : tensor<8xi32>
  // CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %[[Y]], %[[ONE]]
  // CHECK: arith.divsi %{{.*}}, %[[SAFE]]
  // CHECK: arith.remsi %{{.*}}, %[[THREE]]
  %three = arith.constant dense<3> : tensor<5xi32>
  %a = arith.addi %x, %y : tensor<5xi32>
  %b = arith.divsi %a, %y : tensor<5xi32>
  %c = arith.remsi %b, %three : tensor<5xi32>
  tile.store %p, %c : tensor<5x!tile.ptr<i32>>
  tile.return
}

// CHECK-LABEL: tile.func @constants
tile.func @constants(%p: tensor<3x!tile.ptr<f16>>, %q: tensor<2x3x!tile.ptr<i1>>) {
  // CHECK-DAG: dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf16>
  // CHECK-DAG{LITERAL}: dense<[[true, false, true, false], [false, true, true, false]]> : tensor<2x4xi1>
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  tile.store %p, %c : tensor<3x!tile.ptr<f16>>
  %d = arith.constant dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
  tile.store %q, %d : tensor<2x3x!tile.ptr<i1>>
  tile.return
}

// What changes nothing: -0 for sums, as -0 + 0 is 0; NaN for maxnum.
// CHECK-LABEL: tile.func @named_reductions
tile.func @named_reductions(%x: tensor<8x10xf32>, %i: tensor<10xi32>, %p: !tile.ptr<f32>, %q: !tile.ptr<i32>) {
  // CHECK-DAG: %[[NZ:.*]] = arith.constant dense<-0.000000e+00> : tensor<8x16xf32>
  // CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<8x16xf32>
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-2147483648> : tensor<16xi32>
  // CHECK-DAG: %[[ALL:.*]] = arith.constant dense<-1> : tensor<16xi32>
  // CHECK: %[[A:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NZ]]
  // CHECK: tile.reduce add %[[A]] axis 1 : tensor<8x16xf32> -> tensor<8xf32>
  // CHECK: %[[B:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NAN]]
  // CHECK: tile.reduce maxnum %[[B]] axis 1
  // Nothing along this axis.
  // CHECK: tile.reduce add %{{.*}} axis 0 : tensor<8xf32> -> f32
  // CHECK: %[[C:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LEAST]]
  // CHECK: tile.reduce max %[[C]] axis 0
  // CHECK: %[[D:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ALL]]
  // CHECK: tile.reduce umin %[[D]] axis 0
  %a = tile.reduce add %x axis 1 : tensor<8x10xf32> -> tensor<8xf32>
  %b = tile.reduce maxnum %x axis 1 : tensor<8x10xf32> -> tensor<8xf32>
  %ab = arith.addf %a, %b : tensor<8xf32>
  %s = tile.reduce add %ab axis 0 : tensor<8xf32> -> f32
  tile.store %p, %s : !tile.ptr<f32>
  %c = tile.reduce max %i axis 0 : tensor<10xi32> -> i32
  tile.store %q, %c : !tile.ptr<i32>
  %d = tile.reduce umin %i axis 0 : tensor<10xi32> -> i32
  tile.store %q, %d : !tile.ptr<i32>
  tile.return
}

// f8E4M3FN has no infinity; the greatest signed i1 is 0.
// CHECK-LABEL: tile.func @reductions_of_few_bits
tile.func @reductions_of_few_bits(%x: tensor<5xf8E4M3FN>, %b: tensor<5xi1>, %p: !tile.ptr<f8E4M3FN>, %q: !tile.ptr<i1>) {
  // CHECK-DAG: arith.constant dense<-4.480000e+02> : tensor<8xf8E4M3FN>
  // CHECK-DAG: arith.constant dense<false> : tensor<8xi1>
  %a = tile.reduce max %x axis 0 : tensor<5xf8E4M3FN> -> f8E4M3FN
  tile.store %p, %a : !tile.ptr<f8E4M3FN>
  %c = tile.reduce min %b axis 0 : tensor<5xi1> -> i1
  tile.store %q, %c : !tile.ptr<i1>
  tile.return
}

// Any other region learns which of its elements count.
// CHECK-LABEL: tile.func @region
tile.func @region(%x: tensor<3x8xf32>, %y: tensor<3x8xi32>, %p: tensor<8x!tile.ptr<f32>>, %q: tensor<8x!tile.ptr<i32>>) {
  // CHECK: %[[IN:.*]] = tile.broadcast %{{.*}} : tensor<4x1xi1> -> tensor<4x8xi1>
  // CHECK: %[[R:.*]]:3 = tile.reduce %{{.*}}, %{{.*}}, %[[IN]] axis 0
  // CHECK: ^bb0(%[[A:.*]]: f32, %[[I:.*]]: i32, %[[INA:.*]]: i1, %[[B:.*]]: f32, %[[J:.*]]: i32, %[[INB:.*]]: i1):
  // CHECK-DAG: %[[SA:.*]] = arith.select %[[INA]], %[[A]], %[[B]] : f32
  // CHECK-DAG: %[[SB:.*]] = arith.select %[[INB]], %[[B]], %[[A]] : f32
  // CHECK-DAG: %[[SI:.*]] = arith.select %[[INA]], %[[I]], %[[J]] : i32
  // CHECK-DAG: %[[SJ:.*]] = arith.select %[[INB]], %[[J]], %[[I]] : i32
  // CHECK: %[[D:.*]] = arith.subf %[[SA]], %[[SB]]
  // CHECK: %[[K:.*]] = arith.xori %[[SI]], %[[SJ]]
  // CHECK-DAG: %[[BOTH:.*]] = arith.andi %[[INA]], %[[INB]]
  // CHECK-DAG: %[[U:.*]] = arith.select %[[BOTH]], %[[D]], %[[SA]]
  // CHECK-DAG: %[[V:.*]] = arith.select %[[BOTH]], %[[K]], %[[SI]]
  // CHECK-DAG: %[[ANY:.*]] = arith.ori %[[INA]], %[[INB]]
  // CHECK: tile.yield %[[U]], %[[V]], %[[ANY]]
  // CHECK: tile.store %{{.*}}, %[[R]]#0
  // CHECK: tile.store %{{.*}}, %[[R]]#1
  %r, %s = tile.reduce %x, %y axis 0 : tensor<3x8xf32>, tensor<3x8xi32> -> tensor<8xf32>, tensor<8xi32> {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %d = arith.subf %a, %b : f32
    %k = arith.xori %i, %j : i32
    tile.yield %d, %k : f32, i32
  }
  tile.store %p, %r : tensor<8x!tile.ptr<f32>>
  tile.store %q, %s : tensor<8x!tile.ptr<i32>>
  tile.return
}

// A scan comes to the padding last, a reverse one first.
// CHECK-LABEL: tile.func @scans
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>
tile.func @scans(%x: tensor<5xi32>, %p: tensor<5x!tile.ptr<i32>>) {
  // CHECK: tile.scan add %[[X]] axis 0 : tensor<8xi32> -> tensor<8xi32>
  // CHECK: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xi1>, tensor<8xi32>
  // CHECK: tile.scan add %[[S]] axis 0 {reverse}
  %a = tile.scan add %x axis 0 : tensor<5xi32> -> tensor<5xi32>
  tile.store %p, %a : tensor<5x!tile.ptr<i32>>
  %b = tile.scan add %x axis 0 {reverse} : tensor<5xi32> -> tensor<5xi32>
  tile.store %p, %b : tensor<5x!tile.ptr<i32>>
  tile.return
}

// Zeros along K; a load has them already.
// CHECK-LABEL: tile.func @dot
tile.func @dot(%pa: tensor<16x24x!tile.ptr<f16>>, %b: tensor<24x16xf16>, %c: tensor<16x16xf32>, %p: tensor<16x16x!tile.ptr<f32>>) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<32x16xf16>
  // CHECK: %[[A:.*]] = tile.load
  // CHECK: %[[B:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ZERO]]
  // CHECK: tile.dot %[[A]], %[[B]], %{{.*}} : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  %a = tile.load %pa : tensor<16x24x!tile.ptr<f16>>
  %d = tile.dot %a, %b, %c : tensor<16x24xf16>, tensor<24x16xf16> -> tensor<16x16xf32>
  tile.store %p, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// Padding of M and N is nobody's: loads, the dot and the store say where it begins. Along K zeros are relied on, by
// way of a transposition, too, but for a load that puts something else there.
// CHECK-LABEL: tile.func @extents
tile.func @extents(%pa: tensor<24x24x!tile.ptr<f16>>, %pb: tensor<40x24x!tile.ptr<f16>>, %c: tensor<24x40xf32>,
                   %o: tensor<40x24xf16>, %p: tensor<24x40x!tile.ptr<f32>>) {
  // CHECK: tile.load %{{.*}} {tile.extents = array<i64: 24, 32>} : tensor<32x32x!tile.ptr<f16>>
  // CHECK: tile.load %{{.*}} {tile.extents = array<i64: 40, 32>} : tensor<64x32x!tile.ptr<f16>>
  // CHECK: tile.load %{{.*}}, %{{.*}}, %{{.*}} {tile.extents = array<i64: 40, 24>} : tensor<64x32x!tile.ptr<f16>>
  // CHECK: tile.dot {{.*}} {tile.extents = array<i64: 24, 40>} : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
  // CHECK: tile.dot {{.*}} {tile.extents = array<i64: 24, 40>}
  // CHECK: tile.store {{.*}} {tile.extents = array<i64: 24, 40>}
  %a = tile.load %pa : tensor<24x24x!tile.ptr<f16>>
  %bt = tile.load %pb : tensor<40x24x!tile.ptr<f16>>
  %b = tile.trans %bt order [1, 0] : tensor<40x24xf16> -> tensor<24x40xf16>
  %in = arith.constant dense<true> : tensor<40x24xi1>
  %et = tile.load %pb, %in, %o : tensor<40x24x!tile.ptr<f16>>
  %e = tile.trans %et order [1, 0] : tensor<40x24xf16> -> tensor<24x40xf16>
  %d = tile.dot %a, %b, %c : tensor<24x24xf16>, tensor<24x40xf16> -> tensor<24x40xf32>
  %f = tile.dot %a, %e, %d : tensor<24x24xf16>, tensor<24x40xf16> -> tensor<24x40xf32>
  tile.store %p, %f : tensor<24x40x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @reshape_in_order
tile.func @reshape_in_order(%x: tensor<48xf32>, %p: tensor<3x16x!tile.ptr<f32>>) {
  // CHECK: tile.reshape %{{.*}} : tensor<64xf32> -> tensor<4x16xf32>
  // CHECK-NOT: tile.gather
  %y = tile.reshape %x : tensor<48xf32> -> tensor<3x16xf32>
  tile.store %p, %y : tensor<3x16x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @reshape_by_index
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf32>
tile.func @reshape_by_index(%x: tensor<3x10xf32>, %p: tensor<30x!tile.ptr<f32>>) {
  // CHECK-DAG: %[[F:.*]] = tile.reshape %[[X]] : tensor<4x16xf32> -> tensor<64xf32>
  // CHECK-DAG: %[[COLUMN:.*]] = arith.remui %{{.*}}, %[[TEN:.*]] : tensor<32xi32>
  // CHECK-DAG: %[[ROW:.*]] = arith.divui %{{.*}}, %[[TEN]] : tensor<32xi32>
  // CHECK: tile.gather %[[F]], %{{.*}} axis 0 : tensor<64xf32>, tensor<32xi32> -> tensor<32xf32>
  %y = tile.reshape %x : tensor<3x10xf32> -> tensor<30xf32>
  tile.store %p, %y : tensor<30x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @cat
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32>, %[[Y:.*]]: tensor<4x2xf32>
tile.func @cat(%x: tensor<4x3xf32>, %y: tensor<4x2xf32>, %p: tensor<4x5x!tile.ptr<f32>>) {
  // CHECK: %[[L:.*]] = tile.gather %[[X]], %{{.*}} axis 1 : tensor<4x4xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  // CHECK: %[[R:.*]] = tile.gather %[[Y]], %{{.*}} axis 1 : tensor<4x2xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  // CHECK: arith.select %{{.*}}, %[[L]], %[[R]] : tensor<4x8xi1>, tensor<4x8xf32>
  %z = tile.cat %x, %y axis 1 : tensor<4x3xf32>, tensor<4x2xf32> -> tensor<4x5xf32>
  tile.store %p, %z : tensor<4x5x!tile.ptr<f32>>
  tile.return
}

// Along another axis two halves stay two halves.
// CHECK-LABEL: tile.func @cat_halves
tile.func @cat_halves(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %p: tensor<3x8x!tile.ptr<f32>>) {
  // CHECK: tile.cat %{{.*}}, %{{.*}} axis 1 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x8xf32>
  %z = tile.cat %x, %y axis 1 : tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x8xf32>
  tile.store %p, %z : tensor<3x8x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @gather
tile.func @gather(%x: tensor<5xf32>, %i: tensor<8xi32>, %p: tensor<8x!tile.ptr<f32>>) {
  // CHECK: %[[LAST:.*]] = arith.constant dense<4> : tensor<8xi32>
  // CHECK: %[[I:.*]] = arith.minui %{{.*}}, %[[LAST]]
  // CHECK: tile.gather %{{.*}}, %[[I]] axis 0 : tensor<8xf32>
  %g = tile.gather %x, %i axis 0 : tensor<5xf32>, tensor<8xi32> -> tensor<8xf32>
  tile.store %p, %g : tensor<8x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @histogram
tile.func @histogram(%x: tensor<100xi32>, %p: tensor<10x!tile.ptr<i32>>) {
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<128xi32>
  // CHECK: tile.histogram %{{.*}}, %[[IN]] : tensor<128xi32> -> tensor<16xi32>
  %h = tile.histogram %x : tensor<100xi32> -> tensor<10xi32>
  tile.store %p, %h : tensor<10x!tile.ptr<i32>>
  tile.return
}

// CHECK-LABEL: tile.func @sort
tile.func @sort(%x: tensor<5xi32>, %y: tensor<5xf32>, %p: tensor<5x!tile.ptr<i32>>) {
  // CHECK-DAG: %[[GREATEST:.*]] = arith.constant dense<2147483647> : tensor<8xi32>
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-2147483648> : tensor<8xi32>
  // CHECK: %[[K:.*]] = arith.select %{{.*}}, %{{.*}}, %[[GREATEST]]
  // CHECK: tile.sort %[[K]], %{{.*}} axis 0 : tensor<8xi32>, tensor<8xf32>
  // CHECK: %[[D:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LEAST]]
  // CHECK: tile.sort %[[D]] axis 0 {descending}
  %a, %b = tile.sort %x, %y axis 0 : tensor<5xi32>, tensor<5xf32>
  tile.store %p, %a : tensor<5x!tile.ptr<i32>>
  %c = tile.sort %a axis 0 {descending} : tensor<5xi32>
  tile.store %p, %c : tensor<5x!tile.ptr<i32>>
  // CHECK: tile.partial_sort %[[K]] axis 0 : (tensor<8xi32>) -> tensor<4xi32>
  %d = tile.partial_sort %x axis 0 : (tensor<5xi32>) -> tensor<3xi32>
  tile.print "d" %d : tensor<3xi32>
  tile.return
}

// CHECK-LABEL: tile.func @debugging
tile.func @debugging(%x: tensor<3x8xi32>, %c: tensor<5xi1>, %n: i32) {
  // CHECK: %[[TRUE:.*]] = arith.constant dense<true> : tensor<8xi1>
  // CHECK: tile.print "x" %{{.*}}, %{{.*}} {tile.extents = [array<i64: 3, 8>, array<i64>]} : tensor<4x8xi32>, i32
  // CHECK: %[[C:.*]] = arith.select %{{.*}}, %{{.*}}, %[[TRUE]]
  // CHECK: tile.assert %[[C]], "all"
  tile.print "x" %x, %n : tensor<3x8xi32>, i32
  tile.assert %c, "all" : tensor<5xi1>
  tile.return
}

// Loops carry padded tiles.
// CHECK-LABEL: tile.func @loop
tile.func @loop(%x: tensor<5xf32>, %n: index, %p: tensor<5x!tile.ptr<f32>>) {
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<8xf32>)
  // CHECK: scf.yield %{{.*}} : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<5xf32> {
    %b = arith.addf %a, %x : tensor<5xf32>
    scf.yield %b : tensor<5xf32>
  }
  tile.store %p, %s : tensor<5x!tile.ptr<f32>>
  tile.return
}

// Nothing to pad: nothing changes.
// CHECK-LABEL: tile.func @plain
// CHECK-NEXT: tile.load %{{[^,]*}} : tensor<1x64x!tile.ptr<f32>>
// CHECK-NEXT: tile.reduce add
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
tile.func @plain(%p: tensor<1x64x!tile.ptr<f32>>, %q: tensor<1x!tile.ptr<f32>>) {
  %v = tile.load %p : tensor<1x64x!tile.ptr<f32>>
  %s = tile.reduce add %v axis 1 : tensor<1x64xf32> -> tensor<1xf32>
  tile.store %q, %s : tensor<1x!tile.ptr<f32>>
  tile.return
}

// Weights that are computed, and values that are loaded: the dot takes no step behind the extent along K where whole steps of
// tensor cores end there, so that the load may bring anything behind it. 40 are two steps and a half.
// CHECK-LABEL: tile.func @depth
// CHECK: %[[V:.*]] = tile.load %{{.*}} {tile.extents = array<i64: 48, 64>}
// CHECK: tile.dot %{{.*}}, %[[V]], %{{.*}} {tile.depth = 48 : i64}
// CHECK: %[[W:.*]] = tile.load %{{.*}} {tile.extents = array<i64: 64, 64>}
// CHECK: tile.dot %{{.*}}, %[[W]], %{{.*}} : tensor<64x64xf16>
tile.func @depth(%p: tensor<64x48xf32>, %v: tensor<48x64x!tile.ptr<f16>>, %q: tensor<64x40xf32>, %w: tensor<40x64x!tile.ptr<f16>>, %sum: tensor<64x64xf32>, %out: tensor<64x64x!tile.ptr<f32>>) {
  %ph = arith.truncf %p : tensor<64x48xf32> to tensor<64x48xf16>
  %x = tile.load %v : tensor<48x64x!tile.ptr<f16>>
  %s = tile.dot %ph, %x, %sum : tensor<64x48xf16>, tensor<48x64xf16> -> tensor<64x64xf32>
  %qh = arith.truncf %q : tensor<64x40xf32> to tensor<64x40xf16>
  %y = tile.load %w : tensor<40x64x!tile.ptr<f16>>
  %t = tile.dot %qh, %y, %s : tensor<64x40xf16>, tensor<40x64xf16> -> tensor<64x64xf32>
  tile.store %out, %t : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// A formula becomes the ops that one would write; numbers and meta-parameters have the type of what is beside them.
// CHECK-LABEL: tile.func @offsets
// CHECK-SAME: (%[[X:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32)
tile.func @offsets(%x: !tile.ptr<f32>, %n: i32) meta {B = 64} {
  // CHECK: tile.grid(%[[N]] : i32) {
  // CHECK-NEXT: %[[BLOCK:.*]] = tile.meta B : i32
  // CHECK-NEXT: %[[PROGRAMS:.*]] = arith.ceildivsi %[[N]], %[[BLOCK]] : i32
  // CHECK-NEXT: tile.yield %[[PROGRAMS]] : i32
  tile.grid = %n ceildiv B
  // All of a cost is counted in i64.
  // CHECK: tile.cost(%[[N]] : i32) {
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : i64
  // CHECK-NEXT: %[[AGAIN:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK-NEXT: %[[BYTES:.*]] = arith.muli %[[FOUR]], %[[AGAIN]] : i64
  // CHECK-NEXT: tile.yield %[[WIDE]], %[[BYTES]] : i64, i64
  tile.cost = %n, 4 * %n
  // CHECK: %[[PID:.*]] = tile.program_id x
  // CHECK-NEXT: %[[B:.*]] = tile.meta B : i32
  // CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[PID]], %[[B]] : i32
  // CHECK-NEXT: %[[LANES:.*]] = tile.arange : tensor<?xi32, #tile.dims<[B]>>
  // CHECK-NEXT: %[[FIRSTS:.*]] = tile.splat %[[FIRST]] : i32 -> tensor<?xi32, #tile.dims<[B]>>
  // CHECK-NEXT: %[[OFFS:.*]] = arith.addi %[[FIRSTS]], %[[LANES]] : tensor<?xi32, #tile.dims<[B]>>
  %offs = tile.expr program_id(x) * B + arange(B)
  // CHECK-NEXT: %[[ENDS:.*]] = tile.splat %[[N]] : i32 -> tensor<?xi32, #tile.dims<[B]>>
  // CHECK-NEXT: %[[IN:.*]] = arith.cmpi slt, %[[OFFS]], %[[ENDS]] : tensor<?xi32, #tile.dims<[B]>>
  %in = tile.expr %offs < %n
  // CHECK-NEXT: %[[XS:.*]] = tile.splat %[[X]] : !tile.ptr<f32> -> tensor<?x!tile.ptr<f32>, #tile.dims<[B]>>
  // CHECK-NEXT: %[[P:.*]] = tile.addptr %[[XS]], %[[OFFS]] :
  %p = tile.expr %x + %offs
  // CHECK-NEXT: %[[V:.*]] = tile.load %[[P]], %[[IN]] : tensor<?x!tile.ptr<f32>, #tile.dims<[B]>>
  %v = tile.load %p, %in
  // CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-NEXT: %[[TWOS:.*]] = tile.splat %[[TWO]] : f32 -> tensor<?xf32, #tile.dims<[B]>>
  // CHECK-NEXT: %[[W:.*]] = arith.mulf %[[TWOS]], %[[V]] : tensor<?xf32, #tile.dims<[B]>>
  %w = tile.expr 2 * %v
  // CHECK-NEXT: tile.store %[[P]], %[[W]], %[[IN]] : tensor<?x!tile.ptr<f32>, #tile.dims<[B]>>
  tile.store %p, %w, %in
  tile.return
}

// Extents of 1 are repeated, in both operands where both have one.
// CHECK-LABEL: tile.func @shapes
// CHECK-SAME: (%[[X:.*]]: !tile.ptr<f16>, %[[STRIDE:.*]]: i32)
tile.func @shapes(%x: !tile.ptr<f16>, %stride: i32) {
  // CHECK: %[[I:.*]] = tile.arange : tensor<8xi32>
  // CHECK-NEXT: %[[COL:.*]] = tile.expand_dims %[[I]] axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %col = tile.expr col(arange(8))
  // CHECK-NEXT: %[[J:.*]] = tile.arange : tensor<4xi32>
  // CHECK-NEXT: %[[ROW:.*]] = tile.expand_dims %[[J]] axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %row = tile.expr row(arange(4))
  // CHECK-NEXT: %[[STRIDES:.*]] = tile.splat %[[STRIDE]] : i32 -> tensor<8x1xi32>
  // CHECK-NEXT: %[[DOWN:.*]] = arith.muli %[[COL]], %[[STRIDES]] : tensor<8x1xi32>
  // CHECK-NEXT: %[[DOWNS:.*]] = tile.broadcast %[[DOWN]] : tensor<8x1xi32> -> tensor<8x4xi32>
  // CHECK-NEXT: %[[ROWS:.*]] = tile.broadcast %[[ROW]] : tensor<1x4xi32> -> tensor<8x4xi32>
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[DOWNS]], %[[ROWS]] : tensor<8x4xi32>
  %at = tile.expr %col * %stride + %row
  // CHECK-NEXT: %[[XS:.*]] = tile.splat %[[X]] : !tile.ptr<f16> -> tensor<8x4x!tile.ptr<f16>>
  // CHECK-NEXT: %[[P:.*]] = tile.addptr %[[XS]], %[[AT]] :
  %p = tile.addptr %x, %at
  // A written type is what the result is repeated to.
  // CHECK-NEXT: %[[LEAST:.*]] = arith.constant 0xFC00 : f16
  // CHECK-NEXT: %[[ALL:.*]] = tile.splat %[[LEAST]] : f16 -> tensor<8x4xf16>
  // CHECK-NEXT: tile.store %[[P]], %[[ALL]] : tensor<8x4x!tile.ptr<f16>>
  %all = tile.expr -inf : tensor<8x4xf16>
  tile.store %p, %all
  // CHECK-NEXT: %[[E:.*]] = tile.expand_dims %[[AT]] axis 1 : tensor<8x4xi32> -> tensor<8x1x4xi32>
  // CHECK-NEXT: tile.print "e" %[[E]]
  %e = tile.expr expand(%at, 1)
  tile.print "e" %e : tensor<8x1x4xi32>
  tile.return
}

// CHECK-LABEL: tile.func @operators
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[X:.*]]: f32, %[[C:.*]]: i1)
tile.func @operators(%a: i32, %b: i32, %x: f32, %c: i1) {
  // Products bind before sums, sums before comparisons, those before and, and that before or.
  // CHECK: %[[DIV:.*]] = arith.divsi %[[A]], %[[B]] : i32
  // CHECK-NEXT: %[[REM:.*]] = arith.remsi %[[A]], %[[B]] : i32
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[DIV]], %[[REM]] : i32
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpi sle, %[[SUM]], %[[B]] : i32
  // CHECK-NEXT: %[[NE:.*]] = arith.cmpi ne, %[[A]], %[[B]] : i32
  // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[LESS]], %[[NE]] : i1
  // CHECK-NEXT: %[[ANY:.*]] = arith.ori %[[BOTH]], %[[C]] : i1
  // CHECK-NEXT: tile.print "t" %[[ANY]]
  %t = tile.expr %a div %b + %a rem %b <= %b and %a ne %b or %c
  tile.print "t" %t : i1
  // CHECK: arith.floordivsi
  // CHECK: arith.shli
  // CHECK: arith.shrsi
  // CHECK: arith.xori
  %u = tile.expr (%a floordiv 2 shl 3) shr %b xor 0x10
  tile.print "u" %u : i32
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: arith.xori %[[C]], %[[TRUE]] : i1
  // CHECK: arith.cmpi ult
  %v = tile.expr not %c or %a ult %b
  tile.print "v" %v : i1
  // CHECK: %[[NEG:.*]] = arith.negf %[[X]] : f32
  // CHECK: arith.minimumf
  // CHECK: arith.maximumf
  // CHECK: arith.divf
  // CHECK: arith.constant 0x7FC00000 : f32
  // CHECK: arith.select %[[C]]
  %w = tile.expr select(%c, max(min(-%x, 1.5), 0) / 2, nan)
  tile.print "w" %w : f32
  // CHECK: arith.subi %{{.*}}, %[[A]] : i32
  // CHECK: arith.sitofp %{{.*}} : i32 to f32
  // CHECK: math.fma
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  // CHECK: arith.fptosi %{{.*}} : f64 to i8
  // CHECK: arith.extsi %{{.*}} : i8 to i64
  // CHECK: arith.trunci %{{.*}} : i64 to i16
  // CHECK: arith.index_cast %{{.*}} : i16 to index
  %y = tile.expr index(i16(i64(i8(f64(bf16(math.fma(f32(-%a), %x, 1.0)))))))
  // CHECK: arith.extui %[[C]] : i1 to i32
  // CHECK: arith.uitofp %[[C]] : i1 to f32
  // CHECK: arith.cmpf oeq
  // CHECK: arith.cmpf une
  %z = tile.expr i32(%c) + 1 == 2 and f32(%c) == %x or %x ne 0
  tile.print "z" %z : i1
  tile.return
}

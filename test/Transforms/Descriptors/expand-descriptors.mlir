// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-descriptors))' | FileCheck %s

// A position that may be negative is compared at both ends, one that is not at one.
// CHECK-LABEL: tile.func @load
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f16>, %[[OUT:.*]]: !tile.ptr<f16>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[S:.*]]: i64, %[[I:.*]]: i32)
tile.func @load(%p: !tile.ptr<f16>, %out: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %i: i32) {
  // CHECK: %[[PID:.*]] = tile.program_id x
  %j = tile.program_id x
  // CHECK-NOT: tile.make_desc
  %d = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  // CHECK: %[[R:.*]] = tile.arange : tensor<128xi32>
  // CHECK: %[[ROWS:.*]] = tile.expand_dims %[[R]] axis 1
  // CHECK: %[[C:.*]] = tile.arange : tensor<64xi32>
  // CHECK: %[[COLS:.*]] = tile.expand_dims %[[C]] axis 0

  // &p[i * s + pid]
  // CHECK: %[[I64:.*]] = arith.extsi %[[I]]
  // CHECK: %[[ABOVE:.*]] = arith.muli %[[I64]], %[[S]]
  // CHECK: %[[J64:.*]] = arith.extsi %[[PID]]
  // CHECK: %[[OFF:.*]] = arith.addi %[[ABOVE]], %[[J64]]
  // CHECK: %[[CORNER:.*]] = tile.addptr %[[P]], %[[OFF]]
  // CHECK: %[[CORNERS:.*]] = tile.splat %[[CORNER]]

  // CHECK: %[[R64:.*]] = arith.extsi %[[ROWS]]
  // CHECK: %[[SS:.*]] = tile.splat %[[S]]
  // CHECK: %[[ROFF:.*]] = arith.muli %[[R64]], %[[SS]] : tensor<128x1xi64>
  // CHECK: %[[ROFFS:.*]] = tile.broadcast %[[ROFF]]
  // CHECK: %[[ROWP:.*]] = tile.addptr %[[CORNERS]], %[[ROFFS]]
  // CHECK: %[[COFFS:.*]] = tile.broadcast %[[COLS]]
  // CHECK: %[[PTRS:.*]] = tile.addptr %[[ROWP]], %[[COFFS]]

  // CHECK: %[[IS:.*]] = tile.splat %[[I]]
  // CHECK: %[[AT:.*]] = arith.addi %[[IS]], %[[ROWS]]
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<128x1xi32>
  // CHECK: %[[GE:.*]] = arith.cmpi sge, %[[AT]], %[[ZERO]]
  // CHECK: %[[MS:.*]] = tile.splat %[[M]]
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %[[AT]], %[[MS]]
  // CHECK: %[[RIN:.*]] = arith.andi %[[GE]], %[[LT]]
  // CHECK: %[[RINS:.*]] = tile.broadcast %[[RIN]]
  // CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[PID]]
  // CHECK: %[[LEFTS:.*]] = tile.splat %[[LEFT]]
  // CHECK: %[[CIN:.*]] = arith.cmpi slt, %[[COLS]], %[[LEFTS]]
  // CHECK: %[[CINS:.*]] = tile.broadcast %[[CIN]]
  // CHECK: %[[IN:.*]] = arith.andi %[[RINS]], %[[CINS]]
  // CHECK: tile.load %[[PTRS]], %[[IN]] : tensor<128x64x!tile.ptr<f16>>
  %v = tile.desc_load %d[%i, %j] : !tile.desc<128x64xf16>
  %lane = tile.arange : tensor<64xi32>
  %sum = tile.reduce add %v axis 0 : tensor<128x64xf16> -> tensor<64xf16>
  %bases = tile.splat %out : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %to = tile.addptr %bases, %lane : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f16>>
  tile.return
}

// One dimension, NaN out of bounds.
// CHECK-LABEL: tile.func @nan
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<bf16>,
tile.func @nan(%p: !tile.ptr<bf16>, %n: i32) {
  %j = tile.program_id x
  %d = tile.make_desc %p, [%n], [] padding nan : !tile.ptr<bf16> -> !tile.desc<32xbf16>
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC0> : tensor<32xbf16>
  // CHECK: %[[V:.*]] = tile.load %{{.*}}, %{{.*}}, %[[NAN]] : tensor<32x!tile.ptr<bf16>>
  %v = tile.desc_load %d[%j] : !tile.desc<32xbf16>
  // CHECK: tile.store %{{.*}}, %[[V]], %{{.*}} : tensor<32x!tile.ptr<bf16>>
  tile.desc_store %d[%j], %v : !tile.desc<32xbf16>
  // CHECK-NEXT: tile.return
  tile.return
}

// Each dimension's positions have extent 1 along the others.
// CHECK-LABEL: tile.func @three
tile.func @three(%p: !tile.ptr<f32>, %n: i32, %s: i64) {
  %c0 = arith.constant 0 : i32
  %d = tile.make_desc %p, [%n, %n, %n], [%s, %s] : !tile.ptr<f32> -> !tile.desc<2x4x8xf32>
  // CHECK: tile.arange : tensor<2xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<2x1xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<2x1x1xi32>
  // CHECK: tile.arange : tensor<4xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<1x4xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<1x4x1xi32>
  // CHECK: tile.arange : tensor<8xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<1x8xi32>
  // CHECK: tile.expand_dims {{.*}} -> tensor<1x1x8xi32>
  // CHECK: tile.load {{.*}} : tensor<2x4x8x!tile.ptr<f32>>
  %v = tile.desc_load %d[%c0, %c0, %c0] : !tile.desc<2x4x8xf32>
  tile.desc_store %d[%c0, %c0, %c0], %v : !tile.desc<2x4x8xf32>
  tile.return
}

// No descriptor: nothing changes.
// CHECK-LABEL: tile.func @plain
// CHECK-NEXT: tile.program_id x
// CHECK-NEXT: tile.store
tile.func @plain(%out: !tile.ptr<i32>) {
  %pid = tile.program_id x
  tile.store %out, %pid : !tile.ptr<i32>
  tile.return
}

// Of a box with padding only what is inside is stored.
// CHECK-LABEL: tile.func @padding
tile.func @padding(%p: !tile.ptr<f32>, %n: i32, %s: i64, %v: tensor<4x16xf32>) {
  // CHECK-DAG: %[[END:.*]] = arith.constant dense<12> : tensor<1x16xi32>
  // CHECK-DAG: %[[AT:.*]] = tile.expand_dims %{{.*}} axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %[[END]]
  // CHECK: %[[COLUMNS:.*]] = tile.broadcast %[[INSIDE]]
  // CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %[[COLUMNS]]
  // CHECK: tile.store %{{.*}}, %{{.*}}, %[[MASK]]
  %c0 = arith.constant 0 : i32
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<4x16xf32>
  tile.desc_store %d[%c0, %c0], %v {extents = array<i64: 4, 12>} : !tile.desc<4x16xf32>
  tile.return
}

// What is added is added by threads, an element at a time.
// CHECK-LABEL: tile.func @added
tile.func @added(%p: !tile.ptr<f32>, %n: i32, %s: i64, %v: tensor<4x16xf32>) {
  // CHECK: tile.atomic_rmw fadd relaxed gpu %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x16x!tile.ptr<f32>>
  // CHECK-NOT: tile.store
  %c0 = arith.constant 0 : i32
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<4x16xf32>
  tile.desc_store %d[%c0, %c0], %v {add} : !tile.desc<4x16xf32>
  tile.return
}

// A batch and a head are numbers, which exist or not, and no dimensions of what is loaded; who reads the box itself gets them.
// CHECK-LABEL: tile.func @heads
// CHECK-SAME: (%{{.*}}: !tile.ptr<f16>, %[[B:.*]]: i32, %[[H:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[I:.*]]: i32, %[[J:.*]]: i32, %[[Q:.*]]: tensor<16x32xf16>)
// CHECK-NOT: tensor<1x1x32x1xi32>
// CHECK: %[[BATCH:.*]] = arith.cmpi ult, %[[I]], %[[B]]
// CHECK-NEXT: %[[BATCHES:.*]] = tile.splat %[[BATCH]] : i1 -> tensor<32x64xi1>
// CHECK-NEXT: %[[HEAD:.*]] = arith.cmpi ult, %[[J]], %[[H]]
// CHECK-NEXT: %[[HEADS:.*]] = tile.splat %[[HEAD]] : i1 -> tensor<32x64xi1>
// CHECK-NEXT: arith.andi %[[BATCHES]], %[[HEADS]]
// CHECK: %[[X:.*]] = tile.load %{{.*}} : tensor<32x64x!tile.ptr<f16>>
// CHECK: %[[BOX:.*]] = tile.reshape %[[X]] : tensor<32x64xf16> -> tensor<1x1x32x64xf16>
// CHECK: tile.dot %[[Q]], %[[X]],
// CHECK: math.absf %[[BOX]]
// CHECK: tile.reshape %{{.*}} : tensor<1x1x32x64xf16> -> tensor<32x64xf16>
// CHECK: tile.store %{{.*}} : tensor<32x64x!tile.ptr<f16>>
tile.func @heads(%p: !tile.ptr<f16>, %b: i32, %h: i32, %m: i32, %n: i32, %s: i64, %t: i64, %u: i64, %i: i32, %j: i32, %q: tensor<16x32xf16>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %d = tile.make_desc %p, [%b, %h, %m, %n], [%s, %t, %u] : !tile.ptr<f16> -> !tile.desc<1x1x32x64xf16>
  %v = tile.desc_load %d[%i, %j, %c0, %c0] : !tile.desc<1x1x32x64xf16>
  %w = tile.reshape %v : tensor<1x1x32x64xf16> -> tensor<32x64xf16>
  %x = tile.dot %q, %w, %zero : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
  %y = math.absf %v : tensor<1x1x32x64xf16>
  tile.desc_store %d[%i, %j, %c0, %c0], %y : !tile.desc<1x1x32x64xf16>
  tile.return
}

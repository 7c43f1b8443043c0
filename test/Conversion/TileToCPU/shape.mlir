// Ops that move elements, or combine them, on the CPU.
//
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// A table is a buffer that is there from the start, its rows whole vectors.
// CHECK: llvm.mlir.global internal constant @[[TABLE:__tile_table_[0-9]+]](dense<[1, -2, 3, 0, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0]> : tensor<16xi16>)
// CHECK-LABEL: func.func @table(
// CHECK: %[[T:.*]] = llvm.mlir.addressof @[[TABLE]]
// CHECK: scf.for
// CHECK:   %[[P:.*]] = llvm.getelementptr %[[T]]
// CHECK:   llvm.load %[[P]] {{.*}} -> vector<8xi16>
// CHECK:   llvm.intr.masked.store
tile.func @table(%q: !tile.ptr<i16>) {
  %c = arith.constant dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi16>
  %cols = tile.arange : tensor<3xi32>
  %row = tile.expand_dims %cols axis 0 : tensor<3xi32> -> tensor<1x3xi32>
  %at = tile.broadcast %row : tensor<1x3xi32> -> tensor<2x3xi32>
  %qs = tile.splat %q : !tile.ptr<i16> -> tensor<2x3x!tile.ptr<i16>>
  %to = tile.addptr %qs, %at : tensor<2x3x!tile.ptr<i16>>, tensor<2x3xi32>
  tile.store %to, %c : tensor<2x3x!tile.ptr<i16>>
  tile.return
}

// Turned element by element: a gather with the source's stride, into rows of the result; reshape then reads those as they lie.
// CHECK-LABEL: func.func @trans(
// CHECK: %[[BOX:.*]] = llvm.alloca %c16_i64
// CHECK: arith.constant dense<[0, 8, 16, 24, 32, 40, 48, 56]> : vector<8xi64>
// CHECK: scf.for
// CHECK:   llvm.store {{.*}} : vector<8xf32>, !llvm.ptr
// CHECK: scf.for
// CHECK:   llvm.intr.masked.gather
// CHECK:   llvm.store {{.*}} : vector<8xf32>, !llvm.ptr
// CHECK: scf.for
// CHECK:   arith.divui
// CHECK:   llvm.intr.masked.gather
// CHECK:   llvm.store
tile.func @trans(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<16xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %to = tile.addptr %qs, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %ptrs : tensor<16x!tile.ptr<f32>>
  %box = tile.reshape %v : tensor<16xf32> -> tensor<2x8xf32>
  %t = tile.trans %box order [1, 0] : tensor<2x8xf32> -> tensor<8x2xf32>
  %flat = tile.reshape %t : tensor<8x2xf32> -> tensor<16xf32>
  tile.store %to, %flat : tensor<16x!tile.ptr<f32>>
  tile.return
}

// A pair is never built: which half is meant is a constant, and nothing but the chosen value is computed.
// CHECK-LABEL: func.func @join_split(
// CHECK-NOT: llvm.alloca
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK: %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK: %[[HALF:.*]] = arith.select %{{.*}}, %[[V]], %[[W]] : vector<8xf32>
// CHECK: %[[TURNED:.*]] = arith.negf %[[HALF]]
// CHECK: llvm.store %[[TURNED]]
tile.func @join_split(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<16xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %to = tile.addptr %qs, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %ptrs : tensor<16x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<16xf32>
  %pairs = tile.join %v, %w : tensor<16xf32> -> tensor<16x2xf32>
  %turned = arith.negf %pairs : tensor<16x2xf32>
  %a, %b = tile.split %turned : tensor<16x2xf32> -> tensor<16xf32>
  tile.store %to, %b : tensor<16x!tile.ptr<f32>>
  tile.return
}

// Two loops fill one buffer, the second from its middle on; the reduction adds vectors, then the lanes of one.
// CHECK-LABEL: func.func @cat(
// CHECK: %[[LONG:.*]] = llvm.alloca %c32_i64
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[LONG]][%c16_i64]
// CHECK: scf.for
// CHECK:   %[[TO:.*]] = llvm.getelementptr %[[LONG]][
// CHECK:   llvm.store %{{.*}}, %[[TO]]
// CHECK: scf.for
// CHECK:   %[[TO2:.*]] = llvm.getelementptr %[[SECOND]][
// CHECK:   llvm.store %{{.*}}, %[[TO2]]
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [4, 5, 6, 7, 0, 1, 2, 3]
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 4, 5, 6, 7, 0, 1]
// CHECK-NOT: vector.shuffle
// CHECK-DAG: %[[FIRST:.*]] = vector.extract %[[PAIRS:.*]][0]
// CHECK-DAG: %[[OTHER:.*]] = vector.extract %[[PAIRS]][1]
// CHECK: arith.addf %[[FIRST]], %[[OTHER]] : f32
tile.func @cat(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<16xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %to = tile.addptr %qs, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %ptrs : tensor<16x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<16xf32>
  %long = tile.cat %v, %w axis 0 : tensor<16xf32>, tensor<16xf32> -> tensor<32xf32>
  %sum = tile.reduce add %long axis 0 : tensor<32xf32> -> f32
  tile.store %q, %sum : !tile.ptr<f32>
  tile.return
}

// The source lies in a buffer; indices past its ends are moved to them, so that no read is.
// CHECK-LABEL: func.func @gather(
// CHECK: %[[SOURCE:.*]] = llvm.alloca %c16_i64
// CHECK: scf.for
// CHECK: scf.for
// CHECK:   %[[LOW:.*]] = arith.maxsi %{{.*}}, %{{.*}} : vector<8xi64>
// CHECK:   arith.minsi %[[LOW]], %{{.*}} : vector<8xi64>
// CHECK:   llvm.intr.masked.gather
tile.func @gather(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<16xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %to = tile.addptr %qs, %lanes : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %ptrs : tensor<16x!tile.ptr<f32>>
  %picked = tile.gather %v, %lanes axis 0 : tensor<16xf32>, tensor<16xi32> -> tensor<16xf32>
  tile.store %to, %picked : tensor<16x!tile.ptr<f32>>
  tile.return
}

// One element after the other, with the order asked for.
// CHECK-LABEL: func.func @compare_and_swap(
// CHECK: scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c1_i64
// CHECK:   %[[PAIR:.*]] = llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acq_rel acquire : !llvm.ptr, i32
// CHECK:   llvm.extractvalue %[[PAIR]][0]
tile.func @compare_and_swap(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) {
  %lanes = tile.arange : tensor<16xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
  %to = tile.addptr %qs, %lanes : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
  %v = tile.load %ptrs : tensor<16x!tile.ptr<i32>>
  %old = tile.atomic_cas acq_rel gpu %to, %v, %lanes : tensor<16x!tile.ptr<i32>>
  tile.return
}

// Of less than a vector: in order, the sum so far carried along.
// CHECK-LABEL: func.func @scan(
// CHECK: scf.for %{{.*}} = %c1_i64 to %c6_i64 step %c1_i64 iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK:   %[[AFTER:.*]] = arith.addf %[[BEFORE]], %{{.*}} : f32
// CHECK:   scf.yield %[[AFTER]] : f32
tile.func @scan(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<6xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<6x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<6x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<6x!tile.ptr<f32>>, tensor<6xi32>
  %to = tile.addptr %qs, %lanes : tensor<6x!tile.ptr<f32>>, tensor<6xi32>
  %v = tile.load %ptrs : tensor<6x!tile.ptr<f32>>
  %sums = tile.scan add %v axis 0 : tensor<6xf32> -> tensor<6xf32>
  tile.store %to, %sums : tensor<6x!tile.ptr<f32>>
  tile.return
}

// The grid's extent is an argument of the function; an assumption leaves nothing behind.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[X:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-NOT: tile.assume
// CHECK: llvm.store %[[X]]
tile.func @numbers(%q: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  tile.assume %positive
  %x = tile.num_programs x
  tile.store %q, %x : !tile.ptr<i32>
  tile.return
}

// A part is the whole at another index; rows have room for whole vectors from their start alone, so here lanes past
// the end are masked.
// CHECK-LABEL: func.func @slice(
// CHECK: %[[BOX:.*]] = llvm.alloca
// CHECK: } else {
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %c10_i64 : i64
// CHECK: %[[P:.*]] = llvm.getelementptr %[[BOX]][%[[AT]]]
// CHECK: llvm.intr.masked.load %[[P]], %{{.*}} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK: llvm.intr.masked.store
tile.func @slice(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %x = tile.arange : tensor<17xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<17x!tile.ptr<f32>>
  %from = tile.addptr %ps, %x : tensor<17x!tile.ptr<f32>>, tensor<17xi32>
  %v = tile.load %from : tensor<17x!tile.ptr<f32>>
  %part = tile.slice %v[10] : tensor<17xf32> -> tensor<5xf32>
  %lanes = tile.arange : tensor<5xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<5x!tile.ptr<f32>>
  %to = tile.addptr %qs, %lanes : tensor<5x!tile.ptr<f32>>, tensor<5xi32>
  tile.store %to, %part : tensor<5x!tile.ptr<f32>>
  tile.return
}

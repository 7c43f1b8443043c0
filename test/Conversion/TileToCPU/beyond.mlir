// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256 check" | FileCheck %s --check-prefix=CHECKED
// CHECKED-LABEL: func.func @softmax(
// CHECKED-NOT: arith.ceildivsi

// A softmax of n of 256 columns. Chunks in front of n have no masks. Loads and exponentials end with the
// chunk that n is in; what the buffers have behind it is one number, that of the last column. The maximum takes it once, and
// so does the sum, as a second one changes nothing; else it goes on to the end. Exponentials of what is 0 are not computed.
// CHECK-LABEL: func.func @softmax(
// CHECK: %[[N:.*]] = llvm.load %{{.*}} -> i32
// The load.
// CHECK: %[[END:.*]] = arith.minsi %c256_i64, %[[REACH:.*]] : i64
// CHECK: %[[REST:.*]] = arith.remsi %[[KNOWN:.*]], %c8_i64
// CHECK: %[[TO:.*]] = arith.subi %[[KNOWN]], %[[REST]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[TO]] step %c8_i64
// CHECK-NOT: masked.load
// CHECK: scf.for %{{.*}} = %[[TO]] to %[[END]] step %c8_i64
// CHECK:   llvm.intr.masked.load
// CHECK: %[[CHUNKS:.*]] = arith.ceildivsi %[[END]], %c8_i64
// CHECK: %[[FROM:.*]] = arith.muli %[[CHUNKS]], %c8_i64
// CHECK: scf.for %{{.*}} = %[[FROM]] to %c256_i64 step %c8_i64
// CHECK-NOT: masked.load
// CHECK:   llvm.store %{{.*}} : vector<8xf32>
// The maximum: of chunks up to there, and of the last number.
// CHECK: %[[LAST:.*]] = llvm.load %{{.*}} -> f32
// CHECK: %[[BEYOND:.*]] = vector.broadcast %[[LAST]] : f32 to vector<8xf32>
// CHECK: %[[MOST:.*]] = arith.minsi %c256_i64, %{{.*}}
// CHECK: scf.for %{{.*}} = %c32_i64 to %[[MOST]] step %c32_i64
// CHECK: %[[ONCE:.*]] = llvm.intr.maximum(%[[ALL:.*]], %[[BEYOND]])
// CHECK: %[[TWICE:.*]] = llvm.intr.maximum(%[[ONCE]], %[[BEYOND]])
// CHECK: %[[LANES:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK: %[[SAME:.*]] = vector.reduction <and>, %[[LANES]]
// CHECK: %[[STEPS:.*]] = arith.select %[[SAME]], %{{.*}}, %[[LEFT:.*]] : i64
// CHECK: scf.for %{{.*}} = %c0_i64{{.*}} to %[[STEPS]] step %c8_i64{{.*}} iter_args(%[[SO_FAR:.*]] = %[[ALL]])
// CHECK:   llvm.intr.maximum(%[[SO_FAR]], %[[BEYOND]])
// CHECK: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}} : vector<8xf32>
// CHECK: arith.select %[[SMALL]], %{{.*}} : vector<8xi1>, vector<8xf32>
// The sum.
// CHECK: vector.reduction <and>, %{{.*}} : vector<8xi1>
// CHECK: scf.for %{{.*}} = %c0_i64{{.*}} to %{{.*}} step %c8_i64{{.*}} iter_args
// CHECK-NEXT: arith.addf
tile.func @softmax(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %column = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %column, %ns : tensor<256xi32>
  %none = arith.constant dense<0xFF800000> : tensor<256xf32>
  %xs = tile.expr %x + %column
  %v = tile.load %xs, %in, %none : tensor<256x!tile.ptr<f32>>
  %most = tile.reduce max %v axis 0 : tensor<256xf32> -> f32
  %d = tile.expr %v - %most
  %e = math.exp %d : tensor<256xf32>
  %sum = tile.reduce add %e axis 0 : tensor<256xf32> -> f32
  %r = tile.expr %e / %sum
  %ys = tile.expr %y + %column
  tile.store %ys, %r, %in : tensor<256x!tile.ptr<f32>>
  tile.return
}

// The column is a term of what is added: nothing is one number behind n.
// CHECK-LABEL: func.func @weighted(
// CHECK-NOT: arith.ceildivsi
// CHECK: return
tile.func @weighted(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %column = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %column, %ns : tensor<256xi32>
  %xs = tile.expr %x + %column
  %v = tile.load %xs, %in : tensor<256x!tile.ptr<f32>>
  %w = arith.sitofp %column : tensor<256xi32> to tensor<256xf32>
  %d = tile.expr %v + %w
  %sum = tile.reduce add %d axis 0 : tensor<256xf32> -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Lanes that a remainder leads to lie together but where it wraps around within the chunk.
// CHECK-LABEL: func.func @wrapped(
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %[[FIRST:.*]], %{{.*}} : i32
// CHECK: %[[WHOLE:.*]] = arith.muli %[[QUOTIENT]]
// CHECK: %[[REST:.*]] = arith.subi %[[FIRST]], %[[WHOLE]]
// CHECK: %[[MOST:.*]] = arith.subi %{{.*}}, %c7_i32 : i32
// CHECK: %[[STAYS:.*]] = arith.cmpi slt, %[[REST]], %[[MOST]] : i32
// CHECK: arith.andi %{{.*}}%[[STAYS]]
// CHECK: scf.if %{{.*}} {
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: } else {
// CHECK: llvm.intr.masked.gather
tile.func @wrapped(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %column = tile.expr program_id(x) * 64 + arange(64)
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %from = arith.remsi %column, %ns : tensor<64xi32>
  %xs = tile.expr %x + %from
  %v = tile.load %xs : tensor<64x!tile.ptr<f32>>
  %ys = tile.expr %y + %column
  tile.store %ys, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

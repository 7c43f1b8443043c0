// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @empty() {
// CHECK-NEXT: tile.return
tile.func @empty() {
  tile.return
}

// CHECK-LABEL: tile.func @measures
// CHECK-SAME: %{{.*}}: i32 {tile.extent = [0, 1], tile.key}, %{{.*}}: i64 {tile.stride = [0, 0]})
tile.func @measures(%x: !tile.ptr<f32>, %n: i32 {tile.key, tile.extent = [0, 1]}, %s: i64 {tile.stride = [0, 0]}) {
  tile.return
}

// CHECK-LABEL: tile.func @parameters
// CHECK-SAME: (%[[X:.*]]: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %[[N:.*]]: i32 {tile.key})
// CHECK-SAME: meta {BLOCK = 1024 : i64} configs [{BLOCK = 512 : i64, num_warps = 4 : i64}, {maxnreg = 128 : i64, num_ctas = 2 : i64, num_stages = 3 : i64}]
tile.func @parameters(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.key})
    meta {BLOCK = 1024}
    configs [{BLOCK = 512, num_warps = 4}, {maxnreg = 128, num_ctas = 2, num_stages = 3}] {
  // CHECK: tile.grid(%[[N]] : i32) {
  // CHECK-NEXT: %[[BLOCK:.*]] = tile.meta BLOCK : i32
  // CHECK-NEXT: %[[COUNT:.*]] = arith.ceildivsi %[[N]], %[[BLOCK]] : i32
  // CHECK-NEXT: tile.yield %[[COUNT]], %[[N]] : i32, i32
  tile.grid(%n : i32) {
    %block = tile.meta BLOCK : i32
    %count = arith.ceildivsi %n, %block : i32
    tile.yield %count, %n : i32, i32
  }
  // CHECK: tile.cost(%[[N]] : i32) {
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK-NEXT: tile.yield %[[WIDE]], %[[WIDE]] : i64, i64
  tile.cost(%n : i32) {
    %wide = arith.extsi %n : i32 to i64
    tile.yield %wide, %wide : i64, i64
  }
  // CHECK: tile.meta BLOCK : index
  %block = tile.meta BLOCK : index
  tile.return
}

// A grid that needs no argument.
// CHECK-LABEL: tile.func @fixed_grid
tile.func @fixed_grid() {
  // CHECK: tile.grid() {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.return
}

// CHECK-LABEL: tile.func private @helper(%{{.*}}: i32, %{{.*}}: tensor<8xf32>) -> (i32, tensor<8xf32>)
tile.func private @helper(%i: i32, %x: tensor<8xf32>) -> (i32, tensor<8xf32>) {
  // CHECK: tile.return %{{.*}}, %{{.*}} : i32, tensor<8xf32>
  tile.return %i, %x : i32, tensor<8xf32>
}

// CHECK-LABEL: tile.func @caller
tile.func @caller(%i: i32, %x: tensor<8xf32>) attributes {note = "kept"} {
  // CHECK: %[[R:.*]]:2 = tile.call @helper(%{{.*}}, %{{.*}}) : (i32, tensor<8xf32>) -> (i32, tensor<8xf32>)
  %j, %y = tile.call @helper(%i, %x) : (i32, tensor<8xf32>) -> (i32, tensor<8xf32>)
  tile.return
}

// With `configure`, the runtime is asked for a configuration before each launch and after it, and for
// the meta-parameters of the grid that `bind` leaves.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-host{configure=true bind=C=3})' | FileCheck %s

tile.func @k(%x: !tile.ptr<f32>, %n: i32) meta {B = 8, C = 2} {
  tile.grid(%n : i32) {
    %b = tile.meta B : i32
    %c = tile.meta C : i32
    %i = arith.ceildivsi %n, %b : i32
    tile.yield %i, %c : i32, i32
  }
  tile.return
}

// Without meta-parameters there are warps and stages to choose.
tile.func @plain(%x: !tile.ptr<f32>) {
  tile.grid() {
    %g = arith.constant 1 : i32
    tile.yield %g : i32
  }
  tile.return
}

// CHECK-LABEL: func.func @main
// CHECK: scf.while : () -> () {
// CHECK: %[[CHOICE:.*]] = func.call @tileHostConfigure(%{{.*}}, %{{.*}}) : (i64, i64) -> i32
// CHECK: %[[AGAIN:.*]] = arith.trunci %[[CHOICE]] : i32 to i1
// CHECK: scf.condition(%[[AGAIN]])
// CHECK: } do {
// CHECK: %[[BITS:.*]] = func.call @tileHostMeta(%{{.*}}, %[[FIRST:.*]]) : (i64, i64) -> i64
// CHECK: %[[B:.*]] = arith.trunci %[[BITS]] : i64 to i32
// CHECK-NOT: tileHostMeta
// CHECK: %[[GRID:.*]] = arith.ceildivsi %{{.*}}, %[[B]] : i32
// CHECK: func.call @tileHostLaunch(%{{.*}}, %{{.*}}, %[[GRID]],
// CHECK: scf.yield
// CHECK: func.call @tileHostConfigure
// CHECK-NOT: tileHostMeta
// CHECK: func.call @tileHostLaunch
func.func @main(%n: i32) {
  %x = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @k(%x, %n) : memref<?xf32>, i32
  tile_host.launch @plain(%x) : memref<?xf32>
  return
}

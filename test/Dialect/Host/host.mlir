// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

tile.func @kernel(%x: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  tile.return
}

tile.func @alone() {
  tile.return
}

tile.func @tuned(%x: !tile.ptr<f32>) meta {BM = 8, BN = 8} {
  tile.return
}

// CHECK-LABEL: func.func @main
func.func @main(%n: i32, %m: index) {
  // CHECK: %[[A:.*]] = tile_host.alloc(%{{.*}}, %{{.*}}) : (i32, index) -> memref<?x?xf32>
  %a = tile_host.alloc(%n, %m) : (i32, index) -> memref<?x?xf32>
  // CHECK: %[[B:.*]] = tile_host.alloc() : () -> memref<4x8xf32>
  %b = tile_host.alloc() : () -> memref<4x8xf32>
  // CHECK: tile_host.random(%{{.*}}) seed 7 : (i32) -> memref<?xi8>
  %c = tile_host.random(%n) seed 7 : (i32) -> memref<?xi8>
  // CHECK: tile_host.random() seed -1 : () -> memref<4xf16>
  %d = tile_host.random() seed -1 : () -> memref<4xf16>
  // CHECK: %[[R:.*]] = tile_host.read "in.npy" : memref<?x?xf32>
  %r = tile_host.read "in.npy" : memref<?x?xf32>
  // CHECK: tile_host.launch @kernel(%[[A]], %{{.*}}) : memref<?x?xf32>, i32
  tile_host.launch @kernel(%a, %n) : memref<?x?xf32>, i32
  // CHECK: tile_host.launch @kernel(%[[A]], %[[N:.*]]) grid(%[[N]], %[[N]]) : memref<?x?xf32>, i32
  tile_host.launch @kernel(%a, %n) grid(%n, %n) : memref<?x?xf32>, i32
  // CHECK: tile_host.launch @tuned(%[[A]]) grid(%{{.*}}) meta {BM = %{{.*}}} : memref<?x?xf32>
  tile_host.launch @tuned(%a) grid(%n) meta {BM = %n} : memref<?x?xf32>
  // CHECK: tile_host.launch @alone(){{$}}
  tile_host.launch @alone()
  // CHECK: tile_host.launch @tuned(%[[A]]) meta {BN = 64, BM = %{{.*}}, num_warps = %{{.*}}, maxnreg = 128} : memref<?x?xf32>
  tile_host.launch @tuned(%a) meta {BN = 64, BM = %n, num_warps = %n, maxnreg = 128} : memref<?x?xf32>
  // CHECK: tile_host.multiprocessors{{$}}
  %count = tile_host.multiprocessors
  // CHECK: tile_host.launch @alone() meta {num_ctas = 2} {note}
  tile_host.launch @alone() meta {num_ctas = 2} {note}
  // CHECK: tile_host.expect_close %[[A]], %[[R]] {atol = 1.000000e-03 : f64, rtol = 1.000000e-02 : f64} : memref<?x?xf32>, memref<?x?xf32>
  tile_host.expect_close %a, %r {atol = 1.0e-3, rtol = 1.0e-2} : memref<?x?xf32>, memref<?x?xf32>
  // The defaults, 0, are not printed.
  // CHECK: tile_host.expect_close %[[A]], %[[B]] : memref<?x?xf32>, memref<4x8xf32>
  tile_host.expect_close %a, %b : memref<?x?xf32>, memref<4x8xf32>
  // CHECK: tile_host.write %[[A]], "out.npy" : memref<?x?xf32>
  tile_host.write %a, "out.npy" : memref<?x?xf32>
  // CHECK: tile_host.dump %[[A]] : memref<?x?xf32>
  tile_host.dump %a : memref<?x?xf32>
  return
}

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
  // CHECK: %[[A:.*]] = tile.alloc(%{{.*}}, %{{.*}}) : (i32, index) -> memref<?x?xf32>
  %a = tile.alloc(%n, %m) : (i32, index) -> memref<?x?xf32>
  // CHECK: %[[B:.*]] = tile.alloc() : () -> memref<4x8xf32>
  %b = tile.alloc() : () -> memref<4x8xf32>
  // CHECK: tile.random(%{{.*}}) seed 7 : (i32) -> memref<?xi8>
  %c = tile.random(%n) seed 7 : (i32) -> memref<?xi8>
  // CHECK: tile.random() seed -1 : () -> memref<4xf16>
  %d = tile.random() seed -1 : () -> memref<4xf16>
  // CHECK: %[[R:.*]] = tile.read "in.npy" : memref<?x?xf32>
  %r = tile.read "in.npy" : memref<?x?xf32>
  // CHECK: tile.launch @kernel(%[[A]], %{{.*}}) : memref<?x?xf32>, i32
  tile.launch @kernel(%a, %n) : memref<?x?xf32>, i32
  // CHECK: tile.launch @alone(){{$}}
  tile.launch @alone()
  // CHECK: tile.launch @tuned(%[[A]]) meta {BN = 64, BM = %{{.*}}, num_warps = %{{.*}}, maxnreg = 128} : memref<?x?xf32>
  tile.launch @tuned(%a) meta {BN = 64, BM = %n, num_warps = %n, maxnreg = 128} : memref<?x?xf32>
  // CHECK: tile.multiprocessors{{$}}
  %count = tile.multiprocessors
  // CHECK: tile.launch @alone() meta {num_ctas = 2} {note}
  tile.launch @alone() meta {num_ctas = 2} {note}
  // CHECK: tile.expect_close %[[A]], %[[R]] {atol = 1.000000e-03 : f64, rtol = 1.000000e-02 : f64} : memref<?x?xf32>, memref<?x?xf32>
  tile.expect_close %a, %r {atol = 1.0e-3, rtol = 1.0e-2} : memref<?x?xf32>, memref<?x?xf32>
  // The defaults, 0, are not printed.
  // CHECK: tile.expect_close %[[A]], %[[B]] : memref<?x?xf32>, memref<4x8xf32>
  tile.expect_close %a, %b : memref<?x?xf32>, memref<4x8xf32>
  // CHECK: tile.write %[[A]], "out.npy" : memref<?x?xf32>
  tile.write %a, "out.npy" : memref<?x?xf32>
  // CHECK: tile.dump %[[A]] : memref<?x?xf32>
  tile.dump %a : memref<?x?xf32>
  return
}

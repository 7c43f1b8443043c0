// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @dots
tile.func @dots(%a: tensor<16x8xf16>, %b: tensor<8x32xf16>, %c: tensor<16x32xf32>,
                %x: tensor<16x16xf32>, %i: tensor<16x16xi8>, %j: tensor<16x16xi32>,
                %f: tensor<16x16xf8E4M3FN>, %g: tensor<16x16xf8E5M2>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x8xf16>, tensor<8x32xf16> -> tensor<16x32xf32>
  %0 = tile.dot %a, %b, %c : tensor<16x8xf16>, tensor<8x32xf16> -> tensor<16x32xf32>
  // CHECK: tile.dot {{.*}} precision tf32 : tensor<16x16xf32>
  %1 = tile.dot %x, %x, %x precision tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot {{.*}} precision tf32x3 by mma_sync : tensor<16x16xf32>
  %2 = tile.dot %x, %x, %x precision tf32x3 by mma_sync : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot {{.*}} precision bf16x3 : tensor<16x16xf32>
  %6 = tile.dot %x, %x, %x precision bf16x3 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot {{.*}} precision bf16x6 : tensor<16x16xf32>
  %7 = tile.dot %x, %x, %x precision bf16x6 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // The default is not printed.
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by fma : tensor<16x16xf32>
  %3 = tile.dot %x, %x, %x precision ieee by fma : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot {{.*}} : tensor<16x16xi8>, tensor<16x16xi8> -> tensor<16x16xi32>
  %4 = tile.dot %i, %i, %j : tensor<16x16xi8>, tensor<16x16xi8> -> tensor<16x16xi32>
  // CHECK: tile.dot {{.*}} by wgmma : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E5M2> -> tensor<16x16xf32>
  %5 = tile.dot %f, %g, %x by wgmma : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E5M2> -> tensor<16x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @batched
tile.func @batched(%a: tensor<4x16x8xbf16>, %b: tensor<4x8x32xbf16>, %c: tensor<4x16x32xf32>) {
  // CHECK: tile.dot {{.*}} : tensor<4x16x8xbf16>, tensor<4x8x32xbf16> -> tensor<4x16x32xf32>
  %0 = tile.dot %a, %b, %c : tensor<4x16x8xbf16>, tensor<4x8x32xbf16> -> tensor<4x16x32xf32>
  tile.return
}

// CHECK-LABEL: tile.func @named
tile.func @named(%a: tensor<?x?xf64, #tile.dims<[M, K]>>, %b: tensor<?x?xf64, #tile.dims<[K, N]>>,
                 %c: tensor<?x?xf64, #tile.dims<[M, N]>>) {
  // CHECK: tile.dot {{.*}} -> tensor<?x?xf64, #tile.dims<[M, N]>>
  %0 = tile.dot %a, %b, %c : tensor<?x?xf64, #tile.dims<[M, K]>>, tensor<?x?xf64, #tile.dims<[K, N]>> -> tensor<?x?xf64, #tile.dims<[M, N]>>
  tile.return
}

// CHECK-LABEL: tile.func @buffers
tile.func @buffers(%a: !tile_gpu.buffer<16x16xf16>, %b: !tile_gpu.buffer<16x16xf16, order = [0, 1]>, %c: tensor<16x16xf32>) {
  // CHECK: tile.dot {{.*}} : !tile_gpu.buffer<16x16xf16>, !tile_gpu.buffer<16x16xf16, order = [0, 1]> -> tensor<16x16xf32>
  %0 = tile.dot %a, %b, %c : !tile_gpu.buffer<16x16xf16>, !tile_gpu.buffer<16x16xf16, order = [0, 1]> -> tensor<16x16xf32>
  tile.return
}

// What the tensor cores do not multiply need not be there.
// CHECK-LABEL: tile.func @narrow
tile.func @narrow(%a: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %b: !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]>, %c: tensor<64x128xf32>) {
  // CHECK: tile.dot {{.*}} by wgmma : {{.*}}, !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]> -> tensor<64x128xf32>
  %0 = tile.dot %a, %b, %c by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]> -> tensor<64x128xf32>
  tile.return
}

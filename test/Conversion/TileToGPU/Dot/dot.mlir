// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

// A through ldmatrix as it lies, B (rows along N) transposed on the way.
// CHECK-LABEL: llvm.func @mma
tile.func @mma(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  // CHECK: %[[A:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
  // CHECK: %[[A0:.*]] = llvm.extractvalue %[[A]][0]
  // CHECK: %[[B:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32
  // CHECK: %[[A16:.*]] = llvm.bitcast %[[A0]] : i32 to vector<2xf16>
  // CHECK: nvvm.mma.sync A[%[[A16]], {{.*}}] B[{{.*}}] C[{{.*}}] {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>{{.*}} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: vector.from_elements {{.*}} : vector<4xf32>
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x16xf16, swizzle = 32>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<16x8xf16>
  %c = tile.splat %x : f32 -> tensor<16x8xf32, #acc>
  %d = tile.dot %a, %b, %c by mma_sync : !tile_gpu.buffer<16x16xf16, swizzle = 32>, !tile_gpu.buffer<16x8xf16> -> tensor<16x8xf32, #acc>
  tile.return
}

// B that runs along K needs no transposition.
// CHECK-LABEL: llvm.func @bf16
tile.func @bf16(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
  // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 2 : i32
  // CHECK: nvvm.mma.sync {{.*}} {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>{{.*}} : (i32, i32, f32)
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x16xbf16, swizzle = 32>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<16x8xbf16, swizzle = 32, order = [0, 1]>
  %c = tile.splat %x : f32 -> tensor<16x8xf32, #acc>
  %d = tile.dot %a, %b, %c by mma_sync : !tile_gpu.buffer<16x16xbf16, swizzle = 32>, !tile_gpu.buffer<16x8xbf16, swizzle = 32, order = [0, 1]> -> tensor<16x8xf32, #acc>
  tile.return
}

#own = #tile_gpu.layout<register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = []>

// A loop over K; each step loads what the thread's rows and columns need once.
// CHECK-LABEL: llvm.func @fma
tile.func @fma(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 768 : i32} {
  // CHECK: %[[K:.*]] = arith.constant 8 : i32
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[K]] step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (vector<4xf32>)
  // CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> f32
  // CHECK: %[[A:.*]] = vector.from_elements %[[R0:.*]], %[[R0]], %[[R1:.*]], %[[R1]] : vector<4xf32>
  // CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> f32
  // CHECK: %[[B:.*]] = vector.from_elements %[[C0:.*]], %[[C1:.*]], %[[C0]], %[[C1]] : vector<4xf32>
  // CHECK: %[[N:.*]] = llvm.intr.fma(%[[A]], %[[B]], %[[S]]) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: scf.yield %[[N]]
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xf32, order = [0, 1]>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xf32>
  %c = tile.splat %x : f32 -> tensor<16x8xf32, #own>
  %d = tile.dot %a, %b, %c by fma : !tile_gpu.buffer<16x8xf32, order = [0, 1]>, !tile_gpu.buffer<8x8xf32> -> tensor<16x8xf32, #own>
  tile.return
}

// Operands of i8 are extended to the accumulator's type.
// CHECK-LABEL: llvm.func @i8
tile.func @i8(%x: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 768 : i32} {
  // CHECK-COUNT-2: arith.extsi {{.*}} : vector<4xi8> to vector<4xi32>
  // CHECK: %[[P:.*]] = arith.muli
  // CHECK: arith.addi %[[P]], %{{.*}} : vector<4xi32>
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xi8, order = [0, 1]>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xi8>
  %c = tile.splat %x : i32 -> tensor<16x8xi32, #own>
  %d = tile.dot %a, %b, %c by fma : !tile_gpu.buffer<16x8xi8, order = [0, 1]>, !tile_gpu.buffer<8x8xi8> -> tensor<16x8xi32, #own>
  tile.return
}

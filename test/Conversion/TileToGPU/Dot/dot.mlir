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

#few = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [0, 0]], warp = []>

// Four rows are the first of 16, the others zeros, whose sums are dropped; two matrices of A serve.
// CHECK-LABEL: llvm.func @few_rows
tile.func @few_rows(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 2 : i32
  // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 2 : i32
  // CHECK: %[[NONE:.*]] = llvm.mlir.zero : vector<2xf16>
  // CHECK: %[[C:.*]] = llvm.mlir.zero : f32
  // CHECK: nvvm.mma.sync A[%{{.*}}, %[[NONE]], %{{.*}}, %{{.*}}] B[{{.*}}] C[%{{.*}}, %{{.*}}, %[[C]], %{{.*}}]
  // CHECK: vector.from_elements {{.*}} : vector<2xf32>
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<4x16xf16, swizzle = 32>
  %b = tile_gpu.alloc_shared {offset = 256 : i32} : !tile_gpu.buffer<16x8xf16>
  %c = tile.splat %x : f32 -> tensor<4x8xf32, #few>
  %d = tile.dot %a, %b, %c by mma_sync : !tile_gpu.buffer<4x16xf16, swizzle = 32>, !tile_gpu.buffer<16x8xf16> -> tensor<4x8xf32, #few>
  tile.return
}

#own = #tile_gpu.layout<register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = []>

// Of M and N fastest, a load has a thread's neighbouring rows, or columns, of one k; those of the next k are loaded in front of
// what multiplies this one.
// CHECK-LABEL: llvm.func @fma
tile.func @fma(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 768 : i32} {
  // CHECK: %[[A:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
  // CHECK: %[[B:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
  // CHECK: llvm.getelementptr %{{.*}}[64] :
  // CHECK: llvm.load %{{.*}} -> vector<2xf32>
  // CHECK: llvm.getelementptr %{{.*}}[32] :
  // CHECK: llvm.load %{{.*}} -> vector<2xf32>
  // CHECK: %[[A0:.*]] = vector.extract %[[A]][0]
  // CHECK: %[[A1:.*]] = vector.extract %[[A]][1]
  // CHECK: %[[B0:.*]] = vector.extract %[[B]][0]
  // CHECK: %[[B1:.*]] = vector.extract %[[B]][1]
  // CHECK: %[[S:.*]] = llvm.intr.fma(%[[A0]], %[[B0]], %{{.*}}) : (f32, f32, f32) -> f32
  // CHECK: llvm.intr.fma(%[[A0]], %[[B1]], %
  // CHECK: llvm.intr.fma(%[[A1]], %[[B0]], %
  // CHECK: llvm.intr.fma(%[[A1]], %[[B1]], %
  // CHECK: llvm.intr.fma(%{{.*}}, %{{.*}}, %[[S]])
  // CHECK-COUNT-27: llvm.intr.fma
  // CHECK-NOT: llvm.intr.fma
  // CHECK: vector.from_elements {{.*}} : vector<4xf32>
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xf32, order = [0, 1]>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xf32>
  %c = tile.splat %x : f32 -> tensor<16x8xf32, #own>
  %d = tile.dot %a, %b, %c by fma : !tile_gpu.buffer<16x8xf32, order = [0, 1]>, !tile_gpu.buffer<8x8xf32> -> tensor<16x8xf32, #own>
  tile.return
}

#square = #tile_gpu.layout<register = [[0, 8], [0, 16], [4, 0], [8, 0], [16, 0]], lane = [[1, 0], [0, 1], [2, 0], [0, 2], [0, 4]], warp = []>
!ka = !tile_gpu.buffer<32x32xf32, swizzle = 128>
!kb = !tile_gpu.buffer<32x32xf32, swizzle = 128, order = [0, 1]>

// Of K fastest, a load has four k of a row, or column; 512 products a round of the loop over K, whose last chunk is read under the
// one before. Swizzled addresses are xored with where the round begins; rows that are 4 apart and more are added.
// CHECK-LABEL: llvm.func @along_k
tile.func @along_k(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 8192 : i32} {
  // CHECK-COUNT-12: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK: scf.for %[[K0:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}}, %[[FIRST:.*]] = %{{.*}}) -> (vector<32xf32>, vector<4xf32>,
  // CHECK: %[[K1:.*]] = arith.addi %[[K0]], %{{.*}} : i32
  // CHECK: arith.andi %[[K1]], %{{.*}} : i32
  // CHECK: arith.shrui %[[K0]]
  // CHECK: arith.xori
  // CHECK-COUNT-48: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK-NOT: llvm.load
  // CHECK: scf.yield
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !ka
  %b = tile_gpu.alloc_shared {offset = 4096 : i32} : !kb
  %c = tile.splat %x : f32 -> tensor<32x32xf32, #square>
  %d = tile.dot %a, %b, %c by fma : !ka, !kb -> tensor<32x32xf32, #square>
  tile.return
}

// Operands of i8 are extended to the accumulator's type.
// CHECK-LABEL: llvm.func @i8
tile.func @i8(%x: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 768 : i32} {
  // CHECK-COUNT-2: arith.extsi {{.*}} : vector<2xi8> to vector<2xi32>
  // CHECK: %[[P:.*]] = arith.muli {{.*}} : i32
  // CHECK: arith.addi %[[P]], %{{.*}} : i32
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xi8, order = [0, 1]>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xi8>
  %c = tile.splat %x : i32 -> tensor<16x8xi32, #own>
  %d = tile.dot %a, %b, %c by fma : !tile_gpu.buffer<16x8xi8, order = [0, 1]>, !tile_gpu.buffer<8x8xi8> -> tensor<16x8xi32, #own>
  tile.return
}

// The gallery's matmul with 72 rows: B's columns are wgmma's rows, A's rows its columns, of which 72 are copied. Results leave
// in two boxes of 64 columns, each as 64 rows and 8, through two slots; where the device holds all programs, without waiting.
// RUN: tile-run %examples/Matmul/matmul.mlir -D BM=72 -D BN=128 -D num_warps=4 -D num_ctas=1 --arch=sm_90a --args 1000 --emit=layouts | FileCheck %s
// RUN: tile-run %examples/Matmul/matmul.mlir -D BM=72 -D BN=128 -D num_warps=4 -D num_ctas=1 --arch=sm_90a --args 1000 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-run %examples/Matmul/matmul.mlir -D BM=72 -D BN=128 -D num_warps=4 --arch=sm_90a --args 4104,4200,1000 --emit=layouts | FileCheck %s --check-prefix=MANY
// RUN: tile-run %examples/Matmul/matmul.mlir -D BM=152 -D BN=256 --arch=sm_90a --args 2048,2112,2048 --emit=layouts | FileCheck %s --check-prefix=GROUPS
//
// CHECK-DAG: %[[C8:.*]] = tile.make_desc %c, {{.*}} -> !tile.desc<8x64xf16>
// CHECK-DAG: %[[C64:.*]] = tile.make_desc %c, {{.*}} -> !tile.desc<64x64xf16>
// CHECK-DAG: %[[B:.*]] = tile.make_desc %b, {{.*}} -> !tile.desc<64x128xf16>
// CHECK-DAG: %[[A:.*]] = tile.make_desc %a, {{.*}} -> !tile.desc<72x64xf16>
// CHECK-DAG: %[[RA:.*]] = tile_gpu.alloc_shared {{.*}} : !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1], stages = 8>
// CHECK-DAG: %[[RB:.*]] = tile_gpu.alloc_shared {{.*}} : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1], stages = 8>
// CHECK-DAG: %[[S64:.*]] = tile_gpu.alloc_shared {{.*}} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 2>
// CHECK-DAG: %[[S8:.*]] = tile_gpu.alloc_shared {{.*}} : !tile_gpu.buffer<8x64xf16, swizzle = 128, stages = 2>
// CHECK: tile_gpu.barrier_expect %{{.*}} bytes 25600
// CHECK-DAG: tile_gpu.tma_load %[[A]]
// CHECK-DAG: tile_gpu.tma_load %[[B]]
// CHECK: } consumer {
// Where the results go is known before the loop.
// CHECK: %[[ROW:.*]] = tile_gpu.pin
// CHECK: %[[COLUMN:.*]] = tile_gpu.pin
// CHECK: scf.for
// CHECK: tile.dot {{.*}} by wgmma async {tile.extents = array<i64: 128, 72>} : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1]>, !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]>
// CHECK: tile.trans
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0] : {{.*}} -> tensor<64x64xf16,
// CHECK: tile_gpu.extract_tile %{{.*}} [64, 0] : {{.*}} -> tensor<8x64xf16,
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 64] : {{.*}} -> tensor<64x64xf16,
// CHECK: tile_gpu.extract_tile %{{.*}} [64, 64] : {{.*}} -> tensor<8x64xf16,
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.tma_store %[[C64]][%[[ROW]], %[[COLUMN]]]
// CHECK: tile_gpu.tma_store %[[C8]][%[[BELOW:.*]], %[[COLUMN]]]
// CHECK: tile_gpu.tma_store %[[C64]][%[[ROW]], %[[NEXT:.*]]]
// CHECK: tile_gpu.tma_store %[[C8]][%[[BELOW]], %[[NEXT]]]
// CHECK-NEXT: tile_gpu.tma_store_wait 0
//
// PTX: wgmma.mma_async.sync.aligned.m64n72k16.f32.f16.f16
// PTX: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX: stmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// PTX: cp.async.bulk.tensor.2d.global
//
// Stores of many programs are spread over the next one's loop.
// MANY: } consumer {
// MANY: tile.dot {{.*}} by wgmma async
// MANY: tile_gpu.tma_store %
// MANY: tile_gpu.tma_store %
// MANY: tile.dot {{.*}} by wgmma async
// MANY: tile_gpu.tma_store %
// MANY: tile_gpu.tma_store %
// MANY: scf.for
// MANY: tile.dot {{.*}} by wgmma async
//
// Two warp groups have 128 columns each, of which 64 are a box's, with 32 rows; the last ones end with the tile's.
// GROUPS: tile.make_desc %c, {{.*}} -> !tile.desc<32x64xf16>
// GROUPS: } consumer {
// GROUPS: tile.dot {{.*}} by wgmma async {tile.extents = array<i64: 256, 152>}
// GROUPS: tile_gpu.extract_tile %{{.*}} [96, 0] : {{.*}} -> tensor<32x256xf16,
// GROUPS: tile_gpu.extract_tile %{{.*}} [120, 0] : {{.*}} -> tensor<32x256xf16,
// GROUPS: %[[LAST:.*]] = arith.addi %{{.*}}, %c120_i32
// GROUPS: tile_gpu.tma_store %{{.*}}[%[[LAST]], %{{.*}}] from %{{.*}} across 64 : !tile.desc<32x64xf16>
// GROUPS-NOT: tile.store

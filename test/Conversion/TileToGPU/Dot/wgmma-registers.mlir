// RUN: tile-opt %s --tile-set-target=arch=sm_90a --convert-tile-to-gpu | FileCheck %s

// A in registers: words of four bytes, no transposition of B, and no signs for integers.
// CHECK-LABEL: llvm.func @registers
// CHECK: llvm.inline_asm has_side_effects "{{.*}}\0Awgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, none, 1, 1;\0A}\0A", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,r,r,r,r,l"
// CHECK: llvm.inline_asm has_side_effects "{{.*}}\0Awgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, none;\0A}\0A", "=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,r,r,r,r,l"
#tf32 = #tile_gpu.layout<register = [[8, 0], [0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#s8 = #tile_gpu.layout<register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sum = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @registers() attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 2048 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x8xf32, #tf32>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<8x16xf32, order = [0, 1], swizzle = 32>
  %c = arith.constant dense<0.0> : tensor<64x16xf32, #sum>
  %d = tile.dot %a, %b, %c precision tf32 by wgmma : tensor<64x8xf32, #tf32>, !tile_gpu.buffer<8x16xf32, order = [0, 1], swizzle = 32> -> tensor<64x16xf32, #sum>
  %a8 = arith.constant dense<1> : tensor<64x32xi8, #s8>
  %b8 = tile_gpu.alloc_shared {offset = 1024 : i32} : !tile_gpu.buffer<32x16xi8, order = [0, 1], swizzle = 32>
  %c8 = arith.constant dense<0> : tensor<64x16xi32, #sum>
  %d8 = tile.dot %a8, %b8, %c8 by wgmma : tensor<64x32xi8, #s8>, !tile_gpu.buffer<32x16xi8, order = [0, 1], swizzle = 32> -> tensor<64x16xi32, #sum>
  tile.return
}

// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#all = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>

// The first sum waits for the second one before anybody reads it: what eight warps published is
// combined there, where LLVM would leave all eight for the branch of the thread that stores. The
// second one is read at once.
// CHECK-LABEL: llvm.func @two
// CHECK: llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, $1;"
// CHECK-NOT: "mov.b32 $0, $1;"
// CHECK: llvm.return
tile.func @two(%x: f32, %y: f32, %out: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32, tile_gpu.shared_bytes = 64 : i32} {
  %xs = tile.splat %x : f32 -> tensor<256xf32, #all>
  %ys = tile.splat %y : f32 -> tensor<256xf32, #all>
  %a = tile.reduce add %xs axis 0 {offset = 0 : i32} : tensor<256xf32, #all> -> f32
  gpu.barrier
  %b = tile.reduce add %ys axis 0 {offset = 0 : i32} : tensor<256xf32, #all> -> f32
  tile.store %out, %b : !tile.ptr<f32>
  tile.store %out, %a : !tile.ptr<f32>
  tile.return
}

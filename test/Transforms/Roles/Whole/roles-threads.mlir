// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles{num-stages=4},%roles,canonicalize,cse))' --verify-each | FileCheck %s

// Boxes that threads alone read, for products by mma.sync: each of the eight warps gives a slot back for itself, and waits for no other. Where wgmma
// reads boxes, too, one thread speaks for its warp group (roles-beside.mlir).
// CHECK-LABEL: tile.func @threads
// CHECK: tile_gpu.barrier_init %{{.*}} count 1 : !tile_gpu.buffer<1xi64, stages = 4>
// CHECK: tile_gpu.barrier_init %{{.*}} count 8 : !tile_gpu.buffer<1xi64, stages = 4>
// CHECK: tile_gpu.warp_specialize producer {
// CHECK: } consumer {
// CHECK:     scf.for
// CHECK:       tile_gpu.barrier_wait
// CHECK:       tile.dot {{.*}} by mma_sync
// CHECK-NOT:   tile_gpu.group_barrier
// CHECK:       tile_gpu.barrier_arrive %{{.*}} {tile_gpu.each_warp}
// CHECK:       scf.yield
tile.func @threads(%a: !tile.ptr<f64>, %b: !tile.ptr<f64>, %c: !tile.ptr<f64>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32) {
    %bm = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %bm : i32
    tile.yield %x : i32
  }
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f64> -> !tile.desc<64x16xf64>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f64> -> !tile.desc<16x64xf64>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f64> -> !tile.desc<64x64xf64>
  %pm = tile.program_id x
  %m0 = arith.muli %pm, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf64>
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (tensor<64x64xf64>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<64x16xf64>
    %tb = tile.desc_load %db[%i, %c0] : !tile.desc<16x64xf64>
    %d = tile.dot %ta, %tb, %s : tensor<64x16xf64>, tensor<16x64xf64> -> tensor<64x64xf64>
    scf.yield %d : tensor<64x64xf64>
  }
  tile.desc_store %dc[%m0, %c0], %sum : !tile.desc<64x64xf64>
  tile.return
}

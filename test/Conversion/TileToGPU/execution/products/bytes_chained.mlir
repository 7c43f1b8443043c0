// A product of bytes that another one computed, as in attention: O = low bytes of (Q K^T) V, V as [keys, columns]. Sums are exact.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 70,48,130 | FileCheck %s
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 2048,256,512 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,128,208 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,128,208 -D BN=64 -D BK=128 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,128,208 -D BM=64 -D num_warps=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,128,32 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,80,208 -D BM=32 -D BN=32 -D num_warps=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,128,208 --arch sm_80 -D BM=64 -D num_warps=4 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

!q = !tile.desc<?x?xi8, #tile.dims<[BM, D]>>
!k = !tile.desc<?x?xi8, #tile.dims<[BK, D]>>
!v = !tile.desc<?x?xi8, #tile.dims<[BK, BN]>>
!o = !tile.desc<?x?xi32, #tile.dims<[BM, BN]>>
!scores = tensor<?x?xi32, #tile.dims<[BM, BK]>>
!weights = tensor<?x?xi8, #tile.dims<[BM, BK]>>
!sums = tensor<?x?xi32, #tile.dims<[BM, BN]>>

tile.func @chained(%q: !tile.ptr<i8>, %k: !tile.ptr<i8>, %v: !tile.ptr<i8>, %o: !tile.ptr<i32>, %m: i32 {tile.key},
                   %n: i32 {tile.key}, %keys: i32 {tile.key})
    meta {BM = 128, BN = 128, BK = 64, D = 64, num_warps = 8} {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  %n64 = tile.expr i64(%n)
  %c64 = arith.constant 64 : i32
  %pitch = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%m, %c64], [%pitch] : !tile.ptr<i8> -> !q
  %dk = tile.make_desc %k, [%keys, %c64], [%pitch] : !tile.ptr<i8> -> !k
  %dv = tile.make_desc %v, [%keys, %n], [%n64] : !tile.ptr<i8> -> !v
  %do = tile.make_desc %o, [%m, %n], [%n64] : !tile.ptr<i32> -> !o
  %step = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zero = tile.expr 0 : !sums
  %none = tile.expr 0 : !scores
  %x = tile.desc_load %dq[%i, %c0] : !q
  %all = scf.for %k0 = %c0 to %keys step %step iter_args(%sum = %zero) -> (!sums) : i32 {
    %y = tile.desc_load %dk[%k0, %c0] : !k
    %yt = tile.trans %y order [1, 0]
    %s = tile.dot %x, %yt, %none
    %p = arith.trunci %s : !scores to !weights
    %z = tile.desc_load %dv[%k0, %j] : !v
    %next = tile.dot %p, %z, %sum
    scf.yield %next : !sums
  }
  tile.desc_store %do[%i, %j], %all : !o
  tile.return
}

func.func @main(%m: i32, %n: i32, %keys: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %q = tile_host.random(%m, %c64) seed 1 -> memref<?x?xi8>
  %k = tile_host.random(%keys, %c64) seed 2 -> memref<?x?xi8>
  %v = tile_host.random(%keys, %n) seed 3 -> memref<?x?xi8>
  %o = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  %s = tile_host.alloc(%m, %keys) -> memref<?x?xi32>
  %want = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  tile_host.launch @chained(%q, %k, %v, %o, %m, %n, %keys)
  linalg.generic {indexing_maps = [affine_map<(i, d, j) -> (i, d)>, affine_map<(i, d, j) -> (j, d)>, affine_map<(i, d, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%q, %k : memref<?x?xi8>, memref<?x?xi8>) outs(%s : memref<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %next = arith.addi %sum, %p : i32
    linalg.yield %next : i32
  }
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%s, %v : memref<?x?xi32>, memref<?x?xi8>) outs(%want : memref<?x?xi32>) {
  ^bb0(%x: i32, %y: i8, %sum: i32):
    %low = arith.trunci %x : i32 to i8
    %wx = arith.extsi %low : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %next = arith.addi %sum, %p : i32
    linalg.yield %next : i32
  }
  tile_host.expect_close %o, %want {atol = 0.0, rtol = 0.0}
  return
}

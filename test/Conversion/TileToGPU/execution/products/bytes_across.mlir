// Products of bytes that lie across in memory: A as [K, M], B as [K, N], and both. Sums are exact.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 70,49,130 | FileCheck %s
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 512,512,512 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 272,400,336 -D BM=64 -D BN=64 -D num_warps=4 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 272,400,336 -D BM=256 -D BK=64 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 272,400,336 -D BN=64 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 1008,80,528 -D BM=16 -D BN=64 -D num_warps=4 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 96,1040,528 -D BM=32 -D BN=32 -D BK=64 -D num_warps=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 144,80,96 -D BN=16 -D BK=32 -D num_warps=4 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 777,333,155 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 272,400,336 --arch sm_80 -D BM=64 -D BK=64 -D num_warps=4 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 272,400,336 --arch sm_80 -D BM=16 -D BN=16 -D num_warps=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons

!along_a = !tile.desc<?x?xi8, #tile.dims<[BM, BK]>>
!along_b = !tile.desc<?x?xi8, #tile.dims<[BN, BK]>>
!across_a = !tile.desc<?x?xi8, #tile.dims<[BK, BM]>>
!across_b = !tile.desc<?x?xi8, #tile.dims<[BK, BN]>>
!result = !tile.desc<?x?xi32, #tile.dims<[BM, BN]>>
!sums = tensor<?x?xi32, #tile.dims<[BM, BN]>>

tile.func @across_a(%a: !tile.ptr<i8>, %b: !tile.ptr<i8>, %c: !tile.ptr<i32>, %m: i32 {tile.key}, %n: i32 {tile.key},
                    %k: i32 {tile.key})
    meta {BM = 128, BN = 128, BK = 128, num_warps = 8} {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  %m64 = tile.expr i64(%m)
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %da = tile.make_desc %a, [%k, %m], [%m64] : !tile.ptr<i8> -> !across_a
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<i8> -> !along_b
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<i32> -> !result
  %step = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zero = tile.expr 0 : !sums
  %all = scf.for %k0 = %c0 to %k step %step iter_args(%sum = %zero) -> (!sums) : i32 {
    %x = tile.desc_load %da[%k0, %i] : !across_a
    %xt = tile.trans %x order [1, 0]
    %y = tile.desc_load %db[%j, %k0] : !along_b
    %yt = tile.trans %y order [1, 0]
    %next = tile.dot %xt, %yt, %sum
    scf.yield %next : !sums
  }
  tile.desc_store %dc[%i, %j], %all : !result
  tile.return
}

tile.func @across_b(%a: !tile.ptr<i8>, %b: !tile.ptr<i8>, %c: !tile.ptr<i32>, %m: i32 {tile.key}, %n: i32 {tile.key},
                    %k: i32 {tile.key})
    meta {BM = 128, BN = 128, BK = 128, num_warps = 8} {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<i8> -> !along_a
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<i8> -> !across_b
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<i32> -> !result
  %step = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zero = tile.expr 0 : !sums
  %all = scf.for %k0 = %c0 to %k step %step iter_args(%sum = %zero) -> (!sums) : i32 {
    %x = tile.desc_load %da[%i, %k0] : !along_a
    %y = tile.desc_load %db[%k0, %j] : !across_b
    %next = tile.dot %x, %y, %sum
    scf.yield %next : !sums
  }
  tile.desc_store %dc[%i, %j], %all : !result
  tile.return
}

tile.func @across_both(%a: !tile.ptr<i8>, %b: !tile.ptr<i8>, %c: !tile.ptr<i32>, %m: i32 {tile.key}, %n: i32 {tile.key},
                       %k: i32 {tile.key})
    meta {BM = 128, BN = 128, BK = 128, num_warps = 8} {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  %m64 = tile.expr i64(%m)
  %n64 = tile.expr i64(%n)
  %da = tile.make_desc %a, [%k, %m], [%m64] : !tile.ptr<i8> -> !across_a
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<i8> -> !across_b
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<i32> -> !result
  %step = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zero = tile.expr 0 : !sums
  %all = scf.for %k0 = %c0 to %k step %step iter_args(%sum = %zero) -> (!sums) : i32 {
    %x = tile.desc_load %da[%k0, %i] : !across_a
    %xt = tile.trans %x order [1, 0]
    %y = tile.desc_load %db[%k0, %j] : !across_b
    %next = tile.dot %xt, %y, %sum
    scf.yield %next : !sums
  }
  tile.desc_store %dc[%i, %j], %all : !result
  tile.return
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %mk = tile_host.random(%m, %k) seed 1 -> memref<?x?xi8>
  %nk = tile_host.random(%n, %k) seed 2 -> memref<?x?xi8>
  %km = tile_host.random(%k, %m) seed 3 -> memref<?x?xi8>
  %kn = tile_host.random(%k, %n) seed 4 -> memref<?x?xi8>
  %a = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  %b = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  %both = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  %want_a = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  %want_b = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  %want_both = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  tile_host.launch @across_a(%km, %nk, %a, %m, %n, %k)
  tile_host.launch @across_b(%mk, %kn, %b, %m, %n, %k)
  tile_host.launch @across_both(%km, %kn, %both, %m, %n, %k)
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (j, k)>,
                                   affine_map<(i, k, j) -> (k, i)>, affine_map<(i, k, j) -> (k, j)>,
                                   affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (i, j)>,
                                   affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%mk, %nk, %km, %kn : memref<?x?xi8>, memref<?x?xi8>, memref<?x?xi8>, memref<?x?xi8>)
      outs(%want_a, %want_b, %want_both : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %xt: i8, %yt: i8, %sum_a: i32, %sum_b: i32, %sum_both: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %wxt = arith.extsi %xt : i8 to i32
    %wyt = arith.extsi %yt : i8 to i32
    %pa = arith.muli %wxt, %wy : i32
    %pb = arith.muli %wx, %wyt : i32
    %pboth = arith.muli %wxt, %wyt : i32
    %next_a = arith.addi %sum_a, %pa : i32
    %next_b = arith.addi %sum_b, %pb : i32
    %next_both = arith.addi %sum_both, %pboth : i32
    linalg.yield %next_a, %next_b, %next_both : i32, i32, i32
  }
  tile_host.expect_close %a, %want_a {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %b, %want_b {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %both, %want_both {atol = 0.0, rtol = 0.0}
  return
}

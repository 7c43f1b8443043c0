// What is made of indices and constants alone is made again in each layout that somebody asks for, as long as that is short
// (RECOMPUTED_LENGTH). Bytes and words of the same numbers are stored here, 16 and 4 of them by each thread.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// Three quotients: six of them, and no conversion.
// CHECK-LABEL: tile.func @short(
// CHECK-NOT: tile_gpu.convert_layout
// CHECK-COUNT-6: arith.divui
// CHECK-NOT: arith.divui
// CHECK: tile.store {{.*}}i8>, #tile_gpu.layout<register = {{\[\[}}1], [2], [4], [8]]
// CHECK-NOT: arith.divui
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @short(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %q: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<2048xi32>
  %a = arith.divui %lanes, %lanes : tensor<2048xi32>
  %b = arith.divui %a, %lanes : tensor<2048xi32>
  %c = arith.divui %lanes, %b : tensor<2048xi32>
  %low = arith.trunci %c : tensor<2048xi32> to tensor<2048xi8>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<2048x!tile.ptr<i8>>
  %pp = tile.addptr %ps, %lanes : tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>
  tile.store %pp, %low : tensor<2048x!tile.ptr<i8>>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<2048x!tile.ptr<i32>>
  %qp = tile.addptr %qs, %lanes : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  tile.store %qp, %c : tensor<2048x!tile.ptr<i32>>
  tile.return
}

// Five, as many instructions as a random number takes: each once, and the bytes are stored as the words lie.
// CHECK-LABEL: tile.func @long(
// CHECK-COUNT-5: arith.divui
// CHECK-NOT: arith.divui
// CHECK: tile.store {{.*}}i8>, #tile_gpu.layout<register = {{\[\[}}1], [2], [512], [1024]]
// CHECK-NOT: arith.divui
// CHECK: tile.return
tile.func @long(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %q: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<2048xi32>
  %a = arith.divui %lanes, %lanes : tensor<2048xi32>
  %b = arith.divui %a, %lanes : tensor<2048xi32>
  %c = arith.divui %lanes, %b : tensor<2048xi32>
  %d = arith.divui %c, %b : tensor<2048xi32>
  %e = arith.divui %lanes, %d : tensor<2048xi32>
  %low = arith.trunci %e : tensor<2048xi32> to tensor<2048xi8>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<2048x!tile.ptr<i8>>
  %pp = tile.addptr %ps, %lanes : tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>
  tile.store %pp, %low : tensor<2048x!tile.ptr<i8>>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<2048x!tile.ptr<i32>>
  %qp = tile.addptr %qs, %lanes : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  tile.store %qp, %e : tensor<2048x!tile.ptr<i32>>
  tile.return
}

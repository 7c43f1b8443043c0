// A dot of both 8-bit formats beside a loop on the host. Elements are whole numbers of at most 4 in
// magnitude, so every sum is exact in any order.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons

tile.func @product(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  // a[i, j] = (7 i + 3 j) % 9 - 4, once in each format; the product is with a itself.
  %lane = tile.arange : tensor<64xi32>
  %seven = arith.constant dense<7> : tensor<64xi32>
  %three = arith.constant dense<3> : tensor<64xi32>
  %nine = arith.constant dense<9> : tensor<64x64xi32>
  %four = arith.constant dense<4> : tensor<64x64xi32>
  %si = arith.muli %lane, %seven : tensor<64xi32>
  %sj = arith.muli %lane, %three : tensor<64xi32>
  %ei = tile.expand_dims %si axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ej = tile.expand_dims %sj axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %bi = tile.broadcast %ei : tensor<64x1xi32> -> tensor<64x64xi32>
  %bj = tile.broadcast %ej : tensor<1x64xi32> -> tensor<64x64xi32>
  %sum = arith.addi %bi, %bj : tensor<64x64xi32>
  %rem = arith.remui %sum, %nine : tensor<64x64xi32>
  %k = arith.subi %rem, %four : tensor<64x64xi32>
  %f = arith.sitofp %k : tensor<64x64xi32> to tensor<64x64xf32>
  %a = arith.truncf %f : tensor<64x64xf32> to tensor<64x64xf8E4M3FN>
  %b = arith.truncf %f : tensor<64x64xf32> to tensor<64x64xf8E5M2>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c = tile.dot %a, %a, %zero : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %d = tile.dot %b, %b, %zero : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2> -> tensor<64x64xf32>
  %width = arith.constant dense<64> : tensor<64xi32>
  %row = arith.muli %lane, %width : tensor<64xi32>
  %oi = tile.expand_dims %row axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %oj = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %obi = tile.broadcast %oi : tensor<64x1xi32> -> tensor<64x64xi32>
  %obj = tile.broadcast %oj : tensor<1x64xi32> -> tensor<64x64xi32>
  %offs = arith.addi %obi, %obj : tensor<64x64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %pp = tile.addptr %ps, %offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pp, %c : tensor<64x64x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %qp = tile.addptr %qs, %offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %qp, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

func.func private @element(%i: index, %j: index) -> f32 {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %si = arith.muli %i, %c7 : index
  %sj = arith.muli %j, %c3 : index
  %sum = arith.addi %si, %sj : index
  %rem = arith.remui %sum, %c9 : index
  %r = arith.index_cast %rem : index to i32
  %k = arith.subi %r, %c4 : i32
  %f = arith.sitofp %k : i32 to f32
  return %f : f32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %p = tile_host.alloc() : () -> memref<64x64xf32>
  %q = tile_host.alloc() : () -> memref<64x64xf32>
  %want = tile_host.alloc() : () -> memref<64x64xf32>
  tile_host.launch @product(%p, %q) : memref<64x64xf32>, memref<64x64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> f32 {
        %x = func.call @element(%i, %k) : (index, index) -> f32
        %y = func.call @element(%k, %j) : (index, index) -> f32
        %xy = arith.mulf %x, %y : f32
        %next = arith.addf %acc, %xy : f32
        scf.yield %next : f32
      }
      memref.store %s, %want[%i, %j] : memref<64x64xf32>
    }
  }
  tile_host.expect_close %p, %want : memref<64x64xf32>, memref<64x64xf32>
  tile_host.expect_close %q, %want : memref<64x64xf32>, memref<64x64xf32>
  return
}

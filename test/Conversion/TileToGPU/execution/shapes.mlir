// Operations that move no data, and the conversions of layout that loads and stores of other shapes
// force between them, against index arithmetic on the host.
//
// RUN: tile-run %s --target=cpu
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 %}

!flat = tensor<2048xi32>
!flat_p = tensor<2048x!tile.ptr<f32>>

// Out: the 32 x 64 transposed; rows 0 .. 15 after rows 16 .. 31; the pairs (x[i], x[i + 1024])
// interleaved, and taken apart again in the other order.
tile.func @shapes(%x: !tile.ptr<f32>, %turned: !tile.ptr<f32>, %swapped: !tile.ptr<f32>,
                  %pairs: !tile.ptr<f32>, %apart: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %at = tile.arange : !flat
  %xs = tile.splat %x : !tile.ptr<f32> -> !flat_p
  %xp = tile.addptr %xs, %at : !flat_p, !flat
  %v = tile.load %xp : !flat_p

  %box = tile.reshape %v : tensor<2048xf32> -> tensor<32x64xf32>
  %t = tile.trans %box order [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  %tf = tile.reshape %t : tensor<64x32xf32> -> tensor<2048xf32>
  %ts = tile.splat %turned : !tile.ptr<f32> -> !flat_p
  %tp = tile.addptr %ts, %at : !flat_p, !flat
  tile.store %tp, %tf : !flat_p

  %half = tile.arange : tensor<1024xi32>
  %k1024 = arith.constant dense<1024> : tensor<1024xi32>
  %half2 = arith.addi %half, %k1024 : tensor<1024xi32>
  %hs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %hp = tile.addptr %hs, %half : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %hq = tile.addptr %hs, %half2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %lo = tile.load %hp : tensor<1024x!tile.ptr<f32>>
  %hi = tile.load %hq : tensor<1024x!tile.ptr<f32>>
  %cat = tile.cat %hi, %lo axis 0 : tensor<1024xf32>, tensor<1024xf32> -> tensor<2048xf32>
  %ss = tile.splat %swapped : !tile.ptr<f32> -> !flat_p
  %sp = tile.addptr %ss, %at : !flat_p, !flat
  tile.store %sp, %cat : !flat_p

  %join = tile.join %lo, %hi : tensor<1024xf32> -> tensor<1024x2xf32>
  %jf = tile.reshape %join : tensor<1024x2xf32> -> tensor<2048xf32>
  %ps = tile.splat %pairs : !tile.ptr<f32> -> !flat_p
  %pp = tile.addptr %ps, %at : !flat_p, !flat
  tile.store %pp, %jf : !flat_p

  %even, %odd = tile.split %join : tensor<1024x2xf32> -> tensor<1024xf32>
  %as = tile.splat %apart : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ap = tile.addptr %as, %half : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %aq = tile.addptr %as, %half2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %ap, %odd : tensor<1024x!tile.ptr<f32>>
  tile.store %aq, %even : tensor<1024x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %n = arith.constant 2048 : index
  %x = tile_host.random(%n) seed 1 : (index) -> memref<?xf32>
  %turned = tile_host.alloc(%n) : (index) -> memref<?xf32>
  %swapped = tile_host.alloc(%n) : (index) -> memref<?xf32>
  %pairs = tile_host.alloc(%n) : (index) -> memref<?xf32>
  %apart = tile_host.alloc(%n) : (index) -> memref<?xf32>
  tile_host.launch @shapes(%x, %turned, %swapped, %pairs, %apart)
      : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>

  %want_turned = tile_host.alloc(%n) : (index) -> memref<?xf32>
  %want_swapped = tile_host.alloc(%n) : (index) -> memref<?xf32>
  %want_pairs = tile_host.alloc(%n) : (index) -> memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %row = arith.divui %i, %c64 : index
    %column = arith.remui %i, %c64 : index
    %turned_row = arith.muli %column, %c32 : index
    %to = arith.addi %turned_row, %row : index
    memref.store %v, %want_turned[%to] : memref<?xf32>
    %moved = arith.addi %i, %c1024 : index
    %wrapped = arith.remui %moved, %n : index
    memref.store %v, %want_swapped[%wrapped] : memref<?xf32>
    %side = arith.divui %i, %c1024 : index
    %place = arith.remui %i, %c1024 : index
    %twice = arith.muli %place, %c2 : index
    %pair = arith.addi %twice, %side : index
    memref.store %v, %want_pairs[%pair] : memref<?xf32>
  }
  tile_host.expect_close %turned, %want_turned : memref<?xf32>, memref<?xf32>
  tile_host.expect_close %swapped, %want_swapped : memref<?xf32>, memref<?xf32>
  tile_host.expect_close %pairs, %want_pairs : memref<?xf32>, memref<?xf32>
  tile_host.expect_close %apart, %want_swapped : memref<?xf32>, memref<?xf32>
  return
}

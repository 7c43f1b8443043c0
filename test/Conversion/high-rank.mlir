// Tiles of ranks up to 16, as Triton's sorts and flips make them: sums of neighbours at a distance of
// 2, by a reduction of dimension 8 of ten, and the same elements with dimensions 0 and 9 exchanged.
//
// RUN: tile-opt %s | tile-opt | FileCheck %s --check-prefix=ROUND
// RUN: tile-run %s --target=cpu
// RUN: tile-run %s --check
// RUN: tile-run %s --kernel fold --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --kernel fold --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX
//
// ROUND: tensor<1x1x1x1x1x1x2x2x2x2x2x2x2x2x2x2xf32>
// PTX: .visible .entry fold(

!flat = tensor<1024xf32>
!ten = tensor<2x2x2x2x2x2x2x2x2x2xf32>
!nine = tensor<2x2x2x2x2x2x2x2x2xf32>
!sixteen = tensor<1x1x1x1x1x1x2x2x2x2x2x2x2x2x2x2xf32>

tile.func @fold(%x: !tile.ptr<f32>, %sums: !tile.ptr<f32>, %turned: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %wide = tile.reshape %v : !flat -> !sixteen
  %ten = tile.reshape %wide : !sixteen -> !ten
  %nine = tile.reduce add %ten axis 8 : !ten -> !nine
  %s = tile.reshape %nine : !nine -> tensor<512xf32>
  %half = tile.arange : tensor<512xi32>
  %ss = tile.splat %sums : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %half : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %sp, %s : tensor<512x!tile.ptr<f32>>
  %t = tile.trans %ten order [9, 1, 2, 3, 4, 5, 6, 7, 8, 0] : !ten -> !ten
  %f = tile.reshape %t : !ten -> !flat
  %ts = tile.splat %turned : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %tp = tile.addptr %ts, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %tp, %f : tensor<1024x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<1024xf32>
  %sums = tile_host.alloc() : () -> memref<512xf32>
  %turned = tile_host.alloc() : () -> memref<1024xf32>
  tile_host.launch @fold(%x, %sums, %turned) : memref<1024xf32>, memref<512xf32>, memref<1024xf32>
  %wantSums = tile_host.alloc() : () -> memref<512xf32>
  %wantTurned = tile_host.alloc() : () -> memref<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %c510 = arith.constant 510 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c256 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %row = arith.muli %i, %c4 : index
      %at = arith.addi %row, %j : index
      %next = arith.addi %at, %c2 : index
      %a = memref.load %x[%at] : memref<1024xf32>
      %b = memref.load %x[%next] : memref<1024xf32>
      %sum = arith.addf %a, %b : f32
      %half = arith.muli %i, %c2 : index
      %to = arith.addi %half, %j : index
      memref.store %sum, %wantSums[%to] : memref<512xf32>
    }
  }
  // The first bit of the position and the last change places.
  scf.for %i = %c0 to %c1024 step %c1 {
    %middle = arith.andi %i, %c510 : index
    %low = arith.andi %i, %c1 : index
    %high = arith.divui %i, %c512 : index
    %up = arith.muli %low, %c512 : index
    %part = arith.addi %middle, %up : index
    %from = arith.addi %part, %high : index
    %v = memref.load %x[%from] : memref<1024xf32>
    memref.store %v, %wantTurned[%i] : memref<1024xf32>
  }
  tile_host.expect_close %sums, %wantSums : memref<512xf32>, memref<512xf32>
  tile_host.expect_close %turned, %wantTurned : memref<1024xf32>, memref<1024xf32>
  return
}

// One kernel without a host program: arrays and numbers from the command line, results in files.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %S/../Inputs/f32_2x3.npy in.npy
// RUN: tile-run %s --target=cpu --repeat 1 --kernel scale --arg in.npy --arg zeros:f32[2x3]:out=out.npy --arg 6 --arg 0.5 | FileCheck %s --check-prefix=TIME
// RUN: tile-run %s --target=cpu --args 0
// RUN: tile-run %s --target=cpu --repeat 1 --kernel scale --arg random:f32[6]:out=random.npy --arg zeros:f32[6]:out=half.npy --arg 6 --arg 0.5
// RUN: tile-run %s --target=cpu --args 1
// Any name that a file can have.
// RUN: cp in.npy 'an "in" \.npy'
// RUN: tile-run %s --target=cpu --repeat 1 --kernel scale --arg 'an "in" \.npy' --arg 'zeros:f32[2x3]:out=an "out".npy' --arg 6 --arg 0.5
// RUN: cmp out.npy 'an "out".npy'
// TIME: cpu{{.*}}: scale(6, 0.5): {{.*}} ms
tile.func @scale(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %s: f32) {
  tile.grid(%n : i32) {
    %c4 = arith.constant 4 : i32
    %programs = arith.ceildivsi %n, %c4 : i32
    tile.yield %programs : i32
  }
  %c4 = arith.constant 4 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %c4 : i32
  %lane = tile.arange : tensor<4xi32>
  %base = tile.splat %first : i32 -> tensor<4xi32>
  %offs = arith.addi %base, %lane : tensor<4xi32>
  %end = tile.splat %n : i32 -> tensor<4xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<4xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %v = tile.load %xp, %in : tensor<4x!tile.ptr<f32>>
  %ss = tile.splat %s : f32 -> tensor<4xf32>
  %scaled = arith.mulf %v, %ss : tensor<4xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %yp, %scaled, %in : tensor<4x!tile.ptr<f32>>
  tile.return
}

// The check of what the runs above wrote.
func.func @main(%which: i1) {
  scf.if %which {
    %x = tile_host.read "random.npy" : memref<6xf32>
    %y = tile_host.read "half.npy" : memref<6xf32>
    %want = tile_host.alloc() : () -> memref<6xf32>
    linalg.map ins(%x : memref<6xf32>) outs(%want : memref<6xf32>) (%v: f32, %old: f32) {
      %half = arith.constant 0.5 : f32
      %r = arith.mulf %v, %half : f32
      linalg.yield %r : f32
    }
    tile_host.expect_close %y, %want : memref<6xf32>, memref<6xf32>
  } else {
    %y = tile_host.read "out.npy" : memref<2x3xf32>
    %want = tile_host.alloc() : () -> memref<2x3xf32>
    %half = arith.constant 0.5 : f32
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]} outs(%want : memref<2x3xf32>) {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c3 = arith.constant 3 : index
      %c1 = arith.constant 1 : index
      %row = arith.muli %i, %c3 : index
      %place = arith.addi %row, %j : index
      %value = arith.addi %place, %c1 : index
      %integer = arith.index_cast %value : index to i32
      %float = arith.sitofp %integer : i32 to f32
      %r = arith.mulf %float, %half : f32
      linalg.yield %r : f32
    }
    tile_host.expect_close %y, %want : memref<2x3xf32>, memref<2x3xf32>
  }
  return
}

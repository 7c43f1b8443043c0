// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// Refused inside a loop too, at the op itself.
tile.func @inside(%x: f32, %n: i32) {
  %a = tile.splat %x : f32 -> tensor<512xf32, #v>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected an operation that convert-tile-to-gpu lowers, found 'tile.rand'}}
    %s = tile.rand %n, %i : i32, i32
  }
  tile.return
}

// -----

tile.func @carried(%x: f32, %n: i32, %c: i1) {
  // expected-error @+1 {{expected a tile with a layout (see tile-assign-layouts), found one without}}
  %r = scf.if %c -> tensor<512xf32> {
    %a = tile.splat %x : f32 -> tensor<512xf32>
    scf.yield %a : tensor<512xf32>
  } else {
    %a = tile.splat %x : f32 -> tensor<512xf32>
    scf.yield %a : tensor<512xf32>
  }
  tile.return
}

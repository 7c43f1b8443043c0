// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-choose-warps))'

// Two warp groups would have 16 columns each: mma.sync.
// expected-remark @+1 {{kernel has no more than 4 warps for the 1040 words that a thread holds: expected 64 rows, or as many columns as pay, of each product for each warp group, found fewer}}
tile.func @narrow(%n: i32, %a: tensor<64x64xf16>, %b: tensor<64x32xf16>, %z: tensor<64x32xf32>,
                  %out: tensor<512x256x!tile.ptr<f32>>, %v: tensor<512x256xf32>)
    attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512x256xf32>
  %kept = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<512x256xf32> : i32 {
    %d = tile.dot %a, %b, %z : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    %r = tile.reduce add %d axis 0 : tensor<64x32xf32> -> tensor<32xf32>
    %t = tile.reduce add %r axis 0 : tensor<32xf32> -> f32
    %w = tile.splat %t : f32 -> tensor<512x256xf32>
    %u = arith.addf %s, %w : tensor<512x256xf32>
    scf.yield %u : tensor<512x256xf32>
  }
  tile.store %out, %kept : tensor<512x256x!tile.ptr<f32>>
  tile.return
}

// -----

// expected-remark @+1 {{kernel has no more than 4 warps for the 512 words that a thread holds: expected no PTX that asks for its thread, found some}}
tile.func @asks(%n: i32, %x: tensor<256x256xf32>, %out: tensor<256x256x!tile.ptr<f32>>)
    attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %kept = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<256x256xf32> : i32 {
    %u = tile.inline_ptx "mov.u32 $0, %tid.x; add.f32 $0, $0, $1;" constraints "=f,f" pure (%s)
        : (tensor<256x256xf32>) -> tensor<256x256xf32>
    scf.yield %u : tensor<256x256xf32>
  }
  tile.store %out, %kept : tensor<256x256x!tile.ptr<f32>>
  tile.return
}

// -----

// expected-remark @+1 {{kernel has no more than 4 warps for the 512 words that a thread holds: expected registers that the author does not limit, found maxnreg}}
tile.func @limited(%n: i32, %x: tensor<256x256xf32>, %out: tensor<256x256x!tile.ptr<f32>>)
    attributes {tile.num_warps = 4 : i32, tile.maxnreg = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %kept = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<256x256xf32> : i32 {
    %u = arith.mulf %s, %x : tensor<256x256xf32>
    scf.yield %u : tensor<256x256xf32>
  }
  tile.store %out, %kept : tensor<256x256x!tile.ptr<f32>>
  tile.return
}

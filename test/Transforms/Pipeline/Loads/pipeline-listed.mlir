// Blocks that a list names: what a branch of a step multiplies and reduces is waited for as in a step without it. Of two warps that
// multiply 16 rows rings leave room for four blocks, unless the launch tells of more programs: then of each block there are two slots.
//
// RUN: sed 's/PROGRAMS/0/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/PROGRAMS/16/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=ALL

// FOUR-LABEL: tile.func @chosen
// FOUR: tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, {{.*}}stages = 3>
// ALL-LABEL: tile.func @chosen
// ALL: tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, {{.*}}stages = 2>
tile.func @chosen(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32, %last: i32) attributes {tile_gpu.programs = PROGRAMS : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %pa = tile.expr %a + (col(arange(16)) * 128 + row(arange(128)))
  %x = tile.load %pa : tensor<16x128x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %least = arith.constant dense<-1.0e30> : tensor<16xf32>
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%most = %least) -> (tensor<16xf32>) : i32 {
    %pb = tile.expr %b + (col(%j + arange(64)) * 128 + row(arange(128)))
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %yt = tile.trans %y order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    %seen = arith.cmpi sle, %j, %last : i32
    %new = scf.if %seen -> (tensor<16xf32>) {
      %d = tile.dot %x, %yt, %zero : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
      %row = tile.reduce max %d axis 1 : tensor<16x64xf32> -> tensor<16xf32>
      %larger = arith.maximumf %most, %row : tensor<16xf32>
      scf.yield %larger : tensor<16xf32>
    } else {
      scf.yield %most : tensor<16xf32>
    }
    scf.yield %new : tensor<16xf32>
  }
  %to = tile.expr %out + arange(16)
  tile.store %to, %r : tensor<16x!tile.ptr<f32>>
  tile.return
}

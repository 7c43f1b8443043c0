// PTX is computed on the CPU too: products that are not fused, approximations, f16 in the bits of integers; in a twin
// (inline-ptx-texts.mlir) longer texts. What touches memory or branches is refused.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --check | FileCheck %s --check-prefix=CHECKED
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: in 3 comparisons
// CHECKED: in 3 comparisons
//
// RUN: not tile-run %s --no-host --kernel longer --emit=asm 2>&1 | FileCheck %s --check-prefix=LONGER
// LONGER: error: expected PTX of instructions on registers that the CPU has too, found '

tile.func @one(%x: !tile.ptr<f32>, %fused: !tile.ptr<f32>, %rest: !tile.ptr<f32>, %half: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %l : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %square = tile.inline_ptx "mul.rn.f32 $0, $1, $2;" constraints "=f,f,f" pure (%v, %v) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %sum = arith.addf %square, %v : tensor<64xf32>
  %fs = tile.splat %fused : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %fp = tile.addptr %fs, %l : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %fp, %sum : tensor<64x!tile.ptr<f32>>

  // Operands in the registers of integers.
  %bits = arith.bitcast %square : tensor<64xf32> to tensor<64xi32>
  %root = tile.inline_ptx "rsqrt.approx.ftz.f32 $0, $1;" constraints "=r,r" pure (%bits) : (tensor<64xi32>) -> tensor<64xi32>
  %back = arith.bitcast %root : tensor<64xi32> to tensor<64xf32>
  %again = tile.inline_ptx " rcp.approx.f32 $0, $1 ; " constraints "=f,f" pure (%back) : (tensor<64xf32>) -> tensor<64xf32>
  %rs = tile.splat %rest : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %rp = tile.addptr %rs, %l : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %rp, %again : tensor<64x!tile.ptr<f32>>

  %h = tile.inline_ptx "cvt.rn.f16.f32 $0, $1;" constraints "=h,f" pure (%v) : (tensor<64xf32>) -> tensor<64xi16>
  %n = arith.bitcast %h : tensor<64xi16> to tensor<64xf16>
  %hs = tile.splat %half : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %hp = tile.addptr %hs, %l : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  tile.store %hp, %n : tensor<64x!tile.ptr<f16>>
  tile.return
}

tile.func @longer(%x: !tile.ptr<f32>) {
  %v = tile.load %x : !tile.ptr<f32>
  %w = tile.inline_ptx "{ .reg .f32 t; again: mul.rn.f32 t, $1, $1; bra again; mov.f32 $0, t; }" constraints "=f,f" pure (%v) : (f32) -> f32
  tile.store %x, %w : !tile.ptr<f32>
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<64xf32>
  %fused = tile_host.alloc() : () -> memref<64xf32>
  %rest = tile_host.alloc() : () -> memref<64xf32>
  %half = tile_host.alloc() : () -> memref<64xf16>
  tile_host.launch @one(%x, %fused, %rest, %half) : memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf16>
  %want0 = tile_host.alloc() : () -> memref<64xf32>
  %want1 = tile_host.alloc() : () -> memref<64xf32>
  %want2 = tile_host.alloc() : () -> memref<64xf16>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%want0, %want1, %want2 : memref<64xf32>, memref<64xf32>, memref<64xf16>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f16):
    %square = arith.mulf %a, %a : f32
    %sum = arith.addf %square, %a : f32
    %size = math.absf %a : f32
    %h = arith.truncf %a : f32 to f16
    linalg.yield %sum, %size, %h : f32, f32, f16
  }
  tile_host.expect_close %fused, %want0 {atol = 0.0, rtol = 0.0} : memref<64xf32>, memref<64xf32>
  tile_host.expect_close %rest, %want1 {atol = 1.0e-6, rtol = 2.0e-6} : memref<64xf32>, memref<64xf32>
  tile_host.expect_close %half, %want2 {atol = 0.0, rtol = 0.0} : memref<64xf16>, memref<64xf16>
  return
}

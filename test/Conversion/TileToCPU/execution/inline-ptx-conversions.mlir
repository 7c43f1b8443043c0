// Conversions of PTX that keep what is not below 0, and those to whole numbers, beside arith and math.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: in 3 comparisons

tile.func @conversions(%x: !tile.ptr<f32>, %positive: !tile.ptr<bf16>, %near: !tile.ptr<i32>, %below: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %l : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %p = tile.inline_ptx "cvt.rn.relu.bf16x2.f32 $0, $2, $1;" constraints "=r,r,r" pack 2 pure (%v) : (tensor<64xf32>) -> tensor<64xbf16>
  %ps = tile.splat %positive : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>>
  %pp = tile.addptr %ps, %l : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  tile.store %pp, %p : tensor<64x!tile.ptr<bf16>>
  %n = tile.inline_ptx "cvt.rni.s32.f32 $0, $1;" constraints "=r,f" pure (%v) : (tensor<64xf32>) -> tensor<64xi32>
  %ns = tile.splat %near : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %np = tile.addptr %ns, %l : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %np, %n : tensor<64x!tile.ptr<i32>>
  %b = tile.inline_ptx "cvt.rmi.f32.f32 $0, $1;" constraints "=f,f" pure (%v) : (tensor<64xf32>) -> tensor<64xf32>
  %bs = tile.splat %below : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %bp = tile.addptr %bs, %l : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %bp, %b : tensor<64x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %x = tile_host.alloc() : () -> memref<64xf32>
  %positive = tile_host.alloc() : () -> memref<64xbf16>
  %near = tile_host.alloc() : () -> memref<64xi32>
  %below = tile_host.alloc() : () -> memref<64xf32>
  %want0 = tile_host.alloc() : () -> memref<64xbf16>
  %want1 = tile_host.alloc() : () -> memref<64xi32>
  %want2 = tile_host.alloc() : () -> memref<64xf32>
  // Quarters from -8 on: of two whole numbers that are as near, the even one.
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x, %want0, %want1, %want2 : memref<64xf32>, memref<64xbf16>, memref<64xi32>, memref<64xf32>) {
  ^bb0(%a: f32, %b: bf16, %c: i32, %d: f32):
    %i = linalg.index 0 : index
    %u = arith.index_cast %i : index to i32
    %f = arith.sitofp %u : i32 to f32
    %quarter = arith.constant 0.25 : f32
    %eight = arith.constant 8.0 : f32
    %zero = arith.constant 0.0 : f32
    %scaled = arith.mulf %f, %quarter : f32
    %v = arith.subf %scaled, %eight : f32
    %most = arith.maximumf %v, %zero : f32
    %p = arith.truncf %most : f32 to bf16
    %even = math.roundeven %v : f32
    %n = arith.fptosi %even : f32 to i32
    %down = math.floor %v : f32
    linalg.yield %v, %p, %n, %down : f32, bf16, i32, f32
  }
  tile_host.launch @conversions(%x, %positive, %near, %below) : memref<64xf32>, memref<64xbf16>, memref<64xi32>, memref<64xf32>
  tile_host.expect_close %positive, %want0 {atol = 0.0, rtol = 0.0} : memref<64xbf16>, memref<64xbf16>
  tile_host.expect_close %near, %want1 {atol = 0.0, rtol = 0.0} : memref<64xi32>, memref<64xi32>
  tile_host.expect_close %below, %want2 {atol = 0.0, rtol = 0.0} : memref<64xf32>, memref<64xf32>
  return
}

// PTX in the regions of reductions and scans; and instructions that round to tf32, that convert two numbers to e4m3 and that
// take the larger of magnitudes, beside the same by arith.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --check | FileCheck %s --check-prefix=CHECKED
// RUN: %if sm_90 %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: in 7 comparisons
// CHECKED: in 7 comparisons

!row = tensor<512xf32>
!at = tensor<512x!tile.ptr<f32>>

// The largest magnitude of each 64, with the sign of their product; running sums of them.
tile.func @rows(%x: !tile.ptr<f32>, %most: !tile.ptr<f32>, %sums: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !at
  %xp = tile.addptr %xs, %l : !at, tensor<512xi32>
  %v = tile.load %xp : !at
  %t = tile.reshape %v : !row -> tensor<8x64xf32>
  %m = tile.reduce %t axis 1 : tensor<8x64xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = tile.inline_ptx "{ max.NaN.xorsign.abs.f32 $0, $1, $2; }" constraints "=r,r,r" pure (%a, %b) : (f32, f32) -> f32
    tile.yield %r : f32
  }
  %rows = tile.arange : tensor<8xi32>
  %ms = tile.splat %most : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %mp = tile.addptr %ms, %rows : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %mp, %m : tensor<8x!tile.ptr<f32>>
  %s = tile.scan %t axis 1 : tensor<8x64xf32> -> tensor<8x64xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = tile.inline_ptx "add.rn.f32 $0, $1, $2;" constraints "=f,f,f" pure (%a, %b) : (f32, f32) -> f32
    tile.yield %r : f32
  }
  %u = tile.reshape %s : tensor<8x64xf32> -> !row
  %ss = tile.splat %sums : !tile.ptr<f32> -> !at
  %sp = tile.addptr %ss, %l : !at, tensor<512xi32>
  tile.store %sp, %u : !at
  tile.return
}

// Both roundings to tf32; what min and max do with a NaN: 1 where that of max is kept and that of min is not.
tile.func @one(%x: !tile.ptr<f32>, %even: !tile.ptr<f32>, %away: !tile.ptr<f32>, %nan: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !at
  %xp = tile.addptr %xs, %l : !at, tensor<512xi32>
  %v = tile.load %xp : !at
  %e = tile.inline_ptx "cvt.rn.tf32.f32 $0, $1;" constraints "=r,r" pure (%v) : (!row) -> !row
  %es = tile.splat %even : !tile.ptr<f32> -> !at
  %ep = tile.addptr %es, %l : !at, tensor<512xi32>
  tile.store %ep, %e : !at
  %a = tile.inline_ptx "cvt.rna.tf32.f32 $0, $1;" constraints "=r,r" pure (%v) : (!row) -> !row
  %as = tile.splat %away : !tile.ptr<f32> -> !at
  %ap = tile.addptr %as, %l : !at, tensor<512xi32>
  tile.store %ap, %a : !at
  %no = arith.constant 0x7fc00000 : f32
  %none = tile.splat %no : f32 -> !row
  %kept = tile.inline_ptx "max.NaN.f32 $0, $1, $2;" constraints "=f,f,f" pure (%v, %none) : (!row, !row) -> !row
  %left = tile.inline_ptx "min.f32 $0, $1, $2;" constraints "=f,f,f" pure (%v, %none) : (!row, !row) -> !row
  %is = arith.cmpf uno, %kept, %kept : !row
  %same = arith.cmpf oeq, %left, %v : !row
  %both = arith.andi %is, %same : tensor<512xi1>
  %number = arith.uitofp %both : tensor<512xi1> to !row
  %ns = tile.splat %nan : !tile.ptr<f32> -> !at
  %np = tile.addptr %ns, %l : !at, tensor<512xi32>
  tile.store %np, %number : !at
  tile.return
}

// 0, 64 .. 448 and what is more, through e4m3, whose most is 448.
tile.func @bytes(%of_f32: !tile.ptr<f16>, %of_f16: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<64xi32>
  %n = tile.expr %l * 64
  %f = arith.sitofp %n : tensor<64xi32> to tensor<64xf32>
  %h = arith.truncf %f : tensor<64xf32> to tensor<64xf16>
  %a = tile.inline_ptx "{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, $2, $1; cvt.rn.f16x2.e4m3x2 $0, t; }" constraints "=r,f,f" pack 2 pure (%f) : (tensor<64xf32>) -> tensor<64xf16>
  %b = tile.inline_ptx "{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f16x2 t, $1; cvt.rn.f16x2.e4m3x2 $0, t; }" constraints "=r,r" pack 2 pure (%h) : (tensor<64xf16>) -> tensor<64xf16>
  %as = tile.splat %of_f32 : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %ap = tile.addptr %as, %l : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  tile.store %ap, %a : tensor<64x!tile.ptr<f16>>
  %bs = tile.splat %of_f16 : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %bp = tile.addptr %bs, %l : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  tile.store %bp, %b : tensor<64x!tile.ptr<f16>>
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<512xf32>
  %most = tile_host.alloc() : () -> memref<8xf32>
  %sums = tile_host.alloc() : () -> memref<512xf32>
  tile_host.launch @rows(%x, %most, %sums) : memref<512xf32>, memref<8xf32>, memref<512xf32>
  %want0 = tile_host.alloc() : () -> memref<8xf32>
  %running = tile_host.alloc() : () -> memref<8xf32>
  %want1 = tile_host.alloc() : () -> memref<512xf32>
  %rows = memref.expand_shape %x [[0, 1]] output_shape [8, 64] : memref<512xf32> into memref<8x64xf32>
  %wants = memref.expand_shape %want1 [[0, 1]] output_shape [8, 64] : memref<512xf32> into memref<8x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%rows : memref<8x64xf32>) outs(%want0, %running, %wants : memref<8xf32>, memref<8xf32>, memref<8x64xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32, %o: f32):
    %sum = arith.addf %a, %s : f32
    %p = math.absf %a : f32
    %q = math.absf %m : f32
    %size = arith.maximumf %p, %q : f32
    %u = arith.bitcast %a : f32 to i32
    %v = arith.bitcast %m : f32 to i32
    %other = arith.xori %u, %v : i32
    %first = arith.constant 0x80000000 : i32
    %sign = arith.andi %other, %first : i32
    %bits = arith.bitcast %size : f32 to i32
    %all = arith.ori %bits, %sign : i32
    %r = arith.bitcast %all : i32 to f32
    linalg.yield %r, %sum, %sum : f32, f32, f32
  }
  tile_host.expect_close %most, %want0 {atol = 0.0, rtol = 0.0} : memref<8xf32>, memref<8xf32>
  tile_host.expect_close %sums, %want1 {atol = 1.0e-5, rtol = 1.0e-5} : memref<512xf32>, memref<512xf32>

  %even = tile_host.alloc() : () -> memref<512xf32>
  %away = tile_host.alloc() : () -> memref<512xf32>
  %nan = tile_host.alloc() : () -> memref<512xf32>
  tile_host.launch @one(%x, %even, %away, %nan) : memref<512xf32>, memref<512xf32>, memref<512xf32>, memref<512xf32>
  %want2 = tile_host.alloc() : () -> memref<512xf32>
  %want3 = tile_host.alloc() : () -> memref<512xf32>
  %want4 = tile_host.alloc() : () -> memref<512xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<512xf32>) outs(%want2, %want3, %want4 : memref<512xf32>, memref<512xf32>, memref<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %one = arith.constant 1.0 : f32
    // By Veltkamp's splitting, which rounds to 11 bits and of two the even one; and by the bits.
    %factor = arith.constant 8193.0 : f32
    %big = arith.mulf %a, %factor : f32
    %less = arith.subf %big, %a : f32
    %even11 = arith.subf %big, %less : f32
    %u = arith.bitcast %a : f32 to i32
    %half = arith.constant 0x1000 : i32
    %more = arith.addi %u, %half : i32
    %mask = arith.constant 0xffffe000 : i32
    %kept = arith.andi %more, %mask : i32
    %away11 = arith.bitcast %kept : i32 to f32
    linalg.yield %even11, %away11, %one : f32, f32, f32
  }
  tile_host.expect_close %even, %want2 {atol = 0.0, rtol = 0.0} : memref<512xf32>, memref<512xf32>
  tile_host.expect_close %away, %want3 {atol = 0.0, rtol = 0.0} : memref<512xf32>, memref<512xf32>
  tile_host.expect_close %nan, %want4 {atol = 0.0, rtol = 0.0} : memref<512xf32>, memref<512xf32>

  %of_f32 = tile_host.alloc() : () -> memref<64xf16>
  %of_f16 = tile_host.alloc() : () -> memref<64xf16>
  tile_host.launch @bytes(%of_f32, %of_f16) : memref<64xf16>, memref<64xf16>
  %want5 = tile_host.alloc() : () -> memref<64xf16>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%want5 : memref<64xf16>) {
  ^bb0(%a: f16):
    %i = linalg.index 0 : index
    %u = arith.index_cast %i : index to i32
    %c64 = arith.constant 64 : i32
    %n = arith.muli %u, %c64 : i32
    %c448 = arith.constant 448 : i32
    %m = arith.minui %n, %c448 : i32
    %f = arith.uitofp %m : i32 to f16
    linalg.yield %f : f16
  }
  tile_host.expect_close %of_f32, %want5 {atol = 0.0, rtol = 0.0} : memref<64xf16>, memref<64xf16>
  tile_host.expect_close %of_f16, %want5 {atol = 0.0, rtol = 0.0} : memref<64xf16>, memref<64xf16>
  return
}

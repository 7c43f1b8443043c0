// Choices between floats of 16 bits take no word apart for ptxas: what is narrowed for one is chosen in f32, and halves of
// a word are replaced under a predicate each. The same choices of integers of 32 bits say what is to come of it.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=choose -o - | FileCheck %s --check-prefix=PAIRS
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=narrow -o - | FileCheck %s --check-prefix=NARROW
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons

// PAIRS-LABEL: .entry choose
// PAIRS-NOT: selp.b16
// PAIRS-COUNT-4: @!%p{{[0-9]+}} prmt.b32 [[WORD:%r[0-9]+]], [[WORD]], %r{{[0-9]+}}, 0x{{3254|7610}};
// PAIRS-NOT: selp.b16
tile.func @choose(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %a = tile.load %xp : tensor<1024x!tile.ptr<bf16>>
  %b = arith.negf %a : tensor<1024xbf16>
  %limit = arith.constant dense<0.3> : tensor<1024xbf16>
  %holds = arith.cmpf ogt, %a, %limit : tensor<1024xbf16>
  %chosen = arith.select %holds, %a, %b : tensor<1024xi1>, tensor<1024xbf16>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %yp, %chosen : tensor<1024x!tile.ptr<bf16>>
  tile.return
}

// NARROW-LABEL: .entry narrow
// NARROW-NOT: selp.b16
// NARROW-COUNT-8: selp.f32
// NARROW-NOT: selp.b16
// NARROW: cvt.rn.f16x2.f32
tile.func @narrow(%x: !tile.ptr<f32>, %y: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %a = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %half = arith.truncf %a : tensor<1024xf32> to tensor<1024xf16>
  %limit = arith.constant dense<0.3> : tensor<1024xf32>
  %holds = arith.cmpf ogt, %a, %limit : tensor<1024xf32>
  %two = arith.constant dense<2.0> : tensor<1024xf16>
  %chosen = arith.select %holds, %half, %two : tensor<1024xi1>, tensor<1024xf16>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  tile.store %yp, %chosen : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// By words of 32 bits.
tile.func @want(%b: !tile.ptr<bf16>, %f: !tile.ptr<f32>, %y: !tile.ptr<bf16>, %z: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<1024xi32>
  %bs = tile.splat %b : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %bp = tile.addptr %bs, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %a = tile.load %bp : tensor<1024x!tile.ptr<bf16>>
  %wide = arith.extf %a : tensor<1024xbf16> to tensor<1024xf32>
  %bits = arith.bitcast %wide : tensor<1024xf32> to tensor<1024xi32>
  %sign = arith.constant dense<0x80000000> : tensor<1024xi32>
  %other = arith.xori %bits, %sign : tensor<1024xi32>
  %limit = arith.constant dense<0.3> : tensor<1024xbf16>
  %holds = arith.cmpf ogt, %a, %limit : tensor<1024xbf16>
  %chosen = arith.select %holds, %bits, %other : tensor<1024xi1>, tensor<1024xi32>
  %float = arith.bitcast %chosen : tensor<1024xi32> to tensor<1024xf32>
  %narrow = arith.truncf %float : tensor<1024xf32> to tensor<1024xbf16>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %yp, %narrow : tensor<1024x!tile.ptr<bf16>>
  %fs = tile.splat %f : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %fp = tile.addptr %fs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %c = tile.load %fp : tensor<1024x!tile.ptr<f32>>
  %cBits = arith.bitcast %c : tensor<1024xf32> to tensor<1024xi32>
  %cLimit = arith.constant dense<0.3> : tensor<1024xf32>
  %same = arith.cmpf ogt, %c, %cLimit : tensor<1024xf32>
  %two = arith.constant dense<0x40000000> : tensor<1024xi32>
  %cChosen = arith.select %same, %cBits, %two : tensor<1024xi1>, tensor<1024xi32>
  %cFloat = arith.bitcast %cChosen : tensor<1024xi32> to tensor<1024xf32>
  %cNarrow = arith.truncf %cFloat : tensor<1024xf32> to tensor<1024xf16>
  %zs = tile.splat %z : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %zp = tile.addptr %zs, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  tile.store %zp, %cNarrow : tensor<1024x!tile.ptr<f16>>
  tile.return
}

func.func @main() {
  %b = tile_host.random() seed 1 : () -> memref<1024xbf16>
  %f = tile_host.random() seed 2 : () -> memref<1024xf32>
  %y = tile_host.alloc() : () -> memref<1024xbf16>
  %z = tile_host.alloc() : () -> memref<1024xf16>
  %yWant = tile_host.alloc() : () -> memref<1024xbf16>
  %zWant = tile_host.alloc() : () -> memref<1024xf16>
  tile_host.launch @choose(%b, %y) : memref<1024xbf16>, memref<1024xbf16>
  tile_host.launch @narrow(%f, %z) : memref<1024xf32>, memref<1024xf16>
  tile_host.launch @want(%b, %f, %yWant, %zWant) : memref<1024xbf16>, memref<1024xf32>, memref<1024xbf16>, memref<1024xf16>
  tile_host.expect_close %y, %yWant : memref<1024xbf16>, memref<1024xbf16>
  tile_host.expect_close %z, %zWant : memref<1024xf16>, memref<1024xf16>
  return
}

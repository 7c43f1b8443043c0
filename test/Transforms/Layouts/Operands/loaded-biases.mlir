// What a step of dots loads beside them, and scales before it adds it to a product, is converted as it was loaded, and scaled
// as the product lies: tile-pipeline copies it ahead, and the slot is read in any layout, so that nothing is converted.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts,canonicalize,cse))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=RINGS

// CHECK-LABEL: tile.func @scaled
// CHECK: %[[BIAS:.*]] = tile.load %{{.*}} : tensor<64x64x!tile.ptr<f32>
// CHECK: %[[MOVED:.*]] = tile_gpu.convert_layout %[[BIAS]]
// CHECK: arith.mulf %[[MOVED]]
// RINGS-LABEL: tile.func @scaled
// RINGS: tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf32, {{.*}}stages =
// RINGS-NOT: convert_layout %{{.*}} : tensor<64x64xf32
// RINGS: tile.func @stored

// Where something else wants it as it lies it is scaled there, once.
// CHECK-LABEL: tile.func @stored
// CHECK: %[[BIAS:.*]] = tile.load %{{.*}} : tensor<64x64x!tile.ptr<f32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[BIAS]]
// CHECK: tile_gpu.convert_layout %[[SCALED]]

tile.func @scaled(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %bias: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %lanes = tile.arange : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %factor = arith.constant dense<1.44> : tensor<64x64xf32>
  %across = tile.expand_dims %lanes axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %across : tensor<1x64xi32> -> tensor<64x64xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %bias : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %rows = arith.addi %js, %lanes : tensor<64xi32>
    %down = tile.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %down_p = arith.muli %down, %pitch : tensor<64x1xi32>
    %wide = tile.broadcast %down_p : tensor<64x1xi32> -> tensor<64x64xi32>
    %at = arith.addi %wide, %columns : tensor<64x64xi32>
    %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %b = tile.load %pb : tensor<64x64x!tile.ptr<f32>>
    %xt = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %x, %xt, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %scaled = arith.mulf %b, %factor : tensor<64x64xf32>
    %t = arith.addf %p, %scaled : tensor<64x64xf32>
    %h = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xf16>
    %next = tile.dot %h, %x, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %os, %lanes : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @stored(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %bias: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %kept: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %lanes = tile.arange : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %factor = arith.constant dense<1.44> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %across = tile.expand_dims %lanes axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %across : tensor<1x64xi32> -> tensor<64x64xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %bias : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %ks = tile.splat %kept : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%s = %none) -> (tensor<64xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %rows = arith.addi %js, %lanes : tensor<64xi32>
    %down = tile.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %down_p = arith.muli %down, %pitch : tensor<64x1xi32>
    %wide = tile.broadcast %down_p : tensor<64x1xi32> -> tensor<64x64xi32>
    %at = arith.addi %wide, %columns : tensor<64x64xi32>
    %pa = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %pb = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %pk = tile.addptr %ks, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %b = tile.load %pb : tensor<64x64x!tile.ptr<f32>>
    %xt = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %x, %xt, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %scaled = arith.mulf %b, %factor : tensor<64x64xf32>
    tile.store %pk, %scaled : tensor<64x64x!tile.ptr<f32>>
    %t = arith.addf %p, %scaled : tensor<64x64xf32>
    %most = tile.reduce max %t axis 1 : tensor<64x64xf32> -> tensor<64xf32>
    %next = arith.maximumf %s, %most : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %os, %lanes : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

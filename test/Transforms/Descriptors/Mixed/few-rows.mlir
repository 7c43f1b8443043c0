// Attention's gradient of keys by two warp groups, whose scores have fewer rows than a group multiplies: a step of 16 queries, four
// products of 64 cycles each, is done before its boxes have been waited for, and stays one of pointers. Of 32 queries they are boxes.
//
// RUN: sed 's/BM/16/g' %s | tile-opt --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,tile-raise-descriptors))' 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/BM/32/g' %s | tile-opt --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,tile-raise-descriptors))' 2>&1 | FileCheck %s --check-prefix=MORE

// FEW: expected products that take longer in a step that waits for them, found others
// FEW-LABEL: tile.func @keys
// FEW-NOT: tile.desc_load
// MORE-LABEL: tile.func @keys
// MORE: scf.for
// MORE: tile.desc_load
// MORE: tile.desc_load

tile.func @keys(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %dk: !tile.ptr<f32>, %dv: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %bm = arith.constant BM : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %n0 = arith.muli %pid, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<BMx64xf32>
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %ko = tile.expr col(%n0 + arange(64)) * 128 + row(arange(128))
  %kp = tile.expr %k + %ko
  %vp = tile.expr %v + %ko
  %x = tile.load %kp : tensor<64x128x!tile.ptr<f16>>
  %y = tile.load %vp : tensor<64x128x!tile.ptr<f16>>
  %xt = tile.trans %x order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
  %yt = tile.trans %y order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
  %sums:2 = scf.for %j = %c0 to %n step %bm iter_args(%a = %none, %b = %none) -> (tensor<64x128xf32>, tensor<64x128xf32>) : i32 {
    %qo = tile.expr col(%j + arange(BM)) * 128 + row(arange(128))
    %qp = tile.expr %q + %qo
    %gp = tile.expr %g + %qo
    %s = tile.load %qp : tensor<BMx128x!tile.ptr<f16>>
    %t = tile.load %gp : tensor<BMx128x!tile.ptr<f16>>
    %d = tile.dot %s, %xt, %zero : tensor<BMx128xf16>, tensor<128x64xf16> -> tensor<BMx64xf32>
    %e = math.exp2 %d : tensor<BMx64xf32>
    %h = arith.truncf %e : tensor<BMx64xf32> to tensor<BMx64xf16>
    %ht = tile.trans %h order [1, 0] : tensor<BMx64xf16> -> tensor<64xBMxf16>
    %values = tile.dot %ht, %t, %b : tensor<64xBMxf16>, tensor<BMx128xf16> -> tensor<64x128xf32>
    %p = tile.dot %t, %yt, %zero : tensor<BMx128xf16>, tensor<128x64xf16> -> tensor<BMx64xf32>
    %m = arith.mulf %p, %e : tensor<BMx64xf32>
    %w = arith.truncf %m : tensor<BMx64xf32> to tensor<BMx64xf16>
    %wt = tile.trans %w order [1, 0] : tensor<BMx64xf16> -> tensor<64xBMxf16>
    %keys = tile.dot %wt, %s, %a : tensor<64xBMxf16>, tensor<BMx128xf16> -> tensor<64x128xf32>
    scf.yield %keys, %values : tensor<64x128xf32>, tensor<64x128xf32>
  }
  %kto = tile.expr %dk + %ko
  %vto = tile.expr %dv + %ko
  tile.store %kto, %sums#0
  tile.store %vto, %sums#1
  tile.return
}

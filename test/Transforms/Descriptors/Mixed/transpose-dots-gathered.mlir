// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-transpose-dots))' -verify-diagnostics | FileCheck %s

// Rows of A lie where a list says, so that there are no boxes: words of B, with N fastest, would be turned round one by one.
// CHECK-LABEL: tile.func @gathered
// CHECK: tile.dot {{.*}} : tensor<32x16xf32>, tensor<16x256xf32> -> tensor<32x256xf32>
tile.func @gathered(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %k: i32 {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<32x256xf32>
  %i = tile.arange : tensor<32xi32>
  %ls = tile.splat %list : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %lp = tile.addptr %ls, %i : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %r = tile.load %lp : tensor<32x!tile.ptr<i32>>
  %ks = tile.splat %k : i32 -> tensor<32xi32>
  %rk = arith.muli %r, %ks : tensor<32xi32>
  %re = tile.expand_dims %rk axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rb = tile.broadcast %re : tensor<32x1xi32> -> tensor<32x16xi32>
  %d = tile.arange : tensor<16xi32>
  %j = tile.arange : tensor<256xi32>
  %je = tile.expand_dims %j axis 0 : tensor<256xi32> -> tensor<1x256xi32>
  %jb = tile.broadcast %je : tensor<1x256xi32> -> tensor<16x256xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<32x16x!tile.ptr<f32>>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<16x256x!tile.ptr<f32>>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %sum = scf.for %at = %c0 to %k step %c16 iter_args(%s = %zero) -> (tensor<32x256xf32>) : i32 {
    %ats = tile.splat %at : i32 -> tensor<16xi32>
    %dk = arith.addi %d, %ats : tensor<16xi32>
    %de = tile.expand_dims %dk axis 0 : tensor<16xi32> -> tensor<1x16xi32>
    %db = tile.broadcast %de : tensor<1x16xi32> -> tensor<32x16xi32>
    %ao = arith.addi %rb, %db : tensor<32x16xi32>
    %ap = tile.addptr %as, %ao : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
    %av = tile.load %ap : tensor<32x16x!tile.ptr<f32>>
    %dn = arith.muli %dk, %ns : tensor<16xi32>
    %dne = tile.expand_dims %dn axis 1 : tensor<16xi32> -> tensor<16x1xi32>
    %dnb = tile.broadcast %dne : tensor<16x1xi32> -> tensor<16x256xi32>
    %bo = arith.addi %dnb, %jb : tensor<16x256xi32>
    %bp = tile.addptr %bs, %bo : tensor<16x256x!tile.ptr<f32>>, tensor<16x256xi32>
    %bv = tile.load %bp : tensor<16x256x!tile.ptr<f32>>
    // expected-remark @below {{dot is not transposed: expected operands that boxes bring, found gathered rows, beside which words are turned round one by one: mma.sync reads them as they lie}}
    %p = tile.dot %av, %bv, %s precision tf32 : tensor<32x16xf32>, tensor<16x256xf32> -> tensor<32x256xf32>
    scf.yield %p : tensor<32x256xf32>
  }
  %m = tile.reduce add %sum axis 0 : tensor<32x256xf32> -> tensor<256xf32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %cp = tile.addptr %cs, %j : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %cp, %m : tensor<256x!tile.ptr<f32>>
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-lift-loads))' --verify-diagnostics --split-input-file | FileCheck %s

// Where the keys lie follows from what the branch computes with a loop.
// CHECK-LABEL: tile.func @searched
// CHECK: scf.if
// CHECK: tile.load
tile.func @searched(%list: !tile.ptr<i32>, %k: tensor<64x32x!tile.ptr<f16>>, %q: tensor<16x32xf16>, %n: i32, %c: tensor<16x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x64xf32>) : i32 {
    %e = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %block = tile.load %e : !tile.ptr<i32>
    %seen = arith.cmpi sge, %block, %c0 : i32
    %s = scf.if %seen -> (tensor<16x64xf32>) {
      %f = scf.for %j = %c0 to %block step %c1 iter_args(%b = %c1) -> (i32) : i32 {
        %g = arith.muli %b, %j : i32
        scf.yield %g : i32
      }
      %o = tile.splat %f : i32 -> tensor<64x32xi32>
      %at = tile.addptr %k, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
      // expected-remark@+1 {{load stays in its branch: expected a place that follows from arithmetic and loads, found one that follows from more}}
      %x = tile.load %at : tensor<64x32x!tile.ptr<f16>>
      %y = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %q, %y, %a by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    } else {
      scf.yield %a : tensor<16x64xf32>
    }
    scf.yield %s : tensor<16x64xf32>
  }
  tile.return
}

// -----

// The other branch does something; a product by wgmma may fly on; what is stored may be what is read; a mask leaves blocks out.
// CHECK-LABEL: tile.func @left
// CHECK-COUNT-4: scf.if
// CHECK-NEXT: tile.load
tile.func @left(%list: !tile.ptr<i32>, %ks: tensor<64x32x!tile.ptr<f16>>, %p: tensor<16x64x!tile.ptr<f32>>, %q: tensor<16x32xf16>, %w: tensor<64x32xf16>, %n: i32,
                %c: tensor<16x64xf32>, %g: tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c, %b = %g) -> (tensor<16x64xf32>, tensor<64x64xf32>) : i32 {
    %f = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %block = tile.load %f : !tile.ptr<i32>
    %seen = arith.cmpi sge, %block, %c0 : i32
    %o = tile.splat %block : i32 -> tensor<64x32xi32>
    %k = tile.addptr %ks, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %s = scf.if %seen -> (tensor<16x64xf32>) {
      %x = tile.load %k : tensor<64x32x!tile.ptr<f16>>
      %y = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %q, %y, %a by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    } else {
      %d = arith.addf %a, %a : tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    }
    %t = scf.if %seen -> (tensor<64x64xf32>) {
      %x = tile.load %k : tensor<64x32x!tile.ptr<f16>>
      %y = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %w, %y, %b by wgmma : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } else {
      scf.yield %b : tensor<64x64xf32>
    }
    scf.yield %s, %t : tensor<16x64xf32>, tensor<64x64xf32>
  }
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x64xf32>) : i32 {
    %f = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %block = tile.load %f : !tile.ptr<i32>
    %seen = arith.cmpi sge, %block, %c0 : i32
    %o = tile.splat %block : i32 -> tensor<64x32xi32>
    %k = tile.addptr %ks, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %s = scf.if %seen -> (tensor<16x64xf32>) {
      %x = tile.load %k : tensor<64x32x!tile.ptr<f16>>
      %y = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %q, %y, %a by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    } else {
      scf.yield %a : tensor<16x64xf32>
    }
    tile.store %p, %s : tensor<16x64x!tile.ptr<f32>>
    scf.yield %s : tensor<16x64xf32>
  }
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x64xf32>) : i32 {
    %f = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %block = tile.load %f : !tile.ptr<i32>
    %seen = arith.cmpi ne, %block, %c0 : i32
    %o = tile.splat %i : i32 -> tensor<64x32xi32>
    %k = tile.addptr %ks, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %s = scf.if %seen -> (tensor<16x64xf32>) {
      %x = tile.load %k : tensor<64x32x!tile.ptr<f16>>
      %v = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %q, %v, %a by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    } else {
      scf.yield %a : tensor<16x64xf32>
    }
    scf.yield %s : tensor<16x64xf32>
  }
  tile.return
}

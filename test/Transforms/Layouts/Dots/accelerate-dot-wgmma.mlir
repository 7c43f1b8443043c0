// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot))' -verify-diagnostics | FileCheck %s

// One warp group owns the whole product. B is read as it lies, N fastest.
// CHECK-LABEL: tile.func @whole
tile.func @whole(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma : tensor<64x32xf16>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %o = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Two warp groups need 64 x 32 each; half a group cannot.
// CHECK-LABEL: tile.func @groups
tile.func @groups(%p: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x32xbf16>
  %b = arith.constant dense<1.0> : tensor<32x32xbf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected 64 rows, or as many columns as pay, of the product for each warp group for wgmma}}
  %d = tile.dot %a, %b, %c : tensor<64x32xbf16>, tensor<32x32xbf16> -> tensor<64x32xf32>
  %b2 = arith.constant dense<1.0> : tensor<32x64xbf16>
  %c2 = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma
  %d2 = tile.dot %a, %b2, %c2 : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.return
}

// 32 columns are enough, also where B lies in memory with K fastest, and where both operands come from memory.
// CHECK-LABEL: tile.func @along_k
tile.func @along_k(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %p: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange : tensor<4096xi32>
  %o = tile.reshape %i : tensor<4096xi32> -> tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %ptrs = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %rows = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
  %b = tile.trans %rows order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  // CHECK: tile.dot {{.*}} by wgmma
  %d = tile.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma
  %e = tile.dot %a, %rows, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma
  %f = tile.dot %b, %rows, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.return
}

// Few columns are enough where each group has rows of its own; fewer than 16 are not.
// CHECK-LABEL: tile.func @narrow
tile.func @narrow(%p: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %a = arith.constant dense<1.0> : tensor<128x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x16xf16>
  %c = arith.constant dense<0.0> : tensor<128x16xf32>
  // CHECK: tile.dot {{.*}} by wgmma
  %d = tile.dot %a, %b, %c : tensor<128x32xf16>, tensor<32x16xf16> -> tensor<128x16xf32>
  %b2 = arith.constant dense<1.0> : tensor<32x8xf16>
  %c2 = arith.constant dense<0.0> : tensor<128x8xf32>
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected a product of at least 64 x 16 for wgmma}}
  %d2 = tile.dot %a, %b2, %c2 : tensor<128x32xf16>, tensor<32x8xf16> -> tensor<128x8xf32>
  tile.return
}

// CHECK-LABEL: tile.func @refused
tile.func @refused(%p: !tile.ptr<f32>) attributes {tile.num_warps = 2 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected at least 4 warps for wgmma}}
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @shapes
tile.func @shapes(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<32x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected a product of at least 64 x 16 for wgmma}}
  %d = tile.dot %a, %b, %c : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
  %a3 = arith.constant dense<1.0> : tensor<2x64x32xf16>
  %b3 = arith.constant dense<1.0> : tensor<2x32x64xf16>
  %c3 = arith.constant dense<0.0> : tensor<2x64x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected a product without batch for wgmma}}
  %d3 = tile.dot %a3, %b3, %c3 : tensor<2x64x32xf16>, tensor<2x32x64xf16> -> tensor<2x64x64xf32>
  %a4 = arith.constant dense<1.0> : tensor<64x32xf16>
  %b4 = arith.constant dense<1.0> : tensor<32x512xf16>
  %c4 = arith.constant dense<0.0> : tensor<64x512xf32>
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected accumulators that fit the registers for wgmma}}
  %d4 = tile.dot %a4, %b4, %c4 : tensor<64x32xf16>, tensor<32x512xf16> -> tensor<64x512xf32>
  tile.return
}

// A short step of a recurrence, each of whose products is waited for; a longer one; one that only adds up.
// CHECK-LABEL: tile.func @recurrence
tile.func @recurrence(%x: tensor<64x64xf16>, %y: tensor<64x16xf16>, %z: tensor<64x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  // CHECK: scf.for
  %short = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<64x16xf32>) : i32 {
    %t = arith.truncf %h : tensor<64x16xf32> to tensor<64x16xf16>
    // CHECK: tile.dot {{.*}} by mma_sync
    // expected-remark @+1 {{dot is computed by mma.sync: expected products that take longer, in a step that multiplies what the one before computed, for wgmma}}
    %d = tile.dot %x, %t, %zero : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  // CHECK: scf.for
  %long = scf.for %i = %c0 to %n step %c1 iter_args(%h = %z) -> (tensor<64x64xf32>) : i32 {
    %t = arith.truncf %h : tensor<64x64xf32> to tensor<64x64xf16>
    // CHECK: tile.dot {{.*}} by wgmma
    %d = tile.dot %x, %t, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  // CHECK: scf.for
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<64x16xf32>) : i32 {
    // CHECK: tile.dot {{.*}} by wgmma
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  tile.return
}

// Two warp groups divide 128 rows, so that each has all 512 columns.
// CHECK-LABEL: tile.func @wide
tile.func @wide(%a: tensor<128x32xf16>, %b: tensor<32x512xf16>, %c: tensor<128x512xf32>) attributes {tile.num_warps = 8 : i32} {
  // CHECK: tile.dot {{.*}} by mma_sync
  // expected-remark @+1 {{dot is computed by mma.sync: expected accumulators that fit the registers for wgmma}}
  %d = tile.dot %a, %b, %c : tensor<128x32xf16>, tensor<32x512xf16> -> tensor<128x512xf32>
  tile.return
}

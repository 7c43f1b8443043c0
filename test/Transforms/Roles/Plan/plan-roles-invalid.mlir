// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,tile-narrow-boxes,tile-plan-roles,%roles))'

// expected-remark @+1 {{kernel is not warp-specialized: expected boxes of descriptors that a loop reads, found none}}
tile.func @no_loop(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %da = tile.make_desc %a, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.desc_load %da[%c0, %c0] : !tile.desc<64x64xf16>
  %y = tile.desc_load %db[%c0, %c0] : !tile.desc<64x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.desc_store %do[%c0, %c0], %d : !tile.desc<64x64xf32>
  tile.return
}

// -----

// All threads of a block vote on an assert, and a producer's would wait for the consumers, who wait for its vote.
// expected-remark @+1 {{kernel is not warp-specialized: expected no tile.assert, found one}}
tile.func @asserts(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %k: i32, %in: i1) {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %da = tile.make_desc %a, [%n, %k], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tile.assert %in, "in" : i1
  %r = scf.for %k0 = %c0 to %k step %n iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.desc_load %da[%c0, %k0] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k0, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// -----

// Where the boxes lie is itself read from memory, which the kernel writes.
// expected-remark @+1 {{kernel is not warp-specialized: expected positions of boxes that follow from scalar arithmetic and from numbers that are only read, found more}}
tile.func @indirect(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %i: !tile.ptr<i32>, %o: !tile.ptr<f32>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %da = tile.make_desc %a, [%n, %k], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k0 = %c0 to %k step %n iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %p = tile.addptr %i, %k0 : !tile.ptr<i32>, i32
    %at = tile.load %p : !tile.ptr<i32>
    %x = tile.desc_load %da[%c0, %at] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%at, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.store %i, %c0 : !tile.ptr<i32>
  tile.return
}

// -----

// More steps than the loop has would add more than zeros: K is no bound of B.
// expected-remark @+1 {{the last programs are not shared: expected two warp groups, found another number}}
tile.func @longer_rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %o: !tile.ptr<f16>, %k: i32, %all: i32) {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 64 : i32
  %w = arith.constant 256 : i32
  %s = arith.constant 64 : i64
  %da = tile.make_desc %a, [%n, %k], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%all, %w], [%s] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %do = tile.make_desc %o, [%n, %w], [%s] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %r = scf.for %k0 = %c0 to %k step %n iter_args(%acc = %zero) -> tensor<64x256xf32> : i32 {
    %x = tile.desc_load %da[%c0, %k0] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k0, %c0] : !tile.desc<64x256xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
    scf.yield %d : tensor<64x256xf32>
  }
  %h = arith.truncf %r : tensor<64x256xf32> to tensor<64x256xf16>
  // expected-remark @+1 {{store is not deferred: expected boxes that end where the loop does, found others}}
  tile.desc_store %do[%c0, %c0], %h : !tile.desc<64x256xf16>
  tile.return
}

// -----

// Two results of one product, half of the registers each, beside the next program's sums.
// expected-remark @+1 {{the last programs are not shared: expected two warp groups, found another number}}
tile.func @two_results(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %o: !tile.ptr<f16>, %p: !tile.ptr<f16>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %m = arith.constant 64 : i32
  %n = arith.constant 256 : i32
  %s = arith.constant 256 : i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %do = tile.make_desc %o, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %dp = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %r = scf.for %k0 = %c0 to %k step %step iter_args(%acc = %zero) -> tensor<64x256xf32> : i32 {
    %x = tile.desc_load %da[%c0, %k0] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k0, %c0] : !tile.desc<64x256xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
    scf.yield %d : tensor<64x256xf32>
  }
  %h = arith.truncf %r : tensor<64x256xf32> to tensor<64x256xf16>
  %l = arith.negf %h : tensor<64x256xf16>
  // expected-remark @+1 {{store is not deferred: expected results of at most 64 words a thread, found more}}
  tile.desc_store %do[%c0, %c0], %h : !tile.desc<64x256xf16>
  tile.desc_store %dp[%c0, %c0], %l : !tile.desc<64x256xf16>
  tile.return
}

// -----

// Rows are stored by eights.
tile.func @rows(%p: !tile.ptr<f32>, %n: i32, %s: i64) {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %c0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<64x64xf32>
  // expected-error @+1 {{expected a box whose rows warp groups own, to be stored without its padding, found another layout}}
  tile.desc_store %d[%c0, %c0], %v {extents = array<i64: 44, 64>} : !tile.desc<64x64xf32>
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// The first product adds to what the second made: nothing can run ahead.
// CHECK-LABEL: tile.func @in_turn
// CHECK-NOT: by wgmma async
// CHECK: tile.return
tile.func @in_turn(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<64x64xf16>
  // expected-remark @+1 {{dots are not overlapped: expected a first dot that does not wait for the second, found one that does}}
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// Two rows of fragments each, 128 and 64 registers of accumulators, and twice 64 of P.
// CHECK-LABEL: tile.func @large
// CHECK-NOT: by wgmma async
// CHECK: tile.return
tile.func @large(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 5, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %zero2 = arith.constant dense<0.0> : tensor<128x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<128x64xf16>
  // expected-remark @+1 {{dots are not overlapped: expected what is alive at once to fit the registers, found more}}
  %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero2) -> tensor<128x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<128x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %h = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<128x64xf16>
    %d = tile.dot %h, %vt, %acc : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<128x64xf32>
  tile.return
}

// What a step's dot takes is what the dot before made: there is nothing to make under that.
// CHECK-LABEL: tile.func @of_sum
// CHECK-NOT: by wgmma async
// CHECK: tile.return
tile.func @of_sum(%b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%c64, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-remark @+1 {{dots are not overlapped: expected an operand that does not wait for the dot, found one that does}}
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %bt, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// A branch of seven ops an element is worth leaving out where it is not taken.
// CHECK-LABEL: tile.func @branch_of_work
// CHECK-NOT: by wgmma async
// CHECK: scf.if %{{.*}} -> (tensor<64x64xf32
// CHECK: tile.return
tile.func @branch_of_work(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32, %b: i1) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<64x64xf16>
  // expected-remark @+1 {{dots are not overlapped: expected nothing but dots, barriers and arithmetic, found another op}}
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %x = scf.if %b -> tensor<64x64xf32> {
      %1 = math.exp2 %p : tensor<64x64xf32>
      %2 = arith.mulf %1, %p : tensor<64x64xf32>
      %3 = arith.addf %2, %1 : tensor<64x64xf32>
      %4 = arith.mulf %3, %p : tensor<64x64xf32>
      %5 = arith.addf %4, %1 : tensor<64x64xf32>
      %6 = arith.mulf %5, %p : tensor<64x64xf32>
      %7 = arith.addf %6, %1 : tensor<64x64xf32>
      scf.yield %7 : tensor<64x64xf32>
    } else {
      scf.yield %p : tensor<64x64xf32>
    }
    %h = arith.truncf %x : tensor<64x64xf32> to tensor<64x64xf16>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

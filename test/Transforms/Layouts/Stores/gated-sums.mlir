// What becomes of a dot's sums behind its loop lies as memory does where more bits are loaded and stored than the sums have:
// the sums are converted, once, and neither what is loaded nor what is stored.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts))' | FileCheck %s

!f16s = tensor<64x64xf16>
!f32s = tensor<64x64xf32>
!places = tensor<64x64x!tile.ptr<f16>>

// Two tiles are loaded, two stored.
// CHECK-LABEL: tile.func @gated
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK: tile_gpu.convert_layout %[[SUMS]] : {{.*}}f32
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @gated(%gates: !tile.ptr<f16>, %values: !tile.ptr<f16>, %out: !tile.ptr<f16>, %other: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %zero = arith.constant dense<0.0> : !f32s
  %offsets = tile.expr col(arange(64)) * 64 + row(arange(64))
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!f32s) : i32 {
    %d = tile.dot %a, %b, %sum : !f16s, !f16s -> !f32s
    scf.yield %d : !f32s
  }
  %pg = tile.expr %gates + %offsets
  %g = tile.load %pg : !places
  %gw = arith.extf %g : !f16s to !f32s
  %pv = tile.expr %values + %offsets
  %v = tile.load %pv : !places
  %vw = arith.extf %v : !f16s to !f32s
  %first = arith.mulf %sums, %gw : !f32s
  %firsts = arith.truncf %first : !f32s to !f16s
  %po = tile.expr %out + %offsets
  tile.store %po, %firsts : !places
  %second = arith.mulf %sums, %vw : !f32s
  %third = arith.mulf %second, %gw : !f32s
  %thirds = arith.truncf %third : !f32s to !f16s
  %pt = tile.expr %other + %offsets
  tile.store %pt, %thirds : !places
  tile.return
}

// One residual: as many bits as the sums have. It comes as these lie.
// CHECK-LABEL: tile.func @residual
// CHECK: %[[OLD:.*]] = tile.load
// CHECK: tile_gpu.convert_layout %[[OLD]] : {{.*}}f16
// CHECK: %[[NEW:.*]] = arith.truncf
// CHECK: tile_gpu.convert_layout %[[NEW]] : {{.*}}f16
// CHECK: tile.return
tile.func @residual(%values: !tile.ptr<f16>, %out: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %zero = arith.constant dense<0.0> : !f32s
  %offsets = tile.expr col(arange(64)) * 64 + row(arange(64))
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!f32s) : i32 {
    %d = tile.dot %a, %b, %sum : !f16s, !f16s -> !f32s
    scf.yield %d : !f32s
  }
  %pv = tile.expr %values + %offsets
  %v = tile.load %pv : !places
  %vw = arith.extf %v : !f16s to !f32s
  %first = arith.addf %sums, %vw : !f32s
  %firsts = arith.truncf %first : !f32s to !f16s
  %po = tile.expr %out + %offsets
  tile.store %po, %firsts : !places
  tile.return
}

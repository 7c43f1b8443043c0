// Descriptors of a second block are left as they are, and a remark says so; what is left is computed all the same.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-version-tails))' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.func @blocks(
// CHECK: scf.if
// CHECK: scf.if
// CHECK: tile.make_desc
// CHECK: } else {
// CHECK: tile.make_desc
// CHECK: scf.if
// CHECK-NOT: } else {
tile.func @blocks(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %sizes: !tile.ptr<i32>, %m: i32, %some: i1) {
  %pitch = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  %n = tile.load %sizes : !tile.ptr<i32>
  scf.if %some {
    %d = tile.make_desc %x, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
    %a = tile.desc_load %d[%c0, %c0] : !tile.desc<16x64xf16>
    tile.desc_store %d[%c0, %c0], %a : !tile.desc<16x64xf16>
  }
  scf.if %some {
    // expected-remark @below {{rows are read as if they ended anywhere: expected descriptors in one block}}
    %d = tile.make_desc %x, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
    %a = tile.desc_load %d[%c0, %c0] : !tile.desc<16x64xf16>
    tile.desc_store %d[%c0, %c0], %a : !tile.desc<16x64xf16>
  }
  tile.return
}

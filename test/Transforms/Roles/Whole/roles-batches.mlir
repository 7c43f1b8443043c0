// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s

// A product for each batch. Its results are carried into the next program with their position, batch, row and column, and
// leave under its dots; before the first program there is no such batch.
// CHECK-LABEL: tile.func @batches
// CHECK-SAME: stores = deferred
// CHECK: %[[C:.*]] = tile.make_desc %{{.*}}, [%[[BATCHES:.*]], %{{.*}}, %{{.*}}], {{.*}} -> !tile.desc<1x64x64xf16>
// CHECK: } consumer {
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[LAST:[^ ]*]] = %cst{{[^,]*}}, %[[BATCH:[^ ]*]] = %[[BATCHES]], %[[ROW:[^ ]*]] = %c0{{[^,]*}}, %[[COLUMN:[^ ]*]] = %c0
// CHECK: tile.dot {{.*}} by wgmma async
// CHECK: tile_gpu.extract_tile %[[LAST]] [0, 0] : tensor<128x128xf16
// CHECK: tile_gpu.tma_store %[[C]][%[[BATCH]], %[[ROW]], %[[COLUMN]]] from
// CHECK: tile.dot {{.*}} by wgmma async
// CHECK: tile_gpu.extract_tile %[[LAST]] [0, 64] : tensor<128x128xf16
// CHECK: tile_gpu.tma_store %[[C]][%[[BATCH]], %[[ROW]], %{{.*}}] from
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return
tile.func @batches(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %batches: i32, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32, %batches : i32) {
    tile.yield %m, %n, %batches : i32, i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %m64 = arith.extsi %m : i32 to i64
  %mk = arith.muli %m64, %k64 : i64
  %kn = arith.muli %k64, %n64 : i64
  %mn = arith.muli %m64, %n64 : i64
  %da = tile.make_desc %a, [%batches, %m, %k], [%mk, %k64] : !tile.ptr<f16> -> !tile.desc<1x128x64xf16>
  %db = tile.make_desc %b, [%batches, %k, %n], [%kn, %n64] : !tile.ptr<f16> -> !tile.desc<1x64x128xf16>
  %dc = tile.make_desc %c, [%batches, %m, %n], [%mn, %n64] : !tile.ptr<f16> -> !tile.desc<1x128x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %batch = tile.program_id z
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c128 : i32
  %n0 = arith.muli %pn, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %c64 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %ax = tile.desc_load %da[%batch, %m0, %k0] : !tile.desc<1x128x64xf16>
    %x = tile.reshape %ax : tensor<1x128x64xf16> -> tensor<128x64xf16>
    %by = tile.desc_load %db[%batch, %k0, %n0] : !tile.desc<1x64x128xf16>
    %y = tile.reshape %by : tensor<1x64x128xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  %r = tile.reshape %h : tensor<128x128xf16> -> tensor<1x128x128xf16>
  tile.desc_store %dc[%batch, %m0, %n0], %r : !tile.desc<1x128x128xf16>
  tile.return
}

// What a pass takes along is said by the op's definition: this one names no tile.swizzle2d, which is element-wise, has
// no effects, and two results. The guide (docs/compiler/adding-a-pass.md) runs the same with an op that it adds.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-raise-descriptors,canonicalize,cse))' -verify-diagnostics | FileCheck %s

// A product is stored as a box, element-wise ops between them or not.
// CHECK-LABEL: tile.func @product
// CHECK: %[[C:.*]] = tile.make_desc %{{.*}} : !tile.ptr<i32> -> !tile.desc<64x64xi32>
// CHECK: tile.dot
// CHECK: %[[X:[a-z0-9_]*]]{{.*}} = tile.swizzle2d {{.*}} : tensor<64x64xi32>
// CHECK: tile.desc_store %[[C]][%{{.*}}, %{{.*}}], %[[X]]
tile.func @product(%a: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                   %c: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%n, %n], [%s] : !tile.ptr<i8> -> !tile.desc<64x64xi8>
  %db = tile.make_desc %b, [%n, %n], [%s] : !tile.ptr<i8> -> !tile.desc<64x64xi8>
  %pid = tile.program_id x
  %row = arith.muli %pid, %c64 : i32
  %lane = tile.arange : tensor<64xi32>
  %rs = tile.splat %row : i32 -> tensor<64xi32>
  %rl = arith.addi %rs, %lane : tensor<64xi32>
  %rc = tile.expand_dims %rl axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<64x1xi32>
  %in = arith.cmpi slt, %rc, %ns : tensor<64x1xi32>
  %ins = tile.broadcast %in : tensor<64x1xi1> -> tensor<64x64xi1>
  %ro = arith.muli %rc, %ns : tensor<64x1xi32>
  %ros = tile.broadcast %ro : tensor<64x1xi32> -> tensor<64x64xi32>
  %co = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cos = tile.broadcast %co : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %ros, %cos : tensor<64x64xi32>
  %cs = tile.splat %c : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
  %cp = tile.addptr %cs, %o : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xi32> : i32 {
    %at = tile.desc_load %da[%row, %k] : !tile.desc<64x64xi8>
    %bt = tile.desc_load %db[%c0, %k] : !tile.desc<64x64xi8>
    %bk = tile.trans %bt order [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
    %next = tile.dot %at, %bk, %acc : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
    scf.yield %next : tensor<64x64xi32>
  }
  %x, %y = tile.swizzle2d %sum, %sum, %sum, %sum, %sum : tensor<64x64xi32>
  tile.store %cp, %x, %ins : tensor<64x64x!tile.ptr<i32>>
  tile.return
}

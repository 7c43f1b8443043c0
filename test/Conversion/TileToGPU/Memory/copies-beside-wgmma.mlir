// Rows of a copy that lie apart by a constant share one pointer beside wgmma, too: B of tf32, whose rows are turned round on their way,
// is copied word by word, and each word had two registers of its own.
//
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=product -o - | FileCheck %s
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=listed -o - | FileCheck %s --check-prefix=LOADS
// CHECK: wgmma.mma_async
// CHECK: cp.async.cg.shared.global [{{%rd[0-9]+}}+0], [[[A:%rd[0-9]+]]], 16
// CHECK-COUNT-3: cp.async.cg.shared.global [{{%rd[0-9]+}}+{{[0-9]+}}], [[[A]]+{{[0-9]+}}], 16
// CHECK: cp.async.ca.shared.global [{{%rd[0-9]+}}+0], [[[B:%rd[0-9]+]]], 4
// CHECK-COUNT-15: cp.async.ca.shared.global [{{%rd[0-9]+}}+{{[0-9]+}}], [[[B]]+{{[0-9]+}}], 4
// CHECK: cp.async.commit_group
tile.func @product(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %off: i32)
    meta {num_warps = 4} {
  tile.grid = %n ceildiv 64
  %c0 = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %zero = tile.expr 0 : tensor<64x64xf32>
  %rows = tile.expr program_id(x) * 64 + col(arange(64))
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %pa = tile.expr %a + (%rows * 4096 + (%k + row(arange(32))))
    %pb = tile.expr %b + (%off + (%k + col(arange(32))) * 128 + row(arange(64)))
    %x = tile.load %pa
    %y = tile.load %pb
    %next = tile.dot %x, %y, %acc precision tf32
    scf.yield %next : tensor<64x64xf32>
  }
  %pc = tile.expr %c + (%rows * 64 + row(arange(64)))
  tile.store %pc, %sum
  tile.return
}

// So do those of what threads load in a branch of a step, and store for the dot.
// LOADS-LABEL: .entry listed
// LOADS: ld.global.v4.b32 {{.*}}, [[[P:%rd[0-9]+]]];
// LOADS-COUNT-3: ld.global.v4.b32 {{.*}}, [[[P]]+{{[0-9]+}}];
// LOADS: wgmma.mma_async
tile.func @listed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    meta {num_warps = 4} {
  tile.grid = %n ceildiv 64
  %c0 = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = tile.expr 0 : tensor<64x64xf32>
  %rows = tile.expr program_id(x) * 64 + col(arange(64))
  %pa = tile.expr %a + (%rows * 64 + row(arange(64)))
  %x = tile.load %pa
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %pl = tile.expr %list + %k
    %there = tile.load %pl
    %is = arith.cmpi ne, %there, %c0 : i32
    %next = scf.if %is -> (tensor<64x64xf32>) {
      %pb = tile.expr %b + ((%k * 64 + row(arange(64))) * 64 + col(arange(64)))
      %y = tile.load %pb
      %t = tile.dot %x, %y, %acc
      scf.yield %t : tensor<64x64xf32>
    } else {
      scf.yield %acc : tensor<64x64xf32>
    }
    scf.yield %next : tensor<64x64xf32>
  }
  %pc = tile.expr %c + (%rows * 64 + row(arange(64)))
  tile.store %pc, %sum
  tile.return
}

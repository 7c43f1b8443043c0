// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-order-programs,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: sed 's/tile_gpu.single_wave = 1 : i32, //' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-order-programs,canonicalize,cse))' | FileCheck %s --check-prefix=SAME
// RUN: sed 's/group_rows = 16, /group_rows = 0, /' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-order-programs,canonicalize,cse))' | FileCheck %s --check-prefix=SAME
// RUN: sed 's/muli \(.\)y, /muli \1x, /' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-order-programs,canonicalize,cse))' | FileCheck %s --check-prefix=SAME

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// A round of programs, a block each, of a grid of few columns: those of a row follow each other. Where there are more rounds, where the
// kernel has an order of its own, and where nothing is shared across, programs keep their numbers.
// CHECK-LABEL: tile.func @grid
// CHECK-DAG: %[[X:.*]] = tile.program_id x
// CHECK-DAG: %[[Y:.*]] = tile.program_id y
// CHECK-DAG: %[[ROWS:.*]] = tile.num_programs x
// CHECK-DAG: %[[COLUMNS:.*]] = tile.num_programs y
// CHECK: %[[BEFORE:.*]] = arith.muli %[[Y]], %[[ROWS]]
// CHECK: %[[TURN:.*]] = arith.addi %[[BEFORE]], %[[X]]
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[COLUMNS]], %c16
// CHECK: %[[TALL:.*]] = arith.cmpi slt, %[[COLUMNS]], %[[ROWS]]
// CHECK: %[[ACROSS:.*]] = arith.andi %[[FEW]], %[[TALL]]
// CHECK: %[[ROW:.*]] = arith.divui %[[TURN]], %[[COLUMNS]]
// CHECK: %[[WHOLE:.*]] = arith.muli %[[ROW]], %[[COLUMNS]]
// CHECK: %[[COLUMN:.*]] = arith.subi %[[TURN]], %[[WHOLE]]
// CHECK: arith.select %[[ACROSS]], %[[ROW]], %[[X]]
// CHECK: arith.select %[[ACROSS]], %[[COLUMN]], %[[Y]]
// SAME-LABEL: tile.func @grid
// SAME-NOT: arith.divui
tile.func @grid(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.single_wave = 1 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, group_rows = 16, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

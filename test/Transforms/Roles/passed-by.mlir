// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-warp-specialize,canonicalize,cse))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// A step that multiplies nothing meets its warp group all the same: one thread of the group frees the slot, while another warp
// may still wait for its boxes.
// CHECK-LABEL: tile.func @branch
// CHECK: } consumer {
// CHECK:   tile_gpu.barrier_wait
// CHECK:   scf.if
// CHECK:   tile_gpu.group_barrier
// CHECK:   tile_gpu.barrier_arrive
// CHECK: tile.return
tile.func @branch(%list: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %entry = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %wanted = tile.load %entry : !tile.ptr<i32>
    %is = arith.cmpi ne, %wanted, %c0 : i32
    %t = scf.if %is -> (tensor<128x128xf32, #acc>) {
      %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    } else {
      scf.yield %s : tensor<128x128xf32, #acc>
    }
    scf.yield %t : tensor<128x128xf32, #acc>
  }
  %p = tile.splat %c : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>, #acc>
  tile.store %p, %sum : tensor<128x128x!tile.ptr<f32>, #acc>
  tile.return
}

// A product on either side meets them.
// CHECK-LABEL: tile.func @sides
// CHECK: } consumer {
// CHECK:   tile_gpu.barrier_wait
// CHECK:   scf.if
// CHECK-NOT: tile_gpu.group_barrier
// CHECK:   tile_gpu.barrier_arrive
// CHECK: tile.return
tile.func @sides(%list: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %entry = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %wanted = tile.load %entry : !tile.ptr<i32>
    %is = arith.cmpi ne, %wanted, %c0 : i32
    %t = scf.if %is -> (tensor<128x128xf32, #acc>) {
      %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    } else {
      %d = tile.dot %sa, %sb, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    scf.yield %t : tensor<128x128xf32, #acc>
  }
  %p = tile.splat %c : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>, #acc>
  tile.store %p, %sum : tensor<128x128x!tile.ptr<f32>, #acc>
  tile.return
}

// What a loop reads that may have no step.
// CHECK-LABEL: tile.func @steps
// CHECK: } consumer {
// CHECK:   tile_gpu.barrier_wait
// CHECK:   scf.for
// CHECK-NOT: tile_gpu.group_barrier
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   }
// CHECK:   tile_gpu.group_barrier
// CHECK:   tile_gpu.barrier_arrive
// CHECK: tile.return
tile.func @steps(%list: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_copy %da[%row, %c0] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %t = arith.addf %s, %d : tensor<128x128xf32, #acc>
    scf.yield %t : tensor<128x128xf32, #acc>
  }
  %p = tile.splat %c : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>, #acc>
  tile.store %p, %sum : tensor<128x128x!tile.ptr<f32>, #acc>
  tile.return
}

// A loop of three steps.
// CHECK-LABEL: tile.func @three
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK-NOT: tile_gpu.group_barrier
// CHECK: tile.return
tile.func @three(%list: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_copy %da[%row, %c0] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %t = arith.addf %s, %d : tensor<128x128xf32, #acc>
    scf.yield %t : tensor<128x128xf32, #acc>
  }
  %p = tile.splat %c : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>, #acc>
  tile.store %p, %sum : tensor<128x128x!tile.ptr<f32>, #acc>
  tile.return
}

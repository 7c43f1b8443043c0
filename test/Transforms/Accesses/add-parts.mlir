// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-add-parts))' -split-input-file 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-add-parts))' -split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!a = !tile_gpu.buffer<128x128xf8E4M3FN, swizzle = 128>
!b = !tile_gpu.buffer<128x256xf8E4M3FN, swizzle = 128, order = [0, 1]>
!sum = tensor<128x256xf32, #acc>

// Of two sums of 128 registers one is made 64 registers at a time.
// CHECK-LABEL: tile.func @waited
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[SUM]] by wgmma {tile.part = 64 : i32}
// CHECK-NEXT: scf.yield %[[D]]
tile.func @waited(%n: i32, %a: !a, %b: !b) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
    %s = arith.addf %d, %sum : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// A dot on its way starts where it was waited for, behind what ran beside it.
// CHECK-LABEL: tile.func @on_its_way
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[SUM]] by wgmma {tile.part = 64 : i32}
// CHECK-NEXT: scf.yield %[[D]]
tile.func @on_its_way(%n: i32, %a: !a, %b: !b) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma async : !a, !b -> !sum
    gpu.barrier
    %w = tile_gpu.dot_wait %d pending 0 tied : !sum
    %s = arith.addf %sum, %w : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// What is scaled first, or is made behind the dot, stays.
// CHECK-LABEL: tile.func @scaled
// CHECK: tile.dot {{.*}} by wgmma :
// CHECK: arith.addf
tile.func @scaled(%n: i32, %a: !a, %b: !b, %by: !sum) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
    %x = arith.mulf %d, %by : !sum
    %s = arith.addf %sum, %x : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// So does one that begins with something, to which the sum would come in its place.
// CHECK-LABEL: tile.func @begun
// CHECK: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma :
// CHECK: arith.addf %[[D]], %{{.*}}
tile.func @begun(%n: i32, %a: !a, %b: !b, %start: !sum) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %start by wgmma : !a, !b -> !sum
    %s = arith.addf %d, %sum : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// And one that is on its way when another one starts.
// CHECK-LABEL: tile.func @several
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma async :
// REMARK: dot holds two sums: expected a dot that is waited for before others start, found one of several
tile.func @several(%n: i32, %a: !a, %b: !b) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma async : !a, !b -> !sum
    %w = tile_gpu.dot_wait %d pending 1 tied : !sum
    %s = arith.addf %sum, %w : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// REMARK: remark: dot holds two sums: expected a sum that is there where the dot ends, found one made behind it
// CHECK-LABEL: tile.func private @behind
// CHECK: tile.dot {{.*}} by wgmma :
// CHECK: arith.addf
tile.func private @behind(%a: !a, %b: !b, %by: !sum) -> !sum attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
  %x = arith.mulf %by, %by : !sum
  %s = arith.addf %x, %d : !sum
  tile.return %s : !sum
}

// -----

#few = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!a = !tile_gpu.buffer<128x128xf8E4M3FN, swizzle = 128>
!b = !tile_gpu.buffer<128x128xf8E4M3FN, swizzle = 128, order = [0, 1]>
!sum = tensor<128x128xf32, #few>

// Two sums of 64 registers there is room for.
// CHECK-LABEL: tile.func private @room
// CHECK: tile.dot {{.*}} by wgmma :
// CHECK: arith.addf
tile.func private @room(%a: !a, %b: !b, %sum: !sum) -> !sum attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
  %s = arith.addf %sum, %d : !sum
  tile.return %s : !sum
}

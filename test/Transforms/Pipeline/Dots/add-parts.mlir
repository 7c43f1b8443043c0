// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-add-parts))' -split-input-file 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-add-parts))' -split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#acc_rows = #tile_gpu.layout<register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#acc_columns = #tile_gpu.layout<register = [[0, 1], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
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

// One that is scaled first keeps its zero: what scales it stands right behind it.
// CHECK-LABEL: tile.func @scaled
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[ZERO:.*]] by wgmma {tile.part = 64 : i32}
// CHECK-NEXT: %[[X:.*]] = arith.mulf %[[D]], %
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.yield %[[S]]
tile.func @scaled(%n: i32, %a: !a, %b: !b, %by: !sum) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma async : !a, !b -> !sum
    gpu.barrier
    %w = tile_gpu.dot_wait %d pending 0 tied : !sum
    gpu.barrier
    %x = arith.mulf %w, %by : !sum
    %s = arith.addf %sum, %x : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// Products of scales are made part by part as well. Beside a scale for each column a part is half as large, and what is repeated
// stands in front of the dot.
// CHECK-LABEL: tile.func @rows_and_columns
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %
// CHECK-NEXT: %[[ROW:.*]] = tile.broadcast %{{.*}} : tensor<128x1xf32
// CHECK-NEXT: %[[COLUMN:.*]] = tile.broadcast %{{.*}} : tensor<1x256xf32
// CHECK-NEXT: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma {tile.part = 32 : i32}
// CHECK-NEXT: %[[BY:.*]] = arith.mulf %[[ROW]], %[[COLUMN]]
// CHECK-NEXT: %[[S:.*]] = math.fma %[[D]], %[[BY]], %[[SUM]]
// CHECK-NEXT: scf.yield %[[S]]
tile.func @rows_and_columns(%n: i32, %a: !a, %b: !b, %rows: tensor<128x1xf32, #acc_rows>, %columns: tensor<1x256xf32, #acc_columns>)
    attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
    %row = tile.broadcast %rows : tensor<128x1xf32, #acc_rows> -> !sum
    %column = tile.broadcast %columns : tensor<1x256xf32, #acc_columns> -> !sum
    %by = arith.mulf %row, %column : !sum
    %s = math.fma %d, %by, %sum : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// What comes of the product itself, or of memory behind it, cannot stand in front.
// REMARK: remark: dot holds two sums: expected scales that can be there where the dot ends, found others
// CHECK-LABEL: tile.func @loaded
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma :
// CHECK: tile_gpu.buffer_load
tile.func @loaded(%n: i32, %a: !a, %b: !b, %c: !tile_gpu.buffer<128x256xf32>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
    %by = tile_gpu.buffer_load %c : !tile_gpu.buffer<128x256xf32> -> !sum
    %x = arith.mulf %d, %by : !sum
    %s = arith.addf %sum, %x : !sum
    scf.yield %s : !sum
  }
  tile.return
}

// A product that something else reads, too, is wanted whole.
// CHECK-LABEL: tile.func private @read_twice
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma :
tile.func private @read_twice(%n: i32, %a: !a, %b: !b, %by: !sum) -> !sum attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %last = %zero) -> (!sum, !sum) : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
    %x = arith.mulf %d, %by : !sum
    %s = arith.addf %sum, %x : !sum
    scf.yield %s, %d : !sum, !sum
  }
  tile.return %r#1 : !sum
}

// Nor is one that begins with something, to which the sum would come in its place.
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

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!a = !tile_gpu.buffer<128x128xf8E4M3FN, swizzle = 128>
!b = !tile_gpu.buffer<128x256xf8E4M3FN, swizzle = 128, order = [0, 1]>
!sum = tensor<128x256xf32, #acc>

// A loop of one step has left its sum at zero, which takes no registers beside the product.
// CHECK-LABEL: tile.func @of_one_step
// CHECK: tile.dot
// CHECK-NOT: tile.part
// CHECK: arith.addf
tile.func @of_one_step(%a: !a, %b: !b, %p: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant dense<0.0> : !sum
  %q = tile.splat %p : !tile.ptr<f32> -> tensor<128x256x!tile.ptr<f32>, #acc>
  %d = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
  %s = arith.addf %zero, %d : !sum
  tile.store %q, %s : tensor<128x256x!tile.ptr<f32>, #acc>
  tile.return
}

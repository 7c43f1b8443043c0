// Slots have the room of what is alive at a time: of 128 KB that one loop reads and 128 KB of another behind it only one is.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-plan-roles))' -verify-diagnostics -split-input-file | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!held = !tile_gpu.buffer<512x128xf16, swizzle = 128>
!tile = tensor<512x128xf16, #v>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.func @one_after_the_other
// CHECK-SAME: stages = {{[2-9]}}
// expected-remark @below {{the last programs are not shared: expected two warp groups, found another number}}
tile.func @one_after_the_other(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: f16, %b: !a) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %v = tile.splat %x : f16 -> !tile
  %first = tile_gpu.alloc_shared : !held
  tile_gpu.buffer_store %v, %first : !tile -> !held
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %box, %b, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  %w = tile_gpu.buffer_load %first : !held -> !tile
  %second = tile_gpu.alloc_shared : !held
  tile_gpu.buffer_store %w, %second : !tile -> !held
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %box, %b, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  %y = tile_gpu.buffer_load %second : !held -> !tile
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!held = !tile_gpu.buffer<512x128xf16, swizzle = 128>
!tile = tensor<512x128xf16, #v>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// Both are alive in the loop.
// expected-remark @below {{kernel is not warp-specialized: expected room for two stages in shared memory, found less}}
tile.func @both(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: f16, %b: !a) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %v = tile.splat %x : f16 -> !tile
  %first = tile_gpu.alloc_shared : !held
  %second = tile_gpu.alloc_shared : !held
  tile_gpu.buffer_store %v, %first : !tile -> !held
  tile_gpu.buffer_store %v, %second : !tile -> !held
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %box, %b, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  %y = tile_gpu.buffer_load %first : !held -> !tile
  %w = tile_gpu.buffer_load %second : !held -> !tile
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#w = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!held = !tile_gpu.buffer<512x128xf16, swizzle = 128>
!tile = tensor<512x128xf16, #v>
!few = !tile_gpu.buffer<128x128xf16, swizzle = 128>
!loaded = tensor<128x128xf16, #w>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// What threads load in each step becomes a ring, which is alive in all of the loop, beside what a loop in front of it has. It is
// counted with two slots where there is no room for three.
// CHECK-LABEL: tile.func @ring_behind
// CHECK-SAME: programs = grid
// CHECK-SAME: stages = 4
tile.func @ring_behind(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: f16, %b: !a) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %v = tile.splat %x : f16 -> !tile
  %ptrs = tile.splat %p : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>, #w>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%inner = %acc) -> (!sum) : i32 {
      %box = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %d[%j, %c0] into %box : !tile.desc<64x64xf16> -> !a
      %first = tile_gpu.alloc_shared : !held
      tile_gpu.buffer_store %v, %first : !tile -> !held
      %y = tile_gpu.buffer_load %first : !held -> !tile
      %e = tile.dot %box, %b, %inner by wgmma : !a, !a -> !sum
      scf.yield %e : !sum
    }
    %l = tile.load %ptrs : tensor<128x128x!tile.ptr<f16>, #w>
    %ring = tile_gpu.alloc_shared : !few
    tile_gpu.buffer_store %l, %ring : !loaded -> !few
    %w = tile_gpu.buffer_load %ring : !few -> !loaded
    scf.yield %t : !sum
  }
  tile.return
}

// -----


#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#w = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0], [128, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!held = !tile_gpu.buffer<512x128xf16, swizzle = 128>
!tile = tensor<512x128xf16, #v>
!few = !tile_gpu.buffer<256x128xf16, swizzle = 128>
!loaded = tensor<256x128xf16, #w>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// Nor is there room for two.
// expected-remark @below {{kernel is not warp-specialized: expected room for two stages in shared memory, found less}}
tile.func @large_ring_behind(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: f16, %b: !a) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %v = tile.splat %x : f16 -> !tile
  %ptrs = tile.splat %p : !tile.ptr<f16> -> tensor<256x128x!tile.ptr<f16>, #w>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%inner = %acc) -> (!sum) : i32 {
      %box = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %d[%j, %c0] into %box : !tile.desc<64x64xf16> -> !a
      %first = tile_gpu.alloc_shared : !held
      tile_gpu.buffer_store %v, %first : !tile -> !held
      %y = tile_gpu.buffer_load %first : !held -> !tile
      %e = tile.dot %box, %b, %inner by wgmma : !a, !a -> !sum
      scf.yield %e : !sum
    }
    %l = tile.load %ptrs : tensor<256x128x!tile.ptr<f16>, #w>
    %ring = tile_gpu.alloc_shared : !few
    tile_gpu.buffer_store %l, %ring : !loaded -> !few
    %w = tile_gpu.buffer_load %ring : !few -> !loaded
    scf.yield %t : !sum
  }
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 64], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!held = !tile_gpu.buffer<512x128xf16, swizzle = 128>
!tile = tensor<512x128xf16, #v>
!a = !tile_gpu.buffer<64x512xf16, swizzle = 128>
!b = !tile_gpu.buffer<512x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// What is stored behind the loop takes the place of its rings, where a block has no other program.
// CHECK-LABEL: tile.func @result_behind
// CHECK-SAME: programs = grid
// CHECK-SAME: stages = 3
tile.func @result_behind(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: f16, %b: !b) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x512xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x512xf16> -> !a
    %e = tile.dot %box, %b, %acc by wgmma : !a, !b -> !sum
    scf.yield %e : !sum
  }
  %v = tile.splat %x : f16 -> !tile
  %result = tile_gpu.alloc_shared : !held
  tile_gpu.buffer_store %v, %result : !tile -> !held
  %y = tile_gpu.buffer_load %result : !held -> !tile
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x512xf16, swizzle = 128>
!b = !tile_gpu.buffer<512x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// Where neither has room for a second slot, one dot's boxes are copied while the step waits for the other.
// CHECK-LABEL: tile.func @in_turn
// CHECK-SAME: programs = grid
// CHECK-SAME: stages = 2
// CHECK-SAME: waited = 1
tile.func @in_turn(%p: !tile.ptr<f16>, %n: i32, %s: i64, %f: f32, %a: !a, %b: !b) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %half = arith.constant dense<0.5> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x512xf16>
  %e = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<512x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x512xf16> -> !a
    %x = tile.dot %box, %b, %acc by wgmma : !a, !b -> !sum
    %y = arith.mulf %x, %half : !sum
    %other = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %e[%c0, %i] into %other : !tile.desc<512x64xf16> -> !b
    %z = tile.dot %a, %other, %y by wgmma : !a, !b -> !sum
    scf.yield %z : !sum
  }
  tile.return
}

// What a dot reads in every step of a loop, and does not change in it, is stored once, in front of the loop; two dots
// that read it alike read one buffer.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @twice
tile.func @twice(%a0: !tile.ptr<f16>, %p0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<64x32x!tile.ptr<f16>>
  %p = tile.splat %p0 : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  // CHECK: %[[A:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16
  // CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[A]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x, %v = %x) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %t:2 = scf.for %j = %c0 to %n step %c1 iter_args(%w = %u, %y = %v) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
      %b = tile.load %p : tensor<32x64x!tile.ptr<f16>>
      // CHECK-NOT: !tile_gpu.buffer<64x32xf16{{.*}} = tile_gpu.alloc_shared
      // CHECK: tile.dot %[[A]]
      %d = tile.dot %a, %b, %w : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      // CHECK: tile.dot %[[A]]
      %e = tile.dot %a, %b, %y : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d, %e : tensor<64x64xf32>, tensor<64x64xf32>
    }
    scf.yield %t#0, %t#1 : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.return
}

// Behind a loop, what it leaves is stored where it is read.
// CHECK-LABEL: tile.func @behind
tile.func @behind(%a0: !tile.ptr<f16>, %b0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<64x32x!tile.ptr<f16>>
  %bp = tile.splat %b0 : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %b = tile.load %bp : tensor<32x64x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a) -> (tensor<64x32xf16>) : i32 {
    %v = arith.addf %u, %a : tensor<64x32xf16>
    scf.yield %v : tensor<64x32xf16>
  }
  // CHECK: }
  // CHECK: tile_gpu.buffer_store
  // CHECK: tile_gpu.buffer_store
  // CHECK: tile.dot
  %d = tile.dot %s, %b, %x : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// Buffers that live as long as a loop may take a part of shared memory, no more: 40 % of 227 KiB have room for one of
// these.
// CHECK-LABEL: tile.func @much
tile.func @much(%a0: !tile.ptr<f16>, %b0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<128x256x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<128x256x!tile.ptr<f16>>
  %bp = tile.splat %b0 : !tile.ptr<f16> -> tensor<256x128x!tile.ptr<f16>>
  %b = tile.load %bp : tensor<256x128x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<128x128x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tile_gpu.buffer_store
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile_gpu.buffer_store
  // CHECK: tile.dot
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<128x128xf32>) : i32 {
    %y = tile.load %xp : tensor<128x128x!tile.ptr<f32>>
    %w = arith.addf %u, %y : tensor<128x128xf32>
    %d = tile.dot %a, %b, %w : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.return
}

// Of more than that where what the loop loads, three times over, what it computes for dots and a sum are few: 128 KiB of
// weights beside a state of 8 KiB, which a step would store itself otherwise.
// CHECK-LABEL: tile.func @counted
tile.func @counted(%a0: !tile.ptr<f16>, %b0: !tile.ptr<f16>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<16x256x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<16x256x!tile.ptr<f16>>
  %bp = tile.splat %b0 : !tile.ptr<f16> -> tensor<256x256x!tile.ptr<f16>>
  %b = tile.load %bp : tensor<256x256x!tile.ptr<f16>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[W:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<256x256xf16
  // CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[W]]
  // CHECK: scf.for
  // CHECK-NOT: tile_gpu.buffer<256x256xf16{{.*}} = tile_gpu.alloc_shared
  // CHECK: tile.dot %{{.*}}, %[[W]]
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a) -> (tensor<16x256xf16>) : i32 {
    %y = tile.load %ap : tensor<16x256x!tile.ptr<f16>>
    %w = arith.extf %y : tensor<16x256xf16> to tensor<16x256xf32>
    %d = tile.dot %u, %b, %w : tensor<16x256xf16>, tensor<256x256xf16> -> tensor<16x256xf32>
    %v = arith.truncf %d : tensor<16x256xf32> to tensor<16x256xf16>
    scf.yield %v : tensor<16x256xf16>
  }
  tile.return
}

// A loop that copies nothing leaves more to them: 60 % have room for both.
// CHECK-LABEL: tile.func @alone
tile.func @alone(%a0: !tile.ptr<f16>, %b0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<128x256x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<128x256x!tile.ptr<f16>>
  %bp = tile.splat %b0 : !tile.ptr<f16> -> tensor<256x128x!tile.ptr<f16>>
  %b = tile.load %bp : tensor<256x128x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<128x128x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-COUNT-2: tile_gpu.buffer_store
  // CHECK: scf.for
  // CHECK-NOT: tile_gpu.buffer_store
  // CHECK: tile.dot
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<128x128xf32>) : i32 {
    %d = tile.dot %a, %b, %u : tensor<128x256xf16>, tensor<256x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.return
}

// Loops behind each other read the same buffer.
// CHECK-LABEL: tile.func @loops
tile.func @loops(%a0: !tile.ptr<f16>, %p0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<64x32x!tile.ptr<f16>>
  %p = tile.splat %p0 : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[A:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16
  // CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[A]]
  // CHECK-NEXT: scf.for
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<64x64xf32>) : i32 {
    %b = tile.load %p : tensor<32x64x!tile.ptr<f16>>
    // CHECK: tile.dot %[[A]]
    %d = tile.dot %a, %b, %u : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  // CHECK: scf.for
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %s) -> (tensor<64x64xf32>) : i32 {
    %b = tile.load %p : tensor<32x64x!tile.ptr<f16>>
    // CHECK: tile.dot %[[A]]
    %d = tile.dot %a, %b, %u : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.return
}

// One that an earlier loop alone has read takes no room from a later one; the last loop has room for one of two.
// CHECK-LABEL: tile.func @over
tile.func @over(%a0: !tile.ptr<f16>, %b0: !tile.ptr<f16>, %p0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<128x256x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<128x256x!tile.ptr<f16>>
  %bp = tile.splat %b0 : !tile.ptr<f16> -> tensor<128x256x!tile.ptr<f16>>
  %b = tile.load %bp : tensor<128x256x!tile.ptr<f16>>
  %p = tile.splat %p0 : !tile.ptr<f16> -> tensor<256x64x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<128x64x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tile_gpu.buffer_store %{{.*}} -> !tile_gpu.buffer<128x256xf16
  // CHECK-NEXT: scf.for
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<128x64xf32>) : i32 {
    %v = tile.load %p : tensor<256x64x!tile.ptr<f16>>
    %d = tile.dot %a, %v, %u : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  // CHECK: tile_gpu.buffer_store %{{.*}} -> !tile_gpu.buffer<128x256xf16
  // CHECK-NEXT: scf.for
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %s) -> (tensor<128x64xf32>) : i32 {
    %v = tile.load %p : tensor<256x64x!tile.ptr<f16>>
    %d = tile.dot %b, %v, %u : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.return
}

// Of two branches one runs: what the other stored is not there, and 40 % have room for one of these in each.
// CHECK-LABEL: tile.func @branches
tile.func @branches(%a0: !tile.ptr<f16>, %p0: !tile.ptr<f16>, %x0: !tile.ptr<f32>, %n: i32, %c: i1) {
  %ap = tile.splat %a0 : !tile.ptr<f16> -> tensor<128x256x!tile.ptr<f16>>
  %a = tile.load %ap : tensor<128x256x!tile.ptr<f16>>
  %p = tile.splat %p0 : !tile.ptr<f16> -> tensor<256x64x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<128x64x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.if
  // CHECK: %[[THEN:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<128x256xf16
  // CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[THEN]]
  // CHECK-NEXT: scf.for
  // CHECK: tile.dot %[[THEN]]
  // CHECK: } else {
  // CHECK: %[[ELSE:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<128x256xf16
  // CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[ELSE]]
  // CHECK-NEXT: scf.for
  // CHECK: tile.dot %[[ELSE]]
  scf.if %c {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<128x64xf32>) : i32 {
      %b = tile.load %p : tensor<256x64x!tile.ptr<f16>>
      %d = tile.dot %a, %b, %u : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    }
    tile.store %xp, %s : tensor<128x64x!tile.ptr<f32>>
  } else {
    %h = arith.negf %a : tensor<128x256xf16>
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<128x64xf32>) : i32 {
      %b = tile.load %p : tensor<256x64x!tile.ptr<f16>>
      %d = tile.dot %h, %b, %u : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    }
    tile.store %xp, %s : tensor<128x64x!tile.ptr<f32>>
  }
  tile.return
}

// Nor is what a branch of a step transposes: it is stored in front of the loop.
// CHECK-LABEL: tile.func @transposed
tile.func @transposed(%k0: !tile.ptr<f16>, %q0: !tile.ptr<f16>, %chosen: !tile.ptr<i1>, %x0: !tile.ptr<f32>, %n: i32) {
  %kp = tile.splat %k0 : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %k = tile.load %kp : tensor<64x32x!tile.ptr<f16>>
  %q = tile.splat %q0 : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %xp = tile.splat %x0 : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %x = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[K:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf16
  // CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[K]]
  // CHECK-NEXT: scf.for
  // CHECK: scf.if
  // CHECK-NOT: !tile_gpu.buffer<32x64xf16{{.*}} = tile_gpu.alloc_shared
  // CHECK: tile.dot %{{.*}}, %[[K]]
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<64x64xf32>) : i32 {
    %at = tile.addptr %chosen, %i : !tile.ptr<i1>, i32
    %c = tile.load %at : !tile.ptr<i1>
    %t = scf.if %c -> tensor<64x64xf32> {
      %a = tile.load %q : tensor<64x32x!tile.ptr<f16>>
      %b = tile.trans %k order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %a, %b, %u : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } else {
      scf.yield %u : tensor<64x64xf32>
    }
    scf.yield %t : tensor<64x64xf32>
  }
  tile.store %xp, %s : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-hoist-loads))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#acc16 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>

// The row, its addresses and its mask; what is done with it stays.
// CHECK-LABEL: tile.func private @bias
// CHECK: %[[I:.*]] = tile.arange
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[I]]
// CHECK: %[[N:.*]] = tile.splat %arg5
// CHECK: %[[M:.*]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK: %[[V:.*]] = tile.load %[[P]], %[[M]]
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: arith.addf %[[V]], %[[V]]
tile.func private @bias(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %bias: !tile.ptr<f32>, %n: i32) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bases = tile.splat %bias : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  %i = tile.arange : tensor<64xi32, #row>
  %p = tile.addptr %bases, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<64xi32, #row>
  %in = arith.cmpi slt, %i, %ns : tensor<64xi32, #row>
  %v = tile.load %p, %in : tensor<64x!tile.ptr<f32>, #row>
  %y = arith.addf %v, %v : tensor<64xf32, #row>
  tile.return %y : tensor<64xf32, #row>
}

// In a branch, too, as all of a program is that may return early.
// CHECK-LABEL: tile.func private @branch
// CHECK: scf.if
// CHECK: %[[V:.*]] = tile.load
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: scf.yield %[[V]]
tile.func private @branch(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                  %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>, %none: tensor<64xf32, #row>) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %is = arith.cmpi slt, %c0, %k : i32
  %r = scf.if %is -> tensor<64xf32, #row> {
    %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
      %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    scf.yield %v : tensor<64xf32, #row>
  } else {
    scf.yield %none : tensor<64xf32, #row>
  }
  tile.return %r : tensor<64xf32, #row>
}

// A loop without dots is over before memory answers.
// CHECK-LABEL: tile.func private @short_loop
// CHECK: scf.for
// CHECK: tile.load
tile.func private @short_loop(%p: tensor<64x!tile.ptr<f32>, #row>, %k: i32) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%s = %c0) -> i32 : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
  tile.return %v : tensor<64xf32, #row>
}

// A tile as large as the sums (a residual), beside wgmma alone: it takes registers that nothing else wants.
// CHECK-LABEL: tile.func private @residual
// CHECK: tile.load
// CHECK: scf.for
tile.func private @residual(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %q: tensor<64x64x!tile.ptr<f32>, #acc>) -> tensor<64x64xf32, #acc> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  %v = tile.load %q : tensor<64x64x!tile.ptr<f32>, #acc>
  %y = arith.addf %sum, %v : tensor<64x64xf32, #acc>
  tile.return %y : tensor<64x64xf32, #acc>
}

// By mma.sync operands take registers, too.
// CHECK-LABEL: tile.func private @by_threads
// CHECK: scf.for
// CHECK: tile.load
tile.func private @by_threads(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %q: tensor<64x64x!tile.ptr<f32>, #acc>) -> tensor<64x64xf32, #acc> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by mma_sync : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  %v = tile.load %q : tensor<64x64x!tile.ptr<f32>, #acc>
  %y = arith.addf %sum, %v : tensor<64x64xf32, #acc>
  tile.return %y : tensor<64x64xf32, #acc>
}

// Rows that a step reads behind its first dot start in front of what it stores for that, in a branch and in a loop that writes: no
// pass starts them a step ahead there.
// CHECK-LABEL: tile.func private @in_branch
// CHECK: scf.if
// CHECK: tile.load
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot
// CHECK-NOT: tile.load
tile.func private @in_branch(%a: tensor<64x16xf16, #acc16>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %c: i1, %p: tensor<64x!tile.ptr<f32>, #row>) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32, #row>
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%u = %none) -> tensor<64xf32, #row> : i32 {
    %r = scf.if %c -> tensor<64xf32, #row> {
      %m = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 32>
      tile_gpu.buffer_store %a, %m : tensor<64x16xf16, #acc16> -> !tile_gpu.buffer<64x16xf16, swizzle = 32>
      %d = tile.dot %m, %b, %zero by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
      %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
      %y = arith.addf %u, %v : tensor<64xf32, #row>
      scf.yield %y : tensor<64xf32, #row>
    } else {
      scf.yield %u : tensor<64xf32, #row>
    }
    scf.yield %r : tensor<64xf32, #row>
  }
  tile.return %s : tensor<64xf32, #row>
}

// CHECK-LABEL: tile.func private @beside_writes
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.dot
// CHECK: tile.store
tile.func private @beside_writes(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>, %q: tensor<64x!tile.ptr<f32>, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %k step %c1 : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    tile.store %q, %v : tensor<64x!tile.ptr<f32>, #row>
  }
  tile.return
}

// Elsewhere tile-load-ahead does it.
// CHECK-LABEL: tile.func private @ahead_later
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: tile.load
tile.func private @ahead_later(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32, #row>
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%u = %none) -> tensor<64xf32, #row> : i32 {
    %d = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    %y = arith.addf %u, %v : tensor<64xf32, #row>
    scf.yield %y : tensor<64xf32, #row>
  }
  tile.return %s : tensor<64xf32, #row>
}

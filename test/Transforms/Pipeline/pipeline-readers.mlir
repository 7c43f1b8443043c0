// Whoever reads a tile that is copied ahead: a dot the slot itself, also transposed; others get it from there in
// registers, in the layout that they want.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=3}))' -verify-diagnostics | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#t = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#bits = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [0]], warp = [[0], [0]]>
!tile = tensor<32x32xf16, #v>
!turned = tensor<32x32xf16, #t>
!index = tensor<32x32xi32, #v>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>
!acc = tensor<32x32xf32, #acc>
!bias = tensor<32x32xf32, #v>
!biases = tensor<32x32x!tile.ptr<f32>, #v>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>
!other = !tile_gpu.buffer<32x32xf16, swizzle = 64, order = [0, 1]>
!plain = !tile_gpu.buffer<32x32xf16>
#apart = #tile_gpu.layout<register = [[0, 1, 0], [0, 2, 0], [0, 4, 0]], lane = [[0, 8, 0], [0, 16, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]]>
#halves = #tile_gpu.layout<register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 0, 1]], lane = [[0, 8, 0], [0, 16, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]]>
#numbers = #tile_gpu.layout<register = [[0, 2], [0, 4], [0, 8], [0, 1]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
!bytes = tensor<32x32xi8, #v>
!bytes_at = tensor<32x32x!tile.ptr<i8>, #v>
!byte_apart = tensor<32x32x1xi8, #apart>
!halves = tensor<32x32x2xi8, #halves>
!numbers = tensor<32x64xi8, #numbers>
!wide = tensor<32x64xf16, #numbers>

// One copy, for a dot and for another that reads it transposed.
// CHECK-LABEL: tile.func @both_ways
tile.func @both_ways(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
  // CHECK-NOT: tile_gpu.alloc_shared
  // CHECK: scf.for
  // CHECK: tile_gpu.async_commit
  // CHECK-NOT: tile.load
  // CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage
  // CHECK: tile.dot %[[SLOT]], %[[SLOT]]
  // CHECK: %[[TURNED:.*]] = tile_gpu.buffer_trans %[[SLOT]] order [1, 0]
  // CHECK: tile.dot %[[SLOT]], %[[TURNED]]
  // CHECK-NOT: tile_gpu.buffer_store
  // CHECK: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %far = arith.constant dense<1024> : !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %at = %p) -> (!acc, !ptrs) : i32 {
    %t = tile.load %at : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %u = tile.trans %t order [1, 0] : !tile -> !turned
    %e = tile_gpu.alloc_shared : !other
    tile_gpu.buffer_store %u, %e : !turned -> !other
    %f = tile.dot %b, %e, %d by mma_sync : !buffer, !other -> !acc
    %next = tile.addptr %at, %far : !ptrs, !index
    scf.yield %f, %next : !acc, !ptrs
  }
  tile.return
}

// Two dots that read the tile transposed, by buffers of one type: both look at the slot.
// CHECK-LABEL: tile.func @turned_twice
tile.func @turned_twice(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
  // CHECK-NOT: tile_gpu.alloc_shared
  // CHECK: scf.for
  // CHECK-NOT: tile_gpu.buffer_load
  // CHECK: %[[A:.*]] = tile_gpu.buffer_trans
  // CHECK: tile.dot %[[A]], %[[A]]
  // CHECK: %[[B:.*]] = tile_gpu.buffer_trans
  // CHECK: tile.dot %[[B]], %[[B]]
  // CHECK-NOT: tile_gpu.buffer_store
  // CHECK: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %far = arith.constant dense<1024> : !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %at = %p) -> (!acc, !ptrs) : i32 {
    %t = tile.load %at : !ptrs
    %u = tile.trans %t order [1, 0] : !tile -> !turned
    %b = tile_gpu.alloc_shared : !other
    tile_gpu.buffer_store %u, %b : !turned -> !other
    %d = tile.dot %b, %b, %a by mma_sync : !other, !other -> !acc
    %e = tile_gpu.alloc_shared : !other
    tile_gpu.buffer_store %u, %e : !turned -> !other
    %f = tile.dot %e, %e, %d by mma_sync : !other, !other -> !acc
    %next = tile.addptr %at, %far : !ptrs, !index
    scf.yield %f, %next : !acc, !ptrs
  }
  tile.return
}

// What a product begins with, as scores with a bias do, is copied ahead like its operands, and read as the sum lies.
// CHECK-LABEL: tile.func @begins
tile.func @begins(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-COUNT-2: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
  // CHECK: scf.for
  // CHECK-NOT: tile.load
  // CHECK: %[[BEGIN:.*]] = tile_gpu.buffer_load
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[BEGIN]]
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[WIDE]]
  // CHECK: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %ys = tile.splat %y : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %q = tile.addptr %ys, %o : !ptrs, !index
  %far = arith.constant dense<1024> : !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %at = %p, %by = %q) -> (!acc, !ptrs, !ptrs) : i32 {
    %t = tile.load %at : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %u = tile.load %by : !ptrs
    %h = tile_gpu.convert_layout %u : !tile -> tensor<32x32xf16, #acc>
    %w = arith.extf %h : tensor<32x32xf16, #acc> to !acc
    %d = tile.dot %b, %b, %w by mma_sync : !buffer, !buffer -> !acc
    %s = arith.addf %a, %d : !acc
    %next = tile.addptr %at, %far : !ptrs, !index
    %other = tile.addptr %by, %far : !ptrs, !index
    scf.yield %s, %next, %other : !acc, !ptrs, !ptrs
  }
  tile.return
}

// An operand that is computed with: threads read the slot, and store what they made of it.
// CHECK-LABEL: tile.func @converted
tile.func @converted(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, stages = 3>
  // CHECK: scf.for
  // CHECK: %[[SEEN:.*]] = tile_gpu.buffer_load
  // CHECK-NEXT: %[[MADE:.*]] = arith.negf %[[SEEN]]
  // CHECK: tile_gpu.buffer_store %[[MADE]]
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %u = arith.negf %t : !tile
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %u, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// A bias behind a mask of positions: threads read it out of the slot as the dot's sums lie, and what masked-out lanes
// have is chosen there. A mask that is made otherwise is not to be had there: what is read is moved.
// CHECK-LABEL: tile.func @masked
// CHECK-SAME: %[[GIVEN:[a-z0-9]*]]: tensor<32x32xi1,
tile.func @masked(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %given: tensor<32x32xi1, #v>, %c: !acc) {
  // CHECK: scf.for
  // CHECK: tile_gpu.async_commit
  // CHECK: %[[SEEN:.*]] = arith.cmpi slt, {{.*}} : tensor<32x32xi32, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0]
  // CHECK: %[[BIAS:.*]] = tile_gpu.buffer_load %{{.*}} -> tensor<32x32xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0]
  // CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %[[SEEN]], %[[BIAS]], %{{.*}} : tensor<32x32xi1
  // CHECK-NEXT: tile.dot %{{.*}}, %{{.*}}, %[[CHOSEN]]
  // CHECK: %[[READ:.*]] = tile_gpu.buffer_load
  // CHECK: %[[OWN:.*]] = arith.select %[[GIVEN]], %[[READ]], %{{.*}} : tensor<32x32xi1,
  // CHECK: %[[MOVED:.*]] = tile_gpu.convert_layout %[[OWN]]
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[MOVED]]
  // CHECK: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %ys = tile.splat %y : !tile.ptr<f32> -> !biases
  %q = tile.addptr %ys, %o : !biases, !index
  %end = tile.splat %n : i32 -> !index
  %low = arith.constant dense<0xFF800000> : !bias
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %ks = tile.splat %k : i32 -> !index
    %here = arith.addi %o, %ks : !index
    %in = arith.cmpi slt, %here, %end : !index
    %bias = tile.load %q, %in, %low : !biases
    %moved = tile_gpu.convert_layout %bias : !bias -> !acc
    %d = tile.dot %b, %b, %moved by mma_sync : !buffer, !buffer -> !acc
    %second = tile.load %q, %given, %low : !biases
    %second_moved = tile_gpu.convert_layout %second : !bias -> !acc
    %e = tile.dot %b, %b, %second_moved by mma_sync : !buffer, !buffer -> !acc
    %f = arith.addf %d, %e : !acc
    %g = arith.addf %a, %f : !acc
    scf.yield %g : !acc
  }
  tile.return
}

// Beside a dot's operand a row of numbers is copied, too, and read in the layout it was converted to. Masked-out lanes
// are what the load says.
// CHECK-LABEL: tile.func @row
tile.func @row(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %m: tensor<32xi1, #row>, %c: !acc) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32xf32, stages = 3>
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32xf32, stages = 3>
  // CHECK: scf.for
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile_gpu.buffer_load %{{.*}} : !tile_gpu.buffer<32xf32> -> tensor<32xf32, #tile_gpu.layout<register = {{\[\[}}1]]
  // CHECK: %[[LANES:.*]] = tile_gpu.buffer_load
  // CHECK-NEXT: arith.select %{{.*}}, %[[LANES]], %{{.*}} : tensor<32xi1
  // CHECK: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %j = tile.arange : tensor<32xi32, #row>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #row>
  %q = tile.addptr %ys, %j : tensor<32x!tile.ptr<f32>, #row>, tensor<32xi32, #row>
  %one = arith.constant dense<1.0> : tensor<32xf32, #row>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32xf32, #bits>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %s = %z, %w = %one) -> (!acc, tensor<32xf32, #bits>, tensor<32xf32, #row>) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %u = tile.load %q : tensor<32x!tile.ptr<f32>, #row>
    %v = tile_gpu.convert_layout %u : tensor<32xf32, #row> -> tensor<32xf32, #bits>
    %sum = arith.addf %s, %v : tensor<32xf32, #bits>
    %g = tile.load %q, %m, %one : tensor<32x!tile.ptr<f32>, #row>
    %h = arith.addf %w, %g : tensor<32xf32, #row>
    scf.yield %d, %sum, %h : !acc, tensor<32xf32, #bits>, tensor<32xf32, #row>
  }
  tile.return
}

// What cannot be copied stays, and what can is.
// CHECK-LABEL: tile.func @indirect
tile.func @indirect(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %at: !tile.ptr<i32>, %n: i32, %c: !acc) {
  // CHECK: scf.for
  // CHECK: tile_gpu.async_copy
  // CHECK: tile.load
  // CHECK: tile.dot
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %here = tile.addptr %at, %k : !tile.ptr<i32>, i32
    %table = tile.load %here : !tile.ptr<i32>
    %there = tile.addptr %at, %table : !tile.ptr<i32>, i32
    %where = tile.load %there : !tile.ptr<i32>
    %c8 = arith.constant 8 : i32
    %w8 = arith.muli %where, %c8 : i32
    %w = tile.splat %w8 : i32 -> !index
    %q = tile.addptr %p, %w : !ptrs, !index
    // expected-warning @+1 {{load is not pipelined: expected addresses that follow from arithmetic, or from a load whose own do}}
    %u = tile.load %q : !ptrs
    %e = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %u, %e : !tile -> !buffer
    %d = tile.dot %b, %e, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Bytes of two numbers each, which are repeated for the shift that takes them apart.
// CHECK-LABEL: tile.func @unpacked
tile.func @unpacked(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xi8, stages = 3>
  // CHECK: scf.for
  // CHECK: tile_gpu.async_commit
  // CHECK-NOT: tile.load
  // CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage
  // CHECK: %[[BYTES:.*]] = tile_gpu.buffer_load %[[SLOT]]
  // CHECK: tile.expand_dims %[[BYTES]] axis 2
  // CHECK: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<i8> -> !bytes_at
  %p = tile.addptr %xs, %o : !bytes_at, !index
  %far = arith.constant dense<1024> : !index
  %by = arith.constant dense<4> : !halves
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %at = %p) -> (!acc, !bytes_at) : i32 {
    %t = tile.load %at : !bytes_at
    %one = tile.expand_dims %t axis 2 : !bytes -> !byte_apart
    %two = tile.broadcast %one : !byte_apart -> !halves
    %half = arith.shrui %two, %by : !halves
    %w = tile.reshape %half : !halves -> !numbers
    %h = arith.uitofp %w : !numbers to !wide
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %b : !wide -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    %e = tile_gpu.buffer_trans %b order [1, 0] : !tile_gpu.buffer<32x64xf16, swizzle = 128> -> !tile_gpu.buffer<64x32xf16, swizzle = 128, order = [0, 1]>
    %d = tile.dot %b, %e, %a by mma_sync : !tile_gpu.buffer<32x64xf16, swizzle = 128>, !tile_gpu.buffer<64x32xf16, swizzle = 128, order = [0, 1]> -> !acc
    %next = tile.addptr %at, %far : !bytes_at, !index
    scf.yield %d, %next : !acc, !bytes_at
  }
  tile.return
}

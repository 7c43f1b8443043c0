// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-load-ahead,canonicalize,cse))' -verify-diagnostics | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#thin = #tile_gpu.layout<register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#column = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>
#columns = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>
#wide = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 16]]>
#half = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>
#many = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>
#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sum = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
!square = !tile_gpu.buffer<32x32xf16, swizzle = 64>
!a = !tile_gpu.buffer<64x16xf16, swizzle = 32>
!b = !tile_gpu.buffer<16x64xf16, swizzle = 128>
!s = tensor<64x64xf32, #acc>
!ptrs = tensor<64x!tile.ptr<f32>, #row>

// One of the counter, under its mask, and one of what the loop carries: the first step's in front, the next one's behind the dot.
// CHECK-LABEL: tile.func private @scales
// CHECK-SAME: %[[TO:arg[0-9]+]]: i32, %[[BASE:arg[0-9]+]]: tensor
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[TO]], %c0_i32
// CHECK: %[[MASK:.*]] = arith.andi
// CHECK: %[[X:.*]] = tile.load %{{.*}}, %[[MASK]], %{{.*}} :
// CHECK: %[[Y:.*]] = tile.load %[[BASE]], %{{.*}} :
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %[[TO]] step %c1_i32 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[BASE]], %{{.*}}, %[[X1:arg[0-9]+]] = %[[X]], %[[Y1:arg[0-9]+]] = %[[Y]])
// CHECK-NOT: tile.load
// CHECK: tile.dot
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[TO]]
// CHECK-COUNT-2: tile.load
// CHECK: arith.mulf %[[X1]], %[[Y1]]
tile.func private @scales(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs, %in: tensor<64xi1, #row>, %out: tensor<64xf32, #row>) -> (!s, tensor<64xf32, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %four = arith.constant dense<4> : tensor<64xi32, #row>
  %other = arith.constant dense<0.0> : tensor<64xf32, #row>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %p = %base, %t = %out) -> (!s, !ptrs, tensor<64xf32, #row>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q, %in, %other : !ptrs
    %y = tile.load %p : !ptrs
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    %xy = arith.mulf %x, %y : tensor<64xf32, #row>
    %sum = arith.addf %t, %xy : tensor<64xf32, #row>
    %next = tile.addptr %p, %four : !ptrs, tensor<64xi32, #row>
    scf.yield %d, %next, %sum : !s, !ptrs, tensor<64xf32, #row>
  }
  tile.return %r#0, %r#2 : !s, tensor<64xf32, #row>
}

// Gates of an operand are read in front of its dot, which stands at the end of the step: the next step's start as it begins.
// CHECK-LABEL: tile.func private @gates
// CHECK: %[[FIRST:.*]] = tile.load
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NOW:arg[0-9]+]] = %[[FIRST]])
// CHECK: arith.addi %{{.*}}, %c1_i32
// CHECK: %[[NEXT:.*]] = tile.load
// CHECK: arith.mulf %{{.*}}, %[[NOW]]
// CHECK: tile.dot
// CHECK-NOT: tile.load
// CHECK: scf.yield %{{.*}}, %[[NEXT]] :
tile.func private @gates(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs, %k: tensor<64xf32, #row>, %to: !tile_gpu.buffer<64xf32>) -> !s {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %g = tile.load %q : !ptrs
    %x = arith.mulf %k, %g : tensor<64xf32, #row>
    tile_gpu.buffer_store %x, %to : tensor<64xf32, #row> -> !tile_gpu.buffer<64xf32>
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    scf.yield %d : !s
  }
  tile.return %r : !s
}

// Operands that threads load: the next step's are asked for under the dot of this one's, also where they are converted on their way.
// CHECK-LABEL: tile.func private @operands
// CHECK: %[[X:.*]] = tile.load %{{.*}} : tensor<64x16x!tile.ptr<f16>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[X1:arg[0-9]+]] = %[[X]], %[[Y1:arg[0-9]+]] = %{{.*}})
// CHECK-NOT: tile.load
// CHECK: tile_gpu.buffer_store %[[X1]]
// CHECK-NEXT: tile.dot
// CHECK: %[[X2:.*]] = tile.load
// CHECK: %[[Z:.*]] = arith.extf %[[Y1]]
// CHECK: tile_gpu.buffer_store %[[Z]]
// CHECK-NEXT: tile.dot
// CHECK: %[[Y2:.*]] = tile.load
// CHECK: scf.yield %{{.*}}, %[[X2]], %[[Y2]]
tile.func private @operands(%zero: !s, %b: !b, %n: i32, %rows: tensor<64x16x!tile.ptr<f16>, #half>, %bytes: tensor<64x16x!tile.ptr<f8E4M3FN>, #half>) -> !s attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64x16xi32, #half>
    %p = tile.addptr %rows, %is : tensor<64x16x!tile.ptr<f16>, #half>, tensor<64x16xi32, #half>
    %x = tile.load %p : tensor<64x16x!tile.ptr<f16>, #half>
    %q = tile.addptr %bytes, %is : tensor<64x16x!tile.ptr<f8E4M3FN>, #half>, tensor<64x16xi32, #half>
    %y = tile.load %q : tensor<64x16x!tile.ptr<f8E4M3FN>, #half>
    %xs = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %x, %xs : tensor<64x16xf16, #half> -> !a
    %d = tile.dot %xs, %b, %s by wgmma : !a, !b -> !s
    %z = arith.extf %y : tensor<64x16xf8E4M3FN, #half> to tensor<64x16xf16, #half>
    %ys = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %z, %ys : tensor<64x16xf16, #half> -> !a
    %e = tile.dot %ys, %b, %d by wgmma : !a, !b -> !s
    scf.yield %e : !s
  }
  tile.return %r : !s
}

// Of a dot that threads compute, there is no fence to wait at: in front of it.
// CHECK-LABEL: tile.func private @in_front
// CHECK: scf.for
// CHECK-NOT: tile.load
// CHECK: tile_gpu.buffer_store
// CHECK: tile.load
// CHECK: tile.dot
tile.func private @in_front(%zero: tensor<32x32xf32, #sum>, %b: !square, %n: i32, %rows: tensor<32x32x!tile.ptr<f16>, #v>) -> tensor<32x32xf32, #sum> attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32, #sum>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %rows, %is : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
    %x = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %xs = tile_gpu.alloc_shared : !square
    tile_gpu.buffer_store %x, %xs : tensor<32x32xf16, #v> -> !square
    %d = tile.dot %xs, %b, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    scf.yield %d : tensor<32x32xf32, #sum>
  }
  tile.return %r : tensor<32x32xf32, #sum>
}

// Of four such loops in one block, as those of a filter's taps that its author wrote out, each may have a step or two: what would be loaded in
// front of all of them is held, or computed for nothing.
// CHECK-LABEL: tile.func private @taps
// CHECK-COUNT-4: scf.for
// CHECK: tile.load
// CHECK: tile_gpu.buffer_store
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func private @taps(%zero: tensor<32x32xf32, #sum>, %b: !square, %n: i32, %rows: tensor<32x32x!tile.ptr<f16>, #v>) -> tensor<32x32xf32, #sum> attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32, #sum>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %rows, %is : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
    // expected-remark @below {{load does not start a step ahead: expected fewer loops beside its own, found many}}
    %x = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %xs = tile_gpu.alloc_shared : !square
    tile_gpu.buffer_store %x, %xs : tensor<32x32xf16, #v> -> !square
    %d = tile.dot %xs, %b, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    scf.yield %d : tensor<32x32xf32, #sum>
  }
  %r1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r0) -> (tensor<32x32xf32, #sum>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %rows, %is : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
    // expected-remark @below {{load does not start a step ahead: expected fewer loops beside its own, found many}}
    %x = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %xs = tile_gpu.alloc_shared : !square
    tile_gpu.buffer_store %x, %xs : tensor<32x32xf16, #v> -> !square
    %d = tile.dot %xs, %b, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    scf.yield %d : tensor<32x32xf32, #sum>
  }
  %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r1) -> (tensor<32x32xf32, #sum>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %rows, %is : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
    // expected-remark @below {{load does not start a step ahead: expected fewer loops beside its own, found many}}
    %x = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %xs = tile_gpu.alloc_shared : !square
    tile_gpu.buffer_store %x, %xs : tensor<32x32xf16, #v> -> !square
    %d = tile.dot %xs, %b, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    scf.yield %d : tensor<32x32xf32, #sum>
  }
  %r3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r2) -> (tensor<32x32xf32, #sum>) : i32 {
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %rows, %is : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
    // expected-remark @below {{load does not start a step ahead: expected fewer loops beside its own, found many}}
    %x = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %xs = tile_gpu.alloc_shared : !square
    tile_gpu.buffer_store %x, %xs : tensor<32x32xf16, #v> -> !square
    %d = tile.dot %xs, %b, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    scf.yield %d : tensor<32x32xf32, #sum>
  }
  tile.return %r3 : tensor<32x32xf32, #sum>
}

// Pointers that the loop carries take the registers of accesses of 16 bytes: 32 of a thread's 255, not 256.
// CHECK-LABEL: tile.func private @carried_pointers
// CHECK: scf.for
// CHECK: tile_gpu.buffer_store
// CHECK: tile.load %{{.*}} : tensor<32x32x!tile.ptr<f16>
// CHECK: tile.dot
tile.func private @carried_pointers(%zero: tensor<32x32xf32, #sum>, %b: !square, %n: i32, %rows: tensor<32x32x!tile.ptr<f16>, #v>, %far: tensor<64x64x!tile.ptr<f16>, #many>, %to: !tile_gpu.buffer<64x64xf16>) -> tensor<32x32xf32, #sum> attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1> : tensor<64x64xi32, #many>
  %twos = arith.constant dense<2> : tensor<64x64xi32, #many>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %f = %far, %g = %far) -> (tensor<32x32xf32, #sum>, tensor<64x64x!tile.ptr<f16>, #many>, tensor<64x64x!tile.ptr<f16>, #many>) : i32 {
    tile_gpu.async_copy %g into %to : tensor<64x64x!tile.ptr<f16>, #many> -> !tile_gpu.buffer<64x64xf16>
    tile_gpu.async_copy %f into %to : tensor<64x64x!tile.ptr<f16>, #many> -> !tile_gpu.buffer<64x64xf16>
    %is = tile.splat %i : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %rows, %is : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
    %x = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %xs = tile_gpu.alloc_shared : !square
    tile_gpu.buffer_store %x, %xs : tensor<32x32xf16, #v> -> !square
    %d = tile.dot %xs, %b, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    %next = tile.addptr %f, %ones : tensor<64x64x!tile.ptr<f16>, #many>, tensor<64x64xi32, #many>
    %more = tile.addptr %g, %twos : tensor<64x64x!tile.ptr<f16>, #many>, tensor<64x64xi32, #many>
    scf.yield %d, %next, %more : tensor<32x32xf32, #sum>, tensor<64x64x!tile.ptr<f16>, #many>, tensor<64x64x!tile.ptr<f16>, #many>
  }
  tile.return %r#0 : tensor<32x32xf32, #sum>
}

// Thirty-two warps leave 64 registers to a thread: no room for 64 beside 32 of sums.
// CHECK-LABEL: tile.func private @narrow
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.dot
tile.func private @narrow(%zero: !s, %b: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %n: i32, %rows: tensor<64x64x!tile.ptr<f16>, #many>) -> !s attributes {tile.num_warps = 32 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64x64xi32, #many>
    %p = tile.addptr %rows, %is : tensor<64x64x!tile.ptr<f16>, #many>, tensor<64x64xi32, #many>
    // expected-remark @below {{load does not start a step ahead: expected registers for the next step's, found too few}}
    %x = tile.load %p : tensor<64x64x!tile.ptr<f16>, #many>
    %xs = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
    tile_gpu.buffer_store %x, %xs : tensor<64x64xf16, #many> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>
    %d = tile.dot %xs, %b, %s by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> !s
    scf.yield %d : !s
  }
  tile.return %r : !s
}

// Without a dot nobody is kept waiting by name: that loop is tile-pipeline's.
// CHECK-LABEL: tile.func private @no_dot
// CHECK: scf.for
// CHECK: tile.load
tile.func private @no_dot(%n: i32, %base: !ptrs, %zero: tensor<64xf32, #row>) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (tensor<64xf32, #row>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q : !ptrs
    %sum = arith.addf %t, %x : tensor<64xf32, #row>
    scf.yield %sum : tensor<64xf32, #row>
  }
  tile.return %r : tensor<64xf32, #row>
}

// An address that a load gives, which is read at once, so that it starts two steps ahead, and what is found there one; and a tile of many words.
// CHECK-LABEL: tile.func private @others
// CHECK: tile.load {{.*}}!tile.ptr<i32>
// CHECK: tile.load {{.*}}!tile.ptr<i32>
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[AT:arg[0-9]+]] = %{{[^,]*}}, %[[X:arg[0-9]+]] = %{{[^,]*}})
// CHECK: tile.load {{.*}} : tensor<64x32x!tile.ptr<f32>
// CHECK-NOT: tile.load
// CHECK: tile.dot
// CHECK: %[[WHERE:.*]] = tile.addptr %{{.*}}, %[[AT]]
// CHECK: %[[NEXT:.*]] = tile.load %[[WHERE]]
// CHECK: %[[LATER:.*]] = tile.load {{.*}}!tile.ptr<i32>
// CHECK: scf.yield {{.*}}, %[[LATER]], %[[NEXT]] :
tile.func private @others(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs, %numbers: tensor<64x!tile.ptr<i32>, #row>,
                          %many: tensor<64x32x!tile.ptr<f32>, #wide>, %out: tensor<64xf32, #row>)
    -> (!s, tensor<64xf32, #row>, tensor<64x32xf32, #wide>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32, #wide>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %out, %u = %zeros) -> (!s, tensor<64xf32, #row>, tensor<64x32xf32, #wide>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %where = tile.addptr %numbers, %is : tensor<64x!tile.ptr<i32>, #row>, tensor<64xi32, #row>
    %at = tile.load %where : tensor<64x!tile.ptr<i32>, #row>
    %q = tile.addptr %base, %at : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q : !ptrs
    // expected-remark @below {{load does not start a step ahead: expected at most 4 words a thread, found more}}
    %w = tile.load %many : tensor<64x32x!tile.ptr<f32>, #wide>
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    %sum = arith.addf %t, %x : tensor<64xf32, #row>
    %v = arith.addf %u, %w : tensor<64x32xf32, #wide>
    scf.yield %d, %sum, %v : !s, tensor<64xf32, #row>, tensor<64x32xf32, #wide>
  }
  tile.return %r#0, %r#1, %r#2 : !s, tensor<64xf32, #row>, tensor<64x32xf32, #wide>
}

// What the loop writes may be what the next step reads.
// CHECK-LABEL: tile.func private @writes
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.dot
tile.func private @writes(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs) -> !s {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    // expected-remark @below {{load does not start a step ahead: expected a loop that writes nothing to memory, found another}}
    %x = tile.load %q : !ptrs
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    tile.store %base, %x : !ptrs
    scf.yield %d : !s
  }
  tile.return %r : !s
}

// A warp of its own copies boxes ahead of what consumers write to other arguments: so does a load beside them; of the same argument
// it stays.
// CHECK-LABEL: tile.func @writes_in_role
// CHECK: consumer {
// CHECK: %[[FIRST:.*]] = tile.load
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[NOW:.*]] = %[[FIRST]])
// CHECK: tile.load
// CHECK: tile.dot
// CHECK: %[[NEXT:.*]] = tile.load
// CHECK: tile.store %{{.*}}, %[[NOW]]
// CHECK: scf.yield {{.*}}%[[NEXT]] :
tile.func @writes_in_role(%n: i32, %base: !ptrs, %to: !ptrs, %other: !ptrs) attributes {tile.num_warps = 4 : i32, tile_gpu.block_warps = 8 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = tile_gpu.alloc_shared : !a
    %b = tile_gpu.alloc_shared : !b
    %zero = arith.constant dense<0.0> : !s
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
      %is = tile.splat %i : i32 -> tensor<64xi32, #row>
      %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
      %x = tile.load %q : !ptrs
      %t = tile.addptr %to, %is : !ptrs, tensor<64xi32, #row>
      // expected-remark @below {{load does not start a step ahead: expected a loop that writes nothing to memory, found another}}
      %y = tile.load %t : !ptrs
      %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
      tile.store %to, %x : !ptrs
      tile.store %other, %y : !ptrs
      scf.yield %d : !s
    }
  }
  tile.return
}

// But sums that all programs add to, in another array, nobody reads yet; where it is the same, it may be its own.
// CHECK-LABEL: tile.func private @adds
// CHECK: tile.load
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: tile.load
// CHECK: tile.atomic_rmw
tile.func private @adds(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs, %sums: !ptrs) -> !s {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q : !ptrs
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    %old = tile.atomic_rmw fadd acq_rel gpu %sums, %x : !ptrs
    scf.yield %d : !s
  }
  tile.return %r : !s
}

// The array of sums is known through what repeats and rearranges pointers.
// CHECK-LABEL: tile.func private @adds_in_rows
// CHECK: tile.load
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: tile.load
// CHECK: tile.atomic_rmw
tile.func private @adds_in_rows(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs, %sums: tensor<64x1x!tile.ptr<f32>, #thin>) -> !s {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q : !ptrs
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    %w = tile.expand_dims %x axis 1 : tensor<64xf32, #row> -> tensor<64x1xf32, #column>
    %y = tile.broadcast %w : tensor<64x1xf32, #column> -> tensor<64x64xf32, #columns>
    %wide = tile.broadcast %sums : tensor<64x1x!tile.ptr<f32>, #thin> -> tensor<64x64x!tile.ptr<f32>, #acc>
    %there = tile_gpu.convert_layout %wide : tensor<64x64x!tile.ptr<f32>, #acc> -> tensor<64x64x!tile.ptr<f32>, #columns>
    %old = tile.atomic_rmw fadd relaxed gpu %there, %y : tensor<64x64x!tile.ptr<f32>, #columns>
    scf.yield %d : !s
  }
  tile.return %r : !s
}

// So it is where the copy engine adds.
// CHECK-LABEL: tile.func @adds_boxes
// CHECK: tile.load
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: tile.load
// CHECK: tile_gpu.tma_store
tile.func @adds_boxes(%a: !tile.ptr<f16>, %numbers: !tile.ptr<f32>, %sums: !tile.ptr<f32>, %n: i32, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !s
  %sa = tile_gpu.alloc_shared : !a
  %sb = tile_gpu.alloc_shared : !b
  %box = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x32xf32, swizzle = 128>
  %d = tile.make_desc %sums, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x32xf32>
  %base = tile.splat %numbers : !tile.ptr<f32> -> !ptrs
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q : !ptrs
    %dot = tile.dot %sa, %sb, %acc by wgmma : !a, !b -> !s
    tile_gpu.tma_store %d[%i, %c0] from %box {add} : !tile.desc<64x32xf32>, !tile_gpu.buffer<64x32xf32, swizzle = 128>
    tile.print "x" %x : tensor<64xf32, #row>
    scf.yield %dot : !s
  }
  tile.print "sum" %r : !s
  tile.return
}

// CHECK-LABEL: tile.func private @adds_there
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.dot
tile.func private @adds_there(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs) -> !s {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    // expected-remark @below {{load does not start a step ahead: expected a loop that writes nothing to memory, found another}}
    %x = tile.load %q : !ptrs
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    %old = tile.atomic_rmw fadd relaxed gpu %base, %x : !ptrs
    scf.yield %d : !s
  }
  tile.return %r : !s
}

// Beside dots that threads compute themselves, too: the next step's are asked for as the step begins.
// CHECK-LABEL: tile.func private @by_threads
// CHECK: %[[X:.*]] = tile.load
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %[[TO:.*]] step %c1_i32 iter_args({{.*}}, %[[X1:arg[0-9]+]] = %[[X]])
// CHECK-NOT: tile.dot
// CHECK: tile.load
// CHECK: tile.dot
// CHECK: arith.addf %{{.*}}, %[[X1]]
tile.func private @by_threads(%a: !square, %zero: tensor<32x32xf32, #sum>, %n: i32, %base: !ptrs, %out: tensor<64xf32, #row>) -> (tensor<32x32xf32, #sum>, tensor<64xf32, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %out) -> (tensor<32x32xf32, #sum>, tensor<64xf32, #row>) : i32 {
    %is = tile.splat %i : i32 -> tensor<64xi32, #row>
    %q = tile.addptr %base, %is : !ptrs, tensor<64xi32, #row>
    %x = tile.load %q : !ptrs
    %d = tile.dot %a, %a, %s by mma_sync : !square, !square -> tensor<32x32xf32, #sum>
    %u = arith.addf %t, %x : tensor<64xf32, #row>
    scf.yield %d, %u : tensor<32x32xf32, #sum>, tensor<64xf32, #row>
  }
  tile.return %r#0, %r#1 : tensor<32x32xf32, #sum>, tensor<64xf32, #row>
}

// Rows of a block that a list names: the next block's number is loaded ahead, and so they can be, though they are read first.
// CHECK-LABEL: tile.func private @listed
// CHECK: %[[BLOCK:.*]] = tile.load %{{.*}} : !tile.ptr<i32>
// CHECK: %[[ROW:.*]] = tile.load %{{.*}} : tensor<64x!tile.ptr<f32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[BLOCK1:.*]] = %[[BLOCK]], %[[ROW1:.*]] = %[[ROW]])
// CHECK-NOT: tile.load
// CHECK: tile.dot
// CHECK-COUNT-2: tile.load
// CHECK: arith.addf %{{.*}}, %[[ROW1]]
tile.func private @listed(%a: !a, %b: !b, %zero: !s, %n: i32, %base: !ptrs, %list: !tile.ptr<i32>, %out: tensor<64xf32, #row>) -> (!s, tensor<64xf32, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %out, %at = %c0) -> (!s, tensor<64xf32, #row>, i32) : i32 {
    %ats = tile.splat %at : i32 -> tensor<64xi32, #row>
    %p = tile.addptr %base, %ats : !ptrs, tensor<64xi32, #row>
    %x = tile.load %p : !ptrs
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> !s
    %sum = arith.addf %t, %x : tensor<64xf32, #row>
    %q = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %block = tile.load %q : !tile.ptr<i32>
    %next = arith.addi %at, %block : i32
    scf.yield %d, %sum, %next : !s, tensor<64xf32, #row>, i32
  }
  tile.return %r#0, %r#1 : !s, tensor<64xf32, #row>
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot,tile-assign-layouts,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// One warp group owns the whole product. B is read as it lies, N fastest.
// CHECK-LABEL: llvm.func @whole
tile.func @whole(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // What threads wrote is fenced for the tensor cores before the barrier.
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK-NEXT: gpu.barrier
  // CHECK: nvvm.wgmma.fence.aligned
  // The steps are one llvm.inline_asm. The first adds to nothing, and no output starts from what it was; A lies with K fastest,
  // B with N: transposed. The next 16 of K are 32 bytes on for A, whose rows have 64, and 2048 for B: added where it is wanted,
  // whatever loop is around it.
  // CHECK: llvm.inline_asm has_side_effects "{\0A.reg .pred sum, none;\0A.reg .b64 a, b;\0Asetp.ne.b32 sum, 1, 0;\0Asetp.ne.b32 none, 0, 0;\0A
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, none, 1, 1, 0, 1;\0A
  // CHECK-SAME: add.s64 b, $33, 128;\0Aadd.s64 a, $32, 2;\0A
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, a, b, sum, 1, 1, 0, 1;\0A}\0A", "=&f,{{.*}},=&f,l,l"
  // CHECK-NOT: wgmma.mma_async
  // The wait reads and writes the sums: nothing that computes with them moves in front of it.
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  // CHECK-NOT: nvvm.wgmma.wait.group
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,{{.*}},0,{{.*}},31"
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %o = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Rows of B of 64 bytes: the next 8 of K are 512 bytes on, the next k16 1024. The descriptor's bits are those of the
// 64-byte swizzle (2 << 62), a stride of 512 and, what no instruction of 32 columns needs, a leading offset of 2048.
// CHECK-LABEL: llvm.func @narrow
// CHECK: arith.constant -9223371899407433728 : i64
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, {{.*}}, $15}, $16, $17, none, 1, 1, 0, 1;
tile.func @narrow(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x32xf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %o = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x32xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  tile.store %q, %d : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

// Two warp groups of 32 columns each share the rows of B's swizzle, of 64: the second begins 64 bytes within the first row.
// CHECK-LABEL: llvm.func @halves_of_a_row
tile.func @halves_of_a_row(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %p: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange : tensor<4096xi32>
  %o = tile.reshape %i : tensor<4096xi32> -> tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %ptrs = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %a = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
  %b = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
  // CHECK: %[[COLUMN:.*]] = arith.remui %{{.*}}, %c2_i32
  // CHECK: %[[ROW:.*]] = arith.divui %[[COLUMN]], %c2_i32
  // CHECK: %[[REST:.*]] = arith.remui %[[COLUMN]], %c2_i32
  // CHECK: arith.muli %[[ROW]], %c8192_i32
  // CHECK: arith.muli %[[REST]], %c64_i32
  // CHECK: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16
  %d = tile.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// A wait names how many groups may still be on their way; the values are those of its operand.
// CHECK-LABEL: llvm.func @waits
tile.func @waits() {
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 1
  %y = tile_gpu.dot_wait %x pending 1 : tensor<64x64xf32>
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
  %z = tile_gpu.dot_wait %y pending 0 : tensor<64x64xf32>
  tile.return
}

// What is tied passes through the wait, as f32 or as words of two halves.
// CHECK-LABEL: llvm.func @tied
tile.func @tied() {
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "=f,{{.*}},0,{{.*}},31" {{.*}} -> !llvm.struct<(f32,
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=r,{{.*}},0,{{.*}},15" {{.*}} -> !llvm.struct<(i32,
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %y = tile_gpu.dot_wait %x pending 1 tied : tensor<64x64xf32>
  %h = arith.constant dense<1.0> : tensor<64x64xf16>
  %z = tile_gpu.dot_wait %h pending 0 tied : tensor<64x64xf16>
  tile.return
}

// What one dot computed is A of the next as it lies in registers: half of the 64 of a fragment row each, [N] x [K] for
// the second. Only B goes through shared memory. The fence is behind the last write of A.
// CHECK-LABEL: llvm.func @chained
tile.func @chained(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xbf16>
  %b = arith.constant dense<1.0> : tensor<32x64xbf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %v = arith.constant dense<1.0> : tensor<64x128xbf16>
  %c2 = arith.constant dense<0.0> : tensor<64x128xf32>
  // CHECK: llvm.inline_asm {{.*}}wgmma.mma_async
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
  // CHECK: %[[HALF:.*]] = arith.truncf %{{.*}} : vector<32xf32> to vector<32xbf16>
  // CHECK: %[[WORDS:.*]] = llvm.bitcast %[[HALF]] : vector<32xbf16> to vector<16xi32>
  // CHECK: nvvm.wgmma.fence.aligned
  // CHECK: %[[W0:.*]] = vector.extract %[[WORDS]][0]
  // CHECK: %[[W1:.*]] = vector.extract %[[WORDS]][1]
  // CHECK: %[[W15:.*]] = vector.extract %[[WORDS]][15]
  // Four words a step, then where B lies, with N fastest: transposed.
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}\0Awgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {$0, {{.*}}, $63}, {$64, $65, $66, $67}, $80, none, 1, 1, 1;\0A
  // CHECK-SAME: add.s64 b, $80, 128;\0Awgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {$0, {{.*}}, $63}, {$68, $69, $70, $71}, b, sum, 1, 1, 1;
  // CHECK-SAME: {$76, $77, $78, $79}, b, sum, 1, 1, 1;\0A}\0A", "=&f,{{.*}},=&f,r,{{.*}},r,l" %[[W0]], %[[W1]], {{.*}}, %[[W15]], %{{[0-9]+}} : (i32,
  // CHECK-NOT: wgmma.mma_async
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  %d = tile.dot %a, %b, %c : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  %half = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  %e = tile.dot %half, %v, %c2 : tensor<64x64xbf16>, tensor<64x128xbf16> -> tensor<64x128xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %o = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x128xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x128x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x128x!tile.ptr<f32>>, tensor<64x128xi32>
  tile.store %q, %e : tensor<64x128x!tile.ptr<f32>>
  tile.return
}

// A warp group that has nothing to do leaves out the fence, its products and their group.
// CHECK-LABEL: llvm.func @when
tile.func @when(%c: i32) {
  %s = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %g = tile_gpu.warp_group
  // CHECK: %[[OURS:.*]] = arith.cmpi eq, %{{.*}}, %arg0 : i32
  %ours = arith.cmpi eq, %g, %c : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
  // CHECK: %[[SUM:.*]] = scf.if %[[OURS]] -> (vector<32xf32>) {
  // CHECK:   nvvm.wgmma.fence.aligned
  // CHECK: llvm.inline_asm {{.*}}wgmma.mma_async
  // CHECK:   nvvm.wgmma.commit.group.sync.aligned
  // CHECK:   scf.yield
  // CHECK: } else {
  // Who leaves its part open goes on together, as behind a product: one of its warps gives the slot back for all.
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  // CHECK-NEXT: %[[OPEN:.*]] = llvm.mlir.poison : vector<32xf32>
  // CHECK-NEXT: scf.yield %[[OPEN]]
  %d = tile.dot %s, %s, %zero by wgmma async when %ours : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
  tile.return
}

// Of 128 columns the first 72 are multiplied: 36 of the 64 accumulators of each 64 rows. The others stay what they were.
#wide = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
// CHECK-LABEL: llvm.func @padding
tile.func @padding(%n: i32) {
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #wide>
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (vector<128xf32>)
  // CHECK: vector.extract %[[X]][0]
  // CHECK: %[[OLD35:.*]] = vector.extract %[[X]][35]
  // CHECK: %[[TOP:.*]] = llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 sum, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n72k16.f32.f16.f16 {$0, {{.*}}, $35}, $36, $37, sum, 1, 1, 0, 1;{{.*}}", "=&f,{{.*}},=&f,l,l,0,{{.*}},35" {{.*}}, %[[OLD35]] : (i64, i64, f32,
  // CHECK: vector.extract %[[X]][64]
  // CHECK: vector.extract %[[X]][99]
  // The next 64 rows of A are 8192 bytes on.
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}add.s64 a, $36, 512;\0Awgmma.mma_async.sync.aligned.m64n72k16.f32.f16.f16 {$0, {{.*}}, $35}, a, $37, sum, 1, 1, 0, 1;{{.*}}", "=&f,
  // CHECK-NOT: wgmma.mma_async
  // CHECK: %[[KEPT:.*]] = vector.extract %[[X]][36]
  // CHECK: vector.from_elements {{.*}}, %[[KEPT]], {{.*}} : vector<128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> tensor<128x128xf32, #wide> : i32 {
    %d = tile.dot %a, %b, %x by wgmma {tile.extents = array<i64: 128, 72>} : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #wide>
    scf.yield %d : tensor<128x128xf32, #wide>
  }
  tile.return
}

// What a dot adds to is wanted in the next step, too: its copy is made in front of the fence.
#sums = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
// CHECK-LABEL: llvm.func @wanted_again
// CHECK: %[[OWN:.*]] = llvm.inline_asm has_side_effects "", "=f,{{.*}},0,{{.*}},31"
// CHECK: %[[FIRST:.*]] = llvm.extractvalue %[[OWN]][0]
// CHECK: %[[TILE:.*]] = vector.from_elements %[[FIRST]],
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: %[[SUM:.*]] = vector.extract %[[TILE]][0]
// CHECK: wgmma.mma_async{{.*}} %[[SUM]],
tile.func @wanted_again(%n: i32, %x: f32) {
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %bias = tile.splat %x : f32 -> tensor<64x64xf32, #sums>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #sums> : i32 {
    %d = tile.dot %a, %a, %bias by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #sums>
    %t = arith.addf %s, %d : tensor<64x64xf32, #sums>
    scf.yield %t : tensor<64x64xf32, #sums>
  }
  tile.return
}

// A sum's start is that of a row above it, too: one register each in front of the fence.
// CHECK-LABEL: llvm.func @row
// CHECK: llvm.inline_asm has_side_effects "", "=f,{{.*}},0,{{.*}},31"
// CHECK: nvvm.wgmma.fence.aligned
#row = #tile_gpu.layout<register = [[0, 1], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
tile.func @row(%p: !tile.ptr<f32>) {
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %at = tile.splat %p : !tile.ptr<f32> -> tensor<1x64x!tile.ptr<f32>, #row>
  %row = tile.load %at : tensor<1x64x!tile.ptr<f32>, #row>
  %bias = tile.broadcast %row : tensor<1x64xf32, #row> -> tensor<64x64xf32, #sums>
  %d = tile.dot %a, %a, %bias by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #sums>
  tile.return
}

// So it is of what a mask makes of two numbers, of which a row's, or all, may be known to be the same.
// CHECK-LABEL: llvm.func @mask
// CHECK: llvm.inline_asm has_side_effects "", "=f,{{.*}},0,{{.*}},31"
// CHECK: nvvm.wgmma.fence.aligned
tile.func @mask(%n: i32) {
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %column = tile.arange : tensor<64xi32, #tile_gpu.layout<register = [[1], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>>
  %line = tile.expand_dims %column axis 0 : tensor<64xi32, #tile_gpu.layout<register = [[1], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>> -> tensor<1x64xi32, #row>
  %ends = tile.splat %n : i32 -> tensor<1x64xi32, #row>
  %in = arith.cmpi slt, %line, %ends : tensor<1x64xi32, #row>
  %inside = tile.broadcast %in : tensor<1x64xi1, #row> -> tensor<64x64xi1, #sums>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %least = arith.constant dense<0xFF800000> : tensor<64x64xf32, #sums>
  %start = arith.select %inside, %zero, %least : tensor<64x64xi1, #sums>, tensor<64x64xf32, #sums>
  %d = tile.dot %a, %a, %start by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #sums>
  tile.return
}

// What each thread has loaded for itself is not copied.
// CHECK-LABEL: llvm.func @own
// CHECK-NOT: llvm.inline_asm has_side_effects ""
// CHECK: nvvm.wgmma.fence.aligned
tile.func @own(%at: !tile.ptr<f32>) {
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %p = tile.splat %at : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>, #sums>
  %x = tile.load %p : tensor<64x64x!tile.ptr<f32>, #sums>
  %two = arith.constant dense<2.0> : tensor<64x64xf32, #sums>
  %start = arith.mulf %x, %two : tensor<64x64xf32, #sums>
  %d = tile.dot %a, %a, %start by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #sums>
  tile.return
}

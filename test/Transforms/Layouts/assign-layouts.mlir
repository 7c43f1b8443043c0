// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts{num-warps=8}))' | FileCheck %s --check-prefix=WARPS

// Consecutive registers along memory up to 16 bytes, then lanes, then warps.
// CHECK-LABEL: tile.func @coalesced
// CHECK-SAME: attributes {tile.num_warps = 4 : i32}
// WARPS-LABEL: tile.func @coalesced
// WARPS-SAME: attributes {tile.num_warps = 8 : i32}
tile.func @coalesced(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, [[V:#tile_gpu.layout<register = \[\[1\], \[2\], \[512\]\], lane = \[\[4\], \[8\], \[16\], \[32\], \[64\]\], warp = \[\[128\], \[256\]\]>]]>
  // WARPS: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256], [512]]>>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  // CHECK: arith.addf {{.*}} : tensor<1024xf32, [[V]]>
  %w = arith.addf %v, %v : tensor<1024xf32>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, [[V]]>
  tile.store %xp, %w : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Pointers of unknown alignment: one element a register, neighbours in neighbouring lanes, and what a warp
// has side by side.
// CHECK-LABEL: tile.func @unaligned
tile.func @unaligned(%x: !tile.ptr<f32>) {
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}32], [64], [128]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}256], [512]]>>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Columns that are contiguous in memory lie in registers, whatever their place in the type.
// CHECK-LABEL: tile.func @column_major
tile.func @column_major(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}) {
  %r = tile.arange : tensor<64xi32>
  %row = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.arange : tensor<32xi32>
  %col = tile.expand_dims %c axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %s = tile.splat %stride : i32 -> tensor<1x32xi32>
  %far = arith.muli %col, %s : tensor<1x32xi32>
  %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
  %cols = tile.broadcast %far : tensor<1x32xi32> -> tensor<64x32xi32>
  %offs = arith.addi %rows, %cols : tensor<64x32xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  // CHECK: tile.load {{.*}} : tensor<64x32x!tile.ptr<f16>, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 16]], lane = {{\[\[}}8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = {{\[\[}}0, 4], [0, 8]]>>
  %v = tile.load %xp : tensor<64x32x!tile.ptr<f16>>
  tile.return
}

// A row kernel, as softmax: reductions leave slices, which broadcast without a conversion.
// CHECK-LABEL: tile.func @rows
tile.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}) {
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.load {{.*}} : tensor<16x256x!tile.ptr<f32>, [[V:#tile_gpu.layout<.*>]]>
  // CHECK: %[[M:.*]] = tile.reduce max {{.*}} : tensor<16x256xf32, [[V]]> -> tensor<16xf32, [[S:#tile_gpu.layout<register = \[\[4\], \[8\]\], lane = \[\[0\], \[0\], \[0\], \[0\], \[0\]\], warp = \[\[1\], \[2\]\]>]]>
  // CHECK: tile.expand_dims %[[M]] axis 1 : tensor<16xf32, [[S]]>
  // CHECK: tile.broadcast {{.*}} -> tensor<16x256xf32, [[V]]>
  // CHECK: arith.subf {{.*}} : tensor<16x256xf32, [[V]]>
  // CHECK: tile.reduce add {{.*}} : tensor<16x256xf32, [[V]]> -> tensor<16xf32, [[S]]>
  // CHECK: arith.divf {{.*}} : tensor<16x256xf32, [[V]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.store {{.*}} : tensor<16x256x!tile.ptr<f32>, [[V]]>
  %cols = tile.arange : tensor<256xi32>
  %rows = tile.arange : tensor<16xi32>
  %c = tile.expand_dims %cols axis 0 : tensor<256xi32> -> tensor<1x256xi32>
  %r = tile.expand_dims %rows axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %s = tile.splat %stride : i32 -> tensor<16x1xi32>
  %rs = arith.muli %r, %s : tensor<16x1xi32>
  %rw = tile.broadcast %rs : tensor<16x1xi32> -> tensor<16x256xi32>
  %cw = tile.broadcast %c : tensor<1x256xi32> -> tensor<16x256xi32>
  %offs = arith.addi %rw, %cw : tensor<16x256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x256x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x256x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<16x256x!tile.ptr<f32>>, tensor<16x256xi32>
  %yp = tile.addptr %ys, %offs : tensor<16x256x!tile.ptr<f32>>, tensor<16x256xi32>
  %v = tile.load %xp : tensor<16x256x!tile.ptr<f32>>
  %m = tile.reduce max %v axis 1 : tensor<16x256xf32> -> tensor<16xf32>
  %m1 = tile.expand_dims %m axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %mw = tile.broadcast %m1 : tensor<16x1xf32> -> tensor<16x256xf32>
  %d = arith.subf %v, %mw : tensor<16x256xf32>
  %e = math.exp2 %d : tensor<16x256xf32>
  %t = tile.reduce add %e axis 1 : tensor<16x256xf32> -> tensor<16xf32>
  %t1 = tile.expand_dims %t axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %tw = tile.broadcast %t1 : tensor<16x1xf32> -> tensor<16x256xf32>
  %o = arith.divf %e, %tw : tensor<16x256xf32>
  tile.store %yp, %o : tensor<16x256x!tile.ptr<f32>>
  tile.return
}

// Indices are recomputed for each layout that asks: here a vectorized load and a scattered one.
// CHECK-LABEL: tile.func @flexible
tile.func @flexible(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i8>) {
  // CHECK-DAG: tile.arange : tensor<1024xi32, [[WIDE:#tile_gpu.layout<register = \[\[1\], \[2\], .*>]]>
  // CHECK-DAG: tile.arange : tensor<1024xi32, [[NARROW:#tile_gpu.layout<register = \[\[32\], .*>]]>
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ys = tile.splat %y : !tile.ptr<i8> -> tensor<1024x!tile.ptr<i8>>
  %yp = tile.addptr %ys, %lane : tensor<1024x!tile.ptr<i8>>, tensor<1024xi32>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, [[WIDE]]>
  // CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<i8>, [[NARROW]]>
  // CHECK: tile.return
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %w = tile.load %yp : tensor<1024x!tile.ptr<i8>>
  tile.return
}

// The accumulator has the instruction's layout, constants in front of the loop are made in it, and
// the operands go through shared buffers. Nothing is converted in the loop; behind it, the result is
// converted once, as narrow as it is stored.
// CHECK-LABEL: tile.func @dot
tile.func @dot(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: arith.constant dense<0.000000e+00> : tensor<64x64xf32, [[ACC:#tile_gpu.layout<register = \[\[0, 1\], \[8, 0\], \[0, 8\], \[0, 16\], \[16, 0\]\], lane = \[\[0, 2\], \[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\]\], warp = \[\[0, 32\], \[32, 0\]\]>]]>
  // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, [[ACC]]>)
  // CHECK: %[[V:.*]] = tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>, [[MEM:#tile_gpu.layout<register = \[\[0, 1\], \[0, 2\], \[0, 4\], \[16, 0\], \[32, 0\]\].*>]]>
  // CHECK: %[[A:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  // CHECK: tile_gpu.buffer_store %[[V]], %[[A]]
  // CHECK: %[[B:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  // CHECK: tile_gpu.buffer_store %[[V]], %[[B]]
  // CHECK: tile.dot %[[A]], %[[B]], %{{.*}} by mma_sync : {{.*}} -> tensor<64x64xf32, [[ACC]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: scf.yield
  // CHECK: %[[R:.*]] = arith.truncf {{.*}} : tensor<64x64xf32, [[ACC]]> to tensor<64x64xf16, [[ACC]]>
  // CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[R]] : tensor<64x64xf16, [[ACC]]> -> tensor<64x64xf16, [[MEM]]>
  // CHECK: tile.store {{.*}}, %[[C]] : tensor<64x64x!tile.ptr<f16>, [[MEM]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.return
  %r = tile.arange : tensor<64xi32>
  %row = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %col = tile.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %far = arith.muli %row, %c64 : tensor<64x1xi32>
  %rows = tile.broadcast %far : tensor<64x1xi32> -> tensor<64x64xi32>
  %cols = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %offs = arith.addi %rows, %cols : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %offs : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %yp = tile.addptr %ys, %offs : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %v = tile.load %xp : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %v, %v, %acc by mma_sync : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %out = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.store %yp, %out : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

// FMA reads what is computed with M and N fastest, unswizzled: threads have neighbouring rows and columns. The lowest bits of a lane
// move along M and N.
// CHECK-LABEL: tile.func @fma
tile.func @fma(%x: !tile.ptr<f32>) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x16xf32, order = [0, 1]>
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x32xf32>
  // CHECK: tile.dot {{.*}} by fma {{.*}} -> tensor<32x32xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [1, 0], [16, 0]], lane = {{\[\[}}2, 0], [0, 2], [4, 0], [0, 4], [0, 8]], warp = {{\[\[}}0, 16], [8, 0]]>>
  %a = arith.constant dense<1.0> : tensor<32x16xf32>
  %b = arith.constant dense<1.0> : tensor<16x32xf32>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot %a, %b, %c by fma : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
  %m = tile.reduce max %d axis 0 : tensor<32x32xf32> -> tensor<32xf32>
  tile.return
}

// What comes from memory with K fastest stays so, swizzled, and threads have single rows and columns of it; a box is read where the
// copy engine leaves it.
// CHECK-LABEL: tile.func @fma_along_k
tile.func @fma_along_k(%a: !tile.desc<64x32xf32>, %p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // CHECK: %[[A:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf32, swizzle = 128>
  // CHECK: tile_gpu.desc_copy %{{.*}} into %[[A]]
  // CHECK: %[[B:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf32, swizzle = 128, order = [0, 1]>
  // CHECK: tile.dot %[[A]], %[[B]], {{.*}} by fma {{.*}} -> tensor<64x64xf32, #tile_gpu.layout<register = {{\[\[}}0, 16], [0, 32], [8, 0], [16, 0], [32, 0]], lane = {{\[\[}}1, 0], [0, 1], [2, 0], [0, 2], [0, 4]], warp = {{\[\[}}0, 8], [4, 0]]>>
  %c0 = arith.constant 0 : i32
  %box = tile.desc_load %a[%c0, %c0] : !tile.desc<64x32xf32>
  %row = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %pitch = arith.constant dense<32> : tensor<64x1xi32>
  %starts = arith.muli %rows, %pitch : tensor<64x1xi32>
  %k = tile.arange : tensor<32xi32>
  %ks = tile.expand_dims %k axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %starts2 = tile.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %ks2 = tile.broadcast %ks : tensor<1x32xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %starts2, %ks2 : tensor<64x32xi32>
  %base = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %at = tile.addptr %base, %offsets : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  %loaded = tile.load %at : tensor<64x32x!tile.ptr<f32>>
  %b = tile.trans %loaded order [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %box, %b, %c by fma : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %m = tile.reduce max %d axis 0 : tensor<64x64xf32> -> tensor<64xf32>
  tile.return
}

// So does what is converted on its way there.
// CHECK-LABEL: tile.func @fma_converted
tile.func @fma_converted(%p: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf32, swizzle = 128>
  // CHECK: tile.dot {{.*}} by fma : !tile_gpu.buffer<64x32xf32, swizzle = 128>
  %row = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %pitch = arith.constant dense<32> : tensor<64x1xi32>
  %starts = arith.muli %rows, %pitch : tensor<64x1xi32>
  %k = tile.arange : tensor<32xi32>
  %ks = tile.expand_dims %k axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %starts2 = tile.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %ks2 = tile.broadcast %ks : tensor<1x32xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %starts2, %ks2 : tensor<64x32xi32>
  %base = tile.splat %p : !tile.ptr<bf16> -> tensor<64x32x!tile.ptr<bf16>>
  %at = tile.addptr %base, %offsets : tensor<64x32x!tile.ptr<bf16>>, tensor<64x32xi32>
  %loaded = tile.load %at : tensor<64x32x!tile.ptr<bf16>>
  %a = arith.extf %loaded : tensor<64x32xbf16> to tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c by fma : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %m = tile.reduce max %d axis 0 : tensor<64x64xf32> -> tensor<64xf32>
  tile.return
}

// What a loop carries has one layout all round: that of what enters it.
// CHECK-LABEL: tile.func @for_ties
tile.func @for_ties(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: %[[P0:.*]] = tile.addptr {{.*}} : tensor<512x!tile.ptr<f32>, [[V:#tile_gpu.layout<register = \[\[1\], \[2\]\].*>]]>, tensor
  // CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %[[P0]], %[[S:.*]] = %{{.*}}) -> (tensor<512x!tile.ptr<f32>, [[V]]>, tensor<512xf32, [[V]]>)
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: scf.yield {{.*}} : tensor<512x!tile.ptr<f32>, [[V]]>, tensor<512xf32, [[V]]>
  %lane = tile.arange : tensor<512xi32>
  %step = arith.constant dense<512> : tensor<512xi32>
  %zero = arith.constant dense<0.0> : tensor<512xf32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p, %s = scf.for %i = %c0 to %n step %c1 iter_args(%pi = %xp, %si = %zero) -> (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) : i32 {
    %v = tile.load %pi : tensor<512x!tile.ptr<f32>>
    %t = arith.addf %si, %v : tensor<512xf32>
    %q = tile.addptr %pi, %step : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
    scf.yield %q, %t : tensor<512x!tile.ptr<f32>>, tensor<512xf32>
  }
  tile.store %xp, %s : tensor<512x!tile.ptr<f32>>
  tile.return
}

// Both branches yield in the layout of the result.
// CHECK-LABEL: tile.func @if_ties
tile.func @if_ties(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: i1) {
  // CHECK: scf.if {{.*}} -> (tensor<512xf32, [[V:#tile_gpu.layout<register = \[\[1\], \[2\]\].*>]]>)
  // CHECK: scf.yield {{.*}} : tensor<512xf32, [[V]]>
  // CHECK: scf.yield {{.*}} : tensor<512xf32, [[V]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.return
  %lane = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %r = scf.if %c -> tensor<512xf32> {
    %v = tile.load %xp : tensor<512x!tile.ptr<f32>>
    scf.yield %v : tensor<512xf32>
  } else {
    %zero = arith.constant dense<0.0> : tensor<512xf32>
    scf.yield %zero : tensor<512xf32>
  }
  tile.store %xp, %r : tensor<512x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @while_ties
tile.func @while_ties(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: scf.while (%{{.*}} = %{{.*}}) : (tensor<512xi32, [[V:#tile_gpu.layout<register = \[\[1\], \[2\]\].*>]]>) -> tensor<512xi32, [[V]]>
  // CHECK: scf.condition({{.*}}) {{.*}} : tensor<512xi32, [[V]]>
  // CHECK: scf.yield {{.*}} : tensor<512xi32, [[V]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.return
  %lane = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %lane : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %v = tile.load %xp : tensor<512x!tile.ptr<i32>>
  %r = scf.while (%a = %v) : (tensor<512xi32>) -> tensor<512xi32> {
    %m = tile.reduce max %a axis 0 : tensor<512xi32> -> i32
    %go = arith.cmpi slt, %m, %n : i32
    scf.condition(%go) %a : tensor<512xi32>
  } do {
  ^bb0(%b: tensor<512xi32>):
    %c = arith.addi %b, %b : tensor<512xi32>
    scf.yield %c : tensor<512xi32>
  }
  tile.store %xp, %r : tensor<512x!tile.ptr<i32>>
  tile.return
}

// An accumulator that is loaded is converted in front of the loop, not in it.
// CHECK-LABEL: tile.func @loaded_accumulator
tile.func @loaded_accumulator(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: tile.load {{.*}} : tensor<64x64x!tile.ptr<f32>, [[MEM:#tile_gpu.layout<.*>]]>
  // CHECK: tile_gpu.convert_layout {{.*}} : tensor<64x64xf32, [[MEM]]> -> tensor<64x64xf32, [[ACC:#tile_gpu.layout<register = \[\[0, 1\], \[8, 0\], \[0, 8\], \[0, 16\], \[16, 0\]\], .*>]]>
  // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, [[ACC]]>)
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.dot {{.*}} -> tensor<64x64xf32, [[ACC]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: scf.yield
  // CHECK: tile_gpu.convert_layout {{.*}} : tensor<64x64xf32, [[ACC]]> -> tensor<64x64xf32, [[MEM]]>
  %i = tile.arange : tensor<4096xi32>
  %o = tile.reshape %i : tensor<4096xi32> -> tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %c = tile.load %p : tensor<64x64x!tile.ptr<f32>>
  %v = arith.constant dense<1.0> : tensor<64x64xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32>) : i32 {
    %d = tile.dot %v, %v, %acc by mma_sync : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %p, %sum : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// A short store takes its value as it comes.
// CHECK-LABEL: tile.func @short_store
tile.func @short_store(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // CHECK: %[[R:.*]] = tile.reduce add {{.*}} -> tensor<32xf32, [[S:#tile_gpu.layout<.*>]]>
  // CHECK-NOT: tile_gpu.convert_layout
  // CHECK: tile.store %{{.*}}, %[[R]] : tensor<32x!tile.ptr<f32>, [[S]]>
  %a = arith.constant dense<1.0> : tensor<32x64xf32>
  %s = tile.reduce add %a axis 1 : tensor<32x64xf32> -> tensor<32xf32>
  %lane = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %xp, %s : tensor<32x!tile.ptr<f32>>
  tile.return
}

// The kernel's own number of warps, and none but scalars: nothing to distribute.
// CHECK-LABEL: tile.func @scalars
// CHECK-SAME: attributes {tile.num_warps = 2 : i32}
tile.func @scalars(%x: !tile.ptr<f32>) attributes {tile.num_warps = 2 : i32} {
  // CHECK-NEXT: %[[V:.*]] = tile.load %{{.*}} : !tile.ptr<f32>
  // CHECK-NEXT: tile.store %{{.*}}, %[[V]] : !tile.ptr<f32>
  // CHECK-NEXT: tile.return
  %v = tile.load %x : !tile.ptr<f32>
  tile.store %x, %v : !tile.ptr<f32>
  tile.return
}

// As many stages as leave room for two blocks on a multiprocessor; for one where its registers hold no
// second, or where shared memory has no room for two stages of a second.
// What rings of the copy engine take is not there: sm_90a has 232448 bytes, sm_86 101376.
// RUN: sed 's/TAKEN/1/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/TAKEN/210/; s/MORE/1024/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/TAKEN/211/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=THREE
// RUN: sed 's/TAKEN/220/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=ALONE
// RUN: sed 's/TAKEN/222/; s/MORE/1024/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=TWO
// RUN: sed 's/TAKEN/223/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/TAKEN/82/; s/MORE/1024/' %s | tile-opt --pass-pipeline='builtin.module(tile-set-target{arch=sm_86},tile.func(tile-pipeline))' | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/TAKEN/83/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile-set-target{arch=sm_86},tile.func(tile-pipeline))' | FileCheck %s --check-prefix=THREE
// RUN: sed 's/TAKEN/1/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=1}))' | FileCheck %s --check-prefix=ONE
// No more than the loop has steps.
// RUN: sed 's/TAKEN/1/; s/MORE/1/; s/to %n step/to %few step/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=STEPS
// RUN: sed 's/TAKEN/1/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=OUTER
// RUN: sed 's/TAKEN/46/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=CHAINED
// RUN: sed 's/TAKEN/46/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=4}))' | FileCheck %s --check-prefix=CHAINED
// RUN: sed 's/TAKEN/46/; s/MORE/1/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=2}))' | FileCheck %s --check-prefix=TWO
// RUN: sed 's/TAKEN/46/; s/MORE/1/; s/%c: !acc) {/%c: !acc) attributes {tile_gpu.single_wave = 1 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefix=WAVE
// WAVE-LABEL: tile.func @chained
// WAVE: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
// STEPS-LABEL: tile.func @feed
// STEPS: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
// STEPS-LABEL: tile.func @wide
// STEPS: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
// ONE: tile.func
// ONE-NOT: tile_gpu.async
// ONE: scf.for
// ONE-NOT: tile_gpu.async
// FOUR: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
// THREE: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
// ALONE: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
// TWO: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 2>
// NONE: remark: loop is not pipelined: expected two stages in 4095 bytes of shared memory, found stages of 2048
// NONE-NOT: tile_gpu.async

// FOUR-LABEL: tile.func @wide
// FOUR: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
// THREE-LABEL: tile.func @wide
// THREE: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
// TWO-LABEL: tile.func @wide
// TWO: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 2>

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#rows = #tile_gpu.layout<register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[0], [16]]>
!tile = tensor<32x32xf16, #v>
!index = tensor<32x32xi32, #v>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>
!acc = tensor<32x32xf32, #acc>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>

tile.func @feed(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %more = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi8, stages = MORE>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %few = arith.constant 3 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// The numbers that the loop carries fill more than half of the registers.
#wide = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0], [64, 0], [128, 0], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]]>
tile.func @wide(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc, %z: tensor<256x128xf32, #wide>) attributes {tile.num_warps = 8 : i32} {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %more = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi8, stages = MORE>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %few = arith.constant 3 : i32
  %r, %w = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %y = %z) -> (!acc, tensor<256x128xf32, #wide>) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %e = arith.addf %y, %y : tensor<256x128xf32, #wide>
    scf.yield %d, %e : !acc, tensor<256x128xf32, #wide>
  }
  tile.return
}

// A ring of a loop around another one of dots has two slots: what is copied a step ahead has all of
// the inner loop to land. Both have room for a second block.
// OUTER-LABEL: tile.func @outer
// OUTER: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 2>
// OUTER: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
tile.func @outer(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %more = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi8, stages = MORE>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %few = arith.constant 9 : i32
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %c) -> (!acc) : i32 {
    %u = tile.load %p : !ptrs
    %q = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %u, %q : !tile -> !buffer
    %r = scf.for %k = %c0 to %few step %c1 iter_args(%a = %y) -> (!acc) : i32 {
      %t = tile.load %p : !ptrs
      %b = tile_gpu.alloc_shared : !buffer
      tile_gpu.buffer_store %t, %b : !tile -> !buffer
      %d = tile.dot %q, %b, %a by mma_sync : !buffer, !buffer -> !acc
      scf.yield %d : !acc
    }
    scf.yield %r : !acc
  }
  tile.return
}

// A dot waits for another one of its step: registers are for four blocks, each of which has three slots beside what
// the first dot has computed; a number that the launch says is the most. One block has four where the launch has no
// other program for its multiprocessor.
// CHAINED-LABEL: tile.func @feed
// CHAINED: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
// CHAINED-LABEL: tile.func @chained
// CHAINED: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
tile.func @chained(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %more = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi8, stages = MORE>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %few = arith.constant 3 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %s = tile.dot %b, %b, %c by mma_sync : !buffer, !buffer -> !acc
    %h = arith.truncf %s : !acc to tensor<32x32xf16, #acc>
    %w = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %h, %w : tensor<32x32xf16, #acc> -> !buffer
    %d = tile.dot %w, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// A dot waits for an operand that threads compute in its step: as many blocks, of three slots each.
// CHAINED-LABEL: tile.func @computed
// CHAINED: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, stages = 3>
tile.func @computed(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %more = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi8, stages = MORE>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %few = arith.constant 3 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %e = math.exp2 %t : !tile
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %e, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// So does a reduction of what a branch has masked on its way.
// CHAINED-LABEL: tile.func @masked
// CHAINED: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
tile.func @masked(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %more = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi8, stages = MORE>
  %also = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = 3>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %few = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32, #rows>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<32xf32, #rows>) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %s = tile.dot %b, %b, %c by mma_sync : !buffer, !buffer -> !acc
    %last = arith.cmpi eq, %k, %n : i32
    %w = scf.if %last -> (!acc) {
      %h = arith.addf %s, %c : !acc
      scf.yield %h : !acc
    } else {
      scf.yield %s : !acc
    }
    %m = tile.reduce max %w axis 1 : !acc -> tensor<32xf32, #rows>
    %d = arith.addf %a, %m : tensor<32xf32, #rows>
    scf.yield %d : tensor<32xf32, #rows>
  }
  tile.return
}

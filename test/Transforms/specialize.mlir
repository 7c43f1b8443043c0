// RUN: tile-opt %s --tile-specialize | FileCheck %s
// RUN: tile-opt %s --tile-specialize='facts=BLOCK=64,0/16,1/16,2=1 kernel=facts' | FileCheck %s --check-prefix=FACTS
// RUN: tile-opt %s --tile-specialize='facts=num_warps=16 kernel=again' --tile-specialize | FileCheck %s --check-prefix=AGAIN

// RUN: tile-opt %s --tile-specialize='facts=BLOCK=64,1/16+,2/1+ kernel=facts' | FileCheck %s --check-prefix=POSITIVE
// RUN: tile-opt %s --tile-specialize='facts=BLOCK=64,0/8,1/4 kernel=facts' | FileCheck %s --check-prefix=LESS
// RUN: tile-opt %s --tile-specialize='facts=wave:2 kernel=again' --tile-specialize | FileCheck %s --check-prefix=WAVE
// RUN: tile-opt %s --tile-specialize='facts=programs:8 kernel=again' --tile-specialize | FileCheck %s --check-prefix=PROGRAMS
// RUN: tile-opt %s --tile-specialize='facts=pack kernel=again' --tile-specialize | FileCheck %s --check-prefix=PACK
// RUN: tile-opt %s --tile-specialize='facts=1/1x kernel=shared' | FileCheck %s --check-prefix=EACH
// RUN: tile-opt %s --tile-specialize='facts=2/16+x kernel=shared' | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: tile.func @bound
tile.func @bound(%p: !tile.ptr<f32>, %n: i32) meta {BLOCK = 1024 : i32, ROWS = 8 : i32} {
  // CHECK: tile.grid
  // CHECK-NEXT: %[[G:.*]] = arith.constant 1024 : i32
  // CHECK-NEXT: arith.ceildivsi %{{.*}}, %[[G]]
  tile.grid(%n : i32) {
    %b = tile.meta BLOCK : i32
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  // CHECK: tile.arange : tensor<1024xi32>
  %r = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  // CHECK: tile.expand_dims %{{.*}} axis 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %e = tile.expand_dims %r axis 0 : tensor<?xi32, #tile.dims<[BLOCK]>> -> tensor<1x?xi32, #tile.dims<[BLOCK]>>
  // CHECK: tile.broadcast %{{.*}} -> tensor<8x1024xi32>
  %w = tile.broadcast %e : tensor<1x?xi32, #tile.dims<[BLOCK]>> -> tensor<?x?xi32, #tile.dims<[ROWS, BLOCK]>>
  // CHECK: arith.constant dense<0.000000e+00> : tensor<8x1024xf32>
  %c = arith.constant dense<0.0> : tensor<8x1024xf32>
  // A loop carries a tile: block arguments are bound too.
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<8x1024xi32>)
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %l = scf.for %i = %i0 to %i1 step %i1 iter_args(%a = %w) -> (tensor<?x?xi32, #tile.dims<[ROWS, BLOCK]>>) {
    scf.yield %a : tensor<?x?xi32, #tile.dims<[ROWS, BLOCK]>>
  }
  tile.return
}

// What is known of arguments: divisibility is marked, a 1 becomes a constant
// everywhere but in what the host evaluates.
// FACTS-LABEL: tile.func @bound
// FACTS: tile.meta BLOCK
// FACTS-LABEL: tile.func @facts
// FACTS-SAME: (%[[P:.*]]: !tile.ptr<f32> {tile.divisibility = 32 : i32}, %[[N:.*]]: i32 {tile.divisibility = 16 : i32, tile.key}, %[[S:.*]]: i32)
// FACTS: %[[ONE:.*]] = arith.constant 1 : i32
// FACTS: tile.grid(%[[S]] : i32)
// FACTS: arith.muli %[[N]], %[[ONE]]
// The larger divisor counts.
// LESS-LABEL: tile.func @facts
// LESS-SAME: (%{{.*}}: !tile.ptr<f32> {tile.divisibility = 32 : i32}, %{{.*}}: i32 {tile.divisibility = 4 : i32, tile.key}, %{{.*}}: i32)
// Signs beside divisors.
// POSITIVE-LABEL: tile.func @facts
// POSITIVE-SAME: (%{{.*}}: !tile.ptr<f32> {tile.divisibility = 32 : i32}, %{{.*}}: i32 {tile.divisibility = 16 : i32, tile.key, tile.positive}, %{{.*}}: i32 {tile.positive})
tile.func @facts(%p: !tile.ptr<f32> {tile.divisibility = 32 : i32}, %n: i32 {tile.key}, %s: i32) meta {BLOCK = 8 : i32} {
  tile.grid(%s : i32) {
    tile.yield %s : i32
  }
  %x = arith.muli %n, %s : i32
  %q = tile.addptr %p, %x : !tile.ptr<f32>, i32
  %v = tile.load %q : !tile.ptr<f32>
  tile.store %q, %v : !tile.ptr<f32>
  tile.return
}

// A second run, without facts, leaves what the first was told: an edited stage may be run again.
// AGAIN-LABEL: tile.func @again
// AGAIN-SAME: attributes {tile.num_ctas = 2 : i32, tile.num_stages = 3 : i32, tile.num_warps = 16 : i32}
// Room for two blocks a program, and not for those of other kernels; the second run leaves it, too.
// WAVE-NOT: tile_gpu.single_wave
// WAVE: tile.func @again
// WAVE-SAME: tile_gpu.single_wave = 2 : i32
// So with programs for each multiprocessor.
// PROGRAMS-NOT: tile_gpu.programs
// PROGRAMS: tile.func @again
// PROGRAMS-SAME: tile_gpu.programs = 8 : i32
// So with arrays that may be packed.
// PACK-NOT: tile_gpu.packs
// PACK: tile.func @again
// PACK-SAME: tile_gpu.packs
tile.func @again() meta {num_warps = 4, num_stages = 3, num_ctas = 2} {
  tile.return
}

// Where a part begins is bound as extents are.
// CHECK-LABEL: tile.func @sliced
tile.func @sliced(%p: !tile.ptr<f32>) meta {D = 64 : i32} {
  // CHECK: tile.slice %{{.*}}[32] : tensor<64xi32> -> tensor<32xi32>
  %r = tile.arange : tensor<?xi32, #tile.dims<[D]>>
  %s = tile.slice %r[D floordiv 2] -> tensor<?xi32, #tile.dims<[D floordiv 2]>>
  // CHECK: tile.slice %{{.*}}[0] : tensor<64xi32> -> tensor<4xi32>
  %t = tile.slice %r[D - 64] -> tensor<4xi32>
  tile.return
}

// Each program has one of the rows; a loop from another number, or up to another one, stays.
// EACH-LABEL: tile.func @shared
// EACH: %[[I:.*]] = tile.program_id x
// EACH-NOT: scf.for
// EACH: %[[F:.*]] = arith.sitofp %[[I]] : i32 to f32
// EACH: %[[S:.*]] = arith.addf %{{.*}}, %[[F]]
// EACH-NOT: scf.for
// EACH: tile.store %{{.*}}, %[[S]]
// EACH: scf.for {{.*}} = %{{.*}} to %[[M:.*]] step
// EACH: scf.for {{.*}} = %{{.*}} to %{{.*}} step
// OTHER-LABEL: tile.func @shared
// OTHER-SAME: i32 {tile.divisibility = 16 : i32, tile.positive}
// OTHER: scf.for
// OTHER-NOT: scf.for
// OTHER: tile.store
// OTHER-NOT: scf.for
// OTHER: tile.store
// OTHER: scf.for
tile.func @shared(%p: !tile.ptr<f32>, %rows: i32, %columns: i32) {
  %i = tile.program_id x
  %y = tile.program_id y
  %n = tile.num_programs x
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %row = %i to %rows step %n iter_args(%a = %zero) -> (f32) : i32 {
    %f = arith.sitofp %row : i32 to f32
    %next = arith.addf %a, %f : f32
    scf.yield %next : f32
  }
  tile.store %p, %sum : !tile.ptr<f32>
  scf.for %column = %i to %columns step %n : i32 {
    %q = tile.addptr %p, %column : !tile.ptr<f32>, i32
    tile.store %q, %zero : !tile.ptr<f32>
  }
  scf.for %row = %y to %rows step %n : i32 {
    %q = tile.addptr %p, %row : !tile.ptr<f32>, i32
    tile.store %q, %zero : !tile.ptr<f32>
  }
  tile.return
}

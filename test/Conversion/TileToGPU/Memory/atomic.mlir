// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s
// RUN: tile-opt %s --tile-set-target=arch=sm_80 --convert-tile-to-gpu | FileCheck %s --check-prefix=LOOP

#line = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
#pair = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>

// CHECK-LABEL: llvm.func @add
tile.func @add(%p: !tile.ptr<f32>, %x: f32) {
  // CHECK: llvm.inline_asm has_side_effects "atom.global.gpu.relaxed.add.f32 $0, [$1], $2;", "=r,l,r" {{.*}} : (i64, i32) -> i32
  // CHECK: llvm.inline_asm has_side_effects "atom.global.gpu.relaxed.add.f32
  // CHECK-NOT: llvm.inline_asm
  // CHECK: llvm.return
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #line>
  %xs = tile.splat %x : f32 -> tensor<256xf32, #line>
  %old = tile.atomic_rmw fadd relaxed gpu %ps, %xs : tensor<256x!tile.ptr<f32>, #line>
  tile.return
}

// Sums whose result nobody reads release, and acquire nothing. What hands a lock on does both.
// CHECK-LABEL: llvm.func @unlock
tile.func @unlock(%p: !tile.ptr<i32>, %x: i32) {
  // CHECK: "@$3 atom.global.gpu.release.add.u32 $0, [$1], $2;"
  // CHECK: "@$3 atom.global.gpu.acq_rel.exch.b32 $0, [$1], $2;"
  %a = tile.atomic_rmw add acq_rel gpu %p, %x : !tile.ptr<i32>
  %b = tile.atomic_rmw xchg acq_rel gpu %p, %x : !tile.ptr<i32>
  tile.return
}

// An acquire that stands by itself stays: what the program does behind it follows, and no sums go together that have no word for it.
// CHECK-LABEL: llvm.func @acquire
tile.func @acquire(%p: !tile.ptr<f32>, %x: f32) attributes {tile.num_warps = 4 : i32} {
  // CHECK: "@$3 atom.global.gpu.acquire.add.f32 $0, [$1], $2;"
  // CHECK: gpu.barrier
  // CHECK: "atom.global.gpu.acquire.add.f32 $0, [$1], $2;"
  // CHECK: "atom.global.gpu.acquire.add.f32 $0, [$1], $2;"
  // CHECK: gpu.barrier
  // CHECK: llvm.return
  %a = tile.atomic_rmw fadd acquire gpu %p, %x : !tile.ptr<f32>
  %i = tile.arange : tensor<256xi32, #pair>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #pair>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #pair>, tensor<256xi32, #pair>
  %v = tile.splat %x : f32 -> tensor<256xf32, #pair>
  %b = tile.atomic_rmw fadd acquire gpu %q, %v : tensor<256x!tile.ptr<f32>, #pair>
  tile.return
}

// A masked-out lane keeps the 0 that the destination starts with.
// CHECK-LABEL: llvm.func @masked
tile.func @masked(%p: !tile.ptr<i64>, %x: i64, %on: i1) {
  // CHECK: llvm.inline_asm has_side_effects "@$3 atom.global.sys.relaxed.max.s64 $0, [$1], $2;", "=l,l,l,b,0"
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<256x!tile.ptr<i64>, #line>
  %xs = tile.splat %x : i64 -> tensor<256xi64, #line>
  %ms = tile.splat %on : i1 -> tensor<256xi1, #line>
  %old = tile.atomic_rmw max relaxed sys %ps, %xs, %ms : tensor<256x!tile.ptr<i64>, #line>
  %t = arith.addi %old, %old : tensor<256xi64, #line>
  tile.return
}

#short = #tile_gpu.layout<register = [[0]], lane = [[1], [2], [4], [8], [0]], warp = []>

// One thread updates each element; the others get the old value from it.
// CHECK-LABEL: llvm.func @copies_in_a_warp
tile.func @copies_in_a_warp(%p: !tile.ptr<i32>, %x: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[BIT:.*]] = arith.constant 16 : i32
  // CHECK: %[[COPY:.*]] = arith.andi %{{.*}}, %[[BIT]]
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[COPY]]
  // CHECK: %[[OLD:.*]] = llvm.inline_asm has_side_effects "@$3 atom.global.gpu.relaxed.add.u32 $0, [$1], $2;", "=r,l,r,b,0" {{.*}}%[[FIRST]]
  // CHECK-NOT: atom
  // CHECK: vector.from_elements %[[OLD]], %[[OLD]] : vector<2xi32>
  // CHECK: nvvm.shfl.sync idx
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #short>
  %xs = tile.splat %x : i32 -> tensor<16xi32, #short>
  %old = tile.atomic_rmw add relaxed gpu %ps, %xs : tensor<16x!tile.ptr<i32>, #short>
  %t = arith.addi %old, %old : tensor<16xi32, #short>
  tile.return
}

// A ticket: one thread takes it, all see it; what the program did before comes first, what it does
// next comes after.
// CHECK-LABEL: llvm.func @ticket
tile.func @ticket(%p: !tile.ptr<i32>, %x: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 16 : i32} {
  // CHECK: gpu.barrier
  // CHECK: llvm.inline_asm has_side_effects "@$3 atom.global.gpu.acq_rel.add.u32
  // CHECK: gpu.barrier
  // CHECK: scf.if
  // CHECK: llvm.store {{.*}} : vector<1xi32>, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xi32>
  %old = tile.atomic_rmw add acq_rel gpu %p, %x : !tile.ptr<i32>
  %t = arith.addi %old, %old : i32
  tile.return
}

// Who adds nothing reads, where nothing is released.
// CHECK-LABEL: llvm.func @poll
tile.func @poll(%p: !tile.ptr<i64>, %q: !tile.ptr<i32>, %x: !tile.ptr<i64>) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 16 : i32} {
  // CHECK: llvm.inline_asm has_side_effects "@$3 ld.relaxed.gpu.global.b64 $0, [$1];", "=l,l,l,b,0"
  // CHECK: llvm.inline_asm has_side_effects "@$3 ld.acquire.sys.global.b32 $0, [$1];", "=r,l,r,b,0"
  // CHECK: llvm.inline_asm has_side_effects "@$3 atom.global.gpu.acq_rel.or.b32
  // CHECK: atom.global.gpu.relaxed.add.u64
  %none = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %a = tile.atomic_rmw add relaxed gpu %p, %none : !tile.ptr<i64>
  %b = tile.atomic_rmw or acquire sys %q, %zero : !tile.ptr<i32>
  %c = tile.atomic_rmw or acq_rel gpu %q, %zero : !tile.ptr<i32>
  %d = tile.atomic_rmw add relaxed gpu %p, %a : !tile.ptr<i64>
  %e = arith.addi %b, %c : i32
  %f = arith.extsi %e : i32 to i64
  %g = arith.addi %d, %f : i64
  tile.store %x, %g : !tile.ptr<i64>
  tile.return
}

// CHECK-LABEL: llvm.func @cas
tile.func @cas(%p: !tile.ptr<f16>, %x: f16, %y: f16) {
  // CHECK: llvm.inline_asm has_side_effects "@$4 atom.global.relaxed.cta.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,b,0"
  %old = tile.atomic_cas relaxed cta %p, %x, %y : !tile.ptr<f16>
  tile.return
}

// A mask and the one thread that swaps.
// CHECK-LABEL: llvm.func @masked_cas
// CHECK-SAME: %[[M:[^:]*]]: i1)
tile.func @masked_cas(%p: !tile.ptr<i32>, %x: i32, %y: i32, %m: i1) {
  // CHECK: %[[ON:.*]] = arith.andi %[[M]], %{{.*}} : i1
  // CHECK: llvm.inline_asm has_side_effects "@$4 atom.global.relaxed.gpu.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,b,0" %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[ON]],
  %old = tile.atomic_cas relaxed gpu %p, %x, %y, %m : !tile.ptr<i32>
  tile.return
}

// Before sm_90 bf16 has no sum: the words are exchanged until nobody came between.
// CHECK-LABEL: llvm.func @bf16
// LOOP-LABEL: llvm.func @bf16
tile.func @bf16(%p: !tile.ptr<bf16>, %x: bf16, %on: i1) attributes {tile.num_warps = 1 : i32} {
  // CHECK: llvm.inline_asm has_side_effects "@$3 atom.global.gpu.release.add.noftz.bf16 $0, [$1], $2;"
  // LOOP: llvm.inline_asm has_side_effects
  // LOOP-SAME: @!$3 bra done;
  // LOOP-SAME: ld.relaxed.gpu.global.b16 $0, [$1];
  // LOOP-SAME: retry:
  // LOOP-SAME: mov.b16 sum, 0x3f80;
  // LOOP-SAME: fma.rn.bf16 sum, seen, sum, $2;
  // LOOP-SAME: atom.release.gpu.global.cas.b16 $0, [$1], seen, sum;
  // LOOP-SAME: @again bra retry;
  // LOOP-SAME: "=&h,l,h,b,0"
  %old = tile.atomic_rmw fadd release gpu %p, %x, %on : !tile.ptr<bf16>
  tile.return
}

// Nobody looks at what was there: no acquire, and one release for both elements.
// CHECK-LABEL: llvm.func @unused
tile.func @unused(%p: !tile.ptr<f32>, %x: f32) attributes {tile.num_warps = 4 : i32} {
  // CHECK: gpu.barrier
  // CHECK: llvm.inline_asm has_side_effects "fence.acq_rel.gpu;"
  // CHECK-COUNT-2: "atom.global.gpu.relaxed.add.f32 $0, [$1], $2;"
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  %i = tile.arange : tensor<256xi32, #pair>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #pair>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #pair>, tensor<256xi32, #pair>
  %v = tile.splat %x : f32 -> tensor<256xf32, #pair>
  %old = tile.atomic_rmw fadd acq_rel gpu %q, %v : tensor<256x!tile.ptr<f32>, #pair>
  tile.return
}

// One thread adds: with nothing of others' since the barrier, a second sum needs none.
// CHECK-LABEL: llvm.func @twice
tile.func @twice(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %x: f32) attributes {tile.num_warps = 4 : i32} {
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: atom.global.gpu.release.add.f32
  // CHECK-NOT: gpu.barrier
  // CHECK: atom.global.gpu.release.add.f32
  // CHECK: gpu.barrier
  // CHECK: atom.global.gpu.release.add.f32
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  gpu.barrier
  %a = tile.atomic_rmw fadd acq_rel gpu %p, %x : !tile.ptr<f32>
  %b = tile.atomic_rmw fadd release gpu %q, %x : !tile.ptr<f32>
  tile.store %p, %x : !tile.ptr<f32>
  %c = tile.atomic_rmw fadd release gpu %q, %x : !tile.ptr<f32>
  tile.return
}

#runs = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// Sums that nobody reads, side by side in memory: one instruction for four f32, or eight f16; element by element in front of sm_90
// (LOOP), where the result is used, where they are not aligned, and where a mask parts them.
// CHECK-LABEL: llvm.func @vectors
// CHECK: llvm.inline_asm has_side_effects "red.relaxed.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r"
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.inline_asm has_side_effects "@$5 red.relaxed.gpu.global.add.noftz.v4.f16 [$0], {$1, $2, $3, $4};", "l,h,h,h,h,b"
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
// LOOP-LABEL: llvm.func @vectors
// LOOP-COUNT-4: atom.global.gpu.relaxed.add.f32
// LOOP-COUNT-4: atom.global.gpu.relaxed.add.noftz.f16
tile.func @vectors(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %on: i1) {
  %e = tile.arange : tensor<512xi32, #runs>
  %x = arith.sitofp %e : tensor<512xi32, #runs> to tensor<512xf32, #runs>
  %y = arith.truncf %x : tensor<512xf32, #runs> to tensor<512xf16, #runs>
  %m = tile.splat %on : i1 -> tensor<512xi1, #runs>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #runs>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>, #runs>
  %pp = tile.addptr %ps, %e : tensor<512x!tile.ptr<f32>, #runs>, tensor<512xi32, #runs>
  %qp = tile.addptr %qs, %e : tensor<512x!tile.ptr<f16>, #runs>, tensor<512xi32, #runs>
  %a = tile.atomic_rmw fadd relaxed gpu %pp, %x : tensor<512x!tile.ptr<f32>, #runs>
  %b = tile.atomic_rmw fadd relaxed gpu %qp, %y, %m : tensor<512x!tile.ptr<f16>, #runs>
  tile.return
}

// Minima and maxima of f16 and bf16 have vectors alone: a single one exchanges words until nobody came between.
// CHECK-LABEL: llvm.func @extremes
// CHECK: llvm.inline_asm has_side_effects "red.relaxed.gpu.global.min.noftz.v4.f16 [$0], {$1, $2, $3, $4};"
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.inline_asm has_side_effects "@$5 red.relaxed.gpu.global.max.noftz.v4.bf16 [$0], {$1, $2, $3, $4};"
// CHECK: max.f16 sum, seen, $2;
// CHECK-SAME: atom.relaxed.gpu.global.cas.b16 $0, [$1], seen, sum;
// LOOP-LABEL: llvm.func @extremes
// LOOP-COUNT-4: min.f16 sum, seen, $2;
// LOOP-COUNT-4: max.bf16 sum, seen, $2;
tile.func @extremes(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %on: i1, %one: f16) {
  %e = tile.arange : tensor<512xi32, #runs>
  %f = arith.sitofp %e : tensor<512xi32, #runs> to tensor<512xf32, #runs>
  %x = arith.truncf %f : tensor<512xf32, #runs> to tensor<512xf16, #runs>
  %y = arith.truncf %f : tensor<512xf32, #runs> to tensor<512xbf16, #runs>
  %m = tile.splat %on : i1 -> tensor<512xi1, #runs>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>, #runs>
  %qs = tile.splat %q : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>, #runs>
  %pp = tile.addptr %ps, %e : tensor<512x!tile.ptr<f16>, #runs>, tensor<512xi32, #runs>
  %qp = tile.addptr %qs, %e : tensor<512x!tile.ptr<bf16>, #runs>, tensor<512xi32, #runs>
  %a = tile.atomic_rmw fmin relaxed gpu %pp, %x : tensor<512x!tile.ptr<f16>, #runs>
  %b = tile.atomic_rmw fmax relaxed gpu %qp, %y, %m : tensor<512x!tile.ptr<bf16>, #runs>
  %c = tile.atomic_rmw fmax relaxed gpu %p, %one : !tile.ptr<f16>
  tile.return
}

// CHECK-LABEL: llvm.func @no_vectors
// CHECK-NOT: red.
// CHECK: llvm.return
tile.func @no_vectors(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  %e = tile.arange : tensor<512xi32, #runs>
  %x = arith.sitofp %e : tensor<512xi32, #runs> to tensor<512xf32, #runs>
  %ns = tile.splat %n : i32 -> tensor<512xi32, #runs>
  %m = arith.cmpi slt, %e, %ns : tensor<512xi32, #runs>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #runs>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #runs>
  %pp = tile.addptr %ps, %e : tensor<512x!tile.ptr<f32>, #runs>, tensor<512xi32, #runs>
  %qp = tile.addptr %qs, %e : tensor<512x!tile.ptr<f32>, #runs>, tensor<512xi32, #runs>
  %a = tile.atomic_rmw fadd relaxed gpu %pp, %x : tensor<512x!tile.ptr<f32>, #runs>
  %b = tile.atomic_rmw fadd relaxed gpu %qp, %a : tensor<512x!tile.ptr<f32>, #runs>
  %c = tile.atomic_rmw fadd relaxed gpu %pp, %x, %m : tensor<512x!tile.ptr<f32>, #runs>
  tile.return
}

// A loop whose dots read boxes leaves the branches around it, and has no steps where they are not taken: what it follows from is
// computed in front of them, and what follows from it stays in them, as do promises that
// hold in them alone. The upper triangle of a' a, by programs that return early.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_90a --mlir-print-ir-after=tile-warp-specialize -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROLES
// RIGHT: largest error 0, relative 0, in 1 comparison
// ROLES: tile_gpu.warp_specialize

// CHECK-LABEL: tile.func @upper
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi sle
// CHECK: %[[ENTERS:.*]] = arith.cmpi sgt
// CHECK: %[[END:.*]] = arith.select %[[ENTERS]], %{{.*}}, %[[ZERO:.*]] : i32
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %[[ZERO]] to %[[END]]
// CHECK-COUNT-2: tile.desc_load
// CHECK: scf.yield
// CHECK: scf.if %[[OUTSIDE]] {
// CHECK-NEXT: } else {
// CHECK-NOT: scf.for
// CHECK: tile.assume
// CHECK: %[[HALF:.*]] = arith.truncf %[[SUM]]
// CHECK: tile.desc_store %{{.*}}, %[[HALF]]
tile.func @upper(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %d: i32 {tile.divisibility = 8 : i32}) attributes {tile.num_warps = 8 : i32} {
  tile.grid(%d : i32) {
    %size = arith.constant 128 : i32
    %programs = arith.ceildivsi %d, %size : i32
    tile.yield %programs, %programs : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<64x128xf16>
  %pi = tile.program_id x
  %pj = tile.program_id y
  %i0 = arith.muli %pi, %c128 : i32
  %j0 = arith.muli %pj, %c128 : i32
  %j1 = arith.addi %j0, %c128 : i32
  %outside = arith.cmpi sle, %j1, %i0 : i32
  scf.if %outside {
  } else {
    %inside = arith.cmpi sgt, %j1, %i0 : i32
    tile.assume %inside
    %is = tile.expr %i0 + arange(128)
    %js = tile.expr %j0 + arange(128)
    %sum = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
      %ks = tile.expr col(%k + arange(64))
      %in_i = tile.expr %ks < %n and row(%is) < %d
      %in_j = tile.expr %ks < %n and row(%js) < %d
      %pa = tile.expr %a + (%ks * %d + row(%is))
      %pb = tile.expr %a + (%ks * %d + row(%js))
      %x = tile.load %pa, %in_i, %none
      %y = tile.load %pb, %in_j, %none
      %xt = tile.trans %x order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
      %t = tile.dot %xt, %y, %s
      scf.yield %t : tensor<128x128xf32>
    }
    %half = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
    %to = tile.expr %out + (col(%is) * %d + row(%js))
    %in = tile.expr col(%is) < %d and row(%js) < %d
    tile.store %to, %half, %in
  }
  tile.return
}

// Small integers, of which f16 has all sums.
func.func @main() {
  %n = arith.constant 72 : i32
  %d = arith.constant 264 : i32
  %a = tile_host.alloc(%n, %d) : (i32, i32) -> memref<?x?xf16>
  %out = tile_host.alloc(%d, %d) : (i32, i32) -> memref<?x?xf16>
  %want = tile_host.alloc(%d, %d) : (i32, i32) -> memref<?x?xf16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c72 = arith.constant 72 : index
  %c128 = arith.constant 128 : index
  %c264 = arith.constant 264 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %two = arith.constant 2.0 : f16
  %zero = arith.constant 0.0 : f32
  %nothing = arith.constant 0.0 : f16
  scf.for %k = %c0 to %c72 step %c1 {
    scf.for %i = %c0 to %c264 step %c1 {
      %k7 = arith.muli %k, %c7 : index
      %ik = arith.addi %k7, %i : index
      %square = arith.muli %ik, %i : index
      %rest = arith.remsi %square, %c5 : index
      %int = arith.index_cast %rest : index to i32
      %float = arith.sitofp %int : i32 to f16
      %x = arith.subf %float, %two : f16
      memref.store %x, %a[%k, %i] : memref<?x?xf16>
    }
  }
  scf.for %i = %c0 to %c264 step %c1 {
    scf.for %j = %c0 to %c264 step %c1 {
      memref.store %nothing, %out[%i, %j] : memref<?x?xf16>
      %bi = arith.divsi %i, %c128 : index
      %bj = arith.divsi %j, %c128 : index
      %is_upper = arith.cmpi sle, %bi, %bj : index
      %sum = scf.for %k = %c0 to %c72 step %c1 iter_args(%s = %zero) -> (f32) {
        %x = memref.load %a[%k, %i] : memref<?x?xf16>
        %y = memref.load %a[%k, %j] : memref<?x?xf16>
        %xf = arith.extf %x : f16 to f32
        %yf = arith.extf %y : f16 to f32
        %xy = arith.mulf %xf, %yf : f32
        %t = arith.addf %s, %xy : f32
        scf.yield %t : f32
      }
      %half = arith.truncf %sum : f32 to f16
      %z = arith.select %is_upper, %half, %nothing : f16
      memref.store %z, %want[%i, %j] : memref<?x?xf16>
    }
  }
  tile_host.launch @upper(%a, %out, %n, %d)
  tile_host.expect_close %out, %want {atol = 0.0, rtol = 0.0}
  return
}

// The loop's branch is in another one, of a loop over programs, and both take part.
// CHECK-LABEL: tile.func @nested
// CHECK-SAME: %{{[^ ]*}}: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %{{[^ ]*}}: !tile.ptr<f32>, %{{[^ ]*}}: i32 {{[^%]*}}, %[[C:[^ ]*]]: i1, %[[D:[^ ]*]]: i1
// CHECK: scf.for
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: %[[END:.*]] = arith.select %[[BOTH]],
// CHECK: scf.for %{{.*}} to %[[END]]
// CHECK: tile.desc_load
// CHECK: scf.if %[[C]]
// CHECK: scf.if %[[D]]
tile.func @nested(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %k: i32 {tile.divisibility = 64 : i32}, %c: i1, %d: i1) {
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  scf.for %program = %c0 to %c9 step %c1 : i32 {
    scf.if %c {
      %row = tile.expr col(%program * 128 + arange(128))
      scf.if %d {
      } else {
        %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
          %p = tile.expr %a + (%row * %k + row(%at + arange(64)))
          %x = tile.load %p
          %t = tile.dot %x, %b, %s
          scf.yield %t : tensor<128x64xf32>
        }
        %sums = tile.reduce add %sum axis 1
        %pt = tile.expr %out + arange(128)
        tile.store %pt, %sums
      }
    }
  }
  tile.return
}

// The loop follows from what its branch reads, so the branch becomes straight code. Of a branch within it both sides are masked:
// where the outer one is not taken its else would be.
// CHECK-LABEL: tile.func @sides
// CHECK-SAME: %[[FIRST:[^ :]*]]: i1, %[[C:[^ :]*]]: i1)
// CHECK: tile.load %{{.*}}, %[[C]] : !tile.ptr<i32>
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[C]]
// CHECK: scf.if %[[BOTH]] {
// CHECK-NEXT: tile.store %[[PT:.*]], %[[SUMS:[^ ]*]] : tensor
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[LANES:.*]] = tile.splat %[[C]]
// CHECK-NEXT: tile.store %{{.*}}, %[[SUMS]], %[[LANES]]
tile.func @sides(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %lists: !tile.ptr<i32>, %first: i1, %c: i1) {
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %other = tile.expr %out + 128 + arange(128)
  scf.if %c {
    %k = tile.load %lists : !tile.ptr<i32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %row = tile.expr col(arange(128))
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
      %p = tile.expr %a + (%row * 64 + row(%at + arange(64)))
      %x = tile.load %p
      %t = tile.dot %x, %b, %s
      scf.yield %t : tensor<128x64xf32>
    }
    %sums = tile.reduce add %sum axis 1
    %pt = tile.expr %out + arange(128)
    scf.if %first {
      tile.store %pt, %sums
    } else {
      tile.store %other, %sums
    }
  }
  tile.return
}

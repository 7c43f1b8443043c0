// Atomics of f16 and bf16: sums by many programs at once into few places, exact as long as they stay
// whole numbers of the type, and old values that each occur once; compare-and-swap by its bits.
//
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: tile-run %s --check | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 5 comparisons

!i = tensor<128xi32>
!h = tensor<128xf16>
!b = tensor<128xbf16>
!ph = tensor<128x!tile.ptr<f16>>
!pb = tensor<128x!tile.ptr<bf16>>

// 16 programs of 128 elements add 1 at element mod 8, but for the last 8.
tile.func @sums(%x: !tile.ptr<f16>, %y: !tile.ptr<bf16>) {
  tile.grid() {
    %programs = arith.constant 16 : i32
    tile.yield %programs : i32
  }
  %e = tile.arange : !i
  %k7 = arith.constant dense<7> : !i
  %k120 = arith.constant dense<120> : !i
  %bin = arith.andi %e, %k7 : !i
  %on = arith.cmpi slt, %e, %k120 : !i
  %xs = tile.splat %x : !tile.ptr<f16> -> !ph
  %xp = tile.addptr %xs, %bin : !ph, !i
  %ys = tile.splat %y : !tile.ptr<bf16> -> !pb
  %yp = tile.addptr %ys, %bin : !pb, !i
  %one_h = arith.constant dense<1.0> : !h
  %one_b = arith.constant dense<1.0> : !b
  %old_h = tile.atomic_rmw fadd relaxed gpu %xp, %one_h, %on : !ph
  %old_b = tile.atomic_rmw fadd acq_rel gpu %yp, %one_b, %on : !pb
  tile.return
}

// 64 programs take tickets from a counter of each type, scalars, and write them down: each once.
tile.func @tickets(%x: !tile.ptr<f16>, %y: !tile.ptr<bf16>, %seen: !tile.ptr<i32>) {
  tile.grid() {
    %programs = arith.constant 64 : i32
    tile.yield %programs : i32
  }
  %one_h = arith.constant 1.0 : f16
  %one_b = arith.constant 1.0 : bf16
  %th = tile.atomic_rmw fadd relaxed gpu %x, %one_h : !tile.ptr<f16>
  %tb = tile.atomic_rmw fadd relaxed gpu %y, %one_b : !tile.ptr<bf16>
  %ih = arith.fptosi %th : f16 to i32
  %ib = arith.fptosi %tb : bf16 to i32
  %k63 = arith.constant 63 : i32
  %k64 = arith.constant 64 : i32
  %mh = arith.andi %ih, %k63 : i32
  %mb = arith.andi %ib, %k63 : i32
  %nb = arith.addi %mb, %k64 : i32
  %ph = tile.addptr %seen, %mh : !tile.ptr<i32>, i32
  %pb = tile.addptr %seen, %nb : !tile.ptr<i32>, i32
  %one = arith.constant 1 : i32
  %was_h = tile.atomic_rmw add relaxed gpu %ph, %one : !tile.ptr<i32>
  %was_b = tile.atomic_rmw add relaxed gpu %pb, %one : !tile.ptr<i32>
  tile.return
}

// x[i] = i: what is 3 becomes -1, what is 5 becomes -2, and the rest stays; old values go to y.
tile.func @swap(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %e = tile.arange : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<8x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %e : tensor<8x!tile.ptr<f16>>, tensor<8xi32>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<8x!tile.ptr<f16>>
  %yp = tile.addptr %ys, %e : tensor<8x!tile.ptr<f16>>, tensor<8xi32>
  %three = arith.constant dense<[3.0, 3.0, 3.0, 3.0, 3.0, 5.0, 5.0, 5.0]> : tensor<8xf16>
  %new = arith.constant dense<[-1.0, -1.0, -1.0, -1.0, -1.0, -2.0, -2.0, -2.0]> : tensor<8xf16>
  %old = tile.atomic_cas acq_rel gpu %xp, %three, %new : tensor<8x!tile.ptr<f16>>
  tile.store %yp, %old : tensor<8x!tile.ptr<f16>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %x = tile_host.alloc() : () -> memref<8xf16>
  %y = tile_host.alloc() : () -> memref<8xbf16>
  %want_x = tile_host.alloc() : () -> memref<8xf16>
  %want_y = tile_host.alloc() : () -> memref<8xbf16>
  // 16 programs, 15 elements of each bin
  %sum_h = arith.constant 240.0 : f16
  %sum_b = arith.constant 240.0 : bf16
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %sum_h, %want_x[%i] : memref<8xf16>
    memref.store %sum_b, %want_y[%i] : memref<8xbf16>
  }
  tile_host.launch @sums(%x, %y) : memref<8xf16>, memref<8xbf16>
  tile_host.expect_close %x, %want_x : memref<8xf16>, memref<8xf16>
  tile_host.expect_close %y, %want_y : memref<8xbf16>, memref<8xbf16>

  %tx = tile_host.alloc() : () -> memref<1xf16>
  %ty = tile_host.alloc() : () -> memref<1xbf16>
  %seen = tile_host.alloc() : () -> memref<128xi32>
  %want_seen = tile_host.alloc() : () -> memref<128xi32>
  %once = arith.constant 1 : i32
  scf.for %i = %c0 to %c128 step %c1 {
    memref.store %once, %want_seen[%i] : memref<128xi32>
  }
  tile_host.launch @tickets(%tx, %ty, %seen) : memref<1xf16>, memref<1xbf16>, memref<128xi32>
  tile_host.expect_close %seen, %want_seen : memref<128xi32>, memref<128xi32>

  %s = tile_host.alloc() : () -> memref<8xf16>
  %old = tile_host.alloc() : () -> memref<8xf16>
  %want_s = tile_host.alloc() : () -> memref<8xf16>
  %want_old = tile_host.alloc() : () -> memref<8xf16>
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f16
    memref.store %v, %s[%i] : memref<8xf16>
    memref.store %v, %want_s[%i] : memref<8xf16>
    memref.store %v, %want_old[%i] : memref<8xf16>
  }
  %minus = arith.constant -1.0 : f16
  %minus2 = arith.constant -2.0 : f16
  memref.store %minus, %want_s[%c3] : memref<8xf16>
  memref.store %minus2, %want_s[%c5] : memref<8xf16>
  tile_host.launch @swap(%s, %old) : memref<8xf16>, memref<8xf16>
  tile_host.expect_close %s, %want_s : memref<8xf16>, memref<8xf16>
  tile_host.expect_close %old, %want_old : memref<8xf16>, memref<8xf16>
  return
}

// Minima and maxima of f16 and bf16 by 16 programs at once: side by side, which is one instruction for several, and at places
// that others have, too, where words are exchanged until nobody came between.
//
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: tile-run %s --check | FileCheck %s
// RUN: tile-run %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons
// PTX-DAG: red.relaxed.gpu.global.max.noftz.{{.*}}bf16
// PTX-DAG: min.f16 sum
// OLD-DAG: max.bf16 sum
// OLD-DAG: min.f16 sum

// Of program p and element e: (37 p + 11 e) mod 64 - 32.
tile.func @extremes(%x: !tile.ptr<f16>, %y: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 1 : i32} {
  tile.grid = 16
  %p = tile.program_id x
  %e = tile.expr arange(128)
  %v = tile.expr (%p * 37 + %e * 11) rem 64 - 32
  %bins = tile.expr %x + (%e * 3 rem 8)
  %h = tile.expr f16(%v)
  %line = tile.expr %y + %e
  %b = tile.expr bf16(%v)
  %on = tile.expr %e < 120
  %old_h = tile.atomic_rmw fmin relaxed gpu %bins, %h, %on : tensor<128x!tile.ptr<f16>>
  %old_b = tile.atomic_rmw fmax acq_rel gpu %line, %b, %on : tensor<128x!tile.ptr<bf16>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  %c16 = arith.constant 16 : index
  %c37 = arith.constant 37 : index
  %c64 = arith.constant 64 : index
  %c120 = arith.constant 120 : index
  %half = arith.constant 32.0 : f32
  %x = tile_host.alloc() : () -> memref<8xf16>
  %y = tile_host.alloc() : () -> memref<128xbf16>
  %want_x = tile_host.alloc() : () -> memref<8xf16>
  %want_y = tile_host.alloc() : () -> memref<128xbf16>
  scf.for %p = %c0 to %c16 step %c1 {
    scf.for %e = %c0 to %c120 step %c1 {
      %a = arith.muli %p, %c37 : index
      %b = arith.muli %e, %c11 : index
      %s = arith.addi %a, %b : index
      %r = arith.remui %s, %c64 : index
      %i = arith.index_cast %r : index to i32
      %f = arith.sitofp %i : i32 to f32
      %v = arith.subf %f, %half : f32
      %h = arith.truncf %v : f32 to f16
      %w = arith.truncf %v : f32 to bf16
      %e3 = arith.muli %e, %c3 : index
      %bin = arith.remui %e3, %c8 : index
      %was_x = memref.load %want_x[%bin] : memref<8xf16>
      %was_y = memref.load %want_y[%e] : memref<128xbf16>
      %less = arith.minimumf %was_x, %h : f16
      %more = arith.maximumf %was_y, %w : bf16
      memref.store %less, %want_x[%bin] : memref<8xf16>
      memref.store %more, %want_y[%e] : memref<128xbf16>
    }
  }
  tile_host.launch @extremes(%x, %y) : memref<8xf16>, memref<128xbf16>
  tile_host.expect_close %x, %want_x : memref<8xf16>, memref<8xf16>
  tile_host.expect_close %y, %want_y : memref<128xbf16>, memref<128xbf16>
  return
}

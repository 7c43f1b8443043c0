// Atomic loads, stores and polls of Triton 3.9 are read-modify-writes; a poll is a loop around one.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-opt accesses.mlir --convert-triton-to-tile | FileCheck %s
// RUN: tile-run hand.mlir --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tile-run hand.mlir --target=cpu --grid 2 --arg zeros:i32[1] --arg zeros:f32[8] --arg zeros:i32[8]:out=out.npy
// RUN: tail -c 32 out.npy | od -An -t d4 | FileCheck %s --check-prefix=OUT
// OUT: 42 1 1 1
// OUT-NEXT: 1 1 42 42

// The first program writes 42 and raises a flag; the second one waits for it, and reads.
// PTX-DAG: atom.global.gpu.release.exch.b32
// PTX-DAG: atom.global.gpu.acquire.or.b32
//
// CHECK-LABEL: tile.func @accesses
// CHECK: %[[WORDS:.*]] = tile.ptr_cast %{{.*}} : tensor<8x!tile.ptr<f32>> -> tensor<8x!tile.ptr<i32>>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<8xi32>
// CHECK: %[[READ:.*]] = tile.atomic_rmw or acquire gpu %[[WORDS]], %[[ZERO]], %{{.*}} : tensor<8x!tile.ptr<i32>>
// CHECK: %[[X:.*]] = arith.bitcast %[[READ]] : tensor<8xi32> to tensor<8xf32>
// CHECK: tile.atomic_rmw xchg release cta %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<i32>>
// Numbers of 16 bits have compare-and-swap alone. Who was seen waits no more.
// CHECK: scf.while (%[[WAITS:.*]] = %{{.*}}) : (tensor<8xi1>) -> tensor<8xi1>
// CHECK: %[[SEEN:.*]] = tile.atomic_cas relaxed sys %{{.*}}, %{{.*}}, %{{.*}}, %[[WAITS]] : tensor<8x!tile.ptr<i16>>
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[SEEN]], %{{.*}} : tensor<8xi16>
// CHECK: %[[STILL:.*]] = arith.andi %[[WAITS]], %[[OTHER]] : tensor<8xi1>
// CHECK: %[[ANY:.*]] = tile.reduce or %[[STILL]] axis 0
// CHECK: scf.condition(%[[ANY]]) %[[STILL]] : tensor<8xi1>
//--- accesses.mlir
tt.func public @accesses(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %q: tensor<8x!tt.ptr<i16>>, %e: tensor<8xi16>) {
  %x = tt.atomic_load acquire, gpu, %p, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  tt.atomic_store release, cta, %p, %x, %m : tensor<8x!tt.ptr<f32>>
  %seen = tt.atomic_poll relaxed, sys, %q, %e : tensor<8x!tt.ptr<i16>>, tensor<8xi16> -> tensor<8xi1>
  %bytes = arith.extui %seen : tensor<8xi1> to tensor<8xi16>
  tt.store %q, %bytes, %m : tensor<8x!tt.ptr<i16>>
  tt.return
}

//--- hand.mlir
tt.func public @hand(%flag: !tt.ptr<i32>, %payload: !tt.ptr<f32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %answer = arith.constant 42.0 : f32
  %true = arith.constant true
  %pid = tt.get_program_id x : i32
  %first = arith.cmpi eq, %pid, %zero : i32
  %lane = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %ones = arith.constant dense<1> : tensor<8xi32>
  %sixes = arith.constant dense<6> : tensor<8xi32>
  scf.if %first {
    tt.atomic_store relaxed, gpu, %payload, %answer, %true : !tt.ptr<f32>
    tt.atomic_store release, gpu, %flag, %one, %true : !tt.ptr<i32>
  } else {
    %seen = tt.atomic_poll acquire, gpu, %flag, %one : !tt.ptr<i32>, i32 -> i1
    %x = tt.atomic_load relaxed, gpu, %payload, %seen : (!tt.ptr<f32>, i1) -> f32
    %n = arith.fptosi %x : f32 to i32
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %to = tt.addptr %base, %lane : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %inner = arith.cmpi slt, %lane, %sixes : tensor<8xi32>
    %numbers = tt.splat %n : i32 -> tensor<8xi32>
    tt.atomic_store release, gpu, %to, %numbers : tensor<8x!tt.ptr<i32>>
    tt.atomic_store release, gpu, %to, %ones, %inner : tensor<8x!tt.ptr<i32>>
    tt.atomic_store release, gpu, %out, %n : !tt.ptr<i32>
  }
  tt.return
}

// Atomic loads, stores and polls of Triton 3.9 are read-modify-writes; a poll is a loop around one.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-opt accesses.mlir --convert-triton-to-tile | FileCheck %s
// RUN: tile-run hand.mlir --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tile-run hand.mlir --target=cpu --grid 2 --arg zeros:i32[1] --arg zeros:f32[8] --arg zeros:i32[8]:out=out.npy
// RUN: tail -c 32 out.npy | od -An -t d4 | FileCheck %s --check-prefix=OUT
// OUT: 42 1 1 1
// OUT-NEXT: 1 1 42 42
// RUN: tile-run timed.mlir --target=cpu --check --grid 1 --arg zeros:i32[8] --arg zeros:i32[10]:out=timed.npy --arg zeros:f16[8]:out=halves.npy
// RUN: tail -c 40 timed.npy | od -An -t d4 | FileCheck %s --check-prefix=TIMED
// RUN: tail -c 16 halves.npy | od -An -t x2 | FileCheck %s --check-prefix=HALVES
// RUN: %if gpu %{ tile-run timed.mlir --target=gpu --grid 1 --arg zeros:i32[8] --arg zeros:i32[10]:out=gpu.npy --arg zeros:f16[8]:out=gpuhalves.npy %}
// RUN: %if gpu %{ tail -c 40 gpu.npy | od -An -t d4 | FileCheck %s --check-prefix=TIMED %}
// RUN: %if gpu %{ tail -c 16 gpuhalves.npy | od -An -t x2 | FileCheck %s --check-prefix=HALVES %}
// A flag that nobody raises; one that is as expected, in no time; eight, of which four are.
// TIMED: 0 1 0 0
// TIMED-NEXT: 0 0 1 1
// TIMED-NEXT: 1 1
// HALVES: 3c00 3c00 3c00 3c00 0000 0000 0000 c000

// The first program writes 42 and raises a flag; the second one waits for it, and reads.
// PTX-DAG: atom.global.gpu.release.exch.b32
// PTX-DAG: ld.acquire.gpu.global.b32
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
// Nothing exchanges numbers of 16 bits: what was seen is swapped until it is there still.
// CHECK: %[[HALF:.*]] = arith.bitcast %{{.*}} : tensor<8xf16> to tensor<8xi16>
// CHECK: scf.while (%[[BEFORE:.*]] = %{{.*}}, %[[WAITS:.*]] = %{{.*}}) : (tensor<8xi16>, tensor<8xi1>)
// CHECK: %[[FOUND:.*]] = tile.atomic_cas release gpu %{{.*}}, %[[BEFORE]], %[[HALF]], %[[WAITS]] : tensor<8x!tile.ptr<i16>>
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[FOUND]], %[[BEFORE]] : tensor<8xi16>
// CHECK: %[[STILL:.*]] = arith.andi %[[WAITS]], %[[OTHER]] : tensor<8xi1>
// CHECK: scf.condition(%{{.*}}) %[[FOUND]], %[[STILL]] : tensor<8xi16>, tensor<8xi1>
// A timeout: the clock before the loop, and in it, one number for all threads.
// CHECK-LABEL: tile.func @until
// CHECK: %[[CLOCK:.*]] = tile.inline_ptx "mov.u64 $0, %globaltimer;" constraints "=l"() : () -> tensor<1024xi64>
// CHECK: %[[START:.*]] = tile.reduce umax %[[CLOCK]] axis 0
// CHECK: scf.while (%[[WAITS:.*]] = %{{.*}}) : (i1) -> i1
// CHECK: %[[STILL:.*]] = arith.andi %[[WAITS]], %{{.*}} : i1
// CHECK: %[[NOW:.*]] = tile.reduce umax
// CHECK: %[[PASSED:.*]] = arith.subi %[[NOW]], %[[START]] : i64
// CHECK: %[[EARLY:.*]] = arith.cmpi ult, %[[PASSED]], %{{.*}} : i64
// CHECK: %[[AGAIN:.*]] = arith.andi %[[STILL]], %[[EARLY]] : i1
// CHECK: scf.condition(%[[AGAIN]]) %[[STILL]] : i1
//--- accesses.mlir
tt.func public @accesses(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %q: tensor<8x!tt.ptr<i16>>, %e: tensor<8xi16>) {
  %x = tt.atomic_load acquire, gpu, %p, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  tt.atomic_store release, cta, %p, %x, %m : tensor<8x!tt.ptr<f32>>
  %seen = tt.atomic_poll relaxed, sys, %q, %e : tensor<8x!tt.ptr<i16>>, tensor<8xi16> -> tensor<8xi1>
  %bytes = arith.extui %seen : tensor<8xi1> to tensor<8xi16>
  tt.store %q, %bytes, %m : tensor<8x!tt.ptr<i16>>
  %h = arith.truncf %x : tensor<8xf32> to tensor<8xf16>
  %hp = tt.bitcast %q : tensor<8x!tt.ptr<i16>> -> tensor<8x!tt.ptr<f16>>
  tt.atomic_store release, gpu, %hp, %h, %m : tensor<8x!tt.ptr<f16>>
  tt.return
}

tt.func public @until(%p: !tt.ptr<i32>, %x: i32, %ns: i64, %out: !tt.ptr<i32>) {
  %ok = tt.atomic_poll acquire, gpu, %p, %x timeout %ns : !tt.ptr<i32>, i32 -> i1
  %n = arith.extui %ok : i1 to i32
  tt.store %out, %n : !tt.ptr<i32>
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

//--- timed.mlir
tt.func public @timed(%flag: !tt.ptr<i32>, %out: !tt.ptr<i32>, %halves: !tt.ptr<f16>) {
  %one = arith.constant 1 : i32
  %short = arith.constant 20000000 : i64
  %ok = tt.atomic_poll acquire, gpu, %flag, %one timeout %short : !tt.ptr<i32>, i32 -> i1
  %n = arith.extui %ok : i1 to i32
  tt.store %out, %n : !tt.ptr<i32>
  %none = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %yes = tt.atomic_poll acquire, gpu, %flag, %zero timeout %none : !tt.ptr<i32>, i32 -> i1
  %m = arith.extui %yes : i1 to i32
  %next = tt.addptr %out, %one : !tt.ptr<i32>, i32
  tt.store %next, %m : !tt.ptr<i32>
  %lane = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %fours = arith.constant dense<4> : tensor<8xi32>
  %base = tt.splat %flag : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %p = tt.addptr %base, %lane : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %e = arith.cmpi slt, %lane, %fours : tensor<8xi32>
  %w = arith.extui %e : tensor<8xi1> to tensor<8xi32>
  %seen = tt.atomic_poll acquire, gpu, %p, %w timeout %short : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  %s = arith.extui %seen : tensor<8xi1> to tensor<8xi32>
  %twos = arith.constant dense<2> : tensor<8xi32>
  %ob = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %o1 = tt.addptr %ob, %twos : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %o = tt.addptr %o1, %lane : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %o, %s : tensor<8x!tt.ptr<i32>>
  %ones = arith.constant dense<1.0> : tensor<8xf16>
  %hb = tt.splat %halves : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
  %hp = tt.addptr %hb, %lane : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
  tt.atomic_store release, gpu, %hp, %ones, %e : tensor<8x!tt.ptr<f16>>
  %seven = arith.constant 7 : i32
  %last = tt.addptr %halves, %seven : !tt.ptr<f16>, i32
  %minus = arith.constant -2.0 : f16
  tt.atomic_store relaxed, sys, %last, %minus : !tt.ptr<f16>
  tt.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-order-accesses))' | FileCheck %s
// What was written by the same pointers is handed on, or waited for.

// What is masked out is 0 where a load does not say.
// CHECK-LABEL: tile.func @handed
// CHECK: tile.store %[[P:.*]], %[[X:[^,]*]], %[[M:.*]] : tensor<64x!tile.ptr<f32>>
// CHECK-NOT: tile.load
// CHECK-NOT: tile.barrier
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %[[Y:.*]] = arith.select %[[M]], %[[X]], %[[ZERO]]
// CHECK: tile.store %{{.*}}, %[[Y]]
tile.func @handed(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) {
  %lane = tile.arange : tensor<64xi32>
  %x = arith.sitofp %lane : tensor<64xi32> to tensor<64xf32>
  %mask = tile.expr %lane < %n
  %ps = tile.expr %p + %lane
  %qs = tile.expr %q + %lane
  tile.store %ps, %x, %mask : tensor<64x!tile.ptr<f32>>
  %y = tile.load %ps, %mask : tensor<64x!tile.ptr<f32>>
  tile.store %qs, %y : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Others wrote in between, or memory is asked for.
// CHECK-LABEL: tile.func @awaited
// CHECK: tile.store %[[P:.*]], %{{.*}}
// CHECK-NEXT: tile.store %{{.*}}, %{{.*}}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load %[[P]] : tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: tile.store %[[P]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load %[[P]] cache cv
// CHECK-NEXT: tile.store
tile.func @awaited(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lane = tile.arange : tensor<64xi32>
  %x = arith.sitofp %lane : tensor<64xi32> to tensor<64xf32>
  %ps = tile.expr %p + %lane
  %qs = tile.expr %q + %lane
  tile.store %ps, %x : tensor<64x!tile.ptr<f32>>
  tile.store %qs, %x : tensor<64x!tile.ptr<f32>>
  %y = tile.load %ps : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %y : tensor<64x!tile.ptr<f32>>
  %z = tile.load %ps cache cv : tensor<64x!tile.ptr<f32>>
  tile.store %qs, %z : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Atomics wait for stores, and what is read for atomics; among themselves they wait for none.
// CHECK-LABEL: tile.func @atomics
// CHECK: tile.store %[[P:.*]], %{{.*}}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.atomic_rmw add relaxed gpu %[[P]]
// CHECK-NEXT: tile.atomic_rmw add relaxed gpu %[[P]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load %[[P]]
tile.func @atomics(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) {
  %lane = tile.arange : tensor<64xi32>
  %ps = tile.expr %p + %lane
  %qs = tile.expr %q + %lane
  tile.store %ps, %lane : tensor<64x!tile.ptr<i32>>
  %a = tile.atomic_rmw add relaxed gpu %ps, %lane : tensor<64x!tile.ptr<i32>>
  %b = tile.atomic_rmw add relaxed gpu %ps, %lane : tensor<64x!tile.ptr<i32>>
  %y = tile.load %ps : tensor<64x!tile.ptr<i32>>
  tile.store %qs, %y : tensor<64x!tile.ptr<i32>>
  tile.return
}

// What is read before it is written, and pointers that are not the same, wait for nothing.
// CHECK-LABEL: tile.func @apart
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.func @apart(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %lane = tile.arange : tensor<64xi32>
  %ps = tile.expr %p + %lane
  %qs = tile.expr %q + %lane
  %x = tile.load %ps : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %x : tensor<64x!tile.ptr<f32>>
  %y = tile.load %qs : tensor<64x!tile.ptr<f32>>
  tile.store %qs, %y : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A number is written by one thread, whose order is that of the kernel; all threads read it.
// CHECK-LABEL: tile.func @number
// CHECK-NOT: tile.barrier
// CHECK: tile.store
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
tile.func @number(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %n: i32) {
  tile.store %p, %n : !tile.ptr<i32>
  %a = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  tile.store %p, %n : !tile.ptr<i32>
  %b = tile.atomic_rmw add relaxed gpu %q, %n : !tile.ptr<i32>
  %c = tile.load %p : !tile.ptr<i32>
  tile.store %q, %c : !tile.ptr<i32>
  tile.return
}

// 64 elements that four warps have, each of all of them: no warp reads what another has stored.
// CHECK-LABEL: tile.func @repeated
// CHECK: tile.load %[[P:.*]] : tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store %[[P]]
// CHECK: tile.load %[[COUNT:.*]] : !tile.ptr<i32>
// CHECK: tile.barrier
// CHECK-NEXT: tile.store %[[COUNT]]
tile.func @repeated(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %count: !tile.ptr<i32>, %new: tensor<64xf32>) {
  %ps = tile.expr %p + arange(64)
  %x = tile.load %ps : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %new : tensor<64x!tile.ptr<f32>>
  %sum = tile.reduce add %x axis 0 : tensor<64xf32> -> f32
  %n = tile.load %count : !tile.ptr<i32>
  %more = tile.expr %n + 1
  tile.store %count, %more : !tile.ptr<i32>
  %place = tile.expr %q + %n
  tile.store %place, %sum : !tile.ptr<f32>
  tile.return
}

// What is cleared, or exchanged, is read first by all threads.
// CHECK-LABEL: tile.func @cleared
// CHECK: tile.load %[[P:.*]] : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store %[[P]]
// CHECK: tile.load %[[LOCK:.*]] : !tile.ptr<i32>
// CHECK: tile.barrier
// CHECK-NEXT: scf.if
// CHECK: tile.atomic_rmw xchg {{.*}} %[[LOCK]]
tile.func @cleared(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %lock: !tile.ptr<i32>, %zero: tensor<1024xf32>) {
  %ps = tile.expr %p + arange(1024)
  %x = tile.load %ps : tensor<1024x!tile.ptr<f32>>
  tile.store %ps, %zero : tensor<1024x!tile.ptr<f32>>
  %qs = tile.expr %q + 2 * arange(1024)
  tile.store %qs, %x : tensor<1024x!tile.ptr<f32>>
  %n = tile.load %lock : !tile.ptr<i32>
  %first = tile.expr %n == 0
  scf.if %first {
    %one = arith.constant 1 : i32
    %old = tile.atomic_rmw xchg relaxed gpu %lock, %one : !tile.ptr<i32>
  }
  tile.return
}

// What a thread stores it has read itself; and of a large tile each element is one thread's.
// CHECK-LABEL: tile.func @own
// CHECK-NOT: tile.barrier
tile.func @own(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %count: !tile.ptr<i32>, %new: tensor<1024xf32>) {
  %ps = tile.expr %p + arange(64)
  %x = tile.load %ps : tensor<64x!tile.ptr<f32>>
  %y = tile.expr %x * %x
  tile.store %ps, %y : tensor<64x!tile.ptr<f32>>
  %qs = tile.expr %q + arange(1024)
  %z = tile.load %qs : tensor<1024x!tile.ptr<f32>>
  %both = tile.expr %z + %new
  tile.store %qs, %both : tensor<1024x!tile.ptr<f32>>
  %sum = tile.reduce add %z axis 0 : tensor<1024xf32> -> f32
  tile.store %q, %sum : !tile.ptr<f32>
  %n = tile.load %count : !tile.ptr<i32>
  %more = tile.expr %n + 1
  tile.store %count, %more : !tile.ptr<i32>
  tile.return
}

// Sums that begin with what memory has, of a dot or of a loop, wait for it element by element.
// CHECK-LABEL: tile.func @sums
// CHECK-NOT: tile.barrier
tile.func @sums(%p: !tile.ptr<f32>, %a: tensor<64x64xf16>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ps = tile.expr %p + col(arange(64)) * 64 + row(arange(64))
  %x = tile.load %ps : tensor<64x64x!tile.ptr<f32>>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (tensor<64x64xf32>) : i32 {
    %next = tile.dot %a, %a, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %ps, %sum : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// A running total of numbers, which one thread stores over each of them: nobody else wants what a loop carries of them.
// CHECK-LABEL: tile.func @totals
// CHECK-NOT: tile.barrier
tile.func @totals(%p: !tile.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%total = %zero) -> (i32) : i32 {
    %q = tile.addptr %p, %i : !tile.ptr<i32>, i32
    %x = tile.load %q : !tile.ptr<i32>
    %next = tile.expr %total + %x
    tile.store %q, %next : !tile.ptr<i32>
    scf.yield %next : i32
  }
  tile.store %p, %sum : !tile.ptr<i32>
  tile.return
}

// How many steps there are each thread has to know.
// CHECK-LABEL: tile.func @steps
// CHECK: tile.load
// CHECK: tile.barrier
// CHECK: tile.store
tile.func @steps(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.for %i = %zero to %n step %one iter_args(%total = %zero) -> (i32) : i32 {
    %x = tile.load %p : !tile.ptr<i32>
    tile.store %p, %i : !tile.ptr<i32>
    scf.yield %x : i32
  }
  scf.for %i = %zero to %last step %one : i32 {
    tile.store %q, %i : !tile.ptr<i32>
  }
  tile.return
}

// A sum that is begun anew in each step, or with something else, may be stored while others have yet to read what was there.
// CHECK-LABEL: tile.func @anew
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
tile.func @anew(%p: !tile.ptr<f32>, %q: tensor<64x64x!tile.ptr<f32>>, %a: tensor<64x64xf16>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %ps = tile.expr %p + col(arange(64)) * 64 + row(arange(64))
  %x = tile.load %ps : tensor<64x64x!tile.ptr<f32>>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (tensor<64x64xf32>) : i32 {
    %next = tile.dot %a, %a, %none : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %ps, %sum : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @other_sum
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
tile.func @other_sum(%p: !tile.ptr<f32>, %q: tensor<64x64x!tile.ptr<f32>>, %a: tensor<64x64xf16>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %ps = tile.expr %p + col(arange(64)) * 64 + row(arange(64))
  %x = tile.load %ps : tensor<64x64x!tile.ptr<f32>>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %next = tile.dot %a, %a, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %ps, %sum : tensor<64x64x!tile.ptr<f32>>
  tile.store %q, %x : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// One warp reads what is there before any of its lanes writes.
// CHECK-LABEL: tile.func @one_warp
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.func @one_warp(%p: !tile.ptr<f32>, %new: tensor<64xf32>, %q: tensor<64x!tile.ptr<f32>>) attributes {tile.num_warps = 1 : i32} {
  %ps = tile.expr %p + arange(64)
  %x = tile.load %ps : tensor<64x!tile.ptr<f32>>
  tile.store %ps, %new : tensor<64x!tile.ptr<f32>>
  tile.store %q, %x : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A number that a loop reads, writes and goes on with as long as there is one: all threads ask it in the next step.
// CHECK-LABEL: tile.func @asked_again
// CHECK: %[[LEFT:.*]] = tile.load %[[COUNT:.*]] : !tile.ptr<i32>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store %[[COUNT]]
// CHECK-NEXT: scf.yield %[[LEFT]]
tile.func @asked_again(%count: !tile.ptr<i32>, %n: i32, %new: i32) {
  %c0 = arith.constant 0 : i32
  %last = scf.while (%k = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %k, %c0 : i32
    scf.condition(%more) %n : i32
  } do {
  ^bb0(%same: i32):
    %left = tile.load %count : !tile.ptr<i32>
    tile.store %count, %new : !tile.ptr<i32>
    scf.yield %left : i32
  }
  tile.return
}

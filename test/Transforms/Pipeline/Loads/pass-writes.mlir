// Copies of what dots read pass the loop's writes where the arrays of a launch lie apart, as in recurrences over chunks that
// store each chunk's result.
//
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_80' --mlir-print-ir-after=tile-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_80' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_80' --mlir-print-ir-after=tile-load-ahead -o /dev/null 2>&1 | FileCheck %s --check-prefix=AHEAD
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOXES
// BOXES: remark: stays an access through pointers: expected no tile.barrier in a kernel that has accesses like this, found one

// CHECK-LABEL: tile.func @apart
// CHECK: %[[BEFORE:.*]] = arith.cmpi sle
// CHECK: %[[BEHIND:.*]] = arith.cmpi sle
// CHECK: %[[APART:.*]] = arith.ori %[[BEFORE]], %[[BEHIND]] : i1
// CHECK-NEXT: = scf.if %[[APART]]
// CHECK: tile_gpu.async_copy
// CHECK: scf.for
// CHECK: tile_gpu.async_wait
// CHECK: tile_gpu.async_copy
// CHECK: tile.store
// CHECK: } else {
// CHECK-NOT: tile_gpu.async
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.store
// CHECK: tile.num_stages = 1

// Every second step writes to the next place.
// CHECK-LABEL: tile.func @quotient
// CHECK: arith.floordivsi
// CHECK: arith.ceildivsi
// CHECK: = scf.if
// CHECK: tile_gpu.async_copy
// CHECK: } else {

// What no dot reads stays where it is, behind what the step before wrote.
// CHECK-LABEL: tile.func @beside
// CHECK: = scf.if
// CHECK: tile_gpu.async_copy {{.*}}64x64x
// CHECK-NOT: tile_gpu.async_copy {{.*}}tensor<256x!
// CHECK: scf.for
// CHECK-NOT: tile_gpu.async_copy {{.*}}tensor<256x!
// CHECK: tile.load {{.*}}tensor<256x!
// CHECK: tile.store
// CHECK: } else {

// What it reads and writes is one array.
// CHECK-LABEL: tile.func @same
// CHECK-NOT: scf.if
// CHECK-NOT: tile_gpu.async
// CHECK: tile.return
// SAYS: warning: load is not pipelined: expected a loop without writes of global memory or barriers

// A barrier in front of the loop does for those in it, whose reads lie apart from what it writes.
// CHECK-LABEL: tile.func @meets
// CHECK: tile.barrier
// CHECK-NEXT: = scf.if
// CHECK: tile_gpu.async_copy
// CHECK: } else {

// But not where the loop may wait for other programs.
// CHECK-LABEL: tile.func @waits
// CHECK-NOT: scf.if
// CHECK-NOT: tile_gpu.async
// CHECK: tile.return
// SAYS: warning: load is not pipelined: expected a loop without writes of global memory or barriers

// What no copy can bring, since rows begin anywhere, is asked for a step ahead by threads.
// AHEAD-LABEL: tile.func @odd
// AHEAD: = scf.if
// AHEAD: tile.load {{.*}}tile_gpu.apart
// AHEAD: scf.for
// AHEAD: tile_gpu.buffer_store
// AHEAD: tile.load {{.*}}tile_gpu.apart
// AHEAD: tile.dot
// AHEAD: } else {
// AHEAD-NOT: tile_gpu.apart

tile.func @apart(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %chunk = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %px = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %at : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %py = tile.addptr %y, %from : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @quotient(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %chunk = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %px = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %at : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %half = arith.divsi %k, %c2 : i32
    %there = arith.muli %half, %chunk : i32
    %py = tile.addptr %y, %there : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @beside(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %i4 = tile.arange : tensor<256xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %chunk = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %px = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %at : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %old = tile.addptr %y, %i4 : !tile.ptr<f16>, tensor<256xi32>
    %line = tile.load %old : tensor<256x!tile.ptr<f16>>
    %begin = tile.addptr %y, %from : !tile.ptr<f16>, i32
    %new = tile.addptr %begin, %i4 : !tile.ptr<f16>, tensor<256xi32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %py = tile.addptr %y, %from : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    tile.store %new, %line : tensor<256x!tile.ptr<f16>>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @same(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %chunk = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %px = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %at : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %py = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @meets(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %chunk = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %px = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %at : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %py = tile.addptr %y, %from : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    tile.barrier
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @waits(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %chunk = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %px = tile.addptr %x, %from : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %at : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %py = tile.addptr %y, %from : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    tile.barrier
    %old = tile.atomic_rmw fadd relaxed gpu %q, %h : tensor<64x64x!tile.ptr<f16>>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @odd(%x: !tile.ptr<f16>, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %odd = arith.constant dense<65> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %oddly = arith.muli %rows, %odd : tensor<64x1xi32>
  %ro = tile.broadcast %oddly : tensor<64x1xi32> -> tensor<64x64xi32>
  %ao = arith.addi %ro, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %chunk = arith.constant 4096 : i32
  %next = arith.constant 4160 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %k, %chunk : i32
    %f2 = arith.muli %k, %next : i32
    %px = tile.addptr %x, %f2 : !tile.ptr<f16>, i32
    %p = tile.addptr %px, %ao : !tile.ptr<f16>, tensor<64x64xi32>
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %py = tile.addptr %y, %from : !tile.ptr<f16>, i32
    %q = tile.addptr %py, %at : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %q = tile.addptr %y, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %q, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

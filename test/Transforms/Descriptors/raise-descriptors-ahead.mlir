// Boxes of a loop are for a warp that copies them ahead. Where positions, or how often the loop runs, are read from memory that
// the kernel writes, none does, and the loop would wait for each box: such loads stay ones of pointers. The first block of @plain
// is the program's number; @steady reads it, and nobody writes it, so that the warp may read it as well: it might be below 0, and
// is moved away from there. So does @walked in each step of its loop. What a warp copies ahead passes no barrier: of @barrier the
// loop in front of it has boxes; none has where a program waits for a lock, too, as @lock does: that lives on many blocks.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.func @plain
// CHECK: tile.desc_load
tile.func @plain(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %block = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %first = arith.muli %block, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %all = arith.addi %firsts, %r64 : tensor<64xi32>
  %rows = tile.expand_dims %all axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @steady
// CHECK-SAME: %[[A:[a-z0-9]*]]: !tile.ptr<f16>
// CHECK-DAG: %[[FAR:.*]] = arith.constant 1073741824 : i32
// CHECK: tile.make_desc %[[A]], [%{{.*}}, %{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}]{{.*}}!tile.desc<1x64x16xf16>
// CHECK: %[[BLOCK:.*]] = tile.load
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]],
// CHECK: %[[MOVED:.*]] = arith.addi %[[FIRST]], %[[FAR]]
// CHECK: tile.desc_load %{{.*}}[%{{.*}}, %[[MOVED]], %{{.*}}]
tile.func @steady(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %program = tile.program_id x
  %at = tile.addptr %list, %program : !tile.ptr<i32>, i32
  %block = tile.load %at : !tile.ptr<i32>
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %first = arith.muli %block, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %all = arith.addi %firsts, %r64 : tensor<64xi32>
  %rows = tile.expand_dims %all axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @walked
// CHECK: scf.for
// CHECK: %[[BLOCK:.*]] = tile.load
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]],
// CHECK: tile.desc_load
tile.func @walked(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %at = tile.addptr %list, %k0 : !tile.ptr<i32>, i32
    %block = tile.load %at : !tile.ptr<i32>
    %first = arith.muli %block, %c64 : i32
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %all = arith.addi %firsts, %r64 : tensor<64xi32>
    %rows = tile.expand_dims %all axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @listed
// CHECK-NOT: tile.desc_load
tile.func @listed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %program = tile.program_id x
  %at = tile.addptr %list, %program : !tile.ptr<i32>, i32
  %block = tile.load %at : !tile.ptr<i32>
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %first = arith.muli %block, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %all = arith.addi %firsts, %r64 : tensor<64xi32>
  %rows = tile.expand_dims %all axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    // expected-remark @+1 {{stays an access through pointers: expected positions that follow from arguments and program ids, found loaded ones}}
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %at, %c0 : !tile.ptr<i32>
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @counted
// CHECK-NOT: tile.desc_load
tile.func @counted(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %s: i32 {tile.divisibility = 8 : i32}) {
  %k = tile.load %list : !tile.ptr<i32>
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    // expected-remark @+1 {{stays an access through pointers: expected positions that follow from arguments and program ids, found loaded ones}}
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %list, %c0 : !tile.ptr<i32>
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

// What a branch hands on no warp that copies computes.
// CHECK-LABEL: tile.func @branched
// CHECK-NOT: tile.desc_load
tile.func @branched(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %list: !tile.ptr<i32>, %s: i32 {tile.divisibility = 8 : i32}, %k: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %block = scf.if %c -> (i32) {
    %b = tile.load %list : !tile.ptr<i32>
    scf.yield %b : i32
  } else {
    scf.yield %c0 : i32
  }
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %first = arith.muli %block, %c16 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %i = arith.addi %firsts, %r64 : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    // expected-remark @+1 {{stays an access through pointers: expected positions that follow from numbers and loops of them, found a branch}}
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @barrier
// CHECK: tile.desc_load
// CHECK: tile.barrier
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
tile.func @barrier(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %block = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %first = arith.muli %block, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %all = arith.addi %firsts, %r64 : tensor<64xi32>
  %rows = tile.expand_dims %all axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.barrier
  %more = scf.for %k0 = %c0 to %c32 step %c16 iter_args(%acc = %sum) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    // expected-remark @+1 {{stays an access through pointers: expected no tile.barrier before the load, found one}}
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.print "sum" %more : tensor<64x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @lock
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// expected-remark @+1 {{accesses stay as they are: expected no loop that waits beside a tile.barrier, found one}}
tile.func @lock(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %lock: !tile.ptr<i32>, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %block = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %first = arith.muli %block, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %all = arith.addi %firsts, %r64 : tensor<64xi32>
  %rows = tile.expand_dims %all axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  scf.while : () -> () {
    %zero32 = arith.constant 0 : i32
    %one32 = arith.constant 1 : i32
    %old = tile.atomic_cas acq_rel gpu %lock, %zero32, %one32 : !tile.ptr<i32>
    %taken = arith.cmpi ne, %old, %zero32 : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  tile.barrier
  tile.print "sum" %sum : tensor<64x16xf32>
  tile.return
}

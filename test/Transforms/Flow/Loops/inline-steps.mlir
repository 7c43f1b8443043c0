// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-inline-steps))' | FileCheck %s

// The last step alone: from one before the end to the end, which does not wrap.
// CHECK-LABEL: tile.func @last
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.ptr<f32>, %[[N:[a-z0-9]+]]: i32
tile.func @last(%x: !tile.ptr<f32>, %n: i32) {
  %minus = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 1024 : i32
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[STEPS:.*]] = arith.divsi %[[N]], %{{.*}}
  // CHECK: %[[LAST:.*]] = arith.addi %[[STEPS]], %{{.*}}
  // CHECK-NOT: scf.for
  // CHECK: %[[P:.*]] = tile.addptr %[[X]], %[[LAST]]
  // CHECK: %[[V:.*]] = tile.load %[[P]]
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[V]]
  // CHECK: tile.store %[[X]], %[[SUM]]
  %steps = arith.divsi %n, %size : i32
  %start = arith.addi %steps, %minus : i32
  %sum = scf.for %i = %start to %steps step %one iter_args(%s = %zero) -> (f32) : i32 {
    %p = tile.addptr %x, %i : !tile.ptr<f32>, i32
    %v = tile.load %p : !tile.ptr<f32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  tile.store %x, %sum : !tile.ptr<f32>
  tile.return
}

// From a start to less than a step behind it, inside of another loop.
// CHECK-LABEL: tile.func @inner
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.store
// CHECK: tile.return
tile.func @inner(%x: !tile.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  scf.for %i = %c0 to %c64 step %c1 : i32 {
    %end = arith.addi %i, %c7 : i32
    scf.for %j = %i to %end step %c8 : i32 {
      %p = tile.addptr %x, %j : !tile.ptr<f32>, i32
      tile.store %p, %v : !tile.ptr<f32>
    }
  }
  tile.return
}

// Two steps; an end that wraps where %n is the least of all numbers, or the greatest, so that there is no step; an end before
// the start.
// CHECK-LABEL: tile.func @others
// CHECK-COUNT-4: scf.for
tile.func @others(%x: !tile.ptr<f32>, %n: i32, %v: f32) {
  %minus = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %size = arith.constant 1024 : i32
  %steps = arith.divsi %n, %size : i32
  %two = arith.addi %steps, %c9 : i32
  scf.for %i = %steps to %two step %size : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  scf.for %i = %steps to %two step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %last = arith.addi %n, %minus : i32
  scf.for %i = %last to %n step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %behind = arith.addi %n, %c1 : i32
  scf.for %i = %n to %behind step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %before = arith.addi %steps, %minus : i32
  scf.for %i = %steps to %before step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  tile.return
}

// Rows of a chunk, of at most 16, by 16: one step, since the loop around it has no chunk of none. From the first to the
// last, and back.
// CHECK-LABEL: tile.func @chunks
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @chunks(%x: !tile.ptr<f32>, %n: i32, %a: tensor<16x16xf16>) {
  %minus = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tile.splat %x : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %up = arith.addi %n, %c15 : i32
  %chunks = arith.divsi %up, %c16 : i32
  scf.for %i = %c0 to %chunks step %c1 : i32 {
    %first = arith.muli %i, %c16 : i32
    %left = arith.subi %n, %first : i32
    %rows = arith.minsi %left, %c16 : i32
    %more = arith.addi %rows, %c15 : i32
    %steps = arith.divsi %more, %c16 : i32
    %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
      %t = tile.dot %a, %a, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %t : tensor<16x16xf32>
    }
    tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  %last = arith.addi %chunks, %minus : i32
  scf.for %i = %minus to %last step %c1 : i32 {
    %behind = arith.subi %last, %i : i32
    %chunk = arith.addi %behind, %minus : i32
    %first = arith.muli %chunk, %c16 : i32
    %left = arith.subi %n, %first : i32
    %rows = arith.minsi %left, %c16 : i32
    %more = arith.addi %rows, %c15 : i32
    %steps = arith.divsi %more, %c16 : i32
    %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
      %t = tile.dot %a, %a, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %t : tensor<16x16xf32>
    }
    tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

// One chunk too many, of no rows; two steps of 8 rows.
// CHECK-LABEL: tile.func @more_chunks
// CHECK-COUNT-3: scf.for
tile.func @more_chunks(%x: !tile.ptr<f32>, %n: i32, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c15 = arith.constant 15 : i32
  %c16 = arith.constant 16 : i32
  %up = arith.addi %n, %c16 : i32
  %chunks = arith.divsi %up, %c16 : i32
  scf.for %i = %c0 to %chunks step %c1 : i32 {
    %first = arith.muli %i, %c16 : i32
    %left = arith.subi %n, %first : i32
    %rows = arith.minsi %left, %c16 : i32
    %more = arith.addi %rows, %c15 : i32
    %steps = arith.divsi %more, %c16 : i32
    scf.for %j = %c0 to %steps step %c1 : i32 {
      tile.store %x, %v : !tile.ptr<f32>
    }
    %seven = arith.addi %rows, %c7 : i32
    %eights = arith.divsi %seven, %c8 : i32
    scf.for %j = %c0 to %eights step %c1 : i32 {
      tile.store %x, %v : !tile.ptr<f32>
    }
  }
  tile.return
}

// An end of 1 at most, which is less where what it is the lesser of wraps: of 2^31 - 1 and 1, and of 65536 times 65536. None of
// the loops has a step then. The last one counts numbers without a sign, of which -1 is behind 0.
// CHECK-LABEL: tile.func @wraps
// CHECK-COUNT-3: scf.for
// CHECK: tile.return
tile.func @wraps(%x: !tile.ptr<f32>, %n: i32, %m: i32, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %some = arith.maxsi %n, %c1 : i32
  %others = arith.maxsi %m, %c1 : i32
  %more = arith.addi %some, %c1 : i32
  %end = arith.minsi %more, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %all = arith.muli %some, %others : i32
  %last = arith.minsi %all, %c1 : i32
  scf.for %i = %c0 to %last step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %million = arith.constant 1000000 : i32
  %less = arith.divsi %n, %million : i32
  %next = arith.addi %less, %c1 : i32
  scf.for unsigned %i = %less to %next step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  tile.return
}

// One more than a million at most does not wrap.
// CHECK-LABEL: tile.func @fits
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @fits(%x: !tile.ptr<f32>, %n: i32, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %million = arith.constant 1000000 : i32
  %less = arith.minsi %n, %million : i32
  %some = arith.maxsi %less, %c0 : i32
  %more = arith.addi %some, %c1 : i32
  %end = arith.minsi %more, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  tile.return
}

// A loop of 64 bits, and of one step, around the one with the dots.
// CHECK-LABEL: tile.func @around
// CHECK: scf.for
// CHECK: tile.dot
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @around(%x: !tile.ptr<f32>, %a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %pid = tile.program_id x
  %start = arith.extsi %pid : i32 to i64
  %end = arith.addi %start, %c1 : i64
  scf.for %i = %start to %end step %c1 : i64 {
    %sum = scf.for %j = %c0 to %n step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i64 {
      %t = tile.dot %a, %b, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %t : tensor<16x16xf32>
    }
    %q = tile.addptr %x, %i : !tile.ptr<f32>, i64
    %p = tile.splat %q : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
    tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

// 64 bits that wrap behind the greatest number.
// CHECK-LABEL: tile.func @wide
// CHECK: scf.for
tile.func @wide(%x: !tile.ptr<f32>, %n: i64, %v: f32) {
  %c1 = arith.constant 1 : i64
  %end = arith.addi %n, %c1 : i64
  scf.for %i = %n to %end step %c1 : i64 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  tile.return
}

// A chunk of a row, up to its end: a step or none.
// CHECK-LABEL: tile.func @chunk
// CHECK-SAME: (%[[X:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32, %[[P:.*]]: tensor<256x!tile.ptr<f32>>)
// CHECK: %[[FIRST:.*]] = arith.muli
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: %[[HAS:.*]] = arith.cmpi slt, %[[FIRST]], %[[END]] : i32
// CHECK: %[[SUM:.*]] = scf.if %[[HAS]] -> (tensor<256xf32>) {
// CHECK: tile.splat %[[FIRST]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[ZERO:.*]], %
// CHECK: scf.yield %[[NEXT]]
// CHECK: } else {
// CHECK: scf.yield %[[ZERO]]
// CHECK: tile.store %[[P]], %[[SUM]]
tile.func @chunk(%x: !tile.ptr<f32>, %n: i32, %p: tensor<256x!tile.ptr<f32>>) {
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c256 : i32
  %behind = arith.addi %first, %c256 : i32
  %end = arith.minsi %behind, %n : i32
  %i = tile.arange : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %sum = scf.for %k = %first to %end step %c256 iter_args(%a = %zero) -> (tensor<256xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<256xi32>
    %at = arith.addi %ks, %i : tensor<256xi32>
    %from = tile.addptr %xs, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %from : tensor<256x!tile.ptr<f32>>
    %next = arith.addf %a, %v : tensor<256xf32>
    scf.yield %next : tensor<256xf32>
  }
  tile.store %p, %sum : tensor<256x!tile.ptr<f32>>
  tile.return
}

// Two steps may be.
// CHECK-LABEL: tile.func @two
// CHECK: scf.for
tile.func @two(%n: i32, %p: tensor<256x!tile.ptr<f32>>, %v: tensor<256xf32>) {
  %c256 = arith.constant 256 : i32
  %c512 = arith.constant 512 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %c512 : i32
  %behind = arith.addi %first, %c512 : i32
  %end = arith.minsi %behind, %n : i32
  scf.for %k = %first to %end step %c256 : i32 {
    tile.store %p, %v : tensor<256x!tile.ptr<f32>>
  }
  tile.return
}

// Of blocks of queries in a chunk of two that see a block of keys there are two at most. Which programs there are says no more
// of others.
// CHECK-LABEL: tile.func @behind
// CHECK: scf.for
// CHECK: } {tile.most_steps = 2 : i64}
// CHECK: scf.for
// CHECK-NOT: most_steps
// CHECK: tile.return
tile.func @behind(%n: i32, %p: tensor<256x!tile.ptr<f32>>, %v: tensor<256xf32>) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id y
  %first = arith.muli %pid, %c64 : i32
  %block = arith.divsi %first, %c64 : i32
  scf.for %k = %block to %c2 step %c1 : i32 {
    tile.store %p, %v : tensor<256x!tile.ptr<f32>>
  }
  scf.for %k = %n to %c2 step %c1 : i32 {
    tile.store %p, %v : tensor<256x!tile.ptr<f32>>
  }
  tile.return
}

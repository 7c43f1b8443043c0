// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-select-numbers))' | FileCheck %s

// A number of tiles that the first programs have one more of, and inside of a loop over tiles; a kernel without dots keeps its branches.
// CHECK-LABEL: tile.func @tiles
// CHECK-SAME: %[[EACH:[a-z0-9]+]]: i32, %[[MORE:[a-z0-9]+]]: i1
// CHECK: %[[NEXT:.*]] = arith.addi %[[EACH]], %{{.*}}
// CHECK: %[[TILES:.*]] = arith.select %[[MORE]], %[[NEXT]], %[[EACH]]
// CHECK: scf.for %{{.*}} to %[[TILES]]
// CHECK: arith.select
// CHECK-NOT: scf.if
// CHECK: scf.for
// The branch in the loop of steps stays.
// CHECK: scf.if
// CHECK: tile.dot
tile.func @tiles(%a: tensor<16x16x!tile.ptr<f32>>, %each: i32, %more: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %tiles = scf.if %more -> (i32) {
    %next = arith.addi %each, %c1 : i32
    scf.yield %next : i32
  } else {
    scf.yield %each : i32
  }
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %first = scf.if %more -> (i32) {
      scf.yield %t : i32
    } else {
      %half = arith.divsi %t, %each : i32
      scf.yield %half : i32
    }
    %sum = scf.for %k = %first to %each step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
      %far = scf.if %more -> (i32) {
        %farther = arith.muli %k, %first : i32
        scf.yield %farther : i32
      } else {
        scf.yield %k : i32
      }
      %offset = tile.splat %far : i32 -> tensor<16x16xi32>
      %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
      %next = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %next : tensor<16x16xf32>
    }
    tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

// Where a group of rows begins is the end of the one before, if there is one: read under the branch's condition. What that condition says
// is not 0 is 1 without it where it divides.
// CHECK-LABEL: tile.func @groups
// CHECK-SAME: %[[ENDS:[a-z0-9]+]]: !tile.ptr<i32>, %[[N:[a-z0-9]+]]: i32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[N]], %[[C0:.*]] : i32
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[N]], %[[C0]] : i32
// CHECK: %[[LOADED:.*]] = tile.load %{{.*}}, %[[OTHER]] : !tile.ptr<i32>
// CHECK: %[[DIVISOR:.*]] = arith.select %[[OTHER]], %[[N]], %{{.*}} : i32
// CHECK: %[[EACH:.*]] = arith.divsi %[[LOADED]], %[[DIVISOR]] : i32
// CHECK: arith.select %[[FIRST]], %[[C0]], %[[LOADED]]
// CHECK: arith.select %[[FIRST]], %[[C0]], %[[EACH]]
// CHECK-NOT: scf.if
tile.func @groups(%a: tensor<16x16xf16>, %ends: !tile.ptr<i32>, %n: i32, %p: tensor<16x16x!tile.ptr<f32>>, %x: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %first = arith.cmpi eq, %n, %c0 : i32
  %start:2 = scf.if %first -> (i32, i32) {
    scf.yield %c0, %c0 : i32, i32
  } else {
    %c-1 = arith.constant -1 : i32
    %before = arith.addi %n, %c-1 : i32
    %at = tile.addptr %ends, %before : !tile.ptr<i32>, i32
    %end = tile.load %at : !tile.ptr<i32>
    %each = arith.divsi %end, %n : i32
    scf.yield %end, %each : i32, i32
  }
  tile.store %x, %start#0 : !tile.ptr<i32>
  tile.store %x, %start#1 : !tile.ptr<i32>
  %sum = tile.dot %a, %a, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// A load that is to be made each time it is asked for stays where it is.
// CHECK-LABEL: tile.func @volatile
// CHECK: scf.if
tile.func @volatile(%a: tensor<16x16xf16>, %flag: !tile.ptr<i32>, %more: i1, %p: tensor<16x16x!tile.ptr<f32>>, %x: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %seen = scf.if %more -> (i32) {
    %now = tile.load %flag cache cv : !tile.ptr<i32>
    scf.yield %now : i32
  } else {
    scf.yield %c0 : i32
  }
  tile.store %x, %seen : !tile.ptr<i32>
  %sum = tile.dot %a, %a, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @no_dots
// CHECK: scf.if
tile.func @no_dots(%x: !tile.ptr<i32>, %each: i32, %more: i1) {
  %c1 = arith.constant 1 : i32
  %tiles = scf.if %more -> (i32) {
    %next = arith.addi %each, %c1 : i32
    scf.yield %next : i32
  } else {
    scf.yield %each : i32
  }
  tile.store %x, %tiles : !tile.ptr<i32>
  tile.return
}

// Both arms compute the same, and one of them promises neighbours, as torch.compile's products of a size that a launch says: one
// arm, without the promise, also in a kernel without dots. Arms that differ stay.
// CHECK-LABEL: tile.func @alike
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<64x!tile.ptr<f32>>, %[[N:[a-z0-9]+]]: i32
// CHECK: %[[ALL:.*]] = tile.splat %[[N]]
// CHECK-NEXT: %[[ROWS:.*]] = arith.remsi %{{.*}}, %[[ALL]] : tensor<64xi32>
// CHECK-NOT: scf.if
// CHECK: tile.addptr %[[P]], %[[ROWS]]
// CHECK: scf.if
tile.func @alike(%p: tensor<64x!tile.ptr<f32>>, %n: i32, %whole: i1) {
  %lane = tile.arange : tensor<64xi32>
  %rows = scf.if %whole -> (tensor<64xi32>) {
    %by = tile.splat %n : i32 -> tensor<64xi32>
    %r = arith.remsi %lane, %by {tile.contiguity = array<i64: 64>} : tensor<64xi32>
    scf.yield %r : tensor<64xi32>
  } else {
    %by = tile.splat %n : i32 -> tensor<64xi32>
    %r = arith.remsi %lane, %by : tensor<64xi32>
    scf.yield %r : tensor<64xi32>
  }
  %pa = tile.addptr %p, %rows : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %x = tile.load %pa : tensor<64x!tile.ptr<f32>>
  %y = scf.if %whole -> (tensor<64xf32>) {
    %twice = arith.addf %x, %x : tensor<64xf32>
    scf.yield %twice : tensor<64xf32>
  } else {
    %square = arith.mulf %x, %x : tensor<64xf32>
    scf.yield %square : tensor<64xf32>
  }
  tile.store %pa, %y : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Arms are not alike by the names of their ops: of another number, by another comparison, with operands the other way round.
// CHECK-LABEL: tile.func @alike_by_name
// CHECK-COUNT-3: scf.if
tile.func @alike_by_name(%p: tensor<64x!tile.ptr<i32>>, %q: tensor<64x!tile.ptr<i1>>, %n: i32, %m: i32, %c: i1) {
  %lane = tile.arange : tensor<64xi32>
  %rows = scf.if %c -> (tensor<64xi32>) {
    %by = tile.splat %n : i32 -> tensor<64xi32>
    %r = arith.addi %lane, %by : tensor<64xi32>
    scf.yield %r : tensor<64xi32>
  } else {
    %by = tile.splat %m : i32 -> tensor<64xi32>
    %r = arith.addi %lane, %by : tensor<64xi32>
    scf.yield %r : tensor<64xi32>
  }
  %before = scf.if %c -> (tensor<64xi1>) {
    %t = arith.cmpi slt, %lane, %rows : tensor<64xi32>
    scf.yield %t : tensor<64xi1>
  } else {
    %t = arith.cmpi sle, %lane, %rows : tensor<64xi32>
    scf.yield %t : tensor<64xi1>
  }
  %far = scf.if %c -> (tensor<64xi32>) {
    %sum = arith.addi %lane, %rows : tensor<64xi32>
    %product = arith.muli %lane, %rows : tensor<64xi32>
    %d = arith.subi %sum, %product : tensor<64xi32>
    scf.yield %d : tensor<64xi32>
  } else {
    %sum = arith.addi %lane, %rows : tensor<64xi32>
    %product = arith.muli %lane, %rows : tensor<64xi32>
    %d = arith.subi %product, %sum : tensor<64xi32>
    scf.yield %d : tensor<64xi32>
  }
  tile.store %p, %far : tensor<64x!tile.ptr<i32>>
  tile.store %q, %before : tensor<64x!tile.ptr<i1>>
  tile.return
}

// A loop that searches for a group, halving what is left, multiplies nothing: its numbers are chosen. In the loop of dots the branch stays.
// CHECK-LABEL: tile.func @search
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: %[[UP:.*]] = arith.addi %{{.*}}, %c1
// CHECK: arith.select %{{.*}}, %[[UP]], %{{.*}} : i32
// CHECK: scf.yield
// CHECK: tile.dot
// CHECK: scf.if
tile.func @search(%a: tensor<16x16xf16>, %ends: !tile.ptr<i32>, %n: i32, %p: tensor<16x16x!tile.ptr<f32>>, %x: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %id = tile.program_id x
  %found:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%low = %c0, %high = %n) -> (i32, i32) : i32 {
    %both = arith.addi %low, %high : i32
    %mid = arith.divsi %both, %c2 : i32
    %at = tile.addptr %ends, %mid : !tile.ptr<i32>, i32
    %end = tile.load %at : !tile.ptr<i32>
    %before = arith.cmpi sle, %end, %id : i32
    %l = scf.if %before -> (i32) {
      %up = arith.addi %mid, %c1 : i32
      scf.yield %up : i32
    } else {
      scf.yield %low : i32
    }
    %h = arith.select %before, %high, %mid : i32
    scf.yield %l, %h : i32, i32
  }
  %sum:2 = scf.for %k = %c0 to %found#0 step %c1 iter_args(%s = %zero, %t = %c0) -> (tensor<16x16xf32>, i32) : i32 {
    %d = tile.dot %a, %a, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    %odd = arith.trunci %k : i32 to i1
    %u = scf.if %odd -> (i32) {
      %more = arith.addi %t, %c1 : i32
      scf.yield %more : i32
    } else {
      scf.yield %t : i32
    }
    scf.yield %d, %u : tensor<16x16xf32>, i32
  }
  tile.store %p, %sum#0 : tensor<16x16x!tile.ptr<f32>>
  tile.store %x, %sum#1 : !tile.ptr<i32>
  tile.return
}

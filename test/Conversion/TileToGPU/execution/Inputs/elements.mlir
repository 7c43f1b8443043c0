// Every op that moves elements without a look at what they are, on elements of TYPE: elements.test puts a type
// in, with the conversions FROM i32 and BACK, and the LOW bits that its values have. Extents of 13 and 26.
//
// The results are rows of 26. Each element of a row is one of the input w[k] = (5 k + 3) & LOW, k = 0 .. 25, of which the
// ops below mostly take the first half: v. What row r has at p is said beside each op; the host program says it
// again, in i32.

!idx = tensor<13xi32>
!idx2 = tensor<2x13xi32>
!v = tensor<13xTYPE>
!w = tensor<26xTYPE>
!v2 = tensor<2x13xTYPE>
!v13 = tensor<13x2xTYPE>

tile.func private @at(%base: !tile.ptr<TYPE>, %row: i32) -> tensor<13x!tile.ptr<TYPE>> {
  %pitch = arith.constant 26 : i32
  %first = arith.muli %row, %pitch : i32
  %start = tile.addptr %base, %first : !tile.ptr<TYPE>, i32
  %lanes = tile.arange : !idx
  %starts = tile.splat %start : !tile.ptr<TYPE> -> tensor<13x!tile.ptr<TYPE>>
  %ptrs = tile.addptr %starts, %lanes : tensor<13x!tile.ptr<TYPE>>, !idx
  tile.return %ptrs : tensor<13x!tile.ptr<TYPE>>
}
tile.func private @at26(%base: !tile.ptr<TYPE>, %row: i32) -> tensor<26x!tile.ptr<TYPE>> {
  %pitch = arith.constant 26 : i32
  %first = arith.muli %row, %pitch : i32
  %start = tile.addptr %base, %first : !tile.ptr<TYPE>, i32
  %lanes = tile.arange : tensor<26xi32>
  %starts = tile.splat %start : !tile.ptr<TYPE> -> tensor<26x!tile.ptr<TYPE>>
  %ptrs = tile.addptr %starts, %lanes : tensor<26x!tile.ptr<TYPE>>, tensor<26xi32>
  tile.return %ptrs : tensor<26x!tile.ptr<TYPE>>
}
tile.func private @put(%base: !tile.ptr<TYPE>, %row: i32, %x: !v) {
  %ptrs = tile.call @at(%base, %row) : (!tile.ptr<TYPE>, i32) -> tensor<13x!tile.ptr<TYPE>>
  tile.store %ptrs, %x : tensor<13x!tile.ptr<TYPE>>
  tile.return
}
tile.func private @put26(%base: !tile.ptr<TYPE>, %row: i32, %x: !w) {
  %ptrs = tile.call @at26(%base, %row) : (!tile.ptr<TYPE>, i32) -> tensor<26x!tile.ptr<TYPE>>
  tile.store %ptrs, %x : tensor<26x!tile.ptr<TYPE>>
  tile.return
}

// Sixteen rows to TYPE, and back.
tile.func @from(%x: !tile.ptr<i32>, %y: !tile.ptr<TYPE>) {
  tile.grid() {
    %rows = arith.constant 16 : i32
    tile.yield %rows : i32
  }
  %row = tile.program_id x
  %pitch = arith.constant 26 : i32
  %first = arith.muli %row, %pitch : i32
  %start = tile.addptr %x, %first : !tile.ptr<i32>, i32
  %lanes = tile.arange : tensor<26xi32>
  %starts = tile.splat %start : !tile.ptr<i32> -> tensor<26x!tile.ptr<i32>>
  %ptrs = tile.addptr %starts, %lanes : tensor<26x!tile.ptr<i32>>, tensor<26xi32>
  %ints = tile.load %ptrs : tensor<26x!tile.ptr<i32>>
  %values = FROM %ints : tensor<26xi32> to !w
  tile.call @put26(%y, %row, %values) : (!tile.ptr<TYPE>, i32, !w) -> ()
  tile.return
}
tile.func @back(%y: !tile.ptr<TYPE>, %x: !tile.ptr<i32>) {
  tile.grid() {
    %rows = arith.constant 16 : i32
    tile.yield %rows : i32
  }
  %row = tile.program_id x
  %from = tile.call @at26(%y, %row) : (!tile.ptr<TYPE>, i32) -> tensor<26x!tile.ptr<TYPE>>
  %values = tile.load %from : tensor<26x!tile.ptr<TYPE>>
  %ints = BACK %values : !w to tensor<26xi32>
  %pitch = arith.constant 26 : i32
  %first = arith.muli %row, %pitch : i32
  %start = tile.addptr %x, %first : !tile.ptr<i32>, i32
  %lanes = tile.arange : tensor<26xi32>
  %starts = tile.splat %start : !tile.ptr<i32> -> tensor<26x!tile.ptr<i32>>
  %ptrs = tile.addptr %starts, %lanes : tensor<26x!tile.ptr<i32>>, tensor<26xi32>
  tile.store %ptrs, %ints : tensor<26x!tile.ptr<i32>>
  tile.return
}

// The value whose key is greater: associative, and it commutes, as no two keys are equal.
tile.func @move(%x: !tile.ptr<TYPE>, %y: !tile.ptr<TYPE>, %three: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %r0 = arith.constant 0 : i32
  %r1 = arith.constant 1 : i32
  %r2 = arith.constant 2 : i32
  %r3 = arith.constant 3 : i32
  %r4 = arith.constant 4 : i32
  %r5 = arith.constant 5 : i32
  %r6 = arith.constant 6 : i32
  %r7 = arith.constant 7 : i32
  %r8 = arith.constant 8 : i32
  %r9 = arith.constant 9 : i32
  %r10 = arith.constant 10 : i32
  %r11 = arith.constant 11 : i32
  %r12 = arith.constant 12 : i32
  %r13 = arith.constant 13 : i32
  %r14 = arith.constant 14 : i32
  %r15 = arith.constant 15 : i32
  %i = tile.arange : !idx
  %c9 = arith.constant dense<9> : !idx
  %c5 = arith.constant dense<5> : !idx
  %c12 = arith.constant dense<12> : !idx
  %c13 = arith.constant dense<13> : !idx
  %back = arith.subi %c12, %i : !idx
  %five_i = arith.muli %i, %c5 : !idx
  %keys = arith.remsi %five_i, %c13 : !idx
  %vp = tile.call @at(%x, %r0) : (!tile.ptr<TYPE>, i32) -> tensor<13x!tile.ptr<TYPE>>
  %wp = tile.call @at26(%x, %r0) : (!tile.ptr<TYPE>, i32) -> tensor<26x!tile.ptr<TYPE>>
  %v = tile.load %vp : tensor<13x!tile.ptr<TYPE>>
  %w = tile.load %wp : tensor<26x!tile.ptr<TYPE>>

  // 0: v[p] for p < 9, and v[0] in the lanes that are off. Each row is stored with a mask that is on.
  %first = tile.load %x : !tile.ptr<TYPE>
  %firsts = tile.splat %first : TYPE -> !v
  %in = arith.cmpi slt, %i, %c9 : !idx
  %masked = tile.load %vp, %in, %firsts : tensor<13x!tile.ptr<TYPE>>
  %to0 = tile.call @at(%y, %r0) : (!tile.ptr<TYPE>, i32) -> tensor<13x!tile.ptr<TYPE>>
  tile.store %to0, %masked, %in : tensor<13x!tile.ptr<TYPE>>
  %out = arith.cmpi sge, %i, %c9 : !idx
  tile.store %to0, %masked, %out : tensor<13x!tile.ptr<TYPE>>

  // 1: v[4] everywhere, and once more behind the row.
  %x4 = tile.addptr %x, %r4 : !tile.ptr<TYPE>, i32
  %fourth = tile.load %x4 : !tile.ptr<TYPE>
  %fourths = tile.splat %fourth : TYPE -> !v
  tile.call @put(%y, %r1, %fourths) : (!tile.ptr<TYPE>, i32, !v) -> ()
  %behind = arith.constant 39 : i32
  %y39 = tile.addptr %y, %behind : !tile.ptr<TYPE>, i32
  tile.store %y39, %fourth : !tile.ptr<TYPE>

  // 2: v[p % 13]
  %row = tile.expand_dims %v axis 0 : !v -> tensor<1x13xTYPE>
  %both = tile.broadcast %row : tensor<1x13xTYPE> -> !v2
  %twice = tile.reshape %both : !v2 -> !w
  tile.call @put26(%y, %r2, %twice) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 3: w[p % 2 * 13 + p / 2]
  %w2 = tile.reshape %w : !w -> !v2
  %t = tile.trans %w2 order [1, 0] : !v2 -> !v13
  %tw = tile.reshape %t : !v13 -> !w
  tile.call @put26(%y, %r3, %tw) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 7: w[p / 13 * 13 + (2 (p % 13) + p / 13) % 13]
  %i1 = tile.expand_dims %i axis 0 : !idx -> tensor<1x13xi32>
  %ib = tile.broadcast %i1 : tensor<1x13xi32> -> !idx2
  %half = arith.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %halves = tile.broadcast %half : tensor<2x1xi32> -> !idx2
  %double = arith.addi %ib, %ib : !idx2
  %odd = arith.addi %double, %halves : !idx2
  %all13 = arith.constant dense<13> : !idx2
  %pick = arith.remsi %odd, %all13 : !idx2
  %g = tile.gather %w2, %pick axis 1 : !v2, !idx2 -> !v2
  %gw = tile.reshape %g : !v2 -> !w
  tile.call @put26(%y, %r7, %gw) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 4: v[p / 2], v[12 - p / 2] by turns
  %rev = tile.gather %v, %back axis 0 : !v, !idx -> !v
  %j = tile.join %v, %rev : !v -> !v13
  %jw = tile.reshape %j : !v13 -> !w
  tile.call @put26(%y, %r4, %jw) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 5: w[2 p + 1], then w[2 (p - 13)]
  %pairs = tile.reshape %w : !w -> !v13
  %even, %uneven = tile.split %pairs : !v13 -> !v
  %sw = tile.cat %uneven, %even axis 0 : !v, !v -> !w
  tile.call @put26(%y, %r5, %sw) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 6: v[p], then v[25 - p]
  %cw = tile.cat %v, %rev axis 0 : !v, !v -> !w
  tile.call @put26(%y, %r6, %cw) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 8: v[p] for p < 5, else v[12 - p]
  %few = arith.cmpi slt, %i, %c5 : !idx
  %s = arith.select %few, %v, %rev : tensor<13xi1>, !v
  tile.call @put(%y, %r8, %s) : (!tile.ptr<TYPE>, i32, !v) -> ()

  // 9: v[12 - p]: three steps of a loop exchange what it carries, one in a branch.
  %a, %b = scf.for %k = %r0 to %three step %r1 iter_args(%l = %v, %m = %rev) -> (!v, !v) : i32 {
    %is1 = arith.cmpi eq, %k, %r1 : i32
    %l1, %m1 = scf.if %is1 -> (!v, !v) {
      scf.yield %m, %l : !v, !v
    } else {
      scf.yield %l, %m : !v, !v
    }
    scf.yield %l1, %m1 : !v, !v
  }
  tile.call @put(%y, %r9, %a) : (!tile.ptr<TYPE>, i32, !v) -> ()

  // 10: w[13 p + 5], p < 2: the key 5 q % 13 is greatest at q = 5
  %keys1 = tile.expand_dims %keys axis 0 : !idx -> tensor<1x13xi32>
  %keys2 = tile.broadcast %keys1 : tensor<1x13xi32> -> !idx2
  %best, %key = tile.reduce %w2, %keys2 axis 1 : !v2, !idx2 -> tensor<2xTYPE>, tensor<2xi32> {
  ^bb0(%p: TYPE, %pk: i32, %q: TYPE, %qk: i32):
    %more = arith.cmpi sgt, %pk, %qk : i32
    %value = arith.select %more, %p, %q : TYPE
    %most = arith.select %more, %pk, %qk : i32
    tile.yield %value, %most : TYPE, i32
  }
  %two = tile.arange : tensor<2xi32>
  %from10 = arith.constant 260 : i32
  %y10 = tile.addptr %y, %from10 : !tile.ptr<TYPE>, i32
  %y10s = tile.splat %y10 : !tile.ptr<TYPE> -> tensor<2x!tile.ptr<TYPE>>
  %y10p = tile.addptr %y10s, %two : tensor<2x!tile.ptr<TYPE>>, tensor<2xi32>
  tile.store %y10p, %best : tensor<2x!tile.ptr<TYPE>>

  // 11: v[q] of the greatest key among q <= p
  %so, %sk = tile.scan %v, %keys axis 0 : !v, !idx -> !v, !idx {
  ^bb0(%p: TYPE, %pk: i32, %q: TYPE, %qk: i32):
    %more = arith.cmpi sgt, %pk, %qk : i32
    %value = arith.select %more, %p, %q : TYPE
    %most = arith.select %more, %pk, %qk : i32
    tile.yield %value, %most : TYPE, i32
  }
  tile.call @put(%y, %r11, %so) : (!tile.ptr<TYPE>, i32, !v) -> ()

  // 12: v in order
  %sorted = tile.sort %v axis 0 : !v
  tile.call @put(%y, %r12, %sorted) : (!tile.ptr<TYPE>, i32, !v) -> ()

  // 13: v[q] by falling keys: key 12 - p is at q = 8 (12 - p) % 13
  %falling, %moved = tile.sort %keys, %v axis 0 {descending} : !idx, !v
  tile.call @put(%y, %r13, %moved) : (!tile.ptr<TYPE>, i32, !v) -> ()

  // 14: w as a descriptor's box of 2 x 13 has it, of an array of 2 x 12: w[12 (p / 13) + p % 13], 0 at its edge
  %rows14 = arith.constant 2 : i32
  %columns14 = arith.constant 12 : i32
  %pitch14 = arith.constant 12 : i64
  %desc = tile.make_desc %x, [%rows14, %columns14], [%pitch14] : !tile.ptr<TYPE> -> !tile.desc<2x13xTYPE>
  %box = tile.desc_load %desc[%r0, %r0] : !tile.desc<2x13xTYPE>
  %boxw = tile.reshape %box : !v2 -> !w
  tile.call @put26(%y, %r14, %boxw) : (!tile.ptr<TYPE>, i32, !w) -> ()

  // 15: the same, stored as a box
  %from15 = arith.constant 390 : i32
  %pitch15 = arith.constant 13 : i64
  %y15 = tile.addptr %y, %from15 : !tile.ptr<TYPE>, i32
  %columns15 = arith.constant 13 : i32
  %to15 = tile.make_desc %y15, [%rows14, %columns15], [%pitch15] : !tile.ptr<TYPE> -> !tile.desc<2x13xTYPE>
  tile.desc_store %to15[%r0, %r0], %box : !tile.desc<2x13xTYPE>
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func private @value(%k: index) -> i32 {
  %i = arith.index_cast %k : index to i32
  %c5 = arith.constant 5 : i32
  %c3 = arith.constant 3 : i32
  %low = arith.constant LOW : i32
  %p = arith.muli %i, %c5 : i32
  %s = arith.addi %p, %c3 : i32
  %v = arith.andi %s, %low : i32
  return %v : i32
}

func.func private @set(%want: memref<16x26xi32>, %row: index, %p: index, %k: index) {
  %v = func.call @value(%k) : (index) -> i32
  memref.store %v, %want[%row, %p] : memref<16x26xi32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c13 = arith.constant 13 : index
  %c25 = arith.constant 25 : index
  %c26 = arith.constant 26 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %x32 = tile_host.alloc() : () -> memref<16x26xi32>
  %x = tile_host.alloc() : () -> memref<16x26xTYPE>
  %y = tile_host.alloc() : () -> memref<16x26xTYPE>
  %got = tile_host.alloc() : () -> memref<16x26xi32>
  %want = tile_host.alloc() : () -> memref<16x26xi32>
  linalg.fill ins(%zero : i32) outs(%x32 : memref<16x26xi32>)
  scf.for %p = %c0 to %c26 step %c1 {
    %v = func.call @value(%p) : (index) -> i32
    memref.store %v, %x32[%c0, %p] : memref<16x26xi32>
  }
  tile_host.launch @from(%x32, %x) : memref<16x26xi32>, memref<16x26xTYPE>
  tile_host.launch @move(%x, %y, %three) : memref<16x26xTYPE>, memref<16x26xTYPE>, i32
  tile_host.launch @back(%y, %got) : memref<16x26xTYPE>, memref<16x26xi32>

  linalg.fill ins(%zero : i32) outs(%want : memref<16x26xi32>)
  scf.for %p = %c0 to %c26 step %c1 {
    %q = arith.remui %p, %c13 : index
    %h = arith.divui %p, %c13 : index
    %h13 = arith.muli %h, %c13 : index
    %half = arith.divui %p, %c2 : index
    %odd = arith.remui %p, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %first = arith.cmpi ult, %p, %c13 : index
    func.call @set(%want, %c2, %p, %q) : (memref<16x26xi32>, index, index, index) -> ()
    %o13 = arith.muli %odd, %c13 : index
    %k3 = arith.addi %o13, %half : index
    func.call @set(%want, %c3, %p, %k3) : (memref<16x26xi32>, index, index, index) -> ()
    %from_end = arith.subi %c12, %half : index
    %k4 = arith.select %is_odd, %from_end, %half : index
    func.call @set(%want, %c4, %p, %k4) : (memref<16x26xi32>, index, index, index) -> ()
    %q2 = arith.muli %q, %c2 : index
    %q21 = arith.addi %q2, %c1 : index
    %k5 = arith.select %first, %q21, %q2 : index
    func.call @set(%want, %c5, %p, %k5) : (memref<16x26xi32>, index, index, index) -> ()
    %mirror = arith.subi %c25, %p : index
    %k6 = arith.select %first, %p, %mirror : index
    func.call @set(%want, %c6, %p, %k6) : (memref<16x26xi32>, index, index, index) -> ()
    %turn = arith.addi %q2, %h : index
    %turned = arith.remui %turn, %c13 : index
    %k7 = arith.addi %h13, %turned : index
    func.call @set(%want, %c7, %p, %k7) : (memref<16x26xi32>, index, index, index) -> ()
    %h12 = arith.muli %h, %c12 : index
    %k14 = arith.addi %h12, %q : index
    %inside = arith.cmpi ult, %q, %c12 : index
    scf.if %inside {
      func.call @set(%want, %c14, %p, %k14) : (memref<16x26xi32>, index, index, index) -> ()
      func.call @set(%want, %c15, %p, %k14) : (memref<16x26xi32>, index, index, index) -> ()
    }
  }
  scf.for %p = %c0 to %c13 step %c1 {
    %back = arith.subi %c12, %p : index
    %on = arith.cmpi ult, %p, %c9 : index
    %k0 = arith.select %on, %p, %c0 : index
    func.call @set(%want, %c0, %p, %k0) : (memref<16x26xi32>, index, index, index) -> ()
    func.call @set(%want, %c1, %p, %c4) : (memref<16x26xi32>, index, index, index) -> ()
    %few = arith.cmpi ult, %p, %c5 : index
    %k8 = arith.select %few, %p, %back : index
    func.call @set(%want, %c8, %p, %k8) : (memref<16x26xi32>, index, index, index) -> ()
    func.call @set(%want, %c9, %p, %back) : (memref<16x26xi32>, index, index, index) -> ()
    %next = arith.addi %p, %c1 : index
    %best, %at = scf.for %q = %c0 to %next step %c1 iter_args(%most = %c0, %where = %c0) -> (index, index) {
      %five = arith.muli %q, %c5 : index
      %key = arith.remui %five, %c13 : index
      %more = arith.cmpi uge, %key, %most : index
      %m = arith.select %more, %key, %most : index
      %w = arith.select %more, %q, %where : index
      scf.yield %m, %w : index, index
    }
    func.call @set(%want, %c11, %p, %at) : (memref<16x26xi32>, index, index, index) -> ()
    %eight = arith.muli %back, %c8 : index
    %k13 = arith.remui %eight, %c13 : index
    func.call @set(%want, %c13, %p, %k13) : (memref<16x26xi32>, index, index, index) -> ()
    // How many come before v[p] in order.
    %v = func.call @value(%p) : (index) -> i32
    %place = scf.for %q = %c0 to %c13 step %c1 iter_args(%n = %c0) -> index {
      %u = func.call @value(%q) : (index) -> i32
      %less = arith.cmpi slt, %u, %v : i32
      %same = arith.cmpi eq, %u, %v : i32
      %before = arith.cmpi ult, %q, %p : index
      %tie = arith.andi %same, %before : i1
      %counts = arith.ori %less, %tie : i1
      %more = arith.addi %n, %c1 : index
      %m = arith.select %counts, %more, %n : index
      scf.yield %m : index
    }
    func.call @set(%want, %c12, %place, %p) : (memref<16x26xi32>, index, index, index) -> ()
  }
  func.call @set(%want, %c1, %c13, %c4) : (memref<16x26xi32>, index, index, index) -> ()
  %c18 = arith.addi %c13, %c5 : index
  func.call @set(%want, %c10, %c0, %c5) : (memref<16x26xi32>, index, index, index) -> ()
  func.call @set(%want, %c10, %c1, %c18) : (memref<16x26xi32>, index, index, index) -> ()
  tile_host.expect_close %got, %want : memref<16x26xi32>, memref<16x26xi32>
  return
}

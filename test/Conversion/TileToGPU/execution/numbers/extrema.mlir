// Maxima and minima of all pairs of eight numbers, NaN and the infinities among them, against the
// host's comparisons. NaN wins in maximumf and minimumf and loses in maxnumf and minnumf.
//
// RUN: tile-run %s --target=cpu --repeat 1
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 %}

!ints = tensor<64xi32>
!vals = tensor<64xf32>

// nan, -inf, -2, -1, 0, 1, 2, inf for 0 .. 7
tile.func private @number(%i: !ints) -> !vals {
  %nan = arith.constant dense<0x7FC00000> : !vals
  %low = arith.constant dense<0xFF800000> : !vals
  %high = arith.constant dense<0x7F800000> : !vals
  %c0 = arith.constant dense<0> : !ints
  %c1 = arith.constant dense<1> : !ints
  %c7 = arith.constant dense<7> : !ints
  %c4 = arith.constant dense<4> : !ints
  %d = arith.subi %i, %c4 : !ints
  %f = arith.sitofp %d : !ints to !vals
  %is0 = arith.cmpi eq, %i, %c0 : !ints
  %is1 = arith.cmpi eq, %i, %c1 : !ints
  %is7 = arith.cmpi eq, %i, %c7 : !ints
  %a = arith.select %is0, %nan, %f : tensor<64xi1>, !vals
  %b = arith.select %is1, %low, %a : tensor<64xi1>, !vals
  %c = arith.select %is7, %high, %b : tensor<64xi1>, !vals
  tile.return %c : !vals
}

// Bits, one NaN for all.
tile.func private @store(%out: !tile.ptr<i32>, %row: i32, %v: !vals) {
  %c64 = arith.constant 64 : i32
  %first = arith.muli %row, %c64 : i32
  %base = tile.addptr %out, %first : !tile.ptr<i32>, i32
  %lanes = tile.arange : !ints
  %bases = tile.splat %base : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %ptrs = tile.addptr %bases, %lanes : tensor<64x!tile.ptr<i32>>, !ints
  %isNan = arith.cmpf uno, %v, %v : !vals
  %bits = arith.bitcast %v : !vals to !ints
  %nan = arith.constant dense<0x7FC00000> : !ints
  %all = arith.select %isNan, %nan, %bits : tensor<64xi1>, !ints
  tile.store %ptrs, %all : tensor<64x!tile.ptr<i32>>
  tile.return
}

tile.func @extrema(%out: !tile.ptr<i32>) {
  tile.grid() {
    %programs = arith.constant 1 : i32
    tile.yield %programs : i32
  }
  %lanes = tile.arange : !ints
  %c8 = arith.constant dense<8> : !ints
  %i = arith.divsi %lanes, %c8 : !ints
  %j = arith.remsi %lanes, %c8 : !ints
  %x = tile.call @number(%i) : (!ints) -> !vals
  %y = tile.call @number(%j) : (!ints) -> !vals
  %r0 = arith.constant 0 : i32
  %r1 = arith.constant 1 : i32
  %r2 = arith.constant 2 : i32
  %r3 = arith.constant 3 : i32
  %maximum = arith.maximumf %x, %y : !vals
  %minimum = arith.minimumf %x, %y : !vals
  %maxnum = arith.maxnumf %x, %y : !vals
  %minnum = arith.minnumf %x, %y : !vals
  tile.call @store(%out, %r0, %maximum) : (!tile.ptr<i32>, i32, !vals) -> ()
  tile.call @store(%out, %r1, %minimum) : (!tile.ptr<i32>, i32, !vals) -> ()
  tile.call @store(%out, %r2, %maxnum) : (!tile.ptr<i32>, i32, !vals) -> ()
  tile.call @store(%out, %r3, %minnum) : (!tile.ptr<i32>, i32, !vals) -> ()
  tile.return
}

// The bits of the number that stands at a place of their order, in which NaN is first or last.
func.func private @bits(%place: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %nan = arith.constant 0x7FC00000 : i32
  %low = arith.constant 0xFF800000 : i32
  %high = arith.constant 0x7F800000 : i32
  %i = arith.index_cast %place : index to i32
  %d = arith.subi %i, %c4 : i32
  %f = arith.sitofp %d : i32 to f32
  %b = arith.bitcast %f : f32 to i32
  %is1 = arith.cmpi eq, %i, %c1 : i32
  %is7 = arith.cmpi eq, %i, %c7 : i32
  %below = arith.cmpi sle, %i, %c0 : i32
  %above = arith.cmpi sgt, %i, %c7 : i32
  %isNan = arith.ori %below, %above : i1
  %x = arith.select %is1, %low, %b : i32
  %y = arith.select %is7, %high, %x : i32
  %z = arith.select %isNan, %nan, %y : i32
  return %z : i32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %first = arith.constant -1 : index
  %got = tile_host.alloc() : () -> memref<256xi32>
  tile_host.launch @extrema(%got) : memref<256xi32>
  %want = tile_host.alloc() : () -> memref<256xi32>
  scf.for %op = %c0 to %c4 step %c1 {
    // maximumf and minnumf have NaN last, minimumf and maxnumf first.
    %isMaximum = arith.cmpi eq, %op, %c0 : index
    %isMaxnum = arith.cmpi eq, %op, %c2 : index
    %isMinnum = arith.cmpi eq, %op, %c3 : index
    %isLast = arith.ori %isMaximum, %isMinnum : i1
    %isMax = arith.ori %isMaximum, %isMaxnum : i1
    %nan = arith.select %isLast, %c8, %first : index
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %iNan = arith.cmpi eq, %i, %c0 : index
        %jNan = arith.cmpi eq, %j, %c0 : index
        %a = arith.select %iNan, %nan, %i : index
        %b = arith.select %jNan, %nan, %j : index
        %most = arith.maxsi %a, %b : index
        %least = arith.minsi %a, %b : index
        %place = arith.select %isMax, %most, %least : index
        %bits = func.call @bits(%place) : (index) -> i32
        %o = arith.muli %op, %c64 : index
        %r = arith.muli %i, %c8 : index
        %s = arith.addi %r, %j : index
        %at = arith.addi %o, %s : index
        memref.store %bits, %want[%at] : memref<256xi32>
      }
    }
  }
  tile_host.expect_close %got, %want {atol = 0.0, rtol = 0.0} : memref<256xi32>, memref<256xi32>
  return
}

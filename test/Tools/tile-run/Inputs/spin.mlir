// Host code of %spins steps behind a launch that says how many: more than any machine does where they are 2^62.
!lanes = tensor<16xi32>
!ptrs = tensor<16x!tile.ptr<i32>>

tile.func @fill(%out: !tile.ptr<i32>, %spins: i64) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lanes = tile.arange : !lanes
  %outs = tile.splat %out : !tile.ptr<i32> -> !ptrs
  %places = tile.addptr %outs, %lanes : !ptrs, !lanes
  tile.store %places, %lanes : !ptrs
  tile.print "spins" %spins : i64
  tile.return
}

func.func @main(%spins: i64) {
  %sixteen = arith.constant 16 : i32
  %out = tile_host.alloc(%sixteen) : (i32) -> memref<?xi32>
  tile_host.launch @fill(%out, %spins) : memref<?xi32>, i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bound = arith.index_cast %spins : i64 to index
  %start = memref.load %out[%c1] : memref<?xi32>
  %end = scf.for %i = %c0 to %bound step %c1 iter_args(%state = %start) -> (i32) {
    %c13 = arith.constant 13 : i32
    %shifted = arith.shli %state, %c13 : i32
    %mixed = arith.xori %state, %shifted : i32
    %square = arith.muli %mixed, %mixed : i32
    %next = arith.addi %square, %start : i32
    scf.yield %next : i32
  }
  memref.store %end, %out[%c0] : memref<?xi32>
  return
}

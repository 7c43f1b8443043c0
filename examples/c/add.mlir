// out[i] = x[i] + y[i] for i < n, BLOCK elements a program.
!index = tensor<?xi32, #tile.dims<[BLOCK]>>
!ptrs = tensor<?x!tile.ptr<f32>, #tile.dims<[BLOCK]>>

tile.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32)
    meta {BLOCK = 1024} {
  tile.grid(%n : i32) {
    %block = tile.meta BLOCK : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = tile.meta BLOCK : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : !index
  %base = tile.splat %first : i32 -> !index
  %offs = arith.addi %base, %lane : !index
  %end = tile.splat %n : i32 -> !index
  %in = arith.cmpi slt, %offs, %end : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %xp = tile.addptr %xs, %offs : !ptrs, !index
  %xv = tile.load %xp, %in : !ptrs
  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs
  %yp = tile.addptr %ys, %offs : !ptrs, !index
  %yv = tile.load %yp, %in : !ptrs
  %sum = arith.addf %xv, %yv : tensor<?xf32, #tile.dims<[BLOCK]>>
  %outs = tile.splat %out : !tile.ptr<f32> -> !ptrs
  %outp = tile.addptr %outs, %offs : !ptrs, !index
  tile.store %outp, %sum, %in : !ptrs
  tile.return
}

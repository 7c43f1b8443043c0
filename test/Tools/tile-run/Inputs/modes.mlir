// out[i] = i, in ways that MODE chooses: 1 right, 2 wrong, 3 without an end, 4 outside all arrays,
// 5 with an op that the CPU refuses.
!index = tensor<?xi32, #tile.dims<[B]>>
!ptrs = tensor<?x!tile.ptr<i32>, #tile.dims<[B]>>

tile.func @fill(%p: !tile.ptr<i32>, %h: !tile.ptr<f16>, %n: i32 {tile.key}) meta {B = 16, MODE = 1}
    configs [{B = 64}, {MODE = 2}, {MODE = 3}, {B = 256, MODE = 1}, {MODE = 4}, {MODE = 5},
             {B = 4194304}] {
  tile.grid(%n : i32) {
    %b = tile.meta B : i32
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  %b = tile.meta B : i32
  %mode = tile.meta MODE : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %far = arith.constant 1099511627776 : i64
  %wrong = arith.cmpi eq, %mode, %c2 : i32
  %hangs = arith.cmpi eq, %mode, %c3 : i32
  %faults = arith.cmpi eq, %mode, %c4 : i32
  %refused = arith.cmpi eq, %mode, %c5 : i32
  scf.while : () -> () {
    scf.condition(%hangs)
  } do {
    tile.store %p, %c1 : !tile.ptr<i32>
    scf.yield
  }
  scf.if %faults {
    %outside = tile.addptr %p, %far : !tile.ptr<i32>, i64
    tile.store %outside, %c1 : !tile.ptr<i32>
  }
  scf.if %refused {
    tile_gpu.group_barrier
  }
  %pid = tile.program_id x
  %first = arith.muli %pid, %b : i32
  %lane = tile.arange : !index
  %start = tile.splat %first : i32 -> !index
  %offs = arith.addi %start, %lane : !index
  %end = tile.splat %n : i32 -> !index
  %in = arith.cmpi slt, %offs, %end : !index
  %ps = tile.splat %p : !tile.ptr<i32> -> !ptrs
  %at = tile.addptr %ps, %offs : !ptrs, !index
  %more = arith.extui %wrong : i1 to i32
  %mores = tile.splat %more : i32 -> !index
  %value = arith.addi %offs, %mores : !index
  tile.store %at, %value, %in : !ptrs
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 1000 : i32}) {
  %x = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %h = tile_host.alloc() : () -> memref<1xf16>
  tile_host.launch @fill(%x, %h, %n) : memref<?xi32>, memref<1xf16>, i32
  %want = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %want[%i] : memref<?xi32>
  }
  tile_host.expect_close %x, %want : memref<?xi32>, memref<?xi32>
  return
}

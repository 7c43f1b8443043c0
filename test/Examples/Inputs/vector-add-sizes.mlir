// Instead of vector_add.mlir's own: 2^first to 2^last elements. What lies behind them must stay 0.
func.func @main(%first: i32, %last: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %from = arith.index_cast %first : i32 to index
  %most = arith.index_cast %last : i32 to index
  %to = arith.addi %most, %c1 : index
  %length = arith.shli %one, %last : i32
  %x = tile_host.random(%length) seed 1 : (i32) -> memref<?xf32>
  %y = tile_host.random(%length) seed 2 : (i32) -> memref<?xf32>
  %out = tile_host.alloc(%length) : (i32) -> memref<?xf32>
  %want = tile_host.alloc(%length) : (i32) -> memref<?xf32>
  scf.for %p = %from to %to step %c1 {
    %power = arith.index_cast %p : index to i32
    %n = arith.shli %one, %power : i32
    tile_host.launch @add(%x, %y, %out, %n) : memref<?xf32>, memref<?xf32>, memref<?xf32>, i32
    %end = arith.index_cast %n : i32 to index
    scf.for %i = %c0 to %end step %c1 {
      %a = memref.load %x[%i] : memref<?xf32>
      %b = memref.load %y[%i] : memref<?xf32>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %want[%i] : memref<?xf32>
    }
    tile_host.expect_close %out, %want : memref<?xf32>, memref<?xf32>
  }
  return
}

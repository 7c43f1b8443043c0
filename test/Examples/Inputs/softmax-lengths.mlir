// Instead of softmax.mlir's own: rows of `first` to `last` elements, one length after the other. Rows
// lie `last` elements apart, and what lies behind a row must stay 0.
func.func @main(%first: i32, %last: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows_i32 = arith.constant 2 : i32
  %rows = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xff800000 : f32
  %from = arith.index_cast %first : i32 to index
  %most = arith.index_cast %last : i32 to index
  %to = arith.addi %most, %c1 : index
  %x = tile_host.random(%rows_i32, %last) seed 1 : (i32, i32) -> memref<?x?xf32>
  %y = tile_host.alloc(%rows_i32, %last) : (i32, i32) -> memref<?x?xf32>
  %want = tile_host.alloc(%rows_i32, %last) : (i32, i32) -> memref<?x?xf64>
  scf.for %n = %from to %to step %c1 {
    %columns = arith.index_cast %n : index to i32
    tile_host.launch @softmax(%y, %x, %last, %last, %rows_i32, %columns)
        : memref<?x?xf32>, memref<?x?xf32>, i32, i32, i32, i32
    scf.for %i = %c0 to %rows step %c1 {
      %largest = scf.for %j = %c0 to %n step %c1 iter_args(%before = %lowest) -> (f32) {
        %value = memref.load %x[%i, %j] : memref<?x?xf32>
        %after = arith.maximumf %before, %value : f32
        scf.yield %after : f32
      }
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%before = %zero) -> (f64) {
        %value = memref.load %x[%i, %j] : memref<?x?xf32>
        %less = arith.subf %value, %largest : f32
        %less64 = arith.extf %less : f32 to f64
        %e = math.exp %less64 : f64
        memref.store %e, %want[%i, %j] : memref<?x?xf64>
        %after = arith.addf %before, %e : f64
        scf.yield %after : f64
      }
      scf.for %j = %c0 to %n step %c1 {
        %e = memref.load %want[%i, %j] : memref<?x?xf64>
        %quotient = arith.divf %e, %sum : f64
        memref.store %quotient, %want[%i, %j] : memref<?x?xf64>
      }
    }
    tile_host.expect_close %y, %want {atol = 1.0e-7, rtol = 2.0e-6} : memref<?x?xf32>, memref<?x?xf64>
  }
  return
}

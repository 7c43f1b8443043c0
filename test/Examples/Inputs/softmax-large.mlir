// Numbers up to 200 either way, of which exp is no f32: only what is left when the maximum is taken away counts. A
// row of minus infinities but for its first element, which then has it all.
func.func @main() {
  %rows = arith.constant 37 : i32
  %columns = arith.constant 781 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c37 = arith.constant 37 : index
  %c781 = arith.constant 781 : index
  %large = arith.constant 200.0 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %x = tile_host.random(%rows, %columns) seed 1 : (i32, i32) -> memref<?x?xf32>
  %y = tile_host.alloc(%rows, %columns) : (i32, i32) -> memref<?x?xf32>
  scf.for %i = %c0 to %c37 step %c1 {
    scf.for %j = %c0 to %c781 step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %w = arith.mulf %v, %large : f32
      memref.store %w, %x[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %j = %c1 to %c781 step %c1 {
    memref.store %minus_infinity, %x[%c0, %j] : memref<?x?xf32>
  }
  tile_host.launch @softmax(%y, %x, %columns, %columns, %rows, %columns) meta {N = 1024}
      : memref<?x?xf32>, memref<?x?xf32>, i32, i32, i32, i32
  %want = tile_host.alloc(%rows, %columns) : (i32, i32) -> memref<?x?xf64>
  func.call @reference(%x, %want) : (memref<?x?xf32>, memref<?x?xf64>) -> ()
  tile_host.expect_close %y, %want {atol = 1.0e-7, rtol = 4.0e-6} : memref<?x?xf32>, memref<?x?xf64>
  return
}

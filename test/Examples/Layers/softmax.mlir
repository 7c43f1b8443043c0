// Softmax over the rows of a matrix, in one pass over memory, by programs that stay.
//
//   tile-run softmax.mlir                      1823 x 781, as the tutorial has it
//   tile-run softmax.mlir --args 4096,12672    other rows and columns
//
// Done operation by operation, max, subtract, exp, sum and divide would read and write the matrix again and
// again. Here a program holds a whole row in one tile of N elements (N >= columns; what is masked out reads as
// minus infinity, so that it is no maximum and adds exp(-inf) = 0 to the sum), and touches memory
// twice: once to read it, once to write the result. The host program launches it with the N that fits: the power
// of two at or above the number of columns.
//
// A launch has as many programs as the host program asks for, not one for each row: each starts with
// the row of its own number and goes on in strides of the number of programs. `tile.num_stages` on the
// loop says how many rows may be on their way at a time.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 5,1 -D N=1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 37,128 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000,997 -D PROGRAMS=7 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 64,12672 -D N=16384 | FileCheck %s
// RUN: tile-run %s --check --args 5,781
// CHECK: largest error {{([0-9.]*e-(0[7-9]|[1-9][0-9])|0)}}, relative {{.*}}, in 1 comparison
// CHECK: : softmax({{.*}}GB/s

tile.func @softmax(%out: !tile.ptr<f32>, %in: !tile.ptr<f32>, %out_stride: i32, %in_stride: i32,
                   %rows: i32, %columns: i32)
    meta {N = 1024, PROGRAMS = 65536, num_warps = 4} {
  tile.grid = min(PROGRAMS, %rows)
  // 5 operations an element, which is read and written once, 4 bytes each way.
  tile.cost = %rows * %columns * 5, %rows * %columns * 8
  %offs = tile.expr arange(N)
  %mask = tile.expr %offs < %columns
  %other = tile.expr -inf

  %row_start = tile.program_id x
  %row_step = tile.num_programs x
  scf.for %row = %row_start to %rows step %row_step : i32 {
    %in_ptrs = tile.expr %in + i64(%row) * i64(%in_stride) + %offs       // a row's start in 64 bits
    %x = tile.load %in_ptrs, %mask, %other

    // The row minus its maximum: exp does not overflow, and the quotient stays what it is.
    %max = tile.reduce max %x axis 0
    %numerator = tile.expr math.exp(%x - %max)
    %denominator = tile.reduce add %numerator axis 0
    // One division a row: a product costs a tenth of a quotient and half a unit in the last place.
    %softmax = tile.expr %numerator * (1.0 / %denominator)

    %out_ptrs = tile.expr %out + i64(%row) * i64(%out_stride) + %offs
    tile.store %out_ptrs, %softmax, %mask
  } {tile.num_stages = 4 : i32}
  tile.return
}

// Loops in f64.
func.func private @reference(%x: memref<?x?xf32>, %want: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %rows step %c1 {
    %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%before = %zero) -> f64 {
      %value = memref.load %x[%i, %j] : memref<?x?xf32>
      %value64 = arith.extf %value : f32 to f64
      %e = math.exp %value64 : f64
      memref.store %e, %want[%i, %j] : memref<?x?xf64>
      %after = arith.addf %before, %e : f64
      scf.yield %after : f64
    }
    scf.for %j = %c0 to %columns step %c1 {
      %e = memref.load %want[%i, %j] : memref<?x?xf64>
      %quotient = arith.divf %e, %sum : f64
      memref.store %quotient, %want[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

func.func @main(%rows: i32 {tile_host.default = 1823 : i32}, %columns: i32 {tile_host.default = 781 : i32}) {
  %x = tile_host.random(%rows, %columns) seed 1 -> memref<?x?xf32>
  %y = tile_host.alloc(%rows, %columns) -> memref<?x?xf32>

  // The power of two at or above the number of columns: 32 - ctlz(columns - 1) bits.
  %one = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %some = arith.maxsi %columns, %one : i32
  %less = arith.subi %some, %one : i32
  %zeros = math.ctlz %less : i32
  %bits = arith.subi %c32, %zeros : i32
  %n = arith.shli %one, %bits : i32
  tile_host.launch @softmax(%y, %x, %columns, %columns, %rows, %columns) meta {N = %n}
  %want = tile_host.alloc(%rows, %columns) -> memref<?x?xf64>
  func.call @reference(%x, %want) : (memref<?x?xf32>, memref<?x?xf64>) -> ()
  tile_host.expect_close %y, %want {atol = 1.0e-7, rtol = 2.0e-6}
  return
}

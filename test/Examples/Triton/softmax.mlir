// A kernel that Triton printed, with a loop over rows, compared with loops in f64.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %S/softmax.ttir --target=cpu --repeat 1 --grid 7 \
// RUN:   --arg zeros:f32[100x781]:out=y.npy --arg random:f32[100x781]:out=x.npy --arg 781 \
// RUN:   --arg 100 --arg 781
// RUN: tile-run %s --target=cpu

func.func @main() {
  %x = tile_host.read "x.npy" : memref<100x781xf32>
  %y = tile_host.read "y.npy" : memref<100x781xf32>
  %want = tile_host.alloc() : () -> memref<100x781xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 100 : index
  %columns = arith.constant 781 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %rows step %c1 {
    %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%before = %zero) -> f64 {
      %value = memref.load %x[%i, %j] : memref<100x781xf32>
      %value64 = arith.extf %value : f32 to f64
      %e = math.exp %value64 : f64
      memref.store %e, %want[%i, %j] : memref<100x781xf64>
      %after = arith.addf %before, %e : f64
      scf.yield %after : f64
    }
    scf.for %j = %c0 to %columns step %c1 {
      %e = memref.load %want[%i, %j] : memref<100x781xf64>
      %quotient = arith.divf %e, %sum : f64
      memref.store %quotient, %want[%i, %j] : memref<100x781xf64>
    }
  }
  tile_host.expect_close %y, %want {atol = 1.0e-7, rtol = 2.0e-6} : memref<100x781xf32>, memref<100x781xf64>
  return
}

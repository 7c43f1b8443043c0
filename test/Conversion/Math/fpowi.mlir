// Powers of integers beside the host's pow, with a sign that an odd power keeps.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: in 1 comparison

tile.func @powers(%out: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  // (-1.25)^(i - 16)
  %lane = tile.arange : tensor<32xi32>
  %middle = arith.constant dense<16> : tensor<32xi32>
  %n = arith.subi %lane, %middle : tensor<32xi32>
  %x = arith.constant dense<-1.25> : tensor<32xf32>
  %y = math.fpowi %x, %n : tensor<32xf32>, tensor<32xi32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %op, %y : tensor<32x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %x = arith.constant -1.25 : f64
  // (-1.25)^-16
  %first = arith.constant 0.028147497671065600 : f64
  %out = tile_host.alloc() : () -> memref<32xf32>
  %want = tile_host.alloc() : () -> memref<32xf32>
  tile_host.launch @powers(%out) : memref<32xf32>
  %last = scf.for %i = %c0 to %c32 step %c1 iter_args(%p = %first) -> f64 {
    %r = arith.truncf %p : f64 to f32
    memref.store %r, %want[%i] : memref<32xf32>
    %next = arith.mulf %p, %x : f64
    scf.yield %next : f64
  }
  tile_host.expect_close %out, %want {rtol = 2.0e-7} : memref<32xf32>, memref<32xf32>
  return
}

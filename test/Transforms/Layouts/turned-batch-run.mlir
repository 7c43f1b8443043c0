// Keys of a batch of one are turned, and lose the batch behind that, as attention over three dimensions is written: the box is read across.
// RUN: tile-run %s --emit=tile --arch=sm_90a | FileCheck %s --check-prefix=BOX
// RUN: tile-run %s --target=cpu --repeat 1 --args 192 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 192 | FileCheck %s %}
// BOX: tile.desc_load
// BOX: tile.trans
// BOX: tile.reshape
// CHECK: largest error
tile.func @scores(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %qp = tile.expr %q + (col(arange(64)) * 64 + row(arange(64)))
  %qs = tile.load %qp
  %acc = scf.for %j = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %kp = tile.expr %k + (col(%j + arange(64)) * 64 + row(arange(64)))
    %in = tile.expr col(%j + arange(64)) < %n + row(arange(64)) * 0
    %kp3 = tile.expand_dims %kp axis 0 : tensor<64x64x!tile.ptr<f16>> -> tensor<1x64x64x!tile.ptr<f16>>
    %in3 = tile.expand_dims %in axis 0 : tensor<64x64xi1> -> tensor<1x64x64xi1>
    %ks = tile.load %kp3, %in3 : tensor<1x64x64x!tile.ptr<f16>>
    %turned = tile.trans %ks order [0, 2, 1] : tensor<1x64x64xf16> -> tensor<1x64x64xf16>
    %b = tile.reshape %turned : tensor<1x64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %qs, %b, %s
    scf.yield %d : tensor<64x64xf32>
  }
  %outp = tile.expr %out + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %outp, %acc
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 192 : i32}) {
  %c64_i32 = arith.constant 64 : i32
  %results = arith.constant 4096 : i32
  %ks = arith.muli %c64_i32, %n : i32
  %q = tile_host.random(%results) seed 1 -> memref<?xf16>
  %k = tile_host.random(%ks) seed 2 -> memref<?xf16>
  %out = tile_host.alloc(%results) -> memref<?xf32>
  %want = tile_host.alloc(%results) -> memref<?xf64>
  tile_host.launch @scores(%q, %k, %out, %n)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  %all = arith.muli %end, %c64 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %row = arith.muli %i, %c64 : index
      %key = arith.muli %j, %c64 : index
      %sum = scf.for %block = %c0 to %all step %c1 iter_args(%s = %zero) -> f64 {
        // Of each block of 64 keys the j-th, element by element.
        %element = arith.remui %block, %c64 : index
        %number = arith.divui %block, %c64 : index
        %within = arith.remui %number, %c64 : index
        %is = arith.cmpi eq, %within, %j : index
        %base = arith.muli %number, %c64 : index
        %at_k = arith.addi %base, %element : index
        %at_q = arith.addi %row, %element : index
        %a = memref.load %q[%at_q] : memref<?xf16>
        %b = memref.load %k[%at_k] : memref<?xf16>
        %af = arith.extf %a : f16 to f64
        %bf = arith.extf %b : f16 to f64
        %ab = arith.mulf %af, %bf : f64
        %more = arith.select %is, %ab, %zero : f64
        %t = arith.addf %s, %more : f64
        scf.yield %t : f64
      }
      %at = arith.addi %row, %j : index
      memref.store %sum, %want[%at] : memref<?xf64>
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  return
}

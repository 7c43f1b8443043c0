// Two numbers of a byte become f16 by a product and a sum with two constants, of which an instruction has room for one: the other
// one is a word that ptxas does not know, made once where the program begins.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=unpack -o - | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

// PTX-LABEL: .entry unpack
// PTX: selp.b32 [[KEPT:%r[0-9]+]], 0, %r{{[0-9]+}}, never;
// PTX-NOT: selp.b32
// PTX-COUNT-8: fma.rn.f16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, [[KEPT]], %r{{[0-9]+}};
tile.func @unpack(%x: !tile.ptr<i8>, %y: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<1024xi32>
  %xp = tile.expr %x + %i
  %pairs = tile.load %xp
  %four = arith.constant dense<4> : tensor<1024xi8>
  %low = tile.expr %pairs and 15
  %high = arith.shrui %pairs, %four : tensor<1024xi8>
  %both = tile.join %low, %high : tensor<1024xi8> -> tensor<1024x2xi8>
  %values = arith.uitofp %both : tensor<1024x2xi8> to tensor<1024x2xf16>
  %value = tile.reshape %values : tensor<1024x2xf16> -> tensor<2048xf16>
  %j = tile.arange : tensor<2048xi32>
  %yp = tile.expr %y + %j
  tile.store %yp, %value
  tile.return
}

tile.func @want(%x: !tile.ptr<i8>, %y: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %j = tile.arange : tensor<2048xi32>
  %in = tile.expr %j div 2
  %by = tile.expr %j rem 2 * 4
  %xp = tile.expr %x + %in
  %byte = tile.load %xp
  %word = arith.extui %byte : tensor<2048xi8> to tensor<2048xi32>
  %moved = arith.shrui %word, %by : tensor<2048xi32>
  %value = tile.expr f16(f64(%moved and 15))
  %yp = tile.expr %y + %j
  tile.store %yp, %value
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<1024xi8>
  %y = tile_host.alloc() : () -> memref<2048xf16>
  %wanted = tile_host.alloc() : () -> memref<2048xf16>
  tile_host.launch @unpack(%x, %y) : memref<1024xi8>, memref<2048xf16>
  tile_host.launch @want(%x, %wanted) : memref<1024xi8>, memref<2048xf16>
  tile_host.expect_close %y, %wanted : memref<2048xf16>, memref<2048xf16>
  return
}

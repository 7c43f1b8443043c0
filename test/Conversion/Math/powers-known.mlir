// Powers that are known, and that multiplying gives as well as a logarithm does: x^2, x^3 and 1 / x, of f32 by powf
// and by fpowi, and of f16, which is computed in f32. Another power stays what it was.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison
//
// RUN: tile-run %s --kernel powers --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX --implicit-check-not=bra
// PTX: mul{{.*}}.f32
// RUN: tile-run %s --kernel other --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=OTHER
// OTHER-COUNT-8: fma.rn.f32

tile.func @powers(%out: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<32xi32>
  %middle = arith.constant dense<16> : tensor<32xi32>
  %n = arith.subi %lane, %middle : tensor<32xi32>
  %x = arith.sitofp %n : tensor<32xi32> to tensor<32xf32>
  %two = arith.constant dense<2.0> : tensor<32xf32>
  %three = arith.constant dense<3> : tensor<32xi32>
  %less = arith.constant dense<-1.0> : tensor<32xf32>
  %a = math.powf %x, %two : tensor<32xf32>
  %b = math.fpowi %x, %three : tensor<32xf32>, tensor<32xi32>
  %small = math.powf %x, %less : tensor<32xf32>
  %eighth = arith.constant dense<0.125> : tensor<32xf32>
  %eight = math.powf %eighth, %less : tensor<32xf32>
  %ab = arith.addf %a, %b : tensor<32xf32>
  // 1 / (1 / x) is x of small whole numbers, 0 among them.
  %again = math.powf %small, %less : tensor<32xf32>
  %abc = arith.addf %ab, %again : tensor<32xf32>
  %h = arith.truncf %x : tensor<32xf32> to tensor<32xf16>
  %two16 = arith.constant dense<2.0> : tensor<32xf16>
  %d = math.powf %h, %two16 : tensor<32xf16>
  %d32 = arith.extf %d : tensor<32xf16> to tensor<32xf32>
  %abcd = arith.addf %abc, %d32 : tensor<32xf32>
  %y = arith.addf %abcd, %eight : tensor<32xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %op, %y : tensor<32x!tile.ptr<f32>>
  tile.return
}

tile.func @other(%out: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<32xi32>
  %x = arith.sitofp %lane : tensor<32xi32> to tensor<32xf32>
  %n = arith.constant dense<2.5> : tensor<32xf32>
  %y = math.powf %x, %n : tensor<32xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %op, %y : tensor<32x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %out = tile_host.alloc() : () -> memref<32xf32>
  %want = tile_host.alloc() : () -> memref<32xf32>
  tile_host.launch @powers(%out) : memref<32xf32>
  scf.for %i = %c0 to %c32 step %c1 {
    %middle = arith.constant 16 : index
    %two = arith.constant 2 : index
    %eight = arith.constant 8 : index
    // 2 x^2 + x^3 + x + 8
    %x = arith.subi %i, %middle : index
    %square = arith.muli %x, %x : index
    %cube = arith.muli %square, %x : index
    %twice = arith.muli %square, %two : index
    %ab = arith.addi %twice, %cube : index
    %abc = arith.addi %ab, %x : index
    %sum = arith.addi %abc, %eight : index
    %number = arith.index_cast %sum : index to i64
    %r = arith.sitofp %number : i64 to f32
    memref.store %r, %want[%i] : memref<32xf32>
  }
  tile_host.expect_close %out, %want : memref<32xf32>, memref<32xf32>
  return
}

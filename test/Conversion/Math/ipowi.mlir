// Powers of integers beside repeated multiplication, and both results of sincos beside their own
// functions on the host.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: in 5 comparisons

tile.func @powers(%out: !tile.ptr<i32>, %units: !tile.ptr<i32>, %cubes: !tile.ptr<i64>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  // (-3)^(i - 16), (-1)^(i - 16), i^3
  %lane = tile.arange : tensor<64xi32>
  %middle = arith.constant dense<16> : tensor<64xi32>
  %n = arith.subi %lane, %middle : tensor<64xi32>
  %x = arith.constant dense<-3> : tensor<64xi32>
  %y = math.ipowi %x, %n : tensor<64xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %op = tile.addptr %os, %lane : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %op, %y : tensor<64x!tile.ptr<i32>>
  %minus = arith.constant dense<-1> : tensor<64xi32>
  %u = math.ipowi %minus, %n : tensor<64xi32>
  %us = tile.splat %units : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %up = tile.addptr %us, %lane : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %up, %u : tensor<64x!tile.ptr<i32>>
  %wide = arith.extsi %lane : tensor<64xi32> to tensor<64xi64>
  %three = arith.constant dense<3> : tensor<64xi64>
  %c = math.ipowi %wide, %three : tensor<64xi64>
  %cs = tile.splat %cubes : !tile.ptr<i64> -> tensor<64x!tile.ptr<i64>>
  %cp = tile.addptr %cs, %lane : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  tile.store %cp, %c : tensor<64x!tile.ptr<i64>>
  tile.return
}

tile.func @circle(%sin: !tile.ptr<f32>, %cos: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<64xi32>
  %x = arith.sitofp %lane : tensor<64xi32> to tensor<64xf32>
  %s, %c = math.sincos %x : tensor<64xf32>
  %ss = tile.splat %sin : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %sp, %s : tensor<64x!tile.ptr<f32>>
  %cs = tile.splat %cos : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %cp = tile.addptr %cs, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %cp, %c : tensor<64x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %x = arith.constant -3 : i32
  %out = tile_host.alloc() : () -> memref<64xi32>
  %units = tile_host.alloc() : () -> memref<64xi32>
  %cubes = tile_host.alloc() : () -> memref<64xi64>
  %want = tile_host.alloc() : () -> memref<64xi32>
  %wantUnits = tile_host.alloc() : () -> memref<64xi32>
  %wantCubes = tile_host.alloc() : () -> memref<64xi64>
  %sin = tile_host.alloc() : () -> memref<64xf32>
  %cos = tile_host.alloc() : () -> memref<64xf32>
  %wantSin = tile_host.alloc() : () -> memref<64xf32>
  %wantCos = tile_host.alloc() : () -> memref<64xf32>
  tile_host.launch @powers(%out, %units, %cubes) : memref<64xi32>, memref<64xi32>, memref<64xi64>
  tile_host.launch @circle(%sin, %cos) : memref<64xf32>, memref<64xf32>
  %p, %u = scf.for %i = %c0 to %c64 step %c1 iter_args(%p = %one, %u = %one) -> (i32, i32) {
    %negative = arith.cmpi slt, %i, %c16 : index
    %now = arith.select %negative, %zero, %p : i32
    memref.store %now, %want[%i] : memref<64xi32>
    memref.store %u, %wantUnits[%i] : memref<64xi32>
    %k = arith.index_cast %i : index to i64
    %k2 = arith.muli %k, %k : i64
    %k3 = arith.muli %k2, %k : i64
    memref.store %k3, %wantCubes[%i] : memref<64xi64>
    %f = arith.sitofp %k : i64 to f64
    %s = math.sin %f : f64
    %c = math.cos %f : f64
    %s32 = arith.truncf %s : f64 to f32
    %c32 = arith.truncf %c : f64 to f32
    memref.store %s32, %wantSin[%i] : memref<64xf32>
    memref.store %c32, %wantCos[%i] : memref<64xf32>
    %times = arith.muli %p, %x : i32
    %next = arith.select %negative, %one, %times : i32
    %flipped = arith.muli %u, %minus : i32
    scf.yield %next, %flipped : i32, i32
  }
  tile_host.expect_close %out, %want : memref<64xi32>, memref<64xi32>
  tile_host.expect_close %units, %wantUnits : memref<64xi32>, memref<64xi32>
  tile_host.expect_close %cubes, %wantCubes : memref<64xi64>, memref<64xi64>
  tile_host.expect_close %sin, %wantSin {rtol = 1.0e-6} : memref<64xf32>, memref<64xf32>
  tile_host.expect_close %cos, %wantCos {rtol = 1.0e-6} : memref<64xf32>, memref<64xf32>
  return
}

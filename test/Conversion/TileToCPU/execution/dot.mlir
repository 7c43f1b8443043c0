// tile.dot on every operand type that the host can build, with extents that no vector or register
// tile divides; references accumulate in f64, or in i32, where they are exact.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents))' | tile-run - --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: in 5 comparisons

tile.func @dot_f32(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %ia = tile.arange : tensor<91xi32>
  %ib = tile.arange : tensor<203xi32>
  %ic = tile.arange : tensor<377xi32>
  %oa = tile.reshape %ia : tensor<91xi32> -> tensor<13x7xi32>
  %ob = tile.reshape %ib : tensor<203xi32> -> tensor<7x29xi32>
  %oc = tile.reshape %ic : tensor<377xi32> -> tensor<13x29xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<13x7x!tile.ptr<f32>>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<7x29x!tile.ptr<f32>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<13x29x!tile.ptr<f32>>
  %pa = tile.addptr %as, %oa : tensor<13x7x!tile.ptr<f32>>, tensor<13x7xi32>
  %pb = tile.addptr %bs, %ob : tensor<7x29x!tile.ptr<f32>>, tensor<7x29xi32>
  %pc = tile.addptr %cs, %oc : tensor<13x29x!tile.ptr<f32>>, tensor<13x29xi32>
  %x = tile.load %pa : tensor<13x7x!tile.ptr<f32>>
  %y = tile.load %pb : tensor<7x29x!tile.ptr<f32>>
  %z = tile.load %pc : tensor<13x29x!tile.ptr<f32>>
  %d = tile.dot %x, %y, %z : tensor<13x7xf32>, tensor<7x29xf32> -> tensor<13x29xf32>
  tile.store %pc, %d : tensor<13x29x!tile.ptr<f32>>
  tile.return
}

tile.func @dot_f64(%a: !tile.ptr<f64>, %b: !tile.ptr<f64>, %c: !tile.ptr<f64>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %ia = tile.arange : tensor<165xi32>
  %ib = tile.arange : tensor<561xi32>
  %ic = tile.arange : tensor<85xi32>
  %oa = tile.reshape %ia : tensor<165xi32> -> tensor<5x33xi32>
  %ob = tile.reshape %ib : tensor<561xi32> -> tensor<33x17xi32>
  %oc = tile.reshape %ic : tensor<85xi32> -> tensor<5x17xi32>
  %as = tile.splat %a : !tile.ptr<f64> -> tensor<5x33x!tile.ptr<f64>>
  %bs = tile.splat %b : !tile.ptr<f64> -> tensor<33x17x!tile.ptr<f64>>
  %cs = tile.splat %c : !tile.ptr<f64> -> tensor<5x17x!tile.ptr<f64>>
  %pa = tile.addptr %as, %oa : tensor<5x33x!tile.ptr<f64>>, tensor<5x33xi32>
  %pb = tile.addptr %bs, %ob : tensor<33x17x!tile.ptr<f64>>, tensor<33x17xi32>
  %pc = tile.addptr %cs, %oc : tensor<5x17x!tile.ptr<f64>>, tensor<5x17xi32>
  %x = tile.load %pa : tensor<5x33x!tile.ptr<f64>>
  %y = tile.load %pb : tensor<33x17x!tile.ptr<f64>>
  %z = tile.load %pc : tensor<5x17x!tile.ptr<f64>>
  %d = tile.dot %x, %y, %z : tensor<5x33xf64>, tensor<33x17xf64> -> tensor<5x17xf64>
  tile.store %pc, %d : tensor<5x17x!tile.ptr<f64>>
  tile.return
}

tile.func @dot_bf16(%a: !tile.ptr<bf16>, %b: !tile.ptr<bf16>, %c: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %ia = tile.arange : tensor<40xi32>
  %ib = tile.arange : tensor<120xi32>
  %ic = tile.arange : tensor<3xi32>
  %oa = tile.reshape %ia : tensor<40xi32> -> tensor<1x40xi32>
  %ob = tile.reshape %ib : tensor<120xi32> -> tensor<40x3xi32>
  %oc = tile.reshape %ic : tensor<3xi32> -> tensor<1x3xi32>
  %as = tile.splat %a : !tile.ptr<bf16> -> tensor<1x40x!tile.ptr<bf16>>
  %bs = tile.splat %b : !tile.ptr<bf16> -> tensor<40x3x!tile.ptr<bf16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<1x3x!tile.ptr<f32>>
  %pa = tile.addptr %as, %oa : tensor<1x40x!tile.ptr<bf16>>, tensor<1x40xi32>
  %pb = tile.addptr %bs, %ob : tensor<40x3x!tile.ptr<bf16>>, tensor<40x3xi32>
  %pc = tile.addptr %cs, %oc : tensor<1x3x!tile.ptr<f32>>, tensor<1x3xi32>
  %x = tile.load %pa : tensor<1x40x!tile.ptr<bf16>>
  %y = tile.load %pb : tensor<40x3x!tile.ptr<bf16>>
  %z = tile.load %pc : tensor<1x3x!tile.ptr<f32>>
  %d = tile.dot %x, %y, %z : tensor<1x40xbf16>, tensor<40x3xbf16> -> tensor<1x3xf32>
  tile.store %pc, %d : tensor<1x3x!tile.ptr<f32>>
  tile.return
}

tile.func @dot_i8(%a: !tile.ptr<i8>, %b: !tile.ptr<i8>, %c: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %ia = tile.arange : tensor<180xi32>
  %ib = tile.arange : tensor<480xi32>
  %ic = tile.arange : tensor<216xi32>
  %oa = tile.reshape %ia : tensor<180xi32> -> tensor<9x20xi32>
  %ob = tile.reshape %ib : tensor<480xi32> -> tensor<20x24xi32>
  %oc = tile.reshape %ic : tensor<216xi32> -> tensor<9x24xi32>
  %as = tile.splat %a : !tile.ptr<i8> -> tensor<9x20x!tile.ptr<i8>>
  %bs = tile.splat %b : !tile.ptr<i8> -> tensor<20x24x!tile.ptr<i8>>
  %cs = tile.splat %c : !tile.ptr<i32> -> tensor<9x24x!tile.ptr<i32>>
  %pa = tile.addptr %as, %oa : tensor<9x20x!tile.ptr<i8>>, tensor<9x20xi32>
  %pb = tile.addptr %bs, %ob : tensor<20x24x!tile.ptr<i8>>, tensor<20x24xi32>
  %pc = tile.addptr %cs, %oc : tensor<9x24x!tile.ptr<i32>>, tensor<9x24xi32>
  %x = tile.load %pa : tensor<9x20x!tile.ptr<i8>>
  %y = tile.load %pb : tensor<20x24x!tile.ptr<i8>>
  %z = tile.load %pc : tensor<9x24x!tile.ptr<i32>>
  %d = tile.dot %x, %y, %z : tensor<9x20xi8>, tensor<20x24xi8> -> tensor<9x24xi32>
  tile.store %pc, %d : tensor<9x24x!tile.ptr<i32>>
  tile.return
}

tile.func @dot_f16(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %ia = tile.arange : tensor<1024xi32>
  %ib = tile.arange : tensor<256xi32>
  %ic = tile.arange : tensor<1024xi32>
  %oa = tile.reshape %ia : tensor<1024xi32> -> tensor<64x16xi32>
  %ob = tile.reshape %ib : tensor<256xi32> -> tensor<16x16xi32>
  %oc = tile.reshape %ic : tensor<1024xi32> -> tensor<64x16xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>>
  %pa = tile.addptr %as, %oa : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %pb = tile.addptr %bs, %ob : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %pc = tile.addptr %cs, %oc : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %x = tile.load %pa : tensor<64x16x!tile.ptr<f16>>
  %y = tile.load %pb : tensor<16x16x!tile.ptr<f16>>
  %z = tile.load %pc : tensor<64x16x!tile.ptr<f32>>
  %d = tile.dot %x, %y, %z : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
  tile.store %pc, %d : tensor<64x16x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c20 = arith.constant 20 : index
  %c24 = arith.constant 24 : index
  %c29 = arith.constant 29 : index
  %c33 = arith.constant 33 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index

  %dot_f32a = tile_host.random(%c13, %c7) seed 1 : (index, index) -> memref<?x?xf32>
  %dot_f32b = tile_host.random(%c7, %c29) seed 2 : (index, index) -> memref<?x?xf32>
  %dot_f32c = tile_host.random(%c13, %c29) seed 3 : (index, index) -> memref<?x?xf32>
  %dot_f32want = tile_host.alloc(%c13, %c29) : (index, index) -> memref<?x?xf64>
  scf.for %i = %c0 to %c13 step %c1 {
    scf.for %j = %c0 to %c29 step %c1 {
      %dot_f32z = memref.load %dot_f32c[%i, %j] : memref<?x?xf32>
      %dot_f32zw = arith.extf %dot_f32z : f32 to f64
      %sum = scf.for %k = %c0 to %c7 step %c1 iter_args(%s = %dot_f32zw) -> f64 {
        %dot_f32x = memref.load %dot_f32a[%i, %k] : memref<?x?xf32>
        %dot_f32y = memref.load %dot_f32b[%k, %j] : memref<?x?xf32>
        %dot_f32xw = arith.extf %dot_f32x : f32 to f64
        %dot_f32yw = arith.extf %dot_f32y : f32 to f64
        %p = arith.mulf %dot_f32xw, %dot_f32yw : f64
        %q = arith.addf %s, %p : f64
        scf.yield %q : f64
      }
      memref.store %sum, %dot_f32want[%i, %j] : memref<?x?xf64>
    }
  }
  tile_host.launch @dot_f32(%dot_f32a, %dot_f32b, %dot_f32c) : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
  tile_host.expect_close %dot_f32c, %dot_f32want {atol = 1.0e-5, rtol = 1.0e-5} : memref<?x?xf32>, memref<?x?xf64>

  %dot_f64a = tile_host.random(%c5, %c33) seed 1 : (index, index) -> memref<?x?xf64>
  %dot_f64b = tile_host.random(%c33, %c17) seed 2 : (index, index) -> memref<?x?xf64>
  %dot_f64c = tile_host.random(%c5, %c17) seed 3 : (index, index) -> memref<?x?xf64>
  %dot_f64want = tile_host.alloc(%c5, %c17) : (index, index) -> memref<?x?xf64>
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c17 step %c1 {
      %dot_f64z = memref.load %dot_f64c[%i, %j] : memref<?x?xf64>
      %sum = scf.for %k = %c0 to %c33 step %c1 iter_args(%s = %dot_f64z) -> f64 {
        %dot_f64x = memref.load %dot_f64a[%i, %k] : memref<?x?xf64>
        %dot_f64y = memref.load %dot_f64b[%k, %j] : memref<?x?xf64>
        
        %p = arith.mulf %dot_f64x, %dot_f64y : f64
        %q = arith.addf %s, %p : f64
        scf.yield %q : f64
      }
      memref.store %sum, %dot_f64want[%i, %j] : memref<?x?xf64>
    }
  }
  tile_host.launch @dot_f64(%dot_f64a, %dot_f64b, %dot_f64c) : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  tile_host.expect_close %dot_f64c, %dot_f64want {atol = 1.0e-12, rtol = 1.0e-12} : memref<?x?xf64>, memref<?x?xf64>

  %dot_bf16a = tile_host.random(%c1, %c40) seed 1 : (index, index) -> memref<?x?xbf16>
  %dot_bf16b = tile_host.random(%c40, %c3) seed 2 : (index, index) -> memref<?x?xbf16>
  %dot_bf16c = tile_host.random(%c1, %c3) seed 3 : (index, index) -> memref<?x?xf32>
  %dot_bf16want = tile_host.alloc(%c1, %c3) : (index, index) -> memref<?x?xf64>
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %dot_bf16z = memref.load %dot_bf16c[%i, %j] : memref<?x?xf32>
      %dot_bf16zw = arith.extf %dot_bf16z : f32 to f64
      %sum = scf.for %k = %c0 to %c40 step %c1 iter_args(%s = %dot_bf16zw) -> f64 {
        %dot_bf16x = memref.load %dot_bf16a[%i, %k] : memref<?x?xbf16>
        %dot_bf16y = memref.load %dot_bf16b[%k, %j] : memref<?x?xbf16>
        %dot_bf16xw = arith.extf %dot_bf16x : bf16 to f64
        %dot_bf16yw = arith.extf %dot_bf16y : bf16 to f64
        %p = arith.mulf %dot_bf16xw, %dot_bf16yw : f64
        %q = arith.addf %s, %p : f64
        scf.yield %q : f64
      }
      memref.store %sum, %dot_bf16want[%i, %j] : memref<?x?xf64>
    }
  }
  tile_host.launch @dot_bf16(%dot_bf16a, %dot_bf16b, %dot_bf16c) : memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xf32>
  tile_host.expect_close %dot_bf16c, %dot_bf16want {atol = 1.0e-5, rtol = 1.0e-5} : memref<?x?xf32>, memref<?x?xf64>

  %dot_i8a = tile_host.random(%c9, %c20) seed 1 : (index, index) -> memref<?x?xi8>
  %dot_i8b = tile_host.random(%c20, %c24) seed 2 : (index, index) -> memref<?x?xi8>
  %dot_i8c = tile_host.random(%c9, %c24) seed 3 : (index, index) -> memref<?x?xi32>
  %dot_i8want = tile_host.alloc(%c9, %c24) : (index, index) -> memref<?x?xi32>
  scf.for %i = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %dot_i8z = memref.load %dot_i8c[%i, %j] : memref<?x?xi32>
      %sum = scf.for %k = %c0 to %c20 step %c1 iter_args(%s = %dot_i8z) -> i32 {
        %dot_i8x = memref.load %dot_i8a[%i, %k] : memref<?x?xi8>
        %dot_i8y = memref.load %dot_i8b[%k, %j] : memref<?x?xi8>
        %dot_i8xw = arith.extsi %dot_i8x : i8 to i32
        %dot_i8yw = arith.extsi %dot_i8y : i8 to i32
        %p = arith.muli %dot_i8xw, %dot_i8yw : i32
        %q = arith.addi %s, %p : i32
        scf.yield %q : i32
      }
      memref.store %sum, %dot_i8want[%i, %j] : memref<?x?xi32>
    }
  }
  tile_host.launch @dot_i8(%dot_i8a, %dot_i8b, %dot_i8c) : memref<?x?xi8>, memref<?x?xi8>, memref<?x?xi32>
  tile_host.expect_close %dot_i8c, %dot_i8want {atol = 0.0, rtol = 0.0} : memref<?x?xi32>, memref<?x?xi32>

  %dot_f16a = tile_host.random(%c64, %c16) seed 1 : (index, index) -> memref<?x?xf16>
  %dot_f16b = tile_host.random(%c16, %c16) seed 2 : (index, index) -> memref<?x?xf16>
  %dot_f16c = tile_host.random(%c64, %c16) seed 3 : (index, index) -> memref<?x?xf32>
  %dot_f16want = tile_host.alloc(%c64, %c16) : (index, index) -> memref<?x?xf64>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %dot_f16z = memref.load %dot_f16c[%i, %j] : memref<?x?xf32>
      %dot_f16zw = arith.extf %dot_f16z : f32 to f64
      %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %dot_f16zw) -> f64 {
        %dot_f16x = memref.load %dot_f16a[%i, %k] : memref<?x?xf16>
        %dot_f16y = memref.load %dot_f16b[%k, %j] : memref<?x?xf16>
        %dot_f16xw = arith.extf %dot_f16x : f16 to f64
        %dot_f16yw = arith.extf %dot_f16y : f16 to f64
        %p = arith.mulf %dot_f16xw, %dot_f16yw : f64
        %q = arith.addf %s, %p : f64
        scf.yield %q : f64
      }
      memref.store %sum, %dot_f16want[%i, %j] : memref<?x?xf64>
    }
  }
  tile_host.launch @dot_f16(%dot_f16a, %dot_f16b, %dot_f16c) : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf32>
  tile_host.expect_close %dot_f16c, %dot_f16want {atol = 1.0e-5, rtol = 1.0e-5} : memref<?x?xf32>, memref<?x?xf64>
  return
}

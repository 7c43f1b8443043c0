// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' --verify-each | FileCheck %s

// Rows at multiples of 16 bytes lie off the lines of the L2 cache, and pairs of blocks would share copies; but threads wait for mma.sync, and two
// blocks of a multiprocessor hide more of that.
// CHECK-LABEL: tile.func @threads
// CHECK-SAME: cluster = 1
// CHECK-SAME: blocks = 2
tile.func @threads(%a: !tile.ptr<f64>, %b: !tile.ptr<f64>, %c: !tile.ptr<f64>, %m: i32, %n: i32 {tile.divisibility = 2 : i32}, %k: i32 {tile.divisibility = 2 : i32}) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %bm : i32
    %y = arith.ceildivsi %m, %bm : i32
    tile.yield %x, %y : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f64> -> !tile.desc<64x16xf64>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f64> -> !tile.desc<16x64xf64>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f64> -> !tile.desc<64x64xf64>
  %px = tile.program_id x
  %py = tile.program_id y
  %m0 = arith.muli %py, %c64 : i32
  %n0 = arith.muli %px, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf64>
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (tensor<64x64xf64>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<64x16xf64>
    %tb = tile.desc_load %db[%i, %n0] : !tile.desc<16x64xf64>
    %d = tile.dot %ta, %tb, %s : tensor<64x16xf64>, tensor<16x64xf64> -> tensor<64x64xf64>
    scf.yield %d : tensor<64x64xf64>
  }
  tile.desc_store %dc[%m0, %n0], %sum : !tile.desc<64x64xf64>
  tile.return
}

// wgmma runs on while threads go on.
// CHECK-LABEL: tile.func @tensor_cores
// CHECK-SAME: cluster = 2
tile.func @tensor_cores(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32 {tile.divisibility = 8 : i32}) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %bm : i32
    %y = arith.ceildivsi %m, %bm : i32
    tile.yield %x, %y : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %px = tile.program_id x
  %py = tile.program_id y
  %m0 = arith.muli %py, %c64 : i32
  %n0 = arith.muli %px, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<64x64xf16>
    %tb = tile.desc_load %db[%i, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x64xf16>
  tile.return
}

// One operand follows from x of a program, the other from y: four blocks have two rows and two columns of the grid, and share both.
// CHECK-LABEL: tile.func @product
// CHECK-SAME: cluster = 4
// CHECK-SAME: columns = 2
tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32 {tile.divisibility = 8 : i32}) attributes {tile.num_ctas = 4 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %bm : i32
    %y = arith.ceildivsi %m, %bm : i32
    tile.yield %x, %y : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %px = tile.program_id x
  %py = tile.program_id y
  %m0 = arith.muli %py, %c64 : i32
  %n0 = arith.muli %px, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<64x64xf16>
    %tb = tile.desc_load %db[%i, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x64xf16>
  tile.return
}

// Both follow from y: four blocks of one column share more.
// CHECK-LABEL: tile.func @same
// CHECK-SAME: cluster = 4
// CHECK-NOT: columns
tile.func @same(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32 {tile.divisibility = 8 : i32}) attributes {tile.num_ctas = 4 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %bm : i32
    %y = arith.ceildivsi %m, %bm : i32
    tile.yield %x, %y : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %px = tile.program_id x
  %py = tile.program_id y
  %m0 = arith.muli %py, %c64 : i32
  %n0 = arith.muli %py, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<64x64xf16>
    %tb = tile.desc_load %db[%i, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x64xf16>
  tile.return
}

// Two blocks share one operand.
// CHECK-LABEL: tile.func @pairs
// CHECK-SAME: cluster = 2
// CHECK-NOT: columns
tile.func @pairs(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32 {tile.divisibility = 8 : i32}) attributes {tile.num_ctas = 2 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %bm : i32
    %y = arith.ceildivsi %m, %bm : i32
    tile.yield %x, %y : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %px = tile.program_id x
  %py = tile.program_id y
  %m0 = arith.muli %py, %c64 : i32
  %n0 = arith.muli %px, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<64x64xf16>
    %tb = tile.desc_load %db[%i, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x64xf16>
  tile.return
}

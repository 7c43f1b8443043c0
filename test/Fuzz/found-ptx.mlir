// What the differential fuzzer has found on the way to PTX: refusals of what is right, and an instruction that an H200
// does not take.
//
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a num-warps=4' | FileCheck %s

// Both results of a reduction lie as its first operand does, whichever operand's layout is known first.
// CHECK-LABEL: llvm.func @two_layouts
tile.func @two_layouts(%x: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %i: !tile.ptr<i64> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f64> {tile.divisibility = 16 : i32}) {
  %lane = tile.arange : tensor<32xi32>
  %zeros = arith.constant dense<0.0> : tensor<32x8xf32>
  %is = tile.splat %i : !tile.ptr<i64> -> tensor<32x8x!tile.ptr<i64>>
  %at = tile.load %is : tensor<32x8x!tile.ptr<i64>>
  %picked = tile.gather %zeros, %at axis 0 : tensor<32x8xf32>, tensor<32x8xi64> -> tensor<32x8xf32>
  %xs = tile.splat %x : !tile.ptr<f64> -> tensor<32x8x!tile.ptr<f64>>
  %v = tile.load %xs : tensor<32x8x!tile.ptr<f64>>
  %a, %b = tile.reduce %picked, %v axis 1 : tensor<32x8xf32>, tensor<32x8xf64> -> tensor<32xf32>, tensor<32xf64> {
  ^bb0(%v0: f32, %w0: f64, %v1: f32, %w1: f64):
    %s = arith.addf %v0, %v1 : f32
    %t = arith.addf %w0, %w1 : f64
    tile.yield %s, %t : f32, f64
  }
  %ys = tile.splat %y : !tile.ptr<f64> -> tensor<32x!tile.ptr<f64>>
  %p = tile.addptr %ys, %lane : tensor<32x!tile.ptr<f64>>, tensor<32xi32>
  tile.store %p, %b : tensor<32x!tile.ptr<f64>>
  tile.return
}

// A loop's result that the loop behind it wants in another layout than its body makes.
// CHECK-LABEL: llvm.func @loop_behind_loop
tile.func @loop_behind_loop(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant dense<8> : tensor<32x8xi32>
  %c32 = arith.constant dense<32> : tensor<32x8xi32>
  %first = arith.constant dense<7.0> : tensor<32x8xf16>
  %r = tile.arange : tensor<32xi32>
  %c = tile.arange : tensor<8xi32>
  %r1 = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c_1 = tile.expand_dims %c axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %rows = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x8xi32>
  %columns = tile.broadcast %c_1 : tensor<1x8xi32> -> tensor<32x8xi32>
  %above = arith.muli %rows, %c8 : tensor<32x8xi32>
  %by_row = arith.addi %above, %columns : tensor<32x8xi32>
  %left = arith.muli %columns, %c32 : tensor<32x8xi32>
  %by_column = arith.addi %left, %rows : tensor<32x8xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x8x!tile.ptr<f16>>
  %row_ptrs = tile.addptr %xs, %by_row : tensor<32x8x!tile.ptr<f16>>, tensor<32x8xi32>
  %column_ptrs = tile.addptr %xs, %by_column : tensor<32x8x!tile.ptr<f16>>, tensor<32x8xi32>
  %other = tile.load %column_ptrs : tensor<32x8x!tile.ptr<f16>>
  %most = scf.for %i = %c0 to %n step %c1 iter_args(%m = %first) -> (tensor<32x8xf16>) : i32 {
    %v = tile.load %row_ptrs : tensor<32x8x!tile.ptr<f16>>
    %w = arith.maximumf %m, %v : tensor<32x8xf16>
    scf.yield %w : tensor<32x8xf16>
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %most) -> (tensor<32x8xf16>) : i32 {
    scf.yield %other : tensor<32x8xf16>
  }
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<32x8x!tile.ptr<f16>>
  %out = tile.addptr %ys, %by_row : tensor<32x8x!tile.ptr<f16>>, tensor<32x8xi32>
  tile.store %out, %last : tensor<32x8x!tile.ptr<f16>>
  tile.return
}

// The copy engine stores boxes from multiples of 16 bytes on, not from element 5 of a row, and up to multiples of 16
// bytes, not to element 30.
// CHECK-LABEL: llvm.func @odd_box
// CHECK-NOT: cp.async.bulk.tensor
// CHECK-LABEL: llvm.func @odd_end
// CHECK-NOT: cp.async.bulk.tensor
// CHECK-LABEL: llvm.func @even_box
// CHECK: cp.async.bulk.tensor
tile.func @odd_box(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.dot %a, %a, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %lane = tile.arange : tensor<32xi32>
  %five = arith.constant dense<5> : tensor<32x32xi32>
  %pitch = arith.constant dense<64> : tensor<32x32xi32>
  %r1 = tile.expand_dims %lane axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c1 = tile.expand_dims %lane axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns = tile.broadcast %c1 : tensor<1x32xi32> -> tensor<32x32xi32>
  %above = arith.muli %rows, %pitch : tensor<32x32xi32>
  %inside = arith.addi %above, %columns : tensor<32x32xi32>
  %at = arith.addi %inside, %five : tensor<32x32xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %ys, %at : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %p, %x : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
tile.func @odd_end(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.dot %a, %a, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %lane = tile.arange : tensor<32xi32>
  %start = arith.constant dense<0> : tensor<32x32xi32>
  %pitch = arith.constant dense<64> : tensor<32x32xi32>
  %r1 = tile.expand_dims %lane axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c1 = tile.expand_dims %lane axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns = tile.broadcast %c1 : tensor<1x32xi32> -> tensor<32x32xi32>
  %above = arith.muli %rows, %pitch : tensor<32x32xi32>
  %inside = arith.addi %above, %columns : tensor<32x32xi32>
  %at = arith.addi %inside, %start : tensor<32x32xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %ys, %at : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %end = arith.constant dense<30> : tensor<32x32xi32>
  %in = arith.cmpi slt, %columns, %end : tensor<32x32xi32>
  tile.store %p, %x, %in : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
tile.func @even_box(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.dot %a, %a, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %lane = tile.arange : tensor<32xi32>
  %four = arith.constant dense<4> : tensor<32x32xi32>
  %pitch = arith.constant dense<64> : tensor<32x32xi32>
  %r1 = tile.expand_dims %lane axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %c1 = tile.expand_dims %lane axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns = tile.broadcast %c1 : tensor<1x32xi32> -> tensor<32x32xi32>
  %above = arith.muli %rows, %pitch : tensor<32x32xi32>
  %inside = arith.addi %above, %columns : tensor<32x32xi32>
  %at = arith.addi %inside, %four : tensor<32x32xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %p = tile.addptr %ys, %at : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  tile.store %p, %x : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

// A box of fewer than 8 rows has no swizzle, neither in its map nor in its buffer.
// CHECK-LABEL: llvm.func @few_rows
// CHECK-SAME: box [4, 256]"
// RUN: tile-run %s --emit=layouts --kernel=few_rows --arch=sm_90a -D num_warps=4 2>/dev/null | FileCheck %s --check-prefix=ROWS
// ROWS: tile_gpu.desc_write {{.*}} : !tile.desc<4x256xf32>, !tile_gpu.buffer<4x256xf32>
tile.func @few_rows(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : tensor<4x16xf32>
  %b = arith.constant dense<1.0> : tensor<16x256xf32>
  %zero = arith.constant dense<0.0> : tensor<4x256xf32>
  %x = tile.dot %a, %b, %zero : tensor<4x16xf32>, tensor<16x256xf32> -> tensor<4x256xf32>
  %rows4 = tile.arange : tensor<4xi32>
  %columns256 = tile.arange : tensor<256xi32>
  %pitch = arith.constant dense<256> : tensor<4x256xi32>
  %r1 = tile.expand_dims %rows4 axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %c1 = tile.expand_dims %columns256 axis 0 : tensor<256xi32> -> tensor<1x256xi32>
  %rows = tile.broadcast %r1 : tensor<4x1xi32> -> tensor<4x256xi32>
  %columns = tile.broadcast %c1 : tensor<1x256xi32> -> tensor<4x256xi32>
  %above = arith.muli %rows, %pitch : tensor<4x256xi32>
  %at = arith.addi %above, %columns : tensor<4x256xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<4x256x!tile.ptr<f32>>
  %p = tile.addptr %ys, %at : tensor<4x256x!tile.ptr<f32>>, tensor<4x256xi32>
  tile.store %p, %x : tensor<4x256x!tile.ptr<f32>>
  tile.return
}

// A reshape that padding makes a gather, stored in two orders: the second one took what was converted for the first.
// CHECK-LABEL: llvm.func @stored_twice
tile.func @stored_twice(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lane = tile.arange : tensor<48xi32>
  %lane1 = tile.expand_dims %lane axis 0 : tensor<48xi32> -> tensor<1x48xi32>
  %wide = tile.broadcast %lane1 : tensor<1x48xi32> -> tensor<17x48xi32>
  %v = arith.sitofp %wide : tensor<17x48xi32> to tensor<17x48xf32>
  %box = tile.reshape %v : tensor<17x48xf32> -> tensor<12x68xf32>
  %i = tile.arange : tensor<12xi32>
  %j = tile.arange : tensor<68xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<12xi32> -> tensor<12x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<68xi32> -> tensor<1x68xi32>
  %rows = tile.broadcast %i1 : tensor<12x1xi32> -> tensor<12x68xi32>
  %columns = tile.broadcast %j1 : tensor<1x68xi32> -> tensor<12x68xi32>
  %height = arith.constant dense<12> : tensor<12x68xi32>
  %left = arith.muli %columns, %height : tensor<12x68xi32>
  %down = arith.addi %left, %rows : tensor<12x68xi32>
  %width = arith.constant dense<73> : tensor<12x68xi32>
  %above = arith.muli %rows, %width : tensor<12x68xi32>
  %along = arith.addi %above, %columns : tensor<12x68xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<12x68x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<12x68x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %down : tensor<12x68x!tile.ptr<f32>>, tensor<12x68xi32>
  %yp = tile.addptr %ys, %along : tensor<12x68x!tile.ptr<f32>>, tensor<12x68xi32>
  tile.store %xp, %box : tensor<12x68x!tile.ptr<f32>>
  tile.store %yp, %box : tensor<12x68x!tile.ptr<f32>>
  tile.return
}

// A join of fewer elements than threads, which its user wants spread over warps: both halves lie in one thread.
// CHECK-LABEL: llvm.func @few_joined
tile.func @few_joined(%y: !tile.ptr<i64>) {
  %c = arith.constant dense<0x00000000> : tensor<24xf32>
  %f = tile.cat %c, %c axis 0 : tensor<24xf32>, tensor<24xf32> -> tensor<48xf32>
  %v = arith.fptosi %f : tensor<48xf32> to tensor<48xi64>
  %pairs = tile.join %v, %v : tensor<48xi64> -> tensor<48x2xi64>
  %i = tile.arange : tensor<48xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<48xi32> -> tensor<48x1xi32>
  %rows = tile.broadcast %i1 : tensor<48x1xi32> -> tensor<48x2xi32>
  %j = tile.arange : tensor<2xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %columns = tile.broadcast %j1 : tensor<1x2xi32> -> tensor<48x2xi32>
  %width = arith.constant dense<97> : tensor<48x2xi32>
  %along = arith.muli %columns, %width : tensor<48x2xi32>
  %at = arith.addi %along, %rows : tensor<48x2xi32>
  %ys = tile.splat %y : !tile.ptr<i64> -> tensor<48x2x!tile.ptr<i64>>
  %p = tile.addptr %ys, %at : tensor<48x2x!tile.ptr<i64>>, tensor<48x2xi32>
  tile.store %p, %pairs : tensor<48x2x!tile.ptr<i64>>
  tile.return
}

// Steps from 32 on of a row that ends at 1: no step loads, which of a step ahead is not known (8700000168).
// CHECK-LABEL: llvm.func @no_step_loads
// CHECK-NOT: cp.async.c{{[ag]}}.shared
tile.func @no_step_loads(%x: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %first = arith.constant 32 : i32
  %sum0 = arith.constant dense<0.0> : tensor<32x64xf32>
  %end = arith.constant dense<1> : tensor<32xi32>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %i = tile.arange : tensor<32xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %sum = scf.for %k = %first to %n step %first iter_args(%acc = %sum0) -> (tensor<32x64xf32>) : i32 {
    %k1 = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %k1, %i : tensor<32xi32>
    %in = arith.cmpi slt, %at, %end : tensor<32xi32>
    %in1 = tile.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tile.broadcast %in1 : tensor<1x32xi1> -> tensor<32x32xi1>
    %columns = tile.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %offsets = tile.expr %i1 * 16 + %columns
    %p = tile.expr %x + %offsets
    %a = tile.load %p, %mask : tensor<32x32x!tile.ptr<f8E4M3FN>>
    %d = tile.dot %a, %b, %acc : tensor<32x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %j = tile.arange : tensor<64xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %out = tile.expr %i1 * 64 + %j1
  %q = tile.expr %y + %out
  tile.store %q, %sum : tensor<32x64x!tile.ptr<f32>>
  tile.return
}

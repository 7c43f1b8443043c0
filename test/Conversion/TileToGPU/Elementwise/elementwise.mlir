// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#split = #tile_gpu.layout<register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [256]]>
#xor = #tile_gpu.layout<register = [[1], [3]], lane = [[3], [4], [8], [16], [32]], warp = []>
#table = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>
#gaps = #tile_gpu.layout<register = [[1, 0], [0, 2]], lane = [[0, 1], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>
#warps = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
#all = #tile_gpu.layout<register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = []>

// What a thread holds of a tile is one vector; arith works on it as on the tile.
// CHECK-LABEL: llvm.func @arith
// CHECK-SAME: (%[[X:.*]]: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile.num_warps = 4 : i32
tile.func @arith(%x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast %[[X]] : f32 to vector<4xf32>
  // CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
  // CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[C]] fastmath<contract> : vector<4xf32>
  // CHECK: %[[L:.*]] = arith.cmpf olt, %[[P]], %[[A]] : vector<4xf32>
  // CHECK: %[[M:.*]] = llvm.shufflevector %[[L]], %[[L]] [0, 0, 0, 0]
  // CHECK: arith.select %[[M]], %[[P]], %[[A]] : vector<4xi1>, vector<4xf32>
  %a = tile.splat %x : f32 -> tensor<512xf32, #v>
  %c = arith.constant dense<2.0> : tensor<512xf32, #v>
  %p = arith.mulf %a, %c fastmath<contract> : tensor<512xf32, #v>
  %l = arith.cmpf olt, %p, %a : tensor<512xf32, #v>
  %s = arith.select %l, %p, %a : tensor<512xi1, #v>, tensor<512xf32, #v>
  tile.return
}

// A table lies in global memory; a thread reads what is its own, neighbours at once. A table is
// there once, however often it is asked for.
// CHECK-LABEL: llvm.func @table
tile.func @table(%x: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[T:.*]] = llvm.mlir.addressof @[[TABLE:__tile_table_[0-9]+]] : !llvm.ptr<1>
  // CHECK: %[[I:.*]] = arith.muli %{{.*}}, %c4_i32
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[T]][%[[I]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
  // CHECK: llvm.load %[[P]] invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xi16>
  // CHECK: llvm.bitcast %{{.*}} : vector<4xi16> to vector<4xbf16>
  %a = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xbf16, #table>
  // Registers that are no neighbours: one element at a time.
  // CHECK: llvm.mlir.addressof @[[TABLE]]
  // CHECK-COUNT-4: llvm.load {{.*}} invariant {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xi16>
  %b = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xbf16, #gaps>
  tile.return
}

// Warps that copy hold no tiles: they read within the table all the same.
// CHECK-LABEL: llvm.func @beside
tile.func @beside(%x: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.block_warps = 5 : i32} {
  // CHECK: llvm.mlir.addressof @__tile_table_
  // CHECK: %[[WARP:.*]] = arith.andi %{{.*}}, %c3_i32
  // CHECK: llvm.getelementptr %{{.*}}[%[[WARP]]]
  %a = arith.constant dense<[0, 1, 2, 4]> : tensor<4xi32, #warps>
  tile.return
}

// What all threads hold is known now.
// CHECK-LABEL: llvm.func @same_in_all
// CHECK-NOT: llvm.load
tile.func @same_in_all(%x: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[C:.*]] = arith.constant dense<[1065353216, 1073741824]> : vector<2xi32>
  // CHECK: llvm.bitcast %[[C]] : vector<2xi32> to vector<2xf32>
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, #all>
  // CHECK: %[[B:.*]] = arith.constant dense<[0, 1]> : vector<2xi8>
  // CHECK: arith.cmpi ne, %[[B]], %{{.*}} : vector<2xi8>
  %b = arith.constant dense<[false, true]> : tensor<2xi1, #all>
  tile.return
}

// Scalars stay scalars.
// CHECK-LABEL: llvm.func @scalars
tile.func @scalars(%x: i32) {
  // CHECK: arith.addi %{{.*}}, %c3_i32 : i32
  %c = arith.constant 3 : i32
  %s = arith.addi %x, %c : i32
  tile.return
}

// Lanes and warps give the thread's part, registers a constant each.
// CHECK-LABEL: llvm.func @arange
tile.func @arange(%x: i32) {
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK: %[[LANE:.*]] = arith.andi %[[TID]], %{{.*}}
  // CHECK: %[[WARP:.*]] = arith.shrui %[[TID]], %{{.*}}
  // CHECK: %[[REGS:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  // CHECK: arith.andi %[[LANE]]
  // CHECK: %[[L:.*]] = arith.muli %{{.*}}, %c4_i32
  // CHECK: %[[W:.*]] = arith.muli %[[WARP]], %c128_i32
  // CHECK: %[[T:.*]] = arith.xori %[[L]], %[[W]]
  // CHECK: %[[B:.*]] = vector.broadcast %[[T]] : i32 to vector<4xi32>
  // CHECK: arith.addi %[[B]], %[[REGS]] : vector<4xi32>
  %r = tile.arange : tensor<512xi32, #v>
  tile.return
}

// CHECK-LABEL: llvm.func @arange_gaps
tile.func @arange_gaps(%x: i32) {
  // CHECK: arith.constant dense<[0, 1, 128, 129]> : vector<4xi32>
  %r = tile.arange : tensor<512xi32, #split>
  tile.return
}

// Where registers and lanes share bits, only xor is right.
// CHECK-LABEL: llvm.func @arange_xor
tile.func @arange_xor(%x: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[REGS:.*]] = arith.constant dense<[0, 1, 3, 2]> : vector<4xi32>
  // CHECK: arith.xori %{{.*}}, %[[REGS]] : vector<4xi32>
  %r = tile.arange : tensor<64xi32, #xor>
  tile.return
}

// CHECK-LABEL: llvm.func @program
tile.func @program(%x: i32) {
  // CHECK: nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK: nvvm.read.ptx.sreg.ctaid.z : i32
  // CHECK: nvvm.read.ptx.sreg.nctaid.y : i32
  %a = tile.program_id x
  %b = tile.program_id z
  %c = tile.num_programs y
  tile.return
}

// Pointers are numbers of 64 bits, moved by bytes.
// CHECK-LABEL: llvm.func @addptr
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[N:.*]]: i32)
tile.func @addptr(%p: !tile.ptr<f16>, %n: i32) {
  // CHECK: %[[I:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
  // CHECK: %[[W:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK: %[[B:.*]] = arith.muli %[[W]], %[[TWO]] : i64
  // CHECK: arith.addi %[[I]], %[[B]] : i64
  %q = tile.addptr %p, %n : !tile.ptr<f16>, i32
  tile.return
}

// Offsets of bytes need no scaling.
// CHECK-LABEL: llvm.func @addptr_bytes
tile.func @addptr_bytes(%p: !tile.ptr<i8>, %n: i64) {
  // CHECK: %[[I:.*]] = llvm.ptrtoint
  // CHECK-NEXT: arith.addi %[[I]], %{{.*}} : i64
  %q = tile.addptr %p, %n : !tile.ptr<i8>, i64
  tile.return
}

// CHECK-LABEL: llvm.func @assume
tile.func @assume(%n: i32) {
  // CHECK: %[[C:.*]] = arith.cmpi sgt
  // CHECK: llvm.intr.assume %[[C]] : i1
  %c0 = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %c0 : i32
  tile.assume %c
  tile.return
}

// What lies beyond the integer's range becomes its end: PTX's own rule, but for NaN where 64 bits are, and f64 as fewer bits.
// CHECK-LABEL: llvm.func @to_integer
// CHECK: %[[I:.*]] = llvm.call_intrinsic "llvm.nvvm.f2i.rz"(%[[X:.*]]) : (f32) -> i32
// CHECK-NOT: arith.select
// CHECK: %[[U:.*]] = llvm.inline_asm "cvt.rzi.u8.f32 $0, $1;", "=r,f" %[[X]] : (f32) -> i32
// CHECK-NEXT: arith.trunci %[[U]] : i32 to i8
// CHECK: llvm.call_intrinsic "llvm.nvvm.d2i.rz"(%[[Y:.*]]) : (f64) -> i32
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: %[[D:.*]] = llvm.call_intrinsic "llvm.nvvm.d2ll.rz"(%[[Y]]) : (f64) -> i64
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[Y]], %[[Y]] : f64
// CHECK: arith.select %[[NAN]], %{{.*}}, %[[D]] : i64
tile.func @to_integer(%x: f32, %y: f64, %a: !tile.ptr<i32>, %b: !tile.ptr<i8>, %c: !tile.ptr<i64>, %d: !tile.ptr<i16>) {
  %i = arith.fptosi %x : f32 to i32
  tile.store %a, %i : !tile.ptr<i32>
  %u = arith.fptoui %x : f32 to i8
  tile.store %b, %u : !tile.ptr<i8>
  %s = arith.fptosi %y : f64 to i16
  tile.store %d, %s : !tile.ptr<i16>
  %l = arith.fptosi %y : f64 to i64
  tile.store %c, %l : !tile.ptr<i64>
  tile.return
}

#eights = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// Bounds that are multiples of 16 are one comparison for eight neighbours; a bound of which nothing is known is eight.
// CHECK-LABEL: llvm.func @once_a_run
tile.func @once_a_run(%n: i32 {tile.divisibility = 16 : i32}, %k: i32, %x: f32) {
  // CHECK: %[[N:.*]] = arith.cmpi slt, {{.*}} : vector<8xi32>
  // CHECK: %[[ONE:.*]] = llvm.shufflevector %[[N]], %[[N]] [0, 0, 0, 0, 0, 0, 0, 0]
  // CHECK: %[[K:.*]] = arith.cmpi slt, {{.*}} : vector<8xi32>
  // CHECK-NOT: llvm.shufflevector
  // CHECK: arith.select %[[ONE]]
  // CHECK: arith.select %[[K]]
  %i = tile.arange : tensor<1024xi32, #eights>
  %ns = tile.splat %n : i32 -> tensor<1024xi32, #eights>
  %ks = tile.splat %k : i32 -> tensor<1024xi32, #eights>
  %a = tile.splat %x : f32 -> tensor<1024xf32, #eights>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #eights>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32, #eights>
  %o = arith.cmpi slt, %i, %ks : tensor<1024xi32, #eights>
  %s = arith.select %m, %a, %zero : tensor<1024xi1, #eights>, tensor<1024xf32, #eights>
  %t = arith.select %o, %a, %zero : tensor<1024xi1, #eights>, tensor<1024xf32, #eights>
  tile.return
}

// Of vectors of 64 bits each number is divided by itself, so that LLVM asks whether 32 bits do; by a constant it needs no division.
// CHECK-LABEL: llvm.func @long_division
// CHECK-COUNT-8: arith.remsi %{{.*}}, %{{.*}} : i64
// CHECK: arith.divsi %{{.*}}, %{{.*}} : vector<8xi64>
tile.func @long_division(%n: i64) attributes {tile.num_warps = 4 : i32} {
  %short = tile.arange : tensor<1024xi32, #eights>
  %i = arith.extsi %short : tensor<1024xi32, #eights> to tensor<1024xi64, #eights>
  %ns = tile.splat %n : i64 -> tensor<1024xi64, #eights>
  %ten = arith.constant dense<10> : tensor<1024xi64, #eights>
  %sum = arith.addi %i, %ns : tensor<1024xi64, #eights>
  %r = arith.remsi %sum, %ns : tensor<1024xi64, #eights>
  %q = arith.divsi %r, %ten : tensor<1024xi64, #eights>
  tile.return
}

// A program's number that was widened divides in 32 bits, by what was 32 bits wide; nothing else of 64 does.
// CHECK-LABEL: llvm.func @short_division
tile.func @short_division(%p: !tile.ptr<i64>, %n: i32, %w: i64) {
  %pid = tile.program_id x
  %a = arith.extsi %pid : i32 to i64
  %b = arith.extsi %n : i32 to i64
  // CHECK: %[[X:.*]] = arith.trunci %{{.*}} : i64 to i32
  // CHECK: %[[Y:.*]] = arith.trunci %{{.*}} : i64 to i32
  // CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[Y]] : i32
  // CHECK: arith.extsi %[[Q]] : i32 to i64
  %q = arith.divsi %a, %b : i64
  tile.store %p, %q : !tile.ptr<i64>
  // CHECK: arith.remsi %{{.*}}, %{{.*}} : i32
  %r = arith.remsi %a, %b : i64
  tile.store %p, %r : !tile.ptr<i64>
  // CHECK: arith.divui %{{.*}}, %{{.*}} : i64
  %u = arith.divui %a, %b : i64
  tile.store %p, %u : !tile.ptr<i64>
  // CHECK: arith.divsi %{{.*}}, %{{.*}} : i64
  %v = arith.divsi %b, %a : i64
  tile.store %p, %v : !tile.ptr<i64>
  // CHECK: arith.divsi %{{.*}}, %{{.*}} : i64
  %x = arith.divsi %a, %w : i64
  tile.store %p, %x : !tile.ptr<i64>
  // A quotient is never -2^31, whatever its sign.
  // CHECK: arith.remsi %{{.*}}, %{{.*}} : i32
  %y = arith.remsi %q, %b : i64
  tile.store %p, %y : !tile.ptr<i64>
  tile.return
}

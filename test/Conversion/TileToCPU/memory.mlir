// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// A masked add: up to where all lanes are on, found once for the whole tile, a loop with vector loads and stores, and
// behind that the same with masks; no tile in memory.
// CHECK-LABEL: func.func @add({{%.*}}: !llvm.ptr, {{%.*}}: i32, {{%.*}}: i32, {{%.*}}: i32, {{%.*}}: i32, {{%.*}}: i32, {{%.*}}: i32)
// CHECK-NOT: llvm.alloca
// CHECK: %[[REST:.*]] = arith.remsi %[[KNOWN:.*]], %c8_i64
// CHECK: %[[TO:.*]] = arith.subi %[[KNOWN]], %[[REST]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[TO]] step %c8_i64
// CHECK:   %[[A:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK:   %[[B:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK:   %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : vector<8xf32>
// CHECK:   llvm.store %[[SUM]]
// CHECK: scf.for %{{.*}} = %[[TO]] to %{{.*}} step %c8_i64
// CHECK:   %[[IN:.*]] = arith.cmpi slt, %{{.*}} : vector<8xi32>
// CHECK:   llvm.intr.masked.load %{{.*}}, %[[IN]]
// CHECK:   llvm.intr.masked.load %{{.*}}, %[[IN]]
// CHECK:   llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[IN]]
tile.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  %block = arith.constant 1024 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<1024xi32>
  %base = tile.splat %first : i32 -> tensor<1024xi32>
  %offs = arith.addi %base, %lane : tensor<1024xi32>
  %end = tile.splat %n : i32 -> tensor<1024xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %yp = tile.addptr %ys, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %op = tile.addptr %os, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %xv = tile.load %xp, %in : tensor<1024x!tile.ptr<f32>>
  %yv = tile.load %yp, %in : tensor<1024x!tile.ptr<f32>>
  %sum = arith.addf %xv, %yv : tensor<1024xf32>
  tile.store %op, %sum, %in : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Twenty elements in chunks of eight: the last one under a constant mask.
// CHECK-LABEL: func.func @tail
// CHECK: %[[FOUR:.*]] = arith.constant dense<[true, true, true, true, false, false, false, false]>
// CHECK: scf.for
// CHECK:   llvm.store %{{.*}} : vector<8xf32>, !llvm.ptr
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[FOUR]]
tile.func @tail(%out: !tile.ptr<f32>, %v: f32) {
  %lane = tile.arange : tensor<20xi32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<20x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<20x!tile.ptr<f32>>, tensor<20xi32>
  %vs = tile.splat %v : f32 -> tensor<20xf32>
  tile.store %op, %vs : tensor<20x!tile.ptr<f32>>
  tile.return
}

// Every other element: a gather, and a whole vector stored.
// CHECK-LABEL: func.func @strided
// CHECK: arith.constant dense<[0, 2, 4, 6, 8, 10, 12, 14]> : vector<8xi64>
// CHECK: %[[V:.*]] = llvm.intr.masked.gather
// CHECK: llvm.store %[[V]]
tile.func @strided(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %two = arith.constant dense<2> : tensor<8xi32>
  %lane = tile.arange : tensor<8xi32>
  %every = arith.muli %lane, %two : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %every : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %xp : tensor<8x!tile.ptr<f32>>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %op, %v : tensor<8x!tile.ptr<f32>>
  tile.return
}

// A store to other places than were loaded: all is loaded before anything is stored.
// CHECK-LABEL: func.func @shift
// CHECK: %[[TILE:.*]] = llvm.alloca
// CHECK: scf.for
// CHECK:   llvm.load
// CHECK:   llvm.store
// CHECK: scf.for
// CHECK:   llvm.getelementptr %[[TILE]]
// CHECK:   llvm.store
tile.func @shift(%x: !tile.ptr<f32>) {
  %one = arith.constant dense<1> : tensor<16xi32>
  %lane = tile.arange : tensor<16xi32>
  %next = arith.addi %lane, %one : tensor<16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %from = tile.addptr %xs, %lane : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %to = tile.addptr %xs, %next : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %from : tensor<16x!tile.ptr<f32>>
  tile.store %to, %v : tensor<16x!tile.ptr<f32>>
  tile.return
}

// A scalar under a mask is guarded by a branch.
// CHECK-LABEL: func.func @scalar
// CHECK: %[[V:.*]] = scf.if %[[M:.*]] -> (f32) {
// CHECK: scf.if %[[M]] {
// CHECK-NEXT: llvm.store %[[V]]
tile.func @scalar(%x: !tile.ptr<f32>, %m: i1) {
  %v = tile.load %x, %m : !tile.ptr<f32>
  tile.store %x, %v, %m : !tile.ptr<f32>
  tile.return
}

// A mask of accesses that also chooses between values: where it is known to be all true, it chooses
// by a constant.
// CHECK-LABEL: func.func @mask_as_condition
// CHECK: scf.for
// CHECK:   %[[TRUE:.*]] = vector.broadcast %true{{.*}} : i1 to vector<8xi1>
// CHECK:   arith.select %[[TRUE]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: scf.for
// CHECK:   %[[IN:.*]] = arith.cmpi slt, %{{.*}} : vector<8xi32>
// CHECK:   arith.select %[[IN]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
tile.func @mask_as_condition(%x: !tile.ptr<f32>, %n: i32) {
  %lanes = tile.arange : tensor<64xi32>
  %ends = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %lanes, %ends : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ptrs = tile.addptr %xs, %lanes : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %ptrs, %in : tensor<64x!tile.ptr<f32>>
  %ones = arith.constant dense<1.0> : tensor<64xf32>
  %chosen = arith.select %in, %v, %ones : tensor<64xi1>, tensor<64xf32>
  tile.store %ptrs, %chosen, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// f16 and bf16 are added in f32, and exchanged as words until nobody came between.
// CHECK-LABEL: func.func @narrow(
// CHECK: %[[V:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[FIRST:.*]] = llvm.load %[[P:.*]] atomic monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: %[[LAST:.*]] = scf.while (%[[SEEN:.*]] = %[[FIRST]]) : (i16) -> i16 {
// CHECK:   %[[HALF:.*]] = arith.bitcast %[[SEEN]] : i16 to f16
// CHECK:   %[[WIDE:.*]] = arith.extf %[[HALF]] : f16 to f32
// CHECK:   arith.addf %[[WIDE]], %[[V]] : f32
// CHECK:   %[[PAIR:.*]] = llvm.cmpxchg %[[P]], %[[SEEN]], %{{.*}} acq_rel acquire : !llvm.ptr, i16
// CHECK:   %[[THERE:.*]] = llvm.extractvalue %[[PAIR]][0]
// CHECK:   %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
// CHECK:   %[[AGAIN:.*]] = arith.xori %[[DONE]], %{{.*}} : i1
// CHECK:   scf.condition(%[[AGAIN]]) %[[THERE]] : i16
// CHECK: arith.bitcast %[[LAST]] : i16 to f16
tile.func @narrow(%x: !tile.ptr<f16>, %v: f16) {
  %old = tile.atomic_rmw fadd acq_rel gpu %x, %v : !tile.ptr<f16>
  tile.store %x, %old : !tile.ptr<f16>
  tile.return
}

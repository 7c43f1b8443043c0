// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-leave-early))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-leave-early))' | FileCheck %s --check-prefix=STAYS
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-leave-early))' 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// REMARK: remark: programs that return early do so behind what a block makes ready: expected nothing that is written in front of it, found a write
// REMARK: remark: programs that return early do so behind what a block makes ready: expected scalar arithmetic and numbers that are read, found more
// REMARK: remark: programs that return early do so behind what a block makes ready: expected nothing that is written in front of it, found a write
// REMARK: remark: programs that return early do so behind what a block makes ready: expected one program of a block, found a loop over programs
// REMARK: remark: programs that return early do so behind what a block makes ready: expected blocks that wait for no others, found a cluster

#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
!ring = !tile_gpu.buffer<1xi64, stages = 2>

// Roles: what the consumers ask comes first, of numbers that the front has; barriers and roles are made ready behind it. The
// producer asks for itself, in its loop.
// CHECK-LABEL: tile.func @roles(
// CHECK-SAME: %[[COUNTS:[a-z0-9]*]]: !tile.ptr<i32>, %[[OUT:[a-z0-9]*]]: tensor
// CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK-NOT: tile_gpu
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[FIRST:.*]] = arith.muli %[[PID]], %[[ROWS]]
// CHECK: %[[COUNT:.*]] = tile.load %[[COUNTS]]
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[FIRST]], %[[COUNT]]
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK-NEXT: tile_gpu.alloc_shared
// CHECK-NEXT: tile_gpu.barrier_init
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.warp_specialize producer {
// CHECK: tile_gpu.elect
// CHECK: } consumer {
// CHECK-NEXT: arith.select %[[SOME]]
// CHECK-NEXT: arith.addi
// CHECK-NEXT: tile.store %[[OUT]]
// CHECK: tile.return
tile.func @roles(%counts: !tile.ptr<i32>, %out: tensor<32x!tile.ptr<i32>, #row>, %value: tensor<32xi32, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %rows = arith.muli %n, %c64 : i32
  %full = tile_gpu.alloc_shared {guarded, offset = 0 : i32} : !ring
  tile_gpu.barrier_init %full count 1 : !ring
  gpu.barrier
  tile_gpu.warp_specialize producer {
    %one = tile_gpu.elect
    scf.if %one {
    }
  } consumer {
    %pid = tile.program_id x
    %first = arith.muli %pid, %rows : i32
    %count = tile.load %counts : !tile.ptr<i32>
    %some = arith.cmpi slt, %first, %count {tile.leaves} : i32
    %end = arith.select %some, %c64, %c0 : i32
    %sum = arith.addi %value, %value : tensor<32xi32, #row>
    tile.store %out, %sum : tensor<32x!tile.ptr<i32>, #row>
  }
  tile.return
}

// No roles: a load that nobody asks for stays behind the question, wherever it stood.
// CHECK-LABEL: tile.func @alone(
// CHECK: %[[COUNT:.*]] = tile.load %{{.*}} : !tile.ptr<i32>
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %[[COUNT]]
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK-NEXT: tile.load %{{.*}} : tensor<32x!tile.ptr<i32>
// CHECK-NEXT: tile.store
tile.func @alone(%counts: !tile.ptr<i32>, %out: tensor<32x!tile.ptr<i32>, #row>, %n: i32) {
  %value = tile.load %out : tensor<32x!tile.ptr<i32>, #row>
  %count = tile.load %counts : !tile.ptr<i32>
  %some = arith.cmpi slt, %n, %count {tile.leaves} : i32
  tile.store %out, %value : tensor<32x!tile.ptr<i32>, #row>
  tile.return
}

// Something is written in front of the question: what it reads may be that.
// STAYS-LABEL: tile.func @written(
// STAYS-NOT: scf.if
tile.func @written(%counts: !tile.ptr<i32>, %n: i32) {
  tile.store %counts, %n : !tile.ptr<i32>
  %count = tile.load %counts : !tile.ptr<i32>
  %some = arith.cmpi slt, %n, %count {tile.leaves} : i32
  tile.store %counts, %count : !tile.ptr<i32>
  tile.return
}

// A tile is asked.
// STAYS-LABEL: tile.func @tiles(
// STAYS-NOT: scf.if
tile.func @tiles(%out: tensor<32x!tile.ptr<i32>, #row>, %counts: tensor<32xi32, #row>, %n: i32) {
  %most = tile.reduce max %counts axis 0 : tensor<32xi32, #row> -> i32
  %some = arith.cmpi slt, %n, %most {tile.leaves} : i32
  tile.store %out, %counts : tensor<32x!tile.ptr<i32>, #row>
  tile.return
}

// What others may change while the block makes ready is read where it stands.
// STAYS-LABEL: tile.func @volatile(
// STAYS-NOT: scf.if
tile.func @volatile(%counts: !tile.ptr<i32>, %n: i32) {
  %count = tile.load %counts cache cv : !tile.ptr<i32>
  %some = arith.cmpi slt, %n, %count {tile.leaves} : i32
  tile.store %counts, %count : !tile.ptr<i32>
  tile.return
}

// Blocks with several programs, and clusters, whose blocks wait for each other.
// STAYS-LABEL: tile.func @several(
// STAYS: scf.for
// STAYS-NOT: scf.if
tile.func @several(%counts: !tile.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for %p = %n to %c8 step %c1 : i32 {
    %count = tile.load %counts : !tile.ptr<i32>
    %some = arith.cmpi slt, %n, %count {tile.leaves} : i32
    tile.store %counts, %count : !tile.ptr<i32>
  } {tile_gpu.programs}
  tile.return
}

// STAYS-LABEL: tile.func @cluster(
// STAYS-NOT: scf.if
// STAYS: tile.return
tile.func @cluster(%counts: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.cluster = 2 : i32} {
  %count = tile.load %counts : !tile.ptr<i32>
  %some = arith.cmpi slt, %n, %count {tile.leaves} : i32
  tile.store %counts, %count : !tile.ptr<i32>
  tile.return
}

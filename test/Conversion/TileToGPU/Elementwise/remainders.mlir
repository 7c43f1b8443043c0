// Quotients and remainders, by powers of two, of what is not below 0 are shifts and masks, a number each.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>

// CHECK-LABEL: llvm.func @places
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[A:.*]] = vector.extract %[[X:.*]][0] : i32 from vector<2xi32>
// CHECK: arith.andi %[[A]], %[[ONE]] : i32
// CHECK: %[[B:.*]] = vector.extract %[[X]][1] : i32 from vector<2xi32>
// CHECK: arith.andi %[[B]], %[[ONE]] : i32
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: arith.shrui %{{.*}}, %[[TWO]] : i32
// CHECK: arith.shrui %{{.*}}, %[[TWO]] : i32
// CHECK-NOT: arith.remsi
// CHECK-NOT: arith.divsi
tile.func @places() attributes {tile.num_warps = 1 : i32} {
  %x = tile.arange : tensor<64xi32, #v>
  %two = arith.constant dense<2> : tensor<64xi32, #v>
  %four = arith.constant dense<4> : tensor<64xi32, #v>
  %odd = arith.remsi %x, %two : tensor<64xi32, #v>
  %word = arith.divsi %x, %four : tensor<64xi32, #v>
  tile.return
}

// Steps of 16 begin at multiples of 8: their remainders are those of the places. Of steps of 4 they are not.
// CHECK-LABEL: llvm.func @steps
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[PLACES:.*]] : vector<2xi32>
// CHECK: vector.extract %[[PLACES]][0]
// CHECK: arith.andi %{{.*}}, %{{.*}} : i32
// CHECK: vector.extract %[[PLACES]][1]
// CHECK: %[[FOURS:.*]] = arith.addi %{{.*}}, %[[PLACES]] : vector<2xi32>
// CHECK: vector.extract %[[FOURS]][0]
// CHECK: arith.andi %{{.*}}, %{{.*}} : i32
tile.func @steps() attributes {tile.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %x = tile.arange : tensor<64xi32, #v>
  %eight = arith.constant dense<8> : tensor<64xi32, #v>
  scf.for %i = %c0 to %c16 step %c1 : i32 {
    %far = arith.muli %i, %c16 : i32
    %fars = tile.splat %far : i32 -> tensor<64xi32, #v>
    %y = arith.addi %fars, %x : tensor<64xi32, #v>
    %r = arith.remsi %y, %eight : tensor<64xi32, #v>
    %near = arith.muli %i, %c4 : i32
    %nears = tile.splat %near : i32 -> tensor<64xi32, #v>
    %z = arith.addi %nears, %x : tensor<64xi32, #v>
    %s = arith.remsi %z, %eight : tensor<64xi32, #v>
  }
  tile.return
}

// What may be below 0, and what other numbers divide, stays.
// CHECK-LABEL: llvm.func @others
// CHECK: arith.remsi %{{.*}} : vector<2xi32>
// CHECK: arith.divsi %{{.*}} : vector<2xi32>
// CHECK: arith.remsi %{{.*}} : vector<2xi32>
tile.func @others(%n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 1 : i32} {
  %x = tile.arange : tensor<64xi32, #v>
  %two = arith.constant dense<2> : tensor<64xi32, #v>
  %three = arith.constant dense<3> : tensor<64xi32, #v>
  %m = tile.splat %n : i32 -> tensor<64xi32, #v>
  %y = arith.addi %m, %x : tensor<64xi32, #v>
  %a = arith.remsi %y, %two : tensor<64xi32, #v>
  %b = arith.divsi %y, %two : tensor<64xi32, #v>
  %c = arith.remsi %x, %three : tensor<64xi32, #v>
  tile.return
}

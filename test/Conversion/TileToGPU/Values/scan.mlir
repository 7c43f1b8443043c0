// tile.scan: bit by bit of the axis, in registers, by shuffles, and through scratch.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#registers = #tile_gpu.layout<register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#few = #tile_gpu.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
#lanesAndWarps = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#warps = #tile_gpu.layout<register = [[4]], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
#long = #tile_gpu.layout<register = [[128], [256]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#pairs = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#both = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>

// One element behind the other: x1 = x0 + x1, x2 = x1 + x2, x3 = x2 + x3.
// CHECK-LABEL: llvm.func @registers
tile.func @registers(%n: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  // CHECK: %[[X:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
  %x = tile.splat %n : f32 -> tensor<4xf32, #registers>
  // CHECK: %[[X0:.*]] = llvm.shufflevector %[[X]], %[[X]] [0]
  // CHECK: %[[X1:.*]] = llvm.shufflevector %[[X]], %[[X]] [1]
  // CHECK: %[[X2:.*]] = llvm.shufflevector %[[X]], %[[X]] [2]
  // CHECK: %[[X3:.*]] = llvm.shufflevector %[[X]], %[[X]] [3]
  // CHECK: %[[P1:.*]] = arith.addf %[[X0]], %[[X1]] : vector<1xf32>
  // CHECK: %[[P2:.*]] = arith.addf %[[P1]], %[[X2]] : vector<1xf32>
  // CHECK: %[[P3:.*]] = arith.addf %[[P2]], %[[X3]] : vector<1xf32>
  // CHECK: %[[LOW:.*]] = llvm.shufflevector %[[X0]], %[[P1]] [0, 1]
  // CHECK: %[[HIGH:.*]] = llvm.shufflevector %[[P2]], %[[P3]] [0, 1]
  // CHECK: llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 1, 2, 3]
  // CHECK-NOT: nvvm.shfl
  // CHECK-NOT: arith.addf
  // CHECK: llvm.return
  %s = tile.scan add %x axis 0 : tensor<4xf32, #registers> -> tensor<4xf32, #registers>
  tile.return
}

// Lanes with the bit set put the last total of the other lanes before their own, which is the result where
// each has one element. Nobody wants the total of all.
// CHECK-LABEL: llvm.func @lanes
tile.func @lanes(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  // CHECK: %[[X:.*]] = vector.broadcast %{{.*}} : f32 to vector<1xf32>
  %x = tile.splat %n : f32 -> tensor<32xf32, #lanes>
  // CHECK: %[[SET:.*]] = arith.cmpi ne
  // CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c1_i32
  // CHECK: %[[JOINED:.*]] = arith.addf %{{.*}}, %[[X]] : vector<1xf32>
  // CHECK: %[[LATER:.*]] = vector.broadcast %[[SET]] : i1 to vector<1xi1>
  // CHECK: %[[UPTO:.*]] = arith.select %[[LATER]], %[[JOINED]], %[[X]]
  // CHECK: %[[CLEAR:.*]] = arith.andi %[[LANE:.*]], %c29_i32
  // CHECK: %[[LAST:.*]] = arith.ori %[[CLEAR]], %c1_i32
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[LAST]]
  // CHECK: arith.addf %{{.*}}, %[[UPTO]]
  // CHECK-COUNT-3: nvvm.shfl.sync idx
  // CHECK: arith.select
  // CHECK-NEXT: llvm.return
  %s = tile.scan add %x axis 0 : tensor<32xf32, #lanes> -> tensor<32xf32, #lanes>
  tile.return
}

// Of several elements a thread what is before them, which the neighbour has in the end, is chosen once: -0 before the
// first lane's, which leaves these as they are.
// CHECK-LABEL: llvm.func @filled
tile.func @filled(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : f32 -> tensor<64xf32, #pairs>
  // CHECK: arith.subi %{{.*}}, %c1_i32
  // CHECK: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: %[[NONE:.*]] = arith.constant dense<-0.000000e+00> : vector<1xf32>
  // CHECK: %[[BEFORE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NONE]] : vector<1xi1>, vector<1xf32>
  // CHECK: %[[FRONT:.*]] = llvm.shufflevector %[[BEFORE]], %[[BEFORE]] [0, 0]
  // CHECK: arith.addf %[[FRONT]], %{{.*}} : vector<2xf32>
  // CHECK-NOT: arith.select
  // CHECK: llvm.return
  %s = tile.scan add %x axis 0 : tensor<64xf32, #pairs> -> tensor<64xf32, #pairs>
  tile.return
}

// In reverse, lanes with it clear, and the neighbour behind.
// CHECK-LABEL: llvm.func @reverse
tile.func @reverse(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : f32 -> tensor<64xf32, #pairs>
  // CHECK: %[[SET:.*]] = arith.cmpi ne
  // CHECK: %[[CLEAR:.*]] = arith.xori %[[SET]], %true
  // CHECK: vector.broadcast %[[CLEAR]] : i1 to vector<1xi1>
  // CHECK: %[[LOW:.*]] = arith.andi %[[LANE:.*]], %c30_i32
  // CHECK: %[[FIRST:.*]] = arith.ori %[[LOW]], %c2_i32
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[FIRST]]
  // CHECK: %[[OWN:.*]] = arith.ori %[[LANE]], %c0_i32
  // CHECK: arith.addi %[[OWN]], %c1_i32
  %s = tile.scan add %x axis 0 {reverse} : tensor<64xf32, #pairs> -> tensor<64xf32, #pairs>
  tile.return
}

// Of two lanes' bits the total and what is before it are combined each by itself.
// CHECK-LABEL: llvm.func @fewLanes
tile.func @fewLanes(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  // CHECK: %[[X:.*]] = vector.broadcast %{{.*}} : f32 to vector<1xf32>
  %x = tile.splat %n : f32 -> tensor<4xf32, #few>
  // CHECK: %[[SET:.*]] = arith.cmpi ne
  // CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c1_i32
  // CHECK: %[[LATER:.*]] = vector.broadcast %[[SET]] : i1 to vector<1xi1>
  // CHECK: %[[TOTAL:.*]] = arith.addf %[[X]], %[[OTHER:.*]] : vector<1xf32>
  // CHECK: %[[SET2:.*]] = arith.cmpi ne
  // CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c2_i32
  // CHECK: %[[JOINED:.*]] = arith.addf %[[OTHER2:.*]], %[[OTHER]]
  // CHECK: %[[SOME:.*]] = arith.select %[[LATER]], %[[JOINED]], %[[OTHER2]]
  // CHECK: %[[LATER2:.*]] = vector.broadcast %[[SET2]]
  // CHECK: arith.select %[[LATER2]], %[[SOME]], %[[OTHER]]
  // CHECK: arith.ori %[[LATER]], %[[LATER2]]
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: %[[WHOLE:.*]] = arith.addf %{{.*}}, %[[X]]
  // CHECK: arith.select %{{.*}}, %[[WHOLE]], %[[X]]
  %s = tile.scan add %x axis 0 : tensor<4xf32, #few> -> tensor<4xf32, #few>
  tile.return
}

// The last lane alone has its warp's total.
// CHECK-LABEL: llvm.func @lanesOfWarps
tile.func @lanesOfWarps(%n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 16 : i32} {
  %x = tile.splat %n : i32 -> tensor<64xi32, #lanesAndWarps>
  // CHECK-COUNT-5: nvvm.shfl.sync
  // CHECK: %[[IS:.*]] = arith.cmpi eq, %{{.*}}, %c31_i32
  // CHECK: scf.if %[[IS]]
  // CHECK: llvm.store %{{.*}} : vector<1xi32>, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %s = tile.scan add %x axis 0 {offset = 0 : i32} : tensor<64xi32, #lanesAndWarps> -> tensor<64xi32, #lanesAndWarps>
  tile.return
}

// Totals of both registers go through scratch once; every warp adds up those before it. The bit above
// is a register's, whose second half has the first one's total in front.
// CHECK-LABEL: llvm.func @warps
tile.func @warps(%n: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 32 : i32} {
  %x = tile.splat %n : i32 -> tensor<8xi32, #warps>
  // CHECK: llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[P0:.*]] = llvm.load %{{.*}} -> vector<2xi32>
  // CHECK: %[[HERE:.*]] = arith.cmpi eq, %[[PLACE:.*]], %c1_i32
  // CHECK: %[[P1:.*]] = llvm.load
  // CHECK: %[[SUM:.*]] = arith.addi %[[P0]], %[[P1]]
  // CHECK: arith.cmpi eq, %[[PLACE]], %c2_i32
  // CHECK-COUNT-2: llvm.load
  // CHECK-NOT: llvm.load
  // CHECK: arith.cmpi ne, %[[PLACE]], %c0_i32
  // CHECK: llvm.return
  %s = tile.scan add %x axis 0 {offset = 0 : i32} : tensor<8xi32, #warps> -> tensor<8xi32, #warps>
  tile.return
}

// Of sixteen totals and more each lane takes one, and lanes combine them as any others; a warp finds what is before
// each of its four blocks in the lane of the block in front.
// CHECK-LABEL: llvm.func @totals
tile.func @totals(%n: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 64 : i32} {
  %x = tile.splat %n : i32 -> tensor<512xi32, #long>
  // CHECK-COUNT-20: nvvm.shfl.sync
  // CHECK: %[[UPTO:.*]] = arith.select %{{.*}} : vector<4xi1>, vector<4xi32>
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load %{{.*}} -> vector<1xi32>
  // CHECK-NOT: llvm.load
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-COUNT-3: nvvm.shfl.sync idx
  // CHECK: arith.subi
  // CHECK-COUNT-4: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: vector.from_elements %{{.*}}, %true
  // CHECK: arith.addi %{{.*}}, %[[UPTO]] : vector<4xi32>
  // CHECK: llvm.return
  %s = tile.scan add %x axis 0 {offset = 0 : i32} : tensor<512xi32, #long> -> tensor<512xi32, #long>
  tile.return
}

// A register above the lanes wants their total, which the last one hands on. Where the region does not
// commute, the earlier side comes first.
// CHECK-LABEL: llvm.func @ordered
tile.func @ordered(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : f32 -> tensor<128xf32, #both>
  // CHECK: %[[TOTAL:.*]] = arith.subf %{{.*}}, %{{.*}} : vector<2xf32>
  // CHECK: %[[OTHER:.*]] = llvm.bitcast %{{.*}} : vector<2xi32> to vector<2xf32>
  // CHECK: arith.subf %[[OTHER]], %[[TOTAL]] : vector<2xf32>
  // CHECK-COUNT-10: nvvm.shfl.sync idx
  // CHECK: %[[LAST:.*]] = arith.ori %{{.*}}, %c31_i32
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[LAST]]
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[LAST]]
  %s = tile.scan %x axis 0 : tensor<128xf32, #both> -> tensor<128xf32, #both> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// Four truths of an element, twice, are more than there are predicates: elements are combined one by one.
// CHECK-LABEL: llvm.func @truths
// CHECK: arith.cmpf ogt, %{{.*}} : vector<1xf32>
// CHECK-NOT: arith.cmpf {{.*}} : vector<2xf32>
// CHECK: llvm.return
tile.func @truths(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : f32 -> tensor<128xf32, #both>
  %m = tile.scan %x axis 0 : tensor<128xf32, #both> -> tensor<128xf32, #both> {
  ^bb0(%a: f32, %b: f32):
    %greater = arith.cmpf ogt, %a, %b : f32
    %same = arith.cmpf oeq, %a, %b : f32
    %first = arith.cmpf une, %a, %a : f32
    %second = arith.cmpf une, %b, %b : f32
    %one = arith.ori %greater, %first : i1
    %two = arith.andi %same, %second : i1
    %any = arith.ori %one, %two : i1
    %c = arith.select %any, %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// Lanes vote on truths: the bits below a lane's own are what is before it, all of them the total.
// CHECK-LABEL: llvm.func @votes
tile.func @votes(%n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<32xi32, #lanes>
  %i = tile.arange : tensor<32xi32, #lanes>
  %t = arith.cmpi slt, %i, %x : tensor<32xi32, #lanes>
  %w = arith.extui %t : tensor<32xi1, #lanes> to tensor<32xi32, #lanes>
  // CHECK: %[[OWN:.*]] = arith.shli %c1_i32, %[[LANE:.*]] : i32
  // CHECK: %[[BELOW:.*]] = arith.subi %[[OWN]], %c1_i32
  // CHECK: %[[VOTES:.*]] = nvvm.vote.sync ballot
  // CHECK: %[[EARLIER:.*]] = arith.andi %[[VOTES]], %[[BELOW]]
  // CHECK: llvm.intr.ctpop(%[[EARLIER]])
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %s = tile.scan add %w axis 0 : tensor<32xi32, #lanes> -> tensor<32xi32, #lanes>
  tile.return
}

// In reverse the bits above it.
// CHECK-LABEL: llvm.func @truthsBehind
tile.func @truthsBehind(%n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<32xi32, #lanes>
  %i = tile.arange : tensor<32xi32, #lanes>
  %t = arith.cmpi slt, %i, %x : tensor<32xi32, #lanes>
  %w = arith.extui %t : tensor<32xi1, #lanes> to tensor<32xi64, #lanes>
  // CHECK: %[[UPTO:.*]] = arith.ori
  // CHECK: %[[ABOVE:.*]] = arith.xori %[[UPTO]], %c-1_i32
  // CHECK: %[[VOTES:.*]] = nvvm.vote.sync ballot
  // CHECK: arith.andi %[[VOTES]], %[[ABOVE]]
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %s = tile.scan add %w axis 0 {reverse} : tensor<32xi64, #lanes> -> tensor<32xi64, #lanes>
  tile.return
}

// Two of a thread are 0, 1 or 2: two votes.
// CHECK-LABEL: llvm.func @pairsOfTruths
tile.func @pairsOfTruths(%n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<64xi32, #pairs>
  %i = tile.arange : tensor<64xi32, #pairs>
  %t = arith.cmpi slt, %i, %x : tensor<64xi32, #pairs>
  %w = arith.extui %t : tensor<64xi1, #pairs> to tensor<64xi32, #pairs>
  // CHECK-COUNT-2: nvvm.vote.sync ballot
  // CHECK-NOT: nvvm.vote.sync
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %s = tile.scan add %w axis 0 : tensor<64xi32, #pairs> -> tensor<64xi32, #pairs>
  tile.return
}

// Numbers that are none are exchanged.
// CHECK-LABEL: llvm.func @numbers
// CHECK-NOT: nvvm.vote.sync
// CHECK: nvvm.shfl.sync
// CHECK: llvm.return
tile.func @numbers(%n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<32xi32, #lanes>
  %i = tile.arange : tensor<32xi32, #lanes>
  %t = arith.xori %i, %x : tensor<32xi32, #lanes>
  %s = tile.scan add %t axis 0 : tensor<32xi32, #lanes> -> tensor<32xi32, #lanes>
  tile.return
}

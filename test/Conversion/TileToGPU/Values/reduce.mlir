// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#four = #tile_gpu.layout<register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#row_result = #tile_gpu.layout<register = [[1]], lane = [[0], [0], [2], [4], [8]], warp = [[16], [32]]>

// Two rows of 4 in registers, two lane bits along the axis.
// CHECK-LABEL: llvm.func @in_a_warp
tile.func @in_a_warp(%x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f32 to vector<8xf32>
  // CHECK: %[[P:.*]] = llvm.shufflevector %[[A]], %[[A]] [0, 4, 1, 5, 2, 6, 3, 7]
  // CHECK-NEXT: %[[L:.*]] = llvm.shufflevector %[[P]], %[[P]] [0, 1, 2, 3]
  // CHECK-NEXT: %[[H:.*]] = llvm.shufflevector %[[P]], %[[P]] [4, 5, 6, 7]
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[L]], %[[H]] : vector<4xf32>
  // CHECK: arith.addf {{.*}} : vector<2xf32>
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  // CHECK: arith.addf {{.*}} : vector<2xf32>
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  // CHECK: %[[R:.*]] = arith.addf {{.*}} : vector<2xf32>
  // CHECK-NEXT: arith.negf %[[R]]
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<64x16xf32, #rows>
  %s = tile.reduce add %a axis 1 : tensor<64x16xf32, #rows> -> tensor<64xf32, #row_result>
  %n = arith.negf %s : tensor<64xf32, #row_result>
  tile.return
}

#column_result = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [0], [0], [0]], warp = [[0], [0]]>

// Four warps along the axis: a partial each, combined by all threads in one order. Eight lanes share a warp's four results: of two bits
// one keeps the half that the other gives away, two numbers and one; the third is as ever. Each stores its one.
// CHECK-LABEL: llvm.func @across_warps
tile.func @across_warps(%x: f32) attributes {tile_gpu.shared_bytes = 256 : i32} {
  // CHECK: arith.select {{.*}} : vector<2xf32>
  // CHECK: arith.select {{.*}} : vector<2xf32>
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  // CHECK: llvm.call_intrinsic "llvm.maximum"({{.*}}) : (vector<2xf32>
  // CHECK: arith.select {{.*}} : vector<1xf32>
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.store {{.*}} : vector<1xf32>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.maximum"
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.maximum"
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.maximum"
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<64x16xf32, #rows>
  %s = tile.reduce max %a axis 0 : tensor<64x16xf32, #rows> -> tensor<16xf32, #column_result>
  tile.return
}

#long = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>

// One result for all: the partials of eight warps lie side by side, and two loads bring them.
// CHECK-LABEL: llvm.func @to_one
tile.func @to_one(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32, tile_gpu.shared_bytes = 32 : i32} {
  // CHECK: llvm.store {{.*}} : vector<1xf32>, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK-NOT: llvm.load
  // CHECK: arith.addf {{.*}} : vector<4xf32>
  // CHECK: arith.addf {{.*}} : vector<2xf32>
  // CHECK: arith.addf {{.*}} : vector<1xf32>
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<256xf32, #long>
  %s = tile.reduce add %a axis 0 : tensor<256xf32, #long> -> f32
  tile.store %p, %s : !tile.ptr<f32>
  tile.return
}

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// Where order could matter, the lane with the bit clear has it right, and all take what lane 0 has, so that copies agree.
// CHECK-LABEL: llvm.func @argmax
tile.func @argmax(%x: f32, %p: !tile.ptr<i32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: %[[G:.*]] = arith.cmpf ogt, {{.*}} : vector<1xf32>
  // CHECK: arith.select %[[G]], {{.*}} : vector<1xi1>, vector<1xf32>
  // CHECK: arith.select %[[G]], {{.*}} : vector<1xi1>, vector<1xi32>
  // CHECK-COUNT-8: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK: %[[I:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
  // CHECK: arith.addi {{.*}} : i32
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  %n = tile.arange : tensor<32xi32, #line>
  %m, %i = tile.reduce %a, %n axis 0 : tensor<32xf32, #line>, tensor<32xi32, #line> -> f32, i32 {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
    %g = arith.cmpf ogt, %v0, %v1 : f32
    %v = arith.select %g, %v0, %v1 : f32
    %k = arith.select %g, %i0, %i1 : i32
    tile.yield %v, %k : f32, i32
  }
  %t = arith.addi %i, %i : i32
  tile.return
}

// All lanes' integers meet in one instruction, of bytes as 32 bits under their sign; four lanes' do not.
// CHECK-LABEL: llvm.func @integers
tile.func @integers(%x: i32, %b: i8, %p: !tile.ptr<i32>, %q: !tile.ptr<i8>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: nvvm.redux.sync add %{{.*}}, %{{.*}} : i32 -> i32
  // CHECK: %[[W:.*]] = arith.extsi %{{.*}} : i8 to i32
  // CHECK: %[[M:.*]] = nvvm.redux.sync max %[[W]]
  // CHECK: arith.trunci %[[M]] : i32 to i8
  // CHECK-NOT: nvvm.redux.sync
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %a = tile.splat %x : i32 -> tensor<32xi32, #line>
  %s = tile.reduce add %a axis 0 : tensor<32xi32, #line> -> i32
  tile.store %p, %s : !tile.ptr<i32>
  %c = tile.splat %b : i8 -> tensor<32xi8, #line>
  %m = tile.reduce %c axis 0 : tensor<32xi8, #line> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %g = arith.maxsi %l, %r : i8
    tile.yield %g : i8
  }
  tile.store %q, %m : !tile.ptr<i8>
  tile.return
}

#spare = #tile_gpu.layout<register = [[1], [0]], lane = [[2], [4], [8], [16], [0]], warp = [[0]]>

// Copies in registers, lanes and warps are not counted twice.
// CHECK-LABEL: llvm.func @copies
// Sixteen lanes of 32 are no whole warp, which redux.sync would want.
tile.func @copies(%x: i32) attributes {tile.num_warps = 2 : i32} {
  // CHECK: vector.broadcast {{.*}} : i32 to vector<4xi32>
  // CHECK: llvm.shufflevector {{.*}} [0, 1]
  // CHECK: arith.addi {{.*}} : vector<1xi32>
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  %a = tile.splat %x : i32 -> tensor<32xi32, #spare>
  %s = tile.reduce add %a axis 0 : tensor<32xi32, #spare> -> i32
  tile.return
}

// Elements beyond the tile become what changes nothing.
// CHECK-LABEL: llvm.func @padded
tile.func @padded(%x: f32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[END:.*]] = arith.constant dense<20> : vector<1xi32>
  // CHECK: %[[IN:.*]] = arith.cmpi ult, {{.*}}, %[[END]]
  // CHECK: %[[ID:.*]] = arith.constant 0xFF800000 : f32
  // CHECK: %[[FILL:.*]] = vector.broadcast %[[ID]]
  // CHECK: arith.select %[[IN]], {{.*}}, %[[FILL]]
  %a = tile.splat %x : f32 -> tensor<20xf32, #line>
  %s = tile.reduce max %a axis 0 : tensor<20xf32, #line> -> f32
  tile.return
}

// Two 16-bit results share a shuffle.
// CHECK-LABEL: llvm.func @halves
tile.func @halves(%x: f16) {
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %a = tile.splat %x : f16 -> tensor<64x16xf16, #rows>
  %s = tile.reduce add %a axis 1 : tensor<64x16xf16, #rows> -> tensor<64xf16, #row_result>
  tile.return
}

#many = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[32], [64], [128], [256], [512]], warp = []>

// 32 registers are added up 8 at a time, as element-wise ops in front make them; then come halves of 8.
// CHECK-LABEL: llvm.func @strips
tile.func @strips(%x: f32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[A:.*]] = llvm.shufflevector %[[V:.*]], %[[V]] [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK: %[[B:.*]] = llvm.shufflevector %[[V]], %[[V]] [8, 9, 10, 11, 12, 13, 14, 15]
  // CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]] : vector<8xf32>
  // CHECK: %[[C:.*]] = llvm.shufflevector %[[V]], %[[V]] [16,
  // CHECK: %[[ABC:.*]] = arith.addf %[[AB]], %[[C]] : vector<8xf32>
  // CHECK: arith.addf %[[ABC]], %{{.*}} : vector<8xf32>
  // CHECK: arith.addf {{.*}} : vector<4xf32>
  // CHECK: arith.addf {{.*}} : vector<2xf32>
  // CHECK: arith.addf {{.*}} : vector<1xf32>
  // CHECK: nvvm.shfl.sync bfly
  %a = tile.splat %x : f32 -> tensor<1024xf32, #many>
  %s = tile.reduce add %a axis 0 : tensor<1024xf32, #many> -> f32
  tile.return
}

#sixteen = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128], [256], [512]]>

// Sixteen warps along the axis: each lane loads a partial, and four shuffles combine them.
// CHECK-LABEL: llvm.func @many_warps
tile.func @many_warps(%x: f32) attributes {tile.num_warps = 16 : i32, tile_gpu.shared_bytes = 64 : i32} {
  // CHECK-COUNT-5: nvvm.shfl.sync bfly
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<1024xf32, #sixteen>
  %s = tile.reduce add %a axis 0 : tensor<1024xf32, #sixteen> -> f32
  %n = arith.negf %s : f32
  tile.return
}

#eight = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>

// A pair over eight warps: a lane loads one partial of each value, and three rounds of shuffles combine them; lane 0
// has them in their order, and all take what it has.
// CHECK-LABEL: llvm.func @pairs_of_warps
tile.func @pairs_of_warps(%x: f16, %p: !tile.ptr<i32>) attributes {tile.num_warps = 8 : i32, tile_gpu.shared_bytes = 48 : i32} {
  // CHECK-COUNT-10: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xf16>
  // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xi32>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-6: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.return
  %a = tile.splat %x : f16 -> tensor<256xf16, #eight>
  %n = tile.arange : tensor<256xi32, #eight>
  %m, %i = tile.reduce %a, %n axis 0 : tensor<256xf16, #eight>, tensor<256xi32, #eight> -> f16, i32 {
  ^bb0(%v0: f16, %i0: i32, %v1: f16, %i1: i32):
    %g = arith.cmpf ogt, %v0, %v1 : f16
    %v = arith.select %g, %v0, %v1 : f16
    %k = arith.select %g, %i0, %i1 : i32
    tile.yield %v, %k : f16, i32
  }
  %t = arith.addi %i, %i : i32
  tile.return
}

// Products that may be fused with what they are added to are, in a sum as well.
// CHECK-LABEL: llvm.func @products
tile.func @products(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : f32 -> tensor<4xf32, #four>
  // CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : vector<4xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : vector<2xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : vector<1xf32>
  %p = arith.mulf %x, %x fastmath<contract> : tensor<4xf32, #four>
  %s = tile.reduce add %p axis 0 : tensor<4xf32, #four> -> f32
  // CHECK: %[[Q:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} : vector<2xf32>
  // CHECK: arith.addf %{{.*}}, %{{.*}} : vector<1xf32>
  %q = arith.mulf %x, %x : tensor<4xf32, #four>
  %t = tile.reduce add %q axis 0 : tensor<4xf32, #four> -> f32
  tile.return
}

// PTX in the region: a text for each element that is combined.
// CHECK-LABEL: llvm.func @text
tile.func @text(%n: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : f32 -> tensor<4xf32, #four>
  // CHECK-COUNT-3: llvm.inline_asm "max.NaN.xorsign.abs.f32 $0, $1, $2;", "=f,f,f" %{{.*}}, %{{.*}} : (f32, f32) -> f32
  // CHECK-NOT: llvm.inline_asm
  %m = tile.reduce %x axis 0 : tensor<4xf32, #four> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %r = tile.inline_ptx "max.NaN.xorsign.abs.f32 $0, $1, $2;" constraints "=f,f,f" pure (%a, %b) : (f32, f32) -> f32
    tile.yield %r : f32
  }
  %t = arith.addf %m, %m : f32
  tile.return
}

#tall = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0], [32, 0], [64, 0]]>
#tall_result = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [0], [0], [0]], warp = [[0], [0], [0], [0]]>

// Sixteen warps, four columns a thread, which eight lanes hold alike, and too few results for warps to divide: each lane
// combines one column of half of the partials, and hands it on.
// CHECK-LABEL: llvm.func @shared_partials
tile.func @shared_partials(%x: f32) attributes {tile_gpu.shared_bytes = 4096 : i32, tile.num_warps = 16 : i32} {
  // CHECK: gpu.barrier
  // CHECK-COUNT-8: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK: nvvm.shfl.sync bfly {{.*}}, %c16_i32,
  // CHECK-COUNT-4: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<128x16xf32, #tall>
  %s = tile.reduce add %a axis 0 : tensor<128x16xf32, #tall> -> tensor<16xf32, #tall_result>
  %n = arith.negf %s : tensor<16xf32, #tall_result>
  tile.return
}

#two_rows = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [0, 32], [0, 64], [0, 128]]>
#two_results = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [0], [0], [0]]>

// Two rows, of eight warps each: a lane loads one partial of its row, beside which the other row's lies.
// CHECK-LABEL: llvm.func @rows_of_warps
tile.func @rows_of_warps(%x: f32) attributes {tile.num_warps = 16 : i32, tile_gpu.shared_bytes = 128 : i32} {
  // CHECK-COUNT-10: nvvm.shfl.sync bfly
  // CHECK: gpu.barrier
  // CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-6: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<2x256xf32, #two_rows>
  %m, %w = tile.reduce %a, %a axis 1 : tensor<2x256xf32, #two_rows>, tensor<2x256xf32, #two_rows> -> tensor<2xf32, #two_results>, tensor<2xf32, #two_results> {
  ^bb0(%m0: f32, %w0: f32, %m1: f32, %w1: f32):
    %apart = arith.subf %m1, %m0 : f32
    %all = arith.addf %w0, %w1 : f32
    %part = arith.divf %w1, %all : f32
    %more = arith.mulf %apart, %part : f32
    %mean = arith.addf %m0, %more : f32
    tile.yield %mean, %all : f32, f32
  }
  %t = arith.addf %m, %w : tensor<2xf32, #two_results>
  tile.return
}

#dear = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#dear_result = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [0], [0], [0]], warp = [[0], [0]]>

// Four columns a thread, which eight lanes hold alike. What a division combines is dear: each lane combines one column of
// half of the partials.
// CHECK-LABEL: llvm.func @dear_partials
tile.func @dear_partials(%x: f32) attributes {tile_gpu.shared_bytes = 4096 : i32, tile.num_warps = 4 : i32} {
  // CHECK: gpu.barrier
  // CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  // CHECK-COUNT-8: nvvm.shfl.sync idx
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<32x16xf32, #dear>
  %m, %w = tile.reduce %a, %a axis 0 : tensor<32x16xf32, #dear>, tensor<32x16xf32, #dear> -> tensor<16xf32, #dear_result>, tensor<16xf32, #dear_result> {
  ^bb0(%m0: f32, %w0: f32, %m1: f32, %w1: f32):
    %apart = arith.subf %m1, %m0 : f32
    %all = arith.addf %w0, %w1 : f32
    %part = arith.divf %w1, %all : f32
    %more = arith.mulf %apart, %part : f32
    %mean = arith.addf %m0, %more : f32
    tile.yield %mean, %all : f32, f32
  }
  %t = arith.addf %m, %w : tensor<16xf32, #dear_result>
  tile.return
}

#flat = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#flat_result = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0], [0]]>

// A sum is not: all four, by one load a warp.
// CHECK-LABEL: llvm.func @cheap_partials
tile.func @cheap_partials(%x: f32) attributes {tile_gpu.shared_bytes = 4096 : i32, tile.num_warps = 4 : i32} {
  // CHECK: gpu.barrier
  // CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<8x64xf32, #flat>
  %s = tile.reduce add %a axis 0 : tensor<8x64xf32, #flat> -> tensor<64xf32, #flat_result>
  %n = arith.negf %s : tensor<64xf32, #flat_result>
  tile.return
}

#columns = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8], [0, 16], [0, 32]]>
#columns_result = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0], [0], [0], [0]]>

// Eight results, a lane each, which four lanes hold alike: each combines four of the sixteen partials, one behind the
// other as they lie along the axis, and two shuffles combine these; a third one is the first lane's, which has them in order.
// CHECK-LABEL: llvm.func @divided_partials
tile.func @divided_partials(%x: f32) attributes {tile_gpu.shared_bytes = 4096 : i32, tile.num_warps = 16 : i32} {
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK: gpu.barrier
  // CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<8x64xf32, #columns>
  %m, %w = tile.reduce %a, %a axis 1 : tensor<8x64xf32, #columns>, tensor<8x64xf32, #columns> -> tensor<8xf32, #columns_result>, tensor<8xf32, #columns_result> {
  ^bb0(%m0: f32, %w0: f32, %m1: f32, %w1: f32):
    %apart = arith.subf %m1, %m0 : f32
    %all = arith.addf %w0, %w1 : f32
    %part = arith.divf %w1, %all : f32
    %more = arith.mulf %apart, %part : f32
    %mean = arith.addf %m0, %more : f32
    tile.yield %mean, %all : f32, f32
  }
  %t = arith.addf %m, %w : tensor<8xf32, #columns_result>
  tile.return
}

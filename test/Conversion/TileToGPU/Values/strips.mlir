// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#wide = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[32], [64], [128], [256], [512]], warp = []>
#thin = #tile_gpu.layout<register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = []>
#few = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[32], [0], [0], [0], [0]], warp = []>

// A chain over 32 registers: 8 at a time from its first op to its last. Constants are made for a strip.
// CHECK-LABEL: llvm.func @chain
tile.func @chain(%p: !tile.ptr<f32>, %f: f32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[A:.*]] = llvm.shufflevector %[[X:.*]], %[[X]] [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xf32>
  // CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : vector<8xf32>
  // CHECK: %[[S:.*]] = vector.broadcast %arg1 : f32 to vector<8xf32>
  // CHECK: %[[M0:.*]] = arith.mulf %[[A]], %[[C]] : vector<8xf32>
  // CHECK: %[[Y0:.*]] = arith.addf %[[M0]], %[[S]] : vector<8xf32>
  // CHECK: %[[B:.*]] = llvm.shufflevector %[[X]], %[[X]] [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xf32>
  // CHECK: %[[M1:.*]] = arith.mulf %[[B]], %[[C]] : vector<8xf32>
  // CHECK: %[[Y1:.*]] = arith.addf %[[M1]], %[[S]] : vector<8xf32>
  // CHECK-COUNT-2: arith.addf
  // CHECK-NOT: arith.addf
  // CHECK: llvm.shufflevector %[[Y0]], %[[Y1]] [0, 1, 2, {{.*}}, 14, 15] : vector<8xf32>
  // CHECK: llvm.shufflevector {{.*}} : vector<8xf32>
  // CHECK: %[[Y:.*]] = llvm.shufflevector {{.*}} : vector<16xf32>
  // CHECK-NOT: arith.mulf %{{.*}} : vector<32xf32>
  // CHECK: llvm.store
  %i = tile.arange : tensor<1024xi32, #wide>
  %c = arith.constant dense<2.0> : tensor<1024xf32, #wide>
  %s = tile.splat %f : f32 -> tensor<1024xf32, #wide>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #wide>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #wide>, tensor<1024xi32, #wide>
  %x = tile.load %q : tensor<1024x!tile.ptr<f32>, #wide>
  %m = arith.mulf %x, %c : tensor<1024xf32, #wide>
  %y = arith.addf %m, %s : tensor<1024xf32, #wide>
  tile.store %q, %y : tensor<1024x!tile.ptr<f32>, #wide>
  tile.return
}

// One op by itself has nothing to keep alive, and 16 registers are not many.
// CHECK-LABEL: llvm.func @whole
tile.func @whole(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.addi {{.*}} : vector<32xi32>
  // CHECK: arith.mulf {{.*}} : vector<16xf32>
  // CHECK: arith.addf {{.*}} : vector<16xf32>
  %i = tile.arange : tensor<1024xi32, #wide>
  %j = arith.addi %i, %i : tensor<1024xi32, #wide>
  %r = tile.reduce add %j axis 0 : tensor<1024xi32, #wide> -> i32
  %a = tile.splat %x : f32 -> tensor<512xf32, #thin>
  %m = arith.mulf %a, %a : tensor<512xf32, #thin>
  %y = arith.addf %m, %a : tensor<512xf32, #thin>
  tile.return
}

// A function of math is a chain by itself.
// CHECK-LABEL: llvm.func @function
tile.func @function(%p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.exp2"(%{{.*}}) : (vector<8xf32>) -> vector<8xf32>
  // CHECK-NOT: llvm.exp2
  // CHECK: llvm.return
  %i = tile.arange : tensor<1024xi32, #wide>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #wide>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #wide>, tensor<1024xi32, #wide>
  %x = tile.load %q : tensor<1024x!tile.ptr<f32>, #wide>
  %e = math.exp2 %x : tensor<1024xf32, #wide>
  tile.store %q, %e : tensor<1024x!tile.ptr<f32>, #wide>
  tile.return
}

// A table has another value for each register: it is one whole vector.
// CHECK-LABEL: llvm.func @table
tile.func @table(%f: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.xori {{.*}} : vector<8xi32>
  // CHECK: arith.addi {{.*}} : vector<8xi32>
  %s = tile.splat %f : i32 -> tensor<64xi32, #few>
  %t = arith.constant dense<[0, 3, 1, 2, 4, 7, 5, 6, 8, 11, 9, 10, 12, 15, 13, 14, 16, 19, 17, 18, 20, 23, 21, 22, 24, 27, 25, 26, 28, 31, 29, 30,
                             32, 35, 33, 34, 36, 39, 37, 38, 40, 43, 41, 42, 44, 47, 45, 46, 48, 51, 49, 50, 52, 55, 53, 54, 56, 59, 57, 58, 60, 63, 61, 62]> : tensor<64xi32, #few>
  %x = arith.xori %t, %s : tensor<64xi32, #few>
  %y = arith.addi %x, %t : tensor<64xi32, #few>
  tile.return
}

// Long arithmetic, two registers at a time, and a branch that nobody takes between one strip and the next, in front of
// which the strip's result is made; not beside dots.
// CHECK-LABEL: llvm.func @long
tile.func @long(%p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: vector.reduction <or>, %{{.*}} : vector<2xi1> into i1
  // CHECK: arith.mulf {{.*}} : vector<2xf32>
  // CHECK-COUNT-2: llvm.inline_asm has_side_effects "mov.b32 $0, $1;"
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}never{{.*}}"
  // CHECK-COUNT-7: vector.reduction <or>, %{{.*}} : vector<2xi1> into i1
  // CHECK-NOT: never
  // CHECK: llvm.return
  %i = tile.arange : tensor<512xi32, #thin>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #thin>
  %q = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>, #thin>, tensor<512xi32, #thin>
  %x = tile.load %q : tensor<512x!tile.ptr<f32>, #thin>
  %s = math.sin %x : tensor<512xf32, #thin>
  %y = arith.mulf %s, %x : tensor<512xf32, #thin>
  tile.store %q, %y : tensor<512x!tile.ptr<f32>, #thin>
  tile.return
}

#row = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#column = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>

// What is made of a column between two ops of a chain, and repeated, is made in front of it: 8 are still computed from the
// first op to the last.
// CHECK-LABEL: llvm.func @column_between
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK-NEXT: arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT: arith.addf {{.*}} : vector<32xf32>
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK-NEXT: arith.addf {{.*}} : vector<8xf32>
// CHECK: llvm.return
tile.func @column_between(%to: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<32xi32, #line>
  %at = tile.expand_dims %i axis 1 : tensor<32xi32, #line> -> tensor<32x1xi32, #column>
  %wide = tile.broadcast %at : tensor<32x1xi32, #column> -> tensor<32x32xi32, #row>
  %ps = tile.splat %to : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>, #row>
  %p = tile.addptr %ps, %wide : tensor<32x32x!tile.ptr<f32>, #row>, tensor<32x32xi32, #row>
  %rs = tile.splat %to : !tile.ptr<f32> -> tensor<32x1x!tile.ptr<f32>, #column>
  %r = tile.addptr %rs, %at : tensor<32x1x!tile.ptr<f32>, #column>, tensor<32x1xi32, #column>
  %x = tile.load %p : tensor<32x32x!tile.ptr<f32>, #row>
  %v = tile.load %r : tensor<32x1x!tile.ptr<f32>, #column>
  %a = arith.mulf %x, %x : tensor<32x32xf32, #row>
  %d = math.rsqrt %v : tensor<32x1xf32, #column>
  %b = tile.broadcast %d : tensor<32x1xf32, #column> -> tensor<32x32xf32, #row>
  %y = arith.addf %a, %b : tensor<32x32xf32, #row>
  tile.store %p, %y : tensor<32x32x!tile.ptr<f32>, #row>
  tile.return
}

// A column that is computed of the chain itself ends it: the first op is one alone, and whole.
// CHECK-LABEL: llvm.func @column_of_chain
// CHECK: arith.mulf {{.*}} : vector<32xf32>
// CHECK: llvm.return
tile.func @column_of_chain(%to: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<32xi32, #line>
  %at = tile.expand_dims %i axis 1 : tensor<32xi32, #line> -> tensor<32x1xi32, #column>
  %wide = tile.broadcast %at : tensor<32x1xi32, #column> -> tensor<32x32xi32, #row>
  %ps = tile.splat %to : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>, #row>
  %p = tile.addptr %ps, %wide : tensor<32x32x!tile.ptr<f32>, #row>, tensor<32x32xi32, #row>
  %x = tile.load %p : tensor<32x32x!tile.ptr<f32>, #row>
  %a = arith.mulf %x, %x : tensor<32x32xf32, #row>
  %d = tile.reduce add %a axis 1 : tensor<32x32xf32, #row> -> tensor<32xf32, #line>
  %e = tile.expand_dims %d axis 1 : tensor<32xf32, #line> -> tensor<32x1xf32, #column>
  %b = tile.broadcast %e : tensor<32x1xf32, #column> -> tensor<32x32xf32, #row>
  %y = arith.addf %a, %b : tensor<32x32xf32, #row>
  tile.store %p, %y : tensor<32x32x!tile.ptr<f32>, #row>
  tile.return
}

#turned = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#all = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = []>
#all_column = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>

// What lanes hand each other comes in front of the strips and is held until the last of them: 32 numbers
// of a column do, those of the next one end the chain.
// CHECK-LABEL: llvm.func @handed
// CHECK-COUNT-64: nvvm.shfl.sync
// CHECK-NOT: nvvm.shfl.sync
// CHECK-COUNT-16: arith.{{mulf|addf}} {{.*}} : vector<8xf32>
// CHECK-COUNT-32: nvvm.shfl.sync
// CHECK-NOT: nvvm.shfl.sync
// CHECK-COUNT-8: arith.{{mulf|addf}} {{.*}} : vector<8xf32>
// CHECK: llvm.return
tile.func @handed(%from: !tile.ptr<f32>, %to: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<32xi32, #line>
  %rs = tile.splat %from : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #line>
  %r = tile.addptr %rs, %i : tensor<32x!tile.ptr<f32>, #line>, tensor<32xi32, #line>
  %v0 = tile.load %r : tensor<32x!tile.ptr<f32>, #line>
  %v1 = math.sqrt %v0 : tensor<32xf32, #line>
  %v2 = math.sqrt %v1 : tensor<32xf32, #line>
  %j = tile.arange : tensor<32xi32, #all>
  %at = tile.expand_dims %j axis 1 : tensor<32xi32, #all> -> tensor<32x1xi32, #all_column>
  %wide = tile.broadcast %at : tensor<32x1xi32, #all_column> -> tensor<32x32xi32, #turned>
  %ps = tile.splat %to : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>, #turned>
  %p = tile.addptr %ps, %wide : tensor<32x32x!tile.ptr<f32>, #turned>, tensor<32x32xi32, #turned>
  %x = tile.load %p : tensor<32x32x!tile.ptr<f32>, #turned>
  %c0 = tile_gpu.convert_layout %v0 : tensor<32xf32, #line> -> tensor<32xf32, #all>
  %e0 = tile.expand_dims %c0 axis 1 : tensor<32xf32, #all> -> tensor<32x1xf32, #all_column>
  %b0 = tile.broadcast %e0 : tensor<32x1xf32, #all_column> -> tensor<32x32xf32, #turned>
  %m0 = arith.mulf %x, %b0 : tensor<32x32xf32, #turned>
  %a0 = arith.addf %m0, %b0 : tensor<32x32xf32, #turned>
  %c1 = tile_gpu.convert_layout %v1 : tensor<32xf32, #line> -> tensor<32xf32, #all>
  %e1 = tile.expand_dims %c1 axis 1 : tensor<32xf32, #all> -> tensor<32x1xf32, #all_column>
  %b1 = tile.broadcast %e1 : tensor<32x1xf32, #all_column> -> tensor<32x32xf32, #turned>
  %m1 = arith.mulf %a0, %b1 : tensor<32x32xf32, #turned>
  %a1 = arith.addf %m1, %b1 : tensor<32x32xf32, #turned>
  %c2 = tile_gpu.convert_layout %v2 : tensor<32xf32, #line> -> tensor<32xf32, #all>
  %e2 = tile.expand_dims %c2 axis 1 : tensor<32xf32, #all> -> tensor<32x1xf32, #all_column>
  %b2 = tile.broadcast %e2 : tensor<32x1xf32, #all_column> -> tensor<32x32xf32, #turned>
  %m2 = arith.mulf %a1, %b2 : tensor<32x32xf32, #turned>
  %a2 = arith.addf %m2, %b2 : tensor<32x32xf32, #turned>
  tile.store %p, %a2 : tensor<32x32x!tile.ptr<f32>, #turned>
  tile.return
}

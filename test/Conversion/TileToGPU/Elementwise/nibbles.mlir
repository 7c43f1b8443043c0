// Bytes of two numbers each become f16 by two instructions of integers a pair: the byte stands in both halves of 1024, and a mask
// leaves its lower half in one, its upper half, which counts sixteen times, in the other. Of bf16 the upper half is moved.
// RUN: tile-opt %s --split-input-file --convert-tile-to-gpu | FileCheck %s

#p = #tile_gpu.layout<register = [[0, 4], [0, 8]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>
#j = #tile_gpu.layout<register = [[0, 0, 1], [0, 4, 0], [0, 8, 0]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = []>

// The word that lanes share is taken as it was loaded.
// CHECK-LABEL: llvm.func @half
// CHECK: %[[WORD:.*]] = vector.extract %{{.*}}[0] : i32 from vector<4xi32>
// CHECK: %[[SELECTOR:.*]] = arith.addi %{{.*}}, %c16448_i32 : i32
// CHECK: %[[TWICE:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[WORD]], %c1684300900_i32, %[[SELECTOR]])
// CHECK: %[[ALL:.*]] = vector.from_elements %[[TWICE]], {{.*}} : vector<4xi32>
// CHECK: %[[MASK:.*]] = arith.constant dense<-983281> : vector<4xi32>
// CHECK: %[[PAIRS:.*]] = arith.andi %[[ALL]], %[[MASK]] : vector<4xi32>
// CHECK: %[[WHOLE:.*]] = llvm.bitcast %[[PAIRS]] : vector<4xi32> to vector<8xf16>
// CHECK: %[[SCALE:.*]] = arith.constant dense<[1.000000e+00, 6.250000e-02, {{.*}}]> : vector<8xf16>
// CHECK: %[[BASE:.*]] = arith.constant dense<[-1.024000e+03, -6.400000e+01, {{.*}}]> : vector<8xf16>
// CHECK: llvm.call_intrinsic "llvm.fma"(%[[WHOLE]], %[[SCALE]], %[[BASE]])
tile.func @half() attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<8x16xi8>
  %x = tile_gpu.buffer_load %b : !tile_gpu.buffer<8x16xi8> -> tensor<8x16xi8, #p>
  %fifteen = arith.constant dense<15> : tensor<8x16xi8, #p>
  %four = arith.constant dense<4> : tensor<8x16xi8, #p>
  %low = arith.andi %x, %fifteen : tensor<8x16xi8, #p>
  %high = arith.shrui %x, %four : tensor<8x16xi8, #p>
  %both = tile.join %low, %high : tensor<8x16xi8, #p> -> tensor<8x16x2xi8, #j>
  %y = arith.uitofp %both : tensor<8x16x2xi8, #j> to tensor<8x16x2xf16, #j>
  tile.return
}

// -----

#p = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#j = #tile_gpu.layout<register = [[0, 1], [1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], warp = []>

// Bytes that came in another way.
// CHECK-LABEL: llvm.func @brain
// CHECK: %[[BYTE:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[BYTE]], %c1128481603_i32, %c16448_i32)
// CHECK: arith.shrui %{{.*}} : vector<4xi32>
// CHECK: arith.subf %{{.*}} : vector<8xbf16>
tile.func @brain(%bytes: !tile.ptr<i8>) attributes {tile.num_warps = 1 : i32} {
  %at = tile.arange : tensor<128xi32, #p>
  %all = tile.splat %bytes : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>, #p>
  %ptrs = tile.addptr %all, %at : tensor<128x!tile.ptr<i8>, #p>, tensor<128xi32, #p>
  %x = tile.load %ptrs : tensor<128x!tile.ptr<i8>, #p>
  %fifteen = arith.constant dense<15> : tensor<128xi8, #p>
  %four = arith.constant dense<4> : tensor<128xi8, #p>
  %low = arith.andi %x, %fifteen : tensor<128xi8, #p>
  %high = arith.shrui %x, %four : tensor<128xi8, #p>
  %both = tile.join %low, %high : tensor<128xi8, #p> -> tensor<128x2xi8, #j>
  %y = arith.uitofp %both : tensor<128x2xi8, #j> to tensor<128x2xbf16, #j>
  tile.return
}

// -----

#p = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#j = #tile_gpu.layout<register = [[0, 1], [1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], warp = []>

// Upper halves first, and bits that are no half: as any bytes.
// CHECK-LABEL: llvm.func @others
// CHECK-NOT: "llvm.fma"
// CHECK: llvm.return
tile.func @others(%bytes: !tile.ptr<i8>) attributes {tile.num_warps = 1 : i32} {
  %at = tile.arange : tensor<128xi32, #p>
  %all = tile.splat %bytes : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>, #p>
  %ptrs = tile.addptr %all, %at : tensor<128x!tile.ptr<i8>, #p>, tensor<128xi32, #p>
  %x = tile.load %ptrs : tensor<128x!tile.ptr<i8>, #p>
  %fifteen = arith.constant dense<15> : tensor<128xi8, #p>
  %four = arith.constant dense<4> : tensor<128xi8, #p>
  %seven = arith.constant dense<7> : tensor<128xi8, #p>
  %low = arith.andi %x, %fifteen : tensor<128xi8, #p>
  %some = arith.andi %x, %seven : tensor<128xi8, #p>
  %high = arith.shrui %x, %four : tensor<128xi8, #p>
  %turned = tile.join %high, %low : tensor<128xi8, #p> -> tensor<128x2xi8, #j>
  %y = arith.uitofp %turned : tensor<128x2xi8, #j> to tensor<128x2xf16, #j>
  %less = tile.join %some, %high : tensor<128xi8, #p> -> tensor<128x2xi8, #j>
  %z = arith.uitofp %less : tensor<128x2xi8, #j> to tensor<128x2xf16, #j>
  tile.return
}

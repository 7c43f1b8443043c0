// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#pair = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>

// A word's bytes become floats of 2^10 or 2^23 more by moving them; signed ones have 128 more first.
// CHECK-LABEL: llvm.func @half
// CHECK: %[[X:.*]] = llvm.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
// CHECK: %[[W:.*]] = vector.extract %[[X]][0]
// CHECK: %[[U:.*]] = arith.xori %[[W]], %c-2139062144_i32 : i32
// CHECK: %[[LOW:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[U]], %c1684300900_i32, %c16704_i32)
// CHECK: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[U]], %c1684300900_i32, %c17218_i32)
// CHECK: %[[Y:.*]] = llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
// CHECK: %[[BIAS:.*]] = arith.constant dense<1.152000e+03> : vector<4xf16>
// CHECK: arith.subf %[[Y]], %[[BIAS]] : vector<4xf16>
tile.func @half(%b: i8) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %b : i8 -> tensor<128xi8, #v>
  %y = arith.sitofp %x : tensor<128xi8, #v> to tensor<128xf16, #v>
  tile.return
}

// CHECK-LABEL: llvm.func @brain
// CHECK-NOT: arith.xori
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1258291200_i32, %c{{.*}}_i32)
// CHECK: %[[BIAS:.*]] = arith.constant dense<0x4B000000> : vector<4xf32>
// CHECK: %[[WIDE:.*]] = arith.subf %{{.*}}, %[[BIAS]] : vector<4xf32>
// CHECK: arith.truncf %[[WIDE]] : vector<4xf32> to vector<4xbf16>
tile.func @brain(%b: i8) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %b : i8 -> tensor<128xi8, #v>
  %y = arith.uitofp %x : tensor<128xi8, #v> to tensor<128xbf16, #v>
  tile.return
}

// Signed ones become bf16 by pairs: 128 and seven bits, less 128 or, where the eighth is set, 256.
// CHECK-LABEL: llvm.func @signed_brain
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1128481603_i32, %c16704_i32)
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1128481603_i32, %c17218_i32)
// CHECK: %[[SEVEN:.*]] = arith.andi %[[ALL:.*]], %{{.*}} : vector<2xi32>
// CHECK: %[[X:.*]] = llvm.bitcast %[[SEVEN]] : vector<2xi32> to vector<4xbf16>
// CHECK: %[[EIGHTH:.*]] = arith.andi %[[ALL]], %{{.*}} : vector<2xi32>
// CHECK: %[[Y:.*]] = llvm.bitcast %[[EIGHTH]] : vector<2xi32> to vector<4xbf16>
// CHECK: arith.subf %[[X]], %[[Y]] : vector<4xbf16>
tile.func @signed_brain(%b: i8) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %b : i8 -> tensor<128xi8, #v>
  %y = arith.sitofp %x : tensor<128xi8, #v> to tensor<128xbf16, #v>
  tile.return
}

// Bytes below 128, as the upper halves of bytes and what a mask leaves are, have the seven bits alone; of those that a bit more is left of
// nothing is known.
// CHECK-LABEL: llvm.func @few_brain
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1128481603_i32, %c16704_i32)
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1128481603_i32, %c17218_i32)
// CHECK: %[[BIAS:.*]] = arith.constant dense<1.280000e+02> : vector<4xbf16>
// CHECK: arith.subf %{{.*}}, %[[BIAS]] : vector<4xbf16>
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1128481603_i32, %c16704_i32)
// CHECK: arith.constant dense<1.280000e+02> : vector<4xbf16>
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1258291200_i32, %c{{.*}}_i32)
tile.func @few_brain(%b: i8) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %b : i8 -> tensor<128xi8, #v>
  %four = arith.constant dense<4> : tensor<128xi8, #v>
  %seven = arith.constant dense<127> : tensor<128xi8, #v>
  %all = arith.constant dense<-2> : tensor<128xi8, #v>
  %high = arith.shrui %x, %four : tensor<128xi8, #v>
  %y = arith.uitofp %high : tensor<128xi8, #v> to tensor<128xbf16, #v>
  %low = arith.andi %x, %seven : tensor<128xi8, #v>
  %z = arith.sitofp %low : tensor<128xi8, #v> to tensor<128xbf16, #v>
  %even = arith.andi %x, %all : tensor<128xi8, #v>
  %w = arith.uitofp %even : tensor<128xi8, #v> to tensor<128xbf16, #v>
  tile.return
}

// Two bytes are no word; and f64 is not made so. f32 is, an element each.
// CHECK-LABEL: llvm.func @others
// CHECK: arith.sitofp %{{.*}} : vector<2xi8> to vector<2xf16>
// CHECK: arith.sitofp %{{.*}} : vector<4xi8> to vector<4xf64>
// CHECK: arith.xori
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %c1258291200_i32, %c{{.*}}_i32)
// CHECK: arith.constant dense<0x4B000080> : vector<4xf32>
// CHECK: arith.subf %{{.*}} : vector<4xf32>
tile.func @others(%b: i8) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %b : i8 -> tensor<64xi8, #pair>
  %y = arith.sitofp %x : tensor<64xi8, #pair> to tensor<64xf16, #pair>
  %x4 = tile.splat %b : i8 -> tensor<128xi8, #v>
  %y4 = arith.sitofp %x4 : tensor<128xi8, #v> to tensor<128xf64, #v>
  %z4 = arith.sitofp %x4 : tensor<128xi8, #v> to tensor<128xf32, #v>
  tile.return
}

// Bytes are shifted as words, and what came from their neighbours is cut off; of signs there are as many as it takes.
// CHECK-LABEL: llvm.func @shift
// CHECK: %[[W:.*]] = llvm.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
// CHECK: %[[FOUR:.*]] = arith.constant dense<4> : vector<1xi32>
// CHECK: %[[S:.*]] = arith.shrui %[[W]], %[[FOUR]] : vector<1xi32>
// CHECK: %[[LOW:.*]] = arith.constant dense<252645135> : vector<1xi32>
// CHECK: %[[Y:.*]] = arith.andi %[[S]], %[[LOW]] : vector<1xi32>
// CHECK: %[[SEVEN:.*]] = arith.constant dense<7> : vector<1xi32>
// CHECK: %[[N:.*]] = arith.shrui %[[W]], %[[SEVEN]]
// CHECK: %[[ONES:.*]] = arith.constant dense<16843009> : vector<1xi32>
// CHECK: %[[B:.*]] = arith.andi %[[N]], %[[ONES]]
// CHECK: %[[HIGH:.*]] = arith.constant dense<240> : vector<1xi32>
// CHECK: %[[SIGNS:.*]] = arith.muli %[[B]], %[[HIGH]]
// CHECK: arith.ori %[[Y]], %[[SIGNS]]
// By what is no constant, each by itself.
// CHECK: arith.shli %{{.*}} : vector<4xi8>
tile.func @shift(%b: i8) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %b : i8 -> tensor<128xi8, #v>
  %four = arith.constant dense<4> : tensor<128xi8, #v>
  %y = arith.shrsi %x, %four : tensor<128xi8, #v>
  %z = arith.shli %x, %x : tensor<128xi8, #v>
  tile.return
}

// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#copies = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0]]>
#spare = #tile_gpu.layout<register = [[1], [0]], lane = [[2], [4], [8], [16], [32]], warp = []>
!index = tensor<512xi32, #v>

// Sixteen bytes an access where alignment and contiguity are proven.
// CHECK-LABEL: llvm.func @plain
tile.func @plain(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store %[[V]], %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  // CHECK-NOT: llvm.store
  // CHECK: llvm.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #v>
  %p = tile.addptr %xs, %i : tensor<512x!tile.ptr<f32>, #v>, !index
  %v = tile.load %p : tensor<512x!tile.ptr<f32>, #v>
  tile.store %p, %v : tensor<512x!tile.ptr<f32>, #v>
  tile.return
}

// Nothing known of the pointer: an element each.
// CHECK-LABEL: llvm.func @unaligned
tile.func @unaligned(%x: !tile.ptr<f32>) {
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #v>
  %p = tile.addptr %xs, %i : tensor<512x!tile.ptr<f32>, #v>, !index
  %v = tile.load %p : tensor<512x!tile.ptr<f32>, #v>
  tile.return
}

// Masks that hold for whole vectors predicate one access; masked-out lanes start as `other`, or 0.
// CHECK-LABEL: llvm.func @masked
tile.func @masked(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  // CHECK: llvm.inline_asm has_side_effects "@$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8];", "=r,=r,=r,=r,0,1,2,3,l,b" %c0_i32, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (i32, i32, i32, i32, i64, i1) -> !llvm.struct<(i32, i32, i32, i32)>
  // CHECK: llvm.inline_asm has_side_effects "@$9 ld.global.v4.b32
  // CHECK: llvm.inline_asm has_side_effects "@$1 st.global.v4.b32 [$0], {$2, $3, $4, $5};", "l,b,r,r,r,r"
  %i = tile.arange : !index
  %ns = tile.splat %n : i32 -> !index
  %m = arith.cmpi slt, %i, %ns : !index
  %o = arith.constant dense<1.0> : tensor<512xf32, #v>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #v>
  %p = tile.addptr %xs, %i : tensor<512x!tile.ptr<f32>, #v>, !index
  %v = tile.load %p, %m : tensor<512x!tile.ptr<f32>, #v>
  %w = tile.load %p, %m, %o : tensor<512x!tile.ptr<f32>, #v>
  tile.store %p, %v, %m : tensor<512x!tile.ptr<f32>, #v>
  tile.return
}

// A mask that may end anywhere: a predicate an element.
// CHECK-LABEL: llvm.func @ragged
tile.func @ragged(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-COUNT-4: llvm.inline_asm has_side_effects "@$3 ld.global.b32 $0, [$2];", "=r,0,l,b"
  // CHECK-NOT: ld.global
  // CHECK: llvm.return
  %i = tile.arange : !index
  %ns = tile.splat %n : i32 -> !index
  %m = arith.cmpi slt, %i, %ns : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #v>
  %p = tile.addptr %xs, %i : tensor<512x!tile.ptr<f32>, #v>, !index
  %v = tile.load %p, %m : tensor<512x!tile.ptr<f32>, #v>
  tile.return
}

// i1 is a byte in memory, 0 or not.
// CHECK-LABEL: llvm.func @bits
tile.func @bits(%x: !tile.ptr<i1> {tile.divisibility = 16 : i32}) {
  // CHECK: %[[B:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
  // CHECK: arith.cmpi ne, %[[B]], %{{.*}} : vector<4xi8>
  // CHECK: %[[W:.*]] = arith.extui %{{.*}} : vector<4xi1> to vector<4xi8>
  // CHECK: llvm.store %[[W]], {{.*}} : vector<4xi8>, !llvm.ptr<1>
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<i1> -> tensor<512x!tile.ptr<i1>, #v>
  %p = tile.addptr %xs, %i : tensor<512x!tile.ptr<i1>, #v>, !index
  %v = tile.load %p : tensor<512x!tile.ptr<i1>, #v>
  tile.store %p, %v : tensor<512x!tile.ptr<i1>, #v>
  tile.return
}

// Lanes 8 and up and the second warp hold copies: the first copy is stored.
// CHECK-LABEL: llvm.func @first_copy
tile.func @first_copy(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 2 : i32} {
  // CHECK: %[[L:.*]] = arith.andi %{{.*}}, %c24_i32
  // CHECK: %[[W:.*]] = arith.andi %{{.*}}, %c1_i32
  // CHECK: %[[LW:.*]] = arith.ori %[[L]], %[[W]]
  // CHECK: %[[F:.*]] = arith.cmpi eq, %[[LW]], %{{.*}}
  // CHECK: llvm.inline_asm has_side_effects "@$1 st.global.v2.b32 [$0], {$2, $3};", "l,b,r,r" %{{.*}}, %[[F]]
  // CHECK-NOT: st.global
  // CHECK: llvm.return
  %i = tile.arange : tensor<16xi32, #copies>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>, #copies>
  %p = tile.addptr %xs, %i : tensor<16x!tile.ptr<f32>, #copies>, tensor<16xi32, #copies>
  %c = arith.constant dense<1.0> : tensor<16xf32, #copies>
  tile.store %p, %c : tensor<16x!tile.ptr<f32>, #copies>
  tile.return
}

// Registers that repeat others are not stored again; warps the layout does not name hold copies.
// CHECK-LABEL: llvm.func @spare
tile.func @spare(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  // CHECK: arith.andi %{{.*}}, %c3_i32
  // CHECK: st.global.v2.b32
  // CHECK-NOT: st.global
  // CHECK: llvm.return
  %i = tile.arange : tensor<64xi32, #spare>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #spare>
  %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>, #spare>, tensor<64xi32, #spare>
  %c = arith.constant dense<1.0> : tensor<64xf32, #spare>
  tile.store %p, %c : tensor<64x!tile.ptr<f32>, #spare>
  tile.return
}

// Every thread loads a scalar, one stores it.
// CHECK-LABEL: llvm.func @scalar
tile.func @scalar(%x: !tile.ptr<f16>) {
  // CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<1xf16>
  // CHECK: %[[T:.*]] = arith.ori
  // CHECK: %[[F:.*]] = arith.cmpi eq, %[[T]], %{{.*}}
  // CHECK: llvm.inline_asm has_side_effects "@$1 st.global.b16 [$0], $2;", "l,b,h" %{{.*}}, %[[F]]
  %v = tile.load %x : !tile.ptr<f16>
  tile.store %x, %v : !tile.ptr<f16>
  tile.return
}

// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#copies = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0]]>
#two = #tile_gpu.layout<register = [[0, 32], [1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#eights = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []>
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
  // CHECK: "@$3 ld.global.b32 $0, [$2];", "=r,0,l,b"
  // CHECK: "@$3 ld.global.b32 $0, [$2+4];", "=r,0,l,b"
  // CHECK: "@$3 ld.global.b32 $0, [$2+8];", "=r,0,l,b"
  // CHECK: "@$3 ld.global.b32 $0, [$2+12];", "=r,0,l,b"
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

#far = #tile_gpu.layout<register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// One address for the whole run of memory; what is farther on is so by a number in the instruction.
// CHECK-LABEL: llvm.func @one_address
tile.func @one_address(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  // CHECK: %[[A:.*]] = vector.extract %[[P:.*]][0] : i64 from vector<8xi64>
  // CHECK: llvm.inline_asm has_side_effects "@$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8];", {{.*}}, %[[A]], %{{.*}} : (
  // CHECK: %[[B:.*]] = vector.extract %[[P]][0] : i64 from vector<8xi64>
  // CHECK: llvm.inline_asm has_side_effects "@$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8+2048];", {{.*}}, %[[B]], %{{.*}} : (
  // CHECK: %[[D:.*]] = vector.extract %[[P]][0] : i64 from vector<8xi64>
  // CHECK: llvm.inttoptr %[[D]] : i64 to !llvm.ptr<1>
  // CHECK: llvm.store
  // CHECK: %[[E:.*]] = vector.extract %[[P]][0] : i64 from vector<8xi64>
  // CHECK: %[[F:.*]] = arith.addi %[[E]], %c2048_i64
  // CHECK: llvm.inttoptr %[[F]] : i64 to !llvm.ptr<1>
  // CHECK: llvm.return
  %i = tile.arange : tensor<1024xi32, #far>
  %ns = tile.splat %n : i32 -> tensor<1024xi32, #far>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32, #far>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #far>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #far>, tensor<1024xi32, #far>
  %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #far>
  tile.store %p, %v : tensor<1024x!tile.ptr<f32>, #far>
  tile.return
}

// Rows are apart by what only a launch knows: an address each.
// CHECK-LABEL: llvm.func @rows
tile.func @rows(%x: !tile.ptr<f32>, %pitch: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: llvm.load %[[P:.*]] {alignment
  // CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[P]][128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // CHECK: llvm.load %[[NEXT]] {alignment
  // CHECK: llvm.load %[[Q:.*]] {alignment
  // CHECK: %[[LAST:.*]] = llvm.getelementptr %[[Q]][128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // CHECK: llvm.load %[[LAST]] {alignment
  // CHECK: llvm.return
  %r = tile.arange : tensor<2xi32, #tile_gpu.layout<register = [[0], [1]], lane = [[0], [0], [0], [0], [0]], warp = []>>
  %c = tile.arange : tensor<64xi32, #tile_gpu.layout<register = [[32], [0]], lane = [[1], [2], [4], [8], [16]], warp = []>>
  %ps = tile.splat %pitch : i32 -> tensor<2xi32, #tile_gpu.layout<register = [[0], [1]], lane = [[0], [0], [0], [0], [0]], warp = []>>
  %s = arith.muli %r, %ps : tensor<2xi32, #tile_gpu.layout<register = [[0], [1]], lane = [[0], [0], [0], [0], [0]], warp = []>>
  %s1 = tile.expand_dims %s axis 1 : tensor<2xi32, #tile_gpu.layout<register = [[0], [1]], lane = [[0], [0], [0], [0], [0]], warp = []>> -> tensor<2x1xi32, #tile_gpu.layout<register = [[0, 0], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
  %s2 = tile.broadcast %s1 : tensor<2x1xi32, #tile_gpu.layout<register = [[0, 0], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>> -> tensor<2x64xi32, #two>
  %c1 = tile.expand_dims %c axis 0 : tensor<64xi32, #tile_gpu.layout<register = [[32], [0]], lane = [[1], [2], [4], [8], [16]], warp = []>> -> tensor<1x64xi32, #tile_gpu.layout<register = [[0, 32], [0, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>>
  %c2 = tile.broadcast %c1 : tensor<1x64xi32, #tile_gpu.layout<register = [[0, 32], [0, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>> -> tensor<2x64xi32, #two>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2x64x!tile.ptr<f32>, #two>
  %row = tile.addptr %xs, %s2 : tensor<2x64x!tile.ptr<f32>, #two>, tensor<2x64xi32, #two>
  %p = tile.addptr %row, %c2 : tensor<2x64x!tile.ptr<f32>, #two>, tensor<2x64xi32, #two>
  %v = tile.load %p : tensor<2x64x!tile.ptr<f32>, #two>
  tile.return
}

// Eight neighbours read one element, under one mask: it is loaded once.
// CHECK-LABEL: llvm.func @repeated
tile.func @repeated(%x: !tile.ptr<f32>, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 1 : i32} {
  // CHECK-COUNT-1: ld.global.b32
  // CHECK-NOT: ld.global
  // CHECK: llvm.return
  %i = tile.arange : tensor<256xi32, #eights>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #eights>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #eights>
  %eight = arith.constant dense<8> : tensor<256xi32, #eights>
  %g = arith.divsi %i, %eight : tensor<256xi32, #eights>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #eights>
  %p = tile.addptr %xs, %g : tensor<256x!tile.ptr<f32>, #eights>, tensor<256xi32, #eights>
  %v = tile.load %p, %m : tensor<256x!tile.ptr<f32>, #eights>
  tile.return
}

// Neighbours that read one element under masks of their own each load it.
// CHECK-LABEL: llvm.func @repeated_apart
tile.func @repeated_apart(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK-COUNT-8: ld.global.b32
  // CHECK: llvm.return
  %i = tile.arange : tensor<256xi32, #eights>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #eights>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #eights>
  %eight = arith.constant dense<8> : tensor<256xi32, #eights>
  %g = arith.divsi %i, %eight : tensor<256xi32, #eights>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #eights>
  %p = tile.addptr %xs, %g : tensor<256x!tile.ptr<f32>, #eights>, tensor<256xi32, #eights>
  %v = tile.load %p, %m : tensor<256x!tile.ptr<f32>, #eights>
  tile.return
}

// Each access makes its own predicate of the two masks, where it stands.
// CHECK-LABEL: llvm.func @own_predicates
tile.func @own_predicates(%x: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK-NOT: arith.andi {{.*}} : i1
  // CHECK: %[[A:.*]] = arith.cmpi slt, {{.*}} : i32
  // CHECK: %[[B:.*]] = arith.cmpi sge, {{.*}} : i32
  // CHECK: %[[AB:.*]] = arith.andi %[[A]], %[[B]] : i1
  // CHECK: "@$3 ld.global.b32 $0, [$2];", {{.*}}, %[[AB]] :
  // CHECK: arith.andi {{.*}} : i1
  // CHECK: "@$3 ld.global.b32 $0, [$2+4];"
  // CHECK: llvm.return
  %i = tile.arange : tensor<256xi32, #eights>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #eights>
  %ks = tile.splat %k : i32 -> tensor<256xi32, #eights>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #eights>
  %o = arith.cmpi sge, %i, %ks : tensor<256xi32, #eights>
  %both = arith.andi %m, %o : tensor<256xi1, #eights>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #eights>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>, #eights>, tensor<256xi32, #eights>
  %v = tile.load %p, %both : tensor<256x!tile.ptr<f32>, #eights>
  tile.return
}

// Behind the last of many loads stands a branch that no program takes: ptxas leaves what computes behind it
// (tile-issue-loads).
// CHECK-LABEL: llvm.func @issues
tile.func @issues(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK-COUNT-8: ld.global.b32
  // CHECK: "{\0A.reg .pred never;{{.*}}%nctaid.x;{{.*}}@never trap;\0A}"
  // CHECK-NOT: trap
  // CHECK: llvm.return
  %i = tile.arange : tensor<256xi32, #eights>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #eights>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #eights>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #eights>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>, #eights>, tensor<256xi32, #eights>
  %v = tile.load %p, %m {tile_gpu.issues} : tensor<256x!tile.ptr<f32>, #eights>
  %w = tile.load %p, %m : tensor<256x!tile.ptr<f32>, #eights>
  tile.return
}

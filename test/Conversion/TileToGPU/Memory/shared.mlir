// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#wide = #tile_gpu.layout<register = [[1], [2], [4], [1024]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#bits = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#apart = #tile_gpu.layout<register = [[0, 4], [0, 8]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>

// Stored and loaded 16 bytes at a time, at the buffer's offset.
// CHECK-LABEL: llvm.func @buffer
tile.func @buffer(%x: f16) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: %[[S:.*]] = llvm.mlir.addressof @{{.*}} : !llvm.ptr<3>
  // CHECK: %[[B:.*]] = llvm.getelementptr %[[S]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[B]][%c2048_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: llvm.store %{{.*}}, %[[P]] {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
  // CHECK: llvm.return
  %a = tile.splat %x : f16 -> tensor<32x32xf16, #v>
  %b = tile_gpu.alloc_shared {offset = 2048 : i32} : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile_gpu.buffer_store %a, %b : tensor<32x32xf16, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  gpu.barrier
  %c = tile_gpu.buffer_load %b : !tile_gpu.buffer<32x32xf16, swizzle = 64> -> tensor<32x32xf16, #v>
  tile.return
}

// The other order: what is consecutive in registers is not in the buffer.
// CHECK-LABEL: llvm.func @turned
tile.func @turned(%x: f16) attributes {tile_gpu.shared_bytes = 2048 : i32} {
  // CHECK-NOT: llvm.store
  // CHECK: nvvm.stmatrix
  // CHECK-NOT: llvm.store
  // CHECK: llvm.return
  %a = tile.splat %x : f16 -> tensor<32x32xf16, #v>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, order = [0, 1]>
  tile_gpu.buffer_store %a, %b : tensor<32x32xf16, #v> -> !tile_gpu.buffer<32x32xf16, order = [0, 1]>
  tile.return
}

// Bytes that lie across come by twos, half of the lanes' first rows from the second matrix, which has no bank conflicts so: two
// words of each two matrices. They are written with K fastest by matrices, too.
// CHECK-LABEL: llvm.func @across
#pairs = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 1], [16, 0]], lane = [[4, 0], [8, 0], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [0, 32]]>
tile.func @across() attributes {tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: %[[CROSSED:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32 : i32
  // CHECK: %[[EVEN:.*]] = arith.select %[[CROSSED]], %c8292_i32, %c25632_i32 : i32
  // CHECK: %[[ODD:.*]] = arith.select %[[CROSSED]], %c12661_i32, %c30001_i32 : i32
  // CHECK: %[[ALL:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
  // CHECK: %[[FIRST:.*]] = llvm.extractvalue %[[ALL]][0]
  // CHECK: %[[SECOND:.*]] = llvm.extractvalue %[[ALL]][1]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[FIRST]], %[[SECOND]], %[[EVEN]])
  // CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[FIRST]], %[[SECOND]], %[[ODD]])
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}layout = #nvvm.mma_layout<row>
  // CHECK-NOT: llvm.store
  // CHECK: llvm.return
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x64xi8, swizzle = 64>
  %t = tile_gpu.alloc_shared {offset = 2048 : i32} : !tile_gpu.buffer<32x64xi8, swizzle = 32, order = [0, 1]>
  %v = tile_gpu.buffer_load %b : !tile_gpu.buffer<32x64xi8, swizzle = 64> -> tensor<32x64xi8, #pairs>
  tile_gpu.buffer_store %v, %t : tensor<32x64xi8, #pairs> -> !tile_gpu.buffer<32x64xi8, swizzle = 32, order = [0, 1]>
  tile.return
}

// Lanes that have the neighbours of two rows the other way round take the even bytes for the odd ones.
// CHECK-LABEL: llvm.func @swapped
#swapped = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 1], [16, 0]], lane = [[4, 0], [8, 0], [0, 2], [0, 4], [0, 9]], warp = [[0, 16], [0, 32]]>
tile.func @swapped() attributes {tile_gpu.shared_bytes = 2048 : i32} {
  // CHECK: %[[CROSSED:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32 : i32
  // CHECK: %[[EVEN:.*]] = arith.select %[[CROSSED]], %c8292_i32, %c25632_i32 : i32
  // CHECK: %[[ODD:.*]] = arith.select %[[CROSSED]], %c12661_i32, %c30001_i32 : i32
  // CHECK: %[[BIT:.*]] = arith.andi %{{.*}}, %c16_i32 : i32
  // CHECK: %[[SWAPPED:.*]] = arith.cmpi ne, %[[BIT]], %c0_i32 : i32
  // CHECK: %[[A:.*]] = arith.select %[[SWAPPED]], %[[ODD]], %[[EVEN]] : i32
  // CHECK: %[[B:.*]] = arith.select %[[SWAPPED]], %[[EVEN]], %[[ODD]] : i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %{{.*}}, %[[A]])
  // CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.*}}, %{{.*}}, %[[B]])
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x64xi8, swizzle = 64>
  %v = tile_gpu.buffer_load %b : !tile_gpu.buffer<32x64xi8, swizzle = 64> -> tensor<32x64xi8, #swapped>
  tile.return
}

// Neighbours that a thread holds in registers apart leave together.
// CHECK-LABEL: llvm.func @joined
#halves = #tile_gpu.layout<register = [[1, 0], [0, 1]], lane = [[2, 0], [4, 0], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [0, 32]]>
tile.func @joined(%x: f16) attributes {tile_gpu.shared_bytes = 1024 : i32} {
  // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  // CHECK: llvm.return
  %v = tile.splat %x : f16 -> tensor<8x64xf16, #halves>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<8x64xf16, swizzle = 128>
  tile_gpu.buffer_store %v, %b : tensor<8x64xf16, #halves> -> !tile_gpu.buffer<8x64xf16, swizzle = 128>
  tile.return
}

// A byte for each i1.
// CHECK-LABEL: llvm.func @bits
tile.func @bits(%x: i1) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  // CHECK: arith.extui %{{.*}} : vector<4xi1> to vector<4xi8>
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<3>
  // CHECK: llvm.load %{{.*}} -> vector<4xi8>
  // CHECK: arith.cmpi ne, %{{.*}} : vector<4xi8>
  %a = tile.splat %x : i1 -> tensor<8x16xi1, #bits>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<8x16xi1>
  tile_gpu.buffer_store %a, %b : tensor<8x16xi1, #bits> -> !tile_gpu.buffer<8x16xi1>
  %c = tile_gpu.buffer_load %b : !tile_gpu.buffer<8x16xi1> -> tensor<8x16xi1, #bits>
  tile.return
}

// Bytes that lie apart, those between them of other lanes: all four lanes load the words, and each takes its byte of them.
// CHECK-LABEL: llvm.func @apart
tile.func @apart() attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  // CHECK: %[[START:.*]] = arith.andi %{{.*}}, %c-4_i32 : i32
  // CHECK: llvm.getelementptr %{{.*}}[%[[START]]]
  // CHECK: %[[WORDS:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  // CHECK: %[[WORD:.*]] = vector.extract %[[WORDS]][0]
  // CHECK: %[[LANE:.*]] = arith.andi %{{.*}}, %c3_i32 : i32
  // CHECK: %[[EACH:.*]] = arith.muli %[[LANE]], %c257_i32 : i32
  // CHECK: %[[SELECTOR:.*]] = arith.addi %[[EACH]], %c16448_i32 : i32
  // CHECK: %[[TWICE:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[WORD]], %c0_i32, %[[SELECTOR]])
  // CHECK: arith.trunci %[[TWICE]] : i32 to i8
  // CHECK-NOT: llvm.load
  // CHECK: vector.from_elements {{.*}} : vector<4xi8>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<8x16xi8>
  %c = tile_gpu.buffer_load %b : !tile_gpu.buffer<8x16xi8> -> tensor<8x16xi8, #apart>
  tile.return
}

// Single bytes whose lanes are no four neighbours are loaded one by one, and joined two by two: no chain through all of them.
// CHECK-LABEL: llvm.func @single
#single = #tile_gpu.layout<register = [[0, 4], [0, 8]], lane = [[0, 2], [0, 1], [1, 0], [2, 0], [4, 0]], warp = []>
tile.func @single() attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 128 : i32} {
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> vector<1xi8>
  // CHECK: %[[LOW:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1] : vector<1xi8>
  // CHECK: %[[HIGH:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1] : vector<1xi8>
  // CHECK: llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 1, 2, 3] : vector<2xi8>
  // CHECK-NOT: llvm.shufflevector
  // CHECK: llvm.return
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<8x16xi8>
  %c = tile_gpu.buffer_load %b : !tile_gpu.buffer<8x16xi8> -> tensor<8x16xi8, #single>
  tile.return
}

// Stage i of a ring is i blocks on; a copy that is masked off ignores its source, and writes zeros.
// CHECK-LABEL: llvm.func @copy
// CHECK-SAME: %[[N:.*]]: i32
tile.func @copy(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %m: i1) attributes {tile_gpu.shared_bytes = 6144 : i32} {
  // CHECK: %[[FAR:.*]] = arith.muli %{{.*}}, %c2048_i32 : i32
  // CHECK: arith.addi %{{.*}}, %[[FAR]] : i32
  // CHECK: %[[ON:.*]] = vector.extract %{{.*}}[0] : i1 from vector<8xi1>
  // CHECK: %[[IGNORE:.*]] = arith.xori %[[ON]], %true : i1
  // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1], 16, $2;", "l,l,b" %{{.*}}, %{{.*}}, %[[IGNORE]] : (!llvm.ptr<3>, i64, i1)
  // CHECK-NOT: cp.async.cg
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.wait.group 1
  %i = tile.arange : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>>
  %o = tile.reshape %i : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>> -> tensor<32x32xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #v>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
  %ms = tile.splat %m : i1 -> tensor<32x32xi1, #v>
  %r = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
  %s = tile_gpu.buffer_stage %r[%n] : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile_gpu.async_copy %p, %ms into %s : tensor<32x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile_gpu.async_commit
  tile_gpu.async_wait 1
  tile.return
}

// Turned, a buffer lies where it lay: with K fastest for the one name is with N fastest for the other.
// CHECK-LABEL: llvm.func @other_names
tile.func @other_names(%x: !tile.ptr<f16>) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: %[[P:.*]] = llvm.getelementptr %{{.*}}[%c2048_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: %[[V:.*]] = llvm.load %[[P]] {{.*}} : !llvm.ptr<3> -> vector<8xf16>
  %b = tile_gpu.alloc_shared {offset = 2048 : i32} : !tile_gpu.buffer<32x32xf16, order = [0, 1]>
  %t = tile_gpu.buffer_trans %b order [1, 0] : !tile_gpu.buffer<32x32xf16, order = [0, 1]> -> !tile_gpu.buffer<32x32xf16>
  %v = tile_gpu.buffer_load %t : !tile_gpu.buffer<32x32xf16> -> tensor<32x32xf16, #v>
  tile.return
}

// Without a mask there is nothing to ask.
// CHECK-LABEL: llvm.func @copy_all
tile.func @copy_all(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile_gpu.shared_bytes = 2048 : i32} {
  // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1], 16;", "l,l" %{{.*}}, %{{.*}} : (!llvm.ptr<3>, i64)
  %i = tile.arange : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>>
  %o = tile.reshape %i : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>> -> tensor<32x32xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #v>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile_gpu.async_copy %p into %b : tensor<32x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile.return
}

// What two conditions make is made for each copy: 16 truths side by side would be packed into a word.
// CHECK-LABEL: llvm.func @copy_both
tile.func @copy_both(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i1, %n: i32) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: arith.andi %{{.*}}, %{{.*}} : i1
  // CHECK: cp.async.cg.shared.global
  // CHECK: arith.andi %{{.*}}, %{{.*}} : i1
  // CHECK: cp.async.cg.shared.global
  %i = tile.arange : tensor<2048xi32, #wide>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<2048x!tile.ptr<f16>, #wide>
  %p = tile.addptr %xs, %i : tensor<2048x!tile.ptr<f16>, #wide>, tensor<2048xi32, #wide>
  %ns = tile.splat %n : i32 -> tensor<2048xi32, #wide>
  %end = arith.cmpi slt, %i, %ns : tensor<2048xi32, #wide>
  %ms = tile.splat %m : i1 -> tensor<2048xi1, #wide>
  %both = arith.andi %end, %ms : tensor<2048xi1, #wide>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<2048xf16>
  tile_gpu.async_copy %p, %both into %b {tile_gpu.run = 8 : i32} : tensor<2048x!tile.ptr<f16>, #wide> -> !tile_gpu.buffer<2048xf16>
  tile.return
}

// Nothing is known of %x, but `run` says that 8 elements lie beside each other.
// CHECK-LABEL: llvm.func @copy_told
tile.func @copy_told(%x: !tile.ptr<f16>, %m: i1) attributes {tile_gpu.shared_bytes = 2048 : i32} {
  // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1], 16, $2;", "l,l,b"
  %i = tile.arange : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>>
  %o = tile.reshape %i : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>> -> tensor<32x32xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #v>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
  %ms = tile.splat %m : i1 -> tensor<32x32xi1, #v>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile_gpu.async_copy %p, %ms into %b {tile_gpu.run = 8 : i32} : tensor<32x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile.return
}

// Of threads that hold the same element one copies it, where all meet behind the wait; where each reads its own copies, all do.
// CHECK-LABEL: llvm.func @copy_once
#sixteen = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0], [0]]>
tile.func @copy_once(%x: !tile.ptr<f32>, %m: i1) attributes {tile_gpu.shared_bytes = 128 : i32} {
  // CHECK: %[[LANE:.*]] = arith.andi %{{.*}}, %c16_i32 : i32
  // CHECK: %[[WARP:.*]] = arith.andi %{{.*}}, %c3_i32 : i32
  // CHECK: %[[BOTH:.*]] = arith.ori %[[LANE]], %[[WARP]] : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[BOTH]], %c0_i32 : i32
  // CHECK: llvm.inline_asm has_side_effects "@$3 cp.async.ca.shared.global [$0+0], [$1], 4, $2;", "l,l,b,b" %{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]]
  // CHECK: llvm.inline_asm has_side_effects "@$2 cp.async.ca.shared.global [$0+0], [$1], 4;", "l,l,b"
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %i = tile.arange : tensor<16xi32, #sixteen>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>, #sixteen>
  %p = tile.addptr %xs, %i : tensor<16x!tile.ptr<f32>, #sixteen>, tensor<16xi32, #sixteen>
  %ms = tile.splat %m : i1 -> tensor<16xi1, #sixteen>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16xf32>
  scf.for %k = %c0 to %c4 step %c1 : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    tile_gpu.async_copy %p, %ms into %b : tensor<16x!tile.ptr<f32>, #sixteen> -> !tile_gpu.buffer<16xf32>
    tile_gpu.async_copy %p into %b : tensor<16x!tile.ptr<f32>, #sixteen> -> !tile_gpu.buffer<16xf32>
    tile_gpu.async_commit
  }
  // CHECK: llvm.inline_asm has_side_effects "cp.async.ca.shared.global [$0+0], [$1], 4;", "l,l"
  scf.for %k = %c0 to %c4 step %c1 : i32 {
    tile_gpu.async_wait 1
    tile_gpu.async_copy %p into %b : tensor<16x!tile.ptr<f32>, #sixteen> -> !tile_gpu.buffer<16xf32>
    tile_gpu.async_commit
  }
  tile.return
}

#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #tile_gpu.layout<register = [[1, 0], [8, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>

// Columns 16 to 31 of 32 rows of 64 bytes, as an operand of a matrix instruction. The swizzle turns
// the chunk that is 32 bytes on by bits of the row, so 32 is xored; 16 rows further down are 1024
// bytes, which no thread reaches, and are added last.
// CHECK-LABEL: llvm.func @part
tile.func @part(%n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 6144 : i32} {
  // CHECK: %[[RING:.*]] = arith.addi %c0_i32, %{{.*}} : i32
  // CHECK: %[[FAR:.*]] = arith.xori %[[ROWS:.*]], %c32_i32 : i32
  // CHECK: %[[BASE:.*]] = llvm.getelementptr %[[S:.*]][%[[FAR]]]
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[BASE]][%[[RING]]]
  // CHECK: nvvm.ldmatrix %[[P]] {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
  // CHECK: %[[FAR2:.*]] = arith.xori %[[ROWS]], %c32_i32 : i32
  // CHECK: %[[BASE2:.*]] = llvm.getelementptr %[[S]][%[[FAR2]]]
  // CHECK: %[[P2:.*]] = llvm.getelementptr %[[BASE2]][%[[RING]]]
  // CHECK: %[[DOWN:.*]] = llvm.getelementptr %[[P2]][1024]
  // CHECK: nvvm.ldmatrix %[[DOWN]]
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.bitcast %{{.*}} : vector<8xi32> to vector<16xf16>
  // CHECK: llvm.return
  %r = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
  %s = tile_gpu.buffer_stage %r[%n] : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  %x = tile_gpu.buffer_load %s at [0, 16] : !tile_gpu.buffer<32x32xf16, swizzle = 64> -> tensor<32x16xf16, #a>
  tile.return
}

// Rows 16 to 31 of a B operand: 2048 bytes on in the instruction itself, each of two columns of
// fragments by one instruction that transposes.
// CHECK-LABEL: llvm.func @part_transposed
tile.func @part_transposed() attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: %[[P:.*]] = llvm.getelementptr %{{.*}}[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  // CHECK-NEXT: nvvm.ldmatrix %[[P]] {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
  // CHECK: nvvm.ldmatrix
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.return
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x64xf16, swizzle = 128>
  %x = tile_gpu.buffer_load %s at [16, 0] : !tile_gpu.buffer<32x64xf16, swizzle = 128> -> tensor<16x32xf16, #b>
  tile.return
}

// Of a part of two words a thread an instruction gives two: rows 16 to 31 of eight columns, and columns 8 to 15 of 32 bits.
#few = #tile_gpu.layout<register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16], [0, 32]]>
#words = #tile_gpu.layout<register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
// CHECK-LABEL: llvm.func @part_of_two_words
tile.func @part_of_two_words() attributes {tile.num_warps = 8 : i32, tile_gpu.shared_bytes = 8192 : i32} {
  // CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32
  // CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x64xf16, swizzle = 128>
  %x = tile_gpu.buffer_load %s at [16, 0] : !tile_gpu.buffer<32x64xf16, swizzle = 128> -> tensor<16x64xf16, #few>
  %t = tile_gpu.alloc_shared {offset = 4096 : i32} : !tile_gpu.buffer<32x32xf32, swizzle = 128>
  %y = tile_gpu.buffer_load %t at [0, 8] : !tile_gpu.buffer<32x32xf32, swizzle = 128> -> tensor<32x8xf32, #words>
  tile.return
}

// One word of neighbours is a plain load's.
#word = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
// CHECK-LABEL: llvm.func @part_of_a_word
tile.func @part_of_a_word() attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<2xf16>
  // CHECK: llvm.return
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x64xf16, swizzle = 128>
  %x = tile_gpu.buffer_load %s at [0, 8] : !tile_gpu.buffer<32x64xf16, swizzle = 128> -> tensor<32x8xf16, #word>
  tile.return
}

// A part in a layout of no instruction goes by plain loads.
// CHECK-LABEL: llvm.func @part_of_rows
tile.func @part_of_rows() attributes {tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: llvm.getelementptr %{{.*}}[2048]
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK: llvm.return
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, swizzle = 64>
  %x = tile_gpu.buffer_load %s at [32, 0] : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> tensor<32x32xf16, #v>
  tile.return
}

// Rows that begin anywhere: chunks of 16 bytes that they lie in are copied, and each is read from where it begins.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-gpu --canonicalize --cse -o /dev/null

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#b = #tile_gpu.layout<register = [[1, 0], [8, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]>

// A row of 64 bytes takes 80, so that 64 rows take 5120, behind which their places stand. Rows 32 on are 2560 bytes on.
// CHECK-LABEL: llvm.func @copy
// CHECK: arith.andi %{{.*}}, %c15_i32
// CHECK: arith.andi %{{.*}}, %c-16_i64
// Bytes of a chunk that are the lane's before: of a row that begins here all, or none.
// CHECK: %[[BEFORE:.*]] = llvm.inline_asm has_side_effects "shfl.sync.up.b32 $0, $1, 1, 0, -1;", "=r,r"
// CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1], 16, $2;", "l,l,r"
// CHECK: llvm.inline_asm has_side_effects "@$3 cp.async.cg.shared.global [$0+16], [$1], 16, $2;", "l,l,r,b"
// CHECK: llvm.inline_asm has_side_effects "@$2 st.shared.b32 [$0+5120], $1;", "l,r,b"
// CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+2560], [$1], 16, $2;", "l,l,r"
// CHECK: llvm.inline_asm has_side_effects "@$3 cp.async.cg.shared.global [$0+2576], [$1], 16, $2;", "l,l,r,b"
// CHECK: llvm.inline_asm has_side_effects "@$2 st.shared.b32 [$0+5248], $1;", "l,r,b"
// CHECK-NOT: cp.async.cg
tile.func @copy(%x: !tile.ptr<f16>, %on: i1) attributes {tile_gpu.shared_bytes = 5376 : i32} {
  %p = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #v>
  %m = tile.splat %on : i1 -> tensor<64x32xi1, #v>
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, ragged>
  tile_gpu.async_copy %p, %m into %s : tensor<64x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<64x32xf16, ragged>
  tile_gpu.async_commit
  tile.return
}

// Along a row two words are read, and shifted by where the row begins; across rows element by element.
// CHECK-LABEL: llvm.func @read
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: arith.andi %{{.*}}, %c-4_i32
// CHECK: %[[HIGH:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// CHECK: %[[LOW:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// CHECK: llvm.intr.fshr(%[[HIGH]], %[[LOW]], %{{.*}}) : (i32, i32, i32) -> i32
// CHECK-LABEL: llvm.func @across
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> f16
// CHECK-NOT: fshr
// CHECK: llvm.return
tile.func @read() attributes {tile_gpu.shared_bytes = 5376 : i32} {
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, ragged>
  %v = tile_gpu.buffer_load %s at [0, 16] : !tile_gpu.buffer<64x32xf16, ragged> -> tensor<64x16xf16, #a>
  tile.return
}
tile.func @across() attributes {tile_gpu.shared_bytes = 5376 : i32} {
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, ragged>
  %v = tile_gpu.buffer_load %s at [16, 16] : !tile_gpu.buffer<64x32xf16, ragged> -> tensor<16x16xf16, #b>
  tile.return
}

// What threads store again comes 16 bytes at a time: two chunks as they lie, moved down by the row's place.
// CHECK-LABEL: llvm.func @again
// CHECK: %[[PLACE:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: %[[LOW:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK: %[[HIGH:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK: arith.andi %[[PLACE]], %c8_i32
// CHECK-COUNT-6: arith.select
// CHECK: arith.andi %[[PLACE]], %c4_i32
// CHECK-COUNT-5: arith.select
// CHECK-NOT: arith.select
// CHECK-COUNT-4: llvm.intr.fshr
// CHECK: llvm.return
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
tile.func @again() attributes {tile_gpu.shared_bytes = 5376 : i32} {
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, ragged>
  %v = tile_gpu.buffer_load %s : !tile_gpu.buffer<32x32xf16, ragged> -> tensor<32x32xf16, #rows>
  tile.return
}

#w = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

// A mask of 32 elements a thread is computed 8 at a time, and only it is kept whole, not what it is the conjunction of:
// its own elements are counted, those of the fourth chunk too.
// CHECK-LABEL: llvm.func @strips
// CHECK: vector.extract %[[MASK:.*]][0] : i1 from vector<32xi1>
// CHECK: vector.extract %[[MASK]][24] : i1 from vector<32xi1>
// CHECK: cp.async.cg.shared.global
tile.func @strips(%x: !tile.ptr<f16>, %n: !tile.ptr<i32>, %m: i32) attributes {tile_gpu.shared_bytes = 9472 : i32} {
  %p = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>, #w>
  %q = tile.splat %n : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>, #w>
  %v = tile.load %q : tensor<64x64x!tile.ptr<i32>, #w>
  %a = tile.splat %m : i32 -> tensor<64x64xi32, #w>
  %c = arith.cmpi slt, %v, %a : tensor<64x64xi32, #w>
  %d = arith.cmpi ne, %v, %a : tensor<64x64xi32, #w>
  %e = arith.andi %c, %d : tensor<64x64xi1, #w>
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, ragged>
  tile_gpu.async_copy %p, %e into %s : tensor<64x64x!tile.ptr<f16>, #w> -> !tile_gpu.buffer<64x64xf16, ragged>
  tile_gpu.async_commit
  tile.return
}

#k = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>

// Columns that lie in front of one are a difference, in place of eight comparisons: at most a chunk's, 2 bytes each.
// CHECK-LABEL: llvm.func @in_front
// CHECK: %[[K:.*]] = vector.extract %{{.*}}[0] : i32 from vector<8xi32>
// CHECK: %[[N:.*]] = vector.extract %{{.*}}[0] : i32 from vector<8xi32>
// CHECK: %[[MOST:.*]] = arith.maxsi %[[N]], %[[K]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[MOST]], %[[K]]
// CHECK: %[[OWN:.*]] = arith.minui %[[LEFT]], %c8_i32
// CHECK: arith.muli %[[OWN]], %c2_i32
// CHECK-NOT: arith.select %{{.*}}, %c2_i32, %c0_i32
// CHECK: cp.async.cg.shared.global
tile.func @in_front(%x: !tile.ptr<f16>, %n: i32) attributes {tile_gpu.shared_bytes = 5376 : i32} {
  %p = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #v>
  %k = tile.arange : tensor<32xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]>>
  %kk = tile.expand_dims %k axis 0 : tensor<32xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]>> -> tensor<1x32xi32, #k>
  %end = tile.splat %n : i32 -> tensor<1x32xi32, #k>
  %in = arith.cmpi slt, %kk, %end : tensor<1x32xi32, #k>
  %m = tile.broadcast %in : tensor<1x32xi1, #k> -> tensor<64x32xi1, #v>
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, ragged>
  tile_gpu.async_copy %p, %m into %s : tensor<64x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<64x32xf16, ragged>
  tile_gpu.async_commit
  tile.return
}

// Others are counted: of numbers that memory says nobody knows that they follow each other.
// CHECK-LABEL: llvm.func @counted
// CHECK-COUNT-8: arith.select %{{.*}}, %c2_i32, %c0_i32
// CHECK: cp.async.cg.shared.global
tile.func @counted(%x: !tile.ptr<f16>, %q: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.shared_bytes = 5376 : i32} {
  %p = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #v>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<1x32x!tile.ptr<i32>, #k>
  %at = tile.arange : tensor<32xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]>>
  %row = tile.expand_dims %at axis 0 : tensor<32xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]>> -> tensor<1x32xi32, #k>
  %qp = tile.addptr %qs, %row : tensor<1x32x!tile.ptr<i32>, #k>, tensor<1x32xi32, #k>
  %k = tile.load %qp : tensor<1x32x!tile.ptr<i32>, #k>
  %end = tile.splat %n : i32 -> tensor<1x32xi32, #k>
  %in = arith.cmpi slt, %k, %end : tensor<1x32xi32, #k>
  %m = tile.broadcast %in : tensor<1x32xi1, #k> -> tensor<64x32xi1, #v>
  %s = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, ragged>
  tile_gpu.async_copy %p, %m into %s : tensor<64x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<64x32xf16, ragged>
  tile_gpu.async_commit
  tile.return
}

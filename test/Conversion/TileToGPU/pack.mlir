// RUN: tile-opt %s --split-input-file --convert-tile-to-gpu | FileCheck %s
// RUN: tile-opt %s --split-input-file --convert-tile-to-gpu | FileCheck %s --check-prefix=NONE

// An array that is packed is described so, and the module has the kernel that packs, once.
// CHECK-LABEL: llvm.func @packed
// CHECK-SAME: tile_gpu.tensor_maps = ["f16 %0 [%1:i32, %1:i32] [%1:i32] box [64, 64] swizzle 128 packed"]
// CHECK-LABEL: llvm.func @too
// CHECK-SAME: tile_gpu.tensor_maps = ["f16 %0 [%1:i32, %1:i32] [%1:i32] box [64, 64] swizzle 128 padding nan packed"]
// CHECK-LABEL: llvm.func @__tile_pack
// CHECK-SAME: (%[[FROM:[^:]*]]: i64, %[[TO:[^:]*]]: i64, %[[WIDTH:[^:]*]]: i64, %[[PITCH:[^:]*]]: i64, %[[ROWS:[^:]*]]: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[FINISH:[^:]*]]: i64)
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxntid = array<i32: 256>
// A row of the block's, where it is.
// CHECK: %[[IS:.*]] = arith.cmpi ult, %[[ROW:.*]], %[[ROWS]] : i32
// CHECK: scf.if %[[IS]] {
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN:.*]], %[[WIDTH]] : i64
// CHECK: %[[TWO:.*]] = arith.cmpi ne
// CHECK: %[[WIDE:.*]] = arith.extui %[[ROW]] : i32 to i64
// CHECK-NEXT: %[[ABOVE:.*]] = arith.muli %[[WIDE]], %[[PITCH]] : i64
// CHECK-NEXT: %[[TARGET:.*]] = arith.addi %[[TO]], %[[ABOVE]] : i64
// The first of four chunks: two around it, if they lie in the array, else of the copy, which is aligned.
// CHECK: %[[AT:.*]] = arith.addi %[[BEGIN]], %[[OFFSET:.*]] : i64
// CHECK: %[[LOW:.*]] = arith.andi %[[AT]], %{{.*}} : i64
// CHECK: %[[BEGINS:.*]] = arith.cmpi uge, %[[LOW]], %[[FROM]] : i64
// CHECK: %[[ENDS:.*]] = arith.cmpi ule, %{{.*}}, %[[FINISH]] : i64
// CHECK: %[[INSIDE:.*]] = arith.andi %[[BEGINS]], %[[ENDS]] : i1
// CHECK: arith.select %[[INSIDE]], %[[LOW]], %[[TARGET]] : i64
// CHECK: %[[FIRST:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: %[[SECOND:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-6: llvm.load {{.*}} -> vector<4xi32>
// Then they are stored as far as the copy's rows go, shifted, with zeros behind the row, or byte by byte.
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[OFFSET]], %[[PITCH]] : i64
// CHECK: scf.if %[[EXISTS]] {
// CHECK: scf.if %[[INSIDE]] {
// CHECK: llvm.extractelement %[[FIRST]]
// CHECK: llvm.extractelement %[[SECOND]]
// CHECK: arith.select %[[TWO]]
// CHECK-COUNT-4: llvm.intr.fshr
// CHECK: %[[WHOLE:.*]] = arith.cmpi ule, %{{.*}}, %[[WIDTH]] : i64
// CHECK: scf.if %[[WHOLE]]
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>
// CHECK: scf.for
// CHECK: arith.cmpi ult, %{{.*}}, %[[END]] : i64
// CHECK: llvm.load {{.*}} -> i8
// CHECK: llvm.store {{.*}} : i8
// CHECK-NOT: llvm.func @__tile_pack
tile.func @packed(%x: !tile.ptr<f16>, %m: i32, %c: i1) {
  %s = arith.extsi %m : i32 to i64
  %d = tile.make_desc %x, [%m, %m], [%s] {tile_gpu.packed} : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.if %c -> (!tile.desc<64x64xf16>) {
    scf.yield %d : !tile.desc<64x64xf16>
  } else {
    scf.yield %d : !tile.desc<64x64xf16>
  }
  tile.return
}

tile.func @too(%x: !tile.ptr<f16>, %m: i32, %c: i1) {
  %s = arith.extsi %m : i32 to i64
  %d = tile.make_desc %x, [%m, %m], [%s] padding nan {tile_gpu.packed} : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.if %c -> (!tile.desc<64x64xf16>) {
    scf.yield %d : !tile.desc<64x64xf16>
  } else {
    scf.yield %d : !tile.desc<64x64xf16>
  }
  tile.return
}

// -----

// Nobody reads through it: there is nothing to pack.
// NONE-LABEL: llvm.func @unread
// NONE-NOT: __tile_pack
tile.func @unread(%x: !tile.ptr<f16>, %m: i32) {
  %s = arith.extsi %m : i32 to i64
  %d = tile.make_desc %x, [%m, %m], [%s] {tile_gpu.packed} : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  tile.return
}

// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#l = #tile_gpu.layout<register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>

// What a loop adds to pointers that it does not change is added to pointers, not to numbers, so that nobody adds the two
// offsets first.
// CHECK-LABEL: llvm.func @taps
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK: %[[R0:.*]] = llvm.getelementptr %[[X]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: %[[R1:.*]] = llvm.getelementptr %[[X]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: scf.for
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[R0]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[R1]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK-DAG: llvm.load %[[P0]]
// CHECK-DAG: llvm.load %[[P1]]
// CHECK-DAG: llvm.inline_asm {{.*}} %[[P0]], %{{.*}} : (!llvm.ptr<1>, i1
// CHECK-DAG: llvm.inline_asm {{.*}} %[[P1]], %{{.*}} : (!llvm.ptr<1>, i1
tile.func @taps(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %lane = tile.arange : tensor<256xi32, #l>
  %pitch = tile.splat %n : i32 -> tensor<256xi32, #l>
  %row = arith.muli %lane, %pitch : tensor<256xi32, #l>
  %m = arith.cmpi slt, %row, %pitch : tensor<256xi32, #l>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %rows = tile.addptr %base, %row : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %far = tile.splat %i : i32 -> tensor<256xi32, #l>
    %at = arith.addi %row, %far : tensor<256xi32, #l>
    %p = tile.addptr %rows, %at : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
    %v = tile.load %p : tensor<256x!tile.ptr<f32>, #l>
    tile.store %p, %v, %m : tensor<256x!tile.ptr<f32>, #l>
  }
  tile.return
}

// The same outside of loops: what registers share of two sums is a pointer.
// CHECK-LABEL: llvm.func @outside
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK: %[[R0:.*]] = llvm.getelementptr %[[X]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[R0]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: llvm.load %[[P0]]
tile.func @outside(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %lane = tile.arange : tensor<256xi32, #l>
  %pitch = tile.splat %n : i32 -> tensor<256xi32, #l>
  %row = arith.muli %lane, %pitch : tensor<256xi32, #l>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %rows = tile.addptr %base, %row : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  %p = tile.addptr %rows, %lane : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  %v = tile.load %p : tensor<256x!tile.ptr<f32>, #l>
  tile.store %p, %v : tensor<256x!tile.ptr<f32>, #l>
  tile.return
}

// One sum, and one of a number that is spread, stay numbers: nothing would be added up in front of it.
// CHECK-LABEL: llvm.func @numbers
// CHECK-NOT: llvm.getelementptr
// CHECK: llvm.return
tile.func @numbers(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %lane = tile.arange : tensor<256xi32, #l>
  %pitch = tile.splat %n : i32 -> tensor<256xi32, #l>
  %row = arith.muli %lane, %pitch : tensor<256xi32, #l>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %far = tile.addptr %x, %n : !tile.ptr<f32>, i32
  %base = tile.splat %far : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %step = tile.splat %i : i32 -> tensor<256xi32, #l>
    %at = arith.addi %row, %step : tensor<256xi32, #l>
    %p = tile.addptr %base, %at : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
    %v = tile.load %p : tensor<256x!tile.ptr<f32>, #l>
    tile.store %p, %v : tensor<256x!tile.ptr<f32>, #l>
  }
  %q = tile.addptr %base, %row : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  %w = tile.load %q : tensor<256x!tile.ptr<f32>, #l>
  tile.store %q, %w : tensor<256x!tile.ptr<f32>, #l>
  tile.return
}

// One number for all, added to a sum whose registers lie nobody knows how far apart, is added to pointers as well.
// CHECK-LABEL: llvm.func @one_for_all
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK: %[[R0:.*]] = llvm.getelementptr %[[X]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: scf.for
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[R0]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: llvm.load %[[P0]]
tile.func @one_for_all(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %lane = tile.arange : tensor<256xi32, #l>
  %pitch = tile.splat %n : i32 -> tensor<256xi32, #l>
  %row = arith.muli %lane, %pitch : tensor<256xi32, #l>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %rows = tile.addptr %base, %row : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %step = tile.splat %i : i32 -> tensor<256xi32, #l>
    %p = tile.addptr %rows, %step : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
    %v = tile.load %p : tensor<256x!tile.ptr<f32>, #l>
    tile.store %p, %v : tensor<256x!tile.ptr<f32>, #l>
  }
  tile.return
}

// Registers that lie a known number apart have one pointer, to which it is added.
// CHECK-LABEL: llvm.func @even
// CHECK-NOT: llvm.getelementptr
// CHECK: llvm.return
tile.func @even(%x: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %lane = tile.arange : tensor<256xi32, #l>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %row = tile.addptr %base, %lane : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %step = tile.splat %i : i32 -> tensor<256xi32, #l>
    %p = tile.addptr %row, %step : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
    %v = tile.load %p : tensor<256x!tile.ptr<f32>, #l>
    tile.store %p, %v : tensor<256x!tile.ptr<f32>, #l>
  }
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-make-persistent,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: sed 's/group_rows = 8/group_rows = 0/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-make-persistent,canonicalize,cse))' | FileCheck %s --check-prefix=ORDER

// Without groups: in the order of the grid.
// ORDER-LABEL: tile.func @loop
// ORDER: %[[X:.*]] = tile_gpu.grid_extent x
// ORDER: scf.for %[[T:[a-z0-9]*]] =
// ORDER-NEXT: %[[I:.*]] = arith.remui %[[T]], %[[X]]
// ORDER-NEXT: %[[J:.*]] = arith.divui %[[T]], %[[X]]
// ORDER-NEXT: arith.muli %[[I]],
// ORDER-NEXT: arith.muli %[[J]],

// Clusters of 4 blocks with two columns: of each two columns two rows, while there are so many.
// RUN: sed 's/cluster = 2/cluster = 4, columns = 2/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-make-persistent,canonicalize,cse))' | FileCheck %s --check-prefix=SQUARE
// SQUARE-LABEL: tile.func @clusters
// SQUARE: %[[Y:.*]] = tile_gpu.grid_extent y
// SQUARE: scf.for
// SQUARE: %[[HEIGHT:.*]] = arith.minui %{{.*}}, %c16
// SQUARE: %[[PAIR:.*]] = arith.muli %[[HEIGHT]], %c2
// SQUARE-NEXT: %[[PAIRS:.*]] = arith.divui %[[IN:.*]], %[[PAIR]]
// SQUARE-NEXT: %[[INSIDE:.*]] = arith.remui %[[IN]], %[[PAIR]]
// SQUARE-NEXT: %[[COLUMN:.*]] = arith.muli %[[PAIRS]], %c2
// SQUARE-NEXT: %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c1
// SQUARE-NEXT: %[[TWO:.*]] = arith.cmpi slt, %[[NEXT]], %[[Y]]
// SQUARE-NEXT: %[[CLUSTER:.*]] = arith.divui %[[INSIDE]], %c4
// SQUARE-NEXT: %[[BLOCK:.*]] = arith.remui %[[INSIDE]], %c4
// SQUARE-NEXT: %[[FIRST:.*]] = arith.muli %[[CLUSTER]], %c2
// SQUARE-NEXT: %[[LEFT:.*]] = arith.subi %[[HEIGHT]], %[[FIRST]]
// SQUARE-NEXT: %[[ROWS:.*]] = arith.minui %[[LEFT]], %c2
// SQUARE-NEXT: %[[DOWN:.*]] = arith.remui %[[BLOCK]], %[[ROWS]]
// SQUARE-NEXT: %[[ACROSS:.*]] = arith.divui %[[BLOCK]], %[[ROWS]]
// SQUARE-NEXT: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[DOWN]]
// SQUARE-NEXT: %[[BESIDE:.*]] = arith.addi %[[COLUMN]], %[[ACROSS]]
// SQUARE-NEXT: arith.select %[[TWO]], %[[ROW]], %[[INSIDE]]
// SQUARE-NEXT: arith.select %[[TWO]], %[[BESIDE]], %[[COLUMN]]

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// Programs p, p + blocks, .., in groups of 8 rows, every other group backwards, of one where the grid has few columns.
// What descriptors are made of stays in front.
// CHECK-LABEL: tile.func @loop
// CHECK-SAME: tile_gpu.persistent
// CHECK-NOT: tile_gpu.shares_last
// CHECK: %[[X:.*]] = tile_gpu.grid_extent x
// CHECK: %[[Y:.*]] = tile_gpu.grid_extent y
// CHECK: %[[ALL:.*]] = arith.muli %[[X]], %[[Y]] : i32
// CHECK: %[[BLOCK:.*]] = tile.program_id x
// CHECK: %[[BLOCKS:.*]] = tile.num_programs x
// CHECK: scf.for %[[T:.*]] = %[[BLOCK]] to %[[ALL]] step %[[BLOCKS]]
// CHECK:   %[[FEW:.*]] = arith.cmpi sle, %[[Y]], %c16_i32 : i32
// CHECK:   %[[TALL:.*]] = arith.cmpi slt, %[[Y]], %[[X]] : i32
// CHECK:   %[[ACROSS:.*]] = arith.andi %[[FEW]], %[[TALL]] : i1
// CHECK:   %[[ROWS:.*]] = arith.select %[[ACROSS]], %c1_i32, %c8_i32 : i32
// CHECK:   %[[GROUP:.*]] = arith.muli %[[ROWS]], %[[Y]] : i32
// CHECK:   arith.divui %[[T]], %[[GROUP]] : i32
// CHECK:   arith.minui %{{.*}}, %[[ROWS]]
// CHECK-NOT: tile.program_id
// CHECK:   scf.for
// CHECK:     tile_gpu.desc_copy
// CHECK:     tile.dot
// CHECK:   tile_gpu.desc_write
// CHECK: } {tile_gpu.programs}
tile.func @loop(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, group_rows = 8, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// Blocks of a cluster have neighbouring programs. Those past the last one have that once more, and write behind the
// array.
// CHECK-LABEL: tile.func @clusters
// CHECK: %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK: %[[FIRST:.*]] = arith.subi %{{.*}}, %[[RANK]] : i32
// CHECK: scf.for %[[T:.*]] = %[[FIRST]] to %[[ALL:.*]] step
// CHECK:   %[[WISH:.*]] = arith.addi %[[T]], %[[RANK]] : i32
// CHECK:   %[[LAST:.*]] = arith.subi %[[ALL]], %c1
// CHECK:   arith.minsi %[[WISH]], %[[LAST]] : i32
// CHECK:   %[[REAL:.*]] = arith.cmpi slt, %[[WISH]], %[[ALL]] : i32
// CHECK:   %[[ROW:.*]] = arith.select %[[REAL]], %{{.*}}, %arg3 : i32
// CHECK:   tile_gpu.desc_write %{{.*}}[%[[ROW]], %{{.*}}]
tile.func @clusters(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// One program a block: a loop of one turn, which nothing folds before the roles are made of it.
// CHECK-LABEL: tile.func @one
// CHECK-SAME: tile_gpu.one_program
// CHECK-SAME: tile_gpu.persistent
// CHECK: %[[FIRST:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step
// CHECK: } {tile_gpu.programs}
tile.func @one(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = one, cluster = 2, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// A block for each program, as the grid says.
// CHECK-LABEL: tile.func @grid
// CHECK-NOT: tile_gpu.persistent
// CHECK-NOT: tile_gpu.grid_extent
// CHECK: tile.program_id y
tile.func @grid(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// No schedule, no change.
// CHECK-LABEL: tile.func @none
// CHECK-NEXT: tile.program_id x
// CHECK-NEXT: tile.store
tile.func @none(%out: !tile.ptr<i32>) {
  %x = tile.program_id x
  tile.store %out, %x : !tile.ptr<i32>
  tile.return
}

// Every other round goes backwards, counted from the last, which may be short and does not. As boxes of rows and columns are what a
// program copies, programs stay in groups of rows.
// CHECK-LABEL: tile.func @serpentine
// CHECK: %[[ALL:.*]] = arith.muli
// CHECK: %[[BLOCK:.*]] = tile.program_id x
// CHECK: %[[BLOCKS:.*]] = tile.num_programs x
// CHECK: scf.for %[[T:.*]] = %[[BLOCK]] to %[[ALL]] step %[[BLOCKS]]
// CHECK:   %[[START:.*]] = arith.subi %[[T]], %[[BLOCK]]
// CHECK:   %[[LEFT:.*]] = arith.subi %[[ALL]], %[[START]]
// CHECK:   %[[OTHERS:.*]] = arith.subi %[[LEFT]], %c1
// CHECK:   %[[BEHIND:.*]] = arith.divui %[[OTHERS]], %[[BLOCKS]]
// CHECK:   %[[ODD:.*]] = arith.andi %[[BEHIND]], %c1
// CHECK:   %[[TURNS:.*]] = arith.cmpi ne, %[[ODD]], %c0
// CHECK:   %[[PAST:.*]] = arith.addi %[[START]], %[[BLOCKS]]
// CHECK:   %[[LAST:.*]] = arith.subi %[[PAST]], %c1
// CHECK:   %[[BACK:.*]] = arith.subi %[[LAST]], %[[BLOCK]]
// CHECK:   %[[PROGRAM:.*]] = arith.select %[[TURNS]], %[[BACK]], %[[T]]
// CHECK:   %[[GROUP:.*]] = arith.muli %{{.*}}, %c8
// CHECK:   arith.divui %[[PROGRAM]], %[[GROUP]]
tile.func @serpentine(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = serpentine, group_rows = 8, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// Steps that follow from x, as rows of A do.
// CHECK-LABEL: tile.func @triangle
// CHECK: %[[PROGRAM:.*]] = arith.select
// CHECK: %[[GROUP:.*]] = arith.muli %{{.*}}, %c8
// CHECK: arith.divui %[[PROGRAM]], %[[GROUP]]
tile.func @triangle(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = serpentine, group_rows = 8, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %steps = arith.subi %k, %row : i32
  %sum = scf.for %i = %c0 to %steps step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// What the loop copies follows from y alone: the longest programs of half as many y as there are blocks come first; of a
// twelfth, or a sixth, where the boxes of all of these, 32 KiB a step of %k / 64, are more than the L2 cache holds.
// CHECK-LABEL: tile.func @by_length
// CHECK-DAG: %[[ROWS:.*]] = tile_gpu.grid_extent y
// CHECK: %[[BLOCKS:.*]] = tile.num_programs x
// CHECK: %[[HALF:.*]] = arith.divui %[[BLOCKS]], %c2
// CHECK: %[[FEW:.*]] = arith.maxui %[[HALF]], %c1
// CHECK: %[[WAY:.*]] = arith.maxsi %arg5, %c0
// CHECK: %[[STEPS:.*]] = arith.divui %[[WAY]], %c64
// CHECK: %[[KIB:.*]] = arith.muli %[[STEPS]], %c32
// CHECK: %[[Y:.*]] = arith.minui %[[FEW]], %[[ROWS]]
// CHECK: arith.extui %[[Y]] : i32 to i64
// CHECK: %[[FAR:.*]] = arith.cmpi sgt, %{{.*}}, %c48828_i64
// CHECK: %[[REST:.*]] = arith.remui %[[BLOCKS]], %c12
// CHECK: %[[DIVIDES:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[EACH:.*]] = arith.select %[[DIVIDES]], %c12_i32, %c6_i32
// CHECK: arith.divui %[[BLOCKS]], %[[EACH]]
// CHECK: %[[SOME:.*]] = arith.maxui
// CHECK: %[[GROUPS:.*]] = arith.muli %[[SOME]], %c3
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %[[ROWS]], %[[GROUPS]]
// CHECK: %[[LESS:.*]] = arith.andi %[[FAR]], %[[MANY]]
// CHECK: %[[SIZE:.*]] = arith.select %[[LESS]], %[[SOME]], %[[FEW]]
// CHECK: scf.for
// CHECK: %[[PROGRAM:.*]] = arith.select
// CHECK: %[[GROUP:.*]] = arith.muli %[[SIZE]], %{{.*}}
// CHECK: %[[NUMBER:.*]] = arith.divui %[[PROGRAM]], %[[GROUP]]
// CHECK: %[[WHOLE:.*]] = arith.muli %[[NUMBER]], %[[GROUP]]
// CHECK: %[[INSIDE:.*]] = arith.subi %[[PROGRAM]], %[[WHOLE]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %[[SIZE]]
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: %[[WIDTH:.*]] = arith.minui %[[LEFT]], %[[SIZE]]
// CHECK: %[[X:.*]] = arith.divui %[[INSIDE]], %[[WIDTH]]
// CHECK: arith.muli %[[X]], %c128
tile.func @by_length(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = serpentine, group_rows = 8, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %steps = arith.subi %k, %row : i32
  %sum = scf.for %i = %c0 to %steps step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%column, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// A loop in the loop copies besides, and nobody knows how much: half as many.
// CHECK-LABEL: tile.func @by_length_of_loops
// CHECK: %[[BLOCKS:.*]] = tile.num_programs x
// CHECK: %[[HALF:.*]] = arith.divui %[[BLOCKS]], %c2
// CHECK: %[[SIZE:.*]] = arith.maxui %[[HALF]], %c1
// CHECK-NOT: arith.remui
// CHECK: scf.for
// CHECK: arith.muli %[[SIZE]],
tile.func @by_length_of_loops(%a: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = serpentine, group_rows = 8, stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %x = tile.program_id x
  %row = arith.muli %x, %c128 : i32
  %steps = arith.subi %k, %row : i32
  scf.for %i = %c0 to %steps step %c64 : i32 {
    scf.for %j = %c0 to %n step %c64 : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%j, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    }
  }
  tile.return
}

// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu,gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,convert-nvvm-to-llvm,reconcile-unrealized-casts))' \
// RUN:   | tile-run - --emit=ptx | FileCheck %s --check-prefix=PTX

// Each different description is one parameter, wherever its make_desc stands, and the value of the
// descriptor is that parameter. The box that one copy moves is the same for 64 x 64 and 64 x 256.
// CHECK-LABEL: llvm.func @maps
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr<1>, %{{[^:]*}}: i32, %{{[^:]*}}: i1,
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant},
// CHECK-SAME: %[[B:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant})
// CHECK-SAME: nvvm.reqntid = array<i32: 128>
// CHECK-SAME: tile_gpu.tensor_maps = ["f16 %0 [%1:i32, %1:i32] [%1:i32] box [64, 64] swizzle 128",
// CHECK-SAME: "f16 %0 [%1:i32, %1:i32] [%1:i32] box [128, 32] swizzle 64 padding nan"]
// PTX-LABEL: .entry maps(
// PTX: .param .align 64 .b8 maps_param_3[128],
// PTX: .param .align 64 .b8 maps_param_4[128]
// One prefetch each, of the parameter and not of a copy of it.
// PTX-DAG: mov.b64 %[[A:.*]], maps_param_3;
// PTX-DAG: cvta.param.u64 %[[AT_A:.*]], %[[A]];
// PTX-DAG: mov.b64 %[[B:.*]], maps_param_4;
// PTX-DAG: cvta.param.u64 %[[AT_B:.*]], %[[B]];
// PTX: prefetch.tensormap [%[[AT_A]]];
// PTX-NOT: prefetch
// PTX: prefetch.tensormap [%[[AT_B]]];
// PTX-NOT: prefetch
// PTX-LABEL: .entry expressions(
tile.func @maps(%x: !tile.ptr<f16>, %m: i32, %c: i1) {
  // One thread prefetches each of them, once.
  // CHECK: scf.if
  // CHECK-NEXT: llvm.inline_asm {{.*}}"prefetch.tensormap [$0];", "l" %[[A]]
  // CHECK-NEXT: llvm.inline_asm {{.*}}"prefetch.tensormap [$0];", "l" %[[B]]
  // CHECK-NEXT: }
  // CHECK-NOT: prefetch
  // CHECK: scf.if %{{.*}} -> (!llvm.ptr, !llvm.ptr, !llvm.ptr)
  // CHECK: scf.yield %[[A]], %[[B]], %[[A]] : !llvm.ptr, !llvm.ptr, !llvm.ptr
  // CHECK: scf.yield %[[A]], %[[B]], %[[A]] : !llvm.ptr, !llvm.ptr, !llvm.ptr
  %s = arith.extsi %m : i32 to i64
  %d = tile.make_desc %x, [%m, %m], [%s] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %r:3 = scf.if %c -> (!tile.desc<64x256xf16>, !tile.desc<128x32xf16>, !tile.desc<64x64xf16>) {
    %e = tile.make_desc %x, [%m, %m], [%s] padding nan : !tile.ptr<f16> -> !tile.desc<128x32xf16>
    %f = tile.make_desc %x, [%m, %m], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
    scf.yield %d, %e, %f : !tile.desc<64x256xf16>, !tile.desc<128x32xf16>, !tile.desc<64x64xf16>
  } else {
    %e = tile.make_desc %x, [%m, %m], [%s] padding nan : !tile.ptr<f16> -> !tile.desc<128x32xf16>
    %f = tile.make_desc %x, [%m, %m], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
    scf.yield %d, %e, %f : !tile.desc<64x256xf16>, !tile.desc<128x32xf16>, !tile.desc<64x64xf16>
  }
  tile.return
}

// What the host can compute of arguments, in the words of the description.
// CHECK-LABEL: llvm.func @expressions
// CHECK-SAME: tile_gpu.tensor_maps = ["f32 %0 + (mul:i32 %1:i32 4)
// CHECK-SAME: [(ceildiv:i32 (add:i32 %1:i32 -1) 2), (fit:i32 (min:i64 %2:i64 (max:i64 %1:i32 (div:i64 %2:i64 3)))), 1024]
// CHECK-SAME: [(sub:i64 %2:i64 8), (mul:i64 %2:i64 %1:i32)]
// CHECK-SAME: box [1, 8, 32] swizzle 128"]
tile.func @expressions(%x: !tile.ptr<f32>, %m: i32, %n: i64) {
  %c1 = arith.constant -1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c1024 = arith.constant 1024 : i32
  %c3 = arith.constant 3 : i64
  %c8 = arith.constant 8 : i64
  %offset = arith.muli %m, %c4 : i32
  %base = tile.addptr %x, %offset : !tile.ptr<f32>, i32
  %less = arith.addi %m, %c1 : i32
  %blocks = arith.ceildivsi %less, %c2 : i32
  %wide = arith.extsi %m : i32 to i64
  %third = arith.divsi %n, %c3 : i64
  %most = arith.maxsi %wide, %third : i64
  %least = arith.minsi %n, %most : i64
  %narrow = arith.trunci %least : i64 to i32
  %outer = arith.subi %n, %c8 : i64
  %index = arith.index_cast %m : i32 to index
  %back = arith.index_cast %index : index to i64
  %inner = arith.muli %n, %back : i64
  %d = tile.make_desc %base, [%blocks, %narrow, %c1024], [%outer, %inner] : !tile.ptr<f32> -> !tile.desc<1x8x64xf32>
  %c = arith.cmpi eq, %m, %c2 : i32
  %r = scf.if %c -> !tile.desc<1x8x64xf32> {
    scf.yield %d : !tile.desc<1x8x64xf32>
  } else {
    scf.yield %d : !tile.desc<1x8x64xf32>
  }
  tile.return
}

// A descriptor that nobody reads through costs no parameter, and its operands may be anything.
// CHECK-LABEL: llvm.func @unused(%{{[^,]*}}, %{{[^,]*}}: i32) attributes
// CHECK-NOT: tile_gpu.tensor_maps
// CHECK-NOT: prefetch
// CHECK: llvm.return
tile.func @unused(%x: !tile.ptr<f16>, %m: i32) {
  %pid = tile.program_id x
  %d = tile.make_desc %x, [%pid], [] : !tile.ptr<f16> -> !tile.desc<64xf16>
  tile.return
}

// The real grid's extents stand between the arguments and the maps; the block has more warps than
// those that hold tiles.
// CHECK-LABEL: llvm.func @persistent
// CHECK-SAME: (%[[N:[^:]*]]: i32, %[[X:[^:]*]]: i32, %[[Y:[^:]*]]: i32, %[[Z:[^:]*]]: i32) attributes
// CHECK-SAME: nvvm.reqntid = array<i32: 384>, tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32, tile_gpu.persistent
// PTX-LABEL: .entry persistent(
// PTX: .param .u32 persistent_param_3
// PTX-NEXT: )
// PTX-NEXT: .reqntid 384
tile.func @persistent(%n: i32) attributes {tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32} {
  // CHECK: %[[XY:.*]] = arith.muli %[[X]], %[[Y]] : i32
  // CHECK: arith.addi %[[XY]], %[[Z]] : i32
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %z = tile_gpu.grid_extent z
  %a = arith.muli %x, %y : i32
  %b = arith.addi %a, %z : i32
  tile.return
}

// No argument of the user's in front.
// CHECK-LABEL: llvm.func @nothing
// CHECK-SAME: (%{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32) attributes
tile.func @nothing() attributes {tile_gpu.persistent} {
  tile.return
}

// What the launch is to know besides.
// CHECK-LABEL: llvm.func @clusters_of_one_program
// CHECK-SAME: tile_gpu.one_program
// CHECK-SAME: tile_gpu.persistent
tile.func @clusters_of_one_program() attributes {tile_gpu.persistent, tile_gpu.one_program, tile_gpu.cluster = 2 : i32} {
  tile.return
}

// tile.print and tile.assert: records in device memory, described by the module itself.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
#m = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0]]>
#long = #tile_gpu.layout<register = [[64], [128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>

// The first thread alone has to do with a text and scalars: no scratch, no barrier.
// CHECK-LABEL: llvm.func @scalars
// CHECK-SAME: (%[[X:.*]]: f16)
tile.func @scalars(%x: f16) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 0 : i32} {
  // CHECK: %[[LANE:.*]] = arith.andi
  // CHECK: %[[WARP:.*]] = arith.shrui
  // CHECK: %[[TID:.*]] = arith.ori %[[LANE]], %[[WARP]]
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[TID]]
  // CHECK: scf.if %[[FIRST]] {
  // CHECK:   %[[LOG:.*]] = llvm.mlir.addressof @__tile_console : !llvm.ptr<1>
  // CHECK:   %[[SIZE:.*]] = arith.constant 32 : i64
  // CHECK:   %[[AT:.*]] = llvm.atomicrmw add %[[LOG]], %[[SIZE]] monotonic
  // CHECK:   %[[LAST:.*]] = arith.constant 4194272 : i64
  // CHECK:   %[[FITS:.*]] = arith.cmpi ule, %[[AT]], %[[LAST]]
  // CHECK:   scf.if %[[FITS]] {
  // CHECK:     %[[DATA:.*]] = llvm.getelementptr %[[LOG]]
  // CHECK:     llvm.store %{{.*}} : i32, !llvm.ptr<1>
  // CHECK:     %[[PID:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK:     llvm.store %[[PID]]
  // CHECK:     nvvm.read.ptx.sreg.ctaid.y
  // CHECK:     nvvm.read.ptx.sreg.ctaid.z
  // CHECK:     llvm.store %[[X]], %{{.*}} : f16, !llvm.ptr<1>
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.return
  tile.print "x" %x : f16
  tile.return
}

// The others learn from it where the record lies. Of elements that two warps hold, the first stores.
// CHECK-LABEL: llvm.func @tile
tile.func @tile(%p: i1, %n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 16 : i32} {
  %x = tile.splat %n : i32 -> tensor<64xi32, #v>
  // CHECK: scf.if %arg0 {
  // CHECK:   %[[SLOT:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i32)
  // CHECK:   %[[AT:.*]] = llvm.atomicrmw add
  // CHECK:   llvm.store %[[AT]], %[[SLOT]]
  // CHECK:   gpu.barrier
  // CHECK:   %[[ALL:.*]] = llvm.load %[[SLOT]]
  // CHECK:   arith.cmpi ule, %[[ALL]]
  // CHECK:   %[[COPY:.*]] = arith.andi %{{.*}}, %c1_i32 : i32
  // CHECK:   %[[MINE:.*]] = arith.cmpi eq, %[[COPY]]
  // CHECK:   scf.if %[[MINE]] {
  // CHECK-COUNT-2: llvm.store %{{.*}} : i32, !llvm.ptr<1>
  // CHECK-NOT: llvm.store
  // CHECK: llvm.return
  tile.print "x" %x if %p : tensor<64xi32, #v>
  tile.return
}

// Of 2048 elements the first three and the last three: 16 + 24 bytes, of which the last are moved up.
// CHECK-LABEL: llvm.func @shortened
tile.func @shortened(%n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 16 : i32} {
  %x = tile.splat %n : i32 -> tensor<2048xi32, #long>
  // CHECK: %[[SIZE:.*]] = arith.constant 48 : i64
  // CHECK: llvm.atomicrmw add %{{.*}}, %[[SIZE]]
  // CHECK: gpu.barrier
  // CHECK: %[[HEAD:.*]] = arith.cmpi ult, %[[C:.*]], %c3_i32
  // CHECK: %[[TAIL:.*]] = arith.cmpi uge, %[[C]], %c2045_i32
  // CHECK: %[[SHOWN:.*]] = arith.ori %[[HEAD]], %[[TAIL]]
  // CHECK: %[[MOVED:.*]] = arith.subi %[[C]], %c2042_i32
  // CHECK: arith.select %[[HEAD]], %[[C]], %[[MOVED]]
  // CHECK: scf.if %[[SHOWN]] {
  // CHECK-NEXT: arith.extui
  tile.print "x" %x : tensor<2048xi32, #long>
  tile.return
}

// Of a tile that was padded (tile-pad-extents) its own 50 elements: 200 bytes, rounded up.
// CHECK-LABEL: llvm.func @padded
tile.func @padded(%n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 16 : i32} {
  %x = tile.splat %n : i32 -> tensor<64xi32, #v>
  // CHECK: %[[SIZE:.*]] = arith.constant 224 : i64
  // CHECK: llvm.atomicrmw add %{{.*}}, %[[SIZE]]
  // CHECK: gpu.barrier
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c50_i32
  // CHECK: scf.if %[[IN]] {
  tile.print "x" %x {tile.extents = [array<i64: 50>]} : tensor<64xi32, #v>
  tile.return
}

// The first element that is false, by number, of all threads; then everyone leaves.
// CHECK-LABEL: llvm.func @assert_tile
// CHECK-SAME: (%[[N:.*]]: i32)
tile.func @assert_tile(%n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<8x16xi32, #m>
  %zero = arith.constant dense<0> : tensor<8x16xi32, #m>
  %ok = arith.cmpi sge, %x, %zero : tensor<8x16xi32, #m>
  // CHECK: %[[R0:.*]] = vector.extract %{{.*}}[0] : i1 from vector<2xi1>
  // CHECK: %[[F0:.*]] = arith.xori %[[R0]], %true
  // CHECK: %[[K0:.*]] = arith.subi %c16777216_i32, %{{.*}}
  // CHECK: %[[S0:.*]] = arith.select %[[F0]], %[[K0]], %c0_i32
  // CHECK: %[[W0:.*]] = arith.maxui %c0_i32, %[[S0]]
  // CHECK: %[[W1:.*]] = arith.maxui %[[W0]], %{{.*}}
  // CHECK: %[[OR:.*]] = nvvm.barrier #nvvm.reduction<or> %[[W1]] -> i32
  // CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[OR]], %c0_i32
  // CHECK: %[[MINE:.*]] = arith.cmpi ne, %[[W1]], %c0_i32
  // CHECK: scf.if %[[FAILED]] {
  // CHECK:   scf.if %[[MINE]] {
  // CHECK:     %[[PROGRAM:.*]] = arith.constant 549755813887 : i64
  // CHECK:     %[[LEFT:.*]] = arith.subi %[[PROGRAM]]
  // CHECK:     %[[UP:.*]] = arith.shli %[[LEFT]], %c25_i64
  // CHECK:     %[[INDEX:.*]] = arith.extui %[[W1]]
  // CHECK:     %[[KEY:.*]] = arith.ori %[[UP]], %[[INDEX]]
  // CHECK:     llvm.mlir.addressof @__tile_console_failed
  // CHECK:     llvm.atomicrmw umax %{{.*}}, %[[KEY]] monotonic
  // CHECK:   }
  // CHECK:   llvm.inline_asm has_side_effects "exit;"
  tile.assert %ok, "positive" : tensor<8x16xi1, #m>
  tile.return
}

// A scalar is the same in all threads: they agree without a barrier, and the first one reports.
// CHECK-LABEL: llvm.func @assert_scalar
// CHECK-SAME: (%[[OK:.*]]: i1)
tile.func @assert_scalar(%ok: i1) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 0 : i32} {
  // CHECK: %[[FAILED:.*]] = arith.xori %[[OK]], %true
  // CHECK-NOT: nvvm.barrier
  // CHECK: scf.if %[[FAILED]] {
  // CHECK: llvm.atomicrmw umax
  // CHECK: llvm.inline_asm has_side_effects "exit;"
  tile.assert %ok, "yes" : i1
  tile.return
}

// Fatal ones: each thread for its own elements. Nobody votes or leaves, and nothing is kept for the host.
// CHECK-LABEL: llvm.func @assert_fatal
// CHECK-SAME: (%[[N:.*]]: i32, %[[OK:.*]]: i1)
tile.func @assert_fatal(%n: i32, %ok: i1) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<8x16xi32, #m>
  %zero = arith.constant dense<0> : tensor<8x16xi32, #m>
  %each = arith.cmpi sge, %x, %zero : tensor<8x16xi32, #m>
  // CHECK-NOT: nvvm.barrier
  // CHECK: %[[R0:.*]] = vector.extract %{{.*}}[0] : i1 from vector<2xi1>
  // CHECK: %[[F0:.*]] = arith.xori %[[R0]], %true
  // CHECK: %[[R1:.*]] = vector.extract %{{.*}}[1] : i1 from vector<2xi1>
  // CHECK: %[[F1:.*]] = arith.xori %[[R1]], %true
  // CHECK: %[[ANY:.*]] = arith.ori %[[F0]], %[[F1]]
  // CHECK: %[[ALL:.*]] = arith.xori %[[ANY]], %true
  // CHECK: cf.assert %[[ALL]], "positive"
  tile.assert %each, "positive" fatal : tensor<8x16xi1, #m>
  // CHECK: %[[NOT:.*]] = arith.xori %[[OK]], %true
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  // CHECK: %[[MINE:.*]] = arith.andi %[[NOT]], %[[FIRST]]
  // CHECK: %[[GOOD:.*]] = arith.xori %[[MINE]], %true
  // CHECK: cf.assert %[[GOOD]], "yes"
  tile.assert %ok, "yes" fatal : i1
  // CHECK-NOT: exit
  tile.return
}

// CHECK: llvm.mlir.global external @__tile_console() {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<4194320 x i8>
// CHECK: llvm.mlir.global external @__tile_console_failed() {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<6 x i64>
// CHECK: llvm.mlir.global external constant @__tile_console_sites("print\1F{{.*}}console.mlir\1F32\1F3\1Fx\1Ff16\00
// CHECK-SAME: print\1F{{.*}}console.mlir\1F{{[0-9]+}}\1F3\1Fx\1F64xi32\00
// CHECK-SAME: print\1F{{.*}}\1Fx\1F2048xi32\00
// CHECK-SAME: print\1F{{.*}}\1Fx\1F50xi32\00
// CHECK-SAME: assert\1F{{.*}}\1Fpositive\1F8x16xi1\00
// CHECK-SAME: assert\1F{{.*}}\1Fyes\1Fi1\00")

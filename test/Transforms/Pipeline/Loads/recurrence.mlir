// A recurrence over chunks: each step stores the state, multiplies it, takes that from a tile of its own, stores the result,
// and adds a product of it to the state.
//
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' --mlir-print-ir-after=tile-assign-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' --mlir-print-ir-after=tile-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=RING
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' --mlir-print-ir-after=tile-stage-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' --mlir-print-ir-after=tile-load-ahead -o /dev/null 2>&1 | FileCheck %s --check-prefix=AHEAD
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' --mlir-print-ir-after=tile-allocate-shared -o /dev/null 2>&1 | FileCheck %s --check-prefix=FENCE
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a' --mlir-print-ir-after=convert-tile-to-gpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=GPU

// What the step computes lies as its dots do, though the tile from memory comes first; and that is converted in 16 bits.
// LAYOUT-LABEL: tile.func @states
// LAYOUT: scf.for
// LAYOUT: %[[U:.*]] = tile.load
// LAYOUT: %[[NARROW:.*]] = tile_gpu.convert_layout {{.*}} : tensor<64x64xbf16
// LAYOUT: %[[WIDE:.*]] = arith.extf %[[NARROW]] : tensor<64x64xbf16
// LAYOUT: arith.subf %[[WIDE]],
// LAYOUT-NOT: tile_gpu.convert_layout {{.*}} : tensor<64x64xf32
// LAYOUT: scf.yield

// Its copies lie in a pattern, since threads read them across rows.
// RING-LABEL: tile.func @states
// RING: scf.if
// RING-COUNT-3: tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xbf16, swizzle = 128, stages =

// The state goes to shared memory once, for its dot and for its store.
// STAGE-LABEL: tile.func @states
// STAGE: scf.if
// STAGE: scf.for
// STAGE: tile_gpu.buffer_store %{{.*}}, %[[STATE:[a-z0-9_]*]] :
// STAGE: %[[READ:.*]] = tile_gpu.buffer_load %[[STATE]]
// STAGE: tile.store %{{.*}}, %[[READ]]
// STAGE: tile.dot {{.*}}, %[[STATE]],
// STAGE: scf.yield

// Gates start a step ahead, also that of the chunk's last row.
// AHEAD-LABEL: tile.func @states
// AHEAD: scf.if
// AHEAD: tile.load {{.*}}{tile_gpu.apart} : !tile.ptr<f32>
// AHEAD: tile.load {{.*}}{tile_gpu.apart} : tensor<64x!tile.ptr<f32>
// AHEAD: scf.for
// AHEAD: by wgmma
// AHEAD: tile.load {{.*}}{tile_gpu.apart}
// AHEAD: tile.load {{.*}}{tile_gpu.apart}
// AHEAD: } else {
// AHEAD-NOT: tile_gpu.apart

// Two dots have an operand that threads stored, and there are as many fences.
// FENCE-LABEL: tile.func @states
// FENCE: scf.if
// FENCE: scf.for
// FENCE: tile_gpu.async_wait
// FENCE-NEXT: gpu.barrier {tile_gpu.unfenced}
// FENCE: tile_gpu.buffer_store
// FENCE-NEXT: gpu.barrier{{$}}
// FENCE: by wgmma
// FENCE: tile_gpu.convert_layout {{.*}}tile_gpu.unfenced
// FENCE: tile_gpu.buffer_store
// FENCE-NEXT: gpu.barrier{{$}}
// FENCE: by wgmma
// FENCE: } else {
// GPU-LABEL: @states
// GPU-COUNT-4: nvvm.fence.proxy
// GPU-NOT: nvvm.fence.proxy

tile.func @states(%k: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %u: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                  %w: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f32>,
                  %fresh: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %length: i32) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %chunk = arith.constant 4096 : i32
  %chunks = arith.divsi %length, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %j = %c0 to %chunks step %c1 iter_args(%h = %zero) -> tensor<64x64xf32> : i32 {
    %from = arith.muli %j, %chunk : i32
    %state = arith.truncf %h : tensor<64x64xf32> to tensor<64x64xbf16>
    %po = tile.addptr %out, %from : !tile.ptr<bf16>, i32
    %to = tile.addptr %po, %at : !tile.ptr<bf16>, tensor<64x64xi32>
    tile.store %to, %state : tensor<64x64x!tile.ptr<bf16>>
    %pw = tile.addptr %w, %from : !tile.ptr<bf16>, i32
    %qw = tile.addptr %pw, %at : !tile.ptr<bf16>, tensor<64x64xi32>
    %tw = tile.load %qw : tensor<64x64x!tile.ptr<bf16>>
    %seen = tile.dot %tw, %state, %zero : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    %pu = tile.addptr %u, %from : !tile.ptr<bf16>, i32
    %qu = tile.addptr %pu, %at : !tile.ptr<bf16>, tensor<64x64xi32>
    %tu = tile.load %qu : tensor<64x64x!tile.ptr<bf16>>
    %wide = arith.extf %tu : tensor<64x64xbf16> to tensor<64x64xf32>
    %y = arith.subf %wide, %seen : tensor<64x64xf32>
    %narrow = arith.truncf %y : tensor<64x64xf32> to tensor<64x64xbf16>
    %pf = tile.addptr %fresh, %from : !tile.ptr<bf16>, i32
    %qf = tile.addptr %pf, %at : !tile.ptr<bf16>, tensor<64x64xi32>
    tile.store %qf, %narrow : tensor<64x64x!tile.ptr<bf16>>
    %first = arith.muli %j, %c64 : i32
    %next = arith.addi %first, %c64 : i32
    %end = arith.minsi %next, %length : i32
    %last = arith.subi %end, %c1 : i32
    %pl = tile.addptr %g, %last : !tile.ptr<f32>, i32
    %gate = tile.load %pl : !tile.ptr<f32>
    %pg = tile.addptr %g, %first : !tile.ptr<f32>, i32
    %qg = tile.addptr %pg, %i : !tile.ptr<f32>, tensor<64xi32>
    %gates = tile.load %qg : tensor<64x!tile.ptr<f32>>
    %all = tile.splat %gate : f32 -> tensor<64xf32>
    %less = arith.subf %all, %gates : tensor<64xf32>
    %less_1 = tile.expand_dims %less axis 1 : tensor<64xf32> -> tensor<64x1xf32>
    %less_2 = tile.broadcast %less_1 : tensor<64x1xf32> -> tensor<64x64xf32>
    %gated = arith.mulf %y, %less_2 : tensor<64x64xf32>
    %operand = arith.truncf %gated : tensor<64x64xf32> to tensor<64x64xbf16>
    %pk = tile.addptr %k, %from : !tile.ptr<bf16>, i32
    %qk = tile.addptr %pk, %at : !tile.ptr<bf16>, tensor<64x64xi32>
    %tk = tile.load %qk : tensor<64x64x!tile.ptr<bf16>>
    %turned = tile.trans %tk order [1, 0] : tensor<64x64xbf16> -> tensor<64x64xbf16>
    %less_3 = tile.splat %gate : f32 -> tensor<64x64xf32>
    %kept = arith.mulf %h, %less_3 : tensor<64x64xf32>
    %d = tile.dot %turned, %operand, %kept : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.return
}

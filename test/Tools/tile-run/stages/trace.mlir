// TILE_TRACE shows the decisions of the passes it names, and of those alone.
//
// RUN: env TILE_TRACE=assign-layouts,tile-pipeline tile-run %examples/Matmul/matmul.mlir --args 512 --arch sm_80 --emit=nvvm -o %t 2>&1 | FileCheck %s
// CHECK-NOT: remark: [tile-specialize]
// CHECK: matmul.mlir:[[LOAD:[0-9]+]]:15: remark: [tile-assign-layouts] layout of tile.load: [register: (0,1) (0,2) (0,4)
// CHECK-NEXT: %a_tile = tile.load %a_ptrs, %a_in
// CHECK: remark: [tile-assign-layouts] layout of tile.dot: [register: (0,1) (8,0)
// CHECK: remark: [tile-assign-layouts] layout is converted: from [register: (0,1) (8,0){{.*}}] to [register: (0,1) (0,2) (0,4)
// CHECK: remark: [tile-pipeline] loop is pipelined: 2 loads in rings of 4 stages, 32768 bytes a stage
// CHECK-NEXT: scf.for
// CHECK-NOT: remark: [tile-allocate-shared]

// Refusals are decisions; one pass says its piece once.
// RUN: env TILE_TRACE=all tile-run %examples/Basics/vector_add.mlir --emit=nvvm -o %t 2>&1 | FileCheck %s --check-prefix=ALL
// ALL-COUNT-1: remark: [tile-specialize] kernel is specialized: BLOCK=1024,0/16,1/16,2/16
// ALL-NOT: kernel is specialized
// ALL: remark: [tile-assign-layouts] layout of tile.load
// ALL: remark: [tile-allocate-shared] kernel has 0 bytes of shared memory
// RUN: env TILE_TRACE=accelerate-dot tile-run %examples/Matmul/matmul.mlir -D BM=64 -D num_warps=2 --arch sm_90a --emit=nvvm -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: remark: [tile-accelerate-dot] dot is computed by mma.sync: expected

// Passes run to be traced: nothing is taken from the cache.
// RUN: env TILE_CACHE=%t.cache tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 | count 2
// RUN: env TILE_CACHE=%t.cache TILE_TRACE=specialize tile-run %examples/Basics/vector_add.mlir --target=cpu --repeat 1 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: remark: [tile-specialize] kernel is specialized

// RUN: not env TILE_TRACE=specialize,layouts tile-run %examples/Basics/vector_add.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expected passes in TILE_TRACE, found 'layouts'

// RUN: env TILE_TRACE=accelerate-dot tile-opt %examples/Matmul/matmul.mlir --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=OPT
// OPT: remark: dot is computed by wgmma

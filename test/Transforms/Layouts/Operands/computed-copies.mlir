// A that is computed, element by element, of what the step copies into a ring is computed in the registers that the dot
// takes it from: threads read the ring as those lie, and nothing is stored for the dot. So it is by wgmma and by mma.sync, and
// so is B by mma.sync, also where it is turned round behind that.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts,tile-pipeline,tile-stage-operands,tile-allocate-shared))' | FileCheck %s --check-prefix=RING

// CHECK-LABEL: tile.func @by_wgmma
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[A:.*]] = tile_gpu.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0]]>>
// CHECK: %[[P:.*]] = arith.mulf %[[A]]
// CHECK: tile.dot %[[P]], %{{.*}} by wgmma : tensor<64x64xf16
// RING-LABEL: tile.func @by_wgmma
// RING: scf.for
// RING: %[[A:.*]] = tile_gpu.buffer_load {{.*}} -> tensor<64x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0]
// RING-NOT: tile_gpu.buffer_store
// RING: tile.dot
tile.func @by_wgmma(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                    %pr: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %a0 = tile.expr %pa + col(arange(64)) * 4096 + row(arange(64))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(128))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<64x128xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %rk = tile.expr %pr + %k + row(arange(64))
    %x = tile.load %ak : tensor<64x64x!tile.ptr<f16>>
    %r = tile.load %rk : tensor<1x64x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<64x128x!tile.ptr<f16>>
    %rb = tile.broadcast %r : tensor<1x64xf16> -> tensor<64x64xf16>
    %a = arith.mulf %x, %rb : tensor<64x64xf16>
    %d = tile.dot %a, %b, %acc by wgmma : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %c = tile.expr %pc + col(arange(64)) * 4096 + row(arange(128))
  tile.store %c, %sum : tensor<64x128x!tile.ptr<f32>>
  tile.return
}

// Of two tiles, and by mma.sync, whose warps divide columns, too.
// CHECK-LABEL: tile.func @by_mma
// CHECK: %[[P:.*]] = arith.mulf {{.*}} : tensor<32x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 0], [16, 0]]>>
// CHECK: tile.dot %[[P]], %{{.*}} by mma_sync : tensor<32x64xf16
tile.func @by_mma(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %pr: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %a0 = tile.expr %pa + col(arange(32)) * 4096 + row(arange(64))
  %r0 = tile.expr %pr + col(arange(32)) * 4096 + row(arange(64))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(64))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %rk = tile.expr %r0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %x = tile.load %ak : tensor<32x64x!tile.ptr<f16>>
    %r = tile.load %rk : tensor<32x64x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<64x64x!tile.ptr<f16>>
    %a = arith.mulf %x, %r : tensor<32x64xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %c = tile.expr %pc + col(arange(32)) * 4096 + row(arange(64))
  tile.store %c, %sum : tensor<32x64x!tile.ptr<f32>>
  tile.return
}

// Bytes are not brought so, nor is what comes from in front of the loop: it lies as memory has it, and is stored for the dot.
// CHECK-LABEL: tile.func @held
// CHECK: arith.mulf {{.*}} : tensor<64x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4]
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot %{{.*}}, %{{.*}} by wgmma : !tile_gpu.buffer<64x64xf16
tile.func @held(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                %pr: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %a0 = tile.expr %pa + col(arange(64)) * 4096 + row(arange(64))
  %r0 = tile.expr %pr + col(arange(64)) * 4096 + row(arange(64))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(128))
  %r = tile.load %r0 : tensor<64x64x!tile.ptr<f16>>
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<64x128xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %x = tile.load %ak : tensor<64x64x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<64x128x!tile.ptr<f16>>
    %a = arith.mulf %x, %r : tensor<64x64xf16>
    %d = tile.dot %a, %b, %acc by wgmma : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %c = tile.expr %pc + col(arange(64)) * 4096 + row(arange(128))
  tile.store %c, %sum : tensor<64x128x!tile.ptr<f32>>
  tile.return
}

// Warps that divide columns have a part of B each.
// CHECK-LABEL: tile.func @of_b
// CHECK: %[[P:.*]] = arith.mulf {{.*}} : tensor<32x128xf16, #tile_gpu.layout<register = {{\[\[}}1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{\[\[}}0, 32], [0, 64]]>>
// CHECK: tile.dot %{{.*}}, %[[P]], %{{.*}} by mma_sync : {{.*}}, tensor<32x128xf16
// RING-LABEL: tile.func @of_b
// RING: scf.for
// RING-COUNT-2: tile_gpu.buffer_load {{.*}} -> tensor<32x128xf16, #tile_gpu.layout<register = {{\[\[}}1, 0], [8, 0]
// RING-NOT: tile_gpu.buffer_store
// RING: tile.dot
tile.func @of_b(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %pr: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(32))
  %b0 = tile.expr %pb + col(arange(32)) * 4096 + row(arange(128))
  %r0 = tile.expr %pr + col(arange(32)) * 4096 + row(arange(128))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x128xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %rk = tile.expr %r0 + %k * 4096
    %a = tile.load %ak : tensor<16x32x!tile.ptr<f16>>
    %x = tile.load %bk : tensor<32x128x!tile.ptr<f16>>
    %r = tile.load %rk : tensor<32x128x!tile.ptr<f16>>
    %b = arith.mulf %x, %r : tensor<32x128xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x32xf16>, tensor<32x128xf16> -> tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(128))
  tile.store %c, %sum : tensor<16x128x!tile.ptr<f32>>
  tile.return
}

// Rows of B lie in memory as its columns, are widened, and turned round: so, too.
// CHECK-LABEL: tile.func @of_turned_b
// CHECK: %[[P:.*]] = arith.extf {{.*}} to tensor<64x32xf32, #tile_gpu.layout<register = {{\[\[}}0, 4], [0, 8], [0, 16], [8, 0]], lane = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0]]>>
// CHECK: %[[B:.*]] = tile.trans %[[P]]
// CHECK: tile.dot %{{.*}}, %[[B]], %{{.*}} by mma_sync : {{.*}}, tensor<32x64xf32
// RING-LABEL: tile.func @of_turned_b
// RING: scf.for
// RING: tile_gpu.buffer_load {{.*}} -> tensor<64x32xf16, #tile_gpu.layout<register = {{\[\[}}0, 4], [0, 8]
// RING-NOT: tile_gpu.buffer_store
// RING: tile.dot
tile.func @of_turned_b(%pa: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                       %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(32))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(32))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k
    %a = tile.load %ak : tensor<16x32x!tile.ptr<f32>>
    %x = tile.load %bk : tensor<64x32x!tile.ptr<f16>>
    %w = arith.extf %x : tensor<64x32xf16> to tensor<64x32xf32>
    %b = tile.trans %w order [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x32xf32>, tensor<32x64xf32> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(64))
  tile.store %c, %sum : tensor<16x64x!tile.ptr<f32>>
  tile.return
}

// What is turned round and nothing more the dot reads as it was copied.
// RING-LABEL: tile.func @turned_alone
// RING: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by mma_sync : !tile_gpu.buffer<16x32xf16{{.*}}, !tile_gpu.buffer<32x64xf16
tile.func @turned_alone(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                        %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(32))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(32))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k
    %a = tile.load %ak : tensor<16x32x!tile.ptr<f16>>
    %x = tile.load %bk : tensor<64x32x!tile.ptr<f16>>
    %b = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(64))
  tile.store %c, %sum : tensor<16x64x!tile.ptr<f32>>
  tile.return
}

// Four warps that divide rows would compute all of it each: it is computed once, and stored.
// CHECK-LABEL: tile.func @of_all_rows
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot %{{.*}}, %{{.*}} by mma_sync : !tile_gpu.buffer<128x32xf16{{.*}}, !tile_gpu.buffer<32x16xf16
tile.func @of_all_rows(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %pr: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<128x16xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %a0 = tile.expr %pa + col(arange(128)) * 4096 + row(arange(32))
  %b0 = tile.expr %pb + col(arange(32)) * 4096 + row(arange(16))
  %r0 = tile.expr %pr + col(arange(32)) * 4096 + row(arange(16))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<128x16xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %rk = tile.expr %r0 + %k * 4096
    %a = tile.load %ak : tensor<128x32x!tile.ptr<f16>>
    %x = tile.load %bk : tensor<32x16x!tile.ptr<f16>>
    %r = tile.load %rk : tensor<32x16x!tile.ptr<f16>>
    %b = arith.mulf %x, %r : tensor<32x16xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<128x32xf16>, tensor<32x16xf16> -> tensor<128x16xf32>
    scf.yield %d : tensor<128x16xf32>
  }
  %c = tile.expr %pc + col(arange(128)) * 4096 + row(arange(16))
  tile.store %c, %sum : tensor<128x16x!tile.ptr<f32>>
  tile.return
}

// Where each of several warps would compute all of it, what is dear is computed once, and stored for them: A by warps that divide
// columns, and B by those that divide rows.
// CHECK-LABEL: tile.func @of_dear_a
// CHECK: %[[P:.*]] = math.erf {{.*}} : tensor<16x64xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4]
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by mma_sync : !tile_gpu.buffer<16x64xf16
tile.func @of_dear_a(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(64))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(128))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x128xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %x = tile.load %ak : tensor<16x64x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<64x128x!tile.ptr<f16>>
    %w = arith.extf %x : tensor<16x64xf16> to tensor<16x64xf32>
    %e = math.erf %w : tensor<16x64xf32>
    %a = arith.truncf %e : tensor<16x64xf32> to tensor<16x64xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x64xf16>, tensor<64x128xf16> -> tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(128))
  tile.store %c, %sum : tensor<16x128x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @of_dear_b
// CHECK: %[[P:.*]] = math.erf {{.*}} : tensor<32x64xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4]
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by mma_sync : {{.*}}, !tile_gpu.buffer<32x64xf16
tile.func @of_dear_b(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %a0 = tile.expr %pa + col(arange(64)) * 4096 + row(arange(32))
  %b0 = tile.expr %pb + col(arange(32)) * 4096 + row(arange(64))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %a = tile.load %ak : tensor<64x32x!tile.ptr<f16>>
    %x = tile.load %bk : tensor<32x64x!tile.ptr<f16>>
    %w = arith.extf %x : tensor<32x64xf16> to tensor<32x64xf32>
    %e = math.erf %w : tensor<32x64xf32>
    %b = arith.truncf %e : tensor<32x64xf32> to tensor<32x64xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %c = tile.expr %pc + col(arange(64)) * 4096 + row(arange(64))
  tile.store %c, %sum : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// What is turned round between its copy and what is computed of it is no other: threads read the ring across.
// CHECK-LABEL: tile.func @of_turned
// CHECK: %[[X:.*]] = tile_gpu.convert_layout %{{.*}} -> tensor<64x32xf16, #tile_gpu.layout<register = {{\[\[}}1, 0], [0, 8], [8, 0], [16, 0], [32, 0], [0, 16]], lane = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]
// CHECK: %[[T:.*]] = tile.trans %[[X]]
// CHECK: %[[P:.*]] = arith.mulf %[[T]]
// CHECK: tile.dot %[[P]], %{{.*}} by mma_sync : tensor<32x64xf16
tile.func @of_turned(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %two = arith.constant dense<2.0> : tensor<32x64xf16>
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %a0 = tile.expr %pa + col(arange(64)) * 4096 + row(arange(32))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(64))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %ak = tile.expr %a0 + %k * 4096
    %bk = tile.expr %b0 + %k * 4096
    %x = tile.load %ak : tensor<64x32x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %b = tile.load %bk : tensor<64x64x!tile.ptr<f16>>
    %a = arith.mulf %t, %two : tensor<32x64xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %c = tile.expr %pc + col(arange(32)) * 4096 + row(arange(64))
  tile.store %c, %sum : tensor<32x64x!tile.ptr<f32>>
  tile.return
}

// Sums of 16 x 16 are for two of eight warps: the others would compute all of A as well, which all of them compute once.
// CHECK-LABEL: tile.func @few_sums
// CHECK: %[[P:.*]] = arith.truncf {{.*}} to tensor<16x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2]], lane
// CHECK: tile_gpu.buffer_store %[[P]]
// CHECK: tile.dot %{{.*}}, %{{.*}} by mma_sync : !tile_gpu.buffer<16x64xf16
tile.func @few_sums(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                    %pr: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pc: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32)
    attributes {tile.num_warps = 8 : i32} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(64))
  %r0 = tile.expr %pr + col(arange(16)) * 4096 + row(arange(64))
  %b0 = tile.expr %pb + col(arange(64)) * 4096 + row(arange(16))
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    %ak = tile.expr %a0 + %k
    %rk = tile.expr %r0 + %k
    %bk = tile.expr %b0 + %k * 4096
    %x = tile.load %ak : tensor<16x64x!tile.ptr<f16>>
    %r = tile.load %rk : tensor<16x64x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<64x16x!tile.ptr<f16>>
    %xf = arith.extf %x : tensor<16x64xf16> to tensor<16x64xf32>
    %rf = arith.extf %r : tensor<16x64xf16> to tensor<16x64xf32>
    %e = math.exp %rf : tensor<16x64xf32>
    %f = math.tanh %e : tensor<16x64xf32>
    %m = arith.mulf %xf, %f : tensor<16x64xf32>
    %a = arith.truncf %m : tensor<16x64xf32> to tensor<16x64xf16>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x64xf16>, tensor<64x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(16))
  tile.store %c, %sum : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// Integers of floats take a processor eight times as long as sums: of 32 elements a thread, which another warp would make as well, each is made once.
// CHECK-LABEL: tile.func @made_integers
// CHECK: %[[P:.*]] = arith.fptosi {{.*}} to tensor<16x128xi8, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4]
// CHECK: tile_gpu.buffer_store %[[P]]
// CHECK: tile.dot %{{.*}}, %{{.*}} by mma_sync : !tile_gpu.buffer<16x128xi8
tile.func @made_integers(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                         %pc: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %s: f32, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant dense<0> : tensor<16x32xi32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %scale = tile.splat %s : f32 -> tensor<16x128xf32>
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(128))
  %b0 = tile.expr %pb + col(arange(128)) + row(arange(32)) * 4096
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x32xi32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k
    %x = tile.load %ak : tensor<16x128x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<128x32x!tile.ptr<i8>>
    %xf = arith.extf %x : tensor<16x128xf16> to tensor<16x128xf32>
    %m = arith.mulf %xf, %scale : tensor<16x128xf32>
    %a = arith.fptosi %m : tensor<16x128xf32> to tensor<16x128xi8>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x128xi8>, tensor<128x32xi8> -> tensor<16x32xi32>
    scf.yield %d : tensor<16x32xi32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(32))
  tile.store %c, %sum : tensor<16x32x!tile.ptr<i32>>
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot,tile-assign-layouts,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// A dot with tile.part multiplies so many registers of a thread at a time, from zero on, waits, and adds them: 128 columns of 64
// rows. The second part of B lies 8192 bytes behind the first, and takes its registers.
// CHECK-LABEL: llvm.func @parts
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {$0, {{.*}}, $63}, $64, $65, none, 1, 1;\0A
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-64: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm {{.*}}add.s64 b, $65, 512;\0Awgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {$0, {{.*}}, $63}, $64, b, none, 1, 1;\0A
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-64: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: wgmma
tile.func @parts(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x256xf8E4M3FN>
  %c = arith.constant dense<2.0> : tensor<64x256xf32>
  %d = tile.dot %a, %b, %c {tile.part = 64 : i32} : tensor<64x64xf8E4M3FN>, tensor<64x256xf8E4M3FN> -> tensor<64x256xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x256x!tile.ptr<f32>>
  tile.store %s, %d : tensor<64x256x!tile.ptr<f32>>
  tile.return
}

// One that is scaled first is multiplied as its parts are wanted: a part is scaled and added before the next one begins, and what
// is made of scales alone waits for its part.
// CHECK-LABEL: llvm.func @scaled
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {$0, {{.*}}, $63}, $64, $65, none, 1, 1;\0A
// CHECK: llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-8: arith.mulf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm {{.*}}add.s64 b, $65, 512;\0Awgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {$0, {{.*}}, $63}, $64, b, none, 1, 1;\0A
// CHECK: llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-8: arith.mulf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK-NOT: wgmma
tile.func @scaled(%p: !tile.ptr<f32>, %by: f32) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x256xf8E4M3FN>
  %c = arith.constant dense<2.0> : tensor<64x256xf32>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %scale = tile.splat %by : f32 -> tensor<64x256xf32>
  %d = tile.dot %a, %b, %zero {tile.part = 64 : i32} : tensor<64x64xf8E4M3FN>, tensor<64x256xf8E4M3FN> -> tensor<64x256xf32>
  %x = arith.mulf %d, %scale : tensor<64x256xf32>
  %y = arith.addf %c, %x : tensor<64x256xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x256x!tile.ptr<f32>>
  tile.store %s, %y : tensor<64x256x!tile.ptr<f32>>
  tile.return
}

// Where something else reads the product, too, it is made as a whole.
// CHECK-LABEL: llvm.func @read_twice
// CHECK-COUNT-2: nvvm.wgmma.commit.group.sync.aligned
// CHECK: llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"
// CHECK-NOT: wgmma
// CHECK: arith.mulf
tile.func @read_twice(%p: !tile.ptr<f32>, %by: f32) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x256xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %scale = tile.splat %by : f32 -> tensor<64x256xf32>
  %d = tile.dot %a, %b, %zero {tile.part = 64 : i32} : tensor<64x64xf8E4M3FN>, tensor<64x256xf8E4M3FN> -> tensor<64x256xf32>
  %x = arith.mulf %d, %scale : tensor<64x256xf32>
  %y = arith.addf %x, %scale : tensor<64x256xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x256x!tile.ptr<f32>>
  tile.store %s, %y : tensor<64x256x!tile.ptr<f32>>
  tile.store %s, %d : tensor<64x256x!tile.ptr<f32>>
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// A of the dot is made in its step, of bytes: that of the next step is made under the dot, in other registers, so that two steps
// are a turn. The slots of the bytes and of B are told free when the next dot has started, and all but it are done: what
// threads read for A of a dot, they have read then, without a barrier of their own. Before the first dot there is none.
// CHECK-LABEL: tile.func @weights
// CHECK: } consumer {
// CHECK: scf.if %{{.*}} -> (
// CHECK:   tile_gpu.barrier_wait
// CHECK:   %[[B0:.*]] = tile_gpu.buffer_load
// CHECK-NEXT: %[[A0:.*]] = arith.sitofp %[[B0]]
// CHECK-NOT: tile.dot
// CHECK:   %[[SECOND:.*]] = arith.addi %[[LOWER:.*]], %c64_i32
// CHECK:   %[[LAST:.*]] = arith.subi %[[UPPER:.*]], %c64_i32
// CHECK:   %[[TWO:.*]] = arith.addi %c64_i32, %c64_i32
// CHECK:   %[[LOOP:.*]]:10 = scf.for %[[I:.*]] = %[[SECOND]] to %[[LAST]] step %[[TWO]] iter_args({{.*}} = %[[A0]],
// CHECK:     tile_gpu.buffer_stage %{{.*}}[%[[STAGE:.*]]]
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[D:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:     %[[SUM:.*]] = tile_gpu.dot_wait %[[D]] pending 1 :
// CHECK:     %[[FROM:.*]] = arith.addi %[[LOWER]], %c64_i32
// CHECK:     %[[ANY:.*]] = arith.cmpi ne, %[[I]], %[[FROM]]
// CHECK:     scf.if %[[ANY]] {
// CHECK:       %[[SLOT:.*]] = tile_gpu.buffer_stage
// CHECK:       tile_gpu.barrier_arrive %[[SLOT]]
// CHECK:       %[[READ:.*]] = tile_gpu.buffer_stage
// CHECK:       tile_gpu.barrier_arrive %[[READ]]
// CHECK:     }
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[BYTES:.*]] = tile_gpu.buffer_load
// CHECK-NEXT: %[[A1:.*]] = arith.sitofp %[[BYTES]]
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[D2:.*]] = tile.dot %[[A1]], %{{.*}}, %[[SUM]] by wgmma async
// CHECK:     %[[SUM2:.*]] = tile_gpu.dot_wait %[[D2]] pending 1 :
// CHECK:     scf.if
// CHECK:       tile_gpu.buffer_stage %{{.*}}[%[[STAGE]]]
// CHECK:     %[[A2:.*]] = arith.sitofp
// CHECK:     scf.yield {{.*}}%[[A2]], {{.*}}%[[SUM2]]
// The last step is left where their number is even. What the last two dots read is free behind the last.
// CHECK:   %[[ODD:.*]] = arith.cmpi slt, %[[LOOP]]#9, %[[UPPER]]
// CHECK:   scf.if %[[ODD]]
// CHECK:     tile.dot %[[LOOP]]#2, {{.*}} by wgmma async
// CHECK:     %[[A3:.*]] = arith.sitofp
// CHECK:     tile.dot %[[A3]], {{.*}} by wgmma :
// CHECK:     scf.if
// CHECK:       tile_gpu.barrier_arrive
// CHECK:     tile_gpu.barrier_arrive
// CHECK:   } else {
// CHECK:     tile.dot %[[LOOP]]#2, {{.*}} by wgmma :
// CHECK:     scf.if
// CHECK:       tile_gpu.barrier_arrive
// CHECK:     tile_gpu.barrier_arrive
// CHECK: } else {
// CHECK-NOT: tile_gpu.turn
tile.func @weights(%w: !tile.ptr<i8>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 4096 : i64
  %dw = tile.make_desc %w, [%c64, %n], [%s] : !tile.ptr<i8> -> !tile.desc<64x64xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%c64, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %wt = tile.desc_load %dw[%c0, %i] : !tile.desc<64x64xi8>
    %h = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %bt, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// Where a sum is read in its step, the dot is done there, behind what makes A of the next.
// CHECK-LABEL: tile.func @scaled
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK:     %[[D:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:     arith.sitofp
// CHECK:     %[[SUM:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     arith.mulf %[[SUM]]
// CHECK-NOT: pending 1
// CHECK: tile.return
tile.func @scaled(%w: !tile.ptr<i8>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 4096 : i64
  %dw = tile.make_desc %w, [%c64, %n], [%s] : !tile.ptr<i8> -> !tile.desc<64x64xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%c64, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %wt = tile.desc_load %dw[%c0, %i] : !tile.desc<64x64xi8>
    %h = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %p = tile.dot %h, %bt, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %q = arith.mulf %p, %half : tensor<64x64xf32>
    %d = arith.addf %acc, %q : tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// 128 sums, 32 words of A for each of two dots and what makes them are more than 255 registers: A is made when the dot is done.
// CHECK-LABEL: tile.func @large
// CHECK: } consumer {
// CHECK: tile.dot {{.*}} by wgmma : tensor<128x64xf16
// CHECK-NOT: tile.dot
// CHECK: tile.return
tile.func @large(%w: !tile.ptr<i8>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 4096 : i64
  %dw = tile.make_desc %w, [%c64, %n], [%s] : !tile.ptr<i8> -> !tile.desc<128x64xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %do = tile.make_desc %o, [%c64, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-remark@+1 {{dots are not overlapped: expected two dots on their way to fit the registers of a thread, found more}}
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x128xf32> : i32 {
    %wt = tile.desc_load %dw[%c0, %i] : !tile.desc<128x64xi8>
    %h = arith.sitofp %wt : tensor<128x64xi8> to tensor<128x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x128xf16>
    %d = tile.dot %h, %bt, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<128x128xf32>
  tile.return
}

// Four ops a number take 56 words of a thread beside a dot of 128 cycles: they are computed when it is done.
// CHECK-LABEL: tile.func @long
// CHECK: } consumer {
// CHECK: tile.dot {{.*}} by wgmma : tensor<64x64xf16
// CHECK-NOT: tile.dot
// CHECK: tile.return
tile.func @long(%w: !tile.ptr<i8>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 4096 : i64
  %dw = tile.make_desc %w, [%c64, %n], [%s] : !tile.ptr<i8> -> !tile.desc<64x64xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%c64, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %shift = arith.constant dense<8.0> : tensor<64x64xf16>
  %scale = arith.constant dense<0.5> : tensor<64x64xf16>
  // expected-remark@+1 {{dots are not overlapped: expected an operand that takes a fraction of its dot's time, found one that takes more}}
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %wt = tile.desc_load %dw[%c0, %i] : !tile.desc<64x64xi8>
    %h = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xf16>
    %g = arith.subf %h, %shift : tensor<64x64xf16>
    %f = arith.mulf %g, %scale : tensor<64x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %f, %bt, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

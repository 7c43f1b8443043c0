// Dots of a step are on their way together where a thread's registers hold them: 224 of them are two results of 128 x 128, two sums of
// 128 x 64, and A of one, for two warp groups. What a step touches by pointers takes some of these; the dots are waited for one by one.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-chain-dots))' 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-chain-dots))' 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#sum = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!half = tensor<128x128xf16, #acc>
!sum = tensor<128x64xf32, #sum>
!rows = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!columns = !tile_gpu.buffer<64x128xf16, swizzle = 128, order = [0, 1]>

// CHECK-LABEL: tile.func @boxes
// CHECK: %[[S:.*]] = tile.dot {{.*}} by wgmma async
// CHECK-NEXT: %[[P:.*]] = tile.dot {{.*}} by wgmma async
// CHECK: tile_gpu.dot_wait %[[S]] pending 1 tied
tile.func @boxes(%d: !tile.ptr<f32>, %n: i32, %c: !sum, %ptrs: tensor<128x64x!tile.ptr<f32>, #sum>) attributes {tile.num_warps = 8 : i32} {
  %x = tile_gpu.alloc_shared {guarded} : !rows
  %y = tile_gpu.alloc_shared {guarded} : !rows
  %xt = tile_gpu.buffer_trans %x order [1, 0] : !rows -> !columns
  %yt = tile_gpu.buffer_trans %y order [1, 0] : !rows -> !columns
  %zero = arith.constant dense<0.0> : !acc
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    %r:2 = scf.for %i = %c0 to %n step %c128 iter_args(%v = %c, %w = %c) -> (!sum, !sum) : i32 {
      %score = tile.dot %x, %yt, %zero by wgmma : !rows, !columns -> !acc
      %e = math.exp2 %score : !acc
      %p = tile.dot %y, %xt, %zero by wgmma : !rows, !columns -> !acc
      %a = arith.truncf %e : !acc to !half
      %dv = tile.dot %a, %y, %v by wgmma : !half, !rows -> !sum
      %m = arith.mulf %e, %p : !acc
      %f = arith.truncf %m : !acc to !half
      %dk = tile.dot %f, %x, %w by wgmma : !half, !rows -> !sum
      scf.yield %dv, %dk : !sum, !sum
    }
    tile.print "sums" %r#0, %r#1 : !sum, !sum
  }
  tile.return
}

// CHECK-LABEL: tile.func @pointers
// CHECK: tile.dot
// CHECK-NOT: pending 1 tied
// CHECK: tile.return
// WHY: remark: dots are waited for one by one: expected fewer registers of sums and operands, found more
// WHY-NOT: waited for one by one
tile.func @pointers(%d: !tile.ptr<f32>, %n: i32, %c: !sum, %ptrs: tensor<128x64x!tile.ptr<f32>, #sum>) attributes {tile.num_warps = 8 : i32} {
  %x = tile_gpu.alloc_shared {guarded} : !rows
  %y = tile_gpu.alloc_shared {guarded} : !rows
  %xt = tile_gpu.buffer_trans %x order [1, 0] : !rows -> !columns
  %yt = tile_gpu.buffer_trans %y order [1, 0] : !rows -> !columns
  %zero = arith.constant dense<0.0> : !acc
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    %r:2 = scf.for %i = %c0 to %n step %c128 iter_args(%v = %c, %w = %c) -> (!sum, !sum) : i32 {
      %score = tile.dot %x, %yt, %zero by wgmma : !rows, !columns -> !acc
      %e = math.exp2 %score : !acc
      %p = tile.dot %y, %xt, %zero by wgmma : !rows, !columns -> !acc
      %a = arith.truncf %e : !acc to !half
      %dv = tile.dot %a, %y, %v by wgmma : !half, !rows -> !sum
      %m = arith.mulf %e, %p : !acc
      %f = arith.truncf %m : !acc to !half
      %dk = tile.dot %f, %x, %w by wgmma : !half, !rows -> !sum
      tile.store %ptrs, %c : tensor<128x64x!tile.ptr<f32>, #sum>
      scf.yield %dv, %dk : !sum, !sum
    }
    tile.print "sums" %r#0, %r#1 : !sum, !sum
  }
  tile.return
}

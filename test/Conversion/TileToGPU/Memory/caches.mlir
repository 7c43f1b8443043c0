// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s
// RUN: tile-opt %s --tile-to-cpu | FileCheck %s --check-prefix=CPU

#line = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
!ptrs = tensor<512x!tile.ptr<f32>, #line>

// An operator of PTX, a word for L1 beside none, a policy for L2 in a register.
// CHECK-LABEL: llvm.func @caches
// CHECK: "ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"
// CHECK: %[[FIRST:.*]] = llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l" : () -> i64
// CHECK: "@$9 ld.global.L1::evict_first.L2::cache_hint.v4.b32 {$0, $1, $2, $3}, [$8], $10;", "=r,=r,=r,=r,0,1,2,3,l,b,l"
// CHECK-SAME: %[[FIRST]]
// CHECK: %[[LAST:.*]] = llvm.inline_asm "createpolicy.fractional.L2::evict_last.b64 $0, 1.0;"
// CHECK: "ld.global.ca.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l"
// CHECK-SAME: %[[LAST]]
// CHECK: "st.global.cs.v4.b32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r"
// CHECK: "@$1 st.global.wt.L2::cache_hint.v4.b32 [$0], {$2, $3, $4, $5}, $6;", "l,b,r,r,r,r,l"
// CHECK: "@$1 st.global.L1::evict_first.L2::cache_hint.b32 [$0], $2, $3;", "l,b,r,l"
// CHECK-NOT: llvm.store
// CPU-LABEL: llvm.func @caches
// CPU-NOT: inline_asm
tile.func @caches(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %one: !tile.ptr<f32>, %on: i1) {
  %lanes = tile.arange : tensor<512xi32, #line>
  %base = tile.splat %p : !tile.ptr<f32> -> !ptrs
  %ptrs = tile.addptr %base, %lanes : !ptrs, tensor<512xi32, #line>
  %ons = tile.splat %on : i1 -> tensor<512xi1, #line>
  %a = tile.load %ptrs cache cg : !ptrs
  %b = tile.load %ptrs, %ons evict first : !ptrs
  %c = tile.load %one cache ca evict last : !tile.ptr<f32>
  tile.store %ptrs, %a cache cs : !ptrs
  tile.store %ptrs, %b, %ons cache wt evict last : !ptrs
  tile.store %one, %c evict first : !tile.ptr<f32>
  tile.return
}

// Read again each time, used or not.
// CHECK-LABEL: llvm.func @again
// CHECK: scf.for
// CHECK: "ld.global.cv.b32 $0, [$1];"
tile.func @again(%p: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %unused = tile.load %p cache cv : !tile.ptr<f32>
  }
  tile.return
}

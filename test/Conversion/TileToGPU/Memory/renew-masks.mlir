// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#line = #tile_gpu.layout<register = [[32], [64], [128], [256]], lane = [[1], [2], [4], [8], [16]], warp = []>

// Sixteen predicates are more than there are: behind the branch they are computed again, from a limit that nobody knows to be
// the same.
// CHECK-LABEL: llvm.func @sixteen
tile.func @sixteen(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<16xi32>
  // CHECK-COUNT-16: ld.global
  // CHECK: @never trap;
  // CHECK: %[[N:.*]] = llvm.inline_asm has_side_effects "{{.*}}selp.b32 $0, 0, $1, never;
  // CHECK: %[[LIMIT:.*]] = vector.broadcast %[[N]]
  // CHECK: arith.cmpi slt, %{{.*}}, %[[LIMIT]] : vector<16xi32>
  // CHECK-COUNT-16: st.global
  %i = tile.arange : tensor<512xi32, #line>
  %end = tile.splat %n : i32 -> tensor<512xi32, #line>
  %m = arith.cmpi slt, %i, %end : tensor<512xi32, #line>
  %a = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #line>
  %b = tile.addptr %a, %i : tensor<512x!tile.ptr<f32>, #line>, tensor<512xi32, #line>
  %x = tile.load %b, %m {tile_gpu.issues} : tensor<512x!tile.ptr<f32>, #line>
  %y = arith.negf %x : tensor<512xf32, #line>
  %c = tile.splat %q : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #line>
  %d = tile.addptr %c, %i : tensor<512x!tile.ptr<f32>, #line>, tensor<512xi32, #line>
  tile.store %d, %y, %m : tensor<512x!tile.ptr<f32>, #line>
  tile.return
}

// What memory says is not.
// CHECK-LABEL: llvm.func @loaded
tile.func @loaded(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: @never trap;
  // CHECK-NOT: selp.b32
  // CHECK: llvm.return
  %i = tile.arange : tensor<512xi32, #line>
  %end = tile.splat %n : i32 -> tensor<512xi32, #line>
  %a = tile.splat %p : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>, #line>
  %b = tile.addptr %a, %i : tensor<512x!tile.ptr<i32>, #line>, tensor<512xi32, #line>
  %x = tile.load %b : tensor<512x!tile.ptr<i32>, #line>
  %m = arith.cmpi slt, %x, %end : tensor<512xi32, #line>
  %z = tile.load %b, %m {tile_gpu.issues} : tensor<512x!tile.ptr<i32>, #line>
  %c = tile.splat %q : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>, #line>
  %d = tile.addptr %c, %i : tensor<512x!tile.ptr<i32>, #line>, tensor<512xi32, #line>
  tile.store %d, %z, %m : tensor<512x!tile.ptr<i32>, #line>
  tile.return
}

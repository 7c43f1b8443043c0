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

// The limit lies outside of the loop, where it is what it was: the store behind it compares with that.
// CHECK-LABEL: llvm.func @in_a_loop
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32)
tile.func @in_a_loop(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[OWN:.*]] = vector.broadcast %[[N]] : i32 to vector<16xi32>
  // CHECK: scf.for
  // CHECK: @never trap;
  // CHECK: %[[LIMIT:.*]] = vector.broadcast
  // CHECK: arith.cmpi slt, %{{.*}}, %[[LIMIT]] : vector<16xi32>
  // CHECK: arith.cmpi slt, %{{.*}}, %[[OWN]] : vector<16xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c512 = arith.constant 512 : i32
  %end = tile.splat %n : i32 -> tensor<512xi32, #line>
  %i = tile.arange : tensor<512xi32, #line>
  %a = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #line>
  %c = tile.splat %q : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #line>
  scf.for %k = %c0 to %c512 step %c1 : i32 {
    %first = tile.splat %k : i32 -> tensor<512xi32, #line>
    %at = arith.addi %first, %i : tensor<512xi32, #line>
    %m = arith.cmpi slt, %at, %end : tensor<512xi32, #line>
    %b = tile.addptr %a, %at : tensor<512x!tile.ptr<f32>, #line>, tensor<512xi32, #line>
    %x = tile.load %b, %m {tile_gpu.issues} : tensor<512x!tile.ptr<f32>, #line>
    %d = tile.addptr %c, %at : tensor<512x!tile.ptr<f32>, #line>, tensor<512xi32, #line>
    tile.store %d, %x, %m : tensor<512x!tile.ptr<f32>, #line>
  }
  %last = arith.cmpi slt, %i, %end : tensor<512xi32, #line>
  %zero = arith.constant dense<0.0> : tensor<512xf32, #line>
  %e = tile.addptr %c, %i : tensor<512x!tile.ptr<f32>, #line>, tensor<512xi32, #line>
  tile.store %e, %zero, %last : tensor<512x!tile.ptr<f32>, #line>
  tile.return
}

#long = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = []>

// Positions and mask were made in strips of eight: the limit has as many registers as the positions.
// CHECK-LABEL: llvm.func @in_strips
tile.func @in_strips(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<8xi32>
  // CHECK: @never trap;
  // CHECK: %[[LIMIT:.*]] = vector.broadcast %{{.*}} : i32 to vector<64xi32>
  // CHECK: arith.cmpi slt, %{{.*}}, %[[LIMIT]] : vector<64xi32>
  // CHECK: llvm.return
  %pid = tile.program_id x
  %i = tile.arange : tensor<2048xi32, #long>
  %first = tile.splat %pid : i32 -> tensor<2048xi32, #long>
  %at = arith.addi %first, %i : tensor<2048xi32, #long>
  %end = tile.splat %n : i32 -> tensor<2048xi32, #long>
  %m = arith.cmpi slt, %at, %end : tensor<2048xi32, #long>
  %a = tile.splat %p : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>, #long>
  %b = tile.addptr %a, %at : tensor<2048x!tile.ptr<f32>, #long>, tensor<2048xi32, #long>
  %x = tile.load %b, %m {tile_gpu.issues} : tensor<2048x!tile.ptr<f32>, #long>
  %c = tile.splat %q : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>, #long>
  %d = tile.addptr %c, %at : tensor<2048x!tile.ptr<f32>, #long>, tensor<2048xi32, #long>
  tile.store %d, %x, %m : tensor<2048x!tile.ptr<f32>, #long>
  tile.return
}

// Parts of a tile behind a number, in all threads, are still left out: none is below 0.
// CHECK-LABEL: llvm.func @behind
tile.func @behind(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: @never trap;
  // CHECK: %[[N:.*]] = llvm.inline_asm has_side_effects "{{.*}}selp.b32 $0, 0, $1, never;
  // CHECK: vector.from_elements %[[N]], %[[N]], %[[N]], %[[N]], %[[ZERO:[a-z0-9_]+]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]]
  %i = tile.arange : tensor<512xi32, #line>
  %end = arith.constant dense<100> : tensor<512xi32, #line>
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

// Products whose rows are fewer than wgmma's are computed the other way round.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-transpose-dots))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_80},tile.func(tile-transpose-dots))' 2>/dev/null | FileCheck %s --check-prefix=OLD
// OLD-NOT: tile.trans %{{.*}} : tensor<72x
// OLD: tile.return

// 72 rows would cost as much as 128.
// CHECK-LABEL: tile.func @rows
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x72xf32>
// CHECK: %[[T:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[ZERO]]) -> (tensor<128x72xf32>)
// CHECK: %[[X:.*]] = tile.load {{.*}} : tensor<72x64x!tile.ptr<f16>>
// CHECK: %[[Y:.*]] = tile.load {{.*}} : tensor<64x128x!tile.ptr<f16>>
// CHECK-DAG: %[[YT:.*]] = tile.trans %[[Y]] order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
// CHECK-DAG: %[[XT:.*]] = tile.trans %[[X]] order [1, 0] : tensor<72x64xf16> -> tensor<64x72xf16>
// CHECK: %[[D:.*]] = tile.dot %[[YT]], %[[XT]], %[[S]] : tensor<128x64xf16>, tensor<64x72xf16> -> tensor<128x72xf32>
// CHECK: scf.yield %[[D]] : tensor<128x72xf32>
// CHECK: %[[SUM:.*]] = tile.trans %[[T]] order [1, 0] : tensor<128x72xf32> -> tensor<72x128xf32>
// CHECK: tile.store %{{.*}}, %[[SUM]]
tile.func @rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<72x128xf32>
  %ma = arith.constant dense<0> : tensor<72x64xi32>
  %mb = arith.constant dense<0> : tensor<64x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<72x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<72x64x!tile.ptr<f16>>, tensor<72x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<72x128xf32> : i32 {
    %x = tile.load %pa : tensor<72x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<72x64xf16>, tensor<64x128xf16> -> tensor<72x128xf32>
    scf.yield %d : tensor<72x128xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<72x128x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<72x128x!tile.ptr<f32>>
  tile.return
}

// What of the product is no padding changes sides with it.
// CHECK-LABEL: tile.func @padded
// CHECK: tile.dot {{.*}} {tile.extents = array<i64: 120, 70>} : tensor<128x64xf16>, tensor<64x72xf16> -> tensor<128x72xf32>
tile.func @padded(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<72x128xf32>
  %ma = arith.constant dense<0> : tensor<72x64xi32>
  %mb = arith.constant dense<0> : tensor<64x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<72x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<72x64x!tile.ptr<f16>>, tensor<72x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<72x128xf32> : i32 {
    %x = tile.load %pa : tensor<72x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 70, 120>} : tensor<72x64xf16>, tensor<64x128xf16> -> tensor<72x128xf32>
    scf.yield %d : tensor<72x128xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<72x128x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<72x128x!tile.ptr<f32>>
  tile.return
}

// And 16 wgmma does not have at all. What is transposed already is read as it comes.
// CHECK-LABEL: tile.func @few
// CHECK: %[[X:.*]] = tile.load {{.*}} : tensor<16x64x!tile.ptr<f16>>
// CHECK: %[[Y:.*]] = tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>>
// CHECK: %[[XT:.*]] = tile.trans %[[X]] order [1, 0]
// CHECK: tile.dot %[[Y]], %[[XT]], %{{.*}} : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
tile.func @few(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %ma = arith.constant dense<0> : tensor<16x64xi32>
  %mb = arith.constant dense<0> : tensor<64x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<16x64xf32> : i32 {
    %x = tile.load %pa : tensor<16x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %z = tile.trans %y order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %z, %s : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x64x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<16x64x!tile.ptr<f32>>
  tile.return
}

// Nothing is gained where both are as many, and nothing can be where columns are few, too.
// CHECK-LABEL: tile.func @alike
// CHECK-NOT: tile.trans
// CHECK: tile.return
tile.func @alike(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %ma = arith.constant dense<0> : tensor<64x64xi32>
  %mb = arith.constant dense<0> : tensor<64x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<64x128xf32> : i32 {
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x128x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<64x128x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @small
// CHECK-NOT: tile.trans
// CHECK: tile.return
tile.func @small(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %ma = arith.constant dense<0> : tensor<16x64xi32>
  %mb = arith.constant dense<0> : tensor<64x32xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<16x32xf32> : i32 {
    %x = tile.load %pa : tensor<16x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<16x64xf16>, tensor<64x32xf16> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<16x32x!tile.ptr<f32>>
  tile.return
}

// Two warp groups want 64 columns each for rows.
// CHECK-LABEL: tile.func @groups
// CHECK-NOT: tile.trans
// CHECK: tile.return
tile.func @groups(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %ma = arith.constant dense<0> : tensor<32x64xi32>
  %mb = arith.constant dense<0> : tensor<64x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<32x64xf32> : i32 {
    %x = tile.load %pa : tensor<32x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<32x64x!tile.ptr<f32>>
  tile.return
}

// An operand that is computed would have to be turned round.
// CHECK-LABEL: tile.func @computed
// CHECK-NOT: tile.trans
// CHECK: tile.return
tile.func @computed(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<72x128xf32>
  %ma = arith.constant dense<0> : tensor<72x64xi32>
  %mb = arith.constant dense<0> : tensor<64x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<72x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<72x64x!tile.ptr<f16>>, tensor<72x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<72x128xf32> : i32 {
    %x = tile.load %pa : tensor<72x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %z = arith.addf %x, %x : tensor<72x64xf16>
    // expected-remark @+1 {{dot is not transposed: expected operands from memory that nothing else reads, found others}}
    %d = tile.dot %z, %y, %s : tensor<72x64xf16>, tensor<64x128xf16> -> tensor<72x128xf32>
    scf.yield %d : tensor<72x128xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<72x128x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<72x128x!tile.ptr<f32>>
  tile.return
}

// And so would a product that the loop itself reads.
// CHECK-LABEL: tile.func @scaled
// CHECK-NOT: tile.trans
// CHECK: tile.return
tile.func @scaled(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<72x128xf32>
  %ma = arith.constant dense<0> : tensor<72x64xi32>
  %mb = arith.constant dense<0> : tensor<64x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<72x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %ma : tensor<72x64x!tile.ptr<f16>>, tensor<72x64xi32>
  %pb = tile.addptr %bs, %mb : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<72x128xf32> : i32 {
    %x = tile.load %pa : tensor<72x64x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    // expected-remark @+1 {{dot is not transposed: expected a sum that its loop carries and nothing else reads, found another}}
    %d = tile.dot %x, %y, %s : tensor<72x64xf16>, tensor<64x128xf16> -> tensor<72x128xf32>
    %e = arith.addf %d, %d : tensor<72x128xf32>
    scf.yield %e : tensor<72x128xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<72x128x!tile.ptr<f32>>
  tile.store %cs, %sum : tensor<72x128x!tile.ptr<f32>>
  tile.return
}

// wgmma reads 32 bits with K fastest alone: where B has N fastest and A has K, B's elements go through A's registers.
// CHECK-LABEL: tile.func @across
// CHECK: %[[X:.*]] = tile.desc_load %{{.*}} : !tile.desc<128x32xf32>
// CHECK: %[[Y:.*]] = tile.desc_load %{{.*}} : !tile.desc<32x128xf32>
// CHECK-DAG: %[[YT:.*]] = tile.trans %[[Y]] order [1, 0]
// CHECK-DAG: %[[XT:.*]] = tile.trans %[[X]] order [1, 0]
// CHECK: tile.dot %[[YT]], %[[XT]], %{{.*}} precision tf32x3 : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
tile.func @across(%a: !tile.desc<128x32xf32>, %b: !tile.desc<32x128xf32>, %c: !tile.desc<128x128xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %a[%c0, %k] : !tile.desc<128x32xf32>
    %y = tile.desc_load %b[%k, %c0] : !tile.desc<32x128xf32>
    %d = tile.dot %x, %y, %s precision tf32x3 : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.desc_store %c[%c0, %c0], %sum : !tile.desc<128x128xf32>
  tile.return
}

// So do bytes, though two warp groups have but 64 rows of the transposed product: they divide its columns.
// CHECK-LABEL: tile.func @bytes_across
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x128xf8E4M3FN>, tensor<128x128xf8E5M2> -> tensor<64x128xf32>
tile.func @bytes_across(%a: !tile.desc<128x128xf8E5M2>, %b: !tile.desc<128x64xf8E4M3FN>, %c: !tile.desc<128x64xf32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %k = %c0 to %n step %c128 iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %a[%c0, %k] : !tile.desc<128x128xf8E5M2>
    %y = tile.desc_load %b[%k, %c0] : !tile.desc<128x64xf8E4M3FN>
    %d = tile.dot %x, %y, %s : tensor<128x128xf8E5M2>, tensor<128x64xf8E4M3FN> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.desc_store %c[%c0, %c0], %sum : !tile.desc<128x64xf32>
  tile.return
}

// B with K fastest is read as it lies, as are 16 bits either way; of two operands that lie across one alone could be helped.
// CHECK-LABEL: tile.func @along
// CHECK-NOT: tensor<128x64xf
// CHECK: tile.return
tile.func @along(%a: !tile.desc<64x32xf32>, %b: !tile.desc<128x32xf32>, %h: !tile.desc<64x32xf16>, %g: !tile.desc<32x128xf16>, %m: !tile.desc<32x64xf32>, %q: !tile.desc<32x128xf32>, %c: !tile.desc<64x128xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %sums:3 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %t = %zero, %u = %zero) -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) : i32 {
    %x = tile.desc_load %a[%c0, %k] : !tile.desc<64x32xf32>
    %y = tile.desc_load %b[%c0, %k] : !tile.desc<128x32xf32>
    %yt = tile.trans %y order [1, 0] : tensor<128x32xf32> -> tensor<32x128xf32>
    %d = tile.dot %x, %yt, %s precision tf32 : tensor<64x32xf32>, tensor<32x128xf32> -> tensor<64x128xf32>
    %v = tile.desc_load %h[%c0, %k] : !tile.desc<64x32xf16>
    %w = tile.desc_load %g[%k, %c0] : !tile.desc<32x128xf16>
    %e = tile.dot %v, %w, %t : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
    %i = tile.desc_load %m[%k, %c0] : !tile.desc<32x64xf32>
    %it = tile.trans %i order [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
    %j = tile.desc_load %q[%k, %c0] : !tile.desc<32x128xf32>
    %f = tile.dot %it, %j, %u precision tf32 : tensor<64x32xf32>, tensor<32x128xf32> -> tensor<64x128xf32>
    scf.yield %d, %e, %f : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>
  }
  tile.desc_store %c[%c0, %c0], %sums#0 : !tile.desc<64x128xf32>
  tile.desc_store %c[%c0, %c0], %sums#1 : !tile.desc<64x128xf32>
  tile.desc_store %c[%c0, %c0], %sums#2 : !tile.desc<64x128xf32>
  tile.return
}

// What is computed of a box comes from A's registers; what is computed of what pointers load stays where it is.
// CHECK-LABEL: tile.func @converted_box
// CHECK: %[[Y:.*]] = tile.desc_load %{{.*}} : !tile.desc<64x128xi8>
// CHECK: %[[W:.*]] = arith.sitofp %[[Y]]
// CHECK: %[[WT:.*]] = tile.trans %[[W]] order [1, 0]
// CHECK: tile.dot %[[WT]], %{{.*}}, %{{.*}} : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
tile.func @converted_box(%a: !tile.desc<128x64xf16>, %b: !tile.desc<64x128xi8>, %c: !tile.desc<128x128xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %a[%c0, %k] : !tile.desc<128x64xf16>
    %y = tile.desc_load %b[%k, %c0] : !tile.desc<64x128xi8>
    %w = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf16>
    %d = tile.dot %x, %w, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.desc_store %c[%c0, %c0], %sum : !tile.desc<128x128xf32>
  tile.return
}

// CHECK-LABEL: tile.func @converted_pointers
// CHECK-NOT: tile.trans
// CHECK: tile.return
tile.func @converted_pointers(%a: !tile.desc<128x64xf16>, %b: tensor<64x128x!tile.ptr<i8>>, %c: !tile.desc<128x128xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %a[%c0, %k] : !tile.desc<128x64xf16>
    %y = tile.load %b : tensor<64x128x!tile.ptr<i8>>
    %w = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf16>
    %d = tile.dot %x, %w, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.desc_store %c[%c0, %c0], %sum : !tile.desc<128x128xf32>
  tile.return
}

// Of operands that end within the tile only what lies in front of the end is multiplied.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-narrow-dots))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-narrow-dots))' 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// Zeros that are multiplied all the same: of @ends, whose other operand goes on; and columns that somebody looks at.
// REMARK-COUNT-3: remark: zeros of K are multiplied: expected both operands to end, found one that ends at 96 of 128
// REMARK-COUNT-7: remark: columns from 96 on are computed: expected sums that nobody looks at there, found a reader

// Heads of 160 elements behind tiles of 256: both products of attention.
// CHECK-LABEL: tile.func @both
// CHECK: tile.dot {{.*}} {tile.depth = 160 : i64} : tensor<128x256xf16>, tensor<256x64xf16>
// CHECK: tile.dot {{.*}} {tile.extents = array<i64: 128, 160>} : tensor<128x64xf16>, tensor<64x256xf16>
tile.func @both(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c160 = arith.constant 160 : i32
  %pitch = arith.constant 160 : i64
  %dq = tile.make_desc %q, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %dk = tile.make_desc %k, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %dv = tile.make_desc %v, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %do = tile.make_desc %o, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %a = tile.desc_load %dq[%c0, %c0] : !tile.desc<128x256xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %start = arith.constant dense<0.0> : tensor<128x256xf32>
  %half = arith.constant dense<0.5> : tensor<128x256xf32>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %start) -> tensor<128x256xf32> : i32 {
    %x = tile.desc_load %dk[%j, %c0] : !tile.desc<64x256xf16>
    %b = tile.trans %x order [1, 0] : tensor<64x256xf16> -> tensor<256x64xf16>
    %s = tile.dot %a, %b, %zero : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
    %y = tile.desc_load %dv[%j, %c0] : !tile.desc<64x256xf16>
    %old = arith.mulf %acc, %half : tensor<128x256xf32>
    %new = tile.dot %p, %y, %old : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %new : tensor<128x256xf32>
  }
  %h = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %do[%c0, %c0], %h : !tile.desc<128x256xf16>
  tile.return
}


// Where one operand alone is 0 the other may be infinite; a box that does not begin at the array's start ends earlier; an
// extent that a launch brings is none that is known. A box padded with NaN has no zeros.
// CHECK-LABEL: tile.func @ends
// CHECK: tile.dot {{.*}}, {{.*}}, %{{[^ ]*}} : tensor<128x128xf16>
// CHECK: tile.dot {{.*}} {tile.depth = 96 : i64}
// CHECK: tile.dot {{.*}}, {{.*}}, %{{[^ ]*}} : tensor<128x128xf16>
// CHECK: tile.dot {{.*}}, {{.*}}, %{{[^ ]*}} : tensor<128x128xf16>
// CHECK-NOT: tile.depth
tile.func @ends(%p: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32, %any: tensor<128x128xf16>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c96 = arith.constant 96 : i32
  %c112 = arith.constant 112 : i32
  %pitch = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d96 = tile.make_desc %p, [%n, %c96], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %d112 = tile.make_desc %p, [%n, %c112], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %dn = tile.make_desc %p, [%n, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %nan = tile.make_desc %p, [%n, %c96], [%pitch] padding nan : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %out = tile.make_desc %c, [%n, %n], [%pitch] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %x = tile.desc_load %d96[%c0, %c0] : !tile.desc<128x128xf16>
  %y = tile.desc_load %d112[%c0, %c16] : !tile.desc<128x128xf16>
  %z = tile.desc_load %dn[%c0, %c0] : !tile.desc<128x128xf16>
  %w = tile.desc_load %nan[%c0, %c0] : !tile.desc<128x128xf16>
  %yt = tile.trans %y order [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
  %zt = tile.trans %z order [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
  %wt = tile.trans %w order [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
  %a = tile.dot %any, %yt, %zero : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %b = tile.dot %x, %yt, %a : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %e = tile.dot %x, %zt, %b : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %f = tile.dot %x, %wt, %e : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  tile.desc_store %out[%c0, %c0], %f : !tile.desc<128x128xf32>
  tile.return
}



// Columns of zeros are computed where a row's sum is taken over them, or an array has them.
// CHECK-LABEL: tile.func @seen
// CHECK-NOT: tile.extents
tile.func @seen(%p: !tile.ptr<f16>, %c: !tile.ptr<f32>, %s: tensor<128x!tile.ptr<f32>>, %n: i32, %any: tensor<128x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c96 = arith.constant 96 : i32
  %c128 = arith.constant 128 : i32
  %pitch = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d96 = tile.make_desc %p, [%n, %c96], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %o96 = tile.make_desc %c, [%n, %c96], [%pitch] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %o128 = tile.make_desc %c, [%n, %c128], [%pitch] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %x = tile.desc_load %d96[%c0, %c0] : !tile.desc<64x128xf16>
  %a = tile.dot %any, %x, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %sum = tile.reduce add %a axis 1 : tensor<128x128xf32> -> tensor<128xf32>
  tile.store %s, %sum : tensor<128x!tile.ptr<f32>>
  tile.desc_store %o96[%c0, %c0], %a : !tile.desc<128x128xf32>
  %b = tile.dot %any, %x, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.desc_store %o128[%c0, %c0], %b : !tile.desc<128x128xf32>
  tile.return
}

// They are, too, where another product multiplies them, or what a loop carries of them is looked at behind it.
// CHECK-LABEL: tile.func @seen_further
// CHECK-NOT: tile.extents
// CHECK: tile.return
tile.func @seen_further(%p: !tile.ptr<f16>, %c: !tile.ptr<f32>, %s: tensor<128x!tile.ptr<f32>>, %n: i32, %any: tensor<128x64xf16>, %w: tensor<128x128xf16>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c96 = arith.constant 96 : i32
  %pitch = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d96 = tile.make_desc %p, [%n, %c96], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %o96 = tile.make_desc %c, [%n, %c96], [%pitch] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %x = tile.desc_load %d96[%c0, %c0] : !tile.desc<64x128xf16>
  %a = tile.dot %any, %x, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %h = arith.truncf %a : tensor<128x128xf32> to tensor<128x128xf16>
  %m = tile.dot %h, %w, %zero : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  tile.desc_store %o96[%c0, %c0], %m : !tile.desc<128x128xf32>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x128xf32> : i32 {
    %y = tile.desc_load %d96[%j, %c0] : !tile.desc<64x128xf16>
    %new = tile.dot %any, %y, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %new : tensor<128x128xf32>
  }
  %t = tile.reduce add %sum axis 1 : tensor<128x128xf32> -> tensor<128xf32>
  tile.store %s, %t : tensor<128x!tile.ptr<f32>>
  tile.return
}

// And where the sums are turned round, so that what the array leaves out are rows; where which array they are stored to is chosen, or
// where it ends is not known; and where a box begins anywhere. Products of several batches are told nothing.
// CHECK-LABEL: tile.func @seen_elsewhere
// CHECK-NOT: tile.extents
// CHECK-NOT: tile.depth
// CHECK: tile.return
tile.func @seen_elsewhere(%p: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32, %in: i1, %any: tensor<128x64xf16>, %all: tensor<2x64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c48 = arith.constant 48 : i32
  %c96 = arith.constant 96 : i32
  %pitch = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %d96 = tile.make_desc %p, [%n, %c96], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %d48 = tile.make_desc %p, [%c1, %c48, %c48], [%pitch, %pitch] : !tile.ptr<f16> -> !tile.desc<2x64x64xf16>
  %o96 = tile.make_desc %c, [%n, %c96], [%pitch] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %on = tile.make_desc %c, [%n, %n], [%pitch] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %o48 = tile.make_desc %c, [%c1, %c48, %c48], [%pitch, %pitch] : !tile.ptr<f32> -> !tile.desc<2x64x64xf32>
  %x = tile.desc_load %d96[%c0, %c0] : !tile.desc<64x128xf16>
  %a = tile.dot %any, %x, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %turned = tile.trans %a order [1, 0] : tensor<128x128xf32> -> tensor<128x128xf32>
  tile.desc_store %o96[%c0, %c0], %turned : !tile.desc<128x128xf32>
  %chosen = scf.if %in -> (!tile.desc<128x128xf32>) {
    scf.yield %o96 : !tile.desc<128x128xf32>
  } else {
    scf.yield %on : !tile.desc<128x128xf32>
  }
  %b = tile.dot %any, %x, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.desc_store %chosen[%c0, %c0], %b : !tile.desc<128x128xf32>
  %e = tile.dot %any, %x, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.desc_store %on[%c0, %c0], %e : !tile.desc<128x128xf32>
  %y = tile.desc_load %d96[%c0, %n] : !tile.desc<64x128xf16>
  %f = tile.dot %any, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.desc_store %o96[%c0, %c0], %f : !tile.desc<128x128xf32>
  %z = tile.desc_load %d48[%c0, %c0, %c0] : !tile.desc<2x64x64xf16>
  %g = tile.dot %z, %z, %zeros : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf32>
  tile.desc_store %o48[%c0, %c0, %c0], %g : !tile.desc<2x64x64xf32>
  tile.return
}

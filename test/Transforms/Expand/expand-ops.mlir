// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops))' | FileCheck %s

// CHECK-LABEL: tile.func @swizzle
// CHECK-SAME: (%[[I:.*]]: i32, %[[J:.*]]: i32, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[G:.*]]: i32
tile.func @swizzle(%i: i32, %j: i32, %m: i32, %n: i32, %g: i32, %out: !tile.ptr<i32>) {
  // CHECK: %[[ABOVE:.*]] = arith.muli %[[I]], %[[N]]
  // CHECK: %[[POS:.*]] = arith.addi %[[ABOVE]], %[[J]]
  // CHECK: %[[PER:.*]] = arith.muli %[[G]], %[[N]]
  // CHECK: %[[ID:.*]] = arith.divsi %[[POS]], %[[PER]]
  // CHECK: %[[FIRST:.*]] = arith.muli %[[ID]], %[[G]]
  // CHECK: %[[LEFT:.*]] = arith.subi %[[M]], %[[FIRST]]
  // CHECK: %[[ROWS:.*]] = arith.minsi %[[LEFT]], %[[G]]
  // CHECK: %[[IN:.*]] = arith.remsi %[[POS]], %[[PER]]
  // CHECK: %[[ROW:.*]] = arith.remsi %[[IN]], %[[ROWS]]
  // CHECK: %[[A:.*]] = arith.addi %[[FIRST]], %[[ROW]]
  // CHECK: %[[B:.*]] = arith.divsi %[[IN]], %[[ROWS]]
  // CHECK: tile.store %{{.*}}, %[[A]]
  // CHECK: tile.store %{{.*}}, %[[B]]
  %a, %b = tile.swizzle2d %i, %j, %m, %n, %g : i32
  tile.store %out, %a : !tile.ptr<i32>
  tile.store %out, %b : !tile.ptr<i32>
  tile.return
}

// Nothing to expand: nothing changes.
// CHECK-LABEL: tile.func @plain
// CHECK-NEXT: tile.program_id x
// CHECK-NEXT: tile.store
tile.func @plain(%out: !tile.ptr<i32>) {
  %pid = tile.program_id x
  tile.store %out, %pid : !tile.ptr<i32>
  tile.return
}

// The words of the seed are the key; the counter begins as (offset, 0, 0, 0). Ten rounds of two
// products each, after which the first word's upper 24 bits count.
// CHECK-LABEL: tile.func @rand
// CHECK-SAME: (%[[SEED:.*]]: i64, %[[OUT:.*]]:
tile.func @rand(%seed: i64, %out: tensor<64x!tile.ptr<f32>>) {
  // CHECK: %[[OFFSET:.*]] = tile.arange
  // CHECK: %[[UPPER:.*]] = arith.shrui %[[SEED]], %{{.*}} : i64
  // CHECK: %[[K0:.*]] = arith.trunci %[[SEED]] : i64 to i32
  // CHECK: %[[K1:.*]] = arith.trunci %[[UPPER]] : i64 to i32
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<64xi32>
  // CHECK: %[[WIDE:.*]] = arith.extui %[[OFFSET]] : tensor<64xi32> to tensor<64xi64>
  // CHECK: %[[A:.*]] = arith.constant dense<3528531795> : tensor<64xi64>
  // CHECK: %[[P0:.*]] = arith.muli %[[WIDE]], %[[A]]
  // CHECK: %[[S0:.*]] = arith.shrui %[[P0]]
  // CHECK: %[[H0:.*]] = arith.trunci %[[S0]]
  // CHECK: %[[L0:.*]] = arith.trunci %[[P0]]
  // CHECK: %[[B:.*]] = arith.constant dense<3449720151> : tensor<64xi64>
  // CHECK: %[[P1:.*]] = arith.muli %{{.*}}, %[[B]]
  // CHECK: %[[S1:.*]] = arith.shrui %[[P1]]
  // CHECK: %[[H1:.*]] = arith.trunci %[[S1]]
  // CHECK: %[[X0:.*]] = arith.xori %[[H1]], %[[ZERO]]
  // CHECK: %[[KS0:.*]] = tile.splat %[[K0]]
  // CHECK: arith.xori %[[X0]], %[[KS0]]
  // CHECK: %[[X1:.*]] = arith.xori %[[H0]], %[[ZERO]]
  // CHECK: %[[KS1:.*]] = tile.splat %[[K1]]
  // CHECK: arith.xori %[[X1]], %[[KS1]]
  // The other nine rounds.
  // CHECK-COUNT-18: arith.muli
  // CHECK-NOT: arith.muli
  // CHECK: %[[BITS:.*]] = arith.shrui %{{.*}}, %{{.*}} : tensor<64xi32>
  // CHECK: %[[N:.*]] = arith.uitofp %[[BITS]] : tensor<64xi32> to tensor<64xf32>
  // CHECK: %[[STEP:.*]] = arith.constant dense<5.96046448E-8> : tensor<64xf32>
  // CHECK: %[[R:.*]] = arith.mulf %[[N]], %[[STEP]]
  // CHECK: tile.store %[[OUT]], %[[R]]
  %offset = tile.arange : tensor<64xi32>
  %r = tile.rand %seed, %offset : i64, tensor<64xi32>
  tile.store %out, %r : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A scalar of a seed of 32 bits, whose upper word is 0: no tile is made of it.
// CHECK-LABEL: tile.func @rand_scalar
// CHECK-NOT: tile.splat
// CHECK-NOT: tile.rand
// CHECK: %[[R:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: tile.store %{{.*}}, %[[R]]
tile.func @rand_scalar(%seed: i32, %out: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %r = tile.rand %seed, %pid : i32, i32
  tile.store %out, %r : !tile.ptr<f32>
  tile.return
}

// A power known now takes as many squares as it has bits.
// CHECK-LABEL: tile.func @power
// CHECK-SAME: (%[[X:.*]]: i32, %{{.*}}: !tile.ptr<i32>)
tile.func @power(%x: i32, %out: !tile.ptr<i32>) {
  %n = arith.constant 5 : i32
  // CHECK: %[[X2:.*]] = arith.muli %[[X]], %[[X]]
  // CHECK: %[[X4:.*]] = arith.muli %[[X2]], %[[X2]]
  // CHECK-NOT: arith.muli %[[X4]], %[[X4]]
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt
  // CHECK: %[[ABOVE:.*]] = arith.addi %[[X]], %{{.*}}
  // CHECK: %[[OTHER:.*]] = arith.cmpi ugt, %[[ABOVE]]
  // CHECK: %[[VANISHES:.*]] = arith.andi %[[OTHER]], %[[NEGATIVE]]
  // CHECK: arith.select %[[VANISHES]]
  // CHECK-NOT: math.ipowi
  %r = math.ipowi %x, %n : i32
  tile.store %out, %r : !tile.ptr<i32>
  tile.return
}

// CHECK-LABEL: tile.func private @sincos
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
tile.func private @sincos(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[S:.*]] = math.sin %[[X]] fastmath<nnan> : tensor<8xf32>
  // CHECK: %[[C:.*]] = math.cos %[[X]] fastmath<nnan> : tensor<8xf32>
  // CHECK: arith.subf %[[S]], %[[C]]
  %s, %c = math.sincos %x fastmath<nnan> : tensor<8xf32>
  %d = arith.subf %s, %c : tensor<8xf32>
  tile.return %d : tensor<8xf32>
}

// What is unpacked of words is small, and stays as it is; as an unsigned number what is below 0 is not.
// CHECK-LABEL: tile.func @unpacked
// CHECK-NOT: minsi
// CHECK: arith.sitofp %{{.*}} : tensor<8xi32> to tensor<8xf16>
// CHECK-NOT: arith.ori
// CHECK: arith.sitofp %{{.*}} : tensor<8xi32> to tensor<8xbf16>
// CHECK: arith.minui
// CHECK: arith.uitofp %{{.*}} : tensor<8xi32> to tensor<8xf16>
tile.func @unpacked(%x: tensor<8xi32>, %y: tensor<8xi32>, %halves: tensor<8x!tile.ptr<f16>>, %others: tensor<8x!tile.ptr<bf16>>) {
  %mask = arith.constant dense<15> : tensor<8xi32>
  %number = arith.andi %x, %mask : tensor<8xi32>
  %zero = arith.andi %y, %mask : tensor<8xi32>
  %both = arith.subi %number, %zero : tensor<8xi32>
  %a = arith.sitofp %both : tensor<8xi32> to tensor<8xf16>
  %b = arith.sitofp %both : tensor<8xi32> to tensor<8xbf16>
  %c = arith.uitofp %both : tensor<8xi32> to tensor<8xf16>
  tile.store %halves, %a : tensor<8x!tile.ptr<f16>>
  tile.store %others, %b : tensor<8x!tile.ptr<bf16>>
  tile.store %halves, %c : tensor<8x!tile.ptr<f16>>
  tile.return
}

// f16 ends at 65504, so that clamped numbers round to what they would have.
// CHECK-LABEL: tile.func @to_half
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>, %[[Y:.*]]: i64, %[[Z:.*]]: i16,
tile.func @to_half(%x: tensor<8xi32>, %y: i64, %z: i16, %out: !tile.ptr<f16>, %outs: tensor<8x!tile.ptr<f16>>, %wide: !tile.ptr<f32>) {
  // CHECK: %[[MOST:.*]] = arith.constant dense<65535> : tensor<8xi32>
  // CHECK: %[[LOW:.*]] = arith.minsi %[[X]], %[[MOST]]
  // CHECK: %[[LEAST:.*]] = arith.constant dense<-65535> : tensor<8xi32>
  // CHECK: %[[BOTH:.*]] = arith.maxsi %[[LOW]], %[[LEAST]]
  // CHECK: arith.sitofp %[[BOTH]] : tensor<8xi32> to tensor<8xf16>
  %a = arith.sitofp %x : tensor<8xi32> to tensor<8xf16>
  // CHECK: %[[MOST64:.*]] = arith.constant 65535 : i64
  // CHECK: %[[LOW64:.*]] = arith.minui %[[Y]], %[[MOST64]]
  // CHECK-NEXT: arith.uitofp %[[LOW64]] : i64 to f16
  %b = arith.uitofp %y : i64 to f16
  // 16 bits have no number of 11 significant bits that f16 has not, and f32 holds all.
  // CHECK-NEXT: arith.uitofp %[[Z]] : i16 to f16
  %c = arith.uitofp %z : i16 to f16
  // CHECK-NEXT: arith.uitofp %[[Y]] : i64 to f32
  %d = arith.uitofp %y : i64 to f32
  tile.store %outs, %a : tensor<8x!tile.ptr<f16>>
  tile.store %out, %b : !tile.ptr<f16>
  tile.store %out, %c : !tile.ptr<f16>
  tile.store %wide, %d : !tile.ptr<f32>
  tile.return
}

// bf16 by way of f32 would round twice: integers that f32 does not hold are rounded to odd first.
// CHECK-LABEL: tile.func @to_bf16
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>, %[[Y:.*]]: i64, %[[Z:.*]]: i16,
tile.func @to_bf16(%x: tensor<8xi32>, %y: i64, %z: i16, %out: !tile.ptr<bf16>, %outs: tensor<8x!tile.ptr<bf16>>) {
  // CHECK-DAG: %[[LOW:.*]] = arith.constant dense<255> : tensor<8xi32>
  // CHECK: %[[PART:.*]] = arith.andi %[[X]], %[[LOW]]
  // CHECK: %[[CARRY:.*]] = arith.addi %[[PART]], %[[LOW]]
  // CHECK: %[[STICKY:.*]] = arith.ori %[[X]], %[[CARRY]]
  // CHECK: %[[HIGH:.*]] = arith.constant dense<-256> : tensor<8xi32>
  // CHECK: %[[ODD:.*]] = arith.andi %[[STICKY]], %[[HIGH]]
  // CHECK: %[[LIMIT:.*]] = arith.constant dense<16777216> : tensor<8xi32>
  // CHECK: %[[PLACE:.*]] = arith.addi %[[X]], %[[LIMIT]]
  // CHECK: %[[END:.*]] = arith.constant dense<33554432> : tensor<8xi32>
  // CHECK: %[[FITS:.*]] = arith.cmpi ult, %[[PLACE]], %[[END]]
  // CHECK: %[[ROUNDED:.*]] = arith.select %[[FITS]], %[[X]], %[[ODD]]
  // CHECK: arith.sitofp %[[ROUNDED]] : tensor<8xi32> to tensor<8xbf16>
  %a = arith.sitofp %x : tensor<8xi32> to tensor<8xbf16>
  // CHECK: arith.constant 2047 : i64
  // CHECK: %[[END64:.*]] = arith.constant 9007199254740992 : i64
  // CHECK: arith.cmpi ult, %[[Y]], %[[END64]]
  // CHECK: %[[EXACT:.*]] = arith.uitofp %{{.*}} : i64 to f64
  // CHECK: arith.truncf %[[EXACT]] : f64 to bf16
  %b = arith.uitofp %y : i64 to bf16
  // CHECK-NEXT: arith.uitofp %[[Z]] : i16 to bf16
  %c = arith.uitofp %z : i16 to bf16
  tile.store %outs, %a : tensor<8x!tile.ptr<bf16>>
  tile.store %out, %b : !tile.ptr<bf16>
  tile.store %out, %c : !tile.ptr<bf16>
  tile.return
}

// Of what may be anything something is chosen, a pointer to nothing where it is one.
// CHECK-LABEL: tile.func @poison
// CHECK: %[[X:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: %[[NOWHERE:.*]] = arith.constant 0 : i64
// CHECK: %[[P:.*]] = tile.ptr_cast %[[NOWHERE]] : i64 -> !tile.ptr<f32>
// CHECK: %[[NUMBER:.*]] = arith.constant 0 : i32
// CHECK-NOT: ub.poison
tile.func @poison(%outs: tensor<8x!tile.ptr<f32>>, %out: !tile.ptr<i32>, %c: i1) {
  %x = ub.poison : tensor<8xf32>
  %p = ub.poison : !tile.ptr<f32>
  %i = ub.poison : i32
  tile.store %outs, %x : tensor<8x!tile.ptr<f32>>
  scf.if %c {
    tile.store %out, %i : !tile.ptr<i32>
    %y = tile.load %p : !tile.ptr<f32>
    %z = tile.splat %y : f32 -> tensor<8xf32>
    tile.store %outs, %z : tensor<8x!tile.ptr<f32>>
  }
  tile.return
}

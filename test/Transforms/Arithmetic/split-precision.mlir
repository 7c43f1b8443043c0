// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-precision))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-precision{bf16=true}))' | FileCheck %s --check-prefix=BF16

// The large product comes first, since nothing is computed for it. What tensor cores do not see of each operand, and a little of
// its sign, is multiplied by the other one; of an infinity, from which nothing is left but a NaN, that infinity. What was summed up
// before is added as f32 rounds.
// CHECK-LABEL: tile.func private @split
// BF16-LABEL: tile.func private @split
// BF16-NEXT: tile.dot {{.*}} precision tf32x3
// CHECK-SAME: (%[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x64xf32>, %[[C:.*]]: tensor<64x64xf32>
tile.func private @split(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  // CHECK: %[[X:.*]] = tile.dot %[[A]], %[[B]], %[[NONE]] precision tf32 :
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[A]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[SEEN:.*]] = arith.constant dense<-8192> : tensor<64x32xi32>
  // CHECK: %[[TOP:.*]] = arith.andi %[[BITS]], %[[SEEN]]
  // CHECK: %[[LARGE:.*]] = arith.bitcast %[[TOP]] : tensor<64x32xi32> to tensor<64x32xf32>
  // CHECK: %[[REST:.*]] = arith.subf %[[A]], %[[LARGE]]
  // CHECK: %[[LITTLE:.*]] = arith.constant dense<1.38777878E-17> : tensor<64x32xf32>
  // CHECK: %[[PART:.*]] = math.fma %[[A]], %[[LITTLE]], %[[REST]]
  // CHECK: %[[PARTBITS:.*]] = arith.bitcast %[[PART]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[ALLBITS:.*]] = arith.bitcast %[[A]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[LEAST:.*]] = arith.minsi %[[PARTBITS]], %[[ALLBITS]]
  // CHECK: %[[AS:.*]] = arith.bitcast %[[LEAST]] : tensor<64x32xi32> to tensor<64x32xf32>
  // CHECK: %[[Y:.*]] = tile.dot %[[AS]], %[[B]], %[[X]] precision tf32 :
  // CHECK: %[[BLEAST:.*]] = arith.minsi {{.*}} : tensor<32x64xi32>
  // CHECK-NEXT: %[[BS:.*]] = arith.bitcast %[[BLEAST]] : tensor<32x64xi32> to tensor<32x64xf32>
  // CHECK-NEXT: %[[Z:.*]] = tile.dot %[[A]], %[[BS]], %[[Y]] precision tf32 :
  // CHECK: %[[D:.*]] = arith.addf %[[C]], %[[Z]]
  // CHECK: tile.return %[[D]]
  %d = tile.dot %a, %b, %c precision tf32x3 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %d : tensor<64x64xf32>
}

// Each operand's bf16, and what that leaves. The products of what is left come first: their sum is NaN beside an infinity, and is
// then not wanted.
// CHECK-LABEL: tile.func private @terms
// CHECK-SAME: (%[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x64xf32>, %[[C:.*]]: tensor<64x64xf32>
// BF16-LABEL: tile.func private @terms
tile.func private @terms(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: %[[AL:.*]] = arith.truncf %[[A]] : tensor<64x32xf32> to tensor<64x32xbf16>
  // CHECK: %[[AROUND:.*]] = arith.extf %[[AL]] : tensor<64x32xbf16> to tensor<64x32xf32>
  // CHECK: %[[AREST:.*]] = arith.subf %[[A]], %[[AROUND]]
  // CHECK: %[[AS:.*]] = arith.truncf %[[AREST]] : tensor<64x32xf32> to tensor<64x32xbf16>
  // CHECK: %[[BL:.*]] = arith.truncf %[[B]] : tensor<32x64xf32> to tensor<32x64xbf16>
  // CHECK: %[[BS:.*]] = arith.truncf %{{.*}} : tensor<32x64xf32> to tensor<32x64xbf16>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  // CHECK: %[[X:.*]] = tile.dot %[[AS]], %[[BL]], %[[ZERO]] : tensor<64x32xbf16>
  // CHECK: %[[Y:.*]] = tile.dot %[[AL]], %[[BS]], %[[X]] : tensor<64x32xbf16>
  // CHECK: %[[IS:.*]] = arith.cmpf ord, %[[Y]], %[[Y]]
  // CHECK: %[[FINE:.*]] = arith.select %[[IS]], %[[Y]], %[[ZERO]]
  // CHECK: %[[Z:.*]] = tile.dot %[[AL]], %[[BL]], %[[FINE]] : tensor<64x32xbf16>
  // CHECK: %[[D:.*]] = arith.addf %[[C]], %[[Z]]
  // CHECK: tile.return %[[D]]
  // BF16-COUNT-3: tile.dot {{.*}} : tensor<64x32xbf16>
  %d = tile.dot %a, %b, %c precision bf16x3 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %d : tensor<64x64xf32>
}

// Six, the smallest first, of three terms of each; nothing is added to zeros.
// CHECK-LABEL: tile.func private @six
// CHECK: tile.dot %[[A2:.*]], %[[B0:.*]], %{{.*}} : tensor<64x32xbf16>
// CHECK: tile.dot %[[A1:.*]], %[[B1:.*]], %{{.*}} : tensor<64x32xbf16>
// CHECK: tile.dot %[[A0:.*]], %[[B2:.*]], %{{.*}} : tensor<64x32xbf16>
// CHECK: tile.dot %[[A1]], %[[B0]], %{{.*}} : tensor<64x32xbf16>
// CHECK: tile.dot %[[A0]], %[[B1]], %{{.*}} : tensor<64x32xbf16>
// CHECK: arith.select
// CHECK: %[[D:.*]] = tile.dot %[[A0]], %[[B0]], %{{.*}} : tensor<64x32xbf16>
// CHECK-NEXT: tile.return %[[D]]
tile.func private @six(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero precision bf16x6 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %d : tensor<64x64xf32>
}

// Others stay.
// CHECK-LABEL: tile.func private @plain
// CHECK-NEXT: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 :
// CHECK-NEXT: tile.dot %{{[^:]*}} :
// CHECK-NEXT: tile.return
tile.func private @plain(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %e = tile.dot %a, %b, %d : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %e : tensor<64x64xf32>
}

// Few rows that begin anywhere are read where they lie: the parts are computed of what mma.sync has read.
// CHECK-LABEL: tile.func @ragged
// CHECK: scf.for
// CHECK: tile.dot {{.*}} precision tf32x3
// CHECK-NOT: tile.dot
// CHECK: tile.return
tile.func @ragged(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %pitch: i32, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a_first = tile.expr %a + (col(arange(16)) * %pitch + row(arange(64)))
  %b_first = tile.expr %b + (col(arange(64)) * %pitch + row(arange(64)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<16x64xf32>, tensor<16x64x!tile.ptr<f32>>, tensor<64x64x!tile.ptr<f32>>) : i32 {
    %a_in = tile.expr row(arange(64)) < %k - %i and col(arange(16)) >= 0
    %b_in = tile.expr col(arange(64)) < %k - %i and row(arange(64)) < %n
    %x = tile.load %ap, %a_in : tensor<16x64x!tile.ptr<f32>>
    %y = tile.load %bp, %b_in : tensor<64x64x!tile.ptr<f32>>
    %d = tile.dot %x, %y, %s precision tf32x3 : tensor<16x64xf32>, tensor<64x64xf32> -> tensor<16x64xf32>
    %a_next = tile.expr %ap + 64
    %b_next = tile.expr %bp + 64 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<16x64xf32>, tensor<16x64x!tile.ptr<f32>>, tensor<64x64x!tile.ptr<f32>>
  }
  tile.return
}

// Those that a launch packs are split.
// CHECK-LABEL: tile.func @packed
// CHECK-COUNT-3: tile.dot {{.*}} precision tf32 :
// CHECK-NOT: tile.dot
// CHECK: tile.return
tile.func @packed(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %pitch: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a_first = tile.expr %a + (col(arange(16)) * %pitch + row(arange(64)))
  %b_first = tile.expr %b + (col(arange(64)) * %pitch + row(arange(64)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<16x64xf32>, tensor<16x64x!tile.ptr<f32>>, tensor<64x64x!tile.ptr<f32>>) : i32 {
    %a_in = tile.expr row(arange(64)) < %k - %i and col(arange(16)) >= 0
    %b_in = tile.expr col(arange(64)) < %k - %i and row(arange(64)) < %n
    %x = tile.load %ap, %a_in : tensor<16x64x!tile.ptr<f32>>
    %y = tile.load %bp, %b_in : tensor<64x64x!tile.ptr<f32>>
    %d = tile.dot %x, %y, %s precision tf32x3 : tensor<16x64xf32>, tensor<64x64xf32> -> tensor<16x64xf32>
    %a_next = tile.expr %ap + 64
    %b_next = tile.expr %bp + 64 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<16x64xf32>, tensor<16x64x!tile.ptr<f32>>, tensor<64x64x!tile.ptr<f32>>
  }
  tile.return
}

// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=512" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=512 check" | FileCheck %s --check-prefix=CHECKED
// CHECKED-NOT: llvm.intr.prefetch

!a = tensor<32x64xf32>
!b = tensor<64x32xf32>
!c = tensor<32x32xf32>

// Nobody looks at the sum while the loop runs: its steps are copied, and multiplied four at once (1024 bytes
// of a row of A), in the first step by itself, and in the last one. What the next ones read is fetched
// meanwhile. The sum begins as 0 in the first step, in memory only if there is none.
// CHECK-LABEL: func.func @gathered(
// CHECK: %[[NONE:.*]] = arith.cmpi sge, %{{.*}}, %[[K:.*]] : i32
// CHECK: scf.if %[[NONE]]
// CHECK: scf.for %[[AT:.*]] = %c0_i32 to %[[K]] step %c64_i32 iter_args(%{{.*}} = %c0_i64, %{{.*}} = %c0_i64, %[[STEP:.*]] = %c0_i64)
// CHECK: %[[BY:.*]] = arith.extsi %c64_i32
// CHECK: %[[LAST:.*]] = arith.cmpi ule, %{{.*}}, %[[BY]] : i64
// CHECK: %[[GOES_ON:.*]] = arith.cmpi ugt, %{{.*}}, %[[BY]] : i64
// CHECK: %[[FULL:.*]] = arith.cmpi eq, %[[STEP]], %c3_i64 : i64
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[AT]], %c0_i32 : i32
// CHECK: %[[EITHER:.*]] = arith.ori %[[LAST]], %[[FULL]] : i1
// CHECK: %[[ENDS:.*]] = arith.ori %[[EITHER]], %[[FIRST]] : i1
// CHECK: %[[DEPTH:.*]] = arith.addi %c64_i64, %{{.*}} : i64
// CHECK: scf.if %[[ENDS]]
// CHECK:   %[[READ:.*]] = arith.xori %[[FIRST]], %true
// CHECK:   %[[MASK:.*]] = vector.broadcast %[[READ]] : i1 to vector<16xi1>
// CHECK:   llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK:   scf.for %{{.*}} = %c0_i64 to %[[DEPTH]] step %c1_i64
// CHECK-COUNT-2: "llvm.intr.prefetch"
// CHECK-COUNT-22: vector.fma
// CHECK: %[[NEXT:.*]] = arith.addi %[[STEP]], %c1_i64
// CHECK: arith.select %[[ENDS]], %c0_i64, %[[NEXT]]
tile.func @gathered(%pa: !tile.ptr<f32>, %pb: !tile.ptr<f32>, %pc: !tile.ptr<f32>, %k: i32) {
  %from = arith.constant 0 : i32
  %by = arith.constant 64 : i32
  %row = tile.expr col(arange(32))
  %column = tile.expr row(arange(32))
  %a_first = tile.expr %pa + (%row * %k + row(arange(64)))
  %b_first = tile.expr %pb + (col(arange(64)) * 32 + %column)
  %zero = arith.constant dense<0.0> : !c
  %sum, %x, %y = scf.for %at = %from to %k step %by iter_args(%before = %zero, %as = %a_first, %bs = %b_first)
      -> (!c, tensor<32x64x!tile.ptr<f32>>, tensor<64x32x!tile.ptr<f32>>) : i32 {
    %a = tile.load %as : tensor<32x64x!tile.ptr<f32>>
    %b = tile.load %bs : tensor<64x32x!tile.ptr<f32>>
    %after = tile.dot %a, %b, %before : !a, !b -> !c
    %a_next = tile.expr %as + 64
    %b_next = tile.expr %bs + 2048
    scf.yield %after, %a_next, %b_next : !c, tensor<32x64x!tile.ptr<f32>>, tensor<64x32x!tile.ptr<f32>>
  }
  %cs = tile.expr %pc + (%row * 32 + %column)
  tile.store %cs, %sum : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

// The sum is looked at in each step: each is multiplied by itself.
// CHECK-LABEL: func.func @looked_at(
// CHECK-NOT: llvm.intr.prefetch
// CHECK-NOT: arith.cmpi ule
tile.func @looked_at(%pa: !tile.ptr<f32>, %pb: !tile.ptr<f32>, %pc: !tile.ptr<f32>, %k: i32) {
  %from = arith.constant 0 : i32
  %by = arith.constant 64 : i32
  %row = tile.expr col(arange(32))
  %column = tile.expr row(arange(32))
  %as = tile.expr %pa + (%row * %k + row(arange(64)))
  %bs = tile.expr %pb + (col(arange(64)) * 32 + %column)
  %zero = arith.constant dense<0.0> : !c
  %sum = scf.for %at = %from to %k step %by iter_args(%before = %zero) -> (!c) : i32 {
    %a = tile.load %as : tensor<32x64x!tile.ptr<f32>>
    %b = tile.load %bs : tensor<64x32x!tile.ptr<f32>>
    %after = tile.dot %a, %b, %before : !a, !b -> !c
    %half = arith.mulf %after, %after : !c
    scf.yield %half : !c
  }
  %cs = tile.expr %pc + (%row * 32 + %column)
  tile.store %cs, %sum : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

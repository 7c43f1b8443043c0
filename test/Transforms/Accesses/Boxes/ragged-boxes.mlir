// Sequences that lie behind one another: where each begins and ends is read from memory. Rows are counted from the end, which is
// at 2^30; where that is in the array, first + length, is a dimension of the same stride, moved by 2^30 as well; and the first
// dimension takes both away again, modulo 2^64: 2^26 * (2^37 - 16 * 2 * stride) elements of two bytes. A program behind the end
// would return: without the branch its loop takes no step.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.func @sequences
// CHECK-SAME: %[[Q:[a-z0-9]*]]: !tile.ptr<f16> {{{[^}]*}}}, %[[K:[a-z0-9]*]]: !tile.ptr<f16> {{{[^}]*}}}, %[[OUT:[a-z0-9]*]]: !tile.ptr<f16> {{{[^}]*}}}, %{{[a-z0-9]*}}: !tile.ptr<i32>, %[[S:[a-z0-9]*]]: i32
// CHECK-DAG: %[[FAR:.*]] = arith.constant 1073741824 : i32
// CHECK-DAG: %[[BACK:.*]] = arith.constant 67108864 : i32
// CHECK-DAG: %[[WHOLE:.*]] = arith.constant 137438953472 : i64
// CHECK-DAG: %[[TWICE:.*]] = arith.constant -32 : i64
// CHECK-DAG: %[[PITCH:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK-DAG: %[[MANY:.*]] = arith.muli %[[PITCH]], %[[TWICE]] : i64
// CHECK-DAG: %[[WRAP:.*]] = arith.addi %[[MANY]], %[[WHOLE]] : i64
// CHECK-DAG: %[[DQ:.*]] = tile.make_desc %[[Q]], [%{{.*}}, %{{.*}}, %[[FAR]], %{{.*}}], [%[[WRAP]], %[[PITCH]], %[[PITCH]]] : !tile.ptr<f16> -> !tile.desc<1x1x128x64xf16>
// CHECK-DAG: %[[DK:.*]] = tile.make_desc %[[K]], [%{{.*}}, %{{.*}}, %[[FAR]], %{{.*}}], [%[[WRAP]], %[[PITCH]], %[[PITCH]]] : !tile.ptr<f16> -> !tile.desc<1x1x128x64xf16>
// CHECK-DAG: %[[DOUT:.*]] = tile.make_desc %[[OUT]], [%{{.*}}, %{{.*}}, %[[FAR]], %{{.*}}]
// CHECK: %[[BEGIN:.*]] = tile.load
// CHECK: %[[END:.*]] = tile.load
// CHECK: %[[LENGTH:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[LENGTH]]
// CHECK-NOT: scf.if
// CHECK-DAG: %[[LAST:.*]] = arith.addi %[[END]], %[[FAR]]
// CHECK: tile.desc_load %[[DQ]][%[[BACK]], %[[LAST]], %{{.*}}, %c0
// CHECK: %[[STEPS:.*]] = arith.select %[[RUNS]], %[[LENGTH]], %c0
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[STEPS]]
// CHECK: tile.desc_load %[[DK]][%[[BACK]], %[[LAST]], %{{.*}}, %c0
// CHECK-NOT: tile.load
// CHECK: tile.desc_store %[[DOUT]][%[[BACK]], %[[LAST]],
tile.func @sequences(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %starts: !tile.ptr<i32>, %s: i32 {tile.divisibility = 8 : i32}) {
  %x = tile.program_id x
  %y = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %at = tile.addptr %starts, %y : !tile.ptr<i32>, i32
  %begin = tile.load %at : !tile.ptr<i32>
  %next = tile.addptr %at, %c1 : !tile.ptr<i32>, i32
  %end = tile.load %next : !tile.ptr<i32>
  %length = arith.subi %end, %begin : i32
  %first = arith.muli %x, %c128 : i32
  %runs = arith.cmpi slt, %first, %length : i32
  scf.if %runs {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %none = arith.constant dense<0.0> : tensor<128x128xf32>
    %row = tile.expr col(%first + arange(128))
    %there = tile.expr %row < %length
    %pq = tile.expr %q + ((%begin + %row) * %s + row(arange(64)))
    %tq = tile.load %pq, %there
    %sum = scf.for %j = %c0 to %length step %c128 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
      %key = tile.expr col(%j + arange(128))
      %exists = tile.expr %key < %length
      %pk = tile.expr %k + ((%begin + %key) * %s + row(arange(64)))
      %tk = tile.load %pk, %exists
      %kt = tile.trans %tk order [1, 0]
      %p = tile.dot %tq, %kt, %none
      %h = tile.expr f16(%p)
      %d = tile.dot %h, %tk, %acc
      scf.yield %d : tensor<128x64xf32>
    }
    %result = tile.expr f16(%sum)
    %po = tile.expr %out + ((%begin + %row) * %s + row(arange(64)))
    tile.store %po, %result, %there
  }
  tile.return
}

// What the branch does in both cases is masked; what it divides by is 1 where it would not have divided. Its first load keeps its
// own mask, which is off without the condition, the second has none.
// CHECK-LABEL: tile.func @both
// CHECK-SAME: %{{[a-z0-9]*}}: !tile.ptr<f16> {{{[^}]*}}}, %[[B:[a-z0-9]*]]: tensor<64x64xf16>, %{{[a-z0-9]*}}: !tile.ptr<f32>, %{{[a-z0-9]*}}: !tile.ptr<i32>, %[[M:[a-z0-9]*]]: i32
// CHECK: %[[N:.*]] = tile.load
// CHECK: %[[YES:.*]] = arith.cmpi slt, %{{.*}}, %[[M]]
// CHECK-NOT: scf.if
// CHECK: %[[DIVISOR:.*]] = arith.select %[[YES]], %[[N]], %c1
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]]
// CHECK: %[[ONE:.*]] = tile.load %{{.*}}, %[[YES]] : !tile.ptr<i32>
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: tile.store %{{.*}}, %{{.*}}, %[[OWN:.*]] : tensor<128x!tile.ptr<f32>>
// CHECK: %[[NO:.*]] = arith.cmpi sge, %{{.*}}, %[[M]]
// CHECK: %[[ALL:.*]] = tile.splat %[[NO]] : i1 -> tensor<128xi1>
// CHECK: tile.store %{{.*}}, %{{.*}}, %[[ALL]] : tensor<128x!tile.ptr<f32>>
// CHECK-NEXT: tile.return
tile.func @both(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: tensor<64x64xf16>, %out: !tile.ptr<f32>, %list: !tile.ptr<i32>, %m: i32,
                %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %x = tile.program_id x
  %n = tile.load %list : !tile.ptr<i32>
  %first = arith.muli %x, %c128 : i32
  %yes = arith.cmpi slt, %first, %m : i32
  %zeros = arith.constant dense<0.0> : tensor<128xf32>
  %pt = tile.expr %out + (%first + arange(128))
  scf.if %yes {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %part = arith.divsi %k, %n : i32
    %pp = tile.addptr %list, %part : !tile.ptr<i32>, i32
    %head = tile.load %pp : !tile.ptr<i32>
    %row = tile.expr col(%first + arange(128))
    %there = tile.expr %row < %m
    %sum = scf.for %at = %c0 to %k step %c128 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
      %p = tile.expr %a + ((%head * %m + %row) * %k + row(%at + arange(64)))
      %v = tile.load %p, %there
      %t = tile.dot %v, %b, %s
      scf.yield %t : tensor<128x64xf32>
    }
    %sums = tile.reduce add %sum axis 1
    %own = tile.expr %first + arange(128) < %m
    tile.store %pt, %sums, %own
  } else {
    tile.store %pt, %zeros : tensor<128x!tile.ptr<f32>>
  }
  tile.return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-operands,canonicalize,cse))' | FileCheck %s

// What was bf16 is read as it was, and the other operand, computed, is two of bf16, whose sum has 16 of its bits; the smaller one first.
// CHECK-LABEL: tile.func private @wide_a
// CHECK-SAME: %[[A:[^ :]*]]: tensor<64x32xf32>, %[[B:[^ :]*]]: tensor<64x32xbf16>, %[[C:[^ :]*]]: tensor<64x64xf32>
// CHECK: %[[X:.*]] = math.exp2 %[[A]]
// CHECK: %[[T:.*]] = tile.trans %[[B]] order [1, 0] : tensor<64x32xbf16> -> tensor<32x64xbf16>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : tensor<64x32xf32> to tensor<64x32xi32>
// CHECK: %[[UPPER:.*]] = arith.andi %[[BITS]], %{{.*}} : tensor<64x32xi32>
// CHECK: %[[LARGE:.*]] = arith.bitcast %[[UPPER]] : tensor<64x32xi32> to tensor<64x32xf32>
// CHECK: %[[MINUS:.*]] = arith.negf %[[LARGE]]
// CHECK: %[[REST:.*]] = math.fma %[[X]], %{{.*}}, %[[MINUS]]
// CHECK: %[[SIZE:.*]] = math.absf %[[X]]
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[SIZE]], %{{.*}}
// CHECK: %[[SMALL:.*]] = arith.select %[[IS]], %[[X]], %[[REST]]
// CHECK: %[[LO:.*]] = arith.truncf %[[SMALL]] : tensor<64x32xf32> to tensor<64x32xbf16>
// CHECK: %[[HI:.*]] = arith.truncf %[[LARGE]] : tensor<64x32xf32> to tensor<64x32xbf16>
// CHECK: %[[D:.*]] = tile.dot %[[LO]], %[[T]], %[[C]] : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
// CHECK: %[[E:.*]] = tile.dot %[[HI]], %[[T]], %[[D]] : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
// CHECK: tile.return %[[E]]
tile.func private @wide_a(%a: tensor<64x32xf32>, %b: tensor<64x32xbf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x = math.exp2 %a : tensor<64x32xf32>
  %y = arith.extf %b : tensor<64x32xbf16> to tensor<64x32xf32>
  %t = tile.trans %y order [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %d = tile.dot %x, %t, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %d : tensor<64x64xf32>
}

// CHECK-LABEL: tile.func private @wide_b
// CHECK-SAME: %[[A:[^ :]*]]: tensor<128x32xbf16>
// CHECK: %[[LO:.*]] = arith.truncf
// CHECK: %[[HI:.*]] = arith.truncf
// CHECK: tile.dot %[[A]], %[[LO]],
// CHECK: tile.dot %[[A]], %[[HI]],
tile.func private @wide_b(%a: tensor<128x32xbf16>, %b: tensor<32x64xf32>, %c: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %x = arith.extf %a : tensor<128x32xbf16> to tensor<128x32xf32>
  %y = math.exp2 %b : tensor<32x64xf32>
  %d = tile.dot %x, %y, %c precision tf32 : tensor<128x32xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
  tile.return %d : tensor<128x64xf32>
}

// Queries with their gates have twice as many elements as what they are multiplied by, which is read as it lies in memory.
// CHECK-LABEL: tile.func private @gated
// CHECK: %[[SMALL:.*]] = arith.truncf {{.*}} : tensor<64x64xf32> to tensor<64x64xbf16>
// CHECK: %[[LARGE:.*]] = arith.truncf {{.*}} : tensor<64x64xf32> to tensor<64x64xbf16>
// CHECK-COUNT-2: tile.dot %{{.*}}, %arg1, %{{.*}} : tensor<64x64xbf16>, tensor<64x32xbf16> -> tensor<64x32xf32>
tile.func private @gated(%q: tensor<64x64xf32>, %do: tensor<64x32xbf16>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %x = math.exp2 %q : tensor<64x64xf32>
  %y = arith.extf %do : tensor<64x32xbf16> to tensor<64x32xf32>
  %d = tile.dot %x, %y, %c precision tf32 : tensor<64x64xf32>, tensor<64x32xf32> -> tensor<64x32xf32>
  tile.return %d : tensor<64x32xf32>
}

// Not where mma.sync computes it, not where that is more than twice the numbers that were extended, not beside what is read as it lies in memory, not
// beside f16, whose numbers end at 65504, and not where all of f32 is asked for.
// CHECK-LABEL: tile.func private @stay
// CHECK-NOT: arith.truncf
// CHECK: tile.return
tile.func private @stay(%p: tensor<64x32x!tile.ptr<f32>>, %a: tensor<64x32xf32>, %few: tensor<32x32xf32>, %b: tensor<32x64xbf16>, %h: tensor<32x64xf16>, %g: tensor<32x16xbf16>, %i: tensor<64x16xf32>, %j: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x16xf32>, tensor<32x64xf32>) {
  %x = tile.load %p : tensor<64x32x!tile.ptr<f32>>
  %y = arith.extf %b : tensor<32x64xbf16> to tensor<32x64xf32>
  %z = arith.extf %h : tensor<32x64xf16> to tensor<32x64xf32>
  %v = arith.extf %g : tensor<32x16xbf16> to tensor<32x16xf32>
  %w = math.exp2 %a : tensor<64x32xf32>
  %u = math.exp2 %few : tensor<32x32xf32>
  %1 = tile.dot %x, %y, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %2 = tile.dot %w, %z, %1 precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %3 = tile.dot %w, %y, %2 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %4 = tile.dot %w, %v, %i precision tf32 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %5 = tile.dot %u, %y, %j precision tf32 : tensor<32x32xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  tile.return %3, %4, %5 : tensor<64x64xf32>, tensor<64x16xf32>, tensor<32x64xf32>
}

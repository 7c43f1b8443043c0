// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-scale-maxima,canonicalize))' | FileCheck %s

// The greatest of what a number scales: reduced as it is, and scaled then. The product stays for what is subtracted from it.
// CHECK-LABEL: tile.func private @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf32>, %[[BEFORE:.*]]: tensor<16xf32>)
// CHECK: %[[BASE:.*]] = arith.constant dense<1.44269502> : tensor<16xf32>
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %{{.*}} fastmath<contract> : tensor<16x64xf32>
// CHECK: %[[GREATEST:.*]] = tile.reduce maxnum %[[X]] axis 1
// CHECK: %[[MOST:.*]] = arith.mulf %[[GREATEST]], %[[BASE]] fastmath<contract> : tensor<16xf32>
// CHECK: %[[ALL:.*]] = arith.maxnumf %[[BEFORE]], %[[MOST]]
// CHECK: %[[FAR:.*]] = arith.subf %[[Y]], %{{.*}}
// CHECK: tile.return %[[FAR]], %[[ALL]]
tile.func private @softmax(%x: tensor<16x64xf32>, %before: tensor<16xf32>) -> (tensor<16x64xf32>, tensor<16xf32>) {
  %base = arith.constant dense<1.44269502> : tensor<16x64xf32>
  %y = arith.mulf %base, %x fastmath<contract> : tensor<16x64xf32>
  %most = tile.reduce maxnum %y axis 1 : tensor<16x64xf32> -> tensor<16xf32>
  %all = arith.maxnumf %before, %most : tensor<16xf32>
  %column = tile.expand_dims %all axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %each = tile.broadcast %column : tensor<16x1xf32> -> tensor<16x64xf32>
  %far = arith.subf %y, %each fastmath<contract> : tensor<16x64xf32>
  tile.return %far, %all : tensor<16x64xf32>, tensor<16xf32>
}

// The least, of a row, which is a number.
// CHECK-LABEL: tile.func private @least
// CHECK: %[[LEAST:.*]] = tile.reduce minnum %{{.*}} axis 0 : tensor<64xf32> -> f32
// CHECK: arith.mulf %[[LEAST]], %{{.*}} : f32
tile.func private @least(%x: tensor<64xf32>) -> tensor<64xf32> {
  %part = arith.constant dense<0.3> : tensor<64xf32>
  %scaled = arith.mulf %x, %part fastmath<contract> : tensor<64xf32>
  %least = tile.reduce minnum %scaled axis 0 : tensor<64xf32> -> f32
  %all = tile.splat %least : f32 -> tensor<64xf32>
  %over = arith.subf %scaled, %all fastmath<contract> : tensor<64xf32>
  tile.return %over : tensor<64xf32>
}

// What turns the order, or ends it, stays: a number below 0, one that is not known, 0 and an infinity (NaN where the other is 0), NaN.
// CHECK-LABEL: tile.func private @others
// CHECK-COUNT-5: tile.reduce maxnum
// CHECK-NOT: arith.mulf
// CHECK: tile.return
tile.func private @others(%x: tensor<64xf32>, %s: f32) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %below = arith.constant dense<-0.3> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %infinite = arith.constant dense<0x7F800000> : tensor<64xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<64xf32>
  %all = tile.splat %s : f32 -> tensor<64xf32>
  %a = arith.mulf %x, %below fastmath<contract> : tensor<64xf32>
  %b = arith.mulf %x, %all fastmath<contract> : tensor<64xf32>
  %c = arith.mulf %x, %zero fastmath<contract> : tensor<64xf32>
  %d = arith.mulf %x, %infinite fastmath<contract> : tensor<64xf32>
  %e = arith.mulf %x, %nan fastmath<contract> : tensor<64xf32>
  %maxA = tile.reduce maxnum %a axis 0 : tensor<64xf32> -> f32
  %maxB = tile.reduce maxnum %b axis 0 : tensor<64xf32> -> f32
  %maxC = tile.reduce maxnum %c axis 0 : tensor<64xf32> -> f32
  %maxD = tile.reduce maxnum %d axis 0 : tensor<64xf32> -> f32
  %maxE = tile.reduce maxnum %e axis 0 : tensor<64xf32> -> f32
  %as = tile.splat %maxA : f32 -> tensor<64xf32>
  %bs = tile.splat %maxB : f32 -> tensor<64xf32>
  %cs = tile.splat %maxC : f32 -> tensor<64xf32>
  %ds = tile.splat %maxD : f32 -> tensor<64xf32>
  %es = tile.splat %maxE : f32 -> tensor<64xf32>
  %1 = arith.subf %a, %as fastmath<contract> : tensor<64xf32>
  %2 = arith.subf %b, %bs fastmath<contract> : tensor<64xf32>
  %3 = arith.subf %c, %cs fastmath<contract> : tensor<64xf32>
  %4 = arith.subf %d, %ds fastmath<contract> : tensor<64xf32>
  %5 = arith.subf %e, %es fastmath<contract> : tensor<64xf32>
  tile.return %1, %2, %3, %4, %5 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// A row that is subtracted from products is negated before it is spread; a column, of which a thread has few numbers, is not, nor what
// no product is in front of.
// CHECK-LABEL: tile.func private @row
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf32>, %[[ROW:.*]]: tensor<1x64xf32>, %[[COLUMN:.*]]: tensor<16x1xf32>)
// CHECK: %[[Y:.*]] = arith.mulf %[[X]]
// CHECK: %[[MINUS:.*]] = arith.negf %[[ROW]] : tensor<1x64xf32>
// CHECK: %[[ALL:.*]] = tile.broadcast %[[MINUS]]
// CHECK: arith.addf %[[Y]], %[[ALL]] fastmath<contract>
// CHECK: arith.subf %[[Y]]
// CHECK: arith.subf %[[X]]
tile.func private @row(%x: tensor<16x64xf32>, %row: tensor<1x64xf32>, %column: tensor<16x1xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>) {
  %base = arith.constant dense<1.44269502> : tensor<16x64xf32>
  %y = arith.mulf %x, %base fastmath<contract> : tensor<16x64xf32>
  %rows = tile.broadcast %row : tensor<1x64xf32> -> tensor<16x64xf32>
  %columns = tile.broadcast %column : tensor<16x1xf32> -> tensor<16x64xf32>
  %a = arith.subf %y, %rows fastmath<contract> : tensor<16x64xf32>
  %b = arith.subf %y, %columns fastmath<contract> : tensor<16x64xf32>
  %c = arith.subf %x, %rows fastmath<contract> : tensor<16x64xf32>
  tile.return %a, %b, %c : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>
}

// Sums of products alone, and the greatest of quotients and of sums with a number, are no products' greatest.
// CHECK-LABEL: tile.func private @no_maxima
// CHECK: tile.reduce add
// CHECK-NOT: arith.mulf
// CHECK: tile.reduce maxnum
// CHECK-NOT: arith.divf
// CHECK: tile.reduce maxnum
// CHECK-NOT: arith.addf
// CHECK: tile.return
tile.func private @no_maxima(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %part = arith.constant dense<0.3> : tensor<64xf32>
  %a = arith.mulf %x, %part fastmath<contract> : tensor<64xf32>
  %b = arith.divf %x, %part fastmath<contract> : tensor<64xf32>
  %c = arith.addf %x, %part fastmath<contract> : tensor<64xf32>
  %sum = tile.reduce add %a axis 0 : tensor<64xf32> -> f32
  %mostB = tile.reduce maxnum %b axis 0 : tensor<64xf32> -> f32
  %mostC = tile.reduce maxnum %c axis 0 : tensor<64xf32> -> f32
  %as = tile.splat %sum : f32 -> tensor<64xf32>
  %bs = tile.splat %mostB : f32 -> tensor<64xf32>
  %cs = tile.splat %mostC : f32 -> tensor<64xf32>
  %1 = arith.subf %a, %as fastmath<contract> : tensor<64xf32>
  %2 = arith.subf %b, %bs fastmath<contract> : tensor<64xf32>
  %3 = arith.subf %c, %cs fastmath<contract> : tensor<64xf32>
  tile.return %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

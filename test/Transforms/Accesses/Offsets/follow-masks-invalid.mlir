// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-follow-masks))' -verify-diagnostics

// Rows that are looked up, -1 where there is none. Another mask does not keep the access from row -1, and no mask neither.
tile.func @looked_up(%rows: !tile.ptr<i32>, %x: !tile.ptr<f32>, %another: tensor<64xi1>) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %i = tile.arange : tensor<64xi32>
  %rs = tile.splat %rows : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %rp = tile.addptr %rs, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %row = tile.load %rp : tensor<64x!tile.ptr<i32>>
  %is = arith.cmpi sge, %row, %zero : tensor<64xi32>
  // expected-remark @+1 {{place stays a choice: expected accesses with masks that say what it asks, found another mask}}
  %safe = arith.select %is, %row, %zero : tensor<64xi1>, tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %safe : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp, %another, %none : tensor<64x!tile.ptr<f32>>
  // expected-remark @+1 {{place stays a choice: expected accesses with masks that say what it asks, found one without}}
  %also = arith.select %is, %row, %i : tensor<64xi1>, tensor<64xi32>
  %xq = tile.addptr %xs, %also : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %xq, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Rows that end with the array: nothing is said of what the last program alone has to ask. Nor is it of a number that is stored.
tile.func @ends(%x: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %i = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %is = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %safe = arith.select %is, %i, %zero : tensor<64xi1>, tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %safe : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  tile.store %xp, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @stored(%rows: !tile.ptr<i32>, %is: tensor<64xi1>) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %i = tile.arange : tensor<64xi32>
  %rs = tile.splat %rows : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %rp = tile.addptr %rs, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %row = tile.load %rp : tensor<64x!tile.ptr<i32>>
  %safe = arith.select %is, %row, %zero : tensor<64xi1>, tensor<64xi32>
  tile.store %rp, %safe : tensor<64x!tile.ptr<i32>>
  tile.return
}

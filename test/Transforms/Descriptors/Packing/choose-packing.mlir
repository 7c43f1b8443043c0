// Arrays of products of few rows, or columns, are read where they lie.
// RUN: env TILE_TRACE=choose-packing tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-choose-packing))' 2>/dev/null | FileCheck %s
// RUN: env TILE_TRACE=choose-packing tile-opt %s -o /dev/null --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-choose-packing))' 2>&1 | FileCheck %s --check-prefix=SAYS

// The copy of B would take longer than the product.
// SAYS: arrays are read where they lie, and not packed
// CHECK-LABEL: tile.func @few_rows(
// CHECK-NOT: tile_gpu.packs
// CHECK: scf.for
tile.func @few_rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %pitch: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a_first = tile.expr %a + (col(arange(16)) * %pitch + row(arange(128)))
  %b_first = tile.expr %b + (col(arange(128)) * %pitch + row(arange(64)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<16x64xf32>, tensor<16x128x!tile.ptr<f16>>, tensor<128x64x!tile.ptr<f16>>) : i32 {
    %a_in = tile.expr row(arange(128)) < %k - %i and col(arange(16)) >= 0
    %b_in = tile.expr col(arange(128)) < %k - %i and row(arange(64)) < %n
    %x = tile.load %ap, %a_in : tensor<16x128x!tile.ptr<f16>>
    %y = tile.load %bp, %b_in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
    %a_next = tile.expr %ap + 128
    %b_next = tile.expr %bp + 128 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<16x64xf32>, tensor<16x128x!tile.ptr<f16>>, tensor<128x64x!tile.ptr<f16>>
  }
  tile.return
}

// So would that of A.
// SAYS: arrays are read where they lie, and not packed
// CHECK-LABEL: tile.func @few_columns(
// CHECK-NOT: tile_gpu.packs
// CHECK: scf.for
tile.func @few_columns(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %pitch: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x16xf32>
  %a_first = tile.expr %a + (col(arange(128)) * %pitch + row(arange(64)))
  %b_first = tile.expr %b + (col(arange(64)) * %pitch + row(arange(16)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<128x16xf32>, tensor<128x64x!tile.ptr<f16>>, tensor<64x16x!tile.ptr<f16>>) : i32 {
    %a_in = tile.expr row(arange(64)) < %k - %i and col(arange(128)) >= 0
    %b_in = tile.expr col(arange(64)) < %k - %i and row(arange(16)) < %n
    %x = tile.load %ap, %a_in : tensor<128x64x!tile.ptr<f16>>
    %y = tile.load %bp, %b_in : tensor<64x16x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x16xf16> -> tensor<128x16xf32>
    %a_next = tile.expr %ap + 64
    %b_next = tile.expr %bp + 64 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<128x16xf32>, tensor<128x64x!tile.ptr<f16>>, tensor<64x16x!tile.ptr<f16>>
  }
  tile.return
}

// Of as many rows as columns many programs read each element.
// SAYS: arrays may be packed: expected products of fewer rows or columns
// CHECK-LABEL: tile.func @square(
// CHECK-SAME: tile_gpu.packs
tile.func @square(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %pitch: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a_first = tile.expr %a + (col(arange(64)) * %pitch + row(arange(64)))
  %b_first = tile.expr %b + (col(arange(64)) * %pitch + row(arange(64)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %a_in = tile.expr row(arange(64)) < %k - %i and col(arange(64)) >= 0
    %b_in = tile.expr col(arange(64)) < %k - %i and row(arange(64)) < %n
    %x = tile.load %ap, %a_in : tensor<64x64x!tile.ptr<f16>>
    %y = tile.load %bp, %b_in : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %a_next = tile.expr %ap + 64
    %b_next = tile.expr %bp + 64 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

// A row of which the first elements are masked off is none that ends.
// SAYS: arrays may be packed: expected operands from memory whose rows have no gaps, and end
// CHECK-LABEL: tile.func @gaps(
// CHECK-SAME: tile_gpu.packs
tile.func @gaps(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %pitch: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a_first = tile.expr %a + (col(arange(16)) * %pitch + row(arange(128)))
  %b_first = tile.expr %b + (col(arange(128)) * %pitch + row(arange(64)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<16x64xf32>, tensor<16x128x!tile.ptr<f16>>, tensor<128x64x!tile.ptr<f16>>) : i32 {
    %a_in = tile.expr row(arange(128)) < %k - %i and col(arange(16)) >= 0
    %b_in = tile.expr col(arange(128)) < %k - %i and row(arange(64)) < %n
    %gap = tile.expr row(arange(128)) > 5 and col(arange(16)) >= 0
    %x = tile.load %ap, %gap : tensor<16x128x!tile.ptr<f16>>
    %y = tile.load %bp, %b_in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
    %a_next = tile.expr %ap + 128
    %b_next = tile.expr %bp + 128 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<16x64xf32>, tensor<16x128x!tile.ptr<f16>>, tensor<128x64x!tile.ptr<f16>>
  }
  tile.return
}

// Rows at multiples of 4 bytes are copied by words, beside products by wgmma.
// SAYS: arrays may be packed: expected rows that mma.sync reads as they lie
// CHECK-LABEL: tile.func @words(
// CHECK-SAME: tile_gpu.packs
tile.func @words(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 2 : i32}, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a_first = tile.expr %a + (col(arange(16)) * %pitch + row(arange(128)))
  %b_first = tile.expr %b + (col(arange(128)) * %pitch + row(arange(64)))
  %sum, %p, %q = scf.for %i = %c0 to %k step %step iter_args(%s = %zero, %ap = %a_first, %bp = %b_first) -> (tensor<16x64xf32>, tensor<16x128x!tile.ptr<f16>>, tensor<128x64x!tile.ptr<f16>>) : i32 {
    %x = tile.load %ap : tensor<16x128x!tile.ptr<f16>>
    %y = tile.load %bp : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
    %a_next = tile.expr %ap + 128
    %b_next = tile.expr %bp + 128 * %pitch
    scf.yield %d, %a_next, %b_next : tensor<16x64xf32>, tensor<16x128x!tile.ptr<f16>>, tensor<128x64x!tile.ptr<f16>>
  }
  tile.return
}

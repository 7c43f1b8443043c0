// Programs in the grouped order of Triton's tutorials, without a grid that says how many there are: behind the last group
// a program divides by less than 1 row, and its columns are below 0. But its rows are behind the last, where it stores nothing:
// nobody sees what it loads, and the loads are boxes. Their positions are kept from going below 0, for an engine that need not
// know such positions.
// RUN: tile-opt %s --pass-pipeline='builtin.module(inline,symbol-dce,tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8}))' 2>&1 | FileCheck %s

// Remarks of the stores of @unmasked, @printed and @handed. Where somebody sees what such a program loads, its positions are moved away from 0,
// and the first dimension takes them back.
// CHECK-COUNT-3: remark: stays an access through pointers: expected positions proved >= 0 along dimension
// CHECK-NOT: remark

tile.func private @position(%m: i32, %n: i32, %pid: i32) -> (i32, i32) {
  %tiles_m = tile.expr (%m + 127) div 128
  %tiles_n = tile.expr (%n + 127) div 128
  %each = tile.expr 8 * %tiles_n
  %first = tile.expr %pid div %each * 8
  %left = tile.expr %tiles_m - %first
  %rows = tile.expr min(%left, 8)
  %i = tile.expr %first + %pid rem %each rem %rows
  %j = tile.expr %pid rem %each div %rows
  tile.return %i, %j : i32, i32
}

// CHECK-LABEL: tile.func @masked
// CHECK: tile.desc_load
// CHECK: %[[COLUMN:.*]] = arith.maxsi %{{.*}}, %c0_i32{{.*}} : i32
// CHECK: tile.desc_load %{{.*}}[%{{.*}}, %[[COLUMN]]]
// CHECK: tile.desc_store
tile.func @masked(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                  %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x
  %i, %j = tile.call @position(%m, %n, %pid) : (i32, i32, i32) -> (i32, i32)
  %row = tile.expr col(%i * 128 + arange(128))
  %column = tile.expr row(%j * 128 + arange(128))
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + %column)
    %x = tile.load %pa
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %result = tile.expr f16(%sum)
  %pc = tile.expr %c + (%row * %n + %column)
  %in = tile.expr %row < %m and %column < %n
  tile.store %pc, %result, %in
  tile.return
}

// Two results, and a mask of another kind beside that of the rows.
// CHECK-LABEL: tile.func @two
// CHECK-COUNT-2: tile.desc_load
// CHECK: tile.store
tile.func @two(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
               %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %top: !tile.ptr<f32>, %m: i32 {tile.divisibility = 16 : i32},
               %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x
  %i, %j = tile.call @position(%m, %n, %pid) : (i32, i32, i32) -> (i32, i32)
  %begin = tile.expr %i * 128
  %row = tile.expr col(%begin + arange(128))
  %column = tile.expr row(%j * 128 + arange(128))
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + %column)
    %a_in = tile.expr %row < %m
    %b_in = tile.expr %column < %n
    %x = tile.load %pa, %a_in
    %y = tile.load %pb, %b_in
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %result = tile.expr f16(%sum)
  %pc = tile.expr %c + (%row * %n + %column)
  %seen = tile.expr %row < %m
  tile.store %pc, %result, %seen
  %sums = tile.reduce add %sum axis 1
  %pt = tile.expr %top + (%i * 128 + arange(128))
  %above = tile.expr %begin + arange(128) < %m
  tile.store %pt, %sums, %above
  tile.return
}

// Tiles one after the other: of each step nobody sees anything where it stores nothing.
// CHECK-LABEL: tile.func @steps
// CHECK-COUNT-2: tile.desc_load
// CHECK: tile.desc_store
tile.func @steps(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                 %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                 %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}, %tiles: i32) {
  %pid = tile.program_id x
  %c132 = arith.constant 132 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  scf.for %tile = %pid to %tiles step %c132 : i32 {
    %i, %j = tile.call @position(%m, %n, %tile) : (i32, i32, i32) -> (i32, i32)
    %row = tile.expr col(%i * 128 + arange(128))
    %column = tile.expr row(%j * 128 + arange(128))
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
      %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
      %pb = tile.expr %b + (col(%at + arange(64)) * %n + %column)
      %x = tile.load %pa
      %y = tile.load %pb
      %t = tile.dot %x, %y, %s
      scf.yield %t : tensor<128x128xf32>
    }
    %result = tile.expr f16(%sum)
    %pc = tile.expr %c + (%row * %n + %column)
    %in = tile.expr %row < %m and %column < %n
    tile.store %pc, %result, %in
  }
  tile.return
}

// All that is written has no mask: such a program is seen.
// CHECK-LABEL: tile.func @unmasked
// CHECK: tile.desc_load
// CHECK: %[[COLUMN:.*]] = arith.addi %c1073741824
// CHECK: tile.desc_load %{{.*}}[%c67108864_i32{{.*}}, %[[COLUMN]], %{{.*}}, %c0
// CHECK: tile.store
tile.func @unmasked(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                    %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                    %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x
  %i, %j = tile.call @position(%m, %n, %pid) : (i32, i32, i32) -> (i32, i32)
  %row = tile.expr col(%i * 128 + arange(128))
  %column = tile.expr row(%j * 128 + arange(128))
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + %column)
    %x = tile.load %pa
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %result = tile.expr f16(%sum)
  %pc = tile.expr %c + (%row * %n + %column)
  tile.store %pc, %result
  tile.return
}

// What is printed has no mask.
// CHECK-LABEL: tile.func @printed
// CHECK: tile.desc_load
// CHECK: %[[COLUMN:.*]] = arith.addi %c1073741824
// CHECK: tile.desc_load %{{.*}}[%c67108864_i32{{.*}}, %[[COLUMN]], %{{.*}}, %c0
// CHECK: tile.store
tile.func @printed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x
  %i, %j = tile.call @position(%m, %n, %pid) : (i32, i32, i32) -> (i32, i32)
  %row = tile.expr col(%i * 128 + arange(128))
  %column = tile.expr row(%j * 128 + arange(128))
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + %column)
    %x = tile.load %pa
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  tile.print "sum" %sum : tensor<128x128xf32>
  %result = tile.expr f16(%sum)
  %pc = tile.expr %c + (%row * %n + %column)
  %in = tile.expr %row < %m and %column < %n
  tile.store %pc, %result, %in
  tile.return
}

// A sum that the next tile goes on with: what a step loads that stores nothing is seen behind it.
// CHECK-LABEL: tile.func @handed
// CHECK: tile.desc_load
// CHECK: %[[COLUMN:.*]] = arith.addi %c1073741824
// CHECK: tile.desc_load %{{.*}}[%c67108864_i32{{.*}}, %[[COLUMN]], %{{.*}}, %c0
// CHECK: tile.return
tile.func @handed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                  %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}, %tiles: i32) {
  %pid = tile.program_id x
  %c132 = arith.constant 132 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %all = scf.for %tile = %pid to %tiles step %c132 iter_args(%before = %zero) -> (tensor<128x128xf32>) : i32 {
    %i, %j = tile.call @position(%m, %n, %tile) : (i32, i32, i32) -> (i32, i32)
    %row = tile.expr col(%i * 128 + arange(128))
    %column = tile.expr row(%j * 128 + arange(128))
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %before) -> (tensor<128x128xf32>) : i32 {
      %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
      %pb = tile.expr %b + (col(%at + arange(64)) * %n + %column)
      %x = tile.load %pa
      %y = tile.load %pb
      %t = tile.dot %x, %y, %s
      scf.yield %t : tensor<128x128xf32>
    }
    %result = tile.expr f16(%sum)
    %pc = tile.expr %c + (%row * %n + %column)
    %in = tile.expr %row < %m and %column < %n
    tile.store %pc, %result, %in
    scf.yield %sum : tensor<128x128xf32>
  }
  tile.return
}

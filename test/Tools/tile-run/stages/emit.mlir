// Stages are printed for the facts that are known: none but alignment without arguments, those of
// the first launch with them.
// RUN: tile-run %s --emit=tile | FileCheck %s --check-prefix=PLAIN
// RUN: tile-run %s --emit=tile --args 32,1,7 | FileCheck %s --check-prefix=FACTS
// RUN: tile-run %s --emit=tile --kernel k --arg zeros:f32[8] --arg 48 --arg 1 --arg 7 | FileCheck %s --check-prefix=SPECS
// RUN: tile-run %s --emit=tile -D BLOCK=32 | FileCheck %s --check-prefix=BIND
// RUN: not tile-run %s --emit=tile --kernel k --arg zeros:f32[8] 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not tile-run %s --emit=tile --kernel k --arg 5 --arg 48 --arg 1 --arg 7 2>&1 | FileCheck %s --check-prefix=SPEC
// RUN: not tile-run %s --emit=tile --kernel k --arg zeros:f16[8] --arg 48 --arg 1 --arg 7 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tile-run %s --emit=tile --kernel k --arg zeros:f33[8] --arg 48 --arg 1 --arg 7 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-run %s --emit=tile --kernel k --arg zeros:f32[8x] --arg 48 --arg 1 --arg 7 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not tile-run %s --emit=tile --kernel k --arg zeros:f32[8] --arg 4.5 --arg 1 --arg 7 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: tile-run %s --emit=tile --args 1000,6,7 | FileCheck %s --check-prefix=LESS

// PLAIN: tile.func @k(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %{{[a-z0-9]*}}: i32, %[[B:[a-z0-9]*]]: i32, %{{.*}}: i32)
// PLAIN: tensor<16xi32>
// PLAIN: tile.splat %[[B]]
// FACTS: tile.func @k(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %{{.*}}: i32 {tile.divisibility = 16 : i32}, %[[B:[a-z0-9]*]]: i32, %{{.*}}: i32)
// FACTS: arith.constant dense<1> : tensor<16xi32>
// FACTS-NOT: func.func
// LESS: tile.func @k(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %{{.*}}: i32 {tile.divisibility = 8 : i32}, %{{.*}}: i32 {tile.divisibility = 2 : i32}, %{{[a-z0-9]*}}: i32)
// SPECS: {tile.divisibility = 16 : i32}, %{{.*}}: i32 {tile.divisibility = 16 : i32}, %
// SPECS: arith.constant dense<1> : tensor<16xi32>
// BIND: tensor<32xi32>
// COUNT: error: expected 4 --arg for kernel 'k', found 1
// SPEC: error: expected an array of f32 for argument 0, as random:f32[64x128], zeros:f32[4096] or FILE.npy (or .ppm, .pgm), with :out=FILE.npy or not, found '5'
// TYPE: error: expected an array of f32 for argument 0, {{.*}}found 'zeros:f16[8]'
// NONE: error: expected an array of f32 for argument 0, {{.*}}found 'zeros:f33[8]'
// SHAPE: error: expected an array of f32 for argument 0, {{.*}}found 'zeros:f32[8x]'
// NUMBER: error: expected a value of type i32 for argument 1, found '4.5'

!row = tensor<?xi32, #tile.dims<[BLOCK]>>

tile.func @k(%x: !tile.ptr<f32>, %a: i32, %b: i32, %c: i32) meta {BLOCK = 16} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !row
  %bs = tile.splat %b : i32 -> !row
  %ab = tile.splat %a : i32 -> !row
  %ac = tile.splat %c : i32 -> !row
  %sum0 = arith.addi %lane, %ab : !row
  %sum1 = arith.muli %sum0, %ac : !row
  %sum2 = arith.xori %sum1, %bs : !row
  %value = arith.sitofp %sum2 : !row to tensor<?xf32, #tile.dims<[BLOCK]>>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<?x!tile.ptr<f32>, #tile.dims<[BLOCK]>>
  %ptrs = tile.addptr %xs, %lane : tensor<?x!tile.ptr<f32>, #tile.dims<[BLOCK]>>, !row
  tile.store %ptrs, %value : tensor<?x!tile.ptr<f32>, #tile.dims<[BLOCK]>>
  tile.return
}

func.func @main(%a: i32, %b: i32, %c: i32) {
  %x = tile_host.random() seed 1 : () -> memref<16xf32>
  tile_host.launch @k(%x, %a, %b, %c) : memref<16xf32>, i32, i32, i32
  return
}

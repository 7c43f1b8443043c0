// One loop over all steps of all tiles gives what two loops give: one step a tile, three, none, and a last tile that is not complete, on
// the CPU, which runs loops as they stand.
// RUN: tile-opt %s --pass-pipeline='builtin.module(inline{default-pipeline=},symbol-dce,tile.func(tile-nest-loops))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=NESTED --input-file %t.mlir
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// NESTED: tile.func @before
// NESTED-COUNT-2: scf.for
// NESTED: tile.func @behind
// NESTED-COUNT-2: scf.for
// NESTED: tile.func @remainder
// NESTED-COUNT-2: scf.for
// NESTED: tile.func @two
// CHECK: largest error 0, relative 0, in 12 comparisons

// Tile t of the results is the sum of the products of blocks of 16 x 16, t * steps + k of %a and k of %b.
tile.func private @pointers(%x: !tile.ptr<f32>, %block: i32) -> tensor<16x16x!tile.ptr<f32>> {
  %row = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tile.expand_dims %row axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %c16 = arith.constant dense<16> : tensor<16x1xi32>
  %c256 = arith.constant 256 : i32
  %first = arith.muli %block, %c256 : i32
  %base = tile.addptr %x, %first : !tile.ptr<f32>, i32
  %far = arith.muli %rows, %c16 : tensor<16x1xi32>
  %fars = tile.broadcast %far : tensor<16x1xi32> -> tensor<16x16xi32>
  %nears = tile.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %fars, %nears : tensor<16x16xi32>
  %bases = tile.splat %base : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %to = tile.addptr %bases, %offsets : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.return %to : tensor<16x16x!tile.ptr<f32>>
}

// A step's number from -1 on, moved on before it is used; the tile, and where A lies, follow from it.
tile.func @before(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %steps: i32, %tiles: i32, %more: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %product = arith.muli %steps, %tiles : i32
  %total = arith.addi %product, %more : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %minus, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %last = arith.subi %steps, %c1 : i32
    %wraps = arith.cmpi eq, %k0, %last : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %t0 : i32
    }
    %far = arith.muli %t, %steps : i32
    %block = arith.addi %far, %k : i32
    %pa = tile.call @pointers(%a, %block) -> tensor<16x16x!tile.ptr<f32>>
    %pb = tile.call @pointers(%b, %k) -> tensor<16x16x!tile.ptr<f32>>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %y = tile.load %pb : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %y, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      %pc = tile.call @pointers(%c, %t) -> tensor<16x16x!tile.ptr<f32>>
      tile.store %pc, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// From 0 on, moved on behind; the sum begins anew in first steps, and what is stored is no sum that the loop carries.
tile.func @behind(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %steps: i32, %tiles: i32, %more: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %half = arith.constant dense<0.5> : tensor<16x16xf32>
  %product = arith.muli %tiles, %steps : i32
  %total = arith.addi %product, %more : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%k = %c0, %t = %c0, %sum0 = %half) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %begins = arith.cmpi eq, %k, %c0 : i32
    %from = arith.select %begins, %zero, %sum0 : tensor<16x16xf32>
    %far = arith.muli %t, %steps : i32
    %block = arith.addi %far, %k : i32
    %pa = tile.call @pointers(%a, %block) -> tensor<16x16x!tile.ptr<f32>>
    %pb = tile.call @pointers(%b, %k) -> tensor<16x16x!tile.ptr<f32>>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %y = tile.load %pb : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %y, %from : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %twice = arith.addf %sum, %sum : tensor<16x16xf32>
    %k1 = arith.addi %k, %c1 : i32
    %ends = arith.cmpi eq, %k1, %steps : i32
    %t2 = scf.if %ends -> (i32) {
      %pc = tile.call @pointers(%c, %t) -> tensor<16x16x!tile.ptr<f32>>
      %stored = arith.mulf %twice, %half : tensor<16x16xf32>
      tile.store %pc, %stored : tensor<16x16x!tile.ptr<f32>>
      %t1 = arith.addi %t, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %t : i32
    }
    %k2 = arith.select %ends, %c0, %k1 : i32
    scf.yield %k2, %t2, %sum : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// The remainder of the counter, and its quotient.
tile.func @remainder(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %steps: i32, %tiles: i32, %more: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %product = arith.muli %steps, %tiles : i32
  %total = arith.addi %product, %more : i32
  scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %steps : i32
    %t = arith.divsi %s, %steps : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %from = arith.select %begins, %zero, %sum0 : tensor<16x16xf32>
    %pa = tile.call @pointers(%a, %s) -> tensor<16x16x!tile.ptr<f32>>
    %pb = tile.call @pointers(%b, %k) -> tensor<16x16x!tile.ptr<f32>>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %y = tile.load %pb : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %y, %from : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %last = arith.subi %steps, %c1 : i32
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      %pc = tile.call @pointers(%c, %t) -> tensor<16x16x!tile.ptr<f32>>
      tile.store %pc, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    scf.yield %sum : tensor<16x16xf32>
  }
  tile.return
}

tile.func @two(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %steps: i32, %tiles: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
      %far = arith.muli %t, %steps : i32
      %block = arith.addi %far, %k : i32
      %pa = tile.call @pointers(%a, %block) -> tensor<16x16x!tile.ptr<f32>>
      %pb = tile.call @pointers(%b, %k) -> tensor<16x16x!tile.ptr<f32>>
      %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
      %y = tile.load %pb : tensor<16x16x!tile.ptr<f32>>
      %next = tile.dot %x, %y, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %next : tensor<16x16xf32>
    }
    %pc = tile.call @pointers(%c, %t) -> tensor<16x16x!tile.ptr<f32>>
    tile.store %pc, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

func.func private @compare(%steps: i32, %tiles: i32, %more: i32) {
  %many = arith.constant 4096 : i32
  %a = tile_host.random(%many) seed 1 : (i32) -> memref<?xf32>
  %b = tile_host.random(%many) seed 2 : (i32) -> memref<?xf32>
  %want = tile_host.alloc(%many) -> memref<?xf32>
  %before = tile_host.alloc(%many) -> memref<?xf32>
  %behind = tile_host.alloc(%many) -> memref<?xf32>
  %remainder = tile_host.alloc(%many) -> memref<?xf32>
  tile_host.launch @two(%a, %b, %want, %steps, %tiles)
  tile_host.launch @before(%a, %b, %before, %steps, %tiles, %more)
  tile_host.launch @behind(%a, %b, %behind, %steps, %tiles, %more)
  tile_host.launch @remainder(%a, %b, %remainder, %steps, %tiles, %more)
  tile_host.expect_close %before, %want {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %behind, %want {atol = 0.0, rtol = 0.0}
  tile_host.expect_close %remainder, %want {atol = 0.0, rtol = 0.0}
  return
}

func.func @main() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  call @compare(%c1, %c3, %c0) : (i32, i32, i32) -> ()
  call @compare(%c3, %c4, %c0) : (i32, i32, i32) -> ()
  call @compare(%c3, %c4, %c2) : (i32, i32, i32) -> ()
  call @compare(%c4, %c0, %c3) : (i32, i32, i32) -> ()
  return
}

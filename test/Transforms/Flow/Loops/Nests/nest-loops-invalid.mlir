// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-nest-loops))' -split-input-file -verify-diagnostics | FileCheck %s

// Each loop stays one.
// CHECK-COUNT-8: scf.for
// CHECK-NOT: scf.for

tile.func @written(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected writes in last steps alone}}
  %all = scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %steps : i32
    %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    %last = arith.subi %steps, %c1 : i32
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    scf.yield %sum : tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @other(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected writes in last steps alone}}
  %all = scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %steps : i32
    %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %odd = arith.trunci %k : i32 to i1
    %last = arith.subi %steps, %c1 : i32
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %odd {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    scf.yield %sum : tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @read_behind(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected nothing that is read behind what is written}}
  %all = scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %steps : i32
    %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %last = arith.subi %steps, %c1 : i32
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    %y = tile.load %a : tensor<16x16x!tile.ptr<f32>>
    scf.yield %sum : tensor<16x16xf32>
  }
  tile.return
}

// -----

tile.func @result(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected nothing that is read behind it}}
  %all = scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %steps : i32
    %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %last = arith.subi %steps, %c1 : i32
    %ends = arith.cmpi eq, %k, %last : i32
    scf.if %ends {
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    }
    scf.yield %sum : tensor<16x16xf32>
  }
  tile.store %a, %all : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// -----

tile.func @never(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected something that is written in last steps}}
  %all = scf.for %s = %c0 to %total step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
    %k = arith.remsi %s, %steps : i32
    %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %last = arith.subi %steps, %c1 : i32
    %ends = arith.cmpi eq, %k, %last : i32
    scf.yield %sum : tensor<16x16xf32>
  }
  tile.return
}

// -----


// That of last steps in the one before.
tile.func @ends_before(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected writes in last steps alone}}
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
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %c2 = arith.constant 2 : i32
    %before = arith.subi %steps, %c2 : i32
    %ends = arith.cmpi eq, %k, %before : i32
    scf.if %ends {
      %both = arith.addf %sum, %x : tensor<16x16xf32>
      %pc = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      tile.store %pc, %both : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// -----


// Or by a number of steps that is not the tiles'.
tile.func @ends_by_tiles(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected writes in last steps alone}}
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
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %others = arith.subi %tiles, %c1 : i32
    %ends = arith.cmpi eq, %k, %others : i32
    scf.if %ends {
      %both = arith.addf %sum, %x : tensor<16x16xf32>
      %pc = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      tile.store %pc, %both : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

// -----


// The same of numbers that are known.
tile.func @numbers(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %total = arith.muli %steps, %tiles : i32
  // expected-remark @+1 {{tiles and steps stay one loop: expected writes in last steps alone}}
  scf.for %s = %c0 to %total step %c1 iter_args(%k0 = %minus, %t0 = %minus, %sum0 = %zero) -> (i32, i32, tensor<16x16xf32>) : i32 {
    %seven = arith.constant 7 : i32
    %five = arith.constant 5 : i32
    %wraps = arith.cmpi eq, %k0, %seven : i32
    %next = arith.addi %k0, %c1 : i32
    %k = arith.select %wraps, %c0, %next : i32
    %begins = arith.cmpi eq, %k, %c0 : i32
    %t = scf.if %begins -> (i32) {
      %t1 = arith.addi %t0, %c1 : i32
      scf.yield %t1 : i32
    } else {
      scf.yield %t0 : i32
    }
    %far = arith.muli %k, %t : i32
    %offset = tile.splat %far : i32 -> tensor<16x16xi32>
    %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %sum = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %ends = arith.cmpi eq, %k, %five : i32
    scf.if %ends {
      %both = arith.addf %sum, %x : tensor<16x16xf32>
      %pc = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      tile.store %pc, %both : tensor<16x16x!tile.ptr<f32>>
    }
    %then = arith.select %ends, %zero, %sum : tensor<16x16xf32>
    scf.yield %k, %t, %then : i32, i32, tensor<16x16xf32>
  }
  tile.return
}

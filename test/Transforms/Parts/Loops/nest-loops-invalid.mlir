// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-nest-loops))' -split-input-file -verify-diagnostics | FileCheck %s

// Each loop stays one.
// CHECK-COUNT-5: scf.for
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

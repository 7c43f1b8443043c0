// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-narrow-offsets))' -verify-diagnostics -split-input-file

// One loop of dots holds what it leaves alone: products, and rows that begin at pointers of their own.
tile.func private @one(%x: !tile.ptr<f16>, %row: tensor<64x1xi32>, %channel: tensor<1x32xi32>, %place: tensor<64x1xi32>, %pitch: i32,
                       %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<64x64xf32>) : i32 {
    %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum = arith.addi %rows, %channels : tensor<64x32xi32>
    %pitches = tile.splat %pitch : i32 -> tensor<64x32xi32>
    // expected-remark @+1 {{rows and columns stay together: expected one of 4 loops of dots, found 1}}
    %at = arith.muli %sum, %pitches : tensor<64x32xi32>
    %base = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p = tile.addptr %base, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    // expected-remark @+1 {{rows and columns stay together: expected one of 4 loops of dots, found 1}}
    %q = tile.addptr %p, %places : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a = tile.load %q : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.return %s : tensor<64x64xf32>
}

// -----

// Terms of three shapes would be three products, and two sums of all elements.
tile.func private @three(%x: !tile.ptr<f16>, %row: tensor<64x1xi32>, %channel: tensor<1x32xi32>, %any: tensor<1x1xi32>, %pitch: i32,
                         %b: tensor<32x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
  %channels = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
  %each = tile.broadcast %any : tensor<1x1xi32> -> tensor<64x32xi32>
  %two = arith.addi %rows, %channels : tensor<64x32xi32>
  %sum = arith.addi %two, %each : tensor<64x32xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<64x32xi32>
  // expected-remark @+1 {{rows and columns stay together: expected terms of 2 shapes at most, found 3}}
  %at = arith.muli %sum, %pitches : tensor<64x32xi32>
  %base = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %a = tile.load %p : tensor<64x32x!tile.ptr<f16>>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return %d : tensor<64x64xf32>
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected a kernel's name of letters, digits, '_' and '$' that begins with no digit, found 'two words'}}
tile.func @"two words"() {
  tile.return
}

// -----

// expected-error @+1 {{expected a kernel's name of letters, digits, '_' and '$' that begins with no digit, found ''}}
tile.func @""() {
  tile.return
}

// -----

// expected-error @+1 {{expected a kernel's name of letters, digits, '_' and '$' that begins with no digit, found '../up'}}
tile.func @"../up"() {
  tile.return
}

// -----

// expected-error @+1 {{expected a positive integer below 2^31 for meta-parameter 'B', found 0 : i64}}
tile.func @zero() meta {B = 0} {
  tile.return
}

// -----

// expected-error @+1 {{expected a positive integer below 2^31 for meta-parameter 'B', found "eight"}}
tile.func @word() meta {B = "eight"} {
  tile.return
}

// -----

// expected-error @+1 {{expected a positive integer below 2^31 for meta-parameter 'B', found}}
tile.func @wide() meta {B = 170141183460469231731687303715884105727 : i128} {
  tile.return
}

// -----

// expected-error @+1 {{expected a name for a meta-parameter, found "two words"}}
tile.func @name() meta {"two words" = 8} {
  tile.return
}

// -----

// expected-error @+1 {{expected configs to be dictionaries, found 8 : i64}}
tile.func @config() configs [8] {
  tile.return
}

// -----

// expected-error @+1 {{expected configs to bind a meta-parameter, num_warps, num_stages, num_ctas, num_parts, num_splits, num_last_splits, num_teams, num_at_once or maxnreg, found 'C'}}
tile.func @unknown() meta {B = 8} configs [{B = 8, C = 8}] {
  tile.return
}

// -----

// expected-error @+1 {{expected a positive integer below 2^31 for 'num_warps', found -4 : i64}}
tile.func @warps() configs [{num_warps = -4}] {
  tile.return
}

// -----

// expected-error @+1 {{expected a kernel without results, found 1}}
tile.func @results(%x: i32) -> i32 {
  tile.return %x : i32
}

// -----

// expected-error @+1 {{expected a private helper without meta and configs, found meta}}
tile.func private @helper() meta {B = 8} {
  tile.return
}

// -----

// expected-error @+1 {{expected a private helper without meta and configs, found configs}}
tile.func private @helper() configs [{num_warps = 4}] {
  tile.return
}

// -----

// expected-error @+1 {{expected one block (control flow is that of scf), found 2}}
tile.func @blocks() {
  cf.br ^next
^next:
  tile.return
}

// -----

// expected-error @+1 {{expected tile.divisibility to be a power of two below 2^31, found 12 : i32 on argument 0}}
tile.func @divisibility(%x: i32 {tile.divisibility = 12 : i32}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.divisibility on an integer or pointer, found 'f32' for argument 0}}
tile.func @divisibility(%x: f32 {tile.divisibility = 16 : i32}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.key to be a unit attribute, found 1 : i64}}
tile.func @key(%x: i32 {tile.key = 1}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.key on an integer, found '!tile.ptr<f32>' for argument 0}}
tile.func @key(%x: !tile.ptr<f32> {tile.key}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.positive on an integer, found 'f32' for argument 0}}
tile.func @positive_float(%x: f32 {tile.positive}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.positive to be a unit attribute, found 1 : i32}}
tile.func @positive_number(%x: i32 {tile.positive = 1 : i32}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.extent to be [argument, dimension], found 1 : i64 on argument 1}}
tile.func @extent_of_all(%x: !tile.ptr<f32>, %n: i32 {tile.extent = 1}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.stride to be [argument, dimension], found [0, -1] on argument 1}}
tile.func @stride_before(%x: !tile.ptr<f32>, %n: i32 {tile.stride = [0, -1]}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.stride on an integer, found 'f32' for argument 1}}
tile.func @stride_float(%x: !tile.ptr<f32>, %n: f32 {tile.stride = [0, 0]}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.extent to name an argument that is a pointer, found 1 on argument 1}}
tile.func @extent_of_itself(%x: !tile.ptr<f32>, %n: i32 {tile.extent = [1, 0]}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.extent to name an argument that is a pointer, found 7 on argument 1}}
tile.func @extent_of_none(%x: !tile.ptr<f32>, %n: i32 {tile.extent = [7, 0]}) {
  tile.return
}

// -----

// expected-error @+1 {{expected tile.divisibility, tile.positive, tile.negative, tile.key, tile.extent, tile.stride or tile_host.default, found 'tile.speed' on argument 0}}
tile.func @hint(%x: i32 {tile.speed}) {
  tile.return
}

// -----

// expected-error @+1 {{expected no tile attribute on a result, found 'tile.key' on result 0}}
tile.func private @result_attribute(%x: i32) -> (i32 {tile.key}) {
  tile.return %x : i32
}

// -----

// expected-error @+1 {{expected '{' to begin a region}}
tile.func @no_body()

// -----

tile.func private @wrong_return(%x: i32) -> f32 {
  // expected-error @+1 {{expected results of types ('f32'), found ('i32')}}
  tile.return %x : i32
}

// -----

tile.func @no_return(%x: i32) {
  // expected-error @+1 {{block with no terminator}}
  %y = arith.addi %x, %x : i32
}

// -----

tile.func @outer() {
  // expected-error @+1 {{'tile.func' op symbol's parent must have the SymbolTable trait}}
  tile.func @inner() {
    tile.return
  }
  tile.return
}

// -----

tile.func @unknown_callee() {
  // expected-error @+1 {{expected the name of a tile.func, found 'nobody'}}
  tile.call @nobody() : () -> ()
  tile.return
}

// -----

tile.func @kernel() {
  tile.return
}
tile.func @calls_kernel() {
  // expected-error @+1 {{expected a private helper, found kernel 'kernel'}}
  tile.call @kernel() : () -> ()
  tile.return
}

// -----

tile.func private @helper(%x: i32) {
  tile.return
}
tile.func @wrong_type(%x: f32) {
  // expected-error @+1 {{expected the helper's type '(i32) -> ()', found ('f32') -> ()}}
  tile.call @helper(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func private @named(%x: tensor<?xi32, #tile.dims<[N]>>, %y: tensor<?x4xi32, #tile.dims<[N]>>) {
  tile.return
}
tile.func @two_extents_for_a_name(%x: tensor<8xi32>, %y: tensor<16x4xi32>) {
  // expected-error @+1 {{expected the helper's type '(tensor<?xi32, #tile.dims<[N]>>, tensor<?x4xi32, #tile.dims<[N]>>) -> ()', found ('tensor<8xi32>', 'tensor<16x4xi32>') -> ()}}
  tile.call @named(%x, %y) : (tensor<8xi32>, tensor<16x4xi32>) -> ()
  tile.return
}

// -----

tile.func private @named(%x: tensor<?x4xi32, #tile.dims<[N]>>) {
  tile.return
}
tile.func @name_for_a_number(%x: tensor<?x?xi32, #tile.dims<[A, B]>>) {
  // expected-error @+1 {{expected the helper's type}}
  tile.call @named(%x) : (tensor<?x?xi32, #tile.dims<[A, B]>>) -> ()
  tile.return
}

// -----

tile.func private @itself() {
  // expected-error @+1 {{expected a helper that does not call itself, found 'itself', which leads back to 'itself'}}
  tile.call @itself() : () -> ()
  tile.return
}

// -----

tile.func private @even() {
  tile.call @odd() : () -> ()
  tile.return
}
tile.func private @odd() {
  // expected-error @+1 {{expected a helper that does not call itself, found 'even', which leads back to 'odd'}}
  tile.call @even() : () -> ()
  tile.return
}

// -----

tile.func private @helper() {
  tile.return
}
func.func @host() {
  // expected-error @+1 {{expected a tile.func around it, found none}}
  tile.call @helper() : () -> ()
  return
}

// -----

tile.func private @helper(%n: i32) {
  // expected-error @+1 {{expected a kernel around it, found private helper 'helper'}}
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  tile.return
}

// -----

tile.func @two_grids(%n: i32) {
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  // expected-error @+1 {{expected one in a kernel, found another}}
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  tile.return
}

// -----

tile.func @captures_value(%n: i32) {
  %m = arith.addi %n, %n : i32
  // expected-error @+1 {{expected captures to be kernel arguments, found}}
  tile.grid(%m : i32) {
    tile.yield %m : i32
  }
  tile.return
}

// -----

tile.func @uncaptured(%n: i32) {
  tile.grid() {
    // expected-error @+1 {{use of undeclared SSA value name}}
    tile.yield %n : i32
  }
  tile.return
}

// -----

tile.func @region_arguments(%n: i32) {
  // expected-error @+1 {{expected region arguments ('i32') as captured, found ()}}
  "tile.grid"(%n) ({
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }) : (i32) -> ()
  tile.return
}

// -----

tile.func @open_grid(%n: i32) {
  // expected-error @+1 {{expected a region that ends in tile.yield, found arith.addi}}
  tile.grid(%n : i32) {
    %m = arith.addi %n, %n : i32
  }
  tile.return
}

// -----

tile.func @empty_grid(%n: i32) {
  // expected-error @+1 {{expects a non-empty block}}
  "tile.grid"(%n) ({
  ^bb0(%m: i32):
  }) : (i32) -> ()
  tile.return
}

// -----

tile.func @no_extents() {
  // expected-error @+1 {{expected to yield one to three i32, found ()}}
  tile.grid() {
    tile.yield
  }
  tile.return
}

// -----

tile.func @wide_extent(%n: i64) {
  // expected-error @+1 {{expected to yield one to three i32, found ('i64')}}
  tile.grid(%n : i64) {
    tile.yield %n : i64
  }
  tile.return
}

// -----

tile.func @cost(%n: i64) {
  // expected-error @+1 {{expected to yield operations and bytes as two i64, found ('i64')}}
  tile.cost(%n : i64) {
    tile.yield %n : i64
  }
  tile.return
}

// -----

tile.func @device_op() {
  // expected-error @+1 {{expected ops that the host can evaluate, found tile.program_id}}
  tile.grid() {
    // expected-note @+1 {{here}}
    %p = tile.program_id x
    tile.yield %p : i32
  }
  tile.return
}

// -----

tile.func @stray_yield(%n: i32) {
  // expected-error @+1 {{expects parent op to be one of 'tile.grid, tile.cost, tile.reduce, tile.scan'}}
  tile.yield %n : i32
}

// -----

tile.func @meta_name() {
  // expected-error @+1 {{expected the name of a meta-parameter, found "two words"}}
  %m = "tile.meta"() {name = "two words"} : () -> i32
  tile.return
}

// -----

tile.func @meta_type() {
  // expected-error @+1 {{'tile.meta' op result #0 must be signless integer or index, but got 'f32'}}
  %m = tile.meta B : f32
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @unknown_kernel() {
  // expected-error @+1 {{expected the name of a kernel, found 'nobody'}}
  tile_host.launch @nobody()
  return
}

// -----

tile.func private @helper() {
  tile.return
}
func.func @helper_launched(%n: i32) {
  // expected-error @+1 {{expected a kernel, found private helper 'helper'}}
  tile_host.launch @helper()
  return
}

// -----

tile.func @kernel(%x: !tile.ptr<f32>) {
  tile.return
}
func.func @count(%x: memref<4xf32>) {
  // expected-error @+1 {{expected 1 arguments for kernel 'kernel', found 2}}
  tile_host.launch @kernel(%x, %x) : memref<4xf32>, memref<4xf32>
  return
}

// -----

tile.func @kernel(%x: !tile.ptr<f32>) {
  tile.return
}
func.func @type(%x: memref<4xf16>) {
  // expected-error @+1 {{expected argument 0 of kernel 'kernel' to be '!tile.ptr<f32>', found 'memref<4xf16>'}}
  tile_host.launch @kernel(%x) : memref<4xf16>
  return
}

// -----

tile.func @kernel() meta {B = 8} {
  tile.return
}
func.func @unknown_meta() {
  // expected-error @+1 {{expected a meta-parameter of kernel 'kernel', num_warps, num_stages, num_ctas, num_parts, num_splits, num_last_splits, num_teams, num_at_once or maxnreg, found 'BM'}}
  tile_host.launch @kernel() meta {B = 4, BM = 4}
  return
}

// -----

tile.func @kernel() meta {B = 8} {
  tile.return
}
func.func @twice(%n: i32) {
  // expected-error @+1 {{expected each meta-parameter once, found "B" again}}
  tile_host.launch @kernel() meta {B = %n, B = 4}
  return
}

// -----

tile.func @kernel() meta {B = 8} {
  tile.return
}
func.func @zero_meta() {
  // expected-error @+1 {{expected a positive integer below 2^31 for "B", found 0}}
  tile_host.launch @kernel() meta {B = 0}
  return
}

// -----

tile.func @kernel() meta {B = 8} {
  tile.return
}
func.func @values(%n: i32) {
  // expected-error @+1 {{expected a value for each name in meta, found 1 names, 1 numbers and 1 values}}
  "tile_host.launch"(%n) <{kernel = @kernel, names = ["B"], numbers = array<i64: 4>, operandSegmentSizes = array<i32: 0, 0, 1>}> : (i32) -> ()
  return
}

// -----

tile.func @kernel() {
  tile.return
}
func.func @no_names() {
  // expected-error @+1 {{expected a value for each name in meta, found 0 names, 0 numbers and 0 values}}
  tile_host.launch @kernel() meta {}
  return
}

// -----

tile.func @kernel() meta {B = 8} {
  tile.return
}
func.func @wide_meta(%n: i64) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{use of value '%n' expects different type than prior uses: 'i32' vs 'i64'}}
  tile_host.launch @kernel() meta {B = %n}
  return
}

// -----

func.func @extents(%n: i32) {
  // expected-error @+1 {{expected one extent for each '?' of the array, found 1 for 2}}
  %a = tile_host.alloc(%n) : (i32) -> memref<?x?xf32>
  return
}

// -----

func.func @random_extents(%n: i32) {
  // expected-error @+1 {{expected one extent for each '?' of the array, found 1 for 0}}
  %a = tile_host.random(%n) seed 1 : (i32) -> memref<4xf32>
  return
}

// -----

func.func @element() {
  // expected-error @+1 {{must be memref of number values, but got 'memref<4xindex>'}}
  %a = tile_host.alloc() : () -> memref<4xindex>
  return
}

// -----

func.func @close_rank(%a: memref<4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{expected two arrays of one shape, found 'memref<4xf32>' and 'memref<4x4xf32>'}}
  tile_host.expect_close %a, %b : memref<4xf32>, memref<4x4xf32>
  return
}

// -----

func.func @close_shape(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @+1 {{expected two arrays of one shape, found 'memref<4xf32>' and 'memref<5xf32>'}}
  tile_host.expect_close %a, %b : memref<4xf32>, memref<5xf32>
  return
}

// -----

func.func @tolerance(%a: memref<4xf32>) {
  // expected-error @+1 {{expected tolerances of 0 or more, found -1.000000e+00}}
  tile_host.expect_close %a, %a {rtol = -1.0} : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @infinite(%a: memref<4xf32>) {
  // expected-error @+1 {{expected tolerances of 0 or more, found 0x7FF0000000000000}}
  tile_host.expect_close %a, %a {atol = 0x7FF0000000000000 : f64} : memref<4xf32>, memref<4xf32>
  return
}

// -----

tile.func @kernel() {
  // expected-error @+1 {{expected a host function around it, found tile.func @kernel}}
  %a = tile_host.alloc() : () -> memref<4xf32>
  tile.return
}

// -----

tile.func @kernel() {
  scf.execute_region {
    // expected-error @+1 {{expected a host function around it, found tile.func @kernel}}
    %a = tile_host.read "x.npy" : memref<4xf32>
    scf.yield
  }
  tile.return
}

// -----

tile.func @write_in_a_kernel(%x: memref<4xf32>) {
  // expected-error @+1 {{'tile_host.write' op expected a host function around it, found tile.func @write_in_a_kernel}}
  tile_host.write %x, "x.npy" : memref<4xf32>
  tile.return
}

// -----

tile.func @dump_in_a_kernel(%x: memref<4xf32>) {
  // expected-error @+1 {{'tile_host.dump' op expected a host function around it, found tile.func @dump_in_a_kernel}}
  tile_host.dump %x : memref<4xf32>
  tile.return
}

// -----

tile.func @multiprocessors_in_a_kernel() {
  // expected-error @+1 {{'tile_host.multiprocessors' op expected a host function around it, found tile.func @multiprocessors_in_a_kernel}}
  %n = tile_host.multiprocessors
  tile.return
}

// -----

func.func @in_none() {
  // expected-error @+1 {{custom op 'tile.nothing' is unknown}}
  tile.nothing
  return
}

// -----

// expected-error @+1 {{expected tile_host.default to have the type of argument 0, found 1 : i64}}
func.func @default(%n: i32 {tile_host.default = 1 : i64}) {
  return
}

// -----

// expected-error @+1 {{expected tile_host.default, found 'tile_host.other' on argument 0}}
func.func @other(%n: i32 {tile_host.other}) {
  return
}

// -----

// expected-error @+1 {{expected no tile_host attribute on a result, found 'tile_host.default' on result 0}}
func.func @result(%n: i32) -> (i32 {tile_host.default = 1 : i32}) {
  return %n : i32
}

// -----

tile.func @kernel() {
  tile.return
}
func.func @four(%n: i32) {
  // expected-error @+1 {{expected a grid of 1 to 3 dimensions, found 4}}
  tile_host.launch @kernel() grid(%n, %n, %n, %n)
  return
}

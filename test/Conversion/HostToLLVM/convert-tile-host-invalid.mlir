// RUN: tile-opt %s --convert-tile-host -split-input-file -verify-diagnostics

tile.func @gridless(%n: i32) {
  tile.return
}
func.func @launch(%n: i32) {
  // expected-error @+1 {{expected kernel 'gridless' to have a tile.grid, or the launch to give one (grid(%n), --grid), found neither}}
  tile_host.launch @gridless(%n) : i32
  return
}

// -----

tile.func @unbound(%n: i32) {
  tile.grid(%n : i32) {
    // expected-error @+1 {{expected a value for meta-parameter 'BLOCK', found none in meta {} or bind}}
    %block = tile.meta BLOCK : i32
    tile.yield %block : i32
  }
  tile.return
}
func.func @launch(%n: i32) {
  tile_host.launch @unbound(%n) : i32
  return
}

// -----

tile.func @pointer_grid(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{expected integers and floats to be captured, found pointer argument 0}}
  tile.grid(%x : !tile.ptr<f32>) {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.return
}
func.func @launch(%x: memref<4xf32>) {
  tile_host.launch @pointer_grid(%x) : memref<4xf32>
  return
}

// -----

func.func @strided(%x: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error @+1 {{expected an array whose elements are contiguous, found a memref with strides}}
  tile_host.dump %x : memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

// expected-error @+1 {{expected @main to take at most 64 integers and floats of 64 bits at most, found another type for argument 0}}
func.func @main(%x: memref<4xf32>) {
  return
}

// -----

// expected-error @+1 {{expected @main to return nothing or one i32, found other results}}
func.func @main() -> i64 {
  %zero = arith.constant 0 : i64
  return %zero : i64
}

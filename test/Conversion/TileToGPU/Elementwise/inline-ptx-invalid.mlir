// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

tile.func @registers(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected a register constraint (r, l, f, d or h) for each of 2 registers, found 1, or others}}
  %y = tile.inline_ptx "mov.b32 $0, $1;" constraints "=f" (%x) : (f32) -> f32
  tile.store %p, %y : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @memory(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected a register constraint (r, l, f, d or h) for each of 2 registers, found 0, or others}}
  %y = tile.inline_ptx "mov.b32 $0, $1;" constraints "=f,m" (%x) : (f32) -> f32
  tile.store %p, %y : !tile.ptr<f32>
  tile.return
}

// -----

// The second of two outputs has no register.
tile.func @outputs(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected a register constraint (r, l, f, d or h) for each of 3 registers, found 2, or others}}
  %y = tile.inline_ptx "mov.b32 $0, $1;" constraints "=f,f" pure of [f32, f32] output 0 (%x) : (f32) -> f32
  tile.store %p, %y : !tile.ptr<f32>
  tile.return
}

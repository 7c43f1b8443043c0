// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @fmax_of_f32(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected f16 or bf16 for fmax, found 'f32'}}
  %a = tile.atomic_rmw fmax relaxed gpu %p, %x : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @fadd_of_integers(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error @+1 {{expected f16, bf16, f32 or f64 for fadd, found 'i32'}}
  %a = tile.atomic_rmw fadd relaxed gpu %p, %x : !tile.ptr<i32>
  tile.return
}

// -----

tile.func @add_of_floats(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected i32 or i64 for add, found 'f32'}}
  %a = tile.atomic_rmw add relaxed gpu %p, %x : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @narrow_xchg(%p: !tile.ptr<i8>, %x: i8) {
  // expected-error @+1 {{expected a number of 32 or 64 bits for xchg, found 'i8'}}
  %a = tile.atomic_rmw xchg relaxed gpu %p, %x : !tile.ptr<i8>
  tile.return
}

// -----

tile.func @xchg_of_pointers(%p: !tile.ptr<!tile.ptr<f32>>, %x: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a number of 32 or 64 bits for xchg, found '!tile.ptr<f32>'}}
  %a = tile.atomic_rmw xchg relaxed gpu %p, %x : !tile.ptr<!tile.ptr<f32>>
  tile.return
}

// -----

tile.func @narrow_cas(%p: !tile.ptr<i8>, %x: i8) {
  // expected-error @+1 {{expected a number of 16, 32 or 64 bits, found 'i8'}}
  %a = tile.atomic_cas relaxed gpu %p, %x, %x : !tile.ptr<i8>
  tile.return
}

// -----

tile.func @kind(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error @+2 {{expected ::tile::RmwKind to be one of: add, fadd, and, or, xor, min, max, umin, umax, xchg, fmin, fmax}}
  // expected-error @+1 {{failed to parse}}
  %a = tile.atomic_rmw mul relaxed gpu %p, %x : !tile.ptr<i32>
  tile.return
}

// -----

tile.func @result_type(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error @+1 {{type of 'value' is what 'ptr' points at}}
  %a = "tile.atomic_rmw"(%p, %p) {kind = #tile<rmw_kind add>, order = #tile<order relaxed>, scope = #tile<scope gpu>} : (!tile.ptr<i32>, !tile.ptr<i32>) -> i32
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tt.func public @unknown(%x: f32) {
  // expected-error @+1 {{custom op 'tt.transmogrify' is unknown}}
  tt.transmogrify %x : f32
  tt.return
}

// -----

// expected-error @+1 {{expected an address space global, constant, descriptor or a number, found 'lunar'}}
tt.func public @space(%p: !tt.ptr<f32, "lunar">) {
  tt.return
}

// -----

// expected-error @+1 {{expected string}}
tt.func public @no_space(%p: !tt.ptr<f32, >) {
  tt.return
}

// -----

// expected-error @+1 {{expected the tensor type of a box}}
tt.func public @box(%d: !tt.tensordesc<f32>) {
  tt.return
}

// -----

tt.func public @cut(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{expected ':'}}
  %v = tt.load %p
}

// -----

tt.func public @add(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{use of value '%y' expects different type than prior uses: 'tensor<8xf32>' vs 'tensor<4xf32>'}}
  %z = tt.precise_divf %x, %y : tensor<8xf32>
  tt.return
}

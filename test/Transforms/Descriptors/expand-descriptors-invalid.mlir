// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-expand-descriptors))'

tile.func @argument(%d: !tile.desc<8xf32>, %i: i32) {
  // expected-error @+1 {{expected a descriptor made by tile.make_desc in this kernel, found an argument of a block}}
  %v = tile.desc_load %d[%i] : !tile.desc<8xf32>
  tile.desc_store %d[%i], %v : !tile.desc<8xf32>
  tile.return
}

// -----

tile.func @chosen(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32, %first: i1, %v: tensor<8xf32>) {
  %a = tile.make_desc %p, [%n], [] : !tile.ptr<f32> -> !tile.desc<8xf32>
  %b = tile.make_desc %q, [%n], [] : !tile.ptr<f32> -> !tile.desc<8xf32>
  %d = scf.if %first -> !tile.desc<8xf32> {
    scf.yield %a : !tile.desc<8xf32>
  } else {
    scf.yield %b : !tile.desc<8xf32>
  }
  // expected-error @+1 {{expected a descriptor made by tile.make_desc in this kernel, found one chosen as it runs}}
  tile.desc_store %d[%n], %v : !tile.desc<8xf32>
  tile.return
}

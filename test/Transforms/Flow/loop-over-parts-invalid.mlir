// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-loop-over-parts))'

tile.func @scanned(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.scan'}}
  %sums = tile.scan add %v axis 0 : tensor<65536xf32> -> tensor<65536xf32>
  %r = tile.expr %v - 1.0
  %q = tile.expr %y + %at
  tile.store %q, %r
  tile.store %q, %sums
  tile.return
}

// -----

// Another lane's element is overwritten by then.
tile.func @turned(%x: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  %q = tile.expr %x + (65535 - %at)
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.store'}}
  tile.store %q, %v
  tile.return
}

// -----

// What it has read is overwritten by then: in its own array, or in what may be that array by another name.
tile.func @behind(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  %w = tile.expr %v * 2.0
  tile.store %p, %w
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.reduce'}}
  %m = tile.reduce maxnum %v axis 0 : tensor<65536xf32> -> f32
  tile.store %y, %m : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @alike(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  %w = tile.expr %v * 2.0
  %q = tile.expr %y + %at
  tile.store %q, %w
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.reduce'}}
  %m = tile.reduce maxnum %v axis 0 : tensor<65536xf32> -> f32
  tile.store %z, %m : !tile.ptr<f32>
  tile.return
}

// -----

// What others wrote is read behind the barrier.
tile.func @barrier(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  tile.barrier
  %q = tile.expr %y + %at
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.store'}}
  tile.store %q, %v
  tile.return
}

// -----

// What others write meanwhile is read once.
tile.func @volatile(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p cache cv
  %q = tile.expr %y + %at
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.store'}}
  tile.store %q, %v
  tile.return
}

// -----

// Where a loop's pointers come from is not known: they may be those of the store.
tile.func @carried(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %q = tile.expr %y + %at
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%r = %p) -> (tensor<65536x!tile.ptr<f32>>) : i32 {
    %s = tile.expr %r + %at
    %v = tile.load %s
    // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.store'}}
    tile.store %q, %v
    scf.yield %s : tensor<65536x!tile.ptr<f32>>
  }
  tile.return
}

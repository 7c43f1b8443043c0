// RUN: tile-opt %s --tile-specialize -split-input-file -verify-diagnostics
// RUN: not tile-opt %s --tile-specialize=facts=X=-3 -split-input-file 2>&1 | FileCheck %s --check-prefix=BIND
// RUN: not tile-opt %s --tile-specialize=kernel=nobody -split-input-file 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,7/16' -split-input-file 2>&1 | FileCheck %s --check-prefix=ARG
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,0=1' -split-input-file 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,0/6' -split-input-file 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,0/' -split-input-file 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,7/8' -split-input-file 2>&1 | FileCheck %s --check-prefix=ARG
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,0/1+' -split-input-file 2>&1 | FileCheck %s --check-prefix=SIGN
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,0/1x' -split-input-file 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,0/1xx' -split-input-file 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,7/1+' -split-input-file 2>&1 | FileCheck %s --check-prefix=ARG
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,wave:3' -split-input-file 2>&1 | FileCheck %s --check-prefix=WAVE
// RUN: not tile-opt %s --tile-specialize='facts=BLOCK=8,wave:-1' -split-input-file 2>&1 | FileCheck %s --check-prefix=BELOW

// RUN: not tile-opt %s --tile-specialize='facts=BLOK=8,BLOCK=8,B=8,num_warps=8' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: expected the name of a meta-parameter in facts, found 'BLOK'
// BIND: error: expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found 'X=-3'
// NAME: error: expected a kernel named 'nobody', found none
// ARG: error: expected an argument from 0 to 0, found 7
// POWER: error: expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found '0/6'
// PAIR: error: expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found '0/'
// SIGN: error: expected an integer for argument 0 to be positive
// EACH: error: expected an integer for argument 0 to count programs
// TWICE: error: expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found '0/1xx'
// WAVE: specialize-invalid.mlir:{{.*}}: error: expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found 'wave:3'
// BELOW: specialize-invalid.mlir:{{.*}}: error: expected facts as BM=64, 0/16, 3/256+, 7=1 or wave:2, found 'wave:-1'
// ONE: error: expected an integer for argument 0 to equal 1

tile.func @type(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a value for meta-parameter 'BLOCK', found none in meta {} or facts}}
  %r = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  tile.return
}

// -----

tile.func @value(%p: !tile.ptr<f32>) meta {OTHER = 1 : i32} {
  // expected-error @+1 {{expected a value for meta-parameter 'BLOCK', found none in meta {OTHER} or facts}}
  %b = tile.meta BLOCK : i32
  tile.return
}

// -----

tile.func @box(%p: !tile.ptr<f32>, %n: i32, %s: i64) meta {B = 8192 : i32} {
  // expected-error @+1 {{expected a box of at most 2^24 elements, found more once its extents are bound}}
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<?x?xf32, #tile.dims<[B, B]>>
  tile.return
}

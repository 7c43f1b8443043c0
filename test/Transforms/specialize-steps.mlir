// Loops up to an argument that is no more than their step take that one, whether they count elements or steps. Longer ones stay,
// and where a thread would have more than 32 elements of a step; how many steps they have at most is written down where these are few.
//
// RUN: tile-opt %s --tile-specialize='facts=1/16<1024,num_warps=4' | FileCheck %s --check-prefixes=ALL,ONE,FOUR
// RUN: tile-opt %s --tile-specialize='facts=1/1<1025,num_warps=4' | FileCheck %s --check-prefixes=ALL,MORE
// RUN: tile-opt %s --tile-specialize='facts=1/16+,num_warps=4' | FileCheck %s --check-prefixes=ALL,MORE
// RUN: tile-opt %s --tile-specialize='facts=1/16<512,num_warps=1' | FileCheck %s --check-prefixes=ALL,ONE
// RUN: not tile-opt %s --tile-specialize='facts=0/16<512' 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not tile-opt %s --tile-specialize='facts=1/16<0' 2>&1 | FileCheck %s --check-prefix=ZERO
// POINTER: error: expected an integer for argument 0 to be positive
// ZERO: error: expected facts as {{.*}}, found '1/16<0'

// ALL-LABEL: tile.func @rows
// ONE-NOT: scf.for
// MORE: scf.for
// ALL: tile.store
// ONE-NOT: scf.for
// MORE: scf.for
// ALL: tile.store
// ALL: scf.for
// FOUR: } {tile.most_steps = 4 : i64}
// ALL: scf.for
// FOUR-NOT: most_steps
// ALL: tile.return
tile.func @rows(%p: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1023 = arith.constant 1023 : i32
  %c1024 = arith.constant 1024 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1024 iter_args(%a = %zero) -> (f32) : i32 {
    %f = arith.sitofp %i : i32 to f32
    %next = arith.addf %a, %f : f32
    scf.yield %next : f32
  }
  tile.store %p, %sum : !tile.ptr<f32>
  %above = arith.addi %n, %c1023 : i32
  %steps = arith.divsi %above, %c1024 : i32
  scf.for %i = %c0 to %steps step %c1 : i32 {
    %q = tile.addptr %p, %i : !tile.ptr<f32>, i32
    tile.store %q, %zero : !tile.ptr<f32>
  }
  scf.for %i = %c0 to %n step %c256 : i32 {
    %q = tile.addptr %p, %i : !tile.ptr<f32>, i32
    tile.store %q, %zero : !tile.ptr<f32>
  }
  scf.for %i = %c0 to %m step %c1024 : i32 {
    %q = tile.addptr %p, %i : !tile.ptr<f32>, i32
    tile.store %q, %zero : !tile.ptr<f32>
  }
  tile.return
}

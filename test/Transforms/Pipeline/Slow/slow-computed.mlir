// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_80},tile.func(tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-pipeline))' -verify-diagnostics -o /dev/null

// What only dots in a branch of a branch read, and what a dot reads behind a scan, waits for memory in each step: that is said.

!tile = tensor<64x64xf16>
!ptrs = tensor<64x64x!tile.ptr<f16>>
!acc = tensor<64x64xf32>

tile.func @computed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %to: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : !acc
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %i = tile.arange : tensor<64xi32>
  %col = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %row = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %down = arith.muli %row, %pitch : tensor<64x1xi32>
  %downs = tile.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
  %cols = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %offs = arith.addi %downs, %cols : tensor<64x64xi32>
  %base = tile.splat %a : !tile.ptr<f16> -> !ptrs
  %o = tile.addptr %base, %offs : !ptrs, tensor<64x64xi32>
  %p = tile.addptr %o, %cols : !ptrs, tensor<64x64xi32>
  %q = tile.addptr %o, %downs : !ptrs, tensor<64x64xi32>
  %results = tile.splat %to : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %sums = tile.addptr %results, %offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %c) -> (!acc) : i32 {
    // expected-warning @+1 {{load is not pipelined: expected a dot of each step, found one in a branch of a branch}}
    %x = tile.load %p : !ptrs
    // expected-warning @+1 {{load is not pipelined: expected a dot of what is loaded, or computed of it element by element, found 'tile.scan' in between}}
    %y = tile.load %q : !ptrs
    %run = tile.scan add %y axis 1 : !tile -> !tile
    // What is computed element by element runs ahead.
    %z = tile.load %o : !ptrs
    %twice = arith.addf %z, %z : !tile
    %e = tile.dot %run, %twice, %sum : !tile, !tile -> !acc
    %odd = arith.cmpi eq, %k, %c1 : i32
    %d = scf.if %odd -> !acc {
      %first = arith.cmpi eq, %n, %c1 : i32
      %rare = scf.if %first -> !acc {
        %more = tile.dot %x, %twice, %e : !tile, !tile -> !acc
        scf.yield %more : !acc
      } else {
        scf.yield %e : !acc
      }
      scf.yield %rare : !acc
    } else {
      scf.yield %e : !acc
    }
    scf.yield %d : !acc
  }
  tile.store %sums, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

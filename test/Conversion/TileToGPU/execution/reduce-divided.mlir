// Reductions over rows that many warps have, of results that each lane has others of: warps divide the partials. Of pairs the second has what
// the firsts make with each other.
//
// RUN: tile-run %s --target=cpu
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=4 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=16 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=32 %}

tile.func @wide(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %a: !tile.ptr<i32>, %b: !tile.ptr<i32>, %least: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<8xi32>
  %j = tile.arange : tensor<1024xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %ib = tile.broadcast %i1 : tensor<8x1xi32> -> tensor<8x1024xi32>
  %jb = tile.broadcast %j1 : tensor<1x1024xi32> -> tensor<8x1024xi32>
  %pitch = arith.constant dense<1024> : tensor<8x1024xi32>
  %start = arith.muli %ib, %pitch : tensor<8x1024xi32>
  %at = arith.addi %start, %jb : tensor<8x1024xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x1024x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %at : tensor<8x1024x!tile.ptr<i32>>, tensor<8x1024xi32>
  %v = tile.load %xp : tensor<8x1024x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<8x1024x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %at : tensor<8x1024x!tile.ptr<i32>>, tensor<8x1024xi32>
  %w = tile.load %yp : tensor<8x1024x!tile.ptr<i32>>
  // The sum of all, and that of w and of the products of any two.
  %p, %q = tile.reduce %v, %w axis 0 : tensor<8x1024xi32>, tensor<8x1024xi32> -> tensor<1024xi32>, tensor<1024xi32> {
  ^bb0(%v0: i32, %w0: i32, %v1: i32, %w1: i32):
    %vv = arith.addi %v0, %v1 : i32
    %t = arith.muli %v0, %v1 : i32
    %u = arith.addi %w0, %w1 : i32
    %ww = arith.addi %t, %u : i32
    tile.yield %vv, %ww : i32, i32
  }
  %m = tile.reduce %v axis 0 : tensor<8x1024xi32> -> tensor<1024xi32> {
  ^bb0(%l: i32, %r: i32):
    %c = arith.minsi %l, %r : i32
    tile.yield %c : i32
  }
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %ap = tile.addptr %as, %j : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %ap, %p : tensor<1024x!tile.ptr<i32>>
  %bs = tile.splat %b : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %j : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %bp, %q : tensor<1024x!tile.ptr<i32>>
  %ls = tile.splat %least : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %lp = tile.addptr %ls, %j : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %lp, %m : tensor<1024x!tile.ptr<i32>>
  tile.return
}

tile.func @square(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %a: !tile.ptr<i32>, %b: !tile.ptr<i32>, %least: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<64xi32>
  %j = tile.arange : tensor<64xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ib = tile.broadcast %i1 : tensor<64x1xi32> -> tensor<64x64xi32>
  %jb = tile.broadcast %j1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x64xi32>
  %start = arith.muli %ib, %pitch : tensor<64x64xi32>
  %at = arith.addi %start, %jb : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %at : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
  %v = tile.load %xp : tensor<64x64x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %at : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
  %w = tile.load %yp : tensor<64x64x!tile.ptr<i32>>
  // The sum of all, and that of w and of the products of any two.
  %p, %q = tile.reduce %v, %w axis 0 : tensor<64x64xi32>, tensor<64x64xi32> -> tensor<64xi32>, tensor<64xi32> {
  ^bb0(%v0: i32, %w0: i32, %v1: i32, %w1: i32):
    %vv = arith.addi %v0, %v1 : i32
    %t = arith.muli %v0, %v1 : i32
    %u = arith.addi %w0, %w1 : i32
    %ww = arith.addi %t, %u : i32
    tile.yield %vv, %ww : i32, i32
  }
  %m = tile.reduce %v axis 0 : tensor<64x64xi32> -> tensor<64xi32> {
  ^bb0(%l: i32, %r: i32):
    %c = arith.minsi %l, %r : i32
    tile.yield %c : i32
  }
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %ap = tile.addptr %as, %j : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %ap, %p : tensor<64x!tile.ptr<i32>>
  %bs = tile.splat %b : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %j : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %bp, %q : tensor<64x!tile.ptr<i32>>
  %ls = tile.splat %least : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %lp = tile.addptr %ls, %j : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %lp, %m : tensor<64x!tile.ptr<i32>>
  tile.return
}

tile.func @rows(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %a: !tile.ptr<i32>, %b: !tile.ptr<i32>, %least: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<128xi32>
  %j = tile.arange : tensor<32xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %ib = tile.broadcast %i1 : tensor<128x1xi32> -> tensor<128x32xi32>
  %jb = tile.broadcast %j1 : tensor<1x32xi32> -> tensor<128x32xi32>
  %pitch = arith.constant dense<32> : tensor<128x32xi32>
  %start = arith.muli %ib, %pitch : tensor<128x32xi32>
  %at = arith.addi %start, %jb : tensor<128x32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<128x32x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %at : tensor<128x32x!tile.ptr<i32>>, tensor<128x32xi32>
  %v = tile.load %xp : tensor<128x32x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<128x32x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %at : tensor<128x32x!tile.ptr<i32>>, tensor<128x32xi32>
  %w = tile.load %yp : tensor<128x32x!tile.ptr<i32>>
  // The sum of all, and that of w and of the products of any two.
  %p, %q = tile.reduce %v, %w axis 0 : tensor<128x32xi32>, tensor<128x32xi32> -> tensor<32xi32>, tensor<32xi32> {
  ^bb0(%v0: i32, %w0: i32, %v1: i32, %w1: i32):
    %vv = arith.addi %v0, %v1 : i32
    %t = arith.muli %v0, %v1 : i32
    %u = arith.addi %w0, %w1 : i32
    %ww = arith.addi %t, %u : i32
    tile.yield %vv, %ww : i32, i32
  }
  %m = tile.reduce %v axis 0 : tensor<128x32xi32> -> tensor<32xi32> {
  ^bb0(%l: i32, %r: i32):
    %c = arith.minsi %l, %r : i32
    tile.yield %c : i32
  }
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %ap = tile.addptr %as, %j : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %ap, %p : tensor<32x!tile.ptr<i32>>
  %bs = tile.splat %b : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %j : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %bp, %q : tensor<32x!tile.ptr<i32>>
  %ls = tile.splat %least : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %lp = tile.addptr %ls, %j : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %lp, %m : tensor<32x!tile.ptr<i32>>
  tile.return
}

func.func @check(%x: memref<?x?xi32>, %y: memref<?x?xi32>, %a: memref<?xi32>, %b: memref<?xi32>, %l: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xi32>
  %cols = memref.dim %x, %c1 : memref<?x?xi32>
  %zero = arith.constant 0 : i32
  %high = arith.constant 2147483647 : i32
  %want_a = tile_host.alloc(%cols) : (index) -> memref<?xi32>
  %want_b = tile_host.alloc(%cols) : (index) -> memref<?xi32>
  %want_l = tile_host.alloc(%cols) : (index) -> memref<?xi32>
  scf.for %j = %c0 to %cols step %c1 {
    %p, %q, %m = scf.for %i = %c0 to %rows step %c1 iter_args(%v0 = %zero, %w0 = %zero, %m0 = %high) -> (i32, i32, i32) {
      %v1 = memref.load %x[%i, %j] : memref<?x?xi32>
      %w1 = memref.load %y[%i, %j] : memref<?x?xi32>
      %vv = arith.addi %v0, %v1 : i32
      %t = arith.muli %v0, %v1 : i32
      %u = arith.addi %w0, %w1 : i32
      %ww = arith.addi %t, %u : i32
      %mm = arith.minsi %m0, %v1 : i32
      scf.yield %vv, %ww, %mm : i32, i32, i32
    }
    memref.store %p, %want_a[%j] : memref<?xi32>
    memref.store %q, %want_b[%j] : memref<?xi32>
    memref.store %m, %want_l[%j] : memref<?xi32>
  }
  tile_host.expect_close %a, %want_a : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %b, %want_b : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %l, %want_l : memref<?xi32>, memref<?xi32>
  return
}

func.func @main() {
  %rows_wide = arith.constant 8 : index
  %cols_wide = arith.constant 1024 : index
  %x_wide = tile_host.random(%rows_wide, %cols_wide) seed 1 : (index, index) -> memref<?x?xi32>
  %y_wide = tile_host.random(%rows_wide, %cols_wide) seed 2 : (index, index) -> memref<?x?xi32>
  %a_wide = tile_host.alloc(%cols_wide) : (index) -> memref<?xi32>
  %b_wide = tile_host.alloc(%cols_wide) : (index) -> memref<?xi32>
  %l_wide = tile_host.alloc(%cols_wide) : (index) -> memref<?xi32>
  tile_host.launch @wide(%x_wide, %y_wide, %a_wide, %b_wide, %l_wide)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>
  func.call @check(%x_wide, %y_wide, %a_wide, %b_wide, %l_wide)
      : (memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  %rows_square = arith.constant 64 : index
  %cols_square = arith.constant 64 : index
  %x_square = tile_host.random(%rows_square, %cols_square) seed 1 : (index, index) -> memref<?x?xi32>
  %y_square = tile_host.random(%rows_square, %cols_square) seed 2 : (index, index) -> memref<?x?xi32>
  %a_square = tile_host.alloc(%cols_square) : (index) -> memref<?xi32>
  %b_square = tile_host.alloc(%cols_square) : (index) -> memref<?xi32>
  %l_square = tile_host.alloc(%cols_square) : (index) -> memref<?xi32>
  tile_host.launch @square(%x_square, %y_square, %a_square, %b_square, %l_square)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>
  func.call @check(%x_square, %y_square, %a_square, %b_square, %l_square)
      : (memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  %rows_rows = arith.constant 128 : index
  %cols_rows = arith.constant 32 : index
  %x_rows = tile_host.random(%rows_rows, %cols_rows) seed 1 : (index, index) -> memref<?x?xi32>
  %y_rows = tile_host.random(%rows_rows, %cols_rows) seed 2 : (index, index) -> memref<?x?xi32>
  %a_rows = tile_host.alloc(%cols_rows) : (index) -> memref<?xi32>
  %b_rows = tile_host.alloc(%cols_rows) : (index) -> memref<?xi32>
  %l_rows = tile_host.alloc(%cols_rows) : (index) -> memref<?xi32>
  tile_host.launch @rows(%x_rows, %y_rows, %a_rows, %b_rows, %l_rows)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>
  func.call @check(%x_rows, %y_rows, %a_rows, %b_rows, %l_rows)
      : (memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  return
}

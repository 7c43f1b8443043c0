// Constant tiles with a value for each element, of every type, through shapes, loops and dots. The
// host computes what they must hold: ((7 i) mod 16) - 8 for element i.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: tile-run %s --check | FileCheck %s --check-prefix=CLEAN
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents))' | tile-run - --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 5 comparisons
// CLEAN: nothing found

!i = tensor<16xi32>
!p = tensor<16x!tile.ptr<i32>>

// Row r of the result is the table of type r.
tile.func private @row(%out: !tile.ptr<i32>, %row: i32, %v: !i) {
  %n = arith.constant 16 : i32
  %first = arith.muli %row, %n : i32
  %firsts = tile.splat %first : i32 -> !i
  %lanes = tile.arange : !i
  %at = arith.addi %firsts, %lanes : !i
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %at : !p, !i
  tile.store %op, %v : !p
  tile.return
}

// `on` is 1: what is not known when this is compiled keeps the tables what they are.
tile.func @types(%out: !tile.ptr<i32>, %on: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %z = arith.constant 0 : i32
  %is = arith.cmpi ne, %on, %z : i32
  %all = tile.splat %is : i1 -> tensor<16xi1>
  %t0 = arith.constant dense<[-8, -1, 6, -3, 4, -5, 2, -7, 0, 7, -2, 5, -4, 3, -6, 1]> : tensor<16xi8>
  %z0 = arith.constant dense<0> : tensor<16xi8>
  %c0 = arith.select %all, %t0, %z0 : tensor<16xi1>, tensor<16xi8>
  %w0 = arith.extsi %c0 : tensor<16xi8> to !i
  %r0 = arith.constant 0 : i32
  tile.call @row(%out, %r0, %w0) : (!tile.ptr<i32>, i32, !i) -> ()
  %t1 = arith.constant dense<[-8, -1, 6, -3, 4, -5, 2, -7, 0, 7, -2, 5, -4, 3, -6, 1]> : tensor<16xi16>
  %z1 = arith.constant dense<0> : tensor<16xi16>
  %c1 = arith.select %all, %t1, %z1 : tensor<16xi1>, tensor<16xi16>
  %w1 = arith.extsi %c1 : tensor<16xi16> to !i
  %r1 = arith.constant 1 : i32
  tile.call @row(%out, %r1, %w1) : (!tile.ptr<i32>, i32, !i) -> ()
  %t2 = arith.constant dense<[-8, -1, 6, -3, 4, -5, 2, -7, 0, 7, -2, 5, -4, 3, -6, 1]> : tensor<16xi32>
  %z2 = arith.constant dense<0> : tensor<16xi32>
  %c2 = arith.select %all, %t2, %z2 : tensor<16xi1>, tensor<16xi32>
  %r2 = arith.constant 2 : i32
  tile.call @row(%out, %r2, %c2) : (!tile.ptr<i32>, i32, !i) -> ()
  %t3 = arith.constant dense<[-8, -1, 6, -3, 4, -5, 2, -7, 0, 7, -2, 5, -4, 3, -6, 1]> : tensor<16xi64>
  %z3 = arith.constant dense<0> : tensor<16xi64>
  %c3 = arith.select %all, %t3, %z3 : tensor<16xi1>, tensor<16xi64>
  %w3 = arith.trunci %c3 : tensor<16xi64> to !i
  %r3 = arith.constant 3 : i32
  tile.call @row(%out, %r3, %w3) : (!tile.ptr<i32>, i32, !i) -> ()
  %t4 = arith.constant dense<[-8.0, -1.0, 6.0, -3.0, 4.0, -5.0, 2.0, -7.0, 0.0, 7.0, -2.0, 5.0, -4.0, 3.0, -6.0, 1.0]> : tensor<16xf16>
  %z4 = arith.constant dense<0.0> : tensor<16xf16>
  %c4 = arith.select %all, %t4, %z4 : tensor<16xi1>, tensor<16xf16>
  %w4 = arith.fptosi %c4 : tensor<16xf16> to !i
  %r4 = arith.constant 4 : i32
  tile.call @row(%out, %r4, %w4) : (!tile.ptr<i32>, i32, !i) -> ()
  %t5 = arith.constant dense<[-8.0, -1.0, 6.0, -3.0, 4.0, -5.0, 2.0, -7.0, 0.0, 7.0, -2.0, 5.0, -4.0, 3.0, -6.0, 1.0]> : tensor<16xbf16>
  %z5 = arith.constant dense<0.0> : tensor<16xbf16>
  %c5 = arith.select %all, %t5, %z5 : tensor<16xi1>, tensor<16xbf16>
  %w5 = arith.fptosi %c5 : tensor<16xbf16> to !i
  %r5 = arith.constant 5 : i32
  tile.call @row(%out, %r5, %w5) : (!tile.ptr<i32>, i32, !i) -> ()
  %t6 = arith.constant dense<[-8.0, -1.0, 6.0, -3.0, 4.0, -5.0, 2.0, -7.0, 0.0, 7.0, -2.0, 5.0, -4.0, 3.0, -6.0, 1.0]> : tensor<16xf32>
  %z6 = arith.constant dense<0.0> : tensor<16xf32>
  %c6 = arith.select %all, %t6, %z6 : tensor<16xi1>, tensor<16xf32>
  %w6 = arith.fptosi %c6 : tensor<16xf32> to !i
  %r6 = arith.constant 6 : i32
  tile.call @row(%out, %r6, %w6) : (!tile.ptr<i32>, i32, !i) -> ()
  %t7 = arith.constant dense<[-8.0, -1.0, 6.0, -3.0, 4.0, -5.0, 2.0, -7.0, 0.0, 7.0, -2.0, 5.0, -4.0, 3.0, -6.0, 1.0]> : tensor<16xf64>
  %z7 = arith.constant dense<0.0> : tensor<16xf64>
  %c7 = arith.select %all, %t7, %z7 : tensor<16xi1>, tensor<16xf64>
  %w7 = arith.fptosi %c7 : tensor<16xf64> to !i
  %r7 = arith.constant 7 : i32
  tile.call @row(%out, %r7, %w7) : (!tile.ptr<i32>, i32, !i) -> ()
  %t8 = arith.constant dense<[-8.0, -1.0, 6.0, -3.0, 4.0, -5.0, 2.0, -7.0, 0.0, 7.0, -2.0, 5.0, -4.0, 3.0, -6.0, 1.0]> : tensor<16xf8E4M3FN>
  %z8 = arith.constant dense<0.0> : tensor<16xf8E4M3FN>
  %c8 = arith.select %all, %t8, %z8 : tensor<16xi1>, tensor<16xf8E4M3FN>
  %e8 = arith.extf %c8 : tensor<16xf8E4M3FN> to tensor<16xf32>
  %w8 = arith.fptosi %e8 : tensor<16xf32> to !i
  %r8 = arith.constant 8 : i32
  tile.call @row(%out, %r8, %w8) : (!tile.ptr<i32>, i32, !i) -> ()
  %t9 = arith.constant dense<[-8.0, -1.0, 6.0, -3.0, 4.0, -5.0, 2.0, -7.0, 0.0, 7.0, -2.0, 5.0, -4.0, 3.0, -6.0, 1.0]> : tensor<16xf8E5M2>
  %z9 = arith.constant dense<0.0> : tensor<16xf8E5M2>
  %c9 = arith.select %all, %t9, %z9 : tensor<16xi1>, tensor<16xf8E5M2>
  %e9 = arith.extf %c9 : tensor<16xf8E5M2> to tensor<16xf32>
  %w9 = arith.fptosi %e9 : tensor<16xf32> to !i
  %r9 = arith.constant 9 : i32
  tile.call @row(%out, %r9, %w9) : (!tile.ptr<i32>, i32, !i) -> ()
  %neg_t = arith.constant dense<[true, true, false, true, false, true, false, true, false, false, true, false, true, false, true, false]> : tensor<16xi1>
  %neg = arith.andi %neg_t, %all : tensor<16xi1>
  %zero = arith.constant dense<0> : !i
  %minus = arith.subi %zero, %c2 : !i
  %size = arith.select %neg, %minus, %c2 : tensor<16xi1>, !i
  %r10 = arith.constant 10 : i32
  tile.call @row(%out, %r10, %size) : (!tile.ptr<i32>, i32, !i) -> ()
  tile.return
}

// A table of 3 x 5, as it is, transposed, and picked from; what is stored in out[0], out[1], out[2].
tile.func @shapes(%out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c = arith.constant dense<[[-8, -1, 6, -3, 4], [-5, 2, -7, 0, 7], [-2, 5, -4, 3, -6]]> : tensor<3x5xi32>
  %t = tile.trans %c order [1, 0] : tensor<3x5xi32> -> tensor<5x3xi32>
  %flat = tile.reshape %c : tensor<3x5xi32> -> tensor<15xi32>
  %tflat = tile.reshape %t : tensor<5x3xi32> -> tensor<15xi32>
  %back = arith.constant dense<[14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<15xi32>
  %picked = tile.gather %flat, %back axis 0 : tensor<15xi32>, tensor<15xi32> -> tensor<15xi32>
  %at = tile.arange : tensor<15xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<15x!tile.ptr<i32>>
  %op = tile.addptr %os, %at : tensor<15x!tile.ptr<i32>>, tensor<15xi32>
  tile.store %op, %flat : tensor<15x!tile.ptr<i32>>
  %n = arith.constant dense<15> : tensor<15xi32>
  %op1 = tile.addptr %op, %n : tensor<15x!tile.ptr<i32>>, tensor<15xi32>
  tile.store %op1, %tflat : tensor<15x!tile.ptr<i32>>
  %op2 = tile.addptr %op1, %n : tensor<15x!tile.ptr<i32>>, tensor<15xi32>
  tile.store %op2, %picked : tensor<15x!tile.ptr<i32>>
  tile.return
}

// Three times a table, in a loop: several elements for each thread.
tile.func @many(%x: !tile.ptr<i16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %table = arith.constant dense<"0xF8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100F8FFFFFF0600FDFF0400FBFF0200F9FF00000700FEFF0500FCFF0300FAFF0100"> : tensor<512xi16>
  %none = arith.constant dense<0> : tensor<512xi16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %none) -> (tensor<512xi16>) : i32 {
    %next = arith.addi %s, %table : tensor<512xi16>
    scf.yield %next : tensor<512xi16>
  }
  %at = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<i16> -> tensor<512x!tile.ptr<i16>>
  %xp = tile.addptr %xs, %at : tensor<512x!tile.ptr<i16>>, tensor<512xi32>
  tile.store %xp, %sum : tensor<512x!tile.ptr<i16>>
  tile.return
}

// y = M (M + M), and M = ((3 r + 5 c) mod 7) - 3; the transpose of M in z.
tile.func @square(%y: !tile.ptr<f32>, %z: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %m = arith.constant dense<"0x00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C00042003C00BC00C20040000000C0"> : tensor<16x16xf16>
  %twice = arith.addf %m, %m : tensor<16x16xf16>
  %acc = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %m, %twice, %acc : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %t = tile.trans %m order [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %l = tile.arange : tensor<256xi32>
  %at = tile.reshape %l : tensor<256xi32> -> tensor<16x16xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %at : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %yp, %d : tensor<16x16x!tile.ptr<f32>>
  %zs = tile.splat %z : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %zp = tile.addptr %zs, %at : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  tile.store %zp, %t : tensor<16x16x!tile.ptr<f16>>
  tile.return
}

func.func private @value(%i: index) -> i32 {
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : i32
  %p = arith.muli %i, %c7 : index
  %r = arith.remui %p, %c16 : index
  %n = arith.index_cast %r : index to i32
  %v = arith.subi %n, %c8 : i32
  return %v : i32
}

func.func private @entry(%r: index, %c: index) -> f32 {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %three = arith.constant 3.0 : f32
  %r3 = arith.muli %r, %c3 : index
  %s5 = arith.muli %c, %c5 : index
  %sum = arith.addi %r3, %s5 : index
  %rest = arith.remui %sum, %c7 : index
  %n = arith.index_cast %rest : index to i32
  %f = arith.sitofp %n : i32 to f32
  %v = arith.subf %f, %three : f32
  return %v : f32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index

  %types = tile_host.alloc() : () -> memref<11x16xi32>
  %on = arith.constant 1 : i32
  tile_host.launch @types(%types, %on) : memref<11x16xi32>, i32
  %types_want = tile_host.alloc() : () -> memref<11x16xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %v = func.call @value(%i) : (index) -> i32
    scf.for %r = %c0 to %c10 step %c1 {
      memref.store %v, %types_want[%r, %i] : memref<11x16xi32>
    }
    %size = math.absi %v : i32
    memref.store %size, %types_want[%c10, %i] : memref<11x16xi32>
  }
  tile_host.expect_close %types, %types_want : memref<11x16xi32>, memref<11x16xi32>

  %shapes = tile_host.alloc() : () -> memref<3x15xi32>
  tile_host.launch @shapes(%shapes) : memref<3x15xi32>
  %shapes_want = tile_host.alloc() : () -> memref<3x15xi32>
  scf.for %r = %c0 to %c3 step %c1 {
    scf.for %c = %c0 to %c5 step %c1 {
      %first = arith.muli %r, %c5 : index
      %i = arith.addi %first, %c : index
      %v = func.call @value(%i) : (index) -> i32
      memref.store %v, %shapes_want[%c0, %i] : memref<3x15xi32>
      %column = arith.muli %c, %c3 : index
      %j = arith.addi %column, %r : index
      memref.store %v, %shapes_want[%c1, %j] : memref<3x15xi32>
      %k = arith.subi %c14, %i : index
      memref.store %v, %shapes_want[%c2, %k] : memref<3x15xi32>
    }
  }
  tile_host.expect_close %shapes, %shapes_want : memref<3x15xi32>, memref<3x15xi32>

  %many = tile_host.alloc() : () -> memref<512xi16>
  tile_host.launch @many(%many) : memref<512xi16>
  %many_want = tile_host.alloc() : () -> memref<512xi16>
  %times = arith.constant 3 : i32
  scf.for %i = %c0 to %c512 step %c1 {
    %v = func.call @value(%i) : (index) -> i32
    %v3 = arith.muli %v, %times : i32
    %w = arith.trunci %v3 : i32 to i16
    memref.store %w, %many_want[%i] : memref<512xi16>
  }
  tile_host.expect_close %many, %many_want : memref<512xi16>, memref<512xi16>

  %y = tile_host.alloc() : () -> memref<16x16xf32>
  %z = tile_host.alloc() : () -> memref<16x16xf16>
  tile_host.launch @square(%y, %z) : memref<16x16xf32>, memref<16x16xf16>
  %y_want = tile_host.alloc() : () -> memref<16x16xf32>
  %z_want = tile_host.alloc() : () -> memref<16x16xf16>
  scf.for %r = %c0 to %c16 step %c1 {
    scf.for %c = %c0 to %c16 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (f32) {
        %a = func.call @entry(%r, %k) : (index, index) -> f32
        %b = func.call @entry(%k, %c) : (index, index) -> f32
        %b2 = arith.addf %b, %b : f32
        %ab = arith.mulf %a, %b2 : f32
        %next = arith.addf %s, %ab : f32
        scf.yield %next : f32
      }
      memref.store %sum, %y_want[%r, %c] : memref<16x16xf32>
      %e = func.call @entry(%c, %r) : (index, index) -> f32
      %h = arith.truncf %e : f32 to f16
      memref.store %h, %z_want[%r, %c] : memref<16x16xf16>
    }
  }
  tile_host.expect_close %y, %y_want : memref<16x16xf32>, memref<16x16xf32>
  tile_host.expect_close %z, %z_want : memref<16x16xf16>, memref<16x16xf16>
  return
}

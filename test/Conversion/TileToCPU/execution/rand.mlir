// tile.rand against Philox 4x32-10 written out on the host in 64-bit arithmetic, and that against
// the known answers that its authors publish (Random123, kat_vectors).
//
// RUN: tile-run %s --target=cpu --args 1000 | FileCheck %s
// RUN: tile-run %s --target=cpu --args 1
// RUN: %if gpu %{ tile-run %s --target=gpu --args 1000 | FileCheck %s %}
// CHECK: largest error 0, {{.*}}in 2 comparisons

!offs = tensor<128xi32>
!vals = tensor<128xf32>
!ptrs = tensor<128x!tile.ptr<f32>>

// Rows: an i64 seed; the same by a tile of two dimensions; an i32 seed; one number a program.
tile.func @draw(%out: !tile.ptr<f32>, %seed: i64, %n: i32) {
  tile.grid(%n : i32) {
    %size = arith.constant 128 : i32
    %programs = arith.ceildivsi %n, %size : i32
    tile.yield %programs : i32
  }
  %size = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %size : i32
  %lanes = tile.arange : !offs
  %firsts = tile.splat %first : i32 -> !offs
  %at = arith.addi %firsts, %lanes : !offs
  %ends = tile.splat %n : i32 -> !offs
  %in = arith.cmpi slt, %at, %ends : !offs
  %bases = tile.splat %out : !tile.ptr<f32> -> !ptrs
  %p0 = tile.addptr %bases, %at : !ptrs, !offs
  // Offsets at both ends of the 32 bits.
  %minus = arith.constant dense<-7> : !offs
  %offsets = arith.addi %at, %minus : !offs
  %r0 = tile.rand %seed, %offsets : i64, !offs
  tile.store %p0, %r0, %in : !ptrs
  %p1 = tile.addptr %p0, %ends : !ptrs, !offs
  %square = tile.reshape %offsets : !offs -> tensor<8x16xi32>
  %r1 = tile.rand %seed, %square : i64, tensor<8x16xi32>
  %flat = tile.reshape %r1 : tensor<8x16xf32> -> !vals
  tile.store %p1, %flat, %in : !ptrs
  %p2 = tile.addptr %p1, %ends : !ptrs, !offs
  %short = arith.trunci %seed : i64 to i32
  %r2 = tile.rand %short, %offsets : i32, !offs
  tile.store %p2, %r2, %in : !ptrs
  %p3 = tile.addptr %p2, %ends : !ptrs, !offs
  %r3 = tile.rand %seed, %pid : i64, i32
  %same = tile.splat %r3 : f32 -> !vals
  tile.store %p3, %same, %in : !ptrs
  tile.return
}

// The four words for a counter and a key, each word in an i64.
func.func @philox(%a: i64, %b: i64, %c: i64, %d: i64, %k: i64, %l: i64) -> (i64, i64, i64, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %m0 = arith.constant 0xd2511f53 : i64
  %m1 = arith.constant 0xcd9e8d57 : i64
  %w0 = arith.constant 0x9e3779b9 : i64
  %w1 = arith.constant 0xbb67ae85 : i64
  %mask = arith.constant 0xffffffff : i64
  %bits = arith.constant 32 : i64
  %r:6 = scf.for %i = %zero to %ten step %one
      iter_args(%x0 = %a, %x1 = %b, %x2 = %c, %x3 = %d, %k0 = %k, %k1 = %l)
      -> (i64, i64, i64, i64, i64, i64) {
    %p0 = arith.muli %x0, %m0 : i64
    %p1 = arith.muli %x2, %m1 : i64
    %h0 = arith.shrui %p0, %bits : i64
    %h1 = arith.shrui %p1, %bits : i64
    %l0 = arith.andi %p0, %mask : i64
    %l1 = arith.andi %p1, %mask : i64
    %y0 = arith.xori %h1, %x1 : i64
    %z0 = arith.xori %y0, %k0 : i64
    %y2 = arith.xori %h0, %x3 : i64
    %z2 = arith.xori %y2, %k1 : i64
    %s0 = arith.addi %k0, %w0 : i64
    %s1 = arith.addi %k1, %w1 : i64
    %t0 = arith.andi %s0, %mask : i64
    %t1 = arith.andi %s1, %mask : i64
    scf.yield %z0, %l1, %z2, %l0, %t0, %t1 : i64, i64, i64, i64, i64, i64
  }
  return %r#0, %r#1, %r#2, %r#3 : i64, i64, i64, i64
}

func.func @toNumber(%word: i64) -> f32 {
  %eight = arith.constant 8 : i64
  %step = arith.constant 5.9604644775390625e-8 : f64
  %upper = arith.shrui %word, %eight : i64
  %n = arith.uitofp %upper : i64 to f64
  %r = arith.mulf %n, %step : f64
  %f = arith.truncf %r : f64 to f32
  return %f : f32
}

// Words of the published vectors: all zeros; all ones; digits of pi.
func.func @knownAnswers() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %got = tile_host.alloc() : () -> memref<12xi64>
  %want = tile_host.alloc() : () -> memref<12xi64>
  %z = arith.constant 0 : i64
  %f = arith.constant 0xffffffff : i64
  %a:4 = func.call @philox(%z, %z, %z, %z, %z, %z)
      : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
  %b:4 = func.call @philox(%f, %f, %f, %f, %f, %f)
      : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
  %p0 = arith.constant 0x243f6a88 : i64
  %p1 = arith.constant 0x85a308d3 : i64
  %p2 = arith.constant 0x13198a2e : i64
  %p3 = arith.constant 0x03707344 : i64
  %p4 = arith.constant 0xa4093822 : i64
  %p5 = arith.constant 0x299f31d0 : i64
  %c:4 = func.call @philox(%p0, %p1, %p2, %p3, %p4, %p5)
      : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
  memref.store %a#0, %got[%c0] : memref<12xi64>
  memref.store %a#1, %got[%c1] : memref<12xi64>
  memref.store %a#2, %got[%c2] : memref<12xi64>
  memref.store %a#3, %got[%c3] : memref<12xi64>
  memref.store %b#0, %got[%c4] : memref<12xi64>
  memref.store %b#1, %got[%c5] : memref<12xi64>
  memref.store %b#2, %got[%c6] : memref<12xi64>
  memref.store %b#3, %got[%c7] : memref<12xi64>
  memref.store %c#0, %got[%c8] : memref<12xi64>
  memref.store %c#1, %got[%c9] : memref<12xi64>
  memref.store %c#2, %got[%c10] : memref<12xi64>
  memref.store %c#3, %got[%c11] : memref<12xi64>
  %w0 = arith.constant 0x6627e8d5 : i64
  %w1 = arith.constant 0xe169c58d : i64
  %w2 = arith.constant 0xbc57ac4c : i64
  %w3 = arith.constant 0x9b00dbd8 : i64
  %w4 = arith.constant 0x408f276d : i64
  %w5 = arith.constant 0x41c83b0e : i64
  %w6 = arith.constant 0xa20bc7c6 : i64
  %w7 = arith.constant 0x6d5451fd : i64
  %w8 = arith.constant 0xd16cfe09 : i64
  %w9 = arith.constant 0x94fdcceb : i64
  %w10 = arith.constant 0x5001e420 : i64
  %w11 = arith.constant 0x24126ea1 : i64
  memref.store %w0, %want[%c0] : memref<12xi64>
  memref.store %w1, %want[%c1] : memref<12xi64>
  memref.store %w2, %want[%c2] : memref<12xi64>
  memref.store %w3, %want[%c3] : memref<12xi64>
  memref.store %w4, %want[%c4] : memref<12xi64>
  memref.store %w5, %want[%c5] : memref<12xi64>
  memref.store %w6, %want[%c6] : memref<12xi64>
  memref.store %w7, %want[%c7] : memref<12xi64>
  memref.store %w8, %want[%c8] : memref<12xi64>
  memref.store %w9, %want[%c9] : memref<12xi64>
  memref.store %w10, %want[%c10] : memref<12xi64>
  memref.store %w11, %want[%c11] : memref<12xi64>
  tile_host.expect_close %got, %want : memref<12xi64>, memref<12xi64>
  return
}

func.func @main(%n: i32) {
  func.call @knownAnswers() : () -> ()
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %i0 = arith.constant 0 : i64
  %count = arith.index_cast %n : i32 to index
  %all = arith.muli %count, %four : index
  %got = tile_host.alloc(%all) : (index) -> memref<?xf32>
  %want = tile_host.alloc(%all) : (index) -> memref<?xf32>
  %seed = arith.constant 0x123456789abcdef0 : i64
  tile_host.launch @draw(%got, %seed, %n) : memref<?xf32>, i64, i32
  %mask = arith.constant 0xffffffff : i64
  %bits = arith.constant 32 : i64
  %low = arith.andi %seed, %mask : i64
  %high = arith.shrui %seed, %bits : i64
  %minus = arith.constant -7 : i64
  %block = arith.constant 128 : i64
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  scf.for %i = %zero to %count step %one {
    %j = arith.index_cast %i : index to i64
    %k = arith.addi %j, %minus : i64
    %offset = arith.andi %k, %mask : i64
    %a:4 = func.call @philox(%offset, %i0, %i0, %i0, %low, %high)
        : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
    %u = func.call @toNumber(%a#0) : (i64) -> f32
    memref.store %u, %want[%i] : memref<?xf32>
    %at1 = arith.addi %i, %count : index
    memref.store %u, %want[%at1] : memref<?xf32>
    %b:4 = func.call @philox(%offset, %i0, %i0, %i0, %low, %i0)
        : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
    %v = func.call @toNumber(%b#0) : (i64) -> f32
    %at2 = arith.addi %at1, %count : index
    memref.store %v, %want[%at2] : memref<?xf32>
    %pid = arith.divui %j, %block : i64
    %c:4 = func.call @philox(%pid, %i0, %i0, %i0, %low, %high)
        : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64)
    %w = func.call @toNumber(%c#0) : (i64) -> f32
    %at3 = arith.addi %at2, %count : index
    memref.store %w, %want[%at3] : memref<?xf32>
  }
  tile_host.expect_close %got, %want : memref<?xf32>, memref<?xf32>
  return
}

// Numbers of every type: f8, bf16 and f16 by way of f32, with rounding beside the host's own
// conversions; integer division that must not trap; remainders as addresses; atomics.
// RUN: tile-run %s --target=cpu --args 1003 --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --args 1003 --repeat=1 | FileCheck %s %}
// CHECK: in 8 comparisons


tile.func @round_f16(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp, %in : tensor<64x!tile.ptr<f32>>
  %r = arith.truncf %v : tensor<64xf32> to tensor<64xf16>
  %q = arith.addf %r, %r : tensor<64xf16>
  %w = arith.extf %q : tensor<64xf16> to tensor<64xf32>
  tile.store %yp, %w, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @round_bf16(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp, %in : tensor<64x!tile.ptr<f32>>
  %r = arith.truncf %v : tensor<64xf32> to tensor<64xbf16>
  %q = arith.addf %r, %r : tensor<64xbf16>
  %w = arith.extf %q : tensor<64xbf16> to tensor<64xf32>
  tile.store %yp, %w, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @round_e4m3(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp, %in : tensor<64x!tile.ptr<f32>>
  %r = arith.truncf %v : tensor<64xf32> to tensor<64xf8E4M3FN>
  %q = arith.addf %r, %r : tensor<64xf8E4M3FN>
  %w = arith.extf %q : tensor<64xf8E4M3FN> to tensor<64xf32>
  tile.store %yp, %w, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @round_e5m2(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp, %in : tensor<64x!tile.ptr<f32>>
  %r = arith.truncf %v : tensor<64xf32> to tensor<64xf8E5M2>
  %q = arith.addf %r, %r : tensor<64xf8E5M2>
  %w = arith.extf %q : tensor<64xf8E5M2> to tensor<64xf32>
  tile.store %yp, %w, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @divide(%a: !tile.ptr<i32>, %b: !tile.ptr<i32>, %q: !tile.ptr<i32>, %r: !tile.ptr<i32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %ap = tile.addptr %as, %offs : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %bs = tile.splat %b : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %offs : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %qp = tile.addptr %qs, %offs : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %rs = tile.splat %r : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %rp = tile.addptr %rs, %offs : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %x = tile.load %ap, %in : tensor<64x!tile.ptr<i32>>
  %y = tile.load %bp, %in : tensor<64x!tile.ptr<i32>>
  %d = arith.divsi %x, %y : tensor<64xi32>
  %m = arith.remsi %x, %y : tensor<64xi32>
  tile.store %qp, %d, %in : tensor<64x!tile.ptr<i32>>
  tile.store %rp, %m, %in : tensor<64x!tile.ptr<i32>>
  tile.return
}

tile.func @rotate(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %five = arith.constant dense<5> : tensor<64xi32>
  %far = arith.addi %offs, %five : tensor<64xi32>
  %around = arith.remsi %far, %end : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %around : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  tile.store %yp, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @count(%a: !tile.ptr<i32>, %h: !tile.ptr<i32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 64 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<64xi32>
  %base = tile.splat %first : i32 -> tensor<64xi32>
  %offs = arith.addi %base, %lane : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<64xi32>
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %ap = tile.addptr %as, %offs : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %x = tile.load %ap, %in : tensor<64x!tile.ptr<i32>>
  %eight = arith.constant dense<8> : tensor<64xi32>
  %ones = arith.constant dense<1> : tensor<64xi32>
  %bin = arith.addi %x, %eight : tensor<64xi32>
  %hs = tile.splat %h : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %hp = tile.addptr %hs, %bin : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %old = tile.atomic_rmw add relaxed gpu %hp, %ones, %in : tensor<64x!tile.ptr<i32>>
  tile.return
}

// To 10 fraction bits and exponents from -14 on: the nearest multiple of the last bit's weight.
func.func private @f16(%x: f32) -> f32 {
  %w = arith.extf %x : f32 to f64
  %size = math.absf %w : f64
  %tiny = arith.constant 1.0e-30 : f64
  %some = arith.maximumf %size, %tiny : f64
  %l = math.log2 %some : f64
  %fl = math.floor %l : f64
  %low = arith.constant -14.0 : f64
  %e = arith.maximumf %fl, %low : f64
  %bits = arith.constant 10.0 : f64
  %le = arith.subf %e, %bits : f64
  %ulp = math.exp2 %le : f64
  %n = arith.divf %w, %ulp : f64
  %r = math.roundeven %n : f64
  %y = arith.mulf %r, %ulp : f64
  %z = arith.truncf %y : f64 to f32
  return %z : f32
}

// To 7 fraction bits and exponents from -126 on: the nearest multiple of the last bit's weight.
func.func private @bf16(%x: f32) -> f32 {
  %w = arith.extf %x : f32 to f64
  %size = math.absf %w : f64
  %tiny = arith.constant 1.0e-30 : f64
  %some = arith.maximumf %size, %tiny : f64
  %l = math.log2 %some : f64
  %fl = math.floor %l : f64
  %low = arith.constant -126.0 : f64
  %e = arith.maximumf %fl, %low : f64
  %bits = arith.constant 7.0 : f64
  %le = arith.subf %e, %bits : f64
  %ulp = math.exp2 %le : f64
  %n = arith.divf %w, %ulp : f64
  %r = math.roundeven %n : f64
  %y = arith.mulf %r, %ulp : f64
  %z = arith.truncf %y : f64 to f32
  return %z : f32
}

// To 3 fraction bits and exponents from -6 on: the nearest multiple of the last bit's weight.
func.func private @e4m3(%x: f32) -> f32 {
  %w = arith.extf %x : f32 to f64
  %size = math.absf %w : f64
  %tiny = arith.constant 1.0e-30 : f64
  %some = arith.maximumf %size, %tiny : f64
  %l = math.log2 %some : f64
  %fl = math.floor %l : f64
  %low = arith.constant -6.0 : f64
  %e = arith.maximumf %fl, %low : f64
  %bits = arith.constant 3.0 : f64
  %le = arith.subf %e, %bits : f64
  %ulp = math.exp2 %le : f64
  %n = arith.divf %w, %ulp : f64
  %r = math.roundeven %n : f64
  %y = arith.mulf %r, %ulp : f64
  %z = arith.truncf %y : f64 to f32
  return %z : f32
}

// To 2 fraction bits and exponents from -14 on: the nearest multiple of the last bit's weight.
func.func private @e5m2(%x: f32) -> f32 {
  %w = arith.extf %x : f32 to f64
  %size = math.absf %w : f64
  %tiny = arith.constant 1.0e-30 : f64
  %some = arith.maximumf %size, %tiny : f64
  %l = math.log2 %some : f64
  %fl = math.floor %l : f64
  %low = arith.constant -14.0 : f64
  %e = arith.maximumf %fl, %low : f64
  %bits = arith.constant 2.0 : f64
  %le = arith.subf %e, %bits : f64
  %ulp = math.exp2 %le : f64
  %n = arith.divf %w, %ulp : f64
  %r = math.roundeven %n : f64
  %y = arith.mulf %r, %ulp : f64
  %z = arith.truncf %y : f64 to f32
  return %z : f32
}

func.func @main(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ni = arith.index_cast %n : i32 to index
  // Cubes, so that small numbers and subnormals are among them.
  %x0 = tile_host.random(%n) seed 1 : (i32) -> memref<?xf32>
  %x = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %x0[%i] : memref<?xf32>
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    memref.store %v3, %x[%i] : memref<?xf32>
  }

  %f16y = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %f16w = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @round_f16(%x, %f16y, %n) : memref<?xf32>, memref<?xf32>, i32
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %r = func.call @f16(%v) : (f32) -> f32
    %q = arith.addf %r, %r : f32
    memref.store %q, %f16w[%i] : memref<?xf32>
  }
  tile_host.expect_close %f16y, %f16w : memref<?xf32>, memref<?xf32>

  %bf16y = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %bf16w = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @round_bf16(%x, %bf16y, %n) : memref<?xf32>, memref<?xf32>, i32
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %r = func.call @bf16(%v) : (f32) -> f32
    %q = arith.addf %r, %r : f32
    memref.store %q, %bf16w[%i] : memref<?xf32>
  }
  tile_host.expect_close %bf16y, %bf16w : memref<?xf32>, memref<?xf32>

  %e4m3y = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %e4m3w = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @round_e4m3(%x, %e4m3y, %n) : memref<?xf32>, memref<?xf32>, i32
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %r = func.call @e4m3(%v) : (f32) -> f32
    %q = arith.addf %r, %r : f32
    memref.store %q, %e4m3w[%i] : memref<?xf32>
  }
  tile_host.expect_close %e4m3y, %e4m3w : memref<?xf32>, memref<?xf32>

  %e5m2y = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %e5m2w = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @round_e5m2(%x, %e5m2y, %n) : memref<?xf32>, memref<?xf32>, i32
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %r = func.call @e5m2(%v) : (f32) -> f32
    %q = arith.addf %r, %r : f32
    memref.store %q, %e5m2w[%i] : memref<?xf32>
  }
  tile_host.expect_close %e5m2y, %e5m2w : memref<?xf32>, memref<?xf32>

  %a = tile_host.random(%n) seed 2 : (i32) -> memref<?xi32>
  %b0 = tile_host.random(%n) seed 3 : (i32) -> memref<?xi32>
  %b = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %dq = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %dr = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %wq = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %wr = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %w = memref.load %b0[%i] : memref<?xi32>
    %is = arith.cmpi eq, %w, %zero : i32
    %d = arith.select %is, %one, %w : i32
    memref.store %d, %b[%i] : memref<?xi32>
    %q = arith.divsi %v, %d : i32
    %qd = arith.muli %q, %d : i32
    %r = arith.subi %v, %qd : i32
    memref.store %q, %wq[%i] : memref<?xi32>
    memref.store %r, %wr[%i] : memref<?xi32>
  }
  tile_host.launch @divide(%a, %b, %dq, %dr, %n) : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>, i32
  tile_host.expect_close %dq, %wq : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %dr, %wr : memref<?xi32>, memref<?xi32>

  %ry = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %rw = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %c5 = arith.constant 5 : index
  tile_host.launch @rotate(%x, %ry, %n) : memref<?xf32>, memref<?xf32>, i32
  scf.for %i = %c0 to %ni step %c1 {
    %j = arith.addi %i, %c5 : index
    %k = arith.remsi %j, %ni : index
    %v = memref.load %x[%k] : memref<?xf32>
    memref.store %v, %rw[%i] : memref<?xf32>
  }
  tile_host.expect_close %ry, %rw : memref<?xf32>, memref<?xf32>

  %c16 = arith.constant 16 : index
  %eight = arith.constant 8 : i32
  %h = tile_host.alloc(%c16) : (index) -> memref<?xi32>
  %hw = tile_host.alloc(%c16) : (index) -> memref<?xi32>
  tile_host.launch @count(%a, %h, %n) : memref<?xi32>, memref<?xi32>, i32
  scf.for %i = %c0 to %ni step %c1 {
    %v = memref.load %a[%i] : memref<?xi32>
    %w = arith.addi %v, %eight : i32
    %bin = arith.index_cast %w : i32 to index
    %c = memref.load %hw[%bin] : memref<?xi32>
    %d = arith.addi %c, %one : i32
    memref.store %d, %hw[%bin] : memref<?xi32>
  }
  tile_host.expect_close %h, %hw : memref<?xi32>, memref<?xi32>
  return
}

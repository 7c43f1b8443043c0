// Math functions beside the host's libm in f64; each bound is some ULP of f32 (2^-24 is 6.0e-8).
// Arguments: x uniform in [-1, 1), times 80 for exp, squared for log, times 1000 for sin and cos.
// RUN: tile-run %s --target=cpu --args 5001 --repeat=1 | FileCheck %s
// CHECK: in 9 comparisons

!f = tensor<256xf32>
!p = tensor<256x!tile.ptr<f32>>

tile.func @exp(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.exp %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @exp2(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.exp2 %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @log(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.log %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @log2(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.log2 %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @sin(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.sin %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @cos(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.cos %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @tanh(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.tanh %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @erf(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.erf %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

tile.func @rsqrt(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid(%n : i32) {
    %block = arith.constant 256 : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = arith.constant 256 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %end = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, tensor<256xi32>
  %v = tile.load %xp, %in : !p
  %y = math.rsqrt %v : !f
  %os = tile.splat %out : !tile.ptr<f32> -> !p
  %op = tile.addptr %os, %offs : !p, tensor<256xi32>
  tile.store %op, %y, %in : !p
  tile.return
}

func.func @main(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ni = arith.index_cast %n : i32 to index
  %x = tile_host.random(%n) seed 1 : (i32) -> memref<?xf32>

  %expk = arith.constant 80.0 : f32
  %expx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %expy = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %expw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %expv = memref.load %x[%i] : memref<?xf32>
    %exps = arith.mulf %expv, %expk : f32
    memref.store %exps, %expx[%i] : memref<?xf32>
    %expd = arith.extf %exps : f32 to f64
    %expr = math.exp %expd : f64
    memref.store %expr, %expw[%i] : memref<?xf64>
  }
  tile_host.launch @exp(%expx, %expy, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %expy, %expw {atol = 0.0, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %exp2k = arith.constant 120.0 : f32
  %exp2x = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %exp2y = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %exp2w = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %exp2v = memref.load %x[%i] : memref<?xf32>
    %exp2s = arith.mulf %exp2v, %exp2k : f32
    memref.store %exp2s, %exp2x[%i] : memref<?xf32>
    %exp2d = arith.extf %exp2s : f32 to f64
    %exp2r = math.exp2 %exp2d : f64
    memref.store %exp2r, %exp2w[%i] : memref<?xf64>
  }
  tile_host.launch @exp2(%exp2x, %exp2y, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %exp2y, %exp2w {atol = 0.0, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %logk = arith.constant 1.0 : f32
  %logx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %logy = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %logw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %logv = memref.load %x[%i] : memref<?xf32>
    %logs = arith.mulf %logv, %logv : f32
    memref.store %logs, %logx[%i] : memref<?xf32>
    %logd = arith.extf %logs : f32 to f64
    %logr = math.log %logd : f64
    memref.store %logr, %logw[%i] : memref<?xf64>
  }
  tile_host.launch @log(%logx, %logy, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %logy, %logw {atol = 0.0, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %log2k = arith.constant 1.0 : f32
  %log2x = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %log2y = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %log2w = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %log2v = memref.load %x[%i] : memref<?xf32>
    %log2s = arith.mulf %log2v, %log2v : f32
    memref.store %log2s, %log2x[%i] : memref<?xf32>
    %log2d = arith.extf %log2s : f32 to f64
    %log2r = math.log2 %log2d : f64
    memref.store %log2r, %log2w[%i] : memref<?xf64>
  }
  tile_host.launch @log2(%log2x, %log2y, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %log2y, %log2w {atol = 0.0, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %sink = arith.constant 1000.0 : f32
  %sinx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %siny = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %sinw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %sinv = memref.load %x[%i] : memref<?xf32>
    %sins = arith.mulf %sinv, %sink : f32
    memref.store %sins, %sinx[%i] : memref<?xf32>
    %sind = arith.extf %sins : f32 to f64
    %sinr = math.sin %sind : f64
    memref.store %sinr, %sinw[%i] : memref<?xf64>
  }
  tile_host.launch @sin(%sinx, %siny, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %siny, %sinw {atol = 1.0e-30, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %cosk = arith.constant 1000.0 : f32
  %cosx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %cosy = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %cosw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %cosv = memref.load %x[%i] : memref<?xf32>
    %coss = arith.mulf %cosv, %cosk : f32
    memref.store %coss, %cosx[%i] : memref<?xf32>
    %cosd = arith.extf %coss : f32 to f64
    %cosr = math.cos %cosd : f64
    memref.store %cosr, %cosw[%i] : memref<?xf64>
  }
  tile_host.launch @cos(%cosx, %cosy, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %cosy, %cosw {atol = 1.0e-30, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %tanhk = arith.constant 5.0 : f32
  %tanhx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %tanhy = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %tanhw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %tanhv = memref.load %x[%i] : memref<?xf32>
    %tanhs = arith.mulf %tanhv, %tanhk : f32
    memref.store %tanhs, %tanhx[%i] : memref<?xf32>
    %tanhd = arith.extf %tanhs : f32 to f64
    %tanhr = math.tanh %tanhd : f64
    memref.store %tanhr, %tanhw[%i] : memref<?xf64>
  }
  tile_host.launch @tanh(%tanhx, %tanhy, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %tanhy, %tanhw {atol = 0.0, rtol = 3.0e-7} : memref<?xf32>, memref<?xf64>

  %erfk = arith.constant 4.0 : f32
  %erfx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %erfy = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %erfw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %erfv = memref.load %x[%i] : memref<?xf32>
    %erfs = arith.mulf %erfv, %erfk : f32
    memref.store %erfs, %erfx[%i] : memref<?xf32>
    %erfd = arith.extf %erfs : f32 to f64
    %erfr = math.erf %erfd : f64
    memref.store %erfr, %erfw[%i] : memref<?xf64>
  }
  tile_host.launch @erf(%erfx, %erfy, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %erfy, %erfw {atol = 0.0, rtol = 2.0e-7} : memref<?xf32>, memref<?xf64>

  %rsqrtk = arith.constant 1.0 : f32
  %rsqrtx = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %rsqrty = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  %rsqrtw = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  scf.for %i = %c0 to %ni step %c1 {
    %rsqrtv = memref.load %x[%i] : memref<?xf32>
    %rsqrts = arith.mulf %rsqrtv, %rsqrtv : f32
    memref.store %rsqrts, %rsqrtx[%i] : memref<?xf32>
    %rsqrtd = arith.extf %rsqrts : f32 to f64
    %rsqrtr = math.rsqrt %rsqrtd : f64
    memref.store %rsqrtr, %rsqrtw[%i] : memref<?xf64>
  }
  tile_host.launch @rsqrt(%rsqrtx, %rsqrty, %n) : memref<?xf32>, memref<?xf32>, i32
  tile_host.expect_close %rsqrty, %rsqrtw {atol = 0.0, rtol = 1.5e-7} : memref<?xf32>, memref<?xf64>
  return
}

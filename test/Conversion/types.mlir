// Arithmetic, comparisons, selections and conversions on every type, down to machine code.
// REQUIRES: ptxas
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 -o %t.80.mlir
// RUN: tile-run %t.80.mlir --emit=ptx --arch sm_80 -o %t.80.ptx
// RUN: %ptxas -arch=sm_80 -v %t.80.ptx -o %t.cubin > %t.80 2>&1
// RUN: FileCheck %s < %t.80
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_90a -o %t.90.mlir
// RUN: tile-run %t.90.mlir --emit=ptx --arch sm_90a -o %t.90.ptx
// RUN: %ptxas -arch=sm_90a -v %t.90.ptx -o %t.cubin > %t.90 2>&1
// RUN: FileCheck %s < %t.90
// CHECK-NOT: {{[1-9][0-9]* bytes (stack|spill)}}
// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: {{[1-9][0-9]* bytes (stack|spill)}}

tile.func @f16(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<f16>>
  %c = tile.load %p : tensor<256x!tile.ptr<f16>>
  %t0 = arith.addf %a, %c : tensor<256xf16>
  %t1 = arith.subf %t0, %c : tensor<256xf16>
  %t2 = arith.mulf %t1, %c : tensor<256xf16>
  %t3 = arith.divf %t2, %c : tensor<256xf16>
  %t4 = arith.maximumf %t3, %c : tensor<256xf16>
  %t5 = arith.minimumf %t4, %c : tensor<256xf16>
  %t6 = arith.maxnumf %t5, %c : tensor<256xf16>
  %t7 = arith.minnumf %t6, %c : tensor<256xf16>
  %neg = arith.negf %t7 : tensor<256xf16>
  %lt = arith.cmpf olt, %neg, %c : tensor<256xf16>
  %sel = arith.select %lt, %neg, %c : tensor<256xi1>, tensor<256xf16>
  %int = arith.fptosi %sel : tensor<256xf16> to tensor<256xi32>
  %r = arith.sitofp %int : tensor<256xi32> to tensor<256xf16>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<f16>>
  tile.return
}

tile.func @bf16(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<256x!tile.ptr<bf16>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<bf16>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<bf16>>
  %c = tile.load %p : tensor<256x!tile.ptr<bf16>>
  %t0 = arith.addf %a, %c : tensor<256xbf16>
  %t1 = arith.subf %t0, %c : tensor<256xbf16>
  %t2 = arith.mulf %t1, %c : tensor<256xbf16>
  %t3 = arith.divf %t2, %c : tensor<256xbf16>
  %t4 = arith.maximumf %t3, %c : tensor<256xbf16>
  %t5 = arith.minimumf %t4, %c : tensor<256xbf16>
  %t6 = arith.maxnumf %t5, %c : tensor<256xbf16>
  %t7 = arith.minnumf %t6, %c : tensor<256xbf16>
  %neg = arith.negf %t7 : tensor<256xbf16>
  %lt = arith.cmpf olt, %neg, %c : tensor<256xbf16>
  %sel = arith.select %lt, %neg, %c : tensor<256xi1>, tensor<256xbf16>
  %int = arith.fptosi %sel : tensor<256xbf16> to tensor<256xi32>
  %r = arith.sitofp %int : tensor<256xi32> to tensor<256xbf16>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<bf16>>
  tile.return
}

tile.func @f32(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<f32>>
  %c = tile.load %p : tensor<256x!tile.ptr<f32>>
  %t0 = arith.addf %a, %c : tensor<256xf32>
  %t1 = arith.subf %t0, %c : tensor<256xf32>
  %t2 = arith.mulf %t1, %c : tensor<256xf32>
  %t3 = arith.divf %t2, %c : tensor<256xf32>
  %t4 = arith.maximumf %t3, %c : tensor<256xf32>
  %t5 = arith.minimumf %t4, %c : tensor<256xf32>
  %t6 = arith.maxnumf %t5, %c : tensor<256xf32>
  %t7 = arith.minnumf %t6, %c : tensor<256xf32>
  %neg = arith.negf %t7 : tensor<256xf32>
  %lt = arith.cmpf olt, %neg, %c : tensor<256xf32>
  %sel = arith.select %lt, %neg, %c : tensor<256xi1>, tensor<256xf32>
  %int = arith.fptosi %sel : tensor<256xf32> to tensor<256xi32>
  %r = arith.sitofp %int : tensor<256xi32> to tensor<256xf32>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<f32>>
  tile.return
}

tile.func @f64(%x: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f64> -> tensor<256x!tile.ptr<f64>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<f64>>
  %c = tile.load %p : tensor<256x!tile.ptr<f64>>
  %t0 = arith.addf %a, %c : tensor<256xf64>
  %t1 = arith.subf %t0, %c : tensor<256xf64>
  %t2 = arith.mulf %t1, %c : tensor<256xf64>
  %t3 = arith.divf %t2, %c : tensor<256xf64>
  %t4 = arith.maximumf %t3, %c : tensor<256xf64>
  %t5 = arith.minimumf %t4, %c : tensor<256xf64>
  %t6 = arith.maxnumf %t5, %c : tensor<256xf64>
  %t7 = arith.minnumf %t6, %c : tensor<256xf64>
  %neg = arith.negf %t7 : tensor<256xf64>
  %lt = arith.cmpf olt, %neg, %c : tensor<256xf64>
  %sel = arith.select %lt, %neg, %c : tensor<256xi1>, tensor<256xf64>
  %int = arith.fptosi %sel : tensor<256xf64> to tensor<256xi32>
  %r = arith.sitofp %int : tensor<256xi32> to tensor<256xf64>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<f64>>
  tile.return
}

tile.func @i8(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<256x!tile.ptr<i8>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<i8>>
  %c = tile.load %p : tensor<256x!tile.ptr<i8>>
  %t0 = arith.addi %a, %c : tensor<256xi8>
  %t1 = arith.subi %t0, %c : tensor<256xi8>
  %t2 = arith.muli %t1, %c : tensor<256xi8>
  %t3 = arith.divsi %t2, %c : tensor<256xi8>
  %t4 = arith.divui %t3, %c : tensor<256xi8>
  %t5 = arith.remsi %t4, %c : tensor<256xi8>
  %t6 = arith.remui %t5, %c : tensor<256xi8>
  %t7 = arith.andi %t6, %c : tensor<256xi8>
  %t8 = arith.ori %t7, %c : tensor<256xi8>
  %t9 = arith.xori %t8, %c : tensor<256xi8>
  %t10 = arith.shli %t9, %c : tensor<256xi8>
  %t11 = arith.shrsi %t10, %c : tensor<256xi8>
  %t12 = arith.shrui %t11, %c : tensor<256xi8>
  %t13 = arith.maxsi %t12, %c : tensor<256xi8>
  %t14 = arith.minsi %t13, %c : tensor<256xi8>
  %t15 = arith.maxui %t14, %c : tensor<256xi8>
  %t16 = arith.minui %t15, %c : tensor<256xi8>
  %t17 = arith.ceildivsi %t16, %c : tensor<256xi8>
  %t18 = arith.floordivsi %t17, %c : tensor<256xi8>
  %lt = arith.cmpi ult, %t18, %c : tensor<256xi8>
  %sel = arith.select %lt, %t18, %c : tensor<256xi1>, tensor<256xi8>
  %f = arith.uitofp %sel : tensor<256xi8> to tensor<256xf32>
  %r = arith.fptoui %f : tensor<256xf32> to tensor<256xi8>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<i8>>
  tile.return
}

tile.func @i16(%x: !tile.ptr<i16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<i16> -> tensor<256x!tile.ptr<i16>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i16>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<i16>>
  %c = tile.load %p : tensor<256x!tile.ptr<i16>>
  %t0 = arith.addi %a, %c : tensor<256xi16>
  %t1 = arith.subi %t0, %c : tensor<256xi16>
  %t2 = arith.muli %t1, %c : tensor<256xi16>
  %t3 = arith.divsi %t2, %c : tensor<256xi16>
  %t4 = arith.divui %t3, %c : tensor<256xi16>
  %t5 = arith.remsi %t4, %c : tensor<256xi16>
  %t6 = arith.remui %t5, %c : tensor<256xi16>
  %t7 = arith.andi %t6, %c : tensor<256xi16>
  %t8 = arith.ori %t7, %c : tensor<256xi16>
  %t9 = arith.xori %t8, %c : tensor<256xi16>
  %t10 = arith.shli %t9, %c : tensor<256xi16>
  %t11 = arith.shrsi %t10, %c : tensor<256xi16>
  %t12 = arith.shrui %t11, %c : tensor<256xi16>
  %t13 = arith.maxsi %t12, %c : tensor<256xi16>
  %t14 = arith.minsi %t13, %c : tensor<256xi16>
  %t15 = arith.maxui %t14, %c : tensor<256xi16>
  %t16 = arith.minui %t15, %c : tensor<256xi16>
  %t17 = arith.ceildivsi %t16, %c : tensor<256xi16>
  %t18 = arith.floordivsi %t17, %c : tensor<256xi16>
  %lt = arith.cmpi ult, %t18, %c : tensor<256xi16>
  %sel = arith.select %lt, %t18, %c : tensor<256xi1>, tensor<256xi16>
  %f = arith.uitofp %sel : tensor<256xi16> to tensor<256xf32>
  %r = arith.fptoui %f : tensor<256xf32> to tensor<256xi16>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<i16>>
  tile.return
}

tile.func @i32(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<i32>>
  %c = tile.load %p : tensor<256x!tile.ptr<i32>>
  %t0 = arith.addi %a, %c : tensor<256xi32>
  %t1 = arith.subi %t0, %c : tensor<256xi32>
  %t2 = arith.muli %t1, %c : tensor<256xi32>
  %t3 = arith.divsi %t2, %c : tensor<256xi32>
  %t4 = arith.divui %t3, %c : tensor<256xi32>
  %t5 = arith.remsi %t4, %c : tensor<256xi32>
  %t6 = arith.remui %t5, %c : tensor<256xi32>
  %t7 = arith.andi %t6, %c : tensor<256xi32>
  %t8 = arith.ori %t7, %c : tensor<256xi32>
  %t9 = arith.xori %t8, %c : tensor<256xi32>
  %t10 = arith.shli %t9, %c : tensor<256xi32>
  %t11 = arith.shrsi %t10, %c : tensor<256xi32>
  %t12 = arith.shrui %t11, %c : tensor<256xi32>
  %t13 = arith.maxsi %t12, %c : tensor<256xi32>
  %t14 = arith.minsi %t13, %c : tensor<256xi32>
  %t15 = arith.maxui %t14, %c : tensor<256xi32>
  %t16 = arith.minui %t15, %c : tensor<256xi32>
  %t17 = arith.ceildivsi %t16, %c : tensor<256xi32>
  %t18 = arith.floordivsi %t17, %c : tensor<256xi32>
  %lt = arith.cmpi ult, %t18, %c : tensor<256xi32>
  %sel = arith.select %lt, %t18, %c : tensor<256xi1>, tensor<256xi32>
  %f = arith.uitofp %sel : tensor<256xi32> to tensor<256xf32>
  %r = arith.fptoui %f : tensor<256xf32> to tensor<256xi32>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<i32>>
  tile.return
}

tile.func @i64(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<256x!tile.ptr<i64>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i64>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<i64>>
  %c = tile.load %p : tensor<256x!tile.ptr<i64>>
  %t0 = arith.addi %a, %c : tensor<256xi64>
  %t1 = arith.subi %t0, %c : tensor<256xi64>
  %t2 = arith.muli %t1, %c : tensor<256xi64>
  %t3 = arith.divsi %t2, %c : tensor<256xi64>
  %t4 = arith.divui %t3, %c : tensor<256xi64>
  %t5 = arith.remsi %t4, %c : tensor<256xi64>
  %t6 = arith.remui %t5, %c : tensor<256xi64>
  %t7 = arith.andi %t6, %c : tensor<256xi64>
  %t8 = arith.ori %t7, %c : tensor<256xi64>
  %t9 = arith.xori %t8, %c : tensor<256xi64>
  %t10 = arith.shli %t9, %c : tensor<256xi64>
  %t11 = arith.shrsi %t10, %c : tensor<256xi64>
  %t12 = arith.shrui %t11, %c : tensor<256xi64>
  %t13 = arith.maxsi %t12, %c : tensor<256xi64>
  %t14 = arith.minsi %t13, %c : tensor<256xi64>
  %t15 = arith.maxui %t14, %c : tensor<256xi64>
  %t16 = arith.minui %t15, %c : tensor<256xi64>
  %t17 = arith.ceildivsi %t16, %c : tensor<256xi64>
  %t18 = arith.floordivsi %t17, %c : tensor<256xi64>
  %lt = arith.cmpi ult, %t18, %c : tensor<256xi64>
  %sel = arith.select %lt, %t18, %c : tensor<256xi1>, tensor<256xi64>
  %f = arith.uitofp %sel : tensor<256xi64> to tensor<256xf32>
  %r = arith.fptoui %f : tensor<256xf32> to tensor<256xi64>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<i64>>
  tile.return
}

tile.func @i1(%x: !tile.ptr<i1> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<i1> -> tensor<256x!tile.ptr<i1>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<i1>>
  %c = tile.load %p : tensor<256x!tile.ptr<i1>>
  %t = arith.xori %a, %c : tensor<256xi1>
  %u = arith.andi %t, %c : tensor<256xi1>
  %w = arith.extui %u : tensor<256xi1> to tensor<256xi32>
  %s = arith.extsi %t : tensor<256xi1> to tensor<256xi32>
  %l = arith.cmpi slt, %w, %s : tensor<256xi32>
  %r = arith.select %l, %t, %u : tensor<256xi1>, tensor<256xi1>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<i1>>
  tile.return
}

tile.func @casts(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<f32>>
  %c = tile.load %p : tensor<256x!tile.ptr<f32>>
  %h = arith.truncf %a : tensor<256xf32> to tensor<256xf16>
  %b = arith.truncf %a : tensor<256xf32> to tensor<256xbf16>
  %d = arith.extf %a : tensor<256xf32> to tensor<256xf64>
  %h32 = arith.extf %h : tensor<256xf16> to tensor<256xf32>
  %b32 = arith.extf %b : tensor<256xbf16> to tensor<256xf32>
  %d32 = arith.truncf %d : tensor<256xf64> to tensor<256xf32>
  %bits = arith.bitcast %d32 : tensor<256xf32> to tensor<256xi32>
  %i16 = arith.trunci %bits : tensor<256xi32> to tensor<256xi16>
  %i64 = arith.extsi %i16 : tensor<256xi16> to tensor<256xi64>
  %f64 = arith.sitofp %i64 : tensor<256xi64> to tensor<256xf64>
  %f = arith.truncf %f64 : tensor<256xf64> to tensor<256xf32>
  %s = arith.addf %h32, %b32 : tensor<256xf32>
  %r = arith.addf %s, %f : tensor<256xf32>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<f32>>
  tile.return
}

tile.func @f8E4M3FN(%x: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f8E4M3FN> -> tensor<256x!tile.ptr<f8E4M3FN>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f8E4M3FN>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<f8E4M3FN>>
  %c = tile.load %p : tensor<256x!tile.ptr<f8E4M3FN>>
  %w = arith.extf %a : tensor<256xf8E4M3FN> to tensor<256xf32>
  %s = arith.addf %w, %w : tensor<256xf32>
  %r = arith.truncf %s : tensor<256xf32> to tensor<256xf8E4M3FN>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<f8E4M3FN>>
  tile.return
}

tile.func @f8E5M2(%x: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f8E5M2> -> tensor<256x!tile.ptr<f8E5M2>>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<f8E5M2>>, tensor<256xi32>
  %a = tile.load %p, %in : tensor<256x!tile.ptr<f8E5M2>>
  %c = tile.load %p : tensor<256x!tile.ptr<f8E5M2>>
  %w = arith.extf %a : tensor<256xf8E5M2> to tensor<256xf32>
  %s = arith.addf %w, %w : tensor<256xf32>
  %r = arith.truncf %s : tensor<256xf32> to tensor<256xf8E5M2>
  tile.store %p, %r, %in : tensor<256x!tile.ptr<f8E5M2>>
  tile.return
}

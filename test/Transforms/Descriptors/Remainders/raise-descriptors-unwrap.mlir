// Rows that wrap around behind the last, as the loads of Triton's tutorials have them, where a store leaves out what becomes of them.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s
// The same where the rows of @unseen wrap around in a branch, which computes their count there: loads behind it cannot ask for that count,
// so the rows stay as they are.
// RUN: sed -e 's/%i_in = arith.remsi %i, %ms .*/%whole = arith.cmpi slt, %x, %y : i32 %i_in = scf.if %whole -> (tensor<64xi32>) { %w = tile.splat %m : i32 -> tensor<64xi32> %r = arith.remsi %i, %w {tile.nonnegative} : tensor<64xi32> scf.yield %r : tensor<64xi32> } else { scf.yield %i : tensor<64xi32> }/' %s | \
// RUN:   tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,tile-raise-descriptors))' | FileCheck %s --check-prefix=BRANCH
// BRANCH-LABEL: tile.func @unseen
// BRANCH: scf.if
// BRANCH: arith.remsi %{{.*}} : tensor<64xi32>
// BRANCH: scf.for
// BRANCH: tile.load

// Of 48 rows and 40 columns, multiples of 16 and 8, some may wrap around in a tile; those are not stored: boxes that end with
// the array. What is divided is >= 0 by promise, so is the position. The scale of 128 columns, of which a tile has 64, is
// that of the first.
// CHECK-LABEL: tile.func @unseen
// CHECK-DAG: %[[A:.*]] = tile.make_desc %arg0, [%arg3, %arg5],
// CHECK-DAG: %[[B:.*]] = tile.make_desc %arg1, [%arg4, %arg5],
// CHECK-DAG: %[[C:.*]] = tile.make_desc %arg2, [%arg3, %arg4],
// CHECK: %[[REST:.*]] = arith.remsi %[[FIRST:[0-9]+]], %arg4 {tile.nonnegative} : i32
// CHECK: arith.divsi %[[REST]], %c128_i32
// CHECK-NOT: arith.remsi
// CHECK: scf.for
// CHECK: tile.desc_load %[[A]][%[[I:[0-9]+]], %[[K:[a-z0-9]+]]] :
// CHECK: tile.desc_load %[[B]][%[[FIRST]], %[[K]]] :
// CHECK: tile.desc_store %[[C]][%[[I]], %[[FIRST]]]
tile.func @unseen(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                  %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %s: i32 {tile.divisibility = 8 : i32},
                  %t: i32 {tile.divisibility = 8 : i32}, %scales: !tile.ptr<f32>, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %k_row = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %k_col = tile.expand_dims %r16 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf16>
  %i0 = arith.muli %x, %c64 : i32
  %j0 = arith.muli %y, %c64 : i32
  %is = tile.splat %i0 : i32 -> tensor<64xi32>
  %js = tile.splat %j0 : i32 -> tensor<64xi32>
  %i = arith.addi %is, %r64 : tensor<64xi32>
  %j = arith.addi %js, %r64 : tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %i_in = arith.remsi %i, %ms {tile.nonnegative} : tensor<64xi32>
  %j_in = arith.remsi %j, %ns {tile.nonnegative} : tensor<64xi32>
  %i_col = tile.expand_dims %i_in axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j_row = tile.expand_dims %j_in axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %s_col = tile.splat %s : i32 -> tensor<64x1xi32>
  %s_row = tile.splat %s : i32 -> tensor<1x64xi32>
  %i_off = arith.muli %i_col, %s_col : tensor<64x1xi32>
  %j_off = arith.muli %j_row, %s_row : tensor<1x64xi32>
  %i_offs = tile.broadcast %i_off : tensor<64x1xi32> -> tensor<64x16xi32>
  %j_offs = tile.broadcast %j_off : tensor<1x64xi32> -> tensor<16x64xi32>
  %ka = tile.broadcast %k_row : tensor<1x16xi32> -> tensor<64x16xi32>
  %kb = tile.broadcast %k_col : tensor<16x1xi32> -> tensor<16x64xi32>
  %a_off = arith.addi %i_offs, %ka : tensor<64x16xi32>
  %b_off = arith.addi %j_offs, %kb : tensor<16x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %a_off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %pb = tile.addptr %bs, %b_off : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %step_a = arith.constant dense<16> : tensor<64x16xi32>
  %step_b = arith.constant dense<16> : tensor<16x64xi32>
  %ss = tile.splat %scales : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %c128 = arith.constant dense<128> : tensor<64xi32>
  %block = arith.divsi %j_in, %c128 : tensor<64xi32>
  %ps = tile.addptr %ss, %block : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %scale = tile.load %ps : tensor<64x!tile.ptr<f32>>
  %r:3 = scf.for %q = %c0 to %k step %c16 iter_args(%sum = %none, %qa = %pa, %qb = %pb) -> (tensor<64x64xf32>, tensor<64x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>) : i32 {
    %left = arith.subi %k, %q : i32
    %lefts_a = tile.splat %left : i32 -> tensor<1x16xi32>
    %lefts_b = tile.splat %left : i32 -> tensor<16x1xi32>
    %ma = arith.cmpi slt, %k_row, %lefts_a : tensor<1x16xi32>
    %mb = arith.cmpi slt, %k_col, %lefts_b : tensor<16x1xi32>
    %mas = tile.broadcast %ma : tensor<1x16xi1> -> tensor<64x16xi1>
    %mbs = tile.broadcast %mb : tensor<16x1xi1> -> tensor<16x64xi1>
    %va = tile.load %qa, %mas, %zeros : tensor<64x16x!tile.ptr<f16>>
    %vb = tile.load %qb, %mbs : tensor<16x64x!tile.ptr<f16>>
    %next = tile.dot %va, %vb, %sum : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
    %na = tile.addptr %qa, %step_a : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %nb = tile.addptr %qb, %step_b : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
    scf.yield %next, %na, %nb : tensor<64x64xf32>, tensor<64x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>
  }
  %scale_row = tile.expand_dims %scale axis 0 : tensor<64xf32> -> tensor<1x64xf32>
  %scale_rows = tile.broadcast %scale_row : tensor<1x64xf32> -> tensor<64x64xf32>
  %scaled = arith.mulf %r#0, %scale_rows : tensor<64x64xf32>
  %ic = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %mc = tile.splat %m : i32 -> tensor<64x1xi32>
  %nr = tile.splat %n : i32 -> tensor<1x64xi32>
  %m_in = arith.cmpi slt, %ic, %mc : tensor<64x1xi32>
  %n_in = arith.cmpi slt, %jr, %nr : tensor<1x64xi32>
  %m_ins = tile.broadcast %m_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %n_ins = tile.broadcast %n_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %in = arith.andi %m_ins, %n_ins : tensor<64x64xi1>
  %t_col = tile.splat %t : i32 -> tensor<64x1xi32>
  %it = arith.muli %ic, %t_col : tensor<64x1xi32>
  %its = tile.broadcast %it : tensor<64x1xi32> -> tensor<64x64xi32>
  %jrs = tile.broadcast %jr : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_off = arith.addi %its, %jrs : tensor<64x64xi32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %c_off : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %scaled, %in : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Rows are stored that wrapped around, wherever that is: their remainder stays; and beside a load of pointers the columns of the
// other are no box either, and keep theirs, and its mask.
// CHECK-LABEL: tile.func @seen
// CHECK-COUNT-2: arith.remsi {{.*}} : tensor<64xi32>
// CHECK: scf.for
// CHECK: tile.load %{{.*}}, %[[IN:.*]], %{{.*}} : tensor<64x16x!tile.ptr<f16>>
// CHECK: tile.load %{{.*}}, %[[IN_B:[0-9]+]] : tensor<16x64x!tile.ptr<f16>>
// CHECK: tile.dot
tile.func @seen(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                  %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %s: i32 {tile.divisibility = 8 : i32},
                  %t: i32 {tile.divisibility = 8 : i32}, %scales: !tile.ptr<f32>, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %k_row = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %k_col = tile.expand_dims %r16 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf16>
  %i0 = arith.muli %x, %c64 : i32
  %j0 = arith.muli %y, %c64 : i32
  %is = tile.splat %i0 : i32 -> tensor<64xi32>
  %js = tile.splat %j0 : i32 -> tensor<64xi32>
  %i = arith.addi %is, %r64 : tensor<64xi32>
  %j = arith.addi %js, %r64 : tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %i_in = arith.remsi %i, %ms {tile.nonnegative} : tensor<64xi32>
  %j_in = arith.remsi %j, %ns {tile.nonnegative} : tensor<64xi32>
  %i_col = tile.expand_dims %i_in axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j_row = tile.expand_dims %j_in axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %s_col = tile.splat %s : i32 -> tensor<64x1xi32>
  %s_row = tile.splat %s : i32 -> tensor<1x64xi32>
  %i_off = arith.muli %i_col, %s_col : tensor<64x1xi32>
  %j_off = arith.muli %j_row, %s_row : tensor<1x64xi32>
  %i_offs = tile.broadcast %i_off : tensor<64x1xi32> -> tensor<64x16xi32>
  %j_offs = tile.broadcast %j_off : tensor<1x64xi32> -> tensor<16x64xi32>
  %ka = tile.broadcast %k_row : tensor<1x16xi32> -> tensor<64x16xi32>
  %kb = tile.broadcast %k_col : tensor<16x1xi32> -> tensor<16x64xi32>
  %a_off = arith.addi %i_offs, %ka : tensor<64x16xi32>
  %b_off = arith.addi %j_offs, %kb : tensor<16x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %a_off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %pb = tile.addptr %bs, %b_off : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %step_a = arith.constant dense<16> : tensor<64x16xi32>
  %step_b = arith.constant dense<16> : tensor<16x64xi32>
  %ss = tile.splat %scales : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ps = tile.addptr %ss, %j_in : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %scale = tile.load %ps : tensor<64x!tile.ptr<f32>>
  %r:3 = scf.for %q = %c0 to %k step %c16 iter_args(%sum = %none, %qa = %pa, %qb = %pb) -> (tensor<64x64xf32>, tensor<64x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>) : i32 {
    %left = arith.subi %k, %q : i32
    %lefts_a = tile.splat %left : i32 -> tensor<1x16xi32>
    %lefts_b = tile.splat %left : i32 -> tensor<16x1xi32>
    %ma = arith.cmpi slt, %k_row, %lefts_a : tensor<1x16xi32>
    %mb = arith.cmpi slt, %k_col, %lefts_b : tensor<16x1xi32>
    %mas = tile.broadcast %ma : tensor<1x16xi1> -> tensor<64x16xi1>
    %mbs = tile.broadcast %mb : tensor<16x1xi1> -> tensor<16x64xi1>
    %va = tile.load %qa, %mas, %zeros : tensor<64x16x!tile.ptr<f16>>
    %vb = tile.load %qb, %mbs : tensor<16x64x!tile.ptr<f16>>
    %next = tile.dot %va, %vb, %sum : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
    %na = tile.addptr %qa, %step_a : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %nb = tile.addptr %qb, %step_b : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
    scf.yield %next, %na, %nb : tensor<64x64xf32>, tensor<64x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>
  }
  %scale_row = tile.expand_dims %scale axis 0 : tensor<64xf32> -> tensor<1x64xf32>
  %scale_rows = tile.broadcast %scale_row : tensor<1x64xf32> -> tensor<64x64xf32>
  %scaled = arith.mulf %r#0, %scale_rows : tensor<64x64xf32>
  %ic = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %nr = tile.splat %n : i32 -> tensor<1x64xi32>
  %n_in = arith.cmpi slt, %jr, %nr : tensor<1x64xi32>
  %n_ins = tile.broadcast %n_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %t_col = tile.splat %t : i32 -> tensor<64x1xi32>
  %it = arith.muli %ic, %t_col : tensor<64x1xi32>
  %its = tile.broadcast %it : tensor<64x1xi32> -> tensor<64x64xi32>
  %jrs = tile.broadcast %jr : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_off = arith.addi %its, %jrs : tensor<64x64xi32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %c_off : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %pc, %scaled, %n_ins : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Rows behind the last may be taken elsewhere by a selection, too, or by a remainder that is a constant, and an atomic addition
// leaves them out as a store does. Rows are selected, columns wrap around 1000: boxes of all rows and columns.
// CHECK-LABEL: tile.func @selected
// CHECK-DAG: %[[A:.*]] = tile.make_desc %arg0, [%arg3, %arg4],
// CHECK-DAG: %[[B:.*]] = tile.make_desc %arg1, [%arg4, %c1000_i32], [%c1000_i64]
// CHECK-NOT: arith.select
// CHECK-NOT: arith.remsi
// CHECK: scf.for
// CHECK: tile.desc_load %[[A]]
// CHECK: tile.desc_load %[[B]]
// CHECK: tile.atomic_rmw fadd
tile.func @selected(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                    %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32, %k: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.program_id x
  %j = tile.program_id y
  %rows = tile.expr %i * 128 + arange(128)
  %columns = tile.expr %j * 128 + arange(128)
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %row_in = tile.expr %rows < %m
  %row = arith.select %row_in, %rows, %zeros : tensor<128xi1>, tensor<128xi32>
  %n = arith.constant dense<1000> : tensor<128xi32>
  %column = arith.remsi %columns, %n : tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (col(%row) * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * 1000 + row(%column))
    %a_in = tile.expr row(%at + arange(64)) < %k
    %b_in = tile.expr col(%at + arange(64)) < %k
    %x = tile.load %pa, %a_in
    %y = tile.load %pb, %b_in
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %pc = tile.expr %c + (col(%rows) * 1000 + row(%columns))
  %in = tile.expr col(%rows) < %m and row(%columns) < 1000
  %old = tile.atomic_rmw fadd relaxed gpu %pc, %sum, %in : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// What a store leaves out may be written with its other dimension there already, as Triton's persistent products do: rows of 128 x 1, columns of 1 x 128.
// CHECK-LABEL: tile.func @apart
// CHECK-NOT: arith.select
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: tile.desc_load
// CHECK: tile.desc_store
tile.func @apart(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                 %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32, %n: i32 {tile.divisibility = 16 : i32},
                 %k: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.program_id x
  %j = tile.program_id y
  %rows = tile.expr %i * 128 + arange(128)
  %columns = tile.expr %j * 128 + arange(128)
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %row_in = tile.expr %rows < %m
  %column_in = tile.expr %columns < %n
  %row = arith.select %row_in, %rows, %zeros : tensor<128xi1>, tensor<128xi32>
  %column = arith.select %column_in, %columns, %zeros : tensor<128xi1>, tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (col(%row) * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(%column))
    %a_in = tile.expr row(%at + arange(64)) < %k
    %b_in = tile.expr col(%at + arange(64)) < %k
    %x = tile.load %pa, %a_in
    %y = tile.load %pb, %b_in
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %thin = tile.expr %i * 128 + col(arange(128))
  %flat = tile.expr %j * 128 + row(arange(128))
  %pc = tile.expr %c + (%thin * %n + %flat)
  %in = tile.expr %thin < %m and %flat < %n
  tile.store %pc, %sum, %in
  tile.return
}

// The rows of the store are along its other dimension: some that were taken elsewhere are seen.
// CHECK-LABEL: tile.func @turned
// CHECK: arith.select
// CHECK: scf.for
// CHECK: tile.load
tile.func @turned(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32, %n: i32 {tile.divisibility = 16 : i32},
                  %k: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.program_id x
  %rows = tile.expr %i * 128 + arange(128)
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %row_in = tile.expr %rows < %m
  %row = arith.select %row_in, %rows, %zeros : tensor<128xi1>, tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (col(%row) * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(128)))
    %x = tile.load %pa
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %thin = tile.expr col(arange(128))
  %flat = tile.expr %i * 128 + row(arange(128))
  %pc = tile.expr %c + (%thin * %n + %flat)
  %in = tile.expr %thin < %n and %flat < %m
  tile.store %pc, %sum, %in
  tile.return
}

// What is selected is not the rows that are compared; the remainder is by another number than the one stored up to: both stay.
// CHECK-LABEL: tile.func @others
// CHECK-DAG: arith.select
// CHECK-DAG: arith.remsi
// CHECK: scf.for
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
tile.func @others(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32, %k: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.program_id x
  %j = tile.program_id y
  %rows = tile.expr %i * 128 + arange(128)
  %columns = tile.expr %j * 128 + arange(128)
  %zeros = arith.constant dense<0> : tensor<128xi32>
  %column_in = tile.expr %columns < %m
  %row = arith.select %column_in, %rows, %zeros : tensor<128xi1>, tensor<128xi32>
  %n = arith.constant dense<992> : tensor<128xi32>
  %column = arith.remsi %columns, %n : tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (col(%row) * %k + row(%at + arange(64)))
    %pb = tile.expr %b + (col(%at + arange(64)) * 1000 + row(%column))
    %a_in = tile.expr row(%at + arange(64)) < %k
    %b_in = tile.expr col(%at + arange(64)) < %k
    %x = tile.load %pa, %a_in
    %y = tile.load %pb, %b_in
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %pc = tile.expr %c + (col(%rows) * 1000 + row(%columns))
  %in = tile.expr col(%rows) < %m and row(%columns) < 1000
  tile.store %pc, %sum, %in
  tile.return
}

// Rows wrap around a constant as a whole: one division for the tile.
// CHECK-LABEL: tile.func @whole
// CHECK: %[[FIRST:.*]] = arith.remsi %{{.*}}, %c4096_i32 {tile.nonnegative} : i32
// CHECK: scf.for
// CHECK: tile.desc_load %{{.*}}[%{{.*}}, %[[FIRST]]]
tile.func @whole(%b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %k: i32 {tile.divisibility = 16 : i32}) {
  %j = tile.program_id x
  %columns = tile.expr %j * 128 + arange(128)
  %n = arith.constant dense<4096> : tensor<128xi32>
  %column = arith.remsi %columns, %n {tile.nonnegative} : tensor<128xi32>
  %ones = arith.constant dense<1.0> : tensor<128x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pb = tile.expr %b + (col(%at + arange(64)) * 4096 + row(%column))
    %b_in = tile.expr col(%at + arange(64)) < %k
    %y = tile.load %pb, %b_in
    %t = tile.dot %ones, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %pc = tile.expr %c + (col(arange(128)) * 4096 + row(%columns))
  tile.store %pc, %sum
  tile.return
}

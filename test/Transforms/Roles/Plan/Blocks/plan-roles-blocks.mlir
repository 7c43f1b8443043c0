// Blocks of one warp group: a multiprocessor has as many as registers are for and as have slots enough, and while one
// stores its results the others multiply.
//
// DEFINE: %{attrs} = tile.num_warps = 4 : i32
// DEFINE: %{options} =
// DEFINE: %{plan} = sed 's/ATTRS/%{attrs}/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles%{options}))' 2>/dev/null

// 32 registers of sums, and slots of 16 KB each: of more blocks each would have fewer than five.
// RUN: %{plan} | FileCheck %s
// CHECK-LABEL: tile.func @matmul
// CHECK-SAME: #tile_gpu.schedule<programs = loop, group_rows = 16, cluster = 1, stages = 6, producers = 1, stores = boxes, turns = 0, last_round = whole, warm_steps = 0, blocks = 2>

// What the author says of slots is kept.
// REDEFINE: %{options} = {num-stages=2}
// RUN: %{plan} | FileCheck %s --check-prefix=TWO
// TWO: stages = 2, {{.*}}, blocks = 4>
// REDEFINE: %{options} =

// A multiprocessor for each program.
// REDEFINE: %{attrs} = tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32
// RUN: %{plan} | FileCheck %s --check-prefix=WAVE
// WAVE: programs = grid, {{.*}}stages = 8, {{.*}}warm_steps = 4>

// Blocks of clusters have a multiprocessor each.
// REDEFINE: %{attrs} = tile.num_warps = 4 : i32, tile.num_ctas = 2 : i32
// RUN: %{plan} | FileCheck %s --check-prefix=CLUSTER
// CLUSTER: cluster = 2, {{.*}}stores = deferred, {{.*}}warm_steps = 0>

// Attention hands on what its second dot adds to, scaled: it holds those sums once, and its scores twice. Two blocks fit.
// REDEFINE: %{attrs} = tile.num_warps = 4 : i32
// REDEFINE: %{options} = {num-stages=2}
// RUN: %{plan} | FileCheck %s --check-prefix=CHAIN
// CHAIN-LABEL: tile.func @attention
// CHAIN-SAME: blocks = 2

// What an inner loop sums up and its step reads twice, as scores of products that are cut along what they sum, counts so, too;
// four blocks would hold 96 registers a thread each, and spill.
// CHAIN-LABEL: tile.func @scores
// CHAIN-SAME: blocks = 2

// Sums of an inner loop that are converted and stored are there once.
// CHAIN-LABEL: tile.func @stored
// CHAIN-SAME: blocks = 4>

// Scores of 128 x 128 that a step reduces alone are held once: two blocks, where twice as many registers would be for one.
// CHAIN-LABEL: tile.func @sums
// CHAIN-SAME: blocks = 2

// Dots that add to one another have one sum.
// CHAIN-LABEL: tile.func @added
// CHAIN-SAME: blocks = 4>

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {ATTRS} {
  tile.grid(%m : i32, %n : i32) {
    %size = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %size : i32
    %y = arith.ceildivsi %n, %size : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %m0 = arith.muli %pm, %size : i32
  %n0 = arith.muli %pn, %size : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %size iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x64xf16>
  tile.return
}

tile.func @attention(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f16>, %n: i32) attributes {ATTRS} {
  tile.grid(%n : i32) {
    %size = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %size : i32
    tile.yield %x : i32
  }
  %d = arith.constant 128 : i32
  %d64 = arith.constant 128 : i64
  %dq = tile.make_desc %q, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dk = tile.make_desc %k, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dv = tile.make_desc %v, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %do = tile.make_desc %o, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %pid = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %row = arith.muli %pid, %c64 : i32
  %a = tile.desc_load %dq[%row, %c0] : !tile.desc<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x128xf32>
  %acc = scf.for %j = %c0 to %n step %c64 iter_args(%s = %zero) -> tensor<64x128xf32> : i32 {
    %b = tile.desc_load %dk[%j, %c0] : !tile.desc<64x128xf16>
    %t = tile.trans %b order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    %p = tile.dot %a, %t, %none : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
    %e = math.exp2 %p : tensor<64x64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %c = tile.desc_load %dv[%j, %c0] : !tile.desc<64x128xf16>
    %old = arith.mulf %s, %half : tensor<64x128xf32>
    %new = tile.dot %h, %c, %old : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %new : tensor<64x128xf32>
  }
  %out = arith.truncf %acc : tensor<64x128xf32> to tensor<64x128xf16>
  tile.desc_store %do[%row, %c0], %out : !tile.desc<64x128xf16>
  tile.return
}

tile.func @scores(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {ATTRS} {
  tile.grid(%n : i32) {
    %size = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %size : i32
    tile.yield %x : i32
  }
  %d = arith.constant 128 : i32
  %d64 = arith.constant 128 : i64
  %dq = tile.make_desc %q, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %dk = tile.make_desc %k, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %pid = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %row = arith.muli %pid, %c64 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %nothing = arith.constant dense<0.0> : tensor<64xf32>
  %acc = scf.for %j = %c0 to %n step %c64 iter_args(%old = %nothing) -> tensor<64xf32> : i32 {
    %s = scf.for %i = %c0 to %d step %c32 iter_args(%sum = %none) -> tensor<64x64xf32> : i32 {
      %a = tile.desc_load %dq[%row, %i] : !tile.desc<64x32xf16>
      %b = tile.desc_load %dk[%j, %i] : !tile.desc<64x32xf16>
      %t = tile.trans %b order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %p = tile.dot %a, %t, %sum : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    %half = arith.constant dense<0.5> : tensor<64x64xf32>
    %scaled = arith.mulf %s, %half : tensor<64x64xf32>
    %most = tile.reduce %scaled axis 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tile.yield %m : f32
    }
    %column = tile.reshape %most : tensor<64xf32> -> tensor<64x1xf32>
    %wide = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
    %less = arith.subf %scaled, %wide : tensor<64x64xf32>
    %e = math.exp2 %less : tensor<64x64xf32>
    %all = tile.reduce %e axis 1 : tensor<64x64xf32> -> tensor<64xf32> {
    ^bb0(%a: f32, %b: f32):
      %m = arith.addf %a, %b : f32
      tile.yield %m : f32
    }
    %new = arith.addf %old, %all : tensor<64xf32>
    scf.yield %new : tensor<64xf32>
  }
  %lanes = tile.arange : tensor<64xi32>
  %at = tile.addptr %o, %lanes : !tile.ptr<f32>, tensor<64xi32>
  tile.store %at, %acc : tensor<64x!tile.ptr<f32>>
  tile.return
}

tile.func @stored(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %o: !tile.ptr<f16>, %n: i32) attributes {ATTRS} {
  tile.grid(%n : i32) {
    %size = arith.constant 64 : i32
    %x = arith.ceildivsi %n, %size : i32
    tile.yield %x : i32
  }
  %d = arith.constant 128 : i32
  %d64 = arith.constant 128 : i64
  %dq = tile.make_desc %q, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %dk = tile.make_desc %k, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %pid = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %row = arith.muli %pid, %c64 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %do = tile.make_desc %o, [%n, %n], [%d64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  scf.for %j = %c0 to %n step %c64 : i32 {
    %s = scf.for %i = %c0 to %d step %c32 iter_args(%sum = %none) -> tensor<64x64xf32> : i32 {
      %a = tile.desc_load %dq[%row, %i] : !tile.desc<64x32xf16>
      %b = tile.desc_load %dk[%j, %i] : !tile.desc<64x32xf16>
      %t = tile.trans %b order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %p = tile.dot %a, %t, %sum : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    }
    %half = arith.constant dense<0.5> : tensor<64x64xf32>
    %scaled = arith.mulf %s, %half : tensor<64x64xf32>
    %h = arith.truncf %scaled : tensor<64x64xf32> to tensor<64x64xf16>
    tile.desc_store %do[%row, %j], %h : !tile.desc<64x64xf16>
  }
  tile.return
}

tile.func @sums(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {ATTRS} {
  tile.grid(%n : i32) {
    %size = arith.constant 128 : i32
    %x = arith.ceildivsi %n, %size : i32
    tile.yield %x : i32
  }
  %d = arith.constant 64 : i32
  %d64 = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dk = tile.make_desc %k, [%n, %d], [%d64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pid = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %pid, %c128 : i32
  %a = tile.desc_load %dq[%row, %c0] : !tile.desc<128x64xf16>
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %nothing = arith.constant dense<0.0> : tensor<128xf32>
  %acc = scf.for %j = %c0 to %n step %c128 iter_args(%old = %nothing) -> tensor<128xf32> : i32 {
    %b = tile.desc_load %dk[%j, %c0] : !tile.desc<128x64xf16>
    %t = tile.trans %b order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %s = tile.dot %a, %t, %none : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %most = tile.reduce max %s axis 1 : tensor<128x128xf32> -> tensor<128xf32>
    %column = tile.reshape %most : tensor<128xf32> -> tensor<128x1xf32>
    %wide = tile.broadcast %column : tensor<128x1xf32> -> tensor<128x128xf32>
    %less = arith.subf %s, %wide : tensor<128x128xf32>
    %e = math.exp2 %less : tensor<128x128xf32>
    %all = tile.reduce add %e axis 1 : tensor<128x128xf32> -> tensor<128xf32>
    %new = arith.addf %old, %all : tensor<128xf32>
    scf.yield %new : tensor<128xf32>
  }
  %lanes = tile.arange : tensor<128xi32>
  %at = tile.addptr %o, %lanes : !tile.ptr<f32>, tensor<128xi32>
  tile.store %at, %acc : tensor<128x!tile.ptr<f32>>
  tile.return
}

tile.func @added(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {ATTRS} {
  tile.grid(%m : i32, %n : i32) {
    %size = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %size : i32
    %y = arith.ceildivsi %n, %size : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %i = arith.muli %pm, %size : i32
  %j = arith.muli %pn, %size : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %s = %c0 to %k step %size iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tile.desc_load %da[%i, %s] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%s, %j] : !tile.desc<64x64xf16>
    %less = arith.negf %x : tensor<64x64xf16>
    %one = tile.dot %less, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %two = tile.dot %x, %y, %one : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %three = tile.dot %less, %y, %two : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %three : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%i, %j], %h : !tile.desc<64x64xf16>
  tile.return
}

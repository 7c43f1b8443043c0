// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// What meets in element-wise ops is loaded and stored in one layout, whichever operand comes first: four elements a
// thread, 16 bytes of f32, of which most bytes are.
// CHECK-LABEL: tile.func @mixed_widths
tile.func @mixed_widths(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %gs = tile.splat %g : !tile.ptr<bf16> -> tensor<2048x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %gp = tile.addptr %gs, %i : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<f32>, [[L:#tile[a-z_]*.layout<register = \[\[1\], \[2\], \[512\], \[1024\]\],.*]]>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<bf16>, [[L]]>
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<2048x!tile.ptr<f32>, [[L]]>
  %xv = tile.load %xp : tensor<2048x!tile.ptr<f32>>
  %gv = tile.load %gp : tensor<2048x!tile.ptr<bf16>>
  %gf = arith.extf %gv : tensor<2048xbf16> to tensor<2048xf32>
  %r = arith.addf %gf, %xv : tensor<2048xf32>
  tile.store %xp, %r : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// Four of f32, though 16 of i8 would be one access.
// CHECK-LABEL: tile.func @narrow_store
tile.func @narrow_store(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<i8> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %gs = tile.splat %g : !tile.ptr<i8> -> tensor<4096x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %i : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %gp = tile.addptr %gs, %i : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %xv = tile.load %xp : tensor<4096x!tile.ptr<f32>>
  %q = arith.fptosi %xv : tensor<4096xf32> to tensor<4096xi8>
  // CHECK: load {{.*}} : tensor<4096x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [512], [1024], [2048]],
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<4096x!tile.ptr<i8>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [512], [1024], [2048]],
  tile.store %gp, %q : tensor<4096x!tile.ptr<i8>>
  tile.return
}

// Three of bf16 weigh more than one of f32: eight elements, of which f32 comes in two parts from a sector.
// CHECK-LABEL: tile.func @sector
tile.func @sector(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %h: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %gs = tile.splat %g : !tile.ptr<bf16> -> tensor<2048x!tile.ptr<bf16>>
  %hs = tile.splat %h : !tile.ptr<bf16> -> tensor<2048x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %gp = tile.addptr %gs, %i : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  %hp = tile.addptr %hs, %i : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [4], [1024]],
  // CHECK-NOT: convert_layout
  %xv = tile.load %xp : tensor<2048x!tile.ptr<f32>>
  %gv = tile.load %gp : tensor<2048x!tile.ptr<bf16>>
  %hv = tile.load %hp : tensor<2048x!tile.ptr<bf16>>
  %s = arith.addf %gv, %hv : tensor<2048xbf16>
  %f = arith.extf %s : tensor<2048xbf16> to tensor<2048xf32>
  %r = arith.addf %f, %xv : tensor<2048xf32>
  %t = arith.truncf %r : tensor<2048xf32> to tensor<2048xbf16>
  // CHECK: store {{.*}} : tensor<2048x!tile.ptr<bf16>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [4], [1024]],
  tile.store %gp, %t : tensor<2048x!tile.ptr<bf16>>
  tile.return
}

// What a loop reads weighs LOOP_STEPS times what is stored behind it.
// CHECK-LABEL: tile.func @loops
tile.func @loops(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<2048xi32>
  %c0 = arith.constant 0 : i32
  %c2048 = arith.constant 2048 : i32
  %zero = arith.constant dense<0.0> : tensor<2048xf32>
  %gs = tile.splat %g : !tile.ptr<bf16> -> tensor<2048x!tile.ptr<bf16>>
  %sum = scf.for %k = %c0 to %n step %c2048 iter_args(%a = %zero) -> (tensor<2048xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<2048xi32>
    %o = arith.addi %ks, %i : tensor<2048xi32>
    %gp = tile.addptr %gs, %o : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
    // CHECK: load {{.*}} : tensor<2048x!tile.ptr<bf16>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [4], [1024]],
    %gv = tile.load %gp : tensor<2048x!tile.ptr<bf16>>
    %f = arith.extf %gv : tensor<2048xbf16> to tensor<2048xf32>
    %next = arith.addf %a, %f : tensor<2048xf32>
    scf.yield %next : tensor<2048xf32>
  }
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<2048x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [4], [1024]],
  tile.store %xp, %sum : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// What never meets keeps its own: four elements a thread of f32, eight of bf16.
// CHECK-LABEL: tile.func @apart
tile.func @apart(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %gs = tile.splat %g : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %gp = tile.addptr %gs, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  // CHECK: load {{.*}} : tensor<1024x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [512]],
  %xv = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  tile.store %xp, %xv : tensor<1024x!tile.ptr<f32>>
  // CHECK: load {{.*}} : tensor<1024x!tile.ptr<bf16>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], [4]],
  %gv = tile.load %gp : tensor<1024x!tile.ptr<bf16>>
  tile.store %gp, %gv : tensor<1024x!tile.ptr<bf16>>
  tile.return
}

// What a loop carries takes the layout of what is added to it; the column that scales it moves, 64 bytes of it.
// CHECK-LABEL: tile.func @column
tile.func @column(%alphas: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x128xf32>
  %pitch = arith.constant dense<128> : tensor<16x1xi32>
  %g = tile.arange : tensor<16xi32>
  %d = tile.arange : tensor<128xi32>
  %g1 = tile.expand_dims %g axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %d1 = tile.expand_dims %d axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %down = arith.muli %g1, %pitch : tensor<16x1xi32>
  %downs = tile.broadcast %down : tensor<16x1xi32> -> tensor<16x128xi32>
  %acrosses = tile.broadcast %d1 : tensor<1x128xi32> -> tensor<16x128xi32>
  %o = arith.addi %downs, %acrosses : tensor<16x128xi32>
  %as = tile.splat %alphas : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ap = tile.addptr %as, %g : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x128x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %o : tensor<16x128x!tile.ptr<f32>>, tensor<16x128xi32>
  // CHECK: scf.for
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zeros) -> (tensor<16x128xf32>) : i32 {
    // CHECK: load {{.*}} : tensor<16x!tile.ptr<f32>
    // CHECK: convert_layout {{.*}} : tensor<16xf32,
    %alpha = tile.load %ap : tensor<16x!tile.ptr<f32>>
    // CHECK: load {{.*}} : tensor<16x128x!tile.ptr<f32>, [[L:#tile[a-z_]*.layout<register = \[\[0, 1\], \[0, 2\], .*]]>
    // CHECK-NOT: convert_layout
    %xv = tile.load %xp : tensor<16x128x!tile.ptr<f32>>
    %alpha1 = tile.expand_dims %alpha axis 1 : tensor<16xf32> -> tensor<16x1xf32>
    %alphas2 = tile.broadcast %alpha1 : tensor<16x1xf32> -> tensor<16x128xf32>
    %scaled = arith.mulf %alphas2, %a : tensor<16x128xf32>
    %next = arith.addf %scaled, %xv : tensor<16x128xf32>
    // CHECK: scf.yield {{.*}} : tensor<16x128xf32, [[L]]>
    scf.yield %next : tensor<16x128xf32>
  }
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<16x128x!tile.ptr<f32>, [[L]]>
  tile.store %xp, %acc : tensor<16x128x!tile.ptr<f32>>
  tile.return
}

// Packed weights, a word for eight of them: none runs along memory, but a thread has all eight of a word and
// loads it once.
// CHECK-LABEL: tile.func @packed
tile.func @packed(%q: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>) {
  %c = tile.arange : tensor<1024xi32>
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %word = arith.divui %c, %eight : tensor<1024xi32>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %qp = tile.addptr %qs, %word : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  // CHECK: load {{.*}} : tensor<1024x!tile.ptr<i32>, [[L:#tile[a-z_]*.layout<register = \[\[1\], \[2\], \[4\]\],.*]]>
  %b = tile.load %qp : tensor<1024x!tile.ptr<i32>>
  %sum = tile.reduce add %b axis 0 : tensor<1024xi32> -> i32
  %f = arith.sitofp %sum : i32 to f32
  tile.store %y, %f : !tile.ptr<f32>
  tile.return
}

// Where something does run along memory, that decides: a scale for eight elements beside four of f32 a thread.
// CHECK-LABEL: tile.func @scaled
tile.func @scaled(%s: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %c = tile.arange : tensor<1024xi32>
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %group = arith.divui %c, %eight : tensor<1024xi32>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %group : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: load {{.*}} : tensor<1024x!tile.ptr<f32>, [[L:#tile[a-z_]*.layout<register = \[\[1\], \[2\], \[512\]\],.*]]>
  // CHECK: load {{.*}} : tensor<1024x!tile.ptr<f32>, [[L]]>
  %sv = tile.load %sp : tensor<1024x!tile.ptr<f32>>
  %xv = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %p = arith.mulf %sv, %xv : tensor<1024xf32>
  tile.store %xp, %p : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// One load that begins at 16 bytes, one store of rows with a gap behind each, as torch.compile writes odd ones: most
// neighbours have the same quotient, and a store of elements one by one outweighs a load, so lanes lie side by side.
// CHECK-LABEL: tile.func @gap
// CHECK: load {{.*}} : tensor<1024x!tile.ptr<bf16>, [[L:#tile[a-z_]*.layout<register = \[\[1\], \[64\], .*lane = \[\[2\], .*]]>
// CHECK: store {{.*}} : tensor<1024x!tile.ptr<bf16>, [[L]]>
tile.func @gap(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %at = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %at : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<bf16>>
  %row = arith.constant dense<333> : tensor<1024xi32>
  %pitch = arith.constant dense<336> : tensor<1024xi32>
  %r = arith.divsi %at, %row : tensor<1024xi32>
  %c = arith.remsi %at, %row : tensor<1024xi32>
  %b = arith.muli %r, %pitch : tensor<1024xi32>
  %o = arith.addi %b, %c : tensor<1024xi32>
  %os = tile.splat %out : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %op = tile.addptr %os, %o : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %n = arith.negf %v : tensor<1024xbf16>
  tile.store %op, %n : tensor<1024x!tile.ptr<bf16>>
  tile.return
}

// What is looked up in a table lies anywhere: a thread has eight elements of f32, as of the weights that it meets.
// CHECK-LABEL: tile.func @lookup
tile.func @lookup(%q: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %table: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %j = tile.arange : tensor<8xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %shift = tile.broadcast %j1 : tensor<1x8xi32> -> tensor<256x8xi32>
  %i = tile.arange : tensor<256xi32>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %qp = tile.addptr %qs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %word = tile.load %qp : tensor<256x!tile.ptr<i32>>
  %word1 = tile.expand_dims %word axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %words = tile.broadcast %word1 : tensor<256x1xi32> -> tensor<256x8xi32>
  %number = arith.shrui %words, %shift : tensor<256x8xi32>
  %ts = tile.splat %table : !tile.ptr<f32> -> tensor<256x8x!tile.ptr<f32>>
  %tp = tile.addptr %ts, %number : tensor<256x8x!tile.ptr<f32>>, tensor<256x8xi32>
  // CHECK: load {{.*}} : tensor<256x8x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4],
  %v = tile.load %tp : tensor<256x8x!tile.ptr<f32>>
  %sums = tile.reduce add %v axis 0 : tensor<256x8xf32> -> tensor<8xf32>
  %sum = tile.reduce add %sums axis 0 : tensor<8xf32> -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Neighbours begin anywhere: where most of what meets is accessed an element at a time, though it runs along
// memory, a thread has a word, and lanes lie side by side.
// CHECK-LABEL: tile.func @neighbours
tile.func @neighbours(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %one = arith.constant dense<1> : tensor<2048xi32>
  %two = arith.constant dense<2> : tensor<2048xi32>
  %j = arith.addi %i, %one : tensor<2048xi32>
  %k = arith.addi %j, %two : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %jp = tile.addptr %xs, %j : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %kp = tile.addptr %xs, %k : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %yp = tile.addptr %ys, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<f32>, [[L:#tile[a-z_]*.layout<register = \[\[32\], .*lane = \[\[1\], .*]]>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<f32>, [[L]]>
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<2048x!tile.ptr<f32>, [[L]]>
  %a = tile.load %jp : tensor<2048x!tile.ptr<f32>>
  %b = tile.load %kp : tensor<2048x!tile.ptr<f32>>
  %s = arith.addf %a, %b : tensor<2048xf32>
  tile.store %yp, %s : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// One of two changes nothing.
// CHECK-LABEL: tile.func @neighbour
tile.func @neighbour(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %one = arith.constant dense<1> : tensor<2048xi32>
  %j = arith.addi %i, %one : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %jp = tile.addptr %xs, %j : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %yp = tile.addptr %ys, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2],
  // CHECK: store {{.*}} : tensor<2048x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2],
  %a = tile.load %jp : tensor<2048x!tile.ptr<f32>>
  tile.store %yp, %a : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// What is made of indices alone is made again in each layout that asks, unless that is much arithmetic: then it is computed
// once, and what stores it shares the layout of the other accesses that it meets.
//
// Nine sines, of some 70 instructions each. Bytes are stored eight by eight, as the floats that they choose.
// CHECK-LABEL: tile.func @long
// CHECK-COUNT-9: math.sin {{.*}} : tensor<4096xf32, [[L:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\], \[1024\], \[2048\]\],.*>]]>
// CHECK-NOT: math.sin
// CHECK-NOT: convert_layout
// CHECK: tile.store {{.*}} : tensor<4096x!tile.ptr<i8>, [[L]]>
// CHECK: tile.load {{.*}} : tensor<4096x!tile.ptr<bf16>, [[L]]>
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @long(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %m: !tile.ptr<i8> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<4096x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<4096x!tile.ptr<bf16>>, tensor<4096xi32>
  %ms = tile.splat %m : !tile.ptr<i8> -> tensor<4096x!tile.ptr<i8>>
  %mp = tile.addptr %ms, %i : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %f0 = arith.sitofp %i : tensor<4096xi32> to tensor<4096xf32>
  %f1 = math.sin %f0 : tensor<4096xf32>
  %f2 = math.sin %f1 : tensor<4096xf32>
  %f3 = math.sin %f2 : tensor<4096xf32>
  %f4 = math.sin %f3 : tensor<4096xf32>
  %f5 = math.sin %f4 : tensor<4096xf32>
  %f6 = math.sin %f5 : tensor<4096xf32>
  %f7 = math.sin %f6 : tensor<4096xf32>
  %f8 = math.sin %f7 : tensor<4096xf32>
  %f9 = math.sin %f8 : tensor<4096xf32>
  %keep = arith.cmpf ogt, %f9, %f0 : tensor<4096xf32>
  %byte = arith.extui %keep : tensor<4096xi1> to tensor<4096xi8>
  tile.store %mp, %byte : tensor<4096x!tile.ptr<i8>>
  %v = tile.load %xp : tensor<4096x!tile.ptr<bf16>>
  %zero = arith.constant dense<0.0> : tensor<4096xbf16>
  %w = arith.select %keep, %v, %zero : tensor<4096xi1>, tensor<4096xbf16>
  tile.store %xp, %w : tensor<4096x!tile.ptr<bf16>>
  tile.return
}

// A power of two: each store has its own, of 16 bytes.
// CHECK-LABEL: tile.func @short
// CHECK-DAG: math.exp2 {{.*}} : tensor<4096xf32, [[WIDE:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\], \[8\],.*>]]>
// CHECK-DAG: math.exp2 {{.*}} : tensor<4096xf32, [[NARROW:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\], \[1024\],.*>]]>
// CHECK-NOT: convert_layout
// CHECK: tile.store {{.*}} : tensor<4096x!tile.ptr<i8>, [[WIDE]]>
// CHECK: tile.load {{.*}} : tensor<4096x!tile.ptr<bf16>, [[NARROW]]>
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @short(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %m: !tile.ptr<i8> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<4096x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<4096x!tile.ptr<bf16>>, tensor<4096xi32>
  %ms = tile.splat %m : !tile.ptr<i8> -> tensor<4096x!tile.ptr<i8>>
  %mp = tile.addptr %ms, %i : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %f0 = arith.sitofp %i : tensor<4096xi32> to tensor<4096xf32>
  %f1 = math.exp2 %f0 : tensor<4096xf32>
  %keep = arith.cmpf ogt, %f1, %f0 : tensor<4096xf32>
  %byte = arith.extui %keep : tensor<4096xi1> to tensor<4096xi8>
  tile.store %mp, %byte : tensor<4096x!tile.ptr<i8>>
  %v = tile.load %xp : tensor<4096x!tile.ptr<bf16>>
  %zero = arith.constant dense<0.0> : tensor<4096xbf16>
  %w = arith.select %keep, %v, %zero : tensor<4096xi1>, tensor<4096xbf16>
  tile.store %xp, %w : tensor<4096x!tile.ptr<bf16>>
  tile.return
}

// A row of 32 scales of f16, beside products by mma.sync, comes two to a thread, a word: cp.async copies no less. Where no loop
// multiplies, each of 32 threads loads one.
// CHECK-LABEL: tile.func @row_of_scales
// CHECK: tile.load {{.*}} : tensor<1x32x!tile.ptr<f16>, #tile{{[a-z_]*}}.layout<register = [], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]],
// CHECK: scf.for
// CHECK: tile.load {{.*}} : tensor<1x32x!tile.ptr<f16>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [0, 4], [0, 8], [0, 16], [0, 0]],
// CHECK: tile.dot {{.*}} by mma_sync
tile.func @row_of_scales(%s: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32) {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %b = arith.constant dense<2.0> : tensor<32x32xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.arange : tensor<32xi32>
  %row = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %base = tile.splat %s : !tile.ptr<f16> -> tensor<1x32x!tile.ptr<f16>>
  %p = tile.addptr %base, %row : tensor<1x32x!tile.ptr<f16>>, tensor<1x32xi32>
  %once = tile.load %p : tensor<1x32x!tile.ptr<f16>>
  %to = tile.splat %out : !tile.ptr<f16> -> tensor<1x32x!tile.ptr<f16>>
  tile.store %to, %once : tensor<1x32x!tile.ptr<f16>>
  %sum = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %at = arith.muli %j, %c32 : i32
    %ats = tile.splat %at : i32 -> tensor<1x32xi32>
    %q = tile.addptr %p, %ats : tensor<1x32x!tile.ptr<f16>>, tensor<1x32xi32>
    %v = tile.load %q : tensor<1x32x!tile.ptr<f16>>
    %all = tile.broadcast %v : tensor<1x32xf16> -> tensor<32x32xf16>
    %y = arith.mulf %b, %all : tensor<32x32xf16>
    %d = tile.dot %a, %y, %acc by mma_sync : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<32x32xf32> -> tensor<32xf32>
  tile.print "total" %total : tensor<32xf32>
  tile.return
}

// Bytes that a reshape divides into groups, each with a scale, meet 16 bits whole: eight elements a thread of both.
// CHECK-LABEL: tile.func @divided
tile.func @divided(%x: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %s: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<4096xi32>
  %j = tile.arange : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f8E4M3FN> -> tensor<4096x!tile.ptr<f8E4M3FN>>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<4096x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %i : tensor<4096x!tile.ptr<f8E4M3FN>>, tensor<4096xi32>
  %sp = tile.addptr %ss, %j : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %yp = tile.addptr %ys, %i : tensor<4096x!tile.ptr<bf16>>, tensor<4096xi32>
  // CHECK: load {{.*}} : tensor<4096x!tile.ptr<f8E4M3FN>, [[L:#tile[a-z_]*.layout<register = \[\[1\], \[2\], \[4\], \[1024\], \[2048\]\],.*]]>
  // CHECK-NOT: convert_layout {{.*}} : tensor<4096x
  // CHECK-NOT: convert_layout {{.*}} : tensor<256x16x
  // CHECK: store {{.*}} : tensor<4096x!tile.ptr<bf16>, [[L]]>
  %xv = tile.load %xp : tensor<4096x!tile.ptr<f8E4M3FN>>
  %sv = tile.load %sp : tensor<256x!tile.ptr<f32>>
  %xf = arith.extf %xv : tensor<4096xf8E4M3FN> to tensor<4096xf32>
  %xg = tile.reshape %xf : tensor<4096xf32> -> tensor<256x16xf32>
  %sc = tile.expand_dims %sv axis 1 : tensor<256xf32> -> tensor<256x1xf32>
  %sb = tile.broadcast %sc : tensor<256x1xf32> -> tensor<256x16xf32>
  %p = arith.mulf %xg, %sb : tensor<256x16xf32>
  %pw = tile.reshape %p : tensor<256x16xf32> -> tensor<4096xf32>
  %yv = arith.truncf %pw : tensor<4096xf32> to tensor<4096xbf16>
  tile.store %yp, %yv : tensor<4096x!tile.ptr<bf16>>
  tile.return
}

// Heads share a row's angles: neither lanes nor warps divide them, as rows are whole lines, so a thread's heads meet what it
// has loaded once.
// CHECK-LABEL: tile.func @shared_by_heads
// CHECK: load {{.*}} : tensor<32x4x64x!tile.ptr<f16>, #tile{{[a-z_]*}}.layout<register = {{.*}}[0, 1, 0], [0, 2, 0]], lane = {{.*}}[1, 0, 0], [2, 0, 0]], warp = {{\[\[}}4, 0, 0], [8, 0, 0]]>>
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @shared_by_heads(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %r = tile.arange : tensor<32xi32>
  %h = tile.arange : tensor<4xi32>
  %d = tile.arange : tensor<64xi32>
  %c256 = arith.constant dense<256> : tensor<32xi32>
  %c64r = arith.constant dense<64> : tensor<32xi32>
  %c64 = arith.constant dense<64> : tensor<4xi32>
  %rm = arith.muli %r, %c256 : tensor<32xi32>
  %rc = arith.muli %r, %c64r : tensor<32xi32>
  %hm = arith.muli %h, %c64 : tensor<4xi32>
  %r1 = tile.expand_dims %rm axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.expand_dims %r1 axis 2 : tensor<32x1xi32> -> tensor<32x1x1xi32>
  %k1 = tile.expand_dims %rc axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %k2 = tile.expand_dims %k1 axis 2 : tensor<32x1xi32> -> tensor<32x1x1xi32>
  %h1 = tile.expand_dims %hm axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %h2 = tile.expand_dims %h1 axis 2 : tensor<1x4xi32> -> tensor<1x4x1xi32>
  %d1 = tile.expand_dims %d axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %d2 = tile.expand_dims %d1 axis 1 : tensor<1x64xi32> -> tensor<1x1x64xi32>
  %rb = tile.broadcast %r2 : tensor<32x1x1xi32> -> tensor<32x4x64xi32>
  %hb = tile.broadcast %h2 : tensor<1x4x1xi32> -> tensor<32x4x64xi32>
  %db = tile.broadcast %d2 : tensor<1x1x64xi32> -> tensor<32x4x64xi32>
  %kb = tile.broadcast %k2 : tensor<32x1x1xi32> -> tensor<32x1x64xi32>
  %dk = tile.broadcast %d2 : tensor<1x1x64xi32> -> tensor<32x1x64xi32>
  %a0 = arith.addi %rb, %hb : tensor<32x4x64xi32>
  %a1 = arith.addi %a0, %db : tensor<32x4x64xi32>
  %ak = arith.addi %kb, %dk : tensor<32x1x64xi32>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<32x4x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f16> -> tensor<32x1x64x!tile.ptr<f16>>
  %qp = tile.addptr %qs, %a1 : tensor<32x4x64x!tile.ptr<f16>>, tensor<32x4x64xi32>
  %cp = tile.addptr %cs, %ak : tensor<32x1x64x!tile.ptr<f16>>, tensor<32x1x64xi32>
  %qv = tile.load %qp : tensor<32x4x64x!tile.ptr<f16>>
  %cv = tile.load %cp : tensor<32x1x64x!tile.ptr<f16>>
  %cb = tile.broadcast %cv : tensor<32x1x64xf16> -> tensor<32x4x64xf16>
  %o = arith.mulf %qv, %cb : tensor<32x4x64xf16>
  tile.store %qp, %o : tensor<32x4x64x!tile.ptr<f16>>
  tile.return
}

// Neighbours that are stored apart from each other, as a colour of each pixel is, sit in neighbouring lanes, and so do
// what they come of, though 16 of these would be one access.
// CHECK-LABEL: tile.func @strewn
tile.func @strewn(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i8> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %three = arith.constant dense<3> : tensor<2048xi32>
  %at = arith.muli %i, %three : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<2048x!tile.ptr<i8>>
  %ys = tile.splat %y : !tile.ptr<i8> -> tensor<2048x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %i : tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>
  %yp = tile.addptr %ys, %at : tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<i8>, #tile{{[a-z_]*}}.layout<register = {{.*}}, lane = {{\[\[}}1], [2], [4], [8], [16]],
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<2048x!tile.ptr<i8>, #tile{{[a-z_]*}}.layout<register = {{.*}}, lane = {{\[\[}}1], [2], [4], [8], [16]],
  %v = tile.load %xp : tensor<2048x!tile.ptr<i8>>
  tile.store %yp, %v : tensor<2048x!tile.ptr<i8>>
  tile.return
}

// Scanned more often than stored, a thread keeps its neighbours: the totals of four are one for lanes to exchange.
// CHECK-LABEL: tile.func @strewn_and_scanned
tile.func @strewn_and_scanned(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %three = arith.constant dense<3> : tensor<2048xi32>
  %at = arith.muli %i, %three : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<2048x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<2048x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  %yp = tile.addptr %ys, %at : tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>
  // CHECK: load {{.*}} : tensor<2048x!tile.ptr<i32>, #tile{{[a-z_]*}}.layout<register = {{\[\[}}1], [2], {{.*}}, lane = {{\[\[}}4],
  // CHECK-COUNT-5: tile.scan
  // CHECK: store
  %v = tile.load %xp : tensor<2048x!tile.ptr<i32>>
  %a = tile.scan add %v axis 0 : tensor<2048xi32> -> tensor<2048xi32>
  %b = tile.scan add %a axis 0 : tensor<2048xi32> -> tensor<2048xi32>
  %c = tile.scan add %b axis 0 : tensor<2048xi32> -> tensor<2048xi32>
  %d = tile.scan add %c axis 0 : tensor<2048xi32> -> tensor<2048xi32>
  %e = tile.scan add %d axis 0 : tensor<2048xi32> -> tensor<2048xi32>
  tile.store %yp, %e : tensor<2048x!tile.ptr<i32>>
  tile.return
}

// Rows that a loaded number picks are no table: neighbours sit in neighbouring lanes, too.
// CHECK-LABEL: tile.func @picked_rows
tile.func @picked_rows(%x: !tile.ptr<f32>, %list: !tile.ptr<i32>, %n: i32, %pitch: i32, %y: !tile.ptr<f32>) {
  %i = tile.arange : tensor<512xi32>
  %ns = tile.splat %n : i32 -> tensor<512xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<512xi32>
  %which = arith.remsi %i, %ns : tensor<512xi32>
  %lists = tile.splat %list : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %lp = tile.addptr %lists, %which : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %row = tile.load %lp : tensor<512x!tile.ptr<i32>>
  %at = arith.muli %row, %pitches : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  // CHECK: load {{.*}} : tensor<512x!tile.ptr<f32>, #tile{{[a-z_]*}}.layout<register = {{.*}}, lane = {{\[\[}}1], [2], [4], [8], [16]],
  %v = tile.load %xp : tensor<512x!tile.ptr<f32>>
  %sum = tile.reduce add %v axis 0 : tensor<512xf32> -> f32
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Rows that begin anywhere: what a warp has lies side by side.
// CHECK-LABEL: tile.func @anywhere
tile.func @anywhere(%x: !tile.ptr<f32>, %pitch: i32) {
  %p = tile.program_id x
  %first = arith.muli %p, %pitch : i32
  %row = tile.addptr %x, %first : !tile.ptr<f32>, i32
  %i = tile.arange : tensor<1024xi32>
  %xs = tile.splat %row : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: load {{.*}}, #tile{{[a-z_]*}}.layout<register = {{\[\[}}32], [64], [128]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}256], [512]]>>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<1024xf32>
  tile.store %xp, %w : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// The same of rows of which a mask leaves half: a warp's part is short, as else half of the warps had nothing.
// CHECK-LABEL: tile.func @early
tile.func @early(%x: !tile.ptr<f32>, %pitch: i32) {
  %p = tile.program_id x
  %first = arith.muli %p, %pitch : i32
  %row = tile.addptr %x, %first : !tile.ptr<f32>, i32
  %i = tile.arange : tensor<2048xi32>
  %end = arith.constant dense<1025> : tensor<2048xi32>
  %m = arith.cmpi slt, %i, %end : tensor<2048xi32>
  %xs = tile.splat %row : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  // CHECK: load {{.*}}, #tile{{[a-z_]*}}.layout<register = {{\[\[}}32], [256], [512], [1024]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}64], [128]]>>
  %v = tile.load %xp, %m : tensor<2048x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<2048xf32>
  tile.store %xp, %w, %m : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// A constant lies with the mask that was computed for its store: no mask is exchanged. Each element is stored by itself, and
// neighbours by neighbouring lanes.
// CHECK-LABEL: tile.func @masked_constant
tile.func @masked_constant(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<i8> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %gs = tile.splat %g : !tile.ptr<i8> -> tensor<4096x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %i : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %gp = tile.addptr %gs, %i : tensor<4096x!tile.ptr<i8>>, tensor<4096xi32>
  %zero = arith.constant dense<0.0> : tensor<4096xf32>
  %one = arith.constant dense<1> : tensor<4096xi8>
  %xv = tile.load %xp : tensor<4096x!tile.ptr<f32>>
  %m = arith.cmpf olt, %xv, %zero : tensor<4096xf32>
  // CHECK: load {{.*}} : tensor<4096x!tile.ptr<f32>, [[L:#tile[a-z_]*.layout<.*>]]>
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<4096x!tile.ptr<i8>, [[L]]>
  tile.store %gp, %one, %m : tensor<4096x!tile.ptr<i8>>
  tile.return
}

// The same of a small one, which lies as it comes.
// CHECK-LABEL: tile.func @small_masked_constant
tile.func @small_masked_constant(%x: !tile.ptr<f32>, %g: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %first: i32) {
  %i = tile.arange : tensor<256xi32>
  %row = tile.addptr %x, %first : !tile.ptr<f32>, i32
  %xs = tile.splat %row : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %gs = tile.splat %g : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %gp = tile.addptr %gs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %one = arith.constant dense<1> : tensor<256xi32>
  %xv = tile.load %xp : tensor<256x!tile.ptr<f32>>
  %m = arith.cmpf olt, %xv, %zero : tensor<256xf32>
  // CHECK: load {{.*}} : tensor<256x!tile.ptr<f32>, [[L:#tile[a-z_]*.layout<.*>]]>
  // CHECK-NOT: convert_layout
  // CHECK: store {{.*}} : tensor<256x!tile.ptr<i32>, [[L]]>
  tile.store %gp, %one, %m : tensor<256x!tile.ptr<i32>>
  tile.return
}

// Where warps meet in each step, to reduce, those of one place in time have neighbours.
// CHECK-LABEL: tile.func @anywhere_in_steps
tile.func @anywhere_in_steps(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %pitch: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %i = tile.arange : tensor<1024xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %first = arith.muli %k, %pitch : i32
    %row = tile.addptr %x, %first : !tile.ptr<f32>, i32
    %xs = tile.splat %row : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    // CHECK: load {{.*}}, #tile{{[a-z_]*}}.layout<register = {{\[\[}}128], [256], [512]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [64]]>>
    %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
    %all = tile.reduce add %v axis 0 : tensor<1024xf32> -> f32
    %next = arith.addf %acc, %all : f32
    scf.yield %next : f32
  }
  tile.store %out, %sum : !tile.ptr<f32>
  tile.return
}

// Behind such a loop each warp goes its own way.
// CHECK-LABEL: tile.func @anywhere_behind_steps
tile.func @anywhere_behind_steps(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %pitch: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %i = tile.arange : tensor<1024xi32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %outp = tile.addptr %outs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %ov = tile.load %outp : tensor<1024x!tile.ptr<f32>>
    %all = tile.reduce add %ov axis 0 : tensor<1024xf32> -> f32
    %next = arith.addf %acc, %all : f32
    scf.yield %next : f32
  }
  %first = arith.muli %n, %pitch : i32
  %row = tile.addptr %x, %first : !tile.ptr<f32>, i32
  %xs = tile.splat %row : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: scf.yield
  // CHECK: load {{.*}}, #tile{{[a-z_]*}}.layout<register = {{\[\[}}32], [64], [128]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}256], [512]]>>
  %v = tile.load %xp : tensor<1024x!tile.ptr<f32>>
  %sums = tile.splat %sum : f32 -> tensor<1024xf32>
  %w = arith.addf %v, %sums : tensor<1024xf32>
  tile.store %xp, %w : tensor<1024x!tile.ptr<f32>>
  tile.return
}

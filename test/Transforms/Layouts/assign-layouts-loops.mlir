// Accesses through pointers that loops carry, and sums of dots that loops read.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// How the pointers run through memory shows in front of the loop: along dimension 0, so far as can
// be guessed of a stride that is not known. Pointers and what is loaded follow that alike: nothing
// in the loop is converted.
// CHECK-LABEL: tile.func @columns
tile.func @columns(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %stride: i32, %n: i32) {
  %r = tile.arange : tensor<64xi32>
  %row = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.arange : tensor<32xi32>
  %col = tile.expand_dims %c axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %s = tile.splat %stride : i32 -> tensor<1x32xi32>
  %cs = arith.muli %col, %s : tensor<1x32xi32>
  %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
  %cols = tile.broadcast %cs : tensor<1x32xi32> -> tensor<64x32xi32>
  %offs = arith.addi %rows, %cols : tensor<64x32xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %first = tile.addptr %xs, %offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %step = arith.constant dense<64> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf16>
  // CHECK: scf.for
  // CHECK-SAME: tensor<64x32x!tile.ptr<f16>, [[L:#tile_gpu.layout<register = [^l]*, lane = \[\[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\], \[16, 0\]\], warp = \[\[0, 1\], \[0, 2\]\]>]]>
  %sum, %end = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %p = %first)
      -> (tensor<64x32xf16>, tensor<64x32x!tile.ptr<f16>>) : i32 {
    // CHECK-NOT: tile_gpu.convert_layout
    // CHECK: tile.load {{.*}} : tensor<64x32x!tile.ptr<f16>, [[L]]>
    // CHECK-NEXT: arith.addf {{.*}} : tensor<64x32xf16, [[L]]>
    %v = tile.load %p : tensor<64x32x!tile.ptr<f16>>
    %acc_next = arith.addf %acc, %v : tensor<64x32xf16>
    // CHECK-NOT: tile_gpu.convert_layout
    // CHECK: scf.yield
    %next = tile.addptr %p, %step : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    scf.yield %acc_next, %next : tensor<64x32xf16>, tensor<64x32x!tile.ptr<f16>>
  }
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %yp = tile.addptr %ys, %offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  tile.store %yp, %sum : tensor<64x32x!tile.ptr<f16>>
  tile.return
}

// A dot's sum, to which a loop without dots adds what it loads: it is converted in front of the loop and not each step's tile in it.
// CHECK-LABEL: tile.func @behind
// CHECK: %[[DOT:.*]] = tile.dot
// CHECK: %[[SUM:.*]] = tile_gpu.convert_layout %[[DOT]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]])
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @behind(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %d = tile.dot %a, %b, %zero by mma_sync : tensor<16x16xf16>, tensor<16x64xf16> -> tensor<16x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %offs = tile.expr col(arange(16)) * 64 + row(arange(64))
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %d) -> (tensor<16x64xf32>) : i32 {
    %p = tile.expr %x + (%i * 1024 + %offs)
    %v = tile.load %p
    %e = math.exp2 %v : tensor<16x64xf32>
    %t = arith.addf %s, %e : tensor<16x64xf32>
    scf.yield %t : tensor<16x64xf32>
  }
  %py = tile.expr %y + %offs
  tile.store %py, %sum
  tile.return
}

// What comes from memory, from which a loop takes away what its dots leave: it is converted in front of the loop.
// CHECK-LABEL: tile.func @rest
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[REST:.*]] = tile_gpu.convert_layout %[[X]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[REST]])
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.dot
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: scf.yield
tile.func @rest(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %offs = tile.expr col(arange(16)) * 64 + row(arange(64))
  %p = tile.expr %x + %offs
  %v = tile.load %p
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (tensor<16x64xf32>) : i32 {
    %d = tile.dot %a, %b, %zero by mma_sync : tensor<16x16xf16>, tensor<16x64xf16> -> tensor<16x64xf32>
    %t = arith.subf %s, %d : tensor<16x64xf32>
    scf.yield %t : tensor<16x64xf32>
  }
  %py = tile.expr %y + %offs
  tile.store %py, %sum
  tile.return
}

// A row from memory, as the greatest scores of steps before: what each step reduces of its dot lies otherwise, and the
// row is converted in front of the loop.
// CHECK-LABEL: tile.func @rows
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[ROW:.*]] = tile_gpu.convert_layout %[[X]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ROW]])
// CHECK: tile.reduce
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: scf.yield
tile.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %offs = tile.arange : tensor<64xi32>
  %p = tile.expr %x + %offs
  %v = tile.load %p
  %most = scf.for %i = %c0 to %n step %c1 iter_args(%m = %v) -> (tensor<64xf32>) : i32 {
    %d = tile.dot %a, %b, %zero by mma_sync : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
    %r = tile.reduce maxnum %d axis 1 : tensor<64x64xf32> -> tensor<64xf32>
    %t = arith.maxnumf %m, %r : tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  }
  %py = tile.expr %y + %offs
  tile.store %py, %most
  tile.return
}

// Warps divide a dot's sums last along what is reduced as often as they are computed, or oftener: lanes exchange what warps would meet for.
//
// A loop behind the dot sums up its rows in each step, as a triangular system is solved row by row: warps lie along columns.
// CHECK-LABEL: tile.func @undivided_rows
// CHECK: tile.dot {{.*}} -> tensor<32x32xf32, [[ACROSS:#tile_gpu.layout<register = .*, warp = \[\[0, 8\], \[0, 16\]\]>]]>
// CHECK: scf.for
// CHECK: tile.reduce add {{.*}} axis 0 : tensor<32x32xf32, [[ACROSS]]>
tile.func @undivided_rows(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot %a, %b, %zero by mma_sync : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %e = scf.for %i = %c0 to %c32 step %c1 iter_args(%s = %d) -> (tensor<32x32xf32>) : i32 {
    %r = tile.reduce add %s axis 0 : tensor<32x32xf32> -> tensor<32xf32>
    %row = tile.expand_dims %r axis 0 : tensor<32xf32> -> tensor<1x32xf32>
    %all = tile.broadcast %row : tensor<1x32xf32> -> tensor<32x32xf32>
    %t = arith.subf %s, %all : tensor<32x32xf32>
    scf.yield %t : tensor<32x32xf32>
  }
  %offs = tile.expr col(arange(32)) * 32 + row(arange(32))
  %p = tile.expr %y + %offs
  tile.store %p, %e : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

// Scores of which each step takes its rows' largest, though the square part of a warp would be 32 x 32.
// CHECK-LABEL: tile.func @scores
// CHECK: tile.dot {{.*}} -> tensor<32x64xf32, [[ALONG:#tile_gpu.layout<register = .*, warp = \[\[16, 0\]\]>]]>
// CHECK: tile.reduce maxnum {{.*}} axis 1 : tensor<32x64xf32, [[ALONG]]>
tile.func @scores(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %least = arith.constant dense<-1.0> : tensor<32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%m = %least) -> (tensor<32xf32>) : i32 {
    %d = tile.dot %a, %b, %zero by mma_sync : tensor<32x16xf16>, tensor<16x64xf16> -> tensor<32x64xf32>
    %r = tile.reduce maxnum %d axis 1 : tensor<32x64xf32> -> tensor<32xf32>
    %t = arith.maxnumf %m, %r : tensor<32xf32>
    scf.yield %t : tensor<32xf32>
  }
  %offs = tile.arange : tensor<32xi32>
  %p = tile.expr %y + %offs
  tile.store %p, %e : tensor<32x!tile.ptr<f32>>
  tile.return
}

// Sums that are reduced once, behind the loop: parts of warps are as square as may be.
// CHECK-LABEL: tile.func @divided
// CHECK: tile.dot {{.*}} -> tensor<32x64xf32, #tile_gpu.layout<register = {{.*}}, warp = {{\[\[}}0, 32]]>>
tile.func @divided(%y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x64xf32>) : i32 {
    %t = tile.dot %a, %b, %s by mma_sync : tensor<32x16xf16>, tensor<16x64xf16> -> tensor<32x64xf32>
    scf.yield %t : tensor<32x64xf32>
  }
  %r = tile.reduce add %d axis 1 : tensor<32x64xf32> -> tensor<32xf32>
  %offs = tile.arange : tensor<32xi32>
  %p = tile.expr %y + %offs
  tile.store %p, %r : tensor<32x!tile.ptr<f32>>
  tile.return
}

// Rows that each step sums a product of are loaded once: lanes have a line of 128 bytes, and the others have other rows.
// CHECK-LABEL: tile.func @summed_in_steps
// CHECK: tile.load {{.*}} : tensor<16x128x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 32], [0, 64], [8, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [2, 0], [4, 0]], warp = {{\[\[}}1, 0]]>>
// Also where the step loads them itself.
// CHECK-LABEL: tile.func @loaded_in_steps
// CHECK: tile.load {{.*}} : tensor<16x128x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 32], [0, 64], [8, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [2, 0], [4, 0]], warp = {{\[\[}}1, 0]]>>
tile.func @summed_in_steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: index) attributes {tile.num_warps = 2 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant dense<128> : tensor<16x1xi32>
  %i = tile.arange : tensor<16xi32>
  %j = tile.arange : tensor<128xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %rows = arith.muli %ic, %c128 : tensor<16x1xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x1x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %rows : tensor<16x1x!tile.ptr<f32>>, tensor<16x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %xb = tile.broadcast %xp : tensor<16x1x!tile.ptr<f32>> -> tensor<16x128x!tile.ptr<f32>>
  %jb = tile.broadcast %jr : tensor<1x128xi32> -> tensor<16x128xi32>
  %p = tile.addptr %xb, %jb : tensor<16x128x!tile.ptr<f32>>, tensor<16x128xi32>
  %v = tile.load %p : tensor<16x128x!tile.ptr<f32>>
  scf.for %t = %c0 to %n step %c1 {
    %at = arith.index_cast %t : index to i32
    %s = arith.sitofp %at : i32 to f32
    %b = tile.splat %s : f32 -> tensor<16x128xf32>
    %d = arith.subf %v, %b : tensor<16x128xf32>
    %e = math.exp %d : tensor<16x128xf32>
    %r = tile.reduce add %e axis 1 : tensor<16x128xf32> -> tensor<16xf32>
    %o = tile.addptr %out, %at : !tile.ptr<f32>, i32
    %os = tile.splat %o : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
    %op = tile.addptr %os, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
    tile.store %op, %r : tensor<16x!tile.ptr<f32>>
  }
  tile.return
}

tile.func @loaded_in_steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: index) attributes {tile.num_warps = 2 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant dense<128> : tensor<16x1xi32>
  %i = tile.arange : tensor<16xi32>
  %j = tile.arange : tensor<128xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %rows = arith.muli %ic, %c128 : tensor<16x1xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x1x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %rows : tensor<16x1x!tile.ptr<f32>>, tensor<16x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %xb = tile.broadcast %xp : tensor<16x1x!tile.ptr<f32>> -> tensor<16x128x!tile.ptr<f32>>
  %jb = tile.broadcast %jr : tensor<1x128xi32> -> tensor<16x128xi32>
  %p = tile.addptr %xb, %jb : tensor<16x128x!tile.ptr<f32>>, tensor<16x128xi32>
  scf.for %t = %c0 to %n step %c1 {
    %v = tile.load %p : tensor<16x128x!tile.ptr<f32>>
    %at = arith.index_cast %t : index to i32
    %s = arith.sitofp %at : i32 to f32
    %b = tile.splat %s : f32 -> tensor<16x128xf32>
    %d = arith.subf %v, %b : tensor<16x128xf32>
    %e = math.exp %d : tensor<16x128xf32>
    %r = tile.reduce add %e axis 1 : tensor<16x128xf32> -> tensor<16xf32>
    %o = tile.addptr %out, %at : !tile.ptr<f32>, i32
    %os = tile.splat %o : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
    %op = tile.addptr %os, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
    tile.store %op, %r : tensor<16x!tile.ptr<f32>>
  }
  tile.return
}

// Two dots that want their sums otherwise, a loop between them: the one in it and the one behind it each find a layout for
// another of that loop's names, and the loop has one layout all the same.
// CHECK-LABEL: tile.func @names
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32, [[OUTER:#.*>]]>)
// CHECK: %[[IN:.*]] = tile_gpu.convert_layout {{.*}} -> tensor<128x64xf32, [[INNER:#.*>]]>
// CHECK: scf.for {{.*}} = %[[IN]]) -> (tensor<128x64xf32, [[INNER]]>)
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32, [[INNER]]>)
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: scf.yield {{.*}} : tensor<128x64xf32, [[INNER]]>
// CHECK: scf.yield {{.*}} : tensor<128x64xf32, [[INNER]]>
// CHECK: tile_gpu.convert_layout {{.*}} -> tensor<128x64xf32, [[OUTER]]>
// CHECK: scf.if {{.*}} -> (tensor<128x64xf32, [[OUTER]]>)
tile.func @names(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %s32r = arith.constant dense<32> : tensor<128x1xi32>
  %s32c = arith.constant dense<32> : tensor<64x1xi32>
  %s64k = arith.constant dense<64> : tensor<32x1xi32>
  %s64r = arith.constant dense<64> : tensor<128x1xi32>
  %i = tile.arange : tensor<128xi32>
  %j = tile.arange : tensor<64xi32>
  %k = tile.arange : tensor<32xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %jc = tile.expand_dims %j axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kc = tile.expand_dims %k axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %kr = tile.expand_dims %k axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %irow = arith.muli %ic, %s32r : tensor<128x1xi32>
  %irows = tile.broadcast %irow : tensor<128x1xi32> -> tensor<128x32xi32>
  %krs = tile.broadcast %kr : tensor<1x32xi32> -> tensor<128x32xi32>
  %aat = arith.addi %irows, %krs : tensor<128x32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x32x!tile.ptr<f32>>
  %ap = tile.addptr %xs, %aat : tensor<128x32x!tile.ptr<f32>>, tensor<128x32xi32>
  %krow = arith.muli %kc, %s64k : tensor<32x1xi32>
  %krows = tile.broadcast %krow : tensor<32x1xi32> -> tensor<32x64xi32>
  %jrs = tile.broadcast %jr : tensor<1x64xi32> -> tensor<32x64xi32>
  %bat = arith.addi %krows, %jrs : tensor<32x64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %bp = tile.addptr %ys, %bat : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  %jrow = arith.muli %jc, %s32c : tensor<64x1xi32>
  %jrows = tile.broadcast %jrow : tensor<64x1xi32> -> tensor<64x32xi32>
  %krt = tile.broadcast %kr : tensor<1x32xi32> -> tensor<64x32xi32>
  %tat = arith.addi %jrows, %krt : tensor<64x32xi32>
  %yt = tile.splat %y : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %tp = tile.addptr %yt, %tat : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  %r = scf.for %q = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
    %between = scf.for %u = %c0 to %m step %c1 iter_args(%acc1 = %acc) -> (tensor<128x64xf32>) : i32 {
      %a = tile.load %ap : tensor<128x32x!tile.ptr<f32>>
      %inner = scf.for %v = %c0 to %m step %c1 iter_args(%acc2 = %acc1) -> (tensor<128x64xf32>) : i32 {
        %b = tile.load %bp : tensor<32x64x!tile.ptr<f32>>
        %d = tile.dot %a, %b, %acc2 : tensor<128x32xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
        scf.yield %d : tensor<128x64xf32>
      }
      scf.yield %inner : tensor<128x64xf32>
    }
    %last = arith.cmpi sge, %q, %m : i32
    %e = scf.if %last -> (tensor<128x64xf32>) {
      %a = tile.load %ap : tensor<128x32x!tile.ptr<f32>>
      %t = tile.load %tp : tensor<64x32x!tile.ptr<f32>>
      %b = tile.trans %t order [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
      %d = tile.dot %a, %b, %between : tensor<128x32xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } else {
      scf.yield %between : tensor<128x64xf32>
    }
    scf.yield %e : tensor<128x64xf32>
  }
  %orow = arith.muli %ic, %s64r : tensor<128x1xi32>
  %orows = tile.broadcast %orow : tensor<128x1xi32> -> tensor<128x64xi32>
  %ojs = tile.broadcast %jr : tensor<1x64xi32> -> tensor<128x64xi32>
  %oat = arith.addi %orows, %ojs : tensor<128x64xi32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  %op = tile.addptr %os, %oat : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
  tile.store %op, %r : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Many loads are begun before one is waited for: they follow each other, and the last one says so.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-issue-loads))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-issue-loads))' --verify-each -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS: remark: {{[0-9]+}} loads of a thread are left to the assembler: expected {{places that no other load has read|registers for all that they bring}}

#eight = #tile_gpu.layout<register = [[128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#two = #tile_gpu.layout<register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#wide = #tile_gpu.layout<register = [[128], [256], [512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#neighbours = #tile_gpu.layout<register = [[1], [2], [512], [1024]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#vector = #tile_gpu.layout<register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// What is computed of the first, and no more, stands between the two: the second one and its address come first.
// CHECK-LABEL: tile.func @follows
// CHECK: %[[A:.*]] = tile.load %{{[^{]*}} : tensor
// CHECK-NEXT: %[[AT:.*]] = tile.addptr
// CHECK-NEXT: %[[B:.*]] = tile.load %[[AT]], %{{.*}} {tile_gpu.issues}
// CHECK-NEXT: %[[X:.*]] = math.exp %[[A]]
// CHECK-NEXT: arith.mulf %[[X]], %[[B]]
tile.func @follows(%p: tensor<1024x!tile.ptr<f32>, #eight>, %i: tensor<1024xi32, #eight>, %m: tensor<1024xi1, #eight>) {
  %a = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %x = math.exp %a : tensor<1024xf32, #eight>
  %q = tile.addptr %p, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %b = tile.load %q, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %y = arith.mulf %x, %b : tensor<1024xf32, #eight>
  tile.store %p, %y, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// Loads without masks are left to ptxas.
// CHECK-LABEL: tile.func @whole
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @whole(%p: tensor<1024x!tile.ptr<f32>, #eight>, %i: tensor<1024xi32, #eight>) {
  %a = tile.load %p : tensor<1024x!tile.ptr<f32>, #eight>
  %x = math.exp %a : tensor<1024xf32, #eight>
  %q = tile.addptr %p, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %b = tile.load %q : tensor<1024x!tile.ptr<f32>, #eight>
  %y = arith.mulf %x, %b : tensor<1024xf32, #eight>
  tile.store %p, %y : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// Two loads of two elements each, and two of 16 bytes, are few.
// CHECK-LABEL: tile.func @few
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @few(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: tensor<256xi1, #two>) {
  %i = tile.arange : tensor<256xi32, #two>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #two>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %a = tile.load %q, %m : tensor<256x!tile.ptr<f32>, #two>
  %b = tile.load %q, %m : tensor<256x!tile.ptr<f32>, #two>
  %y = arith.mulf %a, %b : tensor<256xf32, #two>
  tile.store %q, %y, %m : tensor<256x!tile.ptr<f32>, #two>
  %k = tile.arange : tensor<1024xi32, #vector>
  %vs = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #vector>
  %v = tile.addptr %vs, %k : tensor<1024x!tile.ptr<f32>, #vector>, tensor<1024xi32, #vector>
  %c = tile.load %v : tensor<1024x!tile.ptr<f32>, #vector>
  tile.store %v, %c : tensor<1024x!tile.ptr<f32>, #vector>
  tile.return
}

// A load whose addresses another one brings begins a group; so does one behind a store. What is read again each time
// stands where it stood, and belongs to none; nor does what takes 128 registers.
// CHECK-LABEL: tile.func @apart
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor<1024x!tile.ptr<i32>
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor<1024x!tile.ptr<f32>
// CHECK: tile.store
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor<1024x!tile.ptr<f32>
// CHECK: math.exp
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @apart(%n: tensor<1024x!tile.ptr<i32>, #eight>, %p: tensor<1024x!tile.ptr<f32>, #eight>, %m: tensor<1024xi1, #eight>,
                 %w: tensor<16384x!tile.ptr<f32>, #wide>, %o: tensor<16384xi1, #wide>) {
  %i = tile.load %n, %m : tensor<1024x!tile.ptr<i32>, #eight>
  %q = tile.addptr %p, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %a = tile.load %q, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.store %p, %a, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %b = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %x = math.exp %b : tensor<1024xf32, #eight>
  %c = tile.load %q, %m cache cv : tensor<1024x!tile.ptr<f32>, #eight>
  %d = tile.load %w, %o : tensor<16384x!tile.ptr<f32>, #wide>
  %y = arith.mulf %x, %c : tensor<1024xf32, #eight>
  tile.store %p, %y, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.store %w, %d, %o : tensor<16384x!tile.ptr<f32>, #wide>
  tile.return
}

// Each step of a loop has its own. What is loaded behind a sum is on its way while threads meet for it.
// CHECK-LABEL: tile.func @steps
// CHECK: scf.for
// CHECK-NEXT: %[[A:.*]] = tile.load %{{[^{]*}} : tensor
// CHECK-NEXT: tile.load %{{.*}} {tile_gpu.issues}
// CHECK-NEXT: tile.reduce add %[[A]]
// CHECK: tile.store
tile.func @steps(%p: tensor<1024x!tile.ptr<f32>, #eight>, %m: tensor<1024xi1, #eight>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %k step %c1 : i32 {
    %a = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #eight>
    %s = tile.reduce add %a axis 0 : tensor<1024xf32, #eight> -> f32
    %b = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #eight>
    %ss = tile.splat %s : f32 -> tensor<1024xf32, #eight>
    %y = arith.mulf %ss, %b : tensor<1024xf32, #eight>
    tile.store %p, %y, %m : tensor<1024x!tile.ptr<f32>, #eight>
    scf.yield
  }
  tile.return
}

// Sixteen warps that hold 32 words each, of pairs, would leave no room for a second block; eight have it, and sixteen with 16. Of
// two loads of single elements sixteen begin 64 as well, but of one no 32, nor 32 warps 64 of one.
#pairs = #tile_gpu.layout<register = [[1], [1024], [2048], [4096], [8192]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128], [256], [512]]>
#sixteen = #tile_gpu.layout<register = [[512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256]]>
#over = #tile_gpu.layout<register = [[1024], [2048], [4096], [8192], [16384], [32768]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]]>
#same = #tile_gpu.layout<register = [[256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>
// CHECK-LABEL: tile.func @sixteen_warps
// CHECK-NOT: tile_gpu.issues
// CHECK: arith.cmpi
// CHECK: tile.store
// CHECK: tile.store
// CHECK: tile.load
// CHECK-NEXT: tile.load %{{.*}} {tile_gpu.issues} : tensor<16384x!tile.ptr<f16>
tile.func @sixteen_warps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32},
                         %p: tensor<16384x!tile.ptr<f16>, #sixteen>, %q: tensor<16384x!tile.ptr<f16>, #sixteen>,
                         %m: tensor<16384xi1, #sixteen>) attributes {tile.num_warps = 16 : i32} {
  %i = tile.arange : tensor<16384xi32, #pairs>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16384x!tile.ptr<f32>, #pairs>
  %at = tile.addptr %xs, %i : tensor<16384x!tile.ptr<f32>, #pairs>, tensor<16384xi32, #pairs>
  %ns = tile.splat %n : i32 -> tensor<16384xi32, #pairs>
  %in = arith.cmpi slt, %i, %ns : tensor<16384xi32, #pairs>
  %a = tile.load %at, %in : tensor<16384x!tile.ptr<f32>, #pairs>
  tile.store %at, %a, %in : tensor<16384x!tile.ptr<f32>, #pairs>
  %b = tile.load %p, %m : tensor<16384x!tile.ptr<f16>, #sixteen>
  tile.store %p, %b, %m : tensor<16384x!tile.ptr<f16>, #sixteen>
  %c = tile.load %p, %m : tensor<16384x!tile.ptr<f16>, #sixteen>
  %d = tile.load %q, %m : tensor<16384x!tile.ptr<f16>, #sixteen>
  %e = arith.addf %c, %d : tensor<16384xf16, #sixteen>
  tile.store %q, %e, %m : tensor<16384x!tile.ptr<f16>, #sixteen>
  tile.return
}
// CHECK-LABEL: tile.func @over
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @over(%p: tensor<65536x!tile.ptr<f16>, #over>, %m: tensor<65536xi1, #over>) attributes {tile.num_warps = 32 : i32} {
  %a = tile.load %p, %m : tensor<65536x!tile.ptr<f16>, #over>
  tile.store %p, %a, %m : tensor<65536x!tile.ptr<f16>, #over>
  tile.return
}
// CHECK-LABEL: tile.func @eight_warps
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor<8192x!tile.ptr<f32>
tile.func @eight_warps(%q: tensor<8192x!tile.ptr<f32>, #same>, %n: tensor<8192xi1, #same>) attributes {tile.num_warps = 8 : i32} {
  %b = tile.load %q, %n : tensor<8192x!tile.ptr<f32>, #same>
  tile.store %q, %b, %n : tensor<8192x!tile.ptr<f32>, #same>
  tile.return
}

// Several loads of single elements begin together as far as the registers of one block hold them: 128 a thread of sixteen
// warps hold 72 words of three rows that end early, but not 96.
// CHECK-LABEL: tile.func @ends_early
// CHECK-NOT: tile_gpu.issues
// CHECK: %[[A:.*]] = tile.load %{{[^{]*}} : tensor
// CHECK-NEXT: tile.load %{{[^{]*}} : tensor
// CHECK-NEXT: tile.load %{{.*}} {tile_gpu.issues} : tensor
// CHECK-NEXT: math.exp %[[A]]
tile.func @ends_early(%p: tensor<16384x!tile.ptr<f32>, #sixteen>, %q: tensor<16384x!tile.ptr<f32>, #sixteen>,
                      %r: tensor<16384x!tile.ptr<f32>, #sixteen>) attributes {tile.num_warps = 16 : i32} {
  %i = tile.arange : tensor<16384xi32, #sixteen>
  %end = arith.constant dense<12001> : tensor<16384xi32, #sixteen>
  %m = arith.cmpi slt, %i, %end : tensor<16384xi32, #sixteen>
  %a = tile.load %p, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  %x = math.exp %a : tensor<16384xf32, #sixteen>
  %b = tile.load %q, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  %y = arith.mulf %x, %b : tensor<16384xf32, #sixteen>
  %c = tile.load %r, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  %z = arith.mulf %y, %c : tensor<16384xf32, #sixteen>
  tile.store %p, %z, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  tile.return
}
// The third row begins by itself then: two had the registers before.
// CHECK-LABEL: tile.func @ends_late
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor
// CHECK: arith.mulf
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor
// CHECK: arith.mulf
// CHECK: tile.return
tile.func @ends_late(%p: tensor<16384x!tile.ptr<f32>, #sixteen>, %q: tensor<16384x!tile.ptr<f32>, #sixteen>,
                     %r: tensor<16384x!tile.ptr<f32>, #sixteen>) attributes {tile.num_warps = 16 : i32} {
  %i = tile.arange : tensor<16384xi32, #sixteen>
  %end = arith.constant dense<15873> : tensor<16384xi32, #sixteen>
  %m = arith.cmpi slt, %i, %end : tensor<16384xi32, #sixteen>
  %a = tile.load %p, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  %x = math.exp %a : tensor<16384xf32, #sixteen>
  %b = tile.load %q, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  %y = arith.mulf %x, %b : tensor<16384xf32, #sixteen>
  %c = tile.load %r, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  %z = arith.mulf %y, %c : tensor<16384xf32, #sixteen>
  tile.store %p, %z, %m : tensor<16384x!tile.ptr<f32>, #sixteen>
  tile.return
}

// Two that fill all 64 registers of 32 warps begin together where nothing else is loaded.
#most = #tile_gpu.layout<register = [[1024], [2048], [4096], [8192], [16384]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]]>
// CHECK-LABEL: tile.func @fills
// CHECK: tile.load
// CHECK-NEXT: tile.load %{{.*}} {tile_gpu.issues} : tensor
tile.func @fills(%p: tensor<32768x!tile.ptr<f16>, #most>, %q: tensor<32768x!tile.ptr<f16>, #most>,
                 %m: tensor<32768xi1, #most>) attributes {tile.num_warps = 32 : i32} {
  %a = tile.load %p, %m : tensor<32768x!tile.ptr<f16>, #most>
  %x = math.exp %a : tensor<32768xf16, #most>
  %b = tile.load %q, %m : tensor<32768x!tile.ptr<f16>, #most>
  %y = arith.mulf %x, %b : tensor<32768xf16, #most>
  tile.store %p, %y, %m : tensor<32768x!tile.ptr<f16>, #most>
  tile.return
}
// CHECK-LABEL: tile.func @overflows
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @overflows(%p: tensor<32768x!tile.ptr<f16>, #most>, %q: tensor<32768x!tile.ptr<f16>, #most>,
                     %r: tensor<32768x!tile.ptr<f16>, #most>, %m: tensor<32768xi1, #most>) attributes {tile.num_warps = 32 : i32} {
  %a = tile.load %p, %m : tensor<32768x!tile.ptr<f16>, #most>
  %x = math.exp %a : tensor<32768xf16, #most>
  %b = tile.load %q, %m : tensor<32768x!tile.ptr<f16>, #most>
  %y = arith.mulf %x, %b : tensor<32768xf16, #most>
  %c = tile.load %r, %m : tensor<32768x!tile.ptr<f16>, #most>
  %z = arith.mulf %y, %c : tensor<32768xf16, #most>
  tile.store %p, %z, %m : tensor<32768x!tile.ptr<f16>, #most>
  tile.return
}

// Loads of 16 bytes begin together, too, but behind where threads meet they are left to ptxas.
#quad = #tile_gpu.layout<register = [[1], [2], [1024], [2048], [4096]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512]]>
// CHECK-LABEL: tile.func @quads
// CHECK: tile.load %{{[^{]*}} {tile_gpu.issues}
// CHECK: tile.reduce
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.load
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @quads(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %at = tile.arange : tensor<8192xi32, #quad>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>, #quad>
  %p = tile.addptr %xs, %at : tensor<8192x!tile.ptr<f32>, #quad>, tensor<8192xi32, #quad>
  %a = tile.load %p : tensor<8192x!tile.ptr<f32>, #quad>
  %s = tile.reduce add %a axis 0 : tensor<8192xf32, #quad> -> f32
  %b = tile.load %p : tensor<8192x!tile.ptr<f32>, #quad>
  %ss = tile.splat %s : f32 -> tensor<8192xf32, #quad>
  %y = arith.mulf %ss, %b : tensor<8192xf32, #quad>
  tile.store %p, %y : tensor<8192x!tile.ptr<f32>, #quad>
  tile.return
}
// Two tiles of 32 words each by eight warps are more than a group may bring: one would be waited for before the other begins.
// CHECK-LABEL: tile.func @two
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @two(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %at = tile.arange : tensor<8192xi32, #quad>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>, #quad>
  %p = tile.addptr %xs, %at : tensor<8192x!tile.ptr<f32>, #quad>, tensor<8192xi32, #quad>
  %a = tile.load %p : tensor<8192x!tile.ptr<f32>, #quad>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>, #quad>
  %q = tile.addptr %ys, %at : tensor<8192x!tile.ptr<f32>, #quad>, tensor<8192xi32, #quad>
  %b = tile.load %q : tensor<8192x!tile.ptr<f32>, #quad>
  %c = arith.mulf %a, %b : tensor<8192xf32, #quad>
  tile.store %p, %c : tensor<8192x!tile.ptr<f32>, #quad>
  tile.return
}

// Three taps of a stencil, of which two find in the L1 cache what the first has read, are left to ptxas; three tiles that
// lie apart are not.
// CHECK-LABEL: tile.func @taps
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @taps(%x: !tile.ptr<f32>, %n: i32, %q: tensor<1024x!tile.ptr<f32>, #eight>) {
  %i = tile.arange : tensor<1024xi32, #eight>
  %row = tile.addptr %x, %n : !tile.ptr<f32>, i32
  %xs = tile.splat %row : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %one = arith.constant dense<1> : tensor<1024xi32, #eight>
  %two = arith.constant dense<2> : tensor<1024xi32, #eight>
  %i1 = arith.addi %i, %one : tensor<1024xi32, #eight>
  %i2 = arith.addi %i, %two : tensor<1024xi32, #eight>
  %p0 = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %p1 = tile.addptr %xs, %i1 : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %p2 = tile.addptr %xs, %i2 : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %a = tile.load %p0 : tensor<1024x!tile.ptr<f32>, #eight>
  %b = tile.load %p1 : tensor<1024x!tile.ptr<f32>, #eight>
  %c = tile.load %p2 : tensor<1024x!tile.ptr<f32>, #eight>
  %d = arith.addf %a, %b : tensor<1024xf32, #eight>
  %e = arith.addf %c, %d : tensor<1024xf32, #eight>
  tile.store %q, %e : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}
// CHECK-LABEL: tile.func @parts
// CHECK: tile_gpu.issues
// CHECK: tile.return
tile.func @parts(%x: !tile.ptr<f32>, %n: i32, %q: tensor<1024x!tile.ptr<f32>, #eight>, %m: tensor<1024xi1, #eight>) {
  %i = tile.arange : tensor<1024xi32, #eight>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %ns = tile.splat %n : i32 -> tensor<1024xi32, #eight>
  %i1 = arith.addi %i, %ns : tensor<1024xi32, #eight>
  %i2 = arith.addi %i1, %ns : tensor<1024xi32, #eight>
  %p0 = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %p1 = tile.addptr %xs, %i1 : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %p2 = tile.addptr %xs, %i2 : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %a = tile.load %p0, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %b = tile.load %p1, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %c = tile.load %p2, %m : tensor<1024x!tile.ptr<f32>, #eight>
  %d = arith.addf %a, %b : tensor<1024xf32, #eight>
  %e = arith.addf %c, %d : tensor<1024xf32, #eight>
  tile.store %q, %e : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// Neither is what is looked up by a quotient, as a channel's weight.
// CHECK-LABEL: tile.func @channels
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @channels(%w: !tile.ptr<f32>, %n: i32, %q: tensor<1024x!tile.ptr<f32>, #eight>) {
  %i = tile.arange : tensor<1024xi32, #eight>
  %ns = tile.splat %n : i32 -> tensor<1024xi32, #eight>
  %channel = arith.divsi %i, %ns : tensor<1024xi32, #eight>
  %ws = tile.splat %w : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %p = tile.addptr %ws, %channel : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %a = tile.load %p : tensor<1024x!tile.ptr<f32>, #eight>
  tile.store %q, %a : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// In front of more of these the branch would only hold what wide loads bring while quotients are computed.
// CHECK-LABEL: tile.func @channels_behind
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @channels_behind(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %at = tile.arange : tensor<8192xi32, #quad>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>, #quad>
  %p = tile.addptr %xs, %at : tensor<8192x!tile.ptr<f32>, #quad>, tensor<8192xi32, #quad>
  %a = tile.load %p : tensor<8192x!tile.ptr<f32>, #quad>
  %ns = tile.splat %n : i32 -> tensor<8192xi32, #quad>
  %channel = arith.divsi %at, %ns : tensor<8192xi32, #quad>
  %ws = tile.splat %w : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>, #quad>
  %q = tile.addptr %ws, %channel : tensor<8192x!tile.ptr<f32>, #quad>, tensor<8192xi32, #quad>
  %b = tile.load %q : tensor<8192x!tile.ptr<f32>, #quad>
  %c = arith.mulf %a, %b : tensor<8192xf32, #quad>
  tile.store %p, %c : tensor<8192x!tile.ptr<f32>, #quad>
  tile.return
}

// Sixteen loads under four truths, which four neighbours of a thread share, through pointers that were chosen: what these
// were chosen by would be held over the branch. Others begin together.
// CHECK-LABEL: tile.func @chosen
// CHECK: tile.load
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.load %{{.*}} {tile_gpu.issues}
// CHECK: tile.return
tile.func @chosen(%p: tensor<2048x!tile.ptr<f32>, #neighbours>, %q: tensor<2048x!tile.ptr<f32>, #neighbours>, %c: tensor<2048xi1, #neighbours>) {
  %i = tile.arange : tensor<2048xi32, #neighbours>
  %end = arith.constant dense<2000> : tensor<2048xi32, #neighbours>
  %m = arith.cmpi slt, %i, %end : tensor<2048xi32, #neighbours>
  %at = arith.select %c, %p, %q : tensor<2048xi1, #neighbours>, tensor<2048x!tile.ptr<f32>, #neighbours>
  %a = tile.load %at, %m : tensor<2048x!tile.ptr<f32>, #neighbours>
  %x = math.exp %a : tensor<2048xf32, #neighbours>
  tile.store %p, %x, %m : tensor<2048x!tile.ptr<f32>, #neighbours>
  %b = tile.load %q, %m : tensor<2048x!tile.ptr<f32>, #neighbours>
  %y = math.exp %b : tensor<2048xf32, #neighbours>
  tile.store %q, %y, %m : tensor<2048x!tile.ptr<f32>, #neighbours>
  tile.return
}

// A window that a loop moves by an element finds it in the L1 cache, but one that it moves by a line.
// CHECK-LABEL: tile.func @reads_on
// CHECK-NOT: tile_gpu.issues
// CHECK: scf.yield
tile.func @reads_on(%p: !tile.ptr<f32>, %n: i32, %m: tensor<1024xi1, #eight>, %sum: tensor<1024xf32, #eight>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<1024xi32, #eight>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %all = scf.for %k = %c0 to %n step %c1 iter_args(%s = %sum) -> (tensor<1024xf32, #eight>) : i32 {
    %by = tile.splat %k : i32 -> tensor<1024xi32, #eight>
    %at = tile.addptr %q, %by : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
    %v = tile.load %at, %m : tensor<1024x!tile.ptr<f32>, #eight>
    %t = arith.addf %s, %v : tensor<1024xf32, #eight>
    scf.yield %t : tensor<1024xf32, #eight>
  }
  tile.store %q, %all, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// CHECK-LABEL: tile.func @goes_on
// CHECK: tile.load {{.*}} {tile_gpu.issues}
tile.func @goes_on(%p: !tile.ptr<f32>, %n: i32, %m: tensor<1024xi1, #eight>, %sum: tensor<1024xf32, #eight>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %row = arith.constant 1024 : i32
  %i = tile.arange : tensor<1024xi32, #eight>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  %all = scf.for %k = %c0 to %n step %c1 iter_args(%s = %sum) -> (tensor<1024xf32, #eight>) : i32 {
    %far = arith.muli %k, %row : i32
    %by = tile.splat %far : i32 -> tensor<1024xi32, #eight>
    %at = tile.addptr %q, %by : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
    %v = tile.load %at, %m : tensor<1024x!tile.ptr<f32>, #eight>
    %t = arith.addf %s, %v : tensor<1024xf32, #eight>
    scf.yield %t : tensor<1024xf32, #eight>
  }
  tile.store %q, %all, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// Four neighbours, of which each is a number that says where a value lies: the numbers come from one line, and are no group.
// They are loaded first, and then the values, of which the last says that all are to be on their way.
// CHECK-LABEL: tile.func @neighbours
// CHECK-COUNT-4: tile.load %{{.*}} : tensor<256x!tile.ptr<i32>
// CHECK-COUNT-3: tile.load %{{[^{]*}} : tensor<256x!tile.ptr<f32>
// CHECK: tile.load %{{.*}} {tile_gpu.issues} : tensor<256x!tile.ptr<f32>
// CHECK-COUNT-4: arith.addf
tile.func @neighbours(%p: tensor<256x!tile.ptr<i32>, #two>, %x: tensor<256x!tile.ptr<f32>, #two>, %m: tensor<256xi1, #two>, %to: tensor<256x!tile.ptr<f32>, #two>) {
  %zero = arith.constant dense<0.0> : tensor<256xf32, #two>
  %next = arith.constant dense<1> : tensor<256xi32, #two>
  %n0 = tile.load %p, %m : tensor<256x!tile.ptr<i32>, #two>
  %q0 = tile.addptr %x, %n0 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v0 = tile.load %q0, %m : tensor<256x!tile.ptr<f32>, #two>
  %s0 = arith.addf %zero, %v0 : tensor<256xf32, #two>
  %p1 = tile.addptr %p, %next : tensor<256x!tile.ptr<i32>, #two>, tensor<256xi32, #two>
  %n1 = tile.load %p1, %m : tensor<256x!tile.ptr<i32>, #two>
  %q1 = tile.addptr %x, %n1 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v1 = tile.load %q1, %m : tensor<256x!tile.ptr<f32>, #two>
  %s1 = arith.addf %s0, %v1 : tensor<256xf32, #two>
  %p2 = tile.addptr %p1, %next : tensor<256x!tile.ptr<i32>, #two>, tensor<256xi32, #two>
  %n2 = tile.load %p2, %m : tensor<256x!tile.ptr<i32>, #two>
  %q2 = tile.addptr %x, %n2 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v2 = tile.load %q2, %m : tensor<256x!tile.ptr<f32>, #two>
  %s2 = arith.addf %s1, %v2 : tensor<256xf32, #two>
  %p3 = tile.addptr %p2, %next : tensor<256x!tile.ptr<i32>, #two>, tensor<256xi32, #two>
  %n3 = tile.load %p3, %m : tensor<256x!tile.ptr<i32>, #two>
  %q3 = tile.addptr %x, %n3 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v3 = tile.load %q3, %m : tensor<256x!tile.ptr<f32>, #two>
  %s3 = arith.addf %s2, %v3 : tensor<256xf32, #two>
  tile.store %to, %s3 : tensor<256x!tile.ptr<f32>, #two>
  tile.return
}

// Three of these are few.
// CHECK-LABEL: tile.func @few_neighbours
// CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<i32>
// CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<f32>
// CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<i32>
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @few_neighbours(%p: tensor<256x!tile.ptr<i32>, #two>, %x: tensor<256x!tile.ptr<f32>, #two>, %m: tensor<256xi1, #two>, %to: tensor<256x!tile.ptr<f32>, #two>) {
  %zero = arith.constant dense<0.0> : tensor<256xf32, #two>
  %next = arith.constant dense<1> : tensor<256xi32, #two>
  %n0 = tile.load %p, %m : tensor<256x!tile.ptr<i32>, #two>
  %q0 = tile.addptr %x, %n0 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v0 = tile.load %q0, %m : tensor<256x!tile.ptr<f32>, #two>
  %s0 = arith.addf %zero, %v0 : tensor<256xf32, #two>
  %p1 = tile.addptr %p, %next : tensor<256x!tile.ptr<i32>, #two>, tensor<256xi32, #two>
  %n1 = tile.load %p1, %m : tensor<256x!tile.ptr<i32>, #two>
  %q1 = tile.addptr %x, %n1 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v1 = tile.load %q1, %m : tensor<256x!tile.ptr<f32>, #two>
  %s1 = arith.addf %s0, %v1 : tensor<256xf32, #two>
  %p2 = tile.addptr %p1, %next : tensor<256x!tile.ptr<i32>, #two>, tensor<256xi32, #two>
  %n2 = tile.load %p2, %m : tensor<256x!tile.ptr<i32>, #two>
  %q2 = tile.addptr %x, %n2 : tensor<256x!tile.ptr<f32>, #two>, tensor<256xi32, #two>
  %v2 = tile.load %q2, %m : tensor<256x!tile.ptr<f32>, #two>
  %s2 = arith.addf %s1, %v2 : tensor<256xf32, #two>
  tile.store %to, %s2 : tensor<256x!tile.ptr<f32>, #two>
  tile.return
}

#seen = #tile_gpu.layout<register = [[0, 32], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#scores = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]]>

// Beside dots, too: what a query sees, in bytes under masks of their own, is on its way together.
// CHECK-LABEL: tile.func @seen
// CHECK: scf.for
// CHECK: tile.load %{{.*}} {tile_gpu.issues}
// CHECK: tile.dot
// CHECK: tile.return
tile.func @seen(%p: tensor<16x64x!tile.ptr<i8>, #seen>, %m: tensor<16x64xi1, #seen>, %n: i32, %c: tensor<16x64xf32, #scores>,
                %q: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %k: !tile_gpu.buffer<64x64xf16, swizzle = 128>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x64xf32, #scores>) : i32 {
    %o = tile.splat %i : i32 -> tensor<16x64xi32, #seen>
    %at = tile.addptr %p, %o : tensor<16x64x!tile.ptr<i8>, #seen>, tensor<16x64xi32, #seen>
    %x = tile.load %at, %m : tensor<16x64x!tile.ptr<i8>, #seen>
    %y = arith.extui %x : tensor<16x64xi8, #seen> to tensor<16x64xi32, #seen>
    %f = arith.uitofp %y : tensor<16x64xi32, #seen> to tensor<16x64xf32, #seen>
    %g = tile_gpu.convert_layout %f : tensor<16x64xf32, #seen> -> tensor<16x64xf32, #scores>
    %d = tile.dot %q, %k, %a by mma_sync : !tile_gpu.buffer<16x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<16x64xf32, #scores>
    %s = arith.mulf %d, %g : tensor<16x64xf32, #scores>
    scf.yield %s : tensor<16x64xf32, #scores>
  }
  tile.return
}

#rows = #tile_gpu.layout<register = [[0, 32], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#group = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>

// Not while a dot is on its way, which has its registers.
// CHECK-LABEL: tile.func @flies
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @flies(%p: tensor<64x64x!tile.ptr<i8>, #rows>, %m: tensor<64x64xi1, #rows>, %n: i32, %c: tensor<64x64xf32, #group>,
                 %q: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %k: !tile_gpu.buffer<64x64xf16, swizzle = 128>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<64x64xf32, #group>) : i32 {
    %o = tile.splat %i : i32 -> tensor<64x64xi32, #rows>
    %at = tile.addptr %p, %o : tensor<64x64x!tile.ptr<i8>, #rows>, tensor<64x64xi32, #rows>
    %d = tile.dot %q, %k, %a by wgmma async : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #group>
    %x = tile.load %at, %m : tensor<64x64x!tile.ptr<i8>, #rows>
    %y = arith.extui %x : tensor<64x64xi8, #rows> to tensor<64x64xi32, #rows>
    %f = arith.uitofp %y : tensor<64x64xi32, #rows> to tensor<64x64xf32, #rows>
    %g = tile_gpu.convert_layout %f : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #group>
    %e = tile_gpu.dot_wait %d pending 0 tied : tensor<64x64xf32, #group>
    %s = arith.mulf %e, %g : tensor<64x64xf32, #group>
    scf.yield %s : tensor<64x64xf32, #group>
  }
  tile.return
}

// 128 elements of a step, which are added up: all begin.
// CHECK-LABEL: tile.func @long_step
// CHECK: scf.for
// CHECK: tile.load {{.*}} {tile_gpu.issues}
// CHECK: tile.return
tile.func @long_step(%p: tensor<16384x!tile.ptr<f32>, #wide>, %m: tensor<16384xi1, #wide>, %n: i32, %o: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) : i32 {
    %at = tile.splat %i : i32 -> tensor<16384xi32, #wide>
    %q = tile.addptr %p, %at : tensor<16384x!tile.ptr<f32>, #wide>, tensor<16384xi32, #wide>
    %x = tile.load %q, %m : tensor<16384x!tile.ptr<f32>, #wide>
    %s = tile.reduce add %x axis 0 : tensor<16384xf32, #wide> -> f32
    %t = arith.addf %a, %s : f32
    scf.yield %t : f32
  }
  tile.store %o, %r : !tile.ptr<f32>
  tile.return
}

// Not beside as many that the loop carries.
// CHECK-LABEL: tile.func @long_step_carried
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @long_step_carried(%p: tensor<16384x!tile.ptr<f32>, #wide>, %m: tensor<16384xi1, #wide>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16384xf32, #wide>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<16384xf32, #wide>) : i32 {
    %at = tile.splat %i : i32 -> tensor<16384xi32, #wide>
    %q = tile.addptr %p, %at : tensor<16384x!tile.ptr<f32>, #wide>, tensor<16384xi32, #wide>
    %x = tile.load %q, %m : tensor<16384x!tile.ptr<f32>, #wide>
    %s = arith.addf %a, %x : tensor<16384xf32, #wide>
    scf.yield %s : tensor<16384xf32, #wide>
  }
  tile.store %p, %r, %m : tensor<16384x!tile.ptr<f32>, #wide>
  tile.return
}

#block = #tile_gpu.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [[1024], [2048], [4096], [8192], [16384]]>

// Two rows that fill the registers, and are both held while threads meet, are left to ptxas; of two whose sum alone is held
// all begin.
// CHECK-LABEL: tile.func @held
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @held(%p: tensor<32768x!tile.ptr<f32>, #block>, %q: tensor<32768x!tile.ptr<f32>, #block>, %m: tensor<32768xi1, #block>, %o: tensor<32768xf32, #block>) attributes {tile.num_warps = 32 : i32} {
  %a = tile.load %p, %m, %o : tensor<32768x!tile.ptr<f32>, #block>
  %b = tile.load %q, %m, %o : tensor<32768x!tile.ptr<f32>, #block>
  %s = tile.reduce add %a axis 0 {offset = 0 : i32} : tensor<32768xf32, #block> -> f32
  %all = tile.splat %s : f32 -> tensor<32768xf32, #block>
  %c = arith.mulf %b, %all : tensor<32768xf32, #block>
  %d = arith.subf %a, %c : tensor<32768xf32, #block>
  tile.store %q, %d, %m : tensor<32768x!tile.ptr<f32>, #block>
  tile.return
}

// CHECK-LABEL: tile.func @sum_held
// CHECK: tile.load %{{.*}} {tile_gpu.issues}
// CHECK: tile.return
tile.func @sum_held(%p: tensor<32768x!tile.ptr<f32>, #block>, %q: tensor<32768x!tile.ptr<f32>, #block>, %m: tensor<32768xi1, #block>, %o: tensor<32768xf32, #block>) attributes {tile.num_warps = 32 : i32} {
  %a = tile.load %p, %m, %o : tensor<32768x!tile.ptr<f32>, #block>
  %b = tile.load %q, %m, %o : tensor<32768x!tile.ptr<f32>, #block>
  %ab = arith.addf %a, %b : tensor<32768xf32, #block>
  %s = tile.reduce add %ab axis 0 {offset = 0 : i32} : tensor<32768xf32, #block> -> f32
  %all = tile.splat %s : f32 -> tensor<32768xf32, #block>
  %d = arith.subf %ab, %all : tensor<32768xf32, #block>
  tile.store %q, %d, %m : tensor<32768x!tile.ptr<f32>, #block>
  tile.return
}

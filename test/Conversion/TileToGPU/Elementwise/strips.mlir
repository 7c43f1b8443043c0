// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#line = #tile_gpu.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = []>

// What mixes bits, however many rounds it has, stays whole: no branch stands between strips of it.
// CHECK-LABEL: llvm.func @hash
// CHECK-NOT: trap
// CHECK: llvm.return
tile.func @hash(%x: !tile.ptr<i32>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<256xi32, #line>
  %c = arith.constant dense<-766435501> : tensor<256xi32, #line>
  %s = arith.constant dense<15> : tensor<256xi32, #line>
  %a0 = arith.muli %i, %c : tensor<256xi32, #line>
  %b0 = arith.shrui %a0, %s : tensor<256xi32, #line>
  %d0 = arith.xori %a0, %b0 : tensor<256xi32, #line>
  %a1 = arith.muli %d0, %c : tensor<256xi32, #line>
  %b1 = arith.shrui %a1, %s : tensor<256xi32, #line>
  %d1 = arith.xori %a1, %b1 : tensor<256xi32, #line>
  %a2 = arith.muli %d1, %c : tensor<256xi32, #line>
  %b2 = arith.shrui %a2, %s : tensor<256xi32, #line>
  %d2 = arith.xori %a2, %b2 : tensor<256xi32, #line>
  %a3 = arith.muli %d2, %c : tensor<256xi32, #line>
  %b3 = arith.shrui %a3, %s : tensor<256xi32, #line>
  %d3 = arith.xori %a3, %b3 : tensor<256xi32, #line>
  %a4 = arith.muli %d3, %c : tensor<256xi32, #line>
  %b4 = arith.shrui %a4, %s : tensor<256xi32, #line>
  %d4 = arith.xori %a4, %b4 : tensor<256xi32, #line>
  %a5 = arith.muli %d4, %c : tensor<256xi32, #line>
  %b5 = arith.shrui %a5, %s : tensor<256xi32, #line>
  %d5 = arith.xori %a5, %b5 : tensor<256xi32, #line>
  %a6 = arith.muli %d5, %c : tensor<256xi32, #line>
  %b6 = arith.shrui %a6, %s : tensor<256xi32, #line>
  %d6 = arith.xori %a6, %b6 : tensor<256xi32, #line>
  %a7 = arith.muli %d6, %c : tensor<256xi32, #line>
  %b7 = arith.shrui %a7, %s : tensor<256xi32, #line>
  %d7 = arith.xori %a7, %b7 : tensor<256xi32, #line>
  %a8 = arith.muli %d7, %c : tensor<256xi32, #line>
  %b8 = arith.shrui %a8, %s : tensor<256xi32, #line>
  %d8 = arith.xori %a8, %b8 : tensor<256xi32, #line>
  %a9 = arith.muli %d8, %c : tensor<256xi32, #line>
  %b9 = arith.shrui %a9, %s : tensor<256xi32, #line>
  %d9 = arith.xori %a9, %b9 : tensor<256xi32, #line>
  %a10 = arith.muli %d9, %c : tensor<256xi32, #line>
  %b10 = arith.shrui %a10, %s : tensor<256xi32, #line>
  %d10 = arith.xori %a10, %b10 : tensor<256xi32, #line>
  %a11 = arith.muli %d10, %c : tensor<256xi32, #line>
  %b11 = arith.shrui %a11, %s : tensor<256xi32, #line>
  %d11 = arith.xori %a11, %b11 : tensor<256xi32, #line>
  %a12 = arith.muli %d11, %c : tensor<256xi32, #line>
  %b12 = arith.shrui %a12, %s : tensor<256xi32, #line>
  %d12 = arith.xori %a12, %b12 : tensor<256xi32, #line>
  %a13 = arith.muli %d12, %c : tensor<256xi32, #line>
  %b13 = arith.shrui %a13, %s : tensor<256xi32, #line>
  %d13 = arith.xori %a13, %b13 : tensor<256xi32, #line>
  %a14 = arith.muli %d13, %c : tensor<256xi32, #line>
  %b14 = arith.shrui %a14, %s : tensor<256xi32, #line>
  %d14 = arith.xori %a14, %b14 : tensor<256xi32, #line>
  %a15 = arith.muli %d14, %c : tensor<256xi32, #line>
  %b15 = arith.shrui %a15, %s : tensor<256xi32, #line>
  %d15 = arith.xori %a15, %b15 : tensor<256xi32, #line>
  %a16 = arith.muli %d15, %c : tensor<256xi32, #line>
  %b16 = arith.shrui %a16, %s : tensor<256xi32, #line>
  %d16 = arith.xori %a16, %b16 : tensor<256xi32, #line>
  %a17 = arith.muli %d16, %c : tensor<256xi32, #line>
  %b17 = arith.shrui %a17, %s : tensor<256xi32, #line>
  %d17 = arith.xori %a17, %b17 : tensor<256xi32, #line>
  %a18 = arith.muli %d17, %c : tensor<256xi32, #line>
  %b18 = arith.shrui %a18, %s : tensor<256xi32, #line>
  %d18 = arith.xori %a18, %b18 : tensor<256xi32, #line>
  %a19 = arith.muli %d18, %c : tensor<256xi32, #line>
  %b19 = arith.shrui %a19, %s : tensor<256xi32, #line>
  %d19 = arith.xori %a19, %b19 : tensor<256xi32, #line>
  %a20 = arith.muli %d19, %c : tensor<256xi32, #line>
  %b20 = arith.shrui %a20, %s : tensor<256xi32, #line>
  %d20 = arith.xori %a20, %b20 : tensor<256xi32, #line>
  %a21 = arith.muli %d20, %c : tensor<256xi32, #line>
  %b21 = arith.shrui %a21, %s : tensor<256xi32, #line>
  %d21 = arith.xori %a21, %b21 : tensor<256xi32, #line>
  %a22 = arith.muli %d21, %c : tensor<256xi32, #line>
  %b22 = arith.shrui %a22, %s : tensor<256xi32, #line>
  %d22 = arith.xori %a22, %b22 : tensor<256xi32, #line>
  %a23 = arith.muli %d22, %c : tensor<256xi32, #line>
  %b23 = arith.shrui %a23, %s : tensor<256xi32, #line>
  %d23 = arith.xori %a23, %b23 : tensor<256xi32, #line>
  %ps = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #line>
  %p = tile.addptr %ps, %i : tensor<256x!tile.ptr<i32>, #line>, tensor<256xi32, #line>
  tile.store %p, %d23 : tensor<256x!tile.ptr<i32>, #line>
  tile.return
}

// Long functions have one: two registers at a time.
// CHECK-LABEL: llvm.func @function
// CHECK-COUNT-3: trap
// CHECK: llvm.return
tile.func @function(%x: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<256xi32, #line>
  %ps = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #line>
  %p = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #line>, tensor<256xi32, #line>
  %v = tile.load %p : tensor<256x!tile.ptr<f32>, #line>
  %y = math.atan2 %v, %v : tensor<256xf32, #line>
  %z = math.atan %y : tensor<256xf32, #line>
  tile.store %p, %z : tensor<256x!tile.ptr<f32>, #line>
  tile.return
}

// Quotients, chains of instructions, of four registers stay whole; of eight they are strips of two.
#few = #tile_gpu.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
// CHECK-LABEL: llvm.func @few
// CHECK-NOT: trap
// CHECK: llvm.return
tile.func @few(%x: !tile.ptr<i32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<128xi32, #few>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #few>
  %a = arith.divsi %i, %ns : tensor<128xi32, #few>
  %b = arith.remsi %a, %ns : tensor<128xi32, #few>
  %c = arith.divsi %b, %ns : tensor<128xi32, #few>
  %d = arith.xori %a, %c : tensor<128xi32, #few>
  %f = arith.divsi %d, %ns : tensor<128xi32, #few>
  %g = arith.remsi %f, %a : tensor<128xi32, #few>
  %e = arith.divsi %g, %ns : tensor<128xi32, #few>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #few>
  %p = tile.addptr %xs, %i : tensor<128x!tile.ptr<i32>, #few>, tensor<128xi32, #few>
  tile.store %p, %e : tensor<128x!tile.ptr<i32>, #few>
  tile.return
}
// CHECK-LABEL: llvm.func @eight
// CHECK-COUNT-3: trap
// CHECK-NOT: trap
tile.func @eight(%x: !tile.ptr<i32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<256xi32, #line>
  %ns = tile.splat %n : i32 -> tensor<256xi32, #line>
  %a = arith.divsi %i, %ns : tensor<256xi32, #line>
  %b = arith.remsi %a, %ns : tensor<256xi32, #line>
  %c = arith.divsi %b, %ns : tensor<256xi32, #line>
  %d = arith.xori %a, %c : tensor<256xi32, #line>
  %f = arith.divsi %d, %ns : tensor<256xi32, #line>
  %g = arith.remsi %f, %a : tensor<256xi32, #line>
  %e = arith.divsi %g, %ns : tensor<256xi32, #line>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #line>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>, #line>, tensor<256xi32, #line>
  tile.store %p, %e : tensor<256x!tile.ptr<i32>, #line>
  tile.return
}

// Quotients of 64 bits share a branch and a reciprocal: eight stay whole.
// CHECK-LABEL: llvm.func @eight_of_64_bits
tile.func @eight_of_64_bits(%x: !tile.ptr<i64>, %n: i64, %m: i64) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<256xi32, #line>
  %w = arith.extsi %i : tensor<256xi32, #line> to tensor<256xi64, #line>
  %ns = tile.splat %n : i64 -> tensor<256xi64, #line>
  %ms = tile.splat %m : i64 -> tensor<256xi64, #line>
  // CHECK-COUNT-2: scf.if %{{.*}} -> (vector<8xi64>)
  // CHECK-NOT: scf.if
  %a = arith.divsi %w, %ns {tile.nonnegative} : tensor<256xi64, #line>
  %b = arith.remsi %a, %ms {tile.nonnegative} : tensor<256xi64, #line>
  %c = arith.addi %a, %b : tensor<256xi64, #line>
  // CHECK: llvm.return
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<256x!tile.ptr<i64>, #line>
  %p = tile.addptr %xs, %i : tensor<256x!tile.ptr<i64>, #line>, tensor<256xi32, #line>
  tile.store %p, %c : tensor<256x!tile.ptr<i64>, #line>
  tile.return
}

#halves = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[32], [64], [128], [256], [512]], warp = []>

// What is widened for a run alone is widened strip by strip, wherever it stood: a product that is narrowed again is the
// optimizer's to make of halves.
// CHECK-LABEL: llvm.func @widened
// CHECK-COUNT-4: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK-NOT: arith.extf
// CHECK: llvm.return
tile.func @widened(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<1024xi32, #halves>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #halves>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f16>, #halves>, tensor<1024xi32, #halves>
  %a = tile.load %xp : tensor<1024x!tile.ptr<f16>, #halves>
  %wide = arith.extf %a : tensor<1024xf16, #halves> to tensor<1024xf32, #halves>
  tile.store %xp, %a : tensor<1024x!tile.ptr<f16>, #halves>
  %c = arith.constant dense<1.5> : tensor<1024xf32, #halves>
  %product = arith.mulf %wide, %c : tensor<1024xf32, #halves>
  %narrow = arith.truncf %product : tensor<1024xf32, #halves> to tensor<1024xf16, #halves>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #halves>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f16>, #halves>, tensor<1024xi32, #halves>
  tile.store %yp, %narrow : tensor<1024x!tile.ptr<f16>, #halves>
  tile.return
}

// But not what a run before has widened, which nobody else keeps narrow: of that the last strip is left.
// CHECK-LABEL: llvm.func @rounded
// CHECK-COUNT-4: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK-NOT: arith.extf
// CHECK: llvm.load
// CHECK-COUNT-4: llvm.shufflevector %{{.*}} : vector<32xf32>
// CHECK-NOT: arith.extf
// CHECK: llvm.return
tile.func @rounded(%x: !tile.ptr<f32>, %y: !tile.ptr<f16>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<1024xi32, #halves>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #halves>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>, #halves>, tensor<1024xi32, #halves>
  %a = tile.load %xp : tensor<1024x!tile.ptr<f32>, #halves>
  %c = arith.constant dense<1.5> : tensor<1024xf32, #halves>
  %product = arith.mulf %a, %c : tensor<1024xf32, #halves>
  %narrow = arith.truncf %product : tensor<1024xf32, #halves> to tensor<1024xf16, #halves>
  %wide = arith.extf %narrow : tensor<1024xf16, #halves> to tensor<1024xf32, #halves>
  %s = tile.load %x : !tile.ptr<f32>
  tile.store %x, %s : !tile.ptr<f32>
  %ss = tile.splat %s : f32 -> tensor<1024xf32, #halves>
  %scaled = arith.mulf %wide, %ss : tensor<1024xf32, #halves>
  %sum = arith.addf %scaled, %c : tensor<1024xf32, #halves>
  %result = arith.truncf %sum : tensor<1024xf32, #halves> to tensor<1024xf16, #halves>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>, #halves>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f16>, #halves>, tensor<1024xi32, #halves>
  tile.store %yp, %result : tensor<1024x!tile.ptr<f16>, #halves>
  tile.return
}

#long = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = []>

// What a mask compares is there when an access asks for its truths, though nothing behind the strips reads it: each access has a comparison of
// its own, of which no vectors of truths are put together.
// CHECK-LABEL: llvm.func @compared
// CHECK: %[[ROW:.*]] = vector.extract %{{.*}}[0] : i32 from vector<64xi32>
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[ROW]], %{{.*}} : i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %{{.*}} : i1
// CHECK: llvm.inline_asm {{.*}}ld.global{{.*}} %[[BOTH]] :
tile.func @compared(%p: !tile.ptr<f32>, %first: i32, %n: i32, %m: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<2048xi32, #long>
  %f = tile.splat %first : i32 -> tensor<2048xi32, #long>
  %end = tile.splat %n : i32 -> tensor<2048xi32, #long>
  %most = tile.splat %m : i32 -> tensor<2048xi32, #long>
  %row = arith.addi %i, %f : tensor<2048xi32, #long>
  %in = arith.cmpi ult, %row, %end : tensor<2048xi32, #long>
  %at = arith.muli %row, %most : tensor<2048xi32, #long>
  %some = arith.cmpi slt, %at, %most : tensor<2048xi32, #long>
  %both = arith.andi %in, %some : tensor<2048xi1, #long>
  %a = tile.splat %p : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>, #long>
  %b = tile.addptr %a, %at : tensor<2048x!tile.ptr<f32>, #long>, tensor<2048xi32, #long>
  %x = tile.load %b, %both : tensor<2048x!tile.ptr<f32>, #long>
  tile.store %b, %x, %both : tensor<2048x!tile.ptr<f32>, #long>
  tile.return
}

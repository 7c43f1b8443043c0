// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-widen-late))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-widen-late))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS: remark: widened in front of where threads meet: expected what all programs load

#vector = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// Of 16 bits, and one more than that: both are made behind the sum. What it adds up is made in front of it.
// CHECK-LABEL: tile.func @norm
// CHECK: %[[W:.*]] = tile.load %{{.*}} : tensor<1024x!tile.ptr<f16>
// CHECK-NEXT: %[[X:.*]] = tile.load
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[X]]
// CHECK-NEXT: tile.reduce add %[[WIDE]]
// CHECK-NEXT: tile.splat
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[WIDE]]
// CHECK-NEXT: %[[LATE:.*]] = arith.extf %[[W]]
// CHECK-NEXT: %[[MORE:.*]] = arith.addf %[[LATE]]
// CHECK-NEXT: arith.mulf %[[Y]], %[[MORE]]
tile.func @norm(%p: tensor<1024x!tile.ptr<f16>, #vector>, %q: tensor<1024x!tile.ptr<f16>, #vector>, %out: tensor<1024x!tile.ptr<f32>, #vector>) {
  %one = arith.constant dense<1.0> : tensor<1024xf32, #vector>
  %w = tile.load %q : tensor<1024x!tile.ptr<f16>, #vector>
  %late = arith.extf %w : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %more = arith.addf %late, %one : tensor<1024xf32, #vector>
  %x = tile.load %p : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %x : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %sum = tile.reduce add %wide axis 0 : tensor<1024xf32, #vector> -> f32
  %all = tile.splat %sum : f32 -> tensor<1024xf32, #vector>
  %y = arith.mulf %wide, %all : tensor<1024xf32, #vector>
  %z = arith.mulf %y, %more : tensor<1024xf32, #vector>
  tile.store %out, %z : tensor<1024x!tile.ptr<f32>, #vector>
  tile.return
}

// Read in each step of a loop, it is made once, in front of it, behind the loop that has no use for it.
// CHECK-LABEL: tile.func @loops
// CHECK: %[[W:.*]] = tile.load
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: arith.extf %[[W]]
// CHECK-NEXT: scf.for
tile.func @loops(%p: tensor<1024x!tile.ptr<f32>, #vector>, %q: tensor<1024x!tile.ptr<f16>, #vector>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %w = tile.load %q : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %w : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #vector>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf32, #vector>) : i32 {
    %x = tile.load %p : tensor<1024x!tile.ptr<f32>, #vector>
    %next = arith.addf %acc, %x : tensor<1024xf32, #vector>
    scf.yield %next : tensor<1024xf32, #vector>
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = arith.mulf %sum, %wide : tensor<1024xf32, #vector>
    tile.store %p, %x : tensor<1024x!tile.ptr<f32>, #vector>
  }
  tile.return
}

// What is narrow in the end stays where it is, and what nothing long lies in front of.
// CHECK-LABEL: tile.func @stays
// CHECK: arith.truncf
// CHECK-NEXT: tile.load
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.constant
// CHECK-NEXT: tile.reduce
tile.func @stays(%p: tensor<1024x!tile.ptr<f16>, #vector>, %v: tensor<1024xf32, #vector>, %out: tensor<1024x!tile.ptr<f32>, #vector>) {
  %narrow = arith.truncf %v : tensor<1024xf32, #vector> to tensor<1024xf16, #vector>
  %x = tile.load %p : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %x : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %two = arith.constant dense<2.0> : tensor<1024xf32, #vector>
  %sum = tile.reduce add %wide axis 0 : tensor<1024xf32, #vector> -> f32
  %all = tile.splat %sum : f32 -> tensor<1024xf32, #vector>
  %y = arith.mulf %two, %all : tensor<1024xf32, #vector>
  tile.store %out, %y : tensor<1024x!tile.ptr<f32>, #vector>
  tile.store %p, %narrow : tensor<1024x!tile.ptr<f16>, #vector>
  tile.return
}


#wide = #tile_gpu.layout<register = [[1], [2], [4], [8192], [16384], [32768]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512], [1024], [2048], [4096]]>
#fewer = #tile_gpu.layout<register = [[1], [2], [4], [8192], [16384]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512], [1024], [2048], [4096]]>

// All 64 registers that 32 warps leave to a thread: behind the maximum it is widened again, and behind the sum what was
// summed up is computed again.
// CHECK-LABEL: tile.func @row
// CHECK: %[[X:.*]] = tile.load
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[X]]
// CHECK-NEXT: tile.reduce maxnum %[[WIDE]]
// CHECK-NEXT: %[[Y:.*]] = tile.inline_ptx {{.*}}selp.b32{{.*}} pack 2(%[[X]])
// CHECK-NEXT: %[[AGAIN:.*]] = arith.extf %[[Y]]
// CHECK: %[[LESS:.*]] = arith.subf %[[AGAIN]]
// CHECK-NEXT: %[[E:.*]] = math.exp2 %[[LESS]]
// CHECK-NEXT: tile.reduce add %[[E]]
// CHECK-NEXT: %[[Z:.*]] = tile.inline_ptx {{.*}}(%[[Y]])
// CHECK-NEXT: %[[THIRD:.*]] = arith.extf %[[Z]]
// CHECK-NEXT: %[[LESS2:.*]] = arith.subf %[[THIRD]]
// CHECK-NEXT: %[[E2:.*]] = math.exp2 %[[LESS2]]
// CHECK: arith.mulf %[[E2]]
tile.func @row(%p: tensor<65536x!tile.ptr<f16>, #wide>, %out: tensor<65536x!tile.ptr<f32>, #wide>) attributes {tile.num_warps = 32 : i32} {
  %x = tile.load %p : tensor<65536x!tile.ptr<f16>, #wide>
  %wide = arith.extf %x : tensor<65536xf16, #wide> to tensor<65536xf32, #wide>
  %most = tile.reduce maxnum %wide axis 0 : tensor<65536xf32, #wide> -> f32
  %all = tile.splat %most : f32 -> tensor<65536xf32, #wide>
  %y = arith.subf %wide, %all : tensor<65536xf32, #wide>
  %e = math.exp2 %y : tensor<65536xf32, #wide>
  %sum = tile.reduce add %e axis 0 : tensor<65536xf32, #wide> -> f32
  %sums = tile.splat %sum : f32 -> tensor<65536xf32, #wide>
  %z = arith.mulf %e, %sums : tensor<65536xf32, #wide>
  tile.store %out, %z : tensor<65536x!tile.ptr<f32>, #wide>
  tile.return
}

// Half as many are held; so is what nobody reads in front of where threads meet, or behind it.
// CHECK-LABEL: tile.func @narrow
// CHECK-NOT: tile.inline_ptx
tile.func @narrow(%p: tensor<32768x!tile.ptr<bf16>, #fewer>, %q: tensor<65536x!tile.ptr<bf16>, #wide>, %out: tensor<32768x!tile.ptr<f32>, #fewer>) attributes {tile.num_warps = 32 : i32} {
  %x = tile.load %p : tensor<32768x!tile.ptr<bf16>, #fewer>
  %wide = arith.extf %x : tensor<32768xbf16, #fewer> to tensor<32768xf32, #fewer>
  %most = tile.reduce maxnum %wide axis 0 : tensor<32768xf32, #fewer> -> f32
  %v = tile.load %q : tensor<65536x!tile.ptr<bf16>, #wide>
  %once = arith.extf %v : tensor<65536xbf16, #wide> to tensor<65536xf32, #wide>
  %sum = tile.reduce add %once axis 0 : tensor<65536xf32, #wide> -> f32
  %both = arith.addf %sum, %most : f32
  %all = tile.splat %both : f32 -> tensor<32768xf32, #fewer>
  %y = arith.subf %wide, %all : tensor<32768xf32, #fewer>
  tile.store %out, %y : tensor<32768x!tile.ptr<f32>, #fewer>
  tile.return
}

// A row of the program's own is widened where it was.
// CHECK-LABEL: tile.func @own_row
// CHECK: %[[W:.*]] = tile.load
// CHECK-NEXT: arith.extf %[[W]]
// CHECK: tile.reduce
tile.func @own_row(%p: tensor<1024x!tile.ptr<f32>, #vector>, %q: tensor<1024x!tile.ptr<f16>, #vector>, %out: tensor<1024x!tile.ptr<f32>, #vector>) {
  %row = tile.program_id x
  %far = tile.splat %row : i32 -> tensor<1024xi32, #vector>
  %at = tile.addptr %q, %far : tensor<1024x!tile.ptr<f16>, #vector>, tensor<1024xi32, #vector>
  %w = tile.load %at : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %w : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %x = tile.load %p : tensor<1024x!tile.ptr<f32>, #vector>
  %sum = tile.reduce add %x axis 0 : tensor<1024xf32, #vector> -> f32
  %all = tile.splat %sum : f32 -> tensor<1024xf32, #vector>
  %y = arith.mulf %wide, %all : tensor<1024xf32, #vector>
  tile.store %out, %y : tensor<1024x!tile.ptr<f32>, #vector>
  tile.return
}

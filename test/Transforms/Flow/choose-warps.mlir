// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-choose-warps))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-choose-warps{num-warps=4}))' | FileCheck %s --check-prefix=FIXED
// Who says on the command line how many there are has them.
// FIXED: tile.func @gradients{{.*}}tile.num_warps = 4 : i32
// FIXED-NOT: tile.num_warps = 8

// Two sums of 128 words of each thread of four warps, and what the step computes beside them.
// CHECK-LABEL: tile.func @gradients
// CHECK-SAME: tile.num_warps = 8 : i32
// expected-remark @+1 {{kernel has 8 warps for 4: a thread of 4 would hold 304 words}}
tile.func @gradients(%n: i32, %k: tensor<128x64xf16>, %q: tensor<64x32xf16>, %g: tensor<32x128xf16>,
                     %out: tensor<128x128x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x32xf32>
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero)
      -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %d = tile.dot %k, %q, %none : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
    %e = math.exp2 %d : tensor<128x32xf32>
    %h = arith.truncf %e : tensor<128x32xf32> to tensor<128x32xf16>
    %u = tile.dot %h, %g, %s : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    %m = arith.mulf %e, %d : tensor<128x32xf32>
    %l = arith.truncf %m : tensor<128x32xf32> to tensor<128x32xf16>
    %v = tile.dot %l, %g, %t : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    scf.yield %u, %v : tensor<128x128xf32>, tensor<128x128xf32>
  }
  %both = arith.addf %sums#0, %sums#1 : tensor<128x128xf32>
  tile.store %out, %both : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// One of them leaves room.
// CHECK-LABEL: tile.func @one
// CHECK-SAME: tile.num_warps = 4 : i32
tile.func @one(%n: i32, %a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %x: tensor<128x128xf32>,
               %out: tensor<128x128x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %d = tile.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  // What follows element by element takes a few registers at a time.
  %e = math.tanh %sum : tensor<128x128xf32>
  %f = arith.mulf %e, %sum : tensor<128x128xf32>
  %g = arith.addf %f, %e : tensor<128x128xf32>
  tile.store %out, %g : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// 224 words leave too few registers for addresses, 192 enough.
// CHECK-LABEL: tile.func @beside
// CHECK-SAME: tile.num_warps = 8 : i32
// expected-remark @+1 {{kernel has 8 warps for 4: a thread of 4 would hold 224 words}}
tile.func @beside(%n: i32, %a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %g: tensor<64x64xf16>, %h: tensor<64x128xf16>,
                  %none: tensor<128x64xf32>, %out: tensor<128x128x!tile.ptr<f32>>)
    attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %d = tile.dot %a, %g, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %d : tensor<128x64xf32> to tensor<128x64xf16>
    %u = tile.dot %p, %h, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %d : tensor<128x64xf32>
    %q = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
    %v = tile.dot %q, %h, %u : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %v : tensor<128x128xf32>
  }
  tile.store %out, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @room
// CHECK-SAME: tile.num_warps = 4 : i32
tile.func @room(%n: i32, %a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %g: tensor<64x64xf16>, %h: tensor<64x128xf16>,
                %none: tensor<128x64xf32>, %out: tensor<128x128x!tile.ptr<f32>>)
    attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %d = tile.dot %a, %g, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %d : tensor<128x64xf32> to tensor<128x64xf16>
    %u = tile.dot %p, %h, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %u : tensor<128x128xf32>
  }
  tile.store %out, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// Sums of 64 x 256 stay with wgmma, and scores of 64 x 32 need not.
// CHECK-LABEL: tile.func @scores
// CHECK-SAME: tile.num_warps = 8 : i32
// expected-remark @+1 {{kernel has 8 warps for 4: a thread of 4 would hold 272 words}}
tile.func @scores(%n: i32, %a: tensor<64x64xf16>, %b: tensor<64x32xf16>, %none: tensor<64x32xf32>, %g: tensor<32x256xf16>,
                  %out: tensor<64x256x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero)
      -> (tensor<64x256xf32>, tensor<64x256xf32>) : i32 {
    %d = tile.dot %a, %b, %none : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    %p = arith.truncf %d : tensor<64x32xf32> to tensor<64x32xf16>
    %u = tile.dot %p, %g, %s : tensor<64x32xf16>, tensor<32x256xf16> -> tensor<64x256xf32>
    %v = tile.dot %p, %g, %t : tensor<64x32xf16>, tensor<32x256xf16> -> tensor<64x256xf32>
    scf.yield %u, %v : tensor<64x256xf32>, tensor<64x256xf32>
  }
  %both = arith.addf %sums#0, %sums#1 : tensor<64x256xf32>
  tile.store %out, %both : tensor<64x256x!tile.ptr<f32>>
  tile.return
}

// A single warp has two, and then four: a thread of these holds 128 words.
// CHECK-LABEL: tile.func @single
// CHECK-SAME: tile.num_warps = 4 : i32
// expected-remark @+1 {{kernel has 4 warps for 1: a thread of 1 would hold 512 words}}
tile.func @single(%n: i32, %out: tensor<128x128x!tile.ptr<f32>>) attributes {tile.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %v = tile.load %out : tensor<128x128x!tile.ptr<f32>>
    %d = arith.addf %v, %s : tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %out, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// A step within a step: what is carried around it is held as well. Eight warps have all registers,
// whatever they hold.
// CHECK-LABEL: tile.func @around
// CHECK-SAME: tile.num_warps = 8 : i32
// expected-remark @+1 {{kernel has 8 warps for 2: a thread of 2 would hold 1536 words}}
tile.func @around(%n: i32, %a: tensor<128x64xf16>, %b: tensor<64x256xf16>,
                  %out: tensor<128x256x!tile.ptr<f32>>) attributes {tile.num_warps = 2 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<128x256xf32> : i32 {
    %part = scf.for %j = %c0 to %n step %c1 iter_args(%t = %zero) -> tensor<128x256xf32> : i32 {
      %d = tile.dot %a, %b, %t : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
      %twice = tile.trans %d order [1, 0] : tensor<128x256xf32> -> tensor<256x128xf32>
      %back = tile.trans %twice order [1, 0] : tensor<256x128xf32> -> tensor<128x256xf32>
      %u = arith.addf %back, %d : tensor<128x256xf32>
      scf.yield %u : tensor<128x256xf32>
    }
    %next = arith.addf %part, %s : tensor<128x256xf32>
    scf.yield %next : tensor<128x256xf32>
  }
  tile.store %out, %sum : tensor<128x256x!tile.ptr<f32>>
  tile.return
}

// Positions and masks that a loop carries are made again wherever they are wanted.
// CHECK-LABEL: tile.func @positions
// CHECK-SAME: tile.num_warps = 1 : i32
tile.func @positions(%n: i32, %p: tensor<128x128x!tile.ptr<f32>>, %x: tensor<128x128xf32>) attributes {tile.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant dense<128> : tensor<128x128xi32>
  %at, %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %all, %b = %p)
      -> (tensor<128x128xi32>, tensor<128x128x!tile.ptr<f32>>) : i32 {
    tile.store %b, %x : tensor<128x128x!tile.ptr<f32>>
    %c = arith.addi %a, %all : tensor<128x128xi32>
    %d = tile.addptr %b, %c : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
    scf.yield %c, %d : tensor<128x128xi32>, tensor<128x128x!tile.ptr<f32>>
  }
  tile.return
}

// Behind an early return scores are read once, to be narrowed, and not held beside the rest: 128 words, and 256 if they were.
// CHECK-LABEL: tile.func @behind_return
// CHECK-SAME: tile.num_warps = 4 : i32
tile.func @behind_return(%n: i32, %go: i1, %a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %g: tensor<128x64xf16>,
                         %ptrs: tensor<128x64x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %scores = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  scf.if %go {
    %h = arith.truncf %scores : tensor<128x128xf32> to tensor<128x128xf16>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %d = tile.dot %h, %g, %none : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
      %w = tile.dot %h, %g, %d : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
      tile.store %ptrs, %w : tensor<128x64x!tile.ptr<f32>>
    }
  }
  tile.return
}

// What is read behind the branch is.
// CHECK-LABEL: tile.func @read_behind
// CHECK-SAME: tile.num_warps = 8 : i32
// expected-remark @below {{kernel has 8 warps for 4: a thread of 4 would hold 256 words}}
tile.func @read_behind(%n: i32, %go: i1, %a: tensor<128x64xf16>, %b: tensor<64x128xf16>, %g: tensor<128x64xf16>,
                       %ptrs: tensor<128x64x!tile.ptr<f32>>, %out: tensor<128x128x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %scores = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  scf.if %go {
    %h = arith.truncf %scores : tensor<128x128xf32> to tensor<128x128xf16>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %d = tile.dot %h, %g, %none : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
      %w = tile.dot %h, %g, %d : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
      tile.store %ptrs, %w : tensor<128x64x!tile.ptr<f32>>
    }
  }
  tile.store %out, %scores : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// A sum that a step adds to only where its block is chosen is held once: what comes in is over where the branch has its own.
// CHECK-LABEL: tile.func @chosen
// CHECK-SAME: tile.num_warps = 4 : i32
tile.func @chosen(%n: i32, %chosen: !tile.ptr<i1>, %a: tensor<128x64xf16>, %b: tensor<64x128xf16>,
                  %out: tensor<128x128x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %p = tile.addptr %chosen, %i : !tile.ptr<i1>, i32
    %c = tile.load %p : !tile.ptr<i1>
    %d = scf.if %c -> tensor<128x128xf32> {
      %e = tile.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %e : tensor<128x128xf32>
    } else {
      scf.yield %s : tensor<128x128xf32>
    }
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %out, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// What is held outside of loops is written once, and read once: up to 287 words. Of two warps, four are the first to have
// wgmma, and are given.
// RUN: sed 's/num_warps = 4/num_warps = 2/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-choose-warps))' 2>/dev/null | FileCheck %s --check-prefix=TWO
// CHECK-LABEL: tile.func @straight
// CHECK-SAME: tile.num_warps = 4 : i32
// TWO-LABEL: tile.func @straight
// TWO-SAME: tile.num_warps = 4 : i32
tile.func @straight(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %out: tensor<64x64x!tile.ptr<f32>>) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %s0 = tile.dot %b, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s1 = tile.dot %a, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s2 = tile.dot %b, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s3 = tile.dot %a, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s4 = tile.dot %b, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s5 = tile.dot %a, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s6 = tile.dot %b, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s7 = tile.dot %a, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %x1 = arith.addf %s0, %s1 : tensor<64x64xf32>
  %x2 = arith.addf %x1, %s2 : tensor<64x64xf32>
  %x3 = arith.addf %x2, %s3 : tensor<64x64xf32>
  %x4 = arith.addf %x3, %s4 : tensor<64x64xf32>
  %x5 = arith.addf %x4, %s5 : tensor<64x64xf32>
  %x6 = arith.addf %x5, %s6 : tensor<64x64xf32>
  %x7 = arith.addf %x6, %s7 : tensor<64x64xf32>
  tile.store %out, %x7 : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// A tile of 128 x 128 f16 is 32,768 bytes, and one warp has 32,640 of registers. Reductions go over parts of it, a scan does not.
// CHECK-LABEL: tile.func @loaded
// CHECK-SAME: tile.num_warps = 2 : i32
// expected-remark @+1 {{kernel has 2 warps for 1: a thread of 1 would hold 256 words}}
tile.func @loaded(%p: tensor<128x128x!tile.ptr<f16>>) attributes {tile.num_warps = 1 : i32} {
  %x = tile.load %p : tensor<128x128x!tile.ptr<f16>>
  %s = tile.scan add %x axis 1 : tensor<128x128xf16> -> tensor<128x128xf16>
  tile.store %p, %s : tensor<128x128x!tile.ptr<f16>>
  tile.return
}

// CHECK-LABEL: tile.func @reduced
// CHECK-SAME: tile.num_warps = 1 : i32
tile.func @reduced(%p: tensor<128x128x!tile.ptr<f16>>, %q: tensor<128x!tile.ptr<f16>>) attributes {tile.num_warps = 1 : i32} {
  %x = tile.load %p : tensor<128x128x!tile.ptr<f16>>
  %m = tile.reduce maxnum %x axis 1 : tensor<128x128xf16> -> tensor<128xf16>
  tile.store %q, %m : tensor<128x!tile.ptr<f16>>
  tile.return
}

// Of what is computed of it as much is held.
// CHECK-LABEL: tile.func @widened
// CHECK-SAME: tile.num_warps = 2 : i32
// expected-remark @+1 {{kernel has 2 warps for 1: a thread of 1 would hold 256 words}}
tile.func @widened(%p: tensor<64x128x!tile.ptr<f16>>, %q: tensor<64x128x!tile.ptr<f32>>) attributes {tile.num_warps = 1 : i32} {
  %x = tile.load %p : tensor<64x128x!tile.ptr<f16>>
  %w = arith.extf %x : tensor<64x128xf16> to tensor<64x128xf32>
  %s = tile.scan add %w axis 1 : tensor<64x128xf32> -> tensor<64x128xf32>
  tile.store %q, %s : tensor<64x128x!tile.ptr<f32>>
  tile.return
}

// Roles end by no op: they hold nothing for who stands behind them.
// CHECK-LABEL: tile.func @roles
// CHECK-SAME: tile.num_warps = 4 : i32
tile.func @roles(%p: tensor<64x64x!tile.ptr<f16>>) attributes {tile.num_warps = 4 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    %x = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    tile.store %p, %x : tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

// What a loop of dots adds to memory, and does not look at, is a box that the copy engine adds, behind loads that it copies.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.func @added
// CHECK-DAG: %[[C:.*]] = tile.make_desc %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}] : !tile.ptr<f32> -> !tile.desc<128x64xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK: tile.desc_load
// CHECK: %[[D:.*]] = tile.dot
// CHECK: tile.desc_store %[[C]][%[[I]], %c0_i32], %[[D]] {add}
// CHECK-NOT: tile.atomic_rmw
tile.func @added(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
    %old = tile.atomic_rmw fadd relaxed gpu %sums, %d, %in : tensor<128x64x!tile.ptr<f32>>
  }
  tile.return
}

// What is looked at is added by threads.
// CHECK-LABEL: tile.func @seen
// CHECK: tile.atomic_rmw
tile.func @seen(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
    %old = tile.atomic_rmw fadd relaxed gpu %sums, %d, %in : tensor<128x64x!tile.ptr<f32>>
    tile.print "old" %old : tensor<128x64xf32>
  }
  tile.return
}

// Whatever order Triton gives it where nothing is said: nobody looks at it.
// CHECK-LABEL: tile.func @acquires
// CHECK: tile.desc_store {{.*}} {add}
tile.func @acquires(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
    %old = tile.atomic_rmw fadd acq_rel gpu %sums, %d, %in : tensor<128x64x!tile.ptr<f32>>
  }
  tile.return
}

// Seen beyond the GPU.
// CHECK-LABEL: tile.func @of_all
// CHECK: tile.atomic_rmw fadd
tile.func @of_all(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected sums of this GPU, found some that others see}}
    %old = tile.atomic_rmw fadd relaxed sys %sums, %d, %in : tensor<128x64x!tile.ptr<f32>>
  }
  tile.return
}

// Of 16 bits.
// CHECK-LABEL: tile.func @half
// CHECK: tile.atomic_rmw fadd
tile.func @half(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f16>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %h = arith.truncf %d : tensor<128x64xf32> to tensor<128x64xf16>
    // expected-remark @+1 {{stays an access through pointers: expected sums of f32, found others}}
    %old = tile.atomic_rmw fadd relaxed gpu %sums, %h, %in : tensor<128x64x!tile.ptr<f16>>
  }
  tile.return
}

// The array is read, too.
// CHECK-LABEL: tile.func @read
// CHECK: tile.atomic_rmw fadd
tile.func @read(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected no other access of the array, and nothing that tells others how far the program is, found such}}
    %old = tile.atomic_rmw fadd relaxed gpu %sums, %d, %in : tensor<128x64x!tile.ptr<f32>>
    %first = tile.load %c : !tile.ptr<f32>
    tile.print "first" %first : f32
  }
  tile.return
}

// Others are told how far it is.
// CHECK-LABEL: tile.func @told
// CHECK: tile.atomic_rmw fadd
tile.func @told(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %m: i32,
                %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %col_s = tile.broadcast %cols : tensor<1x64xi32> -> tensor<128x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ks = tile.splat %k : i32 -> tensor<128x1xi32>
  %ms = tile.splat %m : i32 -> tensor<128x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  scf.for %i = %c0 to %m step %c128 : i32 {
    %is = tile.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %is, %r128 : tensor<128xi32>
    %rows = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %off_row = arith.muli %rows, %ks : tensor<128x1xi32>
    %off_rows = tile.broadcast %off_row : tensor<128x1xi32> -> tensor<128x64xi32>
    %off = arith.addi %off_rows, %col_s : tensor<128x64xi32>
    %in_row = arith.cmpi slt, %rows, %ms : tensor<128x1xi32>
    %in = tile.broadcast %in_row : tensor<128x1xi1> -> tensor<128x64xi1>
    %ptrs = tile.addptr %as, %off : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %v, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %sums = tile.addptr %cs, %off : tensor<128x64x!tile.ptr<f32>>, tensor<128x64xi32>
    %one = arith.constant 1.0 : f32
    // expected-remark @+1 {{stays an access through pointers: expected no other access of the array, and nothing that tells others how far the program is, found such}}
    %old = tile.atomic_rmw fadd relaxed gpu %sums, %d, %in : tensor<128x64x!tile.ptr<f32>>
    %count = tile.atomic_rmw fadd release gpu %o, %one : !tile.ptr<f32>
  }
  tile.return
}

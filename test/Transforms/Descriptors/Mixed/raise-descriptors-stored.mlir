// What threads compute with and store again for B saves nothing as a box, where the loop's dots read no other as it comes:
// its copies, and those of A in front of the loop, are left to threads, and so is the store in the loop, which they pass.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,cse,tile-raise-descriptors{num-warps=4},canonicalize,cse))' 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS < %t
// CHECK-LABEL: tile.func @scaled
// CHECK-NOT: tile.desc
// CHECK: tile.return
// SAYS-DAG: stays an access through pointers: expected boxes that dots read as they come, or as A, found tiles that threads store again for B
// SAYS-DAG: stays an access through pointers: expected boxes that dots of a loop read beside it, found loads by threads

// Where no loop reads a box none pays in front.
// CHECK-LABEL: tile.func @solver
// CHECK-NOT: tile.desc_load
// CHECK: tile.return

// Beside A in the loop B's tile is a box, too.
// CHECK-LABEL: tile.func @both
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: tile.desc_load
// CHECK: tile.desc_store

// But not where the product is done before threads have stored B.
// CHECK-LABEL: tile.func @narrowed
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// SAYS-DAG: stays an access through pointers: expected products that take longer in a step whose B threads compute and store, found others

// A step that stores what it multiplies, which takes longer than its products, waits for memory: other blocks have work meanwhile.
// CHECK-LABEL: tile.func @stored
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// SAYS-DAG: stays an access through pointers: expected products that take longer than a step's stores, found others

tile.func @scaled(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %scale: f16) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pa = tile.addptr %a, %at : !tile.ptr<f16>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %all = tile.splat %scale : f16 -> tensor<64x64xf16>
  scf.for %j = %c0 to %n step %c64 : i32 {
    %js = tile.splat %j : i32 -> tensor<64x64xi32>
    %there = arith.addi %at, %js : tensor<64x64xi32>
    %pb = tile.addptr %b, %there : !tile.ptr<f16>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %z = arith.mulf %y, %all : tensor<64x64xf16>
    %d = tile.dot %x, %z, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %po = tile.addptr %out, %there : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %po, %h : tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

tile.func @solver(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 30 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pa = tile.addptr %a, %at : !tile.ptr<f16>, tensor<64x64xi32>
  %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
  %pb = tile.addptr %b, %at : !tile.ptr<f16>, tensor<64x64xi32>
  %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
  %last = scf.for %j = %c0 to %n step %c1 iter_args(%p = %x) -> tensor<64x64xf16> : i32 {
    %d = tile.dot %p, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    scf.yield %h : tensor<64x64xf16>
  }
  %po = tile.addptr %out, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %po, %last : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @both(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %scale: f16) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %all = tile.splat %scale : f16 -> tensor<64x64xf16>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64x64xi32>
    %there = arith.addi %at, %js : tensor<64x64xi32>
    %pa = tile.addptr %a, %there : !tile.ptr<f16>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %b, %there : !tile.ptr<f16>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %z = arith.mulf %y, %all : tensor<64x64xf16>
    %d = tile.dot %x, %z, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %po = tile.addptr %out, %at : !tile.ptr<f16>, tensor<64x64xi32>
  tile.store %po, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @narrowed(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                    %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<64xi32>
  %j = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %depth = tile.expand_dims %j axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %pitch_b = arith.constant dense<4096> : tensor<1x32xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x32xi32>
  %c = tile.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
  %at = arith.addi %r, %c : tensor<64x32xi32>
  %start_b = arith.muli %columns, %pitch_b : tensor<1x32xi32>
  %cb = tile.broadcast %start_b : tensor<1x32xi32> -> tensor<32x32xi32>
  %rb = tile.broadcast %depth : tensor<32x1xi32> -> tensor<32x32xi32>
  %at_b = arith.addi %cb, %rb : tensor<32x32xi32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %n = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x32xf32> : i32 {
    %ka = tile.splat %k : i32 -> tensor<64x32xi32>
    %kb = tile.splat %k : i32 -> tensor<32x32xi32>
    %there = arith.addi %at, %ka : tensor<64x32xi32>
    %there_b = arith.addi %at_b, %kb : tensor<32x32xi32>
    %pa = tile.addptr %a, %there : !tile.ptr<f16>, tensor<64x32xi32>
    %pb = tile.addptr %b, %there_b : !tile.ptr<f32>, tensor<32x32xi32>
    %x = tile.load %pa : tensor<64x32x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<32x32x!tile.ptr<f32>>
    %z = arith.truncf %y : tensor<32x32xf32> to tensor<32x32xf16>
    %d = tile.dot %x, %z, %acc : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  %po = tile.addptr %out, %at : !tile.ptr<f32>, tensor<64x32xi32>
  tile.store %po, %sum : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

tile.func @stored(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %scale: f16) {
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<4096> : tensor<64x1xi32>
  %start = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %c : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %all = tile.splat %scale : f16 -> tensor<64x64xf16>
  scf.for %j = %c0 to %n step %c64 : i32 {
    %js = tile.splat %j : i32 -> tensor<64x64xi32>
    %there = arith.addi %at, %js : tensor<64x64xi32>
    %pa = tile.addptr %a, %there : !tile.ptr<f16>, tensor<64x64xi32>
    %x = tile.load %pa : tensor<64x64x!tile.ptr<f16>>
    %pb = tile.addptr %b, %there : !tile.ptr<f16>, tensor<64x64xi32>
    %y = tile.load %pb : tensor<64x64x!tile.ptr<f16>>
    %z = arith.mulf %y, %all : tensor<64x64xf16>
    %d = tile.dot %x, %z, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %po = tile.addptr %out, %there : !tile.ptr<f16>, tensor<64x64xi32>
    tile.store %po, %h : tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

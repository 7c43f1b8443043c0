// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(inline,tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s

// The arithmetic of the tutorials: one dimension of programs, in groups, offsets before the loop, a
// counter of blocks, pointers that advance.
// CHECK-LABEL: tile.func @grouped
// CHECK-SAME: (%[[A:.*]]: !tile.ptr<f16> {{.*}}, %[[B:.*]]: !tile.ptr<f16> {{.*}}, %[[C:.*]]: !tile.ptr<f16> {{.*}}, %[[M:.*]]: i32, %[[N:.*]]: i32 {{.*}}, %[[K:.*]]: i32, %[[SA:.*]]: i32 {{.*}}, %[[SB:.*]]: i32 {{.*}}, %[[SC:.*]]: i32 {{.*}})
tile.func @grouped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32,
                   %sa: i32 {tile.divisibility = 8 : i32}, %sb: i32 {tile.divisibility = 8 : i32},
                   %sc: i32 {tile.divisibility = 8 : i32}) {
  // CHECK-DAG: %[[DA:.*]] = tile.make_desc %[[A]], [%[[M]], %[[K]]], [%{{.*}}] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  // CHECK-DAG: %[[DB:.*]] = tile.make_desc %[[B]], [%[[K]], %[[N]]], [%{{.*}}] : !tile.ptr<f16> -> !tile.desc<32x64xf16>
  // CHECK-DAG: %[[DC:.*]] = tile.make_desc %[[C]], [%[[M]], %[[N]]], [%{{.*}}] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  tile.grid(%m : i32, %n : i32) {
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %m_up = arith.addi %m, %c63 : i32
    %n_up = arith.addi %n, %c63 : i32
    %pm = arith.divsi %m_up, %c64 : i32
    %pn = arith.divsi %n_up, %c64 : i32
    %programs = arith.muli %pm, %pn : i32
    tile.yield %programs : i32
  }
  %c8 = arith.constant 8 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %m_up = arith.addi %m, %c63 : i32
  %n_up = arith.addi %n, %c63 : i32
  %num_m = arith.divsi %m_up, %c64 : i32
  %num_n = arith.divsi %n_up, %c64 : i32
  %in_group = arith.muli %c8, %num_n : i32
  %group = arith.divsi %pid, %in_group : i32
  %first = arith.muli %group, %c8 : i32
  %left = arith.subi %num_m, %first : i32
  %size = arith.minsi %left, %c8 : i32
  %rest = arith.remsi %pid, %in_group : i32
  %row = arith.remsi %rest, %size : i32
  %pid_m = arith.addi %first, %row : i32
  %pid_n = arith.divsi %rest, %size : i32

  %r64 = tile.arange : tensor<64xi32>
  %r32 = tile.arange : tensor<32xi32>
  %i0 = arith.muli %pid_m, %c64 : i32
  %j0 = arith.muli %pid_n, %c64 : i32
  %i0s = tile.splat %i0 : i32 -> tensor<64xi32>
  %j0s = tile.splat %j0 : i32 -> tensor<64xi32>
  %is = arith.addi %i0s, %r64 : tensor<64xi32>
  %js = arith.addi %j0s, %r64 : tensor<64xi32>
  %ic = tile.expand_dims %is axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %jr = tile.expand_dims %js axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kr = tile.expand_dims %r32 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %i_in = arith.cmpi slt, %ic, %ms : tensor<64x1xi32>
  %j_in = arith.cmpi slt, %jr, %ns : tensor<1x64xi32>
  %i_in_a = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %j_in_b = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<32x64xi1>
  %i_in_c = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %j_in_c = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %c_in = arith.andi %i_in_c, %j_in_c : tensor<64x64xi1>

  %sas = tile.splat %sa : i32 -> tensor<64x1xi32>
  %sbs = tile.splat %sb : i32 -> tensor<32x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<64x1xi32>
  %ao1 = arith.muli %ic, %sas : tensor<64x1xi32>
  %ao2 = tile.broadcast %ao1 : tensor<64x1xi32> -> tensor<64x32xi32>
  %ao3 = tile.broadcast %kr : tensor<1x32xi32> -> tensor<64x32xi32>
  %ao = arith.addi %ao2, %ao3 : tensor<64x32xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %ap = tile.addptr %as, %ao : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %bo1 = arith.muli %kc, %sbs : tensor<32x1xi32>
  %bo2 = tile.broadcast %bo1 : tensor<32x1xi32> -> tensor<32x64xi32>
  %bo3 = tile.broadcast %jr : tensor<1x64xi32> -> tensor<32x64xi32>
  %bo = arith.addi %bo2, %bo3 : tensor<32x64xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %bp = tile.addptr %bs, %bo : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %co1 = arith.muli %ic, %scs : tensor<64x1xi32>
  %co2 = tile.broadcast %co1 : tensor<64x1xi32> -> tensor<64x64xi32>
  %co3 = tile.broadcast %jr : tensor<1x64xi32> -> tensor<64x64xi32>
  %co = arith.addi %co2, %co3 : tensor<64x64xi32>
  %cs = tile.splat %c : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %cp = tile.addptr %cs, %co : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>

  %k_up = arith.addi %k, %c31 : i32
  %blocks = arith.divsi %k_up, %c32 : i32
  %a_step = arith.constant dense<32> : tensor<64x32xi32>
  %b_step1 = arith.muli %sb, %c32 : i32
  %b_step = tile.splat %b_step1 : i32 -> tensor<32x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a_zero = arith.constant dense<0.0> : tensor<64x32xf16>
  // CHECK: %[[I0:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
  // CHECK: %[[J0:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
  // CHECK: scf.for %[[I:[a-z0-9]*]] =
  // CHECK: %[[K0:.*]] = arith.muli %[[I]], %c32_i32
  // CHECK: %[[AT:.*]] = tile.desc_load %[[DA]][%[[I0]], %[[K0]]]
  // CHECK: %[[BT:.*]] = tile.desc_load %[[DB]][%[[K0]], %[[J0]]]
  // CHECK: tile.dot %[[AT]], %[[BT]]
  %sum, %a_end, %b_end = scf.for %i = %c0 to %blocks step %c1 iter_args(%acc = %zero, %aps = %ap, %bps = %bp)
      -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %done = arith.muli %i, %c32 : i32
    %todo = arith.subi %k, %done : i32
    %todo_a = tile.splat %todo : i32 -> tensor<1x32xi32>
    %todo_b = tile.splat %todo : i32 -> tensor<32x1xi32>
    %k_in_a1 = arith.cmpi slt, %kr, %todo_a : tensor<1x32xi32>
    %k_in_b1 = arith.cmpi slt, %kc, %todo_b : tensor<32x1xi32>
    %k_in_a = tile.broadcast %k_in_a1 : tensor<1x32xi1> -> tensor<64x32xi1>
    %k_in_b = tile.broadcast %k_in_b1 : tensor<32x1xi1> -> tensor<32x64xi1>
    %a_in = arith.andi %i_in_a, %k_in_a : tensor<64x32xi1>
    %b_in = arith.andi %j_in_b, %k_in_b : tensor<32x64xi1>
    %at = tile.load %aps, %a_in, %a_zero : tensor<64x32x!tile.ptr<f16>>
    %bt = tile.load %bps, %b_in : tensor<32x64x!tile.ptr<f16>>
    %next = tile.dot %at, %bt, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %a_next = tile.addptr %aps, %a_step : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %b_next = tile.addptr %bps, %b_step : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    scf.yield %next, %a_next, %b_next : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  }
  // CHECK: tile.desc_store %[[DC]][%[[I0]], %[[J0]]]
  %out = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.store %cp, %out, %c_in : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

// -----

// What a dot behind the loop reads is a box, too: the same warp copies it.
// CHECK-LABEL: tile.func @behind
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: scf.yield
// CHECK: %[[T:.*]] = tile.desc_load
// CHECK: tile.dot %{{.*}}, %[[T]],
tile.func @behind(%b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %t: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
    %pb = tile.expr %b + (col(%at + arange(64)) * 64 + row(arange(64)))
    %y = tile.load %pb
    %d = tile.dot %x, %y, %s
    scf.yield %d : tensor<128x64xf32>
  }
  %low = tile.expr f16(%sum)
  %pt = tile.expr %t + (col(arange(64)) * 64 + row(arange(64)))
  %z = tile.load %pt
  %last = tile.dot %low, %z, %zero
  %h = tile.expr f16(%last)
  %pc = tile.expr %c + (col(arange(128)) * 64 + row(arange(64)))
  tile.store %pc, %h
  tile.return
}

// -----

// Of a kernel without a loop no step is copied ahead.
// CHECK-LABEL: tile.func @once
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
tile.func @once(%t: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %pt = tile.expr %t + (col(arange(64)) * 64 + row(arange(64)))
  %z = tile.load %pt
  %d = tile.dot %x, %z, %zero
  %pc = tile.expr %c + (col(arange(128)) * 64 + row(arange(64)))
  // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes}}
  tile.store %pc, %d
  tile.return
}

// Beside dots, rows that lie apart by a number that is known are copied, read and stored through one pointer, of which each
// access adds its distance. Where the launch alone knows the number, a copy's pointer is added up of another row's, few sums
// away from the first one: no other is held from step to step. Rows that wrap around have a pointer each, and so have four or
// fewer, and those that lie farther apart than an instruction adds.
// RUN: tile-run %s --kernel=far --emit=ptx --arch=sm_80 -D num_warps=1 | FileCheck %s
// RUN: tile-run %s --kernel=wrapped --emit=ptx --arch=sm_80 -D num_warps=1 | FileCheck %s --check-prefix=WRAPPED
// RUN: tile-run %s --kernel=falling --emit=ptx --arch=sm_80 -D num_warps=1 | FileCheck %s --check-prefix=FALLING

// CHECK-LABEL: .entry far(
// CHECK: cp.async.cg.shared.global [%[[S:.*]]+0], [%[[P:rd[0-9]+]]], 16
// CHECK: cp.async.cg.shared.global [%[[S]]+{{.*}}], [%[[P]]+16384], 16
// CHECK: cp.async.cg.shared.global [%[[S]]+{{.*}}], [%[[P]]+32768], 16
// CHECK: cp.async.cg.shared.global [%[[S]]+{{.*}}], [%[[P]]+49152], 16
// CHECK: cp.async.cg.shared.global [%[[T:.*]]+0], [%[[Q:rd[0-9]+]]], 16
// CHECK: add.s64 %[[Q1:rd[0-9]+]], %[[Q]], %[[EIGHT:rd[0-9]+]];
// CHECK: cp.async.cg.shared.global [%[[T]]+{{.*}}], [%[[Q1]]], 16
// CHECK: add.s64 %[[Q2:rd[0-9]+]], %[[Q]], %[[SIXTEEN:rd[0-9]+]];
// CHECK: cp.async.cg.shared.global [%[[T]]+{{.*}}], [%[[Q2]]], 16
// CHECK: add.s64 %[[Q3:rd[0-9]+]], %[[Q2]], %[[EIGHT]];
// CHECK: cp.async.cg.shared.global [%[[T]]+{{.*}}], [%[[Q3]]], 16
// CHECK: st.global.v4.b32 {{.*}}[%[[O:rd[0-9]+]]],
// CHECK: st.global.v4.b32 {{.*}}[%[[O]]+8192],
// CHECK: st.global.v4.b32 {{.*}}[%[[O]]+16384],
tile.func @far(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
               %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %pitch: i32 {tile.divisibility = 16 : i32}) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %xp = tile.expr %x + (col(arange(32)) * 1024 + row(%k + arange(32)))
    %a = tile.load %xp
    %yp = tile.expr %y + (row(arange(64)) * %pitch + col(%k + arange(32)))
    %b = tile.load %yp
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<32x64xf32>
  }
  %outp = tile.expr %out + (col(arange(32)) * 1024 + row(arange(64)))
  tile.store %outp, %sum
  tile.return
}

// WRAPPED-LABEL: .entry wrapped(
// WRAPPED: cp.async.cg.shared.global [%[[S:.*]]+0], [%rd{{[0-9]+}}], 16
// WRAPPED: cp.async.cg.shared.global [%[[S]]+{{.*}}], [%rd{{[0-9]+}}], 16
// WRAPPED-NOT: +16777216
// WRAPPED: ret;
tile.func @wrapped(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %rows: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %xp = tile.expr %x + (col(arange(32) rem %rows) * 1024 + row(%k + arange(32)))
    %a = tile.load %xp
    %yp = tile.expr %y + (row(arange(32)) * 1048576 + col(%k + arange(32)))
    %b = tile.load %yp
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<32x32xf32>
  }
  %outp = tile.expr %out + (col(arange(32)) * 32 + row(arange(32)))
  tile.store %outp, %sum
  tile.return
}

// Rows that fall lie below the pointer: ptxas takes [%p+-16384], and not [%p-16384].
// FALLING-LABEL: .entry falling(
// FALLING: cp.async.cg.shared.global {{.*}}, [%[[P:rd[0-9]+]]+-16384], 16
// FALLING: st.global.v4.b32 {{.*}}[%[[O:rd[0-9]+]]+-16384],
// FALLING-NOT: [%rd{{[0-9]+}}-
// FALLING: ret;
tile.func @falling(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %xp = tile.expr %x + (col(31 - arange(32)) * 1024 + row(%k + arange(32)))
    %a = tile.load %xp
    %yp = tile.expr %y + (row(arange(32)) * 1024 + col(%k + arange(32)))
    %b = tile.load %yp
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<32x32xf32>
  }
  %outp = tile.expr %out + (col(31 - arange(32)) * 1024 + row(arange(32)))
  tile.store %outp, %sum
  tile.return
}

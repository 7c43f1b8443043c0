// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-narrow-offsets,canonicalize))' | FileCheck %s

// (row + channel) * pitch, and a place of each row, in each of four loops: 64 rows and 32 channels are multiplied, not 2048 sums of them, and rows
// begin at pointers of their own.
// CHECK-LABEL: tile.func private @taps
// CHECK-SAME: (%[[X:[^:]*]]: !tile.ptr<f16>, %[[ROW:[^:]*]]: tensor<64x1xi32>, %[[CHANNEL:[^:]*]]: tensor<1x32xi32>, %[[PLACE:[^:]*]]: tensor<64x1xi32>, %[[PITCH:[^:]*]]: i32
// CHECK: scf.for
// CHECK: %[[DOWN:.*]] = tile.splat %[[PITCH]] : i32 -> tensor<64x1xi32>
// CHECK: %[[ROWS:.*]] = arith.muli %[[ROW]], %[[DOWN]] : tensor<64x1xi32>
// CHECK: %[[LEFT:.*]] = tile.broadcast %[[ROWS]]
// CHECK: %[[ACROSS:.*]] = tile.splat %[[PITCH]] : i32 -> tensor<1x32xi32>
// CHECK: %[[COLUMNS:.*]] = arith.muli %[[CHANNEL]], %[[ACROSS]] : tensor<1x32xi32>
// CHECK: %[[RIGHT:.*]] = tile.broadcast %[[COLUMNS]]
// CHECK: %[[AT:.*]] = arith.addi %[[LEFT]], %[[RIGHT]] : tensor<64x32xi32>
// CHECK: %[[BASE:.*]] = tile.splat %[[X]] : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
// CHECK: %[[BEGIN:.*]] = tile.addptr %[[BASE]], %[[PLACE]]
// CHECK: %[[BEGINS:.*]] = tile.broadcast %[[BEGIN]]
// CHECK: %[[P:.*]] = tile.addptr %[[BEGINS]], %[[AT]]
// CHECK: tile.load %[[P]]
// CHECK-NOT: arith.muli {{.*}} : tensor<64x32xi32>
// CHECK: tile.return
tile.func private @taps(%x: !tile.ptr<f16>, %row: tensor<64x1xi32>, %channel: tensor<1x32xi32>, %place: tensor<64x1xi32>, %pitch: i32,
                         %each: tensor<64x32xi32>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s0 = scf.for %i0 = %zero to %n step %one iter_args(%acc0 = %c) -> (tensor<64x64xf32>) : i32 {
    %rows0 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels0 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum0 = arith.addi %rows0, %channels0 : tensor<64x32xi32>
    %pitches0 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at0 = arith.muli %sum0, %pitches0 : tensor<64x32xi32>
    %base0 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p0 = tile.addptr %base0, %at0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places0 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q0 = tile.addptr %p0, %places0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a0 = tile.load %q0 : tensor<64x32x!tile.ptr<f16>>
    %d0 = tile.dot %a0, %b, %acc0 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d0 : tensor<64x64xf32>
  }
  %s1 = scf.for %i1 = %zero to %n step %one iter_args(%acc1 = %s0) -> (tensor<64x64xf32>) : i32 {
    %rows1 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels1 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum1 = arith.addi %rows1, %channels1 : tensor<64x32xi32>
    %pitches1 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at1 = arith.muli %sum1, %pitches1 : tensor<64x32xi32>
    %base1 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p1 = tile.addptr %base1, %at1 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places1 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q1 = tile.addptr %p1, %places1 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a1 = tile.load %q1 : tensor<64x32x!tile.ptr<f16>>
    %d1 = tile.dot %a1, %b, %acc1 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d1 : tensor<64x64xf32>
  }
  %s2 = scf.for %i2 = %zero to %n step %one iter_args(%acc2 = %s1) -> (tensor<64x64xf32>) : i32 {
    %rows2 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels2 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum2 = arith.addi %rows2, %channels2 : tensor<64x32xi32>
    %pitches2 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at2 = arith.muli %sum2, %pitches2 : tensor<64x32xi32>
    %base2 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p2 = tile.addptr %base2, %at2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places2 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q2 = tile.addptr %p2, %places2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a2 = tile.load %q2 : tensor<64x32x!tile.ptr<f16>>
    %d2 = tile.dot %a2, %b, %acc2 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d2 : tensor<64x64xf32>
  }
  %s3 = scf.for %i3 = %zero to %n step %one iter_args(%acc3 = %s2) -> (tensor<64x64xf32>) : i32 {
    %rows3 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels3 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum3 = arith.addi %rows3, %channels3 : tensor<64x32xi32>
    %pitches3 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at3 = arith.muli %sum3, %pitches3 : tensor<64x32xi32>
    %base3 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p3 = tile.addptr %base3, %at3 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places3 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q3 = tile.addptr %p3, %places3 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a3 = tile.load %q3 : tensor<64x32x!tile.ptr<f16>>
    %d3 = tile.dot %a3, %b, %acc3 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d3 : tensor<64x64xf32>
  }
  tile.return %s3 : tensor<64x64xf32>
}

// One loop has the registers.
// CHECK-LABEL: tile.func private @alone
// CHECK: arith.muli {{.*}} : tensor<64x32xi32>
// CHECK: tile.return
tile.func private @alone(%x: !tile.ptr<f16>, %row: tensor<64x1xi32>, %channel: tensor<1x32xi32>, %place: tensor<64x1xi32>, %pitch: i32,
                         %each: tensor<64x32xi32>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s0 = scf.for %i0 = %zero to %n step %one iter_args(%acc0 = %c) -> (tensor<64x64xf32>) : i32 {
    %rows0 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels0 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum0 = arith.addi %rows0, %channels0 : tensor<64x32xi32>
    %pitches0 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at0 = arith.muli %sum0, %pitches0 : tensor<64x32xi32>
    %base0 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p0 = tile.addptr %base0, %at0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places0 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q0 = tile.addptr %p0, %places0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a0 = tile.load %q0 : tensor<64x32x!tile.ptr<f16>>
    %d0 = tile.dot %a0, %b, %acc0 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d0 : tensor<64x64xf32>
  }
  tile.return %s0 : tensor<64x64xf32>
}

// What each element has of its own is multiplied element by element.
// CHECK-LABEL: tile.func private @own
// CHECK-COUNT-4: arith.muli {{.*}} : tensor<64x32xi32>
// CHECK: tile.return
tile.func private @own(%x: !tile.ptr<f16>, %row: tensor<64x1xi32>, %channel: tensor<1x32xi32>, %place: tensor<64x1xi32>, %pitch: i32,
                         %each: tensor<64x32xi32>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s0 = scf.for %i0 = %zero to %n step %one iter_args(%acc0 = %c) -> (tensor<64x64xf32>) : i32 {
    %rows0 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels0 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum0 = arith.addi %rows0, %each : tensor<64x32xi32>
    %pitches0 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at0 = arith.muli %sum0, %pitches0 : tensor<64x32xi32>
    %base0 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p0 = tile.addptr %base0, %at0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places0 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q0 = tile.addptr %p0, %places0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a0 = tile.load %q0 : tensor<64x32x!tile.ptr<f16>>
    %d0 = tile.dot %a0, %b, %acc0 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d0 : tensor<64x64xf32>
  }
  %s1 = scf.for %i1 = %zero to %n step %one iter_args(%acc1 = %s0) -> (tensor<64x64xf32>) : i32 {
    %rows1 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels1 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum1 = arith.addi %rows1, %each : tensor<64x32xi32>
    %pitches1 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at1 = arith.muli %sum1, %pitches1 : tensor<64x32xi32>
    %base1 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p1 = tile.addptr %base1, %at1 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places1 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q1 = tile.addptr %p1, %places1 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a1 = tile.load %q1 : tensor<64x32x!tile.ptr<f16>>
    %d1 = tile.dot %a1, %b, %acc1 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d1 : tensor<64x64xf32>
  }
  %s2 = scf.for %i2 = %zero to %n step %one iter_args(%acc2 = %s1) -> (tensor<64x64xf32>) : i32 {
    %rows2 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels2 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum2 = arith.addi %rows2, %each : tensor<64x32xi32>
    %pitches2 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at2 = arith.muli %sum2, %pitches2 : tensor<64x32xi32>
    %base2 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p2 = tile.addptr %base2, %at2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places2 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q2 = tile.addptr %p2, %places2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a2 = tile.load %q2 : tensor<64x32x!tile.ptr<f16>>
    %d2 = tile.dot %a2, %b, %acc2 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d2 : tensor<64x64xf32>
  }
  %s3 = scf.for %i3 = %zero to %n step %one iter_args(%acc3 = %s2) -> (tensor<64x64xf32>) : i32 {
    %rows3 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels3 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum3 = arith.addi %rows3, %each : tensor<64x32xi32>
    %pitches3 = tile.splat %pitch : i32 -> tensor<64x32xi32>
    %at3 = arith.muli %sum3, %pitches3 : tensor<64x32xi32>
    %base3 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p3 = tile.addptr %base3, %at3 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places3 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q3 = tile.addptr %p3, %places3 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a3 = tile.load %q3 : tensor<64x32x!tile.ptr<f16>>
    %d3 = tile.dot %a3, %b, %acc3 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d3 : tensor<64x64xf32>
  }
  tile.return %s3 : tensor<64x64xf32>
}

// A number that all have is a constant for rows and one for columns, and what two terms have of each row is added first.
// CHECK-LABEL: tile.func private @by_constant
// CHECK-SAME: (%[[X:[^:]*]]: !tile.ptr<f16>, %[[ROW:[^:]*]]: tensor<64x1xi32>, %[[CHANNEL:[^:]*]]: tensor<1x32xi32>, %[[PLACE:[^:]*]]: tensor<64x1xi32>
// CHECK-DAG: %[[DOWN:.*]] = arith.constant dense<5> : tensor<64x1xi32>
// CHECK-DAG: %[[ACROSS:.*]] = arith.constant dense<5> : tensor<1x32xi32>
// CHECK: scf.for
// CHECK: %[[BOTH:.*]] = arith.addi %[[ROW]], %[[PLACE]] : tensor<64x1xi32>
// CHECK: arith.muli %[[BOTH]], %[[DOWN]] : tensor<64x1xi32>
// CHECK: arith.muli %[[CHANNEL]], %[[ACROSS]] : tensor<1x32xi32>
// CHECK-NOT: arith.muli {{.*}} : tensor<64x32xi32>
// CHECK: tile.return
tile.func private @by_constant(%x: !tile.ptr<f16>, %row: tensor<64x1xi32>, %channel: tensor<1x32xi32>, %place: tensor<64x1xi32>, %pitch: i32,
                         %each: tensor<64x32xi32>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s0 = scf.for %i0 = %zero to %n step %one iter_args(%acc0 = %c) -> (tensor<64x64xf32>) : i32 {
    %rows0 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels0 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum0 = arith.addi %rows0, %channels0 : tensor<64x32xi32>
    %pitches0 = arith.constant dense<5> : tensor<64x32xi32>
    %more0 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %all0 = arith.addi %sum0, %more0 : tensor<64x32xi32>
    %at0 = arith.muli %all0, %pitches0 : tensor<64x32xi32>
    %base0 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p0 = tile.addptr %base0, %at0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places0 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q0 = tile.addptr %p0, %places0 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a0 = tile.load %q0 : tensor<64x32x!tile.ptr<f16>>
    %d0 = tile.dot %a0, %b, %acc0 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d0 : tensor<64x64xf32>
  }
  %s1 = scf.for %i1 = %zero to %n step %one iter_args(%acc1 = %s0) -> (tensor<64x64xf32>) : i32 {
    %rows1 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels1 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum1 = arith.addi %rows1, %channels1 : tensor<64x32xi32>
    %pitches1 = arith.constant dense<5> : tensor<64x32xi32>
    %more1 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %all1 = arith.addi %sum1, %more1 : tensor<64x32xi32>
    %at1 = arith.muli %all1, %pitches1 : tensor<64x32xi32>
    %base1 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p1 = tile.addptr %base1, %at1 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places1 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q1 = tile.addptr %p1, %places1 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a1 = tile.load %q1 : tensor<64x32x!tile.ptr<f16>>
    %d1 = tile.dot %a1, %b, %acc1 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d1 : tensor<64x64xf32>
  }
  %s2 = scf.for %i2 = %zero to %n step %one iter_args(%acc2 = %s1) -> (tensor<64x64xf32>) : i32 {
    %rows2 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels2 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum2 = arith.addi %rows2, %channels2 : tensor<64x32xi32>
    %pitches2 = arith.constant dense<5> : tensor<64x32xi32>
    %more2 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %all2 = arith.addi %sum2, %more2 : tensor<64x32xi32>
    %at2 = arith.muli %all2, %pitches2 : tensor<64x32xi32>
    %base2 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p2 = tile.addptr %base2, %at2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places2 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q2 = tile.addptr %p2, %places2 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a2 = tile.load %q2 : tensor<64x32x!tile.ptr<f16>>
    %d2 = tile.dot %a2, %b, %acc2 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d2 : tensor<64x64xf32>
  }
  %s3 = scf.for %i3 = %zero to %n step %one iter_args(%acc3 = %s2) -> (tensor<64x64xf32>) : i32 {
    %rows3 = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x32xi32>
    %channels3 = tile.broadcast %channel : tensor<1x32xi32> -> tensor<64x32xi32>
    %sum3 = arith.addi %rows3, %channels3 : tensor<64x32xi32>
    %pitches3 = arith.constant dense<5> : tensor<64x32xi32>
    %more3 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %all3 = arith.addi %sum3, %more3 : tensor<64x32xi32>
    %at3 = arith.muli %all3, %pitches3 : tensor<64x32xi32>
    %base3 = tile.splat %x : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
    %p3 = tile.addptr %base3, %at3 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %places3 = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
    %q3 = tile.addptr %p3, %places3 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %a3 = tile.load %q3 : tensor<64x32x!tile.ptr<f16>>
    %d3 = tile.dot %a3, %b, %acc3 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d3 : tensor<64x64xf32>
  }
  tile.return %s3 : tensor<64x64xf32>
}

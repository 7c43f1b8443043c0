// Floats become integers of 8 bits as Triton makes them: by way of 16 bits, of which the low half stays. Other integers are saturated.
//
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
// RUN: tile-opt %s --convert-triton-to-tile --tile-to-nvvm=arch=sm_90a | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: tile.func @bytes
// CHECK: %[[W:.*]] = arith.fptosi %{{.*}} : tensor<128xf32> to tensor<128xi16>
// CHECK: arith.trunci %[[W]] : tensor<128xi16> to tensor<128xi8>
// CHECK: %[[U:.*]] = arith.fptoui %{{.*}} : tensor<128xf32> to tensor<128xi16>
// CHECK: arith.trunci %[[U]] : tensor<128xi16> to tensor<128xi8>
// CHECK: arith.fptosi %{{.*}} : tensor<128xf32> to tensor<128xi16>
// CHECK-NOT: arith.trunci
// CHECK: arith.fptosi %{{.*}} : f32 to i32
// PTX: cvt.rzi.s16.f32
// PTX-NOT: s8.f32
// PTX: cvt.rzi.u16.f32
// PTX-NOT: u8.f32
tt.func public @bytes(%x: !tt.ptr<f32>, %out: !tt.ptr<i8>, %wide: !tt.ptr<i16>, %one: !tt.ptr<i32>, %f: f32) {
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %v = tt.load %xp : tensor<128x!tt.ptr<f32>>
  %a = arith.fptosi %v : tensor<128xf32> to tensor<128xi8>
  %b = arith.fptoui %v : tensor<128xf32> to tensor<128xi8>
  %c = arith.xori %a, %b : tensor<128xi8>
  %os = tt.splat %out : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>>
  %op = tt.addptr %os, %i : tensor<128x!tt.ptr<i8>>, tensor<128xi32>
  tt.store %op, %c : tensor<128x!tt.ptr<i8>>
  %w = arith.fptosi %v : tensor<128xf32> to tensor<128xi16>
  %ws = tt.splat %wide : !tt.ptr<i16> -> tensor<128x!tt.ptr<i16>>
  %wp = tt.addptr %ws, %i : tensor<128x!tt.ptr<i16>>, tensor<128xi32>
  tt.store %wp, %w : tensor<128x!tt.ptr<i16>>
  %n = arith.fptosi %f : f32 to i32
  tt.store %one, %n : !tt.ptr<i32>
  tt.return
}

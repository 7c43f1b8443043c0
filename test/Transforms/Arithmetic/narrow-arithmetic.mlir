// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-narrow-arithmetic,cse,canonicalize))' | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefix=SAME
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s --check-prefix=SAME %}
// SAME: largest error 0, relative 0, in 1 comparison

// Four bits less their zero, which are integers, times a scale that was f16.
// CHECK-LABEL: tile.func private @weights
// CHECK-SAME: (%[[BITS:.*]]: tensor<16x64xi8>, %[[ZERO:.*]]: tensor<16x1xi8>, %[[SCALE:.*]]: tensor<16x1xf16>)
// CHECK-DAG: %[[N:.*]] = arith.uitofp %[[BITS]] : tensor<16x64xi8> to tensor<16x64xf16>
// CHECK-DAG: %[[Z:.*]] = arith.uitofp %[[ZERO]] : tensor<16x1xi8> to tensor<16x1xf16>
// CHECK-DAG: %[[ZS:.*]] = tile.broadcast %[[Z]] : tensor<16x1xf16> -> tensor<16x64xf16>
// CHECK-DAG: %[[D:.*]] = arith.subf %[[N]], %[[ZS]] : tensor<16x64xf16>
// CHECK-DAG: %[[S:.*]] = tile.broadcast %[[SCALE]] : tensor<16x1xf16> -> tensor<16x64xf16>
// CHECK: %[[Y:.*]] = arith.mulf %[[D]], %[[S]] : tensor<16x64xf16>
// CHECK: tile.return %[[Y]]
tile.func private @weights(%bits: tensor<16x64xi8>, %zero: tensor<16x1xi8>, %scale: tensor<16x1xf16>) -> tensor<16x64xf16> {
  %n = arith.uitofp %bits : tensor<16x64xi8> to tensor<16x64xf32>
  %z = arith.uitofp %zero : tensor<16x1xi8> to tensor<16x1xf32>
  %zs = tile.broadcast %z : tensor<16x1xf32> -> tensor<16x64xf32>
  %d = arith.subf %n, %zs : tensor<16x64xf32>
  %s = arith.extf %scale : tensor<16x1xf16> to tensor<16x1xf32>
  %ss = tile.broadcast %s : tensor<16x1xf32> -> tensor<16x64xf32>
  %y = arith.mulf %d, %ss : tensor<16x64xf32>
  %narrow = arith.truncf %y : tensor<16x64xf32> to tensor<16x64xf16>
  tile.return %narrow : tensor<16x64xf16>
}

// e4m3 in bf16, and an eighth, which bf16 has.
// CHECK-LABEL: tile.func private @bytes
// CHECK: %[[EIGHTH:.*]] = arith.constant dense<1.250000e-01> : tensor<64xbf16>
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : tensor<64xf8E4M3FN> to tensor<64xbf16>
// CHECK: arith.mulf %[[W]], %[[EIGHTH]] : tensor<64xbf16>
// CHECK-NOT: truncf
tile.func private @bytes(%x: tensor<64xf8E4M3FN>) -> tensor<64xbf16> {
  %w = arith.extf %x : tensor<64xf8E4M3FN> to tensor<64xf32>
  %eighth = arith.constant dense<0.125> : tensor<64xf32>
  %y = arith.mulf %w, %eighth : tensor<64xf32>
  %narrow = arith.truncf %y : tensor<64xf32> to tensor<64xbf16>
  tile.return %narrow : tensor<64xbf16>
}

// Rounded twice, or f32 of its own, or more than bf16 has bits for, or wanted as f32, too, or f16 in bf16: as it is.
// CHECK-LABEL: tile.func private @others
// CHECK-COUNT-5: arith.truncf
tile.func private @others(%x: tensor<64xf16>, %f: tensor<64xf32>, %i: tensor<64xi16>, %b: tensor<64xbf16>)
    -> (tensor<64xf16>, tensor<64xf16>, tensor<64xbf16>, tensor<64xf16>, tensor<64xf32>, tensor<64xbf16>) {
  %w = arith.extf %x : tensor<64xf16> to tensor<64xf32>
  %square = arith.mulf %w, %w : tensor<64xf32>
  %cube = arith.mulf %square, %w : tensor<64xf32>
  %one = arith.truncf %cube : tensor<64xf32> to tensor<64xf16>
  %scaled = arith.mulf %w, %f : tensor<64xf32>
  %two = arith.truncf %scaled : tensor<64xf32> to tensor<64xf16>
  %n = arith.sitofp %i : tensor<64xi16> to tensor<64xf32>
  %v = arith.extf %b : tensor<64xbf16> to tensor<64xf32>
  %m = arith.mulf %n, %v : tensor<64xf32>
  %three = arith.truncf %m : tensor<64xf32> to tensor<64xbf16>
  %sum = arith.addf %w, %w : tensor<64xf32>
  %four = arith.truncf %sum : tensor<64xf32> to tensor<64xf16>
  %mixed = arith.addf %w, %v : tensor<64xf32>
  %five = arith.truncf %mixed : tensor<64xf32> to tensor<64xbf16>
  tile.return %one, %two, %three, %four, %sum, %five
      : tensor<64xf16>, tensor<64xf16>, tensor<64xbf16>, tensor<64xf16>, tensor<64xf32>, tensor<64xbf16>
}

// Every product, sum and difference of 2^16 pairs, by f64 and by f32 that the pass narrows.
tile.func @narrow(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %out: !tile.ptr<f16>) {
  tile.grid() {
    %n = arith.constant 64 : i32
    tile.yield %n : i32
  }
  %i = tile.expr program_id(x) * 1024 + arange(1024)
  %xp = tile.expr %x + %i
  %yp = tile.expr %y + %i
  %a = tile.load %xp
  %b = tile.load %yp
  %p = tile.expr f16(f32(%a) * f32(%b))
  %s = tile.expr f16(f32(%a) + f32(%b))
  %d = tile.expr f16(f32(%a) - f32(%b))
  %op = tile.expr %out + %i * 3
  tile.store %op, %p
  %op1 = tile.expr %op + 1
  tile.store %op1, %s
  %op2 = tile.expr %op + 2
  tile.store %op2, %d
  tile.return
}

tile.func @want(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %out: !tile.ptr<f16>) {
  tile.grid() {
    %n = arith.constant 64 : i32
    tile.yield %n : i32
  }
  %i = tile.expr program_id(x) * 1024 + arange(1024)
  %xp = tile.expr %x + %i
  %yp = tile.expr %y + %i
  %a = tile.load %xp
  %b = tile.load %yp
  %p = tile.expr f16(f32(f64(%a) * f64(%b)))
  %s = tile.expr f16(f32(f64(%a) + f64(%b)))
  %d = tile.expr f16(f32(f64(%a) - f64(%b)))
  %op = tile.expr %out + %i * 3
  tile.store %op, %p
  %op1 = tile.expr %op + 1
  tile.store %op1, %s
  %op2 = tile.expr %op + 2
  tile.store %op2, %d
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<65536xf16>
  %y = tile_host.random() seed 2 : () -> memref<65536xf16>
  %out = tile_host.alloc() : () -> memref<196608xf16>
  %wanted = tile_host.alloc() : () -> memref<196608xf16>
  tile_host.launch @narrow(%x, %y, %out) : memref<65536xf16>, memref<65536xf16>, memref<196608xf16>
  tile_host.launch @want(%x, %y, %wanted) : memref<65536xf16>, memref<65536xf16>, memref<196608xf16>
  tile_host.expect_close %out, %wanted : memref<196608xf16>, memref<196608xf16>
  return
}

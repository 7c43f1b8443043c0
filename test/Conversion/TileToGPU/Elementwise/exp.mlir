// RUN: tile-opt %s --tile-to-nvvm=arch=sm_90a | FileCheck %s

// The exponential of what is 0 at most has h rounded down: 2^h + r 2^h, no limits.
// CHECK-LABEL: llvm.func @row
tile.func @row(%in: !tile.ptr<f32>, %out: !tile.ptr<f32>) meta {num_warps = 1} {
  // CHECK: "mul.rm.f32 $0, $1, $2;"
  // CHECK: "fma.rn.sat.f32 $0, $1, $2, $3;"
  // CHECK: "llvm.exp2"
  // CHECK-NOT: fmul
  // CHECK: llvm.return
  %at = tile.expr arange(32)
  %x_ptrs = tile.expr %in + %at
  %x = tile.load %x_ptrs
  %max = tile.reduce max %x axis 0
  %e = tile.expr math.exp(%x - %max)
  %out_ptrs = tile.expr %out + %at
  tile.store %out_ptrs, %e
  tile.return
}

// So has that of a difference from what is at least a maximum, which an online softmax carries.
// CHECK-LABEL: llvm.func @steps
// CHECK: "mul.rm.f32 $0, $1, $2;"
// CHECK: "mul.rm.f32 $0, $1, $2;"
// CHECK: llvm.return
tile.func @steps(%in: !tile.ptr<f32>, %out: !tile.ptr<f32>, %before: f32) meta {num_warps = 1} {
  %at = tile.expr arange(32)
  %x_ptrs = tile.expr %in + %at
  %x = tile.load %x_ptrs
  %max = tile.reduce max %x axis 0
  %higher = arith.maximumf %max, %before : f32
  %scale = tile.expr math.exp(%before - %higher)
  %e = tile.expr math.exp(%x - %higher) * %scale
  %out_ptrs = tile.expr %out + %at
  tile.store %out_ptrs, %e
  tile.return
}

// CHECK-LABEL: llvm.func @size
// CHECK: "mul.rm.f32 $0, $1, $2;"
// CHECK: llvm.return
tile.func @size(%in: !tile.ptr<f32>, %out: !tile.ptr<f32>) meta {num_warps = 1} {
  %at = tile.expr arange(32)
  %x_ptrs = tile.expr %in + %at
  %x = tile.load %x_ptrs
  %e = tile.expr math.exp(-math.absf(%x) * 0.5)
  %out_ptrs = tile.expr %out + %at
  tile.store %out_ptrs, %e
  tile.return
}

// Of rows, whose maximum comes back along the dimension that it was taken along.
// CHECK-LABEL: llvm.func @rows
// CHECK: "mul.rm.f32 $0, $1, $2;"
// CHECK: llvm.return
tile.func @rows(%in: !tile.ptr<f32>, %out: !tile.ptr<f32>) meta {num_warps = 1} {
  %i = tile.expr arange(8)
  %at = tile.expr col(%i) * 8 + row(%i)
  %x_ptrs = tile.expr %in + %at
  %x = tile.load %x_ptrs
  %max = tile.reduce max %x axis 1
  %e = tile.expr math.exp(%x - col(%max))
  %out_ptrs = tile.expr %out + %at
  tile.store %out_ptrs, %e
  tile.return
}

// Along another it is the maximum of other elements.
// CHECK-LABEL: llvm.func @turned
// CHECK-NOT: mul.rm.f32
// CHECK: llvm.return
tile.func @turned(%in: !tile.ptr<f32>, %out: !tile.ptr<f32>) meta {num_warps = 1} {
  %i = tile.expr arange(8)
  %at = tile.expr col(%i) * 8 + row(%i)
  %x_ptrs = tile.expr %in + %at
  %x = tile.load %x_ptrs
  %max = tile.reduce max %x axis 0
  %e = tile.expr math.exp(%x - col(%max))
  %out_ptrs = tile.expr %out + %at
  tile.store %out_ptrs, %e
  tile.return
}

// A sum is no maximum, and a maximum of others is none of these.
// CHECK-LABEL: llvm.func @others
// CHECK-NOT: mul.rm.f32
// CHECK: llvm.return
tile.func @others(%in: !tile.ptr<f32>, %out: !tile.ptr<f32>, %before: f32) meta {num_warps = 1} {
  %at = tile.expr arange(32)
  %x_ptrs = tile.expr %in + %at
  %x = tile.load %x_ptrs
  %y_ptrs = tile.expr %in + %at + 32
  %y = tile.load %y_ptrs
  %max = tile.reduce max %y axis 0
  %sum = tile.reduce add %x axis 0
  %e = tile.expr math.exp(%x - %max) + math.exp(%x - %sum) + math.exp(%max - %y) + math.exp(-%before)
  %out_ptrs = tile.expr %out + %at
  tile.store %out_ptrs, %e
  tile.return
}

// The lesser of two is 0 at most where one of them is. A minimum that drops a NaN may be the other one: there
// both have to be, or one a number.
// CHECK-LABEL: llvm.func @lesser
// CHECK-COUNT-3: mul.rm.f32
// CHECK: llvm.return
tile.func @lesser(%out: !tile.ptr<f32>, %x: f32, %y: f32) meta {num_warps = 1} {
  %zero = arith.constant 0.0 : f32
  %below = arith.minimumf %x, %zero : f32
  %size = tile.expr -math.absf(%x)
  %a = arith.minimumf %size, %y : f32
  %b = arith.minnumf %y, %zero : f32
  %c = arith.minnumf %size, %below : f32
  %e = tile.expr math.exp(%a) + math.exp(%b) + math.exp(%c)
  tile.store %out, %e : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: llvm.func @dropped
// CHECK-NOT: mul.rm.f32
// CHECK: llvm.return
tile.func @dropped(%out: !tile.ptr<f32>, %x: f32, %y: f32) meta {num_warps = 1} {
  %size = tile.expr -math.absf(%x)
  %a = arith.minnumf %size, %y : f32
  %b = arith.minnumf %y, %size : f32
  %e = tile.expr math.exp(%a) + math.exp(%b)
  tile.store %out, %e : !tile.ptr<f32>
  tile.return
}

// Products of microscaled operands become products of bf16, or of f16 where one operand is f16.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
//
// The numbers of e2m1 and their scales, beside the table of the format (OCP MX 1.0, table 5).
// RUN: tile-run %S/Inputs/dot-scaled.ttir --kernel lhs --target=cpu --repeat 1 --grid 1 --arg zeros:f32[16x32]:out=lhs.npy
// RUN: tile-run %S/Inputs/dot-scaled.ttir --kernel rhs --target=cpu --repeat 1 --grid 1 --arg zeros:f32[32x16]:out=rhs.npy
// RUN: split-file %s %t && tile-run numbers.mlir --target=cpu
//
// And on tensor cores.
// RUN: tile-run %S/Inputs/dot-scaled.ttir --kernel lhs --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32

// CHECK-LABEL: tile.func @eight_bits
// CHECK-DAG: %[[A:.*]] = arith.extf %{{.*}} : tensor<64x64xf8E4M3FN> to tensor<64x64xbf16>
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<255> : tensor<64x2xi16>
// CHECK: %[[NAN:.*]] = arith.cmpi eq, %{{.*}}, %[[ONES]]
// CHECK: arith.select %[[NAN]]
// CHECK: tile.reshape %{{.*}} : tensor<64x2x32xbf16> -> tensor<64x64xbf16>
// CHECK: %[[X:.*]] = arith.mulf %[[A]], %{{.*}} : tensor<64x64xbf16>
// CHECK: tile.dot %[[X]], %{{.*}}, %{{.*}} : tensor<64x64xbf16>, tensor<64x32xbf16> -> tensor<64x32xf32>
tt.func public @eight_bits(%pa: tensor<64x64x!tt.ptr<f8E4M3FN>>, %ps: tensor<64x2x!tt.ptr<i8>>,
                           %pb: tensor<64x32x!tt.ptr<f8E5M2>>, %pd: tensor<64x32x!tt.ptr<f32>>) {
  %a = tt.load %pa : tensor<64x64x!tt.ptr<f8E4M3FN>>
  %s = tt.load %ps : tensor<64x2x!tt.ptr<i8>>
  %b = tt.load %pb : tensor<64x32x!tt.ptr<f8E5M2>>
  %c = tt.load %pd : tensor<64x32x!tt.ptr<f32>>
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<64x64xf8E4M3FN>, tensor<64x2xi8> * tensor<64x32xf8E5M2> -> tensor<64x32xf32>
  tt.store %pd, %d : tensor<64x32x!tt.ptr<f32>>
  tt.return
}

// Scales of NVFP4 are numbers, and each stands for 16 others. Of four bits all cases are one product.
// CHECK-LABEL: tile.func @number_scales
// CHECK-DAG: %[[BIASES:.*]] = arith.constant dense<8.50{{.*}}e+37> : tensor<64x32xbf16>
// CHECK-NOT: arith.select
// CHECK: arith.mulf %{{.*}}, %[[BIASES]] : tensor<64x32xbf16>
// CHECK-NOT: arith.select
// CHECK: arith.extf %{{.*}} : tensor<64x4xf8E4M3FN> to tensor<64x4xbf16>
// CHECK: tile.reshape %{{.*}} : tensor<64x4x16xbf16> -> tensor<64x64xbf16>
tt.func public @number_scales(%pa: tensor<64x32x!tt.ptr<i8>>, %ps: tensor<64x4x!tt.ptr<f8E4M3FN>>,
                              %pb: tensor<64x32x!tt.ptr<bf16>>, %pd: tensor<64x32x!tt.ptr<f32>>) {
  %a = tt.load %pa : tensor<64x32x!tt.ptr<i8>>
  %s = tt.load %ps : tensor<64x4x!tt.ptr<f8E4M3FN>>
  %b = tt.load %pb : tensor<64x32x!tt.ptr<bf16>>
  %c = tt.load %pd : tensor<64x32x!tt.ptr<f32>>
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<64x32xi8>, tensor<64x4xf8E4M3FN> * tensor<64x32xbf16> -> tensor<64x32xf32>
  tt.store %pd, %d : tensor<64x32x!tt.ptr<f32>>
  tt.return
}

//--- numbers.mlir
memref.global "private" constant @e2m1 : memref<16xf32> = dense<[
  0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]>

func.func @main() {
  %lhs = tile_host.read "lhs.npy" : memref<16x32xf32>
  %rhs = tile_host.read "rhs.npy" : memref<32x16xf32>
  %rows = tile_host.alloc() : () -> memref<16x32xf32>
  %columns = tile_host.alloc() : () -> memref<32x16xf32>
  %e2m1 = memref.get_global @e2m1 : memref<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %two = arith.constant 2.0 : f32
  %start = arith.constant 0.0078125 : f32
  %end = scf.for %m = %c0 to %c16 step %c1 iter_args(%scale = %start) -> f32 {
    scf.for %j = %c0 to %c16 step %c1 {
      %even = arith.muli %j, %c2 : index
      %odd = arith.addi %even, %c1 : index
      %low = memref.load %e2m1[%m] : memref<16xf32>
      %high = memref.load %e2m1[%j] : memref<16xf32>
      %x = arith.mulf %low, %scale : f32
      %y = arith.mulf %high, %scale : f32
      memref.store %x, %rows[%m, %even] : memref<16x32xf32>
      memref.store %y, %rows[%m, %odd] : memref<16x32xf32>
      memref.store %x, %columns[%even, %m] : memref<32x16xf32>
      memref.store %y, %columns[%odd, %m] : memref<32x16xf32>
    }
    %next = arith.mulf %scale, %two : f32
    scf.yield %next : f32
  }
  tile_host.expect_close %lhs, %rows : memref<16x32xf32>, memref<16x32xf32>
  tile_host.expect_close %rhs, %columns : memref<32x16xf32>, memref<32x16xf32>
  return
}

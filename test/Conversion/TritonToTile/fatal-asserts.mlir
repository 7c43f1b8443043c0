// Whoever launches a kernel says on the module that nobody waits to hear of its asserts.
//
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_90a | FileCheck %s --check-prefix=NVVM

// CHECK-LABEL: tile.func @inside
// CHECK: tile.assert %{{.*}}, "index out of bounds" fatal : tensor<64xi1>
// CHECK: tile.assert %{{.*}}, "some" fatal : i1

// NVVM-NOT: @__tile_console
// NVVM-DAG: llvm.mlir.global internal constant @{{.*}}("index out of bounds\00")
// NVVM-DAG: llvm.mlir.global internal constant @{{.*}}("table.py\00")
// NVVM-LABEL: llvm.func @inside
// NVVM: %[[LINE:.*]] = llvm.mlir.constant(7 : i32)
// NVVM: llvm.call @__assertfail(%{{.*}}, %{{.*}}, %[[LINE]], %{{.*}}, %{{.*}})
module attributes {tt.fatal_asserts = true} {
  tt.func public @inside(%table: !tt.ptr<f32>, %at: !tt.ptr<i32>, %out: !tt.ptr<f32>, %n: i32) {
    %lane = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %ats = tt.splat %at : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %atp = tt.addptr %ats, %lane : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %index = tt.load %atp : tensor<64x!tt.ptr<i32>>
    %limit = tt.splat %n : i32 -> tensor<64xi32>
    %in = arith.cmpi ult, %index, %limit : tensor<64xi32>
    tt.assert %in, "index out of bounds" : tensor<64xi1> loc("table.py":7:3)
    %zero = arith.constant 0 : i32
    %some = arith.cmpi sgt, %n, %zero : i32
    tt.assert %some, "some" : i1
    %tables = tt.splat %table : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %p = tt.addptr %tables, %index : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %x = tt.load %p : tensor<64x!tt.ptr<f32>>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %outp = tt.addptr %outs, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %outp, %x : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}

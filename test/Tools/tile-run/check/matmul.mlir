// Example 3 of the tutorials, 3 x 4 by 4 x 5 in blocks of 16, whose loads have no mask ("don't we
// need mask when loading a & b?"): most lanes read behind the arrays. They read nothing, the run
// goes on, and each access is one finding.
//
// RUN: not tile-run %s --check 2>&1 | FileCheck %s
// RUN: not tile-run %s --check --check-limit 1 2>&1 | FileCheck %s --check-prefix=LIMIT

// CHECK: matmul.mlir:[[#A:]]:10: error: expected an element of %a_ptr (3x4xf32), 0 to 11, found element 12 read by program (0, 0, 0) at 232 lanes from [0, 12] to [15, 15]
// CHECK-NEXT: %a = tile.load
// CHECK-NEXT: {{^ +\^~+$}}
// CHECK: matmul.mlir:[[#B:]]:10: error: expected an element of %b_ptr (4x5xf32), 0 to 19, found element 20 read by program (0, 0, 0) at 210 lanes from [1, 15] to [15, 15]
// CHECK: check: 1 launch, 1 program: 2 errors, 0 warnings, 2 of them printed above
// CHECK-NEXT: 1 outside of the array tile.load at {{.*}}matmul.mlir:[[#A]]:10
// CHECK-NEXT: 1 outside of the array tile.load at {{.*}}matmul.mlir:[[#B]]:10

// LIMIT: %a_ptr
// LIMIT-NOT: %b_ptr
// LIMIT: 2 errors, 0 warnings, 1 of them printed above

tile.func private @get_1d_offset(%chunks: i32) -> tensor<16xi32> {
  %size = arith.constant 16 : i32
  %first = arith.muli %chunks, %size : i32
  %firsts = tile.splat %first : i32 -> tensor<16xi32>
  %lanes = tile.arange : tensor<16xi32>
  %offs = arith.addi %firsts, %lanes : tensor<16xi32>
  tile.return %offs : tensor<16xi32>
}

tile.func private @get_2d_offset(%offs_0: tensor<16xi32>, %offs_1: tensor<16xi32>, %stride_0: i32)
    -> tensor<16x16xi32> {
  %rows = tile.expand_dims %offs_0 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %strides = tile.splat %stride_0 : i32 -> tensor<16x1xi32>
  %starts = arith.muli %rows, %strides : tensor<16x1xi32>
  %columns = tile.expand_dims %offs_1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %i = tile.broadcast %starts : tensor<16x1xi32> -> tensor<16x16xi32>
  %j = tile.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
  %offs = arith.addi %i, %j : tensor<16x16xi32>
  tile.return %offs : tensor<16x16xi32>
}

tile.func private @get_2d_mask(%offs_0: tensor<16xi32>, %offs_1: tensor<16xi32>, %max_0: i32,
                               %max_1: i32) -> tensor<16x16xi1> {
  %ends_0 = tile.splat %max_0 : i32 -> tensor<16xi32>
  %ends_1 = tile.splat %max_1 : i32 -> tensor<16xi32>
  %in_0 = arith.cmpi slt, %offs_0, %ends_0 : tensor<16xi32>
  %in_1 = arith.cmpi slt, %offs_1, %ends_1 : tensor<16xi32>
  %rows = tile.expand_dims %in_0 axis 1 : tensor<16xi1> -> tensor<16x1xi1>
  %columns = tile.expand_dims %in_1 axis 0 : tensor<16xi1> -> tensor<1x16xi1>
  %i = tile.broadcast %rows : tensor<16x1xi1> -> tensor<16x16xi1>
  %j = tile.broadcast %columns : tensor<1x16xi1> -> tensor<16x16xi1>
  %in = arith.andi %i, %j : tensor<16x16xi1>
  tile.return %in : tensor<16x16xi1>
}

tile.func @naive_matmul(%a_ptr: !tile.ptr<f32>, %b_ptr: !tile.ptr<f32>, %c_ptr: !tile.ptr<f32>,
                        %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %block = arith.constant 16 : i32
    %x = arith.ceildivsi %m, %block : i32
    %y = arith.ceildivsi %n, %block : i32
    tile.yield %x, %y : i32, i32
  }
  %pid_m = tile.program_id x
  %pid_n = tile.program_id y
  %zero = arith.constant 0 : i32
  %bk = arith.constant 16 : i32
  %rm = tile.call @get_1d_offset(%pid_m) : (i32) -> tensor<16xi32>
  %rn = tile.call @get_1d_offset(%pid_n) : (i32) -> tensor<16xi32>
  %rk = tile.call @get_1d_offset(%zero) : (i32) -> tensor<16xi32>
  %offs_a = tile.call @get_2d_offset(%rm, %rk, %k) : (tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16x16xi32>
  %offs_b = tile.call @get_2d_offset(%rk, %rn, %n) : (tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16x16xi32>
  %as = tile.splat %a_ptr : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %bs = tile.splat %b_ptr : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %first_a = tile.addptr %as, %offs_a : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  %first_b = tile.addptr %bs, %offs_b : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  %acc_0 = arith.constant dense<0.0> : tensor<16x16xf32>
  %step_b = arith.muli %bk, %n : i32
  %steps_a = tile.splat %bk : i32 -> tensor<16x16xi32>
  %steps_b = tile.splat %step_b : i32 -> tensor<16x16xi32>
  %sum:3 = scf.for %at = %zero to %k step %bk
      iter_args(%pa = %first_a, %pb = %first_b, %acc = %acc_0)
      -> (tensor<16x16x!tile.ptr<f32>>, tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>) : i32 {
    %a = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
    %b = tile.load %pb : tensor<16x16x!tile.ptr<f32>>
    %next = tile.dot %a, %b, %acc : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %next_a = tile.addptr %pa, %steps_a : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %next_b = tile.addptr %pb, %steps_b : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    scf.yield %next_a, %next_b, %next : tensor<16x16x!tile.ptr<f32>>, tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>
  }
  %offs_c = tile.call @get_2d_offset(%rm, %rn, %n) : (tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16x16xi32>
  %in = tile.call @get_2d_mask(%rm, %rn, %m, %n) : (tensor<16xi32>, tensor<16xi32>, i32, i32) -> tensor<16x16xi1>
  %cs = tile.splat %c_ptr : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %offs_c : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %pc, %sum#2, %in : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %m = arith.constant 3 : i32
  %n = arith.constant 5 : i32
  %k = arith.constant 4 : i32
  %one = arith.constant 1.0 : f32
  %a = tile_host.alloc() : () -> memref<3x4xf32>
  %b = tile_host.alloc() : () -> memref<4x5xf32>
  %c = tile_host.alloc() : () -> memref<3x5xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<3x4xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<4x5xf32>)
  tile_host.launch @naive_matmul(%a, %b, %c, %m, %n, %k)
      : memref<3x4xf32>, memref<4x5xf32>, memref<3x5xf32>, i32, i32, i32
  return
}

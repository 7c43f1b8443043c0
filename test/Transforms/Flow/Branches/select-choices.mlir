// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-select-choices))' | FileCheck %s

// A mean begins in a branch of the first step: both are computed, and one is chosen.
// CHECK-LABEL: tile.func private @mean
// CHECK-NOT: scf.if
// CHECK: %[[D:.*]] = arith.subf %arg0, %arg1 : tensor<8xf32>
// CHECK: %[[M:.*]] = arith.addf %arg1, %[[D]] : tensor<8xf32>
// CHECK: %[[X:.*]] = arith.select %arg2, %arg0, %[[M]] : tensor<8xf32>
// CHECK: %[[Y:.*]] = arith.select %arg2, %arg1, %[[D]] : tensor<8xf32>
// CHECK: tile.return %[[X]], %[[Y]]
tile.func private @mean(%x: tensor<8xf32>, %mean: tensor<8xf32>, %first: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  %a, %b = scf.if %first -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %x, %mean : tensor<8xf32>, tensor<8xf32>
  } else {
    %d = arith.subf %x, %mean : tensor<8xf32>
    %m = arith.addf %mean, %d : tensor<8xf32>
    scf.yield %m, %d : tensor<8xf32>, tensor<8xf32>
  }
  tile.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// What takes longer is left to its branch, and so is what reads memory.
// CHECK-LABEL: tile.func private @long
// CHECK-COUNT-2: scf.if
tile.func private @long(%x: tensor<8xf32>, %p: tensor<8x!tile.ptr<f32>>, %first: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = scf.if %first -> (tensor<8xf32>) {
    scf.yield %x : tensor<8xf32>
  } else {
    %y = math.erf %x : tensor<8xf32>
    %z = math.powf %y, %x : tensor<8xf32>
    scf.yield %z : tensor<8xf32>
  }
  %b = scf.if %first -> (tensor<8xf32>) {
    scf.yield %x : tensor<8xf32>
  } else {
    %v = tile.load %p : tensor<8x!tile.ptr<f32>>
    scf.yield %v : tensor<8xf32>
  }
  tile.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

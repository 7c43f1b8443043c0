// --break prints every value of one program, op by op: here of the second of three, and of every
// iteration of its loop. Pointers are an array and offsets.
//
// (AddressSanitizer warns of makecontext, where kernels run; that is no word of tile-run's.)
// RUN: tile-run %s --break pid=1,0 | FileCheck %s
// RUN: tile-run %s --break pid=1 --check 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: tile-run %s --break pid=9 2>&1 | grep -v makecontext | FileCheck %s --check-prefix=NONE --implicit-check-not=:
// NONE: break.mlir: warning: expected a launch with program (9, 0, 0), found none

// CHECK: program (1, 0, 0) of sum:
// CHECK-NEXT: break.mlir:[[#]]:10: %pid = tile.program_id : i32 = 1
// CHECK-NEXT: break.mlir:[[#]]:13: %offset = arith.muli : i32 = 6
// CHECK-NEXT: break.mlir:[[#]]:10: %row = tile.addptr : !tile.ptr<f32> = %x + 6
// CHECK-NEXT: break.mlir:[[#]]:11: %lane = tile.arange : tensor<2xi32> = [0 1]
// CHECK-NEXT: break.mlir:[[#]]:8: %p = tile.splat : tensor<2x!tile.ptr<f32>> = %x + [6 6]
// CHECK-NEXT: break.mlir:[[#]]:12: %first = tile.addptr : tensor<2x!tile.ptr<f32>> = %x + [6 7]
// CHECK-NEXT: break.mlir:[[#]]:11: %none = arith.constant : tensor<2xf32> = [0 0]
// CHECK-NEXT: break.mlir:[[#]]:10: %two = arith.constant : tensor<2xi32> = [2 2]
// CHECK-NEXT: break.mlir:[[#]]:13: scf.for at i32 = 0
// CHECK-NEXT: break.mlir:[[#]]:10: %v = tile.load : tensor<2xf32> = [7 8]
// CHECK-NEXT: break.mlir:[[#]]:13: %next = arith.addf : tensor<2xf32> = [7 8]
// CHECK-NEXT: break.mlir:[[#]]:15: %behind = tile.addptr : tensor<2x!tile.ptr<f32>> = %x + [8 9]
// CHECK-NEXT: break.mlir:[[#]]:13: scf.for at i32 = 1
// CHECK-NEXT: break.mlir:[[#]]:10: %v = tile.load : tensor<2xf32> = [ 9 10]
// CHECK-NEXT: break.mlir:[[#]]:13: %next = arith.addf : tensor<2xf32> = [16 18]
// CHECK-NEXT: break.mlir:[[#]]:15: %behind = tile.addptr : tensor<2x!tile.ptr<f32>> = %x + [10 11]
// CHECK-NEXT: break.mlir:[[#]]:13: scf.for at i32 = 2
// CHECK-NEXT: break.mlir:[[#]]:10: %v = tile.load : tensor<2xf32> = [11 12]
// CHECK-NEXT: break.mlir:[[#]]:13: %next = arith.addf : tensor<2xf32> = [27 30]
// CHECK-NEXT: break.mlir:[[#]]:15: %behind = tile.addptr : tensor<2x!tile.ptr<f32>> = %x + [12 13]
// CHECK-NEXT: break.mlir:[[#]]:13: %sums#0 = scf.for : tensor<2xf32> = [27 30]
// CHECK-NEXT: break.mlir:[[#]]:13: %sums#1 = scf.for : tensor<2x!tile.ptr<f32>> = %x + [12 13]
// CHECK-NEXT: break.mlir:[[#]]:12: %total = tile.reduce : f32 = 57
// CHECK-NEXT: break.mlir:[[#]]:10: %out = tile.addptr : !tile.ptr<f32> = %z + 1
// CHECK-NEXT: break.mlir:[[#]]:3: tile.store
// CHECK-NEXT: break.mlir:[[#]]:13: %square = tile.reshape : tensor<1x2xf32>
// CHECK-NEXT: {{^\[\[27 30\]\]$}}
// CHECK-NEXT: break.mlir:[[#]]:13: %twelve = arith.constant : tensor<12x12xi8>
// CHECK-NEXT: {{^\[\[3 3 3 ... 3 3 3\]$}}
// CHECK-NEXT: {{^ \[3 3 3 ... 3 3 3\]$}}
// CHECK-NEXT: {{^ \[3 3 3 ... 3 3 3\]$}}
// CHECK-NEXT: {{^ ...$}}
// CHECK-NOT: program (
// BOTH: check: 1 launch, 3 programs: nothing found
tile.func @sum(%x: !tile.ptr<f32>, %z: !tile.ptr<f32>) {
  tile.grid() {
    %three = arith.constant 3 : i32
    tile.yield %three : i32
  }
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %six = arith.constant 6 : i32
  %pid = tile.program_id x
  %offset = arith.muli %pid, %six : i32
  %row = tile.addptr %x, %offset : !tile.ptr<f32>, i32
  %lane = tile.arange : tensor<2xi32>
  %p = tile.splat %row : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  %first = tile.addptr %p, %lane : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
  %none = arith.constant dense<0.0> : tensor<2xf32>
  %two = arith.constant dense<2> : tensor<2xi32>
  %sums:2 = scf.for %i = %zero to %three step %one iter_args(%sum = %none, %at = %first)
      -> (tensor<2xf32>, tensor<2x!tile.ptr<f32>>) : i32 {
    %v = tile.load %at : tensor<2x!tile.ptr<f32>>
    %next = arith.addf %sum, %v : tensor<2xf32>
    %behind = tile.addptr %at, %two : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
    scf.yield %next, %behind : tensor<2xf32>, tensor<2x!tile.ptr<f32>>
  }
  %total = tile.reduce add %sums#0 axis 0 : tensor<2xf32> -> f32
  %out = tile.addptr %z, %pid : !tile.ptr<f32>, i32
  tile.store %out, %total : !tile.ptr<f32>
  %square = tile.reshape %sums#0 : tensor<2xf32> -> tensor<1x2xf32>
  %twelve = arith.constant dense<3> : tensor<12x12xi8>
  tile.return
}

func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 18 : index
  %x = tile_host.alloc() : () -> memref<18xf32>
  scf.for %i = %zero to %end step %one {
    %next = arith.addi %i, %one : index
    %number = arith.index_cast %next : index to i32
    %value = arith.sitofp %number : i32 to f32
    memref.store %value, %x[%i] : memref<18xf32>
  }
  %z = tile_host.alloc() : () -> memref<3xf32>
  tile_host.launch @sum(%x, %z) : memref<18xf32>, memref<3xf32>
  return
}

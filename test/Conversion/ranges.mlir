// What follows from where a loop's counter ends is folded: of one tap, i / 8 is 0 and i % 8 is i. A copy of two steps
// ahead, whose counter is past that end, would otherwise be found to begin at any element.
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 --mlir-print-ir-after=tile-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-run %s --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --target=cpu | FileCheck %s --check-prefix=RAN
// RUN: %if gpu %{ tile-run %s --target=gpu | FileCheck %s --check-prefix=RAN %}

// CHECK-LABEL: tile.func @taps
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: tile.return
// PTX-COUNT-4: cp.async.cg.shared.global
// RAN: largest error
tile.func @taps(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f32>) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %acc = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %tap = arith.divsi %i, %c8 : i32
    %k = arith.remsi %i, %c8 : i32
    %xp = tile.expr %x + (col(arange(64)) * 256 + row(%k * 32 + arange(32)))
    %a = tile.load %xp
    %wp = tile.expr %w + (col(%k * 32 + arange(32) + %tap) + row(arange(64)) * 256)
    %b = tile.load %wp
    %next = tile.dot %a, %b, %sum
    scf.yield %next : tensor<64x64xf32>
  }
  %outp = tile.expr %out + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %outp, %acc
  tile.return
}

func.func @main() {
  %count = arith.constant 16384 : i32 // 64 rows of 256
  %results = arith.constant 4096 : i32
  %x = tile_host.random(%count) seed 1 -> memref<?xf16>
  %w = tile_host.random(%count) seed 2 -> memref<?xf16>
  %out = tile_host.alloc(%results) -> memref<?xf32>
  %want = tile_host.alloc(%results) -> memref<?xf64>
  tile_host.launch @taps(%x, %w, %out)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %row = arith.muli %i, %c256 : index
      %column = arith.muli %j, %c256 : index
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%s = %zero) -> f64 {
        %at_x = arith.addi %row, %k : index
        %at_w = arith.addi %column, %k : index
        %a = memref.load %x[%at_x] : memref<?xf16>
        %b = memref.load %w[%at_w] : memref<?xf16>
        %af = arith.extf %a : f16 to f64
        %bf = arith.extf %b : f16 to f64
        %ab = arith.mulf %af, %bf : f64
        %t = arith.addf %s, %ab : f64
        scf.yield %t : f64
      }
      %first = arith.muli %i, %c64 : index
      %at = arith.addi %first, %j : index
      memref.store %sum, %want[%at] : memref<?xf64>
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  return
}

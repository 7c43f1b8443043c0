// Products of whole tiles, without masks: nothing says where the arrays end. Two blocks share each of
// the few programs, and of either one warp group stores nothing, outside of the array.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 256 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 256 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 1024 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 1024 -D num_ctas=2 | FileCheck %s %}
// CHECK: in 1 comparison
// RUN: tile-run %s --args 1024 --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: selp.b32 {{.*}}, 2147483520,
// PTX: cp.async.bulk.tensor.2d.global.shared::cta

tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %n: i32)
    meta {num_warps = 8} {
  tile.grid = %n ceildiv 128, %n ceildiv 128
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = tile.expr 0 : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + ((program_id(x) * 128 + col(arange(128))) * %n + (%k + row(arange(64))))
    %pb = tile.expr %b + ((%k + col(arange(64))) * %n + (program_id(y) * 128 + row(arange(128))))
    %x = tile.load %pa
    %y = tile.load %pb
    %next = tile.dot %x, %y, %acc
    scf.yield %next : tensor<128x128xf32>
  }
  %h = tile.expr f16(%sum)
  %pc = tile.expr %c + ((program_id(x) * 128 + col(arange(128))) * %n + (program_id(y) * 128 + row(arange(128))))
  tile.store %pc, %h
  tile.return
}

func.func @main(%n: i32) {
  %a = tile_host.random(%n, %n) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%n, %n) seed 2 -> memref<?x?xf16>
  %c = tile_host.alloc(%n, %n) -> memref<?x?xf16>
  %want = tile_host.alloc(%n, %n) -> memref<?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%want : memref<?x?xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  tile_host.launch @product(%a, %b, %c, %n)
  tile_host.expect_close %c, %want {atol = 2.0e-2, rtol = 2.0e-3}
  return
}

// How many programs a multiprocessor has is told of a launch by powers of two, up to half of its warps: the fewer, the more steps a loop keeps
// on its way (the fake device has 132 of them).
// DEFINE: %{few} = env TILE_CUDA_DRIVER=%unit/FakeCudaDriver.so tile-run %s --emit=nvvm
// RUN: %{few} --args 2,4096 | FileCheck %s -D#BYTES=24576
// RUN: %{few} --args 264,4096 | FileCheck %s -D#BYTES=18432
// RUN: %{few} --args 528,4096 | FileCheck %s -D#BYTES=10240
// RUN: %{few} --args 1056,4096 | FileCheck %s -D#BYTES=0
// RUN: %{few} --args 8448,4096 | FileCheck %s -D#BYTES=0
// CHECK: shared_bytes = [[#BYTES]] :

tile.func @sums(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) meta {num_warps = 4} {
  %zero = arith.constant dense<0.0> : tensor<512xf32>
  %c0 = arith.constant 0 : i32
  %c512 = arith.constant 512 : i32
  %first = tile.expr program_id(x) * %n + arange(512)
  %r = scf.for %k = %c0 to %n step %c512 iter_args(%a = %zero) -> (tensor<512xf32>) : i32 {
    %p = tile.expr %x + (%first + %k)
    %v = tile.load %p
    %s = arith.addf %a, %v : tensor<512xf32>
    scf.yield %s : tensor<512xf32>
  }
  %to = tile.expr %y + (program_id(x) * 512 + arange(512))
  tile.store %to, %r
  tile.return
}
func.func @main(%programs: i32, %n: i32) {
  %c512 = arith.constant 512 : i32
  %e = arith.muli %programs, %n : i32
  %f = arith.muli %programs, %c512 : i32
  %ei = arith.index_cast %e : i32 to index
  %fi = arith.index_cast %f : i32 to index
  %x = memref.alloc(%ei) : memref<?xf32>
  %y = memref.alloc(%fi) : memref<?xf32>
  tile_host.launch @sums(%x, %y, %n) grid(%programs) : memref<?xf32>, memref<?xf32>, i32
  return
}

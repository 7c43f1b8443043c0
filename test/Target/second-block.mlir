// A kernel without dots that would have one block on a multiprocessor for a few registers too many is
// assembled again with a limit (tile/Target/Registers.h): of 512 threads, which hold 56 or 60
// registers of loads over a barrier, the second. The first has two blocks as it is, which leave it 64 registers:
// with these it is assembled again, too. A limit of the kernel's own stands.
//
// REQUIRES: ptxas
// RUN: tile-run %s --kernel some --resources --arch=sm_90a | FileCheck %s --check-prefix=SOME
// RUN: tile-run %s --kernel some --remarks --emit=cubin --arch=sm_90a -o %t.cubin 2>&1 | FileCheck %s --check-prefix=SOME-REMARK
// RUN: tile-run %s --kernel many --resources --arch=sm_90a | FileCheck %s --check-prefix=MANY
// RUN: tile-run %s --kernel many --remarks --emit=cubin --arch=sm_90a -o %t.cubin 2>&1 | FileCheck %s --check-prefix=MANY-REMARK
// RUN: tile-run %s --kernel many --emit=cubin --arch=sm_90a -o %t.cubin 2>&1 | count 0
// RUN: tile-run %s --kernel many -D maxnreg=96 --resources --arch=sm_90a | FileCheck %s --check-prefix=OWN
//
// SOME: 2 blocks a multiprocessor
// SOME-REMARK: remark: {{.*}}assembled{{.*}} with 64 registers a thread
// MANY: 2 blocks a multiprocessor
// MANY-REMARK: remark: assembled again with 64 registers a thread
// OWN: 1 blocks a multiprocessor

tile.func @some(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 16 : i32} {
  tile.grid() {
    %c1 = arith.constant 1 : i32
    tile.yield %c1 : i32
  }
  %i = tile.arange : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %i : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %next = arith.constant dense<4096> : tensor<4096xi32>
  %v0 = tile.load %p0 : tensor<4096x!tile.ptr<f32>>
  %p1 = tile.addptr %p0, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v1 = tile.load %p1 : tensor<4096x!tile.ptr<f32>>
  %p2 = tile.addptr %p1, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v2 = tile.load %p2 : tensor<4096x!tile.ptr<f32>>
  %p3 = tile.addptr %p2, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v3 = tile.load %p3 : tensor<4096x!tile.ptr<f32>>
  %p4 = tile.addptr %p3, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v4 = tile.load %p4 : tensor<4096x!tile.ptr<f32>>
  %p5 = tile.addptr %p4, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v5 = tile.load %p5 : tensor<4096x!tile.ptr<f32>>
  %p6 = tile.addptr %p5, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v6 = tile.load %p6 : tensor<4096x!tile.ptr<f32>>
  %p7 = tile.addptr %p6, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  tile.barrier
  tile.store %p7, %v0 : tensor<4096x!tile.ptr<f32>>
  tile.store %p6, %v1 : tensor<4096x!tile.ptr<f32>>
  tile.store %p5, %v2 : tensor<4096x!tile.ptr<f32>>
  tile.store %p4, %v3 : tensor<4096x!tile.ptr<f32>>
  tile.store %p3, %v4 : tensor<4096x!tile.ptr<f32>>
  tile.store %p2, %v5 : tensor<4096x!tile.ptr<f32>>
  tile.store %p1, %v6 : tensor<4096x!tile.ptr<f32>>
  tile.return
}

tile.func @many(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 16 : i32} {
  tile.grid() {
    %c1 = arith.constant 1 : i32
    tile.yield %c1 : i32
  }
  %i = tile.arange : tensor<4096xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %i : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %next = arith.constant dense<4096> : tensor<4096xi32>
  %v0 = tile.load %p0 : tensor<4096x!tile.ptr<f32>>
  %p1 = tile.addptr %p0, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v1 = tile.load %p1 : tensor<4096x!tile.ptr<f32>>
  %p2 = tile.addptr %p1, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v2 = tile.load %p2 : tensor<4096x!tile.ptr<f32>>
  %p3 = tile.addptr %p2, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v3 = tile.load %p3 : tensor<4096x!tile.ptr<f32>>
  %p4 = tile.addptr %p3, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v4 = tile.load %p4 : tensor<4096x!tile.ptr<f32>>
  %p5 = tile.addptr %p4, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v5 = tile.load %p5 : tensor<4096x!tile.ptr<f32>>
  %p6 = tile.addptr %p5, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v6 = tile.load %p6 : tensor<4096x!tile.ptr<f32>>
  %p7 = tile.addptr %p6, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %p8 = tile.addptr %p7, %next : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %j = tile.arange : tensor<2048xi32>
  %half = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %q = tile.addptr %half, %j : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %far = arith.constant dense<65536> : tensor<2048xi32>
  %r = tile.addptr %q, %far : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v7 = tile.load %r : tensor<2048x!tile.ptr<f32>>
  tile.barrier
  tile.store %p8, %v0 : tensor<4096x!tile.ptr<f32>>
  tile.store %p7, %v1 : tensor<4096x!tile.ptr<f32>>
  tile.store %p6, %v2 : tensor<4096x!tile.ptr<f32>>
  tile.store %p5, %v3 : tensor<4096x!tile.ptr<f32>>
  tile.store %p4, %v4 : tensor<4096x!tile.ptr<f32>>
  tile.store %p3, %v5 : tensor<4096x!tile.ptr<f32>>
  tile.store %p2, %v6 : tensor<4096x!tile.ptr<f32>>
  tile.store %q, %v7 : tensor<2048x!tile.ptr<f32>>
  tile.return
}

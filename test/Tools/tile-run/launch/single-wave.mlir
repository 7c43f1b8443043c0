// How many blocks the device has room for at a time is known of a launch by its grid: each program of an emitted kernel
// has a multiprocessor of an H100's 132, or two, or not.
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_90a --args 1,66 | FileCheck %s --check-prefix=TWO
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_90a --args 1,67 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_90a --args 2,66 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_90a --args 1,133 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_90a --args 65536,65536 | FileCheck %s --check-prefix=NONE
// As many programs as multiprocessors.
// RUN: tile-run %s --emit=tile --kernel resident --arch=sm_90a --args 1,1 | FileCheck %s --check-prefix=ONE
// TWO: tile.func @{{.*}} attributes {{.*}}tile_gpu.single_wave = 2 : i32
// ONE: tile.func @{{.*}} attributes {{.*}}tile_gpu.single_wave = 1 : i32

// Unknown without a launch. And nobody asks on the CPU, on a GPU whose warps have no roles, or for kernels without
// products.
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_90a | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --emit=tile --kernel product --target=cpu --args 1,1 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --emit=tile --kernel product --arch=sm_80 --args 1,1 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --emit=tile --kernel fill --arch=sm_90a --args 1,1 | FileCheck %s --check-prefix=NONE
// NONE: tile.func @
// NONE-NOT: tile_gpu.single_wave

// What a launch must know: a block each and no loop; with clusters, blocks in one row that are all launched; else a row
// of those that stay.
// RUN: tile-run %s --emit=nvvm --kernel product --arch=sm_90a --args 1,100 | FileCheck %s --check-prefix=BLOCKS
// RUN: tile-run %s --emit=nvvm --kernel product --arch=sm_90a --args 1,100 -D num_ctas=2 | FileCheck %s --check-prefix=PAIRS
// RUN: tile-run %s --emit=nvvm --kernel product --arch=sm_90a --args 1,1000 | FileCheck %s --check-prefix=STAY
// BLOCKS: llvm.func @product
// BLOCKS-SAME: tile_gpu.block_warps = 5 : i32
// BLOCKS-NOT: tile_gpu.persistent
// BLOCKS: nvvm.read.ptx.sreg.ctaid.y
// PAIRS: llvm.func @product
// PAIRS-SAME: tile_gpu.cluster = 2 : i32
// PAIRS-SAME: tile_gpu.one_program, tile_gpu.persistent
// STAY: llvm.func @product
// STAY-NOT: tile_gpu.one_program
// STAY-SAME: tile_gpu.persistent
// STAY-NOT: nvvm.read.ptx.sreg.ctaid.y
// STAY: nvvm.read.ptx.sreg.nctaid.x

tile.func @product(%a: !tile.ptr<f16>, %c: !tile.ptr<f16>, %x: i32, %y: i32) meta {num_warps = 4} {
  tile.grid(%x : i32, %y : i32) {
    tile.yield %x, %y : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %depth = arith.constant 256 : i32
  %pitch = arith.constant 256 : i64
  %rows = arith.muli %x, %c64 : i32
  %columns = arith.muli %y, %c64 : i32
  %columns64 = arith.extsi %columns : i32 to i64
  %da = tile.make_desc %a, [%rows, %depth], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %a, [%depth, %columns], [%columns64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%rows, %columns], [%columns64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %i = tile.program_id x
  %j = tile.program_id y
  %row = arith.muli %i, %c64 : i32
  %column = arith.muli %j, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %depth step %c64 iter_args(%s = %zero) -> tensor<64x64xf32> : i32 {
    %p = tile.desc_load %da[%row, %k] : !tile.desc<64x64xf16>
    %q = tile.desc_load %db[%k, %column] : !tile.desc<64x64xf16>
    %d = tile.dot %p, %q, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<64x64xf16>
  tile.return
}

// A helper's products are the kernel's.
tile.func private @square(%x: tensor<16x16xf16>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %x, %x, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return %d : tensor<16x16xf32>
}

tile.func @resident(%c: !tile.ptr<f32>) meta {PROGRAMS = 1} {
  tile.grid() {
    %programs = tile.meta PROGRAMS : i32
    tile.yield %programs : i32
  }
  %ones = arith.constant dense<1.0> : tensor<16x16xf16>
  %d = tile.call @square(%ones) : (tensor<16x16xf16>) -> tensor<16x16xf32>
  %n = arith.constant 16 : i32
  %pitch = arith.constant 16 : i64
  %c0 = arith.constant 0 : i32
  %dc = tile.make_desc %c, [%n, %n], [%pitch] : !tile.ptr<f32> -> !tile.desc<16x16xf32>
  tile.desc_store %dc[%c0, %c0], %d : !tile.desc<16x16xf32>
  tile.return
}

tile.func @fill(%c: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %one = arith.constant 1.0 : f16
  tile.store %c, %one : !tile.ptr<f16>
  tile.return
}

func.func @main(%x: i32, %y: i32) {
  %n = arith.constant 256 : i32
  %count = tile_host.multiprocessors
  %a = tile_host.alloc(%n) : (i32) -> memref<?xf16>
  %c = tile_host.alloc(%n) : (i32) -> memref<?xf16>
  %f = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @product(%a, %c, %x, %y) : memref<?xf16>, memref<?xf16>, i32, i32
  tile_host.launch @resident(%f) meta {PROGRAMS = %count} : memref<?xf32>
  tile_host.launch @fill(%c) : memref<?xf16>
  return
}

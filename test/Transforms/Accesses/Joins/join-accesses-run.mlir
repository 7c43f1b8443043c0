// What is joined computes the same: kernels whose accesses were joined, on the CPU.
// RUN: tile-opt %examples/Basics/complex.mlir --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16,2/16},tile.func(tile-expand-ops,canonicalize,cse,tile-join-accesses,canonicalize,cse))' -o %t.complex.mlir
// RUN: FileCheck %s --check-prefix=COMPLEX --input-file %t.complex.mlir
// RUN: tile-run %t.complex.mlir --target=cpu --repeat 1 --args 1000 | FileCheck %s
// COMPLEX: tile.load {{.*}}!tile.ptr<i64>
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison

// Bytes of pixels, in two rounds; what is masked out is 1, 2, 3 and 4. Alpha is written beside the sum of the others,
// the upper half first.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16},tile.func(tile-expand-ops,canonicalize,cse,tile-join-accesses,canonicalize,cse))' -o %t.pixels.mlir
// RUN: FileCheck %s --check-prefix=PIXELS --input-file %t.pixels.mlir
// RUN: tile-run %t.pixels.mlir --target=cpu --repeat 1 --args 1000 | FileCheck %s
// PIXELS: tile.load {{.*}}!tile.ptr<i32>
// PIXELS: tile.store {{.*}}!tile.ptr<i32>
tile.func @pixels(%x: !tile.ptr<i8>, %y: !tile.ptr<i16>, %n: i32) {
  tile.grid = %n ceildiv 256
  %i = tile.expr program_id(x) * 256 + arange(256)
  %in = tile.expr %i < %n
  %r = tile.expr %x + 4 * %i
  %g = tile.expr %r + 1
  %b = tile.expr %r + 2
  %a = tile.expr %r + 3
  %c1 = arith.constant dense<1> : tensor<256xi8>
  %c2 = arith.constant dense<2> : tensor<256xi8>
  %c3 = arith.constant dense<3> : tensor<256xi8>
  %c4 = arith.constant dense<-4> : tensor<256xi8>
  %rs = tile.load %r, %in, %c1 : tensor<256x!tile.ptr<i8>>
  %gs = tile.load %g, %in, %c2 : tensor<256x!tile.ptr<i8>>
  %bs = tile.load %b, %in, %c3 : tensor<256x!tile.ptr<i8>>
  %as = tile.load %a, %in, %c4 : tensor<256x!tile.ptr<i8>>
  %rw = arith.extui %rs : tensor<256xi8> to tensor<256xi16>
  %gw = arith.extui %gs : tensor<256xi8> to tensor<256xi16>
  %bw = arith.extui %bs : tensor<256xi8> to tensor<256xi16>
  %aw = arith.extui %as : tensor<256xi8> to tensor<256xi16>
  %rg = arith.addi %rw, %gw : tensor<256xi16>
  %sum = arith.addi %rg, %bw : tensor<256xi16>
  %low = tile.expr %y + 2 * %i
  %high = tile.expr %low + 1
  tile.store %high, %aw, %in : tensor<256x!tile.ptr<i16>>
  tile.store %low, %sum, %in : tensor<256x!tile.ptr<i16>>
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 1000 : i32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c77 = arith.constant 77 : index
  %four = arith.constant 4 : i32
  %two = arith.constant 2 : i32
  %bytes = arith.muli %n, %four : i32
  %halves = arith.muli %n, %two : i32
  %x = tile_host.alloc(%bytes) -> memref<?xi8>
  %y = tile_host.alloc(%halves) -> memref<?xi16>
  %want = tile_host.alloc(%halves) -> memref<?xi16>
  %all = arith.index_cast %bytes : i32 to index
  scf.for %i = %c0 to %all step %c1 {
    %far = arith.muli %i, %c77 : index
    %byte = arith.index_cast %far : index to i8
    memref.store %byte, %x[%i] : memref<?xi8>
  }
  tile_host.launch @pixels(%x, %y, %n)
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %r = arith.muli %i, %c4 : index
    %g = arith.addi %r, %c1 : index
    %b = arith.addi %r, %c2 : index
    %a = arith.addi %r, %c3 : index
    %rb = memref.load %x[%r] : memref<?xi8>
    %gb = memref.load %x[%g] : memref<?xi8>
    %bb = memref.load %x[%b] : memref<?xi8>
    %ab = memref.load %x[%a] : memref<?xi8>
    %rw = arith.extui %rb : i8 to i16
    %gw = arith.extui %gb : i8 to i16
    %bw = arith.extui %bb : i8 to i16
    %aw = arith.extui %ab : i8 to i16
    %rg = arith.addi %rw, %gw : i16
    %sum = arith.addi %rg, %bw : i16
    %low = arith.muli %i, %c2 : index
    %high = arith.addi %low, %c1 : index
    memref.store %sum, %want[%low] : memref<?xi16>
    memref.store %aw, %want[%high] : memref<?xi16>
  }
  tile_host.expect_close %y, %want
  return
}

// Products of tf32 of what was bf16, one operand of it transposed, are those of what it was: f32 has the products of such numbers
// exactly, and the sums of 16 of these, in any order.
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --emit=tile | FileCheck %s --check-prefix=NARROW
// CHECK: largest error 0, relative 0, in 1 comparison
// NARROW: tile.dot {{.*}} : tensor<32x16xbf16>, tensor<16x64xbf16> -> tensor<32x64xf32>
tile.func @product(%a: !tile.ptr<bf16>, %b: !tile.ptr<bf16>, %out: !tile.ptr<f32>) {
  tile.grid = 1
  %pa = tile.expr %a + (col(arange(32)) * 16 + row(arange(16)))
  %pb = tile.expr %b + (col(arange(64)) * 16 + row(arange(16)))
  %x = tile.load %pa
  %y = tile.load %pb
  %xf = arith.extf %x : tensor<32x16xbf16> to tensor<32x16xf32>
  %yf = arith.extf %y : tensor<64x16xbf16> to tensor<64x16xf32>
  %t = tile.trans %yf order [1, 0] : tensor<64x16xf32> -> tensor<16x64xf32>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %d = tile.dot %xf, %t, %zero precision tf32 : tensor<32x16xf32>, tensor<16x64xf32> -> tensor<32x64xf32>
  %to = tile.expr %out + (col(arange(32)) * 64 + row(arange(64)))
  tile.store %to, %d
  tile.return
}

// Of multiples of 1/8 up to 16, whose products are multiples of 1/64.
func.func @main() {
  %m = arith.constant 32 : i32
  %n = arith.constant 64 : i32
  %k = arith.constant 16 : i32
  %a = tile_host.alloc(%m, %k) : (i32, i32) -> memref<?x?xbf16>
  %b = tile_host.alloc(%n, %k) : (i32, i32) -> memref<?x?xbf16>
  %out = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf32>
  %want = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c37 = arith.constant 37 : index
  %c53 = arith.constant 53 : index
  %c127 = arith.constant 127 : index
  %eighth = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  scf.for %l = %c0 to %c16 step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      %l37 = arith.muli %l, %c37 : index
      %i53 = arith.muli %i, %c53 : index
      %sum = arith.addi %l37, %i53 : index
      %rest = arith.remsi %sum, %c127 : index
      %int = arith.index_cast %rest : index to i32
      %float = arith.sitofp %int : i32 to f32
      %x = arith.mulf %float, %eighth : f32
      %z = arith.truncf %x : f32 to bf16
      memref.store %z, %b[%i, %l] : memref<?x?xbf16>
      %first = arith.cmpi slt, %i, %c32 : index
      scf.if %first {
        %minus = arith.negf %z : bf16
        memref.store %minus, %a[%i, %l] : memref<?x?xbf16>
      }
    }
  }
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %sum = scf.for %l = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (f32) {
        %x = memref.load %a[%i, %l] : memref<?x?xbf16>
        %y = memref.load %b[%j, %l] : memref<?x?xbf16>
        %xf = arith.extf %x : bf16 to f32
        %yf = arith.extf %y : bf16 to f32
        %xy = arith.mulf %xf, %yf : f32
        %t = arith.addf %s, %xy : f32
        scf.yield %t : f32
      }
      memref.store %sum, %want[%i, %j] : memref<?x?xf32>
    }
  }
  tile_host.launch @product(%a, %b, %out)
  tile_host.expect_close %out, %want {atol = 0.0, rtol = 0.0}
  return
}

// On a processor a choice between an integer and bits of it is one between floats: for AVX-512 LLVM 22.1 makes a wrong
// instruction of the other. Remainders of bf16 and f16 are computed by it.
//
// RUN: tile-run %s --kernel signs --target=cpu --emit=llvm --arg zeros:i32[64] --arg zeros:i32[64] --arg zeros:i32[64] | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s --check-prefix=SAME
// CHECK: select <{{[0-9]+}} x i1> %{{.*}}, <{{[0-9]+}} x float>
// CHECK-NOT: select <{{[0-9]+}} x i1> %{{.*}}, <{{[0-9]+}} x i32>
// SAME: largest error 0, relative 0, in 2 comparisons

// x where it is below y, else y's bits with x's sign.
tile.func @signs(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %z: !tile.ptr<i32>) {
  tile.grid = 1
  %i = tile.arange : tensor<64xi32>
  %xp = tile.expr %x + %i
  %yp = tile.expr %y + %i
  %zp = tile.expr %z + %i
  %a = tile.load %xp : tensor<64x!tile.ptr<i32>>
  %b = tile.load %yp : tensor<64x!tile.ptr<i32>>
  %sign = arith.constant dense<0x80000000> : tensor<64xi32>
  %rest = arith.constant dense<0x7fffffff> : tensor<64xi32>
  %top = arith.andi %a, %sign : tensor<64xi32>
  %low = arith.andi %b, %rest : tensor<64xi32>
  %both = arith.ori %top, %low : tensor<64xi32>
  %less = arith.cmpi slt, %a, %b : tensor<64xi32>
  %c = arith.select %less, %a, %both : tensor<64xi1>, tensor<64xi32>
  tile.store %zp, %c : tensor<64x!tile.ptr<i32>>
  tile.return
}

tile.func @remainders(%x: !tile.ptr<bf16>, %y: !tile.ptr<f16>, %z: !tile.ptr<f32>) {
  tile.grid = 1
  %i = tile.arange : tensor<64xi32>
  %xp = tile.expr %x + %i
  %yp = tile.expr %y + %i
  %zp = tile.expr %z + %i
  %a = tile.load %xp : tensor<64x!tile.ptr<bf16>>
  %b = tile.load %yp : tensor<64x!tile.ptr<f16>>
  %wide = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
  %wider = arith.extf %b : tensor<64xf16> to tensor<64xf32>
  %r = arith.remf %wide, %wider : tensor<64xf32>
  tile.store %zp, %r : tensor<64x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = tile_host.alloc() : () -> memref<64xi32>
  %y = tile_host.alloc() : () -> memref<64xi32>
  %z = tile_host.alloc() : () -> memref<64xi32>
  %u = tile_host.alloc() : () -> memref<64xbf16>
  %v = tile_host.alloc() : () -> memref<64xf16>
  %w = tile_host.alloc() : () -> memref<64xf32>
  %want = tile_host.alloc() : () -> memref<64xi32>
  %rest = tile_host.alloc() : () -> memref<64xf32>
  %many = arith.constant 48271 : i32
  %more = arith.constant 69621 : i32
  %sign = arith.constant 0x80000000 : i32
  %low = arith.constant 0x7fffffff : i32
  %middle = arith.constant 20.5 : f32
  %three = arith.constant 3.25 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %n = arith.index_cast %i : index to i32
    %n2 = arith.muli %n, %n : i32
    %a = arith.muli %n2, %many : i32
    %a2 = arith.muli %a, %many : i32
    %b = arith.muli %n, %more : i32
    %b2 = arith.muli %b, %more : i32
    memref.store %a2, %x[%i] : memref<64xi32>
    memref.store %b2, %y[%i] : memref<64xi32>
    %top = arith.andi %a2, %sign : i32
    %bits = arith.andi %b2, %low : i32
    %both = arith.ori %top, %bits : i32
    %less = arith.cmpi slt, %a2, %b2 : i32
    %c = arith.select %less, %a2, %both : i32
    memref.store %c, %want[%i] : memref<64xi32>
    // From -20.5 to 42.5, and 3.25.
    %f = arith.sitofp %n : i32 to f32
    %g = arith.subf %f, %middle : f32
    %r = arith.remf %g, %three : f32
    %narrow = arith.truncf %g : f32 to bf16
    %half = arith.truncf %three : f32 to f16
    memref.store %narrow, %u[%i] : memref<64xbf16>
    memref.store %half, %v[%i] : memref<64xf16>
    memref.store %r, %rest[%i] : memref<64xf32>
  }
  tile_host.launch @signs(%x, %y, %z) : memref<64xi32>, memref<64xi32>, memref<64xi32>
  tile_host.expect_close %z, %want {atol = 0.0, rtol = 0.0} : memref<64xi32>, memref<64xi32>
  tile_host.launch @remainders(%u, %v, %w) : memref<64xbf16>, memref<64xf16>, memref<64xf32>
  tile_host.expect_close %w, %rest {atol = 0.0, rtol = 0.0} : memref<64xf32>, memref<64xf32>
  return
}

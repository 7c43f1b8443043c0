// Positions of 8 bits wrap around in a table of 256: neighbours of the tile lie one behind the other modulo 256 alone, and
// no register's place is another's, moved on. Beside a dot pointers of registers are such sums where they may be.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --check
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=4 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison
//
// RUN: tile-run %s --kernel k --emit=ptx --arch=sm_80 -D num_warps=1 | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --kernel k --emit=ptx --arch=sm_90a -D num_warps=4 | FileCheck %s --check-prefix=PTX
// PTX: .entry k(
// PTX-NOT: cp.async.bulk
// PTX: ld.global{{(\.L2::[0-9A-Za-z]+)?}}.b16 {{.*}}, [%rd{{[0-9]+}}];
// PTX-NOT: ld.global{{(\.L2::[0-9A-Za-z]+)?}}.b16 {{.*}}+
// PTX: ret;

tile.func @k(%t: !tile.ptr<f16>, %b: !tile.ptr<f16>, %y: !tile.ptr<f32>, %x: i32) meta {num_warps = 4} {
  tile.grid() { %g = arith.constant 1 : i32 tile.yield %g : i32 }
  %i = tile.arange : tensor<16xi32>
  %i8 = arith.trunci %i : tensor<16xi32> to tensor<16xi8>
  %c = tile.expand_dims %i8 axis 1 : tensor<16xi8> -> tensor<16x1xi8>
  %r = tile.expand_dims %i8 axis 0 : tensor<16xi8> -> tensor<1x16xi8>
  %cb = tile.broadcast %c : tensor<16x1xi8> -> tensor<16x16xi8>
  %rb = tile.broadcast %r : tensor<1x16xi8> -> tensor<16x16xi8>
  %c16 = arith.constant dense<16> : tensor<16x16xi8>
  %down = arith.muli %cb, %c16 {tile.wraps} : tensor<16x16xi8>
  %x8 = arith.trunci %x {tile.wraps} : i32 to i8
  %xs = tile.splat %x8 : i8 -> tensor<16x16xi8>
  %s = arith.addi %down, %rb {tile.wraps} : tensor<16x16xi8>
  %at8 = arith.addi %s, %xs {tile.wraps} : tensor<16x16xi8>
  %at = arith.extui %at8 : tensor<16x16xi8> to tensor<16x16xi32>
  %ts = tile.splat %t : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %tp = tile.addptr %ts, %at : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %a = tile.load %tp : tensor<16x16x!tile.ptr<f16>>
  %ci = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %ri = tile.expand_dims %i axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cib = tile.broadcast %ci : tensor<16x1xi32> -> tensor<16x16xi32>
  %rib = tile.broadcast %ri : tensor<1x16xi32> -> tensor<16x16xi32>
  %c16i = arith.constant dense<16> : tensor<16x16xi32>
  %dn = arith.muli %cib, %c16i : tensor<16x16xi32>
  %o = arith.addi %dn, %rib : tensor<16x16xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %bp = tile.addptr %bs, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %bv = tile.load %bp : tensor<16x16x!tile.ptr<f16>>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %bv, %z : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %o : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %yp, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

func.func @main() {
  %t = tile_host.alloc() : () -> memref<256xf16>
  %b = tile_host.alloc() : () -> memref<16x16xf16>
  %y = tile_host.alloc() : () -> memref<256xf32>
  %want = tile_host.alloc() : () -> memref<256xf32>
  %first = arith.constant 100 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f16
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %zero, %b[%i, %j] : memref<16x16xf16>
    }
    memref.store %one, %b[%i, %i] : memref<16x16xf16>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %rest = arith.remui %i, %c13 : index
    %number = arith.index_cast %rest : index to i32
    %v = arith.sitofp %number : i32 to f16
    memref.store %v, %t[%i] : memref<256xf16>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %at = arith.addi %i, %c100 : index
    %place = arith.remui %at, %c256 : index
    %v = memref.load %t[%place] : memref<256xf16>
    %w = arith.extf %v : f16 to f32
    memref.store %w, %want[%i] : memref<256xf32>
  }
  tile_host.launch @k(%t, %b, %y, %first) : memref<256xf16>, memref<16x16xf16>, memref<256xf32>, i32
  tile_host.expect_close %y, %want : memref<256xf32>, memref<256xf32>
  return
}

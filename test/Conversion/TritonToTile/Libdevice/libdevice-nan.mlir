// NaN beside 0 is no length of 0, and beside an infinity it counts for nothing; what is left of 1, 3 and 5 of the smallest number by 1 and 2 of it is
// 0, -1 and 1 of it, though it has no half. Rounded down a number less itself is -0, and 0 less 0 too.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-run in.mlir --target=cpu
// RUN: tile-run %S/Inputs/libdevice-nan.ttir --target=cpu --repeat 1 --grid 1 --arg x.npy --arg y.npy --arg zeros:i32[32]:out=out.npy
// RUN: tile-run out.mlir --target=cpu | FileCheck %s
// RUN: %if gpu %{ tile-run %S/Inputs/libdevice-nan.ttir --target=gpu --repeat 1 --grid 1 --arg x.npy --arg y.npy --arg zeros:i32[32]:out=out.npy %}
// RUN: tile-run out.mlir --target=cpu | FileCheck %s
// CHECK: [ 7 7 2139095040 2139095040 0 1 4 5 7 7 0 0 2139095040 2139095040 2139095040 2139095040 7 7 7 7 7 0 -2147483647 1 -2147483648 7 7 7 -2147483648 -2147483648 -2147483648 -2147483648]

//--- in.mlir
memref.global "private" constant @x : memref<8xi32> = dense<[0x7fc00000, 0, 0x7f800000, 0x7fc00000, 0, 1, 3, 5]>
memref.global "private" constant @y : memref<8xi32> = dense<[0, 0x7fc00000, 0x7fc00000, 0x7f800000, 0, 1, 2, 2]>
func.func @main() {
  %x = memref.get_global @x : memref<8xi32>
  %y = memref.get_global @y : memref<8xi32>
  %xs = tile_host.alloc() : () -> memref<8xf32>
  %ys = tile_host.alloc() : () -> memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %x[%i] : memref<8xi32>
    %b = memref.load %y[%i] : memref<8xi32>
    %af = arith.bitcast %a : i32 to f32
    %bf = arith.bitcast %b : i32 to f32
    memref.store %af, %xs[%i] : memref<8xf32>
    memref.store %bf, %ys[%i] : memref<8xf32>
  }
  tile_host.write %xs, "x.npy" : memref<8xf32>
  tile_host.write %ys, "y.npy" : memref<8xf32>
  return
}

//--- out.mlir
func.func @main() {
  %out = tile_host.read "out.npy" : memref<32xi32>
  tile_host.dump %out : memref<32xi32>
  return
}

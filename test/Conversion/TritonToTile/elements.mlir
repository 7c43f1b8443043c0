// Rows of a descriptor and sums into its boxes are accesses to elements; a function of elements is one of tiles.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-opt %S/Inputs/elements.ttir --convert-triton-to-tile | FileCheck %s
// RUN: tile-run in.mlir --target=cpu
// RUN: tile-run %S/Inputs/elements.ttir --kernel rows --target=cpu --repeat 1 --grid 1 --arg random:f32[6x16]:out=x.npy --arg list.npy --arg zeros:f32[8x8]:out=rows.npy --arg zeros:f32[6x16]:out=to.npy
// RUN: tile-run %S/Inputs/elements.ttir --kernel sums --target=cpu --repeat 1 --grid 1 --arg low.npy:out=low.npy --arg 5 --arg 4 --arg 4 --arg zeros:f32[5x4]:out=sums.npy --arg 5 --arg 4 --arg 4
// RUN: tile-run %S/Inputs/elements.ttir --kernel map --target=cpu --repeat 1 --grid 1 --arg list.npy --arg zeros:i32[24]:out=map.npy
// RUN: tile-run %S/Inputs/elements.ttir --kernel counts --target=cpu --repeat 1 --grid 1 --arg zeros:i32[4]:out=counts.npy
// RUN: tile-run %S/Inputs/elements.ttir --kernel volatile --target=cpu --repeat 1 --grid 1 --arg four.npy --arg zeros:f16[4] --arg zeros:f32[4]:out=volatile.npy
// RUN: tile-run out.mlir --target=cpu
//
// RUN: tile-run %S/Inputs/elements.ttir --kernel sums --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=PTX
// PTX: {{(atom|red)\..*global.*min\.u32}}
// PTX: {{(atom|red)\..*global.*add\.f32}}

// What is outside of the array is 0, and is not written.
// CHECK-LABEL: tile.func @rows
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x8xf32>
// CHECK: tile.load %{{.*}}, %{{.*}}, %[[ZERO]] : tensor<8x8x!tile.ptr<f32>>
// CHECK: tile.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x8x!tile.ptr<f32>>
// CHECK-LABEL: tile.func @sums
// CHECK: tile.atomic_rmw umin relaxed gpu
// CHECK: tile.atomic_rmw fadd relaxed gpu
// Branches are picked from, and packs are the even and the odd elements.
// CHECK-LABEL: tile.func @map
// CHECK: arith.select %{{.*}} : tensor<8xi1>, tensor<8xi32>
// CHECK: tile.split %{{.*}} : tensor<4x2xi32> -> tensor<4xi32>
// CHECK: tile.join %{{.*}} : tensor<4xi32> -> tensor<4x2xi32>
// CHECK-LABEL: tile.func @counts
// CHECK-NOT: ptx
// CHECK: tile.histogram %{{.*}}, %{{.*}} : tensor<4xi32> -> tensor<4xi32>
// CHECK-LABEL: tile.func @volatile
// CHECK: tile.atomic_rmw or relaxed sys %{{.*}} : tensor<4x!tile.ptr<i32>>
// CHECK: tile.barrier
// CHECK-NEXT: tile.load %{{.*}} : tensor<4x!tile.ptr<f16>>

//--- in.mlir
memref.global "private" constant @list : memref<8xi32> = dense<[0, 5, 6, -1, 2, 2, 100, 3]>
memref.global "private" constant @low : memref<20xi32> = dense<7>
memref.global "private" constant @four : memref<4xf32> = dense<[1.0, -2.0, 3.0, 4.0]>
func.func @main() {
  %0 = memref.get_global @list : memref<8xi32>
  %list = tile_host.alloc() : () -> memref<8xi32>
  linalg.copy ins(%0 : memref<8xi32>) outs(%list : memref<8xi32>)
  tile_host.write %list, "list.npy" : memref<8xi32>
  %1 = memref.get_global @low : memref<20xi32>
  %low = tile_host.alloc() : () -> memref<20xi32>
  linalg.copy ins(%1 : memref<20xi32>) outs(%low : memref<20xi32>)
  tile_host.write %low, "low.npy" : memref<20xi32>
  %2 = memref.get_global @four : memref<4xf32>
  %four = tile_host.alloc() : () -> memref<4xf32>
  linalg.copy ins(%2 : memref<4xf32>) outs(%four : memref<4xf32>)
  tile_host.write %four, "four.npy" : memref<4xf32>
  return
}

//--- out.mlir
memref.global "private" constant @maps : memref<24xi32> = dense<[
  0, 1, 1, -1, 1, 1, 1, 1,
  0, 6, 8, 2, 6, 7, 106, 10,
  0, 5, 12, -3, 8, 10, 600, 21]>
memref.global "private" constant @bins : memref<4xi32> = dense<[0, 2, 0, 1]>
memref.global "private" constant @again : memref<4xf32> = dense<[1.0, -2.0, 7.0, 7.0]>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %six = arith.constant 6 : i32
  %zero = arith.constant 0.0 : f32
  %x = tile_host.read "x.npy" : memref<6x16xf32>
  %list = tile_host.read "list.npy" : memref<8xi32>
  %got = tile_host.read "rows.npy" : memref<8x8xf32>
  %want = tile_host.alloc() : () -> memref<8x8xf32>
  %to = tile_host.read "to.npy" : memref<6x16xf32>
  %wanted = tile_host.alloc() : () -> memref<6x16xf32>
  linalg.fill ins(%zero : f32) outs(%want : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%wanted : memref<6x16xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %row = memref.load %list[%i] : memref<8xi32>
    %is = arith.cmpi ult, %row, %six : i32
    scf.if %is {
      %r = arith.index_cast %row : i32 to index
      scf.for %column = %c6 to %c12 step %c1 {
        %v = memref.load %x[%r, %column] : memref<6x16xf32>
        %j = arith.subi %column, %c6 : index
        memref.store %v, %want[%i, %j] : memref<8x8xf32>
        memref.store %v, %wanted[%r, %column] : memref<6x16xf32>
      }
    }
  }
  tile_host.expect_close %got, %want {atol = 0.0, rtol = 0.0} : memref<8x8xf32>, memref<8x8xf32>
  tile_host.expect_close %to, %wanted {atol = 0.0, rtol = 0.0} : memref<6x16xf32>, memref<6x16xf32>

  // As unsigned numbers 7 is less than -1; and a box that reaches beyond the array.
  %low = tile_host.read "low.npy" : memref<20xi32>
  %seven = arith.constant 7 : i32
  %lows = tile_host.alloc() : () -> memref<20xi32>
  linalg.fill ins(%seven : i32) outs(%lows : memref<20xi32>)
  tile_host.expect_close %low, %lows {atol = 0.0, rtol = 0.0} : memref<20xi32>, memref<20xi32>
  %sums = tile_host.read "sums.npy" : memref<5x4xf32>
  %ones = tile_host.alloc() : () -> memref<5x4xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%ones : memref<5x4xf32>)
  scf.for %i = %c2 to %c5 step %c1 {
    scf.for %j = %c2 to %c4 step %c1 {
      memref.store %one, %ones[%i, %j] : memref<5x4xf32>
    }
  }
  tile_host.expect_close %sums, %ones {atol = 0.0, rtol = 0.0} : memref<5x4xf32>, memref<5x4xf32>

  %map = tile_host.read "map.npy" : memref<24xi32>
  %0 = memref.get_global @maps : memref<24xi32>
  %maps = tile_host.alloc() : () -> memref<24xi32>
  linalg.copy ins(%0 : memref<24xi32>) outs(%maps : memref<24xi32>)
  tile_host.expect_close %map, %maps {atol = 0.0, rtol = 0.0} : memref<24xi32>, memref<24xi32>
  %counts = tile_host.read "counts.npy" : memref<4xi32>
  %1 = memref.get_global @bins : memref<4xi32>
  %bins = tile_host.alloc() : () -> memref<4xi32>
  linalg.copy ins(%1 : memref<4xi32>) outs(%bins : memref<4xi32>)
  tile_host.expect_close %counts, %bins {atol = 0.0, rtol = 0.0} : memref<4xi32>, memref<4xi32>
  %volatile = tile_host.read "volatile.npy" : memref<4xf32>
  %2 = memref.get_global @again : memref<4xf32>
  %again = tile_host.alloc() : () -> memref<4xf32>
  linalg.copy ins(%2 : memref<4xf32>) outs(%again : memref<4xf32>)
  tile_host.expect_close %volatile, %again {atol = 0.0, rtol = 0.0} : memref<4xf32>, memref<4xf32>
  return
}

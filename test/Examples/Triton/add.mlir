// A kernel that Triton printed, run on arrays of the command line and compared with loops.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %S/add.ttir --target=cpu --repeat 1 --grid 4 --arg random:f32[4000]:out=x.npy \
// RUN:   --arg random:f32[4000]:out=y.npy --arg zeros:f32[4000]:out=sum.npy --arg 4000 \
// RUN:   | FileCheck %s
// RUN: tile-run %s --target=cpu
// RUN: tile-run %S/add.ttir --check --grid 4 --arg random:f32[4000] --arg random:f32[4000] \
// RUN:   --arg zeros:f32[4000] --arg 4000
//
// One element too few: the place is a line of Python.
// RUN: not tile-run %S/add.ttir --check --grid 4 --arg random:f32[4000] --arg random:f32[3999] \
// RUN:   --arg zeros:f32[4000] --arg 4000 2>&1 | FileCheck %s --check-prefix=BOUNDS
//
// CHECK: cpu ({{.*}}): add(4000): {{.*}} ms
// BOUNDS: kernels.py:7:51: error: {{.*}}

func.func @main() {
  %x = tile_host.read "x.npy" : memref<4000xf32>
  %y = tile_host.read "y.npy" : memref<4000xf32>
  %sum = tile_host.read "sum.npy" : memref<4000xf32>
  %want = tile_host.alloc() : () -> memref<4000xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4000 = arith.constant 4000 : index
  scf.for %i = %c0 to %c4000 step %c1 {
    %a = memref.load %x[%i] : memref<4000xf32>
    %b = memref.load %y[%i] : memref<4000xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %want[%i] : memref<4000xf32>
  }
  tile_host.expect_close %sum, %want : memref<4000xf32>, memref<4000xf32>
  return
}

// Rows of 50 elements, read as a tile of 5 x 52 that is masked; the reference is in f64.
// RUN: tile-run %s --target=cpu --args 37,50 --repeat=1 | FileCheck %s
// RUN: tile-run %s --target=cpu --args 64,52 --repeat=1 | FileCheck %s
// RUN: tile-run %s --target=cpu --args 1,1 --repeat=1 | FileCheck %s
// CHECK: largest error

tile.func @softmax(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32) {
  tile.grid(%m : i32) {
    %rows = arith.constant 5 : i32
    %programs = arith.ceildivsi %m, %rows : i32
    tile.yield %programs : i32
  }
  %five = arith.constant 5 : i32
  %minus = arith.constant 0xFF800000 : f32
  %pid = tile.program_id x
  %first = arith.muli %pid, %five : i32
  %r = tile.arange : tensor<5xi32>
  %first_t = tile.splat %first : i32 -> tensor<5xi32>
  %row = arith.addi %r, %first_t : tensor<5xi32>
  %row2 = tile.expand_dims %row axis 1 : tensor<5xi32> -> tensor<5x1xi32>
  %c = tile.arange : tensor<52xi32>
  %col2 = tile.expand_dims %c axis 0 : tensor<52xi32> -> tensor<1x52xi32>
  %n_r = tile.splat %n : i32 -> tensor<5x1xi32>
  %offs_r = arith.muli %row2, %n_r : tensor<5x1xi32>
  %offs_rb = tile.broadcast %offs_r : tensor<5x1xi32> -> tensor<5x52xi32>
  %offs_cb = tile.broadcast %col2 : tensor<1x52xi32> -> tensor<5x52xi32>
  %offs = arith.addi %offs_rb, %offs_cb : tensor<5x52xi32>
  %m_r = tile.splat %m : i32 -> tensor<5x1xi32>
  %n_c = tile.splat %n : i32 -> tensor<1x52xi32>
  %in_r = arith.cmpi slt, %row2, %m_r : tensor<5x1xi32>
  %in_c = arith.cmpi slt, %col2, %n_c : tensor<1x52xi32>
  %in_rb = tile.broadcast %in_r : tensor<5x1xi1> -> tensor<5x52xi1>
  %in_cb = tile.broadcast %in_c : tensor<1x52xi1> -> tensor<5x52xi1>
  %in = arith.andi %in_rb, %in_cb : tensor<5x52xi1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<5x52x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<5x52x!tile.ptr<f32>>, tensor<5x52xi32>
  %other = tile.splat %minus : f32 -> tensor<5x52xf32>
  %v = tile.load %xp, %in, %other : tensor<5x52x!tile.ptr<f32>>
  %max = tile.reduce max %v axis 1 : tensor<5x52xf32> -> tensor<5xf32>
  %max2 = tile.expand_dims %max axis 1 : tensor<5xf32> -> tensor<5x1xf32>
  %maxb = tile.broadcast %max2 : tensor<5x1xf32> -> tensor<5x52xf32>
  %d = arith.subf %v, %maxb : tensor<5x52xf32>
  %e = math.exp %d : tensor<5x52xf32>
  %sum = tile.reduce add %e axis 1 : tensor<5x52xf32> -> tensor<5xf32>
  %sum2 = tile.expand_dims %sum axis 1 : tensor<5xf32> -> tensor<5x1xf32>
  %sumb = tile.broadcast %sum2 : tensor<5x1xf32> -> tensor<5x52xf32>
  %p = arith.divf %e, %sumb : tensor<5x52xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<5x52x!tile.ptr<f32>>
  %op = tile.addptr %os, %offs : tensor<5x52x!tile.ptr<f32>>, tensor<5x52xi32>
  tile.store %op, %p, %in : tensor<5x52x!tile.ptr<f32>>
  tile.return
}

func.func @main(%m: i32, %n: i32) {
  %x = tile_host.random(%m, %n) seed 1 : (i32, i32) -> memref<?x?xf32>
  %out = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf32>
  tile_host.launch @softmax(%x, %out, %m, %n) : memref<?x?xf32>, memref<?x?xf32>, i32, i32
  %want = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mi = arith.index_cast %m : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %mi step %c1 {
    %sum = scf.for %j = %c0 to %ni step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%i, %j] : memref<?x?xf32>
      %b = arith.extf %a : f32 to f64
      %e = math.exp %b : f64
      %t = arith.addf %s, %e : f64
      memref.store %e, %want[%i, %j] : memref<?x?xf64>
      scf.yield %t : f64
    }
    scf.for %j = %c0 to %ni step %c1 {
      %e = memref.load %want[%i, %j] : memref<?x?xf64>
      %p = arith.divf %e, %sum : f64
      memref.store %p, %want[%i, %j] : memref<?x?xf64>
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-7, rtol = 1.0e-6} : memref<?x?xf32>, memref<?x?xf64>
  return
}

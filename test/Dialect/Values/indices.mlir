// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @ids
tile.func @ids() {
  // CHECK: tile.program_id x{{$}}
  // CHECK: tile.program_id y{{$}}
  // CHECK: tile.program_id z{{$}}
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  // CHECK: tile.num_programs x{{$}}
  // CHECK: tile.num_programs y{{$}}
  // CHECK: tile.num_programs z{{$}}
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %nz = tile.num_programs z
  // CHECK: tile_gpu.grid_extent x{{$}}
  // CHECK: tile_gpu.grid_extent y{{$}}
  // CHECK: tile_gpu.grid_extent z{{$}}
  %ex = tile_gpu.grid_extent x
  %ey = tile_gpu.grid_extent y
  %ez = tile_gpu.grid_extent z
  tile.return
}

// CHECK-LABEL: tile.func @arange
tile.func @arange() {
  // CHECK: tile.arange : tensor<96xi32>
  %a = tile.arange : tensor<96xi32>
  // CHECK: tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  %b = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  tile.return
}

// CHECK-LABEL: tile.func @swizzle2d
tile.func @swizzle2d(%i: i32, %t: tensor<4xi32>) {
  // CHECK: %{{.*}}, %{{.*}} = tile.swizzle2d %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i32
  %a, %b = tile.swizzle2d %i, %i, %i, %i, %i : i32
  // CHECK: %{{.*}}, %{{.*}} = tile.swizzle2d {{.*}} : tensor<4xi32>
  %c, %d = tile.swizzle2d %t, %t, %t, %t, %t : tensor<4xi32>
  tile.return
}

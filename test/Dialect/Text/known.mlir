// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

// Types that operands have already may be left out; a result that does not follow from them stands behind the arrow.
!half = tensor<?x?xf16, #tile.dims<[R, D floordiv 2]>>

// CHECK-LABEL: tile.func @shapes
tile.func @shapes(%x: tensor<8x8xf32>, %n: f32, %i: tensor<4x8xi32>, %a: !half, %p: !tile.ptr<i8>, %k: i64)
    meta {R = 4, D = 8} {
  // CHECK: tile.reshape %{{.*}} : tensor<8x8xf32> -> tensor<16x4xf32>
  %a0 = tile.reshape %x -> tensor<16x4xf32>
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<8x1xf32>
  %a1 = tile.splat %n -> tensor<8x1xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<8x1xf32> -> tensor<8x8xf32>
  %a2 = tile.broadcast %a1 -> tensor<8x8xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<8x8xf32> -> tensor<8x8x2xf32>
  %a3 = tile.join %x, %a2
  // CHECK: tile.split %{{.*}} : tensor<8x8x2xf32> -> tensor<8x8xf32>
  %a4, %a5 = tile.split %a3
  // CHECK: tile.cat %{{.*}}, %{{.*}} axis 1 : tensor<8x8xf32>, tensor<8x1xf32> -> tensor<8x9xf32>
  %a6 = tile.cat %x, %a1 axis 1
  // CHECK: tile.gather %{{.*}}, %{{.*}} axis 0 : tensor<8x8xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  %a7 = tile.gather %x, %i axis 0
  // CHECK: tile.sort %{{.*}}, %{{.*}} axis 0 : tensor<8x8xf32>, tensor<8x8xf32>
  %a8, %a9 = tile.sort %a4, %a5 axis 0
  // CHECK: tile.rand %{{.*}}, %{{.*}} : i64, tensor<4x8xi32>
  %b0 = tile.rand %k, %i
  // CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<i8> -> !tile.ptr<f32>
  %b1 = tile.ptr_cast %p -> !tile.ptr<f32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<?x?xf16, #tile.dims<[R, D floordiv 2]>> -> tensor<?x?x2xf16, #tile.dims<[R, D floordiv 2]>>
  %b2 = tile.join %a, %a
  // CHECK: tile.split %{{.*}} : tensor<?x?x2xf16, {{.*}}> -> tensor<?x?xf16, #tile.dims<[R, D floordiv 2]>>
  %b3, %b4 = tile.split %b2
  // CHECK: tile.cat %{{.*}} axis 0 : {{.*}} -> tensor<?x?xf16, #tile.dims<[R * 2, D floordiv 2]>>
  %b5 = tile.cat %b3, %b4 axis 0
  // CHECK: tile.print "shapes" %{{.*}} if %{{.*}} : f32
  %first = tile.expr %k == 0
  tile.print "shapes" %n if %first
  // CHECK: tile.print "text"{{$}}
  tile.print "text"
  // CHECK: tile.assert %{{.*}}, "first" : i1
  tile.assert %first, "first"
  tile.return
}

// CHECK-LABEL: tile.func @boxes
tile.func @boxes(%x: !tile.ptr<f16>, %n: i32, %stride: i64, %bins: tensor<64xi32>) {
  // CHECK: tile.make_desc %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}] : !tile.ptr<f16> -> !tile.desc<8x16xf16>
  %d = tile.make_desc %x, [%n, %n], [%stride] -> !tile.desc<8x16xf16>
  // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<8x16xf16>
  %v = tile.desc_load %d[%n, %n]
  // CHECK: tile.desc_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.desc<8x16xf16>
  tile.desc_store %d[%n, %n], %v
  // CHECK: tile.histogram %{{.*}} : tensor<64xi32> -> tensor<10xi32>
  %h = tile.histogram %bins -> tensor<10xi32>
  tile.return
}

// CHECK-LABEL: tile.func private @helper
tile.func private @helper(%x: tensor<4xf32>, %n: i32) -> (tensor<4xf32>, i32) {
  // CHECK: tile.return %{{.*}}, %{{.*}} : tensor<4xf32>, i32
  tile.return %x, %n
}

// CHECK-LABEL: tile.func @combined
tile.func @combined(%x: tensor<4xf32>) {
  // CHECK: tile.reduce max %{{.*}} axis 0 : tensor<4xf32> -> f32
  %m = tile.reduce %x axis 0 : tensor<4xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tile.yield %c
  }
  tile.return
}

// CHECK-LABEL: func.func @main
func.func @main(%n: i32) {
  // CHECK: tile_host.alloc(%{{.*}}, %{{.*}}) : (i32, i32) -> memref<?x?xf16>
  %y = tile_host.alloc(%n, %n) -> memref<?x?xf16>
  // CHECK: tile_host.alloc() : () -> memref<4xf16>
  %z = tile_host.alloc() -> memref<4xf16>
  // CHECK: tile_host.random(%{{.*}}) seed 1 : (i32) -> memref<?xi32>
  %b = tile_host.random(%n) seed 1 -> memref<?xi32>
  // CHECK: tile_host.launch @with(%{{.*}}, %{{.*}}) grid(%{{.*}}) : memref<?x?xf16>, i32
  tile_host.launch @with(%y, %n) grid(%n)
  // CHECK: tile_host.launch @without() grid(%{{.*}}){{$}}
  tile_host.launch @without() grid(%n)
  // CHECK: tile_host.expect_close %{{.*}}, %{{.*}} {atol = {{.*}}} : memref<?x?xf16>, memref<?x?xf16>
  tile_host.expect_close %y, %y {atol = 0.5 : f64}
  // CHECK: tile_host.dump %{{.*}} : memref<?xi32>
  tile_host.dump %b
  // CHECK: tile_host.write %{{.*}}, "b.npy" : memref<?xi32>
  tile_host.write %b, "b.npy"
  return
}
tile.func @with(%y: !tile.ptr<f16>, %n: i32) {
  tile.return
}
tile.func @without() {
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @all
tile.func @all(%c: i1, %m: tensor<4xi1>, %i: i32, %x: tensor<4xf32>, %p: !tile.ptr<f16>) {
  // CHECK: tile.print "text alone"{{$}}
  tile.print "text alone"
  // CHECK: tile.print "if" if %{{.*}}{{$}}
  tile.print "if" if %c
  // CHECK: tile.print "values" %{{.*}}, %{{.*}}, %{{.*}} : i32, tensor<4xf32>, !tile.ptr<f16>
  tile.print "values" %i, %x, %p : i32, tensor<4xf32>, !tile.ptr<f16>
  // Results of the next op are not values of this one.
  // CHECK: tile.print "next"{{$}}
  tile.print "next"
  %a$1, %b = tile.swizzle2d %i, %i, %i, %i, %i : i32
  // CHECK: tile.print "pair"{{$}}
  tile.print "pair"
  %0:2 = tile.swizzle2d %i, %i, %i, %i, %i : i32
  // CHECK: tile.print "used" %{{.*}}, %{{.*}} : i32, i32
  tile.print "used" %0#1, %b : i32, i32
  // CHECK: tile.print "a \22quoted\22 line\0A" %{{.*}} if %{{.*}} : i32
  tile.print "a \"quoted\" line\n" %i if %c : i32
  // CHECK: tile.assert %{{.*}}, "in range" : tensor<4xi1>
  tile.assert %m, "in range" : tensor<4xi1>
  // CHECK: tile.assert %{{.*}}, "one" : i1
  tile.assert %c, "one" : i1
  // CHECK: tile.assert %{{.*}}, "for good" fatal : tensor<4xi1>
  tile.assert %m, "for good" fatal : tensor<4xi1>
  // CHECK: tile.assume %{{.*}}{{$}}
  tile.assume %c
  tile.return
}

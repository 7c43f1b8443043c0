// Where several branches meet, upstream's CFGToSCF makes a switch, of which tile has branches only.
//
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 -o %t
// RUN: tile-opt %s --tile-to-cpu -o %t

// CHECK-LABEL: tile.func @meet
// CHECK: %[[WAY:.*]] = scf.if
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[WAY]], %{{.*}} : i32
// CHECK: scf.if %[[IS]] {
// CHECK: } else {
// CHECK-NOT: index_switch
tt.func public @meet(%a: i1, %b: i1, %c: i1, %out: !tt.ptr<i32>) {
  cf.cond_br %a, ^first, ^second
^first:
  cf.cond_br %b, ^one, ^two
^second:
  cf.cond_br %c, ^one, ^two
^one:
  %c1 = arith.constant 1 : i32
  tt.store %out, %c1 : !tt.ptr<i32>
  tt.return
^two:
  %c2 = arith.constant 2 : i32
  tt.store %out, %c2 : !tt.ptr<i32>
  tt.return
}

// CHECK-LABEL: tile.func @given
// CHECK: %[[A:.*]]:2 = scf.if %{{.*}} -> (i32, f32) {
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   %[[B:.*]]:2 = scf.if %{{.*}} -> (i32, f32) {
// CHECK:   scf.yield %[[B]]#0, %[[B]]#1 : i32, f32
// CHECK: tile.store %{{.*}}, %[[A]]#0
tt.func public @given(%n: i32, %x: f32, %out: !tt.ptr<i32>, %to: !tt.ptr<f32>) {
  %way = arith.index_castui %n : i32 to index
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.index_switch %way -> i32, f32
  case 2 {
    scf.yield %c1, %x : i32, f32
  }
  case 5 {
    scf.yield %c7, %zero : i32, f32
  }
  default {
    scf.yield %n, %zero : i32, f32
  }
  tt.store %out, %r#0 : !tt.ptr<i32>
  tt.store %to, %r#1 : !tt.ptr<f32>
  tt.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @box
tile.func @box(%p: !tile.ptr<f16>, %m: i32, %s: i64, %i: i32) {
  // CHECK: %[[D:.*]] = tile.make_desc %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %d = tile.make_desc %p, [%m, %m], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  // CHECK: tile.make_desc %{{.*}}, [%{{.*}}], [] padding nan : !tile.ptr<f16> -> !tile.desc<?xf16, #tile.dims<[BK]>>
  %e = tile.make_desc %p, [%m], [] padding nan : !tile.ptr<f16> -> !tile.desc<?xf16, #tile.dims<[BK]>>
  // CHECK: %[[V:.*]] = tile.desc_load %[[D]][%{{.*}}, %{{.*}}] : !tile.desc<128x64xf16>
  %v = tile.desc_load %d[%i, %i] : !tile.desc<128x64xf16>
  // CHECK: tile.desc_store %[[D]][%{{.*}}, %{{.*}}], %[[V]] : !tile.desc<128x64xf16>
  tile.desc_store %d[%i, %i], %v : !tile.desc<128x64xf16>
  tile.return
}

// CHECK-LABEL: tile.func @added
tile.func @added(%d: !tile.desc<128x64xf32>, %i: i32, %v: tensor<128x64xf32>) {
  // CHECK: tile.desc_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} {add} : !tile.desc<128x64xf32>
  tile.desc_store %d[%i, %i], %v {add} : !tile.desc<128x64xf32>
  tile.return
}

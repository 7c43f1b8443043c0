// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @texts
tile.func @texts(%x: tensor<8xf32>, %n: i32) {
  // CHECK: tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
  %y = tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure (%x) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: tile.inline_ptx "mov.b32 $0, %clock;" constraints "=r"() : () -> i32
  %c = tile.inline_ptx "mov.b32 $0, %clock;" constraints "=r" () : () -> i32
  // CHECK: tile.inline_ptx "mov.b32 $0, $1;" constraints "=r,r" pack 2(%{{.*}}) : (i32) -> i32
  %m = tile.inline_ptx "mov.b32 $0, $1;" constraints "=r,r" pack 2 (%n) : (i32) -> i32
  // CHECK: tile.inline_ptx "sub.u32 $0, $2, $3; mov.b32 $1, $2;" constraints "=r,=f,r,r" pure of [i32, f32] output 1(%{{.*}}, %{{.*}}) : (i32, i32) -> f32
  %d = tile.inline_ptx "sub.u32 $0, $2, $3; mov.b32 $1, $2;" constraints "=r,=f,r,r" pure of [i32, f32] output 1 (%n, %n) : (i32, i32) -> f32
  tile.return
}

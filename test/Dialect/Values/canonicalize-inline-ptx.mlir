// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// What is pure merges, and goes where nobody looks; what is not stays, each time.
// CHECK-LABEL: tile.func @texts
// CHECK-COUNT-2: tile.inline_ptx "mov.b32 $0, %clock;"
// CHECK-NOT: clock
// CHECK: tile.inline_ptx "ex2
// CHECK-NOT: tile.inline_ptx
tile.func @texts(%p: !tile.ptr<f32>, %x: f32) {
  %a = tile.inline_ptx "mov.b32 $0, %clock;" constraints "=r" () : () -> i32
  %b = tile.inline_ptx "mov.b32 $0, %clock;" constraints "=r" () : () -> i32
  %y = tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure (%x) : (f32) -> f32
  %z = tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure (%x) : (f32) -> f32
  %none = tile.inline_ptx "lg2.approx.f32 $0, $1;" constraints "=f,f" pure (%x) : (f32) -> f32
  %s = arith.addf %y, %z : f32
  tile.store %p, %s : !tile.ptr<f32>
  tile.return
}

// Where sinh and cosh overflow, so does the divisor of what is left of exp(-|x|): it is held in range, as infinity times 0 is no number.
//
// RUN: tile-run %s --kernel sinh --emit=ptx --arch sm_90a | FileCheck %s
// RUN: tile-run %s --kernel cosh --emit=ptx --arch sm_90a | FileCheck %s
//
// CHECK: setp.gt.f32 [[ABOVE:%p[0-9]+]], [[HALF:%r[0-9]+]], 0f7E000000;
// CHECK: selp.f32 [[DIVISOR:%r[0-9]+]], 0f7E000000, [[HALF]], [[ABOVE]];
// CHECK: rcp.approx.ftz.f32 {{%r[0-9]+}}, [[DIVISOR]];

tile.func @sinh(%x: !tile.ptr<f32>) {
  tile.grid = 1
  %v = tile.load %x : !tile.ptr<f32>
  %s = math.sinh %v : f32
  tile.store %x, %s : !tile.ptr<f32>
  tile.return
}

tile.func @cosh(%x: !tile.ptr<f32>) {
  tile.grid = 1
  %v = tile.load %x : !tile.ptr<f32>
  %s = math.cosh %v : f32
  tile.store %x, %s : !tile.ptr<f32>
  tile.return
}

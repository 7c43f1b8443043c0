// RUN: tile-opt %s --tile-print-axis-info -verify-diagnostics=only-expected -o /dev/null

// Voxels of a filter of three dimensions, by channels: a voxel's place is a quotient of a quotient of its number, and its address a
// sum of five. It is the voxels that probably follow each other.
tile.func @voxels(%b: !tile.ptr<f16>, %width: i32, %height: i32, %depth: i32, %image: i32, %plane: i32, %slice: i32, %pitch: i32, %tap: i32) {
  %n = tile.arange : tensor<64xi32>
  %ws = tile.splat %width : i32 -> tensor<64xi32>
  %hs = tile.splat %height : i32 -> tensor<64xi32>
  %ds = tile.splat %depth : i32 -> tensor<64xi32>
  %rows = arith.divsi %n, %ws : tensor<64xi32>
  %slices = arith.divsi %rows, %hs : tensor<64xi32>
  %images = arith.divsi %slices, %ds : tensor<64xi32>
  %x = arith.remsi %n, %ws : tensor<64xi32>
  %y = arith.remsi %rows, %hs : tensor<64xi32>
  %z = arith.remsi %slices, %ds : tensor<64xi32>
  %taps = tile.splat %tap : i32 -> tensor<64xi32>
  %xt = arith.addi %x, %taps : tensor<64xi32>
  %yt = arith.addi %y, %taps : tensor<64xi32>
  %zt = arith.addi %z, %taps : tensor<64xi32>
  %is = tile.splat %image : i32 -> tensor<64xi32>
  %ss = tile.splat %slice : i32 -> tensor<64xi32>
  %ps = tile.splat %pitch : i32 -> tensor<64xi32>
  %io = arith.muli %images, %is : tensor<64xi32>
  %zo = arith.muli %zt, %ss : tensor<64xi32>
  %yo = arith.muli %yt, %ps : tensor<64xi32>
  %c = tile.arange : tensor<16xi32>
  %planes = tile.splat %plane : i32 -> tensor<16xi32>
  %co = arith.muli %c, %planes : tensor<16xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
  %ie = tile.expand_dims %io axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ze = tile.expand_dims %zo axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ye = tile.expand_dims %yo axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %xe = tile.expand_dims %xt axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %ce = tile.expand_dims %co axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %p0 = tile.addptr %bs, %ie : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %p0b = tile.broadcast %p0 : tensor<64x1x!tile.ptr<f16>> -> tensor<64x16x!tile.ptr<f16>>
  %cb = tile.broadcast %ce : tensor<1x16xi32> -> tensor<64x16xi32>
  %p1 = tile.addptr %p0b, %cb : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %zb = tile.broadcast %ze : tensor<64x1xi32> -> tensor<64x16xi32>
  %p2 = tile.addptr %p1, %zb : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %yb = tile.broadcast %ye : tensor<64x1xi32> -> tensor<64x16xi32>
  %p3 = tile.addptr %p2, %yb : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %xb = tile.broadcast %xe : tensor<64x1xi32> -> tensor<64x16xi32>
  %p4 = tile.addptr %p3, %xb : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  // expected-remark @below {{order = [0, 1]}}
  %v = tile.load %p4 : tensor<64x16x!tile.ptr<f16>>
  tile.return
}

// Values of a cache in pages of 32 keys, which a table names, and where a column's keys follow each other. What keys behind the last
// one would be the page of is not loaded, so nothing proves that keys have one page; they probably do.
tile.func @pages(%b: !tile.ptr<f16>, %table: !tile.ptr<i32>, %keys: i32, %size: i32) {
  %k = tile.arange : tensor<64xi32>
  %in = arith.constant dense<32> : tensor<64xi32>
  %none = arith.constant dense<0> : tensor<64xi32>
  %q = arith.divsi %k, %in : tensor<64xi32>
  %r = arith.remsi %k, %in : tensor<64xi32>
  %end = tile.splat %keys : i32 -> tensor<64xi32>
  %there = arith.cmpi slt, %k, %end : tensor<64xi32>
  %ts = tile.splat %table : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %tp = tile.addptr %ts, %q : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  // expected-remark @below {{order = [0]}}
  %page = tile.load %tp, %there, %none : tensor<64x!tile.ptr<i32>>
  %sizes = tile.splat %size : i32 -> tensor<64xi32>
  %po = arith.muli %page, %sizes : tensor<64xi32>
  %pe = tile.expand_dims %po axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %pb = tile.broadcast %pe : tensor<64x1xi32> -> tensor<64x16xi32>
  %c = tile.arange : tensor<16xi32>
  %cs = arith.constant dense<32> : tensor<16xi32>
  %co = arith.muli %c, %cs : tensor<16xi32>
  %ce = tile.expand_dims %co axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cb = tile.broadcast %ce : tensor<1x16xi32> -> tensor<64x16xi32>
  %re = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rb = tile.broadcast %re : tensor<64x1xi32> -> tensor<64x16xi32>
  %o1 = arith.addi %pb, %cb : tensor<64x16xi32>
  %o2 = arith.addi %o1, %rb : tensor<64x16xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %ptrs = tile.addptr %bs, %o2 : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  // expected-remark @below {{order = [0, 1]}}
  %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
  tile.return
}

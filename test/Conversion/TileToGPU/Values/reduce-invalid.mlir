// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>

tile.func @no_shared_memory(%x: f32) attributes {tile.num_warps = 2 : i32} {
  %a = tile.splat %x : f32 -> tensor<64xf32, #line>
  // expected-error@+1 {{expected a kernel with shared memory for an axis over several warps (see tile-allocate-shared), found none}}
  %s = tile.reduce max %a axis 0 : tensor<64xf32, #line> -> f32
  tile.return
}

// -----

#skew = #tile_gpu.layout<register = [[1, 1]], lane = [[0, 1], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#line = #tile_gpu.layout<register = [[1]], lane = [[0], [2], [4], [8], [16]], warp = []>

tile.func @skewed(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<32x2xf32, #skew>
  // expected-error@+1 {{expected a layout whose bits move along the axis or beside it, found one that does both}}
  %s = tile.reduce max %a axis 1 : tensor<32x2xf32, #skew> -> tensor<32xf32, #line>
  tile.return
}

// -----

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

tile.func @padded_region(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<20xf32, #line>
  // expected-error@+1 {{expected an extent that is a power of two where the region is not one of the named combinations, found 20}}
  %s = tile.reduce %a axis 0 : tensor<20xf32, #line> -> f32 {
  ^bb0(%p: f32, %q: f32):
    %d = arith.subf %p, %q : f32
    tile.yield %d : f32
  }
  tile.return
}

// -----

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

tile.func @region(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  %s = tile.reduce %a axis 0 : tensor<32xf32, #line> -> f32 {
  ^bb0(%p: f32, %q: f32):
    // expected-error@+1 {{expected arithmetic in the region of a combination, found 'tile.program_id'}}
    %d = tile.program_id x
    tile.yield %p : f32
  }
  tile.return
}

// -----

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @nine(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  // expected-error@+1 {{expected at most 8 tiles combined together, found 9}}
  %s:9 = tile.reduce %a, %a, %a, %a, %a, %a, %a, %a, %a axis 0 : tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line>, tensor<32xf32, #line> -> f32, f32, f32, f32, f32, f32, f32, f32, f32 {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %p5: f32, %p6: f32, %p7: f32, %p8: f32, %p9: f32, %p10: f32, %p11: f32, %p12: f32, %p13: f32, %p14: f32, %p15: f32, %p16: f32, %p17: f32):
    tile.yield %p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8 : f32, f32, f32, f32, f32, f32, f32, f32, f32
  }
  tile.return
}

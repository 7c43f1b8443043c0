// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(convert-tile-to-gpu)'

#whole = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#other = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 4], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
tile.func @other_threads(%x: f16) {
  %a = tile.splat %x : f16 -> tensor<32x16xf16, #whole>
  // expected-error @+1 {{expected a part that every thread holds already, found another layout}}
  %p = tile_gpu.extract_tile %a [0, 8] : tensor<32x16xf16, #whole> -> tensor<32x8xf16, #other>
  tile.return
}

// -----

tile.func @padding(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile_gpu.shared_bytes = 16384 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  // expected-error @+1 {{expected a box without padding (see tile-stage-stores), found extents}}
  tile_gpu.desc_write %d[%i, %i] from %b {extents = array<i64: 128, 48>} : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @either(%p: !tile.ptr<f16>, %n: i32, %s: i64, %c: i1) attributes {tile_gpu.persistent} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %e = scf.if %c -> !tile.desc<128x64xf16> {
    scf.yield %d : !tile.desc<128x64xf16>
  } else {
    scf.yield %d : !tile.desc<128x64xf16>
  }
  // expected-error @+1 {{expected a descriptor of tile.make_desc, found another}}
  tile_gpu.prefetch_array %e first 256 of 1 : !tile.desc<128x64xf16>
  tile.return
}

// -----

// Only warps with roles can share what blocks copy.
tile.func @shared(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile_gpu.cluster = 2 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  // expected-error @+1 {{expected an operation that convert-tile-to-gpu lowers, found 'tile_gpu.desc_multicast'}}
  tile_gpu.desc_multicast %d[%i, %i] into %b part %i splits %i to %i : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

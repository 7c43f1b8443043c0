// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(convert-tile-to-gpu{arch=sm_90a})'

!bar = !tile.buffer<1xi64>

tile.func @too_few(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile.shared_bytes = 40960 : i32, tile.cluster = 4 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %b = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<128x128xf16, swizzle = 128>
  %f = tile.alloc_shared {offset = 32768 : i32} : !bar
  // expected-error @+1 {{expected as many copies for each of 4 blocks (tile.cluster), found 2 copies of 1 boxes}}
  tile.tma_multicast %d[%i, %i] into %b signal %f parts %i to %i : !tile.desc<128x128xf16> -> !tile.buffer<128x128xf16, swizzle = 128>, !bar
  tile.return
}

// -----

// Each of the parts would be two copies, which lie elsewhere in the whole.
tile.func @wide_parts(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile.shared_bytes = 40960 : i32, tile.cluster = 2 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %b = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<128x128xf16, swizzle = 128>
  %f = tile.alloc_shared {offset = 32768 : i32} : !tile.buffer<1xi64>
  // expected-error @+1 {{expected as many copies for each of 2 blocks (tile.cluster), found 4 copies of 2 boxes}}
  tile.tma_multicast %d[%i, %i] into %b signal %f parts %i to %i : !tile.desc<64x128xf16> -> !tile.buffer<128x128xf16, swizzle = 128>, !tile.buffer<1xi64>
  tile.return
}

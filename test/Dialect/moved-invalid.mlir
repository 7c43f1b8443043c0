// RUN: tile-opt %s -split-input-file -verify-diagnostics

// All ops were in one dialect once: the error has the name of today.
func.func @host(%n: i32) {
  // expected-error @+1 {{expected tile_host.alloc, found tile.alloc}}
  %x = tile.alloc(%n) : (i32) -> memref<?xi32>
  return
}

// -----

tile.func @gpu(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected tile_gpu.convert_layout, found tile.convert_layout}}
  %y = tile.convert_layout %x : tensor<4xf32> -> tensor<4xf32>
  tile.return
}

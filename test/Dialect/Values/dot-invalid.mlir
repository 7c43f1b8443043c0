// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @rank(%a: tensor<16xf16>, %c: tensor<16xf32>) {
  // expected-error @+1 {{expected operands of rank 2, or 3 with a batch, found ranks 1, 1 and 1}}
  %0 = tile.dot %a, %a, %c : tensor<16xf16>, tensor<16xf16> -> tensor<16xf32>
  tile.return
}

// -----

tile.func @types(%a: tensor<16x16xf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expected operands of one type of f16 bf16 f32 f64 i8, or of f8, found 'f16' and 'bf16'}}
  %0 = tile.dot %a, %b, %c : tensor<16x16xf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.func @accumulator(%a: tensor<16x16xf16>) {
  // expected-error @+1 {{expected an accumulator of 'f32', found 'f16'}}
  %0 = tile.dot %a, %a, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf16>
  tile.return
}

// -----

tile.func @precision(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expected f32 operands for precision tf32, found 'f16'}}
  %0 = tile.dot %a, %a, %c precision tf32 : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.func @terms(%a: tensor<16x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{expected f32 operands for precision bf16x3, found 'bf16'}}
  %0 = tile.dot %a, %a, %c precision bf16x3 : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.func @no_precision(%x: tensor<16x16xf32>) {
  // expected-error @+2 {{expected ::tile::Precision to be one of: ieee, tf32, tf32x3, bf16x3, bf16x6}}
  // expected-error @+1 {{failed to parse Tile_PrecisionAttr}}
  %0 = tile.dot %x, %x, %x precision bf16x9 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

tile.func @shapes(%a: tensor<16x8xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{expected shapes (M x K), (K x N) and (M x N), found 'tensor<16x8xf16>', 'tensor<16x8xf16>' and 'tensor<16x8xf32>'}}
  %0 = tile.dot %a, %b, %c : tensor<16x8xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  tile.return
}

// -----

tile.func @batch(%a: tensor<2x16x16xf16>, %b: tensor<3x16x16xf16>, %c: tensor<2x16x16xf32>) {
  // expected-error @+1 {{expected shapes (M x K), (K x N) and (M x N)}}
  %0 = tile.dot %a, %b, %c : tensor<2x16x16xf16>, tensor<3x16x16xf16> -> tensor<2x16x16xf32>
  tile.return
}

// -----

tile.func @names(%a: tensor<?x?xf64, #tile.dims<[M, K]>>, %c: tensor<?x?xf64, #tile.dims<[M, N]>>) {
  // expected-error @+1 {{expected shapes (M x K), (K x N) and (M x N)}}
  %0 = tile.dot %a, %a, %c : tensor<?x?xf64, #tile.dims<[M, K]>>, tensor<?x?xf64, #tile.dims<[M, K]>> -> tensor<?x?xf64, #tile.dims<[M, N]>>
  tile.return
}

// -----

// By mma.sync all columns are multiplied.
tile.func @narrow(%a: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %b: !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]>, %c: tensor<64x128xf32>) {
  // expected-error @+1 {{expected shapes (M x K), (K x N) and (M x N)}}
  %0 = tile.dot %a, %b, %c by mma_sync : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]> -> tensor<64x128xf32>
  tile.return
}

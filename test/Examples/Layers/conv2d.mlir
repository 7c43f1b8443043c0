// A convolution in two dimensions, of many channels, as products of matrices.
//
//   tile-run conv2d.mlir                      8 channels of 20 x 31 to 13 channels
//   tile-run conv2d.mlir --args 64,56,56,64   CHANNELS,HEIGHT,WIDTH,OUTPUTS
//
//   y[o, i, j] = sum over c, r, s of w[r, s, o, c] * x[c, i + r - 1, j + s - 1]     r, s = 0, 1, 2
//
// What lies outside of the picture is 0, so y is as large as x. For each of the nine taps (r, s) this is a product
// of a matrix OUTPUTS x CHANNELS and one of CHANNELS x PIXELS, whose columns are those of x moved by (r - 1, s - 1).
// A program does BO outputs of BP pixels (numbered along the rows of the picture), and goes through the taps, and for
// each through the channels, BC at a time. The nine matrices of weights lie one after the other.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1,1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,37,1,2 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 32,28,28,32 -D BC=32 -D BP=128 | FileCheck %s
// RUN: tile-run %s --check --args 8,20,31,13
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 1 comparison
// CHECK: : conv2d({{.*}}TFLOP/s

!outputs = tensor<?xi32, #tile.dims<[BO]>>
!channels = tensor<?xi32, #tile.dims<[BC]>>
!pixels = tensor<?xi32, #tile.dims<[BP]>>
!pixel_mask = tensor<?xi1, #tile.dims<[BP]>>
!w_block = tensor<?x?xf16, #tile.dims<[BO, BC]>>
!x_block = tensor<?x?xf16, #tile.dims<[BC, BP]>>
!acc = tensor<?x?xf32, #tile.dims<[BO, BP]>>
!y_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BO, BP]>>
!y_mask = tensor<?x?xi1, #tile.dims<[BO, BP]>>

//===- helpers, for any extents M and N -----------------------------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!n_mask = tensor<?xi1, #tile.dims<[N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, N]>>

// first + [0 .. M - 1]
tile.func private @range(%first: i32) -> !m {
  %range = tile.expr %first + arange(M)
  tile.return %range
}

// &base[rows[:, None] * stride + columns[None, :]], and where rows < end and the columns are there.
tile.func private @block(%base: !tile.ptr<f16>, %rows: !m, %columns: !n, %stride: i32, %end: i32,
                         %columns_in: !n_mask) -> (!mxn_ptrs, !mxn_mask) {
  %col = tile.expr col(%rows)
  %ptrs = tile.expr %base + (%col * %stride + row(%columns))
  %mask = tile.expr %col < %end and row(%columns_in)
  tile.return %ptrs, %mask
}

tile.func private @load_block(%base: !tile.ptr<f16>, %rows: !m, %columns: !n, %stride: i32, %end: i32,
                              %columns_in: !n_mask) -> tensor<?x?xf16, #tile.dims<[M, N]>> {
  %ptrs, %mask = tile.call @block(%base, %rows, %columns, %stride, %end, %columns_in) -> (!mxn_ptrs, !mxn_mask)
  %block = tile.load %ptrs, %mask
  tile.return %block
}

// 0 <= x < end
tile.func private @within(%x: !m, %end: i32) -> tensor<?xi1, #tile.dims<[M]>> {
  %within = tile.expr %x >= 0 and %x < %end
  tile.return %within
}

//===- the kernel ---------------------------------------------------------===//

tile.func @conv2d(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %y: !tile.ptr<f16>,
                  %channels: i32, %height: i32, %width: i32, %outputs: i32)
    meta {BO = 16, BP = 64, BC = 16} {
  tile.grid = %height * %width ceildiv BP, %outputs ceildiv BO
  // 2 operations for each of 9 taps, channel, output and pixel; x and y moved once, 2 bytes an element.
  tile.cost = %channels * %outputs * (%height * %width) * 18, (%channels + %outputs) * (%height * %width) * 2
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %bc = tile.meta BC : i32
  %zeros = tile.expr 0.0 : !acc

  // Which outputs, which pixels, and in which row and column of the picture those are.
  %first_output = tile.expr program_id(y) * BO
  %first_pixel = tile.expr program_id(x) * BP
  %output = tile.call @range(%first_output) -> !outputs
  %pixel = tile.call @range(%first_pixel) -> !pixels
  %pixels = tile.expr %height * %width
  %pixel_in = tile.call @within(%pixel, %pixels) -> !pixel_mask
  %i = tile.expr %pixel div %width
  %j = tile.expr %pixel rem %width

  %plane = tile.expr %outputs * %channels
  %acc = scf.for %tap = %c0 to %c9 step %c1 iter_args(%acc_tap = %zeros) -> (!acc) : i32 {
    // The pixels moved by (r - 1, s - 1): their numbers, and which of them are in the picture.
    %from_i = tile.expr %i + (%tap div 3 - 1)
    %from_j = tile.expr %j + (%tap rem 3 - 1)
    %in_i = tile.call @within(%from_i, %height) -> !pixel_mask
    %in_j = tile.call @within(%from_j, %width) -> !pixel_mask
    %in = tile.expr %in_i and %in_j
    %from = tile.expr %from_i * %width + %from_j

    %w_tap = tile.expr %w + %tap * %plane
    %acc_all = scf.for %first_channel = %c0 to %channels step %bc iter_args(%acc_c = %acc_tap) -> (!acc) : i32 {
      %channel = tile.call @range(%first_channel) -> !channels
      %channel_in = tile.call @within(%channel, %channels) -> tensor<?xi1, #tile.dims<[BC]>>
      %w_block = tile.call @load_block(%w_tap, %output, %channel, %channels, %outputs, %channel_in) -> !w_block
      %x_block = tile.call @load_block(%x, %channel, %from, %pixels, %channels, %in) -> !x_block
      %next = tile.dot %w_block, %x_block, %acc_c
      scf.yield %next : !acc
    }
    scf.yield %acc_all : !acc
  }
  %y_ptrs, %y_mask = tile.call @block(%y, %output, %pixel, %pixels, %outputs, %pixel_in) -> (!y_ptrs, !y_mask)
  %y_block = tile.expr f16(%acc)
  tile.store %y_ptrs, %y_block, %y_mask
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func @main(%channels: i32 {tile_host.default = 8 : i32}, %height: i32 {tile_host.default = 20 : i32},
                %width: i32 {tile_host.default = 31 : i32}, %outputs: i32 {tile_host.default = 13 : i32}) {
  %x = tile_host.random(%channels, %height, %width) seed 1 -> memref<?x?x?xf16>
  %w = tile_host.random(%outputs, %channels) seed 2 -> memref<3x3x?x?xf16>
  %y = tile_host.alloc(%outputs, %height, %width) -> memref<?x?x?xf16>
  tile_host.launch @conv2d(%x, %w, %y, %channels, %height, %width, %outputs)

  // In f64, from the definition, on x with a frame of zeros.
  %c2 = arith.constant 2 : i32
  %wide_height = arith.addi %height, %c2 : i32
  %wide_width = arith.addi %width, %c2 : i32
  %wide = tile_host.alloc(%channels, %wide_height, %wide_width) -> memref<?x?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(c, i, j) -> (c, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<?x?x?xf16>) {
  ^bb0(%value: f16):
    %c1 = arith.constant 1 : index
    %c = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %to_i = arith.addi %i, %c1 : index
    %to_j = arith.addi %j, %c1 : index
    %value64 = arith.extf %value : f16 to f64
    memref.store %value64, %wide[%c, %to_i, %to_j] : memref<?x?x?xf64>
    linalg.yield
  }
  %want = tile_host.alloc(%outputs, %height, %width) -> memref<?x?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(o, c, r, s, i, j) -> (r, s, o, c)>,
                                   affine_map<(o, c, r, s, i, j) -> (c, i + r, j + s)>,
                                   affine_map<(o, c, r, s, i, j) -> (o, i, j)>],
                  iterator_types = ["parallel", "reduction", "reduction", "reduction", "parallel", "parallel"]}
      ins(%w, %wide : memref<3x3x?x?xf16>, memref<?x?x?xf64>) outs(%want : memref<?x?x?xf64>) {
  ^bb0(%weight: f16, %value: f64, %sum: f64):
    %weight64 = arith.extf %weight : f16 to f64
    %product = arith.mulf %weight64, %value : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  tile_host.expect_close %y, %want {atol = 2.0e-3, rtol = 1.0e-3}
  return
}

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
!y_block = tensor<?x?xf16, #tile.dims<[BO, BP]>>
!acc = tensor<?x?xf32, #tile.dims<[BO, BP]>>
!y_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BO, BP]>>
!y_mask = tensor<?x?xi1, #tile.dims<[BO, BP]>>

//===- helpers, for any extents M and N -----------------------------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!n_mask = tensor<?xi1, #tile.dims<[N]>>
!col = tensor<?x1xi32, #tile.dims<[M]>>
!row = tensor<1x?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, N]>>

// first + [0 .. M - 1]
tile.func private @range(%first: i32) -> !m {
  %firsts = tile.splat %first : i32 -> !m
  %lanes = tile.arange : !m
  %range = arith.addi %firsts, %lanes : !m
  tile.return %range : !m
}

// &base[rows[:, None] * stride + columns[None, :]], and where rows < end and the columns are there.
tile.func private @block(%base: !tile.ptr<f16>, %rows: !m, %columns: !n, %stride: i32, %end: i32,
                         %columns_in: !n_mask) -> (!mxn_ptrs, !mxn_mask) {
  %col = tile.expand_dims %rows axis 1 : !m -> !col
  %row = tile.expand_dims %columns axis 0 : !n -> !row
  %strides = tile.splat %stride : i32 -> !col
  %down = arith.muli %col, %strides : !col
  %downs = tile.broadcast %down : !col -> !mxn
  %acrosses = tile.broadcast %row : !row -> !mxn
  %offs = arith.addi %downs, %acrosses : !mxn
  %bases = tile.splat %base : !tile.ptr<f16> -> !mxn_ptrs
  %ptrs = tile.addptr %bases, %offs : !mxn_ptrs, !mxn
  %ends = tile.splat %end : i32 -> !col
  %in_m = arith.cmpi slt, %col, %ends : !col
  %in_n = tile.expand_dims %columns_in axis 0 : !n_mask -> tensor<1x?xi1, #tile.dims<[N]>>
  %ins_m = tile.broadcast %in_m : tensor<?x1xi1, #tile.dims<[M]>> -> !mxn_mask
  %ins_n = tile.broadcast %in_n : tensor<1x?xi1, #tile.dims<[N]>> -> !mxn_mask
  %mask = arith.andi %ins_m, %ins_n : !mxn_mask
  tile.return %ptrs, %mask : !mxn_ptrs, !mxn_mask
}

tile.func private @load_block(%base: !tile.ptr<f16>, %rows: !m, %columns: !n, %stride: i32, %end: i32,
                              %columns_in: !n_mask) -> tensor<?x?xf16, #tile.dims<[M, N]>> {
  %ptrs, %mask = tile.call @block(%base, %rows, %columns, %stride, %end, %columns_in)
      : (!tile.ptr<f16>, !m, !n, i32, i32, !n_mask) -> (!mxn_ptrs, !mxn_mask)
  %block = tile.load %ptrs, %mask : !mxn_ptrs
  tile.return %block : tensor<?x?xf16, #tile.dims<[M, N]>>
}

// 0 <= x < end
tile.func private @within(%x: !m, %end: i32) -> tensor<?xi1, #tile.dims<[M]>> {
  %c0 = arith.constant 0 : i32
  %zeros = tile.splat %c0 : i32 -> !m
  %ends = tile.splat %end : i32 -> !m
  %not_before = arith.cmpi sge, %x, %zeros : !m
  %not_after = arith.cmpi slt, %x, %ends : !m
  %within = arith.andi %not_before, %not_after : tensor<?xi1, #tile.dims<[M]>>
  tile.return %within : tensor<?xi1, #tile.dims<[M]>>
}

//===- the kernel ---------------------------------------------------------===//

tile.func @conv2d(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %y: !tile.ptr<f16>,
                  %channels: i32, %height: i32, %width: i32, %outputs: i32)
    meta {BO = 16, BP = 64, BC = 16} {
  tile.grid(%height : i32, %width : i32, %outputs : i32) {
    %bo = tile.meta BO : i32
    %bp = tile.meta BP : i32
    %pixels = arith.muli %height, %width : i32
    %programs_p = arith.ceildivsi %pixels, %bp : i32
    %programs_o = arith.ceildivsi %outputs, %bo : i32
    tile.yield %programs_p, %programs_o : i32, i32
  }
  // 2 operations for each of 9 taps, channel, output and pixel; x and y moved once, 2 bytes an element.
  tile.cost(%channels : i32, %height : i32, %width : i32, %outputs : i32) {
    %two = arith.constant 2 : i64
    %eighteen = arith.constant 18 : i64
    %c64 = arith.extsi %channels : i32 to i64
    %h64 = arith.extsi %height : i32 to i64
    %w64 = arith.extsi %width : i32 to i64
    %o64 = arith.extsi %outputs : i32 to i64
    %pixels = arith.muli %h64, %w64 : i64
    %co = arith.muli %c64, %o64 : i64
    %products = arith.muli %co, %pixels : i64
    %operations = arith.muli %products, %eighteen : i64
    %planes = arith.addi %c64, %o64 : i64
    %elements = arith.muli %planes, %pixels : i64
    %bytes = arith.muli %elements, %two : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c9 = arith.constant 9 : i32
  %bo = tile.meta BO : i32
  %bp = tile.meta BP : i32
  %bc = tile.meta BC : i32
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero : f32 -> !acc

  // Which outputs, which pixels, and in which row and column of the picture those are.
  %pid_p = tile.program_id x
  %pid_o = tile.program_id y
  %first_output = arith.muli %pid_o, %bo : i32
  %first_pixel = arith.muli %pid_p, %bp : i32
  %output = tile.call @range(%first_output) : (i32) -> !outputs
  %pixel = tile.call @range(%first_pixel) : (i32) -> !pixels
  %pixels = arith.muli %height, %width : i32
  %pixel_in = tile.call @within(%pixel, %pixels) : (!pixels, i32) -> !pixel_mask
  %widths = tile.splat %width : i32 -> !pixels
  %i = arith.divsi %pixel, %widths : !pixels
  %j = arith.remsi %pixel, %widths : !pixels

  %plane = arith.muli %outputs, %channels : i32
  %acc = scf.for %tap = %c0 to %c9 step %c1 iter_args(%acc_tap = %zeros) -> (!acc) : i32 {
    // The pixels moved by (r - 1, s - 1): their numbers, and which of them are in the picture.
    %r = arith.divsi %tap, %c3 : i32
    %s = arith.remsi %tap, %c3 : i32
    %down = arith.subi %r, %c1 : i32
    %right = arith.subi %s, %c1 : i32
    %downs = tile.splat %down : i32 -> !pixels
    %rights = tile.splat %right : i32 -> !pixels
    %from_i = arith.addi %i, %downs : !pixels
    %from_j = arith.addi %j, %rights : !pixels
    %in_i = tile.call @within(%from_i, %height) : (!pixels, i32) -> !pixel_mask
    %in_j = tile.call @within(%from_j, %width) : (!pixels, i32) -> !pixel_mask
    %in = arith.andi %in_i, %in_j : !pixel_mask
    %above = arith.muli %from_i, %widths : !pixels
    %from = arith.addi %above, %from_j : !pixels

    %w_offset = arith.muli %tap, %plane : i32
    %w_tap = tile.addptr %w, %w_offset : !tile.ptr<f16>, i32
    %acc_all = scf.for %first_channel = %c0 to %channels step %bc iter_args(%acc_c = %acc_tap) -> (!acc) : i32 {
      %channel = tile.call @range(%first_channel) : (i32) -> !channels
      %channel_in = tile.call @within(%channel, %channels) : (!channels, i32) -> tensor<?xi1, #tile.dims<[BC]>>
      %w_block = tile.call @load_block(%w_tap, %output, %channel, %channels, %outputs, %channel_in)
          : (!tile.ptr<f16>, !outputs, !channels, i32, i32, tensor<?xi1, #tile.dims<[BC]>>) -> !w_block
      %x_block = tile.call @load_block(%x, %channel, %from, %pixels, %channels, %in)
          : (!tile.ptr<f16>, !channels, !pixels, i32, i32, !pixel_mask) -> !x_block
      %next = tile.dot %w_block, %x_block, %acc_c : !w_block, !x_block -> !acc
      scf.yield %next : !acc
    }
    scf.yield %acc_all : !acc
  }
  %y_ptrs, %y_mask = tile.call @block(%y, %output, %pixel, %pixels, %outputs, %pixel_in)
      : (!tile.ptr<f16>, !outputs, !pixels, i32, i32, !pixel_mask) -> (!y_ptrs, !y_mask)
  %y_block = arith.truncf %acc : !acc to !y_block
  tile.store %y_ptrs, %y_block, %y_mask : !y_ptrs
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func @main(%channels: i32 {tile_host.default = 8 : i32}, %height: i32 {tile_host.default = 20 : i32},
                %width: i32 {tile_host.default = 31 : i32}, %outputs: i32 {tile_host.default = 13 : i32}) {
  %x = tile_host.random(%channels, %height, %width) seed 1 : (i32, i32, i32) -> memref<?x?x?xf16>
  %w = tile_host.random(%outputs, %channels) seed 2 : (i32, i32) -> memref<3x3x?x?xf16>
  %y = tile_host.alloc(%outputs, %height, %width) : (i32, i32, i32) -> memref<?x?x?xf16>
  tile_host.launch @conv2d(%x, %w, %y, %channels, %height, %width, %outputs)
      : memref<?x?x?xf16>, memref<3x3x?x?xf16>, memref<?x?x?xf16>, i32, i32, i32, i32

  // In f64, from the definition, on x with a frame of zeros.
  %c2 = arith.constant 2 : i32
  %wide_height = arith.addi %height, %c2 : i32
  %wide_width = arith.addi %width, %c2 : i32
  %wide = tile_host.alloc(%channels, %wide_height, %wide_width) : (i32, i32, i32) -> memref<?x?x?xf64>
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
  %want = tile_host.alloc(%outputs, %height, %width) : (i32, i32, i32) -> memref<?x?x?xf64>
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
  tile_host.expect_close %y, %want {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  return
}

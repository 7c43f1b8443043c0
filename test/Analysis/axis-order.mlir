// RUN: tile-opt %s --tile-print-axis-info -o /dev/null 2>&1 | grep 'order = ' | FileCheck %s

// Weights of a convolution, a tile of channels and filters: channels are nine elements apart, and of filters nobody knows.
// CHECK: order = [0, 1]
tile.func @weights(%w: !tile.ptr<f16>, %channels: i32) {
  %nine = arith.constant dense<9> : tensor<32x1xi32>
  %row = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %down = arith.muli %rows, %nine : tensor<32x1xi32>
  %column = tile.arange : tensor<64xi32>
  %columns = tile.expand_dims %column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %far = tile.splat %channels : i32 -> tensor<1x64xi32>
  %across = arith.muli %columns, %far : tensor<1x64xi32>
  %all = tile.broadcast %down : tensor<32x1xi32> -> tensor<32x64xi32>
  %other = tile.broadcast %across : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %all, %other : tensor<32x64xi32>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

// Two distances that the launch knows: rows, where the launch has said what is 1, and columns, which most authors mean,
// where it has not.
// CHECK: order = [0, 1]
tile.func @strides(%w: !tile.ptr<f16>, %r: i32, %c: i32) attributes {tile.knows_ones} {
  %row = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %high = tile.splat %r : i32 -> tensor<32x1xi32>
  %down = arith.muli %rows, %high : tensor<32x1xi32>
  %column = tile.arange : tensor<64xi32>
  %columns = tile.expand_dims %column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %far = tile.splat %c : i32 -> tensor<1x64xi32>
  %across = arith.muli %columns, %far : tensor<1x64xi32>
  %all = tile.broadcast %down : tensor<32x1xi32> -> tensor<32x64xi32>
  %other = tile.broadcast %across : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %all, %other : tensor<32x64xi32>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

// Rows are a multiple of 16 apart, and columns are not: they are the smaller number, or one whose author wrote down its type.
// CHECK: order = [1, 0]
tile.func @whole_rows(%w: !tile.ptr<f16>, %r: i32 {tile.divisibility = 16 : i32}, %c: i32) attributes {tile.knows_ones} {
  %row = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %high = tile.splat %r : i32 -> tensor<32x1xi32>
  %down = arith.muli %rows, %high : tensor<32x1xi32>
  %column = tile.arange : tensor<64xi32>
  %columns = tile.expand_dims %column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %far = tile.splat %c : i32 -> tensor<1x64xi32>
  %across = arith.muli %columns, %far : tensor<1x64xi32>
  %all = tile.broadcast %down : tensor<32x1xi32> -> tensor<32x64xi32>
  %other = tile.broadcast %across : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %all, %other : tensor<32x64xi32>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

// CHECK: order = [1, 0]
tile.func @unknown(%w: !tile.ptr<f16>, %r: i32, %c: i32) {
  %row = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %high = tile.splat %r : i32 -> tensor<32x1xi32>
  %down = arith.muli %rows, %high : tensor<32x1xi32>
  %column = tile.arange : tensor<64xi32>
  %columns = tile.expand_dims %column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %far = tile.splat %c : i32 -> tensor<1x64xi32>
  %across = arith.muli %columns, %far : tensor<1x64xi32>
  %all = tile.broadcast %down : tensor<32x1xi32> -> tensor<32x64xi32>
  %other = tile.broadcast %across : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %all, %other : tensor<32x64xi32>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

// Positions that are read from memory have no distance: lanes lie along the last dimension.
// CHECK: order = [1, 0]
// CHECK: order = [1, 0]
tile.func @gathered(%w: !tile.ptr<f16>, %list: !tile.ptr<i32>) attributes {tile.knows_ones} {
  %row = tile.arange : tensor<32xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %pitch = arith.constant dense<64> : tensor<32x1xi32>
  %down = arith.muli %rows, %pitch : tensor<32x1xi32>
  %column = tile.arange : tensor<64xi32>
  %columns = tile.expand_dims %column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %all = tile.broadcast %down : tensor<32x1xi32> -> tensor<32x64xi32>
  %other = tile.broadcast %columns : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %all, %other : tensor<32x64xi32>
  %lists = tile.splat %list : !tile.ptr<i32> -> tensor<32x64x!tile.ptr<i32>>
  %q = tile.addptr %lists, %at : tensor<32x64x!tile.ptr<i32>>, tensor<32x64xi32>
  %places = tile.load %q : tensor<32x64x!tile.ptr<i32>>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %places : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

// Of 49 neighbours in one place, or 9, and rows 147 apart: a warp's lanes lie along what they share.
// CHECK: order = [0, 1]
tile.func @shared(%w: !tile.ptr<f32>) {
  %x = tile.arange : tensor<64xi32>
  %few = arith.constant dense<49> : tensor<64xi32>
  %place = arith.divsi %x, %few : tensor<64xi32>
  %column = tile.expand_dims %place axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r = tile.arange : tensor<8xi32>
  %pitch = arith.constant dense<147> : tensor<8xi32>
  %down = arith.muli %r, %pitch : tensor<8xi32>
  %row = tile.expand_dims %down axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %all = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x8xi32>
  %other = tile.broadcast %row : tensor<1x8xi32> -> tensor<64x8xi32>
  %at = arith.addi %all, %other : tensor<64x8xi32>
  %base = tile.splat %w : !tile.ptr<f32> -> tensor<64x8x!tile.ptr<f32>>
  %p = tile.addptr %base, %at : tensor<64x8x!tile.ptr<f32>>, tensor<64x8xi32>
  %v = tile.load %p : tensor<64x8x!tile.ptr<f32>>
  tile.return
}

// CHECK: order = [0, 1]
tile.func @shared_by_few(%w: !tile.ptr<f32>) {
  %x = tile.arange : tensor<64xi32>
  %few = arith.constant dense<9> : tensor<64xi32>
  %place = arith.divsi %x, %few : tensor<64xi32>
  %column = tile.expand_dims %place axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r = tile.arange : tensor<8xi32>
  %pitch = arith.constant dense<147> : tensor<8xi32>
  %down = arith.muli %r, %pitch : tensor<8xi32>
  %row = tile.expand_dims %down axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %all = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x8xi32>
  %other = tile.broadcast %row : tensor<1x8xi32> -> tensor<64x8xi32>
  %at = arith.addi %all, %other : tensor<64x8xi32>
  %base = tile.splat %w : !tile.ptr<f32> -> tensor<64x8x!tile.ptr<f32>>
  %p = tile.addptr %base, %at : tensor<64x8x!tile.ptr<f32>>, tensor<64x8xi32>
  %v = tile.load %p : tensor<64x8x!tile.ptr<f32>>
  tile.return
}

// Pixels of a transposed convolution, every other of which is one: neighbours along them share an image and lie half a
// pixel apart; channels lie an image apart, of which nobody knows how large it is.
// CHECK: order = [0, 1]
tile.func @transposed(%w: !tile.ptr<f16>, %channels: i32, %height: i32, %image: i32) {
  %x = tile.arange : tensor<64xi32>
  %images = tile.splat %image : i32 -> tensor<64xi32>
  %number = arith.divsi %x, %images : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %half = arith.divsi %x, %two : tensor<64xi32>
  %deep = tile.splat %channels : i32 -> tensor<64xi32>
  %first = arith.muli %number, %deep : tensor<64xi32>
  %column = tile.expand_dims %first axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %place = tile.expand_dims %half axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r = tile.arange : tensor<32xi32>
  %row = tile.expand_dims %r axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %all = tile.broadcast %column : tensor<64x1xi32> -> tensor<64x32xi32>
  %other = tile.broadcast %row : tensor<1x32xi32> -> tensor<64x32xi32>
  %channel = arith.addi %all, %other : tensor<64x32xi32>
  %tall = tile.splat %height : i32 -> tensor<64x32xi32>
  %line = arith.muli %channel, %tall : tensor<64x32xi32>
  %places = tile.broadcast %place : tensor<64x1xi32> -> tensor<64x32xi32>
  %at = arith.addi %line, %places : tensor<64x32xi32>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %v = tile.load %p : tensor<64x32x!tile.ptr<f16>>
  tile.return
}

// Weights by strides that the launch knows, none of which is 1: taps and channels are quotients and remainders of one
// index, which lies in memory close to as that counts; filters lie apart by one number.
// CHECK: order = [0, 1]
tile.func @taps(%w: !tile.ptr<f16>, %all_taps: i32, %taps: i32, %line: i32 {tile.divisibility = 16 : i32},
                %filter: i32 {tile.divisibility = 16 : i32}) attributes {tile.knows_ones} {
  %k = tile.arange : tensor<32xi32>
  %window = tile.splat %all_taps : i32 -> tensor<32xi32>
  %channel = arith.divsi %k, %window : tensor<32xi32>
  %tap = arith.remsi %k, %window : tensor<32xi32>
  %pitch = tile.splat %line : i32 -> tensor<32xi32>
  %far = arith.muli %tap, %pitch : tensor<32xi32>
  %both = arith.addi %channel, %far : tensor<32xi32>
  %rows = tile.expand_dims %both axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %column = tile.arange : tensor<64xi32>
  %columns = tile.expand_dims %column axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %apart = tile.splat %filter : i32 -> tensor<1x64xi32>
  %across = arith.muli %columns, %apart : tensor<1x64xi32>
  %down = tile.broadcast %rows : tensor<32x1xi32> -> tensor<32x64xi32>
  %other = tile.broadcast %across : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %down, %other : tensor<32x64xi32>
  %base = tile.splat %w : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %at : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %v = tile.load %p : tensor<32x64x!tile.ptr<f16>>
  tile.return
}

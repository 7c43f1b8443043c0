// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @indices(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected 2 indices, found 1}}
  tile_gpu.desc_copy %d[%i] into %s : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @element(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xbf16, swizzle = 128>) {
  // expected-error @+1 {{expected a buffer of 'f16', found '!tile_gpu.buffer<128x64xbf16, swizzle = 128>'}}
  tile_gpu.desc_copy %d[%i, %i] into %s : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xbf16, swizzle = 128>
  tile.return
}

// -----

tile.func @extents(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<64x128xf16, swizzle = 128>) {
  // expected-error @+1 {{expected a buffer of the box's extents, found 'tensor<128x64xf16>' and '!tile_gpu.buffer<64x128xf16, swizzle = 128>'}}
  tile_gpu.desc_copy %d[%i, %i] into %s : !tile.desc<128x64xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @ring(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>) {
  // expected-error @+1 {{expected one block of a ring, found 2 stages}}
  tile_gpu.desc_write %d[%i, %i] from %s : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
  tile.return
}

// -----

tile.func @barrier(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>, %b: !tile_gpu.buffer<1xi32>) {
  // expected-error @+1 {{expected one barrier (!tile_gpu.buffer<1xi64>), found '!tile_gpu.buffer<1xi32>'}}
  tile_gpu.tma_load %d[%i, %i] into %s signal %b : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi32>
  tile.return
}

// -----

tile.func @part_of_a_box(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<64x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected a buffer of whole boxes, found 'tensor<128x64xf16>' and '!tile_gpu.buffer<64x64xf16, swizzle = 128>'}}
  tile_gpu.tma_store %d[%i, %i] from %s : !tile.desc<128x64xf16>, !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @nowhere(%d: !tile.desc<64x64xf16>, %i: i32, %s: !tile_gpu.buffer<64x64xf16, swizzle = 128>) {
  // expected-error @+1 {{attribute 'across' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  tile_gpu.tma_store %d[%i, %i] from %s across 0 : !tile.desc<64x64xf16>, !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @several(%b: !tile_gpu.buffer<1xi64, stages = 2>, %p: i32) {
  // expected-error @+1 {{expected one barrier (!tile_gpu.buffer<1xi64>), found '!tile_gpu.buffer<1xi64, stages = 2>'}}
  tile_gpu.barrier_wait %b parity %p : !tile_gpu.buffer<1xi64, stages = 2>
  tile.return
}

// -----

tile.func @arrive(%b: !tile_gpu.buffer<2xi64>) {
  // expected-error @+1 {{expected one barrier (!tile_gpu.buffer<1xi64>), found '!tile_gpu.buffer<2xi64>'}}
  tile_gpu.barrier_arrive %b : !tile_gpu.buffer<2xi64>
  tile.return
}

// -----

tile.func @expect(%b: !tile_gpu.buffer<1xf64>) {
  // expected-error @+1 {{expected one barrier (!tile_gpu.buffer<1xi64>), found '!tile_gpu.buffer<1xf64>'}}
  tile_gpu.barrier_expect %b bytes 16 : !tile_gpu.buffer<1xf64>
  tile.return
}

// -----

tile.func @init(%b: !tile_gpu.buffer<8xi64, stages = 2>) {
  // expected-error @+1 {{expected a ring of barriers (!tile_gpu.buffer<1xi64>), found '!tile_gpu.buffer<8xi64, stages = 2>'}}
  tile_gpu.barrier_init %b count 1 : !tile_gpu.buffer<8xi64, stages = 2>
  tile.return
}

// -----

tile.func @count(%b: !tile_gpu.buffer<1xi64>) {
  // expected-error @+1 {{attribute 'count' failed to satisfy constraint}}
  tile_gpu.barrier_init %b count 0 : !tile_gpu.buffer<1xi64>
  tile.return
}

// -----

tile.func @offset(%x: tensor<128x64xf32>) {
  // expected-error @+1 {{expected a part inside the tile, found 64 at 32 of 64 along dimension 1}}
  %f = tile_gpu.extract_tile %x [0, 32] : tensor<128x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @rank(%x: tensor<128x64xf32>) {
  // expected-error @+1 {{expected 2 offsets, found 1}}
  %f = tile_gpu.extract_tile %x [0] : tensor<128x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @type(%x: tensor<128x64xf32>) {
  // expected-error @+1 {{expected a part of the tile's type and rank, found 'tensor<128x64xf32>' and 'tensor<64x64xf16>'}}
  %f = tile_gpu.extract_tile %x [0, 0] : tensor<128x64xf32> -> tensor<64x64xf16>
  tile.return
}

// -----

tile.func @pending() {
  // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
  tile_gpu.tma_store_wait -1
  tile.return
}

// -----

tile.func @turn_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.turn_wait' op requires zero operands}}
  "tile_gpu.turn_wait"(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func @turn_to_somebody(%x: f32) {
  // expected-error @+1 {{'tile_gpu.turn_pass' op requires zero operands}}
  "tile_gpu.turn_pass"(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func @barrier_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.group_barrier' op requires zero operands}}
  "tile_gpu.group_barrier"(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func @one_role() {
  // expected-error @+1 {{'tile_gpu.warp_specialize' op expected 2 regions}}
  "tile_gpu.warp_specialize"() ({
    tile_gpu.group_barrier
  }) : () -> ()
  tile.return
}

// -----

tile.func @dots_still_to_come(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
  %y = tile_gpu.dot_wait %x pending -1 : tensor<64x64xf32>
  tile.return
}

// -----

tile.func @more_than_the_buffer(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %b: !tile_gpu.buffer<1xi64>) {
  // expected-error @+1 {{expected a buffer of the box's extents, found 'tensor<128x64xf16>' and '!tile_gpu.buffer<64x64xf16, swizzle = 128>'}}
  tile_gpu.tma_multicast %d[%i, %i] into %s signal %b part %i splits %i to %i : !tile.desc<128x64xf16> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile.return
}

// -----

tile.func @multicast_barrier(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>, %b: !tile_gpu.buffer<1xi32>) {
  // expected-error @+1 {{expected one barrier (!tile_gpu.buffer<1xi64>), found '!tile_gpu.buffer<1xi32>'}}
  tile_gpu.tma_multicast %d[%i, %i] into %s signal %b part %i splits %i to %i : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi32>
  tile.return
}

// -----

tile.func @a_third_of_the_rows(%d: !tile.desc<128x64xf16>, %h: !tile.desc<32x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>, %b: !tile_gpu.buffer<1xi64>) {
  // expected-error @+1 {{expected a box of half of the rows, 'tensor<64x64xf16>', found 'tensor<32x64xf16>'}}
  tile_gpu.tma_multicast %d[%i, %i] cuts %h into %s signal %b part %i splits %i to %i : !tile.desc<128x64xf16>, !tile.desc<32x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile.return
}

// -----

tile.func @multicast_of_more(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<64x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected a buffer of the box's extents, found 'tensor<128x64xf16>' and '!tile_gpu.buffer<64x64xf16, swizzle = 128>'}}
  tile_gpu.desc_multicast %d[%i, %i] into %s part %i splits %i to %i : !tile.desc<128x64xf16> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @multicast_of_one_index(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected 2 indices, found 1}}
  tile_gpu.desc_multicast %d[%i] into %s part %i splits %i to %i : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @multicast_of_a_third(%d: !tile.desc<128x64xf16>, %h: !tile.desc<32x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected a box of half of the rows, 'tensor<64x64xf16>', found 'tensor<32x64xf16>'}}
  tile_gpu.desc_multicast %d[%i, %i] cuts %h into %s part %i splits %i to %i : !tile.desc<128x64xf16>, !tile.desc<32x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @lane_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.cluster_lane' op requires zero operands}}
  %r = "tile_gpu.cluster_lane"(%x) : (f32) -> i32
  tile.return
}

// -----

tile.func @vote_of_a_number(%x: i32) {
  // expected-error @+1 {{'tile_gpu.cluster_vote' op operand #0 must be 1-bit signless integer}}
  %r = "tile_gpu.cluster_vote"(%x) : (i32) -> i32
  tile.return
}

// -----

tile.func @elect_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.elect' op requires zero operands}}
  %r = "tile_gpu.elect"(%x) : (f32) -> i1
  tile.return
}

// -----

tile.func @pin_of_a_tile(%x: tensor<4xi32>) {
  // expected-error @+1 {{'tile_gpu.pin' op operand #0 must be 32-bit signless integer or 64-bit signless integer}}
  %r = "tile_gpu.pin"(%x) : (tensor<4xi32>) -> i32
  tile.return
}

// -----

tile.func @producer_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.producer' op requires zero operands}}
  %r = "tile_gpu.producer"(%x) : (f32) -> i32
  tile.return
}

// -----

tile.func @rank_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.cluster_rank' op requires zero operands}}
  %r = "tile_gpu.cluster_rank"(%x) : (f32) -> i32
  tile.return
}

// -----

tile.func @warp_group_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.warp_group' op requires zero operands}}
  %r = "tile_gpu.warp_group"(%x) : (f32) -> i32
  tile.return
}

// -----

tile.func @when_without_wgmma(%x: tensor<64x64xf16>, %acc: tensor<64x64xf32>, %c: i1) {
  // expected-error @+1 {{expected a dot by wgmma for a condition, found another}}
  %d = tile.dot %x, %x, %acc by mma_sync when %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @arrival_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.cluster_arrive' op requires zero operands}}
  "tile_gpu.cluster_arrive"(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func @wait_for_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.cluster_wait' op requires zero operands}}
  "tile_gpu.cluster_wait"(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func @stored(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected extents from 1 to those of the box, found others than 'tensor<128x64xf16>'}}
  tile_gpu.desc_write %d[%i, %i] from %s {extents = array<i64: 128, 72>} : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// -----

// Roles have some of the threads each.
tile.func @some_threads(%d: !tile.desc<128x64xf16>) {
  tile_gpu.warp_specialize producer {
    // expected-error @+1 {{'tile_gpu.prefetch_array' op expected all threads of the grid, as tile.func has them, found those of tile_gpu.warp_specialize}}
    tile_gpu.prefetch_array %d first 256 of 1 : !tile.desc<128x64xf16>
  } consumer {
  }
  tile.return
}

// -----

tile.func @layers(%d: !tile.desc<1x128x64xf16>) {
  // expected-error @+1 {{'tile_gpu.prefetch_array' op expected an array of rank 2, found 3}}
  tile_gpu.prefetch_array %d first 256 of 1 : !tile.desc<1x128x64xf16>
  tile.return
}

// -----

tile.func @third(%d: !tile.desc<128x64xf16>) {
  // expected-error @+1 {{'tile_gpu.prefetch_array' op attribute 'dim' failed to satisfy constraint}}
  tile_gpu.prefetch_array %d first 256 of 2 : !tile.desc<128x64xf16>
  tile.return
}

// -----

tile.func @no_parts(%d: !tile.desc<128x64xf16>) {
  // expected-error @+1 {{'tile_gpu.prefetch_array' op attribute 'parts' failed to satisfy constraint}}
  tile_gpu.prefetch_array %d first 256 of 1 {parts = 0 : i32, step = 64 : i32} : !tile.desc<128x64xf16>
  tile.return
}

// -----

tile.func @parts_of_halves(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{'tile_gpu.add_parts' op operand #0 must be tile}}
  %s = "tile_gpu.add_parts"(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
  tile.return
}

// -----

tile.func @collected_halves(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{'tile_gpu.collect_parts' op operand #0 must be variadic of tile}}
  %s, %last = "tile_gpu.collect_parts"(%x) : (tensor<64x64xf16>) -> (tensor<64x64xf16>, i1)
  tile.return
}

// -----

tile.func @collected_of_another_shape(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.collect_parts' op expected one sum or more, each of its part's type, found parts of 'tensor<64x64xf32>' and sums of 'tensor<64x32xf32>'}}
  %s, %last = tile_gpu.collect_parts %x : tensor<64x64xf32> -> tensor<64x32xf32>
  tile.return
}

// -----

tile.func @collected_shares_without_a_period(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.collect_parts' op expected where each of two or more blocks' shares of a period begins, from 0 on, and the last one's end in it, found {shares = array<i64: 0, 16, 32>}}}
  %s, %last = tile_gpu.collect_parts %x {shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @turns_of_another_shape(%x: tensor<64x64xf32>, %part: i32, %split: i1) {
  // expected-error @+1 {{'tile_gpu.collect_turns' op expected one sum or more, each of its part's type, found parts of 'tensor<64x64xf32>' and sums of 'tensor<64x32xf32>'}}
  %s, %last = tile_gpu.collect_turns %x part %part of %part when %split together %split {parts = 3} : tensor<64x64xf32> -> tensor<64x32xf32>
  tile.return
}

// -----

tile.func @one_turn(%x: tensor<64x64xf32>, %part: i32, %split: i1) {
  // expected-error @+1 {{'tile_gpu.collect_turns' op expected 2 to 32 parts, found 1}}
  %s, %last = tile_gpu.collect_turns %x part %part of %part when %split together %split {parts = 1} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @turns_share_another_shape(%x: tensor<64x64xf32>, %part: i32, %split: i1) {
  // expected-error @+1 {{'tile_gpu.share_turns' op expected one sum or more, each of its part's type, found parts of 'tensor<64x64xf32>' and sums of 'tensor<64x32xf32>'}}
  %s, %goes, %all = tile_gpu.share_turns %x part %part of %part when %split together %split {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x32xf32>
  tile.return
}

// -----

tile.func @one_turn_shares(%x: tensor<64x64xf32>, %part: i32, %split: i1) {
  // expected-error @+1 {{'tile_gpu.share_turns' op expected where each of two or more blocks' shares of a period begins, from 0 on, and the last one's end in it, found {period =}}
  %s, %goes, %all = tile_gpu.share_turns %x part %part of %part when %split together %split {period = 32, shares = array<i64: 0, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @shared_of_another_shape(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.share_parts' op expected one sum or more, each of its part's type, found parts of 'tensor<64x64xf32>' and sums of 'tensor<64x32xf32>'}}
  %s, %goes, %all = tile_gpu.share_parts %x {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x32xf32>
  tile.return
}

// -----

tile.func @shared_among_one(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.share_parts' op expected where each of two or more blocks' shares of a period begins, from 0 on, and the last one's end in it, found {period =}}
  %s, %goes, %all = tile_gpu.share_parts %x {period = 32, shares = array<i64: 0, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

tile.func @part_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.part' op requires zero operands}}
  %r = "tile_gpu.part"(%x) : (f32) -> i32
  tile.return
}

// -----

tile.func @shares_that_descend(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.add_parts' op expected where each of two or more blocks' shares of a period begins, from 0 on, and the last one's end in it, found {period = 32 : i64, shares = array<i64: 0, 32, 16>}}}
  %s = tile_gpu.add_parts %x {period = 32 : i64, shares = array<i64: 0, 32, 16>} : tensor<64x64xf32>
  tile.return
}

// -----

tile.func @shares_without_a_period(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.add_parts' op expected where each of two or more blocks' shares of a period begins}}
  %s = tile_gpu.add_parts %x {shares = array<i64: 0, 16, 32>} : tensor<64x64xf32>
  tile.return
}

// -----

tile.func @sum_of_another_shape(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{'tile_gpu.add_parts' op requires the same type for all operands and results}}
  %s = "tile_gpu.add_parts"(%x) : (tensor<64x64xf32>) -> tensor<64x32xf32>
  tile.return
}

// -----

tile.func @added(%d: !tile.desc<128x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected a box of f32 to add, found one of 'f16'}}
  tile_gpu.desc_write %d[%i, %i] from %s {add} : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// -----

tile.func @added_in_boxes(%d: !tile.desc<64x64xf16>, %i: i32, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>) {
  // expected-error @+1 {{expected a box of f32 to add, found one of 'f16'}}
  tile_gpu.tma_store %d[%i, %i] from %s {add} : !tile.desc<64x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @histogram_rank(%i: tensor<8x8xi32>) {
  // expected-error @+1 {{expected tiles of rank 1, found 'tensor<8x8xi32>' to 'tensor<10xi32>'}}
  %0 = tile.histogram %i : tensor<8x8xi32> -> tensor<10xi32>
  tile.return
}

// -----

tile.func @histogram_mask(%i: tensor<8xi32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{type of 'mask' is i1 of the shape of 'source'}}
  %0 = "tile.histogram"(%i, %m) : (tensor<8xi32>, tensor<4xi1>) -> tensor<10xi32>
  tile.return
}

// -----

tile.func @sort_nothing() {
  // expected-error @+1 {{expected at least one operand, found none}}
  "tile.sort"() {axis = 0 : i32} : () -> ()
  tile.return
}

// -----

tile.func @sort_axis(%i: tensor<8xi32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found 1}}
  %0 = tile.sort %i axis 1 : tensor<8xi32>
  tile.return
}

// -----

tile.func @sort_shapes(%i: tensor<8xi32>, %j: tensor<4xi32>) {
  // expected-error @+1 {{expected operands of one shape, found 'tensor<8xi32>' and 'tensor<4xi32>'}}
  %0:2 = tile.sort %i, %j axis 0 : tensor<8xi32>, tensor<4xi32>
  tile.return
}

// -----

tile.func @sort_results(%i: tensor<8xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<8xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  %0 = "tile.sort"(%i) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<4xi32>
  tile.return
}

// -----

tile.func @partial_sort_longer(%i: tensor<8xi32>) {
  // expected-error @+1 {{expected results of the operands' types, no longer along axis 0, found 'tensor<8xi32>' to 'tensor<16xi32>'}}
  %0 = tile.partial_sort %i axis 0 : (tensor<8xi32>) -> tensor<16xi32>
  tile.return
}

// -----

tile.func @partial_sort_other(%i: tensor<4x8xi32>) {
  // expected-error @+1 {{expected results of the operands' types, no longer along axis 1, found 'tensor<4x8xi32>' to 'tensor<2x8xi32>'}}
  %0 = tile.partial_sort %i axis 1 : (tensor<4x8xi32>) -> tensor<2x8xi32>
  tile.return
}

// -----

tile.func @partial_sort_element(%i: tensor<8xi32>) {
  // expected-error @+1 {{expected results of the operands' types, no longer along axis 0, found 'tensor<8xi32>' to 'tensor<4xf32>'}}
  %0 = tile.partial_sort %i axis 0 : (tensor<8xi32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func @partial_sort_results(%i: tensor<8xi32>) {
  // expected-error @+1 {{expected 1 results, found 0}}
  "tile.partial_sort"(%i) {axis = 0 : i32} : (tensor<8xi32>) -> ()
  tile.return
}

// -----

tile.func @partial_sort_axis(%i: tensor<8xi32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found 1}}
  %0 = tile.partial_sort %i axis 1 : (tensor<8xi32>) -> tensor<4xi32>
  tile.return
}

// -----

tile.func @rand_result(%i: tensor<8xi32>, %s: i32) {
  // expected-error @+1 {{type of 'result' is f32 of the offsets' shape}}
  %0 = "tile.rand"(%s, %i) : (i32, tensor<8xi32>) -> f32
  tile.return
}

// -----

tile.func @rand_seed(%i: tensor<8xi32>, %s: f32) {
  // expected-error @+1 {{operand #0 must be 32-bit signless integer or 64-bit signless integer, but got 'f32'}}
  %0 = tile.rand %s, %i : f32, tensor<8xi32>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @past_the_end(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a part of 'tensor<4x8xf32>', found 'tensor<4x4xf32>' from 5 on along dimension 1}}
  %a = tile.slice %x[0, 5] : tensor<4x8xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.func @far_past_the_end(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a part of 'tensor<4xf32>', found 'tensor<4xf32>' from 9223372036854775807 on along dimension 0}}
  %a = tile.slice %x[9223372036854775807] : tensor<4xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func @larger(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a part of 'tensor<4xf32>', found 'tensor<8xf32>' from 0 on along dimension 0}}
  %a = tile.slice %x[0] : tensor<4xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.func @whole_named(%x: tensor<?xf32, #tile.dims<[N]>>) {
  // expected-error @+1 {{from 1 on along dimension 0}}
  %a = tile.slice %x[1] : tensor<?xf32, #tile.dims<[N]>> -> tensor<?xf32, #tile.dims<[N]>>
  tile.return
}

// -----

tile.func @rank(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an offset and an extent for each of the 2 dimensions, found 2 offsets and 'tensor<4xf32>'}}
  %a = tile.slice %x[0, 0] : tensor<4x8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func @count(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an offset and an extent for each of the 2 dimensions, found 1 offsets}}
  %a = tile.slice %x[0] : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @element(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a result of 'f32', found 'f16'}}
  %a = tile.slice %x[0] : tensor<8xf32> -> tensor<4xf16>
  tile.return
}

// -----

tile.func @negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected offsets that are 0 or more, or arithmetic on meta-parameters, found [-1]}}
  %a = "tile.slice"(%x) {offsets = [-1]} : (tensor<8xf32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func @no_offset(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected offsets that are 0 or more, or arithmetic on meta-parameters, found [1.000000e+00 : f32]}}
  %a = "tile.slice"(%x) {offsets = [1.0 : f32]} : (tensor<8xf32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func @minus(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected an extent of names, numbers, +, -, *, floordiv, ceildiv, mod and brackets, with a name that counts}}
  %a = tile.slice %x[-1] : tensor<8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func @scalar(%x: f32) {
  // expected-error @+1 {{tile.slice}}
  %a = tile.slice %x[0] : f32 -> tensor<4xf32>
  tile.return
}

// -----

tile.func @no_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected '->'}}
  %a = tile.slice %x[0] : tensor<8xf32>
  tile.return
}

// -----

tile.func @range(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected where the part begins alone, as its type says how long it is, found a range}}
  %a = tile.slice %x[0:4] -> tensor<4xf32>
  tile.return
}

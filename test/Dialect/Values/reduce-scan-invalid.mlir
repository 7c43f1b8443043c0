// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @unknown_name(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected add, mul, max, min, maxnum, minnum, umax, umin, and, or or xor of one operand that has it, found 'sum'}}
  %0 = tile.reduce sum %x axis 0 : tensor<64xf32> -> f32
  tile.return
}

// -----

tile.func @name_of_type(%x: tensor<64xf32>) {
  // expected-error @+1 {{of one operand that has it, found 'xor' of ('tensor<64xf32>')}}
  %0 = tile.reduce xor %x axis 0 : tensor<64xf32> -> f32
  tile.return
}

// -----

tile.func @name_of_two(%x: tensor<64xf32>) {
  // expected-error @+1 {{of one operand that has it, found 'add' of ('tensor<64xf32>', 'tensor<64xf32>')}}
  %0:2 = tile.reduce add %x, %x axis 0 : tensor<64xf32>, tensor<64xf32> -> f32, f32
  tile.return
}

// -----

tile.func @no_operand() {
  // expected-error @+1 {{expected 'axis'}}
  %0 = tile.reduce axis 0 : tensor<64xf32> -> f32
  tile.return
}

// -----

tile.func @no_operand_generic() {
  // expected-error @+1 {{expected at least one operand, found none}}
  "tile.reduce"() <{axis = 0 : i32}> ({
    tile.yield
  }) : () -> ()
  tile.return
}

// -----

tile.func @axis(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found 1}}
  %0 = tile.reduce add %x axis 1 : tensor<64xf32> -> f32
  tile.return
}

// -----

tile.func @negative_axis(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found -1}}
  %0 = tile.scan add %x axis -1 : tensor<64xf32> -> tensor<64xf32>
  tile.return
}

// -----

tile.func @shapes(%x: tensor<64xf32>, %y: tensor<32xi32>) {
  // expected-error @+1 {{expected operands of one shape, found 'tensor<64xf32>' and 'tensor<32xi32>'}}
  %0, %1 = tile.reduce %x, %y axis 0 : tensor<64xf32>, tensor<32xi32> -> f32, i32 {
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    tile.yield %a, %b : f32, i32
  }
  tile.return
}

// -----

tile.func @region_type(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region of ('f32', 'f32'), found ('f32')}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.func @yields(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected the region to yield ('f32'), found ()}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield
  }
  tile.return
}

// -----

tile.func @empty_region(%x: tensor<64xf32>) {
  // expected-error @+1 {{expects a non-empty block}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
  }
  tile.return
}

// -----

tile.func @side_effects(%x: tensor<64xf32>) {
  // expected-error @+1 {{expected a region without side effects, found tile.print}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.print "here"
    tile.yield %a : f32
  }
  tile.return
}

// -----

tile.func @result(%x: tensor<8x64xf32>) {
  // expected-error @+1 {{expected a result without axis 1 of 'tensor<8x64xf32>', found 'tensor<64xf32>'}}
  %0 = tile.reduce add %x axis 1 : tensor<8x64xf32> -> tensor<64xf32>
  tile.return
}

// -----

tile.func @result_rank(%x: tensor<8x64xf32>) {
  // expected-error @+1 {{expected a result without axis 1 of 'tensor<8x64xf32>', found 'f32'}}
  %0 = tile.reduce add %x axis 1 : tensor<8x64xf32> -> f32
  tile.return
}

// -----

tile.func @result_name(%x: tensor<?x?xf32, #tile.dims<[M, N]>>) {
  // expected-error @+1 {{expected a result without axis 1}}
  %0 = tile.reduce add %x axis 1 : tensor<?x?xf32, #tile.dims<[M, N]>> -> tensor<?xf32, #tile.dims<[N]>>
  tile.return
}

// -----

tile.func @num_results(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected 1 results, found 2}}
  %0, %1 = tile.scan add %x axis 0 : tensor<8xf32> -> tensor<8xf32>, tensor<8xf32>
  tile.return
}

// -----

tile.func @scan_result(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected results of the operands' types, found 'tensor<4xf32>'}}
  %0 = tile.scan add %x axis 0 : tensor<8xf32> -> tensor<4xf32>
  tile.return
}

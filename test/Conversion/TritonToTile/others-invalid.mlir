// What Triton's text may say and tile has no equivalent of, op by op.
// RUN: tile-opt %s --convert-triton-to-tile -split-input-file -verify-diagnostics

tt.func public @kind(%p: !tt.ptr<i32>, %x: i32) {
  %true = arith.constant true
  // expected-error @+1 {{'tt.atomic_rmw': expected a kind, an order and a scope that tile has, found another}}
  %y = tt.atomic_rmw nand, relaxed, gpu, %p, %x, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}

// -----

tt.func public @order(%p: !tt.ptr<i32>, %x: i32) {
  %true = arith.constant true
  // expected-error @+1 {{'tt.atomic_rmw': expected a kind, an order and a scope that tile has, found another}}
  %y = tt.atomic_rmw add, seq_cst, gpu, %p, %x, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}

// -----

tt.func public @scope(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{'tt.atomic_cas': expected an order and a scope that tile has, found another}}
  %y = tt.atomic_cas acq_rel, cluster, %p, %x, %x : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return
}

// -----

tt.func public @order_of_exchange(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{'tt.atomic_cas': expected an order and a scope that tile has, found another}}
  %y = tt.atomic_cas consume, gpu, %p, %x, %x : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return
}

// -----

tt.func public @one_of_many(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tt.unsplat': expected a tile of one number, found another}}
  %y = tt.unsplat %x : tensor<8xi32>
  tt.return
}

// -----

tt.func public @whole_numbers(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tt.fp_to_fp': expected numbers of floating point, found others}}
  %y = tt.fp_to_fp %x, rounding = rtz : tensor<8xi32> -> tensor<8xf16>
  tt.return
}

// -----

tt.func public @to_whole_numbers(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.fp_to_fp': expected numbers of floating point, found others}}
  %y = tt.fp_to_fp %x, rounding = rtz : tensor<8xf32> -> tensor<8xi16>
  tt.return
}

// -----

tt.func public @no_constant(%x: tensor<8xf32>) {
  %two = tt.get_program_id x : i32
  // expected-error @+1 {{'tt.reduce': expected a region of its arguments and constants alone, found a value of outside}}
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %n = arith.sitofp %two : i32 to f32
    tt.reduce.return %n : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func public @odd_pack(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.map_elementwise': expected tiles of packs of 1, 2, 4, 8 or 16 elements, found another}}
  %y = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    tt.map_elementwise.return %a, %b, %c : f32, f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func public @cut_pack(%x: tensor<6xf32>) {
  // expected-error @+1 {{'tt.map_elementwise': expected tiles of packs of 1, 2, 4, 8 or 16 elements, found another}}
  %y = "tt.map_elementwise"(%x) <{pack = 4 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.map_elementwise.return %a, %b, %c, %d : f32, f32, f32, f32
  }) : (tensor<6xf32>) -> tensor<6xf32>
  tt.return
}

// -----

// expected-error @+1 {{expected i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2, pointers to these, tiles of rank 1 to 16 of both, or descriptors, found tensor<1x1x}}
tt.func public @rank(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  tt.return
}

// RUN: tile-opt %s --convert-triton-to-tile -split-input-file -verify-diagnostics

tt.func public @unknown(%p: !tt.ptr<i64>) {
  // expected-error @+1 {{expected an op of Triton's that tile has an equivalent of, found 'gpu.thread_id'}}
  %x = gpu.thread_id x
  tt.return
}

// -----

tt.func public @external(%x: f32) {
  // expected-error @+1 {{expected a function of libdevice that tile has, found '__nv_unheard_of'}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_unheard_of"} : (f32) -> f32
  tt.return
}

// -----

// expected-error @+1 {{expected i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2, pointers to these, tiles of rank 1 to 16 of both, or descriptors, found i128}}
tt.func public @type(%x: i128) {
  tt.return
}

// -----

tt.func public @range() {
  // expected-error @+1 {{'tt.make_range': expected as many elements as there are numbers from start to end, found others}}
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<16xi32>
  tt.return
}

// -----

tt.func public @axis() {
  // expected-error @+1 {{'tt.get_program_id': expected axis x, y or z, found another}}
  %p = tt.get_program_id w : i32
  tt.return
}

// -----

tt.func public @captured(%x: tensor<8xf32>, %y: f32) {
  // expected-error @+1 {{'tt.reduce': expected a region of its arguments and constants alone, found a value of outside}}
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func public @descriptor(%p: !tt.ptr<f16>, %n: i32, %one: i64) {
  // expected-error @+1 {{'tt.make_tensor_descriptor': expected an extent and a stride for each dimension of the box, found others}}
  %d = tt.make_tensor_descriptor %p, [%n], [%one] : <f16>, <tensor<8x64xf16>>
  tt.return
}

// -----

tt.func public @gather(%d: !tt.tensordesc<tensor<2x8xf32>>, %rows: tensor<4xi32>, %y: i32) {
  // expected-error @+1 {{'tt.descriptor_gather': expected a descriptor that is made in the function or an argument of it, and as many rows as the tile has, found another}}
  %v = tt.descriptor_gather %d[%rows, %y] : (!tt.tensordesc<tensor<2x8xf32>>, tensor<4xi32>, i32) -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func public @reduce(%d: !tt.tensordesc<tensor<8x8xf32>>, %y: i32) {
  %v = arith.constant dense<1.0> : tensor<8x8xf32>
  // expected-error @+1 {{'tt.descriptor_reduce': expected add, min or max of f16, bf16 and integers, or and, or, xor of integers, found another}}
  tt.descriptor_reduce max, %d[%y, %y], %v : !tt.tensordesc<tensor<8x8xf32>>, tensor<8x8xf32>
  tt.return
}

// -----

tt.func public @map(%x: tensor<8xf32>, %p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.map_elementwise': expected a region of arith, math and scf.if, found another op}}
  %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    %v = tt.load %p : !tt.ptr<f32>
    tt.map_elementwise.return %v : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func public @scales(%a: tensor<16x32xf8E4M3FN>, %s: tensor<32x1xi8>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled': expected scales that divide K, found others}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 : tensor<16x32xf8E4M3FN>, tensor<32x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @wide_scales(%a: tensor<16x32xf8E4M3FN>, %s: tensor<16x1xi16>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled': expected scales of 8 bits, found others}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 : tensor<16x32xf8E4M3FN>, tensor<16x1xi16> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @wide_nibbles(%a: tensor<16x16xi16>, %s: tensor<16x1xi8>, %b: tensor<32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled': expected operands of floats or bytes, and bytes of e2m1, found others}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 : tensor<16x16xi16>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @stacked(%a: tensor<16x32xf8E4M3FN>, %b: tensor<1x32x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled': expected operands of rank 2, found others}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 : tensor<16x32xf8E4M3FN> * tensor<1x32x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @twice(%x: i32) {
  // expected-error @+1 {{expected one result of what is not pure, found several}}
  %y:2 = tt.elementwise_inline_asm "mov.b32 $0, $2; mov.b32 $1, $2;" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = false} %x : i32 -> i32, i32
  tt.return
}

// -----

tt.func public @cache(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load': expected a cache modifier ca, cg, cs, cv, wb or wt and an eviction policy normal, first or last, found others}}
  %a = tt.load %p evictionPolicy = evict_sometime : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @byte_store(%p: !tt.ptr<i8>, %x: i8) {
  // expected-error @+1 {{'tt.atomic_store': expected numbers of 16, 32 or 64 bits, found others}}
  tt.atomic_store release, gpu, %p, %x : !tt.ptr<i8>
  tt.return
}

// -----

tt.func public @byte_load(%p: !tt.ptr<i8>) {
  // expected-error @+1 {{'tt.atomic_load': expected numbers of 16, 32 or 64 bits, found others}}
  %x = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i8>) -> i8
  tt.return
}

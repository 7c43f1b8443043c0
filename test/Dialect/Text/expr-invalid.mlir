// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @elements(%a: i32, %b: i64) {
  // expected-error @+1 {{expected operands of '+' of one element type, found 'i32' and 'i64' (f32(..) and the like convert)}}
  %c = tile.expr %a + %b
  tile.return
}

// -----

tile.func @shapes(%a: tensor<4xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{expected operands of '<' of one shape, but for scalars and extents of 1, found 'tensor<4xi32>' and 'tensor<8xi32>'}}
  %c = tile.expr %a < %b
  tile.return
}

// -----

// Ranks are never mixed: where a dimension is missing, col, row and expand say which.
tile.func @ranks(%a: tensor<4xi32>, %b: tensor<4x4xi32>) {
  // expected-error @+1 {{expected operands of '*' of one shape, but for scalars and extents of 1}}
  %c = tile.expr %a * %b
  tile.return
}

// -----

tile.func @names(%a: tensor<?xi32, #tile.dims<[M]>>, %b: tensor<?xi32, #tile.dims<[N]>>) {
  // expected-error @+1 {{expected operands of '+' of one shape, but for scalars and extents of 1}}
  %c = tile.expr %a + %b
  tile.return
}

// -----

tile.func @result(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected an expression that fits 'tensor<8xi32>', found 'tensor<4xi32>'}}
  %c = tile.expr %a + 1 : tensor<8xi32>
  tile.return
}

// -----

tile.func @result_element(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected an expression that fits 'tensor<4xi64>', found 'tensor<4xi32>'}}
  %c = tile.expr %a + 1 : tensor<4xi64>
  tile.return
}

// -----

tile.func @integer_quotient(%a: i32) {
  // expected-error @+1 {{expected floats (integers have div, rem, floordiv and ceildiv) for '/', found 'i32'}}
  %c = tile.expr %a / 2
  tile.return
}

// -----

tile.func @float_remainder(%a: f32) {
  // expected-error @+1 {{expected integers for 'rem', found 'f32'}}
  %c = tile.expr %a rem 2
  tile.return
}

// -----

tile.func @real_number(%a: i32) {
  // expected-error @+1 {{expected a number that 'i32' has, found 1.500000e+00 : f64}}
  %c = tile.expr %a * 1.5
  tile.return
}

// -----

tile.func @large_number(%a: i8) {
  // expected-error @+1 {{expected a number that 'i8' has, found 256 : i66}}
  %c = tile.expr %a + 256
  tile.return
}

// -----

tile.func @real_extent(%a: f32) meta {B = 4} {
  // expected-error @+1 {{expected an integer for 'B', found 'f32' (f32(B) converts)}}
  %c = tile.expr %a * B
  tile.return
}

// -----

tile.func @pointers(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a pointer and i32 or i64 offsets of a shape that fits it around '+', found '!tile.ptr<f32>' and '!tile.ptr<f32>'}}
  %c = tile.expr %p + %q
  tile.return
}

// -----

tile.func @pointer_difference(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected a pointer and i32 or i64 offsets of a shape that fits it around '-'}}
  %c = tile.expr %p - %i
  tile.return
}

// -----

tile.func @offset_first(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected the pointer in front of what moves it, found it behind}}
  %c = tile.expr %i + %p
  tile.return
}

// -----

tile.func @condition(%a: i32, %b: i32) {
  // expected-error @+1 {{expected a condition of i1, found 'i32'}}
  %c = tile.expr select(%a, %a, %b)
  tile.return
}

// -----

tile.func @column(%a: i32) {
  // expected-error @+1 {{expected a tile of one dimension for 'col', found 'i32'}}
  %c = tile.expr col(%a)
  tile.return
}

// -----

tile.func @expanded(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected a tile for 'expand' with a place for axis 2, found 'tensor<4xi32>'}}
  %c = tile.expr expand(%a, 2)
  tile.return
}

// -----

tile.func @function(%a: i32) {
  // expected-error @+1 {{or an element-wise op of arith or math as a function, found 'mim'}}
  %c = tile.expr mim(%a, 3)
  tile.return
}

// -----

tile.func @no_elementwise(%a: i32) {
  // expected-error @+1 {{or an element-wise op of arith or math as a function, found 'scf.for'}}
  %c = tile.expr scf.for(%a)
  tile.return
}

// -----

tile.func @arguments(%a: i32) {
  // expected-error @+1 {{expected 2 operands of 'min', found 1}}
  %c = tile.expr min(%a)
  tile.return
}

// -----

tile.func @nothing(%a: i32) {
  // expected-error @+2 {{expected a value, a number, a meta-parameter, a function or '(' in an expression}}
  %c = tile.expr %a +
}

// -----

tile.func @undeclared(%a: i32) {
  // expected-error @+1 {{use of undeclared SSA value name}}
  %c = tile.expr %a + %b
  tile.return
}

// -----

tile.func @numbers_alone() {
  // expected-error @+1 {{expected a value in a comparison, found numbers alone}}
  %c = tile.expr 1 < 2
  tile.return
}

// -----

tile.func @extent() {
  // expected-error @+1 {{expected an extent from 1 to 2^24 for 'arange'}}
  %c = tile.expr arange(0)
  tile.return
}

// -----

tile.func @axis() {
  // expected-error @+1 {{expected x, y or z for 'program_id'}}
  %c = tile.expr program_id(w)
  tile.return
}

// -----

// Only the parser makes them, and leaves none.
tile.func @tree(%a: i32) {
  // expected-error @+1 {{'tile.expr' op expected the tree of an expression, found another attribute}}
  %c = "tile.expr"(%a) {tree = ["operand", 7]} : (i32) -> i32
  tile.return
}

// -----

tile.func @tree_operand(%a: i32) {
  // expected-error @+1 {{'tile.expr' op expected the tree of an expression, found another attribute}}
  %c = "tile.expr"(%a) {tree = ["operand", 1 : i64]} : (i32) -> i32
  tile.return
}

// -----

tile.func @grid(%n: i64) {
  // expected-error @+1 {{expected an expression that fits 'i32', found 'i64'}}
  tile.grid = %n ceildiv 64
  tile.return
}

// -----

tile.func @grid_of_tiles(%n: i32) {
  // expected-error @+1 {{expected an expression that fits 'i32', found 'tensor<4xi32>'}}
  tile.grid = %n + arange(4)
  tile.return
}

// -----

tile.func @cost(%n: f32) {
  // expected-error @+1 {{expected an expression that fits 'i64', found 'f32'}}
  tile.cost = %n, 1
  tile.return
}

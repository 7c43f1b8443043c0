// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @print_type(%x: vector<4xf32>) {
  // expected-error @+1 {{operand #0 must be variadic of number, pointer or tile, but got 'vector<4xf32>'}}
  tile.print "x" %x : vector<4xf32>
  tile.return
}

// -----

tile.func @print_condition(%m: tensor<4xi1>) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{expects different type than prior uses: 'i1' vs 'tensor<4xi1>'}}
  tile.print "x" if %m
  tile.return
}

// -----

tile.func @print_no_text(%i: i32) {
  // expected-error @+1 {{expected attribute value}}
  tile.print %i : i32
  tile.return
}

// -----

tile.func @assert_type(%i: i32) {
  // expected-error @+1 {{operand #0 must be i1 or tile of i1, but got 'i32'}}
  tile.assert %i, "x" : i32
  tile.return
}

// -----

tile.func @assume_type(%i: i32) {
  // expected-error @+1 {{operand #0 must be 1-bit signless integer, but got 'i32'}}
  "tile.assume"(%i) : (i32) -> ()
  tile.return
}

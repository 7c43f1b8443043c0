// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'tile.include' op expected a file 'Inputs/none.mlir' beside this one or installed with tile, found none}}
tile.include "Inputs/none.mlir"

// -----

// expected-error @+1 {{'tile.include' op expected a path from the file's own folder, found '/etc/hosts'}}
tile.include "/etc/hosts"

// -----

// expected-error @+1 {{'tile.include' op expected a path from the file's own folder, found ''}}
tile.include ""

// -----

tile.func @within() {
  // expected-error @+1 {{'tile.include' op expected it at the top of a file that tile's own parser has read, found it elsewhere}}
  tile.include "tile/ranges.mlir"
  tile.return
}

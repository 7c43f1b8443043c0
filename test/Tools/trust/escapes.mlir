// Text of a file reaches the terminal as text: no escape sequence, and no line that looks like a message of tile's.
// RUN: tile-run %s --kernel prints --arg 1 --target=cpu | FileCheck %s --check-prefix=PRINT
// RUN: not tile-run %s --kernel asserts --arg 1 --target=cpu 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not tile-run %s --kernel asserts --arg 1 --target=cpu 2>&1 | not grep "^fake"
// RUN: printf 'tile.func @k() { "\033[2Jx"() : () -> () }' > %t.mlir && not tile-run %t.mlir --emit=tile 2>&1 | FileCheck %s --check-prefix=LINE
// PRINT: pid (0, 0, 0) red\1B[31m\0Anext\C2\9B31m
// ASSERT: error: expected assertion "a\0Afake.mlir:1:1: error: spoof\1B[0m" to hold
// LINE: {{\\1B\[2Jx}}
tile.func @prints(%n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.print "red\1B[31m\0Anext\C2\9B31m"
  tile.return
}
tile.func @asserts(%n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %no = arith.constant false
  tile.assert %no, "a\0Afake.mlir:1:1: error: spoof\1B[0m" : i1
  tile.return
}

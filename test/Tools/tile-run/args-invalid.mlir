// --args of the wrong number or kind.
// RUN: not tile-run %s --target=cpu --args 1,2 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not tile-run %s --target=cpu --args 1,2,3,4 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-run %s --target=cpu 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-run %s --target=cpu --args 1,2.5,3 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tile-run %s --target=cpu --args 1,2,three 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not tile-run %s --target=cpu --args 4294967296,1,1 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tile-run %s --target=cpu --args '' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tile-run %s --target=cpu --args ,, 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tile-run %s --target=cpu --args 1,2, 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: not tile-run %examples/Basics/vector_add.mlir --target=cpu --args '' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: tile-run %s --target=cpu --args 1
// RUN: tile-run %s --target=cpu --args 1,-9223372036854775808,1e3

// FEW: args-invalid.mlir:[[#@LINE+8]]:1: error: expected 3 arguments for @main, or one for all, found 2
// MANY: error: expected 3 arguments for @main, or one for all, found 4
// NONE: error: expected 3 arguments for @main, or one for all, found 0
// KIND: error: expected a value of type i64 for argument 1 of @main, found '2.5'
// WORD: error: expected a value of type f32 for argument 2 of @main, found 'three'
// RANGE: error: expected a value of type i32 for argument 0 of @main, found '4294967296'
// EMPTY: error: expected a value of type i32 for argument 0 of @main, found ''
// LAST: error: expected a value of type f32 for argument 2 of @main, found ''
func.func @main(%a: i32, %b: i64, %c: f32) {
  return
}

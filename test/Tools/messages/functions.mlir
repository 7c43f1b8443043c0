// A function that no formula has: which one was meant, of those that the message lists or of its dialect.
// RUN: not tile-opt %s 2>&1 | FileCheck %s
// RUN: sed '/arrange/d' %s > %t.mlir && not tile-opt %t.mlir 2>&1 | FileCheck %s --check-prefix=DIALECT
// RUN: sed '/arrange\|rsqr/d' %s > %t.mlir && not tile-opt %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed '/arrange\|rsqr\|like_it(/d; s/^  tile.return/  %%d = tile.expr %%x %% 2\n&/' %s > %t.mlir && not tile-opt %t.mlir 2>&1 | FileCheck %s --check-prefix=REST
tile.func @formulas(%x: f32) {
  // CHECK: functions.mlir:[[@LINE+2]]:18: error: {{.*}}as a function, found 'arrange'
  // CHECK: help: did you mean 'arange'?
  %a = tile.expr arrange(4)
  // DIALECT: found 'math.rsqr'
  // DIALECT: help: did you mean 'math.rsqrt'?
  %b = tile.expr math.rsqr(%x)
  // REST: error: invalid SSA name
  // REST: help: did you mean 'rem'?
  // NONE: found 'nothing_like_it'
  // NONE-NOT: help:
  %c = tile.expr nothing_like_it(%x)
  tile.return
}

// All that mlir-opt has, on tile programs.
// RUN: tile-opt --help | FileCheck %s --check-prefix=HELP
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-specialize{facts=BLOCK=16},tile.func(tile-expand-ops,canonicalize))' | FileCheck %s
// RUN: tile-opt %s --tile-specialize --mlir-print-ir-after-all 2>&1 >/dev/null | FileCheck %s --check-prefix=AFTER
// RUN: tile-opt %s --tile-specialize --mlir-timing --mlir-disable-threading 2>&1 >/dev/null | FileCheck %s --check-prefix=TIMING
// RUN: not tile-opt %s --pass-pipeline='builtin.module(tile-specialize{bnd=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt %s --pass-pipeline='builtin.module(tile-specialize{kernel=nobody})' --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: FileCheck %s --check-prefix=REPRODUCER < %t.mlir
// RUN: not tile-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// HELP: OVERVIEW: tile optimizer
// HELP-DAG: --tile-expand-ops
// HELP-DAG: --tile-specialize
// HELP-DAG: --bind=<string>
// HELP-DAG: --tile-to-nvvm
// HELP-DAG: --arch=<string>
// HELP-DAG: --tile-to-cpu

// AFTER: IR Dump After {{.*}}(tile-specialize)
// TIMING: Execution time report
// TIMING: {{S|s}}pecialize
// OPTION: no such option bnd
// CRASH: error: expected a kernel named 'nobody', found none
// REPRODUCER: tile.func @k
// REPRODUCER: pipeline: "builtin.module(tile-specialize{{.*}}kernel=nobody
// AGAIN: error: expected a kernel named 'nobody', found none

// CHECK: tile.arange : tensor<16xi32>
tile.func @k(%p: tensor<16x!tile.ptr<i32>>) meta {BLOCK = 16} {
  %a = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  tile.print "" %a : tensor<?xi32, #tile.dims<[BLOCK]>>
  tile.return
}

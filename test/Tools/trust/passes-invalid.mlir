// A file may name passes: for --run-reproducer, and in the transform dialect. None of them writes a file or runs a
// program, nor does one on the command line.
// RUN: rm -rf %t && mkdir -p %t/bin && printf '#!/bin/sh\ntouch %t/ran\n' > %t/bin/ptxas && chmod +x %t/bin/ptxas && cp %t/bin/ptxas %t/bin/fatbinary
// RUN: split-file %s %t && cd %t
// RUN: not tile-opt gpu.mlir --snapshot-op-locations=filename=%t/written 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not tile-opt gpu.mlir --gpu-module-to-binary=toolkit=%t 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: not tile-opt gpu.mlir --gpu-module-to-binary 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: not tile-opt reproducer.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not tile-opt transform.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: not sh -c 'PATH=%t/bin:$PATH exec tile-opt gpu.mlir --gpu-lower-to-nvvm-pipeline' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not ls %t/ran %t/written written
// WRITES: expected passes that write no files and run no programs, found 'snapshot-op-locations'
// RUNS: expected passes that write no files and run no programs, found 'gpu-module-to-binary'
// PIPELINE: gpu.mlir:1:1: error

//--- gpu.mlir
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

//--- reproducer.mlir
module {}
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(snapshot-op-locations{filename=written})",
      disable_threading: true,
      verify_each: true
    }
  }
#-}

//--- transform.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.apply_registered_pass "gpu-module-to-binary" with options = { "toolkit" = "." } to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

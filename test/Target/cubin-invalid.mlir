// Without ptxas and without a driver the error names both; nothing is written.
// RUN: rm -f %t.cubin
// RUN: sh -c "tile=\$(command -v tile-run); PATH=/nonexistent TILE_PTXAS= TILE_CUDA_DRIVER=/nonexistent/libcuda.so \$tile %s --emit=cubin -o %t.cubin; test \$? = 1" 2>&1 | FileCheck %s
// RUN: not ls %t.cubin
// CHECK: cubin-invalid.mlir: error: expected ptxas on PATH or a CUDA driver, found neither
// CHECK: {{help|note}}: {{(help: )?}}PTX needs neither: tile-compile --ptx, tile-run --emit=ptx
gpu.module @kernels {
  llvm.func @nothing() attributes {nvvm.kernel} {
    llvm.return
  }
}

// A cubin is an ELF file, written whole.
// REQUIRES: ptxas
// RUN: rm -f %t.cubin
// RUN: tile-run %s --emit=cubin --arch sm_90a -o %t.cubin
// RUN: od -A n -t x1 -N 4 %t.cubin | FileCheck %s
// CHECK: 7f 45 4c 46
gpu.module @kernels {
  llvm.func @nothing() attributes {nvvm.kernel} {
    llvm.return
  }
}

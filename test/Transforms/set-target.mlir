// A chip that is asked for; else the module's own; else sm_90a. Passes ask the target.
// RUN: tile-opt %s -split-input-file --tile-set-target=arch=sm_120a | FileCheck %s --check-prefix=ASKED
// RUN: tile-opt %s -split-input-file --tile-set-target | FileCheck %s --check-prefix=OWN
// RUN: tile-opt %s -split-input-file --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot))' 2>/dev/null | FileCheck %s --check-prefix=DOT
// RUN: tile-opt %s -split-input-file --tile-to-nvvm | FileCheck %s --check-prefix=OWN
// RUN: tile-opt %s --tile-set-target | tile-opt --mlir-print-op-generic | tile-opt | FileCheck %s --check-prefix=AGAIN
// AGAIN: module attributes {tile.target = #nvvm.target<chip = "sm_90a">}

// ASKED: module attributes {tile.target = #nvvm.target<chip = "sm_120a">}
// OWN: module attributes {tile.target = #nvvm.target<chip = "sm_90a">}
// DOT-LABEL: tile.func @nobody_says
// DOT: tile.dot {{.*}} by wgmma
tile.func @nobody_says(%x: f16) {
  %a = tile.splat %x : f16 -> tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %a, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.return
}

// -----

// ASKED: module attributes {tile.target = #nvvm.target<chip = "sm_120a">}
// OWN: module attributes {tile.target = #nvvm.target<chip = "sm_89">}
// DOT-LABEL: tile.func @own
// DOT: tile.dot {{.*}} by mma_sync
module attributes {tile.target = #nvvm.target<chip = "sm_89">} {
  tile.func @own(%x: f16) {
    %a = tile.splat %x : f16 -> tensor<64x64xf16>
    %c = arith.constant dense<0.0> : tensor<64x64xf32>
    %d = tile.dot %a, %a, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    tile.return
  }
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics
// RUN: not tile-opt %S/set-target.mlir --tile-set-target=arch=sm_75 2>&1 | FileCheck %s
// CHECK: set-target.mlir:{{.*}} error: expected arch to be one of sm_80, {{.*}}, sm_120a, found 'sm_75'

// expected-error @+1 {{expected tile.target to be one of sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_103a, sm_110a, sm_120, sm_120a, found 'sm_52'}}
module attributes {tile.target = #nvvm.target<chip = "sm_52">} {
}

// -----

// expected-error @+1 {{expected tile.target to be a #nvvm.target, found "sm_90a"}}
module attributes {tile.target = "sm_90a"} {
}

// One product a program, in no loop. Of a launch that fills the device the engine stores it, which is up to an eighth
// faster; where each program has two multiprocessors it takes as long either way, and the host makes no map. With one it is a little slower.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,tile-raise-descriptors,canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=MANY
// RUN: sed 's/8 : i32}) {/8 : i32}) attributes {tile_gpu.single_wave = 2 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,tile-raise-descriptors,canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/8 : i32}) {/8 : i32}) attributes {tile_gpu.single_wave = 1 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,tile-raise-descriptors,canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=MANY

// MANY-LABEL: tile.func @product
// MANY: tile.make_desc
// MANY: tile.desc_store
// FEW: remark: stays an access through pointers: expected a loop of dots, or a program for every other multiprocessor, found fewer
// FEW-LABEL: tile.func @product
// FEW-NOT: tile.make_desc
// FEW: tile.store
tile.func @product(%out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 8 : i32}) {
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = tile.dot %a, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %half = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %r = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %strides = tile.splat %pitch : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x64xi32>
  %off_js = tile.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
  %off = arith.addi %off_is, %off_js : tensor<64x64xi32>
  %bases = tile.splat %out : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %to = tile.addptr %bases, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  tile.store %to, %half : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

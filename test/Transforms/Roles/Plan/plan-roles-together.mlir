// Results that do not wait for the next program's dots are staged in all their boxes at a time where there is room for these beside
// four slots of rings; not where the author wants the slots.
// DEFINE: %{plan} = tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))'
// RUN: %{plan} %s 2>/dev/null | FileCheck %s
// RUN: sed 's/tile.num_warps = 8 : i32/tile.num_warps = 8 : i32, tile.num_stages = 6 : i32/' %s | %{plan} 2>/dev/null | FileCheck %s --check-prefix=WISH
// RUN: sed 's/128x128/256x128/g; s/128x64/256x64/g' %s | %{plan} 2>/dev/null | FileCheck %s --check-prefix=LARGE

// CHECK: tile.func @wide
// CHECK-SAME: stages = 5,
// CHECK-SAME: stores = boxes,
// CHECK-SAME: tile_gpu.together
// WISH: tile.func @wide
// WISH-SAME: stages = 6,
// WISH-NOT: tile_gpu.together
// LARGE: tile.func @wide
// LARGE-SAME: stages = 3,
// LARGE-NOT: tile_gpu.together
tile.func @wide(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = tile.desc_load %da[%row, %i] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%i, %column] : !tile.desc<64x128xf16>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.desc_store %dc[%row, %column], %sum : !tile.desc<128x128xf32>
  tile.return
}

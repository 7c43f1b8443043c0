// For sm_90, LLVM adds two lanes of 16 bits at once, also where it finds that 16 bits are enough of lanes of 32. ptxas adds
// 0 in place of a constant then, where one lane of the sum is used alone: each lane is added by itself.
//
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=halves -o - | FileCheck %s --check-prefix=HALVES
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=bytes -o - | FileCheck %s --check-prefix=BYTES

// HALVES-LABEL: .entry halves
// HALVES-NOT: add.s16x2
// HALVES: mov.b32 [[BOTH:%r[0-9]+]], 8388608;
// HALVES: { .reg .b16 %a<2>, %b<2>;
// HALVES-NEXT: mov.b32 {%a0, %a1}, %r{{[0-9]+}};
// HALVES-NEXT: mov.b32 {%b0, %b1}, [[BOTH]];
// HALVES-NEXT: add.s16 %a0, %a0, %b0;
// HALVES-NEXT: add.s16 %a1, %a1, %b1;
// HALVES-NEXT: mov.b32 [[SUM:%r[0-9]+]], {%a0, %a1}; }
// HALVES-NEXT: mov.b32 {_, %rs{{[0-9]+}}}, [[SUM]];
// HALVES-NOT: add.s16x2
tile.func @halves(%out: !tile.ptr<i32>) {
  %lane = tile.arange : tensor<256xi32>
  %two = arith.constant dense<2> : tensor<256xi32>
  %half = arith.divui %lane, %two : tensor<256xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %old = tile.atomic_rmw umax relaxed gpu %outs, %half : tensor<256x!tile.ptr<i32>>
  tile.return
}

// BYTES-LABEL: .entry bytes
// BYTES-NOT: add.s16x2
// BYTES: mov.b32 %r{{[0-9]+}}, 458759;
// BYTES: add.s16 %a0, %a0, %b0;
// BYTES-NEXT: add.s16 %a1, %a1, %b1;
// BYTES-NOT: add.s16x2
tile.func @bytes(%x: !tile.ptr<i8>) {
  %lane = tile.arange : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<256x!tile.ptr<i8>>
  %p = tile.addptr %xs, %lane : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  %value = tile.load %p : tensor<256x!tile.ptr<i8>>
  %seven = arith.constant dense<7> : tensor<256xi8>
  %sum = arith.addi %value, %seven : tensor<256xi8>
  tile.store %p, %sum : tensor<256x!tile.ptr<i8>>
  tile.return
}

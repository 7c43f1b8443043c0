// C = silu(A * G) * (A * U), the gate of a transformer's feed-forward layer (SwiGLU): two products of
// one A, and what joins them, in one kernel. Each block of A is fetched once for both dots.
//
//   tile-run gated_matmul.mlir --args 512          square matrices
//   tile-run gated_matmul.mlir --args 3,5,4        3 x 4 by two of 4 x 5: --args M,N,K
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 256 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,4 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 257,130,200 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 200,300,1 -D BM=64 -D BN=32 -D BK=16 | FileCheck %s
// RUN: tile-run %s --check --args 65,130,70 -D BM=32 -D BN=32 -D BK=32
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 1 comparison
// CHECK: cpu{{.*}}: gated_matmul({{.*}}TFLOP/s, {{.*}}GB/s

!a_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BK]>>
!b_desc = !tile.desc<?x?xf16, #tile.dims<[BK, BN]>>
!c_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BN]>>
!acc_tile = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// x / (1 + exp(-x)) = h + h * tanh(h), with h = x / 2
tile.func private @silu(%x: !acc_tile) -> !acc_tile {
  %h = tile.expr %x * 0.5
  %tanh = math.tanh %h fastmath<afn> : !acc_tile
  %y = tile.expr math.fma(%h, %tanh, %h)
  tile.return %y
}

tile.func @gated_matmul(%a: !tile.ptr<f16>, %gate: !tile.ptr<f16>, %up: !tile.ptr<f16>,
                        %c: !tile.ptr<f16>,
                        %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                        %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 64, num_warps = 8}
    configs [{BM = 256, BN = 64}, {BN = 96}, {BM = 64, num_warps = 4}, {BN = 64, num_warps = 4},
             {BM = 64, BN = 64, num_warps = 4}, {BM = 32, BN = 64, BK = 128, num_warps = 4},
             {BM = 32, num_warps = 4}, {BM = 16, BN = 64, BK = 128, num_warps = 4}, {BM = 16, num_warps = 4}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // Twice 2 M N K operations; A, G, U and C moved once, 2 bytes an element.
  tile.cost = 4 * (%m * %n * %k), 2 * (%m * %k + 2 * (%k * %n) + %m * %n)
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !a_desc
  %gate_desc = tile.make_desc %gate, [%k, %n], [%n64] : !tile.ptr<f16> -> !b_desc
  %up_desc = tile.make_desc %up, [%k, %n], [%n64] : !tile.ptr<f16> -> !b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0.0 : !acc_tile
  %gate_acc, %up_acc = scf.for %k0 = %c0 to %k step %bk
      iter_args(%gate_sum = %zeros, %up_sum = %zeros) -> (!acc_tile, !acc_tile) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a_desc
    %gate_tile = tile.desc_load %gate_desc[%k0, %j] : !b_desc
    %up_tile = tile.desc_load %up_desc[%k0, %j] : !b_desc
    %gate_next = tile.dot %a_tile, %gate_tile, %gate_sum
    %up_next = tile.dot %a_tile, %up_tile, %up_sum
    scf.yield %gate_next, %up_next : !acc_tile, !acc_tile
  }
  %open = tile.call @silu(%gate_acc) -> !acc_tile
  %c_value = tile.expr f16(%open * %up_acc)
  tile.desc_store %c_desc[%i, %j], %c_value : !c_desc
  tile.return
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %gate = tile_host.random(%k, %n) seed 2 -> memref<?x?xf16>
  %up = tile_host.random(%k, %n) seed 3 -> memref<?x?xf16>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  tile_host.launch @gated_matmul(%a, %gate, %up, %c, %m, %n, %k)

  // As many rows as 2^27 multiplications of each product allow: 16 at least, all at most.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %work = arith.constant 134217728 : index
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %k_index = arith.index_cast %k : i32 to index
  %nk = arith.muli %n_index, %k_index : index
  %nk_some = arith.maxsi %nk, %c1 : index
  %fit = arith.divsi %work, %nk_some : index
  %wish = arith.maxsi %fit, %c16 : index
  %rows = arith.minsi %wish, %m_index : index
  %gaps = arith.subi %rows, %c1 : index
  %gaps_some = arith.maxsi %gaps, %c1 : index
  %last = arith.subi %m_index, %c1 : index

  %one = arith.constant 1.0 : f64
  %got = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  %want = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  %want_up = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c[%i, 0] [1, %n_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    %got_row = memref.subview %got[%r, 0] [1, %n_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    linalg.copy ins(%c_row : memref<1x?xf16, strided<[?, 1], offset: ?>>)
        outs(%got_row : memref<1x?xf16, strided<[?, 1], offset: ?>>)
    %a_row = memref.subview %a[%i, 0] [1, %k_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    %want_row = memref.subview %want[%r, 0] [1, %n_index] [1, 1]
        : memref<?x?xf64> to memref<1x?xf64, strided<[?, 1], offset: ?>>
    %want_up_row = memref.subview %want_up[%r, 0] [1, %n_index] [1, 1]
        : memref<?x?xf64> to memref<1x?xf64, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                     affine_map<(i, k, j) -> (k, j)>,
                                     affine_map<(i, k, j) -> (k, j)>,
                                     affine_map<(i, k, j) -> (i, j)>,
                                     affine_map<(i, k, j) -> (i, j)>],
                    iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%a_row, %gate, %up : memref<1x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16>,
            memref<?x?xf16>)
        outs(%want_row, %want_up_row : memref<1x?xf64, strided<[?, 1], offset: ?>>,
             memref<1x?xf64, strided<[?, 1], offset: ?>>) {
    ^bb0(%x: f16, %g: f16, %u: f16, %gate_sum: f64, %up_sum: f64):
      %x64 = arith.extf %x : f16 to f64
      %g64 = arith.extf %g : f16 to f64
      %u64 = arith.extf %u : f16 to f64
      %xg = arith.mulf %x64, %g64 : f64
      %xu = arith.mulf %x64, %u64 : f64
      %gate_next = arith.addf %gate_sum, %xg : f64
      %up_next = arith.addf %up_sum, %xu : f64
      linalg.yield %gate_next, %up_next : f64, f64
    }
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%want_up_row : memref<1x?xf64, strided<[?, 1], offset: ?>>)
        outs(%want_row : memref<1x?xf64, strided<[?, 1], offset: ?>>) {
    ^bb0(%u: f64, %g: f64):
      %less = arith.negf %g : f64
      %exp = math.exp %less : f64
      %below = arith.addf %exp, %one : f64
      %open = arith.divf %g, %below : f64
      %gated = arith.mulf %open, %u : f64
      linalg.yield %gated : f64
    }
  }
  // Sums of K products of numbers in -1 .. 1 grow with the root of K, and so does what tanh.approx is
  // off by, 2^-11 of them.
  tile_host.expect_close %got, %want {atol = 2.0e-1, rtol = 4.0e-3}
  return
}

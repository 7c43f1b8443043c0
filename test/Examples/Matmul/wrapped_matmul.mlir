// C = activation(A * B + bias): a matmul whose last rows and columns wrap around, with what follows it fused.
//
//   tile-run wrapped_matmul.mlir                    100 x 37 x 51
//   tile-run wrapped_matmul.mlir --args 512         any other M, N, K
//
// The other matmuls of the gallery mask the rows and columns that a tile has too many. Here their numbers are taken
// modulo M and N: a tile past the edge reads the first rows again. What comes of it is nonsense, but only in rows
// and columns of C that the mask of the store drops; all loads are in bounds. Along K that would not do, as each
// product counts: there the mask stays, and what it hides is 0.
//
// Five kernels have one body, @matmul_tile, and differ in what they do with the sums before these
// become f16:
//
//   @matmul                  nothing
//   @matmul_leaky_relu       x > 0 ? x : x / 100
//   @matmul_bias_gelu        adds a bias to each column, then x * (1 + erf(x / sqrt(2))) / 2
//   @matmul_bias_gelu_tanh   the same, then x * (1 + tanh(sqrt(2 / pi) * (x + .044715 x^3))) / 2, the form that many
//                            models are trained with; its tanh is the GPU's approximation
//   @matmul_bias_gelu_f16    the same on sums that are f16 already, two elements an instruction
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 512 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,4 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 127,131,67 -D BM=32 -D BN=64 -D BK=16 | FileCheck %s
// RUN: tile-run %s --check --args 100,37,51
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 5 comparisons
// CHECK: : matmul({{.*}}TFLOP/s, {{.*}}GB/s
// CHECK: : matmul_leaky_relu({{.*}}TFLOP/s, {{.*}}GB/s
// CHECK: : matmul_bias_gelu({{.*}}TFLOP/s, {{.*}}GB/s
// CHECK: : matmul_bias_gelu_tanh({{.*}}TFLOP/s, {{.*}}GB/s
// CHECK: : matmul_bias_gelu_f16({{.*}}TFLOP/s, {{.*}}GB/s

//===- helpers, for any extents M and N -----------------------------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>

// chunk * M + [0 .. M - 1]
tile.func private @get_1d_offset(%chunk: i32) -> !m {
  %offs = tile.expr %chunk * M + arange(M)
  tile.return %offs
}

// offs_0[:, None] * stride_0 + offs_1[None, :] * stride_1
tile.func private @get_2d_offset(%offs_0: !m, %offs_1: !n, %stride_0: i32, %stride_1: i32) -> !mxn {
  %offs = tile.expr col(%offs_0) * %stride_0 + row(%offs_1) * %stride_1
  tile.return %offs
}

// (chunk * M + [0 .. M - 1]) % end
tile.func private @get_wrapped_offset(%chunk: i32, %end: i32) -> !m {
  %offs = tile.call @get_1d_offset(%chunk) -> !m
  %wrapped = tile.expr %offs rem %end
  tile.return %wrapped
}

// (offs_0[:, None] < max_0) & (offs_1[None, :] < max_1)
tile.func private @get_2d_mask(%offs_0: !m, %offs_1: !n, %max_0: i32, %max_1: i32) -> !mxn_mask {
  %mask = tile.expr col(%offs_0) < %max_0 and row(%offs_1) < %max_1
  tile.return %mask
}

//===- the body -----------------------------------------------------------===//

!rm = tensor<?xi32, #tile.dims<[BM]>>
!rn = tensor<?xi32, #tile.dims<[BN]>>
!rk = tensor<?xi32, #tile.dims<[BK]>>
!a_offs = tensor<?x?xi32, #tile.dims<[BM, BK]>>
!b_offs = tensor<?x?xi32, #tile.dims<[BK, BN]>>
!c_offs = tensor<?x?xi32, #tile.dims<[BM, BN]>>
!a_mask = tensor<?x?xi1, #tile.dims<[BM, BK]>>
!b_mask = tensor<?x?xi1, #tile.dims<[BK, BN]>>
!c_mask = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!a_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BK]>>
!b_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BK, BN]>>
!c = tensor<?x?xf16, #tile.dims<[BM, BN]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// One tile of A * B, with which rows and columns it is of.
tile.func private @matmul_tile(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32,
                               %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32)
    -> (!acc, !rm, !rn) {
  %pid = tile.program_id x
  %bk = tile.meta BK : i32
  %tiles_n = tile.expr %n ceildiv BN
  %pid_m = tile.expr %pid div %tiles_n
  %pid_n = tile.expr %pid rem %tiles_n

  // Rows modulo M, columns modulo N.
  %c0 = arith.constant 0 : i32
  %ram = tile.call @get_wrapped_offset(%pid_m, %m) -> !rm
  %rbn = tile.call @get_wrapped_offset(%pid_n, %n) -> !rn
  %rk = tile.call @get_1d_offset(%c0) -> !rk
  %a_offs = tile.call @get_2d_offset(%ram, %rk, %stride_am, %stride_ak) -> !a_offs
  %b_offs = tile.call @get_2d_offset(%rk, %rbn, %stride_bk, %stride_bn) -> !b_offs
  %a_first = tile.expr %a + %a_offs
  %b_first = tile.expr %b + %b_offs

  %a_step = tile.expr BK * %stride_ak
  %b_step = tile.expr BK * %stride_bk
  %zeros = tile.expr 0 : !acc
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%sum = %zeros, %a_ptrs = %a_first, %b_ptrs = %b_first) -> (!acc, !a_ptrs, !b_ptrs) : i32 {
    // Only K is masked: wrapped rows and columns are all there.
    %k_left = tile.expr %k - %k0
    %a_mask = tile.call @get_2d_mask(%ram, %rk, %m, %k_left) -> !a_mask
    %b_mask = tile.call @get_2d_mask(%rk, %rbn, %k_left, %n) -> !b_mask
    %a_tile = tile.load %a_ptrs, %a_mask
    %b_tile = tile.load %b_ptrs, %b_mask
    %next = tile.dot %a_tile, %b_tile, %sum
    %a_next = tile.expr %a_ptrs + %a_step
    %b_next = tile.expr %b_ptrs + %b_step
    scf.yield %next, %a_next, %b_next : !acc, !a_ptrs, !b_ptrs
  }
  %rm = tile.call @get_1d_offset(%pid_m) -> !rm
  %rn = tile.call @get_1d_offset(%pid_n) -> !rn
  tile.return %acc, %rm, %rn
}

// C = acc as f16, where there is a C.
tile.func private @store_narrow(%c: !tile.ptr<f16>, %tile: !c, %rm: !rm, %rn: !rn, %m: i32, %n: i32,
                                %stride_cm: i32, %stride_cn: i32) {
  %c_offs = tile.call @get_2d_offset(%rm, %rn, %stride_cm, %stride_cn) -> !c_offs
  %c_mask = tile.call @get_2d_mask(%rm, %rn, %m, %n) -> !c_mask
  %c_ptrs = tile.expr %c + %c_offs
  tile.store %c_ptrs, %tile, %c_mask
  tile.return
}

tile.func private @store_tile(%c: !tile.ptr<f16>, %acc: !acc, %rm: !rm, %rn: !rn, %m: i32, %n: i32,
                              %stride_cm: i32, %stride_cn: i32) {
  %c_tile = tile.expr f16(%acc)
  tile.call @store_narrow(%c, %c_tile, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
  tile.return
}

//===- activations --------------------------------------------------------===//

tile.func private @leaky_relu(%x: !acc) -> !acc {
  %y = tile.expr select(%x > 0.0, %x, %x * 0.01)
  tile.return %y
}

// The GELUs take h = x / 2, so that y = h + h * .. is one multiplication less.
tile.func private @gelu(%h: !acc) -> !acc {
  %y = tile.expr math.fma(%h, math.erf(%h * 1.41421356), %h)
  tile.return %y
}

// sqrt(2 / pi) * (x + .044715 x^3) = h * (1.5958 + .28542 h^2)
tile.func private @gelu_tanh(%h: !acc) -> !acc {
  %inner = tile.expr %h * math.fma(%h * %h, 0.2854192648, 1.5957691216)
  %tanh = math.tanh %inner fastmath<afn> : !acc
  %y = tile.expr math.fma(%h, %tanh, %h)
  tile.return %y
}

tile.func private @gelu_f16(%h: !c) -> !c {
  %inner = tile.expr %h * math.fma(%h * %h, 0.2854192648, 1.5957691216)
  %tanh = math.tanh %inner fastmath<afn> : !c
  %y = tile.expr math.fma(%h, %tanh, %h)
  tile.return %y
}

// (x + bias[None, :]) / 2, with one fma an element
tile.func private @half_biased(%x: !acc, %bias: !tile.ptr<f16>, %rn: !rn, %n: i32) -> !acc {
  %mask = tile.expr %rn < %n
  %ptrs = tile.expr %bias + %rn
  %values = tile.load %ptrs, %mask
  %y = tile.expr math.fma(%x, 0.5, row(f32(%values * 0.5)))
  tile.return %y
}

//===- the kernels --------------------------------------------------------===//

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]},
                  %stride_am: i32 {tile.stride = [0, 0]}, %stride_ak: i32 {tile.stride = [0, 1]},
                  %stride_bk: i32 {tile.stride = [1, 0]}, %stride_bn: i32 {tile.stride = [1, 1]},
                  %stride_cm: i32 {tile.stride = [2, 0]}, %stride_cn: i32 {tile.stride = [2, 1]})
    meta {BM = 64, BN = 64, BK = 32}
    configs [{BM = 128, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 256, BK = 64, num_warps = 8},
             {BM = 128, BN = 192, BK = 64, num_warps = 8}, {BM = 128, BK = 64, num_warps = 4},
             {BN = 128, BK = 64, num_warps = 4}, {BK = 64, num_warps = 4}, {BK = 128, num_warps = 4},
             {BM = 32, BN = 128, BK = 64, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BN = 128, BK = 128, num_warps = 4}] {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      -> (!acc, !rm, !rn)
  tile.call @store_tile(%c, %acc, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
  tile.return
}

tile.func @matmul_leaky_relu(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]},
                  %stride_am: i32 {tile.stride = [0, 0]}, %stride_ak: i32 {tile.stride = [0, 1]},
                  %stride_bk: i32 {tile.stride = [1, 0]}, %stride_bn: i32 {tile.stride = [1, 1]},
                  %stride_cm: i32 {tile.stride = [2, 0]}, %stride_cn: i32 {tile.stride = [2, 1]})
    meta {BM = 64, BN = 64, BK = 32}
    configs [{BM = 128, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 256, BK = 64, num_warps = 8},
             {BM = 128, BN = 192, BK = 64, num_warps = 8}, {BM = 128, BK = 64, num_warps = 4},
             {BN = 128, BK = 64, num_warps = 4}, {BK = 64, num_warps = 4}, {BK = 128, num_warps = 4},
             {BM = 32, BN = 128, BK = 64, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BN = 128, BK = 128, num_warps = 4}] {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      -> (!acc, !rm, !rn)
  %relu = tile.call @leaky_relu(%acc) -> !acc
  tile.call @store_tile(%c, %relu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
  tile.return
}

tile.func @matmul_bias_gelu(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %bias: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]},
                  %stride_am: i32 {tile.stride = [0, 0]}, %stride_ak: i32 {tile.stride = [0, 1]},
                  %stride_bk: i32 {tile.stride = [1, 0]}, %stride_bn: i32 {tile.stride = [1, 1]},
                  %stride_cm: i32 {tile.stride = [2, 0]}, %stride_cn: i32 {tile.stride = [2, 1]})
    meta {BM = 64, BN = 64, BK = 32}
    configs [{BM = 128, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 256, BK = 64, num_warps = 8},
             {BM = 128, BN = 192, BK = 64, num_warps = 8}, {BM = 128, BK = 64, num_warps = 4},
             {BN = 128, BK = 64, num_warps = 4}, {BK = 64, num_warps = 4}, {BK = 128, num_warps = 4},
             {BM = 32, BN = 128, BK = 64, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BN = 128, BK = 128, num_warps = 4}] {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      -> (!acc, !rm, !rn)
  %half = tile.call @half_biased(%acc, %bias, %rn, %n) -> !acc
  %gelu = tile.call @gelu(%half) -> !acc
  tile.call @store_tile(%c, %gelu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
  tile.return
}

tile.func @matmul_bias_gelu_tanh(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %bias: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]},
                  %stride_am: i32 {tile.stride = [0, 0]}, %stride_ak: i32 {tile.stride = [0, 1]},
                  %stride_bk: i32 {tile.stride = [1, 0]}, %stride_bn: i32 {tile.stride = [1, 1]},
                  %stride_cm: i32 {tile.stride = [2, 0]}, %stride_cn: i32 {tile.stride = [2, 1]})
    meta {BM = 64, BN = 64, BK = 32}
    configs [{BM = 128, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 256, BK = 64, num_warps = 8},
             {BM = 128, BN = 192, BK = 64, num_warps = 8}, {BM = 128, BK = 64, num_warps = 4},
             {BN = 128, BK = 64, num_warps = 4}, {BK = 64, num_warps = 4}, {BK = 128, num_warps = 4},
             {BM = 32, BN = 128, BK = 64, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BN = 128, BK = 128, num_warps = 4}] {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      -> (!acc, !rm, !rn)
  %half = tile.call @half_biased(%acc, %bias, %rn, %n) -> !acc
  %gelu = tile.call @gelu_tanh(%half) -> !acc
  tile.call @store_tile(%c, %gelu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
  tile.return
}

tile.func @matmul_bias_gelu_f16(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %bias: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]},
                  %stride_am: i32 {tile.stride = [0, 0]}, %stride_ak: i32 {tile.stride = [0, 1]},
                  %stride_bk: i32 {tile.stride = [1, 0]}, %stride_bn: i32 {tile.stride = [1, 1]},
                  %stride_cm: i32 {tile.stride = [2, 0]}, %stride_cn: i32 {tile.stride = [2, 1]})
    meta {BM = 64, BN = 64, BK = 32}
    configs [{BM = 128, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 256, BK = 64, num_warps = 8},
             {BM = 128, BN = 192, BK = 64, num_warps = 8}, {BM = 128, BK = 64, num_warps = 4},
             {BN = 128, BK = 64, num_warps = 4}, {BK = 64, num_warps = 4}, {BK = 128, num_warps = 4},
             {BM = 32, BN = 128, BK = 64, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BN = 128, BK = 128, num_warps = 4}] {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      -> (!acc, !rm, !rn)
  %half = tile.call @half_biased(%acc, %bias, %rn, %n) -> !acc
  %narrow = tile.expr f16(%half)
  %gelu = tile.call @gelu_f16(%narrow) -> !c
  tile.call @store_narrow(%c, %gelu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
  tile.return
}

//===- the host program ---------------------------------------------------===//

// want = a * b in f64. The loops run in the order i, k, j: the innermost along rows of b and want.
func.func private @reference(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %want: memref<?x?xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                   affine_map<(i, k, j) -> (k, j)>,
                                   affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%want : memref<?x?xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  return
}

func.func @main(%m: i32 {tile_host.default = 100 : i32}, %n: i32 {tile_host.default = 37 : i32},
                %k: i32 {tile_host.default = 51 : i32}) {
  %one = arith.constant 1 : i32
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%k, %n) seed 2 -> memref<?x?xf16>
  %bias = tile_host.random(%n) seed 3 -> memref<?xf16>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %c_relu = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %c_gelu = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %c_tanh = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %c_f16 = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  tile_host.launch @matmul(%a, %b, %c, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  tile_host.launch @matmul_leaky_relu(%a, %b, %c_relu, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  tile_host.launch @matmul_bias_gelu(%a, %b, %c_gelu, %bias, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  tile_host.launch @matmul_bias_gelu_tanh(%a, %b, %c_tanh, %bias, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  tile_host.launch @matmul_bias_gelu_f16(%a, %b, %c_f16, %bias, %m, %n, %k, %k, %one, %n, %one, %n, %one)

  %want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %want_relu = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %want_gelu = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %want_tanh = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  func.call @reference(%a, %b, %want) : (memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf64>) -> ()
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                   affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%want, %bias : memref<?x?xf64>, memref<?xf16>)
      outs(%want_relu, %want_gelu, %want_tanh : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) {
  ^bb0(%x: f64, %b_j: f16, %old_relu: f64, %old_gelu: f64, %old_tanh: f64):
    %zero = arith.constant 0.0 : f64
    %half = arith.constant 0.5 : f64
    %one64 = arith.constant 1.0 : f64
    %slope = arith.constant 0.01 : f64
    %sqrt_half = arith.constant 0.70710678118654752 : f64
    %small = arith.mulf %x, %slope : f64
    %positive = arith.cmpf ogt, %x, %zero : f64
    %relu = arith.select %positive, %x, %small : f64
    %b64 = arith.extf %b_j : f16 to f64
    %biased = arith.addf %x, %b64 : f64
    %scaled = arith.mulf %biased, %sqrt_half : f64
    %erf = math.erf %scaled : f64
    %above = arith.addf %erf, %one64 : f64
    %probability = arith.mulf %above, %half : f64
    %gelu = arith.mulf %biased, %probability : f64
    %factor = arith.constant 0.044715 : f64
    %sqrt_2_pi = arith.constant 0.79788456080286536 : f64
    %square = arith.mulf %biased, %biased : f64
    %cube = arith.mulf %square, %biased : f64
    %third = arith.mulf %cube, %factor : f64
    %sum = arith.addf %biased, %third : f64
    %inner = arith.mulf %sum, %sqrt_2_pi : f64
    %tanh = math.tanh %inner : f64
    %more = arith.addf %tanh, %one64 : f64
    %share = arith.mulf %more, %half : f64
    %gelu_tanh = arith.mulf %biased, %share : f64
    linalg.yield %relu, %gelu, %gelu_tanh : f64, f64, f64
  }
  tile_host.expect_close %c, %want {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %c_relu, %want_relu {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %c_gelu, %want_gelu {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %c_tanh, %want_tanh {atol = 4.0e-3, rtol = 2.0e-3}
  // Each of six operations rounds to 11 bits.
  tile_host.expect_close %c_f16, %want_tanh {atol = 6.0e-3, rtol = 3.0e-3}
  return
}

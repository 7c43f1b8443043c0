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
!col = tensor<?x1xi32, #tile.dims<[M]>>
!row = tensor<1x?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, N]>>

// chunk * M + [0 .. M - 1]
tile.func private @get_1d_offset(%chunk: i32) -> !m {
  %size = tile.meta M : i32
  %first = arith.muli %chunk, %size : i32
  %firsts = tile.splat %first : i32 -> !m
  %lanes = tile.arange : !m
  %offs = arith.addi %firsts, %lanes : !m
  tile.return %offs : !m
}

// offs_0[:, None] * stride_0 + offs_1[None, :] * stride_1
tile.func private @get_2d_offset(%offs_0: !m, %offs_1: !n, %stride_0: i32, %stride_1: i32) -> !mxn {
  %column = tile.expand_dims %offs_0 axis 1 : !m -> !col
  %row = tile.expand_dims %offs_1 axis 0 : !n -> !row
  %strides_0 = tile.splat %stride_0 : i32 -> !col
  %strides_1 = tile.splat %stride_1 : i32 -> !row
  %down = arith.muli %column, %strides_0 : !col
  %across = arith.muli %row, %strides_1 : !row
  %downs = tile.broadcast %down : !col -> !mxn
  %acrosses = tile.broadcast %across : !row -> !mxn
  %offs = arith.addi %downs, %acrosses : !mxn
  tile.return %offs : !mxn
}

// (chunk * M + [0 .. M - 1]) % end
tile.func private @get_wrapped_offset(%chunk: i32, %end: i32) -> !m {
  %offs = tile.call @get_1d_offset(%chunk) : (i32) -> !m
  %ends = tile.splat %end : i32 -> !m
  %wrapped = arith.remsi %offs, %ends : !m
  tile.return %wrapped : !m
}

// (offs_0[:, None] < max_0) & (offs_1[None, :] < max_1)
tile.func private @get_2d_mask(%offs_0: !m, %offs_1: !n, %max_0: i32, %max_1: i32) -> !mxn_mask {
  %column = tile.expand_dims %offs_0 axis 1 : !m -> !col
  %row = tile.expand_dims %offs_1 axis 0 : !n -> !row
  %maxs_0 = tile.splat %max_0 : i32 -> !col
  %maxs_1 = tile.splat %max_1 : i32 -> !row
  %in_0 = arith.cmpi slt, %column, %maxs_0 : !col
  %in_1 = arith.cmpi slt, %row, %maxs_1 : !row
  %ins_0 = tile.broadcast %in_0 : tensor<?x1xi1, #tile.dims<[M]>> -> !mxn_mask
  %ins_1 = tile.broadcast %in_1 : tensor<1x?xi1, #tile.dims<[N]>> -> !mxn_mask
  %mask = arith.andi %ins_0, %ins_1 : !mxn_mask
  tile.return %mask : !mxn_mask
}

// &base[offs]
tile.func private @get_ptrs(%base: !tile.ptr<f16>, %offs: !mxn) -> !mxn_ptrs {
  %bases = tile.splat %base : !tile.ptr<f16> -> !mxn_ptrs
  %ptrs = tile.addptr %bases, %offs : !mxn_ptrs, !mxn
  tile.return %ptrs : !mxn_ptrs
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
!c_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BN]>>
!a = tensor<?x?xf16, #tile.dims<[BM, BK]>>
!b = tensor<?x?xf16, #tile.dims<[BK, BN]>>
!bias_ptrs = tensor<?x!tile.ptr<f16>, #tile.dims<[BN]>>
!bias = tensor<?xf16, #tile.dims<[BN]>>
!c = tensor<?x?xf16, #tile.dims<[BM, BN]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// One tile of A * B, with which rows and columns it is of.
tile.func private @matmul_tile(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32,
                               %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32)
    -> (!acc, !rm, !rn) {
  %pid = tile.program_id x
  %bn = tile.meta BN : i32
  %bk = tile.meta BK : i32
  %tiles_n = arith.ceildivsi %n, %bn : i32
  %pid_m = arith.divsi %pid, %tiles_n : i32
  %pid_n = arith.remsi %pid, %tiles_n : i32

  // Rows modulo M, columns modulo N.
  %c0 = arith.constant 0 : i32
  %ram = tile.call @get_wrapped_offset(%pid_m, %m) : (i32, i32) -> !rm
  %rbn = tile.call @get_wrapped_offset(%pid_n, %n) : (i32, i32) -> !rn
  %rk = tile.call @get_1d_offset(%c0) : (i32) -> !rk
  %a_offs = tile.call @get_2d_offset(%ram, %rk, %stride_am, %stride_ak) : (!rm, !rk, i32, i32) -> !a_offs
  %b_offs = tile.call @get_2d_offset(%rk, %rbn, %stride_bk, %stride_bn) : (!rk, !rn, i32, i32) -> !b_offs
  %a_first = tile.call @get_ptrs(%a, %a_offs) : (!tile.ptr<f16>, !a_offs) -> !a_ptrs
  %b_first = tile.call @get_ptrs(%b, %b_offs) : (!tile.ptr<f16>, !b_offs) -> !b_ptrs

  %a_step = arith.muli %bk, %stride_ak : i32
  %b_step = arith.muli %bk, %stride_bk : i32
  %a_steps = tile.splat %a_step : i32 -> !a_offs
  %b_steps = tile.splat %b_step : i32 -> !b_offs
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero : f32 -> !acc
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%sum = %zeros, %a_ptrs = %a_first, %b_ptrs = %b_first)
      -> (!acc, !a_ptrs, !b_ptrs) : i32 {
    // Only K is masked: wrapped rows and columns are all there.
    %k_left = arith.subi %k, %k0 : i32
    %a_mask = tile.call @get_2d_mask(%ram, %rk, %m, %k_left) : (!rm, !rk, i32, i32) -> !a_mask
    %b_mask = tile.call @get_2d_mask(%rk, %rbn, %k_left, %n) : (!rk, !rn, i32, i32) -> !b_mask
    %a_tile = tile.load %a_ptrs, %a_mask : !a_ptrs
    %b_tile = tile.load %b_ptrs, %b_mask : !b_ptrs
    %next = tile.dot %a_tile, %b_tile, %sum : !a, !b -> !acc
    %a_next = tile.addptr %a_ptrs, %a_steps : !a_ptrs, !a_offs
    %b_next = tile.addptr %b_ptrs, %b_steps : !b_ptrs, !b_offs
    scf.yield %next, %a_next, %b_next : !acc, !a_ptrs, !b_ptrs
  }
  %rm = tile.call @get_1d_offset(%pid_m) : (i32) -> !rm
  %rn = tile.call @get_1d_offset(%pid_n) : (i32) -> !rn
  tile.return %acc, %rm, %rn : !acc, !rm, !rn
}

// C = acc as f16, where there is a C.
tile.func private @store_narrow(%c: !tile.ptr<f16>, %tile: !c, %rm: !rm, %rn: !rn, %m: i32, %n: i32,
                                %stride_cm: i32, %stride_cn: i32) {
  %c_offs = tile.call @get_2d_offset(%rm, %rn, %stride_cm, %stride_cn) : (!rm, !rn, i32, i32) -> !c_offs
  %c_mask = tile.call @get_2d_mask(%rm, %rn, %m, %n) : (!rm, !rn, i32, i32) -> !c_mask
  %c_ptrs = tile.call @get_ptrs(%c, %c_offs) : (!tile.ptr<f16>, !c_offs) -> !c_ptrs
  tile.store %c_ptrs, %tile, %c_mask : !c_ptrs
  tile.return
}

tile.func private @store_tile(%c: !tile.ptr<f16>, %acc: !acc, %rm: !rm, %rn: !rn, %m: i32, %n: i32,
                              %stride_cm: i32, %stride_cn: i32) {
  %c_tile = arith.truncf %acc : !acc to !c
  tile.call @store_narrow(%c, %c_tile, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
      : (!tile.ptr<f16>, !c, !rm, !rn, i32, i32, i32, i32) -> ()
  tile.return
}

//===- activations --------------------------------------------------------===//

tile.func private @leaky_relu(%x: !acc) -> !acc {
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.01 : f32
  %zeros = tile.splat %zero : f32 -> !acc
  %slopes = tile.splat %slope : f32 -> !acc
  %small = arith.mulf %x, %slopes : !acc
  %positive = arith.cmpf ogt, %x, %zeros : !acc
  %y = arith.select %positive, %x, %small : !c_mask, !acc
  tile.return %y : !acc
}

// The GELUs take h = x / 2, so that y = h + h * .. is one multiplication less.
tile.func private @gelu(%h: !acc) -> !acc {
  %sqrt_2 = arith.constant 1.41421356 : f32
  %sqrt_2s = tile.splat %sqrt_2 : f32 -> !acc
  %scaled = arith.mulf %h, %sqrt_2s : !acc
  %erf = math.erf %scaled : !acc
  %y = math.fma %h, %erf, %h : !acc
  tile.return %y : !acc
}

// sqrt(2 / pi) * (x + .044715 x^3) = h * (1.5958 + .28542 h^2)
tile.func private @gelu_tanh(%h: !acc) -> !acc {
  %linear = arith.constant 1.5957691216 : f32
  %cubic = arith.constant 0.2854192648 : f32
  %linears = tile.splat %linear : f32 -> !acc
  %cubics = tile.splat %cubic : f32 -> !acc
  %square = arith.mulf %h, %h : !acc
  %slope = math.fma %square, %cubics, %linears : !acc
  %inner = arith.mulf %h, %slope : !acc
  %tanh = math.tanh %inner fastmath<afn> : !acc
  %y = math.fma %h, %tanh, %h : !acc
  tile.return %y : !acc
}

tile.func private @gelu_f16(%h: !c) -> !c {
  %linear = arith.constant 1.5957691216 : f16
  %cubic = arith.constant 0.2854192648 : f16
  %linears = tile.splat %linear : f16 -> !c
  %cubics = tile.splat %cubic : f16 -> !c
  %square = arith.mulf %h, %h : !c
  %slope = math.fma %square, %cubics, %linears : !c
  %inner = arith.mulf %h, %slope : !c
  %tanh = math.tanh %inner fastmath<afn> : !c
  %y = math.fma %h, %tanh, %h : !c
  tile.return %y : !c
}

// (x + bias[None, :]) / 2, with one fma an element
tile.func private @half_biased(%x: !acc, %bias: !tile.ptr<f16>, %rn: !rn, %n: i32) -> !acc {
  %ends = tile.splat %n : i32 -> !rn
  %mask = arith.cmpi slt, %rn, %ends : !rn
  %bases = tile.splat %bias : !tile.ptr<f16> -> !bias_ptrs
  %ptrs = tile.addptr %bases, %rn : !bias_ptrs, !rn
  %values = tile.load %ptrs, %mask : !bias_ptrs
  %half = arith.constant 0.5 : f32
  %half_f16 = arith.constant 0.5 : f16
  %halves = tile.splat %half : f32 -> !acc
  %halves_f16 = tile.splat %half_f16 : f16 -> !bias
  %half_values = arith.mulf %values, %halves_f16 : !bias
  %floats = arith.extf %half_values : !bias to tensor<?xf32, #tile.dims<[BN]>>
  %row = tile.expand_dims %floats axis 0 : tensor<?xf32, #tile.dims<[BN]>> -> tensor<1x?xf32, #tile.dims<[BN]>>
  %rows = tile.broadcast %row : tensor<1x?xf32, #tile.dims<[BN]>> -> !acc
  %y = math.fma %x, %halves, %rows : !acc
  tile.return %y : !acc
}

//===- the kernels --------------------------------------------------------===//

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32, %n: i32, %k: i32, %stride_am: i32, %stride_ak: i32,
                  %stride_bk: i32, %stride_bn: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 64, BN = 64, BK = 32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %tiles_m = arith.ceildivsi %m, %bm : i32
    %tiles_n = arith.ceildivsi %n, %bn : i32
    %programs = arith.muli %tiles_m, %tiles_n : i32
    tile.yield %programs : i32
  }
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost(%m : i32, %n : i32, %k : i32) {
    %two = arith.constant 2 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %mn = arith.muli %m64, %n64 : i64
    %mk = arith.muli %m64, %k64 : i64
    %kn = arith.muli %k64, %n64 : i64
    %mnk = arith.muli %mn, %k64 : i64
    %operations = arith.muli %two, %mnk : i64
    %in = arith.addi %mk, %kn : i64
    %all = arith.addi %in, %mn : i64
    %bytes = arith.muli %two, %all : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32, i32, i32) -> (!acc, !rm, !rn)
  tile.call @store_tile(%c, %acc, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
      : (!tile.ptr<f16>, !acc, !rm, !rn, i32, i32, i32, i32) -> ()
  tile.return
}

tile.func @matmul_leaky_relu(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32, %n: i32, %k: i32, %stride_am: i32, %stride_ak: i32,
                  %stride_bk: i32, %stride_bn: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 64, BN = 64, BK = 32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %tiles_m = arith.ceildivsi %m, %bm : i32
    %tiles_n = arith.ceildivsi %n, %bn : i32
    %programs = arith.muli %tiles_m, %tiles_n : i32
    tile.yield %programs : i32
  }
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost(%m : i32, %n : i32, %k : i32) {
    %two = arith.constant 2 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %mn = arith.muli %m64, %n64 : i64
    %mk = arith.muli %m64, %k64 : i64
    %kn = arith.muli %k64, %n64 : i64
    %mnk = arith.muli %mn, %k64 : i64
    %operations = arith.muli %two, %mnk : i64
    %in = arith.addi %mk, %kn : i64
    %all = arith.addi %in, %mn : i64
    %bytes = arith.muli %two, %all : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32, i32, i32) -> (!acc, !rm, !rn)
  %relu = tile.call @leaky_relu(%acc) : (!acc) -> !acc
  tile.call @store_tile(%c, %relu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
      : (!tile.ptr<f16>, !acc, !rm, !rn, i32, i32, i32, i32) -> ()
  tile.return
}

tile.func @matmul_bias_gelu(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %bias: !tile.ptr<f16>,
                  %m: i32, %n: i32, %k: i32, %stride_am: i32, %stride_ak: i32,
                  %stride_bk: i32, %stride_bn: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 64, BN = 64, BK = 32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %tiles_m = arith.ceildivsi %m, %bm : i32
    %tiles_n = arith.ceildivsi %n, %bn : i32
    %programs = arith.muli %tiles_m, %tiles_n : i32
    tile.yield %programs : i32
  }
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost(%m : i32, %n : i32, %k : i32) {
    %two = arith.constant 2 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %mn = arith.muli %m64, %n64 : i64
    %mk = arith.muli %m64, %k64 : i64
    %kn = arith.muli %k64, %n64 : i64
    %mnk = arith.muli %mn, %k64 : i64
    %operations = arith.muli %two, %mnk : i64
    %in = arith.addi %mk, %kn : i64
    %all = arith.addi %in, %mn : i64
    %bytes = arith.muli %two, %all : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32, i32, i32) -> (!acc, !rm, !rn)
  %half = tile.call @half_biased(%acc, %bias, %rn, %n) : (!acc, !tile.ptr<f16>, !rn, i32) -> !acc
  %gelu = tile.call @gelu(%half) : (!acc) -> !acc
  tile.call @store_tile(%c, %gelu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
      : (!tile.ptr<f16>, !acc, !rm, !rn, i32, i32, i32, i32) -> ()
  tile.return
}

tile.func @matmul_bias_gelu_tanh(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %bias: !tile.ptr<f16>,
                  %m: i32, %n: i32, %k: i32, %stride_am: i32, %stride_ak: i32,
                  %stride_bk: i32, %stride_bn: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 64, BN = 64, BK = 32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %tiles_m = arith.ceildivsi %m, %bm : i32
    %tiles_n = arith.ceildivsi %n, %bn : i32
    %programs = arith.muli %tiles_m, %tiles_n : i32
    tile.yield %programs : i32
  }
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost(%m : i32, %n : i32, %k : i32) {
    %two = arith.constant 2 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %mn = arith.muli %m64, %n64 : i64
    %mk = arith.muli %m64, %k64 : i64
    %kn = arith.muli %k64, %n64 : i64
    %mnk = arith.muli %mn, %k64 : i64
    %operations = arith.muli %two, %mnk : i64
    %in = arith.addi %mk, %kn : i64
    %all = arith.addi %in, %mn : i64
    %bytes = arith.muli %two, %all : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32, i32, i32) -> (!acc, !rm, !rn)
  %half = tile.call @half_biased(%acc, %bias, %rn, %n) : (!acc, !tile.ptr<f16>, !rn, i32) -> !acc
  %gelu = tile.call @gelu_tanh(%half) : (!acc) -> !acc
  tile.call @store_tile(%c, %gelu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
      : (!tile.ptr<f16>, !acc, !rm, !rn, i32, i32, i32, i32) -> ()
  tile.return
}

tile.func @matmul_bias_gelu_f16(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %bias: !tile.ptr<f16>,
                  %m: i32, %n: i32, %k: i32, %stride_am: i32, %stride_ak: i32,
                  %stride_bk: i32, %stride_bn: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 64, BN = 64, BK = 32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %tiles_m = arith.ceildivsi %m, %bm : i32
    %tiles_n = arith.ceildivsi %n, %bn : i32
    %programs = arith.muli %tiles_m, %tiles_n : i32
    tile.yield %programs : i32
  }
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost(%m : i32, %n : i32, %k : i32) {
    %two = arith.constant 2 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %mn = arith.muli %m64, %n64 : i64
    %mk = arith.muli %m64, %k64 : i64
    %kn = arith.muli %k64, %n64 : i64
    %mnk = arith.muli %mn, %k64 : i64
    %operations = arith.muli %two, %mnk : i64
    %in = arith.addi %mk, %kn : i64
    %all = arith.addi %in, %mn : i64
    %bytes = arith.muli %two, %all : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %acc, %rm, %rn = tile.call @matmul_tile(%a, %b, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn)
      : (!tile.ptr<f16>, !tile.ptr<f16>, i32, i32, i32, i32, i32, i32, i32) -> (!acc, !rm, !rn)
  %half = tile.call @half_biased(%acc, %bias, %rn, %n) : (!acc, !tile.ptr<f16>, !rn, i32) -> !acc
  %narrow = arith.truncf %half : !acc to !c
  %gelu = tile.call @gelu_f16(%narrow) : (!c) -> !c
  tile.call @store_narrow(%c, %gelu, %rm, %rn, %m, %n, %stride_cm, %stride_cn)
      : (!tile.ptr<f16>, !c, !rm, !rn, i32, i32, i32, i32) -> ()
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
  %a = tile_host.random(%m, %k) seed 1 : (i32, i32) -> memref<?x?xf16>
  %b = tile_host.random(%k, %n) seed 2 : (i32, i32) -> memref<?x?xf16>
  %bias = tile_host.random(%n) seed 3 : (i32) -> memref<?xf16>
  %c = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf16>
  %c_relu = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf16>
  %c_gelu = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf16>
  %c_tanh = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf16>
  %c_f16 = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf16>
  tile_host.launch @matmul(%a, %b, %c, %m, %n, %k, %k, %one, %n, %one, %n, %one)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32
  tile_host.launch @matmul_leaky_relu(%a, %b, %c_relu, %m, %n, %k, %k, %one, %n, %one, %n, %one)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32
  tile_host.launch @matmul_bias_gelu(%a, %b, %c_gelu, %bias, %m, %n, %k, %k, %one, %n, %one, %n, %one)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf16>, memref<?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32
  tile_host.launch @matmul_bias_gelu_tanh(%a, %b, %c_tanh, %bias, %m, %n, %k, %k, %one, %n, %one, %n, %one)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf16>, memref<?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32
  tile_host.launch @matmul_bias_gelu_f16(%a, %b, %c_f16, %bias, %m, %n, %k, %k, %one, %n, %one, %n, %one)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf16>, memref<?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32

  %want = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf64>
  %want_relu = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf64>
  %want_gelu = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf64>
  %want_tanh = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf64>
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
  tile_host.expect_close %c, %want {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?xf16>, memref<?x?xf64>
  tile_host.expect_close %c_relu, %want_relu {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?xf16>, memref<?x?xf64>
  tile_host.expect_close %c_gelu, %want_gelu {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?xf16>, memref<?x?xf64>
  tile_host.expect_close %c_tanh, %want_tanh {atol = 4.0e-3, rtol = 2.0e-3} : memref<?x?xf16>, memref<?x?xf64>
  // Each of six operations rounds to 11 bits.
  tile_host.expect_close %c_f16, %want_tanh {atol = 6.0e-3, rtol = 3.0e-3} : memref<?x?xf16>, memref<?x?xf64>
  return
}

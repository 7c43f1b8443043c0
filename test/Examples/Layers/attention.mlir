// Attention, softmax(Q K^T / sqrt(D)) V, without ever holding the whole of Q K^T: causal and not.
//
//   tile-run attention.mlir                  3 heads, 100 queries and keys of D = 64 elements
//   tile-run attention.mlir --args 8,4096,128   HEADS,LENGTH,D, by the configuration that a model of the machine chooses
//
// A program keeps BM queries and walks over the keys and values, BN at a time. Each step takes two products:
//
//   scores = Q K^T             BM x BN
//   acc    = acc * alpha + P V
//
// with P = exp2((scores - m) * scale), m being each row's maximum so far, and scale = log2(e) / sqrt(D), so that exp2
// will do for exp. When a later block raises the maximum, what has been added up under the old one is too large by
// alpha = exp2((m_old - m_new) * scale) and is scaled down; the same holds for the sum of each row of P, by which acc is
// divided at the end. (This is the online softmax: Milakov and Gimelshein 2018; blocked as in FlashAttention, Dao et
// al. 2022.) Weights below 2^-126 may as well be 0, beside the 1 of the row's maximum: `fastmath<afn>`.
//
// Only the last block of keys can be cut short, and needs a mask: @attention walks in two loops.
//
// Causal attention lets a query see no later key. Of the blocks of keys, those below the diagonal are seen whole, those
// above it not at all, so the loop ends at the diagonal, and only the blocks on it need a mask: @attention_causal
// walks in two loops, too. All share the step.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1,64 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 2,257,32 -D D=32 -D BM=32 -D BN=16 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 2,512,128 -D D=128 -D BM=64 -D BN=64 | FileCheck %s
// RUN: tile-run %s --check --args 1,37,64
// CHECK: largest error {{.*}}, relative {{([0-9].*e-04|.*e-0[5-9]|.*e-1[0-9]|0\.000[0-9]*|0)}}, in 2 comparisons
// CHECK: : attention({{.*}}TFLOP/s
// CHECK: : attention_causal({{.*}}TFLOP/s

//===- blocks of a head's matrices, for any number of rows M --------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!mxd_i1 = tensor<?x?xi1, #tile.dims<[M, D]>>
!mxd_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D]>>
!mxd = tensor<?x?xf16, #tile.dims<[M, D]>>

// first + [0 .. M - 1]
tile.func private @range(%first: i32) -> !m {
  %range = tile.expr %first + arange(M)
  tile.return %range : !m
}

// Rows `first` to first + M of a head's matrix of `length` rows of D elements: pointers, and which exist.
tile.func private @rows(%head: !tile.ptr<f16>, %first: i32, %length: i32) -> (!mxd_ptrs, !mxd_i1) {
  %col = tile.expr col(arange(M))
  %ptrs = tile.expr %head + %first * D + (%col * D + row(arange(D)))
  %mask = tile.expr %col < %length - %first : !mxd_i1
  tile.return %ptrs, %mask : !mxd_ptrs, !mxd_i1
}

tile.func private @load_rows(%head: !tile.ptr<f16>, %first: i32, %length: i32) -> !mxd {
  %ptrs, %mask = tile.call @rows(%head, %first, %length) -> (!mxd_ptrs, !mxd_i1)
  %block = tile.load %ptrs, %mask
  tile.return %block : !mxd
}

// &base[head * length * D]
tile.func private @head_start(%base: !tile.ptr<f16>, %head: i32, %length: i32) -> !tile.ptr<f16> {
  %start = tile.expr %base + i64(%head) * (i64(%length) * D)
  tile.return %start : !tile.ptr<f16>
}

//===- one step -----------------------------------------------------------===//

!queries = tensor<?xi32, #tile.dims<[BM]>>
!keys = tensor<?xi32, #tile.dims<[BN]>>
!q = tensor<?x?xf16, #tile.dims<[BM, D]>>
!kv = tensor<?x?xf16, #tile.dims<[BN, D]>>
!scores = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!visible = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, D]>>
!stats = tensor<?xf32, #tile.dims<[BM]>>

// Which of the keys from `first` on exist.
tile.func private @existing(%first: i32, %length: i32) -> !visible {
  %keys = tile.call @range(%first) -> !keys
  %visible = tile.expr row(%keys) < %length : !visible
  tile.return %visible : !visible
}

// Which of the keys from `first` on are no later than the queries, row by row.
tile.func private @earlier(%first: i32, %queries: !queries) -> !visible {
  %keys = tile.call @range(%first) -> !keys
  %visible = tile.expr row(%keys) <= col(%queries)
  tile.return %visible : !visible
}

// Q times the keys from `first` on, transposed.
tile.func private @score(%q: !q, %k_head: !tile.ptr<f16>, %first: i32, %length: i32) -> !scores {
  %k = tile.call @load_rows(%k_head, %first, %length) -> !kv
  %kt = tile.trans %k order [1, 0]
  %zeros = tile.expr 0.0 : !scores
  %scores = tile.dot %q, %kt, %zeros
  tile.return %scores : !scores
}

tile.func private @hide(%scores: !scores, %visible: !visible) -> !scores {
  %left = tile.expr select(%visible, %scores, -1.0e30)
  tile.return %left : !scores
}

// Takes a block of scores and the values of its keys into the accumulator, the maximums and the sums.
tile.func private @accumulate(%acc: !acc, %max: !stats, %sum: !stats, %scores: !scores, %scale: f32,
                              %v_head: !tile.ptr<f16>, %first: i32, %length: i32) -> (!acc, !stats, !stats) {
  %block_max = tile.reduce max %scores axis 1
  %new_max = tile.expr max(%max, %block_max)
  %fall_log2 = tile.expr (%max - %new_max) * %scale
  %alpha = math.exp2 %fall_log2 fastmath<afn> : !stats

  // P = exp2(scores * scale - new_max * scale)
  %p_log2 = tile.expr math.fma(%scores, %scale, col(-(%new_max * %scale)))
  %p = math.exp2 %p_log2 fastmath<afn> : !scores

  %block_sum = tile.reduce add %p axis 1
  %new_sum = tile.expr %sum * %alpha + %block_sum

  %old_acc = tile.expr %acc * col(%alpha)
  %v = tile.call @load_rows(%v_head, %first, %length) -> !kv
  %p_half = tile.expr f16(%p)
  %new_acc = tile.dot %p_half, %v, %old_acc
  tile.return %new_acc, %new_max, %new_sum : !acc, !stats, !stats
}

// out = acc / sum
tile.func private @finish(%out_head: !tile.ptr<f16>, %first: i32, %length: i32, %acc: !acc, %sum: !stats) {
  %half = tile.expr f16(%acc * col(1.0 / %sum))
  %ptrs, %mask = tile.call @rows(%out_head, %first, %length)
      -> (tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, D]>>, tensor<?x?xi1, #tile.dims<[BM, D]>>)
  tile.store %ptrs, %half, %mask
  tile.return
}

//===- the kernels --------------------------------------------------------===//

tile.func @attention(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %out: !tile.ptr<f16>,
                %heads: i32 {tile.key}, %length: i32 {tile.key}, %scale: f32)
    meta {BM = 64, BN = 32, D = 64}
    configs [{BM = 128, BN = 128, num_warps = 8}, {BM = 128, BN = 64, num_warps = 8},
             {BM = 256, BN = 64, num_warps = 16}, {BM = 64, BN = 128, num_warps = 4},
             {BM = 64, BN = 64, num_warps = 4}] {
  tile.grid = %length ceildiv BM, %heads
  // Two products of 2 LENGTH^2 D operations for each head; Q, K, V and the result moved once, 2 bytes an element.
  tile.cost = %heads * %length * D * %length * 4, %heads * %length * D * 8
  %c0 = arith.constant 0 : i32
  %bn = tile.meta BN : i32
  %head = tile.program_id y
  %q_head = tile.call @head_start(%q, %head, %length) -> !tile.ptr<f16>
  %k_head = tile.call @head_start(%k, %head, %length) -> !tile.ptr<f16>
  %v_head = tile.call @head_start(%v, %head, %length) -> !tile.ptr<f16>
  %out_head = tile.call @head_start(%out, %head, %length) -> !tile.ptr<f16>
  %first = tile.expr program_id(x) * BM
  %q_block = tile.call @load_rows(%q_head, %first, %length) -> !q

  %acc_0 = tile.expr 0.0 : !acc
  %sum_0 = tile.expr 0.0 : !stats
  %max_0 = tile.expr -1.0e30 : !stats

  %rest = tile.expr (%length div BN) * BN
  %acc_1, %max_1, %sum_1 = scf.for %j = %c0 to %rest step %bn
      iter_args(%acc_j = %acc_0, %max_j = %max_0, %sum_j = %sum_0) -> (!acc, !stats, !stats) : i32 {
    %scores = tile.call @score(%q_block, %k_head, %j, %length) -> !scores
    %acc_n, %max_n, %sum_n = tile.call @accumulate(%acc_j, %max_j, %sum_j, %scores, %scale, %v_head, %j, %length)
        -> (!acc, !stats, !stats)
    scf.yield %acc_n, %max_n, %sum_n : !acc, !stats, !stats
  }
  %acc, %max, %sum = scf.for %j = %rest to %length step %bn
      iter_args(%acc_j = %acc_1, %max_j = %max_1, %sum_j = %sum_1) -> (!acc, !stats, !stats) : i32 {
    %all = tile.call @score(%q_block, %k_head, %j, %length) -> !scores
    %visible = tile.call @existing(%j, %length) -> !visible
    %scores = tile.call @hide(%all, %visible) -> !scores
    %acc_n, %max_n, %sum_n = tile.call @accumulate(%acc_j, %max_j, %sum_j, %scores, %scale, %v_head, %j, %length)
        -> (!acc, !stats, !stats)
    scf.yield %acc_n, %max_n, %sum_n : !acc, !stats, !stats
  }
  tile.call @finish(%out_head, %first, %length, %acc, %sum)
  tile.return
}

tile.func @attention_causal(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %out: !tile.ptr<f16>,
                %heads: i32 {tile.key}, %length: i32 {tile.key}, %scale: f32)
    meta {BM = 64, BN = 32, D = 64}
    configs [{BM = 128, BN = 128, num_warps = 8}, {BM = 128, BN = 64, num_warps = 8},
             {BM = 256, BN = 64, num_warps = 16}, {BM = 64, BN = 128, num_warps = 4},
             {BM = 64, BN = 64, num_warps = 4}] {
  tile.grid = %length ceildiv BM, %heads
  // Half of the products: those of queries and keys that are no later.
  tile.cost = %heads * %length * D * %length * 2, %heads * %length * D * 8
  %c0 = arith.constant 0 : i32
  %bn = tile.meta BN : i32
  %head = tile.program_id y
  %q_head = tile.call @head_start(%q, %head, %length) -> !tile.ptr<f16>
  %k_head = tile.call @head_start(%k, %head, %length) -> !tile.ptr<f16>
  %v_head = tile.call @head_start(%v, %head, %length) -> !tile.ptr<f16>
  %out_head = tile.call @head_start(%out, %head, %length) -> !tile.ptr<f16>
  %first = tile.expr program_id(x) * BM
  %q_block = tile.call @load_rows(%q_head, %first, %length) -> !q

  %acc_0 = tile.expr 0.0 : !acc
  %sum_0 = tile.expr 0.0 : !stats
  %max_0 = tile.expr -1.0e30 : !stats

  // Blocks of keys that every query of this program sees whole: there are first / BN of them, as keys of the last
  // such block end before the first query.
  %diagonal = tile.expr (%first div BN) * BN
  %acc_1, %max_1, %sum_1 = scf.for %j = %c0 to %diagonal step %bn
      iter_args(%acc_j = %acc_0, %max_j = %max_0, %sum_j = %sum_0) -> (!acc, !stats, !stats) : i32 {
    %scores = tile.call @score(%q_block, %k_head, %j, %length) -> !scores
    %acc_n, %max_n, %sum_n = tile.call @accumulate(%acc_j, %max_j, %sum_j, %scores, %scale, %v_head, %j, %length)
        -> (!acc, !stats, !stats)
    scf.yield %acc_n, %max_n, %sum_n : !acc, !stats, !stats
  }
  // Blocks on the diagonal. No query sees a key past the end: all of those are later.
  %queries = tile.call @range(%first) -> !queries
  %end = tile.expr min(%first + BM, %length)
  %acc, %max, %sum = scf.for %j = %diagonal to %end step %bn
      iter_args(%acc_j = %acc_1, %max_j = %max_1, %sum_j = %sum_1) -> (!acc, !stats, !stats) : i32 {
    %all = tile.call @score(%q_block, %k_head, %j, %length) -> !scores
    %visible = tile.call @earlier(%j, %queries) -> !visible
    %scores = tile.call @hide(%all, %visible) -> !scores
    %acc_n, %max_n, %sum_n = tile.call @accumulate(%acc_j, %max_j, %sum_j, %scores, %scale, %v_head, %j, %length)
        -> (!acc, !stats, !stats)
    scf.yield %acc_n, %max_n, %sum_n : !acc, !stats, !stats
  }
  tile.call @finish(%out_head, %first, %length, %acc, %sum)
  tile.return
}

//===- the host program ---------------------------------------------------===//

// A query at a time in f64: scores, softmax, mean of the values. As many queries of each head as 2^26 products
// allow, spread over the length; the others stay 0 in `want`, and are set to 0 in `got`.
func.func private @reference(%q: memref<?x?x?xf16>, %k: memref<?x?x?xf16>, %v: memref<?x?x?xf16>,
                             %got: memref<?x?x?xf16>, %want: memref<?x?x?xf64>, %causal: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %heads = memref.dim %q, %c0 : memref<?x?x?xf16>
  %length = memref.dim %q, %c1 : memref<?x?x?xf16>
  %d = memref.dim %q, %c2 : memref<?x?x?xf16>
  %zero = arith.constant 0.0 : f64
  %zero_f16 = arith.constant 0.0 : f16
  %d_i64 = arith.index_cast %d : index to i64
  %d_f64 = arith.sitofp %d_i64 : i64 to f64
  %root = math.sqrt %d_f64 : f64

  // Every `gap`-th query is compared.
  %work = arith.constant 67108864 : index
  %hl = arith.muli %heads, %length : index
  %hld = arith.muli %hl, %d : index
  %products = arith.muli %hld, %length : index
  %over = arith.divsi %products, %work : index
  %gap = arith.addi %over, %c1 : index
  scf.for %h = %c0 to %heads step %c1 {
    scf.for %i = %c0 to %length step %c1 {
      %phase = arith.remsi %i, %gap : index
      %compared = arith.cmpi eq, %phase, %c0 : index
      scf.if %compared {
        %i_next = arith.addi %i, %c1 : index
        %end = arith.select %causal, %i_next, %length : index
        %sum = scf.for %j = %c0 to %end step %c1 iter_args(%s = %zero) -> f64 {
          %dot = scf.for %e = %c0 to %d step %c1 iter_args(%t = %zero) -> f64 {
            %x = memref.load %q[%h, %i, %e] : memref<?x?x?xf16>
            %y = memref.load %k[%h, %j, %e] : memref<?x?x?xf16>
            %x64 = arith.extf %x : f16 to f64
            %y64 = arith.extf %y : f16 to f64
            %xy = arith.mulf %x64, %y64 : f64
            %u = arith.addf %t, %xy : f64
            scf.yield %u : f64
          }
          %score = arith.divf %dot, %root : f64
          %weight = math.exp %score : f64
          scf.for %e = %c0 to %d step %c1 {
            %y = memref.load %v[%h, %j, %e] : memref<?x?x?xf16>
            %y64 = arith.extf %y : f16 to f64
            %part = arith.mulf %weight, %y64 : f64
            %before = memref.load %want[%h, %i, %e] : memref<?x?x?xf64>
            %after = arith.addf %before, %part : f64
            memref.store %after, %want[%h, %i, %e] : memref<?x?x?xf64>
          }
          %next = arith.addf %s, %weight : f64
          scf.yield %next : f64
        }
        scf.for %e = %c0 to %d step %c1 {
          %total = memref.load %want[%h, %i, %e] : memref<?x?x?xf64>
          %mean = arith.divf %total, %sum : f64
          memref.store %mean, %want[%h, %i, %e] : memref<?x?x?xf64>
        }
      } else {
        scf.for %e = %c0 to %d step %c1 {
          memref.store %zero_f16, %got[%h, %i, %e] : memref<?x?x?xf16>
        }
      }
    }
  }
  return
}

func.func @main(%heads: i32 {tile_host.default = 3 : i32}, %length: i32 {tile_host.default = 100 : i32},
                %d: i32 {tile_host.default = 64 : i32}) {
  %q = tile_host.random(%heads, %length, %d) seed 1 : (i32, i32, i32) -> memref<?x?x?xf16>
  %k = tile_host.random(%heads, %length, %d) seed 2 : (i32, i32, i32) -> memref<?x?x?xf16>
  %v = tile_host.random(%heads, %length, %d) seed 3 : (i32, i32, i32) -> memref<?x?x?xf16>
  %full = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf16>
  %causal = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf16>

  // scale = log2(e) / sqrt(D)
  %d_f32 = arith.sitofp %d : i32 to f32
  %root = math.sqrt %d_f32 : f32
  %log2e = arith.constant 1.44269504 : f32
  %scale = arith.divf %log2e, %root : f32
  tile_host.launch @attention(%q, %k, %v, %full, %heads, %length, %scale) meta {D = %d}
      : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, f32
  tile_host.launch @attention_causal(%q, %k, %v, %causal, %heads, %length, %scale) meta {D = %d}
      : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, f32

  %no = arith.constant false
  %yes = arith.constant true
  %full_want = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf64>
  %causal_want = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> memref<?x?x?xf64>
  func.call @reference(%q, %k, %v, %full, %full_want, %no)
      : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  func.call @reference(%q, %k, %v, %causal, %causal_want, %yes)
      : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  tile_host.expect_close %full, %full_want {atol = 1.0e-3, rtol = 2.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  tile_host.expect_close %causal, %causal_want {atol = 1.0e-3, rtol = 2.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  return
}

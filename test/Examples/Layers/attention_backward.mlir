// The backward pass of attention, out = softmax(Q K^T / sqrt(D)) V: from the gradient of `out` those of Q, K and V.
//
//   tile-run attention_backward.mlir                  3 heads, 100 queries and keys of D = 64 elements
//   tile-run attention_backward.mlir --args 8,4096,128 -D D=128   HEADS,LENGTH,D
//
// With P = exp2(Q K^T * scale - lse), the weights, and scale = log2(e) / sqrt(D):
//
//   dV = P^T dout        dP = dout V^T        dS = P * (dP - delta)        dQ = dS K / sqrt(D)        dK = dS^T Q / sqrt(D)
//
// where, of each query, lse = log2 of the sum of exp2(scores * scale), and delta = the sum of P * dP, what the sum over a
// row of weights gives back. @attention_statistics walks over the keys once for both, as @attention of attention.mlir
// does; whoever has kept lse and `out` of the forward pass has lse, and delta = the sum of dout * out.
//
// A program of @attention_backward keeps BN keys and walks over the queries, BM at a time, with five products a step. It
// computes transposed, keys by queries: so P^T and dS^T are in the registers that products take them from. What its keys
// add to the queries' gradients it adds to memory, in f32, where all programs do (dQ begins at 0). This is the order of
// FlashAttention (Dao et al. 2022). Queries and keys beyond the end are read as 0, and as lse of 1e30, which leaves
// weights of 0.
//
// Causal, a block of keys is seen by queries from its own first one on: those on the diagonal need a mask, in a loop of
// their own.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1,64 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 2,257,32 -D D=32 -D BM=32 -D BN=64 | FileCheck %s
// RUN: tile-run %s --check --args 1,37,64
// CHECK: largest error {{.*}}, relative {{([0-9].*e-03|[0-9].*e-04|.*e-0[5-9]|.*e-1[0-9]|0\.00[0-9]*|0)}}, in 6 comparisons
// CHECK: : attention_statistics({{.*}}TFLOP/s
// CHECK: : attention_backward({{.*}}TFLOP/s
// CHECK: : attention_backward_causal({{.*}}TFLOP/s

//===- blocks of a head's matrices, for any number of rows M --------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!mxd_i1 = tensor<?x?xi1, #tile.dims<[M, D]>>
!mxd_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D]>>
!mxd = tensor<?x?xf16, #tile.dims<[M, D]>>
!row = tensor<?xf32, #tile.dims<[M]>>

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

// Numbers `first` to first + M of a head's `length`; `other` beyond.
tile.func private @load_numbers(%head: !tile.ptr<f32>, %first: i32, %length: i32, %other: f32) -> !row {
  %at = tile.expr %first + arange(M)
  %ptrs = tile.expr %head + %at
  %mask = tile.expr %at < %length
  %others = tile.expr %other : !row
  %numbers = tile.load %ptrs, %mask, %others
  tile.return %numbers : !row
}

// &base[head * length * D], &base[head * length]
tile.func private @head_start(%base: !tile.ptr<f16>, %head: i32, %length: i32) -> !tile.ptr<f16> {
  %start = tile.expr %base + i64(%head) * (i64(%length) * D)
  tile.return %start : !tile.ptr<f16>
}

//===- sums of rows -------------------------------------------------------===//

!queries = tensor<?xi32, #tile.dims<[BM]>>
!keys = tensor<?xi32, #tile.dims<[BN]>>
!q = tensor<?x?xf16, #tile.dims<[BM, D]>>
!kv = tensor<?x?xf16, #tile.dims<[BN, D]>>
!scores = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!visible = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!stats = tensor<?xf32, #tile.dims<[BM]>>

tile.func @attention_statistics(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %grad: !tile.ptr<f16>,
                %lse: !tile.ptr<f32>, %delta: !tile.ptr<f32>, %heads: i32 {tile.key}, %length: i32 {tile.key}, %scale: f32,
                %causal: i32 {tile.key})
    meta {BM = 64, BN = 64, D = 64}
    configs [{BM = 128, BN = 128, num_warps = 8}, {BM = 128, BN = 64, num_warps = 8}] {
  tile.grid = %length ceildiv BM, %heads
  tile.cost = %heads * %length * D * %length * 4, %heads * %length * D * 8
  %c0 = arith.constant 0 : i32
  %bn = tile.meta BN : i32
  %head = tile.program_id y
  %q_head = tile.call @head_start(%q, %head, %length) -> !tile.ptr<f16>
  %k_head = tile.call @head_start(%k, %head, %length) -> !tile.ptr<f16>
  %v_head = tile.call @head_start(%v, %head, %length) -> !tile.ptr<f16>
  %grad_head = tile.call @head_start(%grad, %head, %length) -> !tile.ptr<f16>
  %first = tile.expr program_id(x) * BM
  %queries = tile.expr %first + arange(BM)
  %q_block = tile.call @load_rows(%q_head, %first, %length) -> !q
  %grad_block = tile.call @load_rows(%grad_head, %first, %length) -> !q
  %zeros = tile.expr 0.0 : !scores
  %zero = tile.expr 0.0 : !stats
  %max_0 = tile.expr -1.0e30 : !stats
  // All that a query may see: the whole of them, or those no later than itself.
  %last = tile.expr select(%causal ne 0, min(%first + BM, %length), %length)
  %max, %sum, %part = scf.for %j = %c0 to %last step %bn
      iter_args(%max_j = %max_0, %sum_j = %zero, %part_j = %zero) -> (!stats, !stats, !stats) : i32 {
    %k_block = tile.call @load_rows(%k_head, %j, %length) -> !kv
    %v_block = tile.call @load_rows(%v_head, %j, %length) -> !kv
    %kt = tile.trans %k_block order [1, 0]
    %vt = tile.trans %v_block order [1, 0]
    %all = tile.dot %q_block, %kt, %zeros
    %dp = tile.dot %grad_block, %vt, %zeros
    %at = tile.expr %j + arange(BN)
    %visible = tile.expr row(%at) < %length and (%causal == 0 or row(%at) <= col(%queries)) : !visible
    %scores = tile.expr select(%visible, %all, -1.0e30)
    %block_max = tile.reduce max %scores axis 1
    %new_max = tile.expr max(%max_j, %block_max)
    %fall_log2 = tile.expr (%max_j - %new_max) * %scale
    %alpha = math.exp2 %fall_log2 fastmath<afn> : !stats
    %p_log2 = tile.expr math.fma(%scores, %scale, col(-(%new_max * %scale)))
    %p = math.exp2 %p_log2 fastmath<afn> : !scores
    %block_sum = tile.reduce add %p axis 1
    %new_sum = tile.expr %sum_j * %alpha + %block_sum
    %products = tile.expr %p * %dp
    %block_part = tile.reduce add %products axis 1
    %new_part = tile.expr %part_j * %alpha + %block_part
    scf.yield %new_max, %new_sum, %new_part : !stats, !stats, !stats
  }
  %log2 = math.log2 %sum : !stats
  %lse_block = tile.expr %max * %scale + %log2
  %delta_block = tile.expr %part / %sum
  %in = tile.expr %queries < %length
  %lse_ptrs = tile.expr %lse + i64(%head) * i64(%length) + %queries
  %delta_ptrs = tile.expr %delta + i64(%head) * i64(%length) + %queries
  tile.store %lse_ptrs, %lse_block, %in
  tile.store %delta_ptrs, %delta_block, %in
  tile.return
}

//===- one step -----------------------------------------------------------===//

!turned = tensor<?x?xf32, #tile.dims<[BN, BM]>>
!seen = tensor<?x?xi1, #tile.dims<[BN, BM]>>
!key_sums = tensor<?x?xf32, #tile.dims<[BN, D]>>
!query_sums = tensor<?x?xf32, #tile.dims<[BM, D]>>

// Keys times the queries from `first` on, transposed, as weights: BN x BM.
tile.func private @weights(%k: !kv, %q: !q, %scale: f32, %lse: !stats) -> !turned {
  %qt = tile.trans %q order [1, 0]
  %zeros = tile.expr 0.0 : !turned
  %scores = tile.dot %k, %qt, %zeros
  %p_log2 = tile.expr math.fma(%scores, %scale, row(-%lse))
  %p = math.exp2 %p_log2 fastmath<afn> : !turned
  tile.return %p : !turned
}

// What the queries from `first` on, with weights %p, give to the gradients of keys and values, and get from them.
tile.func private @give(%dk: !key_sums, %dv: !key_sums, %k: !kv, %v: !kv, %q: !q, %p: !turned,
                        %grad_head: !tile.ptr<f16>, %delta: !tile.ptr<f32>, %dq: !tile.ptr<f32>, %first: i32,
                        %length: i32, %root: f32) -> (!key_sums, !key_sums) {
  %grad = tile.call @load_rows(%grad_head, %first, %length) -> !q
  %gt = tile.trans %grad order [1, 0]
  %zeros = tile.expr 0.0 : !turned
  %dp = tile.dot %v, %gt, %zeros
  %p_half = tile.expr f16(%p)
  %new_dv = tile.dot %p_half, %grad, %dv
  %zero = arith.constant 0.0 : f32
  %delta_row = tile.call @load_numbers(%delta, %first, %length, %zero) -> !stats
  %ds = tile.expr f16(%p * (%dp - row(%delta_row)))
  %new_dk = tile.dot %ds, %q, %dk
  %dst = tile.trans %ds order [1, 0]
  %none = tile.expr 0.0 : !query_sums
  %part = tile.dot %dst, %k, %none
  %at = tile.expr %first + arange(BM)
  %ptrs = tile.expr %dq + col(%at) * D + row(arange(D))
  %in = tile.expr col(%at) < %length : tensor<?x?xi1, #tile.dims<[BM, D]>>
  %sums = tile.expr %part * %root
  %old = tile.atomic_rmw fadd relaxed gpu %ptrs, %sums, %in
  tile.return %new_dk, %new_dv : !key_sums, !key_sums
}

tile.func private @finish(%head: !tile.ptr<f16>, %first: i32, %length: i32, %sums: !key_sums) {
  %half = tile.expr f16(%sums)
  %ptrs, %mask = tile.call @rows(%head, %first, %length)
      -> (tensor<?x?x!tile.ptr<f16>, #tile.dims<[BN, D]>>, tensor<?x?xi1, #tile.dims<[BN, D]>>)
  tile.store %ptrs, %half, %mask
  tile.return
}

//===- the kernels --------------------------------------------------------===//

// %scale = log2(e) / sqrt(D), %root = 1 / sqrt(D); dQ has f32, and begins at 0.
tile.func @attention_backward(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %grad: !tile.ptr<f16>,
                %lse: !tile.ptr<f32>, %delta: !tile.ptr<f32>, %dq: !tile.ptr<f32>, %dk: !tile.ptr<f16>,
                %dv: !tile.ptr<f16>, %heads: i32 {tile.key}, %length: i32 {tile.key}, %scale: f32, %root: f32)
    meta {BM = 64, BN = 64, D = 64}
    configs [{BM = 128, BN = 128, num_warps = 8}, {BM = 64, BN = 128, num_warps = 8}] {
  tile.grid = %length ceildiv BN, %heads
  // Five products; Q, K, V and four gradients moved once, dQ 4 bytes an element.
  tile.cost = %heads * %length * D * %length * 10, %heads * %length * D * 16
  %c0 = arith.constant 0 : i32
  %bm = tile.meta BM : i32
  %none = arith.constant 1.0e30 : f32
  %head = tile.program_id y
  %first = tile.expr program_id(x) * BN
  %q_head = tile.call @head_start(%q, %head, %length) -> !tile.ptr<f16>
  %k_head = tile.call @head_start(%k, %head, %length) -> !tile.ptr<f16>
  %v_head = tile.call @head_start(%v, %head, %length) -> !tile.ptr<f16>
  %grad_head = tile.call @head_start(%grad, %head, %length) -> !tile.ptr<f16>
  %dq_head = tile.expr %dq + i64(%head) * (i64(%length) * D)
  %lse_head = tile.expr %lse + i64(%head) * i64(%length)
  %delta_head = tile.expr %delta + i64(%head) * i64(%length)
  %k_block = tile.call @load_rows(%k_head, %first, %length) -> !kv
  %v_block = tile.call @load_rows(%v_head, %first, %length) -> !kv
  %zero = tile.expr 0.0 : !key_sums
  %dk_sums, %dv_sums = scf.for %i = %c0 to %length step %bm iter_args(%dk_i = %zero, %dv_i = %zero)
      -> (!key_sums, !key_sums) : i32 {
    %q_block = tile.call @load_rows(%q_head, %i, %length) -> !q
    %lse_row = tile.call @load_numbers(%lse_head, %i, %length, %none) -> !stats
    %p = tile.call @weights(%k_block, %q_block, %scale, %lse_row) -> !turned
    %dk_n, %dv_n = tile.call @give(%dk_i, %dv_i, %k_block, %v_block, %q_block, %p, %grad_head, %delta_head, %dq_head,
                                   %i, %length, %root) -> (!key_sums, !key_sums)
    scf.yield %dk_n, %dv_n : !key_sums, !key_sums
  }
  %dk_head = tile.call @head_start(%dk, %head, %length) -> !tile.ptr<f16>
  %dv_head = tile.call @head_start(%dv, %head, %length) -> !tile.ptr<f16>
  %dk_all = tile.expr %dk_sums * %root
  tile.call @finish(%dv_head, %first, %length, %dv_sums)
  tile.call @finish(%dk_head, %first, %length, %dk_all)
  tile.return
}

tile.func @attention_backward_causal(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>,
                %grad: !tile.ptr<f16>, %lse: !tile.ptr<f32>, %delta: !tile.ptr<f32>, %dq: !tile.ptr<f32>,
                %dk: !tile.ptr<f16>, %dv: !tile.ptr<f16>, %heads: i32 {tile.key}, %length: i32 {tile.key}, %scale: f32, %root: f32)
    meta {BM = 64, BN = 64, D = 64}
    configs [{BM = 128, BN = 128, num_warps = 8}, {BM = 64, BN = 128, num_warps = 8}] {
  tile.grid = %length ceildiv BN, %heads
  tile.cost = %heads * %length * D * %length * 5, %heads * %length * D * 16
  %bm = tile.meta BM : i32
  %none = arith.constant 1.0e30 : f32
  %head = tile.program_id y
  %first = tile.expr program_id(x) * BN
  %q_head = tile.call @head_start(%q, %head, %length) -> !tile.ptr<f16>
  %k_head = tile.call @head_start(%k, %head, %length) -> !tile.ptr<f16>
  %v_head = tile.call @head_start(%v, %head, %length) -> !tile.ptr<f16>
  %grad_head = tile.call @head_start(%grad, %head, %length) -> !tile.ptr<f16>
  %dq_head = tile.expr %dq + i64(%head) * (i64(%length) * D)
  %lse_head = tile.expr %lse + i64(%head) * i64(%length)
  %delta_head = tile.expr %delta + i64(%head) * i64(%length)
  %k_block = tile.call @load_rows(%k_head, %first, %length) -> !kv
  %v_block = tile.call @load_rows(%v_head, %first, %length) -> !kv
  %zero = tile.expr 0.0 : !key_sums
  // Queries from the block's first key on: those on the diagonal, and from `rest` on those that see all of its keys.
  %keys = tile.expr %first + arange(BN)
  %rest = tile.expr %first + (BN ceildiv BM) * BM
  %diagonal = tile.expr min(%rest, %length)
  %dk_1, %dv_1 = scf.for %i = %first to %diagonal step %bm iter_args(%dk_i = %zero, %dv_i = %zero)
      -> (!key_sums, !key_sums) : i32 {
    %q_block = tile.call @load_rows(%q_head, %i, %length) -> !q
    %lse_row = tile.call @load_numbers(%lse_head, %i, %length, %none) -> !stats
    %all = tile.call @weights(%k_block, %q_block, %scale, %lse_row) -> !turned
    %queries = tile.expr %i + arange(BM)
    %seen = tile.expr col(%keys) <= row(%queries) : !seen
    %p = tile.expr select(%seen, %all, 0.0)
    %dk_n, %dv_n = tile.call @give(%dk_i, %dv_i, %k_block, %v_block, %q_block, %p, %grad_head, %delta_head, %dq_head,
                                   %i, %length, %root) -> (!key_sums, !key_sums)
    scf.yield %dk_n, %dv_n : !key_sums, !key_sums
  }
  %dk_sums, %dv_sums = scf.for %i = %rest to %length step %bm iter_args(%dk_i = %dk_1, %dv_i = %dv_1)
      -> (!key_sums, !key_sums) : i32 {
    %q_block = tile.call @load_rows(%q_head, %i, %length) -> !q
    %lse_row = tile.call @load_numbers(%lse_head, %i, %length, %none) -> !stats
    %p = tile.call @weights(%k_block, %q_block, %scale, %lse_row) -> !turned
    %dk_n, %dv_n = tile.call @give(%dk_i, %dv_i, %k_block, %v_block, %q_block, %p, %grad_head, %delta_head, %dq_head,
                                   %i, %length, %root) -> (!key_sums, !key_sums)
    scf.yield %dk_n, %dv_n : !key_sums, !key_sums
  }
  %dk_head = tile.call @head_start(%dk, %head, %length) -> !tile.ptr<f16>
  %dv_head = tile.call @head_start(%dv, %head, %length) -> !tile.ptr<f16>
  %dk_all = tile.expr %dk_sums * %root
  tile.call @finish(%dv_head, %first, %length, %dv_sums)
  tile.call @finish(%dk_head, %first, %length, %dk_all)
  tile.return
}

//===- the host program ---------------------------------------------------===//

!half = memref<?x?x?xf16>
!single = memref<?x?x?xf32>
!double = memref<?x?x?xf64>

// A query at a time in f64. As many heads as 2^26 products allow, and the first; the others stay 0 in what is wanted,
// and are set to 0 in what was got.
func.func private @reference(%q: !half, %k: !half, %v: !half, %grad: !half, %dq: !single, %dk: !half, %dv: !half, %want_dq: !double, %want_dk: !double,
                             %want_dv: !double, %causal: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %heads = memref.dim %q, %c0 : !half
  %length = memref.dim %q, %c1 : !half
  %d = memref.dim %q, %c2 : !half
  %zero = arith.constant 0.0 : f64
  %zero_f16 = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f64
  %d_i64 = arith.index_cast %d : index to i64
  %d_f64 = arith.sitofp %d_i64 : i64 to f64
  %root = math.sqrt %d_f64 : f64
  %scale = arith.divf %one, %root : f64
  %work = arith.constant 67108864 : index
  %ll = arith.muli %length, %length : index
  %lld = arith.muli %ll, %d : index
  %some = arith.divsi %work, %lld : index
  %compared = arith.maxsi %some, %c1 : index
  scf.for %h = %c0 to %heads step %c1 {
    %is_compared = arith.cmpi slt, %h, %compared : index
    scf.if %is_compared {
      scf.for %i = %c0 to %length step %c1 {
        %i_next = arith.addi %i, %c1 : index
        %end = arith.select %causal, %i_next, %length : index
        // The sums of weights, and of weights times dP.
        %sum, %part = scf.for %j = %c0 to %end step %c1 iter_args(%s = %zero, %t = %zero) -> (f64, f64) {
          %w, %dp = func.call @pair(%q, %k, %v, %grad, %h, %i, %j, %d, %scale)
              : (!half, !half, !half, !half, index, index, index, index, f64) -> (f64, f64)
          %s_next = arith.addf %s, %w : f64
          %wdp = arith.mulf %w, %dp : f64
          %t_next = arith.addf %t, %wdp : f64
          scf.yield %s_next, %t_next : f64, f64
        }
        %delta = arith.divf %part, %sum : f64
        scf.for %j = %c0 to %end step %c1 {
          %w, %dp = func.call @pair(%q, %k, %v, %grad, %h, %i, %j, %d, %scale)
              : (!half, !half, !half, !half, index, index, index, index, f64) -> (f64, f64)
          %p = arith.divf %w, %sum : f64
          %off = arith.subf %dp, %delta : f64
          %pds = arith.mulf %p, %off : f64
          %ds = arith.mulf %pds, %scale : f64
          scf.for %e = %c0 to %d step %c1 {
            func.call @add_product(%want_dv, %h, %j, %e, %p, %grad, %i) : (!double, index, index, index, f64, !half, index) -> ()
            func.call @add_product(%want_dk, %h, %j, %e, %ds, %q, %i) : (!double, index, index, index, f64, !half, index) -> ()
            func.call @add_product(%want_dq, %h, %i, %e, %ds, %k, %j) : (!double, index, index, index, f64, !half, index) -> ()
          }
        }
      }
    } else {
      scf.for %i = %c0 to %length step %c1 {
        scf.for %e = %c0 to %d step %c1 {
          memref.store %zero_f32, %dq[%h, %i, %e] : !single
          memref.store %zero_f16, %dk[%h, %i, %e] : !half
          memref.store %zero_f16, %dv[%h, %i, %e] : !half
        }
      }
    }
  }
  return
}

// exp(q . k / sqrt(D)) and grad . v of a query and a key.
func.func private @pair(%q: !half, %k: !half, %v: !half, %grad: !half, %h: index, %i: index, %j: index, %d: index, %scale: f64)
    -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %qk, %gv = scf.for %e = %c0 to %d step %c1 iter_args(%s = %zero, %t = %zero) -> (f64, f64) {
    %a = memref.load %q[%h, %i, %e] : !half
    %b = memref.load %k[%h, %j, %e] : !half
    %x = memref.load %grad[%h, %i, %e] : !half
    %y = memref.load %v[%h, %j, %e] : !half
    %a64 = arith.extf %a : f16 to f64
    %b64 = arith.extf %b : f16 to f64
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %ab = arith.mulf %a64, %b64 : f64
    %xy = arith.mulf %x64, %y64 : f64
    %s_next = arith.addf %s, %ab : f64
    %t_next = arith.addf %t, %xy : f64
    scf.yield %s_next, %t_next : f64, f64
  }
  %score = arith.mulf %qk, %scale : f64
  %weight = math.exp %score : f64
  return %weight, %gv : f64, f64
}

// to[h, row, e] += factor * from[h, other, e]
func.func private @add_product(%to: !double, %h: index, %row: index, %e: index, %factor: f64, %from: !half, %other: index) {
  %x = memref.load %from[%h, %other, %e] : !half
  %x64 = arith.extf %x : f16 to f64
  %part = arith.mulf %factor, %x64 : f64
  %before = memref.load %to[%h, %row, %e] : !double
  %after = arith.addf %before, %part : f64
  memref.store %after, %to[%h, %row, %e] : !double
  return
}

func.func private @compare(%heads: i32, %length: i32, %d: i32, %q: !half, %k: !half, %v: !half, %grad: !half, %dq: !single, %dk: !half, %dv: !half,
                           %causal: i1) {
  %want_dq = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !double
  %want_dk = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !double
  %want_dv = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !double
  func.call @reference(%q, %k, %v, %grad, %dq, %dk, %dv, %want_dq, %want_dk, %want_dv, %causal)
      : (!half, !half, !half, !half, !single, !half, !half, !double, !double, !double, i1) -> ()
  tile_host.expect_close %dq, %want_dq {atol = 2.0e-3, rtol = 4.0e-3} : !single, !double
  tile_host.expect_close %dk, %want_dk {atol = 2.0e-3, rtol = 4.0e-3} : !half, !double
  tile_host.expect_close %dv, %want_dv {atol = 2.0e-3, rtol = 4.0e-3} : !half, !double
  return
}

func.func @main(%heads: i32 {tile_host.default = 3 : i32}, %length: i32 {tile_host.default = 100 : i32},
                %d: i32 {tile_host.default = 64 : i32}) {
  %q = tile_host.random(%heads, %length, %d) seed 1 : (i32, i32, i32) -> !half
  %k = tile_host.random(%heads, %length, %d) seed 2 : (i32, i32, i32) -> !half
  %v = tile_host.random(%heads, %length, %d) seed 3 : (i32, i32, i32) -> !half
  %grad = tile_host.random(%heads, %length, %d) seed 4 : (i32, i32, i32) -> !half
  %lse = tile_host.alloc(%heads, %length) : (i32, i32) -> memref<?x?xf32>
  %delta = tile_host.alloc(%heads, %length) : (i32, i32) -> memref<?x?xf32>
  %dq = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !single
  %dk = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !half
  %dv = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !half
  %causal_dq = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !single
  %causal_dk = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !half
  %causal_dv = tile_host.alloc(%heads, %length, %d) : (i32, i32, i32) -> !half

  // scale = log2(e) / sqrt(D), root = 1 / sqrt(D)
  %d_f32 = arith.sitofp %d : i32 to f32
  %squared = math.sqrt %d_f32 : f32
  %log2e = arith.constant 1.44269504 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.divf %log2e, %squared : f32
  %root = arith.divf %one, %squared : f32
  %whole = arith.constant 0 : i32
  %causal = arith.constant 1 : i32
  tile_host.launch @attention_statistics(%q, %k, %v, %grad, %lse, %delta, %heads, %length, %scale, %whole)
      : !half, !half, !half, !half, memref<?x?xf32>, memref<?x?xf32>, i32, i32, f32, i32
  tile_host.launch @attention_backward(%q, %k, %v, %grad, %lse, %delta, %dq, %dk, %dv, %heads, %length, %scale, %root)
      : !half, !half, !half, !half, memref<?x?xf32>, memref<?x?xf32>, !single, !half, !half, i32, i32, f32, f32
  tile_host.launch @attention_statistics(%q, %k, %v, %grad, %lse, %delta, %heads, %length, %scale, %causal)
      : !half, !half, !half, !half, memref<?x?xf32>, memref<?x?xf32>, i32, i32, f32, i32
  tile_host.launch @attention_backward_causal(%q, %k, %v, %grad, %lse, %delta, %causal_dq, %causal_dk, %causal_dv,
                                              %heads, %length, %scale, %root)
      : !half, !half, !half, !half, memref<?x?xf32>, memref<?x?xf32>, !single, !half, !half, i32, i32, f32, f32
  %no = arith.constant false
  %yes = arith.constant true
  func.call @compare(%heads, %length, %d, %q, %k, %v, %grad, %dq, %dk, %dv, %no)
      : (i32, i32, i32, !half, !half, !half, !half, !single, !half, !half, i1) -> ()
  func.call @compare(%heads, %length, %d, %q, %k, %v, %grad, %causal_dq, %causal_dk, %causal_dv, %yes)
      : (i32, i32, i32, !half, !half, !half, !half, !single, !half, !half, i1) -> ()
  return
}

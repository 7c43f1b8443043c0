// Attention as language models are served: sequences of any length behind one another, fewer heads of keys than of queries,
// a window, soft caps and slopes (ALiBi); and one query a sequence over keys that lie in pages.
//
//   tile-run attention_packed.mlir                     8 and 2 heads of D = 64, sequences of up to 100 tokens
//   tile-run attention_packed.mlir --args 64,80,8 -D D=80 -D PAGE=8    LENGTH,D,PAGE: D any multiple of 8
//
// @attention_packed: arrays are [tokens, heads, D], a sequence is starts[i] to starts[i + 1]. Query i sees keys i - window + 1
// to i, with scores
//
//   cap * tanh(q k / sqrt(D) / cap) + slope * (j - i)
//
// of which those in base 2 are log2(e) times as large. A program has BM queries of a head, and begins at the first block
// of keys that the first of them sees.
//
// @attention_paged: keys and values are [page, PAGE tokens, heads, D], and a table says which pages a sequence has. The G
// heads that share keys are the rows of one program, which looks BN numbers of pages up, and reads rows of keys from there.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 37,80,16 -D D=80 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 130,96,16 -D D=96 -D BM=32 -D BN=16 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,32,8 -D D=32 -D PAGE=8 | FileCheck %s
// RUN: tile-run %s --check --args 33,64,16
// CHECK: largest error {{.*}}, relative {{([0-9].*e-04|.*e-0[5-9]|.*e-1[0-9]|0\.000[0-9]*|0)}}, in 2 comparisons
// CHECK: : attention_packed({{.*}}GB/s
// CHECK: : attention_paged({{.*}}GB/s

//===- one step of softmax ------------------------------------------------===//

!kv = tensor<?x?xf16, #tile.dims<[BN, D]>>
!keys = tensor<?xi32, #tile.dims<[BN]>>
!m_kv = tensor<?x?xf16, #tile.dims<[M, D]>>
!m_acc = tensor<?x?xf32, #tile.dims<[M, D]>>
!m_scores = tensor<?x?xf32, #tile.dims<[M, BN]>>
!m_stats = tensor<?xf32, #tile.dims<[M]>>

// Takes scores in base 2 and the values of their keys into results, maximums and sums, of any number of rows M.
tile.func private @accumulate(%acc: !m_acc, %max: !m_stats, %sum: !m_stats, %scores: !m_scores, %v: !kv)
    -> (!m_acc, !m_stats, !m_stats) {
  %block_max = tile.reduce max %scores axis 1
  %new_max = tile.expr max(%max, %block_max)
  %fall = tile.expr %max - %new_max
  %alpha = math.exp2 %fall fastmath<afn> : !m_stats
  %p_log2 = tile.expr %scores - col(%new_max)
  %p = math.exp2 %p_log2 fastmath<afn> : !m_scores
  %block_sum = tile.reduce add %p axis 1
  %new_sum = tile.expr %sum * %alpha + %block_sum
  %old_acc = tile.expr %acc * col(%alpha)
  %p_half = tile.expr f16(%p)
  %new_acc = tile.dot %p_half, %v, %old_acc
  tile.return %new_acc, %new_max, %new_sum : !m_acc, !m_stats, !m_stats
}

//===- sequences behind one another ---------------------------------------===//

!q = tensor<?x?xf16, #tile.dims<[BM, D]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, D]>>
!scores = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!seen = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!stats = tensor<?xf32, #tile.dims<[BM]>>

tile.func @attention_packed(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %out: !tile.ptr<f16>,
                %starts: !tile.ptr<i32>, %slopes: !tile.ptr<f32>, %sequences: i32, %longest: i32, %heads: i32,
                %groups: i32, %window: i32, %scale: f32, %cap: f32)
    meta {BM = 16, BN = 16, D = 64} {
  tile.grid = %longest ceildiv BM, %heads, %sequences
  tile.cost = %sequences * %longest * %heads * D * %longest * 2, %sequences * %longest * (%heads + %groups) * D * 4
  %bn = tile.meta BN : i32
  %log2e = arith.constant 1.44269504 : f32
  %i = tile.program_id x
  %head = tile.program_id y
  %sequence = tile.program_id z
  %start_ptr = tile.expr %starts + %sequence
  %start = tile.load %start_ptr
  %end_ptr = tile.expr %start_ptr + 1
  %end = tile.load %end_ptr
  %length = tile.expr %end - %start
  %slope_ptr = tile.expr %slopes + %head
  %slope = tile.load %slope_ptr
  %group = tile.expr %head div (%heads div %groups)

  %rows = tile.expr %i * BM + arange(BM)
  %q_ptrs = tile.expr %q + ((col(%rows) + %start) * %heads + %head) * D + row(arange(D))
  %q_mask = tile.expr col(%rows) < %length : tensor<?x?xi1, #tile.dims<[BM, D]>>
  %q_block = tile.load %q_ptrs, %q_mask
  %k_first = tile.expr %k + (%start * %groups + %group) * D
  %v_first = tile.expr %v + (%start * %groups + %group) * D

  %acc_0 = tile.expr 0.0 : !acc
  %sum_0 = tile.expr 0.0 : !stats
  %max_0 = tile.expr -1.0e30 : !stats
  %from = tile.expr max(%i * BM - %window + 1, 0) div BN * BN
  %to = tile.expr min((%i + 1) * BM, %length)
  %acc, %max, %sum = scf.for %j = %from to %to step %bn
      iter_args(%acc_j = %acc_0, %max_j = %max_0, %sum_j = %sum_0) -> (!acc, !stats, !stats) : i32 {
    %at = tile.expr %j + arange(BN)
    %offsets = tile.expr col(%at) * (%groups * D) + row(arange(D))
    %in = tile.expr col(%at) < %length : tensor<?x?xi1, #tile.dims<[BN, D]>>
    %k_ptrs = tile.expr %k_first + %offsets
    %k_block = tile.load %k_ptrs, %in
    %kt = tile.trans %k_block order [1, 0]
    %zeros = tile.expr 0.0 : !scores
    %products = tile.dot %q_block, %kt, %zeros
    %parts = tile.expr %products * (%scale / %cap)
    %capped = math.tanh %parts : !scores
    %far = tile.expr f32(row(%at) - col(%rows)) : !scores
    %all = tile.expr (%capped * %cap + %far * %slope) * %log2e
    %seen = tile.expr row(%at) < %length and row(%at) <= col(%rows) and col(%rows) - row(%at) < %window : !seen
    %scores = tile.expr select(%seen, %all, -1.0e30)
    %v_ptrs = tile.expr %v_first + %offsets
    %v_block = tile.load %v_ptrs, %in
    %acc_n, %max_n, %sum_n = tile.call @accumulate(%acc_j, %max_j, %sum_j, %scores, %v_block) -> (!acc, !stats, !stats)
    scf.yield %acc_n, %max_n, %sum_n : !acc, !stats, !stats
  }
  %half = tile.expr f16(%acc * col(1.0 / %sum))
  %out_ptrs = tile.expr %out + ((col(%rows) + %start) * %heads + %head) * D + row(arange(D))
  tile.store %out_ptrs, %half, %q_mask
  tile.return
}

//===- pages --------------------------------------------------------------===//

!g_q = tensor<?x?xf16, #tile.dims<[G, D]>>
!g_acc = tensor<?x?xf32, #tile.dims<[G, D]>>
!g_scores = tensor<?x?xf32, #tile.dims<[G, BN]>>
!g_stats = tensor<?xf32, #tile.dims<[G]>>

tile.func @attention_paged(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %out: !tile.ptr<f16>,
                %table: !tile.ptr<i32>, %lengths: !tile.ptr<i32>, %sequences: i32, %groups: i32, %each: i32,
                %most: i32, %scale: f32)
    meta {G = 16, BN = 16, D = 64, PAGE = 16} {
  tile.grid = %sequences, %groups
  tile.cost = %sequences * %groups * %each * D * %most * PAGE * 4, %sequences * %groups * D * %most * PAGE * 4
  %c0 = arith.constant 0 : i32
  %bn = tile.meta BN : i32
  %log2e = arith.constant 1.44269504 : f32
  %sequence = tile.program_id x
  %group = tile.program_id y
  %length_ptr = tile.expr %lengths + %sequence
  %length = tile.load %length_ptr
  %first = tile.expr (%sequence * %groups + %group) * %each * D
  %row_offsets = tile.expr col(arange(G)) * D + row(arange(D))
  %q_ptrs = tile.expr %q + %first + %row_offsets
  %q_mask = tile.expr col(arange(G)) < %each : tensor<?x?xi1, #tile.dims<[G, D]>>
  %q_block = tile.load %q_ptrs, %q_mask
  %acc_0 = tile.expr 0.0 : !g_acc
  %sum_0 = tile.expr 0.0 : !g_stats
  %max_0 = tile.expr -1.0e30 : !g_stats
  %acc, %max, %sum = scf.for %j = %c0 to %length step %bn
      iter_args(%acc_j = %acc_0, %max_j = %max_0, %sum_j = %sum_0) -> (!g_acc, !g_stats, !g_stats) : i32 {
    %at = tile.expr %j + arange(BN)
    %in_row = tile.expr %at < %length
    %page_ptrs = tile.expr %table + %sequence * %most + %at div PAGE
    %page = tile.load %page_ptrs, %in_row
    %place = tile.expr ((i64(%page) * PAGE + i64(%at rem PAGE)) * i64(%groups) + i64(%group)) * D
    %offsets = tile.expr col(%place) + row(i64(arange(D)))
    %in = tile.expr col(%at) < %length : tensor<?x?xi1, #tile.dims<[BN, D]>>
    %k_ptrs = tile.expr %k + %offsets
    %k_block = tile.load %k_ptrs, %in
    %kt = tile.trans %k_block order [1, 0]
    %zeros = tile.expr 0.0 : !g_scores
    %products = tile.dot %q_block, %kt, %zeros
    %scores = tile.expr select(row(%at) < %length, %products * (%scale * %log2e), -1.0e30) : !g_scores
    %v_ptrs = tile.expr %v + %offsets
    %v_block = tile.load %v_ptrs, %in
    %acc_n, %max_n, %sum_n = tile.call @accumulate(%acc_j, %max_j, %sum_j, %scores, %v_block)
        -> (!g_acc, !g_stats, !g_stats)
    scf.yield %acc_n, %max_n, %sum_n : !g_acc, !g_stats, !g_stats
  }
  %half = tile.expr f16(%acc * col(1.0 / %sum))
  %out_ptrs = tile.expr %out + %first + %row_offsets
  tile.store %out_ptrs, %half, %q_mask
  tile.return
}

//===- the host program ---------------------------------------------------===//

!half = memref<?x?x?xf16>
!double = memref<?x?x?xf64>

// want[to, head, :] for one query q[to, head, :], which sees keys from `first` to `last`, both included, of `group`. Key j is at
// [row(j), group, :], where row(j) = rows[j].
func.func private @reference(%q: !half, %k: !half, %v: !half, %want: !double, %rows: memref<?xi32>, %to: index,
                     %head: index, %group: index, %first: index, %last: index, %slope: f64, %cap: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %d = memref.dim %q, %c2 : !half
  %d_i64 = arith.index_cast %d : index to i64
  %d_f64 = arith.sitofp %d_i64 : i64 to f64
  %root = math.sqrt %d_f64 : f64
  %end = arith.addi %last, %c1 : index
  %sum = scf.for %j = %first to %end step %c1 iter_args(%s = %zero) -> f64 {
    %row_i32 = memref.load %rows[%j] : memref<?xi32>
    %row = arith.index_cast %row_i32 : i32 to index
    %dot = scf.for %e = %c0 to %d step %c1 iter_args(%t = %zero) -> f64 {
      %x = memref.load %q[%to, %head, %e] : !half
      %y = memref.load %k[%row, %group, %e] : !half
      %x64 = arith.extf %x : f16 to f64
      %y64 = arith.extf %y : f16 to f64
      %xy = arith.mulf %x64, %y64 : f64
      %u = arith.addf %t, %xy : f64
      scf.yield %u : f64
    }
    %divisor = arith.mulf %root, %cap : f64
    %part = arith.divf %dot, %divisor : f64
    %tanh = math.tanh %part : f64
    %capped = arith.mulf %tanh, %cap : f64
    %far = arith.subi %j, %last : index
    %far_i64 = arith.index_cast %far : index to i64
    %far_f64 = arith.sitofp %far_i64 : i64 to f64
    %down = arith.mulf %far_f64, %slope : f64
    %score = arith.addf %capped, %down : f64
    %weight = math.exp %score : f64
    scf.for %e = %c0 to %d step %c1 {
      %y = memref.load %v[%row, %group, %e] : !half
      %y64 = arith.extf %y : f16 to f64
      %weighted = arith.mulf %weight, %y64 : f64
      %before = memref.load %want[%to, %head, %e] : !double
      %after = arith.addf %before, %weighted : f64
      memref.store %after, %want[%to, %head, %e] : !double
    }
    %next = arith.addf %s, %weight : f64
    scf.yield %next : f64
  }
  scf.for %e = %c0 to %d step %c1 {
    %total = memref.load %want[%to, %head, %e] : !double
    %mean = arith.divf %total, %sum : f64
    memref.store %mean, %want[%to, %head, %e] : !double
  }
  return
}

// Sequences of LENGTH, 1, and LENGTH / 2 + 1 tokens; 8 heads, and 2 of keys; a window of 24.
func.func private @packed(%length: i32, %d: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %heads = arith.constant 8 : i32
  %window = arith.constant 24 : i32
  %shorter = arith.divui %length, %two : i32
  %third = arith.addi %shorter, %one : i32
  %second_end = arith.addi %length, %one : i32
  %tokens = arith.addi %second_end, %third : i32
  %starts = tile_host.alloc(%four) : (i32) -> memref<?xi32>
  memref.store %c0_i32, %starts[%c0] : memref<?xi32>
  memref.store %length, %starts[%c1] : memref<?xi32>
  memref.store %second_end, %starts[%c2] : memref<?xi32>
  memref.store %tokens, %starts[%c3] : memref<?xi32>
  %q = tile_host.random(%tokens, %heads, %d) seed 1 : (i32, i32, i32) -> !half
  %k = tile_host.random(%tokens, %two, %d) seed 2 : (i32, i32, i32) -> !half
  %v = tile_host.random(%tokens, %two, %d) seed 3 : (i32, i32, i32) -> !half
  %out = tile_host.alloc(%tokens, %heads, %d) : (i32, i32, i32) -> !half
  %want = tile_host.alloc(%tokens, %heads, %d) : (i32, i32, i32) -> !double
  %slopes = tile_host.random(%heads) seed 4 : (i32) -> memref<?xf32>
  %d_f32 = arith.sitofp %d : i32 to f32
  %root = math.sqrt %d_f32 : f32
  %unit = arith.constant 1.0 : f32
  %scale = arith.divf %unit, %root : f32
  %cap = arith.constant 2.0 : f32
  %cap_f64 = arith.constant 2.0 : f64
  tile_host.launch @attention_packed(%q, %k, %v, %out, %starts, %slopes, %three, %length, %heads, %two, %window, %scale, %cap)
      : !half, !half, !half, !half, memref<?xi32>, memref<?xf32>, i32, i32, i32, i32, i32, f32, f32
  %rows = tile_host.alloc(%tokens) : (i32) -> memref<?xi32>
  %count = arith.index_cast %tokens : i32 to index
  scf.for %i = %c0 to %count step %c1 {
    %row = arith.index_cast %i : index to i32
    memref.store %row, %rows[%i] : memref<?xi32>
  }
  scf.for %s = %c0 to %c3 step %c1 {
    %next = arith.addi %s, %c1 : index
    %first_i32 = memref.load %starts[%s] : memref<?xi32>
    %end_i32 = memref.load %starts[%next] : memref<?xi32>
    %first = arith.index_cast %first_i32 : i32 to index
    %end = arith.index_cast %end_i32 : i32 to index
    scf.for %i = %first to %end step %c1 {
      %c23 = arith.constant 23 : index
      %back = arith.subi %i, %c23 : index
      %from = arith.maxsi %back, %first : index
      scf.for %h = %c0 to %c8 step %c1 {
        %group = arith.divui %h, %c4 : index
        %slope = memref.load %slopes[%h] : memref<?xf32>
        %slope_f64 = arith.extf %slope : f32 to f64
        func.call @reference(%q, %k, %v, %want, %rows, %i, %h, %group, %from, %i, %slope_f64, %cap_f64)
            : (!half, !half, !half, !double, memref<?xi32>, index, index, index, index, index, f64, f64) -> ()
      }
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 2.0e-3} : !half, !double
  return
}

// Three sequences of LENGTH, 1 and LENGTH / 2 + 1 tokens, whose pages lie in turn, backwards.
func.func private @paged(%length: i32, %d: i32, %page: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %heads = arith.constant 8 : i32
  %lengths = tile_host.alloc(%three) : (i32) -> memref<?xi32>
  %shorter = arith.divui %length, %two : i32
  %third = arith.addi %shorter, %one : i32
  memref.store %length, %lengths[%c0] : memref<?xi32>
  memref.store %one, %lengths[%c1] : memref<?xi32>
  memref.store %third, %lengths[%c2] : memref<?xi32>
  %longest = arith.maxsi %length, %third : i32
  %most = arith.ceildivui %longest, %page : i32
  %pages = arith.muli %three, %most : i32
  %tokens = arith.muli %pages, %page : i32
  %table = tile_host.alloc(%three, %most) : (i32, i32) -> memref<?x?xi32>
  %q = tile_host.random(%three, %heads, %d) seed 1 : (i32, i32, i32) -> !half
  %k = tile_host.random(%tokens, %two, %d) seed 2 : (i32, i32, i32) -> !half
  %v = tile_host.random(%tokens, %two, %d) seed 3 : (i32, i32, i32) -> !half
  %out = tile_host.alloc(%three, %heads, %d) : (i32, i32, i32) -> !half
  %want = tile_host.alloc(%three, %heads, %d) : (i32, i32, i32) -> !double
  %most_at = arith.index_cast %most : i32 to index
  %pages_at = arith.index_cast %pages : i32 to index
  scf.for %s = %c0 to %c3 step %c1 {
    scf.for %p = %c0 to %most_at step %c1 {
      %turn = arith.muli %p, %c3 : index
      %number = arith.addi %turn, %s : index
      %behind = arith.subi %pages_at, %number : index
      %place = arith.subi %behind, %c1 : index
      %place_i32 = arith.index_cast %place : index to i32
      memref.store %place_i32, %table[%s, %p] : memref<?x?xi32>
    }
  }
  %d_f32 = arith.sitofp %d : i32 to f32
  %root = math.sqrt %d_f32 : f32
  %unit = arith.constant 1.0 : f32
  %scale = arith.divf %unit, %root : f32
  tile_host.launch @attention_paged(%q, %k, %v, %out, %table, %lengths, %three, %two, %four, %most, %scale)
      : !half, !half, !half, !half, memref<?x?xi32>, memref<?xi32>, i32, i32, i32, i32, f32
  %rows = tile_host.alloc(%longest) : (i32) -> memref<?xi32>
  %zero_f64 = arith.constant 0.0 : f64
  %far = arith.constant 1.0e9 : f64 // caps nothing
  scf.for %s = %c0 to %c3 step %c1 {
    %length_i32 = memref.load %lengths[%s] : memref<?xi32>
    %end = arith.index_cast %length_i32 : i32 to index
    scf.for %j = %c0 to %end step %c1 {
      %j_i32 = arith.index_cast %j : index to i32
      %at_i32 = arith.divui %j_i32, %page : i32
      %rest = arith.remui %j_i32, %page : i32
      %at = arith.index_cast %at_i32 : i32 to index
      %number = memref.load %table[%s, %at] : memref<?x?xi32>
      %first = arith.muli %number, %page : i32
      %row = arith.addi %first, %rest : i32
      memref.store %row, %rows[%j] : memref<?xi32>
    }
    %last = arith.subi %end, %c1 : index
    scf.for %h = %c0 to %c8 step %c1 {
      %group = arith.divui %h, %c4 : index
      func.call @reference(%q, %k, %v, %want, %rows, %s, %h, %group, %c0, %last, %zero_f64, %far)
          : (!half, !half, !half, !double, memref<?xi32>, index, index, index, index, index, f64, f64) -> ()
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 2.0e-3} : !half, !double
  return
}

func.func @main(%length: i32 {tile_host.default = 100 : i32}, %d: i32 {tile_host.default = 64 : i32},
                %page: i32 {tile_host.default = 16 : i32}) {
  func.call @packed(%length, %d) : (i32, i32) -> ()
  func.call @paged(%length, %d, %page) : (i32, i32, i32) -> ()
  return
}

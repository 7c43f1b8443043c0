"""Forms of products in Triton: other orders of programs, loops and addresses, and what stands beside and behind them."""
import torch
import torch.nn.functional as F
import triton
import triton.language as tl

import triton_kernels


@triton.jit
def masked(a, b, c, m, n, k, sam, sak, sbk, sbn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Rows, columns and K with masks; strides of both dimensions."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    ks = tl.arange(0, BK)
    pa = a + rows[:, None] * sam + ks[None, :] * sak
    pb = b + ks[:, None] * sbk + cols[None, :] * sbn
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        x = tl.load(pa, mask=(rows[:, None] < m) & (ks[None, :] < k - step * BK), other=0.0)
        y = tl.load(pb, mask=(ks[:, None] < k - step * BK) & (cols[None, :] < n), other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK * sak
        pb += BK * sbk
    triton_kernels.store_tile(c, acc, i, j, m, n, BM, BN)


@triton.jit
def added(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    """Parts of K, added to the result atomically."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    ks = tl.program_id(1) * BK + tl.arange(0, BK)
    pa = a + (rows % m)[:, None] * k + ks[None, :]
    pb = b + ks[:, None] * n + (cols % n)[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(k, BK * PARTS)):
        left = k - step * (BK * PARTS)
        acc += tl.dot(tl.load(pa, mask=ks[None, :] < left, other=0.0), tl.load(pb, mask=ks[:, None] < left, other=0.0))
        pa += BK * PARTS
        pb += BK * PARTS * n
    tl.atomic_add(c + rows[:, None] * n + cols[None, :], acc, mask=(rows < m)[:, None] & (cols < n)[None, :])


@triton.jit
def gated(a, gate, up, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    g = tl.zeros((BM, BN), tl.float32)
    u = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        ks = start + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * k + ks[None, :], mask=rows[:, None] < m, other=0.0)
        at = ks[:, None] * n + cols[None, :]
        g = tl.dot(x, tl.load(gate + at), g)
        u = tl.dot(x, tl.load(up + at), u)
    triton_kernels.store_tile(c, g * tl.sigmoid(g) * u, i, j, m, n, BM, BN)


@triton.jit
def epilogue(a, b, bias, other, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """B as [N, K]; GELU, and a residual behind it."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        ks = start + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * k + ks[None, :], mask=(rows < m)[:, None], other=0.0)
        y = tl.load(b + cols[:, None] * k + ks[None, :], mask=(cols < n)[:, None], other=0.0)
        acc = tl.dot(x, y.T, acc)
    acc += tl.load(bias + cols, mask=cols < n, other=0.0)[None, :].to(tl.float32)
    acc = .5 * acc * (1 + tl.erf(acc * .7071067811865476))
    inside = (rows < m)[:, None] & (cols < n)[None, :]
    acc += tl.load(other + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
    triton_kernels.store_tile(c, acc, i, j, m, n, BM, BN)


@triton.jit
def persistent(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tiles one after the other; rows behind the last are selected away."""
    for tile in range(tl.program_id(0), tl.cdiv(m, BM) * tl.cdiv(n, BN), tl.num_programs(0)):
        i, j = triton_kernels.tile_position(tile, m, n, BM, BN, 8)
        rows = i * BM + tl.arange(0, BM)
        cols = j * BN + tl.arange(0, BN)
        rows = tl.max_contiguous(tl.multiple_of(tl.where(rows < m, rows, 0), BM), BM)
        cols = tl.max_contiguous(tl.multiple_of(tl.where(cols < n, cols, 0), BN), BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for step in range(tl.cdiv(k, BK)):
            ks = step * BK + tl.arange(0, BK)
            x = tl.load(a + rows[:, None] * k + ks[None, :], mask=ks[None, :] < k, other=0.0)
            y = tl.load(b + ks[:, None] * n + cols[None, :], mask=ks[:, None] < k, other=0.0)
            acc = tl.dot(x, y, acc)
        triton_kernels.store_tile(c, acc, i, j, m, n, BM, BN)


@triton.jit
def constant(a, b, bias, c, m, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Sizes that are constants, columns that wrap around one, and a bias and relu: as torch.compile writes them."""
    tiles = (N + BN - 1) // BN
    pid = tl.program_id(0)
    group = pid // (8 * tiles)
    height = min((m + BM - 1) // BM - group * 8, 8)
    i = group * 8 + pid % height
    j = pid % (8 * tiles) // height
    tl.assume(i >= 0)
    tl.assume(j >= 0)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    wrapped = tl.max_contiguous(tl.multiple_of(cols % N, BN), BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        ks = step * BK + tl.arange(0, BK)
        acc += tl.dot(tl.load(a + (rows % m)[:, None] * K + ks[None, :]), tl.load(b + ks[:, None] * N + wrapped[None, :]))
    inside = (rows[:, None] < m) & (cols[None, :] < N)
    acc += tl.load(bias + tl.broadcast_to(cols[None, :], acc.shape), inside).to(tl.float32)
    tl.store(c + rows[:, None] * N + cols[None, :], tl.maximum(acc, 0.0).to(c.dtype.element_ty), inside)


@triton.jit
def low_rank(a, b, down, up, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, R: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    rank = tl.arange(0, R)
    acc = tl.zeros((BM, BN), tl.float32)
    low = tl.zeros((BM, R), tl.float32)
    for start in range(0, k, BK):
        ks = start + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * k + ks[None, :], mask=rows[:, None] < m, other=0.0)
        acc = tl.dot(x, tl.load(b + ks[:, None] * n + cols[None, :], mask=cols[None, :] < n, other=0.0), acc)
        low = tl.dot(x, tl.load(down + ks[:, None] * R + rank[None, :]), low)
    y = tl.load(up + rank[:, None] * n + cols[None, :], mask=cols[None, :] < n, other=0.0)
    acc += tl.dot(low.to(y.dtype), y)
    triton_kernels.store_tile(c, acc, tl.program_id(0), tl.program_id(1), m, n, BM, BN)


@triton.jit
def normed(a, b, c, m, n, k, eps, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Sums of squares of A's rows beside the product, for an RMS norm."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    squares = tl.zeros((BM, ), tl.float32)
    for start in range(0, k, BK):
        ks = start + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * k + ks[None, :], mask=rows[:, None] < m, other=0.0)
        y = tl.load(b + ks[:, None] * n + cols[None, :], mask=cols[None, :] < n, other=0.0)
        wide = x.to(tl.float32)
        squares += tl.sum(wide * wide, 1)
        acc = tl.dot(x, y, acc)
    acc = acc * tl.rsqrt(squares / k + eps)[:, None]
    triton_kernels.store_tile(c, acc, tl.program_id(0), tl.program_id(1), m, n, BM, BN)


def by(kernel, bm, bn, bk, warps, *more, grid=None, out=None):
    """A function of A, B and others: B's columns are the result's."""

    def run(a, b, *others):
        m, k, n = *a.shape, b.shape[1]
        c = a.new_zeros(m, n, dtype=out or a.dtype)
        tiles = triton.cdiv(m, bm), triton.cdiv(n, bn)
        blocks = grid(*tiles) if grid else (tiles[0] * tiles[1], )
        kernel[blocks](a, b, *others, c, m, n, k, *more, bm, bn, bk, num_warps=warps)
        return c

    return run


def strided(bm, bn, bk, warps, flip_a, flip_b):
    def run(a, b):
        a, b = a.t() if flip_a else a, b.t() if flip_b else b
        m, k, n = *a.shape, b.shape[1]
        c = a.new_empty(m, n)
        masked[triton.cdiv(m, bm) * triton.cdiv(n, bn), ](a, b, c, m, n, k, *a.stride(), *b.stride(), bm, bn, bk, num_warps=warps)
        return c

    return run


def with_gelu(bm, bn, bk, warps):
    def run(a, b, bias, other):
        (m, k), n = a.shape, len(b)
        c = a.new_empty(m, n)
        epilogue[triton.cdiv(m, bm) * triton.cdiv(n, bn), ](a, b, bias, other, c, m, n, k, bm, bn, bk, num_warps=warps)
        return c

    return run


def with_constants(bm, bn, bk, warps):
    def run(a, b, bias):
        (m, k), n = a.shape, b.shape[1]
        c = a.new_empty(m, n)
        constant[triton.cdiv(m, bm) * triton.cdiv(n, bn), ](a, b, bias, c, m, n, k, bm, bn, bk, num_warps=warps)
        return c

    return run


def in_parts(bm, bn, bk, warps, parts):
    def run(a, b):
        m, k, n = *a.shape, b.shape[1]
        c = a.new_zeros(m, n, dtype=torch.float32)
        added[triton.cdiv(m, bm) * triton.cdiv(n, bn), parts](a, b, c, m, n, k, bm, bn, bk, parts, num_warps=warps)
        return c

    return run


def with_low_rank(bm, bn, bk, warps):
    def run(a, b, down, up):
        (m, k), n = a.shape, b.shape[1]
        c = a.new_empty(m, n)
        low_rank[triton.cdiv(m, bm), triton.cdiv(n, bn)](a, b, down, up, c, m, n, k, bm, bn, bk, down.shape[1], num_warps=warps)
        return c

    return run


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    f16, bf16 = torch.float16, torch.bfloat16
    n = lambda whole: max(128, whole // 16) if small else whole
    pair = lambda m, w, k, dtype, a=0, b=0: lambda: [make(*((n(k), n(m)) if a else (n(m), n(k))), dtype=dtype),
                                                     make(*((n(w), n(k)) if b else (n(k), n(w))), dtype=dtype)]
    thin = lambda k, *shape: (make(*shape) / n(k)**.5).bfloat16()
    found = []
    for bm, bn, bk, warps, a, b, dtype, size in [(128, 128, 64, 4, 0, 0, f16, 4096), (128, 128, 64, 8, 0, 0, f16, 4096),
                                                 (128, 64, 32, 4, 0, 1, bf16, 4096), (64, 256, 64, 8, 0, 1, f16, 4096),
                                                 (128, 128, 64, 8, 1, 0, bf16, 4096), (128, 32, 32, 4, 0, 0, f16, 4096),
                                                 (32, 64, 64, 4, 0, 0, f16, 2048), (128, 128, 32, 4, 0, 1, torch.float32, 2048)]:
        lies = ", A as [K, M]" * a + ", B as [N, K]" * b
        found.append((f"masks, {size} cubed, {str(dtype)[6:]}{lies}, {bm} x {bn} x {bk}", strided(bm, bn, bk, warps, a, b),
                      lambda x, y, a=a, b=b: (x.t() if a else x) @ (y.t() if b else y), pair(size, size, size, dtype, a, b)))
    for m, w, k, bm, bn, parts in [(512, 512, 16384, 64, 64, 8), (64, 4096, 8192, 64, 128, 4)]:
        found.append((f"{parts} parts of K, {m} x {w} x {k}, {bm} x {bn} x 64", in_parts(bm, bn, 64, 4, parts), lambda a, b: a @ b,
                      pair(m, w, k, f16)))
    for m, w, bm, bn, warps in [(4096, 4096, 128, 128, 8), (4096, 4096, 64, 64, 4), (512, 11008, 128, 64, 4)]:
        found.append((f"SwiGLU, {m} x {w} x 4096, {bm} x {bn} x 64", by(gated, bm, bn, 64, warps),
                      lambda x, g, u: F.silu(x @ g) * (x @ u),
                      lambda m=m, w=w: [make(n(m), n(4096), dtype=bf16)] + [thin(4096, n(4096), n(w)) for _ in range(2)]))
    for bm, bn, bk, warps in [(128, 128, 64, 8), (128, 128, 32, 4), (64, 128, 64, 4)]:
        found.append((f"GELU and a residual, 4096 cubed, {bm} x {bn} x {bk}", with_gelu(bm, bn, bk, warps),
                      lambda a, b, bias, other: F.gelu(a @ b.t() + bias) + other,
                      lambda: [make(n(4096), n(4096), dtype=bf16), thin(4096, n(4096), n(4096)), make(n(4096), dtype=bf16),
                               make(n(4096), n(4096), dtype=bf16)]))
    for bn in (128, 256):
        found.append((f"persistent, 4096 cubed, 128 x {bn} x 64", by(persistent, 128, bn, 64, 8, grid=lambda x, y: (min(x * y, 132), )),
                      lambda a, b: a @ b, pair(4096, 4096, 4096, f16)))
    for m, bm, bn, bk, warps in [(4096, 128, 128, 64, 8), (4096, 128, 128, 32, 4), (1000, 64, 64, 64, 4)]:
        found.append((f"constant sizes, bias and relu, {m} x 4096 x 4096, {bm} x {bn} x {bk}", with_constants(bm, bn, bk, warps),
                      lambda a, b, bias: F.relu(a @ b + bias),
                      lambda m=m: [make(n(m), n(4096), dtype=bf16), make(n(4096), n(4096), dtype=bf16), make(n(4096), dtype=bf16)]))
    for m, rank, bm, bk, warps in [(4096, 16, 128, 64, 8), (2048, 64, 64, 32, 4)]:
        found.append((f"a low rank beside, {m} x 4096 x 4096 x {rank}, {bm} x 128 x {bk}", with_low_rank(bm, 128, bk, warps),
                      lambda a, b, down, up: a @ b + a @ down @ up,
                      lambda m=m, r=rank: [make(n(m), n(4096), dtype=bf16), make(n(4096), n(4096), dtype=bf16),
                                           thin(4096, n(4096), r), make(r, n(4096), dtype=bf16)]))
    for m, k, bm, warps in [(4096, 4096, 128, 8), (2048, 2048, 64, 4)]:
        found.append((f"RMS norm on the way, {m} x 4096 x {k}, {bm} x 128 x 64", by(normed, bm, 128, 64, warps, 1e-6, grid=lambda x, y: (x, y)),
                      lambda a, b: a @ b * torch.rsqrt((a * a).mean(1, keepdim=True) + 1e-6), pair(m, 4096, k, bf16)))
    return found

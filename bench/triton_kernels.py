"""Kernels in Triton, as its tutorials would have them, for bench/compare.py to compare with."""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def tile_position(pid, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    group = pid // (GROUP * tiles_n)
    rows = min(tiles_m - group * GROUP, GROUP)
    inside = pid % (GROUP * tiles_n)
    return group * GROUP + inside % rows, inside // rows


@triton.jit
def store_tile(c, acc, i, j, m, n, BM: tl.constexpr, BN: tl.constexpr):
    """Tile (i, j) of c, whose rows are n long, as far as it lies within."""
    rows = i * BM + tl.arange(0, BM)[:, None]
    cols = j * BN + tl.arange(0, BN)[None, :]
    tl.store(c + rows * n + cols, acc.to(c.dtype.element_ty), mask=(rows < m) & (cols < n))


@triton.jit
def matmul_pointers(a, b, c, m, n, k, sam, sbk, sbn, scm, BM: tl.constexpr, BN: tl.constexpr,
                    BK: tl.constexpr, GROUP: tl.constexpr):
    i, j = tile_position(tl.program_id(0), m, n, BM, BN, GROUP)
    rows = (i * BM + tl.arange(0, BM)) % m
    cols = (j * BN + tl.arange(0, BN)) % n
    ks = tl.arange(0, BK)
    pa = a + rows[:, None] * sam + ks[None, :]
    pb = b + ks[:, None] * sbk + cols[None, :] * sbn
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = tl.load(pa, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(pb, mask=ks[:, None] < k - start, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * sbk
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * scm + cols[None, :], acc.to(c.dtype.element_ty), mask=inside)


@triton.jit
def matmul_descriptors(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                       GROUP: tl.constexpr, TRANSPOSED: tl.constexpr, TYPE: tl.constexpr):
    i, j = tile_position(tl.program_id(0), m, n, BM, BN, GROUP)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = a.load([i * BM, start])
        if TRANSPOSED:
            y = b.load([j * BN, start]).T
        else:
            y = b.load([start, j * BN])
        acc = tl.dot(x, y, acc)
    c.store([i * BM, j * BN], acc.to(TYPE))


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(out, x, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row + at, mask=inside, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row + at, e / tl.sum(e, 0), mask=inside)


@triton.jit
def grey(x, out, h, w, BH: tl.constexpr, BW: tl.constexpr):
    rows = tl.program_id(0) * BH + tl.arange(0, BH)
    cols = tl.program_id(1) * BW + tl.arange(0, BW)
    at = rows[:, None] * w + cols[None, :]
    inside = (rows[:, None] < h) & (cols[None, :] < w)
    r = tl.load(x + at, mask=inside).to(tl.float32)
    g = tl.load(x + h * w + at, mask=inside).to(tl.float32)
    b = tl.load(x + 2 * h * w + at, mask=inside).to(tl.float32)
    tl.store(out + at, (0.2989 * r + 0.5870 * g + 0.1140 * b).to(tl.uint8), mask=inside)


@triton.jit
def transpose(x, out, m, n, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    cols = tl.program_id(1) * B + tl.arange(0, B)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside)
    tl.store(out + cols[:, None] * m + rows[None, :], v.T, mask=inside.T)


def matmuls(a, b, c, transposed):
    """name -> function, by pointers and by descriptors."""
    m, k = a.shape
    n = c.shape[1]
    small = m * n < 2048 * 2048
    bm, bn, bk, group, warps = (64, 64, 64, 8, 4) if small else (128, 256, 64, 8, 8)
    stages = 4 if small else 3
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    sbk, sbn = (1, k) if transposed else (n, 1)

    def pointers():
        matmul_pointers[grid](a, b, c, m, n, k, k, sbk, sbn, n, BM=bm, BN=bn, BK=bk, GROUP=group,
                              num_warps=warps, num_stages=stages)
    result = {"Triton": pointers}
    if k % 8 == 0 and n % 8 == 0:
        da = TensorDescriptor.from_tensor(a, [bm, bk])
        db = TensorDescriptor.from_tensor(b, [bn, bk] if transposed else [bk, bn])
        dc = TensorDescriptor.from_tensor(c, [bm, bn])
        kind = tl.float16 if c.dtype == torch.float16 else tl.bfloat16

        def descriptors():
            matmul_descriptors[grid](da, db, dc, m, n, k, BM=bm, BN=bn, BK=bk, GROUP=group,
                                     TRANSPOSED=transposed, TYPE=kind, num_warps=warps,
                                     num_stages=stages)
        result["Triton descriptors"] = descriptors
    return result


@triton.jit
def typed_pointers(a, b, c, m, n, k, sbk, sbn, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr, GROUP: tl.constexpr, SUM: tl.constexpr,
                   PRECISION: tl.constexpr):
    i, j = tile_position(tl.program_id(0), m, n, BM, BN, GROUP)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    ks = tl.arange(0, BK)
    pa = a + (rows % m)[:, None] * k + ks[None, :]
    pb = b + ks[:, None] * sbk + (cols % n)[None, :] * sbn
    acc = tl.zeros((BM, BN), SUM)
    for start in range(0, k, BK):
        x = tl.load(pa, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(pb, mask=ks[:, None] < k - start, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=SUM)
        pa += BK
        pb += BK * sbk
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(c.dtype.element_ty), mask=inside)


def typed(a, b, c, transposed, kind):
    """Several configurations of one kernel; a row takes the fastest under the name Triton."""
    m, k = a.shape
    n = c.shape[1]
    sbk, sbn = (1, k) if transposed else (n, 1)
    total = {"s8": tl.int32, "f64": tl.float64}.get(kind, tl.float32)
    precision = {"tf32": "tf32", "tf32x3": "tf32x3"}.get(kind, "ieee")
    depth = 128 // a.element_size()
    shapes = [(128, 256, 8, 3), (128, 128, 8, 3), (128, 128, 4, 4), (64, 64, 4, 4), (64, 128, 4, 4),
              (16, 64, 4, 5)]
    if kind == "f64":
        shapes = [(64, 64, 4, 3), (64, 128, 8, 3), (32, 32, 4, 4)]
    result = {}
    for bm, bn, warps, stages in shapes:
        grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)

        def run(bm=bm, bn=bn, warps=warps, stages=stages, grid=grid):
            typed_pointers[grid](a, b, c, m, n, k, sbk, sbn, BM=bm, BN=bn, BK=depth, GROUP=8,
                                 SUM=total, PRECISION=precision, num_warps=warps,
                                 num_stages=stages)
        result[f"Triton {bm}x{bn},{warps}"] = run
    return result

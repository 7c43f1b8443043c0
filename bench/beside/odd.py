"""Kernels without products at widths between powers of two: rows, columns, scans, counts, pairs, broadcasts."""
import torch
import triton
import triton.language as tl

from streams import row_cumsum, row_softmax


@triton.jit
def softmax_grad_row(y, dy, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(y + base + at, mask=at < n, other=0.0).to(tl.float32)
    g = tl.load(dy + base + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(out + base + at, (v * (g - tl.sum(v * g, 0))).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def log_softmax_steps(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    high = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n, other=-float("inf")).to(tl.float32)
        higher = tl.maximum(high, tl.max(v, 0))
        total = total * tl.exp(high - higher) + tl.sum(tl.exp(v - higher), 0)
        high = higher
    shift = high + tl.log(total)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n).to(tl.float32)
        tl.store(out + base + at, (v - shift).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def layer_norm_row(x, w, b, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + base + at, mask=inside, other=0.0).to(tl.float32)
    centered = tl.where(inside, v - tl.sum(v, 0) / n, 0.0)
    scale = tl.rsqrt(tl.sum(centered * centered, 0) / n + 1e-5)
    v = centered * scale * tl.load(w + at, mask=inside).to(tl.float32) + tl.load(b + at, mask=inside).to(tl.float32)
    tl.store(out + base + at, v.to(out.dtype.element_ty), mask=inside)


@triton.jit
def layer_norm_steps(x, w, b, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    sums = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(x + base + at, mask=at < n, other=0.0).to(tl.float32)
    mean = tl.sum(sums, 0) / n
    squares = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n, other=0.0).to(tl.float32)
        centered = tl.where(at < n, v - mean, 0.0)
        squares += centered * centered
    scale = tl.rsqrt(tl.sum(squares, 0) / n + 1e-5)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < n
        v = (tl.load(x + base + at, mask=inside).to(tl.float32) - mean) * scale
        v = v * tl.load(w + at, mask=inside).to(tl.float32) + tl.load(b + at, mask=inside).to(tl.float32)
        tl.store(out + base + at, v.to(out.dtype.element_ty), mask=inside)


@triton.jit
def rms_norm_row(x, w, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, 0) / n + 1e-5)
    tl.store(out + base + at, (v * scale * tl.load(w + at, mask=at < n).to(tl.float32)).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def quantize_row(x, out, scales, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=0.0).to(tl.float32)
    # The least power of two that is not below the row's largest, over 128: dividing by it rounds nothing.
    high = tl.maximum(tl.max(tl.abs(v), 0), 1e-8)
    scale = ((high.to(tl.int32, bitcast=True) + 0x7fffff) >> 23 << 23).to(tl.float32, bitcast=True) / 128
    v = tl.minimum(v / scale, 127.0)
    v = tl.where(v >= 0, tl.floor(v + 0.5), tl.ceil(v - 0.5))
    tl.store(out + row * n + at, v.to(tl.int8), mask=at < n)
    tl.store(scales + row, scale)


@triton.jit
def cross_entropy_row(x, labels, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf")).to(tl.float32)
    high = tl.max(v, 0)
    chosen = tl.load(x + row * n + tl.load(labels + row)).to(tl.float32)
    tl.store(out + row, tl.log(tl.sum(tl.exp(v - high), 0)) + high - chosen)


@triton.jit
def transpose(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(out + cols[None, :] * m + rows[:, None], tl.load(x + rows[:, None] * n + cols[None, :], mask=inside), mask=inside)


@triton.jit
def grey(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    r = tl.load(x + 3 * at, mask=inside).to(tl.float32)
    g = tl.load(x + 3 * at + 1, mask=inside).to(tl.float32)
    b = tl.load(x + 3 * at + 2, mask=inside).to(tl.float32)
    tl.store(out + at, 0.299 * r + 0.587 * g + 0.114 * b, mask=inside)


@triton.jit
def planes(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    for c in tl.static_range(3):
        tl.store(out + c * n + at, tl.load(x + 3 * at + c, mask=inside), mask=inside)


@triton.jit
def complex_product(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    a, b = tl.load(x + 2 * at, mask=inside), tl.load(x + 2 * at + 1, mask=inside)
    c, d = tl.load(y + 2 * at, mask=inside), tl.load(y + 2 * at + 1, mask=inside)
    tl.store(out + 2 * at, a * c - b * d, mask=inside)
    tl.store(out + 2 * at + 1, a * d + b * c, mask=inside)


@triton.jit
def rotate_pairs(x, cos, sin, out, HALF: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    pair = tl.arange(0, HALF)
    c, s = tl.load(cos + row // 32 * HALF + pair), tl.load(sin + row // 32 * HALF + pair)
    a = tl.load(x + row * 2 * HALF + 2 * pair).to(tl.float32)
    b = tl.load(x + row * 2 * HALF + 2 * pair + 1).to(tl.float32)
    tl.store(out + row * 2 * HALF + 2 * pair, (a * c - b * s).to(out.dtype.element_ty))
    tl.store(out + row * 2 * HALF + 2 * pair + 1, (a * s + b * c).to(out.dtype.element_ty))


@triton.jit
def gated_pairs(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gate = tl.load(x + 2 * at, mask=at < n).to(tl.float32)
    up = tl.load(x + 2 * at + 1, mask=at < n).to(tl.float32)
    tl.store(out + at, (gate / (1 + tl.exp(-gate)) * up).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def counts(x, out, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(out + tl.arange(0, BINS), tl.histogram(v, BINS, mask=at < n))


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def cummax_row(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=-float("inf"))
    tl.store(out + base + at, tl.associative_scan(v, 0, larger), mask=at < n)


@triton.jit
def cumsum_columns(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    carried = tl.zeros((BN, ), tl.float32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=0.0)
        tl.store(out + rows[:, None] * n + cols[None, :], tl.cumsum(v, 0) + carried[None, :], mask=inside)
        carried += tl.sum(v, 0)


@triton.jit
def decayed(a, x, b, y):
    return a * b, x * b + y


@triton.jit
def recurrence(a, x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    decay = tl.load(a + base + at, mask=at < n, other=1.0)
    v = tl.load(x + base + at, mask=at < n, other=0.0)
    _, v = tl.associative_scan((decay, v), 0, decayed)
    tl.store(out + base + at, v, mask=at < n)


@triton.jit
def argmax_rows(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.arange(0, BN)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=-float("inf"))
    tl.store(out + rows, tl.argmax(v, 1), mask=rows < m)


@triton.jit
def argmin_columns(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    best = tl.full((BN, ), float("inf"), tl.float32)
    place = tl.zeros((BN, ), tl.int32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=float("inf"))
        least, where = tl.min(v, 0, return_indices=True)
        place = tl.where(least < best, where + start, place)
        best = tl.minimum(least, best)
    tl.store(out + cols, place, mask=cols < n)


@triton.jit
def sum_rows(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.arange(0, BN)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    v = tl.load(x + rows[:, None].to(tl.int64) * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
    tl.store(out + rows, tl.sum(v, 1).to(out.dtype.element_ty), mask=rows < m)


@triton.jit
def deviation_columns(x, mean, variance, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    sums = tl.zeros((BM, BN), tl.float32)
    squares = tl.zeros((BM, BN), tl.float32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
        sums += v
        squares += v * v
    middle = tl.sum(sums, 0) / m
    tl.store(mean + cols, middle, mask=cols < n)
    tl.store(variance + cols, tl.sum(squares, 0) / m - middle * middle, mask=cols < n)


@triton.jit
def sum_leading(x, out, m, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), tl.float32)
    for i in range(m):
        total += tl.load(x + i * n + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(out + at, total.to(out.dtype.element_ty), mask=at < n)


@triton.jit
def partial_squares(x, out, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK, ), tl.float32)
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + at, mask=at < n, other=0.0).to(tl.float32)
        total += v * v
    tl.store(out + tl.program_id(0), tl.sum(total, 0))


@triton.jit
def scale_shift(x, w, b, s, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside).to(tl.float32)
    v = v * tl.load(w + cols, mask=cols < n).to(tl.float32)[None, :] + tl.load(b + cols, mask=cols < n).to(tl.float32)[None, :]
    v = tl.maximum(v, 0.0) * tl.load(s + rows, mask=rows < m).to(tl.float32)[:, None]
    tl.store(out + rows[:, None] * n + cols[None, :], v.to(out.dtype.element_ty), mask=inside)


@triton.jit
def outer(x, y, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + rows, mask=rows < m)[:, None] * tl.load(y + cols, mask=cols < n)[None, :]
    tl.store(out + rows[:, None] * n + cols[None, :], v, mask=(rows[:, None] < m) & (cols[None, :] < n))


@triton.jit
def channels(x, w, b, out, n, c, inner, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    channel = at // inner % c
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    v = v * tl.load(w + channel, mask=at < n).to(tl.float32) + tl.load(b + channel, mask=at < n).to(tl.float32)
    tl.store(out + at, v.to(out.dtype.element_ty), mask=at < n)


@triton.jit
def embed(table, tokens, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    token = tl.load(tokens + row)
    tl.store(out + row * n + at, tl.load(table + token * n + at, mask=at < n), mask=at < n)


@triton.jit
def pool(x, out, h, w, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < w // 2
    top = x + row * 2 * w + 2 * at
    v = tl.maximum(tl.load(top, mask=inside), tl.load(top + 1, mask=inside))
    v = tl.maximum(v, tl.maximum(tl.load(top + w, mask=inside), tl.load(top + w + 1, mask=inside)))
    tl.store(out + row * (w // 2) + at, v, mask=inside)


@triton.jit
def causal_taps(x, w, out, n, channels, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), tl.float32)
    for k in tl.static_range(4):
        from_ = at + k - 3
        total += tl.load(x + row * n + from_, mask=(from_ >= 0) & (from_ < n), other=0.0).to(tl.float32) * \
            tl.load(w + row % channels * 4 + k).to(tl.float32)
    tl.store(out + row * n + at, (total / (1 + tl.exp(-total))).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def top_of_row(x, out, n, K: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0).to(tl.int64) * n + at, mask=at < n, other=-float("inf"))
    tl.store(out + tl.program_id(0) * K + tl.arange(0, K), tl.topk(v, K))


@triton.jit
def sort_row(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=float("inf"))
    tl.store(out + base + at, tl.sort(v), mask=at < n)


# --- launches ---------------------------------------------------------------------


def by_rows(kernel, warps, result=None, block=None):
    """One program a row; `result` gives the output's shape and type."""

    def run(x, *others):
        m, n = x.shape
        shape, dtype = result(m, n) if result else (x.shape, x.dtype)
        out = torch.empty(shape, dtype=dtype, device=x.device)
        kernel[m, ](x, *others, out, n, BLOCK=block or triton.next_power_of_2(n), num_warps=warps)
        return out

    return run


def by_elements(kernel, count=lambda *x: x[0].numel(), result=None, block=1024, warps=4):
    def run(*x):
        out = result(*x) if result else torch.empty_like(x[0])
        n = count(*x)
        kernel[triton.cdiv(n, block), ](*x, out, n, BLOCK=block, num_warps=warps)
        return out

    return run


def by_tiles(kernel, bm, bn, warps, result=None, whole=True):
    """Programs of bm x bn; where not `whole`, a program has all columns of its rows (bn None), or all rows of its columns."""

    def run(x, *others):
        m, n = x.shape
        outs = result(x) if result else (torch.empty_like(x), )
        rows, cols = bm, bn or triton.next_power_of_2(n)
        grid = (triton.cdiv(m, rows), triton.cdiv(n, cols)) if whole else (triton.cdiv(m, rows), ) if bn is None else (triton.cdiv(n, cols), )
        kernel[grid](x, *others, *outs, m, n, rows, cols, num_warps=warps)
        return outs if len(outs) > 1 else outs[0]

    return run


def quantized(x):
    m, n = x.shape
    out, scales = torch.empty(m, n, dtype=torch.int8, device=x.device), torch.empty(m, device=x.device)
    quantize_row[m, ](x, out, scales, n, triton.next_power_of_2(n), num_warps=8)
    return scales


def embedded(table, tokens):
    out = torch.empty(len(tokens), table.shape[1], dtype=table.dtype, device=table.device)
    embed[len(tokens), ](table, tokens, out, table.shape[1], triton.next_power_of_2(table.shape[1]), num_warps=4)
    return out


def rotated(x, cos, sin):
    out = torch.empty_like(x)
    rotate_pairs[x.shape[0], ](x, cos, sin, out, x.shape[1] // 2, num_warps=1)
    return out


def rotated_reference(x, cos, sin):
    a, b = x[:, ::2], x[:, 1::2]
    c, s = (t.repeat_interleave(32, 0)[:len(x)] for t in (cos, sin))
    return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(1)


def counted(x):
    out = torch.zeros(256, dtype=torch.int32, device=x.device)
    counts[triton.cdiv(x.numel(), 8192), ](x, out, x.numel(), 256, 8192, num_warps=8)
    return out


def squared(x):
    out = torch.empty(1056, device=x.device)
    partial_squares[1056, ](x, out, x.numel(), 2048, num_warps=8)
    return out.sum()


def outer_product(x, y):
    out = torch.empty(len(x), len(y), device=x.device)
    outer[triton.cdiv(len(x), 32), triton.cdiv(len(y), 128)](x, y, out, len(x), len(y), 32, 128, num_warps=4)
    return out


def by_channels(x, w, b):
    out = torch.empty_like(x)
    channels[triton.cdiv(x.numel(), 1024), ](x, w, b, out, x.numel(), x.shape[1], x.shape[2], 1024, num_warps=4)
    return out


def pooled(x):
    h, w = x.shape
    out = torch.empty(h // 2, w // 2, dtype=x.dtype, device=x.device)
    pool[h // 2, triton.cdiv(w // 2, 1024)](x, out, h, w, 1024, num_warps=4)
    return out


def convolved(x, w):
    out = torch.empty_like(x)
    causal_taps[x.shape[0], triton.cdiv(x.shape[1], 1024)](x, w, out, x.shape[1], len(w), 1024, num_warps=4)
    return out


def convolved_reference(x, w):
    w = w[torch.arange(len(x), device=x.device) % len(w)]
    padded = torch.nn.functional.pad(x, (3, 0))
    return torch.nn.functional.silu(sum(padded[:, k:k + x.shape[1]] * w[:, k:k + 1] for k in range(4)))


def top(x):
    out = torch.empty(len(x), 16, device=x.device)
    top_of_row[len(x), ](x, out, x.shape[1], 16, triton.next_power_of_2(x.shape[1]), num_warps=4)
    return out


def recurred(a, x):
    out = torch.empty_like(x)
    recurrence[len(x), ](a, x, out, x.shape[1], triton.next_power_of_2(x.shape[1]), num_warps=4)
    return out


def recurred_reference(a, x):
    state, out = torch.zeros_like(x[:, 0]), []
    for i in range(x.shape[1]):
        state = state * a[:, i] + x[:, i]
        out.append(state)
    return torch.stack(out, 1)


def added(x):
    out = torch.empty(x.shape[1], device=x.device)
    sum_leading[triton.cdiv(x.shape[1], 1024), ](x, out, *x.shape, 1024, num_warps=4)
    return out


def vector_of(x, axis, dtype=torch.float32, count=1):
    return tuple(torch.empty(x.shape[axis], dtype=dtype, device=x.device) for _ in range(count))


def norms(some):
    """Rows of one block, and in steps."""
    f16, bf16, functional = torch.float16, torch.bfloat16, torch.nn.functional
    softmax = lambda x: x.softmax(-1)
    layer = lambda x, w, b: functional.layer_norm(x, w.shape, w, b, 1e-5)
    rms = lambda x, w: functional.rms_norm(x, w.shape, w, 1e-5)
    found = []
    for m, n, dtype, warps in ((8192, 781, torch.float32, 4), (8192, 3000, f16, 4), (4096, 5000, torch.float32, 8), (4096, 6144, torch.float32, 8),
                               (4096, 8320, torch.float32, 8), (4096, 8320, torch.float32, 16), (4096, 12672, bf16, 16), (2048, 20000, torch.float32, 16),
                               (2048, 32000, bf16, 32)):
        found.append((f"softmax {m} x {n} {str(dtype)[6:]}", by_rows(row_softmax, warps), softmax, lambda m=m, n=n, d=dtype: [some(m, n, dtype=d)]))
    for m, n, dtype, warps in ((8192, 769, f16, 4), (8192, 3072, bf16, 8), (4096, 5000, torch.float32, 8), (4096, 12289, bf16, 16)):
        found.append((f"layer norm {m} x {n} {str(dtype)[6:]}", by_rows(layer_norm_row, warps), layer,
                      lambda m=m, n=n, d=dtype: [some(m, n, dtype=d), some(n, dtype=d), some(n, dtype=d)]))
    for m, n, dtype, warps in ((16384, 2880, bf16, 4), (8192, 5120, bf16, 8), (4096, 6656, torch.float32, 8)):
        found.append((f"RMS norm {m} x {n} {str(dtype)[6:]}", by_rows(rms_norm_row, warps), rms,
                      lambda m=m, n=n, d=dtype: [some(m, n, dtype=d), some(n, dtype=d)]))
    return found + [
        ("layer norm in steps, 2048 x 20000 f32", by_rows(layer_norm_steps, 16, block=4096), layer, lambda: [some(2048, 20000), some(20000), some(20000)]),
        ("layer norm in steps, 2048 x 25600 bf16", by_rows(layer_norm_steps, 8, block=2048), layer,
         lambda: [some(2048, 25600, dtype=bf16), some(25600, dtype=bf16), some(25600, dtype=bf16)]),
        ("log softmax in steps, 1024 x 50257 f32", by_rows(log_softmax_steps, 8, block=4096), lambda x: x.log_softmax(-1), lambda: [some(1024, 50257)]),
        ("log softmax in steps, 512 x 128256 bf16", by_rows(log_softmax_steps, 16, block=8192), lambda x: x.log_softmax(-1),
         lambda: [some(512, 128256, dtype=bf16)]),
        ("softmax backward 4096 x 5000 f32", by_rows(softmax_grad_row, 8), lambda y, g: y * (g - (y * g).sum(-1, keepdim=True)),
         lambda: [some(4096, 5000), some(4096, 5000)]),
        ("scales of s8 rows, 8192 x 5120 bf16", quantized, lambda x: 2 ** x.abs().amax(-1).log2().ceil() / 128, lambda: [some(8192, 5120, dtype=bf16)]),
    ]


def others(some, numbers):
    f16, bf16, u8 = torch.float16, torch.bfloat16, torch.uint8
    turned = lambda bm, bn, w: by_tiles(transpose, bm, bn, w, lambda x: (torch.empty(x.shape[1], x.shape[0], dtype=x.dtype, device=x.device), ))
    return [
        ("transpose 12000 x 9000 f32", turned(64, 64, 4), lambda x: x.T, lambda: [some(12000, 9000)]),
        ("transpose 8200 x 8208 f16", turned(64, 64, 4), lambda x: x.T, lambda: [some(8200, 8208, dtype=f16)]),
        ("transpose 8193 x 8191 f16", turned(64, 64, 4), lambda x: x.T, lambda: [some(8193, 8191, dtype=f16)]),
        ("transpose 16000 x 12016 u8", turned(128, 128, 4), lambda x: x.T, lambda: [numbers(256, 16000, 12016).to(u8)]),
        ("grey of u8 triples, 30720000", by_elements(grey, lambda x: x.numel() // 3, lambda x: torch.empty(x.numel() // 3, device=x.device)),
         lambda x: x.view(-1, 3).double() @ torch.tensor([.299, .587, .114], dtype=torch.float64, device=x.device), lambda: [numbers(256, 92160000).to(u8)]),
        ("planes of f32 triples, 12000000", by_elements(planes, lambda x: x.numel() // 3), lambda x: x.view(-1, 3).T.reshape(-1), lambda: [some(36000000)]),
        ("complex product, 12000000", by_elements(complex_product, lambda x, y: x.numel() // 2),
         lambda x, y: torch.view_as_real(torch.view_as_complex(x.view(-1, 2)) * torch.view_as_complex(y.view(-1, 2))).reshape(-1),
         lambda: [some(24000000), some(24000000)]),
        ("rotated pairs, 131072 x 128 f16", rotated, rotated_reference, lambda: [some(131072, 128, dtype=f16), some(4096, 64), some(4096, 64)]),
        ("SwiGLU of pairs, 30720000 bf16", by_elements(gated_pairs, lambda x: x.numel() // 2, lambda x: torch.empty(x.numel() // 2, dtype=x.dtype, device=x.device)),
         lambda x: torch.nn.functional.silu(x[::2]) * x[1::2], lambda: [some(61440000, dtype=bf16)]),
        ("counts of 256 in 50000000", counted, lambda x: torch.bincount(x, minlength=256), lambda: [numbers(256, 50000000)]),
        ("cumulative sums, 8192 x 5000 f32", by_rows(row_cumsum, 8), lambda x: x.cumsum(-1), lambda: [some(8192, 5000)]),
        ("cumulative maxima, 8192 x 3000 f32", by_rows(cummax_row, 4), lambda x: x.cummax(-1).values, lambda: [some(8192, 3000)]),
        ("cumulative sums of columns, 4000 x 9000 f32", by_tiles(cumsum_columns, 64, 32, 4, whole=False), lambda x: x.cumsum(0), lambda: [some(4000, 9000)]),
        ("linear recurrence, 16384 x 1000 f32", recurred, recurred_reference, lambda: [some(16384, 1000).sigmoid(), some(16384, 1000)]),
        ("argmax of short rows, 300000 x 100 f32", by_tiles(argmax_rows, 32, None, 4, lambda x: vector_of(x, 0, torch.int32), whole=False), lambda x: x.argmax(-1),
         lambda: [some(300000, 100)]),
        ("argmin of columns, 5000 x 9000 f32", by_tiles(argmin_columns, 32, 64, 4, lambda x: vector_of(x, 1, torch.int32), whole=False), lambda x: x.argmin(0),
         lambda: [some(5000, 9000)]),
        ("sums of thin rows, 4000000 x 7 f32", by_tiles(sum_rows, 256, None, 4, lambda x: vector_of(x, 0), whole=False), lambda x: x.sum(-1), lambda: [some(4000000, 7)]),
        ("sums of thin rows, 1000000 x 48 f16", by_tiles(sum_rows, 128, None, 4, lambda x: vector_of(x, 0), whole=False), lambda x: x.sum(-1),
         lambda: [some(1000000, 48, dtype=f16)]),
        ("mean and variance of columns, 20000 x 2500 bf16", by_tiles(deviation_columns, 64, 32, 4, lambda x: vector_of(x, 1, count=2), whole=False),
         lambda x: (x.mean(0), x.var(0, correction=0)), lambda: [some(20000, 2500, dtype=bf16)]),
        ("sum of 37 parts of 1500000 bf16", added, lambda x: x.sum(0), lambda: [some(37, 1500000, dtype=bf16)]),
        ("squared norm of 50000003 f16", squared, lambda x: (x * x).sum(), lambda: [some(50000003, dtype=f16)]),
        ("scale, shift, relu by rows, 5000 x 9000 bf16", by_tiles(scale_shift, 16, 256, 4), lambda x, w, b, s: torch.relu(x * w + b) * s[:, None],
         lambda: [some(5000, 9000, dtype=bf16), some(9000, dtype=bf16), some(9000, dtype=bf16), some(5000, dtype=bf16)]),
        ("outer product, 9001 x 7000 f32", outer_product, lambda x, y: x[:, None] * y[None, :], lambda: [some(9001), some(7000)]),
        ("scale and shift by channels, 32 x 96 x 12544 f16", by_channels, lambda x, w, b: x * w[:, None] + b[:, None],
         lambda: [some(32, 96, 12544, dtype=f16), some(96, dtype=f16), some(96, dtype=f16)]),
        ("rows of a table, 40000 x 1000 f16", embedded, lambda t, i: t[i], lambda: [some(50000, 1000, dtype=f16), numbers(50000, 40000).long()]),
        ("largest of 2 x 2, 10000 x 9000 f16", pooled, lambda x: torch.nn.functional.max_pool2d(x[None], 2)[0], lambda: [some(10000, 9000, dtype=f16)]),
        ("causal taps and SiLU, 8192 x 5000 bf16", convolved, convolved_reference, lambda: [some(8192, 5000, dtype=bf16), some(2048, 4, dtype=bf16)]),
        ("largest 16 of rows, 8192 x 1000 f32", top, lambda x: x.topk(16).values, lambda: [some(8192, 1000)]),
        ("sorted rows, 8192 x 1000 f32", by_rows(sort_row, 4), lambda x: x.sort().values, lambda: [some(8192, 1000)]),
        ("cross entropy, 2048 x 32000 bf16", by_rows(cross_entropy_row, 16, lambda m, n: ((m, ), torch.float32)),
         lambda x, y: torch.nn.functional.cross_entropy(x, y, reduction="none"), lambda: [some(2048, 32000, dtype=bf16), numbers(32000, 2048).long()]),
    ]


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    short = lambda n: n // 256 if small and n >= 100000 else n // 16 if small and n > 700 else n
    some = lambda *shape, dtype=torch.float32: make(*map(short, shape), dtype=dtype)
    numbers = lambda most, *shape: torch.randint(0, short(most), [*map(short, shape)], dtype=torch.int32, device=make(1).device)
    return norms(some) + others(some, numbers)

"""The kernels of assorted.py."""
import triton
import triton.language as tl


@triton.jit
def logsumexp_row(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf")).to(tl.float32)
    high = tl.max(v, 0)
    tl.store(out + row, tl.log(tl.sum(tl.exp(v - high), 0)) + high)


@triton.jit
def variance_row(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=0.0).to(tl.float32)
    d = tl.where(at < n, v - tl.sum(v, 0) / n, 0.0)
    tl.store(out + row, tl.sum(d * d, 0) / (n - 1))


@triton.jit
def times(a, b):
    return a * b


@triton.jit
def prod_row(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=1.0).to(tl.float32)
    tl.store(out + row, tl.reduce(v, 0, times))


@triton.jit
def either(a, b):
    return a | b


@triton.jit
def any_row(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    hit = tl.zeros((BLOCK, ), tl.int32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        hit |= (tl.load(x + row * n + at, mask=at < n, other=0) > 126).to(tl.int32)
    tl.store(out + row, tl.reduce(hit, 0, either).to(tl.int8))


@triton.jit
def all_columns(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    low = tl.full((BM, BN), 127, tl.int32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        low = tl.minimum(low, tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=127).to(tl.int32))
    tl.store(out + cols, (tl.min(low, 0) > -128).to(tl.int8), mask=cols < n)


@triton.jit
def argmax_row(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf")).to(tl.float32)
    tl.store(out + row, tl.argmax(v, 0))


@triton.jit
def argmax_steps(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = tl.full((BLOCK, ), -float("inf"), tl.float32)
    place = tl.zeros((BLOCK, ), tl.int32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + at, mask=at < n, other=-float("inf")).to(tl.float32)
        place = tl.where(v > best, at, place)
        best = tl.maximum(best, v)
    high = tl.max(best, 0)
    tl.store(out + row, tl.min(tl.where(best == high, place, 2147483647), 0))


@triton.jit
def argmax_columns(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    best = tl.full((BM, BN), -float("inf"), tl.float32)
    place = tl.zeros((BM, BN), tl.int32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        v = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=-float("inf")).to(tl.float32)
        place = tl.where(v > best, rows[:, None], place)
        best = tl.maximum(best, v)
    high = tl.max(best, 0)
    tl.store(out + cols, tl.min(tl.where(best == high[None, :], place, 2147483647), 0), mask=cols < n)


@triton.jit
def sum_middle(x, out, k, n, BK: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    base = x + tl.program_id(0).to(tl.int64) * k * n
    total = tl.zeros((BN, ), tl.float32)
    for start in range(0, k, BK):
        rows = start + tl.arange(0, BK)
        inside = (rows[:, None] < k) & (cols[None, :] < n)
        total += tl.sum(tl.load(base + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32), 0)
    tl.store(out + tl.program_id(0) * n + cols, total, mask=cols < n)


@triton.jit
def amax_middle(x, out, k, n, BB: tl.constexpr, BK: tl.constexpr, BN: tl.constexpr):
    b = (tl.program_id(0) * BB + tl.arange(0, BB))[:, None, None]
    r = tl.arange(0, BK)[None, :, None]
    c = (tl.program_id(1) * BN + tl.arange(0, BN))[None, None, :]
    v = tl.load(x + (b * k + r) * n + c, mask=(r < k) & (c < n), other=-float("inf"))
    b2 = (tl.program_id(0) * BB + tl.arange(0, BB))[:, None]
    c2 = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    tl.store(out + b2 * n + c2, tl.max(v, 1), mask=c2 < n)


@triton.jit
def average_pool(x, out, h, w, BH: tl.constexpr, BW: tl.constexpr):
    rows = tl.program_id(0) * BH + tl.arange(0, BH)
    cols = tl.program_id(1) * BW + tl.arange(0, BW)
    oh, ow = h - 2, w - 2
    inside = (rows[:, None] < oh) & (cols[None, :] < ow)
    total = tl.zeros((BH, BW), tl.float32)
    for i in tl.static_range(3):
        for j in tl.static_range(3):
            total += tl.load(x + (rows[:, None] + i) * w + cols[None, :] + j, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + rows[:, None] * ow + cols[None, :], (total / 9).to(out.dtype.element_ty), mask=inside)


@triton.jit
def group_norm(x, w, b, out, c, groups, hw, BLOCK: tl.constexpr):
    g = tl.program_id(0) % groups
    per = c // groups
    base = tl.program_id(0).to(tl.int64) * per * hw
    n = per * hw
    sums = tl.zeros((BLOCK, ), tl.float32)
    squares = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n, other=0.0).to(tl.float32)
        sums += v
        squares += v * v
    mean = tl.sum(sums, 0) / n
    scale = tl.rsqrt(tl.sum(squares, 0) / n - mean * mean + 1e-5)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        ch = g * per + at // hw
        v = tl.load(x + base + at, mask=at < n).to(tl.float32)
        v = (v - mean) * scale * tl.load(w + ch, mask=at < n).to(tl.float32) + tl.load(b + ch, mask=at < n).to(tl.float32)
        tl.store(out + base + at, v.to(out.dtype.element_ty), mask=at < n)


@triton.jit
def scatter_add(g, tokens, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    token = tl.load(tokens + row)
    v = tl.load(g + row * n + at, mask=at < n, other=0.0).to(tl.float32)
    tl.atomic_add(out + token * n + at, v, mask=at < n)


@triton.jit
def bags(table, tokens, out, n, L: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, ), tl.float32)
    for i in range(L):
        token = tl.load(tokens + row * L + i)
        total += tl.load(table + token * n + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(out + row * n + at, (total / L).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, v / (1 - p), 0.0), mask=at < n)


@triton.jit
def dropout4(x, out, n, p, seed, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK * 4
    at = tl.arange(0, BLOCK)
    r0, r1, r2, r3 = tl.rand4x(seed, tl.program_id(0) * BLOCK + at)
    for i in tl.static_range(4):
        r = r0 if i == 0 else r1 if i == 1 else r2 if i == 2 else r3
        here = first + i * BLOCK + at
        v = tl.load(x + here, mask=here < n)
        tl.store(out + here, tl.where(r > p, v / (1 - p), 0.0), mask=here < n)


@triton.jit
def quantize_groups(x, out, scales, groups, G: tl.constexpr, BG: tl.constexpr):
    g = tl.program_id(0) * BG + tl.arange(0, BG)
    at = tl.arange(0, G)
    inside = (g < groups)[:, None]
    v = tl.load(x + g[:, None] * G + at[None, :], mask=inside, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(v), 1), 1e-10) / 448.0
    tl.store(out + g[:, None] * G + at[None, :], (v / scale[:, None]).to(out.dtype.element_ty), mask=inside)
    tl.store(scales + g, scale, mask=g < groups)


@triton.jit
def dequantize_nibbles(q, scales, zeros, out, n, G: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = tl.load(q + at, mask=at < n)
    group = at // (G // 8)
    s = tl.load(scales + group, mask=at < n).to(tl.float32)
    z = tl.load(zeros + group, mask=at < n).to(tl.float32)
    i = tl.arange(0, 8)
    v = ((word[:, None] >> (4 * i)[None, :]) & 15).to(tl.float32)
    v = (v - z[:, None]) * s[:, None]
    tl.store(out + at[:, None] * 8 + i[None, :], v.to(out.dtype.element_ty), mask=(at < n)[:, None])


@triton.jit
def rotate_halves(x, cos, sin, out, heads, D: tl.constexpr, BH: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    h = tl.arange(0, BH)[:, None]
    d = tl.arange(0, D // 2)[None, :]
    c = tl.load(cos + token * (D // 2) + d).to(tl.float32)
    s = tl.load(sin + token * (D // 2) + d).to(tl.float32)
    base = token * heads * D + h * D + d
    a = tl.load(x + base, mask=h < heads).to(tl.float32)
    b = tl.load(x + base + D // 2, mask=h < heads).to(tl.float32)
    tl.store(out + base, (a * c - b * s).to(out.dtype.element_ty), mask=h < heads)
    tl.store(out + base + D // 2, (b * c + a * s).to(out.dtype.element_ty), mask=h < heads)


@triton.jit
def depthwise(x, w, out, c, h, wd, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row, col = at // wd, at % wd
    total = tl.zeros((BLOCK, ), tl.float32)
    for i in range(3):
        for j in range(3):
            r, k = row + i - 1, col + j - 1
            inside = (r >= 0) & (r < h) & (k >= 0) & (k < wd)
            v = tl.load(x + plane * h * wd + r * wd + k, mask=inside, other=0.0).to(tl.float32)
            total += v * tl.load(w + plane % c * 9 + i * 3 + j).to(tl.float32)
    tl.store(out + plane * h * wd + at, total.to(out.dtype.element_ty), mask=at < h * wd)


@triton.jit
def counts_atomic(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(out + v, 1, mask=at < n)


@triton.jit
def cumprod_row(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=1.0).to(tl.float32)
    tl.store(out + base + at, tl.cumprod(v, 0).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def cumsum_chunks(x, out, n, BT: tl.constexpr, H: tl.constexpr, REVERSE: tl.constexpr):
    chunk, head = tl.program_id(0), tl.program_id(1)
    t = chunk * BT + tl.arange(0, BT)
    v = tl.load(x + t * H + head, mask=t < n, other=0.0).to(tl.float32)
    tl.store(out + t * H + head, tl.cumsum(v, 0, reverse=REVERSE), mask=t < n)


@triton.jit
def cumsum_heads(x, out, n, H, BT: tl.constexpr, BH: tl.constexpr):
    t = tl.program_id(0) * BT + tl.arange(0, BT)
    h = tl.program_id(1) * BH + tl.arange(0, BH)
    inside = (t[:, None] < n) & (h[None, :] < H)
    v = tl.load(x + t[:, None] * H + h[None, :], mask=inside, other=0.0).to(tl.float32)
    tl.store(out + t[:, None] * H + h[None, :], tl.cumsum(v, 0), mask=inside)


@triton.jit
def gelu_tanh(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    g = tl.load(y + at, mask=at < n).to(tl.float32)
    inner = 0.7978845608 * (v + 0.044715 * v * v * v)
    t = 2 * tl.sigmoid(2 * inner) - 1
    tl.store(out + at, (0.5 * v * (1 + t) * g).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def adam(p, g, m, v, n, lr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    grad = tl.load(g + at, mask=inside).to(tl.float32)
    m1 = 0.9 * tl.load(m + at, mask=inside) + 0.1 * grad
    v1 = 0.999 * tl.load(v + at, mask=inside) + 0.001 * grad * grad
    w = tl.load(p + at, mask=inside).to(tl.float32)
    w = w * (1 - lr * 0.01) - lr * m1 / (tl.sqrt(v1) + 1e-8)
    tl.store(p + at, w.to(p.dtype.element_ty), mask=inside)
    tl.store(m + at, m1, mask=inside)
    tl.store(v + at, v1, mask=inside)


@triton.jit
def layer_norm_grad_weights(dy, x, mean, rstd, dw, db, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    sw = tl.zeros((BM, BN), tl.float32)
    sb = tl.zeros((BM, BN), tl.float32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        a = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
        d = tl.load(dy + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
        mu = tl.load(mean + rows, mask=rows < m, other=0.0)
        rs = tl.load(rstd + rows, mask=rows < m, other=0.0)
        sw += d * (a - mu[:, None]) * rs[:, None]
        sb += d
    tl.store(dw + cols, tl.sum(sw, 0), mask=cols < n)
    tl.store(db + cols, tl.sum(sb, 0), mask=cols < n)


@triton.jit
def welford(m1, s1, c1, m2, s2, c2):
    d = m2 - m1
    c = c1 + c2
    r = tl.where(c == 0, 0.0, c2 / c)
    return m1 + d * r, s1 + s2 + d * d * c1 * r, c


@triton.jit
def welford_row(x, mean, var, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=0.0).to(tl.float32)
    one = (at < n).to(tl.float32)
    a, b, c = tl.reduce((v, tl.zeros_like(v), one), 0, welford)
    tl.store(mean + row, a)
    tl.store(var + row, b / c)


@triton.jit
def permute_0213(x, out, A, B, C: tl.constexpr, BB: tl.constexpr):
    first = tl.program_id(0).to(tl.int64)
    a = tl.program_id(1)
    b = tl.program_id(2) * BB + tl.arange(0, BB)
    c = tl.arange(0, C)
    v = tl.load(x + ((first * A + a) * B + b[:, None]) * C + c[None, :], mask=b[:, None] < B)
    tl.store(out + ((first * B + b[:, None]) * A + a) * C + c[None, :], v, mask=b[:, None] < B)


@triton.jit
def concat(x, y, out, n1, n2, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + row * n1 + at, mask=at < n1, other=0.0)
    b = tl.load(y + row * n2 + at - n1, mask=(at >= n1) & (at < n1 + n2), other=0.0)
    tl.store(out + row * (n1 + n2) + at, tl.where(at < n1, a, b), mask=at < n1 + n2)


@triton.jit
def masked_fill_triangle(x, out, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    cols = tl.program_id(2) * BN + tl.arange(0, BN)
    base = tl.program_id(0).to(tl.int64) * n * n
    inside = (rows[:, None] < n) & (cols[None, :] < n)
    v = tl.load(x + base + rows[:, None] * n + cols[None, :], mask=inside)
    tl.store(out + base + rows[:, None] * n + cols[None, :], tl.where(cols[None, :] <= rows[:, None], v, 0.0), mask=inside)


@triton.jit
def dot_rows(x, y, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, n, BN):
        cols = start + tl.arange(0, BN)
        inside = (rows[:, None] < m) & (cols[None, :] < n)
        a = tl.load(x + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
        b = tl.load(y + rows[:, None] * n + cols[None, :], mask=inside, other=0.0).to(tl.float32)
        total += a * b
    tl.store(out + rows, tl.sum(total, 1), mask=rows < m)


@triton.jit
def matvec(a, x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros((BM, ), tl.float32)
    for start in range(0, n, BN):
        cols = start + tl.arange(0, BN)
        w = tl.load(a + rows[:, None] * n + cols[None, :], mask=(rows[:, None] < m) & (cols[None, :] < n), other=0.0).to(tl.float32)
        v = tl.load(x + cols, mask=cols < n, other=0.0).to(tl.float32)
        total += tl.sum(w * v[None, :], 1)
    tl.store(out + rows, total, mask=rows < m)


@triton.jit
def cast(x, out, scale, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32) * scale
    tl.store(out + at, v.to(out.dtype.element_ty), mask=at < n)


@triton.jit
def add_residual_norm(x, r, w, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=0.0).to(tl.float32) + tl.load(r + base + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(r + base + at, v.to(r.dtype.element_ty), mask=at < n)
    scale = tl.rsqrt(tl.sum(v * v, 0) / n + 1e-6)
    tl.store(out + base + at, (v * scale * tl.load(w + at, mask=at < n).to(tl.float32)).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def segments(x, starts, out, n, BLOCK: tl.constexpr):
    s = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    first, last = tl.load(starts + s), tl.load(starts + s + 1)
    total = tl.zeros((BLOCK, ), tl.float32)
    for row in range(first, last):
        total += tl.load(x + row.to(tl.int64) * n + cols, mask=cols < n, other=0.0).to(tl.float32)
    tl.store(out + s.to(tl.int64) * n + cols, total, mask=cols < n)


@triton.jit
def nearest_double(x, out, h, w, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row, col = at // (2 * w), at % (2 * w)
    v = tl.load(x + plane * h * w + row // 2 * w + col // 2, mask=at < 4 * h * w)
    tl.store(out + plane * 4 * h * w + at, v, mask=at < 4 * h * w)


@triton.jit
def adam_of_bytes(p, g, m, v, sm, sv, n, lr, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    at = i * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    grad = tl.load(g + at, mask=inside, other=0.0).to(tl.float32)
    first = tl.load(m + at, mask=inside, other=0).to(tl.float32) * (tl.load(sm + i) / 127.0)
    root = tl.load(v + at, mask=inside, other=0).to(tl.float32) * (tl.load(sv + i) / 255.0)
    first = 0.9 * first + 0.1 * grad
    root = tl.sqrt(0.999 * root * root + 0.001 * grad * grad)
    old = tl.load(p + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(p + at, old - lr * first / (root + 1e-8), mask=inside)
    high, most = tl.max(tl.abs(first), 0), tl.max(root, 0)
    tl.store(sm + i, high)
    tl.store(sv + i, most)
    tl.store(m + at, (first / high * 127.0).to(tl.int8), mask=inside)
    tl.store(v + at, (root / most * 255.0).to(tl.uint8), mask=inside)


@triton.jit
def bodies(p, out, n, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    x, y, z = tl.load(p + i * 4, i < n, 0.0), tl.load(p + i * 4 + 1, i < n, 0.0), tl.load(p + i * 4 + 2, i < n, 0.0)
    fx = tl.zeros((BM, BN), tl.float32)
    fy, fz = fx, fx
    for start in range(0, n, BN):
        j = start + tl.arange(0, BN)
        inside = j < n
        mass = tl.load(p + j * 4 + 3, inside, 0.0)
        dx = tl.load(p + j * 4, inside, 0.0)[None, :] - x[:, None]
        dy = tl.load(p + j * 4 + 1, inside, 0.0)[None, :] - y[:, None]
        dz = tl.load(p + j * 4 + 2, inside, 0.0)[None, :] - z[:, None]
        r = tl.rsqrt(dx * dx + dy * dy + dz * dz + 0.01)
        s = mass[None, :] * r * r * r
        fx += s * dx
        fy += s * dy
        fz += s * dz
    tl.store(out + i * 3, tl.sum(fx, 1), i < n)
    tl.store(out + i * 3 + 1, tl.sum(fy, 1), i < n)
    tl.store(out + i * 3 + 2, tl.sum(fz, 1), i < n)


@triton.jit
def cholesky(a, out, N: tl.constexpr, EACH: tl.constexpr):
    b = (tl.program_id(0) * EACH + tl.arange(0, EACH))[:, None, None]
    i, j = tl.arange(0, N)[None, :, None], tl.arange(0, N)[None, None, :]
    rest = tl.load(a + (b * N + i) * N + j)
    lower = tl.zeros((EACH, N, N), tl.float32)
    for k in tl.static_range(N):
        pivot = tl.sqrt(tl.sum(tl.sum(tl.where((i == k) & (j == k), rest, 0.0), 2), 1))[:, None, None]
        column = tl.where(i >= k, tl.sum(tl.where(j == k, rest, 0.0), 2)[:, :, None] / pivot, 0.0)
        lower = tl.where(j == k, column, lower)
        rest -= column * tl.permute(column, (0, 2, 1))
    tl.store(out + (b * N + i) * N + j, lower)


@triton.jit
def later(f1, v1, f2, v2):
    return f1 | f2, tl.where(f2 != 0, v2, v1 + v2)


@triton.jit
def segmented_sums(x, heads, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    at = tl.arange(0, BLOCK)
    flags = tl.load(heads + row + at, mask=at < n, other=0).to(tl.int32)
    _, sums = tl.associative_scan((flags, tl.load(x + row + at, mask=at < n, other=0.0)), 0, later)
    tl.store(out + row + at, sums, mask=at < n)


@triton.jit
def hadamard(x, out, scale, N: tl.constexpr, LOG: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + at).to(tl.float32)
    for _ in tl.static_range(LOG):
        a, b = tl.split(tl.reshape(v, (N // 2, 2)))
        v = tl.reshape(tl.permute(tl.join(a + b, a - b), (1, 0)), (N, ))
    tl.store(out + at, v * scale)

"""Kernels without products, which memory bounds."""
import torch
import triton
import triton.language as tl


@triton.jit
def column_sums(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, m, BM):
        rows = start + tl.arange(0, BM)
        total += tl.load(x + rows[:, None] * n + cols[None, :], mask=(rows[:, None] < m) & (cols[None, :] < n), other=0.0)
    tl.store(out + cols, tl.sum(total, 0), mask=cols < n)


@triton.jit
def matrix_vector(a, x, out, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, n, BN):
        cols = start + tl.arange(0, BN)
        inside = cols < n
        total += tl.load(a + rows[:, None] * n + cols[None, :], mask=inside[None, :], other=0.0).to(tl.float32) * \
            tl.load(x + cols, mask=inside, other=0.0).to(tl.float32)[None, :]
    tl.store(out + rows, tl.sum(total, 1).to(out.dtype.element_ty))


@triton.jit
def online_softmax(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    high = tl.full((BLOCK, ), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n, other=-1e30).to(tl.float32)
        higher = tl.maximum(high, v)
        total = total * tl.exp(high - higher) + tl.exp(v - higher)
        high = higher
    top = tl.max(high, 0)
    sum = tl.sum(total * tl.exp(high - top), 0)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n).to(tl.float32)
        tl.store(out + base + at, (tl.exp(v - top) / sum).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def layer_norm_steps(x, w, b, out, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    sums = tl.zeros((BLOCK, ), tl.float32)
    squares = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + base + at, mask=at < n, other=0.0).to(tl.float32)
        sums += v
        squares += v * v
    mean = tl.sum(sums, 0) / n
    scale = tl.rsqrt(tl.sum(squares, 0) / n - mean * mean + eps)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < n
        v = (tl.load(x + base + at, mask=inside).to(tl.float32) - mean) * scale
        v = v * tl.load(w + at, mask=inside).to(tl.float32) + tl.load(b + at, mask=inside).to(tl.float32)
        tl.store(out + base + at, v.to(out.dtype.element_ty), mask=inside)


@triton.jit
def adamw(w, g, m, v, out, n, rate, decay, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    grad = tl.load(g + at, mask=inside).to(tl.float32)
    first = tl.load(m + at, mask=inside) * 0.9 + grad * 0.1
    second = tl.load(v + at, mask=inside) * 0.999 + grad * grad * 0.001
    old = tl.load(w + at, mask=inside)
    new = old - rate * (first / (tl.sqrt(second) + 1e-8) + decay * old)
    tl.store(m + at, first, mask=inside)
    tl.store(v + at, second, mask=inside)
    tl.store(out + at, new, mask=inside)


@triton.jit
def dequantize(x, scales, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n).to(tl.float32) * tl.load(scales + row)
    tl.store(out + row * n + at, v.to(out.dtype.element_ty), mask=at < n)


@triton.jit
def row_softmax(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + base + at, (e / tl.sum(e, 0)).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def row_argmax(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0).to(tl.int64) * n + at, mask=at < n, other=-float("inf"))
    tl.store(out + tl.program_id(0), tl.argmax(v, 0).to(tl.int64))


@triton.jit
def row_cumsum(x, out, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + base + at, mask=at < n, other=0.0)
    tl.store(out + base + at, tl.cumsum(v, 0), mask=at < n)


@triton.jit
def gelu_product(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    inner = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    gelu = 0.5 * v * (1 + (2 / (1 + tl.exp(-2 * inner)) - 1))
    tl.store(out + at, (gelu * tl.load(y + at, mask=at < n).to(tl.float32)).to(out.dtype.element_ty), mask=at < n)


def by_rows(kernel, block, warps, dtype=None, whole=True):
    """One program for each row; `whole`: that gives one, too."""

    def run(x):
        m, n = x.shape
        out = torch.empty(x.shape if whole else (m, ), dtype=dtype or x.dtype, device=x.device)
        kernel[m, ](x, out, n, block or triton.next_power_of_2(n), num_warps=warps)
        return out

    return run


def by_elements(kernel):
    def run(x, y):
        out = torch.empty_like(x)
        kernel[triton.cdiv(x.numel(), 1024), ](x, y, out, x.numel(), 1024, num_warps=4)
        return out

    return run


def sums(x):
    out = torch.empty(x.shape[1], device=x.device)
    column_sums[triton.cdiv(x.shape[1], 32), ](x, out, *x.shape, 32, 32, num_warps=4)
    return out


def times_vector(a, x):
    out = torch.empty(a.shape[0], device=a.device)
    matrix_vector[a.shape[0] // 8, ](a, x, out, a.shape[1], 8, 512, num_warps=4)
    return out


def norm(x, w, b):
    out = torch.empty_like(x)
    layer_norm_steps[x.shape[0], ](x, w, b, out, x.shape[1], 1e-5, 4096, num_warps=16)
    return out


def step(w, g, m, v):
    m, v, out = m.clone(), v.clone(), torch.empty_like(w)
    adamw[triton.cdiv(w.numel(), 1024), ](w, g, m, v, out, w.numel(), 1e-3, 1e-2, 1024, num_warps=4)
    return out, m, v


def step_reference(w, g, m, v):
    m, v = m * 0.9 + g * 0.1, v * 0.999 + g * g * 0.001
    return w - 1e-3 * (m / (v.sqrt() + 1e-8) + 1e-2 * w), m, v


def scaled(x, scales):
    out = torch.empty(x.shape, dtype=torch.bfloat16, device=x.device)
    dequantize[x.shape[0], triton.cdiv(x.shape[1], 1024)](x, scales, out, x.shape[1], 1024, num_warps=4)
    return out


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    f32, bf16 = torch.float32, torch.bfloat16
    n = lambda full: full // 64 if small else full
    some = lambda *shape, dtype=f32: make(*map(n, shape), dtype=dtype)
    bytes_of = lambda *shape: torch.randint(-128, 128, [*map(n, shape)], dtype=torch.int8, device=make(1).device)
    softmax = lambda x: x.softmax(-1)
    return [
        ("sums of columns, 16384 x 4096 f32", sums, lambda x: x.sum(0), lambda: [some(16384, 4096)]),
        ("matrix times vector, 16384 x 8192 bf16", times_vector, lambda a, x: a @ x,
         lambda: [some(16384, 8192, dtype=bf16), some(8192, dtype=bf16)]),
        ("online softmax, 2048 x 32000 f32", by_rows(online_softmax, 2048, 8), softmax, lambda: [some(2048, 32000)]),
        ("layer norm in steps, 1024 x 100000 f32", norm, lambda x, w, b: torch.nn.functional.layer_norm(x, w.shape, w, b, 1e-5),
         lambda: [some(1024, 100000), some(100000), some(100000)]),
        ("AdamW, 2^25 f32, gradients of bf16", step, step_reference,
         lambda: [some(1 << 25), some(1 << 25, dtype=bf16), some(1 << 25), some(1 << 25).abs()]),
        ("s8 to bf16 with scales, 8192 x 8192", scaled, lambda x, s: x * s[:, None], lambda: [bytes_of(8192, 8192), some(8192)]),
        ("softmax of one block, 8192 x 8192 bf16", by_rows(row_softmax, None, 16), softmax, lambda: [some(8192, 8192, dtype=bf16)]),
        ("argmax, 16384 x 4096 f32", by_rows(row_argmax, None, 8, torch.int64, False), lambda x: x.argmax(-1),
         lambda: [some(16384, 4096)]),
        ("cumulative sums, 8192 x 4096 f32", by_rows(row_cumsum, None, 4), lambda x: x.cumsum(-1), lambda: [some(8192, 4096)]),
        ("GELU times a product, 2^26 bf16", by_elements(gelu_product), lambda x, y: torch.nn.functional.gelu(x, approximate="tanh") * y,
         lambda: [some(1 << 26, dtype=bf16), some(1 << 26, dtype=bf16)]),
    ]

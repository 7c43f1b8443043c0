"""What Triton's language has, in small kernels written for these tests, each beside torch in f64."""

import pytest
import torch
import torch.nn.functional as F
import triton
import triton.language as tl
from torch import randn
from compare import close, tensors_on


# Associative scans with tuples.
@triton.jit
def lin_comb(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def argmax_comb(v1, i1, v2, i2):
    gt = (v1 > v2) | ((v1 == v2) & (i1 < i2))
    return tl.where(gt, v1, v2), tl.where(gt, i1, i2)


@triton.jit
def welford_comb(m1, s1, n1, m2, s2, n2):
    n = n1 + n2
    d = m2 - m1
    w = tl.where(n == 0, 0.0, n2 / n)
    return m1 + d * w, s1 + s2 + d * d * n1 * w, n


@triton.jit
def scans(a, b, o, o2, oi, wf, T: tl.constexpr, D: tl.constexpr, REV: tl.constexpr):
    i = tl.arange(0, T)[:, None] * D + tl.arange(0, D)[None, :]
    A, Bv = tl.load(a + i), tl.load(b + i)
    _, h = tl.associative_scan((A, Bv), 0, lin_comb, reverse=REV)
    tl.store(o + i, h)
    v, ix = tl.associative_scan((Bv, tl.broadcast_to(tl.arange(0, D)[None, :], (T, D))), 1, argmax_comb, reverse=REV)
    tl.store(o2 + i, v)
    tl.store(oi + i, ix)
    m, s, n = tl.reduce((Bv, tl.zeros_like(Bv), tl.full((T, D), 1.0, tl.float32)), 1, welford_comb)
    tl.store(wf + tl.arange(0, T) * 2, m)
    tl.store(wf + tl.arange(0, T) * 2 + 1, s / n)


def test_scan_t():
    for T, D in ((32, 16), (64, 64), (16, 128)):
        for rev in (False, True):
            a, b = torch.rand(T, D), randn(T, D)
            o, o2, oi, wf = (
                torch.empty(T, D),
                torch.empty(T, D),
                torch.empty(T, D, dtype=torch.int32),
                torch.empty(T, 2),
            )
            scans[(1,)](a, b, o, o2, oi, wf, T=T, D=D, REV=rev)
            A, Bb = (a.flip(0), b.flip(0)) if rev else (a, b)
            h = torch.zeros(D, dtype=torch.float64)
            out = []
            for t in range(T):
                h = h * A[t].double() + Bb[t].double()
                out.append(h)
            ref = torch.stack(out)
            close(o, ref.flip(0) if rev else ref)
            bb = b.flip(1) if rev else b
            c = bb.cummax(1).values
            close(o2, c.flip(1) if rev else c)
            close(b.gather(1, oi.long()), o2)
            close(wf[:, 0], b.double().mean(1))
            close(wf[:, 1], b.double().var(1, unbiased=False))


# Odd dots.
@triton.jit
def dot_k(
    a,
    b,
    c,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    TA: tl.constexpr,
    TB: tl.constexpr,
    OUT: tl.constexpr,
    PREC: tl.constexpr,
):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    if TA:
        A = tl.load(a + k[:, None] * M + m[None, :]).T
    else:
        A = tl.load(a + m[:, None] * K + k[None, :])
    if TB:
        B = tl.trans(tl.load(b + n[:, None] * K + k[None, :]))
    else:
        B = tl.load(b + k[:, None] * N + n[None, :])
    C = tl.dot(A, B, input_precision=PREC, out_dtype=OUT)
    tl.store(c + m[:, None] * N + n[None, :], C)


def test_dots():
    for M, N, K in ((16, 16, 16), (16, 8, 32), (16, 128, 16), (64, 16, 32), (128, 32, 64), (32, 64, 128)):
        for dt in (torch.float16, torch.bfloat16, torch.float32, torch.int8, torch.float64):
            if dt == torch.int8 and K < 32:
                continue
            if dt == torch.float64 and M * N > 2048:
                continue
            for ta, tb in ((0, 0), (1, 0), (0, 1), (1, 1)):
                A = torch.randint(-8, 8, (M, K)).to(dt) if dt == torch.int8 else randn(M, K).to(dt)
                B = torch.randint(-8, 8, (K, N)).to(dt) if dt == torch.int8 else randn(K, N).to(dt)
                out = {torch.int8: tl.int32, torch.float64: tl.float64}.get(dt, tl.float32)
                c = torch.empty(M, N, dtype={tl.int32: torch.int32, tl.float64: torch.float64}.get(out, torch.float32))
                dot_k[(1,)](
                    (A.t() if ta else A).contiguous(),
                    (B.t() if tb else B).contiguous(),
                    c,
                    M=M,
                    N=N,
                    K=K,
                    TA=ta,
                    TB=tb,
                    OUT=out,
                    PREC="ieee",
                )
                wanted = A.double() @ B.double()
                close(c, wanted.int() if dt == torch.int8 else wanted, 1e-5)


def test_precisions():
    for precision, off in (("ieee", 1e-6), ("tf32", 2e-3), ("tf32x3", 5e-6), ("bf16x3", 2e-5), ("bf16x6", 1e-6)):
        for M, N, K in ((64, 64, 64), (16, 32, 128)):
            A, B, c = randn(M, K), randn(K, N), torch.empty(M, N)
            A[3, 5] = float("inf")
            dot_k[(1,)](A, B, c, M=M, N=N, K=K, TA=0, TB=0, OUT=tl.float32, PREC=precision)
            wanted = A.double() @ B.double()
            assert torch.equal(c[3].double(), wanted[3]), precision
            rest = torch.arange(M) != 3
            close(c[rest], wanted[rest], off)


@triton.jit
def bdot(a, b, c, Z: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    z, m, n, k = tl.arange(0, Z)[:, None, None], tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    A = tl.load(a + z * M * K + m[None, :, None] * K + k[None, None, :])
    B = tl.load(b + z * N * K + n[None, :, None] * K + k[None, None, :])
    C = tl.dot(A, tl.permute(B, (0, 2, 1)), input_precision="ieee")
    tl.store(c + z * M * N + m[None, :, None] * N + n[None, None, :], C)


def test_batched_dot():
    for dt in (torch.float32, torch.float16):
        a, b = randn(4, 32, 16).to(dt), randn(4, 64, 16).to(dt)
        c = torch.empty(4, 32, 64)
        bdot[(1,)](a, b, c, Z=4, M=32, N=64, K=16)
        close(c, a.double() @ b.double().mT)


# Block pointers with order, padding nan, advance.
@triton.jit
def bp(a, o, M, N, sm, sn, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(a, (M, N), (sm, sn), (tl.program_id(0) * BM, 0), (BM, BN), order=(0, 1))
    q = tl.make_block_ptr(
        base=o, shape=(N, M), strides=(M, 1), offsets=(0, tl.program_id(0) * BM), block_shape=(BN, BM), order=(1, 0)
    )
    for j in range(0, N, BN):
        v = tl.load(p, boundary_check=(0, 1), padding_option="zero")
        tl.store(q, tl.trans(v * 2), boundary_check=(0, 1))
        p = tl.advance(p, (0, BN))
        q = tl.advance(q, (BN, 0))


def test_block_ptr():
    if triton.__version__ >= "3.9":
        pytest.skip("block pointers are gone from Triton 3.9 on")
    base = randn(70, 45).t()
    a = base  # 45 x 70, column order
    o = torch.zeros(70, 45)
    bp[(3,)](a, o, 45, 70, a.stride(0), a.stride(1), BM=16, BN=32)
    close(o, a.t() * 2)


# Descriptors made in the kernel.
@triton.jit
def desc(a, b, c, M, N, K, ADDS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, (M, K), (K, 1), (BM, BK))
    db = tl.make_tensor_descriptor(b, (N, K), (K, 1), (BN, BK))
    dc = tl.make_tensor_descriptor(c, (M, N), (N, 1), (BM, BN))
    pm, pn = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load((pm, k)), db.load((pn, k)).T, acc)
    dc.store((pm, pn), acc.to(tl.float16))
    if ADDS:
        dc.atomic_add((pm, pn), acc.to(tl.float16))


def test_descriptor():
    triton.set_allocator(
        lambda size, align, stream: torch.empty(size, dtype=torch.int8, device=torch.get_default_device())
    )
    M, N, K = 48, 72, 80
    a, b, c = randn(M, K).half(), randn(N, K).half(), torch.zeros(M, N).half()
    desc[(2, 3)](a, b, c, M, N, K, ADDS=False, BM=32, BN=32, BK=32)
    close(c, a.double() @ b.double().t(), 1e-3)


def test_descriptor_atomic():
    M, N, K = 48, 72, 80
    a, b, c = randn(M, K).half(), randn(N, K).half(), torch.zeros(M, N).half()
    desc[(2, 3)](a, b, c, M, N, K, ADDS=True, BM=32, BN=32, BK=32)
    close(c, 2 * (a.double() @ b.double().t()), 1e-3)


@triton.jit
def dgather(x, idx, o, M, N, B: tl.constexpr, BN: tl.constexpr, y0):
    d = tl.make_tensor_descriptor(x, (M, N), (N, 1), (1, BN))
    ix = tl.load(idx + tl.arange(0, B))
    v = d.gather(ix, y0)
    tl.store(o + tl.arange(0, B)[:, None] * BN + tl.arange(0, BN)[None, :], v)


def test_descriptor_gather():
    x = randn(50, 64)
    idx = torch.randint(0, 50, (32,)).int()
    o = torch.zeros(32, 32)
    dgather[(1,)](x, idx, o, 50, 64, B=32, BN=32, y0=16)
    close(o, x[idx.long(), 16:48])


@triton.jit
def dscatter(x, idx, o, M, N, B: tl.constexpr, BN: tl.constexpr, y0):
    d = tl.make_tensor_descriptor(o, (M, N), (N, 1), (1, BN))
    ix = tl.load(idx + tl.arange(0, B))
    d.scatter(tl.load(x + tl.arange(0, B)[:, None] * BN + tl.arange(0, BN)[None, :]), ix, y0)


def test_descriptor_scatter():
    x = randn(32, 32)
    idx = torch.randperm(50)[:32].int()
    o = torch.zeros(50, 64)
    dscatter[(1,)](x, idx, o, 50, 64, B=32, BN=32, y0=16)
    w = torch.zeros(50, 64)
    w[idx.long(), 16:48] = x
    close(o, w)


# Atomics.
@triton.jit
def atom(x, idx, s, mx, mn, fmx, h, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m)
    k = tl.load(idx + i, mask=m)
    tl.atomic_add(s + k, v, mask=m, sem="relaxed")
    q = (v * 100).to(tl.int32)
    tl.atomic_max(mx + k, q, mask=m)
    tl.atomic_min(mn + k, q, mask=m)
    tl.atomic_max(fmx + k, v, mask=m)
    tl.atomic_add(h + k, (v * 0 + 1).to(h.dtype.element_ty), mask=m)


def test_atomics():
    n = 500
    x = randn(n)
    idx = torch.randint(0, 10, (n,)).int()
    for hd in (torch.float16, torch.bfloat16, torch.float64, torch.int64):
        s, mx, mn, f, h = (
            torch.zeros(10),
            torch.full((10,), -10000).int(),
            torch.full((10,), 10000).int(),
            torch.full((10,), -100.0),
            torch.zeros(10, dtype=hd),
        )
        atom[(4,)](x, idx, s, mx, mn, f, h, n, B=128)
        close(s, torch.zeros(10, dtype=torch.float64).index_add(0, idx.long(), x.double()))
        q = (x * 100).int()
        close(mx, torch.stack([q[idx == k].max() for k in range(10)]))
        close(mn, torch.stack([q[idx == k].min() for k in range(10)]))
        close(f, torch.stack([x[idx == k].max() for k in range(10)]))
        close(h.double(), torch.bincount(idx, minlength=10).double())


@triton.jit
def lock_k(lock, cnt, x, o, D: tl.constexpr, GROUPS: tl.constexpr):
    p = tl.program_id(0) % GROUPS
    d = tl.arange(0, D)
    v = tl.load(x + tl.program_id(0) * D + d)
    while tl.atomic_cas(lock + p, 0, 1) == 1:
        pass
    c = tl.load(cnt + p)
    if c == 0:
        tl.atomic_xchg(cnt + p, 1)
    else:
        v += tl.load(o + p * D + d)
    tl.store(o + p * D + d, v)
    tl.debug_barrier()
    tl.atomic_xchg(lock + p, 0)


def test_lock():
    x = randn(24, 64)
    l, c, o = torch.zeros(4).int(), torch.zeros(4).int(), torch.empty(4, 64)
    lock_k[(24,)](l, c, x, o, D=64, GROUPS=4)
    close(o, x.view(6, 4, 64).double().sum(0))


@triton.jit
def cas16(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    old = tl.atomic_cas(x + i, tl.full((B,), 3, tl.int16), tl.full((B,), 7, tl.int16))
    tl.store(o + i, old)


def test_cas_16():
    x = torch.randint(2, 5, (64,)).short()
    y, o = x.clone(), torch.empty(64, dtype=torch.int16)
    cas16[(1,)](y, o, B=64)
    close(o, x)
    close(y, torch.where(x == 3, 7, x))


# Early returns, tuples, nested functions, constexpr branches.
@triton.jit
def pair(x, y):
    return x + y, (x - y, x * y)


@triton.jit
def pick(i, tup: tl.constexpr):
    return tup[i]


@triton.jit
def ret_k(x, lens, o, T: tl.constexpr, MODE: tl.constexpr):
    b = tl.program_id(0)
    n = tl.load(lens + b)
    if n == 0:
        return
    i = tl.arange(0, T)
    v = tl.load(x + b * T + i, mask=i < n, other=0.0)
    if MODE == "mean":
        s, dm = pair(tl.sum(v), n)
        if s > 1000.0:
            return
        tl.store(o + b, (s - n) / n)
    elif MODE == "max":
        if n == 1:
            tl.store(o + b, tl.sum(v))
            return
        tl.store(o + b, tl.max(tl.where(i < n, v, -float("inf")), 0))
    else:
        tl.static_assert(MODE == "last")
        tl.store(o + b, tl.load(x + b * T + n - 1))


def test_returns():
    x = randn(6, 32)
    lens = torch.tensor([0, 1, 5, 32, 17, 2]).int()
    for mode in ("mean", "max", "last"):
        o = torch.zeros(6)
        ret_k[(6,)](x, lens, o, T=32, MODE=mode)
        f = {"mean": lambda v: v.mean(), "max": lambda v: v.max(), "last": lambda v: v[-1]}[mode]
        close(o, torch.stack([f(x[i, :n]) if n else torch.tensor(0.0) for i, n in enumerate(lens.tolist())]))


@triton.jit
def tuples(ptrs, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for k in tl.static_range(len(ptrs)):
        acc += tl.load(ptrs[k] + i, mask=i < n, other=0.0) * (k + 1)
    tl.store(o + i, acc, mask=i < n)


def test_tuple_args():
    xs = tuple(randn(50) for _ in range(4))
    o = torch.zeros(50)
    tuples[(1,)](xs, o, 50, B=64)
    close(o, sum(x * (k + 1) for k, x in enumerate(xs)))


# 3-D and shapes.
@triton.jit
def shapes3(x, o, g, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    v = tl.load(x + a * B * C + b * C + c)
    p = tl.permute(v, (2, 0, 1))
    s = tl.sum(v, 1)
    mx = tl.max(p, 2)
    w = tl.reshape(p, (C * A, B)) + tl.reshape(tl.trans(s + tl.trans(mx)), (C * A, 1))
    tl.store(o + tl.arange(0, C * A)[:, None] * B + tl.arange(0, B)[None, :], w)
    tl.store(g + tl.arange(0, A), tl.sum(tl.sum(v, 2), 1))


def test_threed():
    x = randn(4, 8, 16)
    o, g = torch.empty(64, 8), torch.empty(4)
    shapes3[(1,)](x, o, g, A=4, B=8, C=16)
    p = x.permute(2, 0, 1)
    close(o, (p + (x.sum(1) + x.amax(1)).t()[..., None]).reshape(64, 8))
    close(g, x.sum((1, 2)))


@triton.jit
def gath(x, ix, o, o2, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    v = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    j = tl.load(ix + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :])
    tl.store(o + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :], tl.gather(v, j, 1))
    f = tl.flip(v, 1)
    c = tl.cat(tl.ravel(f), tl.ravel(v), can_reorder=True)
    tl.store(o2, tl.sum(c))
    tl.store(o2 + 1 + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], f)


def test_gather_flip():
    x = randn(8, 32)
    j = torch.randint(0, 32, (8, 16)).int()
    o, o2 = torch.empty(8, 16), torch.empty(257)
    gath[(1,)](x, j, o, o2, M=8, N=32, K=16)
    close(o, x.gather(1, j.long()))
    close(o2[1:].view(8, 32), x.flip(1))
    close(o2[0], 2 * x.double().sum(), 1e-4)


# Misc math / ints / random.
@triton.jit
def ints(a, b, o, B: tl.constexpr):
    i = tl.arange(0, B)
    x, y = tl.load(a + i), tl.load(b + i)
    tl.store(o + i, tl.umulhi(x, y))
    tl.store(o + B + i, x // (y | 1))
    tl.store(o + 2 * B + i, x % (y | 1))
    tl.store(o + 3 * B + i, (x ^ y) >> (y & 7))
    tl.store(o + 4 * B + i, tl.xor_sum(x, 0))
    tl.store(o + 5 * B + i, tl.cumprod((y & 1) + 1, 0))
    tl.store(o + 6 * B + i, tl.where((x > y) and (y > 0), tl.minimum(x, y), -x))


def test_int_ops():
    a, b = torch.randint(0, 2**31 - 1, (16,)).int(), torch.randint(0, 2**31 - 1, (16,)).int()
    o = torch.empty(7, 16, dtype=torch.int32)
    ints[(1,)](a, b, o, B=16)
    A, Bb = a.long(), b.long()
    xs = 0
    for v in A.tolist():
        xs ^= v
    close(
        o,
        torch.stack(
            [
                (A * Bb) >> 32,
                A // (Bb | 1),
                A % (Bb | 1),
                (A ^ Bb) >> (Bb & 7),
                torch.full((16,), xs),
                ((Bb & 1) + 1).cumprod(0),
                torch.where((A > Bb) & (Bb > 0), torch.minimum(A, Bb), -A),
            ]
        ).int(),
    )


@triton.jit
def half_scan(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o + i, tl.cumsum(v, 0, reverse=True))
    tl.store(o + B + i, tl.cumsum(v.to(tl.float32), 0).to(v.dtype))
    m = v > 0
    tl.store(o + 2 * B + i, tl.cumsum(m.to(tl.int32), 0).to(v.dtype))


def test_scan_small():
    for dt in (torch.float16, torch.bfloat16, torch.float64, torch.int16, torch.int8, torch.int64):
        x = (randn(64) * 3).to(dt)
        o = torch.empty(3, 64, dtype=dt)
        half_scan[(1,)](x, o, B=64)
        d = x.double()
        ref = torch.stack([d.flip(0).cumsum(0).flip(0), d.cumsum(0), (d > 0).double().cumsum(0)])
        ref = ref.to(dt) if not dt.is_floating_point else ref
        close(o.double(), ref.double(), 2e-2)


@triton.jit
def cummax_idx(x, o, oi, N: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :]
    v = tl.load(x + i)
    a, b = tl.max(v, 1, return_indices=True), tl.argmin(v, 1, tie_break_left=False)
    tl.store(o + tl.arange(0, N), a[0])
    tl.store(oi + tl.arange(0, N), a[1])
    tl.store(oi + N + tl.arange(0, N), b)
    tl.store(o + N + tl.arange(0, N), tl.sum(v, axis=1, keep_dims=True).reshape(N))
    tl.store(o + 2 * N, tl.max(v))
    tl.store(oi + 2 * N, tl.argmax(tl.ravel(v), 0))


def test_argmax_t():
    x = torch.randint(0, 9, (16, 32)).float()
    x += torch.rand(16, 32) * 0
    o, oi = torch.empty(33), torch.empty(33, dtype=torch.int32)
    cummax_idx[(1,)](x, o, oi, N=16, M=32)
    close(o[:16], x.amax(1))
    close(oi[:16], torch.tensor([(row == row.max()).nonzero()[0, 0].item() for row in x]))
    close(x[torch.arange(16), oi[16:32].long()], x.amin(1))
    close(o[16:32], x.sum(1))
    close(oi[32], (x.flatten() == x.max()).nonzero()[0, 0].int())


@triton.jit
def sqrelu(x):
    return tl.where(x > 0, x * x, 0.0), -x


@triton.jit
def mapel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.map_elementwise(sqrelu, tl.load(x + i))
    tl.store(o + i, a)
    tl.store(o + B + i, b)


def test_map_elementwise():
    x = randn(64)
    o = torch.empty(2, 64)
    mapel[(1,)](x, o, B=64)
    close(o, torch.stack([x.relu() ** 2, -x]))


@triton.jit
def spec(x, y, o, n, B: tl.constexpr):
    acc = tl.zeros((B,), tl.float32)
    for i in tl.range(0, n, 1, loop_unroll_factor=2, flatten=True):
        for j in tl.range(i, n, num_stages=1, disallow_acc_multi_buffer=True):
            acc += tl.load(x + i * B + tl.arange(0, B)) * tl.load(y + j * B + tl.arange(0, B))
    tl.assume(n > 0)
    tl.store(o + tl.max_contiguous(tl.multiple_of(tl.arange(0, B), 4), 4), acc)


def test_nested_loops():
    x, y = randn(7, 32), randn(7, 32)
    o = torch.empty(32)
    spec[(1,)](x, y, o, 7, B=32)
    close(o, sum(x[i].double() * y[j].double() for i in range(7) for j in range(i, 7)))


@triton.jit
def promised_product(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """As torch.compile's templates are: rows and columns wrap around, of which they promise that they do not."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rows = tl.max_contiguous(tl.multiple_of(rm % M, BM), BM)
    columns = tl.max_contiguous(tl.multiple_of(rn % N, BN), BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        left = K - step * BK
        x = tl.load(a + rows[:, None] * K + (step * BK + inner)[None, :], inner[None, :] < left, other=0.0)
        y = tl.load(b + (step * BK + inner)[:, None] * N + columns[None, :], inner[:, None] < left, other=0.0)
        total += tl.dot(x, y)
    tl.store(c + rm[:, None] * N + rn[None, :], total, (rm < M)[:, None] & (rn < N)[None, :])


@pytest.mark.parametrize("m, n, k", ((75, 107, 77), (75, 104, 80), (64, 171, 130)))
def test_rows_that_wrap_around_as_promised_not_to(device, m, n, k):
    """107 columns of f16: those that a thread has beside its neighbour's in chunks of 16 bytes lie elsewhere at the end of a row."""
    a, b = torch.randn(m, k, device=device).half(), torch.randn(k, n, device=device).half()
    c = torch.zeros(m, n, dtype=torch.float16, device=device)
    promised_product[(triton.cdiv(m, 64), triton.cdiv(n, 64))](a, b, c, m, n, k, BM=64, BN=64, BK=64)
    torch.testing.assert_close(c.float(), a.float() @ b.float(), rtol=1e-2, atol=1e-2 * k**0.5)


@triton.jit
def whole_product(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, K, BK):
        x = tl.load(a + rows[:, None] * K + (step + inner)[None, :])
        y = tl.load(b + (step + inner)[:, None] * N + columns[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


@pytest.mark.parametrize("warps", (4, 8))
def test_products_without_masks(device, warps):
    """Nothing says where an array ends; two blocks share each of the few programs."""
    a, b = torch.randn(256, 128, device=device).half(), torch.randn(128, 256, device=device).half()
    c = torch.full((320, 256), 7.0, dtype=torch.float16, device=device)
    whole_product[(2, 2)](a, b, c, 256, 128, BM=128, BN=128, BK=64, num_warps=warps)
    torch.testing.assert_close(c[:256].float(), a.float() @ b.float(), rtol=1e-2, atol=1e-1)
    assert (c[256:] == 7).all()

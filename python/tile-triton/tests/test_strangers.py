"""Kernels as different authors write them, written for these tests, each beside torch in f64."""

import pytest
import torch
import triton
import triton.language as tl
from torch import randn
from compare import close, tensors_on

f16, bf16, i32 = torch.float16, torch.bfloat16, torch.int32


# Decoding in groups of a few queries: products of fewer rows than a matrix instruction has.
@triton.jit
def decode_k(q, k, v, o, T, scale, G: tl.constexpr, D: tl.constexpr, BN: tl.constexpr):
    h, g, d = tl.program_id(0), tl.arange(0, G), tl.arange(0, D)
    Q = tl.load(q + (h * G + g)[:, None] * D + d[None, :])
    m = tl.full((G,), -float("inf"), tl.float32)
    total = tl.zeros((G,), tl.float32)
    acc = tl.zeros((G, D), tl.float32)
    for j in range(0, T, BN):
        n = j + tl.arange(0, BN)
        K = tl.load(k + (h * T + n)[None, :] * D + d[:, None], mask=n[None, :] < T, other=0.0)
        s = tl.where(n[None, :] < T, tl.dot(Q, K) * scale, -float("inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p, back = tl.exp(s - new[:, None]), tl.exp(m - new)
        V = tl.load(v + (h * T + n)[:, None] * D + d[None, :], mask=n[:, None] < T, other=0.0)
        acc = acc * back[:, None] + tl.dot(p.to(V.dtype), V)
        total = total * back + tl.sum(p, 1)
        m = new
    tl.store(o + (h * G + g)[:, None] * D + d[None, :], acc / total[:, None])


@pytest.mark.parametrize("group", (1, 2, 4, 8, 16))
def test_decode(group):
    H, T, D = 3, 75, 32
    q, k, v = randn(H, group, D).to(bf16), randn(H, T, D).to(bf16), randn(H, T, D).to(bf16)
    o = torch.empty(H, group, D)
    decode_k[(H,)](q, k, v, o, T, D**-0.5, G=group, D=D, BN=32)
    weights = (q.double() @ k.double().transpose(1, 2) * D**-0.5).softmax(-1)
    close(o, weights @ v.double(), 5e-3)


# The same with keys as rows and queries as columns: fewer columns than an instruction has.
@triton.jit
def scores_k(k, q, o, D: tl.constexpr, N: tl.constexpr, G: tl.constexpr):
    n, d, g = tl.arange(0, N), tl.arange(0, D), tl.arange(0, G)
    K = tl.load(k + n[:, None] * D + d[None, :])
    Q = tl.load(q + g[None, :] * D + d[:, None])
    tl.store(o + n[:, None] * G + g[None, :], tl.dot(K, Q, input_precision="tf32x3"))


@pytest.mark.parametrize("columns", (1, 2, 4))
def test_few_columns(columns):
    for dtype, tolerance in ((f16, 1e-5), (torch.float32, 1e-5)):
        k, q = randn(64, 32).to(dtype), randn(columns, 32).to(dtype)
        o = torch.empty(64, columns)
        scores_k[(1,)](k, q, o, D=32, N=64, G=columns)
        close(o, k.double() @ q.double().T, tolerance)


# Blocks of a product by lists: positions that are read from memory.
@triton.jit
def listed_k(a, b, c, rows, cols, counts, M, N, K, B: tl.constexpr, BK: tl.constexpr):
    p = tl.program_id(0)
    first = tl.load(rows + p) * B + tl.arange(0, B)
    second = tl.load(cols + p) * B + tl.arange(0, B)
    k = tl.arange(0, BK)
    A = a + (first % M)[:, None] * K + k[None, :]
    Bs = b + (second % N)[None, :] * K + k[:, None]
    acc = tl.zeros((B, B), tl.float32)
    for _ in range(tl.load(counts + p)):
        acc += tl.dot(tl.load(A), tl.load(Bs))
        A += BK
        Bs += BK
    block = tl.arange(0, B)
    tl.store(c + p * B * B + block[:, None] * B + block[None, :], acc.to(c.dtype.element_ty))


def test_listed_blocks():
    M, N, K, B, BK = 256, 512, 256, 64, 32
    a, b = randn(M, K).to(bf16), randn(N, K).to(bf16)
    rows, cols = torch.tensor([3, 0, 2, 1, 3], dtype=i32), torch.tensor([0, 7, 5, 5, 2], dtype=i32)
    counts = torch.tensor([8, 8, 1, 4, 0], dtype=i32)
    c = torch.empty(5, B, B)
    listed_k[(5,)](a, b, c, rows, cols, counts, M, N, K, B=B, BK=BK)
    for i in range(5):
        x = a.double()[rows[i] * B : (rows[i] + 1) * B, : counts[i] * BK]
        y = b.double()[cols[i] * B : (cols[i] + 1) * B, : counts[i] * BK]
        assert torch.allclose(c[i].double(), x @ y.T, rtol=1e-4, atol=1e-3)


# One pass over an array: programs wait for those before them, and hand on what they know.
@triton.jit
def lookback_k(x, o, flags, sums, prefixes, n, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    total, before = tl.sum(v), 0
    if p > 0:
        tl.store(sums + p, total)
        tl.debug_barrier()
        tl.atomic_xchg(flags + p, 1, sem="release")
        j = p - 1
        while j >= 0:
            state = tl.atomic_add(flags + j, 0, sem="acquire")
            if state == 2:
                before += tl.load(prefixes + j, volatile=True)
                j = -1
            elif state == 1:
                before += tl.load(sums + j, volatile=True)
                j -= 1
    tl.store(prefixes + p, before + total)
    tl.debug_barrier()
    tl.atomic_xchg(flags + p, 2, sem="release")
    tl.store(o + i, tl.cumsum(v, 0) + before, mask=i < n)


def test_lookback():
    n, BLOCK = 3000, 256
    x = torch.randint(-5, 6, (n,), dtype=i32)
    programs = triton.cdiv(n, BLOCK)
    o, flags, sums, prefixes = torch.empty(n, dtype=i32), *torch.zeros(3, programs, dtype=i32)
    lookback_k[(programs,)](x, o, flags, sums, prefixes, n, BLOCK=BLOCK)
    close(o, x.cumsum(0))


# A ring of states: an outer product in registers a step.
@triton.jit
def delta_k(q, k, v, gate, o, T, D: tl.constexpr, E: tl.constexpr):
    b, d, e = tl.program_id(0), tl.arange(0, D), tl.arange(0, E)
    state = tl.zeros((D, E), tl.float32)
    for t in range(T):
        at = b * T + t
        K, V = tl.load(k + at * D + d), tl.load(v + at * E + e)
        state *= tl.exp(tl.load(gate + at))
        V -= tl.sum(state * K[:, None], 0)
        state += K[:, None] * V[None, :]
        tl.store(o + at * E + e, tl.sum(state * tl.load(q + at * D + d)[:, None], 0))


def test_delta():
    B, T, D, E = 2, 9, 16, 32
    q, v, gate = randn(B, T, D), randn(B, T, E), -randn(B, T).abs()
    k = torch.nn.functional.normalize(randn(B, T, D), dim=-1)
    o = torch.empty(B, T, E)
    delta_k[(B,)](q, k, v, gate, o, T, D=D, E=E, num_warps=1)
    state, wanted = torch.zeros(B, D, E, dtype=torch.float64), []
    for t in range(T):
        K = k[:, t, :, None].double()
        state = state * gate[:, t, None, None].double().exp()
        state = state + K * (v[:, t].double() - (state * K).sum(1))[:, None]
        wanted.append((state * q[:, t, :, None].double()).sum(1))
    close(o, torch.stack(wanted, 1))


# Attention to listed blocks of keys: what a step reads follows from a number that is loaded, and so does what it hides.
@triton.jit
def chosen_k(q, k, v, lists, o, T, n, scale, H: tl.constexpr, D: tl.constexpr, B: tl.constexpr):
    i, h, d, j = tl.program_id(0), tl.arange(0, H), tl.arange(0, D), tl.arange(0, B)
    Q = tl.load(q + (i * H + h)[:, None] * D + d[None, :])
    m = tl.full((H,), -float("inf"), tl.float32)
    total, acc = tl.zeros((H,), tl.float32), tl.zeros((H, D), tl.float32)
    at = lists + i * n
    count = tl.sum(tl.where(tl.load(at + tl.arange(0, 4)) >= 0, 1, 0), 0)
    for _ in range(count):
        first = tl.load(at) * B
        at += 1
        below = first + j < T
        K = tl.load(k + (first + j)[None, :] * D + d[:, None], mask=below[None, :], other=0.0)
        s = tl.dot(Q, K) * scale + tl.where(i >= first + j, 0, -float("inf"))[None, :]
        new = tl.maximum(m, tl.max(s, 1))
        p, back = tl.exp(s - new[:, None]), tl.exp(m - new)
        V = tl.load(v + (first + j)[:, None] * D + d[None, :], mask=below[:, None], other=0.0)
        acc = acc * back[:, None] + tl.dot(p.to(V.dtype), V)
        total, m = total * back + tl.sum(p, 1), new
    tl.store(o + (i * H + h)[:, None] * D + d[None, :], acc / total[:, None])


def test_chosen_blocks():
    T, H, D, B, n = 200, 16, 64, 32, 4
    q, k, v = randn(T, H, D).to(bf16), randn(T, D).to(bf16), randn(T, D).to(bf16)
    lists, hidden = torch.full((T, n), -1, dtype=i32), torch.ones(T, T, dtype=torch.bool)
    for i in range(T):
        blocks = torch.randperm(i // B + 1)[:n]
        lists[i, :len(blocks)] = blocks.to(i32)
        for b in blocks.tolist():
            hidden[i, b * B:min((b + 1) * B, i + 1)] = False
    hidden |= torch.arange(T)[None, :] > torch.arange(T)[:, None]
    o = torch.empty(T, H, D)
    chosen_k[(T,)](q, k, v, lists, o, T, n, D**-0.5, H=H, D=D, B=B)
    scores = torch.einsum("ihd,jd->ihj", q.double(), k.double()) * D**-0.5
    close(o, scores.masked_fill(hidden[:, None], -float("inf")).softmax(-1) @ v.double(), 5e-3)


# What is divided may be below 0: torch.compile's floored quotients ask, of each element, whether the remainder is.
@triton.jit
def floored_k(x, y, quotients, remainders, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    a, b = tl.load(x + at, mask=at < n), tl.load(y + at, mask=at < n, other=1)
    rest, whole = a % b, a // b
    other = (rest != 0) & ((rest < 0) != (b < 0))
    tl.store(quotients + at, tl.where(other, whole - 1, whole), mask=at < n)
    tl.store(remainders + at, tl.where(other, rest + b, rest), mask=at < n)


def test_floored_quotients():
    x, y = torch.randint(-100000, 100000, (5000,), dtype=i32), torch.randint(1, 1000, (5000,), dtype=i32)
    quotients, remainders = torch.zeros_like(x), torch.zeros_like(x)
    floored_k[(5,)](x, y, quotients, remainders, 5000, B=1024)
    assert torch.equal(quotients, torch.div(x, y, rounding_mode="floor")) and torch.equal(remainders, x % y)


# Rows that are read or written upwards, by a stride below 0: no array that a box can be of.
@triton.jit
def upwards_k(a, b, c, K, sa, sb, sc, BK: tl.constexpr):
    i, k = tl.arange(0, 64), tl.arange(0, BK)
    acc = tl.zeros((64, 64), tl.float32)
    for q in range(0, tl.cdiv(K, BK)):
        x = tl.load(a + i[:, None] * sa + (q * BK + k)[None, :])
        y = tl.load(b + (q * BK + k)[:, None] * sb + i[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + i[:, None] * sc + i[None, :], acc)


def test_upwards():
    a, b = randn(64, 128).to(f16), randn(128, 64).to(f16)
    for turns in ((False, False, False), (True, False, False), (False, True, False), (False, False, True), (True, True, True)):
        c = torch.zeros(64, 64)
        ends = [t[-1] if turned else t for t, turned in zip((a, b, c), turns)]
        upwards_k[(1,)](*ends, 128, *[-t.stride(0) if turned else t.stride(0) for t, turned in zip((a, b, c), turns)], BK=32)
        wanted = (a.flip(0) if turns[0] else a).double() @ (b.flip(0) if turns[1] else b).double()
        close(c, wanted.flip(0) if turns[2] else wanted, 1e-5)

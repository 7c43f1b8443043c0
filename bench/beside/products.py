"""Products as libraries write them in Triton: with wrapped rows, biases, batches, masks, and the backward of attention."""
import torch
import triton
import triton.language as tl

import triton_kernels


@triton.jit
def product(a, b, bias, c, m, n, k, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
            GROUP: tl.constexpr, BIAS: tl.constexpr, MASKS: tl.constexpr):
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, GROUP)
    batch = tl.program_id(1).to(tl.int64)
    rows = i * BM + tl.arange(0, BM)[:, None]
    cols = j * BN + tl.arange(0, BN)[None, :]
    ks = tl.arange(0, BK)
    pa = a + batch * sa + rows * k + ks[None, :]
    pb = b + batch * sb + ks[:, None] * n + cols
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        if MASKS:
            x = tl.load(pa, mask=(rows < m) & (ks[None, :] < k - start), other=0.0)
            y = tl.load(pb, mask=(ks[:, None] < k - start) & (cols < n), other=0.0)
        else:
            x = tl.load(pa)
            y = tl.load(pb)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * n
    if BIAS:
        acc += tl.load(bias + cols, mask=cols < n, other=0.0).to(tl.float32)
    tl.store(c + batch * sc + rows * n + cols, acc.to(c.dtype.element_ty), mask=(rows < m) & (cols < n))


@triton.jit
def attention_keys(q, k, v, do, lse, delta, dk, dv, scale, length, D: tl.constexpr, BM: tl.constexpr,
                   BN: tl.constexpr, CAUSAL: tl.constexpr):
    """Gradients of a block of keys and values: steps over the queries that see them. lse is in base 2."""
    first = tl.program_id(0) * BN
    head = tl.program_id(1).to(tl.int64)
    at = head * length * D
    keys = first + tl.arange(0, BN)
    ds = tl.arange(0, D)
    here = at + keys[:, None] * D + ds[None, :]
    kt = tl.load(k + here)
    vt = tl.load(v + here)
    sum_k = tl.zeros((BN, D), tl.float32)
    sum_v = tl.zeros((BN, D), tl.float32)
    begin = 0
    if CAUSAL:
        begin = first // BM * BM
    for start in range(begin, length, BM):
        rows = start + tl.arange(0, BM)
        there = at + rows[:, None] * D + ds[None, :]
        x = tl.load(q + there)
        g = tl.load(do + there)
        p = tl.exp2(tl.dot(kt, tl.trans(x)) * (scale * 1.4426950408889634) - tl.load(lse + head * length + rows)[None, :])
        if CAUSAL:
            p = tl.where(rows[None, :] >= keys[:, None], p, 0.0)
        sum_v = tl.dot(p.to(v.dtype.element_ty), g, sum_v)
        ds_t = p * (tl.dot(vt, tl.trans(g)) - tl.load(delta + head * length + rows)[None, :])
        sum_k = tl.dot(ds_t.to(k.dtype.element_ty), x, sum_k)
    tl.store(dk + here, (sum_k * scale).to(dk.dtype.element_ty))
    tl.store(dv + here, sum_v.to(dv.dtype.element_ty))


@triton.jit
def attention_queries(q, k, v, do, lse, delta, dq, scale, length, D: tl.constexpr, BM: tl.constexpr,
                      BN: tl.constexpr, CAUSAL: tl.constexpr):
    """Gradients of a block of queries: steps over the keys that it sees."""
    first = tl.program_id(0) * BM
    head = tl.program_id(1).to(tl.int64)
    at = head * length * D
    rows = first + tl.arange(0, BM)
    ds = tl.arange(0, D)
    here = at + rows[:, None] * D + ds[None, :]
    x = tl.load(q + here)
    g = tl.load(do + here)
    high = tl.load(lse + head * length + rows)[:, None]
    low = tl.load(delta + head * length + rows)[:, None]
    total = tl.zeros((BM, D), tl.float32)
    end = length
    if CAUSAL:
        end = tl.minimum(first + BM, length)
    for start in range(0, end, BN):
        keys = start + tl.arange(0, BN)
        there = at + keys[:, None] * D + ds[None, :]
        kt = tl.load(k + there)
        p = tl.exp2(tl.dot(x, tl.trans(kt)) * (scale * 1.4426950408889634) - high)
        if CAUSAL:
            p = tl.where(rows[:, None] >= keys[None, :], p, 0.0)
        d = p * (tl.dot(g, tl.trans(tl.load(v + there))) - low)
        total = tl.dot(d.to(k.dtype.element_ty), kt, total)
    tl.store(dq + here, (total * scale).to(dq.dtype.element_ty))


def wrapped(bm, bn, bk, group, warps):
    def run(a, b):
        m, k, n = *a.shape, b.shape[1]
        c = a.new_empty(m, n)
        grid = triton.cdiv(m, bm) * triton.cdiv(n, bn),
        triton_kernels.matmul_pointers[grid](a, b, c, m, n, k, a.stride(0), b.stride(0), b.stride(1), c.stride(0),
                                             bm, bn, bk, group, num_warps=warps)
        return c

    return run


def batched(bm, bn, bk, warps, masks=False):
    def run(a, b, bias=None):
        batch, m, k, n = *a.shape, b.shape[2]
        c = a.new_empty(batch, m, n)
        grid = triton.cdiv(m, bm) * triton.cdiv(n, bn), batch
        product[grid](a, b, c if bias is None else bias, c, m, n, k, m * k, k * n, m * n, bm, bn, bk, 8,
                      bias is not None, masks, num_warps=warps)
        return c

    return run


def attend(q, k, causal):
    s = q @ k.transpose(1, 2) / q.shape[-1]**.5
    if causal:
        s = s.masked_fill(torch.ones_like(s[0], dtype=torch.bool).triu(1), -float("inf"))
    return s


def attention(causal, keys, queries, warps=4):
    """Gradients of q, k and v, which three results of [heads, length, D] in f16 become."""

    def run(q, k, v, do):
        heads, length, d = q.shape
        lse, delta = torch.empty(2, heads, length, device=q.device)
        for h in range(heads):
            s = attend(q[h:h + 1].float(), k[h:h + 1].float(), causal)
            lse[h] = s.logsumexp(-1) * 1.4426950408889634
            delta[h] = ((s.softmax(-1) @ v[h:h + 1].float()) * do[h:h + 1].float()).sum(-1)
        dq, dk, dv = (torch.empty_like(q) for _ in range(3))
        arguments = q, k, v, do, lse, delta
        attention_keys[length // keys[1], heads](*arguments, dk, dv, d**-.5, length, d, *keys, causal, num_warps=warps)
        attention_queries[length // queries[0], heads](*arguments, dq, d**-.5, length, d, *queries, causal, num_warps=warps)
        return dq, dk, dv

    def reference(q, k, v, do):
        results = []
        for parts in zip(*(t.split(1) for t in (q, k, v, do))):
            leaves = [t.detach().requires_grad_(True) for t in parts[:3]]
            out = attend(leaves[0], leaves[1], causal).softmax(-1) @ leaves[2]
            results.append(torch.autograd.grad(out, leaves, parts[3]))
        return tuple(torch.cat(parts) for parts in zip(*results))

    return run, reference


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    f16 = torch.float16
    n = lambda whole: max(128, whole // 16) if small else whole
    pair = lambda m, w, k, *batch: lambda: [make(*batch, n(m), n(k), dtype=f16), make(*batch, n(k), n(w), dtype=f16)]
    found = []
    for bm, bn, bk, group, warps, size in [(128, 256, 64, 8, 8, 4096), (128, 128, 64, 8, 8, 4096), (64, 256, 32, 8, 4, 4096),
                                           (64, 64, 64, 8, 4, 4096), (128, 32, 64, 8, 4, 4096), (32, 64, 32, 8, 2, 2048)]:
        found.append((f"rows wrapped by %, {size} cubed, {bm} x {bn} x {bk}", wrapped(bm, bn, bk, group, warps),
                      lambda a, b: a @ b, pair(size, size, size)))
    for bm, bn, bk, warps, m, w, k in [(64, 64, 64, 4, 1024, 1024, 4096), (64, 64, 64, 4, 2048, 2048, 2048),
                                       (64, 64, 64, 4, 4096, 4096, 4096), (64, 128, 64, 4, 4096, 4096, 4096),
                                       (128, 128, 64, 4, 4096, 4096, 4096)]:
        operands = pair(m, w, k, 1)
        found.append((f"with a bias, {m} x {w} x {k}, {bm} x {bn} x {bk}", batched(bm, bn, bk, warps),
                      lambda a, b, bias: a @ b + bias, lambda operands=operands, w=w: [*operands(), make(n(w), dtype=f16)]))
    for bm, bn, bk, batch, size, masks in [(128, 128, 32, 64, 1024, 0), (64, 64, 32, 64, 1024, 0), (128, 32, 32, 64, 1024, 0),
                                           (32, 32, 32, 64, 1024, 0), (64, 64, 32, 64, 1000, 1), (64, 64, 64, 4096, 64, 0),
                                           (64, 64, 32, 512, 128, 0)]:
        side = n(size) + 8 * (small and masks) if size > 128 else size
        batch = 3 if small else batch
        found.append((f"{batch} of {size} cubed{' with masks' * masks}, {bm} x {bn} x {bk}", batched(bm, bn, bk, 4, bool(masks)),
                      lambda a, b: a @ b, lambda s=side, z=batch: [make(z, s, s, dtype=f16), make(z, s, s, dtype=f16)]))
    for d, heads, causal in [(64, 32, False), (64, 32, True), (128, 16, False), (128, 16, True)]:
        run, reference = attention(causal, (32, 128), (128, 32))
        heads = 2 if small else heads
        found.append((f"attention backward, {heads} x 4096 x {d}{', causal' * causal}", run, reference,
                      lambda d=d, heads=heads: [make(heads, n(4096), d, dtype=f16) for _ in range(4)]))
    return found

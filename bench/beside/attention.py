"""Forms of attention that language models have, in Triton: heads in groups, windows, soft caps, slopes, sequences of different
lengths, pages, 8-bit keys and values, latents, biases. Softmax runs in base 2; what is not seen has a score of -1e30."""
import math

import torch
import triton
import triton.language as tl

LOG2E: tl.constexpr = tl.constexpr(1.4426950408889634)


@triton.jit
def step(high, total, acc, scores, values):
    """Takes a block of scores and the values of its keys into the maximums, the sums and the results."""
    new = tl.maximum(high, tl.max(scores, 1))
    weights = tl.math.exp2(scores - new[:, None])
    fall = tl.math.exp2(high - new)
    acc = tl.dot(weights.to(values.dtype), values, acc * fall[:, None])
    return new, total * fall + tl.sum(weights, 1), acc


@triton.jit
def start(BM: tl.constexpr, D: tl.constexpr):
    return tl.full([BM], -1e30, tl.float32), tl.zeros([BM], tl.float32), tl.zeros([BM, D], tl.float32)


@triton.jit
def forward(q, k, v, out, slopes, qb, qh, qm, kb, kh, kn, vb, vh, vn, heads, groups, length, scale, DEPTH: tl.constexpr,
            D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr, WINDOW: tl.constexpr,
            CAP: tl.constexpr, SLOPES: tl.constexpr):
    """Arrays of any pitch; D is DEPTH or the power of two behind it; out is like q."""
    i, head, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2).to(tl.int64)
    shared = head // (heads // groups)
    rows, keys, ds = i * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    here = batch * qb + head * qh + rows[:, None] * qm + ds[None, :]
    mask = (rows[:, None] < length) & (ds[None, :] < DEPTH)
    x = tl.load(q + here, mask=mask, other=0.0)
    pk = k + batch * kb + shared * kh + keys[None, :] * kn + ds[:, None]
    pv = v + batch * vb + shared * vh + keys[:, None] * vn + ds[None, :]
    high, total, acc = start(BM, D)
    first, end = 0, length
    if CAUSAL:
        end = tl.minimum(length, (i + 1) * BM)
    if WINDOW:
        first = tl.maximum(0, i * BM - WINDOW) // BN * BN
    if SLOPES:
        slope = tl.load(slopes + head)
    for j in range(first, end, BN):
        at = j + keys
        y = tl.load(pk + j * kn, mask=(at[None, :] < length) & (ds[:, None] < DEPTH), other=0.0)
        s = tl.dot(x, y) * scale
        if CAP > 0:
            s = CAP * (1 - 2 / (tl.math.exp2(s * (2 * LOG2E / CAP)) + 1))
        if SLOPES:
            s += slope * (at[None, :] - rows[:, None]).to(tl.float32)
        seen = at[None, :] < length
        if CAUSAL:
            seen &= at[None, :] <= rows[:, None]
        if WINDOW:
            seen &= rows[:, None] - at[None, :] < WINDOW
        s = tl.where(seen, s * LOG2E, -1e30)
        z = tl.load(pv + j * vn, mask=(at[:, None] < length) & (ds[None, :] < DEPTH), other=0.0)
        high, total, acc = step(high, total, acc, s, z)
    tl.store(out + here, (acc / total[:, None]).to(out.dtype.element_ty), mask=mask)


@triton.jit
def sequences(q, k, v, out, starts, heads, groups, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Sequences behind one another, [tokens, heads, D]: the i-th begins at starts[i]; causal."""
    i, head, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    first = tl.load(starts + batch)
    length = tl.load(starts + batch + 1) - first
    if i * BM >= length:
        return
    rows, keys, ds = i * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    here = (first + rows)[:, None] * (heads * D) + head * D + ds[None, :]
    x = tl.load(q + here, mask=rows[:, None] < length, other=0.0)
    shared = head // (heads // groups) * D
    pk = k + (first + keys)[None, :] * (groups * D) + shared + ds[:, None]
    pv = v + (first + keys)[:, None] * (groups * D) + shared + ds[None, :]
    high, total, acc = start(BM, D)
    for j in range(0, tl.minimum(length, (i + 1) * BM), BN):
        at = j + keys
        s = tl.dot(x, tl.load(pk + j * groups * D, mask=at[None, :] < length, other=0.0)) * (scale * LOG2E)
        s = tl.where((at[None, :] < length) & (at[None, :] <= rows[:, None]), s, -1e30)
        z = tl.load(pv + j * groups * D, mask=at[:, None] < length, other=0.0)
        high, total, acc = step(high, total, acc, s, z)
    tl.store(out + here, (acc / total[:, None]).to(out.dtype.element_ty), mask=rows[:, None] < length)


@triton.jit
def pages(q, k, v, out, table, lengths, per_row, groups, scale, EACH: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr,
          PAGE: tl.constexpr, BN: tl.constexpr):
    """One query a head, EACH heads a group in ROWS rows; keys and values are [page, place, group, D], and table says which
    pages a sequence has."""
    batch, group = tl.program_id(0), tl.program_id(1)
    length = tl.load(lengths + batch)
    rows, keys, ds = tl.arange(0, ROWS), tl.arange(0, BN), tl.arange(0, D)
    here = (batch * groups + group) * EACH * D + rows[:, None] * D + ds[None, :]
    x = tl.load(q + here, mask=rows[:, None] < EACH, other=0.0)
    high, total, acc = start(ROWS, D)
    for j in range(0, length, BN):
        at = j + keys
        page = tl.load(table + batch * per_row + at // PAGE, mask=at < length, other=0).to(tl.int64)
        place = ((page * PAGE + at % PAGE) * groups + group) * D
        y = tl.load(k + place[None, :] + ds[:, None], mask=at[None, :] < length, other=0.0)
        s = tl.where(at[None, :] < length, tl.dot(x, y.to(x.dtype)) * (scale * LOG2E), -1e30)
        z = tl.load(v + place[:, None] + ds[None, :], mask=at[:, None] < length, other=0.0)
        high, total, acc = step(high, total, acc, s, z.to(x.dtype))
    tl.store(out + here, (acc / total[:, None]).to(out.dtype.element_ty), mask=rows[:, None] < EACH)


@triton.jit
def whole_pages(q, k, v, out, table, lengths, per_row, queries, heads, groups, scale, D: tl.constexpr, PAGE: tl.constexpr,
                BM: tl.constexpr):
    """Many queries a head, which see all keys, a page a step."""
    i, head, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    length = tl.load(lengths + batch)
    rows, keys, ds = i * BM + tl.arange(0, BM), tl.arange(0, PAGE), tl.arange(0, D)
    here = ((batch * queries + rows[:, None]) * heads + head) * D + ds[None, :]
    x = tl.load(q + here, mask=rows[:, None] < queries, other=0.0)
    high, total, acc = start(BM, D)
    for j in range(0, length, PAGE):
        page = tl.load(table + batch * per_row + j // PAGE).to(tl.int64)
        first = (page * PAGE * groups + head // (heads // groups)) * D
        s = tl.dot(x, tl.load(k + first + keys[None, :] * (groups * D) + ds[:, None])) * (scale * LOG2E)
        s = tl.where((j + keys)[None, :] < length, s, -1e30)
        high, total, acc = step(high, total, acc, s, tl.load(v + first + keys[:, None] * (groups * D) + ds[None, :]))
    tl.store(out + here, (acc / total[:, None]).to(out.dtype.element_ty), mask=rows[:, None] < queries)


@triton.jit
def latents(q, c, out, table, lengths, per_row, heads, scale, HEADS: tl.constexpr, VALUE: tl.constexpr,
            PLACE: tl.constexpr, PAGE: tl.constexpr, BN: tl.constexpr):
    """One query a head; all heads share VALUE numbers of a key, which are its value, too, and PLACE more for its place."""
    batch = tl.program_id(0)
    width: tl.constexpr = VALUE + PLACE
    length = tl.load(lengths + batch)
    rows, keys = tl.program_id(1) * HEADS + tl.arange(0, HEADS), tl.arange(0, BN)
    ds, ps = tl.arange(0, VALUE), VALUE + tl.arange(0, PLACE)
    here = q + (batch * heads + rows[:, None]) * width
    x, xp = tl.load(here + ds[None, :]), tl.load(here + ps[None, :])
    high, total, acc = start(HEADS, VALUE)
    for j in range(0, length, BN):
        at = j + keys
        page = tl.load(table + batch * per_row + at // PAGE, mask=at < length, other=0)
        place = (page * PAGE + at % PAGE) * width
        y = tl.load(c + place[None, :] + ds[:, None], mask=at[None, :] < length, other=0.0)
        yp = tl.load(c + place[None, :] + ps[:, None], mask=at[None, :] < length, other=0.0)
        s = tl.dot(xp, yp, tl.dot(x, y)) * (scale * LOG2E)
        high, total, acc = step(high, total, acc, tl.where(at[None, :] < length, s, -1e30), tl.trans(y))
    there = out + (batch * heads + rows[:, None]) * VALUE + ds[None, :]
    tl.store(there, (acc / total[:, None]).to(out.dtype.element_ty))


# --- functions, and what they compute --------------------------------------------


def attend(q, k, v, bias=0.0, cap=0.0):
    """Of [.., queries, D] and as many heads of keys."""
    s = q @ k.transpose(-1, -2) / q.shape[-1]**.5
    if cap:
        s = cap * torch.tanh(s / cap)
    return (s + bias).softmax(-1) @ v


def unseen(length, like, causal=True, window=0):
    """-inf where a query does not see a key, else 0."""
    place = torch.arange(length, device=like.device)
    back = place[:, None] - place[None, :]
    hidden = (back < 0) & causal | (back >= window) & (window > 0)
    return torch.zeros(length, length, dtype=like.dtype, device=like.device).masked_fill(hidden, -math.inf)


def dense(bm, bn, warps, causal=True, window=0, cap=0.0, slopes=False):
    """q is [batch, length, heads, D], k and v have fewer heads."""

    def slope(q):
        return torch.exp2(-torch.arange(1, q.shape[2] + 1, device=q.device, dtype=torch.float32) / 4)

    def run(q, k, v):
        out = torch.empty_like(q)
        batch, length, heads, d = q.shape
        pitches = [p for t in (q, k, v) for p in (t.stride(0), t.stride(2), t.stride(1))]
        forward[triton.cdiv(length, bm), heads, batch](q, k, v, out, slope(q), *pitches, heads, k.shape[2], length, d**-.5, d,
                                                       triton.next_power_of_2(d), bm, bn, causal, window, cap, slopes,
                                                       num_warps=warps)
        return out

    def reference(q, k, v):
        each, length = q.shape[2] // k.shape[2], q.shape[1]
        place = torch.arange(length, device=q.device)
        far = slope(q).to(q.dtype)[:, None, None] * (place[None, :] - place[:, None]) * slopes
        results = []
        for x, y, z in zip(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)):
            y, z = y.repeat_interleave(each, 0), z.repeat_interleave(each, 0)
            results.append(attend(x, y, z, unseen(length, x, causal, window) + far, cap))
        return torch.stack(results).transpose(1, 2)

    return run, reference


def packed(bm, bn, warps):
    def run(q, k, v, starts):
        out = torch.empty_like(q)
        longest = (starts[1:] - starts[:-1]).max().item()
        grid = triton.cdiv(longest, bm), q.shape[1], len(starts) - 1
        sequences[grid](q, k, v, out, starts, q.shape[1], k.shape[1], q.shape[2]**-.5, q.shape[2], bm, bn, num_warps=warps)
        return out

    def reference(q, k, v, starts):
        whole = dense(bm, bn, warps)[1]
        parts = zip(*(t.split((starts[1:] - starts[:-1]).tolist()) for t in (q, k, v)))
        return torch.cat([whole(*(t[None] for t in part))[0] for part in parts])

    return run, reference


def gathered(pages, table, length):
    """[keys, ..] of a sequence."""
    return pages[table.long()].flatten(0, 1)[:length]


def paged(bn, warps, kernel=pages, bm=0):
    """q is [batch, heads, D], or [batch, queries, heads, D]; k and v are [pages, places, groups, D]."""

    def run(q, k, v, table, lengths):
        out = torch.empty_like(q)
        (page, groups, d), heads = k.shape[1:], q.shape[-2]
        each, last = heads // groups, (k, v, out, table, lengths, table.stride(0))
        if kernel is pages:
            pages[q.shape[0], groups](q, *last, groups, d**-.5, each, max(16, each), d, page, bn, num_warps=warps)
        else:
            grid = triton.cdiv(q.shape[1], bm), heads, q.shape[0]
            whole_pages[grid](q, *last, q.shape[1], heads, groups, d**-.5, d, page, bm, num_warps=warps)
        return out

    def reference(q, k, v, table, lengths):
        each = q.shape[-2] // k.shape[2]
        results = []
        for x, pages, length in zip(q if q.dim() == 4 else q[:, None], table, lengths.tolist()):
            y, z = (gathered(t, pages, length).repeat_interleave(each, 1).transpose(0, 1) for t in (k, v))
            results.append(attend(x.transpose(0, 1), y, z).transpose(0, 1))
        return torch.stack(results).view(q.shape)

    return run, reference


def latent(heads, bn, warps, stages, place):
    def run(q, c, table, lengths):
        value = c.shape[2] - place
        out = q.new_empty(*q.shape[:2], value)
        latents[q.shape[0], q.shape[1] // heads](q, c, out, table, lengths, table.stride(0), q.shape[1], c.shape[2]**-.5,
                                                 heads, value, place, c.shape[1], bn, num_warps=warps, num_stages=stages)
        return out

    def reference(q, c, table, lengths):
        results = []
        for x, pages, length in zip(q, table, lengths.tolist()):
            y = gathered(c, pages, length)
            results.append(attend(x, y, y[:, :c.shape[2] - place]))
        return torch.stack(results)

    return run, reference


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    f16 = torch.float16
    ints = lambda values: torch.tensor(values, dtype=torch.int32, device=make(1).device)

    def heads(length, depth, dtype=f16, batch=2, heads=32, groups=8):
        batch, heads, groups, length = (1, 4, 2, length // 16) if small else (batch, heads, groups, length)
        return lambda: [make(batch, length, h, depth, dtype=dtype) for h in (heads, groups, groups)]

    def packs(depth, lengths=(4000, 1500, 37, 2800, 511, 4096, 1, 3000)):
        lengths = [1 + n // 16 for n in lengths] if small else lengths
        starts = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
        return lambda: [*(make(starts[-1], h, depth, dtype=f16) for h in ((4, 2, 2) if small else (32, 8, 8))), ints(starts)]

    def cache(page, *shape, dtype=f16, queries=(), q=f16, arrays=2, width=128):
        """Queries, pages that lie anywhere, the table and the lengths of sequences."""
        batch, most = (3, 256) if small else (4 if queries else 64, 4096)
        queries = [max(16, n // 16) if small else n for n in queries]

        def operands():
            lengths = torch.randint(most // 2, most + 1, (batch, ), device=make(1).device, dtype=torch.int32)
            count = batch * (most // page)
            table = torch.randperm(count, device=lengths.device).view(batch, -1).to(torch.int32)
            kept = [make(count, page, *shape[1:], width, dtype=q).to(dtype) for _ in range(arrays)]
            return [make(batch, *queries, shape[0], width, dtype=q), *kept, table, lengths]

        return operands

    found = [("heads in groups, causal, D = 128", *dense(128, 64, 8), heads(4096, 128)),
             ("heads in groups, D = 128", *dense(128, 64, 8, causal=False), heads(4096, 128)),
             ("heads in groups, causal, 3000 of bf16", *dense(128, 64, 8), heads(3000, 128, torch.bfloat16)),
             ("heads in groups, causal, D = 64, 4 warps", *dense(64, 64, 4), heads(4096, 64)),
             ("window of 1024", *dense(128, 64, 8, window=64 if small else 1024), heads(8192, 128, batch=1)),
             ("soft cap", *dense(128, 64, 8, cap=30.0), heads(4096, 128)),
             ("slopes (ALiBi)", *dense(128, 64, 8, slopes=True), heads(4096, 128)),
             ("D = 96", *dense(128, 64, 8), heads(4096, 96)), ("D = 80", *dense(128, 64, 8), heads(4096, 80))]
    found += [("sequences of 1 to 4096, D = 128", *packed(128, 64, 8), packs(128)),
              ("sequences of 1 to 4096, D = 64, 4 warps", *packed(64, 64, 4), packs(64))]
    group = (4, 2) if small else (64, 8)
    found += [("pages of 16", *paged(64, 4), cache(16, *group)), ("pages of 64", *paged(64, 4), cache(64, *group)),
              ("pages of 16, e4m3", *paged(64, 4), cache(16, *group, dtype=torch.float8_e4m3fn)),
              ("pages of 64, 1024 queries", *paged(64, 8, whole_pages, 128), cache(64, 4 if small else 32, group[1], queries=(1024, )))]
    wide, place = (80, 16) if small else (576, 64)
    cached = lambda page: cache(page, 64 if small else 128, q=torch.bfloat16, dtype=torch.bfloat16, arrays=1, width=wide)
    found += [("latents, 16 heads", *latent(16, 32, 4, 2, place), cached(16)),
              ("latents, 64 heads", *latent(64, 64, 8, 1, place), cached(64))]
    return found

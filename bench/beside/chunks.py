"""Linear attention by chunks, in Triton: recurrences of states, triangular systems, gates of each channel by rows, running sums,
state spaces, stick-breaking weights."""
import torch
import triton
import triton.language as tl


@triton.jit
def box(p, first, heads, length, C: tl.constexpr, D: tl.constexpr, j, W: tl.constexpr):
    """Pointers and mask of C rows from `first`, of W channels of D from j * W, of an array [length, heads, D]."""
    rows = first + tl.arange(0, C)
    return p + rows[:, None] * (heads * D) + (j * W + tl.arange(0, W))[None, :], (rows < length)[:, None]


@triton.jit
def gram(k, beta, g, out, heads, length, C: tl.constexpr, D: tl.constexpr, W: tl.constexpr):
    """A = beta (k k') exp(g - g'), below the diagonal."""
    first, head = tl.program_id(0) * C, tl.program_id(1)
    if first >= length:
        return
    rows = first + tl.arange(0, C)
    a = tl.zeros([C, C], tl.float32)
    for j in range(D // W):
        p, m = box(k + head * D, first, heads, length, C, D, j, W)
        x = tl.load(p, mask=m, other=0.0)
        a += tl.dot(x, tl.trans(x))
    gates = tl.load(g + rows * heads + head, mask=rows < length, other=0.0)
    b = tl.load(beta + rows * heads + head, mask=rows < length, other=0.0).to(tl.float32)
    i = tl.arange(0, C)
    low = (i[:, None] > i[None, :]) & (rows < length)[:, None]
    a = tl.where(low, a * b[:, None] * tl.exp(gates[:, None] - gates[None, :]), 0.0)
    tl.store(out + (rows * heads + head)[:, None] * C + i[None, :], a, mask=(rows < length)[:, None])


@triton.jit
def invert(a, out, heads, length, C: tl.constexpr):
    """(1 + A)^-1 of blocks of C rows, a row behind the other: what is above a row is known."""
    first, head = tl.program_id(0) * C, tl.program_id(1)
    i = tl.arange(0, C)
    p = (first + i)[:, None] * (heads * C) + head * C + i[None, :]
    x = -tl.load(a + p, mask=(first + i < length)[:, None], other=0.0)
    for r in range(1, C):
        row = -tl.load(a + ((first + r) * heads + head) * C + i, mask=(i < r) & (first + r < length), other=0.0)
        row += tl.sum(row[:, None] * x, 0)
        x = tl.where((i == r)[:, None], row[None, :], x)
    x += i[:, None] == i[None, :]
    tl.store(out + p, x.to(out.dtype.element_ty), mask=(first + i < length)[:, None])


@triton.jit
def corrected(k, v, beta, g, a, w, u, heads, length, C: tl.constexpr, D: tl.constexpr, W: tl.constexpr):
    """w = A (beta exp(g) k) and u = A (beta v)."""
    first, head = tl.program_id(0) * C, tl.program_id(1)
    rows, i = first + tl.arange(0, C), tl.arange(0, C)
    inside = rows < length
    x = tl.load(a + (rows * heads + head)[:, None] * C + i[None, :], mask=inside[:, None], other=0.0)
    b = tl.load(beta + rows * heads + head, mask=inside, other=0.0).to(tl.float32)
    e = b * tl.exp(tl.load(g + rows * heads + head, mask=inside, other=0.0))
    for j in range(D // W):
        p, m = box(v + head * D, first, heads, length, C, D, j, W)
        y = tl.dot(x, (tl.load(p, mask=m, other=0.0) * b[:, None]).to(x.dtype))
        p, m = box(u + head * D, first, heads, length, C, D, j, W)
        tl.store(p, y.to(u.dtype.element_ty), mask=m)
    for j in range(D // W):
        p, m = box(k + head * D, first, heads, length, C, D, j, W)
        y = tl.dot(x, (tl.load(p, mask=m, other=0.0) * e[:, None]).to(x.dtype))
        p, m = box(w + head * D, first, heads, length, C, D, j, W)
        tl.store(p, y.to(w.dtype.element_ty), mask=m)


@triton.jit
def states(k, u, w, g, fresh, out, heads, length, C: tl.constexpr, D: tl.constexpr, W: tl.constexpr):
    """The state in front of each chunk, W of its columns: u - w h goes to `fresh`, and what follows from it into h."""
    j, head = tl.program_id(0), tl.program_id(1)
    ds, ws = tl.arange(0, D), j * W + tl.arange(0, W)
    h = tl.zeros([D, W], tl.float32)
    for chunk in range(tl.cdiv(length, C)):
        first = chunk * C
        p = out + ((chunk * heads + head) * D + ds)[:, None] * D + ws[None, :]
        tl.store(p, h.to(out.dtype.element_ty))
        p, m = box(w + head * D, first, heads, length, C, D, 0, D)
        y = tl.dot(tl.load(p, mask=m, other=0.0), h.to(w.dtype.element_ty))
        p, m = box(u + head * D, first, heads, length, C, D, j, W)
        y = tl.load(p, mask=m, other=0.0).to(tl.float32) - y
        p, m = box(fresh + head * D, first, heads, length, C, D, j, W)
        tl.store(p, y.to(fresh.dtype.element_ty), mask=m)
        rows, last = first + tl.arange(0, C), tl.minimum(first + C, length) - 1
        end = tl.load(g + last * heads + head)
        gates = tl.load(g + rows * heads + head, mask=rows < length, other=0.0)
        y = tl.where((rows < length)[:, None], y * tl.exp(end - gates)[:, None], 0.0)
        p, m = box(k + head * D, first, heads, length, C, D, 0, D)
        h = h * tl.exp(end) + tl.dot(tl.trans(tl.load(p, mask=m, other=0.0)), y.to(k.dtype.element_ty))


@triton.jit
def outputs(q, k, v, h, g, out, scale, heads, length, C: tl.constexpr, D: tl.constexpr, W: tl.constexpr, N: tl.constexpr):
    """o = exp(g) q h + (q k' exp(g - g'), not above the diagonal) v; q and k N channels a step."""
    j, chunk, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    first = chunk * C
    rows, i = first + tl.arange(0, C), tl.arange(0, C)
    o, a = tl.zeros([C, W], tl.float32), tl.zeros([C, C], tl.float32)
    for n in range(D // N):
        p, m = box(q + head * D, first, heads, length, C, D, n, N)
        x = tl.load(p, mask=m, other=0.0)
        p, m = box(k + head * D, first, heads, length, C, D, n, N)
        y = tl.load(p, mask=m, other=0.0)
        p = h + ((chunk * heads + head) * D + n * N + tl.arange(0, N))[:, None] * D + (j * W + tl.arange(0, W))[None, :]
        o += tl.dot(x, tl.load(p))
        a += tl.dot(x, tl.trans(y))
    gates = tl.load(g + rows * heads + head, mask=rows < length, other=0.0)
    a = tl.where(i[:, None] >= i[None, :], a * tl.exp(gates[:, None] - gates[None, :]), 0.0)
    p, m = box(v + head * D, first, heads, length, C, D, j, W)
    y = tl.load(p, mask=m, other=0.0)
    o = o * tl.exp(gates)[:, None] + tl.dot(a.to(y.dtype), y)
    p, m = box(out + head * D, first, heads, length, C, D, j, W)
    tl.store(p, (o * scale).to(out.dtype.element_ty), mask=m)


def delta_rule(C, W, warps):
    def run(q, k, v, g, beta):
        length, heads, D = q.shape
        chunks = triton.cdiv(length, C)
        g = torch.cat([x.cumsum(0) for x in g.split(C)])
        a = g.new_empty(length, heads, C)
        b, w, u, fresh, o = q.new_empty(length, heads, C), *(torch.empty_like(q) for _ in range(4))
        h = q.new_empty(chunks, heads, D, D)
        gram[chunks, heads](k, beta, g, a, heads, length, C, D, W, num_warps=warps)
        invert[chunks, heads](a, b, heads, length, C, num_warps=4)
        corrected[chunks, heads](k, v, beta, g, b, w, u, heads, length, C, D, W, num_warps=warps)
        states[D // W, heads](k, u, w, g, fresh, h, heads, length, C, D, W, num_warps=4)
        outputs[D // W, chunks, heads](q, k, fresh, h, g, o, D**-.5, heads, length, C, D, W, W, num_warps=warps)
        return o

    return run


def delta_rule_in_steps(q, k, v, g, beta):
    length, heads, D = q.shape
    h, o = q.new_zeros(heads, D, D), torch.empty_like(v)
    for t in range(length):
        h = h * g[t].exp()[:, None, None]
        h = h + k[t, :, :, None] * (beta[t, :, None] * (v[t] - (k[t, :, :, None] * h).sum(1)))[:, None, :]
        o[t] = (q[t, :, :, None] * h).sum(1)
    return o * D**-.5


@triton.jit
def gated_scores(q, k, g, out, scale, heads, length, C: tl.constexpr, D: tl.constexpr, W: tl.constexpr, B: tl.constexpr):
    """q k' with a gate for each channel: blocks of B rows in front of this one by a dot, its own rows one by one."""
    first, block, head = tl.program_id(0) * C, tl.program_id(1), tl.program_id(2)
    begin = first + block * B
    if begin >= length:
        return
    i = tl.arange(0, B)
    rows = begin + i
    for before in range(block):
        a = tl.zeros([B, B], tl.float32)
        for j in range(D // W):
            at = j * W + tl.arange(0, W)
            edge = tl.load(g + (begin * heads + head) * D + at)
            p, m = box(q + head * D, begin, heads, length, B, D, j, W)
            pg, m = box(g + head * D, begin, heads, length, B, D, j, W)
            x = tl.load(p, mask=m, other=0.0) * tl.exp(tl.load(pg, mask=m, other=0.0) - edge[None, :])
            p, m = box(k + head * D, first + before * B, heads, length, B, D, j, W)
            pg, m = box(g + head * D, first + before * B, heads, length, B, D, j, W)
            y = tl.load(p, mask=m, other=0.0) * tl.exp(edge[None, :] - tl.load(pg, mask=m, other=0.0))
            a += tl.dot(x.to(q.dtype.element_ty), tl.trans(y.to(q.dtype.element_ty)))
        tl.store(out + (rows * heads + head)[:, None] * C + before * B + i[None, :], a * scale, mask=(rows < length)[:, None])
    ds = tl.arange(0, D)
    p, m = box(q + head * D, begin, heads, length, B, D, 0, D)
    pg, m = box(g + head * D, begin, heads, length, B, D, 0, D)
    x, gates = tl.load(p, mask=m, other=0.0), tl.load(pg, mask=m, other=0.0)
    pk, pg = k + (begin * heads + head) * D + ds, g + (begin * heads + head) * D + ds
    for r in range(0, tl.minimum(B, length - begin)):
        y = tl.load(pk).to(tl.float32)[None, :] * tl.exp(gates - tl.load(pg)[None, :])
        s = tl.where(i >= r, tl.sum(x * y, 1) * scale, 0.0)
        tl.store(out + (rows * heads + head) * C + block * B + r, s, mask=rows < length)
        pk += heads * D
        pg += heads * D


@triton.jit
def gated_keys(q, g, a, dk, heads, length, C: tl.constexpr, D: tl.constexpr, B: tl.constexpr, W: tl.constexpr):
    """dk = sum of a exp(g - g') q over the rows of the chunk from a row on: later blocks by dots, its own rows one by one."""
    j, at, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    blocks: tl.constexpr = C // B
    block, first = at % blocks, at // blocks * C
    begin = first + block * B
    if begin >= length:
        return
    i = tl.arange(0, B)
    rows, ws = begin + i, j * W + tl.arange(0, W)
    pg, m = box(g + head * D, begin, heads, length, B, D, j, W)
    gates = tl.load(pg, mask=m, other=0.0)
    last = tl.minimum(begin + B, length) - 1
    edge = tl.load(g + (last * heads + head) * D + ws)
    d = tl.zeros([B, W], tl.float32)
    for later in range(block + 1, tl.minimum(blocks, tl.cdiv(length - first, B))):
        p, m = box(q + head * D, first + later * B, heads, length, B, D, j, W)
        pg, m = box(g + head * D, first + later * B, heads, length, B, D, j, W)
        x = tl.load(p, mask=m, other=0.0) * tl.exp(tl.load(pg, mask=m, other=0.0) - edge[None, :])
        x = tl.where(m, x, 0.0)
        there = first + later * B + i
        s = tl.load(a + (there * heads + head)[None, :] * C + block * B + i[:, None], mask=(there < length)[None, :], other=0.0)
        d += tl.dot(s, x.to(s.dtype))
    d *= tl.exp(edge[None, :] - gates)
    pq, pg = q + (begin * heads + head) * D + ws, g + (begin * heads + head) * D + ws
    pa = a + (begin * heads + head) * C + block * B + i
    for r in range(0, tl.minimum(B, length - begin)):
        x = tl.load(pq).to(tl.float32)[None, :] * tl.exp(tl.load(pg)[None, :] - gates)
        d += tl.where((i <= r)[:, None], tl.load(pa).to(tl.float32)[:, None] * x, 0.0)
        pq += heads * D
        pg += heads * D
        pa += heads * C
    p, m = box(dk + head * D, begin, heads, length, B, D, j, W)
    tl.store(p, d, mask=m)


def gated(C, W, B, warps):
    def run(q, k, g):
        length, heads, D = q.shape
        g = torch.cat([x.cumsum(0) for x in g.split(C)])
        a, dk = g.new_zeros(length, heads, C), torch.empty_like(g)
        gated_scores[triton.cdiv(length, C), C // B, heads](q, k, g, a, D**-.5, heads, length, C, D, W, B, num_warps=warps)
        s = a.to(q.dtype)
        gated_keys[D // W, triton.cdiv(length, C) * (C // B), heads](q, g, s, dk, heads, length, C, D, B, W, num_warps=warps)
        return s, dk.to(q.dtype)

    return run


def gated_whole(C):
    def run(q, k, g):
        a, dk = [], []
        for x, y, z in zip(q.split(C), k.split(C), g.split(C)):
            z = z.cumsum(0)
            n, low = len(x), torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril()
            e = torch.where(low[:, :, None, None], (z[:, None] - z[None]).exp(), 0)
            s = torch.einsum("ihd,jhd,ijhd->ihj", x, y, e) * x.shape[2]**-.5
            dk.append(torch.einsum("ihj,ihd,ijhd->jhd", s, x, e))
            a.append(torch.nn.functional.pad(s, (0, C - n)))
        return torch.cat(a), torch.cat(dk)

    return run


@triton.jit
def running(x, out, before, heads, length, C: tl.constexpr, D: tl.constexpr, W: tl.constexpr):
    """Sums of the rows of a chunk up to each, with and without it: products with triangles of ones."""
    j, first, head = tl.program_id(0), tl.program_id(1) * C, tl.program_id(2)
    i = tl.arange(0, C)
    upto = tl.where(i[:, None] >= i[None, :], 1.0, 0.0)
    below = tl.where(i[:, None] > i[None, :], 1.0, 0.0)
    p, m = box(x + head * D, first, heads, length, C, D, j, W)
    y = tl.load(p, mask=m, other=0.0).to(tl.float32)
    p, m = box(out + head * D, first, heads, length, C, D, j, W)
    tl.store(p, tl.dot(upto, y), mask=m)
    p, m = box(before + head * D, first, heads, length, C, D, j, W)
    tl.store(p, tl.dot(below, y), mask=m)


def running_sums(C, W, warps):
    def run(x):
        length, heads, D = x.shape
        out, before = (torch.empty_like(x, dtype=torch.float32) for _ in range(2))
        running[D // W, triton.cdiv(length, C), heads](x, out, before, heads, length, C, D, W, num_warps=warps)
        return out, before

    return run


def sums_of(C):
    def run(x):
        out = torch.cat([y.cumsum(0) for y in x.split(C)])
        return out, out - x

    return run


@triton.jit
def sticks(q, k, v, out, scale, heads, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Stick-breaking attention: keys from the nearest to the first, each takes its share of what is left."""
    i, head = tl.program_id(0), tl.program_id(1)
    first = i * BM
    rows, n = first + tl.arange(0, BM), tl.arange(0, BN)
    p, m = box(q + head * D, first, heads, length, BM, D, 0, D)
    x = tl.load(p, mask=m, other=0.0)
    behind = tl.where(n[:, None] > n[None, :], 1.0, 0.0).to(tl.bfloat16)
    acc, left = tl.zeros([BM, D], tl.float32), tl.zeros([BM], tl.float32)
    for step in range(0, tl.cdiv(first + BM, BN)):
        at = (tl.cdiv(first + BM, BN) - 1 - step) * BN
        pk, mk = box(k + head * D, at, heads, length, BN, D, 0, D)
        y = tl.load(pk, mask=mk, other=0.0)
        s = tl.dot(x, tl.trans(y)) * scale
        seen = (at + n)[None, :] < rows[:, None]
        rest = tl.where(seen, -tl.maximum(s, 0.0) - tl.log(1 + tl.exp(-tl.abs(s))), 0.0)
        high = rest.to(tl.bfloat16)
        low = (rest - high.to(tl.float32)).to(tl.bfloat16)
        s = s + rest + tl.dot(high, behind) + tl.dot(low, behind) + left[:, None]
        weights = tl.where(seen, tl.exp(s), 0.0)
        left += tl.sum(rest, 1)
        pv, mv = box(v + head * D, at, heads, length, BN, D, 0, D)
        z = tl.load(pv, mask=mv, other=0.0)
        acc = tl.dot(weights.to(z.dtype), z, acc)
    p, m = box(out + head * D, first, heads, length, BM, D, 0, D)
    tl.store(p, acc.to(out.dtype.element_ty), mask=m)


def stick_breaking(bm, bn, warps):
    def run(q, k, v):
        length, heads, D = q.shape
        o = torch.empty_like(q)
        sticks[triton.cdiv(length, bm), heads](q, k, v, o, D**-.5, heads, length, D, bm, bn, num_warps=warps)
        return o

    return run


def sticks_whole(q, k, v):
    length, heads, D = q.shape
    out = torch.empty_like(q)
    low = torch.ones(length, length, dtype=torch.bool, device=q.device).tril(-1)
    for h in range(heads):
        s = q[:, h] @ k[:, h].t() * D**-.5
        rest = torch.where(low, torch.nn.functional.logsigmoid(-s), 0)
        after = rest.flip(1).cumsum(1).flip(1) - rest
        out[:, h] = torch.where(low, (torch.nn.functional.logsigmoid(s) + after).exp(), 0) @ v[:, h]
    return out


@triton.jit
def scanned(c, b, x, dt, a, h, out, heads, length, C: tl.constexpr, N: tl.constexpr, D: tl.constexpr, BM: tl.constexpr,
            BK: tl.constexpr):
    """A chunk of a state space with one B and C for all heads: its state in front, and its own steps up to each row."""
    i, chunk, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    first = chunk * C
    rows, ns, ds, ks = i * BM + tl.arange(0, BM), tl.arange(0, N), tl.arange(0, D), tl.arange(0, BK)
    end = tl.minimum(C, length - first)
    y = tl.load(c + (first + rows)[:, None] * N + ns[None, :], mask=(rows < end)[:, None], other=0.0)
    mine = tl.load(a + (first + rows) * heads + head, mask=rows < end, other=0.0)
    state = tl.load(h + ((chunk * heads + head) * N + ns)[:, None] * D + ds[None, :])
    acc = tl.dot(y, state) * tl.exp(mine)[:, None]
    for at in range(0, tl.minimum(end, (i + 1) * BM), BK):
        inside = at + ks < end
        z = tl.load(b + (first + at + ks)[None, :] * N + ns[:, None], mask=inside[None, :], other=0.0)
        theirs = tl.load(a + (first + at + ks) * heads + head, mask=inside, other=0.0)
        steps = tl.load(dt + (first + at + ks) * heads + head, mask=inside, other=0.0)
        s = tl.dot(y, z) * tl.exp(mine[:, None] - theirs[None, :]) * steps[None, :]
        s = tl.where(rows[:, None] >= (at + ks)[None, :], s, 0.0)
        z = tl.load(x + ((first + at + ks) * heads + head)[:, None] * D + ds[None, :], mask=inside[:, None], other=0.0)
        acc += tl.dot(s.to(z.dtype), z)
    tl.store(out + ((first + rows) * heads + head)[:, None] * D + ds[None, :], acc.to(out.dtype.element_ty), mask=(rows < end)[:, None])


def state_space(C, bm, bk, warps):
    def run(c, b, x, dt, a, h):
        length, heads, D = x.shape
        out = torch.empty_like(x)
        scanned[triton.cdiv(C, bm), triton.cdiv(length, C), heads](c, b, x, dt, a, h, out, heads, length, C, c.shape[1], D, bm, bk,
                                                                    num_warps=warps)
        return out

    return run


def scanned_whole(C):
    def run(c, b, x, dt, a, h):
        out = torch.empty_like(x)
        for n, first in enumerate(range(0, len(x), C)):
            s = slice(first, first + C)
            low = torch.ones(len(x[s]), len(x[s]), dtype=torch.bool, device=x.device).tril()[:, :, None]
            e = torch.where(low, (a[s][:, None] - a[s][None]).exp(), 0) * dt[s][None]
            out[s] = torch.einsum("ij,ijh,jhd->ihd", c[s] @ b[s].t(), e, x[s])
            out[s] += torch.einsum("in,hnd,ih->ihd", c[s], h[n], a[s].exp())
        return out

    return run


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    bf16 = torch.bfloat16
    length, heads = (200, 2) if small else (8192, 16)
    unit = lambda d: torch.nn.functional.normalize(make(length, heads, d), dim=-1).to(bf16)
    wide = lambda d: make(length, heads, d, dtype=bf16)
    fall = lambda *shape: -torch.rand(*shape, device=make(1).device) * .1
    found = []
    for d, w, warps in [(128, 64, 4), (64, 64, 4), (128, 32, 2)]:
        found.append((f"gated delta rule, {length} x {heads} x {d}, chunks of 64, {w} columns, {warps} warps", delta_rule(64, w, warps),
                      delta_rule_in_steps, lambda d=d: [wide(d), unit(d), wide(d), fall(length, heads),
                                                        torch.rand(length, heads, device=make(1).device).to(bf16)]))
    for c, w, b, warps in [(64, 64, 16, 4), (64, 32, 16, 2)]:
        found.append((f"gates of channels, {length} x {heads} x 128, chunks of {c}, {w} columns, {warps} warps", gated(c, w, b, warps),
                      gated_whole(c), lambda: [wide(128), wide(128), fall(length, heads, 128)]))
    for c, w, warps in [(16, 32, 8), (64, 64, 4)]:
        found.append((f"running sums, {length} x {heads} x 128, {c} x {w}, {warps} warps", running_sums(c, w, warps), sums_of(c),
                      lambda: [wide(128)]))
    for bm, bn, warps in [(64, 64, 4), (128, 64, 8)]:
        found.append((f"stick-breaking, {length // 2} x {heads} x 64, {bm} x {bn}", stick_breaking(bm, bn, warps), sticks_whole,
                      lambda: [make(length // 2, heads, 64, dtype=bf16) for _ in range(3)]))
    for bm, bk, warps in [(128, 64, 4), (64, 64, 4)]:
        found.append((f"state space, {length} x {heads} x 64, 128 states, {bm} x {bk}", state_space(256, bm, bk, warps), scanned_whole(256),
                      lambda: [make(length, 128, dtype=bf16), make(length, 128, dtype=bf16), wide(64),
                               torch.rand(length, heads, device=make(1).device), fall(length, heads).cumsum(0) % -2,
                               make(-(-length // 256), heads, 128, 64, dtype=bf16)]))
    return found

"""Kernels without products that no pass was fitted to: reductions of other kinds and axes, groups, gathers, scatters, scans, counters of Philox."""
import torch
import triton
from assorted_kernels import *
from odd import by_elements, by_rows, by_tiles, vector_of


def new(*shape, dtype=torch.float32, like=None):
    return torch.empty(*shape, dtype=dtype, device=like.device)


def middle(x, bk, bn, warps):
    out = new(x.shape[0], x.shape[2], like=x)
    sum_middle[x.shape[0], triton.cdiv(x.shape[2], bn)](x, out, x.shape[1], x.shape[2], bk, bn, num_warps=warps)
    return out


def middle_max(x):
    out = new(x.shape[0], x.shape[2], dtype=x.dtype, like=x)
    amax_middle[x.shape[0] // 2, triton.cdiv(x.shape[2], 64)](x, out, x.shape[1], x.shape[2], 2, 32, 64, num_warps=4)
    return out


def averaged(x):
    h, w = x.shape
    out = new(h - 2, w - 2, dtype=x.dtype, like=x)
    average_pool[triton.cdiv(h - 2, 16), triton.cdiv(w - 2, 128)](x, out, h, w, 16, 128, num_warps=4)
    return out


def grouped(x, w, b, groups=32):
    n, c, hw = x.shape
    out = torch.empty_like(x)
    group_norm[n * groups, ](x, w, b, out, c, groups, hw, 2048, num_warps=8)
    return out


def scattered(g, t, rows):
    out = torch.zeros(rows, g.shape[1], device=g.device)
    scatter_add[len(t), ](g, t, out, g.shape[1], triton.next_power_of_2(g.shape[1]), num_warps=4)
    return out


def bagged(table, tokens):
    out = new(tokens.shape[0], table.shape[1], dtype=table.dtype, like=table)
    bags[tokens.shape[0], ](table, tokens, out, table.shape[1], tokens.shape[1], triton.next_power_of_2(table.shape[1]), num_warps=4)
    return out


def dropped(kernel, per):
    def run(x):
        out = torch.empty_like(x)
        kernel[triton.cdiv(x.numel(), 1024 * per), ](x, out, x.numel(), 0.25, 1234, 1024, num_warps=4)
        return out

    return run


def philox(seed, counter):
    """The four numbers of 32 bits of Philox 4x32-10 (Salmon et al., 2011), as tl.randint4x counts."""
    low = 0xffffffff
    high = lambda a, b: ((a >> 16) * b + ((a & 0xffff) * b >> 16)) >> 16  # of a product of 32 bits each; a is constant
    c0, c1, c2, c3 = counter.long(), torch.zeros_like(counter.long()), torch.zeros_like(counter.long()), torch.zeros_like(counter.long())
    k0, k1 = seed & low, seed >> 32
    for _ in range(10):
        a, b = 0xD2511F53, 0xCD9E8D57
        c0, c1, c2, c3 = high(b, c2) ^ c1 ^ k0, (b & 0xffff) * c2 + ((b >> 16) * c2 << 16) & low, high(a, c0) ^ c3 ^ k1, \
            (a & 0xffff) * c0 + ((a >> 16) * c0 << 16) & low
        k0, k1 = k0 + 0x9E3779B9 & low, k1 + 0xBB67AE85 & low
    return c0, c1, c2, c3


def uniform(x):
    """As tl.rand makes it of 32 bits."""
    x = torch.where(x >= 2 ** 31, x - 2 ** 32, x)
    return torch.where(x < 0, -x - 1, x).float() * 4.6566127342e-10


def dropped_reference(x, per):
    at = torch.arange(x.numel(), device=x.device)
    if per == 1:
        r = philox(1234, at)[0]
    else:
        block, rest = at // (1024 * per), at % (1024 * per)
        r = torch.stack(philox(1234, block * 1024 + rest % 1024))[rest // 1024, at]
    return torch.where(uniform(r) > .25, x / .75, 0)


def first_of_largest(x):
    places = torch.arange(x.shape[1], device=x.device)
    return torch.where(x == x.amax(-1, keepdim=True), places, x.shape[1]).amin(-1)


def in_groups(x):
    groups = x.numel() // 128
    out, scales = torch.empty_like(x, dtype=torch.float8_e4m3fn), new(groups, like=x)
    quantize_groups[triton.cdiv(groups, 32), ](x, out, scales, groups, 128, 32, num_warps=4)
    return scales


def nibbles(q, s, z):
    out = new(q.numel() * 8, dtype=torch.float16, like=q)
    dequantize_nibbles[triton.cdiv(q.numel(), 512), ](q, s, z, out, q.numel(), 128, 512, num_warps=4)
    return out


def nibbles_reference(q, s, z):
    v = (q[:, None] >> (4 * torch.arange(8, device=q.device)[None, :])) & 15
    g = (torch.arange(q.numel(), device=q.device) // 16)
    return ((v - z[g][:, None]) * s[g][:, None]).flatten()


def halves(x, cos, sin):
    t, h, d = x.shape
    out = torch.empty_like(x)
    rotate_halves[t, ](x, cos, sin, out, h, d, triton.next_power_of_2(h), num_warps=4)
    return out


def halves_reference(x, cos, sin):
    a, b = x.chunk(2, -1)
    c, s = cos[:, None], sin[:, None]
    return torch.cat((a * c - b * s, b * c + a * s), -1)


def depth(x, w):
    n, c, h, wd = x.shape
    out = torch.empty_like(x)
    depthwise[n * c, triton.cdiv(h * wd, 1024)](x, w, out, c, h, wd, 1024, num_warps=4)
    return out


def tallied(x, bins):
    out = torch.zeros(bins, dtype=torch.int32, device=x.device)
    counts_atomic[triton.cdiv(x.numel(), 2048), ](x, out, x.numel(), 2048, num_warps=4)
    return out


def chunked(x, reverse):
    n, h = x.shape
    out = new(n, h, like=x)
    cumsum_chunks[triton.cdiv(n, 64), h](x, out, n, 64, h, reverse, num_warps=4)
    return out


def chunked_heads(x, bt, bh, warps):
    n, h = x.shape
    out = new(n, h, like=x)
    cumsum_heads[triton.cdiv(n, bt), triton.cdiv(h, bh)](x, out, n, h, bt, bh, num_warps=warps)
    return out


def chunks_of(x, bt, reverse=False):
    chunks = torch.nn.functional.pad(x, (0, 0, 0, -x.shape[0] % bt)).view(-1, bt, x.shape[1])
    sums = chunks.flip(1).cumsum(1).flip(1) if reverse else chunks.cumsum(1)
    return sums.flatten(0, 1)[:x.shape[0]]


def stepped(p, g, m, v):
    p, m, v = p.clone(), m.clone(), v.clone()
    adam[triton.cdiv(p.numel(), 1024), ](p, g, m, v, p.numel(), 1e-3, 1024, num_warps=4)
    return p, m, v


def stepped_reference(p, g, m, v):
    m, v = .9 * m + .1 * g, .999 * v + .001 * g * g
    return p * (1 - 1e-5) - 1e-3 * m / (v.sqrt() + 1e-8), m, v


def norm_grads(dy, x, mean, rstd):
    dw, db = new(x.shape[1], like=x), new(x.shape[1], like=x)
    layer_norm_grad_weights[triton.cdiv(x.shape[1], 64), ](dy, x, mean, rstd, dw, db, x.shape[0], x.shape[1], 32, 64, num_warps=4)
    return dw, db


def moments(x):
    mean, var = new(x.shape[0], like=x), new(x.shape[0], like=x)
    welford_row[x.shape[0], ](x, mean, var, x.shape[1], triton.next_power_of_2(x.shape[1]), num_warps=8)
    return mean, var


def permuted(x):
    f, a, b, c = x.shape
    out = new(f, b, a, c, dtype=x.dtype, like=x)
    permute_0213[f, a, triton.cdiv(b, 64)](x, out, a, b, c, 64, num_warps=4)
    return out


def joined(x, y):
    out = new(x.shape[0], x.shape[1] + y.shape[1], dtype=x.dtype, like=x)
    concat[x.shape[0], triton.cdiv(out.shape[1], 1024)](x, y, out, x.shape[1], y.shape[1], 1024, num_warps=4)
    return out


def triangle(x):
    out = torch.empty_like(x)
    masked_fill_triangle[x.shape[0], triton.cdiv(x.shape[1], 32), triton.cdiv(x.shape[1], 128)](x, out, x.shape[1], 32, 128, num_warps=4)
    return out


def dotted(x, y):
    out = new(x.shape[0], like=x)
    dot_rows[triton.cdiv(x.shape[0], 8), ](x, y, out, x.shape[0], x.shape[1], 8, 512, num_warps=4)
    return out


def times_vector(a, x):
    out = new(a.shape[0], like=a)
    matvec[triton.cdiv(a.shape[0], 16), ](a, x, out, a.shape[0], a.shape[1], 16, 256, num_warps=4)
    return out


def cast_to(dtype):
    def run(x):
        out = torch.empty_like(x, dtype=dtype)
        cast[triton.cdiv(x.numel(), 1024), ](x, out, 0.5, x.numel(), 1024, num_warps=4)
        return out.to(torch.float32) if dtype == torch.float8_e4m3fn else out

    return run


def residual_norm(x, r, w):
    r, out = r.clone(), torch.empty_like(x)
    add_residual_norm[x.shape[0], ](x, r, w, out, x.shape[1], triton.next_power_of_2(x.shape[1]), num_warps=8)
    return out, r


def residual_reference(x, r, w):
    s = x + r
    return torch.nn.functional.rms_norm(s, w.shape, w, 1e-6), s


def segmented(x, starts):
    out = new(len(starts) - 1, x.shape[1], like=x)
    segments[len(starts) - 1, triton.cdiv(x.shape[1], 256)](x, starts, out, x.shape[1], 256, num_warps=2)
    return out


def segmented_reference(x, starts):
    return torch.stack([x[a:b].sum(0) for a, b in zip(starts.tolist(), starts.tolist()[1:])])


def doubled(x):
    c, h, w = x.shape
    out = new(c, 2 * h, 2 * w, dtype=x.dtype, like=x)
    nearest_double[c, triton.cdiv(4 * h * w, 1024)](x, out, h, w, 1024, num_warps=4)
    return out


def stepped_bytes(p, g, m, v, sm, sv):
    p, m, v, sm, sv = (t.clone() for t in (p, m, v, sm, sv))
    adam_of_bytes[triton.cdiv(p.numel(), 256), ](p, g, m, v, sm, sv, p.numel(), 1e-3, 256, num_warps=2)
    return p


def stepped_bytes_reference(p, g, m, v, sm, sv):
    each = lambda s: s.repeat_interleave(256)[:len(p)]
    first, root = m * each(sm) / 127, v * each(sv) / 255
    return p - 1e-3 * (.9 * first + .1 * g) / ((.999 * root * root + .001 * g * g).sqrt() + 1e-8)


def attracted(p):
    out = new(p.shape[0], 3, like=p)
    bodies[triton.cdiv(p.shape[0], 64), ](p, out, p.shape[0], 64, 32, num_warps=4)
    return out


def attracted_reference(p):
    parts = []
    for rows in p.split(512):
        d = p[None, :, :3] - rows[:, None, :3]
        parts.append((p[None, :, 3:] * d * (d.square().sum(-1, keepdim=True) + .01) ** -1.5).sum(1))
    return torch.cat(parts)


def factored(x):
    out = torch.empty_like(x)
    cholesky[x.shape[0] // 4, ](x, out, x.shape[1], 4, num_warps=4)
    return out


def positive(x):
    return x @ x.mT + 4 * torch.eye(x.shape[-1], device=x.device)


def summed_by_heads(x, heads):
    out = torch.empty_like(x)
    segmented_sums[x.shape[0], ](x, heads, out, x.shape[1], triton.next_power_of_2(x.shape[1]), num_warps=4)
    return out


def summed_by_heads_reference(x, heads):
    sums, places = x.cumsum(1), torch.arange(x.shape[1], device=x.device)
    first = torch.where(heads != 0, places, 0).cummax(1).values
    return sums - torch.where(first > 0, sums.gather(1, (first - 1).clamp(min=0)), 0)


def butterflies(x):
    out = torch.empty_like(x)
    hadamard[x.shape[0], ](x, out, x.shape[1] ** -.5, x.shape[1], x.shape[1].bit_length() - 1, num_warps=4)
    return out


def butterflies_reference(x):
    v, half = x, 1
    while half < x.shape[1]:
        a, b = v.view(len(x), -1, 2, half).unbind(2)
        v, half = torch.stack((a + b, a - b), 2).flatten(1), 2 * half
    return v * x.shape[1] ** -.5


def rows(make, small):
    short = lambda n: n // 256 if small and n >= 100000 else n // 16 if small and n > 700 else n
    some = lambda *shape, dtype=torch.float32: make(*map(short, shape), dtype=dtype)
    numbers = lambda most, *shape: torch.randint(0, short(most), [*map(short, shape)], dtype=torch.int32, device=make(1).device)
    f16, bf16, f32, s8 = torch.float16, torch.bfloat16, torch.float32, torch.int8
    one = lambda d: (lambda m, n: ((m, ), d))
    bytes_ = lambda *shape: (numbers(254, *shape) - 127).to(s8)
    return [
        ("logsumexp 8192 x 5000 bf16", by_rows(logsumexp_row, 8, one(f32)), lambda x: x.logsumexp(-1), lambda: [some(8192, 5000, dtype=bf16)]),
        ("logsumexp 16384 x 1000 f32", by_rows(logsumexp_row, 4, one(f32)), lambda x: x.logsumexp(-1), lambda: [some(16384, 1000)]),
        ("variance 8192 x 6000 f16", by_rows(variance_row, 8, one(f32)), lambda x: x.var(-1), lambda: [some(8192, 6000, dtype=f16)]),
        ("product 16384 x 2000 f32", by_rows(prod_row, 4, one(f32)), lambda x: x.prod(-1), lambda: [some(16384, 2000).sigmoid() + .5]),
        ("any of s8 rows 4096 x 30000", by_rows(any_row, 8, one(s8), 4096), lambda x: (x > 126).any(-1), lambda: [bytes_(4096, 30000)]),
        ("all of s8 columns 10000 x 6000", by_tiles(all_columns, 64, 64, 4, lambda x: vector_of(x, 1, s8), whole=False), lambda x: (x > -128).all(0), lambda: [bytes_(10000, 6000)]),
        ("argmax 8192 x 5000 f32", by_rows(argmax_row, 8, one(torch.int32)), lambda x: x.argmax(-1), lambda: [some(8192, 5000)]),
        ("argmax in steps 2048 x 50000 bf16", by_rows(argmax_steps, 8, one(torch.int32), 4096), first_of_largest, lambda: [some(2048, 50000, dtype=bf16)]),
        ("argmax of columns 6000 x 10000 f32", by_tiles(argmax_columns, 32, 64, 4, lambda x: vector_of(x, 1, torch.int32), whole=False), lambda x: x.argmax(0), lambda: [some(6000, 10000)]),
        ("sum of the middle 64 x 1000 x 1536 bf16", lambda x: middle(x, 32, 128, 4), lambda x: x.sum(1), lambda: [some(64, 1000, 1536, dtype=bf16)]),
        ("sum of the middle 500 x 30 x 5000 f32", lambda x: middle(x, 8, 512, 4), lambda x: x.sum(1), lambda: [some(500, 30, 5000)]),
        ("largest of the middle 4000 x 30 x 500 f32", middle_max, lambda x: x.amax(1), lambda: [some(4000, 30, 500)]),
        ("average of 3 x 3, 6000 x 7000 f16", averaged, lambda x: torch.nn.functional.avg_pool2d(x[None], 3, 1)[0], lambda: [some(6000, 7000, dtype=f16)]),
        ("group norm 32 x 320 x 4096 f16", grouped, lambda x, w, b: torch.nn.functional.group_norm(x, 32, w, b), lambda: [some(32, 320, 4096, dtype=f16), some(320, dtype=f16), some(320, dtype=f16)]),
        ("group norm 16 x 640 x 1000 f32", grouped, lambda x, w, b: torch.nn.functional.group_norm(x, 32, w, b), lambda: [some(16, 640, 1000), some(640), some(640)]),
        ("rows added into a table, 30000 x 768 bf16", lambda g, t: scattered(g, t, 5000), lambda g, t: torch.zeros(5000, g.shape[1], dtype=g.dtype, device=g.device).index_add(0, t, g), lambda: [some(30000, 768, dtype=bf16), numbers(5000, 30000).long()]),
        ("bags of 20 rows, 16384 x 256 f16", bagged, lambda t, i: t[i].mean(1), lambda: [some(40000, 256, dtype=f16), numbers(40000, 16384, 20).long()]),
        ("dropout 20000000 f16", dropped(dropout, 1), lambda x: dropped_reference(x, 1), lambda: [some(20000000, dtype=f16)]),
        ("dropout of four 20000000 bf16", dropped(dropout4, 4), lambda x: dropped_reference(x, 4), lambda: [some(20000000, dtype=bf16)]),
        ("groups of 128 to e4m3, 8192 x 7168 bf16", in_groups, lambda x: x.view(-1, 128).abs().amax(-1).clamp(min=1e-10) / 448, lambda: [some(8192, 7168, dtype=bf16)]),
        ("int4 to f16, 32768000", nibbles, nibbles_reference, lambda: [numbers(2000000000, 4096000), some(256000, dtype=f16), some(256000, dtype=f16)]),
        ("rotated halves, 8192 x 24 x 128 bf16", halves, halves_reference, lambda: [some(8192, 24, 128, dtype=bf16), some(8192, 64), some(8192, 64)]),
        ("depthwise 3 x 3, 32 x 96 x 112 x 112 f16", depth, lambda x, w: torch.nn.functional.conv2d(x, w, padding=1, groups=x.shape[1]), lambda: [some(32, 96, 112, 112, dtype=f16), some(96, 1, 3, 3, dtype=f16)]),
        ("counts of 1000 in 20000000 by atomics", lambda x: tallied(x, 1000), lambda x: torch.bincount(x, minlength=1000), lambda: [numbers(1000, 20000000)]),
        ("cumulative products 8192 x 3000 f32", by_rows(cumprod_row, 4), lambda x: x.cumprod(-1), lambda: [some(8192, 3000) * .01 + 1]),
        ("cumulative sums of chunks, 65536 x 32 f32", lambda x: chunked(x, False), lambda x: chunks_of(x, 64), lambda: [some(65536, 32)]),
        ("cumulative sums of chunks backwards, 65536 x 32 bf16", lambda x: chunked(x, True), lambda x: chunks_of(x, 64, True), lambda: [some(65536, 32, dtype=bf16)]),
        ("cumulative sums of chunks by heads, 65536 x 48 f32, 64 x 16", lambda x: chunked_heads(x, 64, 16, 4), lambda x: chunks_of(x, 64), lambda: [some(65536, 48)]),
        ("cumulative sums of chunks by heads, 65536 x 48 bf16, 128 x 64", lambda x: chunked_heads(x, 128, 64, 8), lambda x: chunks_of(x, 128), lambda: [some(65536, 48, dtype=bf16)]),
        ("GELU by tanh, gated, 40000000 bf16", by_elements(gelu_tanh), lambda x, y: torch.nn.functional.gelu(x, approximate="tanh") * y, lambda: [some(40000000, dtype=bf16), some(40000000, dtype=bf16)]),
        ("AdamW 20000000 bf16", stepped, stepped_reference, lambda: [some(20000000, dtype=bf16), some(20000000, dtype=bf16), some(20000000), some(20000000).abs()]),
        ("layer norm's weights 16384 x 3000 f16", norm_grads, lambda d, x, m, r: ((d * (x - m[:, None]) * r[:, None]).sum(0), d.sum(0)), lambda: [some(16384, 3000, dtype=f16), some(16384, 3000, dtype=f16), some(16384), some(16384)]),
        ("mean and variance by Welford 4096 x 6000 f32", moments, lambda x: (x.mean(-1), x.var(-1, correction=0)), lambda: [some(4096, 6000)]),
        ("permuted 0213, 16 x 24 x 2000 x 64 f16", permuted, lambda x: x.transpose(1, 2), lambda: [some(16, 24, 2000, 64, dtype=f16)]),
        ("joined rows 10000 x (1500 + 2100) bf16", joined, lambda x, y: torch.cat((x, y), 1), lambda: [some(10000, 1500, dtype=bf16), some(10000, 2100, dtype=bf16)]),
        ("lower triangles 32 x 1500 x 1500 f16", triangle, lambda x: x.tril(), lambda: [some(32, 1500, 1500, dtype=f16)]),
        ("products of rows 16384 x 3000 bf16", dotted, lambda x, y: (x * y).sum(-1), lambda: [some(16384, 3000, dtype=bf16), some(16384, 3000, dtype=bf16)]),
        ("matrix times vector 12000 x 9000 bf16", times_vector, lambda a, x: a @ x, lambda: [some(12000, 9000, dtype=bf16), some(9000, dtype=bf16)]),
        ("bf16 to e4m3, 60000000", cast_to(torch.float8_e4m3fn), lambda x: (x.float() * .5).to(torch.float8_e4m3fn).double(), lambda: [some(60000000, dtype=bf16)]),
        ("s8 to bf16, 60000000", cast_to(bf16), lambda x: x * .5, lambda: [bytes_(60000000)]),
        ("residual and RMS norm 8192 x 5120 bf16", residual_norm, residual_reference, lambda: [some(8192, 5120, dtype=bf16), some(8192, 5120, dtype=bf16), some(5120, dtype=bf16)]),
        ("sums of segments, 50000 x 700 f16", segmented, segmented_reference, lambda: [some(50000, 700, dtype=f16), (torch.arange(1251, device=make(1).device, dtype=torch.int32) * (short(50000) // 1250))]),
        ("doubled pixels 96 x 500 x 600 f16", doubled, lambda x: x.repeat_interleave(2, 1).repeat_interleave(2, 2), lambda: [some(96, 500, 600, dtype=f16)]),
        ("Adam with states of 8 bits, 20000000 bf16", stepped_bytes, stepped_bytes_reference, lambda: [some(20000000, dtype=bf16), some(20000000, dtype=bf16), bytes_(20000000), numbers(255, 20000000).to(torch.uint8), some(78125).abs(), some(78125).abs()]),
        ("forces of 16000 bodies on each other", attracted, attracted_reference, lambda: [some(16000, 4).abs()]),
        ("Cholesky of 16384 matrices of 16 x 16", factored, torch.linalg.cholesky, lambda: [positive(make(short(16384), 16, 16))]),
        ("sums of segments within rows, 8192 x 2000 f32", summed_by_heads, summed_by_heads_reference, lambda: [some(8192, 2000), (some(8192, 2000) > 1.9).to(s8)]),
        ("Hadamard's transform of rows, 16384 x 1024 bf16", butterflies, butterflies_reference, lambda: [make(short(16384), 1024, dtype=bf16)]),
    ]

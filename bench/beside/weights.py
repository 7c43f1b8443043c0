"""Products that serve language models, in Triton: 8-bit floats with scales of blocks, experts, weights of 4 and 8 bits. Rows
are wrapped by %, so that no mask is needed but along K."""
import torch
import triton
import triton.language as tl

import triton_kernels


def configs(*shapes):
    return [triton.Config({"BM": bm, "BN": bn, "BK": bk}, num_warps=warps, num_stages=stages)
            for bm, bn, bk, warps, stages in shapes]


FEW = (16, 64, 128, 4, 4), (16, 128, 128, 4, 4)
MANY = (64, 128, 128, 4, 3), (128, 128, 128, 4, 3), (128, 128, 128, 8, 3)


def of_rows(kernel, few=FEW, many=MANY):
    """The kernel as it is tuned for few rows, and for many."""
    return [triton.autotune(configs(*shapes), key=["m", "n", "k"])(kernel) for shapes in (few, many)]


@triton.jit
def scaled_blocks(a, b, c, scales_a, scales_b, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Scales of 128 elements of a row of A, and of 128 x 128 of B, which is [N, K]."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 32)
    rows = (i * BM + tl.arange(0, BM)) % m
    cols = (j * BN + tl.arange(0, BN)) % n
    ks = tl.arange(0, BK)
    pa = a + rows[:, None] * k + ks[None, :]
    pb = b + ks[:, None] + cols[None, :] * k
    blocks = tl.cdiv(k, 128)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = tl.load(pa, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(pb, mask=ks[:, None] < k - start, other=0.0)
        of_a = tl.load(scales_a + rows * blocks + start // 128)
        of_b = tl.load(scales_b + cols // 128 * blocks + start // 128)
        acc += tl.dot(x, y) * of_a[:, None] * of_b[None, :]
        pa += BK
        pb += BK
    triton_kernels.store_tile(c, acc, i, j, m, n, BM, BN)


@triton.jit
def packed_weights(a, b, c, scales, zeros, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Two weights a byte along K, with a scale and a zero for 128 of them."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    rows = (i * BM + tl.arange(0, BM)) % m
    cols = (j * BN + tl.arange(0, BN)) % n
    ks = tl.arange(0, BK)
    pa = a + rows[:, None] * k + ks[None, :]
    pb = b + ks[:, None] // 2 + cols[None, :] * (k // 2)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = tl.load(pa, mask=ks[None, :] < k - start, other=0.0)
        bits = tl.load(pb) >> (ks[:, None] % 2 * 4) & 15
        group = cols[None, :] * (k // 128) + (start + ks[:, None]) // 128
        y = (bits.to(tl.float32) - tl.load(zeros + group).to(tl.float32)) * tl.load(scales + group).to(tl.float32)
        acc = tl.dot(x, y.to(x.dtype), acc)
        pa += BK
        pb += BK // 2
    triton_kernels.store_tile(c, acc, i, j, m, n, BM, BN)


@triton.jit
def byte_weights(a, b, c, scales, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A scale for each column of s8."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    rows = (i * BM + tl.arange(0, BM)) % m
    cols = (j * BN + tl.arange(0, BN)) % n
    ks = tl.arange(0, BK)
    pa = a + rows[:, None] * k + ks[None, :]
    pb = b + ks[:, None] + cols[None, :] * k
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = tl.load(pa, mask=ks[None, :] < k - start, other=0.0)
        acc = tl.dot(x, tl.load(pb, mask=ks[:, None] < k - start, other=0).to(x.dtype), acc)
        pa += BK
        pb += BK
    triton_kernels.store_tile(c, acc * tl.load(scales + cols).to(tl.float32)[None, :], i, j, m, n, BM, BN)


@triton.jit
def experts(x, w, out, ids, chosen, m, n, k, count, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TOP: tl.constexpr):
    """Rows of each expert, gathered by ids, which are filled up to 128 a block by `count`; m are the rows with that."""
    i, j = triton_kernels.tile_position(tl.program_id(0), m, n, BM, BN, 8)
    token = tl.load(ids + i * BM + tl.arange(0, BM)).to(tl.int64)
    inside = token < count
    expert = tl.load(chosen + i * BM // 128).to(tl.int64)
    cols = (j * BN + tl.arange(0, BN)) % n
    ks = tl.arange(0, BK)
    px = x + (token // TOP)[:, None] * k + ks[None, :]
    pw = w + expert * n * k + ks[:, None] + cols[None, :] * k
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        part = tl.load(px, mask=inside[:, None] & (ks[None, :] < k - start), other=0.0)
        acc = tl.dot(part, tl.load(pw, mask=ks[:, None] < k - start, other=0.0), acc)
        px += BK
        pw += BK
    cols = j * BN + tl.arange(0, BN)
    tl.store(out + token[:, None] * n + cols[None, :], acc.to(out.dtype.element_ty), mask=inside[:, None] & (cols[None, :] < n))


SCALED = of_rows(scaled_blocks)
PACKED = of_rows(packed_weights, many=((64, 128, 64, 4, 3), (128, 128, 64, 8, 3)))
BYTES = of_rows(byte_weights, many=((64, 128, 64, 4, 4), (128, 128, 64, 8, 3)))
EXPERTS = triton.autotune(configs((128, 128, 64, 8, 3), (64, 128, 64, 4, 4), (128, 256, 64, 8, 3)), key=["m", "n", "k"])(experts)


def by(kernels, dtype=None):
    def run(a, b, *scales):
        (m, k), n = a.shape, b.shape[0]
        c = torch.empty(m, n, dtype=dtype or a.dtype, device=a.device)
        kernels[m > 64][lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]), )](a, b, c, *scales, m, n, k)
        return c

    return run


def wide(scales, *by):
    """A scale for each element."""
    for axis, times in enumerate(by):
        scales = scales.repeat_interleave(times, axis)
    return scales


def unpacked(a, b, scales, zeros):
    bits = torch.stack([b & 15, b >> 4], 2).flatten(1).double()
    return a @ ((bits - wide(zeros.double(), 1, 128)) * wide(scales, 1, 128)).t()


def routed(x, w, ids, chosen):
    """What the two experts of each token make of it; ids of a block of 128 are one expert's."""
    out = torch.empty(len(x) * 2, w.shape[1], dtype=x.dtype, device=x.device)
    m, n, k = len(ids), w.shape[1], w.shape[2]
    EXPERTS[lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]), )](x, w, out, ids, chosen, m, n, k, len(out), TOP=2)
    return out


def routed_reference(x, w, ids, chosen):
    out = x.new_empty(len(x) * 2, w.shape[1])
    for block, expert in zip(ids.split(128), chosen.tolist()):
        mine = block[block < len(out)].long()
        out[mine] = x[mine // 2] @ w[expert].t()
    return out


def rows(make, small):
    """Name, the function, what it computes, and operands."""
    f16, bf16, f8 = torch.float16, torch.bfloat16, torch.float8_e4m3fn
    n = lambda full: full // 16 if small and full > 1024 else full
    device = make(1).device
    whole = lambda low, high, *shape, dtype=torch.int8: torch.randint(low, high, shape, dtype=dtype, device=device)
    scale = lambda *shape: make(*shape).abs() + .5

    def of_tokens(tokens, count, width, depth):
        order = torch.stack([torch.randperm(count, device=device)[:2] for _ in range(tokens)]).flatten()
        ids, chosen = [], []
        for expert in range(count):
            mine = (order == expert).nonzero().flatten().int()
            ids.append(torch.cat([mine, mine.new_full((-len(mine) % 128, ), 2 * tokens)]))
            chosen += [expert] * (len(ids[-1]) // 128)
        weights = make(count, width, depth) / depth**.5
        return [make(tokens, depth, dtype=bf16), weights.to(bf16), torch.cat(ids), torch.tensor(chosen, dtype=torch.int32, device=device)]

    found = []
    for m, w, k in [(4096, 4096, 4096), (1000, 7168, 2048), (128, 4096, 7168), (16, 4096, 7168)]:
        found.append((f"e4m3 with scales of blocks, {m} x {w} x {k}", by(SCALED, bf16),
                      lambda a, b, sa, sb: (a * wide(sa, 1, 128)) @ (b * wide(sb, 128, 128)[:len(b)]).t(),
                      lambda m=n(m), w=n(w), k=256 if small else k: [make(m, k).to(f8), make(w, k).to(f8), scale(m, k // 128),
                                                                scale(triton.cdiv(w, 128), k // 128)]))
    for m in (16, 128, 4096):
        found.append((f"f16 times weights of 4 bits, {m} x 4096 x 4096", by(PACKED), unpacked,
                      lambda m=n(m), w=n(4096): [make(m, w, dtype=f16), whole(0, 256, w, w // 2, dtype=torch.uint8),
                                                 (scale(w, w // 128) / 16).half(), whole(0, 16, w, w // 128, dtype=torch.uint8)]))
        found.append((f"f16 times s8, {m} x 4096 x 4096", by(BYTES), lambda a, b, s: a @ (b.double() * s[:, None]).t(),
                      lambda m=n(m), w=n(4096): [make(m, w, dtype=f16), whole(-128, 128, w, w), (scale(w) / 128).half()]))
    for tokens, count, width, depth in [(4096, 8, 4096, 4096), (2048, 64, 2048, 2048)]:
        found.append((f"{count} experts, {tokens} tokens by 2, {width} x {depth}, bf16", routed, routed_reference,
                      lambda t=n(tokens), c=count, w=n(width), d=n(depth): of_tokens(t, c, w, d)))
    return found

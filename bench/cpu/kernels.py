"""Kernels in Triton, compiled by tile for the CPU, beside what torch has for the same, a line each:

    TILE_TRITON=cpu TILE_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONPATH=build/python python bench/cpu/kernels.py softmax norm

Both run by turns in one process. Behind the times stands how many times as fast tile is, at the fastest and at the median,
and the largest difference by the largest number.
"""
import os
import sys

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from products import measure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import triton_kernels  # noqa: E402


@triton.jit
def layer_norm(out, x, w, b, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    at = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        sums += tl.load(x + row + first + at, mask=first + at < columns, other=0).to(tl.float32)
    mean = tl.sum(sums) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        inside = first + at < columns
        v = tl.load(x + row + first + at, mask=inside, other=0).to(tl.float32)
        v = tl.where(inside, v - mean, 0)
        squares += v * v
    scale = tl.rsqrt(tl.sum(squares) / columns + eps)
    for first in range(0, columns, BLOCK):
        inside = first + at < columns
        v = tl.load(x + row + first + at, mask=inside).to(tl.float32)
        g = tl.load(w + first + at, mask=inside)
        h = tl.load(b + first + at, mask=inside)
        tl.store(out + row + first + at, (v - mean) * scale * g + h, mask=inside)


@triton.jit
def attention(out, q, k, v, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    width = tl.arange(0, D)
    at = head + rows[:, None] * D + width[None, :]
    queries = tl.load(q + at, mask=rows[:, None] < length, other=0)
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for first in range(0, length, BN):
        keys = first + tl.arange(0, BN)
        kt = tl.load(k + head + keys[None, :] * D + width[:, None], mask=keys[None, :] < length, other=0)
        s = tl.where(keys[None, :] < length, tl.dot(queries, kt) * scale, -float("inf"))
        higher = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - higher[:, None])
        kept = tl.exp(most - higher)
        vs = tl.load(v + head + keys[:, None] * D + width[None, :], mask=keys[:, None] < length, other=0)
        acc = acc * kept[:, None] + tl.dot(p.to(vs.dtype), vs)
        total = total * kept + tl.sum(p, 1)
        most = higher
    tl.store(out + at, acc / total[:, None], mask=rows[:, None] < length)


def rows(dtype):
    def random(*shape):
        return torch.randn(*shape).to(dtype)

    for n in (98432, 4_000_003):
        x, y = random(n), random(n)
        o, p = torch.empty_like(x), torch.empty_like(x)
        yield (f"add {n}", lambda: triton_kernels.add[(triton.cdiv(n, 4096),)](x, y, o, n, BLOCK=4096),
               lambda: torch.add(x, y, out=p), o)
    for m, n in ((512, 781), (256, 4096), (64, 20000)):
        x, w, b = random(m, n), random(n), random(n)
        o = torch.empty_like(x)
        block = triton.next_power_of_2(n)
        yield (f"softmax {m} x {n}", lambda: triton_kernels.softmax[(m,)](o, x, n, BLOCK=block),
               lambda: torch.softmax(x, -1), o)
        yield (f"layer norm {m} x {n}", lambda: layer_norm[(m,)](o, x, w, b, n, 1e-5, BLOCK=min(1024, block)),
               lambda: F.layer_norm(x, (n,), w, b, 1e-5), o)
    for heads, length, d in ((8, 512, 64), (4, 1000, 128)):
        q, k, v = (random(1, heads, length, d) for _ in range(3))
        o = torch.empty_like(q)
        yield (f"attention {heads} x {length} x {d}",
               lambda: attention[(triton.cdiv(length, 64), heads)](o, q, k, v, length, d**-.5, D=d, BM=64, BN=64),
               lambda: F.scaled_dot_product_attention(q, k, v), o)
    for m, n, k in ((512, 512, 512), (1000, 700, 900), (16, 2048, 2048)):
        for bm, bn, bk in ((128, 128, 32), (64, 64, 32)):
            a, b = random(m, k), random(k, n)
            o, p = torch.empty(m, n, dtype=dtype), torch.empty(m, n, dtype=dtype)
            bm = min(bm, triton.next_power_of_2(m))
            grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
            yield (f"product {m} x {n} x {k} by {bm} x {bn} x {bk}",
                   lambda: triton_kernels.matmul_pointers[grid](a, b, o, m, n, k, k, n, 1, n, BM=bm, BN=bn, BK=bk, GROUP=8),
                   lambda: torch.mm(a, b, out=p), o)


def main():
    torch.set_num_threads(int(os.environ.get("TILE_NUM_THREADS", "1")))
    for dtype in (torch.float32, torch.bfloat16):
        for name, ours, theirs, out in rows(dtype):
            if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
                continue
            ours()
            want = theirs().float()
            error = ((out.float() - want).abs().max() / want.abs().max()).item()
            times = measure({"tile": ours, "torch": theirs}, 7)
            (a, b), (c, d) = times["tile"], times["torch"]
            print(f"{str(dtype)[6:]:9}{name:44} {a * 1e6:9.1f} us {c * 1e6:9.1f} us  {c / a:5.2f} {d / b:5.2f}  {error:.1e}", flush=True)


if __name__ == "__main__":
    main()

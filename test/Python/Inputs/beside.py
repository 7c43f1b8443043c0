"""What bench/beside_triton.py does with a kernel that is wrong by tile, a reference that is not met, and an autotuner."""
import sys

import torch
import triton
import triton.language as tl

sys.path.insert(0, sys.argv[1])
import beside_triton


@triton.jit
def twice(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


tuned = triton.autotune([triton.Config({"BLOCK": b}, num_warps=4) for b in (64, 128, 256)], key=["n"])(twice)


def run(x, kernel=twice, **kwargs):
    out = torch.empty_like(x)
    kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]), )](x, out, x.numel(), **kwargs)
    return out


def say(name, function, reference):
    launches, theirs, ours, right = beside_triton.compare(function, reference, [torch.randn(1000)])
    print(name, "right" if right else "wrong", theirs, ours, [len(c) for c in launches.kernels()])


once = lambda x: run(x, BLOCK=128)
say("as it is:", once, lambda x: x * 2)
say("of another reference:", once, lambda x: x * 2 + 1e-3)
say("twice the same:", lambda x: run(x, BLOCK=128) + run(x, BLOCK=128), lambda x: x * 4)
say("two kernels:", lambda x: run(run(x, BLOCK=128), BLOCK=64), lambda x: x * 4)
say("tuned:", lambda x: run(x, tuned), lambda x: x * 2)

read = beside_triton.parsed


def broken(kernel):
    ours, wanted, config = read(kernel)
    return lambda *a, **k: ours(a[0], a[1], a[2] - 1, **k), wanted, config


beside_triton.parsed = broken
say("without the last element by tile:", once, lambda x: x * 2)

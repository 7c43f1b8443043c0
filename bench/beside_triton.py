#!/usr/bin/env python3
"""Kernels of Liger beside themselves: compiled by Triton, and by tile out of the same TTIR.

    PYTHONPATH=build/python python3 bench/beside_triton.py [--rows REGEX] [--seconds N] [--small]

Liger's functions run forward and backward through Triton. Each kernel that they launch, with its
arguments and grid, is read by tile as Triton prints it, and run on clones of the same arguments: what it
leaves in memory is compared. Then both launch by turns, each behind a flush of the L2 cache, and the
medians of the time between two events stand in a row, with Triton's over tile's. `--seconds` (50) is
when to start no further function. `--small` takes small sizes; without a GPU (`TILE_TRITON=cpu`, where
Triton's side is tile's backend) results are compared, and nothing is timed.
"""
import argparse
import importlib
import math
import re
import statistics
import time

import torch
import triton
from triton.runtime.jit import JITFunction

import tile

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TOLERANCE = 2e-2  # bf16 results of sums in another order


# --- what is launched -----------------------------------------------------------


class Launches:
    """While it is open: each kernel that Triton launches, once, with what it was launched on."""

    def __enter__(self):
        self.seen, self.run, seen = {}, JITFunction.run, self

        def run(fn, *args, grid, warmup, **kwargs):
            names = fn.signature.parameters
            bound = fn.signature.bind(*args, **{k: v for k, v in kwargs.items() if k in names})
            bound.apply_defaults()
            before = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in bound.arguments.items()}
            kernel = seen.run(fn, *args, grid=grid, warmup=warmup, **kwargs)
            if not warmup and kernel is not None and kernel.hash not in seen.seen:
                blocks = grid(bound.arguments) if callable(grid) else grid
                seen.seen[kernel.hash] = (fn.__name__, kernel, before, tuple(blocks))
            return kernel

        JITFunction.run = run
        return self

    def __exit__(self, *_):
        JITFunction.run = self.run


def random(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device=DEVICE, dtype=dtype).requires_grad_(True)


def functions(small):
    """Name, and what runs it: forward, then backward of what it gives."""
    rows, columns, wide, words = (64, 256, 512, 1024) if small else (8192, 4096, 14336, 128256)
    f32 = torch.float32

    def liger(module, name):
        return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), name).apply

    def losses(count):
        return random(rows // 2, count, dtype=f32).log_softmax(-1).detach().requires_grad_(True)

    target = torch.randint(0, words, (rows // 2, ), device=DEVICE)
    angle = torch.randn(1, rows // 4, 64, device=DEVICE)
    c, s = torch.cat([angle, angle], -1).cos().bfloat16(), torch.cat([angle, angle], -1).sin().bfloat16()
    x = lambda n=columns: random(rows, n)
    return [
        ("RMS norm", lambda: liger("rms_norm", "LigerRMSNormFunction")(x(), random(columns), 1e-6, 0.0, "llama", False, None)),
        ("layer norm", lambda: liger("layer_norm", "LigerLayerNormFunction")(x(), random(columns), random(columns), 1e-5)),
        ("group norm", lambda: liger("group_norm", "LigerGroupNormFunction")(
            random(rows // 64, 64, columns // 4), random(64), random(64), 64, 8, 1e-5)),
        ("DyT", lambda: liger("dyt", "LigerDyTFunction")(x(), random(1), random(columns), random(columns))),
        ("SwiGLU", lambda: liger("swiglu", "LigerSiLUMulFunction")(x(wide), x(wide))),
        ("GEGLU", lambda: liger("geglu", "LigerGELUMulFunction")(x(wide), x(wide))),
        ("softmax", lambda: liger("softmax", "LigerSoftmaxFunction")(x(columns * 2))),
        ("rope", lambda: liger("rope", "LigerRopeFunction")(random(4, 32, rows // 4, 128), random(4, 8, rows // 4, 128), c, s)),
        ("cross entropy", lambda: liger("cross_entropy", "LigerCrossEntropyFunction")(
            random(rows // 2, words), target, None, -100, 0.0, 0.0, "mean", None, False)[0]),
        ("KL divergence", lambda: liger("kl_div", "LigerKLDivLossFunction")(
            losses(words // 4), losses(words // 4).exp(), "batchmean", False, 1e-10)),
        ("Jensen-Shannon", lambda: liger("jsd", "LigerJSDFunction")(losses(words // 4), losses(words // 4), None, 0.5, -100)),
        ("total variation", lambda: liger("tvd", "LigerTVDLossFunction")(
            losses(words // 4).exp(), losses(words // 4).exp().detach(), None, "batchmean")),
    ]


def launched_by(run):
    """The kernels that a function launches, forward and backward."""
    with Launches() as launches:
        results = run()
        results = results if isinstance(results, tuple) else (results, )
        results = [r for r in results if isinstance(r, torch.Tensor) and r.requires_grad]
        torch.autograd.backward(results, [torch.randn_like(r) for r in results])
    return launches.seen.values()


# --- both ways ------------------------------------------------------------------


def difference(a, b):
    a, b = a.double().nan_to_num(), b.double().nan_to_num()
    return ((a - b).norm() / b.norm().clamp_min(1e-30)).item()


def run_both(name, kernel, arguments, grid):
    """The kernel's name, ms of Triton and of tile (None without a GPU), and how far results lie apart."""
    wanted = [n for n, kind in kernel.src.signature.items() if kind != "constexpr"]
    module = tile.parse(kernel.asm["ttir"], f"{name}.ttir")
    ours = module[kernel.metadata.name if hasattr(kernel.metadata, "name") else kernel.name]
    config = {"num_warps": kernel.metadata.num_warps}
    blocks = tuple(grid) + (1, ) * (3 - len(grid))

    def clone():
        return {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}

    mine, theirs = clone(), clone()
    go = {
        "Triton": lambda: kernel[blocks](*theirs.values()),
        "tile": lambda: ours(*[mine[n] for n in wanted], grid=blocks, config=config),
    }
    for launch in go.values():
        launch()
    pairs = [(mine[n], theirs[n]) for n in wanted if isinstance(mine[n], torch.Tensor)]
    worst = max(difference(a, b) for a, b in pairs)
    if DEVICE == "cpu":
        return None, None, worst
    flush = torch.empty(128 << 20, dtype=torch.int8, device=DEVICE)
    times = {way: [] for way in go}
    for i in range(17):
        for way, launch in go.items():
            flush.zero_()
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            events[0].record()
            launch()
            events[1].record()
            if i > 1:
                times[way].append(events)
    torch.cuda.synchronize()
    ms = {way: statistics.median(a.elapsed_time(b) for a, b in pairs) for way, pairs in times.items()}
    return ms["Triton"], ms["tile"], worst


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rows", default="")
    parser.add_argument("--seconds", type=float, default=50)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    start, ratios, wrong = time.time(), [], 0
    torch.manual_seed(0)
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "the CPU"
    print(f"{device}, torch {torch.__version__}, Triton {triton.__version__}\n")
    print("| function | kernel | warps | Triton, ms | tile, ms | ratio | difference |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for function, run in functions(options.small):
        asks = DEVICE == "cpu" and function == "DyT"  # for a GPU's multiprocessors
        if asks or not re.search(options.rows, function) or time.time() - start > options.seconds:
            continue
        try:
            for name, kernel, arguments, grid in launched_by(run):
                theirs, ours, worst = run_both(name, kernel, arguments, grid)
                wrong += worst > TOLERANCE
                row = "- | - | -" if ours is None else f"{theirs:.4f} | {ours:.4f} | {theirs / ours:.2f}"
                print(f"| {function} | {name} | {kernel.metadata.num_warps} | {row} | {worst:.1e} |", flush=True)
                ratios += [theirs / ours] if ours else []
        except (ImportError, RuntimeError, tile.Error) as error:
            wrong += 1
            print(f"| {function} | {type(error).__name__}: {str(error).splitlines()[0][:100]} |", flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\n{len(ratios)} kernels, geometric mean {mean:.3f}, least {min(ratios):.2f}")
    if wrong:
        raise SystemExit(f"error: expected results within {TOLERANCE} of Triton's, found {wrong} kernels or functions that are not")


if __name__ == "__main__":
    main()

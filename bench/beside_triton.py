#!/usr/bin/env python3
"""Kernels in Triton beside themselves: compiled by Triton, and by tile out of the same TTIR.

    PYTHONPATH=build/python python3 bench/beside_triton.py [liger] [products] [forms] [weights] [streams] [odd]
        [assorted] [attention] [chunks] [--rows REGEX] [--seconds N] [--small]

What is run are functions: of Liger (`pip install liger-kernel==0.8.5`; bench/beside/liger.py), with products
(bench/beside/products.py, forms.py, weights.py, attention.py, chunks.py), and without (streams.py; at sizes between powers of
two, odd.py; of many kinds, assorted.py). Each runs forward and, where operands want
gradients, backward, on random operands three times: in float64 by torch, by Triton, and with each
kernel that it launches compiled by tile from Triton's own TTIR. Results and gradients may be 8 units of the
last place of their type from float64, in relative norm, or twice as far as Triton's; else the row has no times. A
single kernel's may be 16 units from Triton's.

Then each kernel is launched by both by turns, on clones of the arguments that it had, each launch behind a flush of
the L2 cache. Rows give the medians of the time between two events, and Triton's over tile's. Where Triton's
autotuner chooses, a row has the best configuration of each. `--seconds` (300) is when to start no
further function. `--small` takes small sizes. Without a GPU (`TILE_TRITON=cpu`, where tile's backend stands in
for Triton) results are compared with float64, and nothing is timed.
"""
import argparse
import contextlib
import math
import os
import re
import sys
import time
import warnings

try:
    import torch
    import triton
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    import tile
except ImportError as error:
    raise SystemExit(f"error: expected torch, Triton and tile's package (PYTHONPATH=build/python): {error}")

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside"))
from turns import by_turns

DEVICE = "cuda" if torch.cuda.is_available() and os.environ.get("TILE_TRITON") != "cpu" else "cpu"
UNITS = 8  # of the last place, that results may be from float64
GROUPS = "liger", "products", "forms", "weights", "streams", "odd", "assorted", "attention", "chunks"


# --- what is launched -----------------------------------------------------------


def parsed(kernel):
    """The kernel as tile reads it, the arguments that it has, and how it is launched."""
    name = kernel.metadata.name if hasattr(kernel.metadata, "name") else kernel.name
    wanted = [n for n, kind in kernel.src.signature.items() if kind != "constexpr"]
    return tile.parse(kernel.asm["ttir"], f"{name}.ttir")[name], wanted, {"num_warps": kernel.metadata.num_warps}


class Launches:
    """While it is open, each kernel that Triton launches is kept once, with what it was launched on; or, `by_tile`, tile launches
    it in Triton's place."""

    def __init__(self, by_tile=False):
        self.by_tile, self.seen, self.parsed, self.tuning, self.count = by_tile, {}, {}, None, 0

    def __enter__(self):
        self.replaced = JITFunction.run, Autotuner.run
        JITFunction.run = lambda fn, *a, **k: self.launch(fn, *a, **k)
        Autotuner.run = lambda tuner, *a, **k: self.tune(tuner, *a, **k)
        return self

    def __exit__(self, *_):
        JITFunction.run, Autotuner.run = self.replaced

    def tune(self, tuner, *args, **kwargs):
        """What an autotuner tries is one kernel."""
        self.count += 1
        self.tuning = self.count
        try:
            return self.replaced[1](tuner, *args, **kwargs)
        finally:
            self.tuning = None

    def launch(self, fn, *args, grid, warmup, **kwargs):
        names = fn.signature.parameters
        bound = fn.signature.bind(*args, **{k: v for k, v in kwargs.items() if k in names})
        bound.apply_defaults()
        blocks = tuple(grid(bound.arguments) if callable(grid) else grid)
        blocks += (1, ) * (3 - len(blocks))
        if warmup or not self.by_tile:
            before = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in bound.arguments.items()}
            kernel = self.replaced[0](fn, *args, grid=grid, warmup=warmup, **kwargs)
            if not warmup and kernel is not None and kernel.hash not in self.seen:
                self.count += 1
                self.seen[kernel.hash] = self.tuning or self.count, fn.__name__, kernel, before, blocks
            return kernel
        kernel = self.replaced[0](fn, *args, grid=grid, warmup=True, **kwargs)
        if kernel.hash not in self.parsed:
            self.parsed[kernel.hash] = parsed(kernel)
        ours, wanted, config = self.parsed[kernel.hash]
        ours(*[bound.arguments[n] for n in wanted], grid=blocks, config=config)
        return kernel

    def kernels(self):
        """Configurations of one kernel, one list behind the other."""
        found = {}
        for group, *rest in self.seen.values():
            found.setdefault(group, []).append(rest)
        return found.values()


# --- what comes of it -----------------------------------------------------------


@contextlib.contextmanager
def filled():
    """Memory that nobody wrote is NaN, not what an earlier run left there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.use_deterministic_algorithms(True, warn_only=True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(False)


def evaluate(function, operands, double=False):
    """Results, and gradients of the operands that want them, by gradients that the same seed makes."""
    copy = lambda t: t.detach().double() if double and t.is_floating_point() else t.detach().clone()
    mine = [copy(t).requires_grad_(t.requires_grad) for t in operands]
    results = function(*mine)
    results = results if isinstance(results, tuple) else (results, )
    kept = [r.detach().clone() for r in results]
    if any(t.requires_grad for t in mine):
        wanting = [r for r in results if r.requires_grad]
        torch.manual_seed(1)
        gradients = [torch.randn(r.shape, device=DEVICE).bfloat16().to(r.dtype) for r in wanting]
        torch.autograd.backward(wanting, gradients)
        kept += [t.grad for t in mine if t.grad is not None]
    return kept


def distance(a, b):
    """How far a is from b, in relative norm, in units of the last place of a's type; NaN is NaN's equal alone."""
    unit = torch.finfo(a.dtype).eps if a.is_floating_point() else 1e-9
    a, b = a.double(), b.double()
    both = a.isnan() & b.isnan()
    far = (torch.where((a == b) | both, 0, a - b).norm() / b[b.isfinite()].norm().clamp_min(1e-30)).item()
    return far / unit if math.isfinite(far) else math.inf


def compare(function, reference, operands):
    """What Triton launched, and the largest distance from float64 of Triton's results and of tile's."""
    wanted = evaluate(reference, operands, double=True)
    with Launches() as launches, filled():
        theirs = [distance(a, b) for a, b in zip(evaluate(function, operands), wanted, strict=True)]
    with Launches(by_tile=True), filled():
        ours = [distance(a, b) for a, b in zip(evaluate(function, operands), wanted, strict=True)]
    allowed = [UNITS if DEVICE == "cpu" else max(UNITS, 2 * t) for t in theirs]
    return launches, max(theirs), max(ours), all(o <= most for o, most in zip(ours, allowed))


# --- both ways ------------------------------------------------------------------


def apart(a, b):
    """How far two kernels' results are from each other, in units. Of whole numbers two in a thousand may be neighbours, for what they
    were truncated from may have been the larger one: x / high * 127 where x is high."""
    off = (a.double() - b.double()).abs() if a.numel() and not a.is_floating_point() else None
    if off is not None and off.max() <= 1 and (off > 0).double().mean() <= 2e-3:
        return 0.0
    return distance(a, b)


def measure(kernel, arguments, blocks):
    """ms of Triton and of tile, whose results must be of one kind."""
    ours, wanted, config = parsed(kernel)
    mine, theirs = ({k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in arguments.items()} for _ in range(2))
    ways = [lambda: kernel[blocks](*theirs.values()), lambda: ours(*[mine[n] for n in wanted], grid=blocks, config=config)]
    for launch in ways:
        launch()
    far = max(apart(mine[n], theirs[n]) for n in wanted if isinstance(mine[n], torch.Tensor))
    if far > 2 * UNITS:
        raise RuntimeError(f"a result of {kernel.name} is {far:.2g} units from Triton's")
    return by_turns(ways, 15, 128 << 20)


def best(configurations):
    """The kernel's name, warps and ms of Triton's best configuration, and of tile's."""
    found = [(measure(*rest), name, rest[0].metadata.num_warps) for name, *rest in configurations]
    triton, tile = (min((ms[i], warps) for ms, _, warps in found) for i in range(2))
    return found[0][1], triton, tile


def make(*shape, dtype=torch.float32):
    return torch.randn(*shape, device=DEVICE, dtype=dtype)


def print_rows(group, options):
    """Prints a table; the ratios, and how many functions were wrong."""
    ratios, wrong = [], 0
    print("\n| function | kernel | warps | Triton, ms | tile, ms | ratio | Triton, tile from float64, units |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, function, reference, operands in __import__(group).rows(make, options.small):
        asks = DEVICE == "cpu" and name == "DyT"  # for a GPU's multiprocessors
        if asks or not re.search(options.rows, name) or time.time() - options.start > options.seconds:
            continue
        try:
            torch.manual_seed(0)
            launches, theirs, ours, right = compare(function, reference, operands())
            far = f"{theirs:.2g}, {ours:.2g}"
            if not right or DEVICE == "cpu":
                wrong += not right
                print(f"| {name} | {'right' if right else 'wrong'} | | | | | {far} |", flush=True)
                continue
            for kernel, (theirs, their_warps), (ours, our_warps) in map(best, launches.kernels()):
                warps = our_warps if our_warps == their_warps else f"{their_warps}, {our_warps}"
                print(f"| {name} | {kernel} | {warps} | {theirs:.4f} | {ours:.4f} | {theirs / ours:.2f} | {far} |", flush=True)
                ratios.append(theirs / ours)
        except (ImportError, RuntimeError, tile.Error) as error:
            wrong += 1
            print(f"| {name} | {type(error).__name__}: {str(error).splitlines()[0][:100]} | | | | | |", flush=True)
    return ratios, wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--rows", default="")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    options.start, failed = time.time(), 0
    unknown = [g for g in options.groups if g not in GROUPS]
    if unknown:
        raise SystemExit(f"error: expected groups of {', '.join(GROUPS)}, found {unknown[0]}")
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "the CPU"
    print(f"{device}, torch {torch.__version__}, Triton {triton.__version__}, tile {tile.__version__}")
    for group in options.groups or GROUPS:
        ratios, wrong = print_rows(group, options)
        failed += wrong
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"\n{group}: {len(ratios)} kernels, geometric mean {mean:.3f}, least {min(ratios):.2f}")
    if failed:
        raise SystemExit(f"error: expected results within {UNITS} units of float64's, found {failed} functions whose are not")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Each kernel that FlagGems launches, by Triton and by tile, hundreds of them in a minute.

    PYTHONPATH=build/python python3 bench/beside_corpus.py --prepare && PYTHONPATH=build/python python3 bench/beside_corpus.py
        [--processes N] [--rows REGEX] [--prepare SECONDS] [--begin SECONDS] [--seconds SECONDS]

Functions (bench/beside/gems.py) are run by several processes, which keep each kernel that Triton launches, and what it was launched on.
`--prepare` compiles it by both and holds the results of one launch against each other, in units of the last place. Without it the
processes have it all loaded when `--begin` seconds are over, and then take turns: each kernel is launched by both, one behind the
other, each launch behind a flush of the L2 cache; a row has the medians of 11, in us, and Triton's time over tile's. Of an autotuner's
configurations the one in the middle is taken. Rows below .95 end in `<`. `SMALL=1` takes small sizes."""
import argparse
import math
import multiprocessing
import os
import re
import sys
import time
import warnings

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "beside")]
START = time.time()


def say(text):
    """A line of its own, whoever else prints."""
    os.write(1, (text + "\n").encode())


def take_one_configuration():
    from triton.runtime.autotuner import Autotuner
    init = Autotuner.__init__

    def one(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.configs = self.configs[len(self.configs) // 2:][:1]

    Autotuner.__init__ = one


def copied(value):
    """With strides and what lies around it, of tensors, FlagGems' own and those of descriptors."""
    import dataclasses
    import torch
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.is_contiguous() and value.storage_offset() == 0:
            return value.clone()
        made = torch.empty(0, dtype=value.dtype, device=value.device)
        return made.set_(value.untyped_storage().clone(), value.storage_offset(), value.size(), value.stride())
    kind = type(value).__name__
    if kind == "StridedBuffer":
        return type(value)(copied(value._base), value.size(), value.stride(), value.dtype, value.offset)
    return dataclasses.replace(value, base=copied(value.base)) if kind == "TensorDescriptor" else value


def memory(value):
    import torch
    for each in value, getattr(value, "_base", None), getattr(value, "base", None):
        if isinstance(each, torch.Tensor):
            return each
    return None


def taken(values):
    """As tile takes arguments: a descriptor is its base, extents and strides, and both once more."""
    import torch
    for value in values:
        kind, base = type(value).__name__, memory(value)
        if kind == "StridedBuffer":
            made = torch.empty(0, dtype=value.dtype, device=base.device)
            yield made.set_(base.untyped_storage(), base.storage_offset() + value.offset, (1, ))
        elif kind == "TensorDescriptor":
            yield from (base, *value.shape, *value.strides[:-1], *value.shape, *value.strides)
        else:
            yield value


class Launches:
    """While it is open, each kernel that Triton launches is kept once, with what it was launched on."""

    def __enter__(self):
        from triton.runtime.jit import JITFunction
        self.seen, self.copies, self.former = {}, False, JITFunction.run
        JITFunction.run = lambda fn, *a, **k: self.launch(fn, *a, **k)
        return self

    def __exit__(self, *_):
        from triton.runtime.jit import JITFunction
        JITFunction.run = self.former

    def launch(self, fn, *args, grid, warmup, **kwargs):
        if self.copies or warmup:
            return self.former(fn, *args, grid=grid, warmup=warmup, **kwargs)
        bound = fn.signature.bind(*args, **{k: v for k, v in kwargs.items() if k in fn.signature.parameters})
        bound.apply_defaults()
        blocks = (tuple(grid(bound.arguments) if callable(grid) else grid) + (1, 1))[:3]
        self.copies = True
        before = {k: copied(v) for k, v in bound.arguments.items()}
        self.copies = False
        kernel = self.former(fn, *args, grid=grid, warmup=warmup, **kwargs)
        self.seen.setdefault(kernel.hash, (fn.__name__, kernel, before, blocks))
        return kernel


def ways(kernel, blocks, ours, theirs):
    """A launch of `theirs` by Triton, and one of `ours` by tile."""
    import tile
    names = [n for n, kind in kernel.src.signature.items() if kind != "constexpr"]
    parsed = tile.parse(kernel.asm["ttir"], f"{kernel.name}.ttir")[kernel.name]
    values, config = list(taken(ours[n] for n in names)), {"num_warps": kernel.metadata.num_warps}
    return lambda: kernel[blocks](*theirs.values()), lambda: parsed(*values, grid=blocks, config=config)


def units(a, b):
    """How far two results are from each other; of whole numbers how many differ."""
    import torch
    if not a.is_floating_point():
        return float((a != b).sum()) if (a != b).double().mean() > 2e-3 else 0.0
    last, a, b = torch.finfo(a.dtype).eps, a.double(), b.double()
    alike = (a == b) | (a.isnan() & b.isnan())
    far = (torch.where(alike, 0, a - b).norm() / b[b.isfinite()].norm().clamp_min(1e-30)).item()
    return far / last if math.isfinite(far) else math.inf


def compare(kernel, before, blocks):
    ours, theirs = ({k: copied(v) for k, v in before.items()} for _ in range(2))
    for launch in ways(kernel, blocks, ours, theirs):
        launch()
    pairs = [(memory(ours[n]), memory(theirs[n])) for n in before if memory(ours[n]) is not None]
    return max((units(a, b) for a, b in pairs), default=0)


def measure(launches):
    from turns import by_turns
    return [1e3 * ms for ms in by_turns(launches, 11, 192 << 20)]


def found(options, number):
    """The launches of each function that is this process's part."""
    import torch
    take_one_configuration()
    import gems
    for k, (name, function) in enumerate(gems.rows()):
        if k % options.processes != number or not re.search(options.rows, name):
            continue
        if time.time() - START > (options.prepare or options.begin):
            return say(f"# out of time before {name}")
        try:
            torch.manual_seed(0)
            with Launches() as launches:
                function()
            yield from ((name, *seen) for seen in launches.seen.values())
        except Exception as error:  # what FlagGems or the size of the memory refuse
            say(f"# {name}: {type(error).__name__}: {' '.join(str(error).split())[:160]}")
        torch.cuda.empty_cache()


def prepare(options, number):
    for name, which, *seen in found(options, number):
        try:
            far = compare(*seen)
            if far > 16:
                say(f"! {name} | {which}: {far:.3g} units from Triton's")
        except Exception as error:
            say(f"! {name} | {which}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")


def take_turn(options, number, lock):
    ready = []
    for name, which, kernel, before, blocks in found(options, number):
        try:
            both = ways(kernel, blocks, before, before)
            for launch in both:
                launch()
            ready.append((name, which, kernel.metadata.num_warps, both))
        except Exception as error:
            say(f"! {name} | {which}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    time.sleep(max(0, START + options.begin - time.time()))
    with lock:
        for name, which, warps, both in ready:
            if time.time() - START < options.seconds:
                theirs, ours = measure(both)
                mark = " <" if theirs / ours < .95 else ""
                say(f"| {name} | {which} | {warps} | {theirs:.1f} | {ours:.1f} | {theirs / ours:.2f} |{mark}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--processes", type=int, default=9)
    parser.add_argument("--rows", default="")
    parser.add_argument("--prepare", type=float, nargs="?", const=600, default=0)
    parser.add_argument("--begin", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    fork = multiprocessing.get_context("fork")
    lock = fork.Lock()
    if not options.prepare:
        print("| function | kernel | warps | Triton, us | tile, us | ratio |\n| --- | --- | --- | --- | --- | --- |", flush=True)
    parts = [fork.Process(target=prepare, args=(options, n)) if options.prepare else
             fork.Process(target=take_turn, args=(options, n, lock)) for n in range(options.processes)]
    for part in parts:
        part.start()
    for part in parts:
        part.join()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Products of shapes that nobody tuned: what the model chooses, beside the default configuration, tuning and cuBLASLt.

    PYTHONPATH=build/python python3 bench/shapes.py test/Examples/Matmul/matmul.mlir [--rows REGEX] [--seconds N] [--small] [--others]

For each M x N x K, f16, B as [K, N]: `matmul(a, b, c)` in a process, with a cache of its own, that has tuned nothing; the
default configuration; and the fastest of 24 algorithms of cuBLASLt. Contenders take turns, each launch behind a flush of
the L2 cache; microseconds between two events, medians of 15. Then each shape is tuned, and what was found stands beside the
default again, by which its column is scaled. `--others`: shapes that the model's numbers were not fitted to. All results are compared with float64. `--seconds` (110) is when to tune no further shape. `--small`
takes small shapes; without a GPU results are compared, and nothing is timed.
"""
import argparse
import math
import os
import re
import statistics
import sys
import tempfile
import time

os.environ["TILE_CACHE"] = os.path.join(tempfile.mkdtemp(prefix="tile-untuned-"), "cache")  # nothing tuned is in it

try:
    import torch

    import cublaslt
    import tile
except ImportError as error:
    sys.exit(f"error: expected torch and tile's package (PYTHONPATH=build/python): {error}")

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SHAPES = [(n, n, n) for n in (512, 640, 1000, 1024, 1280, 1792, 2000, 2304, 3584, 4096, 100)] + [
    (384, 384, 2048), (896, 1152, 4096), (2560, 2560, 1024), (4096, 1024, 1024), (512, 2048, 2048), (256, 256, 8192), (512, 512, 16384),
    (32, 4096, 4096), (128, 4096, 14336), (5000, 304, 704), (6144, 6144, 2048), (3000, 1000, 200), (777, 333, 1555)]
OTHERS = [(2, 3584, 18944), (12, 8192, 3072), (40, 1536, 8960), (56, 10240, 1280), (11, 2047, 3001), (384, 640, 16384), (128, 256, 24576),
          (1024, 320, 10240), (999, 777, 555), (1235, 3333, 1111), (96, 96, 512), (160, 288, 96), (448, 448, 448), (20000, 96, 640),
          (12288, 48, 2048), (64, 50000, 512), (192, 8192, 3072), (320, 16384, 1536), (1200, 1200, 1200), (1920, 2688, 1344),
          (2688, 2688, 2688), (3072, 768, 768), (4608, 1536, 1536)]


def check(c, wanted, shape, name):
    error = ((c.double() - wanted).norm() / wanted.norm()).item()
    if not error < 1e-3:
        sys.exit("error: expected {} x {} x {} within 1e-3 of float64".format(*shape) + f", found {error:.1e} by {name}")


def measure(contenders, flush, count=15, warmups=2):
    """Medians of `count` launches, in microseconds; contenders take turns, each launch behind a flush of the L2 cache."""
    times = {name: [] for name in contenders}
    for i in range(warmups + count):
        for name, launch in contenders.items():
            flush.zero_()
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            events[0].record()
            launch()
            events[1].record()
            if i >= warmups:
                times[name].append(events)
    torch.cuda.synchronize()
    return {name: statistics.median(a.elapsed_time(b) for a, b in pairs) * 1e3 for name, pairs in times.items()}


def operands(shape):
    m, n, k = shape
    torch.manual_seed(0)
    a, b = (torch.randn(s, device=DEVICE).half() for s in ((m, k), (k, n)))
    return a, b, a.new_empty(m, n)


def contend(kernel, shape, names, flush, found=None):
    """Times of contenders by name; results are right, or it is an error."""
    a, b, c = operands(shape)
    wanted = a.double() @ b.double()
    launches = {"chosen": lambda: kernel(a, b, c), "default": lambda: kernel(a, b, c, config=kernel.metas)}
    if found is not None:
        launches["tuned"] = lambda: kernel(a, b, c, config=found)
    if "cuBLASLt" in names:
        launches["cuBLASLt"] = cublaslt.product(a, b, c, False, "f16")[0] or (lambda: torch.mm(a, b, out=c))
    for name in names:
        c.fill_(math.nan)
        launches[name]()
        check(c, wanted, shape, name)
    return measure({name: launches[name] for name in names}, flush) if DEVICE == "cuda" else {}


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--rows", default="")
    parser.add_argument("--seconds", type=float, default=110)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--others", action="store_true")
    options = parser.parse_args()
    start = time.monotonic()
    kernel = tile.load(options.file)["matmul"]
    shapes = [tuple(x // 16 + 8 for x in s) if options.small else s for s in (OTHERS if options.others else SHAPES)]
    shapes = [s for s in shapes if re.search(options.rows, "{} x {} x {}".format(*s))]
    if DEVICE == "cpu":
        for shape in shapes:
            contend(kernel, shape, ["chosen", "default"], None)
            print("{} x {} x {}: right".format(*shape))
        return
    flush = torch.empty(512 << 20, dtype=torch.int8, device=DEVICE)  # longer than what the host does meanwhile
    torch.mm(*(torch.ones(16, 16, device=DEVICE, dtype=torch.float16), ) * 2)  # loads cuBLASLt
    untuned = [contend(kernel, shape, ["cuBLASLt", "default", "chosen"], flush) for shape in shapes]
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, tile {tile.__version__}\n")
    print("| M x N x K | cuBLASLt | default | chosen | tuned | chosen over tuned | tuned is |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    over = []
    for shape, times in zip(shapes, untuned):
        row = "| {} x {} x {} | {cuBLASLt:.1f} | {default:.1f} | {chosen:.1f}".format(*shape, **times)
        if time.monotonic() - start > options.seconds:
            print(row + " | | | |")
            continue
        tried = kernel.tune(*operands(shape))
        again = contend(kernel, shape, ["default", "tuned"], flush, tried.config or kernel.metas)
        tuned = again["tuned"] * times["default"] / again["default"]
        over.append(times["chosen"] / tuned)
        print(f"{row} | {tuned:.1f} | {over[-1]:.2f} | {tried.config or 'the default'} |", flush=True)
    lt = mean([t["cuBLASLt"] / t["chosen"] for t in untuned])
    default = mean([t["default"] / t["chosen"] for t in untuned])
    print(f"\nGeometric means of {len(untuned)} shapes: cuBLASLt's time over that of what is chosen {lt:.3f}, the default's {default:.3f}")
    if over:
        print(f"and of {len(over)} that were tuned: chosen over tuned {mean(over):.3f}")


if __name__ == "__main__":
    main()

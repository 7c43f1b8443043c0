#!/usr/bin/env python3
"""Products of every type and of shapes drawn from a seed: what the model chooses, beside tuning and cuBLASLt.

    PYTHONPATH=build/python python3 bench/rows/drawn.py test/Examples/Matmul/typed_matmul.mlir \\
        [--kinds tf32,e4m3,e5m2,s8,tf32x3,f32,f64,f16,f16-kn,f16-mk,..] [--count 20] [--seed 1] [--tune N] [--seconds N]

A is [M, K], B [N, K]; of kinds with -kn B is [K, N], of those with -mk A is [K, M]: f16 and bf16 with either, both or none, products of
matmul.mlir, which lies beside. M, N and K are drawn by their logarithms, from 1, 32 and 64 on; N and K are multiples of 128, 64, 16 or 8
elements, or any number. For each shape, in turns, each launch behind a flush of the L2 cache, medians of 7 in
microseconds: the kernel's default, what it chooses in a process that has tuned nothing, and the fastest of the
algorithms that cuBLASLt offers (of f32 for tf32x3). Then, for the first N shapes of a type (--tune, all), what tuning
finds, beside the default again, by which its column is scaled. All results are compared with float64. `--seconds` (110)
is when to look at no further shape. The last table has the shapes by what cuBLASLt's time is of the choice's, least first.
"""
import argparse
import math
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

try:
    from shapes import DEVICE, mean, measure  # first: with it come a cache that has nothing tuned, and tile

    import torch

    import cublaslt
    import tile
    import typed_rows
except ImportError as error:
    sys.exit(f"error: expected torch and tile's package (PYTHONPATH=build/python): {error}")

KINDS = ("tf32", "e4m3", "s8", "tf32x3", "f64")
# Of matmul.mlir: elements, and the relative error that is allowed.
HALVES = {f"{name}{suffix}": (dtype, tolerance) for name, dtype, tolerance in
          (("f16", torch.float16, 1e-3), ("bf16", torch.bfloat16, 5e-3)) for suffix in ("", "-kn", "-mk", "-mk-kn")}
MOST_BYTES = 2e8


def types_of(kind):
    """Of A, B and C, and the relative error that is allowed."""
    if kind in HALVES:
        dtype, tolerance = HALVES[kind]
        return dtype, dtype, dtype, tolerance
    return typed_rows.KINDS[kind][:4]


def is_along(kind):
    """Does B have K fastest?"""
    return not kind.endswith("-kn")


def draw(kind, count, seed):
    """Shapes M, N, K; of types whose products take long, smaller ones."""
    source = random.Random(f"{kind} {seed}")
    size = types_of(kind)[0].itemsize
    most = {"f64": 4e10, "f32": 4e10, "tf32x3": 6e10}.get(kind, 3e11)
    found = []
    while len(found) < count:
        unit = source.choice((128, 64, 16, max(1, 16 // size), 1))
        m, n, k = (math.exp(source.uniform(math.log(a), math.log(b))) for a, b in ((1, 8192), (32, 16384), (64, 16384)))
        m, n, k = round(m), max(unit, round(n / unit) * unit), max(unit, round(k / unit) * unit)
        if 2e6 < m * n * k < most and size * (m * k + k * n + m * n) < MOST_BYTES:
            found.append((m, n, k))
    return found


def kernel_of(path, kind):
    if kind in HALVES:
        path = os.path.join(os.path.dirname(path), "matmul.mlir")
    with open(path) as file:
        text = re.split(r"^// A row of each", file.read(), flags=re.M)[0]
    if kind in HALVES:
        return tile.parse(re.sub(r"(?<!b)f16\b", kind.split("-")[0], text), path)["matmul"]
    if kind == "f32":
        return tile.parse(re.sub(r" precision tf32\b", "", text), path)["matmul_tf32"]
    return tile.parse(text, path)[f"matmul_{kind}"]


def numbers(rows, columns, dtype):
    if dtype == torch.int8:
        return torch.randint(-128, 128, (rows, columns), device=DEVICE, dtype=dtype)
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    return torch.randn(rows, columns, device=DEVICE, dtype=wide).to(dtype)


def operands(kind, shape):
    m, n, k = shape
    a_type, b_type, c_type, _ = types_of(kind)
    b = numbers(*((n, k) if is_along(kind) else (k, n)), b_type)
    a = numbers(k, m, a_type).t() if "-mk" in kind else numbers(m, k, a_type)
    return a, b, torch.empty(m, n, device=DEVICE, dtype=c_type)


def check(kind, shape, name, arrays):
    """Of the first 256 rows."""
    a, b, c = arrays
    wanted = a[:256].double() @ (b.double().t() if is_along(kind) else b.double())
    error = ((c[:256].double() - wanted).norm() / wanted.norm()).item()
    if not error <= types_of(kind)[3]:
        sys.exit("error: expected {} x {} x {}".format(*shape) + f" of {kind} like float64, found {error:.1e} by {name}")


def contend(kernel, kind, shape, flush, tunes):
    arrays = operands(kind, shape)
    a, b, c = arrays
    given = (a, b.t(), c) if kind in HALVES and is_along(kind) else arrays  # matmul.mlir's B is [K, N], of any strides
    own = {"default": lambda: kernel(*given, config=kernel.metas), "chosen": lambda: kernel(*given)}
    for name, launch in own.items():
        arrays[2].zero_()
        launch()
        check(kind, shape, name, arrays)
    if DEVICE == "cpu":
        return {}
    try:
        lt = cublaslt.product(*arrays, is_along(kind), "f32" if kind == "tf32x3" else kind)[0]
    except RuntimeError:
        lt = None
    times = measure({**own, **({"cuBLASLt": lt} if lt else {})}, flush, 7, 1)
    if tunes:
        found = kernel.tune(*given).config or kernel.metas
        again = measure({"default": own["default"], "tuned": lambda: kernel(*given, config=found)}, flush, 7, 1)
        times["tuned"] = again["tuned"] * times["default"] / again["default"]
    return times


def cell(times, name):
    return f"{times[name]:.1f}" if name in times else "-"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tune", type=int, default=1 << 30)
    parser.add_argument("--seconds", type=float, default=110)
    options = parser.parse_args()
    start, sums, ranks = time.monotonic(), [], []
    flush = torch.empty(256 << 20 if DEVICE == "cuda" else 1, dtype=torch.int8, device=DEVICE)
    if DEVICE == "cuda":
        torch.mm(*(torch.ones(16, 16, device=DEVICE, dtype=torch.float16), ) * 2)  # loads cuBLASLt
        print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, tile {tile.__version__}\n")
    print("| type | M x N x K | cuBLASLt | default | chosen | tuned |\n| --- | --- | --- | --- | --- | --- |")
    for kind in options.kinds.split(","):
        kernel, all_times = kernel_of(options.file, kind), []
        for i, shape in enumerate(draw(kind, options.count, options.seed)):
            if time.monotonic() - start > options.seconds:
                break
            times = contend(kernel, kind, shape, flush, i < options.tune)
            all_times.append(times)
            cells = " | ".join(cell(times, name) for name in ("cuBLASLt", "default", "chosen", "tuned"))
            print("| {} | {} x {} x {} | {} |".format(kind, *shape, cells if times else "right | | |"), flush=True)
            if "cuBLASLt" in times:
                ranks.append((times["cuBLASLt"] / times["chosen"], "{} {} x {} x {}".format(kind, *shape)))
        for name in ("cuBLASLt", "default", "tuned"):
            ratios = [t[name] / t["chosen"] for t in all_times if name in t]
            if ratios:
                sums.append(f"{kind}: {name}'s time over that of what is chosen {mean(ratios):.3f}, of {len(ratios)} shapes")
    if sums:
        print("\n" + "\n".join(sums))
    if ranks:
        print("\ncuBLASLt's time over that of what is chosen:\n" + "\n".join(f"{ratio:.3f}  {what}" for ratio, what in sorted(ranks)))


if __name__ == "__main__":
    main()

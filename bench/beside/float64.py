"""Which of two compilers is right: a kernel by Triton and by tile, each beside the same kernel in f64.

    PYTHONPATH=build/python python3 bench/beside/float64.py KERNEL.ttir --grid X[,Y,Z] [--warps N] [--stages N] --arg ARG...

KERNEL.ttir is what a launch left. An argument is a type and how many elements, `bf16[8388608]`, of which random numbers are made
(normal, times .3; integers are 0), or a number: `4096`, `0.125`. In the same text every float is f64 then, and what rounds them is left out; that
runs on the CPU, by tile. Prints for each array that the kernel writes how far Triton's and tile's lie from it, as relative norms of
what was written. Without a GPU tile runs on the CPU, and Triton does not."""
import argparse
import os
import re
import sys

os.environ.setdefault("TILE_TRITON", "0")
import torch

import tile

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool,
         "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}
LOCATION = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
CONVERSION = re.compile(r"\s*(%\w+) = arith\.(?:extf|truncf) (%\w+) : (\S+) to (\S+)")


def widened(text):
    """TTIR in f64, in which a conversion of floats is its operand."""
    text = re.sub(r"^#loc.*\n", "", LOCATION.sub("", text), flags=re.M)
    text = re.sub(r"(?:\b|(?<=[0-9]x))(?:bf16|f16|f32)\b", "f64", text)
    text = text.replace("inputPrecision = tf32", "inputPrecision = ieee")
    same, lines = {}, []
    for line in text.splitlines():
        found = CONVERSION.fullmatch(line.rstrip())
        if found:
            same[found[1]] = same.get(found[2], found[2])
        else:
            lines.append(re.sub(r"%\w+", lambda name: same.get(name[0], name[0]), line))
    return "\n".join(lines) + "\n"


def values(arguments, seed):
    generator = torch.Generator().manual_seed(seed)
    for text in arguments:
        array = re.fullmatch(r"(\w+)\[(\d+)\]", text)
        if not array:
            yield float(text) if re.search(r"[.e]", text) else int(text)
        elif TYPES[array[1]].is_floating_point:
            yield (torch.randn(int(array[2]), generator=generator) * .3).to(TYPES[array[1]])
        else:
            yield torch.zeros(int(array[2]), dtype=TYPES[array[1]])


def copies(given, device=None, wide=False):
    move = lambda t: t.to(device, torch.float64 if wide and t.is_floating_point() else t.dtype, copy=True)
    return [move(v) if torch.is_tensor(v) else v for v in given]


def by_tile(text, given, options):
    kernel = re.search(r"tt\.func public @(\w+)", text)[1]
    tile.parse(text, options.kernel)[kernel](*given, grid=options.grid, config={"num_warps": options.warps})
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return given


def by_triton(given, options):
    import triton
    triton.compile(options.kernel, options=dict(num_warps=options.warps, num_stages=options.stages))[options.grid](*given)
    return given


def distance(found, wanted, written):
    found, wanted = found.cpu().double()[written], wanted[written]
    return ((found - wanted).norm() / wanted.norm().clamp_min(1e-300)).item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel")
    parser.add_argument("--grid", required=True)
    parser.add_argument("--warps", type=int, default=4)
    parser.add_argument("--stages", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--arg", action="append", default=[])
    options = parser.parse_args()
    options.grid = tuple(map(int, (options.grid + ",1,1").split(",")[:3]))
    with open(options.kernel) as stream:
        text = stream.read()
    given = list(values(options.arg, options.seed))
    before = copies(given, wide=True)
    wanted = by_tile(widened(text), copies(before), options)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    found = {"tile": by_tile(text, copies(given, device), options)}
    if device == "cuda":
        found["Triton"] = by_triton(copies(given, device), options)
    for number, (first, right) in enumerate(zip(before, wanted)):
        if torch.is_tensor(first) and not torch.equal(first, right):
            written = first != right
            print(f"argument {number}, {options.arg[number]}: " +
                  ", ".join(f"{who} {distance(r[number], right, written):.2e}" for who, r in found.items()) + " from f64")
    return 0


if __name__ == "__main__":
    sys.exit(main())

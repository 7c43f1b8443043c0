#!/usr/bin/env python3
"""How long it takes from TTIR to a loaded kernel, by Triton's own stages and by tile's backend for Triton.

    PYTHONPATH=build/python python3 bench/beside/load_time.py [--warps N] FILE.ttir|FOLDER...

Each file goes through `triton.compile(FILE)` and the loading of what comes out, in a process for each compiler whose caches
are new and empty; a kernel by Triton and by tile in turns, so that what else the machine does meets both. Prints medians and
means in ms, and files that one of them refuses. Kernels have N warps (4). Needs a GPU."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def work():
    """Compiles what comes by standard input, a file and its warps a line; answers with seconds or why not."""
    import torch
    import triton
    from triton.runtime import driver
    if os.environ["TILE_TRITON"] == "strict":
        import tile_triton  # noqa: F401, or there is nothing to compare
    if not torch.cuda.is_available():
        raise SystemExit("error: expected a GPU that torch can use, found none")
    target = driver.active.get_current_target()
    print("ready", flush=True)
    for line in sys.stdin:
        file, warps = line.rstrip("\n").split("\t")
        begin = time.perf_counter()
        try:
            kernel = triton.compile(file, target=target, options={"num_warps": int(warps)})
            kernel._init_handles()
            answer = {"seconds": time.perf_counter() - begin}
        except Exception as error:
            answer = {"error": " ".join(str(error).split())[-200:]}
        print(json.dumps(answer), flush=True)


class Compiler:
    def __init__(self, mode, scratch):
        environment = dict(os.environ, TILE_TRITON=mode, TILE_CACHE=os.path.join(scratch, "tile" + mode),
                           TRITON_CACHE_DIR=os.path.join(scratch, "triton" + mode))
        self.process = subprocess.Popen([sys.executable, __file__, "--work"], env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=open(os.path.join(scratch, "errors" + mode), "w+"))
        if self.process.stdout.readline() != "ready\n":
            with open(os.path.join(scratch, "errors" + mode)) as errors:
                raise SystemExit(errors.read().splitlines()[-1])

    def compile(self, file, warps):
        self.process.stdin.write(f"{file}\t{warps}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else {"error": "the process ended"}


def files_of(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for where, _, names in os.walk(path):
            yield from (os.path.join(where, name) for name in sorted(names) if name.endswith(".ttir"))


def row(name, seconds):
    return f"| {name} | {1e3 * statistics.median(seconds):.1f} | {1e3 * statistics.mean(seconds):.1f} | {1e3 * max(seconds):.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warps", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=1e9, help="when to start no further file")
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    begin, both, left = time.time(), [], []
    with tempfile.TemporaryDirectory() as scratch:
        compilers = Compiler("0", scratch), Compiler("strict", scratch)
        for number, file in enumerate(files_of(args.paths)):
            if time.time() - begin > args.seconds:
                break
            order = compilers if number % 2 else compilers[::-1]
            answers = {c: c.compile(file, args.warps) for c in order}
            triton, tile = (answers[c] for c in compilers)
            if "error" in triton or "error" in tile:
                left.append(f"{os.path.basename(file)}: " + "; ".join(
                    f"{name}: {a['error']}" for name, a in (("Triton", triton), ("tile", tile)) if "error" in a))
            elif number > 1:  # the first ones load libraries
                both.append((triton["seconds"], tile["seconds"]))
        for compiler in compilers:
            compiler.process.stdin.close()
            compiler.process.wait()
    if not both:
        raise SystemExit("error: expected files that both compile, found none:\n" + "\n".join(left))
    print(f"{len(both)} kernels\n\n| | median, ms | mean, ms | most, ms |\n| --- | --- | --- | --- |")
    print(row("Triton", [t for t, _ in both]))
    print(row("tile", [t for _, t in both]))
    print(f"\nTriton's time over tile's: median {statistics.median(t / u for t, u in both):.2f}")
    print("".join(f"left out: {line}\n" for line in left), end="")


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main()

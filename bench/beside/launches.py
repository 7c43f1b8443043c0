#!/usr/bin/env python3
"""What a launch takes the host, by Triton and by tile, through Triton's own front end.

    PYTHONPATH=build/python python3 bench/beside/launches.py [--rounds N] [--ways triton,tile]

A process of its own for each way, as bench/training_step.py has them; they take their rounds by turns. A batch of 100 launches of kernels that do
nearly nothing is timed up to its last one, the device waited for outside of that: us of a launch, the median of the rounds'. Without a
GPU only tile's are timed, on the CPU, where a launch runs.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

BATCH = 100


def make_launches(device):
    """A function for each kind of launch."""
    import torch
    import triton
    import triton.language as tl
    from triton.tools.tensor_descriptor import TensorDescriptor

    def kernel(count, body="tl.store(a0, 1.0)"):
        """Of `count` pointers, written as a file, where Triton reads functions from."""
        import importlib.util
        import tempfile
        names = ", ".join(f"a{i}" for i in range(count))
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write(f"import triton, triton.language as tl\n@triton.jit\ndef few({names}):\n    {body}\n")
        spec = importlib.util.spec_from_file_location(f"few{count}", file.name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.few[(1,)]

    x = [torch.zeros(64, 64, device=device) for _ in range(20)]
    numbers = list(range(3, 23))
    of = {}
    for count in (1, 4, 8, 20):
        few = kernel(count)
        of[f"{count} tensors"] = lambda few=few, count=count: few(*x[:count])
    made = few(*x)[(1, 1, 1)]
    of["20 tensors, a compiled kernel"] = lambda: made(*x)
    mixed = kernel(20)
    of["4 tensors, 16 numbers"] = lambda: mixed(*x[:4], *numbers[:16])
    of["4 tensors, 8 numbers, 8 floats"] = lambda: mixed(*x[:4], *numbers[:8], *[0.5] * 8)
    return of | more_launches(x, triton, tl, TensorDescriptor)


def more_launches(x, triton, tl, TensorDescriptor):

    @triton.jit
    def scaled(a, b, n, by, BLOCK: tl.constexpr, MORE: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(b + at, tl.load(a + at, at < n) * by, at < n)

    tuned = triton.autotune([triton.Config({"MORE": i}, num_warps=w) for i in (0, 1) for w in (1, 4)], ["n"])(scaled)
    heuristic = triton.heuristics({"MORE": lambda given: given["n"] % 2})(scaled)

    @triton.jit
    def boxes(a, b):
        b.store([0, 0], a.load([0, 0]))

    describe = lambda t: TensorDescriptor.from_tensor(t, [16, 32])
    described = describe(x[0]), describe(x[1])
    @triton.jit
    def together(a, more):
        tl.store(a, tl.load(more[0]))

    several, four = together[(1,)], tuple(x[:4])
    plain, by_tuner, by_rule, by_boxes = scaled[(4,)], tuned[(4,)], heuristic[(4,)], boxes[(1,)]
    grid = lambda given: (triton.cdiv(given["n"], given["BLOCK"]),)
    compiled = scaled.warmup(x[0], x[1], 1000, 2.0, BLOCK=256, MORE=0, grid=(4,))
    made = compiled[(4, 1, 1)]
    return {
        "constants": lambda: plain(x[0], x[1], 1000, 2.0, BLOCK=256, MORE=0),
        "a grid that is a function": lambda: scaled[grid](x[0], x[1], 1000, 2.0, BLOCK=256, MORE=0),
        "autotuned": lambda: by_tuner(x[0], x[1], 1000, 2.0, BLOCK=256),
        "heuristics": lambda: by_rule(x[0], x[1], 1000, 2.0, BLOCK=256),
        "2 descriptors": lambda: by_boxes(*described),
        "2 descriptors, made anew": lambda: by_boxes(describe(x[0]), describe(x[1])),
        "a tuple of 4 tensors": lambda: several(x[0], four),
        "a compiled kernel": lambda: made(x[0], x[1], 1000, 2.0, 256, 0),
        "a compiled kernel, bound each time": lambda: compiled[(4, 1, 1)](x[0], x[1], 1000, 2.0, 256, 0),
        "warmed, and not launched": lambda: scaled.warmup(x[0], x[1], 1000, 2.0, BLOCK=256, MORE=0, grid=(4,)),
    }


def serve():
    import torch
    import triton
    device = triton.runtime.driver.active.get_active_torch_device()
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    launches = make_launches(device)
    for launch in launches.values():
        launch()
    wait()
    print(json.dumps(list(launches)), flush=True)
    for _ in sys.stdin:
        times = {}
        for name, launch in launches.items():
            start = time.perf_counter()
            for _ in range(BATCH):
                launch()
            times[name] = (time.perf_counter() - start) / BATCH * 1e6
            wait()
        print(json.dumps(times), flush=True)


class Way:

    def __init__(self, by, has_gpu):
        mode = {"tile": "strict" if has_gpu else "cpu"}.get(by)
        env = {k: v for k, v in os.environ.items() if k != "TILE_TRITON"} | ({"TILE_TRITON": mode} if mode else {})
        self.process = subprocess.Popen([sys.executable, __file__, "--one"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"error: expected a process that launches, found one that ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.hear()


def main():
    parser = argparse.ArgumentParser(description="The host's time of a launch, by Triton and by tile.")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--ways", default="triton,tile")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        serve()
        return
    import torch
    has_gpu = torch.cuda.is_available()
    ways = {by: Way(by, has_gpu) for by in options.ways.split(",") if by != "triton" or has_gpu}
    names = [way.hear() for way in ways.values()][0]
    rounds = {by: [] for by in ways}
    for _ in range(options.rounds):
        for by, way in ways.items():
            rounds[by].append(way.ask())
    print("| launch | " + " | ".join(f"{by}, us" for by in ways) + " | ratio |\n|" + " --- |" * (len(ways) + 2))
    for name in names:
        took = [statistics.median(each[name] for each in rounds[by]) for by in ways]
        print(f"| {name} | " + " | ".join(f"{t:.2f}" for t in took) + f" | {took[0] / took[-1]:.2f} |")


if __name__ == "__main__":
    main()

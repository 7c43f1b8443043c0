"""Triton's tutorials, their files unchanged, by Triton and by tile: their asserts, and each line of each of their plots beside itself.

    PYTHONPATH=build/python python3 bench/beside/tutorials.py [--only 01,06] [--plots REGEX] [--points N]
        [--configs N] [--ms N] [--warm] FOLDER

Needs a GPU. FOLDER has the files of a release of Triton (python/tutorials). Each is run as a program by two processes, which
measure by turns, with TILE_TRITON=0 and TILE_TRITON=strict: its asserts, what it compares (what it prints of that is counted), and its
plots, of which N points each are taken, from the first to the last (all without --points), for the lines that are Triton's. 06 has
its comparison in a function that nobody calls: it is called here, forward and backward, with and without a mask, for heads of 64 and 128. 09 measures by
a profiler: its functions are timed instead. --configs takes every Nth configuration of an autotuner, --ms how long a
measurement takes. --warm measures nothing: it fills the caches of both.

A row is a point of a line: what Triton comes to in the plot's unit, what tile comes to, and how much faster tile is. Then each
plot with its least and its mean, and what went wrong."""
import argparse
import collections
import fcntl
import functools
import json
import math
import os
import queue
import re
import runpy
import subprocess
import sys
import tempfile
import threading
import time
import types

TORCH = re.compile(r"torch|cublas|naive_softmax|flash|apex", re.I)  # lines that no kernel of Triton's has drawn
RATE = re.compile(r"/s|flops", re.I)


# --- one file ------------------------------------------


def report(**fields):
    print("\n\0" + json.dumps(fields), flush=True)


def spread(values, count):
    """`count` of them, from the first to the last."""
    values = list(values)
    if not count or count >= len(values):
        return values
    if count == 1:
        return [values[len(values) // 2]]
    return [values[round(i * (len(values) - 1) / (count - 1))] for i in range(count)]


def once(function, *args, quantiles=None, **kwargs):
    """What measures nothing."""
    function()
    return [1.0] * len(quantiles) if quantiles else 1.0


class Turn:
    """Two processes that share a lock work by turns; by themselves each goes on."""

    def __init__(self, path):
        self.file = open(path, "w")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def pass_on(self):
        fcntl.flock(self.file, fcntl.LOCK_UN)
        time.sleep(.02)  # whoever waits wakes up
        fcntl.flock(self.file, fcntl.LOCK_EX)


class Plot:
    """Stands in for what triton.testing.perf_report gives."""

    def __init__(self, function, benchmarks, options):
        self.function, self.options = function, options
        self.benchmarks = benchmarks if isinstance(benchmarks, list) else [benchmarks]

    def run(self, **_):
        for benchmark in self.benchmarks:
            if re.search(self.options.plots, benchmark.plot_name):
                self.lines(benchmark)

    def lines(self, benchmark):
        for x in spread(benchmark.x_vals, self.options.points):
            values = x if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
            for line in benchmark.line_vals:
                if not TORCH.search(line):
                    self.options.turn.pass_on()
                    point = dict(plot=benchmark.plot_name, x=str(values[0]), line=line, unit=benchmark.ylabel)
                    try:
                        found = self.function(**dict(zip(benchmark.x_names, values)), **{benchmark.line_arg: line}, **benchmark.args)
                        report(value=found[0] if isinstance(found, (tuple, list)) else found, **point)
                    except Exception as error:
                        report(error=f"{type(error).__name__}: {error}"[:200], **point)


def attention(space):
    """What pytest would ask of 06: its own comparison, forward and backward."""
    for head in 64, 128:
        for causal in False, True:
            space["test_op"](1, 2, 1024, head, causal, False, "bwd", "triton-fp16")  # its forward first
            space["test_op"](1, 2, 1024, head, causal, False, "fwd", "triton-fp8")


def persistent(space, options):
    """09's functions, timed by do_bench: its own table comes of a profiler and 20,000 launches each."""
    import torch
    import triton
    space["validate"](32, 32, 32, torch.float16)
    for K in spread(range(512, 4097, 512), options.points):
        space["validate"](8192, 8192, K, torch.float16)

        def bench(label, repeats, first, function, *args):
            if not TORCH.search(label) and re.search(options.plots, "persistent-matmul"):
                options.turn.pass_on()
                ms = triton.testing.do_bench(lambda: function(*args))
                report(plot="persistent-matmul-fp16", x=str(K), line=label, unit="TFLOPS", value=2 * 8192 * 8192 * K * 1e-9 / ms)

        space["bench"].__globals__["bench_fn"] = bench
        space["bench"](K, torch.float16, 1, 1)


def prepare(options):
    """What the files import and have no use for here, and how long measurements take."""
    import triton
    from triton.runtime.autotuner import Autotuner
    triton.testing.perf_report = lambda benchmarks: lambda function: Plot(function, benchmarks, options)
    for name in ("do_bench", "do_bench_cudagraph"):
        own = getattr(triton.testing, name)
        if options.warm:
            setattr(triton.testing, name, once)
        elif options.ms:
            shorter = dict(rep=options.ms) if name.endswith("graph") else dict(rep=options.ms, warmup=max(1, options.ms // 4))
            setattr(triton.testing, name, lambda f, *a, own=own, shorter=shorter, **k: own(f, **{**k, **shorter}))
    init = Autotuner.__init__

    @functools.wraps(init)
    def fewer(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.configs = self.configs[::options.configs]

    Autotuner.__init__ = fewer
    try:
        import tabulate  # noqa: F401
    except ImportError:
        sys.modules["tabulate"] = types.SimpleNamespace(tabulate=lambda rows: "\n".join(map(str, rows)))


def play(path, options):
    """Runs a file, and measures its plots."""
    number = os.path.basename(path)[:2]
    name = "tutorial" if number == "09" else "__main__"
    sys.argv = [path]
    try:
        space = runpy.run_path(path, run_name=name)
        if number == "06":
            attention(space)
        if number == "09":
            persistent(space, options)
    except SystemExit as end:
        if end.code:
            report(wrong=f"status {end.code}")
    except Exception as error:
        report(wrong=f"{type(error).__name__}: {error}"[:200])


def child(options):
    prepare(options)
    options.turn = Turn(options.lock)  # the other compiler measures nothing meanwhile
    for path in options.paths:
        report(file=os.path.basename(path)[:2])
        play(path, options)
        options.turn.pass_on()


# --- both, and the table --------------------------------------------------------


class Told:
    """What a process of one compiler's has reported of each file."""

    def __init__(self, files, mode, lock, options):
        command = [sys.executable, os.path.abspath(__file__), "--child", "--lock", lock, "--plots", options.plots]
        for name in "points", "ms", "configs":
            command += [f"--{name}", str(getattr(options, name))] if getattr(options, name) else []
        command += ["--warm"] * options.warm + files
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        env={**os.environ, "TILE_TRITON": mode})
        said = queue.Queue()  # a process that nobody reads would keep the lock
        self.lines, self.next = iter(said.get, None), None

        def read():
            for line in self.process.stdout:
                said.put(line)
            said.put(None)

        threading.Thread(target=read, daemon=True).start()

    def file(self):
        """The points of the next file, what went wrong there, and how many comparisons it found right."""
        points, wrong, right = {}, [], 0
        for line in self.lines:
            fields = json.loads(line[1:]) if line.startswith("\0") else None
            if fields is None:
                right += line.count("✅")
                wrong += [line.strip()] if "❌" in line else []
            elif "file" in fields:
                if self.next:
                    self.next = fields["file"]
                    return points, wrong, right
                self.next = fields["file"]
            elif "value" in fields:
                points[fields["plot"], fields["x"], fields["line"]] = fields
            else:
                wrong.append(fields.get("wrong") or "{plot} {x} {line}: {error}".format(**fields))
        self.lines = iter(())
        if self.process.wait():
            self.errors.seek(0)
            said = [line for line in self.errors.read().splitlines() if line.strip()]
            wrong.append(f"status {self.process.returncode}: {said[-1][:200] if said else ''}")
        return points, wrong, right


def ratio(theirs, ours):
    if not theirs["value"] or not ours["value"]:
        return math.nan
    return ours["value"] / theirs["value"] if RATE.search(theirs["unit"]) else theirs["value"] / ours["value"]


def compare(name, told, options, plots, wrong):
    """Prints the rows of a file."""
    (theirs, their_wrong, their_right), (ours, our_wrong, our_right) = (each.file() for each in told)
    wrong += [f"{name} by {who}: {what}" for who, found in (("Triton", their_wrong), ("tile", our_wrong)) for what in found]
    print(f"| {name} | | right: Triton {their_right or 'yes'}, tile {our_right or 'yes'} | | | |"
          if not their_wrong + our_wrong else f"| {name} | | see below | | | |", flush=True)
    for key in [k for k in theirs if k in ours and not options.warm]:
        faster = ratio(theirs[key], ours[key])
        plots[name, key[0]].append(faster)
        print(f"| {name} {key[0]} | {key[1]} | {key[2]} | {theirs[key]['value']:.4g} | {ours[key]['value']:.4g} {theirs[key]['unit']} | "
              f"{faster:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--plots", default="")
    parser.add_argument("--points", type=int)
    parser.add_argument("--configs", type=int, default=1)
    parser.add_argument("--ms", type=int)
    parser.add_argument("--warm", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--lock", help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    if options.child:
        return child(options)
    options.folder = options.paths[0]
    if not os.path.isdir(options.folder):
        raise SystemExit(f"error: expected a folder of tutorials, found {options.folder}")
    wanted = options.only.split(",") if options.only else [f"{n:02}" for n in range(1, 12)]
    here = sorted(f for f in os.listdir(options.folder) if f.endswith(".py"))
    files = [os.path.join(options.folder, f) for number in wanted for f in here if f[:2] == number]
    if not files:
        raise SystemExit(f"error: expected tutorials {', '.join(wanted)} in {options.folder}, found none")
    plots, wrong = collections.defaultdict(list), []
    print("| plot | x | line | Triton | tile | Triton's time over tile's |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        told = [Told(files, mode, os.path.join(folder, mode * options.warm + "turn"), options) for mode in ("0", "strict")]
        for path in files:
            compare(os.path.basename(path)[:2], told, options, plots, wrong)
    print("\n| plot | points | least | geometric mean |\n| --- | --- | --- | --- |")
    for (name, plot), found in plots.items():
        print(f"| {name} {plot} | {len(found)} | {min(found):.2f} | {math.prod(found) ** (1 / len(found)):.2f} |")
    for what in wrong:
        print(f"wrong: {what}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

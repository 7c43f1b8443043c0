#!/usr/bin/env python3
"""A training step with Triton's kernels in it: compiled by Triton, and by tile.

    PYTHONPATH=build/python python3 bench/training_step.py [--rows NAME,..] [--ways NAME,..]
        [--rounds N] [--steps N] [--mode MODE] [--dynamic] [--inference] [--caches FOLDER] [--together] [--small]

A model takes steps of AdamW on random words or pictures in bf16, in a process of its own for each way: torch alone,
Triton, and tile, which is the same program with `TILE_TRITON=strict` in its environment. The processes
of a row stay, and take their rounds by turns. Rows of a language model (RMS norms, rope, causal attention, SwiGLU, cross entropy):

  inductor   torch.compile: pointwise kernels, reductions and the optimizer are Triton's
  flex       the same, and attention by flex_attention, of which torch.compile makes a kernel in Triton
  templates  the same, and products by kernels in Triton where these were faster than cuBLAS's (max_autotune)
  liger      eager, with Liger's functions (rms_norm, rope, swiglu, fused_linear_cross_entropy)

and those of training_models.py by torch.compile: gpt, t5, mamba, experts, vit, resnet, resnet_last, convnext, unet; of models/others.py: swin,
whisper, dit, vae, recurrent, efficient, clicks, graph, bert, segment, boxes, clip, sound, preferences. Most drop elements or draw noise, as
torch.compile draws it: other than torch alone (`--ways triton,tile`).

Printed: ms of a step (median over N steps of each of the rounds), Triton's over tile's, the median of that over the rounds, the first step in s
with what is compiled in it, the host's ms until all of a step is launched, how far the losses of the first steps and the gradients of the first lie
from the first way's, and on a GPU how many ms of a step are kernels in Triton, how many are others, by torch's profiler, and which of the
former take longer by tile. A loss hardly tells a wrong gradient: the norm of each
parameter's, of the first step, is compared too. `--mode` and `--dynamic` are torch.compile's. `--inference`: a step is the model's forward part alone, without gradients. `--together` starts all processes at once, by which
the first steps' times are each other's. `--small` takes small sizes; without a GPU (`TILE_TRITON=cpu`) losses are compared,
and nothing of Triton's own runs; the rows with flex_attention, which is C++ there, want a GPU.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from torch import nn
from torch.nn import functional as F

from models.others import MODELS as OTHERS
from training_models import MODELS as USUAL

MODELS = USUAL | OTHERS
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TOLERANCE = 3e-2  # of a loss near 10, in bf16
GRADIENTS = 3e-2  # of a gradient's norm, relative
PROFILED = 3  # steps
SLOWER = 1.05, 2e-3  # a kernel that is spoken of: by how much, and ms of a step
# What a profile calls kernels in Triton: names of C++ have brackets, and libraries' own begin so.
TRITON = re.compile(r"(?!nvjet|cutlass|cudnn|sm\d|gemm|cublas|fmha|flash|Mem)[A-Za-z_]\w*")


class Sizes:

    def __init__(self, small):
        self.layers, self.width, self.heads, self.inner, self.words = (2, 64, 2, 128, 512) if small else (4, 2048, 16, 5632, 32000)
        self.batch, self.length = (2, 128) if small else (4, 2048)


# --- the parts of a model that differ by row -------------------------------------


class Torch:
    """Every part by torch's own functions."""

    @staticmethod
    def prepare(length):
        """Before the first step, outside what is compiled."""

    @staticmethod
    def norm(x, weight):
        return F.rms_norm(x, weight.shape, weight, 1e-6)

    @staticmethod
    def rope(q, k, cos, sin):
        turn = lambda x: torch.cat([-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]], -1)
        return q * cos + turn(q) * sin, k * cos + turn(k) * sin

    @staticmethod
    def attention(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    @staticmethod
    def gate(a, b):
        return F.silu(a) * b

    @staticmethod
    def loss(x, weight, target):
        return F.cross_entropy((x @ weight.t()).float(), target)


class Liger(Torch):
    """What Liger has kernels for."""

    @staticmethod
    def norm(x, weight):
        from liger_kernel.ops.rms_norm import LigerRMSNormFunction
        return LigerRMSNormFunction.apply(x, weight, 1e-6, 0.0, "llama", False)

    @staticmethod
    def rope(q, k, cos, sin):
        from liger_kernel.ops.rope import LigerRopeFunction
        return LigerRopeFunction.apply(q, k, cos, sin)

    @staticmethod
    def gate(a, b):
        from liger_kernel.ops.swiglu import LigerSiLUMulFunction
        return LigerSiLUMulFunction.apply(a, b)

    @staticmethod
    def loss(x, weight, target):
        from liger_kernel.ops.fused_linear_cross_entropy import LigerFusedLinearCrossEntropyFunction
        result = LigerFusedLinearCrossEntropyFunction.apply(x, weight, target)
        return result[0] if isinstance(result, tuple) else result


class Flex(Torch):
    """Attention that torch.compile writes a kernel for, forward and backward."""
    mask = None

    @staticmethod
    def prepare(length):
        from torch.nn.attention.flex_attention import create_block_mask
        Flex.mask = create_block_mask(lambda batch, head, q, k: q >= k, None, None, length, length, device=DEVICE)

    @staticmethod
    def attention(q, k, v):
        from torch.nn.attention.flex_attention import flex_attention
        return flex_attention(q, k, v, block_mask=Flex.mask)


PARTS = {"inductor": Torch, "liger": Liger, "flex": Flex, "templates": Flex}

# --- the model ------------------------------------------------------------------


class Layer(nn.Module):

    def __init__(self, sizes, parts):
        super().__init__()
        self.parts, self.heads = parts, sizes.heads
        line = lambda i, o: nn.Linear(i, o, bias=False)
        self.before, self.between = (nn.Parameter(torch.ones(sizes.width)) for _ in range(2))
        self.qkv, self.out = line(sizes.width, 3 * sizes.width), line(sizes.width, sizes.width)
        self.gate, self.up, self.down = line(sizes.width, sizes.inner), line(sizes.width, sizes.inner), line(sizes.inner, sizes.width)

    def forward(self, x, cos, sin):
        batch, length, width = x.shape
        qkv = self.qkv(self.parts.norm(x, self.before)).view(batch, length, 3, self.heads, -1)
        q, k, v = (t.transpose(1, 2) for t in qkv.unbind(2))
        q, k = self.parts.rope(q, k, cos, sin)
        y = self.parts.attention(q.contiguous(), k.contiguous(), v.contiguous())
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        y = self.parts.norm(x, self.between)
        return x + self.down(self.parts.gate(self.gate(y), self.up(y)))


class Model(nn.Module):

    def __init__(self, sizes, parts):
        super().__init__()
        self.sizes, self.parts = sizes, parts
        self.table = nn.Embedding(sizes.words, sizes.width)
        self.layers = nn.ModuleList(Layer(sizes, parts) for _ in range(sizes.layers))
        self.last = nn.Parameter(torch.ones(sizes.width))
        self.head = nn.Linear(sizes.width, sizes.words, bias=False)
        depth = sizes.width // sizes.heads
        turns = torch.arange(sizes.length)[:, None] / 10000.0**(torch.arange(0, depth, 2) / depth)
        turns = torch.cat([turns, turns], -1)[None]
        self.register_buffer("cos", turns.cos())
        self.register_buffer("sin", turns.sin())

    def draw(self, device, dtype):
        words = torch.randint(0, self.sizes.words, (self.sizes.batch, self.sizes.length + 1), device=device)
        return words[:, :-1].contiguous(), words[:, 1:].contiguous()

    def forward(self, words, target):
        x = self.table(words)
        for layer in self.layers:
            x = layer(x, self.cos, self.sin)
        x = self.parts.norm(x, self.last)
        return self.parts.loss(x.flatten(0, 1), self.head.weight, target.flatten())


# --- one way, in this process ----------------------------------------------------


def compiled(row, by):
    """Whether torch.compile has a part in it; its settings are set."""
    if by == "torch" or row == "liger":
        return False
    import torch._inductor.config as config
    config.cpu_backend = "triton"
    config.max_autotune_gemm = row == "templates"
    return True


def make(row, by, small):
    """A model, on its device."""
    torch.manual_seed(0)
    if row in MODELS:
        return MODELS[row](small).to(DEVICE, torch.bfloat16)
    parts = Torch if by == "torch" else PARTS[row]
    sizes = Sizes(small)
    parts.prepare(sizes.length)
    return Model(sizes, parts).to(DEVICE, torch.bfloat16)


class Training:
    """A model that takes steps, and their times in ms."""

    def __init__(self, row, by, options):
        torch.set_num_threads(2 if DEVICE == "cpu" else torch.get_num_threads())
        self.model = make(row, by, options.small)
        self.adam = torch.optim.AdamW(self.model.parameters(), lr=1e-4, foreach=True, capturable=DEVICE == "cuda")
        self.forward, self.update, self.learns = self.model, self.adam.step, not options.inference
        self.model.train(self.learns)
        if compiled(row, by):
            how = dict(mode=options.mode, dynamic=options.dynamic or None)
            self.forward, self.update = torch.compile(self.model, **how), torch.compile(self.adam.step)

    def step(self, norms=None):
        """Its ms, its loss, and the ms until it was launched."""
        given = self.model.draw(DEVICE, torch.bfloat16)
        wait()
        start = time.perf_counter()
        torch.compiler.cudagraph_mark_step_begin()
        with torch.set_grad_enabled(self.learns):
            loss = self.forward(*given)
        if self.learns:
            self.learn(loss, norms)
        launched = time.perf_counter() - start
        wait()
        return (time.perf_counter() - start) * 1e3, loss.item(), launched * 1e3

    def learn(self, loss, norms):
        loss.backward()
        if norms is not None:
            norms += [p.grad.float().norm().item() for group in self.adam.param_groups for p in group["params"]]
        self.update()
        self.adam.zero_grad()

    def kernels(self):
        """ms of a step on the device: of each kernel in Triton by its name, and of all others as ""."""
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CUDA]) as found:
            for _ in range(PROFILED):
                self.step()
        sums = {"": 0.0}
        for event in found.key_averages():
            name = event.key if TRITON.fullmatch(event.key) else ""
            sums[name] = sums.get(name, 0.0) + event.self_device_time_total * 1e-3 / PROFILED
        return sums


def wait():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def serve(row, by, options):
    """The first steps; then as many as each line asks for."""
    begin = time.perf_counter()
    training = Training(row, by, options)
    norms = []
    first = training.step(norms)
    seconds = time.perf_counter() - begin
    losses = [first[1]] + [training.step()[1] for _ in range(4)]
    print(json.dumps({"first": seconds, "losses": losses, "norms": norms}), flush=True)
    for line in sys.stdin:
        what = training.kernels() if line == "kernels\n" else [training.step()[::2] for _ in range(int(line))]
        print(json.dumps(what), flush=True)


# --- by turns -------------------------------------------------------------------


class Way:
    """A process that takes steps when it is asked to."""

    def __init__(self, row, by, options):
        mode = {"tile": "strict" if DEVICE == "cuda" else "cpu"}.get(by)
        env = {k: v for k, v in os.environ.items() if k != "TILE_TRITON"} | ({"TILE_TRITON": mode} if mode else {})
        for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TILE_CACHE"):
            env[name] = os.path.join(options.caches, row, by, name.lower())
        args = [sys.executable, __file__, "--one", f"{row},{by}", f"--mode={options.mode}"]
        args += ["--small"] * options.small + ["--dynamic"] * options.dynamic + ["--inference"] * options.inference
        self.name, self.errors = f"{row} by {by}", tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(args, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.times = []

    def hear(self):
        """The next line that is JSON; an error's last lines where the process fails."""
        for line in self.process.stdout:
            if line[0] in "[{":
                return json.loads(line)
        self.process.wait()
        self.errors.seek(0)
        raise RuntimeError(f"{self.name}: " + "\n".join(self.errors.read().splitlines()[-8:]))

    def ask(self, what):
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        return self.hear()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def begin(row, options):
    """The ways of a row. What each says of its first steps is heard as it starts, or when all have."""
    ways = {}
    for by in options.ways.split(","):
        if by != "triton" or DEVICE == "cuda":
            ways[by] = Way(row, by, options)
            ways[by].first = None if options.together else ways[by].hear()
    return ways


def show_kernels(row, times):
    for by, sums in times.items():
        print(f"{row} by {by}: kernels in Triton {sum(sums.values()) - sums['']:.3f} ms, others {sums['']:.3f} ms", flush=True)
    if not {"triton", "tile"} <= times.keys():
        return
    both = [(name, times["triton"][name], ms) for name, ms in times["tile"].items() if name and name in times["triton"]]
    for name, own, ms in sorted(both, key=lambda each: each[1] - each[2]):
        if ms > own * SLOWER[0] and ms - own > SLOWER[1]:
            print(f"{row}:   {name}: Triton {own * 1e3:.1f} us a step, tile {ms * 1e3:.1f}, {own / ms:.2f}", flush=True)


def compare(row, ways, options):
    names = list(ways)
    first = {by: way.first or way.hear() for by, way in ways.items()}
    for _ in range(options.rounds):
        for way in ways.values():
            way.times.append(way.ask(options.steps))
    ms, host = ({by: statistics.median(t[i] for times in way.times for t in times) for by, way in ways.items()} for i in range(2))
    apart = max(abs(a - b) for by in names for a, b in zip(first[by]["losses"], first[names[0]]["losses"]))
    turned = max(abs(a - b) / b for by in names for a, b in zip(first[by]["norms"], first[names[0]]["norms"])) if first[names[0]]["norms"] else 0.0
    ratio = ""
    if {"triton", "tile"} <= ms.keys():
        median = lambda times: statistics.median(t[0] for t in times)
        rounds = [median(a) / median(b) for a, b in zip(ways["triton"].times, ways["tile"].times)]
        ratio = f", Triton / tile {ms['triton'] / ms['tile']:.3f} (of {len(rounds)} rounds {statistics.median(rounds):.3f}, " \
                f"{min(rounds):.3f} to {max(rounds):.3f})"
    print(f"{row}: " + ", ".join(f"{by} {ms[by]:.2f} ms (launched {host[by]:.2f}; first {first[by]['first']:.1f} s)" for by in names) +
          f"{ratio}, losses apart {apart:.4f}, gradients {turned:.4f}", flush=True)
    if DEVICE == "cuda":
        show_kernels(row, {by: way.ask("kernels") for by, way in ways.items()})
    for way in ways.values():
        way.close()
    return apart <= TOLERANCE and turned <= GRADIENTS


def main():
    parser = argparse.ArgumentParser(description="A training step by Triton and by tile.")
    parser.add_argument("--rows", default="inductor,liger")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--ways", default="torch,triton,tile", help="the first one's losses are compared with")
    parser.add_argument("--mode", default="default", help="of torch.compile")
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("--inference", action="store_true", help="the forward part alone")
    parser.add_argument("--caches", help="folder of compiled kernels to take and keep; a new one each time without")
    parser.add_argument("--together", action="store_true", help="start all processes at once")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        serve(*options.one.split(","), options)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        options.caches = options.caches or folder
        rows = options.rows.split(",")
        if DEVICE == "cpu" and any(PARTS.get(row) is Flex for row in rows):
            parser.error("expected rows inductor or liger without a GPU, found " + ",".join(rows))
        begun = {row: begin(row, options) for row in rows} if options.together else {}
        good = [compare(row, begun.get(row) or begin(row, options), options) for row in rows]
    if not all(good):
        print(f"expected losses within {TOLERANCE} of torch's, found others", file=sys.stderr)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

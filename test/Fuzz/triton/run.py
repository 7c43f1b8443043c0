"""Runs random Triton kernels, and compares what memory holds then with what reference.py says.

    TILE_TRITON=cpu python run.py --first 1 --count 200           through tile, on the CPU
    TILE_TRITON=strict python run.py --count 200 --jobs 12        on a GPU
    TILE_TRITON=cpu python run.py --front sm_90a --count 200      the GPU's passes of tiles, on the CPU
    TILE_TRITON=cpu python run.py --ptx sm_90a --count 200        compiles to PTX, and runs nothing
    TILE_TRITON=cpu TILE_CUDA_DRIVER=../../../build/bin/unit/PtxDriver.so python run.py --emulated --count 200
    python run.py --seed 17                                       by Triton itself
    python run.py --seed 17 --print                               the kernel

--make FOLDER writes kernels and what is expected; --from FOLDER runs these.
"""

import argparse
import collections
import importlib.util
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
HEADER = "import triton\nimport triton.language as tl\n\n\n"
TORCH = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
         "u32": "uint32", "u64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32",
         "f64": "float64", "e4": "float8_e4m3fn", "e5": "float8_e5m2"}


TYPES = {"i1": "i8", "bf16": "bf16", "e4": "f8E4M3FN", "e5": "f8E5M2", **{t: t for t in ("f16", "f32", "f64")},
         **{f"{sign}{bits}": f"i{bits}" for sign in "iu" for bits in (8, 16, 32, 64)}}


def find(seed, folder):
    """The kernel of a seed; None where it is not defined."""
    if folder:
        path = os.path.join(folder, f"{seed}.pickle")
        return pickle.load(open(path, "rb")) if os.path.exists(path) else None
    from generate import Undefined, make
    try:
        return make(seed)
    except Undefined:
        return None


def load(kernel, folder):
    path = os.path.join(folder, f"kernel{kernel.seed}.py")
    with open(path, "w") as file:
        file.write(HEADER + kernel.text)
    spec = importlib.util.spec_from_file_location(f"kernel{kernel.seed}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def tensor(bits, array, lead, device):
    """Memory of these bits, and a view that begins at the array's base: at an address of the launch's own. It ends at a
    multiple of 16 bytes, as what is read in whole chunks of 16 does."""
    import torch
    size = lead + bits.size
    whole = np.concatenate([np.zeros(lead, bits.dtype), bits, np.zeros(-size * bits.itemsize % 16 // bits.itemsize, bits.dtype)])
    held = torch.from_numpy(whole.view(f"int{8 * whole.itemsize}")).clone().to(device)
    held = held.view(getattr(torch, TORCH[array["ty"]]))[lead:size]
    return held, held[array["base"]:]


def bits_of(held):
    import torch
    size = held.element_size()
    return held.cpu().view(getattr(torch, f"int{8 * size}")).numpy().view(f"u{size}")


def numbers(bits, ty):
    from reference import FLOATS, from_bits
    return from_bits(bits, ty) if ty in FLOATS else bits


def compare(name, array, got):
    """None, or what differs."""
    got, want = numbers(got, array["ty"]), numbers(array["last"], array["ty"])
    bad = ~((got == want) | (got != got) & (want != want))
    if not bad.any():
        return None
    at = int(np.argmax(bad))
    return (f"{name} ({array['ty']}): {int(bad.sum())} of {bad.size} differ, first {at - array['base']}: "
            f"{got[at]} for {want[at]}")


def launch_front(kernel, path, options, compiled, grid, values):
    """Runs on the CPU what the passes for a GPU make of the kernel's tiles, before these have layouts; or makes PTX, or has
    it emulated."""
    import tile
    ttir, made = f"{path}.ttir", f"{path}.mlir"
    with open(ttir, "w") as file:
        file.write(str(compiled.asm["ttir"]))
    if options.emulated:
        import emulated
        clusters = {"num_ctas": kernel.options["num_ctas"]} if "num_ctas" in kernel.options else {}
        return emulated.launch(ttir, {"num_warps": kernel.warps, **clusters, **kernel.wishes}, grid, values)
    command = [options.tile_run, ttir, f"--emit={'ptx' if options.ptx else 'tile'}", "--arch", options.ptx or options.front,
               "-D", f"num_warps={kernel.warps}"]
    if not kernel.descs and not any(array["base"] for array in kernel.arrays.values()):
        # Then the launch can be told as tile-run tells it, and what is known of it is used.
        command += ["--grid", ",".join(map(str, grid))]
        for name, value in values.items():
            size = value.numel() if hasattr(value, "numel") else None
            command += ["--arg", f"zeros:{TYPES[kernel.type_of(name)]}[{size}]" if size else str(value + 0)]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    if options.ptx:
        return
    with open(made, "w") as file:
        file.write(text)
    tile.load(made)["kernel"](*values.values(), grid=grid)


def run(kernel, folder, options):
    """Launches the kernel; None, or the first array that is not as it should be."""
    import torch
    import triton
    from triton.tools.tensor_descriptor import TensorDescriptor
    if (options.front or options.emulated) and kernel.descs:
        return None         # tile-run has no descriptors for arguments
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device=options.device, dtype=torch.int8))
    function = load(kernel, folder)
    device, only = "cpu" if options.warm else options.device, options.front or options.ptx or options.emulated
    bits = {name: array["first"] for name, array in kernel.arrays.items()}
    for launch, (grid, given) in enumerate(kernel.launches):
        held = {name: tensor(bits[name], array, 0 if only else array["leads"][launch], device)
                for name, array in kernel.arrays.items()}
        whose = [kernel.aliases.get(name, (name, 0)) for name, _, _ in kernel.names]
        views = [held[array][1][far:] for array, far in whose]
        views = [TensorDescriptor(view, *kernel.descs[name]) if name in kernel.descs else view
                 for view, (name, _, _) in zip(views, kernel.names)]
        if options.warm or only:
            compiled = function.warmup(*views, *given.values(), num_warps=kernel.warps, grid=grid, **kernel.options)
            if options.warm:
                continue
            values = {**dict(zip([name for name, _, _ in kernel.names], views)), **given}
            # A number that is 1 is no argument.
            values = {name: value for name, value in values.items() if type(value) is not int or value != 1}
            path = os.path.join(folder, f"front{kernel.seed}-{launch}")
            launch_front(kernel, path, options, compiled, grid, values)
        else:
            function[grid](*views, *given.values(), num_warps=kernel.warps, **kernel.options)
        bits = {name: bits_of(whole) for name, (whole, _) in held.items()}
    for name, array in kernel.arrays.items():
        wrong = None if options.warm or options.ptx else compare(name, array, bits[name])
        if wrong:
            return wrong
    return None


def one(seed, options, folder):
    """What became of a seed, in a word, and more of it."""
    try:
        kernel = find(seed, options.source)
        if kernel is None:
            return "undefined", None
        if options.make:
            with open(os.path.join(options.make, f"{seed}.pickle"), "wb") as file:
                pickle.dump(kernel, file)
            return "made", None
    except Exception:
        return "generator", traceback.format_exc()[-1500:]
    try:
        wrong = run(kernel, folder, options)
        return "wrong" if wrong else "right", wrong
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, subprocess.CalledProcessError):
            text = error.stderr
        return "fatal" if "CUDA" in text or "cuda" in text else "refused", text[-700:]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time", type=float, default=1e9)
    parser.add_argument("--device", default="cpu" if os.environ.get("TILE_TRITON") == "cpu" else "cuda")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--shrink", action="store_true", help="makes the kernel of a seed smaller, while it stays wrong")
    parser.add_argument("--warm", action="store_true", help="compiles, and runs nothing")
    parser.add_argument("--make", help="writes kernels and what is expected of them to this folder")
    parser.add_argument("--from", dest="source", help="runs kernels of this folder")
    parser.add_argument("--front", metavar="ARCH", help="runs on the CPU what passes for this GPU make of tiles")
    parser.add_argument("--ptx", metavar="ARCH", help="compiles for this GPU, and runs nothing")
    parser.add_argument("--emulated", action="store_true", help="runs PTX by the driver that TILE_CUDA_DRIVER names")
    parser.add_argument("--tile-run", default=os.path.join(HERE, "../../../build/bin/tile-run"))
    parser.add_argument("--quiet", action="store_true", help="says nothing of refusals")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def show(seed, options):
    kernel = find(seed, options.source)
    print(HEADER + kernel.text if kernel else "undefined")
    if kernel:
        print("#", kernel.launches, "warps", kernel.warps)
        print("# options:", kernel.options, "the same array:", kernel.aliases, "descriptors:", kernel.descs)
        for name, a in kernel.arrays.items():
            print("#", name, a["ty"], "elements", len(a["first"]), "base", a["base"], "leads", a["leads"])


def smaller(lines):
    """Texts with a statement less, blocks as a whole first, or with a block's body in its place."""
    def depth(line):
        return len(line) - len(line.lstrip())
    for i, line in enumerate(lines):
        end = i + 1
        while end < len(lines) and depth(lines[end]) > depth(line):
            end += 1
        if line.strip() and depth(line):
            yield lines[:i] + lines[end:]
            if end > i + 1:
                yield lines[:i] + [inner[4:] for inner in lines[i + 1:end]] + lines[end:]


def shrink(seed, options):
    """The smallest text found that still comes out wrong, or otherwise as it did."""
    from generate import expect
    kernel, count = find(seed, options.source), 0
    with tempfile.TemporaryDirectory() as folder:
        def state(text):
            nonlocal count
            count += 1
            kernel.text = text
            try:
                expect(kernel)
                where = os.path.join(folder, str(count))
                os.mkdir(where)
                return "wrong" if run(kernel, where, options) else "right"
            except Exception as error:
                return type(error).__name__
        best, first, again = kernel.text, state(kernel.text), True
        while again:
            again = False
            for lines in smaller(best.splitlines()):
                text = "\n".join(lines) + "\n"
                if state(text) == first:
                    best, again = text, True
                    break
        state(best)
    print(HEADER + best, "\n#", first, kernel.launches, "warps", kernel.warps)
    print("#", [name for name, _ in kernel.launches[0][1].items()], run(kernel, tempfile.mkdtemp(), options))


def work(options, seeds):
    """A process's seeds, a line of JSON each. After an error of CUDA there is no more to be had of it."""
    began = time.time()
    with tempfile.TemporaryDirectory() as own:
        # Caches know a kernel by its file.
        folder = os.path.join(options.source, "python") if options.source else own
        os.makedirs(folder, exist_ok=True)
        for seed in seeds:
            if time.time() - began > options.time:
                break
            state, text = one(seed, options, folder)
            print(json.dumps([seed, state, text]), flush=True)
            if state == "fatal":
                break


def spread(options, seeds):
    """Processes with a share each; one that dies is followed by another for what it has left."""
    began, found = time.time(), collections.Counter()

    def share(mine):
        while mine and time.time() - began < options.time:
            command = [sys.executable, os.path.abspath(__file__), "--worker", "--device", options.device, "--time",
                       str(options.time - (time.time() - began))]
            command += ["--make", options.make] if options.make else []
            command += ["--from", options.source] if options.source else []
            command += ["--warm"] if options.warm else []
            command += ["--front", options.front] if options.front else ["--ptx", options.ptx] if options.ptx else []
            command += ["--emulated"] if options.emulated else []
            command += ["--tile-run", options.tile_run]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            process.stdin.write(" ".join(map(str, mine)))
            process.stdin.close()
            for line in process.stdout:
                if not line.startswith("["):
                    continue
                seed, state, text = json.loads(line)
                mine.remove(seed)
                found[state] += 1
                if text and not (options.quiet and state == "refused"):
                    print(f"seed {seed}: {state}: {text}", flush=True)
            if process.wait() and mine and time.time() - began < options.time:
                found["died"] += 1
                print(f"seed {mine[0]}: died, {process.returncode}", flush=True)
                mine.pop(0)

    threads = [threading.Thread(target=share, args=(list(seeds[k::options.jobs]), )) for k in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{dict(found)} in {time.time() - began:.0f} s")


def main():
    options = arguments()
    seeds = options.seed or list(range(options.first, options.first + options.count))
    if options.make:
        os.makedirs(options.make, exist_ok=True)
    if options.print:
        for seed in seeds:
            show(seed, options)
    elif options.shrink:
        for seed in seeds:
            shrink(seed, options)
    elif options.worker:
        work(options, [int(seed) for seed in sys.stdin.read().split()])
    else:
        spread(options, seeds)


if __name__ == "__main__":
    main()

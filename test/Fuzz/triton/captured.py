"""Keeps launches of Triton's kernels on the CPU, and has them run by the PTX that tile makes of the same kernels.

    TILE_TRITON=cpu python -m pytest -p captured --keep FOLDER test_kernels.py    launches of tests: this file lies on PYTHONPATH
    TILE_TRITON=cpu python captured.py keep FOLDER program.py ...                 those of a program
    TILE_TRITON=cpu python captured.py run FOLDER --jobs 4 --seeds 1,2 --races     the same on the emulator, beside what the CPU left

A launch is kept as a pickle: TTIR, grid, arguments, and what memory held before and after it. The driver is TILE_CUDA_DRIVER's, or build's.
"""

import argparse
import bisect
import collections
import concurrent.futures
import ctypes
import gc
import hashlib
import os
import pickle
import runpy
import sys

import numpy as np
import torch
import triton  # noqa: F401 before its backends, which import it

DRIVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/bin/unit/PtxDriver.so")
TRITON = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e4nv": "float8_e4m3fn",
          "fp8e5": "float8_e5m2", "int1": "bool"}


class Memory:
    """What a launch's arguments point to: each storage once, and the types that it is seen by."""

    def __init__(self):
        self.storages, self.pointers = {}, []

    def place(self, storage, address, dtype):
        """An address as (which storage, bytes from its beginning)."""
        index, _, types = self.storages.setdefault(storage.data_ptr(), (len(self.storages), storage, set()))
        types.add(TRITON.get(str(dtype), str(dtype).removeprefix("torch.")))
        return "address", index, address - storage.data_ptr()

    def argument(self, given, kind):
        if kind == "constexpr":
            return "number", None
        if isinstance(given, tuple):
            return "tuple", [self.argument(*each) for each in zip(given, kind)]
        # Triton's descriptors and tensors of another type have `base`, FlagGems' buffers, which begin elsewhere, `_base`.
        base = given if isinstance(given, torch.Tensor) else getattr(given, "base", getattr(given, "_base", None))
        if hasattr(given, "block_shape"):
            sizes = [list(map(int, each)) for each in (given.shape, given.strides, given.block_shape)]
            return "descriptor", self.argument(base, ""), *sizes, getattr(given, "padding", "zero")
        if isinstance(base, torch.Tensor):
            return self.place(base.untyped_storage(), given.data_ptr(), given.dtype)
        if isinstance(given, (bool, int, float)) and not kind.startswith("*"):
            return "number", given
        raise TypeError(f"{type(given).__name__} for {kind}")

    def follow(self):
        """Addresses that lie in arrays of 64 bits: as places, with the tensors that they are of."""
        words = [np.frombuffer(raw[:len(raw) // 8 * 8 if types & {"int64", "uint64"} else 0], "int64")
                 for (_, _, types), raw in zip(self.storages.values(), self.held())]
        large = [(index, word) for index, each in enumerate(words) for word in map(int, np.flatnonzero(each > 2**32)[:4096])]
        tensors = [t for t in gc.get_objects() if issubclass(type(t), torch.Tensor)] if large else []
        found = {t.untyped_storage().data_ptr(): t for t in tensors if t.layout == torch.strided and t.device.type == "cpu"}
        live = sorted(found)
        for index, word in large:
            value = int(words[index][word])
            at = live[max(bisect.bisect_right(live, value) - 1, 0)]
            if at <= value < at + found[at].untyped_storage().nbytes():
                self.pointers.append((index, word, *self.place(found[at].untyped_storage(), value, found[at].dtype)[1:]))

    def held(self):
        return [ctypes.string_at(at, storage.nbytes()) if at else b"" for at, (_, storage, _) in self.storages.items()]


def keep(options):
    """From now on launches on the CPU are kept."""
    from tile_triton.cpu import driver
    plain, kernels, seen = driver.launcher, collections.Counter(), set()
    os.makedirs(options.keep, exist_ok=True)

    def before(binary, grid, types, arguments):
        """The launch that is about to be, and its memory; None where it is not to be kept."""
        if kernels[binary] >= options.keep_launches or not 0 < grid[0] * grid[1] * grid[2] <= options.keep_programs:
            return None
        memory = Memory()
        arguments = [memory.argument(*each) for each in zip(arguments, types)]
        memory.follow()
        key = hashlib.sha256(repr((binary, grid, types, arguments)).encode()).hexdigest()[:12]
        if key in seen or sum(storage.nbytes() for _, storage, _ in memory.storages.values()) > options.keep_bytes:
            return None
        seen.add(key)
        kernels[binary] += 1
        return {"key": key, "binary": binary, "grid": grid, "types": types, "arguments": arguments, "pointers": memory.pointers,
                "before": memory.held(), "skews": [at % 64 for at in memory.storages],
                "arrays": [sorted(types) for _, _, types in memory.storages.values()]}, memory

    def launcher(source, metadata, multiprocessors=0):
        real, types = plain(source, metadata, multiprocessors), tuple(source.signature.values())

        def launch(x, y, z, stream, kernel, packed, given, enter, leave, *arguments):
            try:
                found = before(kernel.binary, (x, y, z), types, arguments)
            except TypeError as why:
                found = print(f"{metadata.name} is not kept: {why}", file=sys.stderr)
            real(x, y, z, stream, kernel, packed, given, enter, leave, *arguments)
            if found:
                kept = {**found[0], "after": found[1].held(), "cooperative": getattr(metadata, "launch_cooperative_grid", False)}
                with open(os.path.join(options.keep, f"{metadata.name[:80]}-{kept['key']}.pickle"), "wb") as file:
                    pickle.dump(kept, file)

        return launch

    driver.launcher = launcher


def limits(add):
    for name, most, text in (("launches", 3, "of a kernel's code"), ("bytes", 8 << 20, "of a launch"), ("programs", 4096, "of a launch")):
        add(f"--keep-{name}", type=int, default=most, help=f"{text}, at most")


def pytest_addoption(parser):
    parser.addoption("--keep", help="launches on the CPU are kept in this folder")
    limits(parser.addoption)


def pytest_configure(config):
    if config.option.keep:
        keep(config.option)


def run(options):
    """Prints what is not right, and how many launches came to what; whether all are right."""
    os.environ.setdefault("TILE_CUDA_DRIVER", DRIVER)
    os.environ.update(TILE_CACHE="off", TILE_PTXAS="", PTX_EMULATOR_RACES=str(int(options.races)))  # the emulator takes PTX
    import relaunched
    found = collections.Counter()
    paths = sorted(os.path.join(options.folder, name) for name in os.listdir(options.folder) if name.endswith(".pickle"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(relaunched.judge, path, seed, options.limit): f"{os.path.basename(path)}, seed {seed}"
                   for path in paths for seed in options.seeds.split(",")}
        for done in concurrent.futures.as_completed(waiting):
            word, text = done.result()
            found[word] += 1
            if word != "right":
                print(f"{waiting[done]}: {word}: {text}", flush=True)
    print(dict(found))
    return set(found) == {"right"}


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    keeping, running = commands.add_parser("keep"), commands.add_parser("run")
    keeping.add_argument("keep", metavar="FOLDER")
    limits(keeping.add_argument)
    keeping.add_argument("program", nargs=argparse.REMAINDER)
    running.add_argument("folder", metavar="FOLDER")
    running.add_argument("--jobs", type=int, default=1)
    running.add_argument("--seeds", default="1", help="with commas between them")
    running.add_argument("--races", action="store_true", help="looks for races in shared memory")
    running.add_argument("--limit", type=float, default=60, help="seconds that a launch may take")
    options = parser.parse_args()
    if options.command == "run":
        sys.exit(not run(options))
    keep(options)
    sys.argv = options.program
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()

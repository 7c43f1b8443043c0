"""A launch that captured.py kept, by the driver that TILE_CUDA_DRIVER names, and what differs then from what the CPU left."""

import ctypes
import multiprocessing
import os
import pickle
import re
import tempfile
import types

import numpy as np
import torch
from tile_triton import _native, stages

import emulated

# How far results of a kernel with these may be apart, as a part of what results are like. A GPU's products of f32 are often of tf32.
TOLERANCES = {"f64": 1e-9, "f32": 1e-4, "f16": 4e-3, "tt.dot": 1e-2, "bf16": 2e-2, "f8E": 0.13}


def numbers(raw, name):
    """Floats as f64, others as they are."""
    kind = torch.uint8 if name.startswith("float4") else getattr(torch, name, torch.uint8)
    held = torch.frombuffer(bytearray(raw), dtype=torch.uint8)[:len(raw) // kind.itemsize * kind.itemsize].view(kind)
    held = torch.view_as_real(held) if kind.is_complex else held
    return held.double().numpy() if held.is_floating_point() else held.numpy()


def differ(name, before, after, got, tolerance):
    """None, or what does; `after` is what is expected."""
    first, want, got = (numbers(raw, name) for raw in (before, after, got))
    bad = want != got
    if want.dtype == np.float64:
        finite = np.isfinite(want)
        changed = want[finite & ((want != first) | (got != first))]    # a launch again may write what is there
        scale = np.sqrt(np.mean(changed**2)) if changed.size else 0
        least = 1e-11 if tolerance < 1e-6 else 1e-6    # what is left of numbers near 1 that cancel
        with np.errstate(invalid="ignore", over="ignore"):
            bad &= ~(finite & (abs(want - got) <= tolerance * (abs(want) + scale) + least) | np.isnan(want) & np.isnan(got))
    at = np.argmax(bad)
    return f"{bad.sum()} of {bad.size} {name} differ, first {at}: {got.flat[at]} for {want.flat[at]}" if bad.any() else None


class Arrays:
    """The driver's memory, as far from multiples of 64 as the CPU's was."""

    def __init__(self, kept, driver):
        self.kept = kept
        self.at = [driver.allocate(max(len(raw) + skew, 16)) + skew for raw, skew in zip(kept["before"], kept["skews"])]
        for at, raw in zip(self.at, kept["before"]):
            ctypes.memmove(at, raw, len(raw))
        word_of = ctypes.c_int64.from_address
        self.pointers = [(word_of(self.at[index] + 8 * word), self.at[to] + far) for index, word, to, far in kept["pointers"]]
        self.were = [word.value for word, _ in self.pointers]
        for word, address in self.pointers:
            word.value = address

    def argument(self, given):
        what, *rest = given
        if what == "address":
            return self.at[rest[0]] + rest[1]
        if what == "descriptor":
            return types.SimpleNamespace(base=self.argument(rest[0]), shape=rest[1], strides=rest[2], block_shape=rest[3], padding=rest[4])
        return tuple(map(self.argument, rest[0])) if what == "tuple" else rest[0]

    def differences(self, tolerance):
        for (word, address), was in zip(self.pointers, self.were):
            word.value = was if word.value == address else word.value
        for index, (at, before, after, names) in enumerate(zip(self.at, self.kept["before"], self.kept["after"], self.kept["arrays"])):
            got = ctypes.string_at(at, len(after))
            # Memory that is seen by several types is right where it is by one of them.
            found = [None] if got == after else [differ(name, before, after, got, tolerance) for name in names]
            if all(found):
                yield f"array {index}: {found[0]}"


def compiled(kept, launcher, arguments):
    """The kernel for the emulator's chip, with the warps that its tiles need, as stages.py has it."""
    chip = os.environ.get("PTX_EMULATOR_ARCH", "sm_90")
    text = kept["binary"].decode().replace("cpu", chip + "a" * (int(chip[3:]) >= 90), 1)
    while True:
        try:
            return _native.Kernel(text.encode(), (launcher, kept["grid"], arguments, True))
        except _native.Error as error:
            warps = int(re.search(r"num_warps=(\d+)", text)[1])
            if "expected a tile that fits" not in str(error) or warps >= 16:
                raise
            text = text.replace(f"num_warps={warps}", f"num_warps={2 * warps}", 1)


def relaunch(kept):
    arrays = Arrays(kept, driver := emulated.Driver())
    arguments = tuple(map(arrays.argument, kept["arguments"]))
    launcher = _native.Launcher(kept["types"], int(os.environ.get("PTX_EMULATOR_MULTIPROCESSORS", 8)), kept["cooperative"])
    launch = stages.with_padding(launcher.launch, kept["types"])
    launch(*kept["grid"], 0, compiled(kept, launcher, arguments), None, None, None, None, *arguments)
    driver.call("cuCtxSynchronize")
    formats = [most for name, most in TOLERANCES.items() if re.search(rf"(?<![a-wyz0-9]){name}", kept["binary"].decode())]
    found = list(arrays.differences(max(formats, default=0)))
    return "wrong" if found else "right", "; ".join(found)


def answer(path, seed, heard, pipe):
    os.dup2(os.dup2(heard, 1), 2)
    os.environ["PTX_EMULATOR_SEED"] = seed
    try:
        pipe.send(relaunch(pickle.load(open(path, "rb"))))
    except Exception as error:
        pipe.send(("refused" if isinstance(error, _native.Error) else "fault", str(error)))


def judge(path, seed, limit):
    """A launch in a process of its own, as an error of CUDA ends all: what became of it in a word, and more of it."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with tempfile.TemporaryFile() as heard:
        process = multiprocessing.Process(target=answer, args=(path, seed, heard.fileno(), theirs))
        process.start()
        theirs.close()
        try:
            word, text = ours.recv() if ours.poll(limit) else ("late", f"{limit:g} s")
        except EOFError:
            word, text = "died", ""
        process.kill()
        process.join()
        heard.seek(0)
        return word, text if word in ("right", "wrong") else f"{text} {heard.read(2000).decode(errors='replace')}".strip()

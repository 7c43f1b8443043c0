"""Triton's kernels through tile: TILE_TRITON=1 in the environment, or tile_triton.enable().

TILE_TRITON   1       tile compiles; a kernel that it refuses goes to Triton's own stages
              strict  tile compiles; a kernel that it refuses is an error
              cpu     as strict, and on the CPU, whatever GPU there is
"""
import atexit
import importlib
import os
import sys
import threading


def _asked(name: str, *values: str) -> str:
    """A variable's value, or nothing, with a word to who set it, where it is none of those."""
    value = os.environ.get(name, "")
    if value in ("", "0", *values):
        return value
    *others, last = values
    what = f"one of {', '.join(others)} and {last}" if others else last
    print(f"tile: expected {name} to be {what}, found '{value}'", file=sys.stderr)
    return ""


_modes = ("", "0", "1", "strict", "cpu")
mode = _asked("TILE_TRITON", *_modes[2:])

#: Names of kernels that were loaded in this process: of tile's, and of those that it left to Triton.
compiled: list = []
refused: list = []
_lock = threading.Lock()


def is_enabled() -> bool:
    return mode not in ("", "0")


def is_strict() -> bool:
    return mode in ("strict", "cpu")


def use_cpu() -> bool:
    """Whether kernels run on the CPU: because they shall, or because there is no GPU."""
    if mode == "cpu":
        return True
    try:
        import torch
        return not torch.cuda.is_available()
    except ImportError:
        return True


def _make_known() -> None:
    """Tells Triton of the backends where it did not find them itself: a folder that was copied has no entry points beside it, and
    TRITON_BACKENDS_IN_TREE leaves all out but Triton's own. Where Triton is looking for them now, it has found them."""
    try:
        import triton.backends as found
    except ImportError:
        return
    known = getattr(found, "backends", None)
    if known is None or any(each.compiler.__module__.startswith(__name__ + ".") for each in known.values()):
        return
    for name, where in (("tile", "gpu"), ("cpu", "cpu")):
        compiler, driver = (importlib.import_module(f"{__name__}.{where}.{part}") for part in ("compiler", "driver"))
        known[name] = found.Backend(found._find_concrete_subclasses(compiler, found.BaseBackend),
                                    found._find_concrete_subclasses(driver, found.DriverBase))


def enable(how: str = "1") -> None:
    """As TILE_TRITON=how in the environment does, for kernels that are compiled from now on."""
    global mode
    if how not in _modes:
        raise ValueError(f"expected one of 1, strict and cpu, found '{how}'")
    mode = how
    os.environ["TILE_TRITON"] = how  # processes that compile for this one do the same
    _make_known()
    from . import takeover
    takeover.apply()
    takeover.forget()
    from triton.runtime.driver import driver
    driver._default = driver._active = None


def count(name: str, by_tile: bool) -> None:
    """Notes that a kernel is about to be launched."""
    with _lock:
        (compiled if by_tile else refused).append(name)


def summary() -> str:
    return f"tile: compiled {len(compiled)} kernels, left {len(refused)} to Triton"


def _at_exit() -> None:
    if os.environ.get("TILE_TRITON_SUMMARY") == "1" and (compiled or refused):
        print(summary(), file=sys.stderr)


if is_enabled():
    for _name, *_values in (("TILE_TRITON_CHECK", "1"), ("TILE_TRITON_SUMMARY", "1"),
                            ("TILE_TRITON_LAUNCH", "signature", "multiples", "facts")):
        _asked(_name, *_values)
    _make_known()
atexit.register(_at_exit)

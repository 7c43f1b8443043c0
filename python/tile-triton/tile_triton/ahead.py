"""Which launch a kernel is compiled for.

Code is compiled for what is known of launches (src/Variants.h), at the first of each kind: behind the common code, and in the process
that launches. Who compiles a kernel mostly knows the launch that follows, and has both compiled at the same time: Triton has its arguments, and
torch.compile, whose other processes compile, the sizes that it wrote the kernel for. All of it is a guess: where it is wrong, or there is none,
the first launch compiles."""
import contextlib
import re
import sys
import threading

_JIT = "triton.runtime.jit"
_HEURISTICS = "torch._inductor.runtime.triton_heuristics"
_EVEN = 256
_given = threading.local()


class Launch:
    """While it is open, `launch()` is (launcher, grid, arguments) of the kernel of `own`, where somebody on the way here knows it."""

    def __init__(self, count):
        """`count` gives the multiprocessors that launches have."""
        self.count = count

    def __enter__(self):
        try:
            _given.launch = _find(self.count)
        except Exception:  # the host's own functions, which the launch will call again
            _given.launch = None

    def __exit__(self, *_):
        _given.launch = None


@contextlib.contextmanager
def certain():
    """While it is open, a launch follows what is only warmed up on this thread."""
    _given.certain = True
    try:
        yield
    finally:
        _given.certain = False


def launch():
    return getattr(_given, "launch", None)


def _find(count):
    frame = sys._getframe(2)
    while frame is not None:
        where, name = frame.f_globals.get("__name__"), frame.f_code.co_name
        if where == _JIT and name == "run":
            return _of_triton(frame.f_locals, count)
        if where == _HEURISTICS and name == "_precompile_config":
            return _of_torch(frame.f_globals, frame.f_locals)
        frame = frame.f_back
    return None


def _make(signature, multiprocessors, grid, arguments):
    from . import _native
    grid = tuple(map(int, grid))
    return _native.Launcher(tuple(signature), multiprocessors), grid + (1,) * (3 - len(grid)), tuple(arguments)


def _of_triton(found, count):
    """JITFunction.run, whose grid may be a function: it is called once more."""
    is_warmup = found["warmup"] and not getattr(_given, "certain", False)
    if is_warmup or found["grid"] is None:
        return None
    arguments = found["bound_args"]
    grid = found["grid"](arguments) if callable(found["grid"]) else found["grid"]
    return _make(found["signature"].values(), count(), grid, arguments.values())


def _sizes(names, found, numbers):
    """The grid of CachingAutotuner's kernel: by its extents, or, of a template, by those of the product it computes."""
    grid = names["GridExpr"].from_meta(found["self"].inductor_meta, found["cfg"])
    sizes = [grid.x_grid, grid.y_grid, grid.z_grid]
    if sizes[0] == "_grid_0" and "program_id(1)" not in found["self"].fn.src:
        tiles = -(numbers["M"] // -numbers["BLOCK_M"]) * -(numbers["N"] // -numbers["BLOCK_N"])
        return min(tiles, numbers.get("NUM_SMS", tiles)), 1, 1
    return None if grid.prefix else [eval(str(size), {"__builtins__": {"max": max, "min": min}}, numbers) for size in sizes]


def _of_torch(names, found):
    """CachingAutotuner: constant sizes stand in the kernel's text; of others there is a power of two near what they were first. Other
    numbers are taken for multiples of 16, as sizes mostly are."""
    self, meta = found["self"], found["compile_meta"]
    lines = re.findall(r"^\s*(\w+)(?: *: tl\.constexpr)? = (\d+)\s*$", self.fn.src, re.M)
    numbers = {f"{name}numel": number for name, number in (getattr(self, "size_hints", None) or {}).items()}
    numbers.update((name, int(number)) for name, number in lines)
    sizes = _sizes(names, found, numbers)
    arguments = [numbers.get(name, 0 if kind.startswith("*") else _EVEN) for name, kind in meta["signature"].items()]
    return sizes and _make(meta["signature"].values(), self.device_props.multi_processor_count or 0, sizes, arguments)

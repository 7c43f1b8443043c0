"""Which launch a kernel is compiled for.

Code is compiled for what is known of launches (src/Variants.h). Who compiles or loads a kernel mostly knows the launch that follows, and
that one's code is compiled: alone where Triton has its arguments, or torch.compile, whose other processes compile, wrote the kernel for
constant sizes; beside the common code where of its sizes no more is known than what they are near. Where another launch follows, it compiles."""
import contextlib
import re
import sys
import threading

_JIT = "triton.runtime.jit"
_HEURISTICS = "torch._inductor.runtime.triton_heuristics"
_EVEN = 256
_given = threading.local()


class Launch:
    """While it is open, `launch()` is (launcher, grid, arguments, whether that is certain) of the kernel that is compiled, where somebody on the
    way here knows it."""

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
            return _of_torch(frame.f_globals, frame.f_locals["self"], frame.f_locals["cfg"], frame.f_locals["compile_meta"])
        if where == _HEURISTICS and name == "make_launcher":  # what another process compiled
            made = frame.f_locals["self"]
            return _of_torch(frame.f_globals, _tuner(frame), made.config, made.compile_meta)
        frame = frame.f_back
    return None


def _make(signature, multiprocessors, grid, arguments, certain=True):
    from . import _native
    grid = tuple(map(int, grid))
    return _native.Launcher(tuple(signature), multiprocessors), grid + (1,) * (3 - len(grid)), tuple(arguments), certain


def _of_triton(found, count):
    """JITFunction.run, whose grid may be a function: it is called once more."""
    is_warmup = found["warmup"] and not getattr(_given, "certain", False)
    if is_warmup or found["grid"] is None:
        return None
    arguments = found["bound_args"]
    grid = found["grid"](arguments) if callable(found["grid"]) else found["grid"]
    return _make(found["signature"].values(), count(), grid, arguments.values())


def _tuner(frame):
    """The CachingAutotuner that has a kernel loaded."""
    while not hasattr(frame.f_locals.get("self"), "size_hints"):
        frame = frame.f_back
    return frame.f_locals["self"]


def _sizes(names, tuner, config, numbers):
    """The grid of CachingAutotuner's kernel: by its extents, or, of a template, by those of the product it computes."""
    grid = names["GridExpr"].from_meta(tuner.inductor_meta, config)
    sizes = [grid.x_grid, grid.y_grid, grid.z_grid]
    if sizes[0] == "_grid_0" and "program_id(1)" not in tuner.fn.src:
        tiles = -(numbers["M"] // -numbers["BLOCK_M"]) * -(numbers["N"] // -numbers["BLOCK_N"])
        return min(tiles, numbers.get("NUM_SMS", tiles)), 1, 1
    return None if grid.prefix else [eval(str(size), {"__builtins__": {"max": max, "min": min}}, numbers) for size in sizes]


def _of_torch(names, tuner, config, meta):
    """CachingAutotuner: constant sizes stand in the kernel's text; of others there is a power of two near what they were first. Other
    numbers are taken for multiples of 16, as sizes mostly are."""
    lines = {name: int(number) for name, number in re.findall(r"^\s*(\w+)(?: *: tl\.constexpr)? = (\d+)\s*$", tuner.fn.src, re.M)}
    numbers = {f"{name}numel": number for name, number in (getattr(tuner, "size_hints", None) or {}).items()} | lines
    sizes = _sizes(names, tuner, config, numbers)
    arguments = [numbers.get(name, 0 if kind.startswith("*") else _EVEN) for name, kind in meta["signature"].items()]
    certain = all(name in lines for name, kind in meta["signature"].items() if kind in ("i32", "i64"))
    return sizes and _make(meta["signature"].values(), tuner.device_props.multi_processor_count or 0, sizes, arguments, certain)

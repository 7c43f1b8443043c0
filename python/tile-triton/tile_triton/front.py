"""Triton's own way from `kernel[grid](...)` to a launch, most of a launch's time on the host, is gone once for arguments of a kind, and
remembered (src/Front.c). JITFunction.run stays who compiles, and who launches what is not known here."""
import functools
import inspect
import sys

_own: dict = {}
_NAME = "_tile_front"


def learn_tensors():
    """torch's are looked at by C functions of its own. torch, where it is there."""
    torch = sys.modules.get("torch")
    try:
        from . import _native
    except ImportError:  # which the first kernel says
        return torch
    for kind in (torch.Tensor, torch.nn.Parameter) if torch is not None else ():
        _native.learn_tensors(kind)
    return torch


def _device():
    """(torch's function that says which device is current, what that ends in)."""
    torch = sys.modules.get("torch")
    quick = getattr(getattr(torch, "_C", None), "_cuda_getDevice", None)
    return (torch.cuda.current_device, quick) if quick else (None, None)


def _make(function):
    """None for a function whose arguments are not bound one by one."""
    import triton.language as tl
    from triton import knobs
    from triton.runtime.driver import driver
    from triton.tools.tensor_descriptor import TensorDescriptor
    from . import _native
    torch = learn_tensors()
    parameters = function.signature.parameters.values()
    if any(each.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for each in parameters):
        return None
    described = tuple((each.name, bool(known.is_constexpr)) + (() if each.default is inspect.Parameter.empty else (each.default,))
                      for each, known in zip(parameters, function.params))
    constants = (tl.dtype,) + ((torch.dtype,) if torch is not None else ())
    return _native.Front(_own["run"], described, vars(knobs), driver, constants, TensorDescriptor, _device())


def _of(function):
    """Where somebody else has a say in its launches, None."""
    kind = _own["kind"]
    known = vars(function)
    if type(function) is not kind or kind.run is not run or "run" in known:
        return None
    if _NAME not in known:
        known[_NAME] = _make(function)
    return known[_NAME]


def _bind(self, grid):
    # As _of, which each launch asks: what has a front is of Triton's own kind.
    known = self.__dict__
    front = known[_NAME] if _NAME in known and _own["kind"].run is run and "run" not in known else _of(self)
    return _own["bind"](self, grid) if front is None else front.bind(self, grid)


def run(self, *args, grid, warmup, **kwargs):
    front = _of(self) if grid is not None and warmup in (True, False) else None
    if front is None:
        return _own["run"](self, *args, grid=grid, warmup=warmup, **kwargs)
    return front.run(self, grid, args, kwargs, warmup)


def _bind_compiled(own):
    """CompiledKernel.__getitem__: a kernel that is compiled, on a grid."""
    from triton import knobs
    from triton.runtime.driver import driver

    @functools.lru_cache(maxsize=None)
    def parts():
        from . import _native
        return _native.bind_compiled, vars(knobs), driver, _device()

    def bind(self, grid):
        native, *known = parts()
        return native(self, grid, own, *known)

    return bind


def apply_to_compiled(kind) -> None:
    own = kind.__getitem__
    if "compiled" in _own or own.__code__.co_filename != sys.modules[kind.__module__].__file__:
        return
    try:
        from triton import knobs
        from . import _native
    except ImportError:  # which the first kernel says
        return
    _own["compiled"] = kind.__getitem__ = _bind_compiled(own)
    kind.launch_metadata = _native.make_metadata(kind, kind.launch_metadata, vars(knobs))


def apply() -> None:
    from triton.runtime import jit
    JITFunction = jit.JITFunction
    is_own = getattr(getattr(JITFunction.run, "__code__", None), "co_filename", None) == jit.__file__
    if _own or not is_own or "__getitem__" in vars(JITFunction):
        return
    _own.update(kind=JITFunction, run=JITFunction.run, bind=JITFunction.__getitem__)
    JITFunction.run, JITFunction.__getitem__ = run, _bind

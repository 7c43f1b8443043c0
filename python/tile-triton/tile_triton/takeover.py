"""Makes way for tile: Triton wants exactly one backend a target and one active driver, so its own
CUDA backend stands back while tile is enabled. torch.compile makes targets called "cuda" itself,
and forgets drivers that were set; so the target keeps its name, and nothing is set."""
import threading

from . import is_enabled

_own: dict = {}
_loading = threading.RLock()


def _run(self):
    """CompiledKernel.run: Triton's sets the launcher before the function, so that a second thread would
    launch what the first is still loading."""
    if self.function is None:
        with _loading:
            self._init_handles()
    return self._run


def _missing(self, key):
    """AsmDict.__missing__: what a kernel is on the way to its code is made when it is asked for."""
    from . import _native
    from .stages import REFUSED, load
    binary = self.get("tilebin")
    text = None
    if binary is not None and not binary.startswith(REFUSED) and key in ("ptx", "cubin", "llir", "tile"):
        try:
            text = load(binary).text(key)
        except _native.Error:  # PTX of a kernel for the CPU
            pass
    elif binary is not None and key == "cubin":
        text = binary[len(REFUSED):]
    if text is None:
        return _own["missing"](self, key)
    self[key] = text if key == "cubin" else text.decode()
    return self[key]


def apply() -> None:
    import triton.backends.nvidia.compiler as compiler
    import triton.backends.nvidia.driver as driver
    if _own:
        return
    _own["supports"] = compiler.CUDABackend.supports_target
    _own["active"] = driver.CudaDriver.is_active
    compiler.CUDABackend.supports_target = staticmethod(
        lambda target: not is_enabled() and _own["supports"](target))
    driver.CudaDriver.is_active = staticmethod(lambda: not is_enabled() and _own["active"]())


def apply_to_kernels() -> None:
    """Called by drivers: when backends are found, Triton's compiler is not there yet."""
    from triton.compiler.compiler import AsmDict, CompiledKernel
    CompiledKernel.run = property(_run)
    _own.setdefault("missing", AsmDict.__missing__)
    AsmDict.__missing__ = _missing

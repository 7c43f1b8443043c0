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
    from triton.compiler.compiler import CompiledKernel
    CompiledKernel.run = property(_run)

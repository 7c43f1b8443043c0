"""Makes way for tile: Triton wants exactly one backend a target and one active driver, so its own
CUDA backend stands back while tile is enabled. torch.compile makes targets called "cuda" itself,
and forgets drivers that were set; so the target keeps its name, and nothing is set."""
from . import is_enabled

_own: dict = {}


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

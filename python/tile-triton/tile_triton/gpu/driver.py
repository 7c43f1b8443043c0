import functools

import triton.backends.nvidia.driver as nvidia

from .. import ahead, count, is_enabled, is_strict, takeover, tuning, use_cpu
from ..stages import CUBIN, launcher, load, say_left


class Utils:
    """Triton's own, but for what loads a kernel."""

    def __init__(self, own):
        self._own = own

    def __getattr__(self, name):
        return getattr(self._own, name)

    def load_binary(self, name, binary, shared, device):
        if binary.startswith(CUBIN):
            return self._own.load_binary(name, binary[len(CUBIN):], shared, device)
        with ahead.Launch(multiprocessors):
            kernel = load(binary)
        return kernel, kernel, kernel.registers, kernel.spills // 4, 1024  # words, as Triton has them


@functools.lru_cache(maxsize=1)
def multiprocessors() -> int:
    """Of the device that is current where the first kernel is loaded."""
    from triton.runtime import driver  # not there yet where Triton looks for its backends
    active = driver.active
    return active.utils.get_device_properties(active.get_current_device())["multiprocessor_count"]


def either(source, metadata):
    if not metadata.as_cubin:
        return launcher(source, metadata, multiprocessors())
    if metadata.left and is_strict():
        raise RuntimeError(f"tile: {metadata.left}")
    if metadata.left:
        say_left(metadata.name, metadata.left)
    count(metadata.name, not metadata.left)
    return nvidia.CudaLauncher(source, metadata)


class TileDriver(nvidia.CudaDriver):

    def __init__(self):
        super().__init__()
        takeover.apply_to_kernels()
        tuning.apply()
        self.utils = Utils(self.utils)
        self.launcher_cls = either

    @staticmethod
    def is_active():
        return is_enabled() and not use_cpu()

import functools

import triton.backends.nvidia.driver as nvidia

from .. import count, is_enabled, takeover, use_cpu
from ..stages import REFUSED, launcher, load


class Utils:
    """Triton's own, but for what loads a kernel."""

    def __init__(self, own):
        self._own = own

    def __getattr__(self, name):
        return getattr(self._own, name)

    def load_binary(self, name, binary, shared, device):
        if binary.startswith(REFUSED):
            return self._own.load_binary(name, binary[len(REFUSED):], shared, device)
        kernel = load(binary)
        return kernel, kernel, kernel.registers, kernel.spills // 4, 1024  # words, as Triton has them


@functools.lru_cache(maxsize=1)
def multiprocessors() -> int:
    """Of the device that is current where the first kernel is loaded."""
    from triton.runtime import driver  # not there yet where Triton looks for its backends
    active = driver.active
    return active.utils.get_device_properties(active.get_current_device())["multiprocessor_count"]


def either(source, metadata):
    if metadata.by_tile:
        return launcher(source, metadata, multiprocessors())
    count(metadata.name, False)
    return nvidia.CudaLauncher(source, metadata)


class TileDriver(nvidia.CudaDriver):

    def __init__(self):
        super().__init__()
        takeover.apply_to_kernels()
        self.utils = Utils(self.utils)
        self.launcher_cls = either

    @staticmethod
    def is_active():
        return is_enabled() and not use_cpu()

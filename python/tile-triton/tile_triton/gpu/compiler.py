import triton.backends.compiler as base
import triton.backends.nvidia.compiler as nvidia

from .. import is_enabled, is_strict, takeover
from ..stages import Stages

if is_enabled():
    takeover.apply()


class TileBackend(Stages, nvidia.CUDABackend):

    @staticmethod
    def supports_target(target: base.GPUTarget):
        return is_enabled() and target.backend == "cuda"

    def __init__(self, target: base.GPUTarget) -> None:
        super().__init__(target)
        self.binary_ext = "tilebin"  # not "cubin": torch.compile's own launcher of cubins stands aside
        self.machine = nvidia.sm_arch_from_capability(target.arch)

    def may_leave(self):
        return not is_strict()

from dataclasses import dataclass

import triton.backends.compiler as base
import triton.backends.nvidia.compiler as nvidia

from .. import is_enabled, takeover
from ..stages import Stages

if is_enabled():
    takeover.apply()


@dataclass(frozen=True)
class CpuOptions(nvidia.CUDAOptions):
    """With what callers ask of GPUs that are not NVIDIA's, which says nothing to a processor either."""
    waves_per_eu: int = 0
    matrix_instr_nonkdim: int = 0
    kpack: int = 1


class TileCpuBackend(Stages, nvidia.CUDABackend):
    """Kernels for the processor of this machine. Triton's front end is told of an sm_90, whose types
    and descriptors the CPU has too."""
    machine = "cpu"

    @staticmethod
    def supports_target(target: base.GPUTarget):
        return is_enabled() and target.backend == "cpu"

    def __init__(self, target: base.GPUTarget) -> None:
        # torch.compile says nothing of a processor's architecture, and Triton 3.9 expects a GPU's number.
        super().__init__(base.GPUTarget(target.backend, 90, 32))
        self.target = target
        self.binary_ext = "tilebin"

    def parse_options(self, options):
        cuda = super().parse_options({**options, "arch": "sm90"})
        own = {name: options[name] for name in ("waves_per_eu", "matrix_instr_nonkdim", "kpack") if name in options}
        known = {**cuda.__dict__, "extern_libs": dict(cuda.extern_libs), "backend_name": "cpu"}
        return CpuOptions(**known, **own)

import os
import shutil
import sys

import triton.backends.compiler as base
import triton.backends.nvidia.compiler as nvidia

from .. import is_enabled, is_strict, takeover
from ..stages import Stages

if is_enabled():
    takeover.apply()


def lend_assembler(arch: int) -> None:
    """tile takes the machine's own ptxas; where there is none, it gets the one that came with Triton."""
    toolkits = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    found = shutil.which("ptxas") or any(t and shutil.which(f"{t}/bin/ptxas") for t in toolkits)
    if found or "TILE_PTXAS" in os.environ or not hasattr(nvidia, "get_ptxas"):
        return
    try:
        os.environ["TILE_PTXAS"] = nvidia.get_ptxas(arch).path
    except RuntimeError:  # this Triton has none either
        pass


def torch_launches() -> bool:
    """Does torch.compile write a C++ program that launches cubins itself (cpp_wrapper, AOTInductor)? It does so as Triton's
    are launched: 32 threads for each warp that was asked for, and no tensor maps."""
    return bool(getattr(sys.modules.get("torch._inductor.config"), "cpp_wrapper", False))


class TileBackend(Stages, nvidia.CUDABackend):

    @staticmethod
    def supports_target(target: base.GPUTarget):
        return is_enabled() and target.backend == "cuda"

    def __init__(self, target: base.GPUTarget) -> None:
        super().__init__(target)
        self.binary_ext = "tilebin"  # not "cubin": torch.compile's own launcher of cubins stands aside
        self.machine = nvidia.sm_arch_from_capability(target.arch)
        lend_assembler(target.arch)

    def hash(self):
        return super().hash() + ("-cubin" if torch_launches() else "")

    def make_binary(self, module, metadata, options, own):
        if torch_launches():
            return self.leave(module, metadata, own, "a C++ program of torch.compile's launches it, which knows Triton's code alone")
        return super().make_binary(module, metadata, options, own)

    def may_leave(self):
        return not is_strict()

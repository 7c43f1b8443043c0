import contextlib
import os
import shutil
import sys

import triton.backends.compiler as base
import triton.backends.nvidia.compiler as nvidia

from .. import is_enabled, is_strict, takeover
from ..stages import Stages, load

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


_TOOL = "triton.tools.compile"
_HEURISTICS = "torch._inductor.runtime.triton_heuristics"


def who_asks() -> str:
    """Who has a kernel compiled to launch its cubin itself, without this package: "tool", Triton's own, which writes a C program with the code in
    it; "torch", whose C++ programs (cpp_wrapper, AOTInductor) load files of code; "" for nobody. torch compiles in other processes,
    which have not its settings, but those of the kernel."""
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    is_tool = getattr(main, "name", None) == _TOOL
    if is_tool or _TOOL in sys.modules or _HEURISTICS in sys.modules:
        frame = sys._getframe()
        while frame is not None:
            name = frame.f_globals.get("__name__")
            if name == _TOOL or (is_tool and name == "__main__"):
                return "tool"
            if name == _HEURISTICS and getattr(frame.f_locals.get("self"), "inductor_meta", {}).get("store_cubin"):
                return "torch"
            frame = frame.f_back
    return "torch" if getattr(sys.modules.get("torch._inductor.config"), "cpp_wrapper", False) else ""


def takes_descriptors(text: str) -> bool:
    return any("!tt.tensordesc" in line for line in text.splitlines() if "tt.func public" in line)


class TileBackend(Stages, nvidia.CUDABackend):

    @staticmethod
    def supports_target(target: base.GPUTarget):
        return is_enabled() and target.backend == "cuda"

    def __init__(self, target: base.GPUTarget) -> None:
        super().__init__(target)
        self.asker = who_asks()
        # Not "cubin", but where that is what is asked for: torch.compile's own launcher of cubins stands aside.
        self.binary_ext = "cubin" if self.asker == "tool" else "tilebin"
        self.machine = nvidia.sm_arch_from_capability(target.arch)
        lend_assembler(target.arch)

    def hash(self):
        return super().hash() + (f"-{self.asker}" if self.asker else "")

    def machine_of(self, options):
        """TRITON_OVERRIDE_ARCH, or a caller's own `arch`, is of another chip than the target's."""
        return nvidia.sm_arch_from_capability(self._parse_arch(options.arch))

    def make_binary(self, module, metadata, options, own):
        binary = super().make_binary(module, metadata, options, own)
        if metadata["as_cubin"] or not self.asker:
            return binary
        return self.hand_over(module, metadata, options, own, load(binary))

    def hand_over(self, module, metadata, options, own, kernel):
        """Code for programs of others, who launch it as Triton's: blocks of so many warps, the arguments alone. There are no launches
        that it could be compiled for, nor maps of tensors; and where it may begin before the launch in front of it has ended, it would
        have to wait."""
        is_known = kernel.is_plain and kernel.threads == 32 * options.num_warps
        if not is_known or options.launch_pdl or takes_descriptors(str(module)):
            return self.leave(module, metadata, own, "another program launches it, which knows Triton's launches alone")
        metadata.update(shared=kernel.shared, as_cubin=True)
        return self.mark(kernel.text("cubin"))

    def what_follows(self):
        return contextlib.nullcontext() if self.asker else super().what_follows()

    def multiprocessors(self):
        from .driver import multiprocessors
        return multiprocessors()

    def mark(self, cubin):
        return cubin if self.asker == "tool" else super().mark(cubin)

    def may_leave(self):
        return not is_strict()

"""Makes way for tile: Triton wants exactly one backend a target and one active driver, so its own
CUDA backend stands back while tile is enabled. torch.compile makes targets called "cuda" itself,
and forgets drivers that were set; so the target keeps its name, and nothing is set."""
import functools
import io
import os
import struct
import sys
import threading
import types

from . import front, is_enabled

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
    from .stages import CUBIN, load
    binary = self.get("tilebin")
    text = None
    if binary is not None and not binary.startswith(CUBIN) and key in ("ptx", "cubin", "llir", "tile"):
        try:
            text = load(binary).text(key)
        except _native.Error:  # PTX of a kernel for the CPU
            pass
    elif binary is not None and key == "cubin":
        text = binary[len(CUBIN):]
    if text is None:
        return _own["missing"](self, key)
    self[key] = text if key == "cubin" else text.decode()
    return self[key]


def _build_id(path):
    """What the linker wrote down of all that is in a file of ELF, by which it is known; b"" where there is nothing."""
    with open(path, "rb") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\2\1":
            return b""
        first, size, count = *struct.unpack_from("<Q", head, 32), *struct.unpack_from("<HH", head, 54)
        file.seek(first)
        parts = [file.read(size) for _ in range(count)]
        for kind, _, offset, _, _, length in (struct.unpack_from("<IIQQQQ", part) for part in parts if len(part) == 56):
            file.seek(offset)
            notes = file.read(min(length, 1 << 16)) if kind == 4 else b""
            while len(notes) >= 12:
                owner, length, what = struct.unpack_from("<III", notes)
                begin = 12 + (owner + 3 & -4)
                if what == 3 and notes[12:16] == b"GNU\0":
                    return notes[begin:begin + length]
                notes = notes[begin + (length + 3 & -4):]
    return b""


def _open(path, *arguments, **named):
    """As `open`, but of Triton's library, of some 400 MB, what it is known by."""
    known = _build_id(path) if os.path.basename(path).startswith("libtriton.") else b""
    return io.BytesIO(known + str(os.path.getsize(path)).encode()) if known else open(path, *arguments, **named)


def _divide_caches() -> None:
    """What torch.compile keeps of a graph has Triton's code of its kernels in it, and is found by triton_key, not by
    the backend: without this, whoever ran a program before TILE_TRITON=1 would go on with Triton's code. triton_key reads all of Triton's
    library, in each process, in front of its first launch; here by way of `_open`."""
    import triton.runtime.cache as cache
    own = getattr(cache, "triton_key", None)
    if own is None:
        return
    code = getattr(getattr(own, "__wrapped__", None), "__code__", None)
    light = functools.lru_cache(types.FunctionType(code, {**vars(cache), "open": _open})) if code and not code.co_freevars else own

    @functools.wraps(own)
    def triton_key():
        return light() + "-tile" if is_enabled() else own()

    for module in (cache, sys.modules.get("triton.runtime.autotuner"), sys.modules.get("torch._inductor.runtime.triton_compat")):
        if getattr(module, "triton_key", None) is own:
            module.triton_key = triton_key


def _keep_binaries() -> None:
    """TRITON_STORE_BINARY_ONLY keeps what is called a cubin, and nothing of tile's: all else is a kernel's TTIR, which is small."""
    from triton import knobs
    vars(knobs.compilation)["store_binary_only"] = False  # not the environment's, which is that of others, too


def forget() -> None:
    """What torch.compile found out before tile was enabled, and its processes that compile, which know nothing of it."""
    found = [getattr(sys.modules.get("torch.utils._triton"), name, None) for name in ("triton_backend", "triton_hash_with_backend")]
    base = getattr(sys.modules.get("torch._inductor.codecache"), "CacheBase", None)
    found += [getattr(base, name, None) for name in ("get_system", "get_local_cache_path")]
    for function in found:
        getattr(function, "cache_clear", lambda: None)()
    getattr(sys.modules.get("torch._inductor.async_compile"), "shutdown_compile_workers", lambda: None)()


def apply() -> None:
    import triton.backends.nvidia.compiler as compiler
    import triton.backends.nvidia.driver as driver
    if _own:
        return
    _divide_caches()
    _keep_binaries()
    _own["supports"] = compiler.CUDABackend.supports_target
    _own["active"] = driver.CudaDriver.is_active
    compiler.CUDABackend.supports_target = staticmethod(
        lambda target: not is_enabled() and _own["supports"](target))
    driver.CudaDriver.is_active = staticmethod(lambda: not is_enabled() and _own["active"]())


def apply_to_kernels() -> None:
    """Called by drivers: when backends are found, Triton's compiler is not there yet."""
    from triton.compiler.compiler import AsmDict, CompiledKernel
    CompiledKernel.run = property(_run)
    front.learn_tensors()
    front.apply()
    front.apply_to_compiled(CompiledKernel)
    _own.setdefault("missing", AsmDict.__missing__)
    AsmDict.__missing__ = _missing

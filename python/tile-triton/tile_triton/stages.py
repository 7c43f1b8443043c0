"""What the backends of both targets share: from TTIR to what Triton's cache keeps.

A kernel's binary is its TTIR with the machine and the configuration in front (src/Native.c); the code
itself is in tile's own cache, where processes that compile for this one leave it. That of a kernel
which tile refused is Triton's cubin, marked; and so is tile's, where another launches it."""
import functools
import itertools
import os
import re
import sys

from triton._C.libtriton import ir
from triton.backends.compiler import Language
from triton.runtime.errors import OutOfResources

from . import ahead, count, takeover

CUBIN = b"cubin\n"
# Of what a kernel's metadata has of tile's own: caches keep it from one tile to the next.
_FORM = 2
# What Triton's metadata has of every kernel and tile has no use for.
_NOTHING = dict(tmem_size=None, global_scratch_size=0, global_scratch_align=1, profile_scratch_size=0,
                profile_scratch_align=1, tensordesc_meta=None)


@functools.lru_cache(maxsize=256)
def load(binary: bytes):
    """The kernel that `binary` is: one that was compiled a moment ago is not compiled again."""
    from . import _native
    return _native.Kernel(binary, ahead.launch())


_DESCRIPTOR = re.compile(rb"(%[\w$.]+: !tt\.tensordesc<(?:tensor<[^<>]*>|[^<>]*)>)( \{)?")


@functools.lru_cache(maxsize=256)
def pad_with_nans(binary: bytes, which: tuple):
    """The kernel whose descriptors `which`, in their order among the arguments, read NaNs outside of their arrays."""
    begin = binary.index(b"tt.func public")
    end = binary.index(b"\n", begin)
    count = itertools.count()

    def say(found):
        if next(count) not in which:
            return found[0]
        return found[1] + b" {tt.padding = 2 : i32" + (b", " if found[2] else b"}")

    return load(binary[:begin] + _DESCRIPTOR.sub(say, binary[begin:end]) + binary[end:])


def _flat(values, types):
    for value, kind in zip(values, types):
        if isinstance(kind, tuple):
            yield from _flat(value, kind)
        elif kind.startswith("tensordesc"):
            yield value


def with_padding(launch, types):
    """Triton's code has what a descriptor reads outside of its array from its tensor map, tile's in itself: so NaNs are another kernel."""

    def launch_padded(x, y, z, stream, kernel, packed, metadata, enter, leave, *arguments):
        nans = tuple(i for i, each in enumerate(_flat(arguments, types)) if getattr(each, "padding", "zero") == "nan")
        if nans:
            kernel = pad_with_nans(kernel.binary, nans)
        launch(x, y, z, stream, kernel, packed, metadata, enter, leave, *arguments)

    launch_padded.launch_of_zeros = launch
    return launch_padded


def launcher(source, metadata, multiprocessors=0):
    """What Triton calls to launch a kernel of tile's. 0: how many programs each multiprocessor has is not looked at."""
    from . import _native
    count(metadata.name, True)
    types = tuple(source.signature.values())
    cooperative = getattr(metadata, "launch_cooperative_grid", False)
    plan = _native.Launcher(types, multiprocessors, cooperative)
    launch = plan.launch
    if os.environ.get("TILE_TRITON_CHECK") == "1":
        from .checked import checked
        launch = checked(plan, cooperative)
    return with_padding(launch, types) if "tensordesc" in str(types) else launch


@functools.lru_cache(maxsize=None)
def say_left(name: str, why: str) -> None:
    """Once, whether it was compiled now or by a process before."""
    print(f"tile: '{name}' goes to Triton's own compiler: {why}", file=sys.stderr)


def configuration(options, warps: int) -> str:
    """What every kernel of tile can be told, as tile writes it. Stages are Triton's own: how many fit beside its code. tile
    counts slots that fit beside what it makes, and fewer would be kept as asked for."""
    known = {name: getattr(options, name, None) for name in ("num_ctas", "maxnreg")}
    return ",".join([f"num_warps={warps}"] + [f"{name}={value}" for name, value in known.items() if value])


# Ops for which Triton's own code has shared memory in each block: hosts divide by what it is, also where tile needs none.
_SHARING = "reduce", "scan", "dot"


# What an autotuner leaves out, to go on with the next.
MOST_WARPS = 32
_TOO_MUCH = ("expected a tile that fits", "bytes of shared memory", "Insufficient registers")  # the last are the driver's


def amounts(message: str):
    """The bytes that were found and those that were expected, of a message that has both."""
    import re
    numbers = [int(number) for number in re.findall(r"(\d+) (?:bytes|or more)|need (\d+)|\((\d+) bytes", message)
               for number in number if number]
    return (max(numbers), min(numbers)) if numbers else (0, 0)


def widest(options) -> int:
    """The most warps that tiles are spread over where those that are asked for have not the registers. 8 have all
    that there are; with more the rest lies in local memory, as Triton's would."""
    return max(options.num_warps, 16)


class Stages:
    """Goes in front of Triton's CUDABackend."""
    machine = ""

    def __init__(self, target):
        super().__init__(target)
        takeover.apply_to_kernels()  # who compiles for another machine has no driver

    def hash(self):
        try:  # Triton asks for it before all else
            from . import _native
        except ImportError as error:
            raise ImportError(f"tile: expected the libtile.so.1 that tile_triton was built with, found: {error}; install libtile and "
                              "tile-triton of one version, or build both") from None
        return f"tile-{_native.version}-{_FORM}-{self.machine}-{self.target}"

    def add_stages(self, stages, options, language=Language.TRITON):
        capability = self._parse_arch(options.arch)
        own = {}
        super().add_stages(own, options, language)
        if language == Language.TRITON:
            stages["ttir"] = lambda source, metadata: self.make_ttir(source, metadata, options, capability)
            stages[self.binary_ext] = lambda module, metadata: self.make_binary(module, metadata, options, own)
        else:  # another language, whose kernels say which thread does what
            first = next(iter(own))
            stages[first] = own[first]
            why = f"it is a kernel of {language.name.capitalize()}'s, not of triton.jit"
            stages[self.binary_ext] = lambda module, metadata: self.leave(module, metadata, own, why)

    def make_binary(self, module, metadata, options, own):
        from . import _native
        if options.num_warps > MOST_WARPS:
            raise OutOfResources(32 * options.num_warps, 32 * MOST_WARPS, "threads")
        if not options.enable_fp_fusion:
            module.set_attr("tt.fp_fusion", ir.builder(module.context).get_bool_attr(False))
        if self.machine != "cpu":  # as Triton's own: no launch is waited for
            module.set_attr("tt.fatal_asserts", ir.builder(module.context).get_bool_attr(True))
        warps, text = options.num_warps, str(module)
        while True:
            binary = f"{self.machine_of(options)} {configuration(options, warps)}\n{text}".encode()
            try:
                with self.what_follows():
                    kernel = load(binary)
                break
            except _native.Error as error:
                if _TOO_MUCH[0] in str(error) and warps < widest(options):
                    warps *= 2
                    continue
                if self.may_leave():
                    return self.leave(module, metadata, own, str(error))
                if any(words in str(error) for words in _TOO_MUCH):
                    print(f"tile: {error}", file=sys.stderr)
                    raise OutOfResources(*amounts(str(error)), str(error)) from None
                raise
        shared = kernel.shared or int(any(f"tt.{name}" in text for name in _SHARING))
        metadata.update(_NOTHING, name=kernel.name, shared=shared, as_cubin=False, left="")
        return binary

    def machine_of(self, options) -> str:
        """What code is compiled for."""
        return self.machine

    def what_follows(self):
        """The launch that a kernel is compiled for."""
        return ahead.Launch(self.multiprocessors)

    def multiprocessors(self) -> int:
        """That launches have; 0: they are not looked at."""
        return 0

    def may_leave(self) -> bool:
        return False

    def leave(self, module, metadata, own, why):
        """Compiles `module` by Triton's own stages, those behind the first."""
        if not self.may_leave():
            raise RuntimeError(f"tile: {why}")
        for stage in list(own.values())[1:]:
            module = stage(module, metadata)
        metadata.update(as_cubin=True, left=why)
        say_left(metadata["name"], why)
        return self.mark(module)

    def mark(self, cubin):
        return CUBIN + cubin

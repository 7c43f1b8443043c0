"""tile: a compiler of tile-level GPU kernels, by its C API (tile.h).

    import tile, numpy
    add = tile.load("vector_add.mlir")["add"]
    x = numpy.arange(1000, dtype=numpy.float32)
    out = numpy.empty_like(x)
    add(x, x, out, x.size)

Arrays are those of NumPy, torch, CuPy, JAX and others, in their memory; what is on a GPU runs there,
on the current stream, and what is not on the CPU.
"""
from ._native import Artifact, Kernel, Module, load, version
from ._native import parse as _parse
from ._records import Argument, Diagnostic, Error, Resources, Trial, Tuning

__all__ = ["Argument", "Artifact", "Diagnostic", "Error", "Kernel", "Module", "Resources", "Trial", "Tuning",
           "load", "parse", "version"]


def __getattr__(name):
    if name == "torch":  # imported when it is asked for: not everybody has torch
        import importlib
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module 'tile' has no attribute '{name}'")


__version__ = version.split()[0]


def parse(text, name=None) -> Module:
    """The kernels of a text, or of MLIR's bytecode. Messages call it `name`."""
    return _parse(text, name)

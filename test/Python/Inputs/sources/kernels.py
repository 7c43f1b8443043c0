"""Kernels of a library that tile's tests read, and never import as a package of its own would be."""
import nothing_that_is_installed  # noqa: what kernels do not use is not needed
import triton
import triton.language as tl
from triton.language.extra import libdevice

EPS = tl.constexpr(1e-6)


@triton.jit
def normalized(row, BLOCK: tl.constexpr):
    return row / tl.sqrt(tl.sum(row * row) / BLOCK + EPS)


@triton.jit
def rms_norm(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    at = tl.program_id(0) * n_cols + tl.arange(0, BLOCK)
    row = tl.load(x_ptr + at, mask=tl.arange(0, BLOCK) < n_cols, other=0.0).to(tl.float32)
    tl.store(out_ptr + at, normalized(row, BLOCK), mask=tl.arange(0, BLOCK) < n_cols)


@triton.jit
def bessel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, libdevice.jn(at, tl.load(x_ptr + at).to(tl.float32)))


@triton.jit
def wrong(x_ptr, out_ptr):
    tl.store(out_ptr, unheard_of(x_ptr))

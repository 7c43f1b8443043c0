#!/usr/bin/env python3
"""tile, cuBLAS, torch and Triton on one GPU, in one process, on the same buffers.

    bench/compare.py LIBTILEBENCH FOLDER-OF-EXAMPLES [--rows REGEX] [--seconds N] [--list]

The contenders of a row take turns, each launch after the L2 cache was flushed, so that all see the
same clocks; a row gives medians of the time between two events around the launch. Results are
compared with a reference in float64 on random data first: a contender that is wrong gets no time.
`--seconds` (110) is when to start no further row.

Printed is a table in Markdown. The last columns are what tile's rate is of cuBLAS's (or, in a row
without it, of the fastest other one's), and the relative error of tile's result. Beside a row that only moves
data stands a copy of as many bytes, half of them read and half written.
"""
import argparse
import ctypes
import glob
import math
import os
import re
import statistics
import struct
import sys
import time

try:
    import torch
    import torch.nn.attention

    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rows"))
    import memory_rows
    import typed_rows
    from beside import backward
except ImportError as error:
    sys.exit(f"error: expected torch, which compare.py compares with: {error}")

try:
    import triton
    import triton_kernels
except ImportError:
    triton = None

DEVICE = "cuda"


# --- tile ---------------------------------------------------------------------


class Tile:
    """Programs of the examples, and their kernels as functions."""

    def __init__(self, library, examples):
        self.lib = ctypes.CDLL(library)
        self.lib.tileBenchCreate.restype = ctypes.c_void_p
        self.lib.tileBenchCreate.argtypes = [ctypes.c_char_p] * 3
        self.lib.tileBenchLaunch.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        self.examples = examples
        self.programs = {}

    def text(self, file):
        found = glob.glob(os.path.join(self.examples, "*", file))
        (path,) = (p for p in found if os.path.basename(os.path.dirname(p)) != "Triton")
        with open(path) as f:
            return f.read()

    def kernel(self, text, name, args, bind="", arch=""):
        """A function that launches `name` of the module `text` with these arguments."""
        key = (text, bind, arch)
        if key not in self.programs:
            handle = self.lib.tileBenchCreate(text.encode(), bind.encode(), arch.encode())
            if not handle:
                raise RuntimeError("tile refused the module")
            self.programs[key] = handle
        slots = (ctypes.c_uint64 * len(args))(*[self.slot(a) for a in args])
        launch, handle, count = self.lib.tileBenchLaunch, self.programs[key], len(args)
        encoded = name.encode()

        def run(keep=args):
            stream = torch.cuda.current_stream().cuda_stream
            if launch(handle, encoded, slots, count, stream):
                raise RuntimeError("tile refused the launch")
        return run

    @staticmethod
    def slot(value):
        if isinstance(value, torch.Tensor):
            return value.data_ptr()
        if isinstance(value, float):
            return struct.unpack("<I", struct.pack("<f", value))[0]
        return value & (2 ** 64 - 1)


# --- cuBLAS -------------------------------------------------------------------


def find_cublas():
    with open("/proc/self/maps") as maps:
        for line in maps:
            if "libcublas.so" in line:
                return ctypes.CDLL(line.split()[-1])
    return None


def cublas_gemm(a, b, c, transposed):
    """c = a b by cublasGemmEx, b as [K, N], or as [N, K] where transposed; None without cuBLAS."""
    lib = find_cublas()
    if not lib:
        return None
    m, k = a.shape
    n = c.shape[1]
    kind = {torch.float16: 2, torch.bfloat16: 14, torch.float32: 0}[a.dtype]
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    p, handle = ctypes.c_void_p, torch.cuda.current_blas_handle()
    # Row-major c is column-major c^T = b^T a^T.
    call = lib.cublasGemmEx
    args = (p(handle), int(transposed), 0, n, m, k, ctypes.byref(one), p(b.data_ptr()), kind,
            k if transposed else n, p(a.data_ptr()), kind, k, ctypes.byref(zero), p(c.data_ptr()),
            kind, n, 68, -1)

    def run(keep=(a, b, c)):
        if call(*args):
            raise RuntimeError("cublasGemmEx failed")
    return run


# --- rows ---------------------------------------------------------------------


class Row:
    """`make(tile)` gives (contenders by name, output, reference, tolerance).

    `work` is in floating point operations, `moved` in bytes, for the rate that is printed. A
    contender that returns a tensor has made its own output.
    """

    def __init__(self, name, make, work=0, moved=0):
        self.name, self.make, self.work, self.moved = name, make, work, moved

    def copy(self):
        """Moves as many bytes as the row does, and computes nothing: what memory gives at that size."""
        kept = torch.empty(2, max(self.moved // 2, 1), device=DEVICE, dtype=torch.uint8)
        return lambda: kept[1].copy_(kept[0])

    def rate(self, seconds):
        if self.work:
            return f"{self.work / seconds * 1e-12:.0f} TFLOP/s"
        return f"{self.moved / seconds * 1e-9:.0f} GB/s"


TYPES = {"f16": (torch.float16, 1e-3), "bf16": (torch.bfloat16, 5e-3)}


def retype(text, kind):
    return re.sub(r"(?<!b)f16\b", kind, text)


def matmul_shapes(m, n, k, arch, file):
    """Bindings to try: the example's own tiles, and larger or smaller ones as the size allows."""
    if arch:
        return ["", "BN=256", "BN=256,num_stages=2", "BN=256,num_stages=4",
                "BM=64,BN=256,num_warps=4,num_stages=2", "BM=64,BN=256,num_warps=4,num_stages=3",
                "num_warps=4,num_stages=2", "num_warps=4,num_stages=3"]
    if m * n >= 2048 * 2048:
        shapes = ["", "BN=256"]
        if file == "matmul_descriptors.mlir":
            shapes += ["BN=256,num_ctas=2"]
        if file == "matmul.mlir":
            shapes += ["BN=256,GROUP=16", "BN=256,GROUP=16,num_ctas=2", "BN=192,GROUP=16",
                       "BN=240,GROUP=2,num_ctas=4", "BN=240,GROUP=2,num_ctas=8"]
        return shapes
    shapes = ["", "BM=64,BN=64,num_warps=4", "BM=64,BN=128,num_warps=4",
              "BM=128,BN=64,GROUP=1,num_warps=4", "BM=72,GROUP=4,num_warps=4,num_ctas=8"]
    if m <= 64:
        shapes += ["BM=16,BN=32,BK=128,num_warps=4,num_stages=6", "BM=16,BN=64,BK=128,num_warps=4",
                   "BM=16,BN=32,BK=256,num_warps=8"]
    if k >= 16 * max(m, n):
        shapes += ["num_parts=4", "BN=256,num_parts=8", "BN=64,GROUP=1,num_warps=4,num_parts=8"]
    return shapes


def matmul(kind, m, n, k, transposed=False, file="matmul.mlir", kernel="matmul", bind="", arch="",
           others=True):
    dtype, tolerance = TYPES[kind]

    def make(tile):
        a = torch.randn(m, k, device=DEVICE, dtype=dtype)
        b = torch.randn(*((n, k) if transposed else (k, n)), device=DEVICE, dtype=dtype)
        c = torch.empty(m, n, device=DEVICE, dtype=dtype)
        sbk, sbn = (1, k) if transposed else (n, 1)
        args = (a, b, c, m, n, k, k, 1, sbk, sbn, n, 1)
        if file == "matmul_descriptors.mlir":
            args = args[:6]
        straight = b.t() if transposed else b
        text = retype(tile.text(file), kind)
        runs = {f"tile {each}".strip(): tile.kernel(text, kernel, args, each, arch)
                for each in ([bind] if bind else matmul_shapes(m, n, k, arch, file))}
        runs["cuBLAS"] = cublas_gemm(a, b, c, transposed)
        if others:
            runs["torch"] = lambda: torch.mm(a, straight, out=c)
            if triton:
                runs.update(triton_kernels.matmuls(a, b, c, transposed))
        return runs, c, lambda: a.double() @ straight.double(), tolerance

    layout = "[N,K]" if transposed else "[K,N]"
    size = f"{m}" if m == n == k else f"{m} x {n} x {k}"
    label = f"{kind} B {layout}" + (f" {file[:-5]}:{kernel}" if file != "matmul.mlir" else "")
    return Row(f"matmul {label}{' ' + arch if arch else ''} {size}", make, work=2 * m * n * k)


def batched(count, size):
    def make(tile):
        a, b = (torch.randn(count, size, size, device=DEVICE, dtype=torch.float16) for _ in range(2))
        c = torch.empty_like(a)
        strides = (size * size, size, 1) * 3
        side = min(size, 128)
        binds = [f"BM={side},BN={side},BK=64,num_warps=4", "BM=64,BN=64,BK=32,num_warps=4"]
        if side == 128:
            binds += ["BM=128,BN=128,BK=64,num_warps=8"]
        runs = {f"tile {bind}": tile.kernel(tile.text("batched_matmul.mlir"), "batched_matmul",
                                            (a, b, c, count, size, size, size, *strides), bind) for bind in binds}
        runs["torch"] = lambda: torch.bmm(a, b, out=c)  # cublasGemmStridedBatchedEx
        return runs, c, lambda: torch.bmm(a.double(), b.double()), 1e-3
    return Row(f"batched f16 {count} of {size} cubed", make, work=2 * count * size ** 3)


WIDE = "BM=128,BN=256,BK=64,num_warps=8"
SQUARE = "BM=128,BN=128,BK=64,num_warps=8"


def matmul_gelu(size, form="erf"):
    """Against the same example's product without anything after it."""
    kernel = "matmul_bias_gelu" + {"erf": "", "tanh": "_tanh", "tanh in f16": "_f16"}[form]
    gelu = lambda x: torch.nn.functional.gelu(x, approximate="none" if form == "erf" else "tanh")

    def make(tile):
        a = torch.randn(size, size, device=DEVICE, dtype=torch.float16)
        b = torch.randn(size, size, device=DEVICE, dtype=torch.float16)
        bias = torch.randn(size, device=DEVICE, dtype=torch.float16)
        c = torch.empty(size, size, device=DEVICE, dtype=torch.float16)
        numbers = (size, size, size, size, 1, size, 1, size, 1)
        text = tile.text("wrapped_matmul.mlir")
        runs = {"torch": lambda: gelu(torch.addmm(bias, a, b))}
        for bind in (SQUARE, WIDE):
            runs[f"tile {bind}"] = tile.kernel(text, kernel, (a, b, c, bias) + numbers, bind)
            runs[f"plain {bind}"] = tile.kernel(text, "matmul", (a, b, c) + numbers, bind)
        return runs, c, lambda: gelu(a.double() @ b.double() + bias.double()), 1e-3
    return Row(f"matmul with bias and GELU ({form}) f16 {size}", make, work=2 * size ** 3)


def matmul_gated(size):
    """Two products of one A and what joins them, against cuBLAS's product with both side by side."""
    def make(tile):
        a = torch.randn(size, size, device=DEVICE, dtype=torch.float16)
        # A product's deviation is 1 then, as in a trained layer.
        both = torch.randn(size, 2 * size, device=DEVICE, dtype=torch.float16) / size ** 0.5
        gate, up = both[:, :size].contiguous(), both[:, size:].contiguous()
        c = torch.empty(size, size, device=DEVICE, dtype=torch.float16)
        wide = torch.empty(size, 2 * size, device=DEVICE, dtype=torch.float16)
        silu = torch.nn.functional.silu

        def eager():
            torch.mm(a, both, out=wide)
            return torch.mul(silu(wide[:, :size]), wide[:, size:], out=c)
        runs = {"torch": eager, "plain cuBLAS": cublas_gemm(a, both, wide, False)}
        text = tile.text("gated_matmul.mlir")
        for bind in ("", "num_ctas=2"):
            runs[f"tile {bind}".strip()] = tile.kernel(
                text, "gated_matmul", (a, gate, up, c, size, size, size), bind)
        return runs, c, lambda: silu(a.double() @ gate.double()) * (a.double() @ up.double()), 2e-3
    return Row(f"gated matmul f16 {size}", make, work=4 * size ** 3)


def add(n):
    def make(tile):
        x, y = torch.rand(n, device=DEVICE), torch.rand(n, device=DEVICE)
        out = torch.empty_like(x)
        runs = {"tile": tile.kernel(tile.text("vector_add.mlir"), "add", (x, y, out, n)),
                "torch": lambda: torch.add(x, y, out=out)}
        if triton:
            grid = (triton.cdiv(n, 1024),)
            runs["Triton"] = lambda: triton_kernels.add[grid](x, y, out, n, BLOCK=1024)
        return runs, out, lambda: x.double() + y.double(), 1e-6
    return Row(f"add f32 {n}", make, moved=12 * n)


def softmax(rows, columns):
    def make(tile):
        x = torch.randn(rows, columns, device=DEVICE)
        out = torch.empty_like(x)
        block = 1 << (columns - 1).bit_length()
        warps = 4 if block <= 2048 else 8 if block <= 4096 else 16
        runs = {"torch": lambda: torch.softmax(x, 1)}
        for each in ("num_warps=1", "num_warps=2", "num_warps=4", "num_warps=4,maxnreg=32",
                     "num_warps=8", "num_warps=16", "num_warps=16,maxnreg=60", "num_warps=4,maxnreg=168"):
            runs[f"tile {each}"] = tile.kernel(
                tile.text("softmax.mlir"), "softmax", (out, x, columns, columns, rows, columns),
                f"N={block},{each}")
        if triton:
            runs["Triton"] = lambda: triton_kernels.softmax[(rows,)](out, x, columns, BLOCK=block,
                                                             num_warps=warps)
        return runs, out, lambda: torch.softmax(x.double(), 1), 1e-5
    return Row(f"softmax f32 {rows} x {columns}", make, moved=8 * rows * columns)


def grey(h, w):
    def make(tile):
        x = torch.randint(0, 256, (3, h, w), device=DEVICE, dtype=torch.uint8)
        out = torch.empty(h, w, device=DEVICE, dtype=torch.uint8)
        # A block of 32 x 32 pixels is 4 KB: most of its time it begins and ends.
        binds = "", "BH=16,BW=128", "BH=4,BW=512", "BH=8,BW=512", "BH=16,BW=512", "BH=8,BW=1024,num_warps=8"
        runs = {f"tile {bind}".strip(): tile.kernel(tile.text("rgb2grey.mlir"), "rgb2grey", (x, out, h, w), bind)
                for bind in binds}
        if triton:
            grid = (triton.cdiv(h, 32), triton.cdiv(w, 32))
            runs["Triton"] = lambda: triton_kernels.grey[grid](x, out, h, w, BH=32, BW=32)
        # Cutting to a whole number amplifies the last bit of the sum to 1.
        weights = torch.tensor([0.2989, 0.5870, 0.1140], device=DEVICE, dtype=torch.float64)
        want = lambda: torch.tensordot(weights, x.double(), dims=1).floor()
        return runs, out, want, 1e-3
    return Row(f"rgb2grey u8 {h} x {w}", make, moved=4 * h * w)


def transpose(size):
    def make(tile):
        x = torch.randn(size, size, device=DEVICE)
        out = torch.empty_like(x)
        runs = {"tile": tile.kernel(tile.text("transpose.mlir"), "transpose",
                                    (x, out, size, size)),
                "torch": lambda: out.copy_(x.t())}
        if triton:
            grid = (triton.cdiv(size, 64), triton.cdiv(size, 64))
            runs["Triton"] = lambda: triton_kernels.transpose[grid](x, out, size, size, B=64, num_warps=8)
        return runs, out, lambda: x.t().double(), 0.0
    return Row(f"transpose f32 {size} x {size}", make, moved=8 * size * size)


def sums(size, axis):
    def make(tile):
        x = torch.rand(size, size, device=DEVICE)
        out = torch.empty(size, device=DEVICE)
        name = "column_sums" if axis == 0 else "row_sums"
        runs = {"torch": lambda: torch.sum(x, axis, out=out)}
        for bind in ("", "BM=4,BN=1024" if axis else "BM=64,BN=128"):
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("sums.mlir"), name,
                                                       (x, out, size, size), bind)
        return runs, out, lambda: x.double().sum(axis), 1e-5
    return Row(f"{'column' if axis == 0 else 'row'} sum f32 {size} x {size}", make,
               moved=4 * size * size)


def layernorm(rows, columns):
    def make(tile):
        x = torch.randn(rows, columns, device=DEVICE, dtype=torch.float16)
        w = torch.randn(columns, device=DEVICE, dtype=torch.float16)
        b = torch.randn(columns, device=DEVICE, dtype=torch.float16)
        out = torch.empty_like(x)
        means, rstds = (torch.empty(rows, device=DEVICE) for _ in range(2))
        runs = {"torch": lambda: torch.nn.functional.layer_norm(x, (columns,), w, b)}
        for warps in (4, 8):
            runs[f"tile num_warps={warps}"] = tile.kernel(
                tile.text("layer_norm.mlir"), "layer_norm",
                (x, w, b, out, means, rstds, rows, columns, 1e-5), f"N={columns},num_warps={warps}")
        want = lambda: torch.nn.functional.layer_norm(x.double(), (columns,), w.double(), b.double())
        return runs, out, want, 1e-3
    return Row(f"layernorm f16 {rows} x {columns}", make, moved=4 * rows * columns)


def attention(causal, batch=4, heads=32, length=4096, depth=128):
    def make(tile):
        shape = (batch, heads, length, depth)
        q, k, v = (torch.randn(shape, device=DEVICE, dtype=torch.float16) for _ in range(3))
        out = torch.empty_like(q)
        sdpa = torch.nn.functional.scaled_dot_product_attention
        runs = {}
        binds = ["BM=128,BN=128,num_warps=8", "BM=128,BN=64,num_warps=8"]
        # Four warp groups hide what a step between two small products takes.
        if depth <= 64:
            binds.append("BM=256,BN=64,num_warps=16")
        # Two steps of 128 keys have no room; of 96 they have.
        if 128 < depth < 256:
            binds.append("BM=128,BN=96,num_warps=8")
        # Programs of one head read the same keys; causal ones take different numbers of steps.
        if not causal:
            binds += [f"{bind},num_ctas=2" for bind in binds]
        for bind in binds:
            runs[f"tile {bind}"] = tile.kernel(
                tile.text("attention.mlir"), "attention_causal" if causal else "attention",
                (q, k, v, out, batch * heads, length, depth ** -0.5 * math.log2(math.e)), f"D={depth},{bind}")
        for name, backend in (("FlashAttention", "FLASH_ATTENTION"), ("cuDNN", "CUDNN_ATTENTION")):
            def run(backend=getattr(torch.nn.attention.SDPBackend, backend)):
                with torch.nn.attention.sdpa_kernel(backend):
                    return sdpa(q, k, v, is_causal=causal)
            runs[name] = run

        def want():
            result = torch.empty(shape, device=DEVICE)
            step = max(1, 2 ** 26 // length ** 2)
            for i in range(batch):
                for h in range(0, heads, step):
                    s = slice(h, h + step)
                    result[i, s] = sdpa(q[i, s].float(), k[i, s].float(), v[i, s].float(),
                                        is_causal=causal)
            return result
        return runs, out, want, 5e-3
    work = 4 * batch * heads * length * length * depth // (2 if causal else 1)
    return Row(f"attention f16 {batch} x {heads} x {length} x {depth}{' causal' if causal else ''}", make, work=work)


def all_rows():
    rows = []
    for size in (4096, 8192, 2048, 1024, 512):
        for kind in ("f16", "bf16"):
            rows += [matmul(kind, size, size, size, t) for t in (False, True)]
    for shape in ((4104, 4200, 1000), (1000, 1000, 1000)):
        rows += [matmul("f16", *shape, t) for t in (False, True)]
    # The last round of programs is short: 24 of 132 blocks, and 12.
    rows += [matmul("f16", *shape) for shape in ((3072, 3072, 3072), (2048, 2112, 2048))]
    # Packed arrays whose rows begin off multiples of 16 bytes.
    rows += [matmul("f16", *shape, t) for t in (False, True) for shape in (
        (4095, 4097, 4093), (8191, 8191, 8191), (2047, 2049, 8191), (1001, 1003, 1007), (777, 333, 1555),
        (333, 333, 333), (128, 4097, 4095), (16, 4097, 4097), (1, 4095, 4097))]
    # Few programs, of long loops, and many columns of few rows.
    rows += [matmul("f16", *shape) for shape in ((512, 512, 16384), (63, 95, 4097), (64, 128256, 4096))]
    rows += [batched(*shape) for shape in ((4096, 64), (512, 128), (32, 1024))]
    for kernel in ("grouped_2d", "grouped_1d"):
        rows.append(matmul("f16", 8192, 8192, 8192, file="grouped_matmul.mlir", kernel=kernel,
                           bind=WIDE, others=False))
    for size in (4096, 8192):
        rows.append(matmul("f16", size, size, size, file="wrapped_matmul.mlir", bind=WIDE,
                           others=False))
    rows.append(matmul("f16", 4096, 4096, 4096, file="matmul_descriptors.mlir", others=False))
    rows += [matmul_gelu(4096, form) for form in ("erf", "tanh", "tanh in f16")]
    rows.append(matmul_gated(4096))
    for kind in ("f16", "bf16"):
        rows.append(matmul(kind, 4096, 4096, 4096, arch="sm_80", others=False))
    rows += [add(n) for n in (98432, 1 << 24, 1 << 28)]
    rows += [softmax(*s) for s in ((1823, 781), (4096, 1024), (4096, 4096), (4096, 5000), (4096, 8320),
                                   (4096, 12672), (2048, 20000), (32768, 4096))]
    rows += [grey(8192, 8192), transpose(16384), sums(16384, 1), sums(16384, 0),
             layernorm(8192, 8192)]
    rows += [attention(causal, *s) for s in ((4, 32, 4096, 128), (4, 32, 4096, 64), (32, 32, 512, 128), (1, 32, 16384, 128),
                                             (4, 16, 4096, 256), (32, 32, 512, 64), (32, 16, 512, 256), (1, 32, 16384, 64),
                                             (1, 16, 16384, 256), (4, 16, 4096, 160), (4, 16, 4096, 192), (32, 16, 512, 160),
                                             (32, 16, 512, 192)) for causal in (False, True)]
    return rows + backward.rows(Row) + typed_rows.rows(Row) + memory_rows.rows(Row)


# --- measuring ----------------------------------------------------------------


def relative_error(got, want):
    got, want = got.double(), want.double()
    norm = want.norm()
    return ((got - want).norm() / norm).item() if torch.isfinite(got).all() else float("nan")


def check(row, runs, out, want, tolerance):
    """Drops contenders that are absent, fail or are wrong; errors by name, and notes."""
    reference, errors, notes = want(), {}, []
    for name in list(runs):
        if runs[name] is None:
            del runs[name]
            continue
        try:
            out.fill_(float("nan") if out.is_floating_point() else 0)
            made = runs[name]()
            torch.cuda.synchronize()
            errors[name] = relative_error(made if isinstance(made, torch.Tensor) else out, reference)
            if name.split()[0] == "plain":
                errors[name] = 0.0  # another product; its own row checks it
            if not errors[name] <= tolerance:
                notes.append(f"{name} is wrong: relative error {errors[name]:.2e}")
        except Exception as e:  # noqa: BLE001: the others of the row are still of interest
            notes.append(f"{name} failed: {str(e).splitlines()[0] if str(e) else type(e).__name__}")
            errors[name] = float("nan")
        if not errors[name] <= tolerance:
            del runs[name]
    return errors, notes


def measure(runs, flush):
    """Medians in seconds by name, the contenders taking turns."""
    names = list(runs)
    samples = {n: [] for n in names}
    events = []

    def once(name):
        flush.zero_()
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        runs[name]()
        stop.record()
        return start, stop

    for name in names:
        for _ in range(3):
            start, stop = once(name)
        torch.cuda.synchronize()
        samples[name].append(start.elapsed_time(stop))
    longest = sum(s[0] for s in samples.values()) + 0.1 * len(names)
    rounds = int(min(max(500 / longest, 30), 150))
    for i in range(rounds + 5):
        shift = i % len(names)
        for name in names[shift:] + names[:shift]:
            events.append((i, name, once(name)))
    torch.cuda.synchronize()
    samples = {n: [] for n in names}
    for i, name, (start, stop) in events:
        if i >= 5:
            samples[name].append(start.elapsed_time(stop) * 1e-3)
    return {n: statistics.median(s) for n, s in samples.items()}


COLUMNS = ["tile", "cuBLAS", "torch", "Triton", "Triton descriptors", "copy"]


def opponent(others):
    """Whom a row's ratio is about: cuBLAS, tile's kernel without an epilogue, or the fastest."""
    if "cuBLAS" in others:
        return "cuBLAS"
    others = {n: t for n, t in others.items() if n != "copy"}
    plain = [n for n in others if n.split()[0] == "plain"]
    return min(plain or others, key=others.get) if others else None


def report(row, errors, notes, times):
    # Of several tile shapes the fastest counts.
    names = [n for n in times if n.split()[0] == "tile"]
    best = min(names, key=times.get) if names else None
    mine = times.get(best)
    others = {n: t for n, t in times.items() if n not in names}
    configured = [n for n in others if re.match(r"Triton \d", n)]
    if configured:
        times = {**times, "Triton": min(others[n] for n in configured)}
    against = opponent(others)
    if best:
        times = {**times, "tile": mine}
    cells = [row.name, row.rate(mine) if mine else "-"]
    cells += [f"{times[n] * 1e3:.4f}" if n in times else "-" for n in COLUMNS]
    ratio = f"{others[against] / mine:.3f} x {against}" if mine and against else "-"
    if mine and "copy" in others:
        ratio += f", {others['copy'] / mine:.3f} of a copy"
    error = errors.get(best)
    cells += [ratio, f"{error:.1e}" if error is not None else "-"]
    print("| " + " | ".join(cells) + " |", flush=True)
    extra = [f"{n}: {t * 1e3:.4f} ms" for n, t in times.items() if n not in COLUMNS]
    if best and len(names) > 1:
        extra.append(f"fastest: {best}")
    for note in extra + notes:
        print(f"  {note}", file=sys.stderr, flush=True)


def run_row(row, tile, flush):
    torch.manual_seed(0)
    try:
        runs, out, want, tolerance = row.make(tile)
    except FileNotFoundError as e:
        print(f"  {row.name}: no example {os.path.basename(e.filename)}", file=sys.stderr)
        return
    except Exception as e:  # noqa: BLE001: a row that cannot be made must not end the run
        print(f"  {row.name}: {e}", file=sys.stderr)
        return
    errors, notes = check(row, runs, out, want, tolerance)
    torch.cuda.empty_cache()
    if runs and not row.work:
        runs["copy"] = row.copy()
    report(row, errors, notes, measure(runs, flush) if runs else {})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("examples")
    parser.add_argument("--rows", default="")
    parser.add_argument("--seconds", type=float, default=110)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    begin = time.monotonic()
    rows = [r for r in all_rows() if re.search(options.rows, r.name)]
    if options.list:
        print("\n".join(r.name for r in rows))
        return
    torch.backends.cuda.matmul.allow_tf32 = False
    flush = torch.empty(256 << 20, dtype=torch.int8, device=DEVICE)
    torch.mm(*(torch.ones(16, 16, device=DEVICE, dtype=torch.float16),) * 2)  # loads cuBLAS
    tile = Tile(options.library, options.examples)
    versions = f"torch {torch.__version__}, Triton {triton.__version__ if triton else 'absent'}"
    print(f"{torch.cuda.get_device_name(0)}, {versions}, CUDA {torch.version.cuda}: "
          "median ms, launched in turn with the L2 flushed\n")
    print("| work | tile's rate | " + " | ".join(COLUMNS) + " | ratio | error |")
    print("| --- " * (len(COLUMNS) + 4) + "|")
    late = []
    for row in rows:
        if time.monotonic() - begin > options.seconds:
            late.append(row.name)
            continue
        run_row(row, tile, flush)
    if late:
        print(f"\nnot reached in {options.seconds:.0f} s: {', '.join(late)}")


if __name__ == "__main__":
    main()

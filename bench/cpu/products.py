"""Products on the CPU beside OpenBLAS (f32, f64) and torch, a line for each type, layout of B and shape:

    TILE_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_CORETYPE=SkylakeX PYTHONPATH=build/python \
        python bench/cpu/products.py --kinds f32,s8 --layouts kn,nk --configs 256x256x64 310x310x310 16x1718x1479

The kernel is the tutorials': pointers with strides and masks at every edge. All that is compared runs by turns in one
process. Behind tile's GFLOP/s stand how many times as fast it is as the fastest OpenBLAS, else as torch, at its fastest and
at its median. OpenBLAS: TILE_OPENBLAS or the system's, and NumPy's own.
"""
import argparse
import ctypes
import ctypes.util
import glob
import os
import time

import numpy
import tile
import torch

TEXT = """
!acc = tensor<?x?xACC, #tile.dims<[BM, BN]>>
!a_ptrs = tensor<?x?x!tile.ptr<TA>, #tile.dims<[BM, BK]>>
!b_ptrs = tensor<?x?x!tile.ptr<TA>, #tile.dims<[BK, BN]>>
tile.func @matmul(%a: !tile.ptr<TA>, %b: !tile.ptr<TA>, %c: !tile.ptr<TC>, %m: i32 {tile.key}, %n: i32 {tile.key}, %k: i32 {tile.key},
                  %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 256, BN = 256, BK = 64, GROUP = 8} {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  %tiles_m = tile.expr %m ceildiv BM
  %tiles_n = tile.expr %n ceildiv BN
  %i = tile.expr program_id(x) div %tiles_n
  %j = tile.expr program_id(x) rem %tiles_n
  %group = tile.meta GROUP : i32
  %tile_i, %tile_j = tile.swizzle2d %i, %j, %tiles_m, %tiles_n, %group
  %first_m = tile.expr %tile_i * BM
  %first_n = tile.expr %tile_j * BN
  %row = tile.expr col(arange(BM))
  %col = tile.expr row(arange(BN))
  %kay_a = tile.expr row(arange(BK))
  %kay_b = tile.expr col(arange(BK))
  %row_in = tile.expr %row < %m - %first_m
  %col_in = tile.expr %col < %n - %first_n
  %a_first = tile.expr %a + i64(%first_m) * i64(%stride_am) + (%row * %stride_am + %kay_a * %stride_ak)
  %b_first = tile.expr %b + i64(%first_n) * i64(%stride_bn) + (%kay_b * %stride_bk + %col * %stride_bn)
  %c0 = arith.constant 0 : i32
  %bk = tile.meta BK : i32
  %zeros = tile.expr 0 : !acc
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%sum = %zeros, %a_ptrs = %a_first, %b_ptrs = %b_first) -> (!acc, !a_ptrs, !b_ptrs) : i32 {
    %a_in = tile.expr %row_in and %kay_a < %k - %k0
    %b_in = tile.expr %kay_b < %k - %k0 and %col_in
    %a_tile = tile.load %a_ptrs, %a_in
    %b_tile = tile.load %b_ptrs, %b_in
    %next = tile.dot %a_tile, %b_tile, %sum
    %a_next = tile.expr %a_ptrs + BK * %stride_ak
    %b_next = tile.expr %b_ptrs + BK * %stride_bk
    scf.yield %next, %a_next, %b_next : !acc, !a_ptrs, !b_ptrs
  }
  %c_first = tile.expr %c + (i64(%first_m) * i64(%stride_cm) + i64(%first_n) * i64(%stride_cn))
  %c_ptrs = tile.expr %c_first + (%row * %stride_cm + %col * %stride_cn)
  %c_in = tile.expr %row_in and %col_in
CAST  tile.store %c_ptrs, %RESULT, %c_in
  tile.return
}
"""
# A and B, the sum, C, and the error that is allowed, of the largest number.
KINDS = {
    "f32": ("f32", "f32", "f32", 1e-5), "f64": ("f64", "f64", "f64", 1e-13), "f16": ("f16", "f32", "f16", 2e-3),
    "bf16": ("bf16", "f32", "bf16", 1e-2), "s8": ("i8", "i32", "i32", 0),
}
TORCH = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8,
         "i32": torch.int32}


def kernel(kind):
    operand, acc, result, _ = KINDS[kind]
    same = acc == result
    text = TEXT.replace("CAST", "" if same else f"  %c_tile = tile.expr {result}(%acc)\n")
    text = text.replace("RESULT", "acc" if same else "c_tile").replace("ACC", acc)
    return tile.parse(text.replace("TA", operand).replace("TC", result), kind)["matmul"]


def libraries():
    path = os.environ.get("TILE_OPENBLAS") or ctypes.util.find_library("openblas")
    if path:
        yield "OpenBLAS", ctypes.CDLL(path), "", "", ctypes.c_int
    folder = os.path.join(os.path.dirname(numpy.__file__), os.pardir, "numpy.libs")
    for path in glob.glob(os.path.join(folder, "libscipy_openblas64_*.so")):
        yield "NumPy's", ctypes.CDLL(path), "scipy_", "64_", ctypes.c_int64


def others(kind, a, b, c, across, threads):
    (m, k), n = a.shape, c.shape[1]
    if kind in ("f32", "f64"):
        real, letter = (ctypes.c_float, "s") if kind == "f32" else (ctypes.c_double, "d")
        for name, library, before, behind, integer in libraries():
            getattr(library, f"{before}openblas_set_num_threads{behind}")(ctypes.c_int(threads))
            gemm = getattr(library, f"{before}cblas_{letter}gemm{behind}")
            pointer = ctypes.c_void_p
            gemm.argtypes = [ctypes.c_int] * 3 + [integer] * 3 + [real, pointer, integer, pointer, integer, real, pointer, integer]
            gemm.restype = None
            arguments = (101, 111, 112 if across else 111, m, n, k, 1.0, a.data_ptr(), k, b.data_ptr(), k if across else n, 0.0,
                         c.data_ptr(), n)
            yield name, lambda gemm=gemm, arguments=arguments: gemm(*arguments)
    right = b.t() if across else b
    product = torch._int_mm if kind == "s8" else torch.mm
    yield "torch", lambda: product(a, right, out=c)


def numbers(dtype, *shape):
    if dtype == torch.int8:
        return torch.randint(-128, 128, shape, dtype=dtype)
    return torch.randn(*shape).to(dtype)


def measure(calls, rounds, least=2e-3):
    """The fastest and the median of the rounds, in seconds, of calls by turns."""
    repeats, times = {}, {name: [] for name in calls}
    for name, call in calls.items():
        call(), call()
        start = time.perf_counter()
        call()
        repeats[name] = max(1, int(least / max(time.perf_counter() - start, 1e-7)))
    for _ in range(rounds):
        for name, call in calls.items():
            call()
            start = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            times[name].append((time.perf_counter() - start) / repeats[name])
    return {name: (min(t), sorted(t)[len(t) // 2]) for name, t in times.items()}


def row(kind, across, shape, configs, rounds, threads):
    m, n, k = (int(x) for x in shape.split("x"))
    operand, _, result, allowed = KINDS[kind]
    a, b = numbers(TORCH[operand], m, k), numbers(TORCH[operand], *((n, k) if across else (k, n)))
    c, want = torch.empty(m, n, dtype=TORCH[result]), torch.empty(m, n, dtype=TORCH[result])
    matmul, strides = kernel(kind), (1, k) if across else (n, 1)
    calls, wrong = {}, ""
    exact = a.double() @ (b.double().t() if across else b.double())
    for config in configs:
        words = "BM={},BN={},BK={}".format(*config.split("x"))
        calls[config] = lambda words=words: matmul(a, b, c, m, n, k, k, 1, *strides, n, 1, config=words)
        c.zero_(), calls[config]()
        error = ((c.double() - exact).abs().max() / exact.abs().max()).item()
        wrong += f" WRONG {config}: {error:.1e}" if not error <= allowed else ""
    peers = dict(others(kind, a, b, want, across, threads))
    times = measure({**calls, **peers}, rounds)
    best = [name for name in peers if name != "torch"] or ["torch"]
    fastest, median = (min(times[name][i] for name in best) for i in range(2))
    rate = lambda name: 2e-9 * m * n * k / times[name][0]
    ours = "  ".join(f"{c} {rate(c):6.1f} ({fastest / times[c][0]:.2f}, {median / times[c][1]:.2f})" for c in configs)
    theirs = "  ".join(f"{name} {rate(name):6.1f}" for name in peers)
    print(f"{kind:5}{'[N,K]' if across else '[K,N]'} {shape:15} {ours} | {theirs}{wrong}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--kinds", default="f32,f64,f16,bf16,s8")
    p.add_argument("--layouts", default="kn,nk")
    p.add_argument("--configs", default="256x256x64")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("shapes", nargs="+", help="MxNxK")
    o = p.parse_args()
    threads = int(os.environ.get("TILE_NUM_THREADS", "1"))
    torch.set_num_threads(threads)
    for kind in o.kinds.split(","):
        for layout in o.layouts.split(","):
            for shape in o.shapes:
                row(kind, layout == "nk", shape, o.configs.split(","), o.rounds, threads)


if __name__ == "__main__":
    main()

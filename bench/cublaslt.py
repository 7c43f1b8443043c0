"""cuBLASLt by ctypes: the fastest of the algorithms that it offers for a product, for bench/compare.py.

Enumerations are those of cublasLt.h, cublas_api.h and library_types.h. A product is row-major,
C = A B or A B^T, which cuBLASLt is asked for as C^T = B^T A^T, column-major.
"""
import ctypes
import statistics

import torch

WORKSPACE = 64 << 20
ALGORITHMS = 24
TRANSA, TRANSB, SCALE_A, SCALE_B = 3, 4, 17, 18
MAX_WORKSPACE = 1
TYPES = {torch.float32: 0, torch.float64: 1, torch.float16: 2, torch.int8: 3, torch.int32: 10,
         torch.bfloat16: 14, torch.float8_e4m3fn: 28, torch.float8_e5m2: 29}
# What is multiplied: computeType, and the type of alpha.
COMPUTE = {"tf32": (77, 0), "f32": (68, 0), "f64": (70, 1), "s8": (72, 10)}


class Heuristic(ctypes.Structure):
    _fields_ = [("algo", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t),
                ("state", ctypes.c_int), ("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4)]


def library():
    with open("/proc/self/maps") as maps:
        for line in maps:
            if "libcublasLt.so" in line:
                return ctypes.CDLL(line.split()[-1])
    return None


def check(status, what):
    if status:
        raise RuntimeError(f"{what}: status {status}")


def product(a, b, c, transposed, kind):
    """(function, note): the fastest of the algorithms for c = a b, or a b^T where transposed.

    a may be a transposed array: its columns lie side by side then."""
    lib = library()
    if not lib:
        return None, "no cuBLASLt"
    m, k = a.shape
    n = c.shape[1]
    compute, scale = COMPUTE.get(kind, (68, 0))
    p = ctypes.c_void_p
    handle, desc, la, lb, lc, preference = (p() for _ in range(6))
    check(lib.cublasLtCreate(ctypes.byref(handle)), "create")
    check(lib.cublasLtMatmulDescCreate(ctypes.byref(desc), compute, scale), "desc")

    def attribute(name, value):
        check(lib.cublasLtMatmulDescSetAttribute(desc, name, ctypes.byref(value),
                                                 ctypes.c_size_t(ctypes.sizeof(value))), "attribute")
    attribute(TRANSA, ctypes.c_int32(1 if transposed else 0))
    across = a.stride(1) != 1 and a.stride(0) == 1
    attribute(TRANSB, ctypes.c_int32(1 if across else 0))
    ones = torch.ones(1, device=a.device)
    if a.element_size() == 1 and a.dtype != torch.int8:
        attribute(SCALE_A, p(ones.data_ptr()))
        attribute(SCALE_B, p(ones.data_ptr()))

    def layout(result, tensor, rows, columns):
        check(lib.cublasLtMatrixLayoutCreate(ctypes.byref(result), TYPES[tensor.dtype],
                                             ctypes.c_uint64(rows), ctypes.c_uint64(columns),
                                             ctypes.c_int64(rows)), "layout")
    layout(la, b, *((k, n) if transposed else (n, k)))
    layout(lb, a, *((m, k) if across else (k, m)))
    layout(lc, c, n, m)
    check(lib.cublasLtMatmulPreferenceCreate(ctypes.byref(preference)), "preference")
    size = ctypes.c_size_t(WORKSPACE)
    check(lib.cublasLtMatmulPreferenceSetAttribute(
        preference, MAX_WORKSPACE, ctypes.byref(size), ctypes.c_size_t(8)), "preference")
    found, count = (Heuristic * ALGORITHMS)(), ctypes.c_int()
    status = lib.cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, lc, preference, ALGORITHMS,
                                                found, ctypes.byref(count))
    if status or not count.value:
        return None, f"cuBLASLt has no algorithm (status {status})"
    workspace = torch.empty(WORKSPACE, dtype=torch.int8, device=a.device)
    number = {1: ctypes.c_double, 10: ctypes.c_int32}.get(scale, ctypes.c_float)
    alpha, beta = number(1), number(0)

    def runner(i):
        def run(keep=(a, b, c, ones, workspace)):
            stream = torch.cuda.current_stream().cuda_stream
            check(lib.cublasLtMatmul(
                handle, desc, ctypes.byref(alpha), p(b.data_ptr()), la, p(a.data_ptr()), lb,
                ctypes.byref(beta), p(c.data_ptr()), lc, p(c.data_ptr()), lc,
                ctypes.byref(found[i].algo), p(workspace.data_ptr()), ctypes.c_size_t(WORKSPACE),
                p(stream)), "matmul")
        return run

    best, least, which = None, float("inf"), -1
    for i in range(count.value):
        run = runner(i)
        try:
            seconds = time_of(run)
        except RuntimeError:
            continue
        if seconds < least:
            best, least, which = run, seconds, i
    return best, f"cuBLASLt: algorithm {which} of {count.value}"


def time_of(run):
    times = []
    for i in range(8):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        stop.record()
        torch.cuda.synchronize()
        if i >= 2:
            times.append(start.elapsed_time(stop))
    return statistics.median(times)

"""What a launch from Python costs: the package's own part, and a whole launch, beside Triton's, torch's and the driver's.

    PYTHONPATH=build/python python3 bench/python_launch.py test/Examples/Basics/vector_add.mlir

On the CPU the least of 20 rounds of 20000 calls; the first of each pair has a grid of 0, so that nothing runs. On a GPU
the ways take turns, and a batch of 200 launches is timed up to its last one, the device waited for outside of that: medians of 101
batches. Results are compared with torch's in the same run. All in microseconds.
"""
import ctypes
import statistics
import sys
import time

import tile


def measure(add, x, count, calls=20000, rounds=20):
    def once():
        start = time.perf_counter()
        for _ in range(calls):
            add(x, x, x, count)
        return (time.perf_counter() - start) / calls * 1e6

    add(x, x, x, count)
    return min(once() for _ in range(rounds))


def on_cpu(add):
    arrays = []
    try:
        import numpy
        arrays.append(("numpy", numpy.zeros(8, numpy.float32)))
    except ImportError:
        pass
    try:
        import torch
        arrays.append(("torch", torch.zeros(8)))
    except ImportError:
        pass
    import array
    arrays.append(("array", array.array("f", bytes(32))))
    for name, x in arrays:
        print(f"{name}: nothing launched {measure(add, x, 0):.2f}, launched {measure(add, x, 8):.2f} us")


def by_triton(x, y, out):
    """Triton's own add, of the same arguments."""
    import triton
    import triton.language as tl

    @triton.jit
    def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        inside = at < n
        tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)

    count = x.numel()
    grid = (triton.cdiv(count, 1024),)
    return lambda: add_kernel[grid](x, y, out, count, BLOCK=1024)


def by_driver(x, stream):
    """cuLaunchKernel through ctypes, of a kernel that does nothing: what any launch costs at least, from Python."""
    driver = ctypes.CDLL("libcuda.so.1")
    ptx = b""".version 8.0\n.target sm_80\n.address_size 64
.visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 d) { ret; }\n"""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert not driver.cuModuleLoadData(ctypes.byref(module), ptx)
    assert not driver.cuModuleGetFunction(ctypes.byref(function), module, b"nothing")
    values = [ctypes.c_uint64(x.data_ptr()) for _ in range(3)] + [ctypes.c_uint32(0)]
    packed = (ctypes.c_void_p * 4)(*(ctypes.addressof(v) for v in values))
    handle, launch = ctypes.c_void_p(stream), driver.cuLaunchKernel
    launch.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3

    def call(keep=(values, module)):
        launch(function, 4, 1, 1, 128, 1, 1, 0, handle, packed, None)
    return call


def batch(call, synchronize, calls=200):
    synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls * 1e6


def on_gpu(add, torch):
    x, y = torch.rand(4096, device="cuda"), torch.rand(4096, device="cuda")
    out = torch.empty_like(x)
    artifact = add.compile(format="cubin") if hasattr(add, "compile") else None
    ways = {"torch.add(out=..)": lambda: torch.add(x, y, out=out), "tile": lambda: add(x, y, out, 4096)}
    if artifact:
        ways["tile, compiled before"] = lambda: artifact(x, y, out, 4096)
    try:
        ways["Triton"] = by_triton(x, y, out)
    except ImportError:
        pass
    for name, call in ways.items():
        out.zero_()
        call()
        torch.cuda.synchronize()
        assert torch.equal(out, x + y), name
    ways["cuLaunchKernel by ctypes, of nothing"] = by_driver(x, torch.cuda.current_stream().cuda_stream)
    times = {name: [] for name in ways}
    for _ in range(101):
        for name, call in ways.items():
            times[name].append(batch(call, torch.cuda.synchronize))
    for name, samples in times.items():
        print(f"GPU, {name}: {statistics.median(samples):.2f} us")


def main():
    add = tile.load(sys.argv[1])["add"]
    on_cpu(add)
    try:
        import torch
    except ImportError:
        return
    if torch.cuda.is_available():
        on_gpu(add, torch)


if __name__ == "__main__":
    main()

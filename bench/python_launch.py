"""What a launch from Python costs: the package's own part, and a whole launch, beside Triton's, torch's and the driver's.

    PYTHONPATH=build/python python3 bench/python_launch.py test/Examples/Basics/vector_add.mlir \\
        [build/bin/bench/libtilebench.so]

On the CPU the least of 20 rounds of 20000 calls; the first of each pair has a grid of 0, so that nothing runs. On a GPU
the ways take turns, and a batch of 200 launches is timed up to its last one, the device waited for outside of that: medians of 101
batches. Results are compared with torch's in the same run. All in microseconds.
"""
import ctypes
import statistics
import sys
import time

import tile

BATCH = 200


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


def by_driver(x, stream, library):
    """cuLaunchKernel, of a kernel that does nothing, in a loop of C: what any launch costs at least."""
    driver, bench = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL(library)
    ptx = b""".version 8.0\n.target sm_80\n.address_size 64
.visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 d) { ret; }\n"""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert not driver.cuModuleLoadData(ctypes.byref(module), ptx)
    assert not driver.cuModuleGetFunction(ctypes.byref(function), module, b"nothing")
    values = [ctypes.c_uint64(x.data_ptr()) for _ in range(3)] + [ctypes.c_uint32(0)]
    packed = (ctypes.c_void_p * 4)(*(ctypes.addressof(v) for v in values))
    bench.tileBenchTimeDriver.restype = ctypes.c_double
    launch = ctypes.cast(driver.cuLaunchKernel, ctypes.c_void_p)
    return lambda: bench.tileBenchTimeDriver(launch, function, ctypes.c_void_p(stream), packed, BATCH)


def time_batch(call):
    start = time.perf_counter()
    for _ in range(BATCH):
        call()
    return (time.perf_counter() - start) / BATCH * 1e6


def on_gpu(add, torch, library):
    x, y = torch.rand(4096, device="cuda"), torch.rand(4096, device="cuda")
    out = torch.empty_like(x)
    artifact = add.compile(format="cubin")
    addresses = [t.data_ptr() for t in (x, y, out)]
    ways = {
        "tile": lambda: add(x, y, out, 4096),
        "tile, a grid by name": lambda: add(x, y, out, 4096, grid=4),
        "tile, addresses for tensors": lambda: add(*addresses, 4096),
        "tile, an artifact": lambda: artifact(x, y, out, 4096),
        "torch.add(out=..)": lambda: torch.add(x, y, out=out),
    }
    try:
        ways["Triton"] = by_triton(x, y, out)
    except ImportError:
        pass
    for name, call in ways.items():
        out.zero_()
        call()
        torch.cuda.synchronize()
        assert torch.equal(out, x + y), name
    driver = by_driver(x, torch.cuda.current_stream().cuda_stream, library)
    times = {name: [] for name in ways}
    floor = []
    for _ in range(101):
        for name, call in ways.items():
            torch.cuda.synchronize()
            times[name].append(time_batch(call))
        torch.cuda.synchronize()
        floor.append(driver())
    least = statistics.median(floor)
    print(f"GPU, cuLaunchKernel from C: {least:.2f} us")
    for name, samples in times.items():
        took = statistics.median(samples)
        print(f"GPU, {name}: {took:.2f} us, {took - least:.2f} more, {took / least:.2f} times that")


def main():
    add = tile.load(sys.argv[1])["add"]
    library = sys.argv[2] if len(sys.argv) > 2 else "build/bin/bench/libtilebench.so"
    on_cpu(add)
    try:
        import torch
    except ImportError:
        return
    if torch.cuda.is_available():
        on_gpu(add, torch, library)


if __name__ == "__main__":
    main()

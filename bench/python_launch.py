"""What a launch from Python costs: the package's own part, and a whole launch on the CPU.

    PYTHONPATH=build/python python3 bench/python_launch.py test/Examples/Basics/vector_add.mlir

The first of each pair has a grid of 0, so that nothing runs; the least of 20 rounds of 20000 calls, in microseconds.
"""
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


def main():
    add = tile.load(sys.argv[1])["add"]
    arrays = []
    try:
        import numpy
        arrays.append(("numpy", numpy.zeros(8, numpy.float32)))
    except ImportError:
        pass
    try:
        import torch
        arrays.append(("torch", torch.zeros(8)))
        if torch.cuda.is_available():
            arrays.append(("torch on a GPU", torch.zeros(8, device="cuda")))
    except ImportError:
        pass
    import array
    arrays.append(("array", array.array("f", bytes(32))))
    for name, x in arrays:
        print(f"{name}: nothing launched {measure(add, x, 0):.2f}, launched {measure(add, x, 8):.2f} us")


if __name__ == "__main__":
    main()

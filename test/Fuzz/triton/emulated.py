"""Launches through the driver that TILE_CUDA_DRIVER names, without torch's: an emulator's memory is the host's.

A kernel's TTIR goes through the `tile` package as it does on a GPU, with all that is known of the launch.
"""

import ctypes
import os

import tile

LEAD = 64          # bytes in front of each array: addresses are as they were, modulo this


class Driver:
    """The driver's primary context, current on this thread."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["TILE_CUDA_DRIVER"])
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            raise RuntimeError(f"CUDA error {code} of {name}")

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value


DRIVER = None


class Copy:
    """Memory of the driver's with what a tensor's memory holds, as far from a multiple of LEAD."""

    def __init__(self, tensor):
        storage = tensor.untyped_storage()
        self.host, self.size = storage.data_ptr(), storage.nbytes()
        skew = self.host % LEAD
        self.memory = DRIVER.allocate(self.size + skew)
        self.address = self.memory + skew
        ctypes.memmove(self.address, self.host, self.size)

    def of(self, tensor):
        return self.address + tensor.data_ptr() - self.host

    def finish(self):
        ctypes.memmove(self.host, self.address, self.size)
        DRIVER.call("cuMemFree_v2", ctypes.c_uint64(self.memory))


def launch(path, config, grid, values):
    """`values`: tensors of the CPU, which have the results afterwards, and numbers, by the kernel's names."""
    global DRIVER
    DRIVER = DRIVER or Driver()
    copies, given = {}, []
    for value in values.values():
        if hasattr(value, "untyped_storage"):
            storage = value.untyped_storage().data_ptr()
            if storage not in copies:
                copies[storage] = Copy(value)
            value = copies[storage].of(value)
        given.append(value)
    kernel = tile.load(path)["kernel"]
    kernel(*given, grid=grid, device="cuda", config=config)
    DRIVER.call("cuCtxSynchronize")
    for copy in copies.values():
        copy.finish()

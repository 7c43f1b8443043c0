import os
import time

import triton.backends.driver as base
import triton.backends.nvidia.driver as nvidia
from triton.backends.compiler import GPUTarget

from .. import is_enabled, takeover, tuning, use_cpu
from ..stages import launcher, load

# Kernels for the CPU have no such limits: what no code asks for is never too much.
_PROPERTIES = {"max_shared_mem": 2**31 - 1, "max_num_regs": 65536, "multiprocessor_count": 0, "warpSize": 32,
               "sm_clock_rate": 0, "mem_clock_rate": 0, "mem_bus_width": 0}


class Utils:

    def load_binary(self, name, binary, shared, device):
        kernel = load(binary)
        return kernel, kernel, 1, 0, 2**31 - 1  # hosts divide by the registers

    def unload_module(self, module):
        pass

    def get_device_properties(self, device):
        return {**_PROPERTIES, "multiprocessor_count": len(os.sched_getaffinity(0))}


class Event:
    """What triton.testing measures time by; a launch on the CPU has ended when it returns."""

    def __init__(self, enable_timing=True):
        self.at = 0.0

    def record(self, stream=None):
        self.at = time.perf_counter()

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return 1e3 * (end.at - self.at)


class Interface:
    """What Triton uses of torch.cuda."""
    Event = Event

    @staticmethod
    def synchronize(device=None):
        pass

    @staticmethod
    def current_device():
        return "cpu"

    @staticmethod
    def set_device(device):
        pass


class TileCpuDriver(base.DriverBase):

    def __init__(self):
        takeover.apply_to_kernels()
        tuning.apply()
        self.utils = Utils()
        self.launcher_cls = launcher

    @staticmethod
    def is_active():
        return is_enabled() and use_cpu()

    def map_python_to_cpp_type(self, ty):
        return nvidia.ty_to_cpp(ty)

    def get_current_target(self):
        return GPUTarget("cpu", 0, 32)

    def get_current_device(self):
        return "cpu"  # as torch.cpu.current_device() has it

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_device_capability(self, device=None):
        return (0, 0)

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_device_interface(self):
        return Interface

    def get_benchmarker(self):
        from triton.testing import do_bench
        return do_bench

    def get_empty_cache_for_benchmark(self):
        import torch
        return torch.empty(1 << 20, dtype=torch.int8)

    def clear_cache(self, cache):
        cache.zero_()

    def assemble_tensormap_to_arg(self, tensormaps_info, args):
        return args

"""What libraries ask torch.cuda for, where there is no GPU: an H100 whose memory is the processor's.

Their host code decides by a GPU's name, multiprocessors and shared memory, and makes tensors on "cuda". Kernels are launched as
ever, by tile's own driver, on tensors of the processor's memory."""
import contextlib
import time
import types

import pytest
import tile_triton
import torch
from torch.overrides import TorchFunctionMode

PROPERTIES = types.SimpleNamespace(
    name="NVIDIA H100 80GB HBM3", major=9, minor=0, multi_processor_count=132, total_memory=80 << 30, warp_size=32,
    shared_memory_per_block=49152, shared_memory_per_block_optin=232448, shared_memory_per_multiprocessor=233472,
    regs_per_multiprocessor=65536, max_threads_per_multi_processor=2048, max_threads_per_block=1024, L2_cache_size=50 << 20,
    gcnArchName="")


class Nowhere(contextlib.nullcontext):
    """A device or a stream to be on."""
    idx = cuda_stream = stream_id = 0

    def __init__(self, *_, **__):
        super().__init__(self)

    def wait_stream(self, *_):
        pass

    synchronize = record_event = wait_event = wait_stream


class Event:
    """Kernels have ended when their launch returns."""

    def __init__(self, **_):
        self.time = 0.0

    def record(self, *_):
        self.time = time.perf_counter()

    def elapsed_time(self, later):
        return (later.time - self.time) * 1e3

    def synchronize(self):
        pass


class Generator:

    def __init__(self):
        self.state = torch.zeros(16, dtype=torch.uint8)

    def get_state(self, *_):
        return self.state

    def set_state(self, state):
        self.state = state

    def initial_seed(self):
        return 1


def _here(device):
    name = isinstance(device, (str, torch.device)) and str(device)
    return torch.device("cpu") if name and name.startswith("cuda") else device


class OnTheProcessor(TorchFunctionMode):

    def __torch_function__(self, function, _, args=(), kwargs=None):
        kwargs = {name: _here(value) if name == "device" else value for name, value in (kwargs or {}).items()}
        if function is torch.Tensor.cuda:
            return args[0]
        return function(*map(_here, args), **kwargs)


@contextlib.contextmanager
def pretended():
    """While it is open; nothing where there is a GPU that kernels run on."""
    if not tile_triton.use_cpu():
        yield
        return
    constants = dict(is_available=True, is_initialized=True, device_count=1, current_device=0, get_device_capability=(9, 0),
                     get_device_name=PROPERTIES.name, get_device_properties=PROPERTIES, memory_allocated=0,
                     mem_get_info=(70 << 30, 80 << 30), is_bf16_supported=True, get_arch_list=["sm_90"],
                     is_current_stream_capturing=False, current_stream=Nowhere(), default_stream=Nowhere())
    with pytest.MonkeyPatch.context() as patch, OnTheProcessor():
        patch.setattr(tile_triton, "mode", "cpu")  # for whoever asks again
        for name, value in constants.items():
            patch.setattr(torch.cuda, name, lambda *_, value=value, **__: value)
        for name in "synchronize", "set_device", "empty_cache", "manual_seed", "manual_seed_all":
            patch.setattr(torch.cuda, name, lambda *_, **__: None)
        for name in "device", "device_of", "stream", "Stream":
            patch.setattr(torch.cuda, name, Nowhere)
        patch.setattr(torch.cuda, "Event", Event)
        patch.setattr(torch.cuda, "default_generators", [Generator()])
        for name in "_cuda_getCurrentRawStream", "_cuda_getDevice":
            patch.setattr(torch._C, name, lambda *_: 0, raising=False)
        patch.setattr(torch.Tensor, "is_cuda", property(lambda _: True))
        yield

"""TILE_TRITON_CHECK=1: every launch under the access checker.

The checker runs a kernel on the CPU, one program after the other. Tensors of the CPU it works on as
they are, and that was the launch. Of a GPU's tensors it gets copies of all their memory, and the
launch follows on the tensors themselves where nothing was found. While a CUDA graph is captured nothing can
be copied or waited for: such launches are not checked, which is said once."""
import functools
import sys

import torch


def _is_tensor(value) -> bool:
    return isinstance(value, torch.Tensor)


class _Copies:
    """Tensors on the CPU beside those of a GPU: views of one memory stay that."""

    def __init__(self):
        self.of = {}

    def tensor(self, value):
        storage = value.untyped_storage()
        key = storage.data_ptr()
        if key not in self.of:
            self.of[key] = storage.cpu()
        copy = torch.empty(0, dtype=value.dtype)
        return copy.set_(self.of[key], value.storage_offset(), value.size(), value.stride())

    def __call__(self, value):
        if _is_tensor(value):
            return self.tensor(value) if _on_gpu(value) else value
        if isinstance(value, tuple):
            items = [self(item) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if _is_tensor(getattr(value, "base", None)):  # a descriptor, or a TensorWrapper
            import copy
            other = copy.copy(value)
            other.base = self(value.base)
            if hasattr(other, "data_ptr") and hasattr(other, "data"):
                other.data = other.base
            return other
        return value


def _on_gpu(value) -> bool:
    if isinstance(value, tuple):
        return any(map(_on_gpu, value))
    value = getattr(value, "base", None) if not _is_tensor(value) else value
    return _is_tensor(value) and value.device.type != "cpu"  # is_cuda is what a library was told in place of a GPU, too


@functools.lru_cache(maxsize=None)
def _say(what):
    print(f"tile: {what}", file=sys.stderr)


def checked(plan, cooperative):

    def launch(x, y, z, stream, kernel, packed, metadata, enter, leave, *arguments):
        if cooperative:
            _say("cooperative launches are not checked: their programs wait for each other, and the checker runs one after the other")
            plan.launch(x, y, z, stream, kernel, packed, metadata, enter, leave, *arguments)
            return
        if not any(map(_on_gpu, arguments)):
            if enter is not None:
                enter(metadata)
            plan.check(x, y, z, kernel, *arguments)
            if leave is not None:
                leave(metadata)
            return
        if torch.cuda.is_current_stream_capturing():
            _say("launches into a CUDA graph are not checked: run them once without it")
            plan.launch(x, y, z, stream, kernel, packed, metadata, enter, leave, *arguments)
            return
        torch.cuda.synchronize()
        copies = _Copies()
        plan.check(x, y, z, kernel, *map(copies, arguments))
        plan.launch(x, y, z, stream, kernel, packed, metadata, enter, leave, *arguments)

    return launch

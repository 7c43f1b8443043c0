"""Kernels as custom ops of torch: seen by torch.compile, by autograd and by export as one op each.

    @tile.torch.op("demo::add", backward=lambda ctx, grad: (grad, grad))
    def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        kernel(x, y, out)
        return out

The function says what it allocates and what it launches. torch runs it on fake tensors too, where it
wants shapes alone: launches do nothing then, so that no second function has to be written.
"""
from typing import Callable, Iterable, Optional, Union

import torch

from . import _native


def op(name: str, *, mutates_args: Union[str, Iterable[str]] = (), fake: Optional[Callable] = None,
       backward: Optional[Callable] = None, setup_context: Optional[Callable] = None) -> Callable:
    """Makes the function a custom op `namespace::name`, whose arguments and results have annotations.

    mutates_args   the names of tensors that it writes to, as torch.library.custom_op has it
    fake           what gives results of the right shape and type for fake tensors; None: the function itself, in which
                   launches do nothing
    backward       (ctx, *gradients) to the gradients of the arguments, as torch.library.register_autograd has it
    setup_context  (ctx, inputs, output), which saves what `backward` takes; None: ctx.saved_tensors has the arguments
                   that are tensors
    """

    def make(function: Callable) -> torch.library.CustomOpDef:
        made = torch.library.custom_op(name, function, mutates_args=mutates_args)
        made.register_fake(fake or _without_launches(function))
        if backward is not None:
            made.register_autograd(backward, setup_context=setup_context or _save_tensors)
        return made

    return make


def _without_launches(function: Callable) -> Callable:
    def fake(*arguments, **named):
        former = _native.set_dry(True)
        try:
            return function(*arguments, **named)
        finally:
            _native.set_dry(former)

    return fake


def _save_tensors(ctx, inputs, output) -> None:
    ctx.save_for_backward(*(i for i in inputs if isinstance(i, torch.Tensor)))

"""Tests of the backend, on the GPU where there is one and else on the CPU; tile compiles everything."""
import os

os.environ.setdefault("TILE_TRITON", "strict")

import pytest
import torch
import triton


@pytest.fixture
def device():
    torch.manual_seed(0)
    return triton.runtime.driver.active.get_active_torch_device()

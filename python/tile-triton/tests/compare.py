"""How far results are from what they should be, and where tensors are."""
import pytest
import torch


@pytest.fixture(autouse=True)
def tensors_on(device):
    """Tensors of the tests of a module that imports this are on the device, random ones the same each time."""
    torch.manual_seed(1)
    torch.set_default_device(device)
    yield
    torch.set_default_device(None)


def close(found, wanted, tolerance=1e-5):
    """Integers are equal; the norm of the difference of others is `tolerance` of that of `wanted` at most."""
    found, wanted = torch.as_tensor(found), torch.as_tensor(wanted)
    assert found.shape == wanted.shape
    if not found.dtype.is_floating_point and not wanted.dtype.is_floating_point:
        assert torch.equal(found.to(torch.int64), wanted.to(torch.int64))
        return
    found, wanted = found.double(), wanted.double()
    error = ((found - wanted).norm() / wanted.norm().clamp_min(1e-30)).item()
    assert error < tolerance

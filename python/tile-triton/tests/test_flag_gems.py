"""FlagGems' operators, forward and backward, beside torch's own, on samples that torch has of each of its functions.

A sample is computed by torch, which comes to its operators, those of gradients among them; where FlagGems has one it is given the
same operands, and what comes of that is held against torch's. $GEMS_SAMPLES, 2 without it, are taken of each function and type."""
import os

import pytest
import tile_triton
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode

import pretend

SAMPLES = int(os.environ.get("GEMS_SAMPLES", "2"))
RANDOM = "rand", "bernoulli", "dropout", "normal", "uniform", "exponential", "multinomial", "empty", "rrelu"
DEVICE = "cpu" if tile_triton.use_cpu() else "cuda"
table = {}


@pytest.fixture(scope="module", autouse=True)
def gems():
    """FlagGems' operators by torch's names. Of an autotuner's configurations one is enough."""
    from triton.runtime.autotuner import Autotuner
    init = Autotuner.__init__

    def first(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.configs = self.configs[:1]

    with pytest.MonkeyPatch.context() as patch, pretend.pretended():
        patch.setenv("GEMS_VENDOR", "nvidia")
        patch.setattr(Autotuner, "__init__", first)
        flag_gems = pytest.importorskip("flag_gems")
        flag_gems.device = DEVICE
        for entry in flag_gems._FULL_CONFIG:
            if (len(entry) < 3 or entry[2]()) and not any(word in entry[0] for word in RANDOM):
                table[entry[0]] = entry[1]
        yield


def copy(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return type(value)(copy(v) for v in value) if isinstance(value, (list, tuple)) else value


def tensors(value):
    """Tensors of lists in it, too."""
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in tensors(v)]
    return [value] if isinstance(value, torch.Tensor) else []


def difference(found, wanted):
    """What is wrong with `found`, or nothing."""
    found, wanted = (t.detach().cpu().to(torch.complex128 if wanted.is_complex() else torch.float64) for t in (found, wanted))
    near = torch.isclose(found, wanted, rtol=1e-3, atol=1e-4, equal_nan=True)
    return "" if near.all() else f"{(~near).sum()} of {near.numel()} elements differ by up to {(found - wanted).abs()[~near].max():.3g}"


def fault(name, operands):
    """What is FlagGems' own, by any compiler: under TILE_TRITON_CHECK=1 the accesses and the races have their lines."""
    given = tensors(operands)
    if not all(t.numel() for t in given):
        return "products and gradients of batch norms read what is not there"
    if name == "mul" and (len({t.shape for t in given}) > 1 or not all(t.is_contiguous() for t in given)):
        return "its kernel for Hopper reads behind operands that are spread"
    if name.startswith("native_group_norm"):
        channels, groups = (operands[6], operands[8]) if name.endswith("backward") else (operands[4], operands[6])
        if (channels // groups).bit_count() > 1:
            return "programs write each other's channels, where a group has no power of two of them"
    if name == "topk" and not given[0].is_floating_point():
        return "integers behind the last are whatever lies there"
    if name == "addmv" and not given[0].is_floating_point():
        return "multiplies integers by factors that torch rounds first"
    if name.startswith("_upsample_nearest_exact"):
        return "takes the element that upsample_nearest takes"
    return None


COMPARED = {"nll_loss_forward": 1}  # results; the sum of the weights is added to memory that nobody set


class Beside(TorchDispatchMode):
    """Gives each operator of torch's to FlagGems, too."""

    def __init__(self):
        super().__init__()
        self.seen, self.wrong = 0, []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name, overload = function._schema.name.split("::")[1], function._schema.overload_name
        theirs = table.get(f"{name}.{overload}" if overload else name)
        operands, options = copy(args), {k: copy(v) for k, v in kwargs.items()}
        wanted = function(*args, **kwargs)
        if theirs and not fault(name, operands):
            self.compare(name, theirs, operands, options, wanted)
        return wanted

    def compare(self, name, theirs, operands, options, wanted):
        try:
            found = theirs(*operands, **{k: v for k, v in options.items() if k not in ("pin_memory", "layout")})
        except Exception as error:
            # Its host code takes fewer types, extents and axes than torch's, and makes descriptors that no GPU has.
            ours = "tile: " in str(error) or type(error).__module__.startswith("tile_triton")
            if ours and "expected strides that are multiples of 16 bytes" not in str(error):
                self.wrong.append(f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
            return
        pairs = list(zip(tensors(found), tensors(wanted)))[:COMPARED.get(name)]
        if any(f.shape != w.shape or f.dtype != w.dtype for f, w in pairs):  # nor are all results what torch's are
            return
        self.seen += 1
        self.wrong += [f"{name}: {why}" for why in (difference(f, w) for f, w in pairs) if why]


def samples(op):
    for dtype in torch.float32, torch.int64:
        if dtype in op.supported_dtypes(DEVICE):
            gradients = dtype == torch.float32 and op.supports_autograd
            taken = op.sample_inputs(DEVICE, dtype, requires_grad=gradients)
            yield from (sample for sample, _ in zip(taken, range(SAMPLES)))


@pytest.mark.parametrize("op", op_db, ids=lambda op: op.formatted_name)
def test_operator(op):
    torch.manual_seed(0)
    beside = Beside()
    for sample in samples(op):
        try:
            op(sample.input, *sample.args, **sample.kwargs)
        except (NotImplementedError, AssertionError) as error:
            pytest.skip(f"torch has none of it here: {error}")
        with beside:
            result = op(sample.input, *sample.args, **sample.kwargs)
            wanting = [t for t in tensors(result) if t.requires_grad and not t.is_sparse]
            if wanting:
                torch.autograd.backward(wanting, [torch.ones_like(t) for t in wanting])
    if not beside.seen:
        pytest.skip("FlagGems has none of its operators, or none for these samples")
    assert not beside.wrong, "; ".join(sorted(set(beside.wrong)))
    assert not tile_triton.refused

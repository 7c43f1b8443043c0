"""Functions of flash-linear-attention, forward and backward, beside recurrences and sums over scores in f64."""
import importlib

import pytest
import torch
import torch.nn.functional as F

pytest.importorskip("fla")
BATCH, TIME, HEADS, KEYS, VALUES = 2, 100, 2, 32, 48


@pytest.fixture(autouse=True)
def few_configurations(monkeypatch):
    """Autotuners try one of theirs: each is right or wrong by itself."""
    from triton.runtime.autotuner import Autotuner
    monkeypatch.setattr(Autotuner, "prune_configs", lambda self, *_, **__: self.configs[:1])


def inputs(device, *names):
    shape = (BATCH, TIME, HEADS)
    make = {
        "q": lambda: F.normalize(torch.randn(*shape, KEYS), dim=-1),
        "k": lambda: F.normalize(torch.randn(*shape, KEYS), dim=-1),
        "v": lambda: torch.randn(*shape, VALUES),
        "g": lambda: F.logsigmoid(torch.randn(*shape)),
        "gk": lambda: F.logsigmoid(torch.randn(*shape, KEYS)),
        "beta": lambda: torch.rand(*shape),
    }
    return {name: make[name]().to(device) for name in names}


def recurrence(a, decay=None, delta=False):
    """o = q S / sqrt(K), where S = decay S + k (v - [delta] k S) [beta]."""
    state = torch.zeros(BATCH, HEADS, KEYS, VALUES, dtype=torch.float64, device=a["q"].device)
    out = []
    for t in range(TIME):
        if decay is not None:
            state = state * decay(t)
        value = a["v"][:, t]
        if delta:
            value = (value - torch.einsum("bhk,bhkv->bhv", a["k"][:, t], state)) * a["beta"][:, t, :, None]
        state = state + torch.einsum("bhk,bhv->bhkv", a["k"][:, t], value)
        out.append(torch.einsum("bhk,bhkv->bhv", a["q"][:, t] * KEYS**-0.5, state))
    return torch.stack(out, 1)


def of_heads(a, delta=False):
    return recurrence(a, lambda t: a["g"][:, t, :, None, None].exp(), delta)


def of_keys(a, delta=False):
    g = a["gk"] if "gk" in a else a["g"]
    return recurrence(a, lambda t: g[:, t, :, :, None].exp(), delta)


def retention(a):
    kept = 1 - torch.exp2(-5.0 - torch.arange(HEADS, dtype=torch.float64, device=a["q"].device))
    return recurrence(a, lambda t: kept[None, :, None, None])


def scores(a):
    return torch.einsum("bthk,bshk->bhts", a["q"], a["k"]) * KEYS**-0.5


def softmax(a, bias=0.0):
    after = torch.ones(TIME, TIME, dtype=torch.bool, device=a["q"].device).triu(1)
    return torch.einsum("bhts,bshv->bthv", (scores(a) + bias).masked_fill(after, -float("inf")).softmax(-1), a["v"])


def forgetting(a):
    total = a["g"].cumsum(1).permute(0, 2, 1)
    return softmax(a, total[..., :, None] - total[..., None, :])


def stickbreaking(a):
    before = torch.ones(TIME, TIME, dtype=torch.bool, device=a["q"].device).tril(-1)
    here, rest = (F.logsigmoid(x).masked_fill(~before, 0) for x in (scores(a), -scores(a)))
    weights = (here + rest.flip(-1).cumsum(-1).flip(-1) - rest).exp().masked_fill(~before, 0)
    return torch.einsum("bhts,bshv->bthv", weights, a["v"])


def first(results):
    return first(results[0]) if isinstance(results, (tuple, list)) else results


def compare(function, reference, given, tolerance, **options):
    mine = {name: x.clone().requires_grad_(True) for name, x in given.items()}
    theirs = {name: x.double().requires_grad_(True) for name, x in given.items()}
    out, wanted = first(function(**mine, **options)), reference(theirs)
    gradient = torch.randn_like(out)
    out.backward(gradient)
    wanted.backward(gradient.double())
    pairs = [("result", out, wanted)] + [(name, mine[name].grad, theirs[name].grad) for name in given]
    errors = {name: ((a.double() - b).norm() / b.norm()).item() for name, a, b in pairs}
    assert all(error < tolerance for error in errors.values()), errors


PLAIN = ("q", "k", "v")
CASES = [
    ("linear_attn", "chunk_linear_attn", recurrence, PLAIN, dict(normalize=False)),
    ("linear_attn", "fused_chunk_linear_attn", recurrence, PLAIN, dict(normalize=False)),
    ("linear_attn", "fused_recurrent_linear_attn", recurrence, PLAIN, dict(normalize=False)),
    ("retention", "chunk_retention", retention, PLAIN, {}),
    ("retention", "parallel_retention", retention, PLAIN, {}),
    ("simple_gla", "chunk_simple_gla", of_heads, (*PLAIN, "g"), {}),
    ("simple_gla", "parallel_simple_gla", of_heads, (*PLAIN, "g"), {}),
    ("gla", "fused_recurrent_gla", of_keys, (*PLAIN, "gk"), {}),
    ("delta_rule", "fused_recurrent_delta_rule", lambda a: recurrence(a, None, True), (*PLAIN, "beta"), {}),
    ("gated_delta_rule", "chunk_gated_delta_rule", lambda a: of_heads(a, True), (*PLAIN, "g", "beta"), {}),
    ("attn", "parallel_attn", softmax, PLAIN, {}),
    ("forgetting_attn", "parallel_forgetting_attn", forgetting, (*PLAIN, "g"), {}),
    ("stickbreaking_attn", "parallel_stickbreaking_attn", stickbreaking, PLAIN, {}),
]


@pytest.mark.parametrize("module, name, reference, names, options", CASES, ids=[case[1] for case in CASES])
def test_function(device, module, name, reference, names, options):
    function = getattr(importlib.import_module(f"fla.ops.{module}"), name)
    # On a GPU its kernels multiply f32 as tf32.
    tolerance = 1e-5 if device.type == "cpu" else 3e-3
    compare(function, reference, inputs(device, *names), tolerance, **options)


@pytest.mark.parametrize("module, name", [("delta_rule", "chunk_delta_rule")])
def test_function_of_bf16(device, module, name):
    function = getattr(importlib.import_module(f"fla.ops.{module}"), name)
    given = {k: x.bfloat16() for k, x in inputs(device, *PLAIN, "beta").items()}
    compare(function, lambda a: recurrence(a, None, True), given, 1e-2)

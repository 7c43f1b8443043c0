"""Libraries that run models: gemlite's products of packed weights, and xFormers' attention, norms and rows by index, beside torch in f64.

Both are used as their users do: host code takes the kernel, and of an autotuner's configurations the first."""
import importlib

import pytest
import torch
import torch.nn.functional as F

import pretend

K, N, GROUP = 256, 128, 64


@pytest.fixture(autouse=True)
def few_configurations(monkeypatch):
    from triton.runtime.autotuner import Autotuner
    prune = Autotuner.prune_configs
    monkeypatch.setattr(Autotuner, "prune_configs", lambda self, *args, **kwargs: list(prune(self, *args, **kwargs))[:1])
    with pretend.pretended():
        yield


def away(found, wanted):
    found, wanted = found.double().cpu(), wanted.double().cpu()
    return ((found - wanted).norm() / wanted.norm()).item()


@pytest.fixture
def helper():
    pytest.importorskip("gemlite")
    return importlib.import_module("gemlite.helper")


@pytest.mark.parametrize("kind, rows", [("GEMV_REVSPLITK", 1), ("GEMV_SPLITK", 1), ("GEMM_SPLITK", 8), ("GEMM", 70)])
@pytest.mark.parametrize("bits", [8, 4, 2])
def test_packed_weights(device, helper, bits, kind, rows):
    """Weights of few bits with scales and zeros of groups; those of four and two lie several in an integer."""
    packed = torch.randint(0, 2**bits, (N, K), dtype=torch.uint8)
    scales = torch.rand(N * K // GROUP, 1).half() * 0.1 + 0.01
    zeros = torch.randint(0, 2**bits, (N * K // GROUP, 1)).half()
    weights = ((packed.view(-1, GROUP).double() - zeros.double()) * scales.double()).view(N, K)
    layer = helper.A16Wn(device=device, dtype=torch.float16).from_weights(packed, scales, zeros, bits, GROUP)
    x = torch.randn(rows, K).half()
    assert away(layer.forward_manual(x.to(device), kind), x.double() @ weights.t()) < 2e-3


@pytest.mark.parametrize("kind, rows", [("GEMM_SPLITK", 8), ("GEMM", 70)])
@pytest.mark.parametrize("name, units", [("A8W8_int8_dynamic", 2e-2), ("A8W8_fp8_dynamic", 6e-2)])
def test_rounded_rows(device, helper, name, units, kind, rows):
    """Rows of x and of the weights are rounded to 8 bits, each with a scale of its own."""
    linear = torch.nn.Linear(K, N, bias=False, dtype=torch.float16)
    weights = linear.weight.detach().double()
    layer = getattr(helper, name)(device=device, dtype=torch.float16).from_linear(linear, del_orig=False)
    x = torch.randn(rows, K).half()
    assert away(layer.forward_manual(x.to(device), kind), x.double() @ weights.t()) < units


def rms(x, weight):
    x = x.double().cpu()
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * weight.double().cpu()


@pytest.mark.parametrize("columns", [256, 1000])
def test_norms(device, columns):
    pytest.importorskip("xformers.ops")
    norms = importlib.import_module("xformers.ops.rmsnorm")
    x, y, weight = torch.randn(19, columns, device=device), torch.randn(19, columns, device=device), torch.randn(columns, device=device)
    wanted = rms(x, weight), rms(x + y, weight)
    assert away(norms.rms_norm(x, weight, 1e-6), wanted[0]) < 1e-6
    assert away(norms.rms_norm_add(x, y, weight, 1e-6), wanted[1]) < 1e-6


def test_rows_by_index(device):
    """What a stochastic depth drops and adds back: rows of several tensors side by side, and the sum of a part of the batch."""
    pytest.importorskip("xformers.ops")
    add = importlib.import_module("xformers.ops._triton.k_scaled_index_add")
    select = importlib.import_module("xformers.ops._triton.k_index_select_cat")
    x, source, scale = torch.randn(6, 9, 64, device=device), torch.randn(3, 9, 64, device=device), torch.randn(64, device=device)
    index = torch.randperm(6, device=device)[:3]
    wanted = x.double().index_add(0, index, source.double() * scale.double(), alpha=0.5)
    add.scaled_index_add_fwd(x, index, source, scale, 0.5)
    assert away(x, wanted) < 1e-6

    gradient, of_source, of_scale = torch.randn_like(x), torch.empty_like(source), torch.empty_like(source)
    add.scaled_index_add_bwd(gradient, of_source, of_scale, source, scale, index, 0.5)
    assert away(of_source, 0.5 * gradient[index].double() * scale.double()) < 1e-6
    assert away(of_scale, 0.5 * gradient[index].double() * source.double()) < 1e-6

    rows, chosen = torch.randn(40, 96, device=device), torch.randperm(40, device=device)[:11]
    taken = torch.empty(11, 96, device=device)
    select.index_select_cat_fwd(taken, rows, chosen)
    assert torch.equal(taken, rows[chosen])


@pytest.mark.parametrize("split", [1, 4])
def test_attention_of_caches(device, monkeypatch, split):
    """A query a sequence, whose keys are parts of a cache; parts of their sums are merged."""
    pytest.importorskip("xformers.ops")
    kernel = importlib.import_module("xformers.ops.fmha.triton_splitk")
    common, biases = (importlib.import_module(f"xformers.ops.fmha.{name}") for name in ("common", "attn_bias"))
    monkeypatch.setattr(kernel.FwOp, "SPLIT_K", split)
    lengths, padding, groups, heads, size = [70, 33], 96, 2, 4, 64
    bias = biases.BlockDiagonalCausalWithOffsetPaddedKeysMask.from_seqlens(
        q_seqlen=[1] * len(lengths), kv_seqlen=lengths, kv_padding=padding, **({} if device.type == "cpu" else {"device": device}))
    q = torch.randn(1, len(lengths), groups, heads, size, device=device).half()
    k, v = (torch.randn(1, len(lengths) * padding, groups, 1, size, device=device).half().expand(-1, -1, -1, heads, -1)
            for _ in range(2))
    out = kernel.FwOp.apply(common.Inputs(query=q, key=k, value=v, attn_bias=bias), needs_gradient=False)[0].reshape(q.shape)
    for i, length in enumerate(lengths):
        keys, values = (t[0, i * padding:i * padding + length].double() for t in (k, v))
        scores = torch.einsum("ghd,kghd->ghk", q[0, i].double(), keys) * size**-0.5
        assert away(out[0, i], torch.einsum("ghk,kghd->ghd", scores.softmax(-1), values)) < 1e-3

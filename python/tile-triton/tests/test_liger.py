"""Functions of Liger beside torch's own in f32, forward and backward: those that test_libraries.py has not."""
import os

import pytest
import torch
import torch.nn.functional as F

import pretend
from test_libraries import compare, function, random, rms, rotate

os.environ.setdefault("LIGER_FUSED_MOE_AUTOTUNE", "0")  # asked for when Liger is imported: one configuration is enough


@pytest.fixture(autouse=True)
def multiprocessors():
    """Grids of some are made for the multiprocessors of a GPU."""
    with pretend.pretended():
        yield


def pick(device, most, *shape):
    return torch.randint(0, most, shape, device=device)


def test_fused_add_rms_norm(device):
    f = function("fused_add_rms_norm", "LigerFusedAddRMSNormFunction")
    compare(lambda x, r, w: f(x, r, w, 1e-6, 0.0, "llama", False), lambda x, r, w: (rms(x + r, w), x + r),
            [random(48, 1000), random(48, 1000), random(1000)])


@pytest.mark.parametrize("shape", [(1000, ), (4, 1, 1000), (4, 12, 1000)])
def test_modulated_rms_norm(device, shape):
    f = function("modulated_rms_norm", "LigerModulatedRMSNormFunction")
    compare(lambda x, w, a, b: f(x, w, a, b, 1e-6, 0.0, "llama", False), lambda x, w, a, b: rms(x, w) * (1 + a) + b,
            [random(4, 12, 1000), random(1000), random(*shape), random(*shape)])


def test_poly_norm(device):
    f = function("poly_norm", "LigerPolyNormFunction")
    norm = lambda u: u * torch.rsqrt(u.pow(2).mean(-1, keepdim=True) + 1e-6)
    compare(lambda x, w, b: f(x, w, b, 1e-6, False), lambda x, w, b: w[0] * norm(x**3) + w[1] * norm(x**2) + w[2] * norm(x) + b,
            [random(48, 1000), random(3), torch.randn((), device=device).requires_grad_(True)], 1e-4)


def test_relu_squared(device):
    compare(function("relu_squared", "LigerReLUSquaredFunction"), lambda x: F.relu(x)**2, [random(48, 1000)])


def sparsemax(x):
    """Martins and Astudillo, "From Softmax to Sparsemax", 2016, algorithm 1."""
    order = x.sort(-1, descending=True).values
    count = torch.arange(1, x.shape[-1] + 1, device=x.device, dtype=x.dtype)
    sums = order.cumsum(-1)
    kept = (1 + count * order > sums).sum(-1, keepdim=True)
    return (x - (sums.gather(-1, kept - 1) - 1) / kept).clamp_min(0)


def test_sparsemax(device):
    f = function("sparsemax", "LigerSparsemaxFunction")
    compare(lambda x: f(x, -1), sparsemax, [random(48, 1000)])


def test_total_variation(device):
    f = function("tvd", "LigerTVDLossFunction")
    q = torch.randn(48, 1000, device=device).softmax(-1)
    compare(lambda x: f(x.softmax(-1), q), lambda x: (x.softmax(-1) - q).abs().sum() / 2 / 48, [random(48, 1000)])


def test_cross_entropy_and_total_variation(device):
    f = function("fused_ce_tvd", "LigerFusedCETVDFunction")
    other, target = torch.randn(48, 3000, device=device), pick(device, 3000, 48)
    target[5] = -100

    def reference(x):
        tvd = (x.softmax(-1) - other.softmax(-1)).abs().sum(-1) / 2
        return F.cross_entropy(x, target, reduction="none"), tvd * (target >= 0)

    compare(lambda x: f(x, other, target), reference, [random(48, 3000)])


def test_fused_linear_kl_div(device):
    f = function("fused_linear_kl_div", "LigerFusedLinearKLDivFunction")
    q = torch.randn(32, 1000, device=device).softmax(-1)
    compare(lambda x, w: f(x, w, q), lambda x, w: F.kl_div((x @ w.t()).log_softmax(-1), q, reduction="batchmean"),
            [random(32, 64), random(1000, 64)])


def test_fused_linear_jsd(device):
    f = function("fused_linear_jsd", "LigerFusedLinearJSDFunction")
    other, weight = torch.randn(32, 64, device=device) / 4, torch.randn(1000, 64, device=device) / 4

    def reference(x, w):
        p, q = (x @ w.t()).log_softmax(-1), (other @ weight.t()).log_softmax(-1)
        m = ((p.exp() + q.exp()) / 2).log()
        return sum(F.kl_div(m, t, reduction="batchmean", log_target=True) for t in (p, q)) / 2

    inputs = [(random(*s) / 4).detach().requires_grad_(True) for s in ((32, 64), (1000, 64))]
    compare(lambda x, w: f(x, w, other, weight), reference, inputs, 1e-4)


def test_rope_of_pairs(device):
    f = function("llama4_rope", "LigerLlama4RopeFunction")
    angle = torch.randn(32, 64, device=device)
    turn = torch.polar(torch.ones_like(angle), angle)

    def one(x):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * turn[None, :, None]).flatten(-2)

    compare(lambda q, k: f(q, k, turn), lambda q, k: (one(q), one(k)), [random(2, 32, 8, 128), random(2, 32, 4, 128)])


def test_rope_of_three_axes(device):
    f = function("qwen2vl_mrope", "LigerQwen2VLMRopeFunction")
    parts, angle = [16, 24, 24], torch.randn(3, 2, 32, 64, device=device)
    c, s = (torch.cat([t, t], -1) for t in (angle.cos(), angle.sin()))
    of_axes = lambda t: torch.cat([m[i % 3] for i, m in enumerate(t.split(parts * 2, -1))], -1)
    compare(lambda q, k: f(q, k, c, s, parts), lambda q, k: tuple(rotate(t, of_axes(c), of_axes(s)) for t in (q, k)),
            [random(2, 8, 32, 128), random(2, 4, 32, 128)])


@pytest.mark.parametrize("sparse", [False, True])
def test_multi_token_attention(device, sparse):
    f = function("multi_token_attention", "LigerMultiTokenAttentionFunction")
    later = torch.ones(64, 64, device=device, dtype=torch.bool).triu(1)

    def reference(x, w):
        x = x.masked_fill(later, -1e9)
        return F.conv2d(sparsemax(x) if sparse else x.softmax(-1), w, padding=1).masked_fill(later, 0)

    compare(lambda x, w: f(x, w, None, 1, 1, 1, 1, sparse), reference, [random(2, 4, 64, 64), random(4, 4, 3, 3)], 1e-4)


@pytest.mark.parametrize("dilation", [1, 2])
def test_neighborhood_attention(device, dilation):
    f = function("fused_neighborhood_attention", "LigerFusedNeighborhoodAttentionFunction")
    place = torch.arange(48, device=device)
    away = place[:, None] - place
    out = (away.abs() > 3 * dilation) | (away % dilation != 0)
    compare(lambda q, k, v: f(q, k, v, 7, dilation),
            lambda q, k, v: (q @ k.transpose(-1, -2) / 32**.5).masked_fill(out, float("-inf")).softmax(-1) @ v,
            [random(2, 3, 48, 32) for _ in range(3)], 2e-3)  # its dots are of tf32


def test_attention_residual(device):
    f = function("attn_res", "LigerAttnResFunction")
    compare(lambda v, q, w: f(v, q, w, 1e-6), lambda v, q, w: ((rms(v, w) * q).sum(-1).softmax(0)[..., None] * v).sum(0),
            [random(6, 2, 12, 200), (random(200) / 16).detach().requires_grad_(True), random(200)])


def test_embedding(device):
    f = function("experimental.embedding", "LigerEmbeddingFunction")
    words = pick(device, 100, 4, 30)
    compare(lambda t: f(t, words), lambda t: F.embedding(words, t), [random(100, 200)])


def test_streams(device):
    """What a layer takes of its streams, and what it gives back to them (mHC)."""
    f, g = function("mhc", "LigerMHCPreFunction"), function("mhc", "LigerMHCPostResFunction")
    compare(f, lambda x, h: (x * h[..., None]).sum(-2), [random(24, 4, 200), random(24, 4)])
    compare(g, lambda x, y, h, r: r @ x + h[..., None] * y[..., None, :],
            [random(24, 4, 200), random(24, 200), random(24, 4), random(24, 4, 4)])


def test_experts(device):
    f = function("fused_moe", "LigerFusedMoEFunction")
    chosen = torch.stack([torch.randperm(4, device=device)[:2] for _ in range(40)]).int()

    def reference(x, up, down, weights):
        every = []
        for e in range(4):
            gate, value = (x @ up[e].t()).chunk(2, -1)
            every.append((F.silu(gate) * value) @ down[e].t())
        of = torch.stack(every, 1).gather(1, chosen.long()[..., None].expand(-1, -1, x.shape[-1]))
        return (of * weights[..., None]).sum(1)

    compare(lambda x, up, down, w: f(x, up, down, chosen, w), reference,
            [(random(*s) / 4).detach().requires_grad_(True) for s in ((40, 64), (4, 2 * 96, 64), (4, 64, 96), (40, 2))], 5e-3)  # two products of tf32: 2.3e-3 on an H200


@pytest.mark.parametrize("kind", ["grpo", "bnpo"])
def test_policy(device, kind):
    f = function("grpo_loss", "GrpoLossFunction")
    words, advantages = pick(device, 500, 3, 16), torch.randn(3, device=device)
    old, new = (-torch.rand(3, 16, device=device) * 8 for _ in range(2))
    mask = torch.ones(3, 16, device=device)
    mask[1, 10:] = 0

    def reference(logits):
        log = (logits[:, :-1] / 0.9).log_softmax(-1).gather(-1, words[..., None])[..., 0]
        ratio, gain = (log - old).exp(), advantages[:, None]
        loss = -torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain) + 0.04 * ((new - log).exp() - (new - log) - 1)
        return ((loss * mask).sum(1) / mask.sum(1)).mean() if kind == "grpo" else (loss * mask).sum() / mask.sum()

    compare(lambda x: f(x, old, new, words, advantages, mask, 0.9, 0.04, 0.2, 0.2, False, kind)[0], reference, [random(3, 17, 500)], 1e-4)

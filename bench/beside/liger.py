"""Functions of Liger (PyPI: liger-kernel), and what they compute, by torch."""
import importlib

import torch
import torch.nn.functional as F


def liger(module, name):
    return getattr(importlib.import_module(f"liger_kernel.ops.{module}"), name).apply


def rotate(x, c, s):
    half = x.shape[-1] // 2
    return x * c[:, None] + torch.cat([-x[..., half:], x[..., :half]], -1) * s[:, None]


def jensen_shannon(x, q):
    m = ((x.exp() + q.exp()) / 2).log()
    return sum(F.kl_div(m, p, reduction="batchmean", log_target=True) for p in (x, q)) / 2


def rows(make, small):
    """Name, the function, what it computes, and operands: those that want gradients are floats that `make` made."""
    count, width, wide, words = (64, 256, 512, 1024) if small else (8192, 4096, 14336, 128256)

    def random(*shape, dtype=torch.bfloat16):
        return make(*shape, dtype=dtype).requires_grad_(True)

    def losses(kept=True):
        return make(count // 2, words // 4, dtype=torch.float32).log_softmax(-1).requires_grad_(kept)

    def angles():
        angle = make(1, count // 4, 64, dtype=torch.float32)
        angle = torch.cat([angle, angle], -1)
        return angle.cos().bfloat16(), angle.sin().bfloat16()

    x = lambda n=width: random(count, n)
    target = lambda: torch.randint(0, words, (count // 2, ), device=make(1).device)
    return [
        ("RMS norm", lambda x, w: liger("rms_norm", "LigerRMSNormFunction")(x, w, 1e-6, 0.0, "llama", False, None),
         lambda x, w: F.rms_norm(x, w.shape, w, 1e-6), lambda: [x(), random(width)]),
        ("layer norm", lambda x, w, b: liger("layer_norm", "LigerLayerNormFunction")(x, w, b, 1e-5),
         lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-5), lambda: [x(), random(width), random(width)]),
        ("group norm", lambda x, w, b: liger("group_norm", "LigerGroupNormFunction")(x, w, b, 64, 8, 1e-5),
         lambda x, w, b: F.group_norm(x, 8, w, b, 1e-5), lambda: [random(count // 64, 64, width // 4), random(64), random(64)]),
        ("DyT", lambda *a: liger("dyt", "LigerDyTFunction")(*a), lambda x, a, g, b: g * torch.tanh(a * x) + b,
         lambda: [x(), random(1), random(width), random(width)]),
        ("SwiGLU", lambda a, b: liger("swiglu", "LigerSiLUMulFunction")(a, b), lambda a, b: F.silu(a) * b,
         lambda: [x(wide), x(wide)]),
        ("GEGLU", lambda a, b: liger("geglu", "LigerGELUMulFunction")(a, b),
         lambda a, b: F.gelu(a, approximate="tanh") * b, lambda: [x(wide), x(wide)]),
        ("softmax", lambda x: liger("softmax", "LigerSoftmaxFunction")(x), lambda x: x.softmax(-1), lambda: [x(width * 2)]),
        ("rope", lambda q, k, c, s: liger("rope", "LigerRopeFunction")(q, k, c, s),
         lambda q, k, c, s: (rotate(q, c, s), rotate(k, c, s)),
         lambda: [random(4, 32, count // 4, 128), random(4, 8, count // 4, 128), *angles()]),
        ("cross entropy", lambda x, t: liger("cross_entropy", "LigerCrossEntropyFunction")(
            x, t, None, -100, 0.0, 0.0, "mean", None, False)[0], F.cross_entropy, lambda: [random(count // 2, words), target()]),
        ("KL divergence", lambda x, p: liger("kl_div", "LigerKLDivLossFunction")(x, p, "batchmean", False, 1e-10),
         lambda x, p: F.kl_div(x, p, reduction="batchmean"), lambda: [losses(), losses(False).exp()]),
        ("Jensen-Shannon", lambda x, q: liger("jsd", "LigerJSDFunction")(x, q, None, 0.5, -100), jensen_shannon,
         lambda: [losses(), losses(False)]),
        ("total variation", lambda p, q: liger("tvd", "LigerTVDLossFunction")(p, q, None, "batchmean"),
         lambda p, q: (p - q).abs().sum() / 2 / len(p),
         lambda: [losses(False).exp().requires_grad_(True), losses(False).exp()]),
    ]

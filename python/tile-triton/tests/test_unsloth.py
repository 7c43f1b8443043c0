"""Unsloth's functions, forward and backward, beside torch's own in f32. Its package looks for models and GPUs when it is imported;
of it are taken here the modules of its kernels, and what these ask other packages for is nothing."""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types

import pytest
import tile_triton
import torch
import torch.nn.functional as F

import pretend
from test_libraries import compare, random, relative, rms, rotate

ROOT = importlib.util.find_spec("unsloth")
pytestmark = pytest.mark.skipif(ROOT is None, reason="expected unsloth, found no such package")
STUBS = "unsloth_zoo", "bitsandbytes", "peft", "trl", "xformers", "transformers"


class Nothing:
    """What any name of a package that is not here stands for."""

    def __getattr__(self, name):
        if name.startswith("__") and name != "__mro_entries__":
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) and not kwargs else self

    def __mro_entries__(self, _):
        return ()

    def __lt__(self, _):  # versions, which are the newest
        return False

    def __gt__(self, _):
        return True

    __le__, __ge__ = __lt__, __gt__


class Stub(types.ModuleType):

    def __getattr__(self, name):
        if name == "__version__":
            return "0.0"
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in STUBS else None

    def create_module(self, spec):
        made = Stub(spec.name)
        made.__path__ = []
        return made

    def exec_module(self, module):
        pass


def package(name, folder, **attributes):
    made = types.ModuleType(name)
    made.__dict__.update(attributes, __path__=[folder])
    sys.modules[name] = made


@pytest.fixture(scope="module", autouse=True)
def unsloth():
    ours = lambda name: name.split(".")[0] in STUBS + ("unsloth", )
    before = {name: kept for name, kept in sys.modules.items() if ours(name)}
    for name in before:
        del sys.modules[name]
    root, finder = os.path.dirname(ROOT.origin), Stubs()
    kind = dict(DEVICE_TYPE="cuda", DEVICE_TYPE_TORCH="cuda", DEVICE_COUNT=1)
    with pytest.MonkeyPatch.context() as patch, pretend.pretended():
        patch.setenv("UNSLOTH_TRITON_FAST_LAUNCH", "0")
        sys.meta_path.insert(0, finder)
        package("unsloth", root, **kind)
        package("unsloth.kernels", os.path.join(root, "kernels"))
        package("unsloth.device_type", root, **kind, ALLOW_PREQUANTIZED_MODELS=True, is_hip=lambda: False,
                get_device_type=lambda: "cuda", __file__=root)
        sys.modules["unsloth.device_type"].__getattr__ = lambda name: Nothing()
        yield
        sys.meta_path.remove(finder)
    for name in list(filter(ours, sys.modules)):
        del sys.modules[name]
    sys.modules.update(before)


def module(name):
    return importlib.import_module(f"unsloth.kernels.{name}")


@pytest.mark.parametrize("shape", [(48, 1000), (6, 8, 128)])
@pytest.mark.parametrize("gemma", [False, True])
def test_rms_norm(device, gemma, shape):
    f = module("rms_layernorm").Fast_RMS_Layernorm.apply
    compare(lambda x, w: f(x, w, 1e-6, gemma), lambda x, w: rms(x, w + 1 if gemma else w), [random(*shape), random(shape[-1])])


def test_layer_norm(device):
    f = module("layernorm").Fast_Layernorm.apply
    compare(lambda x, w, b: f(x, w, b, 1e-5), lambda x, w, b: F.layer_norm(x, (1000, ), w, b, 1e-5),
            [random(48, 1000), random(1000), random(1000)])


@pytest.mark.parametrize("words", [5000, 70000])
@pytest.mark.parametrize("cap, scale", [(0, 0), (30.0, 0), (0, 2.0)])
def test_cross_entropy(device, words, cap, scale):
    f = module("cross_entropy_loss").Fast_CrossEntropyLoss.apply
    target = torch.randint(0, words, (12, ), device=device)
    target[3] = -100

    def reference(x):
        x = x * scale if scale else x
        return F.cross_entropy(cap * torch.tanh(x / cap) if cap else x, target, reduction="none")

    compare(lambda x: f(x * 1, target, cap, scale), reference, [random(12, words)])


def check(found, wanted, tolerance=2e-5):
    errors = [relative(f, w) for f, w in zip(found, wanted, strict=True)]
    assert max(errors) < tolerance, errors
    assert tile_triton.compiled and not tile_triton.refused


@pytest.mark.parametrize("name, gate", [
    ("geglu.geglu_exact", F.gelu), ("geglu.geglu_approx", lambda x: F.gelu(x, approximate="tanh")), ("swiglu", F.silu)])
def test_gated(device, name, gate):
    """The backward kernels write h, what the gate and what the other is multiplied with, over their operands."""
    file, _, stem = name.partition(".")
    forward = getattr(module(file), stem + "_forward_kernel" if stem else "swiglu_fg_kernel")
    backward = getattr(module(file), stem + "_backward_kernel" if stem else "swiglu_DWf_DW_dfg_kernel")
    e, g, dw = (random(48, 1000) for _ in range(3))
    wanted = gate(e) * g
    check([forward(e.detach()[None], g.detach()[None])[0]], [wanted])
    wanted.backward(dw.detach())
    found = backward(*(t.detach().clone() for t in (dw, e, g)))
    check(found, [wanted, dw * gate(e), e.grad])


def angles(length, width, device):
    angle = torch.randn(length, width // 2, device=device)
    both = torch.cat([angle, angle], -1)
    return both.cos(), both.sin()


def test_rope(device):
    f = module("rope_embedding").Fast_RoPE_Embedding.apply
    c, s = angles(32, 128, device)
    compare(lambda q: f(q * 1, c, s), lambda q: rotate(q.transpose(1, 2), c[None], s[None]).transpose(1, 2), [random(2, 32, 8, 128)])


@pytest.mark.parametrize("indices", [False, True])
def test_rope_of_queries_and_keys(device, indices):
    f = module("rope_embedding").Fast_RoPE_Embedding_QK.apply
    c, s = angles(32, 128, device)
    at = torch.randint(0, 32, (2, 32), device=device, dtype=torch.int32) if indices else None
    rows = (c[at.long()], s[at.long()]) if indices else (c[None], s[None])
    compare(lambda q, k: f(q * 1, k * 1, c, s, at), lambda q, k: (rotate(q, *rows), rotate(k, *rows)),
            [random(2, 8, 32, 128), random(2, 4, 32, 128)])


def test_norm_and_rope(device):
    f = module("qk_norm_rope").Fast_QK_Norm_RoPE.apply
    c, s = angles(32, 128, device)
    weights = [random(128).detach() for _ in range(2)]
    nowhere = torch.zeros(1, dtype=torch.int32, device=device)

    def reference(q, k):
        return tuple(rotate(rms(t, w).transpose(1, 2), c[None], s[None]).transpose(1, 2) for t, w in zip((q, k), weights))

    compare(lambda q, k: f(q, k, *weights, c, s, nowhere, 1e-6, 1e-6, False), reference,
            [random(2, 32, 8, 128), random(2, 32, 4, 128)])


def test_large_heads(device):
    m = module("large_head_attention")
    lo, hi = m._dense_intervals(1, 256, True, device)
    q, k, v = random(1, 4, 256, 256), random(1, 2, 256, 256), random(1, 2, 256, 256)

    def reference(q, k, v):
        k, v = (t.repeat_interleave(2, 1) for t in (k, v))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2)

    compare(lambda q, k, v: m.large_head_attention(q, k, v, lo, hi), reference, [q, k, v], 2e-3)


# --- packed weights -------------------------------------------------------------


def test_fp8_blocks(device):
    m = module("fp8")
    w = torch.randn(256, 256, device=device).to(torch.float8_e4m3fn)
    scales = torch.rand(2, 2, device=device)
    spread = lambda s: s.repeat_interleave(128, 0).repeat_interleave(128, 1)
    check([m.weight_dequant_block(w, scales, dtype=torch.float32)], [w.float() * spread(scales)])
    x = torch.randn(64, 256, device=device)
    y, s = m.act_quant(x)
    most = x.view(64, 2, 128).abs().amax(-1)
    check([s, y.float() * s.repeat_interleave(128, 1)], [most / 448, x], 5e-2)
    check([s], [most / 448])
    found = m.w8a8_block_fp8_matmul_triton(y, w, s, scales, [128, 128], torch.float32)
    check([found], [(y.float() * s.repeat_interleave(128, 1)) @ (w.float() * spread(scales)).t()], 1e-3)


@pytest.mark.parametrize("nested", [False, True])
def test_nf4(device, nested):
    m = module("nf4")
    rows, columns, block = 64, 256, 64
    packed = torch.randint(0, 256, (rows * columns // 2, 1), dtype=torch.uint8, device=device)
    code, code2 = torch.randn(16, device=device), torch.randn(256, device=device)
    blocks = rows * columns // block
    if nested:
        absmax = torch.randint(0, 256, (blocks, ), dtype=torch.uint8, device=device)
        absmax2, offset = torch.rand(blocks // 256 or 1, device=device), torch.tensor(.1, device=device)
        scales = code2[absmax.long()] * absmax2.repeat_interleave(256)[:blocks] + offset
    else:
        absmax, code2, absmax2, offset = torch.rand(blocks, device=device), None, None, None
        scales = absmax
    values = code[torch.stack([packed >> 4, packed & 15], -1).flatten().long()]
    wanted = (values.view(blocks, block) * scales[:, None]).view(rows, columns)
    check([m.dequantize_nf4(packed, absmax, code2, absmax2, offset, code, block, 256, (rows, columns), torch.float32)], [wanted])


def test_nvfp4(device):
    m = module("nvfp4")
    packed = torch.randint(0, 256, (64, 64), dtype=torch.uint8, device=device)
    scale = torch.rand(64, 8, device=device).to(torch.float8_e4m3fn)
    total = torch.tensor(3.0, device=device)
    wanted = m._nvfp4_dequantize_torch(packed, scale, total, torch.float32)
    check([m._nvfp4_dequantize_triton(packed, scale, total.reshape(1), torch.float32)], [wanted])
    x = torch.randn(4, 128, device=device)
    check([m._nvfp4_matmul_fwd_fused(x, packed, scale, total)], [x @ wanted.t()], 1e-2)


def test_int4(device):
    m = module("int4_packed")
    packed = torch.randint(-2**31, 2**31 - 1, (64, 32), dtype=torch.int32, device=device)
    scale = torch.rand(64, 2, device=device)
    state = m.Int4QuantState(scale, None, None, (64, 256), 4, 128, torch.float32)
    digits = torch.stack([(packed >> 4 * i) & 15 for i in range(8)], -1).view(64, 256)
    check([m.int4_dequantize(packed, state)], [(digits - 8) * scale.repeat_interleave(128, 1)])

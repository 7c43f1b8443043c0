"""What FlagGems 5.0.2 (PyPI: flag-gems) launches at sizes of language models, and of its own benchmarks.

A row is a function of torch's, computed by torch, forward and backward; wherever torch comes to an operator that FlagGems has, that
one gets the same operands. Behind these come functions that FlagGems has of its own. `x` and what else a row reads is made from
its text: `f16 4096x4096` are random numbers, `i64 2048 < 4096` whole ones below 4096, `grad` wants gradients."""
import os
import re

import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

os.environ.setdefault("GEMS_VENDOR", "nvidia")
SMALL = bool(os.environ.get("SMALL"))
DEVICE = os.environ.get("DEVICE", "cuda")
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "i32": torch.int32, "i64": torch.int64,
         "e4m3": torch.float8_e4m3fn}
operators, said = {}, set()


def extent(n):
    """Of `--small` runs, which ask whether it works."""
    return n if not SMALL or n <= 128 else max(128, n // 32 if n < 16384 else n // 256)


def tensor(text):
    kind, shape, *rest = text.split()
    shape, kind = [extent(int(n)) for n in shape.split("x")], TYPES[kind]
    if "<" in rest:
        return torch.randint(0, extent(int(rest[rest.index("<") + 1])), shape, device=DEVICE).to(kind)
    made = torch.randn(shape, device=DEVICE)
    made = made.to(kind) if kind.is_floating_point else (made * 8).to(kind).abs() + 1
    return made.requires_grad_("grad" in rest)


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return type(value)(map(copied, value)) if type(value) in (list, tuple) else value


class Beside(TorchDispatchMode):
    """Gives each operator of torch's to FlagGems, too."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name, overload = function._schema.name.split("::")[1], function._schema.overload_name
        theirs = operators.get(f"{name}.{overload}" if overload else name)
        if theirs:
            try:
                theirs(*copied(args), **{k: copied(v) for k, v in kwargs.items() if k not in ("pin_memory", "layout")})
            except Exception as error:  # its host code takes fewer types, extents and axes than torch's
                if name not in said:
                    print(f"# {name}: {type(error).__name__}: {' '.join(str(error).split())[:120]}", flush=True)
                said.add(name)
        return function(*args, **kwargs)


def run(function, operands, mode):
    """Forward, and backward where an operand wants gradients."""
    with mode():
        results = function(*operands)
    results = results if isinstance(results, (tuple, list)) else (results, )
    wanting = [r for r in results if isinstance(r, torch.Tensor) and r.requires_grad]
    if wanting:
        gradients = [torch.randn(r.shape, device=DEVICE).to(r.dtype) for r in wanting]
        with mode():
            torch.autograd.backward(wanting, gradients)


# --- rows: name | expression of what the third column makes | operands, types by `T` ---

UNARY = """abs neg exp exp2 expm1 sqrt rsqrt reciprocal sin cos tan tanh sigmoid erf log log10 log1p_ atan acos asinh_ cosh sinh_ round
ceil floor_ isnan isinf isfinite signbit logical_not nan_to_num square digamma_ i0 angle sgn_ logit""".split()
BINARY = """add sub mul div maximum minimum fmin pow atan2 hypot copysign logaddexp eq ne gt ge lt le logical_and logical_or logical_xor
floor_divide remainder isclose""".split()
ACTIVATIONS = """silu gelu relu elu celu selu softplus logsigmoid hardsigmoid relu6 softshrink tanh sigmoid glu""".split()
PAIRS = """where(a>0,a,b) lerp(a,b,.3) lerp(a,b,b) addcmul(a,a,b,value=.5) addcdiv(a,a,b,value=.5) clamp(a,-1,1) clamp(a,b,b+1)
a.masked_fill(b>0,0.) pow(a,2) pow(2.,a) a+1.5 a.mul_(b) a.add_(b,alpha=.1) a.fill_(1.) a.copy_(b) a.copy_(b.t()) a.bfloat16() a.float()
polar(a.float(),b.float()) zeros_like(a) rand_like(a) randn_like(a) a.exponential_() a.uniform_() a.normal_() F.mse_loss(a,b)
F.soft_margin_loss(a,b.sign()) a+b[0] a+b[:,:1] a*b[0] a.t()+b a.flip(0,1) a.roll(3,1) a.tril() a.triu(1) t_copy(a) cat((a,b),1)
cat((a,b),0) stack((a,b)) F.pad(a,(1,3,2,0)) a.repeat(2,1) tile(a,(1,2)) a.repeat_interleave(2,1) diag(a) select_scatter(a,b[0],0,5)
slice_scatter(a,b[:,:64],1,0,64) native_dropout(a,.5,True)""".split()
WHOLE = "sum mean max min argmax prod all any count_nonzero linalg.vector_norm trace aminmax".split()
ALONG = """sum mean max min amax argmax argmin prod all any var var_mean std linalg.vector_norm cumsum cummax cummin softmax log_softmax
count_nonzero""".split()
DIMS = ("4096x4096", 1), ("4096x4096", 0), ("1024x32768", 1), ("64x512x512", 1), ("8192x1000", 1), ("20x320x15", 1)

OTHERS = """
gather 1 | gather(x, 1, i) | T 4096x4096 grad, i64 4096x2048 < 4096
gather 0 | gather(x, 0, i) | T 4096x4096, i64 2048x4096 < 4096
scatter_add_ | x.scatter_add_(0, i, y) | T 2048x1024, i64 2048x1024 < 2048, T 2048x1024
index_select 0 | index_select(x, 0, i) | T 32768x1024, i64 8192 < 32768
index_select 1 | index_select(x, 1, i) | T 4096x4096, i64 2048 < 4096
index_add | index_add(x, 0, i, y) | T 4096x1024, i64 2048 < 4096, T 2048x1024
index | x[i] | T 32768x1024, i64 4096 < 32768
index_put | index_put(x, (i,), y, True) | T 8192x1024, i64 4096 < 8192, T 4096x1024
masked_select | masked_select(x, x > 0) | T 2048x4096
masked_scatter | masked_scatter(x, x > 0, i) | T 2048x4096, T 2048x4096
embedding | F.embedding(x, i) | i64 4x2048 < 32000, T 32000x4096 grad
nonzero | nonzero(x > 1) | T 2048x2048
sort | sort(x, -1) | T 512x4096
topk | topk(x, 8) | T 1024x4096
topk of experts | topk(x, 8) | T 8192x128
upsample_nearest2d | F.interpolate(x, scale_factor=2, mode="nearest") | T 8x64x128x128
upsample_bicubic2d | F.interpolate(x, scale_factor=2, mode="bicubic") | T 4x16x128x128
max_pool2d | F.max_pool2d(x, 3, 2, 1) | T 16x64x112x112 grad
avg_pool2d | F.avg_pool2d(x, 3, 2, 1) | T 16x64x112x112 grad
kron | kron(x, i) | T 64x64, T 32x32
cross_entropy | F.cross_entropy(x, i) | T 1024x32000 grad, i64 1024 < 32000
softmax of a vocabulary | log_softmax(x, -1) | T 512x128256 grad
layer_norm | F.layer_norm(x, i.shape, i, y) | T 4096x4096 grad, T 4096 grad, T 4096 grad
layer_norm 8192 | F.layer_norm(x, i.shape, i, y) | T 2048x8192 grad, T 8192 grad, T 8192 grad
layer_norm 1024 | F.layer_norm(x, i.shape, i, y) | T 8192x1024 grad, T 1024 grad, T 1024 grad
group_norm | F.group_norm(x, 32, i, y) | T 16x128x64x64 grad, T 128 grad, T 128 grad
batch_norm | F.batch_norm(x, None, None, i, y, True) | T 32x128x64x64 grad, T 128 grad, T 128 grad
mm | mm(x, i) | T 4096x4096, T 4096x4096
mm_nt | mm(x, i.t()) | T 4096x4096, T 4096x4096
mm of 64 rows | mm(x, i) | T 64x14336, T 14336x4096
mm of 1024 | mm(x, i) | T 1024x1024, T 1024x1024
addmm | addmm(y, x, i) | T 2048x4096, T 4096x14336, T 14336
bmm | bmm(x, i) | T 32x1024x1024, T 32x1024x1024
mv | mv(x, i) | T 4096x14336, T 14336
dot | dot(x, i) | T 4194304, T 4194304
addr | addr(x, i, y) | T 4096x4096, T 4096, T 4096
"""

OWN = """
conv2d | gems.conv2d(x, i, padding=1) | T 16x64x56x56, T 64x64x3x3
conv2d 1x1 | gems.conv2d(x, i) | T 16x128x28x28, T 128x128x1x1
depthwise | gems._conv_depthwise2d(x, i, (3, 3), None, (1, 1), (1, 1), (1, 1)) | T 16x64x56x56, T 64x1x3x3
attention | gems.scaled_dot_product_attention(x, i, y) | T 2x16x2048x128 grad, T 2x16x2048x128 grad, T 2x16x2048x128 grad
causal | gems.scaled_dot_product_attention(x, i, y, is_causal=True) | T 2x16x2048x64 grad, T 2x16x2048x64 grad, T 2x16x2048x64 grad
hadamard | gems.hadamard_transform(x) | T 4096x4096
rms_norm | gems.rms_norm(x, list(i.shape), i) | T 4096x4096 grad, T 4096 grad
skip_layer_norm | gems.skip_layer_norm(x, x, list(i.shape), i, y) | T 4096x4096, T 4096, T 4096
fused_add_rms_norm | gems.fused_add_rms_norm(x, y, list(i.shape), i) | T 4096x4096, T 4096, T 4096x4096
weight_norm | gems.weight_norm(x, i, 0) | T 4096x4096 grad, T 4096x1 grad
outer | gems.outer(x, i) | T 4096 grad, T 4096 grad
fused cross_entropy | gems.cross_entropy_loss(x, i) | T 2048x32000 grad, i64 2048 < 32000
silu_and_mul | gems.silu_and_mul(x, i) | T 2048x14336 grad, T 2048x14336 grad
gelu_and_mul | gems.gelu_and_mul(x, i, "tanh") | T 2048x14336 grad, T 2048x14336 grad
swiglu | gems.swiglu(x) | T 4096x8192
dswiglu | gems.dswiglu(i, x) | T 4096x8192, T 4096x4096
geglu | gems.geglu(x) | T 4096x8192
dgeglu | gems.dgeglu(i, x) | T 4096x8192, T 4096x4096
rotary | gems.apply_rotary_pos_emb(x, i, y, y) | T 2x2048x32x128, T 2x2048x8x128, T 2048x64
moe_sum | gems.moe_sum(x, i) | T 2048x8x4096, T 2048x4096
grouped_topk | gems.grouped_topk(x, 8, 4, 8, True, 1., i) | T 4096x256, T 256
moe_align | gems.moe_align_block_size(i, 64, 64) | T 1, i32 4096x8 < 64
"""


def call(expression, operands, mode):
    names = dict({n: getattr(torch, n) for n in dir(torch) if n[0] != "_"}, F=F, torch=torch, gems=__import__("flag_gems"))
    function = lambda a, b=None, y=None: eval(expression, dict(names, x=a, i=b, y=y, a=a, b=b))
    return lambda: run(function, [tensor(o) for o in operands], mode)


def table(text, mode, types):
    for line in text.strip().split("\n"):
        name, expression, operands = (part.strip() for part in line.split("|"))
        for kind in types:
            yield f"{name} {kind}", call(expression, re.sub(r"\bT\b", kind, operands).split(", "), mode)


def rows():
    """Names, and what is to be called."""
    import contextlib
    import flag_gems
    flag_gems.device = DEVICE
    for entry in flag_gems._FULL_CONFIG:
        if len(entry) < 3 or entry[2]():
            operators[entry[0]] = entry[1]
    both, square = ("bf16", "f32"), "T 4096x4096"
    lines = [f"{n} | a.{n}() | {square}" for n in UNARY] + [f"{n} | a.{n}(b) | {square}, {square}" for n in BINARY]
    lines += [f"{n} | F.{n}(a) | {square} grad" for n in ACTIVATIONS] + [f"{e} | {e} | {square}, {square}" for e in PAIRS]
    lines += [f"{n} of all | {n}(a) | {square}" for n in WHOLE]
    lines += [f"{n} {s} over {d} | {n}(a, dim={d}) | T {s}{' grad' * ('softmax' in n)}" for n in ALONG for s, d in DIMS]
    yield from table("\n".join(lines), Beside, both)
    yield from table(OTHERS, Beside, both)
    yield from table(OWN, contextlib.nullcontext, ("bf16", "f16"))

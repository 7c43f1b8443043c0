"""A small training run and what goes with it, written as users of Triton write: the language's features beside one another,
each result beside float64."""
import typing

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.tools.tensor_descriptor import TensorDescriptor

DEV = triton.runtime.driver.active.get_active_torch_device()
CUDA = DEV.type == "cuda"
torch.manual_seed(0)


def check(name, got, want, tolerance=2e-3):
    got, want = got.detach().double(), want.detach().double()
    error = ((got - want).norm() / want.norm().clamp_min(1e-30)).item()
    assert error <= tolerance, f"{name}: {error}"


#===- constexpr functions, nested jit, heuristics, autotune ---===#
@triton.constexpr_function
def log2_of(n):
    return n.bit_length() - 1

class Act(typing.NamedTuple):
    kind: tl.constexpr
    slope: tl.tensor

@triton.jit
def gelu(x):
    return 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))

@triton.jit
def activate(x, ACT: tl.constexpr):
    if ACT == "gelu":
        return gelu(x)
    elif ACT == "relu":
        return tl.maximum(x, 0.0)
    else:
        tl.static_assert(ACT == "none")
        return x

@triton.jit
def swizzle(pid, m, n, GROUP: tl.constexpr):
    width = GROUP * n
    g = pid // width
    size = min(m - g * GROUP, GROUP)
    return g * GROUP + (pid % width) % size, (pid % width) // size

def prune(configs, args, **kw):
    return [c for c in configs if c.kwargs["BM"] <= max(32, args["M"])]

@triton.autotune(
    configs=[triton.Config({"BM": bm, "BN": bn, "BK": 32}, num_warps=w, num_stages=s)
             for bm, bn, w, s in ((32, 32, 2, 2), (64, 64, 4, 3))],
    key=["M", "N", "K"], prune_configs_by={"early_config_prune": prune}, warmup=1, rep=2)
@triton.heuristics({"EVEN_K": lambda a: a["K"] % a["BK"] == 0, "HAS_BIAS": lambda a: a["bias"] is not None})
@triton.jit
def linear(x, w, bias, y, M, N, K, sxm, sxk, swk, swn, sym, syn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, EVEN_K: tl.constexpr, HAS_BIAS: tl.constexpr, ACT: tl.constexpr):
    pid = tl.program_id(0)
    pm, pn = swizzle(pid, tl.cdiv(M, BM), tl.cdiv(N, BN), 8)
    rm, rn, rk = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN), tl.arange(0, BK)
    xp = x + rm[:, None] * sxm + rk[None, :] * sxk
    wp = w + rk[:, None] * swk + rn[None, :] * swn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=3):
        if EVEN_K:
            a = tl.load(xp, mask=rm[:, None] < M, other=0.0)
            b = tl.load(wp, mask=rn[None, :] < N, other=0.0)
        else:
            a = tl.load(xp, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0.0)
            b = tl.load(wp, mask=(rn[None, :] < N) & (rk[:, None] < K - k * BK), other=0.0)
        acc = tl.dot(a, b, acc)
        xp += BK * sxk
        wp += BK * swk
    if HAS_BIAS:
        acc += tl.load(bias + rn, mask=rn < N, other=0.0)[None, :]
    tl.store(y + rm[:, None] * sym + rn[None, :] * syn, activate(acc, ACT), mask=(rm[:, None] < M) & (rn[None, :] < N))

def run_linear(x, w, bias=None, act="none"):
    M, K = x.shape
    N = w.shape[1]
    y = torch.empty(M, N, device=x.device, dtype=x.dtype)
    grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)
    linear[grid](x, w, bias, y, M, N, K, *x.stride(), *w.stride(), *y.stride(), ACT=act)
    return y

class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return run_linear(x, w, b)
    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dy = dy.contiguous()
        return run_linear(dy, w.t()), run_linear(x.t(), dy), column_sum(dy)

#===- atomics with sem and scope, reset_to_zero ---===#
@triton.autotune(configs=[triton.Config({"BM": 16}), triton.Config({"BM": 32}, num_warps=8)], key=["M", "N"], reset_to_zero=["out"], warmup=1, rep=2)
@triton.jit
def column_sum_k(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + rm[:, None] * N + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N), other=0.0)
    tl.atomic_add(out + rn, tl.sum(v.to(tl.float32), 0), mask=rn < N, sem="relaxed", scope="gpu")

def column_sum(x):
    M, N = x.shape
    out = torch.zeros(N, device=x.device)
    column_sum_k[lambda m: (triton.cdiv(M, m["BM"]), triton.cdiv(N, 64))](x, out, M, N, BN=64)
    return out

#===- in place update, restore_value ---===#
@triton.autotune(configs=[triton.Config({"B": 128}), triton.Config({"B": 256})], key=["n"], restore_value=["p", "m", "v"], warmup=1, rep=2)
@triton.jit(do_not_specialize=["step"])
def adamw(p, g, m, v, n, step, lr: tl.float32, betas, wd: tl.float32, B: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    on = i < n
    P, G, M, V = tl.load(p + i, on), tl.load(g + i, on), tl.load(m + i, on), tl.load(v + i, on)
    b1, b2 = betas
    M = b1 * M + (1 - b1) * G
    V = b2 * V + (1 - b2) * G * G
    mh, vh = M / (1 - libdevice.pow(b1, step.to(tl.float32))), V / (1 - libdevice.pow(b2, step.to(tl.float32)))
    P = P - lr * (mh / (tl.sqrt(vh) + 1e-8) + wd * P)
    tl.store(p + i, P, on)
    tl.store(m + i, M, on)
    tl.store(v + i, V, on)

def test_train():
    B, D, H, C = 48, 40, 72, 10
    w1, b1 = torch.randn(D, H, device=DEV) * D**-.5, torch.zeros(H, device=DEV)
    w2, b2 = torch.randn(H, C, device=DEV) * H**-.5, torch.zeros(C, device=DEV)
    mine = [t.clone().requires_grad_() for t in (w1, b1, w2, b2)]
    theirs = [t.double().requires_grad_() for t in (w1, b1, w2, b2)]
    state = [(torch.zeros_like(t), torch.zeros_like(t)) for t in (w1, b1, w2, b2)]
    opt = torch.optim.AdamW(theirs, lr=1e-2, betas=(.9, .99), eps=1e-8, weight_decay=.01)
    for step in range(1, 6):
        x, t = torch.randn(B, D, device=DEV), torch.randint(0, C, (B,), device=DEV)
        h = torch.nn.functional.gelu(Linear.apply(x, mine[0], mine[1]))
        loss = torch.nn.functional.cross_entropy(Linear.apply(h, mine[2], mine[3]), t)
        for p in mine: p.grad = None
        loss.backward()
        opt.zero_grad()
        xd = x.double()
        want = torch.nn.functional.cross_entropy(torch.nn.functional.gelu(xd @ theirs[0] + theirs[1]) @ theirs[2] + theirs[3], t)
        want.backward()
        opt.step()
        with torch.no_grad():
            for p, (m, v) in zip(mine, state):
                n = p.numel()
                adamw[lambda meta: (triton.cdiv(n, meta["B"]),)](p, p.grad, m, v, n, step, 1e-2, (.9, .99), .01)
        check(f"loss {step}", loss.detach(), want.detach(), 5e-3)
    for i, (a, b) in enumerate(zip(mine, theirs)): check(f"parameter {i}", a.detach(), b.detach(), 1e-2)
    for act in ("gelu", "relu"):
        x, w, b = torch.randn(33, 50, device=DEV), torch.randn(50, 70, device=DEV), torch.randn(70, device=DEV)
        y = x.double() @ w.double() + b.double()
        check(act, run_linear(x, w, b, act), torch.nn.functional.gelu(y) if act == "gelu" else y.relu())

#===- scan with a tuple, static_range, reduce with a combine, argmax, sort ---===#
@triton.jit
def step_of(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2

@triton.jit
def ssm(a, b, h, T, D, BT: tl.constexpr, BD: tl.constexpr, REVERSE: tl.constexpr):
    d = tl.program_id(0) * BD + tl.arange(0, BD)
    t = tl.arange(0, BT)
    at = t[:, None] * D + d[None, :]
    on = (t[:, None] < T) & (d[None, :] < D)
    A, Bv = tl.load(a + at, on, other=1.0), tl.load(b + at, on, other=0.0)
    _, H = tl.associative_scan((A, Bv), 0, step_of, reverse=REVERSE)
    tl.store(h + at, H, on)

@triton.jit
def larger(v1, i1, v2, i2):
    take = (v1 > v2) | ((v1 == v2) & (i1 < i2))
    return tl.where(take, v1, v2), tl.where(take, i1, i2)

@triton.jit
def taps(x, w, y, n, K: tl.constexpr, B: tl.constexpr, best, where):
    i = tl.program_id(0) * B + tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for k in tl.static_range(K):
        acc += tl.load(w + k) * tl.load(x + i + k - K // 2, mask=(i + k - K // 2 >= 0) & (i + k - K // 2 < n), other=0.0)
    tl.store(y + i, acc, mask=i < n)
    v, p = tl.reduce((tl.where(i < n, acc, -float("inf")), i), 0, larger)
    tl.store(best + tl.program_id(0), v)
    tl.store(where + tl.program_id(0), p)

@triton.jit
def sorting(x, y, z, c, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(y + i, tl.sort(v, descending=True))
    tl.store(z + i, tl.cumsum(v, 0))
    tl.store(c + tl.arange(0, 16), tl.histogram((v * 4 + 8).to(tl.int32), 16))

def test_scans():
    T, D = 60, 20
    a, b = torch.rand(T, D, device=DEV), torch.randn(T, D, device=DEV)
    for rev in (False, True):
        h = torch.empty_like(b)
        ssm[(triton.cdiv(D, 16),)](a, b, h, T, D, BT=64, BD=16, REVERSE=rev)
        s, want = torch.zeros(D, device=DEV, dtype=torch.float64), torch.empty(T, D, device=DEV, dtype=torch.float64)
        for t in (reversed(range(T)) if rev else range(T)):
            s = a[t].double() * s + b[t].double()
            want[t] = s
        check(f"scan {rev}", h, want, 1e-5)
    n = 1000
    x, w, y = torch.randn(n, device=DEV), torch.randn(5, device=DEV), torch.empty(n, device=DEV)
    g = triton.cdiv(n, 256)
    best, where = torch.empty(g, device=DEV), torch.empty(g, device=DEV, dtype=torch.int32)
    taps[(g,)](x, w, y, n, 5, 256, best, where)
    want = torch.nn.functional.conv1d(x.double()[None, None], w.double()[None, None], padding=2)[0, 0]
    check("taps", y, want, 1e-5)
    check("argmax", where, torch.stack([want[k * 256:(k + 1) * 256].argmax() + k * 256 for k in range(g)]), 0)
    x = torch.rand(128, device=DEV) * 3.9 - 1.9
    y, z, c = torch.empty_like(x), torch.empty_like(x), torch.empty(16, dtype=torch.int32, device=DEV)
    sorting[(1,)](x, y, z, c, B=128)
    check("sort", y, x.sort(descending=True).values, 0)
    check("cumsum", z, x.double().cumsum(0), 1e-5)
    check("histogram", c, torch.bincount((x * 4 + 8).to(torch.int32).long(), minlength=16), 0)

#===- inline asm ---===#
@triton.jit
def asm_k(x, y, q, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    r = tl.inline_asm_elementwise("lop3.b32 $0, $1, 0x0F0F0F0F, 0, 0xC0;", "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y + i, r)
    lo, hi = tl.inline_asm_elementwise("""{
        .reg .b32 t;
        and.b32 $0, $2, 0xFFFF;
        shr.u32 t, $2, 16;
        add.u32 $1, t, 1;
    }""", "=r,=r,r", [v], dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
    tl.store(q + i, lo + hi)

def test_asm():
    x = torch.randint(0, 2**31 - 1, (64,), device=DEV, dtype=torch.int32)
    y, q = torch.empty_like(x), torch.empty_like(x)
    asm_k[(1,)](x, y, q, B=64)
    check("lop3", y, x & 0x0F0F0F0F, 0)
    check("two results", q, (x & 0xFFFF) + (x >> 16) + 1, 0)

#===- atomics, locks ---===#
@triton.jit
def lock_k(lock, count, total, x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    s = tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0)
    while tl.atomic_cas(lock, 0, 1, sem="acquire", scope="gpu") == 1:
        pass
    tl.store(total, tl.load(total) + s)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release", scope="gpu")
    last = tl.atomic_add(count, 1, sem="acq_rel", scope="sys") == tl.num_programs(0) - 1
    if last:
        tl.store(count, -1)

@triton.jit
def minmax_k(x, lo, hi, bits, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_max(hi, tl.max(v, 0), sem="relaxed")
    tl.atomic_min(lo + tl.zeros((B,), tl.int32), v, mask=i < n, scope="cta")
    tl.atomic_or(bits, 1 << (tl.program_id(0) % 31))

def test_atomics():
    n = 1000
    x = torch.randn(n, device=DEV)
    lock, count, total = torch.zeros(1, dtype=torch.int32, device=DEV), torch.zeros(1, dtype=torch.int32, device=DEV), torch.zeros(1, device=DEV)
    g = triton.cdiv(n, 128)
    lock_k[(g,)](lock, count, total, x, n, B=128)
    check("lock", total, x.double().sum()[None], 1e-5)
    check("last", count, torch.full((1,), -1, device=DEV), 0)
    v = torch.randint(-1000, 1000, (n,), device=DEV, dtype=torch.int32)
    lo, hi, bits = (torch.zeros(1, dtype=torch.int32, device=DEV) for _ in range(3))
    minmax_k[(g,)](v, lo, hi, bits, n, B=128)
    check("min", lo, v.min()[None], 0)
    check("max", hi, v.max()[None], 0)
    check("or", bits, torch.full((1,), 2**g - 1, device=DEV), 0)

#===- descriptors, both kinds, warp_specialize ---===#
@triton.jit
def desc_k(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, WS: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=WS):
        acc = tl.dot(a.load([m, k]), b.load([n, k]).T, acc)
    c.store([m, n], acc.to(tl.float16))

@triton.jit
def device_desc_k(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    dst = tl.make_tensor_descriptor(y, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    t = src.load([m, n])
    dst.store([m, n], t * t)
    dst.atomic_add([m, n], t)

@triton.jit
def persistent_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, NUM: tl.constexpr):
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * tiles_n, NUM, flatten=True, warp_specialize=True):
        m, n = tile // tiles_n * BM, tile % tiles_n * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(a.load([m, k]), b.load([n, k]).T, acc)
        c.store([m, n], acc.to(tl.float16))

def test_descriptors():
    M, N, K = 200, 136, 192
    a, b = torch.randn(M, K, device=DEV, dtype=torch.float16), torch.randn(N, K, device=DEV, dtype=torch.float16)
    want = a.double() @ b.double().T
    D = TensorDescriptor.from_tensor
    for ws in (False, True):
        c = torch.zeros(M, N, device=DEV, dtype=torch.float16)
        desc_k[(triton.cdiv(M, 64), triton.cdiv(N, 64))](D(a, [64, 32]), D(b, [64, 32]), D(c, [64, 64]), K, BM=64, BN=64, BK=32, WS=ws)
        check(f"descriptors {ws}", c, want, 1e-3)
    c = torch.zeros(M, N, device=DEV, dtype=torch.float16)
    persistent_k[(3,)](D(a, [64, 64]), D(b, [64, 64]), D(c, [64, 64]), M, N, K, BM=64, BN=64, BK=64, NUM=3)
    check("persistent", c, want, 1e-3)
    triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device=DEV))
    x = torch.randn(100, 72, device=DEV)
    y = torch.zeros_like(x)
    device_desc_k[(triton.cdiv(100, 32), triton.cdiv(72, 32))](x, y, 100, 72, BM=32, BN=32)
    check("device descriptors", y, x.double() ** 2 + x.double(), 1e-5)

#===- tuples ---===#
@triton.jit
def tuple_k(ptrs, strides, act, out, n, COUNT: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for j in tl.static_range(COUNT):
        acc += tl.load(ptrs[j] + i * strides[j], mask=i < n, other=0.0)
    acc = tl.where(acc > 0, acc, acc * act.slope) if act.kind == "leaky" else acc
    tl.store(out + i, acc * (1 << log2_of(B)), mask=i < n)

def test_tuples():
    n = 300
    x, y, z = torch.randn(n, device=DEV), torch.randn(2 * n, device=DEV), torch.randn(n, device=DEV, dtype=torch.float16)
    out = torch.empty(n, device=DEV)
    tuple_k[(triton.cdiv(n, 128),)]((x, y, z), (1, 2, 1), Act(tl.constexpr("leaky"), .25), out, n, COUNT=3, B=128)
    want = torch.nn.functional.leaky_relu(x.double() + y[::2].double() + z.double(), .25) * 128
    check("tuples", out, want, 1e-5)

#===- prints, asserts, random, bench, graphs ---===#
@triton.jit
def print_k(x, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.static_print("compiled for", B)
    tl.device_print("v", v)
    tl.device_assert(v < 100, "too large")

@triton.jit
def dropout_k(x, y, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, i) > p
    v = tl.load(x + i, mask=i < n, eviction_policy="evict_first", cache_modifier=".cg")
    tl.store(y + i, tl.where(keep, v / (1 - p), 0.0), mask=i < n)

def test_prints():
    print_k[(1,)](torch.arange(4., device=DEV), B=4)
    if CUDA: torch.cuda.synchronize()

def test_bench_and_graphs():
    x = torch.randn(5000, device=DEV)
    y = torch.empty_like(x)
    run = lambda: dropout_k[(triton.cdiv(5000, 1024),)](x, y, 5000, .25, 7, B=1024)
    run()
    on = y != 0
    check("dropout", y[on], x[on].double() / .75, 1e-5)
    assert .7 < on.float().mean() < .8
    if CUDA:
        ms = triton.testing.do_bench(run, warmup=2, rep=5)
        q = triton.testing.do_bench(run, warmup=2, rep=5, quantiles=[.5, .2, .8])
        g = triton.testing.do_bench_cudagraph(run, rep=5)
        assert ms > 0 and len(q) == 3 and g > 0
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph): run()
        want = y.clone()
        y.zero_()
        graph.replay()
        torch.cuda.synchronize()
        check("graph", y, want, 0)
    else:
        triton.testing.do_bench(run, warmup=1, rep=2)

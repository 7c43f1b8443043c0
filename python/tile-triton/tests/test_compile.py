"""torch.compile, whose kernels for the CPU are Triton's by a setting of its own: forward and backward beside eager."""
import pytest
import tile_triton
import torch
import torch.nn.functional as F

inductor = pytest.importorskip("torch._inductor.config")


def compare(f, *shapes, dynamic=False, tolerance=2e-5):
    from triton.runtime.driver import driver
    device = driver.active.get_active_torch_device()
    torch._dynamo.reset()
    torch.manual_seed(0)
    compiled = torch.compile(f, dynamic=dynamic)
    before = len(tile_triton.compiled)
    with inductor.patch(cpu_backend="triton", fx_graph_cache=False, compile_threads=1):
        inputs = [torch.randn(*s, device=device) for s in shapes]
        mine = [t.clone().requires_grad_(True) for t in inputs]
        theirs = [t.clone().requires_grad_(True) for t in inputs]
        out, want = compiled(*mine), f(*theirs)
        torch.testing.assert_close(out, want, rtol=tolerance, atol=tolerance)
        if want.requires_grad:
            gradient = torch.randn_like(want)
            out.backward(gradient)
            want.backward(gradient)
            for a, b in zip(mine, theirs):
                torch.testing.assert_close(a.grad, b.grad, rtol=tolerance, atol=5 * tolerance)
    assert len(tile_triton.compiled) > before and not tile_triton.refused


GRAPHS = {
    "pointwise": lambda x, y: torch.sin(x) * y + torch.sigmoid(x - y),
    "gelu": lambda x, y: F.gelu(x) * F.silu(y),
    "where": lambda x, y: torch.where(x > y, x.exp(), y.tanh()),
    "sum": lambda x, y: (x * y).sum(),
    "rows": lambda x, y: (x + y).sum(-1),
    "columns": lambda x, y: (x * y).mean(0),
    "max": lambda x, y: (x - y).amax(-1),
    "variance": lambda x, y: (x * y).var(-1),
    "softmax": lambda x, y: (x + y).softmax(-1),
    "logsumexp": lambda x, y: torch.logsumexp(x * y, -1),
    "layer norm": lambda x, y: F.layer_norm(x * y, x.shape[-1:]),
    "transposed": lambda x, y: (x + y).t().contiguous() * 2,
    "gathered": lambda x, y: x[torch.arange(0, x.shape[0], 2)] * y[::2].neg(),
    "cumulative": lambda x, y: (x * y).cumsum(-1),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", GRAPHS)
def test_graph(name, dynamic):
    compare(GRAPHS[name], (64, 100), (64, 100), dynamic=dynamic)


@pytest.mark.parametrize("dynamic", [False, True])
def test_block_of_a_transformer(dynamic):
    torch.manual_seed(0)

    def block(x, qkv, out, up, down):
        n = F.layer_norm(x, x.shape[-1:])
        q, k, v = (n @ qkv).chunk(3, -1)
        heads = lambda t: t.unflatten(-1, (4, -1)).transpose(1, 2)
        scores = (heads(q) @ heads(k).transpose(-1, -2)) * 0.25
        mixed = (scores.softmax(-1) @ heads(v)).transpose(1, 2).flatten(-2)
        x = x + mixed @ out
        return x + F.gelu(F.layer_norm(x, x.shape[-1:]) @ up) @ down

    compare(block, (2, 24, 64), (64, 192), (64, 64), (64, 128), (128, 64), dynamic=dynamic, tolerance=2e-3)


@pytest.mark.parametrize("dynamic", [False, True])
def test_convolutional_net(dynamic):

    def net(x, first, second):
        x = F.max_pool2d(F.relu(F.conv2d(x, first, padding=1)), 2)
        x = F.relu(F.conv2d(x, second, padding=1))
        return F.avg_pool2d(x, 4).flatten(1).softmax(-1)

    compare(net, (2, 3, 16, 16), (8, 3, 3, 3), (16, 8, 3, 3), dynamic=dynamic, tolerance=2e-4)


@pytest.mark.parametrize("lengths", [(24,), (24, 11, 17)])
def test_embedding(lengths):
    """Rows that several words share add up their gradients; one compiled model for all lengths."""
    from triton.runtime.driver import driver
    device = driver.active.get_active_torch_device()
    torch._dynamo.reset()
    torch.manual_seed(0)
    table, place, head = ((torch.randn(n, 32, device=device) / 4) for n in (100, 24, 100))

    def loss(words, table, place, head):
        x = F.embedding(words, table, padding_idx=3) + F.embedding(torch.arange(words.shape[1], device=device), place)
        return F.cross_entropy((F.rms_norm(x, (32,)) @ head.t()).flatten(0, 1), words.flatten())

    compiled = torch.compile(loss, dynamic=len(lengths) > 1)
    with inductor.patch(cpu_backend="triton", fx_graph_cache=False, compile_threads=1):
        for length in lengths:
            words = torch.randint(0, 100, (4, length), device=device)
            both = [[t.clone().requires_grad_(True) for t in (table, place, head)] for _ in range(2)]
            out, want = compiled(words, *both[0]), loss(words, *both[1])
            torch.testing.assert_close(out, want, rtol=2e-5, atol=2e-5)
            out.backward()
            want.backward()
            for a, b in zip(*both):
                torch.testing.assert_close(a.grad, b.grad, rtol=1e-4, atol=1e-5)
    assert not tile_triton.refused


@pytest.mark.skipif(not torch.cuda.is_available(), reason="what captures launches is a GPU's")
def test_captured_graphs():
    """Indices of tables and labels are asserted to be inside: no such launch may be waited for while a graph captures it."""

    def loss(table, weight, words, labels):
        return F.cross_entropy(F.rms_norm(F.embedding(words, table), table.shape[-1:]) @ weight, labels)

    torch._dynamo.reset()
    torch.manual_seed(0)
    compiled = torch.compile(loss, mode="reduce-overhead")
    before = len(tile_triton.compiled)
    for _ in range(4):  # warmed up, captured, replayed
        table, weight = (torch.randn(*s, device="cuda") for s in ((100, 64), (64, 50)))
        words, labels = (torch.randint(n, (300, ), device="cuda") for n in (100, 50))
        mine, theirs = ([t.clone().requires_grad_(True) for t in (table, weight)] for _ in range(2))
        torch.compiler.cudagraph_mark_step_begin()
        out, want = compiled(*mine, words, labels), loss(*theirs, words, labels)
        torch.testing.assert_close(out, want, rtol=1e-4, atol=1e-4)
        out.backward()
        want.backward()
        for a, b in zip(mine, theirs):
            torch.testing.assert_close(a.grad, b.grad, rtol=1e-3, atol=1e-4)
    assert len(tile_triton.compiled) > before and not tile_triton.refused


FORMS = {
    "causal": (lambda b, h, q, k: q >= k, None),
    "a window": (lambda b, h, q, k: (q >= k) & (q - k < 200), None),
    "documents": (lambda b, h, q, k: (q // 150 == k // 150) & (q >= k), None),
    "biased": (None, lambda s, b, h, q, k: s - 0.1 * (q - k).abs()),
}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="on the CPU flex_attention is C++")
@pytest.mark.parametrize("depth", [64, 128])
@pytest.mark.parametrize("form", FORMS)
def test_flex_attention(form, depth):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    inside, score = FORMS[form]
    torch._dynamo.reset()
    torch.manual_seed(0)
    length = 640
    mask = inside and create_block_mask(inside, None, None, length, length, device="cuda")
    attend = lambda q, k, v: flex_attention(q, k, v, score_mod=score, block_mask=mask)
    inputs = [torch.randn(2, 4, length, depth, device="cuda", dtype=torch.bfloat16) for _ in range(3)]
    mine, theirs = ([t.clone().requires_grad_(True) for t in inputs] for _ in range(2))
    before = len(tile_triton.compiled)
    out = torch.compile(attend)(*mine)
    q, k, v = (t.double() for t in theirs)
    want = attend(q, k, v)
    gradient = torch.randn_like(out)
    out.backward(gradient)
    want.backward(gradient.double())
    for a, b in [(out, want)] + [(a.grad, b.grad) for a, b in zip(mine, theirs)]:
        assert (a.double() - b.double()).norm() < 1e-2 * b.double().norm()
    assert len(tile_triton.compiled) > before and not tile_triton.refused

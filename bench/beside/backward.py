"""The backward of attention, as rows of bench/compare.py: attention_backward.mlir beside cuDNN's and FlashAttention's.

tile's time is that of setting dQ to 0 and of the kernel, which adds to dQ in f32; it is given lse, and delta (the sum of dout * out), which
the others compute on the way. Errors are against float32, of all three gradients, each over the norm of what is wanted.
"""
import math

import torch

sdpa = torch.nn.functional.scaled_dot_product_attention


class Gradients:
    """The gradients that a contender left, each over the norm of what is wanted of it."""

    def __init__(self):
        self.latest, self.norms = (), ()

    def fill_(self, value):
        for gradient in self.latest:
            gradient.fill_(value)

    def is_floating_point(self):
        return True

    def double(self):
        return torch.cat([(g.float() / n).flatten() for g, n in zip(self.latest, self.norms)])


def scores(q, k, causal):
    s = q.float() @ k.float().transpose(-1, -2) * q.shape[-1] ** -0.5
    return s.masked_fill(torch.ones(s.shape[-2:], device=s.device, dtype=torch.bool).triu(1), -math.inf) if causal else s


def exact(q, k, v, grad, causal):
    """The three gradients in float32, a head at a time."""
    found = [torch.empty(q.shape, device=q.device) for _ in range(3)]
    for i in range(q.shape[0]):
        for h in range(q.shape[1]):
            leaves = [t[i, h].detach().float().requires_grad_(True) for t in (q, k, v)]
            out = scores(leaves[0], leaves[1], causal).softmax(-1) @ leaves[2]
            for to, gradient in zip(found, torch.autograd.grad(out, leaves, grad[i, h].float())):
                to[i, h] = gradient
    return found


def backward(row_class, causal, batch, heads, length, depth):
    def make(tile):
        shape = (batch, heads, length, depth)
        q, k, v, grad = (torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(4))
        leaves = [t.requires_grad_(True) for t in (q, k, v)]
        found, runs = Gradients(), {}

        def others(name):
            with torch.nn.attention.sdpa_kernel(getattr(torch.nn.attention.SDPBackend, name)):
                out = sdpa(*leaves, is_causal=causal)

            def run():
                found.latest = torch.autograd.grad(out, leaves, grad, retain_graph=True)
            return run, out.detach()
        runs["cuDNN"], out = others("CUDNN_ATTENTION")
        runs["FlashAttention"], _ = others("FLASH_ATTENTION")

        lse = torch.empty(batch, heads, length, device="cuda")
        with torch.no_grad():
            for i in range(batch):
                for h in range(heads):
                    lse[i, h] = scores(q[i, h], k[i, h], causal).logsumexp(-1) * math.log2(math.e)
        delta = (out.float() * grad.float()).sum(-1)
        dq = torch.empty(shape, device="cuda")
        dk, dv = (torch.empty(shape, device="cuda", dtype=torch.float16) for _ in range(2))
        root = depth ** -0.5
        for bind in ("BM=64,BN=128,num_warps=8", "BM=128,BN=128,num_warps=8")[:1 + (depth <= 64)]:
            kernel = tile.kernel(
                tile.text("attention_backward.mlir"), "attention_backward_causal" if causal else "attention_backward",
                (q, k, v, grad, lse, delta, dq, dk, dv, batch * heads, length, root * math.log2(math.e), root), f"D={depth},{bind}")

            def run(kernel=kernel):
                dq.zero_()
                kernel()
                found.latest = dq, dk, dv
            runs[f"tile {bind}"] = run

        def want():
            wanted = exact(q, k, v, grad, causal)
            found.norms = [w.norm() for w in wanted]
            return torch.cat([(w / n).flatten() for w, n in zip(wanted, found.norms)])
        return runs, found, want, 5e-3
    work = 10 * batch * heads * length * length * depth // (2 if causal else 1)
    return row_class(f"attention backward f16 {batch} x {heads} x {length} x {depth}{' causal' if causal else ''}", make, work=work)


def rows(row_class):
    return [backward(row_class, causal, *s) for s in ((4, 16, 4096, 128), (4, 32, 4096, 64), (32, 16, 512, 128), (32, 32, 512, 64),
                                                      (1, 16, 16384, 128), (1, 32, 16384, 64)) for causal in (False, True)]

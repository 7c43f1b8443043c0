"""What each rank of torchrun does in test_ranks.py: the same kernels, cache and custom ops, in all at once.

    torchrun --nproc-per-node N ranks.py
"""
import os
import unittest

import torch
import torch.distributed as dist

import tile

examples = os.environ["TILE_EXAMPLES"]
dist.init_process_group("gloo")  # on one GPU several ranks are there, which NCCL does not take
rank, ranks = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", rank % torch.cuda.device_count()) if torch.cuda.is_available() else torch.device("cpu")
if device.type == "cuda":
    torch.cuda.set_device(device)
modules = {name: tile.load(os.path.join(examples, *path)) for name, path in
           {"add": ("Basics", "vector_add.mlir"), "matmul": ("Matmul", "matmul.mlir")}.items()}
kernel, product = modules["add"]["add"], modules["matmul"]["matmul"]
small = "BM=32,BN=32,BK=32"


def backward(ctx, gradient):
    a, b = ctx.saved_tensors
    return matmul(gradient, b.t()), matmul(a.t(), gradient)


@tile.torch.op("tile_test::matmul", backward=backward)
def matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    c = a.new_empty(a.shape[0], b.shape[1])
    product(a, b, c, config=small)
    return c


def gather(value):
    """What all ranks have, in their order."""
    found = [None] * ranks
    dist.all_gather_object(found, value)
    return found


class Ranks(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(rank)
        dist.barrier()  # all at once, so that they meet in the cache

    def test_launches(self):
        for count in (1, 1000, 4099):
            x, y = torch.rand(count, device=device), torch.rand(count, device=device)
            out = torch.empty_like(x)
            kernel(x, y, out)
            torch.testing.assert_close(out, x + y, rtol=0, atol=0)

    def test_all_have_the_same_code(self):
        arch = "sm_90a"
        codes = gather([kernel.compile(arch, format="ptx").text, product.compile(arch, config=small, format="ptx").text])
        self.assertTrue(all(each == codes[0] for each in codes))

    def test_sums_over_ranks(self):
        """A product whose inner dimension is spread over the ranks, as tensor parallelism has it."""
        torch.manual_seed(0)
        a = torch.randn(40, 16 * ranks, device=device).half()
        b = torch.randn(16 * ranks, 24, device=device).half()
        mine = slice(16 * rank, 16 * (rank + 1))
        part = matmul(a[:, mine], b[mine]).float()
        dist.all_reduce(part)
        torch.testing.assert_close(part, a.float() @ b.float(), rtol=1e-2, atol=5e-2)

    def test_gradients(self):
        a = torch.randn(24, 20, device=device).half().requires_grad_()
        b = torch.randn(20, 12, device=device).half().requires_grad_()
        matmul(a, b).sum().backward()
        ones = torch.ones(24, 12, device=device)
        torch.testing.assert_close(b.grad.float(), a.detach().float().t() @ ones, rtol=1e-2, atol=1e-2)

    def test_compiled(self):
        a, b = torch.randn(16, 24, device=device).half(), torch.randn(24, 8, device=device).half()
        compiled = torch.compile(lambda a, b: torch.relu(matmul(a, b)), fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(compiled(a, b), torch.relu(matmul(a, b)))

    def test_one_tunes_for_all(self):
        """The cache has what one rank found, and modules that are loaded behind it take that."""
        x = torch.rand(5000, device=device)
        out = torch.empty_like(x)
        if rank == 0:
            tuning = kernel.tune(x, x, out, candidates=["BLOCK=512"])
            self.assertEqual(len(tuning.trials), 2)
        found = gather(tuning.config if rank == 0 else None)[0]
        later = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
        later(x, x, out)
        torch.testing.assert_close(out, 2 * x, rtol=0, atol=0)
        self.assertIn(found, ("", "BLOCK=512"))

    def test_one_fails_alone(self):
        x = torch.rand(10, device=device)
        if rank == 0:
            with self.assertRaises(TypeError):
                kernel(x.double(), x, x)
            with self.assertRaises(tile.Error):
                tile.parse("tile.func @f(", "broken")
        out = torch.empty_like(x)
        kernel(x, x, out)
        torch.testing.assert_close(out, 2 * x)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = sum(gather(len(result.errors) + len(result.failures)))
    dist.destroy_process_group()
    if rank == 0 and not bad:
        print(f"{ranks} ranks: {result.testsRun} tests each are right on the {device.type}")
    raise SystemExit(bool(bad))

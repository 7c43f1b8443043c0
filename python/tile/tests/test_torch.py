"""torch's tensors, and kernels as its custom ops, on the CPU."""
import os
import unittest

import torch

import tile

examples = os.environ["TILE_EXAMPLES"]
kernel = tile.load(os.path.join(examples, "Basics", "vector_add.mlir"))["add"]
product = tile.load(os.path.join(examples, "Matmul", "matmul.mlir"))["matmul"]


def multiply(a, b):
    c = a.new_empty(a.shape[0], b.shape[1])
    product(a, b, c, config="BM=32,BN=32,BK=32")
    return c


@tile.torch.op("tile_test::add", backward=lambda ctx, grad: (grad, grad))
def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    kernel(x, y, out, x.numel())
    return out


@tile.torch.op("tile_test::add_", mutates_args={"x"})
def add_(x: torch.Tensor, y: torch.Tensor) -> None:
    kernel(x, y, x, x.numel())


def backward(ctx, grad):
    a, b = ctx.saved_tensors
    return matmul(grad, b.t()), matmul(a.t(), grad)


@tile.torch.op("tile_test::matmul", backward=backward)
def matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return multiply(a, b)


class Tensors(unittest.TestCase):
    def test_in_their_memory(self):
        x, y = torch.rand(1001), torch.rand(1001)
        out = torch.zeros(2002)
        kernel(x, y, out[5:1006])
        torch.testing.assert_close(out[5:1006], x + y, rtol=0, atol=0)
        self.assertFalse(out[:5].any() or out[1006:].any())

    def test_parameters_and_types(self):
        x = torch.nn.Parameter(torch.rand(7))
        out = torch.zeros(7)
        kernel(x, x, out)
        torch.testing.assert_close(out, 2 * x.detach())
        with self.assertRaisesRegex(TypeError, "expected an array of f32 for %x of 'add', found one of bf16"):
            kernel(x.detach().bfloat16(), x, out)
        with self.assertRaisesRegex(TypeError, "found one of f64"):
            kernel(x.detach().double(), x, out)

    def test_without_memory(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        x = torch.rand(7)
        with FakeTensorMode():
            fake = torch.empty(7)
        with self.assertRaisesRegex(ValueError, "expected an array with memory for %y of 'add', found one that has none"):
            kernel(x, fake, x)
        with self.assertRaisesRegex(ValueError, "^expected an array in the memory of a CPU or GPU, found: [^\n]*$"):
            kernel(x, x, torch.empty(7, device="meta"))
        none = torch.empty(0)
        kernel(none, none, none)

    def test_strided(self):
        a, b = torch.randn(33, 65).half(), torch.randn(40, 65).half().t()
        expected = (a.double() @ b.double()).half()
        torch.testing.assert_close(multiply(a, b), expected, rtol=2e-3, atol=2e-3)


class Ops(unittest.TestCase):
    def test_eager_and_gradients(self):
        x, y = (torch.rand(100, requires_grad=True) for _ in range(2))
        (3 * add(x, y)).sum().backward()
        torch.testing.assert_close(x.grad, torch.full((100,), 3.0))
        torch.testing.assert_close(y.grad, torch.full((100,), 3.0))
        a, b = (torch.randn(20, 20).half().requires_grad_() for _ in range(2))
        matmul(a, b).sum().backward()
        ones = torch.ones(20, 20, dtype=torch.double)
        torch.testing.assert_close(a.grad, (ones @ b.detach().double().t()).half(), rtol=1e-2, atol=1e-2)
        torch.testing.assert_close(b.grad, (a.detach().double().t() @ ones).half(), rtol=1e-2, atol=1e-2)

    def test_compiled_whole(self):
        def model(a, b):
            return torch.relu(matmul(a, b)) * 2

        a, b = torch.randn(16, 24).half(), torch.randn(24, 8).half()
        compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(compiled(a, b), model(a, b))
        grown = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=True)
        for rows in (8, 24, 56):
            a = torch.randn(rows, 24).half()
            torch.testing.assert_close(grown(a, b), model(a, b))

    def test_compiled_gradients(self):
        a, b = (torch.randn(20, 20).half().requires_grad_() for _ in range(2))
        torch.compile(matmul, fullgraph=True, backend="aot_eager")(a, b).sum().backward()
        ones = torch.ones(20, 20, dtype=torch.double)
        torch.testing.assert_close(a.grad, (ones @ b.detach().double().t()).half(), rtol=1e-2, atol=1e-2)

    def test_in_place(self):
        x, y = torch.rand(10), torch.rand(10)
        expected = x + y
        torch.compile(lambda x, y: add_(x, y), fullgraph=True, backend="aot_eager")(x, y)
        torch.testing.assert_close(x, expected)

    def test_torchs_own_checks(self):
        torch.library.opcheck(add, (torch.rand(9, requires_grad=True), torch.rand(9, requires_grad=True)))
        torch.library.opcheck(matmul, (torch.rand(4, 5).half(), torch.rand(5, 6).half()))
        torch.library.opcheck(add_, (torch.rand(9), torch.rand(9)))

    def test_fake_launches_end_with_the_fake(self):
        with torch._subclasses.FakeTensorMode():
            self.assertEqual(matmul(torch.empty(3, 4).half(), torch.empty(4, 7).half()).shape, (3, 7))
        x, out = torch.ones(3), torch.zeros(3)
        kernel(x, x, out)
        self.assertEqual(out.tolist(), [2, 2, 2])


if __name__ == "__main__":
    unittest.main()

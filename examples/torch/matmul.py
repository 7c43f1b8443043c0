"""A product of torch's by a kernel of tile's: in eager mode, with gradients, and under torch.compile.

    python matmul.py ../../test/Examples/Matmul/matmul.mlir

On the CPU, and on the GPU where there is one.
"""
import sys

import torch

import tile

kernel = tile.load(sys.argv[1])["matmul"]


def backward(ctx, gradient):
    a, b = ctx.saved_tensors
    return matmul(gradient, b.t()), matmul(a.t(), gradient)


@tile.torch.op("example::matmul", backward=backward)
def matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    c = a.new_empty(a.shape[0], b.shape[1])
    kernel(a, b, c)
    return c


def layer(x, weight):
    return torch.relu(matmul(x, weight))


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    x = torch.randn(96, 200, device=device).half()
    weight = torch.randn(200, 64, device=device).half().requires_grad_()
    expected = torch.relu(x.double() @ weight.detach().double())

    def error(result):
        return ((result.double() - expected).abs().max() / expected.abs().max()).item()

    out = layer(x, weight)
    assert error(out.detach()) < 1e-3, error(out.detach())
    out.sum().backward()
    wanted = x.double().t() @ (expected > 0).double()
    assert (weight.grad.double() - wanted).abs().max() < 1e-2 * wanted.abs().max()
    compiled = torch.compile(layer, fullgraph=True, backend="inductor" if device == "cuda" else "aot_eager")
    assert error(compiled(x, weight).detach()) < 1e-3
    print(f"products and gradients are right on the {device}, by tile {tile.version}")


if __name__ == "__main__":
    main()

"""Data-parallel training with a kernel of tile's, a process a rank, as torchrun starts them.

    torchrun --nproc-per-node 2 ranks.py ../../test/Examples/Matmul/matmul.mlir

Each rank has its share of the rows; gradients are summed by DistributedDataParallel. On the GPUs where there are some
(rank r on device r, or r modulo their number), else on the CPU. Ranks share tile's cache: what one compiled, the others
load.
"""
import os
import sys

import torch
import torch.distributed as dist

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


class Linear(torch.nn.Module):
    def __init__(self, inner, outer, device):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(inner, outer, device=device).mul_(inner ** -0.5).half())

    def forward(self, x):
        return matmul(x, self.weight)


def train(model, x, wanted, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (model(x).float() - wanted).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    devices = torch.cuda.device_count()
    # Several ranks on one device: NCCL wants one each.
    dist.init_process_group("nccl" if devices >= ranks else "gloo")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]) % devices) if devices else torch.device("cpu")
    if devices:
        torch.cuda.set_device(device)
    torch.manual_seed(0)  # the same weights and data everywhere; a rank takes its rows
    model = Linear(64, 48, device)
    x, wanted = torch.randn(96 * ranks, 64, device=device).half(), torch.randn(96 * ranks, 48, device=device)
    alone = Linear(64, 48, device)
    alone.load_state_dict(model.state_dict())
    parallel = torch.nn.parallel.DistributedDataParallel(model, device_ids=[device.index] if devices else None)
    rows = slice(96 * rank, 96 * (rank + 1))
    losses = train(parallel, x[rows], wanted[rows], 20)
    # One process with all rows comes to the same weights.
    train(alone, x, wanted, 20)
    error = (model.weight - alone.weight).abs().max().item()
    assert losses[-1] < losses[0] and error < 1e-2, (losses, error)
    dist.barrier()
    if rank == 0:
        print(f"{ranks} ranks train as one does on the {device.type}, by tile {tile.version}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

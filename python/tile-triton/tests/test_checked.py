"""TILE_TRITON_CHECK=1 where tensors are views of one memory."""
from test_backend import run

KERNELS = """
@triton.jit
def raise_both(k, q, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(k + i, tl.load(k + i) + 1)
    tl.store(q + i, tl.load(q + i) + 2)

@triton.jit
def turn(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x - i))

@triton.jit
def follow(x, out):
    tl.store(out + tl.program_id(0), tl.load(x + tl.program_id(0)) + 1)

x = torch.arange(128., device=DEVICE)
"""


def checked(device, code):
    return run(f"DEVICE = '{device}'\n" + KERNELS + code, TILE_TRITON_CHECK="1")


def test_views_of_one_memory(device):
    """What is written through one is there through the others, whichever comes first."""
    done = checked(device, "raise_both[(1, )](x[64:], x[:64], 64)\nassert x.tolist() == [i + (1 if i > 63 else 2) for i in range(128)]\n"
                   "out = torch.zeros(8, device=DEVICE)\nturn[(1, )](x[9:], out, 8)\nassert out.tolist() == [11., 10., 9., 8., 7., 6., 5., 4.]\n")
    assert done.returncode == 0, done.stderr


def test_a_race_through_two_views(device):
    done = checked(device, "follow[(64, )](x[8:], x)\n")
    assert "expected no program to read what another writes, found [8] of %out (128xf32)" in done.stderr, done.stderr
    done = checked(device, "turn[(1, )](x[4:], torch.zeros(8, device=DEVICE), 8)\n")
    assert "expected an element of %x (128xf32), -4 to 123, found element -5" in done.stderr, done.stderr


HASHES = """
@triton.jit
def count_slots(keys, counts, mask, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    x = tl.load(keys + i).to(tl.uint32, bitcast=True)
    for j in range(3):
        slot = (x + j * (x | 1)) * 2654435761 & mask
        tl.atomic_add(counts + (slot >> 1).to(tl.int32), 1)

@triton.jit
def far(x, out, pitch, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + tl.minimum(i * pitch, 7)))

keys = torch.arange(256, dtype=torch.int32, device=DEVICE) * 97003
"""


def test_a_hash_may_wrap(device):
    """Numbers without a sign do; an offset does not."""
    done = checked(device, HASHES + "counts = torch.zeros(64, dtype=torch.int32, device=DEVICE)\n"
                   "count_slots[(4, )](keys, counts, 127, 64)\nassert counts.sum() == 768\n")
    assert done.returncode == 0, done.stderr
    done = checked(device, HASHES + "far[(1, )](x, torch.zeros(8, device=DEVICE), 2000000000, 8)\n")
    assert "expected a number of 32 bits, found 2 * 2000000000" in done.stderr, done.stderr

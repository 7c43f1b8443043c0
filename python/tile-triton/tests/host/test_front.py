"""Launches of a kind that was launched before go by what is remembered of it (src/Front.c): nothing that Triton would see may be missed."""
import threading
from collections import namedtuple

import numpy
import pytest
import torch
import triton
import triton.language as tl
from triton import knobs
from triton.tools.tensor_descriptor import TensorDescriptor

FACTOR = tl.constexpr(3)


@triton.jit
def scale(x, out, n, by, MORE: tl.constexpr = 0, B: tl.constexpr = 64):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + at, tl.load(x + at, at < n) * by + MORE, at < n)


@triton.jit
def tell(out, n, truth, C: tl.constexpr):
    tl.store(out, n)
    tl.store(out + 1, truth)
    tl.store(out + 2, C)


def front(function):
    return vars(function)["_tile_front"]


def fresh(function):
    """A function of its own, of which nothing is remembered."""
    return triton.jit(function.fn)


def check(function, x, by=2.0, more=0, n=None, **options):
    out = torch.zeros_like(x)
    n = x.numel() if n is None else n
    function[(triton.cdiv(max(n, 1), 64), )](x, out, n, by, more, **options)
    expected = torch.zeros_like(x)
    expected[:n] = (x[:n] * by + more).to(x.dtype)
    assert torch.equal(out, expected)


def test_a_kind_is_remembered_once(device):
    function = fresh(scale)
    x = torch.randn(200, device=device)
    for by in 2.0, 3.0, 4.5:
        check(function, x, by)
    assert front(function).entries == 1
    check(function, x, num_warps=2)
    check(function, x, num_warps=2)
    check(function, x, more=1)
    check(function, torch.nn.Parameter(x, requires_grad=False))
    assert front(function).entries == 3


def test_numbers(device):
    """1 is a constant, multiples of 16 are told, and wide numbers are wide."""
    function = fresh(tell)
    out = torch.zeros(3, dtype=torch.int64, device=device)
    for n in 1, 2, 16, 1, 48, 2**31, 17, 2**31 - 1, -16, -2**31 - 1, 0, 2**40, 2**62, 1:
        for truth in True, False, 1:
            function[(1, )](out, n, truth, 5)
            assert out.tolist() == [n, int(truth), 5]
    unsigned = torch.zeros(3, dtype=torch.uint64, device=device)
    for n in 2**63, 2**64 - 1, 3:
        function[(1, )](unsigned, n, True, 5)
        assert unsigned.cpu().tolist()[0] == n


def test_constants(device):
    function = fresh(tell)
    out = torch.zeros(3, dtype=torch.float64, device=device)
    for value in 1, 2, 1.5, 2.5, -1, 2**40, 1, 1.5, True, False, float(10**10):
        function[(1, )](out, 7, False, value)
        assert out.tolist() == [7, 0, float(value)]


def test_tensors(device):
    """What their elements are, and whether they begin at multiples of 16 bytes."""
    function = fresh(scale)
    for dtype in torch.float32, torch.float16, torch.float64, torch.bfloat16, torch.int32, torch.float32:
        x = torch.arange(260, device=device).to(dtype)
        check(function, x[:256], 2)
        check(function, x[3:259], 2)
        check(function, x[4:260], 2)
    check(function, x[:0], 2)
    out = torch.empty(4, device=device)
    with pytest.raises(Exception):
        function[(1, )]("x", out, 4, 2)
    if device.type != "cpu":
        with pytest.raises(ValueError, match="cpu tensor"):
            function[(1, )](x.cpu(), x, 4, 2)
        pinned = torch.ones(64).pin_memory()
        for _ in range(2):
            function[(1, )](pinned, out, 4, 2.0)
            assert out.tolist() == [2.0] * 4


def test_names_defaults_and_grids(device):
    function = fresh(scale)
    x = torch.randn(128, device=device)
    seen = []

    def grid(given):
        seen.append(dict(given))
        return (triton.cdiv(given["n"], given["B"]), )

    calls = (lambda out: function[grid](x, out, 128, 2.0), lambda out: function[grid](by=2.0, n=128, out=out, x=x),
             lambda out: function[grid](x, out, by=2.0, n=128, B=64), lambda out: function[[2]](x, out, 128, 2.0),
             lambda out: function[lambda given: [2, 1]](x, out, 128, 2.0), lambda out: function.run(x, out, 128, 2.0, grid=(2, ), warmup=False),
             lambda out: function[numpy.array([2, 1])](x, out, 128, 2.0), lambda out: function[(numpy.int64(2), )](x, out, 128, 2.0),
             lambda out: function[(2, )](x, out, 128, **{"".join(["b", "y"]): 2.0}))
    for call in calls * 2:
        out = torch.zeros_like(x)
        call(out)
        assert torch.equal(out, x * 2)
    assert front(function).entries == 1 and len(seen) in (6, 7)  # who compiles asks as well
    assert all(list(each) == ["x", "out", "n", "by", "MORE", "B"] and each["B"] == 64 and each["MORE"] == 0 for each in seen)
    out = torch.zeros_like(x)
    function[(0, )](x, out, 128, 2.0)
    assert not out.any()


def test_errors_are_triton_s(device):
    function = fresh(scale)
    x = torch.randn(64, device=device)
    check(function, x)
    for arguments, named in (((x, x), {}), ((x, x, 1, 1.0, 0, 64, 9), {}), ((x, x, 64, 2.0), dict(n=3))):
        with pytest.raises(TypeError):
            function[(1, )](*arguments, **named)
    with pytest.raises(KeyError):
        function[(1, )](x, x, 64, 2.0, num_wraps=4)
    with pytest.raises(ZeroDivisionError):
        function[lambda given: (1 // 0, )](x, x, 64, 2.0)
    for grid, error in (((), IndexError), (2, TypeError), (lambda given: 2, TypeError), (("2", ), TypeError)):
        with pytest.raises(error):
            function[grid](x, x, 64, 2.0)
    with pytest.raises(Exception):
        function[None](x, x, 64, 2.0)
    check(function, x)


@triton.jit
def by_global(out):
    tl.store(out, FACTOR)


def test_globals(device, monkeypatch):
    out = torch.zeros(1, device=device)
    for _ in range(3):
        by_global[(1, )](out)
    monkeypatch.setitem(globals(), "FACTOR", tl.constexpr(4))
    with pytest.raises(RuntimeError, match="FACTOR has changed"):
        by_global[(1, )](out)


def test_hooks(device):
    function = triton.jit(launch_metadata=lambda grid, kernel, given: {"name": f"n{given['n']}"})(scale.fn)
    x = torch.randn(64, device=device)
    check(function, x)
    check(function, x)
    seen = []
    enter = lambda given: seen.append(given.get()["name"])
    knobs.runtime.launch_enter_hook.add(enter)
    try:
        check(function, x)
    finally:
        knobs.runtime.launch_enter_hook.remove(enter)
    check(function, x)
    assert seen == ["n64"]
    function.add_pre_run_hook(lambda *arguments, **named: seen.append(arguments[2]))
    check(function, x)
    assert seen == ["n64", 64]


def test_kernels_that_are_gone(device):
    """What Triton's cache no longer has is not launched."""
    function = fresh(scale)
    x = torch.randn(64, device=device)
    check(function, x)
    compiled = []
    function.device_caches.clear()
    was = knobs.runtime.jit_post_compile_hook
    knobs.runtime.jit_post_compile_hook = lambda **given: compiled.append(given["fn"].name)
    try:
        check(function, x)
        check(function, x)
    finally:
        knobs.runtime.jit_post_compile_hook = was
    assert len(compiled) == 1


def test_others_who_stand_between(device, monkeypatch):
    """Programs that look on at launches put a function of theirs in place of JITFunction.run."""
    x = torch.randn(64, device=device)
    check(scale, x)
    seen, own = [], triton.runtime.jit.JITFunction.run

    def look(self, *arguments, **named):
        seen.append(self.fn.__name__)
        return own(self, *arguments, **named)

    monkeypatch.setattr(triton.runtime.jit.JITFunction, "run", look)
    check(scale, x)
    assert seen == ["scale"]


Pair = namedtuple("Pair", "x by")


@triton.jit
def of_pair(pair, out, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(out + at, tl.load(pair.x + at) * pair.by)


@triton.jit
def of_box(box, out, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(out + at[:, None] * N + at[None, :], box.load([0, 0]) * 2)


def test_descriptors(device):
    """Of their arrays and boxes; what they read outside of the array is another kernel's."""
    function = fresh(of_box)
    x = torch.randn(16, 16, device=device)
    short = x[:8]
    for each, box, padding in ((x, 16, "zero"), (x * 2, 16, "zero"), (short, 16, "zero"), (x.half(), 16, "zero"), (short, 16, "nan"), (short, 16, "zero")) * 2:
        out = torch.empty(16, 16, dtype=each.dtype, device=device)
        function[(1, )](TensorDescriptor.from_tensor(each, [box, box], padding=padding), out, 16)
        assert torch.equal(out[:len(each)], each * 2)
        assert out[len(each):].isnan().all() if padding == "nan" else not out[len(each):].any()
    changing = TensorDescriptor.from_tensor(x, [16, 16])
    out = torch.empty(8, 8, device=device)
    function[(1, )](changing, torch.empty_like(x), 16)
    changing.block_shape[:] = [8, 8]
    for _ in range(2):
        function[(1, )](changing, out, 8)
        assert torch.equal(out, x[:8, :8] * 2)
    assert front(function).entries == 3


def test_what_is_not_known(device):
    x = torch.randn(16, 16, device=device)
    for by in 2.0, 3.0:
        out = torch.empty(16, device=device)
        of_pair[(1, )](Pair(x, by), out, 16)
        assert torch.equal(out, x[0] * by)


def test_autotuned_and_threads(device):
    tuned = triton.autotune([triton.Config({"B": 64}, num_warps=w) for w in (1, 2)], ["n"], warmup=1, rep=1)(fresh(scale))
    x = torch.randn(256, device=device)
    for n in 256, 100, 256:
        out = torch.zeros_like(x)
        tuned[lambda given: (triton.cdiv(given["n"], given["B"]), )](x, out, n, 2.0)
        assert torch.equal(out[:n], x[:n] * 2)
    function, wrong = fresh(scale), []

    def work(count):
        try:
            for n in range(1, 40):
                check(function, x[:count], n=min(n, count), num_warps=1 << n % 3)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(count, )) for count in (40, 64, 77, 256)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_a_compiled_kernel_is_launched_in_c(device):
    x, out = torch.randn(200, device=device), torch.zeros(200, device=device)
    compiled = scale.warmup(x, out, 200, 2.0, grid=(4, ))
    launch = compiled[(4, 1, 1)]
    assert type(launch).__name__ == "builtin_function_or_method"
    assert launch(x, out, 200, 3.0, 0, 64) is None
    assert torch.equal(out, x * 3.0)
    stream = triton.runtime.driver.active.get_current_stream(triton.runtime.driver.active.get_current_device())
    for stream in None, stream:
        launch(x, out, 100, 5.0, 0, 64, stream=stream)
        assert torch.equal(out[:100], x[:100] * 5.0) and torch.equal(out[100:], x[100:] * 3.0)
    compiled[[0, 1, 1]](x, out, 200, 7.0, 0, 64)
    assert torch.equal(out[100:], x[100:] * 3.0)


def test_what_a_compiled_kernel_is_not_given_right(device):
    x = torch.randn(200, device=device)
    compiled = scale.warmup(x, x, 200, 2.0, grid=(4, ))
    with pytest.raises(TypeError, match="expected 6 arguments, found 3"):
        compiled[(4, 1, 1)](x, x, 200)
    with pytest.raises(TypeError, match="unexpected keyword"):
        compiled[(4, 1, 1)](x, x, 200, 1.0, 0, 64, streams=0)
    with pytest.raises(IndexError):
        compiled[(4, )](x, x, 200, 1.0, 0, 64)
    with pytest.raises(OverflowError, match="expected a grid below 2\\^31"):
        compiled[(2**31, 1, 1)](x, x, 200, 1.0, 0, 64)


def test_hooks_hear_of_a_compiled_kernels_launches(device):
    x = torch.randn(200, device=device)
    compiled = scale.warmup(x, x, 200, 2.0, grid=(4, ))
    launch, heard = compiled[(4, 1, 1)], []
    hook = lambda metadata: heard.append(metadata.get()["name"])
    knobs.runtime.launch_enter_hook.add(hook)
    try:
        launch(x, x, 200, 1.0, 0, 64)
    finally:
        knobs.runtime.launch_enter_hook.remove(hook)
    launch(x, x, 200, 1.0, 0, 64)
    assert heard == ["scale"]


def test_a_kernel_that_was_launched_is_warm(device):
    function = fresh(scale)
    x, out = torch.randn(200, device=device), torch.zeros(200, device=device)
    first = function.warmup(x, out, 200, 2.0, grid=(4, ))
    assert front(function).entries == 0
    launched = function[(4, )](x, out, 200, 2.0)
    out.zero_()
    assert function.warmup(x, out, 100, 3.0, grid=(4, )) is launched is first
    assert function.warmup(torch.float32, torch.float32, 200, 2.0, grid=(4, )) is first
    assert function.warmup(x, out, 200, 2.0, grid=(4, ), num_warps=2) is not launched
    assert not out.any()

"""Code for launches of which more is known than Triton says: src/Variants.h."""
import pytest
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def doubled_rows(x, out, rows, columns, pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r, c = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    inside = (r < rows) & (c < columns)
    tl.store(out + r * pitch + c, tl.load(x + r * pitch + c, mask=inside) * 2, mask=inside)


def test_multiples_below_16(device, monkeypatch):
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    kernels = set()
    for columns, pitch in ((40, 40), (44, 56), (41, 40), (33, 50), (48, 64), (40, 72), (1, 8)):
        x, out = torch.randn(8, pitch, device=device), torch.zeros(8, pitch, device=device)
        x = x.half() if pitch % 3 else x
        out = out.to(x.dtype)
        columns = min(columns, pitch)
        kernels.add(doubled_rows[(1, )](x, out, 7, columns, pitch, ROWS=8, COLUMNS=64).module)
        want = torch.zeros_like(out)
        want[:7, :columns] = x[:7, :columns] * 2
        torch.testing.assert_close(out, want)
    # Triton's are those of 48 and 64, of one column, and of f32; 33 and 50 are even, one of them.
    assert sorted(kernel.variants for kernel in kernels) == [0, 1, 1, 3]


@triton.jit
def wrapped_product(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, k, BK):
        x = tl.load(a + (rows % m)[:, None] * k + (step + inner)[None, :], mask=inner[None, :] < k - step, other=0.0)
        y = tl.load(b + (step + inner)[:, None] * n + (columns % n)[None, :], mask=inner[:, None] < k - step, other=0.0)
        total = tl.dot(x, y, total)
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=inside)


def test_multiples_of_256(device, monkeypatch):
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    kernels = set()
    for m, n, k in ((256, 256, 64), (512, 256, 80), (256, 48, 64), (64, 48, 80), (40, 44, 36), (42, 46, 38)):
        a, b = torch.randn(m, k, device=device).half(), torch.randn(k, n, device=device).half()
        c = torch.zeros(m, n, device=device)
        grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
        kernels.add(wrapped_product[grid](a, b, c, m, n, k, BM=64, BN=64, BK=32).module)
        torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
    # Triton has one kernel for all multiples of 16; of (64, 48, 80) the loop has four steps at most, of 64 two. What is
    # even and no multiple of 4 has code of its own, too.
    assert sorted(kernel.variants for kernel in kernels) == [2, 4]


def test_variants_end(device, monkeypatch):
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")

    @triton.jit
    def total(out, a, b, c, d):
        tl.store(out, a + 10 * b + 100 * c + 1000 * d)

    out = torch.zeros(1, dtype=torch.int32, device=device)
    kernels = set()
    for i in range(27):
        numbers = [(4, 8, 5)[i // 3**k % 3] for k in range(4)]
        kernels.add(total[(1, )](out, *numbers).module)
        assert out.item() == sum(10**k * number for k, number in enumerate(numbers))
    assert [kernel.variants for kernel in kernels] == [16]


@triton.jit
def summed_rows(x, out, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows, columns = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for first in range(0, n, COLUMNS):
        at = first + columns
        total += tl.load(x + rows[:, None] * n + at[None, :], mask=at[None, :] < n, other=0.0)
    tl.store(out + rows, tl.sum(total, 1))


def test_programs_are_counted(device, monkeypatch):
    from tile_triton import _native
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    x, out = torch.randn(320, 96), torch.zeros(320)
    text = summed_rows.warmup(x, out, 96, ROWS=8, COLUMNS=32, grid=(1, )).asm["ttir"]
    kernel = _native.Kernel(b"cpu num_warps=4\n" + text.encode())
    launcher = _native.Launcher(("*fp32", "*fp32", "i32"), 2)
    # Of two multiprocessors: 20 programs of 4 warps each fill them, as the common code has it; 2 and 1 do not.
    for programs, variants in (40, 0), (4, 1), (5, 1), (1, 2), (33, 2):
        out.zero_()
        launcher.launch(programs, 1, 1, 0, kernel, None, None, None, None, x, out, 96)
        torch.testing.assert_close(out[:8 * programs], x.sum(1)[:8 * programs], rtol=1e-4, atol=1e-4)
        assert kernel.variants == variants and not out[8 * programs:].any()


@triton.jit
def multiplied_rows(x, y, out, n, N: tl.constexpr):
    rows, columns = tl.program_id(0) * N + tl.arange(0, N), tl.arange(0, N)
    total = tl.zeros((N, N), dtype=tl.float32)
    for first in range(0, n, N):
        at = first + columns
        total += tl.dot(tl.load(x + rows[:, None] * n + at[None, :]), tl.load(y + at[:, None] * N + columns[None, :]))
    tl.store(out + rows[:, None] * N + columns[None, :], total)


def test_programs_of_products_are_counted(device, monkeypatch):
    from tile_triton import _native
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    x, y, out = torch.randn(128, 96), torch.randn(96, 16), torch.zeros(128, 16)
    text = multiplied_rows.warmup(x, y, out, 96, N=16, grid=(1, )).asm["ttir"]
    kernel = _native.Kernel(b"cpu num_warps=2\n" + text.encode())
    launcher = _native.Launcher(("*fp32", "*fp32", "*fp32", "i32"), 1)
    # Of one multiprocessor: four programs of two warps are as many as the common code has; a launch of one is told that it has a
    # multiprocessor, too.
    for programs, variants in (8, 0), (4, 0), (2, 1), (3, 1), (1, 2):
        out.zero_()
        launcher.launch(programs, 1, 1, 0, kernel, None, None, None, None, x, y, out, 96)
        torch.testing.assert_close(out[:16 * programs], (x @ y)[:16 * programs], rtol=1e-3, atol=1e-3)
        assert kernel.variants == variants and not out[16 * programs:].any()


@triton.jit
def pooled(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    tile = tl.load(x + at[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    tl.store(out + tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS), tl.sum(tile, 0))


def test_programs_of_tiles_in_parts_are_counted(device, monkeypatch):
    """A tile that registers do not hold is read by a loop, though the kernel's text has none."""
    from tile_triton import _native
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    x, out = torch.randn(2048, 128), torch.zeros(8, 128)
    launcher = _native.Launcher(("*fp32", "*fp32"), 2)
    for rows, variants in (16, 0), (256, 0), (512, 1):
        text = pooled.warmup(x, out, ROWS=rows, COLUMNS=128, grid=(1, )).asm["ttir"]
        kernel = _native.Kernel(b"cpu num_warps=4\n" + text.encode())
        out.zero_()
        launcher.launch(4, 1, 1, 0, kernel, None, None, None, None, x, out)
        torch.testing.assert_close(out[:4], x[:4 * rows].view(4, rows, 128).sum(1), rtol=1e-4, atol=1e-3)
        assert kernel.variants == variants


@triton.jit
def filled(out, n, unused, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), n, mask=tl.arange(0, N) < n)


def test_nothing_is_told_of_what_is_unused(device, monkeypatch):
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    out = torch.zeros(16, dtype=torch.int32, device=device)
    for n, unused, variants in (5, 24, 0), (5, 40, 0), (8, 24, 1):
        assert filled[(1, )](out, n, unused, N=16).module.variants == variants
        assert out.sum().item() == n * n
        out.zero_()


@triton.jit(do_not_specialize=["n", "seed"])
def drawn(x, out, n, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.randint(seed, i) * 0, mask=i < n)


def test_what_triton_does_not_specialize(device, monkeypatch):
    """Sizes are multiples of 16 all the same, and where a seed is one is of no use."""
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    x, kernels = torch.arange(64, dtype=torch.int32, device=device), set()
    for n, seed, variants in (7, 3, 0), (48, 8, 1), (64, 24, 1), (16, 7, 1), (40, 16, 2), (33, 32, 2):
        out = torch.zeros_like(x)
        kernels.add(drawn[(1, )](x, out, n, seed, N=64).module)
        assert torch.equal(out[:n], x[:n]) and not out[n:].any()
        assert [kernel.variants for kernel in kernels] == [variants]


@triton.jit
def last_of_four(a, b, c, d, out):
    box = d.load([0, 0, 0, 0]).reshape([8, 16])
    tl.store(out + tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :], box)


def test_extents_of_four_descriptors(device, monkeypatch):
    """As attention has them, of four dimensions each, whose values are 64."""
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    x, kernels = torch.randn(1, 1, 8, 16, device=device), set()
    for columns, variants in (12, 1), (16, 2), (12, 2), (8, 3):
        out = torch.full((8, 16), -1.0, device=device)
        d = TensorDescriptor(x, [1, 1, 8, columns], list(x.stride()), [1, 1, 8, 16])
        kernels.add(last_of_four[(1, )](d, d, d, d, out).module)
        assert torch.equal(out[:, :columns], x[0, 0, :, :columns]) and not out[:, columns:].any()
        assert [kernel.variants for kernel in kernels] == [variants]


@triton.jit
def filled_by_one(out, n, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), n, mask=tl.arange(0, N) < n)


def test_what_follows_is_compiled_alone(device, tmp_path, monkeypatch):
    """Triton compiles with the arguments of a launch at hand."""
    from tile_triton import _native, ahead, stages
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    out, kernels = torch.zeros(16, dtype=torch.int32, device=device), []

    def kernel(binary, launch):
        kernels.append(_native.Kernel(binary, launch))
        return kernels[-1]

    monkeypatch.setattr(stages, "load", lambda binary: kernel(binary, ahead.launch()))
    filled_by_one[lambda meta: (meta["N"] // 16, )](out, 8, N=16)
    assert kernels[0].variants == 1 and not kernels[0].has_common and out.sum().item() == 64
    filled_by_one.warmup(out, 8, N=8, grid=(1, ))
    assert kernels[-1].variants == 0 and kernels[-1].has_common


def test_common_code_is_made_when_it_is_asked_for(device, tmp_path, monkeypatch):
    """By a launch of which nothing is told, by several threads at once, and by who launches it as Triton's."""
    from concurrent.futures import ThreadPoolExecutor
    from tile_triton import _native
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    x, out = torch.randn(320, 96), torch.zeros(4, 320)
    text = summed_rows.warmup(x, out, 96, ROWS=8, COLUMNS=32, grid=(1, )).asm["ttir"]
    launcher = _native.Launcher(("*fp32", "*fp32", "i32"), 2)
    launch = lambda kernel, programs, out: launcher.launch(programs, 1, 1, 0, kernel, None, None, None, None, x, out, 96)
    for certain in True, False:
        kernel = _native.Kernel(b"cpu num_warps=4\n" + text.encode(), (launcher, (4, 1, 1), (0, 0, 96), certain))
        assert kernel.variants == 1 and kernel.has_common != certain
        launch(kernel, 4, out[0])
        assert kernel.variants == 1 and kernel.has_common != certain
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda each: launch(kernel, 40, each), out))
        torch.testing.assert_close(out, x.sum(1).expand(4, -1), rtol=1e-4, atol=1e-4)
        assert kernel.has_common
    text = doubled_rows.warmup(x, out, 7, 44, 56, ROWS=8, COLUMNS=64, grid=(1, )).asm["ttir"]
    launcher = _native.Launcher(("*fp32", "*fp32", "i32", "i32", "i32"), 132)
    kernel = _native.Kernel(b"sm_90a num_warps=4\n" + text.encode(), (launcher, (1, 1, 1), (0, 0, 7, 44, 56), True))
    assert not kernel.has_common and kernel.threads == 128
    own = kernel.text("ptx")
    assert kernel.is_plain and kernel.has_common
    # What is shown is what is launched.
    assert own != kernel.text("ptx") == _native.Kernel(b"sm_90a num_warps=4\n" + text.encode()).text("ptx")


HEAD = '''
import triton
import triton.language as tl
from torch._inductor.runtime import triton_heuristics
from torch._inductor.runtime.hints import DeviceProperties, ReductionHint

H200 = DeviceProperties(type="cuda", index=0, multi_processor_count=132, cc=90, major=9, regs_per_multiprocessor=65536,
                        max_threads_per_multi_processor=2048, warp_size=32)


def meta(*names, **signature):
    even = {(i,): [["tt.divisibility", 16]] for i in range(2)}
    return {"signature": {**{name: "*fp32" for name in names}, **signature}, "device": H200, "constants": {}, "configs": [even]}
'''

REDUCTION = '''
@triton_heuristics.reduction(
    size_hints={"x": 256, "r0_": 4096}, reduction_hint=ReductionHint.INNER, filename=__file__,
    triton_meta=meta("x", "out", xnumel="i32", r0_numel="i32", XBLOCK="constexpr", R0_BLOCK="constexpr"),
    inductor_meta={"grid_type": "Grid1D", "kernel_name": "kernel", "mutated_arg_names": [], "autotune_hints": set(), "num_load": 1,
                   "num_reduction": 1, "backend_hash": "", "are_deterministic_algorithms_enabled": False})
@triton.jit
def kernel(x, out, xnumel, r0_numel, XBLOCK: tl.constexpr, R0_BLOCK: tl.constexpr):
    xnumel = 200
    r0_numel = 3000
    rows = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    total = tl.zeros([XBLOCK, R0_BLOCK], tl.float32)
    for first in range(0, r0_numel, R0_BLOCK):
        at = first + tl.arange(0, R0_BLOCK)[None, :]
        total += tl.load(x + at + 3000 * rows, (at < r0_numel) & (rows < xnumel), other=0.0)
    tl.store(out + rows, tl.sum(total, 1)[:, None], rows < xnumel)
'''

TEMPLATE = '''
@triton_heuristics.template(
    num_stages=3, num_warps=4, filename=__file__, triton_meta=meta("a", "b", "out"),
    inductor_meta={"grid_type": "FixedGrid", "fixed_grid": ["_grid_0", "_grid_1", "_grid_2"], "kernel_name": "kernel",
                   "extra_launcher_args": ["_grid_0", "_grid_1", "_grid_2"], "backend_hash": ""})
@triton.jit
def kernel(a, b, out):
    BLOCK_M : tl.constexpr = 64
    BLOCK_N : tl.constexpr = 64
    M = 64
    N = 4096
    rows, columns = tl.arange(0, BLOCK_M), tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, 32)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for first in range(0, 1024, 32):
        x = tl.load(a + rows[:, None] * 1024 + (first + inner)[None, :])
        total += tl.dot(x, tl.load(b + (first + inner)[:, None] * N + columns[None, :]))
    tl.store(out + rows[:, None] * N + columns[None, :], total)
'''


def make_launchers(self):
    """As CachingAutotuner has it; without the device."""
    for result in self.compile_results:
        result.make_launcher()


@pytest.mark.parametrize("text, programs", ((REDUCTION, 200), (TEMPLATE, 64)))
def test_torchs_processes_compile_what_follows(text, programs, tmp_path, monkeypatch):
    """They have no launch, but the kernel's sizes. No GPU is needed: code is compiled for one, and not loaded."""
    import importlib.util
    from tile_triton import ahead, stages
    from torch._inductor.runtime import triton_helpers
    from triton.compiler.compiler import CompiledKernel
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    (tmp_path / "made.py").write_text(HEAD + text)
    spec = importlib.util.spec_from_file_location("made", tmp_path / "made.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own, found = stages.load, []

    def load(binary):
        found.append((ahead.launch(), own(binary).variants))
        return own(binary)

    monkeypatch.setattr(stages, "load", load)
    monkeypatch.setattr(triton_helpers, "set_driver_to_gpu", lambda: None)
    module.kernel.precompile(warm_cache_only=True)
    assert found and all(launch[1:] == ((programs, 1, 1), launch[2], True) and variants == 1 for launch, variants in found)
    loaded = []

    def note(kernel):
        with ahead.Launch(lambda: 0):
            loaded.append(ahead.launch())

    # Who loads what they compiled knows as much.
    monkeypatch.setattr(CompiledKernel, "_init_handles", note)
    make_launchers(module.kernel)
    assert loaded and all(launch[1:] == found[0][0][1:] for launch in loaded)


@triton.jit
def shares_of_rows(x, out, n, BLOCK: tl.constexpr):
    x += tl.program_id(0) * n
    out += tl.program_id(0) * n
    total = tl.zeros((BLOCK, ), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < n, other=0.0)
    whole = tl.sum(total, 0)
    for part in range(tl.cdiv(n, BLOCK)):
        at = part * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, mask=at < n, other=0.0) / whole, mask=at < n)


def test_loops_of_one_step(device, monkeypatch):
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    kernels = set()
    for n in (256, 80, 304, 1, 48, 512, 77, 333):
        x, out = torch.rand(5, n, device=device) + 1, torch.zeros(5, n, device=device)
        kernels.add(shares_of_rows[(5, )](x, out, n, BLOCK=256).module)
        torch.testing.assert_close(out, x / x.sum(1, keepdim=True))
    # Of multiples of 16, of one, which is a constant and makes no loops, and of others: rows that one step holds have code of their own.
    # A GPU is told of few programs, too, where there are loops.
    variants = sorted(kernel.variants for kernel in kernels)
    assert variants == ([0, 2, 2] if torch.device(device).type == "cuda" else [0, 1, 1])


@triton.jit
def product_of_rows(x, w, out, k, D: tl.constexpr, BLOCK: tl.constexpr):
    rows, cols = tl.arange(0, 16), tl.arange(0, D)
    total = tl.zeros((16, D), tl.float32)
    for i in range(0, tl.cdiv(k, BLOCK)):
        ks = i * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(x + rows[:, None] * k + ks[None, :], mask=ks[None, :] < k, other=0.0)
        b = tl.load(w + cols[None, :] * k + ks[:, None], mask=ks[:, None] < k, other=0.0)
        total = tl.dot(a, b, total)
    tl.store(out + rows[:, None] * D + cols[None, :], total)


def test_products_of_one_step(device, monkeypatch):
    monkeypatch.setenv("TILE_TRITON_LAUNCH", "multiples")
    kernels = set()
    for k in (32, 16, 64, 8, 256, 128, 112):
        x, w = torch.randn(16, k, device=device).half(), torch.randn(64, k, device=device).half()
        out = torch.zeros(16, 64, device=device)
        kernels.add(product_of_rows[(1, )](x, w, out, k, D=64, BLOCK=32).module)
        torch.testing.assert_close(out, x.float() @ w.float().t(), atol=1e-3, rtol=1e-3)
    # Of one step, of two (64), of four (128, 112), and of more (256); and of 8, which is no multiple of 16.
    assert sorted(kernel.variants for kernel in kernels) == [1, 4]

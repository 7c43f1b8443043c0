"""Launches in each way that Triton has, each result beside torch's."""
import os
import subprocess
import sys
from collections import namedtuple

import pytest
import tile_triton
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

Pair = namedtuple("Pair", ["first", "second"])


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def affine(x, out, factor, offset, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(out + i, v * factor + offset, mask=i < n)


@triton.jit
def identify(out):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tl.store(out + (z * tl.num_programs(1) + y) * tl.num_programs(0) + x, x + 10 * y + 100 * z)


def vectors(device, n, dtype=torch.float32):
    return torch.randn(n, device=device).to(dtype), torch.randn(n, device=device).to(dtype)


@pytest.mark.parametrize("n", [1, 16, 1000, 4096])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_launch(device, n, dtype):
    x, y = vectors(device, n, dtype)
    out = torch.zeros_like(x)
    before = len(tile_triton.compiled)
    add[(triton.cdiv(n, 256), )](x, y, out, n, BLOCK=256)
    torch.testing.assert_close(out, x + y)
    assert len(tile_triton.compiled) >= before and not tile_triton.refused


@triton.jit
def total(x, out, BLOCK: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, BLOCK))))


def test_shared_memory(device):
    """Hosts divide by what a block takes of it, where Triton's own code has some; elsewhere it is none."""
    x, out = torch.ones(256, device=device), torch.zeros(256, device=device)
    assert total[(1, )](x, out, BLOCK=256).metadata.shared > 0
    assert add[(1, )](x, x, out, 256, BLOCK=256).metadata.shared == 0


@triton.jit
def clock(out):
    from_, to = tl.extra.cuda.globaltimer(), tl.extra.cuda.globaltimer()
    tl.store(out, to - from_)


def test_clock(device):
    """Triton's own inline PTX: nanoseconds, on the processor those of the C library."""
    out = torch.full((1, ), -1, dtype=torch.int64, device=device)
    clock[(1, )](out)
    assert 0 <= out.item() < 10**10


class Part:
    """A library's own tensor, behind the first `offset` elements of another: what Triton asks of one, and its memory."""

    def __init__(self, base, offset):
        self.own, self.dtype, self.offset = base, base.dtype, offset

    def data_ptr(self):
        return self.own.data_ptr() + self.offset * self.own.element_size()

    def untyped_storage(self):
        return self.own.untyped_storage()

    def element_size(self):
        return self.own.element_size()


def test_tensors_of_a_librarys_own(device, monkeypatch):
    x, out = torch.randn(300, device=device), torch.zeros(300, device=device)
    add[(1, )](Part(x, 4), Part(x, 8), Part(out, 4), 256, BLOCK=256)
    torch.testing.assert_close(out[4:260], x[4:260] + x[8:264])
    if device.type == "cpu":
        monkeypatch.setenv("TILE_TRITON_CHECK", "1")
        add[(2, )](Part(x, 4), Part(x, 8), Part(out, 4), 284, BLOCK=256, num_warps=2)
        with pytest.raises(RuntimeError, match="expected an element of %y .300xf32., -8 to 291, found element 292"):
            add[(2, )](Part(x, 4), Part(x, 8), Part(out, 4), 293, BLOCK=256, num_warps=2)


def test_memory_that_a_gpu_cannot_reach(device):
    if torch.device(device).type == "cpu":
        pytest.skip("launches on the processor reach it")
    x, out = torch.ones(16), torch.zeros(16, device=device)
    with pytest.raises(ValueError, match="cpu tensor"):
        add[(1, )](x, x, out, 16, BLOCK=16)
    pinned = x.pin_memory()
    add[(1, )](pinned, pinned, out, 16, BLOCK=16)
    torch.testing.assert_close(out.cpu(), 2 * x)
    own = Part(x, 0)
    own.device = x.device
    with pytest.raises(ValueError, match="cpu tensor"):
        add[(1, )](own, own, out, 16, BLOCK=16)


def test_tensors_without_memory(device):
    out, none = torch.zeros(16, device=device), torch.empty(0, device=device)
    add[(1, )](none, none, out, 0, BLOCK=16)
    meta = torch.empty(16, device="meta")
    with pytest.raises(ValueError, match="with memory"):
        add[(1, )](meta, meta, out, 16, BLOCK=16)


def test_views_and_addresses(device):
    x, y = vectors(device, 1001)
    out = torch.zeros(1000, device=device)
    add[(4, )](x[1:], y[:1000], out, 1000, BLOCK=256)
    torch.testing.assert_close(out, x[1:] + y[:1000])
    add[(4, )](x[1:], y[:1000], triton.TensorWrapper(out, tl.float32), 1000, BLOCK=256)


@pytest.mark.parametrize("factor, offset", [(2.5, -1.0), (3, 1), (1, 0.0), (float("inf"), 0.0)])
def test_numbers(device, factor, offset):
    x, _ = vectors(device, 300)
    out = torch.zeros_like(x)
    affine[(2, )](x, out, factor, offset, 300, BLOCK=256)
    torch.testing.assert_close(out, x * factor + offset)


def test_wide_integers(device):

    @triton.jit
    def keep(out, a, b, c, d):
        tl.store(out, a.to(tl.int64))
        tl.store(out + 1, b.to(tl.int64))
        tl.store(out + 2, c.to(tl.int64))
        tl.store(out + 3, d.to(tl.int64))

    out = torch.zeros(4, dtype=torch.int64, device=device)
    numbers = (-7, 2**40 + 1, 2**63 + 5, True)
    keep[(1, )](out, *numbers)
    assert out.tolist() == [-7, 2**40 + 1, 5 - 2**63, 1]


def test_grids(device):
    for grid in [(3, ), (3, 2), (3, 2, 4), lambda meta: (3, 2, 4)]:
        out = torch.full((24, ), -1, dtype=torch.int32, device=device)
        identify[grid](out)
        x, y, z = [*(grid({}) if callable(grid) else grid), 1, 1][:3]
        want = [i + 10 * j + 100 * k for k in range(z) for j in range(y) for i in range(x)]
        assert out.tolist() == want + [-1] * (24 - len(want))
    identify[(0, 5)](out)


def test_none_and_tuples(device):

    @triton.jit
    def scale(x, bias, pair, out, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        v = tl.load(x + i) * pair.first
        if bias is not None:
            v += tl.load(bias + i)
        tl.store(out + i, v + pair[1][0])

    x, bias = vectors(device, 64)
    out = torch.zeros_like(x)
    for given in (None, bias):
        scale[(1, )](x, given, Pair(3.0, (7, None)), out, BLOCK=64)
        torch.testing.assert_close(out, x * 3 + 7 + (0 if given is None else bias))


@pytest.mark.parametrize("rows, columns", [(64, 64), (50, 40), (130, 96)])
def test_descriptors(device, rows, columns):

    @triton.jit
    def double(source, target, M: tl.constexpr, N: tl.constexpr):
        i, j = tl.program_id(0) * M, tl.program_id(1) * N
        target.store([i, j], source.load([i, j]) * 2)

    x = torch.randn(rows, columns, device=device).half()
    out = torch.zeros_like(x)
    describe = lambda t: TensorDescriptor.from_tensor(t, [32, 32])
    double[(triton.cdiv(rows, 32), triton.cdiv(columns, 32))](describe(x), describe(out), 32, 32)
    torch.testing.assert_close(out, x * 2)


def test_hooks(device, monkeypatch):
    x, y = vectors(device, 256)
    seen = []
    for when in "enter", "exit":
        hook = lambda data, when=when: seen.append((when, data.get()["name"]))
        monkeypatch.setattr(triton.knobs.runtime, f"launch_{when}_hook", hook)
    add[(1, )](x, y, torch.empty_like(x), 256, BLOCK=256)
    assert seen == [("enter", "add"), ("exit", "add")]


def test_warmup_and_metadata(device):
    kernel = add.warmup(torch.float32, torch.float32, torch.float32, 64, BLOCK=64, grid=(1, ), num_warps=2)
    kernel._init_handles()
    assert kernel.metadata.name == "add" and kernel.metadata.num_warps == 2
    assert isinstance(kernel.n_regs, int) and isinstance(kernel.n_spills, int)
    assert "tt.func public @add" in kernel.asm["ttir"]
    x, y = vectors(device, 64)
    out = torch.zeros_like(x)
    kernel[(1, 1, 1)](x, y, out, 64, 64)
    torch.testing.assert_close(out, x + y)


def for_a_gpu(kernel, shapes, **options):
    """What `kernel` of pointers to f32 is compiled to for an sm_90, whether there is one or not."""
    import shutil
    from triton.backends.compiler import GPUTarget
    if not torch.cuda.is_available() and not shutil.which("ptxas"):
        pytest.skip("expected a GPU or ptxas, found neither")
    names = kernel.arg_names
    first = len(names) - len(shapes)
    source = triton.compiler.ASTSource(
        fn=kernel, signature={n: "*fp32" if i < first else "constexpr" for i, n in enumerate(names)},
        constexprs={(first + i, ): shape for i, shape in enumerate(shapes)})
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)


def test_assembler(monkeypatch):
    """Triton's own ptxas is lent where the machine has none, and only there."""
    from tile_triton.gpu import compiler
    monkeypatch.setenv("TILE_PTXAS", "")
    compiler.lend_assembler(90)
    assert os.environ["TILE_PTXAS"] == ""
    monkeypatch.delenv("TILE_PTXAS")
    monkeypatch.setattr(compiler.shutil, "which", lambda name: "/bin/ptxas")
    compiler.lend_assembler(90)
    assert "TILE_PTXAS" not in os.environ
    monkeypatch.setattr(compiler.shutil, "which", lambda name: None)
    compiler.lend_assembler(90)
    assert os.access(os.environ["TILE_PTXAS"], os.X_OK)


def test_code_is_assembled_once(tmp_path):
    """Processes that compile for others have no context of the driver's, which would know how many registers code takes."""
    import triton.backends.nvidia.compiler as nvidia
    if not hasattr(nvidia, "get_ptxas"):
        pytest.skip("expected a ptxas of Triton's, found none")
    script, log = tmp_path / "ptxas", tmp_path / "log"
    script.write_text(f"#!/bin/sh\necho >> {log}\nexec {nvidia.get_ptxas(90).path} \"$@\"\n")
    script.chmod(0o755)
    text = "tt.func public @one(%x: !tt.ptr<f32>) { %one = arith.constant 1.0 : f32\ntt.store %x, %one : !tt.ptr<f32>\ntt.return }"
    done = run(f"from tile_triton import _native\nk = _native.Kernel(b'sm_90a num_warps=4\\n' + {text!r}.encode())\n"
               f"count = lambda: open({str(log)!r}).read().count('\\n')\nprint(k.threads, count(), k.registers > 0, count(), k.spills, count())",
               TILE_PTXAS=str(script), TILE_CACHE="off", TILE_TRITON="", CUDA_VISIBLE_DEVICES="")
    assert done.stdout.split() == ["128", "1", "True", "2", "0", "2"], done.stderr


@triton.jit
def normalize(x, out, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + i)
    tl.store(out + i, v / tl.sum(v, 1)[:, None])


@triton.jit
def accumulate(x, out, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + i, tl.cumsum(tl.load(x + i), 1))


def test_code_of_a_kernel(device):
    kernel = for_a_gpu(normalize, (16, 64))
    assert ".visible .entry normalize" in kernel.asm["ptx"]
    assert kernel.asm["cubin"].startswith(b"\x7fELF")
    assert "tile.func @normalize" in kernel.asm["tile"] and "define" in kernel.asm["llir"]
    with pytest.raises(KeyError, match="Unknown key: 'ttgir'"):
        kernel.asm["ttgir"]


def test_code_for_another_chip(monkeypatch):
    """That which is asked for, as Triton's own compiler has it, by an option or by TRITON_OVERRIDE_ARCH."""
    assert ".target sm_80" in for_a_gpu(normalize, (16, 64), arch="sm80").asm["ptx"]
    monkeypatch.setattr(triton.knobs.runtime, "override_arch", "sm89")
    kernel = for_a_gpu(normalize, (16, 64))
    assert ".target sm_89" in kernel.asm["ptx"] and kernel.metadata.arch == "sm89"


def test_tiles_beyond_the_registers():
    # 255 registers of 128 threads hold 127 KB: more warps hold 128 of them, for a scan, which wants all at once.
    kernel = for_a_gpu(accumulate, (64, 512), num_warps=4)
    assert ".reqntid 256" in kernel.asm["ptx"] and kernel.metadata.num_warps == 4
    # What is read lane by lane is read in parts.
    for rows in (64, 1024):
        assert ".reqntid 128" in for_a_gpu(normalize, (rows, 512), num_warps=4).asm["ptx"]
    with pytest.raises(triton.runtime.errors.OutOfResources) as error:
        for_a_gpu(accumulate, (1024, 512))
    assert error.value.required == 2 << 20 and error.value.limit == 522240


def test_from_text(device, tmp_path):
    path = tmp_path / "add.ttir"
    path.write_text(str(add.warmup(torch.float32, torch.float32, torch.float32, 64, BLOCK=64, grid=(1, )).asm["ttir"]))
    kernel = triton.compile(str(path))
    x, y = vectors(device, 64)
    out = torch.zeros_like(x)
    kernel[(1, 1, 1)](x, y, out, 64)
    torch.testing.assert_close(out, x + y)


def test_autotune(device):
    calls = []

    @triton.autotune([triton.Config({"BLOCK": b}, num_warps=w, pre_hook=lambda args: calls.append(args["BLOCK"]))
                      for b, w in [(64, 2), (256, 4)]], key=["n"], restore_value=["out"],
                     prune_configs_by={"early_config_prune": lambda configs, args, **_: configs[:2]})
    @triton.heuristics({"TWICE": lambda args: args["n"] > 500})
    @triton.jit
    def increase(out, n, BLOCK: tl.constexpr, TWICE: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(out + i, mask=i < n)
        tl.store(out + i, v + (2 if TWICE else 1), mask=i < n)

    out = torch.zeros(1000, device=device)
    increase[lambda meta: (triton.cdiv(1000, meta["BLOCK"]), )](out, 1000)
    assert set(out.tolist()) == {2.0} and {64, 256} <= set(calls)


def test_fusion_is_a_choice(device):

    @triton.jit
    def rest(x, out):
        v = tl.load(x)
        tl.store(out, v * v - 1.0)

    # (1 + 2^-12)^2 needs more bits than f32 has: fused, the last one stays.
    x = torch.tensor([1 + 2.0**-12], device=device)
    out = torch.zeros_like(x)
    rest[(1, )](x, out, enable_fp_fusion=True)
    assert out.item() == 2.0**-11 + 2.0**-24
    rest[(1, )](x, out, enable_fp_fusion=False)
    assert out.item() == 2.0**-11


def test_many_arguments(device):
    names = [f"p{i}" for i in range(100)]
    source = "\n".join(["import triton, triton.language as tl", "@triton.jit", f"def total({', '.join(names)}, out):",
                        f"    tl.store(out, {' + '.join(f'tl.load({n})' for n in names)})"])
    import importlib.util
    import tempfile
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location("total", file.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    xs = [torch.full((1, ), float(i), device=device) for i in range(100)]
    out = torch.zeros(1, device=device)
    module.total[(1, )](*xs, out)
    assert out.item() == 4950


def test_threads(device):
    from concurrent.futures import ThreadPoolExecutor

    def work(seed):
        x = torch.full((1000, ), float(seed), device=device)
        out = torch.zeros_like(x)
        for _ in range(20):
            add[(4, )](x, x, out, 1000, BLOCK=256)
        if device.type == "cuda":
            torch.cuda.synchronize()
        return out.eq(2 * seed).all().item()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


def test_threads_that_load_one_kernel(device):
    """All at once launch what none has loaded."""
    from threading import Barrier, Thread
    for scale in range(3, 11):

        @triton.jit
        def times(x, out, scale: tl.constexpr):
            tl.store(out + tl.arange(0, 64), tl.load(x + tl.arange(0, 64)) * scale)

        start, wrong = Barrier(8), []

        def work():
            x, out = torch.ones(64, device=device), torch.zeros(64, device=device)
            start.wait()
            try:
                times[(1, )](x, out, scale)
                if device.type == "cuda":
                    torch.cuda.synchronize()
                if not out.eq(scale).all().item():
                    wrong.append("result")
            except Exception as error:
                wrong.append(error)

        threads = [Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


def test_launches_of_what_is_no_kernel():
    from tile_triton import _native
    with pytest.raises(TypeError, match="expected a kernel that was loaded"):
        _native.Launcher(("i32", )).launch(1, 1, 1, 0, None, None, None, None, None, 7)


#===- what goes wrong -----------------------------------------------------===#


def run(code, **environment):
    prelude = "import torch, triton, triton.language as tl\n"
    import tempfile
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(prelude + code)
    return subprocess.run([sys.executable, file.name], capture_output=True, text=True,
                          env={**os.environ, **environment})


@triton.jit
def check(x):
    tl.device_assert(tl.load(x) > 0, "positive")


def test_assert_is_an_exception(device):
    if device.type != "cpu":
        pytest.skip("on a GPU an assert is CUDA's")
    x = torch.tensor([-1.0])
    with pytest.raises(RuntimeError, match=r"test_backend.py:\d+:\d+.*positive"):
        check[(1, )](x, debug=True)
    add[(1, )](x, x, x, 1, BLOCK=16)


def test_assert_ends_the_context(device):
    """Said by the driver, with the line, and by the next that waits; as it is with Triton's own code."""
    if device.type == "cpu":
        pytest.skip("wants a GPU")
    done = run("@triton.jit\ndef check(x):\n    tl.device_assert(tl.load(x) > 0, 'positive')\n\n"
               "x = torch.tensor([-1.0], device='cuda')\ncheck[(1, )](x, debug=True)\nprint('launched', flush=True)\n"
               "torch.cuda.synchronize()\n")
    assert done.returncode and done.stdout == "launched\n", done.stderr
    assert ".py:4:" in done.stderr and "positive" in done.stderr and "device-side assert" in done.stderr, done.stderr


def test_nobody_waits_for_an_assert(device):
    if device.type == "cpu":
        pytest.skip("wants a GPU")
    x = torch.ones(1, device=device)
    check[(1, )](x, debug=True)
    torch.cuda._sleep(1 << 31)
    check[(1, )](x, debug=True)
    assert not torch.cuda.current_stream().query()
    torch.cuda.synchronize()


def test_refusal_names_the_line(device):

    @triton.jit
    def inline(x):
        v = tl.inline_asm_elementwise("mov.u32 $0, 7;", "=r,r,r,r", [tl.load(x), tl.load(x), tl.load(x)],
                                      dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
        tl.store(x, v[0] + v[1])

    with pytest.raises(RuntimeError, match=r"test_backend.py:\d+:\d+"):
        inline[(1, )](torch.zeros(1, dtype=torch.int32, device=device))


def test_wrong_arguments(device):
    x, y = vectors(device, 64)
    with pytest.raises(Exception):
        add[(1, )](x, y, "text", 64, BLOCK=64)
    with pytest.raises(OverflowError):
        add[(2**31, )](x, y, x, 64, BLOCK=64)


def test_off_is_off():
    done = run("import tile_triton; print(tile_triton.is_enabled(), sorted(triton.backends.backends))\n"
               "import triton.backends.nvidia.compiler as c\n"
               "from triton.backends.compiler import GPUTarget\n"
               "print(triton.compiler.make_backend(GPUTarget('cuda', 90, 32)).__class__.__name__)\n", TILE_TRITON="")
    assert done.stdout.splitlines() == ["False ['amd', 'cpu', 'nvidia', 'tile']", "CUDABackend"], done.stderr


def test_unknown_mode_is_said():
    done = run("print('fine')\n", TILE_TRITON="yes")
    assert done.stdout == "fine\n" and "expected TILE_TRITON to be one of 1, strict and cpu, found 'yes'" in done.stderr
    done = run("print('fine')\n", TILE_TRITON="cpu", TILE_TRITON_CHECK="yes", TILE_TRITON_LAUNCH="all", TILE_TRITON_SUMMARY="0")
    assert done.stdout == "fine\n" and "expected TILE_TRITON_CHECK to be 1, found 'yes'" in done.stderr
    assert "expected TILE_TRITON_LAUNCH to be one of signature, multiples and facts, found 'all'" in done.stderr
    assert "SUMMARY" not in done.stderr


def test_enabled_by_a_call():
    done = run("import tile_triton; tile_triton.enable('cpu')\n"
               "@triton.jit\n"
               "def one(x): tl.store(x, 1.0)\n"
               "x = torch.zeros(1); one[(1,)](x); print(x.item(), tile_triton.summary())\n", TILE_TRITON="")
    assert done.stdout == "1.0 tile: compiled 1 kernels, left 0 to Triton\n", done.stderr


def test_caches_of_others_are_kept_apart():
    """torch.compile keeps graphs with their kernels' code in them, by this key."""
    code = "import tile_triton, triton\nfrom triton.runtime import autotuner, cache\n" \
           "a = cache.triton_key(), autotuner.triton_key()\ntile_triton.enable('cpu')\nb = cache.triton_key(), autotuner.triton_key()\n" \
           "print(len({a[0], a[1]}), len({b[0], b[1]}), a[0] == b[0], hash(b[0]))"
    late, early = run(code, TILE_TRITON="", PYTHONHASHSEED="0"), run(code, TILE_TRITON="cpu", PYTHONHASHSEED="0")
    assert late.stdout.split()[:3] == ["1", "1", "False"] and early.stdout.split()[:3] == ["1", "1", "True"], late.stderr
    assert late.stdout.split()[3] == early.stdout.split()[3]


def test_prints():
    done = run("@triton.jit\n"
               "def say(x): tl.device_print('x', tl.load(x))\n"
               "x = torch.full((1,), 42); say[(1,)](x)\n", TILE_TRITON="cpu")
    assert done.returncode == 0 and "pid (0, 0, 0)" in done.stdout and "42" in done.stdout, done.stdout + done.stderr


def test_too_few_registers_for_the_assembler(device, monkeypatch):
    """Autotuners leave out what the driver's assembler has not the registers for, as they do what tile refuses."""
    from tile_triton import _native, stages

    def load(binary):
        raise _native.Error("ptxas: (C7602) Insufficient registers (96) to compile instruction at line 414")

    monkeypatch.setattr(stages, "load", load)
    monkeypatch.setattr(stages.Stages, "may_leave", lambda self: False)
    x = torch.zeros(512, device=device)
    with pytest.raises(triton.runtime.errors.OutOfResources):
        add[(1, )](x, x, x, 512, BLOCK=512, num_warps=1)


#===- TILE_TRITON_CHECK ---------------------------------------------------===#

CHECKED = """
@triton.jit
def shift(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i + 1, mask=i < n), mask=i < n)

@triton.jit
def pile(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), tl.program_id(0) + tl.arange(0, BLOCK))

@triton.jit
def guarded(lock, total, x, ORDER: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1, sem=ORDER) == 1:
        pass
    tl.store(total, tl.load(total) + tl.load(x + tl.program_id(0)))
    tl.atomic_xchg(lock, 0, sem=ORDER)

x = torch.arange(1000.0, device=DEVICE)
"""


def checked(device, code):
    return run(f"DEVICE = '{device}'\n" + CHECKED + code, TILE_TRITON_CHECK="1")


def test_check_finds_what_lies_outside(device):
    done = checked(device, "out = torch.zeros_like(x)\nshift[(4,)](x, out, 1000, BLOCK=256)\n")
    # The load in its line of the file, the program, and the lane: element 1000 of 1000.
    assert done.returncode != 0 and ".py:7:" in done.stderr, done.stderr
    assert "found element 1000 read by program (3, 0, 0) at lane [231]" in done.stderr, done.stderr


def test_check_finds_a_race(device):
    done = checked(device, "out = torch.zeros(64, dtype=torch.int32, device=DEVICE)\npile[(2,)](out, BLOCK=64)\n")
    assert done.returncode != 0 and ".py:11:" in done.stderr, done.stderr
    assert "program (1, 0, 0)" in done.stderr, done.stderr


def test_check_lets_right_launches_through(device):
    done = checked(device, "out = torch.zeros_like(x)\nshift[(4,)](x, out, 999, BLOCK=256)\n"
                   "y = torch.zeros_like(x)\nshift[(1,)](x[500:], y[1:], 10, BLOCK=16)\n"
                   "print(out[0].item(), out[998].item(), out[999].item(), y[1].item())\n")
    assert done.returncode == 0 and done.stdout == "1.0 999.0 0.0 501.0\n", done.stdout + done.stderr


def test_check_knows_locks(device):
    code = ("lock, total = torch.zeros(1, dtype=torch.int32, device=DEVICE), torch.zeros(1, device=DEVICE)\n"
            "guarded[(4,)](lock, total, x, ORDER='{}')\nprint(total.item())\n")
    done = checked(device, code.format("acq_rel"))
    assert done.returncode == 0 and done.stdout == "6.0\n", done.stdout + done.stderr
    done = checked(device, code.format("relaxed"))
    assert done.returncode != 0 and "expected one value from all programs" in done.stderr, done.stderr


def test_check_wants_tensors():
    done = checked("cpu", "shift[(1,)](Address(), x, 10, BLOCK=16)\n".replace("Address()", "type('A', (), dict("
                   "data_ptr=lambda self: x.data_ptr(), dtype=torch.float32))()"))
    assert done.returncode != 0 and "untyped_storage" in done.stderr, done.stderr


def test_stages_are_triton_s():
    """A kernel is told what its author chose but the stages, which fit beside Triton's code."""
    from tile_triton.stages import configuration
    options = namedtuple("Options", "num_stages num_ctas maxnreg")(3, 2, None)
    assert configuration(options, 4) == "num_warps=4,num_ctas=2"

"""Code that other programs launch, and what Triton's environment asks for."""
import os
import pathlib
import shutil
import subprocess
import sys
import types

import pytest
import tile_triton
import torch
import triton
import triton.language as tl
from test_backend import for_a_gpu, normalize, run
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def shown(x, out, M: tl.constexpr):
    v = tl.load(x + tl.arange(0, M))
    tl.device_print("v", v)
    tl.store(out + tl.arange(0, M), v)


def test_programs_that_launch_cubins(tmp_path, monkeypatch):
    """torch.compile's C++ programs launch what is in asm["cubin"] as Triton's code is launched: so they get what can be launched so."""
    config = pytest.importorskip("torch._inductor.config")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    own = for_a_gpu(normalize, (16, 128))
    assert not own.metadata.as_cubin
    with config.patch(cpp_wrapper=True):
        theirs = for_a_gpu(normalize, (16, 128))
        with pytest.raises(RuntimeError, match="another program launches it"):
            for_a_gpu(shown, (64, ))  # into memory that tile's own launches read
        monkeypatch.setattr(tile_triton.gpu.compiler, "is_strict", lambda: False)
        left = for_a_gpu(shown, (64, ))
    assert theirs.metadata.as_cubin and not theirs.metadata.left and theirs.hash != own.hash
    # As Triton's: a parameter for each argument, and threads of so many warps.
    head, _, rest = own.asm["ptx"].partition(".visible .entry normalize(")[2].partition(")")
    assert [parameter.split()[1] for parameter in head.split(",")] == [".u64", ".u64"] and rest.split()[:2] == [".reqntid", "128"]
    assert theirs.asm["cubin"] == own.asm["cubin"] and theirs.asm["cubin"].startswith(b"\x7fELF")
    assert left.metadata.as_cubin and "another program" in left.metadata.left and left.asm["cubin"].startswith(b"\x7fELF")
    assert not for_a_gpu(normalize, (16, 128)).metadata.as_cubin
    assert not for_a_gpu(shown, (64, )).metadata.left


def test_kernels_that_were_left_before(monkeypatch, capfd):
    """What a process before this one left to Triton's compiler is said as if it were now; or an error."""
    from tile_triton.gpu import driver
    metadata = types.SimpleNamespace(name="theirs", left="expected a vector", as_cubin=True)
    monkeypatch.setattr(driver.nvidia, "CudaLauncher", lambda *_: "launcher")
    monkeypatch.setattr(driver, "count", lambda *_: None)
    with pytest.raises(RuntimeError, match="tile: expected a vector"):
        driver.either(None, metadata)
    monkeypatch.setattr(driver, "is_strict", lambda: False)
    assert [driver.either(None, metadata) for _ in range(2)] == ["launcher"] * 2
    assert capfd.readouterr().err == "tile: 'theirs' goes to Triton's own compiler: expected a vector\n"


def test_kernels_say_who_launches_them():
    """torch.compile's processes that compile have not its settings."""
    names = {"__name__": tile_triton.gpu.compiler._HEURISTICS, "for_a_gpu": for_a_gpu, "normalize": normalize}
    exec("def compile(self): return for_a_gpu(normalize, (16, 128))", names)
    pytest.importorskip("torch._inductor.runtime.triton_heuristics")
    assert names["compile"](types.SimpleNamespace(inductor_meta={"store_cubin": True})).metadata.as_cubin
    assert not names["compile"](types.SimpleNamespace(inductor_meta={"store_cubin": False})).metadata.as_cubin


def test_tool_packs_a_cubin(tmp_path, monkeypatch):
    """python -m triton.tools.compile writes a C program with the code in it."""
    import triton.backends.compiler as backends
    import triton.tools.compile as tool
    if not hasattr(tool, "compile_kernel"):
        pytest.skip("expected a tool that can be called, found none")
    own = backends.GPUTarget
    monkeypatch.setattr(backends, "GPUTarget", lambda name, arch, warp: own(name, int(arch), int(warp)))  # its numbers are texts
    path = tmp_path / "twice.py"
    path.write_text("import triton, triton.language as tl\n@triton.jit\ndef twice(x, n, B: tl.constexpr):\n"
                    "    i = tl.arange(0, B)\n    tl.store(x + i, tl.load(x + i, i < n) * 2, i < n)\n")
    tool.compile_kernel(tool.CompileArgs(path=str(path), kernel_name="twice", signature="*fp32:16, i32, 64", grid="1,1,1",
                                         target="cuda:90:32", out_path=tmp_path / "twice"))
    assert "0x7f, 0x45, 0x4c, 0x46," in next(tmp_path.glob("twice.*.c")).read_text()


def test_binaries_are_kept(tmp_path):
    """Of a kernel of tile's there is no cubin that TRITON_STORE_BINARY_ONLY would keep."""
    program = ("from test_backend import add\nx = torch.ones(64, device="
               "triton.runtime.driver.active.get_active_torch_device())\nadd[(1, )](x, x, x, 64, BLOCK=64)\nprint(x.sum().item())")
    for _ in range(2):
        done = run(f"import sys\nsys.path.append({os.path.dirname(__file__)!r})\n{program}", TRITON_STORE_BINARY_ONLY="1", TRITON_CACHE_DIR=str(tmp_path))
        assert done.stdout == "128.0\n", done.stderr


@triton.jit
def meet(at, BARRIER: tl.constexpr):
    tl.atomic_add(at, 1)
    if BARRIER:
        while tl.atomic_add(at, 0) < tl.num_programs(0):
            pass
        tl.atomic_add(at, 1000)


def test_cooperative_launches(device):
    """Programs that wait for each other run at the same time, or not at all."""
    at = torch.zeros(1, dtype=torch.int32, device=device)
    meet[(64, )](at, False, launch_cooperative_grid=True)
    assert at.item() == 64
    for programs in (1, 100):
        at.zero_()
        if programs > 1 and device.type == "cpu":
            break
        meet[(programs, )](at, True, launch_cooperative_grid=True)
        assert at.item() == 1001 * programs
    with pytest.raises(RuntimeError, match="cooperative|COOPERATIVE"):
        meet[(1 << 20, )](at, True, launch_cooperative_grid=True)
    assert at.item() in (0, 1001 * 100)


@triton.jit
def corner(zeros, nans, out, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + i, zeros.load([M // 2, N // 2]))
    tl.store(out + M * N + i, nans.load([M // 2, N // 2]))


def test_padding_of_descriptors(device):
    """What a box reads outside of its array is the descriptor's of the launch, not the kernel's."""
    x = torch.randn(16, 32, device=device)
    describe = lambda padding: TensorDescriptor(x, x.shape, x.stride(), [16, 32], padding=padding)
    for paddings in ("zero", "nan"), ("nan", "nan"), ("zero", "zero"):
        out = torch.ones(2, 16, 32, device=device)
        corner[(1, )](*map(describe, paddings), out, 16, 32)
        for found, padding in zip(out, paddings):
            want = torch.full_like(x, float("nan") if padding == "nan" else 0.0)
            want[:8, :16] = x[8:, 16:]
            torch.testing.assert_close(found, want, equal_nan=True, rtol=0, atol=0)


def test_tuners_leave_out_too_many_threads(device):
    from test_backend import add
    with pytest.raises(triton.runtime.errors.OutOfResources, match="threads, Required: 2048, Hardware limit: 1024"):
        add.warmup(torch.float32, torch.float32, torch.float32, 64, BLOCK=64, grid=(1, ), num_warps=64)
    tuned = triton.autotune([triton.Config({"BLOCK": 64}, num_warps=w) for w in (64, 2)], ["n"])(add)
    x = torch.ones(64, device=device)
    tuned[(1, )](x, x, x, 64)
    assert tuned.best_config.num_warps == 2


ALONE = '''
import torch, triton, triton.language as tl
@triton.jit
def twice(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * 2)
x = torch.arange(8.)
twice[(1,)](x, BLOCK=8)
assert x.sum() == 56
'''


def alone(tmp_path, **environment):
    """A program of its own, on the CPU, with empty caches."""
    (tmp_path / "alone.py").write_text(ALONE)
    own = {name: value for name, value in os.environ.items() if name != "TILE_TRITON_CHECK"}
    return subprocess.run([sys.executable, str(tmp_path / "alone.py")], capture_output=True, text=True,
                          env=own | {"TILE_TRITON": "cpu", "TRITON_CACHE_DIR": str(tmp_path / "triton")} | environment)


def told(ended):
    """What tile says; Triton has warnings of its own."""
    return [line for line in ended.stderr.splitlines() if line.startswith("tile: ")]


def test_a_cache_that_cannot_be_used_is_said(tmp_path):
    """Each process would compile all, and nobody know why."""
    folder = tmp_path / "ours"
    folder.mkdir()
    folder.chmod(0o777)
    ended = alone(tmp_path, TILE_CACHE=str(folder))
    assert ended.returncode == 0 and len(told(ended)) == 1 and str(folder) in told(ended)[0]
    folder.chmod(0o700)
    (tmp_path / "triton").rename(tmp_path / "before")
    ended = alone(tmp_path, TILE_CACHE=str(folder))
    assert ended.returncode == 0 and not told(ended)


def test_another_libtile_is_said(tmp_path):
    """The extension finds a library that has not its functions, or none."""
    package = tmp_path / "path" / "tile_triton"
    shutil.copytree(os.path.dirname(tile_triton.__file__), package, ignore=shutil.ignore_patterns("__pycache__"))
    for info in pathlib.Path(tile_triton.__file__).parent.parent.glob("tile_triton-*.dist-info"):
        shutil.copytree(info, tmp_path / "path" / info.name)
    path = os.pathsep.join([str(tmp_path / "path"), os.environ.get("PYTHONPATH", "")])
    (tmp_path / "libtile.so.1").write_bytes(b"no library")
    ended = alone(tmp_path, PYTHONPATH=path, LD_LIBRARY_PATH=str(tmp_path))
    line = ended.stderr.splitlines()[-1]
    assert ended.returncode == 1 and line.startswith("ImportError: tile: expected the libtile.so.1 that tile_triton was built with, found: ")
    # Without TILE_TRITON nothing of it is asked for.
    ended = subprocess.run([sys.executable, "-c", "import triton"], capture_output=True, text=True,
                           env=os.environ | {"TILE_TRITON": "", "PYTHONPATH": path, "LD_LIBRARY_PATH": str(tmp_path)})
    assert ended.returncode == 0 and not told(ended)

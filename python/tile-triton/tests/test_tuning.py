"""Autotuners: their configurations are compiled side by side, in front of the first measurement."""
import threading

import pytest
import tile_triton
import torch
import triton
import triton.language as tl
from triton import knobs
from triton.runtime.errors import OutOfResources


@triton.jit
def increase(out, n, TWICE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(out + i, mask=i < n)
    tl.store(out + i, v + (2 if TWICE else 1), mask=i < n)


@triton.jit
def wrong(out, n, TWICE: tl.constexpr, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), unknown)


class Tuned:
    """An autotuner of `configs`, and what it does, in order: a number of warps as it is compiled, "measure"."""

    def __init__(self, monkeypatch, device, configs, function=increase, **how):
        from tile_triton.stages import Stages
        self.happened, self.threads, self.out = [], set(), torch.zeros(1000, device=device)
        own, lock = Stages.make_binary, threading.Lock()

        def make_binary(stages, module, metadata, options, stages_of_triton):
            with lock:
                self.happened.append(options.num_warps)
                self.threads.add(threading.get_ident())
            return own(stages, module, metadata, options, stages_of_triton)

        def measure(call, quantiles):
            call()
            self.happened.append("measure")
            return [float(len(self.happened))] * 3

        monkeypatch.setattr(Stages, "make_binary", make_binary)
        monkeypatch.setattr("os.sched_getaffinity", lambda _: range(4))
        monkeypatch.setattr(knobs.compilation, "always_compile", True)
        inner = triton.heuristics({"TWICE": lambda given: given["n"] > 500})(triton.JITFunction(function.fn))
        self.tuner = triton.autotune(configs, **{"key": ["n"], **how}, do_bench=measure)(inner)

    def launch(self):
        self.tuner[lambda meta: (triton.cdiv(1000, meta["BLOCK"]), )](self.out, 1000)


def of(*warps, **more):
    return [triton.Config({"BLOCK": 256}, num_warps=each, **more) for each in warps]


def test_all_are_compiled_first(device, monkeypatch):
    tuned = Tuned(monkeypatch, device, of(1, 2, 4, 8))
    tuned.launch()
    assert set(tuned.happened[:4]) == {1, 2, 4, 8} and tuned.happened[4:] == ["measure"] * 4
    assert threading.get_ident() not in tuned.threads
    assert tuned.tuner.best_config.num_warps == 1 and tuned.out.unique().tolist() == [10.0]


def test_what_was_pruned_is_not_compiled(device, monkeypatch):
    tuned = Tuned(monkeypatch, device, of(1, 2, 4, 8), prune_configs_by={"early_config_prune": lambda configs, *_, **__: configs[1:3]})
    tuned.launch()
    assert set(tuned.happened[:2]) == {2, 4} and tuned.happened[2:] == ["measure"] * 2


def test_what_does_not_fit_is_tried_once(device, monkeypatch):
    tuned = Tuned(monkeypatch, device, of(64, 1, 64, 2))
    tuned.launch()
    assert tuned.happened.count(64) == 2 and tuned.happened[-2:] == ["measure"] * 2
    assert [tuned.tuner.configs_timings[each][0] for each in tuned.tuner.configs].count(float("inf")) == 2


def test_other_errors_are_the_launchs(device, monkeypatch):
    tuned = Tuned(monkeypatch, device, of(1, 2), wrong)
    with pytest.raises(triton.CompilationError, match="unknown is not defined"):
        tuned.launch()
    monkeypatch.undo()
    tuned = Tuned(monkeypatch, device, of(64, 64))
    with pytest.raises(OutOfResources):
        tuned.launch()


@triton.jit
def double(box, out, TWICE: tl.constexpr, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), box.load([0]) * 2)


def test_hooks_that_change_a_block(device, monkeypatch):
    """Each configuration's code is that for the descriptor as its hook leaves it; all are compiled first all the same."""
    from triton.tools.tensor_descriptor import TensorDescriptor
    hook = lambda given: setattr(given["box"], "block_shape", [given["BLOCK"]])
    configs = [triton.Config({"BLOCK": 64 << i}, num_warps=1 << i, pre_hook=hook) for i in range(3)]
    tuned = Tuned(monkeypatch, device, configs, double, key=[])
    given = torch.arange(256., device=device)
    box = TensorDescriptor.from_tensor(given, [16])
    tuned.tuner.fn.values.clear()
    tuned.tuner[(1, )](box, tuned.out, TWICE=False)
    assert set(tuned.happened[:3]) == {1, 2, 4} and tuned.happened[3:] == ["measure"] * 3
    assert box.block_shape == [64] and tuned.out[:256].tolist() == [2 * i for i in range(256)]


def in_turns(tuned, *warps):
    tuned.launch()
    return tuned.happened == [what for each in warps for what in (each, "measure")] and tuned.threads == {threading.get_ident()}


def test_where_the_user_may_look_on(device, monkeypatch):
    """Hooks hear of each kernel as it is launched, and off is off."""
    tuned = Tuned(monkeypatch, device, of(1, 2))
    tuned.tuner.fn.fn.add_pre_run_hook(lambda *_, **__: None)
    assert in_turns(tuned, 1, 2)
    with monkeypatch.context() as patch:
        patch.setattr(knobs.runtime, "jit_post_compile_hook", lambda **_: None)
        assert in_turns(Tuned(patch, device, of(1, 2)), 1, 2)
    assert in_turns(Tuned(monkeypatch, device, of(4)), 4) is False  # one is not measured
    tuned = Tuned(monkeypatch, device, of(1, 2))
    monkeypatch.setattr(tile_triton.tuning, "is_enabled", lambda: False)
    assert in_turns(tuned, 1, 2)


@triton.jit
def copy_some(x, out, n, m, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + at, tl.load(x + at, at < n) + m, at < n)


def test_what_was_found_is_taken(device):
    """By the key that Triton makes of a launch's arguments, however these are given."""
    tuner = triton.autotune([triton.Config({"B": 64}, num_warps=w) for w in (1, 2)], ("n", "B"), warmup=1, rep=1)(copy_some)
    grid = lambda given: (triton.cdiv(given["n"], given["B"]), )

    def launch(dtype, n, *, by_name=False, m=1.0):
        x = torch.ones(128, dtype=dtype, device=device)
        out = torch.zeros(128, device=device)
        tuner[grid](x, m=m, n=n, out=out) if by_name else tuner[grid](x, out, n, m)
        assert out.tolist() == [1 + m] * n + [0.0] * (128 - n)
        return list(tuner.cache)

    for _ in range(3):
        assert launch(torch.float32, 100) == [(100, "torch.float32", "torch.float32")]
        assert len(launch(torch.float32, 100, m=2.0)) == 1
    tuner.best_config = None
    launch(torch.float32, 100)
    assert tuner.best_config is tuner.cache[100, "torch.float32", "torch.float32"]
    assert len(launch(torch.float32, 100, by_name=True)) == 1
    assert len(launch(torch.float16, 100)) == 2 and len(launch(torch.float32, 64)) == 3
    assert len(launch(torch.float16, 100)) == 3
    seen = []
    tuner.cache[64, "torch.float32", "torch.float32"].pre_hook = lambda given: seen.append(given["n"])
    launch(torch.float32, 64)
    assert seen == [64]

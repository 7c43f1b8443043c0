"""An autotuner's configurations are compiled side by side.

Triton's compiles each when it is about to be measured, one behind the other, while all other cores wait. Here all of them are compiled
in front of the first measurement, by a thread each, as far as there are cores; the launch that is measured finds its kernel made. What is
measured, and how, stays Triton's; a configuration's hook, which it calls in front of each launch, is called once more. A configuration that could not be compiled is not tried again where the autotuner would leave it out."""
import concurrent.futures
import contextlib
import copy
import functools
import os
import sys
import threading

from . import ahead, is_enabled

_MOST_THREADS = 16
_applying = threading.Lock()


def _compilable(tuner):
    """Its JITFunction, where nothing but compiling happens as it is warmed up: no hooks of the user's, no other autotuner within."""
    from triton import knobs
    from triton.runtime.autotuner import Heuristics
    from triton.runtime.jit import JITFunction
    function = tuner.fn
    while isinstance(function, Heuristics):
        function = function.fn
    hooks = knobs.runtime.jit_cache_hook, knobs.runtime.jit_post_compile_hook, knobs.runtime.interpret
    return function if type(function) is JITFunction and not function.pre_run_hooks and not any(hooks) else None


def _arguments(tuner, config, arguments, meta):
    """What a launch of the configuration is given, as its hook leaves it: hooks give descriptors another block, here copies of them."""
    copied = lambda each: copy.copy(each) if hasattr(each, "block_shape") else each
    arguments, meta = [copied(each) for each in arguments], {name: copied(each) for name, each in meta.items()}
    meta.update(config.all_kwargs())
    if config.pre_hook:
        config.pre_hook({**dict(zip(tuner.arg_names, arguments)), **meta})
    return arguments, {**meta, "warmup": True}


def _compile(tuner, device, arguments, meta, again=True):
    """Why it could not be compiled, else None."""
    from triton.runtime import driver
    driver.active.set_current_device(device)  # a thread begins on the first
    try:
        with ahead.certain():
            tuner.fn.run(*arguments, **meta)
    except SystemError as error:  # Python's own parser, now and then, where several threads are in it
        return _compile(tuner, device, arguments, meta, False) if again else error
    except Exception as error:  # which the measurement will meet
        return error
    return None


def _compile_all(tuner, configs, arguments, meta):
    """Of the configurations that could not be compiled, why."""
    from triton.runtime import driver
    count = min(len(configs), len(os.sched_getaffinity(0)), _MOST_THREADS)
    function = _compilable(tuner)
    if count < 2 or not function or any(meta.keys() & each.kwargs.keys() for each in configs):
        return {}
    device = driver.active.get_current_device()
    function.device_caches[device]  # is made where it is first asked for, and one for all
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        made = {id(each): pool.submit(_compile, tuner, device, *_arguments(tuner, each, arguments, meta)) for each in configs}
        return {config: each.result() for config, each in made.items() if each.result()}


def _prune(own, tuner, *arguments, **named):
    tuner._tile_due = own(tuner, *arguments, **named)
    return tuner._tile_due


def _bench(own, tuner, *arguments, config, **meta):
    """Autotuner._bench, which measures one configuration: at the first behind `prune_configs` all are compiled."""
    from triton import knobs
    from triton.runtime.errors import OutOfResources
    due = tuner.__dict__.pop("_tile_due", None)
    if due and is_enabled():
        tuner._tile_failed = _compile_all(tuner, due, arguments, meta)
    error = tuner.__dict__.get("_tile_failed", {}).pop(id(config), None)
    if isinstance(error, OutOfResources) and not knobs.autotuning.print:
        return [float("inf")] * 3
    return own(tuner, *arguments, config=config, **meta)


_texts: dict = {}  # str of torch's element types


_make_key = None


def _find(tuner, arguments, named):
    """The configuration that was found for such arguments before, by the key that Autotuner.run makes of them."""
    known = vars(tuner).get("_tile_known")
    if known is None:
        known = tuner._tile_known = list(tuner.keys), {name: at for at, name in enumerate(tuner.arg_names)}, _texts
        _texts.update((kind, str(kind)) for kind in vars(sys.modules.get("torch", sys)).values() if type(kind).__name__ == "dtype")
    return tuner.cache.get(_make_key(arguments, named, *known))


def _run(own, tuner, *arguments, **named):
    """Autotuner.run, most of whose time on the host is the key."""
    is_known = _make_key and is_enabled() and len(tuner.configs) > 1 and type(tuner).__name__ == "Autotuner"
    config = _find(tuner, arguments, named) if is_known else None
    if config is None or config.pre_hook is not None:
        return own(tuner, *arguments, **named)
    tuner.best_config = config
    return tuner.fn.run(*arguments, **named, **config.all_kwargs())


def _replace(owner, name, by):
    own = getattr(owner, name)
    setattr(owner, name, functools.wraps(own)(lambda *arguments, **named: by(own, *arguments, **named)))


def apply() -> None:
    from triton.runtime.autotuner import Autotuner
    global _make_key
    with _applying, contextlib.suppress(ImportError):  # which the first kernel says
        from ._native import make_key as _make_key
    with _applying:
        if not hasattr(Autotuner.prune_configs, "__wrapped__"):
            _replace(Autotuner, "prune_configs", _prune)
            _replace(Autotuner, "_bench", _bench)
            _replace(Autotuner, "run", _run)

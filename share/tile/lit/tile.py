# What a lit.cfg.py of one's own kernels needs, once it has found this file (docs/testing.md):
#
#   lit_config.load_config(config, ".../share/tile/lit/tile.py")
#
# Tests are .mlir and .test files with RUN lines. tile-run, tile-opt and LLVM's FileCheck, not and
# split-file are found by name, Inputs holds what tests read, and kernels that tests compile stay
# out of the user's cache. Features: gpu, and sm_90 and so on, where there is one; ptxas.
import os
import re
import shutil
import subprocess

import lit.formats

prefix = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

config.name = config.name if config.name not in (None, "<unnamed>") else "kernels"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "lit.site.cfg.py"]
if not config.test_exec_root:
    config.test_exec_root = os.path.join(os.getcwd(), "lit-output")


def llvm_tools():
    """The folder of FileCheck, as the newest of llvm-config-22, llvm-config prints it."""
    for name in ("llvm-config-22", "llvm-config"):
        tool = shutil.which(name)
        if tool:
            return [subprocess.run([tool, "--bindir"], capture_output=True, text=True).stdout.strip()]
    return []


path = [os.path.join(prefix, "bin"), *llvm_tools(), config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(part for part in path if part)
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for variable in ("HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "TILE_CUDA_DRIVER", "TILE_CACHE"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

if not shutil.which("FileCheck", path=config.environment["PATH"]):
    lit_config.note("expected FileCheck on PATH or beside llvm-config, found none: tests that use it fail")
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
info = subprocess.run(
    [os.path.join(prefix, "bin", "tile-run"), "--device-info"], capture_output=True, text=True
)
if info.returncode == 0:
    config.available_features.update(["gpu", *re.findall(r"\bsm_\d+a?\b", info.stdout)])
# A kernel that hangs fails its test.
if lit.util.killProcessAndChildrenIsSupported()[0] and not lit_config.maxIndividualTestTime:
    lit_config.maxIndividualTestTime = 300

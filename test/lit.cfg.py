# How lit runs this project's tests, in three places alike: a build tree (test/lit.site.cfg.py sets
# the folders), an unpacked package (the folders are beside this one), and either of them with
# TILE_BIN_DIR or TILE_LLVM_BIN_DIR in the environment to test other binaries.
import ctypes
import os
import re
import shutil
import subprocess
import sys

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)


def setting(variable, name, default):
    """A folder: from the environment, else the site configuration, else the package."""
    return os.environ.get(variable) or getattr(config, name, None) or default


config.name = "tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".c", ".test"]
# Inputs holds what tests read, Support and differential what they run; none is a test.
config.excludes = ["Inputs", "Support", "differential", "targets", "corpus"]
config.test_source_root = here
config.test_exec_root = setting(
    "TILE_TEST_OUTPUT", "tile_test_output", os.path.join(root, "test-output")
)

tile_bin = setting("TILE_BIN_DIR", "tile_bin", os.path.join(root, "bin"))
llvm_bin = setting("TILE_LLVM_BIN_DIR", "tile_llvm_bin", os.path.join(root, "bin"))
sanitize = getattr(config, "tile_sanitize", False)
threads = getattr(config, "tile_threads", False)
source_root = getattr(config, "tile_source_root", None)

# A hanging test fails; without psutil lit cannot stop one, and the suite runs without a limit.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 600 if sanitize or threads else 300

# Tools are found by name: tile-opt, tile-run, FileCheck, not, count, split-file.
environment = config.environment
environment["PATH"] = os.pathsep.join([tile_bin, llvm_bin, environment["PATH"]])
# Kernels compiled by tests stay out of the user's cache.
environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for name in ("CUDA_VISIBLE_DEVICES", "TILE_CUDA_DRIVER", "OPENBLAS_CORETYPE"):
    if name in os.environ:
        environment[name] = os.environ[name]

config.substitutions.append(("%unit", os.path.join(tile_bin, "unit")))
config.substitutions.append(("%examples", os.path.join(here, "Examples")))
# What carries a kernel's schedule out, in the order of lib/Conversion/Pipelines.c; and the same with
# a simplification behind each.
roles = ["tile-warm-cache", "tile-split-sums", "tile-make-persistent", "tile-share-last-round", "tile-split-last-round",
         "tile-share-copies",
         "tile-warp-specialize", "tile-defer-stores", "tile-take-turns", "tile-stage-stores", "tile-join-sums"]
config.substitutions.append(("%simplified_roles", ",canonicalize,cse,".join(roles)))
config.substitutions.append(("%roles", ",".join(roles)))
config.substitutions.append(("%assemble", os.path.join(here, "Support", "assemble")))

if source_root:
    # Tests of the repository itself: its scripts, its pages, the procedures that they describe.
    config.available_features.add("source-tree")
    config.substitutions.append(("%source_root", source_root))
    config.substitutions.append(("%build_root", config.tile_build_root))

    # The Python package, where it was built, and what the interpreter of its tests has.
    python = os.environ.get("TILE_PYTHON") or sys.executable
    modules = "numpy", "pip", "torch", "triton", "liger_kernel", "pytest"
    question = "import importlib.util as u, sys; print(*(m for m in %r if u.find_spec(m)), sys.version_info >= (3, 11))"
    answer = subprocess.run([python, "-c", question % (modules,)], capture_output=True, text=True).stdout.split()
    native = os.path.join(config.tile_build_root, "python", "tile", "_native.abi3.so")
    if answer[-1:] == ["True"] and os.path.exists(native) and not sanitize:
        config.available_features.update(["tile-python", *answer[:-1]])
        if os.path.exists(os.path.join(config.tile_build_root, "python", "tile_triton", "_native.abi3.so")):
            config.available_features.add("tile-triton")
    config.substitutions.append(("%python", python))

ptxas = shutil.which("ptxas", path=environment["PATH"]) or shutil.which(
    "ptxas", path="/usr/local/cuda/bin"
)
if ptxas:
    config.available_features.add("ptxas")
    # CUDA 13 knows every chip that Machine has a record of, and PTX 9.0.
    release = re.search(r"release (\d+)\.", subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout)
    if release and int(release[1]) >= 13:
        config.available_features.add("ptxas-13")
    config.substitutions.append(("%ptxas", ptxas))
    environment["PATH"] += os.pathsep + os.path.dirname(ptxas)

# What benchmarks are compared with and looked at with, where it is there. A disassembler beside
# ptxas counts: it is on the PATH that tests have.
for tool in ("nvdisasm", "chromium", "rsvg-convert", "mkdocs", "strace", "cpack", "dpkg-shlibdeps", "file"):
    if shutil.which(tool, path=environment["PATH"]):
        config.available_features.add(tool)
if shutil.which("script", path=environment["PATH"]) and os.path.exists("/dev/ptmx"):
    config.available_features.add("pty")
try:
    ctypes.CDLL("libopenblas.so.0")
    config.available_features.add("openblas")
except OSError:
    pass

if sanitize:
    config.available_features.add("asan")
    # libMLIR is not instrumented: containers that cross that border look overflown, and memory that
    # LLVM's headers poison in our objects is taken up by libLLVM without a word.
    environment["ASAN_OPTIONS"] = (
        "detect_container_overflow=0:allow_user_poisoning=0:detect_stack_use_after_return=1"
    )
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"
# Before a program that goes on after a parser of MLIR's has crashed: what that had allocated is lost.
leaky = "env ASAN_OPTIONS=%s:detect_leaks=0" % environment["ASAN_OPTIONS"] if sanitize else "env"
config.substitutions.append(("%leaky", leaky))
if threads:
    # What libMLIR and libLLVM do among themselves is not seen, so no judgement of the memory that they free or copy.
    environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1:halt_on_error=1"


def gpus():
    """The devices the runtime can use, as the probe prints them: one architecture a line."""
    probe = os.path.join(tile_bin, "gpu-probe")
    if not os.path.exists(probe):
        return []
    try:
        done = subprocess.run(
            [probe], capture_output=True, text=True, timeout=60, env=environment
        )
    except subprocess.TimeoutExpired:
        lit_config.fatal("expected %s to end within a minute, found it still running" % probe)
    if done.returncode != 0:
        lit_config.note("no GPU: " + done.stderr.strip())
        return []
    return done.stdout.split()


# gpu: a device that the runtime can use. sm_90 and the like: one of that architecture. Where there is none, tests
# that ask for one get the emulator of one, which is slow and is no measure of time: what is about speed, or large, asks
# for hardware.
emulator = os.path.join(tile_bin, "unit", "PtxDriver.so")
architectures = gpus()
if architectures:
    told = os.path.basename(environment.get("TILE_CUDA_DRIVER", ""))
    kind = "emulated" if told == os.path.basename(emulator) else "hardware"
    config.available_features.update(["gpu", kind, *architectures])
elif os.path.exists(emulator) and not sanitize and not threads:
    sys.path.insert(0, os.path.join(here, "Support"))
    from emulated import EmulatedTest

    lit_config.note("tests that ask for a GPU run on an emulator of one (test/Support/Ptx)")
    config.test_format = EmulatedTest(emulator)
    config.available_features.update(["gpu", "emulated", "sm_90"])

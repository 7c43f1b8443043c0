"""What a process does in front of its first launch."""
import ast
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import pytest
import tile_triton
import triton
from tile_triton import takeover


def elf(path, notes, kind=4):
    """A file of ELF of one segment."""
    header = b"\x7fELF\2\1".ljust(32, b"\0") + struct.pack("<Q", 64) + b"\0" * 14 + struct.pack("<HH", 56, 1)
    segment = struct.pack("<IIQQQQ", kind, 0, 120, 0, 0, len(notes)).ljust(56, b"\0")
    path.write_bytes(header.ljust(64, b"\0") + segment + notes)
    return str(path)


def note(kind, owner, text):
    padded = lambda part: part + b"\0" * (-len(part) % 4)
    return struct.pack("<III", len(owner), len(text), kind) + padded(owner) + padded(text)


def test_what_a_library_is_known_by(tmp_path):
    mine = note(3, b"GNU\0", b"0123456789")
    assert takeover._build_id(elf(tmp_path / "a", note(1, b"Other\0", b"x") + mine)) == b"0123456789"
    assert takeover._build_id(elf(tmp_path / "b", note(1, b"GNU\0", b"x"))) == b""
    assert takeover._build_id(elf(tmp_path / "c", mine, kind=1)) == b""
    (tmp_path / "libtriton.so").write_text("no library")
    assert takeover._build_id(str(tmp_path / "libtriton.so")) == b""
    with takeover._open(str(tmp_path / "libtriton.so"), "rb") as file:
        assert file.read() == b"no library"
    with takeover._open(elf(tmp_path / "libtriton.so", mine), "rb") as file:
        assert file.read() == b"0123456789" + str(os.path.getsize(tmp_path / "libtriton.so")).encode()


def test_caches_are_divided():
    program = ("import triton.runtime.cache as cache\nown = cache.triton_key()\nimport tile_triton\ntile_triton.enable('cpu')\n"
               "mine = cache.triton_key()\ntile_triton.enable('0')\nprint(own == cache.triton_key(), mine.endswith('-tile'))")
    environment = {name: value for name, value in os.environ.items() if name != "TILE_TRITON"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"], done.stderr
    library = triton._C.libtriton.__file__
    known = takeover._build_id(library)
    with takeover._open(library, "rb") as file:
        assert file.read(1 << 20).startswith(known) and (not known or not file.read())


PROGRAM = """
import torch, triton, triton.language as tl
import tile_triton
@triton.jit
def one(x): tl.store(x, 1.0)
x = torch.zeros(1)
one[(1,)](x)
print(sorted(triton.backends.backends), x.item(), tile_triton.summary())
"""


@pytest.mark.parametrize("first", ["", "import tile_triton"])
@pytest.mark.parametrize("how", ["copied", "in tree", "by a call"])
def test_backends_that_triton_did_not_find(tmp_path, how, first):
    """A copied folder has no entry points beside it, and TRITON_BACKENDS_IN_TREE leaves others' out: who imports the package has it."""
    package = pathlib.Path(tile_triton.__file__).parent
    shutil.copytree(package, tmp_path / "tile_triton", ignore=shutil.ignore_patterns("__pycache__"))
    others = [each for each in sys.path if each and not pathlib.Path(each, "tile_triton").is_dir()]
    environment = {**os.environ, "TILE_TRITON": "cpu", "PYTHONPATH": os.pathsep.join([str(tmp_path), *others]),
                   "LD_LIBRARY_PATH": f"{package.parent}/tile:{package.parent}/../lib"}
    program = PROGRAM
    if how == "in tree":
        environment |= {"TRITON_BACKENDS_IN_TREE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    elif how == "by a call":
        del environment["TILE_TRITON"]
        program = program.replace("@triton", "tile_triton.enable('cpu')\n@triton")
    (tmp_path / "one.py").write_text(first + program)  # functions are read from files
    done = subprocess.run([sys.executable, str(tmp_path / "one.py")], env=environment, capture_output=True, text=True)
    names, _, rest = done.stdout.partition("] ")
    assert rest == "1.0 tile: compiled 1 kernels, left 0 to Triton\n", done.stderr
    assert ast.literal_eval(names + "]") == ["amd", "cpu", "nvidia", "tile"]

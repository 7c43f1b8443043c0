"""What a process does in front of its first launch."""
import os
import struct
import subprocess
import sys

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

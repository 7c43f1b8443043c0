"""What tile tells as data. tile._native makes these."""
from typing import NamedTuple, Optional


class Error(RuntimeError):
    """What libtile refused, as compilers print it: file:line:column: error: expected ..., found ...

    status       the name of the tile_status, "TILE_STATUS_SOURCE"
    diagnostics  the messages, a list of Diagnostic
    """
    status: str = ""
    diagnostics: list = []


class Diagnostic(NamedTuple):
    """A message about a place in a text. `file` is None, line and column 0, where there is none."""
    severity: str  # error, warning, note, remark
    file: Optional[str]
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


class Resources(NamedTuple):
    """What code takes of a GPU."""
    registers: int  # of a thread
    local_bytes: int  # of a thread, as spills or arrays
    shared_bytes: int  # of a block
    blocks: int  # that a multiprocessor holds at a time


class Argument(NamedTuple):
    """An argument of a kernel."""
    name: Optional[str]
    type: str  # of the number, or of what the pointer points at
    is_pointer: bool
    is_key: bool  # tuning tells launches apart by it
    is_written: bool  # the kernel may write through it
    # ("extent" or "stride", number of an argument that is an array, its dimension): taken from there when it is not given
    measure: Optional[tuple] = None


class Trial(NamedTuple):
    """A configuration that tuning tried."""
    config: str
    outcome: str  # best, slower, refused, wrong, fault, no time
    seconds: float  # of one launch; 0 where it was not timed
    message: str  # why it is out


class Tuning(NamedTuple):
    """What tuning found. Launches with the same key take it from then on."""
    config: str  # "": the defaults
    seconds: float  # of one launch
    default_seconds: float
    device: str
    key: str  # the values of the arguments with tile.key
    was_kept: bool  # in the cache, for other processes
    trials: tuple

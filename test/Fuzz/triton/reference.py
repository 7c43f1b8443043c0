"""What a Triton kernel computes, by NumPy alone: program after program, tile by tile.

A kernel's text runs as it stands, as Python, with the classes below in place of triton.language: neither
Triton nor tile has a part in what comes out. Numbers wrap as their types say; bfloat16 and the floats of 8
bits are kept as float32 and rounded behind each op. Where Triton leaves open what happens, Undefined is
raised, and a kernel for which it is proves nothing:

  - a program reads what it wrote, or writes what it read, by other pointers and without a barrier
  - two lanes of a store write different numbers to one element
  - an access too far from where its array begins, a division by 0, a shift by too many bits
"""

import builtins
import itertools

import numpy as np

WINDOW = 1 << 16            # elements on either side of an array's base that most kernels may touch


class Undefined(Exception):
    pass


INTS = {f"{sign}{bits}": getattr(np, f"{name}{bits}") for bits in (8, 16, 32, 64)
        for sign, name in (("i", "int"), ("u", "uint"))}
HELD = {"i1": np.bool_, "f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64,
        "e4": np.float32, "e5": np.float32, **INTS}
BITS = {"i1": 1, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "e4": 8, "e5": 8,
        **{t: int(t[1:]) for t in INTS}}
FLOATS = ("f16", "bf16", "f32", "f64", "e4", "e5")
POISON = [0x5A]             # what lanes hold that a mask leaves out, where nothing is said of them


def is_int(ty):
    return ty in INTS


def round_bf16(v):
    with np.errstate(all="ignore"):
        bits = np.asarray(v, np.float32).view(np.uint32).astype(np.uint64)
        up = ((bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)).astype(np.uint32)
        return np.where(np.isnan(v), np.float32(np.nan), up.view(np.float32))


def round_fp8(v, ty):
    """To the nearest, ties to even; what is too large becomes the largest number, as cvt.satfinite."""
    mantissa, least, most = (3, -6, 448.0) if ty == "e4" else (2, -14, 57344.0)
    v = np.asarray(v, np.float32).astype(np.float64)
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.floor(np.log2(np.where(v == 0, 1, np.abs(v)))), least)
        step = np.exp2(exponent - mantissa)
        near = np.clip(np.where(np.isinf(v), v, np.rint(v / step) * step), -most, most)
    return np.where(np.isnan(v), np.nan, np.copysign(near, v)).astype(np.float32)


def convert(v, source, ty):
    """The numbers v of one type in another; floats to integers cut, and have to fit."""
    v = np.asarray(v)
    if source == ty:
        return v
    with np.errstate(all="ignore"):
        if ty == "i1":
            return v != 0
        if source in FLOATS and is_int(ty):
            low, high = np.iinfo(HELD[ty]).min, np.iinfo(HELD[ty]).max
            wide = v.astype(np.float64)
            if not np.all(np.isfinite(wide) & (wide > low - 1.0) & (wide < high + 1.0)) :
                raise Undefined("float too large for an integer")
            return np.trunc(wide).astype(HELD[ty])
        if ty == "bf16":
            return round_bf16(v.astype(np.float32))
        if ty in ("e4", "e5"):
            return round_fp8(v, ty)
        return v.astype(HELD[ty])


def to_bits(v, ty):
    v = np.asarray(v)
    if ty == "bf16":
        return (np.ascontiguousarray(v).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    if ty in ("e4", "e5"):
        table = fp8_table(ty)
        order = {}
        for code, number in enumerate(table):
            order.setdefault((float(number), bool(np.signbit(number))) if number == number else "nan", code)
        flat = [order[(float(x), bool(np.signbit(x))) if x == x else "nan"] for x in v.ravel()]
        return np.array(flat, np.uint8).reshape(v.shape)
    if ty == "i1":
        return v.astype(np.uint8)
    return np.ascontiguousarray(v).view(INTS[f"u{BITS[ty]}"])


def fp8_table(ty, known={}):
    if ty not in known:
        code = np.arange(256)
        mantissa_bits, bias = (3, 7) if ty == "e4" else (2, 15)
        exponent, mantissa = (code & 127) >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
        number = np.where(exponent == 0, mantissa * 2.0 ** (1 - bias - mantissa_bits),
                          (1 + mantissa / 2.0 ** mantissa_bits) * 2.0 ** (exponent - bias))
        if ty == "e4":
            number = np.where((code & 127) == 127, np.nan, number)
        else:
            number = np.where(exponent == 31, np.where(mantissa == 0, np.inf, np.nan), number)
        known[ty] = np.where(code & 128, -number, number).astype(np.float32)
    return known[ty]


def from_bits(bits, ty):
    if ty == "bf16":
        return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if ty in ("e4", "e5"):
        return fp8_table(ty)[bits]
    return bits != 0 if ty == "i1" else np.ascontiguousarray(bits).view(HELD[ty])


def promote(a, b):
    """The type of an op on two tensors."""
    for ty in ("f64", "f32", "f16"):
        if ty in (a, b):
            return ty
    if "bf16" in (a, b):
        return "bf16" if a == b or not (a in FLOATS and b in FLOATS) and "bf16" in (a, b) and a == b else "f32"
    if a == b:
        return a
    if "i1" in (a, b):
        return b if a == "i1" else a
    if a[0] == b[0]:
        return a if BITS[a] > BITS[b] else b
    unsigned, signed = (a, b) if a[0] == "u" else (b, a)
    return unsigned if BITS[unsigned] >= BITS[signed] else signed


def type_with(number, other):
    """The type of an op on a number of the text and a tensor of another type."""
    if isinstance(number, bool):
        return other
    if isinstance(number, int):
        return other if other != "i1" else "i32"
    return other if other in FLOATS else "f32"


def cut(v, ty):
    """f32 in a narrower type, rounded towards zero; an e5m2 is the upper half of an f16."""
    if ty == "bf16":
        return (v.view(np.uint32) & np.uint32(0xffff0000)).view(np.float32)
    with np.errstate(all="ignore"):
        near = v.astype(np.float16)
        far = np.abs(near.astype(np.float32)) > np.abs(v)
        near = np.where(far, np.nextafter(near, np.float16(0)), near)
    if ty == "f16":
        return near
    return from_bits((near.view(np.uint16) >> np.uint16(8)).astype(np.uint8), ty)


def rounded(v, ty):
    if ty == "bf16":
        return round_bf16(v)
    return round_fp8(v, ty) if ty in ("e4", "e5") else v


class Tile:
    def __init__(self, v, ty):
        self.v, self.ty = np.asarray(v, HELD[ty]), ty

    shape = property(lambda self: list(self.v.shape))
    dtype = property(lambda self: Type(self.ty))
    T = property(lambda self: Tile(self.v.T, self.ty))

    def both(self, other):
        if isinstance(other, Tile):
            ty = promote(self.ty, other.ty)
            return convert(self.v, self.ty, ty), convert(other.v, other.ty, ty), ty
        ty = type_with(other, self.ty)
        return convert(self.v, self.ty, ty), np.asarray(other).astype(HELD[ty]), ty

    def arith(self, other, function, swap=False):
        if isinstance(other, Pointer):
            return other + self
        a, b, ty = self.both(other)
        with np.errstate(all="ignore"):
            return Tile(rounded(function(b, a) if swap else function(a, b), ty), ty)

    def compare(self, other, function):
        a, b, _ = self.both(other)
        return Tile(function(a, b), "i1")

    __add__ = lambda a, b: a.arith(b, np.add)
    __radd__ = lambda a, b: a.arith(b, np.add, True)
    __sub__ = lambda a, b: a.arith(b, np.subtract)
    __rsub__ = lambda a, b: a.arith(b, np.subtract, True)
    __mul__ = lambda a, b: a.arith(b, np.multiply)
    __rmul__ = lambda a, b: a.arith(b, np.multiply, True)
    __and__ = lambda a, b: a.arith(b, np.bitwise_and)
    __rand__ = lambda a, b: a.arith(b, np.bitwise_and, True)
    __or__ = lambda a, b: a.arith(b, np.bitwise_or)
    __xor__ = lambda a, b: a.arith(b, np.bitwise_xor)
    __ror__ = lambda a, b: a.arith(b, np.bitwise_or, True)
    __rxor__ = lambda a, b: a.arith(b, np.bitwise_xor, True)
    __floordiv__ = lambda a, b: a.arith(b, divide)
    __rfloordiv__ = lambda a, b: a.arith(b, divide, True)
    __mod__ = lambda a, b: a.arith(b, remain)
    __rmod__ = lambda a, b: a.arith(b, remain, True)
    __lshift__ = lambda a, b: a.arith(b, shift(np.left_shift))
    __rshift__ = lambda a, b: a.arith(b, shift(np.right_shift))
    __lt__ = lambda a, b: a.compare(b, np.less)
    __le__ = lambda a, b: a.compare(b, np.less_equal)
    __gt__ = lambda a, b: a.compare(b, np.greater)
    __ge__ = lambda a, b: a.compare(b, np.greater_equal)
    __eq__ = lambda a, b: a.compare(b, np.equal)
    __ne__ = lambda a, b: a.compare(b, np.not_equal)
    __invert__ = lambda a: Tile(~a.v, a.ty)
    __hash__ = None

    def __neg__(self):
        with np.errstate(all="ignore"):
            return Tile(np.negative(self.v), self.ty)

    def __bool__(self):
        return bool(self.v)

    def __index__(self):
        return int(self.v)

    def __getitem__(self, index):
        return Tile(self.v[index], self.ty)

    def to(self, dtype, bitcast=False, fp_downcast_rounding=None):
        if fp_downcast_rounding == "rtz":
            return Tile(cut(self.v, dtype.name), dtype.name)
        if bitcast:
            return Tile(from_bits(to_bits(self.v, self.ty), dtype.name), dtype.name)
        return Tile(convert(self.v, self.ty, dtype.name), dtype.name)


def divide(a, b):
    if np.any(b == 0) or a.dtype.kind == "i" and np.any((b == -1) & (a == np.iinfo(a.dtype).min)):
        raise Undefined("division")
    q = a // b
    return q if a.dtype.kind == "u" else q + ((a % b != 0) & ((a < 0) != (b < 0)))


def remain(a, b):
    if np.any(b == 0) or a.dtype.kind == "i" and np.any((b == -1) & (a == np.iinfo(a.dtype).min)):
        raise Undefined("division")
    return np.fmod(a, b)


def shift(function):
    def apply(a, b):
        if np.any((b < 0) | (b >= a.dtype.itemsize * 8)):
            raise Undefined("shift")
        return function(a, b)
    return apply


class Type:
    def __init__(self, name, pointed=False):
        self.name, self.pointed = name, pointed


class Array:
    """Memory around a base. Of one that is written, what was read and written between barriers is kept."""

    def __init__(self, name, ty, numbers, writes=False):
        self.name, self.ty, self.data, self.writes = name, ty, numbers, writes
        self.window = len(numbers) // 2         # in front of the base, and from it on
        self.low, self.high, self.program = 0, 0, 0
        self.read, self.written = np.zeros(len(numbers), np.int32), np.zeros(len(numbers), np.int32)
        self.owner = np.full(len(numbers), -1, np.int32)

    def forget(self):
        self.read[:], self.written[:], self.keys = 0, 0, {}

    def places(self, off, mask):
        live = off[mask]
        if live.size:
            low, high = int(live.min()), int(live.max())
            if low < -self.window or high >= self.window:
                raise Undefined("window")
            self.low, self.high = min(self.low, low), max(self.high, high)
        return live + self.window

    def touch(self, off, mask, writes):
        """Is all of it made by the threads that made it before, and by no other program?"""
        if not self.writes:
            return
        # Lane by lane the same but for one number: the same threads.
        lanes = off - off.flat[0] if off.size else off
        key = self.keys.setdefault((off.shape, lanes.tobytes()), len(self.keys) + 1)
        at = self.places(off, mask)
        written, read, owner = self.written[at], self.read[at], self.owner[at]
        if np.any((written != 0) & (written != key)):
            raise Undefined("written without a barrier")
        if writes and np.any((read != 0) & (read != key)):
            raise Undefined("read without a barrier")
        if np.any((owner != -1) & (owner != self.program)):
            raise Undefined("two programs")
        self.owner[at] = self.program
        if writes:
            self.written[at] = key
        else:
            self.read[at] = np.where((read == 0) | (read == key), key, -1)


class Pointer:
    def __init__(self, array, off):
        self.array, self.off = array, np.asarray(off, np.int64)

    shape = property(lambda self: list(self.off.shape))
    dtype = property(lambda self: PointerType(self.array.ty))

    def __add__(self, other):
        return Pointer(self.array, self.off + (other.v.astype(np.int64) if isinstance(other, Tile) else other))

    def __sub__(self, other):
        return Pointer(self.array, self.off - (other.v.astype(np.int64) if isinstance(other, Tile) else other))

    __radd__ = __add__

    def __getitem__(self, index):
        return Pointer(self.array, self.off[index])

    def to(self, dtype):
        if dtype.name == "i64" and not dtype.pointed:
            return Address(self.array, self.off * (BITS[self.array.ty] // 8))
        by = BITS[self.array.ty] / BITS[dtype.name]
        off = self.off * by
        if np.any(off != np.floor(off)):
            raise Undefined("a pointer between two numbers")
        return Pointer(Recast(self.array, dtype.name), off.astype(np.int64))


class Address(Pointer):
    """A pointer's number: bytes behind where its array begins."""

    def __add__(self, other):
        return Address(self.array, Pointer.__add__(self, other).off)

    __radd__ = __add__

    def to(self, dtype):
        size = BITS[dtype.name] // 8
        if np.any(self.off % size):
            raise Undefined("a pointer between two numbers")
        return Pointer(self.array if dtype.name == self.array.ty else Recast(self.array, dtype.name), self.off // size)


class Chosen:
    """Pointers of which each is one of two, to different arrays perhaps."""

    def __init__(self, condition, yes, no):
        self.condition, self.yes, self.no = condition, yes, no

    def __add__(self, other):
        return Chosen(self.condition, self.yes + other, self.no + other)

    __radd__ = __add__

    def parts(self, mask):
        """Each of the two, and where it is meant; the first may be made of two itself."""
        condition = np.asarray(self.condition)
        on = np.ones(condition.shape, bool) if mask is None else mask.v
        return (self.yes, Tile(condition & on, "i1")), (self.no, Tile(~condition & on, "i1"))


class PointerType:
    def __init__(self, ty):
        self.element_ty = Type(ty)


class Recast:
    """An array of integers that is read as numbers of another size."""
    writes = False

    def __init__(self, array, ty):
        self.array, self.ty, self.data, self.by = array, ty, array.data.view(HELD[ty]), BITS[ty] / BITS[array.ty]

    def touch(self, off, mask, writes):
        if writes:
            raise Undefined("written by pointers of another type")

    def places(self, off, mask):
        live = off[mask]
        whole = np.concatenate([live * self.by, (live + 1) * self.by - 1]) if self.by >= 1 else live * self.by
        at = np.floor(whole).astype(np.int64)
        self.array.places(at, np.ones(at.shape, bool))
        return live + int(self.array.window / self.by)


class Program:
    """Where a launch is: the number of the program, and the arrays whose barriers are met."""
    ids, extents, arrays = (0, 0, 0), (1, 1, 1), ()


def the_range(*ends, **_):
    types = [end.ty for end in ends if isinstance(end, Tile)]
    ty = "i64" if "i64" in types else "i32"
    for i in builtins.range(*[int(end) for end in ends]):
        yield Tile(i, ty)


class FakeTriton:
    jit = staticmethod(lambda function=None, **_: function or (lambda inner: inner))
    cdiv = staticmethod(lambda a, b: (a + (b - 1)) // b)


def launch(text, name, grid, arguments, arrays):
    """Runs all programs of the kernel that `text` defines; `arguments` by name."""
    from language import Language
    space = {"triton": FakeTriton, "tl": Language, "range": the_range}
    exec(compile(text, name, "exec"), space)
    Program.arrays, Program.extents = arrays, grid
    order = itertools.product(range(grid[2]), range(grid[1]), range(grid[0]))
    for number, (z, y, x) in enumerate(order):
        Program.ids = (x, y, z)
        for array in arrays:
            array.forget()
            array.program = number
        space[name](**arguments)

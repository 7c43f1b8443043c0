"""triton.language for reference.py: what its kernels call, by NumPy."""

import builtins

import numpy as np

from reference import (BITS, FLOATS, POISON, HELD, Chosen, Pointer, Program, Tile, Type, Undefined, convert,
                       from_bits, rounded, the_range)


def tile(x, like=None):
    if isinstance(x, (Tile, Pointer)):
        return x
    if like is not None:
        return Tile(np.asarray(x).astype(HELD[like]), like)
    return Tile(x, "i1" if isinstance(x, bool) else "i32" if isinstance(x, int) else "f32")


def lanes(mask, shape):
    if mask is None:
        return np.ones(shape, bool)
    return np.broadcast_to(tile(mask).v, shape).astype(bool)


def common(a, b):
    """Two operands in the type of an op on them."""
    if not isinstance(a, Tile) and not isinstance(b, Tile):
        a = tile(a)
    if not isinstance(a, Tile):
        b, a, _ = (lambda x, y, ty: (Tile(x, ty), Tile(y, ty), ty))(*b.both(a))
        return a, b
    x, y, ty = a.both(b)
    return Tile(x, ty), Tile(y, ty)


def combined(parts, axis, function, count):
    """Folds tiles along an axis from its beginning, in order."""
    def row(i):
        return [Tile(np.take(p.v, i, axis), p.ty) for p in parts]
    total = row(0)
    yield total
    for i in builtins.range(1, parts[0].v.shape[axis]):
        out = function(*total, *row(i))
        total = list(out) if count > 1 else [out]
        yield total


def limit(x, y, function, nan):
    a, b = common(x, y)
    if a.ty == "bf16":
        a, b = a.to(Type("f32")), b.to(Type("f32"))
    if a.ty in FLOATS and not nan:
        function = {np.maximum: np.fmax, np.minimum: np.fmin}[function]
    with np.errstate(all="ignore"):
        return Tile(function(a.v, b.v), a.ty)


def pick_sum(x, dtype=None):
    if dtype is not None:
        return x.to(dtype)
    if x.ty in ("i1", "i8", "i16", "u8", "u16"):
        return x.to(Type("i32" if x.ty[0] == "i" and x.ty != "i1" else "u32"))
    return x


def reducer(function, prepare):
    def apply(x, axis=None, keep_dims=False, dtype=None, **_):
        x = x.to(dtype) if dtype is not None else prepare(x)
        axes = tuple(range(x.v.ndim)) if axis is None else (axis,)
        with np.errstate(all="ignore"):
            return Tile(rounded(function(x.v, axis=axes, keepdims=keep_dims).astype(HELD[x.ty]), x.ty), x.ty)
    return staticmethod(apply)


def as_wide(x):
    return x.to(Type("f32" if x.ty in FLOATS else "i32")) if BITS[x.ty] < 32 else x


def extreme(function, place):
    alone, where = reducer(function, as_wide).__func__, argument(place).__func__

    def apply(x, axis=None, return_indices=False, keep_dims=False, return_indices_tie_break_left=True, **_):
        if not return_indices:
            return alone(x, axis, keep_dims)
        index = where(x, axis)
        return Tile(np.take_along_axis(x.v, np.expand_dims(index.v, axis), axis).squeeze(axis), x.ty), index
    return staticmethod(apply)


def typed_sum(v, axis, keepdims):
    return np.sum(v, axis=axis, keepdims=keepdims, dtype=v.dtype)


def argument(function):
    def apply(x, axis, tie_break_left=True, keep_dims=False):
        out = function(x.v, axis=axis)
        return Tile(np.expand_dims(out, axis) if keep_dims else out, "i32")
    return staticmethod(apply)


class Box:
    """A tile of an array's, by coordinates; what lies beyond the array is 0 or NaN, and not stored."""

    def __init__(self, base, shape, strides, block_shape, padding_option="zero"):
        self.base, self.shape, self.strides, self.block = base, shape, strides, block_shape
        self.other = 0 if base.array.ty not in FLOATS else np.nan if padding_option == "nan" else 0.0

    def places(self, at):
        off, inside = 0, True
        for d, size in enumerate(self.block):
            along = int(at[d]) + np.arange(size, dtype=np.int64)
            along = along.reshape([-1 if k == d else 1 for k in builtins.range(len(self.block))])
            off, inside = off + along * int(self.strides[d]), inside & (along >= 0) & (along < int(self.shape[d]))
        return self.base + Tile(off, "i64"), Tile(inside, "i1")

    def load(self, at):
        pointer, inside = self.places(at)
        return Language.load(pointer, mask=inside, other=self.other)

    def store(self, at, value):
        pointer, inside = self.places(at)
        Language.store(pointer, value, mask=inside)

    def rows(self, index, column):
        """Rows that a list names, from a column on."""
        row, along = index.v.astype(np.int64)[:, None], int(column) + np.arange(self.block[1], dtype=np.int64)[None, :]
        inside = (row >= 0) & (row < int(self.shape[0])) & (along >= 0) & (along < int(self.shape[1]))
        return self.base + Tile(row * int(self.strides[0]) + along, "i64"), Tile(inside, "i1")

    def gather(self, index, column):
        pointer, inside = self.rows(index, column)
        return Language.load(pointer, mask=inside, other=self.other)

    def scatter(self, value, index, column):
        pointer, inside = self.rows(index, column)
        Language.store(pointer, value, mask=inside)

    def __getattr__(self, name):
        """atomic_add and its like."""
        if not name.startswith("atomic_"):
            raise AttributeError(name)

        def apply(at, value):
            pointer, inside = self.places(at)
            getattr(Language, name)(pointer, value, mask=inside)
        return apply


class BlockPointer:
    """A tile of an array's by a pointer that knows its shape."""

    def __init__(self, base, shape, strides, offsets, block_shape, order):
        self.box, self.offsets, self.order = Box(base, shape, strides, list(block_shape)), list(offsets), order

    def advanced(self, by):
        box = self.box
        return BlockPointer(box.base, box.shape, box.strides, [a + b for a, b in zip(self.offsets, by)], box.block, self.order)


def bits32(v):
    return v.astype(np.uint32)


def from_signed(v):
    return v.astype(np.uint32).astype(np.int32)


# What the texts of extras.py do to each element, by their first word; the operands are as wide as there.
ASM = {
    "add.s32": lambda a, b: a + b, "add.s64": lambda a, b: a + b, "and.b32": None, "xor.b32": lambda a, b: a ^ b,
    "or.b32": lambda a, b: a | b, "lop3.b32": lambda a, b, c: (a & b) | (a & c) | (b & c),
    "prmt.b32": lambda a, b: from_signed((bits32(a) & 255) | (bits32(b) & 255) << np.uint32(8) | (bits32(a) & 0xff00) << np.uint32(8) |
                                         (bits32(b) & 0xff00) << np.uint32(16)),
    "shf.l.wrap.b32": lambda a, b: from_signed(bits32(b) << np.uint32(7) | bits32(a) >> np.uint32(25)),
    "bfe.u32": lambda a: (a >> np.uint32(5)) & np.uint32(2047),
    "popc.b32": lambda a: np.array([bin(int(x) & 0xffffffff).count("1") for x in a.ravel()], np.int32).reshape(a.shape),
    "brev.b32": lambda a: from_signed(np.array([int(f"{int(x) & 0xffffffff:032b}"[::-1], 2) for x in a.ravel()],
                                               np.uint64).reshape(a.shape)),
    "mul.hi.s32": lambda a, b: ((a.astype(np.int64) * b.astype(np.int64)) >> np.int64(32)).astype(np.int32)}


def inline_asm(text, constraints, args, dtype, is_pure=True, pack=1):
    values = np.broadcast_arrays(*[a.v for a in args])
    with np.errstate(all="ignore"):
        if text.startswith("{ add"):
            a, b = values
            return Tile(a + b, args[0].ty), Tile(a - b, args[0].ty)
        if text.startswith("{ .reg"):
            a, b = values
            return Tile((a << np.int32(3)) + b, args[0].ty)
        if text.startswith("and.b32"):
            return Tile(values[0] & np.uint8(0x1f), args[0].ty)
        return Tile(ASM[text.split()[0]](*values), args[0].ty)


def philox(seed, c0, n_rounds):
    """Four numbers of 32 bits of each counter (Salmon et al., Parallel random numbers: as easy as 1, 2, 3)."""
    seed = int(seed.v if isinstance(seed, Tile) else seed) & (2 ** 64 - 1)
    c0 = c0.v.astype(np.uint32).astype(np.uint64)
    c1, c2, c3 = np.zeros_like(c0), np.zeros_like(c0), np.zeros_like(c0)
    k0, k1, low, half = seed & 0xffffffff, seed >> 32, np.uint64(0xffffffff), np.uint64(32)
    for _ in builtins.range(n_rounds):
        a, b = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (b >> half) ^ c1 ^ np.uint64(k0), b & low, (a >> half) ^ c3 ^ np.uint64(k1), a & low
        k0, k1 = (k0 + 0x9E3779B9) & 0xffffffff, (k1 + 0xBB67AE85) & 0xffffffff
    return [Tile(c.astype(np.uint32), "u32") for c in (c0, c1, c2, c3)]


def rand(seed, offset, n_rounds=10):
    x = philox(seed, offset, n_rounds)[0].v.astype(np.int32)
    x = np.where(x < 0, -x - 1, x)
    return Tile(x.astype(np.float32) * np.float32(4.6566127342e-10), "f32")


def map_elementwise(function, *args):
    parts = np.broadcast_arrays(*[a.v for a in args])
    with np.errstate(all="ignore"):
        out = [function(*[Tile(p.flat[i], a.ty) for p, a in zip(parts, args)]) for i in builtins.range(parts[0].size)]
    return Tile(np.array([x.v for x in out]).reshape(parts[0].shape), out[0].ty)


def atomic(function):
    def apply(pointer, val, mask=None, **_):
        a = pointer.array
        a.touch(pointer.off, lanes(mask, pointer.off.shape), True)
        on, val = lanes(mask, pointer.off.shape), tile(val, a.ty)
        at = a.places(pointer.off, on)
        new = np.broadcast_to(convert(val.v, val.ty, a.ty), pointer.off.shape)[on]
        old = np.zeros(pointer.off.shape, HELD[a.ty])
        old[on] = a.data[at]
        with np.errstate(all="ignore"):
            if function is None:
                a.data[at] = new
            else:
                function.at(a.data, at, new)
        return Tile(old, a.ty)
    return staticmethod(apply)


def each(function, *tiles, to=None):
    """A function of whole numbers, element by element."""
    parts, ty = np.broadcast_arrays(*[t.v for t in tiles]), to or tiles[0].ty
    mask = (1 << BITS[ty]) - 1
    out = [function(*[int(p.flat[i]) for p in parts]) & mask for i in builtins.range(parts[0].size)]
    return Tile(np.array(out, f"u{BITS[ty] // 8}").view(HELD[ty]).reshape(parts[0].shape), ty)


def low(x, bits):
    """The low bits of a number, as one with a sign."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def towards(x, ty, way):
    """A whole number as a float, rounded to the nearest, towards zero, down or up."""
    near = HELD[ty](x)
    back = int(near)
    if way == "rn" or back == x:
        return near
    down = back if back < x else int(np.nextafter(near, HELD[ty](-np.inf)))
    up = back if back > x else int(np.nextafter(near, HELD[ty](np.inf)))
    return HELD[ty](up if way == "ru" or way == "rz" and x < 0 else down)


def whole(x, to, way):
    """A float as a whole number."""
    function = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}[way]
    return Tile(function(x.v).astype(HELD[to]), to)


def half_away(v):
    return np.copysign(np.floor(np.abs(v) + v.dtype.type(.5)), v)


def byte_perm(a, b, s):
    held = (b & 0xffffffff) << 32 | (a & 0xffffffff)
    return sum((held >> 8 * (s >> 4 * i & 7) & 255) << 8 * i for i in builtins.range(4))


def remainder(x, y):
    with np.errstate(all="ignore"):
        a, b = x.v.astype(np.float64), y.v.astype(np.float64)
        return Tile((a - b * np.rint(a / b)).astype(HELD[x.ty]), x.ty)


class Libdevice:
    floor, ceil, trunc, rint, nearbyint = (staticmethod(lambda x, f=f: Tile(f(x.v), x.ty))
                                           for f in (np.floor, np.ceil, np.trunc, np.rint, np.rint))
    round = staticmethod(lambda x: Tile(half_away(x.v), x.ty))
    fmod, copysign = (staticmethod(lambda x, y, f=f: x.arith(y, f)) for f in (np.fmod, np.copysign))
    fdim = staticmethod(lambda x, y: x.arith(y, lambda a, b: np.where(a > b, a - b, a.dtype.type(0))))
    remainder = staticmethod(remainder)
    popc = staticmethod(lambda x: each(lambda a: bin(a & (1 << BITS[x.ty]) - 1).count("1"), x, to="i32"))
    clz = staticmethod(lambda x: each(lambda a: BITS[x.ty] - (a & (1 << BITS[x.ty]) - 1).bit_length(), x, to="i32"))
    ffs = staticmethod(lambda x: each(lambda a: (a & -a).bit_length() if a else 0, x, to="i32"))
    brev = staticmethod(lambda x: each(lambda a: int(f"{a & (1 << BITS[x.ty]) - 1:0{BITS[x.ty]}b}"[::-1], 2), x))
    abs = staticmethod(lambda x: each(builtins.abs, x))
    mulhi = staticmethod(lambda x, y: each(lambda a, b: a * b >> BITS[x.ty], x, y))
    mul24 = staticmethod(lambda x, y: each(lambda a, b: low(a, 24) * low(b, 24), x, y))
    hadd = staticmethod(lambda x, y: each(lambda a, b: a + b >> 1, x, y))
    rhadd = staticmethod(lambda x, y: each(lambda a, b: a + b + 1 >> 1, x, y))
    byte_perm = staticmethod(lambda x, y, s: each(byte_perm, x, y, s))
    sad = staticmethod(lambda x, y, z: each(lambda a, b, c: builtins.abs(a - b) + c, x, y, z))
    llrint = staticmethod(lambda x: whole(x, "i64", "rn"))
    llround = staticmethod(lambda x: Tile(half_away(x.v).astype(np.int64), "i64"))
    float_as_int = staticmethod(lambda x: Tile(x.v.view(np.int32), "i32"))
    double_as_longlong = staticmethod(lambda x: Tile(x.v.view(np.int64), "i64"))


for way in ("rn", "rz", "rd", "ru"):
    for name, to in (("float2int", "i32"), ("double2int", "i32"), ("float2ll", "i64"), ("double2ll", "i64")):
        setattr(Libdevice, f"{name}_{way}", staticmethod(lambda x, to=to, way=way: whole(x, to, way)))
    for name, to in (("int2float", "f32"), ("ll2float", "f32"), ("ll2double", "f64")):
        setattr(Libdevice, f"{name}_{way}", staticmethod(lambda x, to=to, way=way: Tile(
            np.array([towards(int(v), to, way) for v in x.v.ravel()], HELD[to]).reshape(x.v.shape), to)))


class Extra:
    libdevice = Libdevice


class Language:
    constexpr, extra = int, Extra
    range, static_range = staticmethod(the_range), staticmethod(builtins.range)
    int1, int8, int16, int32, int64 = (Type(t) for t in ("i1", "i8", "i16", "i32", "i64"))
    uint8, uint16, uint32, uint64 = (Type(t) for t in ("u8", "u16", "u32", "u64"))
    float16, bfloat16, float32, float64 = (Type(t) for t in ("f16", "bf16", "f32", "f64"))
    float8e4nv, float8e5 = Type("e4"), Type("e5")
    program_id = staticmethod(lambda axis: Tile(Program.ids[axis], "i32"))
    num_programs = staticmethod(lambda axis: Tile(Program.extents[axis], "i32"))
    arange = staticmethod(lambda low, high: Tile(np.arange(low, high), "i32"))
    full = staticmethod(lambda shape, value, dtype: Tile(
        np.full(shape, convert(value.v, value.ty, dtype.name) if isinstance(value, Tile) else value,
                HELD[dtype.name]), dtype.name))
    zeros = staticmethod(lambda shape, dtype: Tile(np.zeros(shape), dtype.name))
    sum, xor_sum = reducer(typed_sum, pick_sum), reducer(np.bitwise_xor.reduce, lambda x: x)
    max, min = extreme(np.fmax.reduce, np.argmax), extreme(np.fmin.reduce, np.argmin)
    argmax, argmin = argument(np.argmax), argument(np.argmin)
    atomic_add, atomic_max, atomic_min = atomic(np.add), atomic(np.maximum), atomic(np.minimum)
    atomic_xchg, make_tensor_descriptor, make_block_ptr = atomic(None), Box, BlockPointer
    advance = staticmethod(lambda pointer, by: pointer.advanced(by))

    class math:
        exp2 = staticmethod(lambda x: Tile(np.exp2(x.v), x.ty))

    class PropagateNan:
        ALL = True

    @staticmethod
    def atomic_cas(pointer, cmp, val, **_):
        a = pointer.array
        on = lanes(None, pointer.off.shape)
        a.touch(pointer.off, on, True)
        at = a.places(pointer.off, on)
        old = a.data[at]
        a.data[at] = np.where(old == np.ravel(tile(cmp).v), np.ravel(tile(val).v), old)
        return Tile(old.reshape(pointer.off.shape), a.ty)

    atomic_and, atomic_or, atomic_xor = atomic(np.bitwise_and), atomic(np.bitwise_or), atomic(np.bitwise_xor)

    @staticmethod
    def load(pointer, mask=None, other=None, **_):
        if isinstance(pointer, BlockPointer):
            return pointer.box.load(pointer.offsets)
        if isinstance(pointer, Chosen):
            (x, first), (y, second) = pointer.parts(mask)
            read = Language.load(y, mask=second, other=other)
            return Tile(np.where(first.v, Language.load(x, mask=first, other=other).v, read.v), read.ty)
        a, on = pointer.array, lanes(mask, pointer.off.shape)
        a.touch(pointer.off, on, False)
        at = a.places(pointer.off, on)
        if other is None:
            size = BITS[a.ty] // 8 if a.ty != "i1" else 1
            bits = np.full(1, POISON[0], np.uint8).repeat(size).view(f"u{size}")
            out = np.full(pointer.off.shape, from_bits(bits, a.ty)[0])
        else:
            other = tile(other, a.ty)
            out = np.broadcast_to(convert(other.v, other.ty, a.ty), pointer.off.shape).copy()
        out[on] = a.data[at]
        return Tile(out, a.ty)

    @staticmethod
    def store(pointer, value, mask=None, **_):
        if isinstance(pointer, Chosen):
            for part, on in pointer.parts(mask):
                Language.store(part, value, mask=on)
            return
        a, on, value = pointer.array, lanes(mask, pointer.off.shape), tile(value, pointer.array.ty)
        a.touch(pointer.off, on, True)
        at = a.places(pointer.off, on)
        new = np.broadcast_to(convert(value.v, value.ty, a.ty), pointer.off.shape)[on]
        a.data[at] = new
        if not np.array_equal(a.data[at], new, equal_nan=a.ty in FLOATS):
            raise Undefined("two lanes of a store")

    @staticmethod
    def debug_barrier():
        for array in Program.arrays:
            array.forget()

    @staticmethod
    def where(condition, x, y):
        condition = tile(condition)
        if isinstance(x, Chosen) or isinstance(x, Pointer) and x.array is not y.array:
            return (x if condition.v else y) if condition.v.ndim == 0 else Chosen(condition.v, x, y)
        if isinstance(x, Pointer):
            return Pointer(x.array, np.where(condition.v, x.off, y.off))
        if isinstance(x, Tile) or isinstance(y, Tile):
            x, y = common(x, y)
        else:
            x, y = tile(x), tile(y)
        return Tile(np.where(condition.v, x.v, y.v), x.ty)

    maximum = staticmethod(lambda x, y, propagate_nan=False: limit(x, y, np.maximum, propagate_nan))
    minimum = staticmethod(lambda x, y, propagate_nan=False: limit(x, y, np.minimum, propagate_nan))
    abs = staticmethod(lambda x: Tile(np.abs(x.v), x.ty))
    trans = staticmethod(lambda x, *order: Tile(np.transpose(x.v, order[0] if order and isinstance(order[0], (list, tuple)) else order or None), x.ty))
    permute = trans
    reshape = staticmethod(lambda x, *shape, can_reorder=False: Tile(
        x.v.reshape(shape[0] if isinstance(shape[0], (list, tuple)) else shape), x.ty))
    cat = staticmethod(lambda a, b, can_reorder=False: Tile(np.concatenate([a.v, b.v]), a.ty))
    expand_dims = staticmethod(lambda x, axis: Tile(np.expand_dims(x.v, axis), x.ty))
    broadcast_to = staticmethod(lambda x, *shape: Tile(np.broadcast_to(x.v, shape[0]), x.ty))
    flip = staticmethod(lambda x, dim=None: Tile(np.flip(x.v, dim), x.ty))
    join = staticmethod(lambda a, b: Tile(np.stack(np.broadcast_arrays(a.v, b.v), -1), a.ty))
    split = staticmethod(lambda x: (Tile(x.v[..., 0], x.ty), Tile(x.v[..., 1], x.ty)))
    interleave = staticmethod(lambda a, b: Tile(np.stack([a.v, b.v], -1).reshape(*a.v.shape[:-1], -1), a.ty))
    gather = staticmethod(lambda x, index, axis: Tile(np.take_along_axis(x.v, index.v, axis), x.ty))
    cdiv = staticmethod(lambda a, b: (a + (b - 1)) // b)
    multiple_of = max_contiguous = max_constancy = staticmethod(lambda x, _: x)
    assume = staticmethod(lambda _: None)

    inline_asm_elementwise, map_elementwise, rand = staticmethod(inline_asm), staticmethod(map_elementwise), staticmethod(rand)
    randint4x = staticmethod(lambda seed, offset, n_rounds=10: philox(seed, offset, n_rounds))
    randint = staticmethod(lambda seed, offset, n_rounds=10: philox(seed, offset, n_rounds)[0])
    pointer_type = staticmethod(lambda ty: Type(ty.name, True))
    static_assert = device_assert = staticmethod(lambda *_: None)
    clamp = staticmethod(lambda x, low, high: Tile(np.clip(x.v, low, high), x.ty))
    exp2 = math.exp2
    sqrt_rn = staticmethod(lambda x: Tile(np.sqrt(x.v), x.ty))
    fma = staticmethod(lambda a, b, c: a * b + c)
    floor, ceil = staticmethod(lambda x: Tile(np.floor(x.v), x.ty)), staticmethod(lambda x: Tile(np.ceil(x.v), x.ty))
    div_rn = fdiv = staticmethod(lambda x, by: tile(x).arith(by, np.divide))
    reduce_or = staticmethod(lambda x, axis: Tile(np.any(x.v, axis=axis), "i1"))

    @staticmethod
    def sort(x, dim=-1, descending=False):
        v = np.sort(x.v, axis=-1)
        return Tile(np.flip(v, -1) if descending else v, x.ty)

    @staticmethod
    def topk(x, k):
        return Tile(np.flip(np.sort(x.v, axis=-1), -1)[..., :k], x.ty)

    @staticmethod
    def cumsum(x, axis=0, reverse=False, dtype=None):
        x = pick_sum(x.to(Type("f32")) if x.ty == "bf16" else x, dtype)
        v = np.flip(x.v, axis) if reverse else x.v
        v = np.cumsum(v, axis=axis, dtype=v.dtype)
        return Tile(np.flip(v, axis) if reverse else v, x.ty)

    @staticmethod
    def cumprod(x, axis=0, reverse=False):
        v = np.flip(x.v, axis) if reverse else x.v
        v = np.cumprod(v, axis=axis, dtype=v.dtype)
        return Tile(np.flip(v, axis) if reverse else v, x.ty)

    @staticmethod
    def reduce(x, axis, function):
        parts = list(x) if isinstance(x, tuple) else [x]
        *_, last = combined(parts, axis, function, len(parts))
        return tuple(last) if isinstance(x, tuple) else last[0]

    @staticmethod
    def associative_scan(x, axis, function, reverse=False):
        parts = list(x) if isinstance(x, tuple) else [x]
        if reverse:
            parts = [Tile(np.flip(p.v, axis), p.ty) for p in parts]
        rows = list(combined(parts, axis, function, len(parts)))
        out = [np.stack([row[i].v for row in rows], axis) for i in builtins.range(len(parts))]
        out = [Tile(np.flip(v, axis) if reverse else v, p.ty) for v, p in zip(out, parts)]
        return tuple(out) if isinstance(x, tuple) else out[0]

    @staticmethod
    def histogram(x, bins, mask=None):
        on = lanes(mask, x.v.shape)
        if np.any((x.v[on] < 0) | (x.v[on] >= bins)):
            raise Undefined("histogram")
        return Tile(np.bincount(x.v[on].astype(np.int64), minlength=bins), "i32")

    @staticmethod
    def dot(a, b, acc=None, input_precision=None, out_dtype=None, **_):
        ty = "i32" if a.ty in ("i8", "u8") else acc.ty if acc is not None else out_dtype.name if out_dtype else "f32"
        wide = np.int64 if ty == "i32" else np.float64
        v = np.matmul(a.v.astype(wide), b.v.astype(wide)) + (acc.v.astype(wide) if acc is not None else 0)
        return Tile(convert(v, "i64" if ty == "i32" else "f64", ty), ty)

    @staticmethod
    def dot_scaled(lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc=None, lhs_k_pack=True, rhs_k_pack=True, **_):
        def numbers(x, scale, form, axis, packed):
            """Of either operand; K is its `axis`, from behind, and halves lie side by side along `packed`."""
            v = x.v.astype(np.float64)
            if form == "e2m1":
                table = np.array([0, .5, 1, 1.5, 2, 3, 4, 6])
                code = np.stack([x.v & 15, x.v >> 4], packed % x.v.ndim + 1)
                code = code.reshape([2 * n if d == packed % x.v.ndim else n for d, n in enumerate(x.v.shape)])
                v = np.where(code & 8, -1, 1) * table[code & 7]
            if scale is not None:
                by = np.repeat(np.exp2(scale.v.astype(np.float64) - 127), 32, -1)
                v = v * (by if axis == -1 else np.swapaxes(by, -1, -2))
            return v
        with np.errstate(all="ignore"):
            v = np.matmul(numbers(lhs, lhs_scale, lhs_format, -1, -1 if lhs_k_pack else -2),
                          numbers(rhs, rhs_scale, rhs_format, -2, -2 if rhs_k_pack else -1))
        return Tile((v + (acc.v if acc is not None else 0)).astype(np.float32), "f32")

    @staticmethod
    def umulhi(a, b):
        wide = np.vectorize(lambda x, y: (int(x) * int(y)) >> BITS[a.ty], otypes=[object])
        return Tile(np.array(wide(*np.broadcast_arrays(a.v, b.v)), dtype=object).astype(HELD[a.ty]), a.ty)

"""What the other kinds leave out, among statements of any kind: inline PTX, functions of single elements, random numbers,
functions that are called, arguments that are floats, truths or of 64 bits, products of few rows, memory by pointers of
another type, floats in order, rounding towards zero, tiles of up to eight dimensions."""

import numpy as np

from generate import COMBINES, NOINLINE, Statements
from reference import BITS, FLOATS, INTS
from values import EXACT, MOST, SUMS, TL, Value

# By text: constraints, the type of operands and results, how many of both, and how many elements a call takes.
ASM = {
    "add.s32 $0, $1, $2;": ("=r,r,r", "i32", 2, 1, 1),
    "lop3.b32 $0, $1, $2, $3, 0xe8;": ("=r,r,r,r", "i32", 3, 1, 1),
    "prmt.b32 $0, $1, $2, 0x5140;": ("=r,r,r", "i32", 2, 1, 1),
    "shf.l.wrap.b32 $0, $1, $2, 7;": ("=r,r,r", "i32", 2, 1, 1),
    "bfe.u32 $0, $1, 5, 11;": ("=r,r", "u32", 1, 1, 1),
    "popc.b32 $0, $1;": ("=r,r", "i32", 1, 1, 1),
    "brev.b32 $0, $1;": ("=r,r", "i32", 1, 1, 1),
    "mul.hi.s32 $0, $1, $2;": ("=r,r,r", "i32", 2, 1, 1),
    "add.s64 $0, $1, $2;": ("=l,l,l", "i64", 2, 1, 1),
    "{ add.s32 $0, $2, $3; sub.s32 $1, $2, $3; }": ("=r,=r,r,r", "i32", 2, 2, 1),
    # (Which elements a call has together is nobody's promise, so all are treated alike.)
    "and.b32 $0, $1, 0x1f1f1f1f;": ("=r,r", "u8", 1, 1, 4),
    "xor.b32 $0, $1, $2;": ("=r,r,r", "i8", 2, 1, 4),
    "or.b32 $0, $1, $2; // halves": ("=r,r,r", "i16", 2, 1, 2),
    "{ .reg .b32 t; shl.b32 t, $1, 3; add.s32 $0, t, $2; }": ("=r,r,r", "i32", 2, 1, 1)}

SCALARS = {
    "steps": "def steps(a, b):\n    if a > b:\n        c = a - b\n    else:\n        c = b * 3\n    return c",
    "choose": "def choose(a, b):\n    c = a & 3\n    if c == 0:\n        c = b\n    elif c == 1:\n        c = a ^ b\n    return c + 1",
    "turned": "def turned(a, b):\n    c = a\n    for k in tl.static_range(3):\n        c = c * 2 + b\n    return c"}
CALLED = {
    "called": "def called(a, b):\n    return a * 3 + b",
    "halves": "def halves(a, b):\n    c = tl.maximum(a, b)\n    return c - b, a ^ 1",
    "counts": "def counts(a, b):\n    for k in range(0, 3):\n        a = a * 2 + b\n    return a",
    "places": "def places(p, n):\n    return tl.load(p + (n & 31))"}
COMBINES.update({name: (text, 0) for name, text in {**SCALARS, **CALLED}.items()})
NOINLINE.update(CALLED)


class Extras(Statements):
    def begin(self):
        super().begin()
        self.budget = self.random.randint(6, 18)
        self.scalars = {}
        for _ in range(self.pick(0, 1, 2)):
            kind = self.pick("i64", "f32", "i1", "u32")
            name = self.name("g")
            choices = {"i64": [2 ** 40, -2 ** 33, 3 * 2 ** 31, 2 ** 32 + 5], "f32": [0.5, 2.0, -3.0, 4.0], "i1": [True, False],
                       "u32": [2 ** 31, 2 ** 32 - 1, 2 ** 31 + 8]}[kind]
            self.scalars[name] = choices
            # (A number from 2^31 on is one without a sign from 2^63 on alone: i64.)
            self.values.append(Value(name, "i64" if kind == "u32" else kind, (), 4))
        if self.chance(.3):
            self.options["maxnreg"] = self.pick(32, 64, 128, 255)

    def statement(self):
        if self.budget <= 0:
            return
        if self.chance(.45):
            return super().statement()
        self.budget -= 1
        self.random.choice([self.asm, self.asm, self.mapped, self.numbers_at_random, self.calls, self.calls, self.few_rows,
                            self.other_type, self.float_order, self.cuts, self.deep, self.kinds_of_stores, self.clamped,
                            self.ties, self.folds_kept, self.wide_index, self.bytes_of])()

    def whole(self, types, shape=None, most=None):
        """A tile of one of these types, not too large."""
        shape = shape or self.pick(*[s for s in self.shapes if s and (not most or np.prod(s) <= most)] or [(16,)])
        return self.find(shape, types)

    def asm(self):
        text, (constraints, ty, inputs, outputs, pack) = self.pick(*ASM.items())
        a = self.whole((ty,))
        if np.prod(a.shape) % pack or a.shape[-1] % pack:
            return
        args = [a] + [self.find(a.shape, (ty,)) for _ in range(inputs - 1)]
        pure = self.pick("True", "True", "False") if outputs == 1 else "True"
        tys = f"tl.{TL[ty]}" if outputs == 1 else "(" + ", ".join([f"tl.{TL[ty]}"] * outputs) + ")"
        call = f'tl.inline_asm_elementwise("{text}", "{constraints}", [{", ".join(v.name for v in args)}], '
        self.values += self.named(f"{call}dtype={tys}, is_pure={pure}, pack={pack})", *[(ty, a.shape)] * outputs)

    def mapped(self):
        ty = self.pick("i32", "i64", "i16", "u32")
        a = self.whole((ty,), most=512)
        b = self.find(a.shape, (ty,))
        name = self.pick(*SCALARS)
        ty = "i32" if name == "choose" and ty == "i16" else ty
        if a.ty in ("i16", "u32"):
            return
        self.need(name)
        self.bind(f"tl.map_elementwise({name}, {a.name}, {b.name})", a.ty, a.shape)

    def need(self, name):
        if name not in self.helpers:
            self.helpers.append(name)

    def numbers_at_random(self):
        a = self.whole(("i32", "u32"))
        kind = self.random.randrange(3)
        seed = self.pick("7", "pid0", *self.numbers)
        if kind == 0:
            return self.bind(f"tl.randint({seed}, {a.name})", "u32", a.shape)
        if kind == 1:
            return self.bind(f"(tl.rand({seed}, {a.name}) * 4.0).to(tl.int32)", "i32", a.shape)
        self.values += self.named(f"tl.randint4x({seed}, {a.name}{self.pick('', ', n_rounds=7')})", *[("u32", a.shape)] * 4)

    def calls(self):
        """Functions that are called, of numbers."""
        name = self.pick(*CALLED)
        self.need(name)
        if name == "places":
            ty = self.pick("i32", "f32", "f16")
            return self.bind(f"places({self.source(ty)}, {self.find((), ('i32',)).name})", ty, (), 4)
        ty = self.pick("i32", "i64")
        a, b = self.find((), (ty,)), self.find((), (ty,))
        self.values += self.named(f"{name}({a.name}, {b.name})", *[(ty, ())] * (2 if name == "halves" else 1))

    def few_rows(self):
        """Products of fewer rows or columns than a tensor core has."""
        ty = self.pick("f16", "bf16", "f32", "i8", "f64", "e4")
        m, n = self.pick(1, 2, 4, 8, 16, 64), self.pick(1, 2, 4, 8, 16, 64)
        k = max(32 if BITS[ty] == 8 else 16, self.pick(16, 32, 64))
        a, b = self.load((m, k), ty), self.load((k, n), ty)
        out, more = SUMS.get(ty, "f32"), EXACT.get(ty, "")
        if self.chance(.3):
            self.say("tl.static_assert(True)")
        name = self.name()
        if self.chance(.5):
            self.say(f"{name} = tl.dot({a.name}, {b.name}{more})")
        else:
            self.say(f"{name} = tl.full([{m}, {n}], {'1' if out == 'i32' else '1.0'}, tl.{TL[out]})")
            with self.under(f"for {self.name('t')} in range({self.pick('2', '3')}):"):
                self.say(f"{name} += tl.dot({a.name}, {b.name}{more})")
        self.values += [Value(name, out, (m, n), 16 * k * 3 + 1)]

    def other_type(self):
        """Memory as numbers of another size."""
        ty, to = self.pick("i32", "i64", "u8", "i16"), self.pick("i32", "i64", "u8", "i16", "i8", "u16")
        shape = self.whole((ty,)).shape
        spot = self.scalar_place()
        scale = max(1, BITS[to] // BITS[ty])
        spot = f"({spot}) * {scale}"
        pointer = f"({self.array(ty, 'b')} + {spot}).to(tl.pointer_type(tl.{TL[to]}))"
        self.bind(f"tl.load({pointer} + ({self.lane_place(shape)}))", to, shape)

    def float_order(self):
        a = self.whole(("f32", "f16", "f64"), most=256)
        if a.shape[-1] < 2 or a.shape[-1] > 128:
            return
        if self.chance(.3) and a.shape[-1] >= 4:
            k = self.pick(2, a.shape[-1] // 2)
            return self.bind(f"tl.topk({a.name}, {k})", a.ty, a.shape[:-1] + (k,), a.most)
        self.bind(f"tl.sort({a.name}{self.pick('', ', descending=True')})", a.ty, a.shape, a.most)

    def cuts(self):
        """Floats that become narrower ones towards zero, and what is stored of special ones."""
        shape = self.whole(("f32",)).shape
        a, = self.named(f"tl.load({self.array('f32', 's')} + ({self.lane_place(shape)}))", ("f32", shape))
        to = self.pick("f16", "bf16", "f16", "bf16", "e5")
        if not self.loops:
            self.store(*self.named(f'{a.name}.to(tl.{TL[to]}, fp_downcast_rounding="rtz")', (to, shape)), again=False)

    def deep(self):
        """A tile of many dimensions, turned, folded and flat again."""
        a = self.whole(("i32", "i64", "i16", "f32", "u8"), most=2048)
        total = int(np.prod(a.shape))
        rank, shape = self.pick(5, 6, 7, 8), []
        for _ in range(rank - 1):
            most = total // int(np.prod(shape or [1]))
            shape.append(self.pick(*[n for n in (1, 2, 2, 4) if n <= most]))
        shape.append(total // int(np.prod(shape)))
        order = list(range(rank))
        self.random.shuffle(order)
        b, = self.named(f"tl.permute(tl.reshape({a.name}, {shape}), {order})", (a.ty, [shape[d] for d in order], a.most))
        kind, axis = self.random.randrange(4), self.random.randrange(rank)
        left = b.shape[:axis] + b.shape[axis + 1:]
        if kind == 0 and a.ty in ("i32", "i64"):
            b, = self.named(f"tl.{self.pick('sum', 'max', 'xor_sum')}({b.name}, {axis})", (a.ty, left))
        elif kind == 1 and a.ty in ("i32", "i64"):
            b, = self.named(f"tl.cumsum({b.name}, {axis})", (a.ty, b.shape))
        elif kind == 2 and b.shape[-1] == 2:
            b, _ = self.named(f"tl.split({b.name})", *[(a.ty, b.shape[:-1], a.most)] * 2)
        count = int(np.prod(b.shape))
        self.bind(f"tl.reshape({b.name}, [{count}])", a.ty, (count,), a.most)

    def kinds_of_stores(self):
        """Stores with hints, of one value for all, and of rows to all columns."""
        if self.loops:
            return
        a = self.whole(("i32", "f32", "f16", "u8", "i64"))
        hint = self.pick(', cache_modifier=".wb"', ', cache_modifier=".cs"', ', cache_modifier=".wt"', ', cache_modifier=".cg"',
                         ', eviction_policy="evict_first"', ', eviction_policy="evict_last"')
        value = a.name
        if self.chance(.4):
            value = self.pick("3" if a.ty in INTS else "3.0", f"tl.full([1], 2, tl.{TL[a.ty]})",
                              f"tl.max({a.name}, {len(a.shape) - 1}, keep_dims=True).to(tl.{TL[a.ty]})")
        self.say(f"tl.store({self.array(a.ty, 'o')} + ({self.region(a.shape)}), {value}{hint})")

    def clamped(self):
        ty = self.pick("f32", "f16", "f64")
        a = self.whole((ty,))
        low, high = self.pick("-2.0", "-1.0"), self.pick("1.0", "3.0")
        kind = self.random.randrange(4)
        if kind == 0 and ty != "f16":
            return self.bind(f"tl.clamp({a.name}, {low}, {high})", ty, a.shape, 3)
        if kind == 1 and a.most * a.most + a.most <= MOST[ty]:
            return self.bind(f"tl.fma({a.name}, {a.name}, {a.name})", ty, a.shape, a.most * a.most + a.most)
        if kind == 2 and ty != "f16":
            return self.bind(f"tl.{self.pick('floor', 'ceil')}({a.name} * 0.5)", ty, a.shape, a.most)
        if ty == "f32" and 2 * a.most < 2 ** 20:
            self.named(f"tl.{self.pick('div_rn', 'fdiv')}({a.name}, {self.pick('2.0', '4.0', '0.5')})", (ty, a.shape, 2 * a.most))

    def ties(self):
        """Places of the greatest where no two are the same."""
        n = self.pick(16, 32, 64, 128)
        shape = (n,)
        a = self.bind(f"(tl.arange(0, {n}) * {self.pick(3, 5, 7)} + {self.scalar_place()}) % {n}", "i32", shape)
        text = f"tl.{self.pick('max', 'min')}({a.name}, 0, return_indices=True, return_indices_tie_break_left={self.pick(True, False)})"
        self.values += self.named(text, ("i32", ()), ("i32", ()))

    def folds_kept(self):
        a = self.whole(("i8", "u8", "i16", "i32"))
        axis = self.random.randrange(len(a.shape))
        kind = self.random.randrange(3)
        left = a.shape[:axis] + a.shape[axis + 1:]
        if kind == 0:
            return self.bind(f"tl.sum({a.name}, {axis}, dtype=tl.int64)", "i64", left)
        if kind == 1:
            return self.bind(f"tl.cumsum({a.name}, {axis}, dtype=tl.int64)", "i64", a.shape)
        return self.bind(f"tl.reduce_or({a.name} != 0, {axis})", "i1", left)

    def wide_index(self):
        """Places of 64 bits that come back from far away."""
        shape = self.whole(("i32",)).shape
        big = self.pick("(1 << 40)", "4294967296", *[n for n, c in self.scalars.items() if isinstance(c[0], int) and
                                                     not isinstance(c[0], bool) and abs(c[0]) > 5])
        ty = self.pick("i32", "f32", "f16", "u8")
        i = f"({self.lane_place(shape)})"
        form = self.pick(f"{i}.to(tl.int64) + {big} - {big}", f"({i}.to(tl.int64) + {big}) % 64", f"({i}.to(tl.int64) * 3 + {big}) & 127",
                         f"(({i}.to(tl.int64) << 33) >> 33)")
        self.bind(f"tl.load({self.source(ty)} + ({form}))", ty, shape, 4 if ty in FLOATS else 0)

    def bytes_of(self):
        """The bits of floats, and floats of bits."""
        a = self.whole(("f32", "f16", "f64"))
        to = f"i{BITS[a.ty]}"
        b = self.bind(f"{a.name}.to(tl.{TL[to]}, bitcast=True)", to, a.shape)
        if self.chance(.5):
            c, = self.named(f"({b.name} & {to_mask(a.ty)}).to(tl.{TL[a.ty]}, bitcast=True)", (a.ty, a.shape, a.most))
            if not self.loops:
                self.store(c, again=False)


def to_mask(ty):
    """All bits but the sign's."""
    return {"f32": 0x7fffffff, "f16": 0x7fff, "f64": 0x7fffffffffffffff}[ty]

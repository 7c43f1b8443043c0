"""Functions of single elements whose results are exact, by libdevice's names: roundings, remainders, signs, bits, numbers between
types; and tuples, hints that hold, conversions of numbers without a sign."""

from generate import COMBINES, Statements
from values import MOST, TL, Value

HELPERS = {
    "of_both": "def of_both(t):\n    return t[0] * 2 + t[1]", "turned_round": "def turned_round(t):\n    return t[1], t[0]",
    "chosen": "def chosen(a, b, which: tl.constexpr):\n    if which == 0:\n        return a + b\n    elif which == 1:\n"
              "        return a - b\n    else:\n        return a ^ b"}
COMBINES.update({name: (text, 0) for name, text in HELPERS.items()})
LIBRARY = "tl.extra.libdevice."
# By name: types of operands, and of the result where it has another one.
INTEGERS = {"popc": (("i32", "i64"), 1, "i32"), "clz": (("i32", "i64"), 1, "i32"), "ffs": (("i32", "i64"), 1, "i32"),
            "brev": (("i32", "i64"), 1, None), "abs": (("i32", "i64"), 1, None), "mulhi": (("i32", "u32", "i64", "u64"), 2, None),
            "mul24": (("i32",), 2, None), "hadd": (("i32", "u32"), 2, None), "rhadd": (("i32", "u32"), 2, None)}


class Functions(Statements):
    def begin(self):
        super().begin()
        self.budget = self.random.randint(6, 16)

    def statement(self):
        if self.budget <= 0:
            return
        if self.chance(.4):
            return super().statement()
        self.budget -= 1
        self.random.choice([self.rounded, self.rounded, self.remains, self.integers, self.integers, self.integers, self.three,
                            self.between, self.between, self.tuples, self.hints, self.unsigned])()

    def tile(self, types):
        return self.find(self.pick(*[s for s in self.shapes if s]), types)

    def need(self, name):
        if name not in self.helpers:
            self.helpers.append(name)

    def rounded(self):
        """Of quarters."""
        ty = self.pick("f32", "f64")
        a = self.tile((ty,))
        name = self.pick("floor", "ceil", "trunc", "rint", "nearbyint", "round")
        self.bind(f"{LIBRARY}{name}({a.name} * {self.pick('0.25', '0.5', '-0.75')})", ty, a.shape, a.most + 1)

    def remains(self):
        """Remainders and signs: quarters again, four times as large."""
        ty = self.pick("f32", "f64")
        a = self.tile((ty,))
        b = self.find(a.shape, (ty,))
        name = self.pick("fmod", "remainder", "copysign", "fdim")
        by = f"tl.abs({b.name}) * 0.5 + {self.pick('0.25', '1.0', '0.75')}" if name in ("fmod", "remainder") else f"{b.name} * 0.25"
        most = 4 * (a.most + b.most + 1)
        if most > MOST["f32"]:
            return
        self.bind(f"{LIBRARY}{name}({a.name} * 0.25, {by}) * 4.0", ty, a.shape, most)

    def integers(self):
        name = self.pick(*INTEGERS)
        types, count, to = INTEGERS[name]
        a = self.tile((self.pick(*types),))
        others = [self.find(a.shape, (a.ty,)) for _ in range(count - 1)]
        self.bind(f"{LIBRARY}{name}({', '.join(v.name for v in [a, *others])})", to or a.ty, a.shape)

    def three(self):
        a = self.tile(("i32",))
        b, c = self.find(a.shape, ("i32",)), self.find(a.shape, ("i32",))
        self.bind(self.pick(f"{LIBRARY}byte_perm({a.name}, {b.name}, {c.name} & 0x7777)",
                            f"{LIBRARY}sad({a.name}, {b.name}, {c.name}.to(tl.uint32))"), "i32", a.shape)

    def between(self):
        """Numbers as others, rounded in each direction: what is too long for a float is seen by its bits."""
        way = self.pick("rn", "rz", "rd", "ru")
        kind = self.random.randrange(6)
        if kind < 2:
            ty = self.pick("i32", "i64")
            a = self.tile((ty,))
            name = {"i32": "int2float", "i64": "ll2float"}[ty]
            return self.bind(f"{LIBRARY}float_as_int({LIBRARY}{name}_{way}({a.name}))", "i32", a.shape)
        if kind == 2:
            a = self.tile(("i64",))
            return self.bind(f"{LIBRARY}double_as_longlong({LIBRARY}ll2double_{way}({a.name}))", "i64", a.shape)
        ty = self.pick("f32", "f64")
        a = self.tile((ty,))
        part = f"{a.name} * {self.pick('0.25', '0.5', '-1.25')}"
        if kind == 3:
            return self.bind(f"{LIBRARY}{'float2int' if ty == 'f32' else 'double2int'}_{way}({part})", "i32", a.shape)
        if kind == 4:
            return self.bind(f"{LIBRARY}{'float2ll' if ty == 'f32' else 'double2ll'}_{way}({part})", "i64", a.shape)
        self.bind(f"{LIBRARY}{self.pick('llrint', 'llround')}({part})", "i64", a.shape)

    def tuples(self):
        ty = self.pick("i32", "i64")
        a = self.tile((ty,))
        b = self.find(a.shape, (ty,))
        name = self.pick(*HELPERS)
        self.need(name)
        if name == "of_both":
            return self.bind(f"of_both(({a.name}, {b.name}))", ty, a.shape)
        if name == "chosen":
            return self.bind(f"chosen({a.name}, {b.name}, {self.random.randrange(3)})", ty, a.shape)
        one, two = self.name(), self.name()
        self.say(f"{one}, {two} = turned_round(({a.name}, {b.name}))")
        self.values += [Value(one, ty, a.shape), Value(two, ty, a.shape)]

    def hints(self):
        """What is promised holds."""
        ty = self.pick("i32", "f32", "f16", "u8")
        shape = self.pick(*[s for s in self.shapes if len(s) == 1] or [(16,)])
        factor = self.pick(8, 16, 64)
        self.say(f"tl.assume({self.pick('pid0 >= 0', 'tl.num_programs(0) > 0', 'line >= 0', 'pid0 < tl.num_programs(0)')})")
        place = self.name("k")
        self.say(f"{place} = tl.multiple_of(({self.scalar_place()} + line * 0) * {factor}, {factor})")
        lanes = f"tl.max_contiguous(tl.arange(0, {shape[0]}), {shape[0]})"
        if self.chance(.3):
            lanes = f"tl.max_constancy(tl.arange(0, {shape[0]}) // {min(8, shape[0])}, {min(8, shape[0])})"
        self.bind(f"tl.load({self.source(ty)} + {place} + {lanes}{self.maybe_mask(shape, ty)})", ty, shape, 4)

    def unsigned(self):
        """Numbers without a sign as floats, and back; their remainders."""
        ty = self.pick("u8", "u16", "u32", "u64")
        a = self.tile((ty,))
        kind = self.random.randrange(3)
        if kind == 0:
            return self.bind(f"({a.name} % {self.pick(3, 7, 10, 100)}).to(tl.float32)", "f32", a.shape, 100)
        if kind == 1:
            bits = self.bind(f"{a.name}.to(tl.float64).to(tl.int64, bitcast=True)", "i64", a.shape) if ty != "u64" else None
            return bits
        f = self.find(a.shape, ("f32",))
        self.bind(f"(tl.abs({f.name}) * 1.5).to(tl.{TL['u32']})", "u32", a.shape)

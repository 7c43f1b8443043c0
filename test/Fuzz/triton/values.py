"""Values and addresses of random kernels: what generate.py makes statements of.

Floats are small integers, so that any order of sums and any fusing gives the same.
"""

import contextlib
import random

import numpy as np

from reference import BITS, FLOATS, INTS, WINDOW

TL = {"i1": "int1", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
      "u32": "uint32", "u64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
      "e4": "float8e4nv", "e5": "float8e5"}
MOST = {"f16": 2 ** 11, "bf16": 2 ** 8, "f32": 2 ** 24, "f64": 2 ** 53, "e4": 16, "e5": 8}
NUMBERS = [0, 1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 32, 48, 64, 100, 127, 128, 255, 256]
RARE = [-1, -7, 65536, 2 ** 31 - 1, 2 ** 31 - 16, -2 ** 31]
STEPS = 6                   # of a loop, at most
# What tl.dot adds up in, and is told of operands, so that sums are exact.
SUMS = {"i8": "i32", "f64": "f64"}
EXACT = {"f32": ', input_precision="ieee"', "f64": ", out_dtype=tl.float64", "i8": ", out_dtype=tl.int32"}


def limited(text, most, ty):
    """Text of a number that is no larger than `most` of either sign, so that sums of it stay exact."""
    end = ".0" if ty in FLOATS else ""
    return f"tl.minimum(tl.maximum({text}, -{most}{end}), {most}{end})"


class Value:
    def __init__(self, name, ty, shape, most=0):
        self.name, self.ty, self.shape, self.most = name, ty, tuple(shape), most


class Maker:
    """Writes a kernel, statement by statement; names of what there is are kept by block."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.depth, self.names = [], 1, 0
        self.values, self.arrays, self.numbers, self.loops = [], [], [], []
        self.once = False       # has to be launched once
        self.scalars = {}       # other numbers of a launch, and what they may be
        self.options = {}       # of a launch
        self.wishes = {}        # what only tile has names for
        self.window = WINDOW    # how far from its base an array may be touched
        self.given = {}         # numbers that a launch has to have
        self.aliases = {}       # arrays that a launch hands over twice: the other name, and how far on this one begins
        self.descs = {}         # arguments that are descriptors: shape, strides, box, and what stands for what is beyond
        self.helpers, self.budget, self.steps = [], self.random.randint(5, 16), 1

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, of):
        return self.random.random() < of

    def say(self, text):
        self.lines.append("    " * self.depth + text)

    @contextlib.contextmanager
    def under(self, text):
        """What is said within stands in a block of this line's."""
        self.say(text)
        self.depth += 1
        yield
        self.depth -= 1

    def name(self, prefix="v"):
        self.names += 1
        return f"{prefix}{self.names}"

    def named(self, text, *kinds):
        """Values of these types, shapes and sizes, which no other statement picks."""
        values = [Value(self.name(), *kind) for kind in kinds]
        self.say(f"{', '.join(value.name for value in values)} = {text}")
        return values

    def bind(self, text, ty, shape, most=0):
        self.values += self.named(text, (ty, shape, most))
        return self.values[-1]

    def multiply(self, target, x, y, more=""):
        """Adds a product to `target`, in one of the forms that authors write."""
        form = self.pick("acc", "acc", "sum", "turned")
        if form == "acc" and "float64" not in more:
            self.say(f"{target} = tl.dot({x}, {y}, {target}{more})")
        elif form == "turned":
            self.say(f"{target} += tl.trans(tl.dot(tl.trans({y}), tl.trans({x}){more}))")
        else:
            self.say(f"{target} += tl.dot({x}, {y}{more})")

    def number(self):
        """The name of an argument, or a number of the text."""
        if self.chance(.5) or not self.numbers:
            return str(self.pick(*NUMBERS))
        return self.pick(*self.numbers)

    def array(self, ty, kind):
        name = f"{kind}{len(self.arrays)}"
        self.arrays.append((name, ty, kind))
        return name

    def alias(self, array):
        """Another name of an array that is written."""
        kind = [kind for name, _, kind in self.arrays if name == array][0]
        name = self.array([ty for name, ty, _ in self.arrays if name == array][0], kind)
        self.aliases[name] = array, 0
        return name

    def source(self, ty):
        """An array to read: one that is there, or another."""
        fit = [a[0] for a in self.arrays if a[1] == ty and a[2] == "x"]
        return self.pick(*fit) if fit and self.chance(.6) else self.array(ty, "x")

    # ---- where accesses go

    def scalar_place(self):
        terms = [f"{p} * {self.number()}" for p in self.pids + self.loops if self.chance(.6)]
        if self.chance(.4):
            terms.append(self.number())
        elif terms and self.chance(.15):
            terms[-1] += f" - {self.number()}"
        if self.chance(.12):
            held = [v for v in self.values if v.shape == () and v.ty in ("i32", "i64", "i16", "u8")]
            terms += [f"({v.name} & 127).to(tl.int32)" for v in held[-1:]]
        return " + ".join(terms) or "0"

    def lane_place(self, shape):
        """An i32 of this shape, for each element."""
        terms = []
        for d, size in enumerate(shape):
            index = "".join(["[", ", ".join(":" if k == d else "None" for k in range(len(shape))), "]"])
            along = f"tl.arange(0, {size})" + (index if len(shape) > 1 else "")
            if self.chance(.1):
                along = f"({size - 1} - {along})"
            elif self.chance(.05):
                along = f"tl.max_contiguous({along}, {size})" if len(shape) == 1 else along
            inner = int(np.prod(shape[d + 1:]))
            factor = self.pick(1, inner, inner, inner, inner, 2, 3, self.number(), -1)
            terms.append(along if factor == 1 else f"{along} * {factor}")
        return " + ".join(terms)

    def place(self, shape):
        """Text of numbers of elements, i32 or i64; small, of either sign."""
        text = self.scalar_place()
        if shape:
            text = f"{self.lane_place(shape)} + {text}" if self.chance(.7) else f"({text}) + {self.lane_place(shape)}"
        n = self.pick(2, 3, 4, 5, 7, 8, 16, 24, 32, 100)
        forms = [text] * 8 + [
            f"({text}) // {n} * {self.pick(1, 3, n)} + ({text}) % {n}", f"({text}) % {n}", f"({text}) // {n}",
            f"tl.minimum({text}, {self.number()})", f"tl.maximum({text}, {self.number()})",
            f"({text}) ^ {self.pick(1, 2, 3, 7)}", f"({text}).to(tl.int64)" if shape else text,
            f"({text}) & {self.pick(7, 15, 63, 127)}", f"({text}) * {self.pick(2, 3, -1)}",
            f"({text}) - {self.number()}", f"({text} - {n}) // {n}", f"({text}) << {self.pick(1, 2)}",
            f"(({text}) >> {self.pick(1, 2)}) * {n}"]
        text = self.random.choice(forms)
        if self.chance(.08) and shape:
            held = [v for v in self.values if v.shape == tuple(shape) and v.ty in ("i32", "i16", "u8", "i64", "u16")]
            if held:
                text = f"({text}) + ({self.random.choice(held).name} & 63).to(tl.int32)"
        if self.chance(.1) and shape:
            text = f"tl.load({self.source('idx')} + ({text}))" if self.chance(.7) else \
                f"({text}) + tl.load({self.source('idx')} + {self.scalar_place()})"
        return text

    def mask(self, shape):
        """Text of truths of this shape, or of one."""
        def part():
            text = self.lane_place(shape) if shape else "line"
            text = f"{text} + {self.scalar_place()}" if self.chance(.6) else text
            op = self.pick("<", "<", "<", "<", "<=", ">", ">=", "!=", "==")
            if self.chance(.12):
                return f"(({text}) % {self.pick(2, 3, 4)} {op} {self.pick(0, 1, 2)})"
            return f"({text} {op} {self.number()})"
        text = part()
        if self.chance(.3):
            text = f"{text} {self.pick('&', '&', '|')} {part()}"
        held = [v for v in self.values if v.ty == "i1" and v.shape in ((), tuple(shape))]
        if held and self.chance(.25):
            text = f"{text} & {self.random.choice(held).name}"
        return f"~({text})" if self.chance(.05) else text

    # ---- values

    def shape(self):
        return self.random.choice(self.shapes)

    def find(self, shape=None, types=None, make=True):
        """A value that is there, the newest of two, or a load."""
        fit = [v for v in self.values if (shape is None or v.shape == tuple(shape)) and (not types or v.ty in types)]
        if fit and (self.chance(.8) or not make):
            return fit[max(self.random.randrange(len(fit)) for _ in range(2))]
        return self.load(shape if shape is not None else self.shape(), self.pick(*(types or self.types)))

    def load(self, shape, ty):
        ty = "i32" if ty == "i1" else ty
        pointer = f"{self.source(ty)} + {self.parens(self.place(shape))}"
        if self.chance(.3):
            name = self.name("p")
            self.say(f"{name} = {pointer}")
            pointer = name
        mask = ""
        if self.chance(.55):
            other = self.pick("0", "0", "1" if ty[0] == "u" else "-1", "3", None)
            other = f"{other or 0}.0" if ty in FLOATS and (other or ty in ("e4", "e5")) else other
            mask = f", mask={self.mask(shape)}" + (f", other={other}" if other else "")
        most = 4 if ty in FLOATS else 0
        hint = self.pick(*[""] * 9, ", volatile=True", ', cache_modifier=".cg"', ', eviction_policy="evict_first"')
        text = f"tl.load({pointer}{mask}{hint})"
        if mask and other is None:
            # what is not said is never seen
            name = self.name("m")
            self.say(f"{name} = {mask[7:]}")
            text = f"tl.where({name}, tl.load({pointer}, mask={name}), {self.pick(0, 1)})"
            if not shape or not self.covers(mask, shape):
                text = f"tl.load({pointer}, mask={name}, other=0)"
        return self.bind(text, ty, shape, most)

    @staticmethod
    def covers(mask, shape):
        return "arange" in mask

    @staticmethod
    def parens(text):
        return f"({text})"

    def elementwise(self):
        a = self.find()
        if a.ty in FLOATS:
            return self.float_op(a)
        return self.truth_op(a) if a.ty == "i1" else self.int_op(a)

    def operand(self, a):
        """Another of the same type: same shape, a scalar, or a number of the text."""
        if self.chance(.3):
            number = self.pick(0, 1, 2, 3, 5, 7) * (1 if a.ty[0] == "u" or self.chance(.7) else -1)
            return Value(f"{number}.0" if a.ty in FLOATS else str(number), a.ty, (), abs(number))
        fit = [v for v in self.values if v.ty == a.ty and v.shape in (a.shape, ()) and v is not a]
        return self.random.choice(fit) if fit else a

    def truth_op(self, a):
        b = self.operand(a) if self.chance(.5) else a
        b = b if b.ty == "i1" and not b.name.lstrip("-").isdigit() else a
        self.bind(self.pick(f"{a.name} & {b.name}", f"{a.name} | ~{b.name}", f"{a.name} ^ {b.name}", f"~{a.name}"),
                  "i1", a.shape)

    def int_op(self, a):
        b, top = self.operand(a), BITS[a.ty] - 1
        x, y = a.name, b.name if not b.name.startswith("-") else f"({b.name})"
        tile = f"{y}" if not y.strip("(-)").isdigit() else x
        kind = self.random.randrange(16)
        if kind < 6:
            return self.bind(f"{x} {self.pick('+', '-', '*', '&', '|', '^')} {y}", a.ty, a.shape)
        if kind == 6:
            return self.bind(f"{x} {self.pick('<<', '>>')} {self.pick(0, 1, 3, top, f'({tile} & {top})')}", a.ty, a.shape)
        if kind in (7, 8):
            divisor = self.pick(1, 2, 3, 7, 8, 16, 100, f"(({tile} & 15) + 1)")
            op = self.pick("//", "%")
            return self.bind(f"{x} {op} {divisor}", a.ty, a.shape)
        if kind in (9, 10):
            return self.bind(f"{x} {self.pick('<', '<=', '>', '>=', '==', '!=')} {y}", "i1", a.shape)
        if kind == 11:
            return self.bind(f"tl.{self.pick('minimum', 'maximum')}({x}, {y})", a.ty, a.shape)
        if kind == 12:
            return self.bind(f"tl.where({self.truths(a.shape)}, {x}, {y})", a.ty, a.shape)
        if kind == 13 and a.ty[0] == "i":
            return self.bind(self.pick(f"-{x}", f"~{x}"), a.ty, a.shape)
        if kind == 14 and a.ty in ("i32", "u32", "i64", "u64") and a.shape:
            return self.bind(f"tl.umulhi({x}, {tile})", a.ty, a.shape) if a.ty[0] == "u" else None
        return self.cast(a)

    def truths(self, shape):
        fit = [v for v in self.values if v.ty == "i1" and v.shape == tuple(shape)]
        return self.random.choice(fit).name if fit and self.chance(.6) else self.mask(shape)

    def cast(self, a):
        if a.ty in FLOATS:
            to = self.pick("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "e4", "e5")
            if to in FLOATS and a.most > MOST[to] or to == "i8" and a.most > 127 or to == "i16" and a.most > 2047 or \
                    {a.ty, to} & {"e4", "e5"} and {a.ty, to} & {"f64", "i8", "i16", "i32", "i64"} or \
                    {a.ty, to} == {"e4", "e5"}:
                to = "f32"
            return self.bind(f"{a.name}.to(tl.{TL[to]})", to, a.shape, a.most)
        if self.chance(.3):
            to = self.pick("f16", "bf16", "f32", "f32", "f64")
            return self.bind(f"({a.name} & 7).to(tl.{TL[to]})", to, a.shape, 7) if a.ty != "i1" else None
        to = self.pick(*INTS)
        return self.bind(f"{a.name}.to(tl.{TL[to]})", to, a.shape)

    def float_op(self, a):
        if a.ty in ("e4", "e5"):
            return self.bind(f"{a.name}.to(tl.float32)", "f32", a.shape, a.most)
        b = self.operand(a)
        x, y = a.name, b.name if not b.name.startswith("-") else f"({b.name})"
        kind = self.random.randrange(9)
        if kind < 2 and a.most + b.most <= MOST[a.ty]:
            return self.bind(f"{x} {self.pick('+', '-')} {y}", a.ty, a.shape, a.most + b.most)
        if kind < 4 and a.most * b.most <= MOST[a.ty]:
            return self.bind(f"{x} * {y}", a.ty, a.shape, a.most * b.most)
        if kind == 4:
            return self.bind(f"{x} {self.pick('<', '<=', '>', '>=', '==', '!=')} {y}", "i1", a.shape)
        if kind == 5:
            return self.bind(f"tl.{self.pick('minimum', 'maximum')}({x}, {y})", "f32" if a.ty == "bf16" else a.ty,
                             a.shape, max(a.most, b.most))
        if kind == 6:
            return self.bind(f"tl.where({self.truths(a.shape)}, {x}, {y})", a.ty, a.shape, max(a.most, b.most))
        if kind == 7:
            return self.bind(self.pick(f"-{x}", f"tl.abs({x})"), a.ty, a.shape, a.most)
        return self.cast(a)

"""Random kernels of Triton's, defined and exact: their text, their launches, and by reference.py what they store.

    kernel = make(seed)         the same kernel for the same seed; None where it is not defined
    kernel.text                 the functions, without imports
    kernel.launches             each: grid and numbers by name; arrays stay what the launch before left
    kernel.arrays               what memory holds, as bits, where its base is, and what is expected there
"""

import numpy as np

from reference import BITS, FLOATS, HELD, INTS, POISON, WINDOW, Array, Pointer, Tile, Undefined, convert, launch, to_bits
from corners import Corners
from values import MOST, NUMBERS, RARE, STEPS, TL, Value

COMBINES = {
    "add": ("def add(a, b):\n    return a + b", 1), "most": ("def most(a, b):\n    return tl.maximum(a, b)", 1),
    "both": ("def both(a, b):\n    return a & b", 1), "last": ("def last(a, b):\n    return b", 1),
    "affine": ("def affine(a, b, c, d):\n    return a * c, b * c + d", 2),
    "pair": ("def pair(a, b, c, d):\n    up = (c > a) | ((c == a) & (d < b))\n"
             "    return tl.where(up, c, a), tl.where(up, d, b)", 2)}


NOINLINE = set()            # helpers that are called, and not put in
MILLION = 1000000           # seeds from here on have kernels of one kind


class Kernel:
    def type_of(self, name):
        return self.arrays[self.aliases.get(name, (name, 0))[0]]["ty"]


class Statements(Corners):
    def begin(self):
        self.dims = self.pick(1, 1, 1, 2, 3)
        self.pids = []
        for d in range(self.dims):
            self.pids.append(f"pid{d}")
            self.say(f"pid{d} = tl.program_id({d})")
        line = "pid0"
        for d in range(1, self.dims):
            line = f"({line} * tl.num_programs({d}) + pid{d})"
        self.say(f"line = {line}")
        n, m = self.pick(1, 2, 8, 16, 16, 32, 64, 128), self.pick(2, 4, 8, 16, 32)
        cube = self.pick((2, n, 4), (n, 2, 2), (4, 4, m), (1, n, 1))
        self.shapes = [(n,), (n,), (n, m), (n, m), (m, n), (m,), (n, 1), (), cube]
        self.types = self.random.sample([*INTS, "i32", "i32", "f32", "f32", "f16", "bf16", "f64", "e4", "e5"], 4)
        self.numbers = [f"n{k}" for k in range(self.random.randint(0, 4))]
        if self.chance(.12):
            self.say(f"if {self.pick('pid0', 'line')} {self.pick('>=', '==', '<')} {self.number()}:")
            self.say("    return")

    def block(self, statements):
        """Statements whose values nobody sees behind it."""
        held = len(self.values)
        self.depth += 1
        for _ in range(statements):
            self.statement()
        inner = self.values[held:]
        del self.values[held:]
        return inner

    def statement(self):
        if self.budget <= 0:
            return
        self.budget -= 1
        kind = self.random.randrange(51)
        if kind < 5:
            self.load(self.shape(), self.pick(*self.types))
        elif kind < 18:
            self.elementwise()
        elif kind < 21:
            self.reduction()
        elif kind < 23:
            self.scan()
        elif kind < 26:
            self.reshape()
        elif kind < 28:
            self.dot()
        elif kind < 32 and self.depth < 4:
            self.loop()
        elif kind < 34 and self.depth < 4:
            self.branch()
        elif kind < 36:
            self.change()
        elif kind == 36:
            self.atomic()
        elif kind == 37:
            self.elementwise()
        elif kind > 39:
            (self.special, self.box, self.swap, self.recur, self.special, self.swap, self.truths_of_memory,
             self.truths_of_memory, self.most_and_where, self.together, self.together)[kind - 40]()
        else:
            self.store(self.find())

    # ---- ops on tiles

    def reduction(self):
        a = self.find()
        if not a.shape or a.ty in ("e4", "e5"):
            return
        if a.ty == "i1":
            a = self.bind(f"{a.name}.to(tl.int32)", "i32", a.shape)
        axis = self.random.randrange(len(a.shape))
        shape = a.shape[:axis] + a.shape[axis + 1:]
        keep = self.chance(.4)
        kept = ", keep_dims=True" if keep else ""
        shape = a.shape[:axis] + (1,) + a.shape[axis + 1:] if keep else shape
        wide = a.ty if BITS[a.ty] >= 32 else "f32" if a.ty in FLOATS else "i32"
        most = a.most * a.shape[axis]
        kind = self.random.randrange(6)
        if kind < 2:
            ty = ("u32" if a.ty[0] == "u" else "i32") if a.ty in INTS and BITS[a.ty] < 32 else a.ty
            if a.ty in FLOATS and most > MOST[a.ty]:
                return
            return self.bind(f"tl.sum({a.name}, {axis}{kept})", ty, shape, most)
        if kind == 2:
            return self.bind(f"tl.{self.pick('max', 'min')}({a.name}, {axis}{kept})", wide, shape, a.most)
        if kind == 3:
            return self.bind(f"tl.{self.pick('argmax', 'argmin')}({a.name}, {axis})", "i32",
                             a.shape[:axis] + a.shape[axis + 1:])
        if kind == 4 and a.ty in INTS:
            return self.bind(f"tl.xor_sum({a.name}, {axis})", a.ty, a.shape[:axis] + a.shape[axis + 1:])
        self.fold("reduce", a, axis, a.shape[:axis] + a.shape[axis + 1:])

    def helper(self, a, in_order):
        fit = ["most", "pair"] + (["add", "both"] if a.ty in INTS else [])
        fit += ["affine", "affine"] if a.ty in INTS and in_order else []
        name = self.pick(*fit)
        if name not in self.helpers:
            self.helpers.append(name)
        return name

    def fold(self, op, a, axis, shape, more=""):
        if a.ty in ("bf16", "e4", "e5") or a.ty == "f16":
            return
        # (Triton's reductions take what they combine in any order, its scans in theirs.)
        name = self.helper(a, op == "associative_scan")
        if COMBINES[name][1] == 1:
            return self.bind(f"tl.{op}({a.name}, {axis}, {name}{more})", a.ty, shape, a.most)
        other = f"({a.name} * 0 + tl.arange(0, {a.shape[axis]})" + \
            (f"[{', '.join(':' if k == axis else 'None' for k in range(len(a.shape)))}]" if len(a.shape) > 1 else "")
        second = "i32"
        if name == "pair":
            text = other.replace(f"{a.name} * 0", f"tl.zeros([{', '.join(map(str, a.shape))}], tl.int32)") + ")"
        else:
            text, second = f"({a.name} ^ 5)", a.ty
        one, two = self.name(), self.name()
        self.say(f"{one}, {two} = tl.{op}(({a.name}, {text}), {axis}, {name}{more})")
        self.values += [Value(one, a.ty, shape, a.most), Value(two, second, shape)]

    def scan(self):
        a = self.find()
        if not a.shape or a.ty in ("i1", "e4", "e5"):
            return
        axis = self.random.randrange(len(a.shape))
        back = self.pick("", ", reverse=True")
        most = a.most * a.shape[axis]
        if self.chance(.5) and (a.ty in INTS or most <= MOST[a.ty]):
            ty = ("u32" if a.ty[0] == "u" else "i32") if a.ty in INTS and BITS[a.ty] < 32 else \
                "f32" if a.ty == "bf16" else a.ty
            return self.bind(f"tl.cumsum({a.name}, {axis}{back})", ty, a.shape, most)
        self.fold("associative_scan", a, axis, a.shape, back)

    def reshape(self):
        a = self.find()
        if not a.shape or a.ty in ("e4", "e5"):
            return
        total, kind = int(np.prod(a.shape)), self.random.randrange(8)
        if kind == 0:
            n = self.pick(*[1 << k for k in range(total.bit_length()) if total % (1 << k) == 0])
            return self.bind(f"tl.reshape({a.name}, {n}, {total // n})", a.ty, (n, total // n), a.most)
        if kind == 1 and len(a.shape) == 2:
            return self.bind(f"tl.trans({a.name})", a.ty, a.shape[::-1], a.most)
        if kind == 2 and len(a.shape) == 2:
            return self.bind(f"tl.reshape({a.name}, {total})", a.ty, (total,), a.most)
        if kind == 3 and a.shape[-1] % 2 == 0 and a.shape[-1] > 1:
            one, two = self.name(), self.name()
            shape = a.shape[:-1] + (a.shape[-1] // 2,)
            self.say(f"{one}, {two} = tl.split(tl.reshape({a.name}, {', '.join(map(str, shape))}, 2))")
            self.values += [Value(one, a.ty, shape, a.most), Value(two, a.ty, shape, a.most)]
        elif kind == 4 and total <= 1024 and a.ty != "i1":
            b = self.find(a.shape, (a.ty,))
            return self.bind(f"tl.interleave({a.name}, {b.name})", a.ty, a.shape[:-1] + (a.shape[-1] * 2,),
                             max(a.most, b.most))
        elif kind == 5 and a.ty != "i1":
            axis, size = len(a.shape) - 1, a.shape[-1]
            index = self.find(a.shape, ("i32",))
            return self.bind(f"tl.gather({a.name}, {index.name} & {size - 1}, {axis})", a.ty, a.shape, a.most)
        elif kind == 6 and a.shape[-1] > 1 and a.ty != "i1":
            return self.bind(f"tl.flip({a.name}, {len(a.shape) - 1})", a.ty, a.shape, a.most)
        elif kind == 7 and a.shape[-1] > 1 and a.ty in INTS and total <= 256:
            down = self.pick("", ", descending=True")
            return self.bind(f"tl.sort({a.name}{down})", a.ty, a.shape, a.most)

    def dot(self):
        ty = self.pick("f16", "f16", "bf16", "f32", "i8", "e4", "f64")
        n, m, k = self.pick(16, 16, 32, 64), self.pick(16, 32, 64), self.pick(16, 32, 64)
        k = max(k, 32) if BITS[ty] == 8 else k
        a, b = self.find((n, k), (ty,)), self.find((k, m), (ty,))
        most = a.most * b.most * k
        out = "i32" if ty == "i8" else "f64" if ty == "f64" else "f32"
        if ty != "i8" and (most > MOST[out] or not most):
            return
        acc = [v for v in self.values if v.shape == (n, m) and v.ty == out and v.most + most <= MOST.get(out, 1e9)]
        more = ', input_precision="ieee"' if ty == "f32" else ""
        more += ", out_dtype=tl.float64" if ty == "f64" else ", out_dtype=tl.int32" if ty == "i8" else ""
        if acc and self.chance(.5):
            most, more = most + acc[-1].most, f", {acc[-1].name}{more}"
        return self.bind(f"tl.dot({a.name}, {b.name}{more})", out, (n, m), most)

    # ---- blocks

    def bounds(self):
        """From, to, and by how much, as text; to of few steps."""
        one = self.pick("0", "0", "0", "1", "pid0 & 3", "2")
        count = self.pick("0", "1", "2", "3", str(STEPS), "pid0", "line",
                          f"tl.load({self.source('idx')} + {self.scalar_place()})", *self.numbers)
        step = self.pick("1", "1", "1", "2", "3")
        end = f"tl.minimum({count}, {STEPS})" if not count.isdigit() else count
        if step != "1":
            end = f"{end} * {step}"
        return one, f"{one} + {end}" if one != "0" else end, step

    def carried(self):
        """Variables that the loop changes: sums, pointers, places."""
        out = []
        for _ in range(self.pick(1, 1, 2, 3)):
            a = self.find()
            if a.ty in ("i1", "e4", "e5"):
                continue
            first = self.pick(a.name, f"{a.name} * 0") if a.ty in INTS else a.name
            value = self.bind(f"{first}", a.ty, a.shape, a.most)
            self.values.remove(value)
            out.append(value)
        return out

    def loop(self):
        carried, one = self.carried(), self.name("i")
        pointers = []
        if self.chance(.4):
            shape, ty = self.shape(), self.pick(*self.types)
            pointer = self.name("p")
            self.say(f"{pointer} = {self.source(ty)} + ({self.place(shape)})")
            pointers.append((pointer, ty, shape))
        low, high, step = self.bounds()
        counts = self.chance(.75)
        if counts and low == "0" and self.chance(.15):
            self.say(f"for {one} in range({high} - 1, {self.pick('-1', '-1', '0')}, -{step}):")
        elif counts:
            kind = self.pick("range", "range", "tl.range")
            more = self.pick("", ", num_stages=1", ", num_stages=2", ", num_stages=3", ", loop_unroll_factor=2", ", flatten=True")
            more = more if kind == "tl.range" else ""
            kind = "tl.static_range" if (low + high).isdigit() and self.chance(.3) else kind
            more = "" if kind == "tl.static_range" else more
            self.say(f"for {one} in {kind}({low}, {high}, {step}{more}):")
        else:
            self.say(f"{one} = {low} + pid0 * 0")
            ask = f" + (tl.load({self.source('idx')} + {one}) & 1)" if self.chance(.4) else ""
            self.say(f"while {one}{ask} < {high}:")
        held, held_loops = len(self.values), list(self.loops)
        self.loops.append(one)
        self.depth += 1
        shown = [Value(v.name, v.ty, v.shape, MOST[v.ty] if v.ty in FLOATS else 0) for v in carried]
        self.values += shown
        for pointer, ty, shape in pointers:
            self.bind(f"tl.load({pointer}{self.maybe_mask(shape, ty)})", ty, shape, 4)
        for _ in range(self.random.randint(1, 4)):
            self.statement()
        if self.chance(.3):
            self.store(self.find(), counter=one)
        self.say("pass")
        for v in carried:
            self.update(v)
        for pointer, ty, shape in pointers:
            self.say(f"{pointer} += {self.pick('1', '7', '16', '64', '-3', one, self.number())}")
        if not counts:
            self.say(f"{one} += {step}")
        self.depth -= 1
        del self.values[held:]
        self.loops = held_loops
        for v in carried:
            v.most = min(v.most * 1, MOST[v.ty]) if v.ty in FLOATS else 0
        self.values += carried

    def maybe_mask(self, shape, ty):
        return f", mask={self.mask(shape)}, other={'0.0' if ty in FLOATS else 0}" if self.chance(.5) else ""

    def update(self, v):
        """The variable's next value: of its own type and shape."""
        fit = [w for w in self.values if w.shape == v.shape and w.ty == v.ty and w.name != v.name]
        if v.ty in INTS:
            other = self.random.choice(fit).name if fit else self.pick("1", "3", "7")
            # (MLIR within Triton 3.6 takes a variable that only becomes another one, of the same beginning, for that.)
            form = self.pick(f"{v.name} + {other}", f"{v.name} + {other}", f"{v.name} ^ {other}",
                             f"{v.name} * 3 + {other}", f"tl.maximum({v.name}, {other})")
            form = f"{form} + {v.name} * 0" if form.isdigit() else form
            return self.say(f"{v.name} = ({form}).to(tl.{TL[v.ty]})")
        small = [w for w in fit if v.most + w.most * (STEPS + 1) <= MOST[v.ty]]
        if small and self.chance(.8):
            w = small[-1]
            v.most += w.most * (STEPS + 1)
            return self.say(f"{v.name} = ({v.name} + {w.name}).to(tl.{TL[v.ty]})")
        if v.most + STEPS + 1 <= MOST[v.ty]:
            v.most += STEPS + 1
            self.say(f"{v.name} = ({v.name} + 1.0).to(tl.{TL[v.ty]})")

    def branch(self):
        condition = self.pick(f"pid0 {self.pick('<', '==', '>')} {self.number()}", f"line % 2 == {self.pick(0, 1)}",
                              f"tl.load({self.source('idx')} + {self.scalar_place()}) > {self.number()}",
                              *[f"{i} > {self.pick(0, 1, 2)}" for i in self.loops])
        changed = self.carried()
        self.say(f"if {condition}:")
        for k in range(self.pick(1, 2)):
            if k:
                self.say("else:")
            held = len(self.values)
            self.depth += 1
            for _ in range(self.random.randint(1, 3)):
                self.statement()
            self.say("pass")
            for v in changed:
                self.update(v)
            self.depth -= 1
            del self.values[held:]
        self.values += changed

    # ---- memory

    def region(self, shape, counter=None, more=0):
        """Text of a place for each element of each program."""
        pitch = (int(np.prod(shape)) if shape else 1) + more
        parts = ["line" if counter is None else f"(line * {4 * STEPS} + {counter})"]
        parts[0] += f" * {pitch}"
        order = list(range(len(shape)))
        if self.chance(.2):
            order.reverse()
        inner = 1
        for d in reversed(order):
            index = "".join(["[", ", ".join(":" if k == d else "None" for k in range(len(shape))), "]"])
            along = f"tl.arange(0, {shape[d]})" + (index if len(shape) > 1 else "")
            if self.chance(.1):
                along = f"({shape[d] - 1} - {along})"
            parts.append(f"{along} * {inner}" if inner > 1 else along)
            inner *= shape[d]
        return " + ".join(parts)

    def store(self, a, counter=None, again=True):
        """`again`: may it be read again, as a value of bounded numbers?"""
        if self.loops and counter is None:
            return
        ty = "i8" if a.ty == "i1" else a.ty
        value = f"{a.name}.to(tl.int8)" if a.ty == "i1" else a.name
        if len(self.loops) > 1:
            return
        out = self.array(ty, "o")
        mask = f", mask={self.mask(a.shape)}" if self.chance(.4) else ""
        more = self.pick(0, 0, 0, 1, 8)
        self.say(f"tl.store({out} + ({self.region(a.shape, counter, more)}), {value}{mask})")
        if self.chance(.2) and counter is None and self.depth == 1 and again:
            self.say("tl.debug_barrier()")
            self.bind(f"tl.load({out} + ({self.region(a.shape, None, more)}))", ty, a.shape, max(a.most, 4))

    def change(self):
        """Memory that a program reads and writes in place."""
        a = self.find(types=[t for t in self.types if t not in ("e4", "e5")] or ["i32"])
        if a.ty in ("i1", "e4", "e5"):
            return
        out, pointer = self.array(a.ty, "w"), self.name("p")
        self.say(f"{pointer} = {out} + ({self.region(a.shape, None, self.pick(0, 0, 1, 8))})")
        mask = self.mask(a.shape) if self.chance(.4) else ""
        if mask:
            name = self.name("m")
            self.say(f"{name} = {mask}")
            mask = f", mask={name}"
        for _ in range(self.pick(1, 1, 2)):
            old = self.bind(f"tl.load({pointer}{mask}{', other=0' if mask else ''})", a.ty, a.shape,
                            4 if a.ty in FLOATS else 0)
            if a.ty in FLOATS:
                op = "-" if self.chance(.3) else "+"
                new = f"{a.name} * 0 {op} {old.name}" if a.most > 8 else f"tl.minimum({old.name} {op} {a.name}, 4)"
                new = f"tl.maximum({new}, -4).to(tl.{TL[a.ty]})"
            else:
                new = f"{old.name} {self.pick('+', '^', '*', '-')} {a.name}"
            self.say(f"tl.store({pointer}, {new}{mask})")
        if self.chance(.5):
            self.bind(f"tl.load({pointer}{mask}{', other=0' if mask else ''})", a.ty, a.shape,
                      4 if a.ty in FLOATS else 0)

    def atomic(self):
        a = self.find(types=("i32", "u32", "i64", "f32"))
        ops = ("add",) if a.ty == "f32" else ("add", "max", "min", "and", "or", "xor")
        if a.ty == "f32" and a.most * 2 ** 12 > MOST["f32"]:
            return
        if a.ty == "i64" and self.chance(.5):
            ops = ("add",)
        out = self.array(a.ty, "a")
        place = self.place(a.shape)
        mask = f", mask={self.mask(a.shape)}" if self.chance(.4) else ""
        scalar = "" if a.shape else ""
        order = self.pick("", ', sem="relaxed"')
        self.say(f"tl.atomic_{self.pick(*ops)}({out} + ({place}), {a.name}{scalar}{mask}{order})")


def specials(random, ty, count):
    """Numbers of all sizes, and what is none."""
    rare = [np.nan, np.inf, -np.inf, 0., -0., 1., -1., 2.**-149, -2.**-140, 2.**-24, 2.**-25 * 1.5, 2.**-9, 2.**-10 * 1.25, 2.**-16,
            2.**-17 * 1.5, 448., 464., 465., 480., 57344., 61440., 65504., 65519., 65520., 3.39e38, 1.0625, 1.1875, 1.00390625, 1.01171875]
    with np.errstate(all="ignore"):
        wide = random.standard_normal(count) * np.exp2(random.integers(-30, 20, count))
        wide = np.where(random.random(count) < .4, random.choice(rare, count), wide)
        return convert(wide, "f64", ty)


def fill(random, ty, kind, window=WINDOW):
    """What memory holds: by the element's number alone."""
    count = 2 * window
    if kind == "s":
        return specials(random, ty, count)
    if kind == "z":
        return np.zeros(count, HELD[ty])
    if kind == "idx" or ty == "idx":
        return random.integers(0, 64, count).astype(np.int32)
    if ty == "i1":
        return random.integers(0, 2, count).astype(bool)
    if kind == "q":         # few numbers, for small scores
        return convert(np.where(random.random(count) < 1 / 128, random.choice([-1., 1.], count), 0.), "f64", ty)
    if kind == "g":         # by how much is forgotten
        return -(random.random(count) < 1 / 64).astype(HELD[ty])
    if ty in FLOATS:
        most = 2 if kind == "h" else 4
        return random.integers(-most, most + 1, count).astype(HELD[ty])
    if random.random() < .3:
        return random.integers(-3 if ty[0] == "i" else 0, 4, count).astype(HELD[ty])
    info = np.iinfo(HELD[ty])
    return random.integers(info.min, info.max, count, dtype=HELD[ty], endpoint=True)


def write(seed):
    """Text and parameters."""
    if seed // MILLION in (9, 11):
        from kinds.altered import Altered
        kind, other = seed % 9 if seed // MILLION == 9 else 10, seed % MILLION
        maker, text = write(kind * MILLION + other)
        return maker, Altered(seed).text(text)
    if seed // MILLION == 14:
        from kinds.mixed import Mixed
        maker = Mixed(seed, write)
        return maker, maker.text()
    from kinds.boxes import Boxes
    from kinds.branches import Branches
    from kinds.carried import Carried
    from kinds.chained import Chained
    from kinds.choices import Choices
    from kinds.divided import Divided
    from kinds.dots import Dots
    from kinds.extras import Extras
    from kinds.flow import Flow
    from kinds.functions import Functions
    from kinds.further import Further
    from kinds.large import Large
    from kinds.models import Models
    from kinds.products import Chunks, Products
    from kinds.rows import Rows
    from kinds.shared import Shared
    from kinds.tensors import Tensors
    from kinds.wide import Wide
    kinds = [Products, Products, Chunks, Rows, Rows] + [Statements] * 5
    alone = {1: Tensors, 2: Flow, 3: Shared, 4: Boxes, 5: Dots, 6: Branches, 7: Extras, 8: Large, 10: Models, 12: Functions, 13: Divided,
             15: Chained, 16: Carried, 17: Choices, 18: Wide, 19: Further}.get(seed // MILLION)
    maker = (alone or kinds[seed % len(kinds)])(seed)
    whole = type(maker) not in (Statements, Extras, Functions)
    maker.begin()
    while maker.budget > 0:
        maker.statement()
    for _ in range(0 if whole else maker.pick(1, 2)):
        maker.store(maker.find())
    if isinstance(maker, Tensors):
        maker.keep_unread()
    names = [a[0] for a in maker.arrays] + maker.numbers + list(maker.given) + list(maker.scalars)
    helpers = "".join(f"@triton.jit{'(noinline=True)' * (h in NOINLINE)}\n{COMBINES[h][0]}\n\n\n" for h in maker.helpers)
    return maker, f"{helpers}@triton.jit\ndef kernel({', '.join(names)}):\n" + "\n".join(maker.lines) + "\n"


def launches(maker, random, alone):
    """One launch or some, with other numbers, and of kernels of one kind with other grids; of a product with the numbers
    that its grid is for."""
    if maker.given:
        times = maker.pick(1, 1, 2)
        return [(maker.grid, dict(maker.given))] * (1 if maker.once else times)

    def grid():
        return tuple(int(random.integers(1, 6 if maker.dims == 1 else 4)) for _ in range(maker.dims)) + (1,) * (3 - maker.dims)

    if not alone:
        first = grid()
        return [(first, {n: maker.pick(*NUMBERS) for n in maker.numbers}) for _ in range(maker.pick(1, 2))]
    def numbers():
        small = {n: maker.pick(*NUMBERS) if maker.chance(.95) else maker.pick(*RARE) for n in maker.numbers}
        return {**small, **{n: maker.pick(*choices) for n, choices in maker.scalars.items()}}

    return [(grid(), numbers())
            for _ in range(1 if maker.once else maker.pick(1, 2, 3))]


def make(seed):
    maker, text = write(seed)
    kernel = Kernel()
    kernel.seed, kernel.text, kernel.warps, kernel.names = seed, text, maker.pick(1, 2, 4, 4, 8), maker.arrays
    kernel.options = {}
    if seed >= MILLION:
        kernel.warps = maker.pick(1, 2, 4, 4, 8, 16, 32)
        kernel.options = maker.pick({}, {}, {}, {"num_stages": maker.pick(1, 2, 4, 5)}, {"num_ctas": 2} if maker.chance(.3) else {})
        kernel.options = {**kernel.options, **maker.options}
    kernel.aliases, kernel.descs, kernel.window, kernel.wishes = maker.aliases, maker.descs, maker.window, maker.wishes
    kernel.launches = launches(maker, np.random.default_rng(seed), seed >= MILLION)
    expect(kernel)
    return kernel


def argument(v):
    """What a kernel sees of a number. One that is 1 is a number of the text to Triton's front end."""
    if isinstance(v, (bool, float)):
        return Tile(v, "i1" if isinstance(v, bool) else "f32")
    return Tile(v, "i32" if -2 ** 31 <= v < 2 ** 31 else "i64") if v != 1 else v


def expect(kernel):
    """What the kernel's text does to its arrays."""
    from language import Box
    random = np.random.default_rng(kernel.seed)
    types = {name: "i32" if ty == "idx" else ty for name, ty, _ in kernel.names}
    first = {name: fill(random, ty, kind, kernel.window) for name, ty, kind in kernel.names}
    leads = {name: [0 if kind in "bcfh" else int(random.choice([0, 0, 0, 1, 3, 8])) for _ in kernel.launches]
             for name, _, kind in kernel.names}
    runs = []
    for poison in (0x5A, 0x17):
        POISON[0] = poison
        arrays = {name: Array(name, types[name], first[name].copy(), kind in "owc") for name, _, kind in kernel.names}
        for grid, numbers in kernel.launches:
            for a in arrays.values():
                a.owner[:] = -1
            whose = {name: kernel.aliases.get(name, (name, 0)) for name in arrays}
            arguments = {name: Pointer(arrays[array], far) for name, (array, far) in whose.items()}
            for array, far in whose.values():
                arrays[array].high = max(arrays[array].high, far)
            arguments.update({name: Box(arguments[name], *parts) for name, parts in kernel.descs.items()})
            arguments.update({n: argument(v) for n, v in numbers.items()})
            launch(kernel.text, "kernel", grid, arguments, list(arrays.values()))
        runs.append(arrays)
    kernel.arrays = {}
    for name, a in runs[0].items():
        low, high = a.window + a.low, a.window + a.high + 1
        end = to_bits(a.data[low:high], a.ty)
        if not np.array_equal(end, to_bits(runs[1][name].data[low:high], a.ty)):
            raise Undefined("masked lanes are seen")
        if name in kernel.aliases:
            continue
        kernel.arrays[name] = dict(ty=a.ty, base=-a.low, leads=leads[name], first=to_bits(first[name][low:high], a.ty), last=end)

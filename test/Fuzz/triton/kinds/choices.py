"""Pointers of which a kernel chooses as it runs: single ones that loops carry and swap, that branches and conditions pick, and
tiles of them to several arrays at a time; what is read through them, and stored."""

from generate import COMBINES, Statements
from reference import FLOATS
from values import TL, Value

COMBINES.update({
    "which": ("def which(p, q, n):\n    if n > 3:\n        return q\n    return p + n", 0),
    "reads": ("def reads(p, n, size: tl.constexpr):\n    if n == 2:\n        p += 5\n    return tl.load(p + tl.arange(0, size))", 0)})


class Choices(Statements):
    def begin(self):
        self.step = None
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0", "n1"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.ty = self.pick("i32", "i32", "f32", "f16", "i64", "i8", "bf16", "f64")
        self.shape = self.pick((16,), (32,), (64,), (128,), (8, 16), (4, 32), (512,), (16, 64))
        self.size = self.shape[0] * (self.shape[1] if len(self.shape) > 1 else 1)
        self.types, self.shapes = [self.ty, "i32"], [self.shape]
        self.sources = [self.array(self.ty, "x") for _ in range(self.pick(2, 2, 3))]
        self.outs = [self.array(self.ty, "o") for _ in range(2)]
        self.held, self.total = [self.name("p") for _ in range(self.pick(2, 2, 3))], self.name()
        for p in self.held:
            self.say(f"{p} = {self.start()}")
        self.step = self.name("s")
        self.say(f"{self.step} = 0")
        self.say(f"{self.total} = tl.zeros({list(self.shape)}, tl.{TL[self.wide()]})")
        for _ in range(self.pick(1, 2, 3)):
            self.stretch()
        self.keep()
        self.values = [Value(self.total, self.wide(), self.shape, 4)]

    def wide(self):
        return "f32" if self.ty in ("f16", "bf16") else "i32" if self.ty == "i8" else self.ty

    def start(self):
        return self.pick(*self.sources) + self.pick("", "", " + 16", " + n0", " + pid0 * 8", f" + {self.number()}")

    def number(self):
        return self.pick("n0", "n1", "pid0", "3", "8", "1", *([self.step] if self.step else []), *self.loops)

    def condition(self):
        return f"({self.number()} & {self.pick(1, 1, 2, 3)}) {self.pick('==', '!=')} 0"

    def offsets(self):
        if len(self.shape) == 1:
            return self.pick(f"tl.arange(0, {self.size})", f"(tl.arange(16, {self.size + 16}) - 16)",
                             f"({self.size - 1} - tl.arange(0, {self.size}))")
        m, n = self.shape
        return self.pick(f"(tl.arange(0, {m})[:, None] * {n} + tl.arange(0, {n})[None, :])",
                         f"(tl.arange(0, {m})[:, None] + tl.arange(0, {n})[None, :] * {m})")

    def truths(self):
        return self.pick(f"({self.offsets()} + {self.number()}) % {self.pick(2, 3, 8, 16)} < {self.pick(1, 2)}",
                         f"{self.offsets()} < {self.number()}", f"{self.offsets()} >= {self.pick(8, self.size // 2, 'n0')}")

    def stretch(self):
        depth, loops, kind = self.depth, list(self.loops), self.random.randrange(6)
        if kind < 3:
            name = self.name("k")
            form = self.pick("range", "tl.range", "tl.range", "tl.static_range")
            end = self.pick("3", "4") if "static" in form else self.pick("3", "(n0 & 3) + 1", "5 - (n1 & 3)")
            more = self.pick("", ", num_stages=3", ", num_stages=1") if form == "tl.range" else ""
            self.say(f"for {name} in {form}({self.pick('0', '1')}, {end}{more}):")
            self.loops.append(name)
        elif kind == 3:
            name = self.name("w")
            self.say(f"{name} = {self.pick('0', 'n0 & 1')}")
            self.say(f"while {name} < {self.pick('3', '(n1 & 3) + 1')}:")
            self.say(f"    {name} += 1")
            self.loops.append(name)
        else:
            self.say(f"if {self.condition()}:" if kind == 4 else "if True:")
        self.depth += 1
        for _ in range(self.pick(1, 2, 3)):
            self.changes()
        self.reads()
        if self.chance(.3) and self.depth < 3:
            self.stretch()
        self.depth, self.loops = depth, loops

    def changes(self):
        p, q, kind = self.pick(*self.held), self.pick(*self.held), self.random.randrange(7)
        if kind == 0:
            return self.say(f"{p} += {self.pick('1', '4', '16', 'pid0')}")
        if kind == 1 and p != q:
            return self.say(f"{p}, {q} = {q}, {p}")
        if kind == 2 and p != q:
            return self.say(f"{p} = {p} if {self.condition()} else {q}")
        if kind == 3:
            self.say(f"if {self.condition()}:")
            self.say(f"    {p} = {self.start()}")
            if self.chance(.5):
                self.say("else:")
                self.say(f"    {p} = {q} + 2")
            return None
        if kind == 4:
            return self.say(f"{p} = tl.where({self.condition()}, {q}, {self.pick(*self.held)})")
        if kind == 5:
            self.need("which")
            return self.say(f"{p} = which({p}, {q}, {self.number()} & 7)")
        return None

    def need(self, helper):
        if helper not in self.helpers:
            self.helpers.append(helper)

    def reads(self):
        p, q, v = self.pick(*self.held), self.pick(*self.held), self.name()
        if self.chance(.2) and len(self.shape) == 1:
            self.need("reads")
            self.say(f"{v} = reads({p}, {self.number()} & 3, {self.size})")
        elif self.chance(.5):
            tile = f"tl.where({self.truths()}, {p} + {self.offsets()}, {q} + {self.offsets()})"
            if self.chance(.3):
                tile = f"tl.where({self.truths()}, {tile}, {self.pick(*self.sources)} + {self.offsets()})"
            mask = f", mask={self.truths()}, other={self.pick('0', '1')}" if self.chance(.4) else ""
            self.say(f"{v} = tl.load({tile}{mask})")
        else:
            mask = f", mask={self.truths()}, other=0" if self.chance(.4) else ""
            self.say(f"{v} = tl.load({p} + {self.offsets()}{mask})")
        t, ty = self.total, TL[self.wide()]
        # Floats stay small whole numbers.
        new = self.pick(f"{t} + {v}", f"tl.maximum({t}, {v}.to(tl.{ty}))") if self.wide() in FLOATS else \
            self.pick(f"{t} * 3 + {v}", f"{t} ^ {v}")
        self.say(f"{t} = {new}")
        self.say(f"{self.step} += 1")

    def keep(self):
        """A program's part of both results: swapped, chosen by a number or element by element."""
        (a, b), ty, n = self.outs, TL[self.ty], self.shape[-1]
        place = f"tl.arange(0, {n})" if len(self.shape) == 1 else \
            f"(tl.arange(0, {self.shape[0]})[:, None] * {n} + tl.arange(0, {n})[None, :])"
        place = f"line * {self.size} + {place}"
        form = self.random.randrange(3)
        if form == 0:
            self.say(f"o = {a} if {self.condition()} else {b}")
            self.say(f"tl.store(o + {place}, {self.total}.to(tl.{ty}))")
        elif form == 1:
            self.say(f"{a}, {b} = {b}, {a}")
            self.say(f"tl.store({a} + {place}, {self.total}.to(tl.{ty}))")
            self.say(f"tl.store({b} + {place}, {self.total}.to(tl.{ty}), mask={self.truths()})")
        else:
            self.say(f"tl.store(tl.where({self.truths()}, {a} + {place}, {b} + {place}), {self.total}.to(tl.{ty}))")

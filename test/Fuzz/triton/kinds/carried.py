"""Descriptors that a kernel chooses as it runs: carried by loops of all forms and made anew in some of their steps, swapped,
picked by branches, handed to functions; boxes loaded through them, stored, and folded into memory."""

from generate import COMBINES
from kinds.boxes import SUMS, Boxes, Desc
from reference import FLOATS
from values import TL

COMBINES.update({
    "box_of": ("def box_of(d, at, other):\n    if at > 3:\n        return d.load([at - 4, 0])\n    return d.load([at, 0]) + other", 0),
    "anew": ("def anew(d, p, rows, pitch: tl.constexpr, bm: tl.constexpr, bn: tl.constexpr):\n    if rows > 4:\n"
             "        d = tl.make_tensor_descriptor(p, shape=[rows, bn], strides=[pitch, 1], block_shape=[bm, bn])\n    return d", 0)})


class Carried(Boxes):
    def begin(self):
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0", "n1"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.ty = self.pick("f16", "f16", "bf16", "f32", "i8", "i16", "i32", "i64", "f64")
        self.types, self.shapes = ["i32"], [(16,)]
        self.step = self.name("s")
        self.say(f"{self.step} = 0")
        self.padding = self.pick("zero", "zero", "nan") if self.ty in FLOATS else "zero"
        self.block = self.block_of(self.ty, 2)
        self.pitch = self.block[1] * self.pick(1, 1, 2)
        self.bases = [self.array(self.ty, "b") for _ in range(self.pick(1, 2, 2))]
        self.out = Desc(self.name("d"), self.ty, [64 * self.block[0], self.block[1]], self.block)
        self.anew(self.out.name, self.array(self.ty, "c"), rows=str(self.out.shape[0]), pitch=self.block[1])
        self.held = [self.name("d") for _ in range(self.pick(1, 1, 2, 3))]
        for d in self.held:
            self.anew(d, self.pick(*self.bases))
        for _ in range(self.pick(1, 2, 3)):
            self.stretch()
        if self.chance(.4):
            self.folds()
        self.values = [self.load((16,), "i32")]

    def number(self):
        return self.pick("n0", "n1", "pid0", self.step, *self.loops)

    def anew(self, name, base=None, rows=None, pitch=None):
        """Makes a descriptor anew: of an array or what begins some rows further on, with as many rows or fewer, or others."""
        base = base or self.pick(*self.bases)
        pitch = pitch or (self.pitch if self.chance(.7) else self.block[1] * self.pick(1, 2, 3))
        if rows is None:
            base += self.pick("", "", f" + {pitch * 2}", f" + ({self.number()} & 3) * {pitch}", f" + pid0 * {pitch}")
            rows = self.pick(str(4 * self.block[0]), str(4 * self.block[0]), f"({self.number()} & 7) + 1", str(self.block[0] + 1))
        more = ', padding_option="nan"' if self.padding == "nan" else ""
        self.say(f"{name} = tl.make_tensor_descriptor({base}, shape=[{rows}, {self.block[1]}], strides=[{pitch}, 1], "
                 f"block_shape={list(self.block)}{more})")

    def condition(self):
        return f"({self.number()} & {self.pick(1, 1, 2, 3)}) {self.pick('==', '!=')} 0"

    def stretch(self):
        """Some steps, or a branch."""
        depth, loops, kind = self.depth, list(self.loops), self.random.randrange(5)
        if kind < 2:
            name = self.name("k")
            more = self.pick("", "", "", ", num_stages=3", ", num_stages=1", ", loop_unroll_factor=2")
            self.say(f"for {name} in tl.range({self.pick('0', '1', 'pid0')}, {self.pick('3', '4', '(n0 & 3) + 1', '5 - (n1 & 3)')}{more}):")
            self.loops.append(name)
        elif kind == 2:
            name = self.name("w")
            self.say(f"{name} = {self.pick('0', 'n0 & 1')}")
            self.say(f"while {name} < {self.pick('3', '(n1 & 3) + 1', '4')}:")
            self.say(f"    {name} += 1")
            self.loops.append(name)
        elif kind == 3:
            self.say(f"if {self.condition()}:")
        else:
            self.say("if True:")
        self.depth += 1
        for _ in range(self.pick(1, 2, 3)):
            self.changes()
        self.uses()
        if self.chance(.3) and self.depth < 3:
            self.stretch()
        self.depth, self.loops = depth, loops

    def changes(self):
        d, e = self.pick(*self.held), self.pick(*self.held)
        kind = self.random.randrange(5)
        if kind == 0:
            return self.anew(d)
        if kind in (1, 2):
            self.say(f"if {self.condition()}:")
            self.depth += 1
            self.anew(d)
            self.depth -= 1
            if self.chance(.5):
                self.say("else:")
                self.depth += 1
                self.pick(lambda: self.say(f"{d} = {e}"), lambda: self.anew(d))()
                self.depth -= 1
            return None
        if kind == 3 and d != e:
            return self.say(f"{d}, {e} = {e}, {d}")
        if kind == 4 and self.padding == "zero":
            if "anew" not in self.helpers:
                self.helpers.append("anew")
            return self.say(f"{d} = anew({d}, {self.pick(*self.bases)}, ({self.number()} & 7) + 1, {self.pitch}, {self.block[0]}, {self.block[1]})")
        return None

    def uses(self):
        """A box of one of them, to a row of boxes of its own."""
        v, step = self.name(), self.least(self.ty)
        first = self.pick("0", "1", f"({self.number()} & 3)", f"({self.number()} & 1) * {self.block[0]}", "-1")
        if self.chance(.2):
            if "box_of" not in self.helpers:
                self.helpers.append("box_of")
            self.say(f"{v} = box_of({self.pick(*self.held)}, {self.number()} & 7, {self.pick('1', '0', '3')}).to(tl.{TL[self.ty]})")
        else:
            self.say(f"{v} = {self.pick(*self.held)}.load([{first}, {self.pick('0', '0', str(step))}])")
        self.say(f"{self.out.name}.store([(pid0 * 12 + {self.step} % 12) * {self.block[0]}, 0], {self.changed(v, self.ty)})")
        self.say(f"{self.step} += 1")

    def folds(self):
        """Boxes folded into one of two arrays, whichever a condition chooses."""
        ty = self.pick(*SUMS)
        block = self.block_of(ty, 2)
        one, two = [self.name("d") for _ in range(2)]
        for d, array in ((one, self.array(ty, "f")), (two, self.array(ty, "f"))):
            self.say(f"{d} = tl.make_tensor_descriptor({array}, shape=[{block[0] * 2}, {block[1]}], strides=[{block[1]}, 1], "
                     f"block_shape={list(block)})")
        op, v = self.pick(*SUMS[ty]), self.load(block, ty)
        self.say("for k in range(3):")
        self.say(f"    {one}.atomic_{op}([{self.pick('k', '0', '-1')}, 0], {v.name})")
        self.say(f"    if {self.pick('k == 1', 'n0 > 3', 'pid0 == k')}:")
        self.say(f"        {one}, {two} = {two}, {one}")

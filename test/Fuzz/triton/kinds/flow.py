"""Loops, branches and returns within each other, over numbers and small tiles; bounds of either sign and of 64 bits, also
from memory and from what loops before have computed."""

from generate import COMBINES, Statements
from values import TL, Value

DEEPEST = 4
HELPERS = {
    "early": "def early(a, b):\n    if a > b:\n        return a - b\n    return a + 1",
    "sides": "def sides(a, b):\n    if a > 3:\n        c = a\n        d = b + 1\n    else:\n        c = b - a\n        d = a\n"
             "    return c, d",
    "turns": "def turns(a, b):\n    for k in range(0, a & 3):\n        b = b * 3 + k\n    return b"}
COMBINES.update({name: (text, 0) for name, text in HELPERS.items()})


class Flow(Statements):
    def begin(self):
        self.dims, self.pids, self.numbers = 1, ["pid0"], ["n0", "n1"]
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.shapes = [self.pick((16,), (32,), (64,), (8, 16), (128,)), ()]
        self.types = ["i32", self.pick("i64", "u8", "i16", "u32"), self.pick("i32", "i64")]
        self.budget, self.room, self.steps_in = 0, self.random.randint(6, 14), 1
        self.state, self.singles = [], []
        for _ in range(self.pick(1, 2, 3, 4)):
            v = self.load(self.shapes[0], self.pick(*self.types))
            self.state.append(v)
        for _ in range(self.pick(1, 2, 3)):
            ty = self.pick("i32", "i32", "i64")
            text = f"(tl.load({self.source('idx')} + {self.pick('pid0', '0', 'n0', '3')}) - {self.pick(0, 0, 30, 64)})"
            self.singles.append(self.bind(f"{text}.to(tl.{TL[ty]})", ty, ()))
        self.pointer = None
        if self.chance(.4):
            self.pointer = Value(self.name("p"), self.pick(*self.types), self.shapes[0])
            self.say(f"{self.pointer.name} = {self.array(self.pointer.ty, 'x')} + ({self.lane_place(self.shapes[0])})")
        self.body(self.random.randint(2, 5))
        for v in self.state + self.singles:
            self.kept(v)
        self.values = list(self.state)

    def kept(self, v):
        if not self.loops:
            self.store(v)

    # ---- conditions and bounds

    def number_of(self):
        """Text of a number, i32 or i64."""
        v = self.pick(*self.singles)
        forms = ["pid0", "n0", "n1", v.name, v.name, f"(pid0 - {v.name})", f"({v.name} % 5)", *self.loops, *self.loops]
        if not self.loops:
            forms.append(f"tl.load({self.source('idx')} + (({v.name} & 31)))")
        if self.chance(.1):
            t = self.pick(*self.state)
            return f"tl.{self.pick('max', 'min', 'sum')}({t.name}.to(tl.int32) & 7{', 0' if len(t.shape) == 1 else ''})"
        return self.pick(*forms)

    def condition(self):
        one = f"{self.number_of()} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.pick('0', '1', '2', '5', self.number_of())}"
        if self.chance(.25):
            two = f"{self.number_of()} {self.pick('<', '>', '==')} {self.pick('0', '3', self.number_of())}"
            # Triton computes both sides of `and`, Python the second where it is asked for: that is not to read.
            words = ("and", "or") if "tl.load" not in two else ("&", "|")
            return self.pick(f"({one}) & ({two})", f"({one}) | ({two})", *[f"({one}) {word} ({two})" for word in words], f"not ({one})")
        return one

    def few(self, least=0):
        """Text of a number from `least` to a few more."""
        return f"({self.number_of()} & 3)" + (f" + {least}" if least else "") if self.chance(.6) else str(self.pick(0, 1, 2, 3))

    # ---- statements

    def body(self, count):
        said = len(self.lines)
        for _ in range(count):
            if self.room <= 0:
                break
            self.room -= 1
            kind = self.random.randrange(12)
            if kind < 3 and self.depth < DEEPEST and len(self.loops) < 3:
                self.counted()
            elif kind == 3 and self.depth < DEEPEST and len(self.loops) < 2:
                self.waits()
            elif kind < 7 and self.depth < DEEPEST:
                self.forks()
            elif kind == 7 and not self.loops and self.depth < 3 and self.chance(.5):
                self.leaves()
            elif kind == 8:
                self.calls()
            else:
                self.moves()
        if len(self.lines) == said:
            self.moves()

    def moves(self):
        """Changes what is carried."""
        kind = self.random.randrange(8)
        if kind == 0:
            v = self.pick(*self.singles)
            new = self.pick(f"{v.name} + {self.number_of()}", f"{v.name} * 3 - {self.number_of()}", f"{v.name} ^ {self.number_of()}",
                            f"tl.where({self.condition_alone()}, {v.name}, {self.number_of()})",
                            f"{v.name} + 1 if {self.condition_alone()} else {v.name} - 2")
            return self.say(f"{v.name} = (({new}) & 1023).to(tl.{TL[v.ty]})" if " if " not in new else
                            f"{v.name} = ({new}).to(tl.{TL[v.ty]})")
        if kind == 1 and len(self.state) > 1:
            fit = [(a, b) for a in self.state for b in self.state if a is not b and a.ty == b.ty]
            if fit:
                a, b = self.pick(*fit)
                return self.say(f"{a.name}, {b.name} = ({b.name} + 1).to(tl.{TL[a.ty]}), ({a.name} ^ 3).to(tl.{TL[a.ty]})")
        v = self.pick(*self.state)
        if kind == 2 and self.pointer:
            self.say(f"{v.name} = ({v.name} + tl.load({self.pointer.name}).to(tl.{TL[v.ty]})).to(tl.{TL[v.ty]})")
            return self.say(f"{self.pointer.name} += {self.pick('1', '16', '-3', '0', f'({self.number_of()} & 15)')}")
        if kind == 3:
            at = f"({self.number_of()} & 31) * 16 + ({self.lane_place(v.shape)})"
            name = self.name()
            mask = f", mask={self.lane_place(v.shape)} < {self.number_of()}, other=3" if self.chance(.4) else ""
            self.say(f"{name} = tl.load({self.source(v.ty)} + {at}{mask})")
            return self.say(f"{v.name} = ({v.name} * 5 ^ {name}).to(tl.{TL[v.ty]})")
        if kind == 4 and len(self.loops) == 1 and v.ty in ("i32", "i64", "u32"):
            return self.add(v)
        w = self.pick(*self.state)
        other = f"{w.name}.to(tl.{TL[v.ty]})" if self.chance(.5) else f"({self.number_of()} + pid0 * 0).to(tl.{TL[v.ty]})"
        self.say(f"{v.name} = ({v.name} {self.pick('+', '-', '^', '*')} {other}).to(tl.{TL[v.ty]})")

    def condition_alone(self):
        return f"{self.number_of()} {self.pick('<', '>', '==')} {self.pick('0', '2', self.number_of())}"

    def add(self, v):
        """Sums in memory, in any order."""
        self.say(f"tl.atomic_add({self.array(v.ty, 'a')} + ({self.lane_place(v.shape)}), {v.name})")

    def block(self, count):
        held = len(self.values)
        self.depth += 1
        self.body(count)
        self.depth -= 1
        del self.values[held:]

    def counted(self):
        i, kind = self.name("i"), self.pick("range", "range", "tl.range", "tl.static_range")
        step, more = self.pick("1", "1", "2", "-1", "-2", "3"), ""
        if kind == "tl.static_range":
            low, high = str(self.pick(0, 1, -2)), str(self.pick(0, 1, 2, 3))
            low, high = (high, low) if step[0] == "-" else (low, high)
        else:
            low = self.pick("0", "0", "1", "-3", "pid0", f"({self.number_of()} & 1)", f"({self.number_of()})")
            low = f"({low} + pid0 * 0).to(tl.int64)" if low[0] == "(" and self.chance(.3) else low
            few = self.few()
            high = f"{low} {'-' if step[0] == '-' else '+'} ({few}) * {step.strip('-')}" if self.chance(.8) else \
                f"{low} + ({few}) - 1"
            # (Triton 3.6 does not unroll loops over i64.)
            unrolls = ", loop_unroll_factor=2" if not any(v.name in low + high for v in self.singles) else ""
            more = self.pick("", "", ", num_stages=3", unrolls, ", flatten=True", ", disallow_acc_multi_buffer=True",
                             ", disable_licm=True") if kind == "tl.range" else ""
        self.say(f"for {i} in {kind}({low}, {high}, {step}{more}):")
        self.loops.append(f"({i} + pid0 * 0)" if kind == "tl.static_range" else i)
        self.block(self.random.randint(1, 3))
        self.loops.pop()

    def waits(self):
        c = self.name("c")
        self.say(f"{c} = {self.pick('pid0 * 0', '(n0 & 3)', 'pid0 + 1')}")
        asked = self.condition_alone()
        also = f" and pid0 * 0 + {asked}" if "tl.load" not in asked else f" & (pid0 * 0 + {asked})"
        ask = self.pick("", "", also, f" & (pid0 * 0 + {asked})")
        low = f"({c} < {self.pick('3', '4', '(n1 & 3)')})" if ask else f"{c} < {self.pick('3', '4', '(n1 & 3)')}"
        self.say(f"while {low}{ask}:")
        self.loops.append(c)
        self.block(self.random.randint(1, 3))
        self.say(f"    {c} += {self.pick('1', '1', '2')}")
        self.loops.pop()

    def forks(self):
        self.say(f"if {self.condition()}:")
        self.block(self.random.randint(1, 3))
        if self.chance(.3):
            self.say(f"elif {self.condition()}:")
            self.block(self.random.randint(1, 2))
        if self.chance(.5):
            self.say("else:")
            self.block(self.random.randint(1, 2))

    def leaves(self):
        """An end of the program, some of whose results are stored in front of it."""
        self.say(f"if {self.condition()}:")
        self.depth += 1
        if self.chance(.5):
            v = self.pick(*self.state)
            self.say(f"tl.store({self.array(v.ty, 'o')} + ({self.region(v.shape)}), {v.name})")
        self.say("return")
        self.depth -= 1

    def calls(self):
        name, v = self.pick(*HELPERS), self.pick(*self.singles)
        if name not in self.helpers:
            self.helpers.append(name)
        if name == "sides":
            w = self.name("s")
            self.say(f"{v.name}, {w} = {name}({v.name} & 7, {v.name})")
            self.say(f"{v.name} = ({v.name} + {w}).to(tl.{TL[v.ty]})")
        else:
            self.say(f"{v.name} = {name}({v.name} & 15, {v.name} * 0 + 2).to(tl.{TL[v.ty]})")

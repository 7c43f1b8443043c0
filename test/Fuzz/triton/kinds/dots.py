"""Products in all surroundings: in branches, in loops within loops, of products, of batches, of two accumulators, with several
ends, of scaled numbers of 4 and 8 bits; operands loaded either way round, computed, or carried."""

from generate import Statements
from reference import BITS, FLOATS
from values import EXACT, SUMS, TL, Value, limited

SCALED = {"e2m1": "u8", "e4m3": "e4", "e5m2": "e5", "bf16": "bf16", "fp16": "f16"}


class Dots(Statements):
    def begin(self):
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.types, self.shapes = ["i32"], [(16,)]
        self.values, self.base = [], 1
        self.pick(self.nests, self.nests, self.sides, self.chains, self.chains, self.batches, self.scaled, self.scaled)()
        self.budget = self.random.randint(0, 2)
        if not self.values:
            self.values = [self.load((16,), "i32")]

    def types_of(self):
        """Of operands and of sums, and what tl.dot is told."""
        ty = self.pick("f16", "f16", "bf16", "f32", "tf32", "i8", "e4", "e5", "f64", "half")
        operand = {"tf32": "f32", "half": "f16"}.get(ty, ty)
        out = {"i8": "i32", "f64": "f64", "half": "f16"}.get(ty, "f32")
        more = {"f32": ', input_precision="ieee"', "tf32": f', input_precision="{self.pick("tf32", "tf32x3", "bf16x3", "bf16x6")}"'}.get(ty, "")
        more += f", out_dtype=tl.{TL[out]}" if out != "f32" else ""
        if ty in ("e4", "e5") and self.chance(.5):
            more += f", max_num_imprecise_acc={self.pick(0, 16, 32)}"
        return operand, out, more

    def tile_of(self, name, ty, rows, cols, by="0"):
        """A tile of small numbers, from memory as it lies or turned, or computed."""
        array = self.array(ty, "x")
        i, j = f"tl.arange(0, {rows})", f"tl.arange(0, {cols})"
        if self.chance(.4):
            text = f"tl.trans(tl.load({array} + {by} + {j}[:, None] * {rows} + {i}[None, :]))"
        elif self.chance(.3):
            text = f"tl.load({array} + {by} + {i}[:, None] + {j}[None, :] * {rows})"
        else:
            mask = f", mask=({i} < n0 + {self.pick(3, 16)})[:, None], other={'0.0' if ty in FLOATS else 0}" if self.chance(.3) else ""
            text = f"tl.load({array} + {by} + {i}[:, None] * {cols + self.pick(0, 0, 1, 8)} + {j}[None, :]{mask})"
        self.say(f"{name} = {text}")
        if ty in ("i8",):
            self.say(f"{name} = {name} & 3")
        elif ty not in ("e4", "e5") and self.chance(.25):
            self.say(f"{name} = ({self.pick(f'tl.maximum({name}, 0.0)', f'-{name}', f'{name} + 1.0')}).to(tl.{TL[ty]})")

    def extents(self, ty):
        return self.pick(16, 32, 64), self.pick(16, 32, 64), max(32 if BITS[ty] == 8 else 16, self.pick(16, 32, 64))

    def nests(self):
        """A product in loops and branches, one or two sums, and several ends."""
        ty, out, more = self.types_of()
        m, n, k = self.extents(ty)
        # Both sides of a branch have names of their own.
        x, y, q, t = (self.name(prefix) for prefix in ("left", "right", "q", "t"))
        sums = [self.name("acc") for _ in range(self.pick(1, 1, 2))]
        outer = self.pick("", "", f"for {t} in tl.range(0, 2):", f"for {t} in range(0, n0 & 3):",
                          f"for {t} in tl.range(pid0, 6, tl.num_programs(0), flatten=True):", f"for {t} in tl.range(pid0, 5, 2):")
        start = [f"{a} = tl.zeros([{m}, {n}], tl.{TL[out]})" for a in sums]
        carried = self.chance(.3)
        if carried or not outer:
            for text in start:
                self.say(text)
        if outer:
            self.say(outer)
            self.depth += 1
            if not carried:
                for text in start:
                    self.say(text)
        t, depth = t if outer else "pid0", self.depth
        inner = self.pick("", f"for {q} in tl.range(0, {self.pick('2', '3', 'n0 & 3', t + ' + 1')}{self.pick('', ', num_stages=3', ', num_stages=1')}):",
                          "while", f"for {q} in range(2, -1, -1):")
        if inner == "while":
            self.say(f"{q} = pid0 * 0")
            inner = f"while {q} < {self.pick('2', 'n0 & 3')}:"
        if inner:
            self.say(inner)
            self.depth += 1
        by = f"{q if inner else t} * {m * k}"
        branch, alone, listed = self.chance(.45), self.random.randrange(4), self.source("idx")
        asks = ["n0 > 3", f"{t} % 2 == 0", f"tl.load({listed} + {q if inner else t}) > 20"]
        asks += [f"{q} > 0", f"{q} % 2 == 1"] if inner else []
        condition = f"if {self.pick(*asks)}:" if branch else "pass"
        if branch and self.chance(.4):
            # A list says which blocks there are, and where.
            spot = self.name("spot")
            self.say(f"{spot} = tl.load({listed} + {q if inner else t}) - 20")
            condition, by = f"if {spot} >= 0:", f"({spot} % 8) * {m * k}"
        # What is multiplied is loaded in front of the branch, or in it: all, or one operand.
        for number, (name, rows, cols, place) in enumerate(((x, m, k, by), (y, k, n, self.pick(by, "0")))):
            if branch and number == alone:
                self.say(condition)
                self.depth += 1
            self.tile_of(name, ty, rows, cols, place)
        if branch and alone > 1:
            self.say(condition)
            self.depth += 1
        for a in sums:
            self.multiply(a, x, y if a == sums[0] or ty in ("e4", "e5", "i8") else f"({y} + {y})", more)
        if branch:
            self.depth -= 1
            if self.chance(.4):
                self.say("else:")
                self.say(f"    {sums[0]} += {'1' if out == 'i32' else '1.0'}")
        if inner.startswith("while"):
            self.say(f"{q} += 1")
        self.say(f"{sums[0]} = {limited(sums[0], 64, out)}.to(tl.{TL[out]})" if out == "f16" else "pass")
        self.depth = depth
        self.ends(sums, out, m, n, f"({t} + line * 8)" if outer and not carried else None)

    def ends(self, sums, out, m, n, number):
        """Where sums go; `number` in a loop."""
        place = f"{number or 'line'} * {m * n} + tl.arange(0, {m})[:, None] * {n} + tl.arange(0, {n})[None, :]"
        if self.chance(.3):
            self.say(f"if {self.pick('n0 > 7', 'pid0 == 0')}:")
            self.say(f"    {sums[-1]} = {sums[-1]} + {sums[-1]}")
        for a in sums:
            bias = f" + tl.load({self.array(out, 'x')} + tl.arange(0, {n}))[None, :]" if self.chance(.3) and out != "f16" else ""
            if self.chance(.3):
                self.say(f"tl.store({self.array(out, 'o')} + {number or 'line'} * {m} + tl.arange(0, {m}), tl.max({a}, 1))")
            self.say(f"tl.store({self.array(out, 'o')} + {place}, {a}{bias})")
        if number is None and self.base == 1:
            self.values += [Value(a, out, (m, n), 2 ** 18) for a in sums[:1] if out != "f16"]
        self.depth = self.base

    def sides(self):
        """Products on one side of a branch or on both, behind a return, or one after the other."""
        self.base = 2
        form, listed = self.pick("one", "both", "both", "returns", "nested"), self.source("idx")
        self.say(f"if {self.pick('pid0 > 0', 'n0 > 7', 'pid0 % 2 == 0', f'tl.load({listed} + pid0) > 20')}:")
        self.depth = 2
        if form == "returns":
            self.nests()
            self.say("return")
        elif form == "nested":
            self.say(f"if {self.pick('n0 < 100', 'pid0 < 3')}:")
            self.base = self.depth = 3
            self.nests()
        else:
            self.nests()
        self.base = self.depth = 1
        if form == "both":
            self.say("else:")
            self.base = self.depth = 2
            self.nests()
        elif self.chance(.6):
            self.nests()
        self.base = self.depth = 1

    def chains(self):
        """Products of products."""
        ty = self.pick("f16", "bf16", "f32", "i8")
        more, out = EXACT.get(ty, ""), SUMS.get(ty, "f32")
        m, k, n, p = (max(32 if ty == "i8" else 16, self.pick(16, 32, 64)) for _ in range(4))
        self.tile_of("x", ty, m, k)
        self.tile_of("y", ty, k, n)
        self.tile_of("z", ty, n, p)
        loop = self.chance(.5)
        self.say(f"acc = tl.zeros([{m}, {p}], tl.{TL[out]})")
        if loop:
            self.say(f"for q in tl.range(0, {self.pick('2', 'n0 & 3', '3')}):")
            self.depth += 1
            if self.chance(.6):
                self.tile_of("y", ty, k, n, f"q * {k * n}")
            if self.chance(.6):
                self.tile_of("z", ty, n, p, f"q * {n * p}")
        self.say(f"s = tl.dot(x, y{more})")
        if self.chance(.4):
            self.say(f"s = tl.where(tl.arange(0, {m})[:, None] >= tl.arange(0, {n})[None, :], s, {'0' if out == 'i32' else '0.0'})")
        if self.chance(.3):
            self.say("s = s - tl.max(s, 1)[:, None]")
        self.say(f"s = {limited('s', 3, out)}.to(tl.{TL[ty]})")
        form = self.pick("plain", "plain", "back", "square")
        if form == "back" and k == n == m:
            self.say(f"s = {limited(f'tl.dot(tl.trans(s), s{more})', 2, out)}.to(tl.{TL[ty]})")
        self.multiply("acc", "s", "z", more)
        if form == "square" and m == p and loop:
            self.say(f"x = {limited('acc', 2, out)}.to(tl.{TL[ty]})" if k == p else "pass")
        self.depth = 1
        self.ends(["acc"], out, m, p, None)

    def batches(self):
        """A product of each of several matrices."""
        ty, out, more = self.pick(("f16", "f32", ""), ("f32", "f32", ', input_precision="ieee"'), ("i8", "i32", ", out_dtype=tl.int32"),
                                  ("bf16", "f32", ""))
        b, m, n, k = self.pick(1, 2, 4), self.pick(16, 32), self.pick(16, 32), max(32 if ty == "i8" else 16, self.pick(16, 32))
        x, y = self.load((b, m, k), ty), self.load((b, k, n), ty)
        self.values = []
        turned = self.chance(.3) and n == k
        self.say(f"acc = tl.zeros([{b}, {m}, {n}], tl.{TL[out]})")
        if self.chance(.4):
            self.say(f"for q in range({self.pick('2', 'n0 & 3')}):")
            self.depth += 1
        self.say(f"acc = tl.dot({x.name}, {f'tl.permute({y.name}, 0, 2, 1)' if turned else y.name}, acc{more})")
        self.depth = 1
        self.values = [Value("acc", out, (b, m, n), 2 ** 16)]
        self.store(self.values[0])

    def scaled(self):
        """Numbers of 4 and 8 bits with a scale for each 32 of them."""
        left, right = self.pick(*SCALED), self.pick(*SCALED)
        if {left, right} == {"bf16", "fp16"}:
            right = left
        wide = ("bf16", "fp16")
        m, n, k = self.pick(32, 64, 128), self.pick(32, 64), self.pick(64, 128)
        parts = []
        for name, form, other in (("x", left, m), ("y", right, n)):
            array, deep = self.array(SCALED[form], "x"), k // 2 if form == "e2m1" else k
            i, j = f"tl.arange(0, {other})", f"tl.arange(0, {deep})"
            self.say(f"{name} = tl.load({array} + " + (f"{i}[:, None] * {deep} + {j}[None, :])" if name == "x" else
                                                     f"{j}[:, None] * {other} + {i}[None, :])" if self.chance(.5) else
                                                     f"{i}[None, :] * {deep} + {j}[:, None])"))
            scale = "None"
            if form not in wide and (self.chance(.75) or left in wide or right in wide):
                scale = f"s{name}"
                self.say(f"{scale} = (tl.load({self.array('u8', 'x')} + {i}[:, None] * {k // 32} + tl.arange(0, {k // 32})[None, :]) & 3) + 126")
                self.say(f"{scale} = {scale}.to(tl.uint8)")
            parts += [name, scale, f'"{form}"']
        if parts[1] == parts[4] == "None":
            return
        more = self.pick("", ", fast_math=True")
        self.say(f"acc = tl.dot_scaled({', '.join(parts)}{more})")
        self.values = [Value("acc", "f32", (m, n), 2 ** 20)]
        self.store(self.values[0])

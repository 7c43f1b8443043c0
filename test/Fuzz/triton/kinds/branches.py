"""Loops whose steps copy operands ahead, with branches among them that multiply, load, fold, store or loop themselves: what
shared memory holds for the branches lies beside what copies of later steps fill."""

import contextlib

from generate import Statements
from reference import BITS, FLOATS
from values import EXACT, SUMS, TL, limited


class Branches(Statements):
    def begin(self):
        self.dims, self.pids, self.budget, self.types, self.shapes = 1, ["pid0"], 0, ["i32"], [(16,)]
        self.ty = self.pick("f16", "f16", "f16", "bf16", "bf16", "f32", "tf32", "i8", "e4")
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.held = {"tf32": "f32"}.get(self.ty, self.ty)
        self.out = SUMS.get(self.ty, "f32")
        self.more = ', input_precision="tf32"' if self.ty == "tf32" else EXACT.get(self.ty, "")
        wide = self.held == "f32"
        self.m, self.n = self.pick(16, 32, 64, 64, 128, 128), self.pick(16, 32, 64, 64, 128, 128)
        self.k = self.pick(32, 32, 64) if wide else self.pick(32, 64, 64, 128)
        self.steps = self.pick(1, 2, 3, 4) if self.k == 128 else self.pick(1, 2, 3, 4, 5, 6)
        self.given = {"K": self.steps * self.k - self.pick(0, 0, 0, 1, 8, 16), "E": self.pick(0, 1, 2, 3, self.steps - 1)}
        self.even = self.given["K"] % self.k == 0 and self.chance(.7)
        self.grid = (self.pick(1, 2, 3), 1, 1)
        self.loads = 0
        self.say(f"i, j, k = tl.arange(0, {self.m}), tl.arange(0, {self.n}), tl.arange(0, {self.k})")
        self.say(f"many = tl.cdiv(K, {self.k})")
        self.sums, self.follows = [], []
        self.outer()
        self.values = [self.load((16,), "i32")]

    # ---- surroundings

    def outer(self):
        """A tile a program, or some, one after the other."""
        form = self.pick("one", "one", "one", "more", "flat")
        self.tile = "pid0"
        if form != "one":
            self.say(f"for tile in tl.range(pid0, {self.pick(2, 3)}, tl.num_programs(0)"
                     f"{', flatten=True' if form == 'flat' else ''}):")
            self.depth += 1
            self.tile = "tile"
        base = self.depth
        for _ in range(self.pick(1, 1, 2)):
            self.sum()
        for _ in range(self.pick(1, 1, 1, 2)):
            self.prepare()
            self.loop()
            self.depth = base
        self.finish()
        self.depth = 1

    def loop(self):
        """Over the steps; a second one may follow, with operands of its own."""
        kind = self.pick("tl.range", "tl.range", "tl.range", "range", "while")
        if kind == "while":
            self.say(f"q = {self.tile} * 0")
            self.say("while q < many:")
        else:
            hint = self.pick("", "", ", num_stages=2", ", num_stages=3", ", num_stages=4", ", num_stages=5", ", num_stages=1",
                             ", disallow_acc_multi_buffer=True", ", loop_unroll_factor=2") if kind == "tl.range" else ""
            self.say(f"for q in {kind}({self.pick('0', '0', '0', 'E % 2')}, many{hint}):")
        self.depth += 1
        self.step()
        for line in self.follows:
            self.say(line)
        if kind == "while":
            self.say("q += 1")

    def sum(self, rows=None, cols=None):
        name = self.name("acc")
        rows, cols = rows or self.m, cols or self.n
        self.say(f"{name} = tl.zeros([{rows}, {cols}], tl.{TL[self.out]})")
        self.sums.append((name, rows, cols))
        return self.sums[-1]

    def prepare(self):
        """Operands that stay, and the first step's pointers."""
        self.x, self.fetch_x, more = self.operand(self.m, True)
        self.y, self.fetch_y, other = self.operand(self.n, False)
        self.follows = more + other
        self.stays = None
        if self.chance(.4):
            self.stays = self.let("stays", self.fixed(self.n, self.n if self.n * self.n <= 4096 else 32))

    def fixed(self, rows, cols):
        """Text of a tile that does not change."""
        self.wide = cols
        return (f"tl.load({self.array(self.held, 'x')} + tl.arange(0, {rows})[:, None] * {cols} + tl.arange(0, {cols})[None, :])")

    def operand(self, rows, left):
        """A name, text of a step's tile, rows x k if `left` and k x rows otherwise, and what follows a step."""
        name, line = self.name("left" if left else "right"), "i" if left else "j"
        form = self.pick("plain", "plain", "carried", "box", "column", "listed", "plain")
        pitch = self.pick(self.steps * self.k, self.steps * self.k, self.steps * self.k + 8, self.steps * self.k + 3)
        first = f"{self.tile} * {self.pick(0, 16, 8)}"
        zero = "0.0" if self.held in FLOATS else "0"
        array = self.array(self.held, "b" if form == "box" else "x")
        if form == "box":
            bits = BITS[self.held]
            pitch = -(-pitch * bits // 128) * 128 // bits
            self.say(f"d{name} = tl.make_tensor_descriptor({array}, shape=[{rows + 48}, K], strides=[{pitch}, 1], "
                     f"block_shape=[{rows}, {self.k}])")
            text = f"d{name}.load([{first}, Q * {self.k}])"
            return name, text if left else f"tl.trans({text})", []
        a, b = (f"{line}[:, None]", "k[None, :]") if left else (f"{line}[None, :]", "k[:, None]")
        on = "" if self.even else f", mask={b} < K - Q * {self.k}, other={zero}"
        if form == "listed":
            rows_of = self.let("rows", f"tl.load({self.source('idx')} + {first} + {line})")
            a = a.replace(line, rows_of)
            if self.chance(.3):
                on = on or f", mask={a} < 60, other={zero}"
        if form == "column":
            return name, f"tl.load({array} + {first} + {a} + (Q * {self.k} + {b}) * {rows + self.pick(48, 56, 51)}{on})", []
        if form == "carried":
            self.say(f"p{name} = {array} + ({first} + {a}) * {pitch} + {b}")
            return name, f"tl.load(p{name}{on})", [f"p{name} += {self.k}"]
        return name, f"tl.load({array} + ({first} + {a}) * {pitch} + Q * {self.k} + {b}{on})", []

    # ---- a step

    def condition(self):
        own = [f"q % 2 == {self.pick(0, 1)}", "q == 0", "q > 0", "q == many - 1", "q < E", "q == E", "q >= E", "E > 1",
               f"{self.tile} % 2 == 0", f"tl.load({self.source('idx')} + q) > {self.pick(10, 20, 32, 50)}",
               f"tl.load({self.source('idx')} + {self.tile}) > 20", f"(q > 0) & (tl.load({self.source('idx')} + q) % 3 != 0)"]
        return self.random.choice(own)

    def step(self):
        """Loads, products and branches, in some order."""
        self.have = []
        for left in (True, False):
            if self.chance(.8):
                self.fetch(left)
        parts = [self.plain] * self.pick(0, 1, 1, 1)
        parts += [self.pick(self.branch, self.branch, self.branch, self.both, self.chosen, self.inner, self.other, self.skips)
                  for _ in range(self.pick(1, 1, 1, 2, 2, 3))]
        self.random.shuffle(parts)
        for part in parts:
            part()

    def fetch(self, left):
        name, text = (self.x, self.fetch_x) if left else (self.y, self.fetch_y)
        text = text.replace("Q *", "q *")
        if name not in self.have:
            self.say(f"{name} = {text}")
            self.have.append(name)
            if self.held not in ("e4", "i8") and self.chance(.15):
                self.say(f"{name} = ({name} + {name}).to(tl.{TL[self.held]})")

    def operands(self):
        self.fetch(True)
        self.fetch(False)
        return self.x, self.y

    def add(self, target, x, y):
        self.multiply(target, x, y, self.more)

    def plain(self):
        x, y = self.operands()
        self.add(self.sums[0][0], x, y)

    def bounded(self, name, most=3):
        """A sum as an operand."""
        return f"{limited(name, most, self.out)}.to(tl.{TL[self.held]})"

    def second(self):
        """Text of an operand of k x n of its own: of another array, of this step or of none."""
        array = self.array(self.held, "x")
        place = self.pick(f"q * {self.k * self.n} + ", "", f"(q // 2) * {self.n} + ", f"tl.load({self.source('idx')} + q) * {self.n} + ")
        if self.chance(.4):
            return f"tl.trans(tl.load({array} + {place}j[:, None] * {self.k} + k[None, :]))"
        return f"tl.load({array} + {place}k[:, None] * {self.n} + j[None, :])"

    def let(self, prefix, text):
        """A name of its own for what the text says."""
        name = self.name(prefix)
        self.say(f"{name} = {text}")
        return name

    def wide_of(self, operand):
        return f"{operand}.to(tl.{TL[self.out]})"

    def add_own(self, target):
        """A product of the step's operand and one of its own."""
        self.fetch(True)
        self.add(target, self.x, self.let("more", self.second()))

    def add_both(self, target):
        self.add(target, *self.operands())

    def inside(self):
        """What a branch does with operands that there are."""
        target = self.random.choice(self.sums)[0]
        kind = self.random.randrange(12)
        if kind < 2:
            self.add_both(target)
        elif kind < 4:
            self.add_own(target)
        elif kind == 4:
            self.fetch(True)
            changed = self.let("turned", self.bounded(f"{self.wide_of(self.x)} - 1", 4))
            self.add(target, changed, self.let("more", self.second()))
        elif kind == 5 and self.stays and self.wide == self.n and (self.n > 16 or BITS[self.held] > 8):
            self.add(target, self.let("part", self.bounded(target)), self.stays)
        elif kind == 6:
            fold = self.let("fold", self.folded(self.operands()[0], 1, "max", "min", "sum"))
            self.say(f"{target} += {fold}[:, None]")
        elif kind == 7:
            self.say(f"tl.store({self.array(self.out, 'o')} + ({self.tile} * 8 + q) * {self.n} + j, tl.max({target}, 0))")
        elif kind == 8:
            self.say(f"tl.atomic_add({self.array(self.out, 'a')} + i[:, None] * {self.n} + j[None, :], {limited(target, 3, self.out)})")
        elif kind == 9:
            fold = self.let("fold", f"tl.cumsum({self.folded(self.operands()[1], 0, 'max', 'min')}, 0)")
            self.say(f"{target} += {fold}[None, :]")
        elif kind == 10:
            self.fetch(True)
            listed = self.let("listed", f"tl.load({self.source('idx')} + q + k)")
            self.add(target, self.x, self.let("more", f"tl.load({self.array(self.held, 'x')} + {listed}[:, None] * {self.n} + j[None, :])"))
        else:
            self.say(f"{target} = tl.where(i[:, None] >= j[None, :], {target}, {'0' if self.out == 'i32' else '0.0'})")

    def folded(self, operand, axis, *kinds):
        return f"tl.{self.pick(*kinds)}({self.wide_of(operand)}, {axis})"

    @contextlib.contextmanager
    def arm(self, text):
        """A block, with which operands end that are loaded in it."""
        held = list(self.have)
        with self.under(text):
            yield
        self.have = held

    def branch(self):
        with self.arm(f"if {self.condition()}:"):
            for _ in range(self.pick(1, 1, 2)):
                self.inside()
        if self.chance(.25):
            with self.arm(f"elif {self.condition()}:"):
                self.inside()
        if self.chance(.4):
            with self.arm("else:"):
                self.inside()

    def both(self):
        """One of two products, into one sum."""
        target = self.sums[0][0]
        with self.arm(f"if {self.condition()}:"):
            self.add_both(target)
        with self.arm("else:"):
            self.add_own(target)

    def chosen(self):
        """An operand that a branch chooses or changes."""
        x, y = self.operands()
        name, held = self.let("chosen", y), TL[self.held]
        with self.under(f"if {self.condition()}:"):
            one = "1" if self.out == "i32" else "1.0"
            text = self.pick(self.second(), self.bounded(f"{self.wide_of(y)} * 2", 4),
                             f"tl.where(j[None, :] > 7, {self.wide_of(y)}, {one}).to(tl.{held})")
            self.say(f"{name} = {text}")
        self.add(self.random.choice(self.sums)[0], x, name)

    def inner(self):
        """A loop with a product of its own, in a branch or not."""
        turn, target = self.name("turn"), self.random.choice(self.sums)[0]
        with self.arm(f"if {self.condition()}:") if self.chance(.5) else contextlib.nullcontext():
            self.fetch(True)
            stages = self.pick("", "", ", num_stages=3", ", num_stages=2")
            with self.under(f"for {turn} in tl.range(0, {self.pick('2', 'E', 'q + 1', '3')}{stages}):"):
                place = f"{turn} * {self.pick(self.n, 32, self.k * self.n // 2)} + "
                more = self.let("more", f"tl.load({self.array(self.held, 'x')} + {place}k[:, None] * {self.n} + j[None, :])")
                self.add(target, self.x, more)

    def other(self):
        """A sum of another shape: of rows by themselves."""
        self.fetch(True)
        square = self.name("square")
        with self.under(f"if {self.condition()}:"):
            self.say(f"{square} = tl.dot({self.x}, tl.trans({self.x}){self.more})")
            self.say(f"tl.store({self.array(self.out, 'o')} + ({self.tile} * 8 + q) * {self.m} + i, tl.{self.pick('max', 'min')}({square}, 1))")

    def skips(self):
        """What a step does only where a list says so, all of it."""
        with self.arm(f"if {self.condition()}:"):
            self.have = []
            x, y = self.operands()
            for name, _, _ in self.sums:
                self.add(name, x, y)

    # ---- ends

    def finish(self):
        for name, rows, cols in self.sums:
            place = f"{self.tile} * {rows * cols} + i[:, None] * {cols} + j[None, :]"
            if self.chance(.2):
                listed = f"tl.load({self.source('idx')} + pid0) > 30"
                with self.under(f"if {self.pick('E > 1', 'pid0 == 0', listed)}:"):
                    self.say(f"{name} = {name} + tl.load({self.array(self.out, 'x')} + j)[None, :]")
            if self.stays and self.chance(.4) and (self.n > 16 or BITS[self.held] > 8):
                cols = self.wide
                last = self.let("ended", f"tl.dot({self.bounded(name)}, {self.stays}{self.more})")
                self.say(f"tl.store({self.array(self.out, 'o')} + {self.tile} * {rows * cols} + i[:, None] * {cols} + "
                         f"tl.arange(0, {cols})[None, :], {last})")
            self.say(f"tl.store({self.array(self.out, 'o')} + {place}, {name})")

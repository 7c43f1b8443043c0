"""Loops whose steps copy operands ahead, with branches among them that multiply, load, fold, store or loop themselves: what
shared memory holds for the branches lies beside what copies of later steps fill."""

from generate import Statements
from reference import BITS, FLOATS
from values import TL


class Branches(Statements):
    def begin(self):
        self.dims, self.pids, self.budget, self.types, self.shapes = 1, ["pid0"], 0, ["i32"], [(16,)]
        self.ty = self.pick("f16", "f16", "f16", "bf16", "bf16", "f32", "tf32", "i8", "e4")
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.held = {"tf32": "f32"}.get(self.ty, self.ty)
        self.out = "i32" if self.ty == "i8" else "f32"
        self.more = {"f32": ', input_precision="ieee"', "tf32": ', input_precision="tf32"',
                     "i8": ", out_dtype=tl.int32"}.get(self.ty, "")
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
            self.stays = self.name("stays")
            self.say(f"{self.stays} = {self.fixed(self.n, self.n if self.n * self.n <= 4096 else 32)}")

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
            rows_of = self.name("rows")
            self.say(f"{rows_of} = tl.load({self.source('idx')} + {first} + {line})")
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
        form = self.pick("acc", "acc", "sum", "turned")
        if form == "acc":
            self.say(f"{target} = tl.dot({x}, {y}, {target}{self.more})")
        elif form == "turned":
            self.say(f"{target} += tl.trans(tl.dot(tl.trans({y}), tl.trans({x}){self.more}))")
        else:
            self.say(f"{target} += tl.dot({x}, {y}{self.more})")

    def plain(self):
        x, y = self.operands()
        self.add(self.sums[0][0], x, y)

    def bounded(self, name, most=3):
        end = "" if self.out == "i32" else ".0"
        return f"tl.minimum(tl.maximum({name}, -{most}{end}), {most}{end}).to(tl.{TL[self.held]})"

    def bounded_wide(self, name):
        """The sum cut to small numbers, so that sums of it stay exact."""
        return f"tl.minimum(tl.maximum({name}, -3), 3)" if self.out == "i32" else f"tl.minimum(tl.maximum({name}, -3.0), 3.0)"

    def second(self):
        """Text of an operand of k x n of its own: of another array, of this step or of none."""
        array = self.array(self.held, "x")
        place = self.pick(f"q * {self.k * self.n} + ", "", f"(q // 2) * {self.n} + ", f"tl.load({self.source('idx')} + q) * {self.n} + ")
        if self.chance(.4):
            return f"tl.trans(tl.load({array} + {place}j[:, None] * {self.k} + k[None, :]))"
        return f"tl.load({array} + {place}k[:, None] * {self.n} + j[None, :])"

    def inside(self, names):
        """What a branch does with operands that there are."""
        target = self.random.choice(self.sums)[0]
        kind = self.random.randrange(12)
        if kind < 2:
            x, y = self.operands()
            self.add(target, x, y)
        elif kind < 4:
            self.fetch(True)
            other = self.name("more")
            self.say(f"{other} = {self.second()}")
            self.add(target, self.x, other)
        elif kind == 4:
            self.fetch(True)
            changed, other = self.name("turned"), self.name("more")
            self.say(f"{changed} = {self.bounded(f'{self.x}.to(tl.{TL[self.out]}) - 1', 4)}")
            self.say(f"{other} = {self.second()}")
            self.add(target, changed, other)
        elif kind == 5 and self.stays and self.wide == self.n and (self.n > 16 or BITS[self.held] > 8):
            part = self.name("part")
            self.say(f"{part} = {self.bounded(target)}")
            self.add(target, part, self.stays)
        elif kind == 6:
            x, _ = self.operands()
            fold = self.name("fold")
            wide = f"{x}.to(tl.{TL[self.out]})"
            self.say(f"{fold} = tl.{self.pick('max', 'min', 'sum')}({wide}, 1)")
            self.say(f"{target} += {fold}[:, None]")
        elif kind == 7:
            self.say(f"tl.store({self.array(self.out, 'o')} + ({self.tile} * 8 + q) * {self.n} + j, tl.max({target}, 0))")
        elif kind == 8:
            self.say(f"tl.atomic_add({self.array(self.out, 'a')} + i[:, None] * {self.n} + j[None, :], {self.bounded_wide(target)})")
        elif kind == 9:
            _, y = self.operands()
            fold = self.name("fold")
            wide = f"{y}.to(tl.{TL[self.out]})"
            self.say(f"{fold} = tl.cumsum(tl.{self.pick('max', 'min')}({wide}, 0), 0)")
            self.say(f"{target} += {fold}[None, :]")
        elif kind == 10:
            self.fetch(True)
            listed, other = self.name("listed"), self.name("more")
            self.say(f"{listed} = tl.load({self.source('idx')} + q + k)")
            self.say(f"{other} = tl.load({self.array(self.held, 'x')} + {listed}[:, None] * {self.n} + j[None, :])")
            self.add(target, self.x, other)
        else:
            self.say(f"{target} = tl.where(i[:, None] >= j[None, :], {target}, {'0' if self.out == 'i32' else '0.0'})")

    def within(self, statement):
        """Statements of a block, whose values end with it."""
        held = list(self.have)
        self.depth += 1
        statement()
        self.depth -= 1
        self.have = held

    def branch(self):
        self.say(f"if {self.condition()}:")
        self.within(lambda: [self.inside(self.have) for _ in range(self.pick(1, 1, 2))])
        if self.chance(.25):
            self.say(f"elif {self.condition()}:")
            self.within(lambda: self.inside(self.have))
        if self.chance(.4):
            self.say("else:")
            self.within(lambda: self.inside(self.have))

    def both(self):
        """One of two products, into one sum."""
        target = self.sums[0][0]
        self.say(f"if {self.condition()}:")

        def one():
            x, y = self.operands()
            self.add(target, x, y)

        def two():
            self.fetch(True)
            other = self.name("more")
            self.say(f"{other} = {self.second()}")
            self.add(target, self.x, other)
        self.within(one)
        self.say("else:")
        self.within(two)

    def chosen(self):
        """An operand that a branch chooses or changes."""
        x, y = self.operands()
        name, held = self.name("chosen"), TL[self.held]
        self.say(f"{name} = {y}")
        self.say(f"if {self.condition()}:")
        text = self.pick(self.second(), f"{self.bounded(f'{y}.to(tl.{TL[self.out]}) * 2', 4)}",
                         f"tl.where(j[None, :] > 7, {y}.to(tl.{TL[self.out]}), {'1' if self.out == 'i32' else '1.0'}).to(tl.{held})")
        self.say(f"    {name} = {text}")
        self.add(self.random.choice(self.sums)[0], x, name)

    def inner(self):
        """A loop with a product of its own, in a branch or not."""
        r, target = self.name("turn"), self.random.choice(self.sums)[0]
        asks = self.chance(.5)
        if asks:
            self.say(f"if {self.condition()}:")
            self.depth += 1
        held = list(self.have)
        self.fetch(True)
        stages = self.pick("", "", ", num_stages=3", ", num_stages=2")
        self.say(f"for {r} in tl.range(0, {self.pick('2', 'E', 'q + 1', '3')}{stages}):")
        z = self.name("more")
        place = f"{r} * {self.pick(self.n, 32, self.k * self.n // 2)} + "
        self.say(f"    {z} = tl.load({self.array(self.held, 'x')} + {place}k[:, None] * {self.n} + j[None, :])")
        self.depth += 1
        self.add(target, self.x, z)
        self.depth -= 1
        if asks:
            self.have = held
            self.depth -= 1

    def other(self):
        """A sum of another shape: of rows by themselves."""
        self.fetch(True)
        square = self.name("square")
        self.say(f"if {self.condition()}:")
        self.say(f"    {square} = tl.dot({self.x}, tl.trans({self.x}){self.more})")
        self.say(f"    tl.store({self.array(self.out, 'o')} + ({self.tile} * 8 + q) * {self.m} + i, tl.{self.pick('max', 'min')}({square}, 1))")

    def skips(self):
        """What a step does only where a list says so, all of it."""
        self.say(f"if {self.condition()}:")

        def body():
            self.have = []
            x, y = self.operands()
            for name, _, _ in self.sums:
                self.add(name, x, y)
        self.within(body)

    # ---- ends

    def finish(self):
        for name, rows, cols in self.sums:
            place = f"{self.tile} * {rows * cols} + i[:, None] * {cols} + j[None, :]"
            if self.chance(.2):
                self.say(f"if {self.pick('E > 1', 'pid0 == 0', f'tl.load({self.source(chr(105) + chr(100) + chr(120))} + pid0) > 30')}:")
                self.say(f"    {name} = {name} + tl.load({self.array(self.out, 'x')} + j)[None, :]")
            if self.stays and self.chance(.4) and (self.n > 16 or BITS[self.held] > 8):
                cols = self.wide
                last = self.name("ended")
                self.say(f"{last} = tl.dot({self.bounded(name)}, {self.stays}{self.more})")
                self.say(f"tl.store({self.array(self.out, 'o')} + {self.tile} * {rows * cols} + i[:, None] * {cols} + "
                         f"tl.arange(0, {cols})[None, :], {last})")
            self.say(f"tl.store({self.array(self.out, 'o')} + {place}, {name})")

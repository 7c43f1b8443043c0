"""What the other kinds of products leave out: scaled ones in loops, onto sums, and of halves packed along rows; 8-bit floats of two
formats; persistent products that a counter hands out; iterations until a number is there. And addresses as numbers, and truths
that are moved, joined and scanned."""

from kinds.dots import SCALED, Dots
from values import EXACT, SUMS, TL, Value, limited


class Further(Dots):
    def begin(self):
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.types, self.shapes, self.values, self.base = ["i32"], [(16,)], [], 1
        self.pick(self.scaled_loop, self.scaled_loop, self.two_formats, self.handed_out, self.handed_out, self.until, self.addressed,
                  self.truths_moved)()
        self.budget = self.random.randint(0, 2)
        if not self.values:
            self.values = [self.load((16,), "i32")]

    # ---- products

    def scaled_loop(self):
        """A loop of scaled products, onto a sum or beside it; of e2m1 also packed along rows."""
        forms = [self.pick(*SCALED), self.pick(*SCALED)]
        if set(forms) == {"bf16", "fp16"}:
            forms[1] = forms[0]
        m, n, k = self.pick(32, 64, 128), self.pick(32, 64), self.pick(64, 128)
        self.say(f"acc = tl.zeros([{m}, {n}], tl.float32)")
        loop = self.chance(.75)
        if loop:
            stages = self.pick("", ", num_stages=1", ", num_stages=3")
            self.say(f"for q in tl.range(0, {self.pick('2', '3', 'n0 & 3')}{stages}):")
            self.depth += 1
        parts, more = [], ""
        for name, form, rows in (("x", forms[0], m), ("y", forms[1], n)):
            along = form == "e2m1" and self.chance(.4)
            more += f", {'lhs' if name == 'x' else 'rhs'}_k_pack=False" if along else ""
            rows, deep = (rows // 2, k) if along else (rows, k // 2 if form == "e2m1" else k)
            parts += [name, self.scaled_operand(name, form, rows, deep, loop, along), f'"{form}"']
        if self.chance(.6):
            self.say(f"acc = tl.dot_scaled({', '.join(parts)}, acc{more})")
        else:
            self.say(f"acc += tl.dot_scaled({', '.join(parts)}{more})")
        self.depth = 1
        self.values = [Value("acc", "f32", (m, n), 2 ** 20)]
        self.store(self.values[0])

    def scaled_operand(self, name, form, rows, deep, loop, along):
        """Says the operand and its scale, of which the name is returned."""
        i, j = f"tl.arange(0, {rows})", f"tl.arange(0, {deep})"
        by = f"q * {rows * deep} + " if loop else ""
        first, second = ((i, j) if name == "x" else (j, i))
        steps = (deep, 1) if (name == "x") == self.chance(.6) else (1, rows)
        steps = steps if name == "x" or steps[0] == 1 else (1, deep)
        text = f"{first}[:, None] * {steps[0]} + {second}[None, :] * {steps[1]}"
        self.say(f"{name} = tl.load({self.array(SCALED[form], 'x')} + {by}{text})")
        if form in ("bf16", "fp16") or self.chance(.2):
            return "None"
        # A scale for each 32 along K, of each row of what is not packed.
        groups, count = (deep if along or form != "e2m1" else 2 * deep) // 32, 2 * rows if along else rows
        at = f"tl.arange(0, {count})[:, None] * {groups} + tl.arange(0, {groups})[None, :]"
        at = f"q * {count * groups} + {at}" if loop else at
        self.say(f"s{name} = ((tl.load({self.array('u8', 'x')} + {at}) & 3) + 126).to(tl.uint8)")
        return f"s{name}"

    def two_formats(self):
        """A product of e4m3 by e5m2, or the other way round, in a loop or not."""
        one, two = self.pick(("e4", "e5"), ("e5", "e4"))
        m, n, k = self.extents(one)
        self.say(f"acc = tl.zeros([{m}, {n}], tl.float32)")
        loop = self.chance(.7)
        if loop:
            self.say(f"for q in tl.range(0, {self.pick('2', '4', 'n0 & 3')}{self.pick('', ', num_stages=3')}):")
            self.depth += 1
        by = f"q * {m * k}" if loop else "0"
        self.tile_of("x", one, m, k, by)
        self.tile_of("y", two, k, n, by)
        self.multiply("acc", "x", "y")
        self.depth = 1
        self.ends(["acc"], "f32", m, n, None)

    def handed_out(self):
        """Programs that take the next tile from a counter until there is none; each tile is a product, and a sum beside it."""
        self.once = True
        ty, out, more = self.types_of()
        m, n, k = self.extents(ty)
        counter, tiles = self.array("i32", "z"), self.pick(3, 5, 8)
        sem = self.pick("", ', sem="relaxed"', ', sem="acquire"')
        self.say(f"t = tl.atomic_add({counter}, 1{sem})")
        self.say(f"while t < {tiles}:")
        self.depth += 1
        self.say(f"acc = tl.zeros([{m}, {n}], tl.{TL[out]})")
        early = self.chance(.3)
        if early:
            self.say(f"after = tl.atomic_add({counter}, 1{sem})")
        self.say(f"for q in tl.range(0, {self.pick('2', '3', 't + 1', 'n0 & 3')}{self.pick('', ', num_stages=3')}):")
        self.depth += 1
        self.tile_of("x", ty, m, k, f"(q + t) * {m * k}")
        self.tile_of("y", ty, k, n, f"q * {k * n}")
        self.multiply("acc", "x", "y", more)
        if out == "f16":
            self.say(f"acc = {limited('acc', 64, out)}.to(tl.float16)")
        self.depth -= 1
        if self.chance(.4) and out != "f16":
            self.say(f"tl.atomic_add({self.array(out, 'a')} + tl.arange(0, {m}), tl.sum({limited('acc', 100, out)}, 1))")
        place = f"t * {m * n} + tl.arange(0, {m})[:, None] * {n} + tl.arange(0, {n})[None, :]"
        # (Which program has a tile is nobody's promise, so its memory is not one program's own.)
        self.say(f"tl.store({self.array(out, 'a')} + {place}, acc)")
        self.say("t = after" if early else f"t = tl.atomic_add({counter}, 1{sem})")
        self.depth = 1

    # ---- what stands around

    def until(self):
        """A loop that goes on while what it computes is not there yet, as iterations to a fixed point do."""
        ty = self.pick("f16", "f32", "i8")
        n, out, more = self.pick(32, 64), SUMS.get(ty, "f32"), EXACT.get(ty, "")
        self.tile_of("x", ty, n, n)
        self.tile_of("y", ty, n, n)
        self.say("went = pid0 * 0")
        fold = self.pick("tl.max(tl.max(y, 1), 0)", "tl.sum((y > 0).to(tl.int32))", "tl.min(tl.min(y, 0), 0)")
        with self.under(f"while ({fold} {self.pick('>', '>', '<')} {self.pick(0, 1, 2)}) & (went < {self.pick('3', '5', 'n0 & 7')}):"):
            self.say(f"s = tl.dot({self.pick('x, y', 'y, x', 'x, tl.trans(y)', 'y, y')}{more})")
            self.say(f"y = {limited(self.pick('s', 's - went', 's - tl.max(s, 1)[:, None]', 'y - s'), 3, out)}.to(tl.{TL[ty]})")
            self.say("went += 1")
        self.say(f"tl.store({self.array('i32', 'o')} + line, went)")
        self.values = [Value("y", ty, (n, n), 4)]
        self.store(self.values[0])

    def addressed(self):
        """Addresses as numbers of 64 bits, moved by bytes, and pointers again; in a loop that carries them, too."""
        ty, n = self.pick("i32", "f32", "f16", "i64", "u8"), self.pick(16, 64, 256)
        size = {"i32": 4, "f32": 4, "f16": 2, "i64": 8, "u8": 1}[ty]
        array, v, p = self.array(ty, "x"), self.name(), self.name("p")
        tiles = self.chance(.5)
        at = f" + tl.arange(0, {n})" if tiles else ""
        self.say(f"{p} = ({array}{at}).to(tl.int64)")
        self.say(f"{v} = tl.zeros([{n}], tl.{TL[ty]})")
        loop = self.chance(.6)
        if loop:
            self.say(f"for q in range(0, {self.pick('3', 'n0 & 3')}):")
            self.depth += 1
        self.say(f"{p} += {size} * ({self.pick('16', 'pid0', 'n0 & 31', '3')})")
        pointer = f"{p}.to(tl.pointer_type(tl.{TL[ty]})){'' if tiles else f' + tl.arange(0, {n})'}"
        mask = f", mask=tl.arange(0, {n}) < n0, other=0" if self.chance(.4) else ""
        self.say(f"{v} = tl.maximum({v}, tl.load({pointer}{mask})).to(tl.{TL[ty]})")
        self.depth = 1
        self.values = [Value(v, ty, (n,), 4)]
        self.store(self.values[0])

    def truths_moved(self):
        """Tiles of truths that are turned, joined, split, picked, scanned and folded, and choose in the end."""
        rows, cols = self.pick(2, 8, 32), self.pick(4, 16, 64)
        a, = self.named(f"{self.load((rows, cols), 'i32').name} > {self.pick(0, 7, 100)}", ("i1", (rows, cols)))
        for _ in range(self.pick(1, 2, 3)):
            b, = self.named(f"({self.load(a.shape, 'i32').name} & 1) == {self.pick(0, 1)}", ("i1", a.shape))
            kind = self.random.randrange(7)
            if kind == 0:
                a, = self.named(f"tl.trans({a.name})", ("i1", a.shape[::-1]))
            elif kind == 1:
                one, two = self.named(f"tl.split(tl.join({a.name}, {b.name}))", ("i1", a.shape), ("i1", a.shape))
                a, = self.named(f"{two.name} {self.pick('&', '|', '^')} {one.name}", ("i1", a.shape))
            elif kind == 2:
                a, = self.named(f"tl.reshape({a.name}, {a.shape[0] // 2}, {a.shape[1] * 2})", ("i1", (a.shape[0] // 2, a.shape[1] * 2)))
            elif kind == 3:
                a, = self.named(f"tl.where({a.name}, {b.name}, ~{a.name})", ("i1", a.shape))
            elif kind == 4:
                folded, = self.named(f"tl.reduce_or({a.name}, 1)", ("i1", (a.shape[0],)))
                a, = self.named(f"{folded.name}[:, None] ^ {b.name}", ("i1", a.shape))
            elif kind == 5:
                a, = self.named(f"tl.cumsum({a.name}.to(tl.int32), 1) % 2 == 1", ("i1", a.shape))
            else:
                self.say(f"for q in range(0, {self.pick('2', 'n0 & 3')}):")
                self.say(f"    {a.name} = {a.name} ^ (tl.load({self.array('i32', 'x')} + q * 16 + tl.arange(0, {a.shape[1]})) > 3)[None, :]")
            if a.shape[0] < 2:
                break
        x, y = self.load(a.shape, "i32"), self.load(a.shape, "i32")
        self.values = [Value(a.name, "i1", a.shape), x]
        self.store(self.bind(f"tl.where({a.name}, {x.name}, {y.name})", "i32", a.shape))

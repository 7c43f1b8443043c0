"""One tile after the other in a row of any ops, in loops of all forms: products of mixed types whose results are turned, taken
apart, joined, gathered, sorted, scanned, counted and folded, and multiplied again; folds of them say which rows are loaded,
stored or added in memory, and where. Operands lie by any strides, 0 and below 0 among them."""

from kinds.dots import Dots
from reference import BITS, FLOATS
from values import EXACT, SUMS, TL, Value, limited

MOST_ELEMENTS = 64 * 64


class Chained(Dots):
    def begin(self):
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0", "n1"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.types, self.shapes, self.values, self.base = ["i32"], [(16,)], [], 1
        if self.chance(.15):
            self.say(f"if pid0 {self.pick('> n0', '== n1', '> 1')}:")
            self.say("    return")
        self.tiles = [self.first() for _ in range(self.pick(1, 1, 2))]
        for _ in range(self.pick(1, 1, 2, 3)):
            self.section()
        for tile in self.tiles:
            self.keep(tile)

    def first(self):
        ty = self.pick("f32", "f32", "i32", "f64")
        return self.made(f"tl.full([{self.pick(16, 32, 64)}, {self.pick(16, 32, 64)}], {self.pick(0, 1, -2)}, tl.{TL[ty]})", ty)

    def made(self, text, ty, shape=None):
        shape = shape or tuple(map(int, text.split("[")[1].split("]")[0].split(",")))
        return self.named(text, (ty, shape))[0]

    # ---- where ops stand

    def section(self):
        """Some ops, in a loop, a branch or neither; what a block changes keeps its type and shape."""
        form = self.pick("plain", "for", "for", "for", "while", "if", "nested")
        if form == "plain":
            for k in range(len(self.tiles)):
                self.tiles[k] = self.chain(self.tiles[k], self.random.randint(1, 3))
            return
        depth, ends = self.depth, []
        for kind in {"nested": self.pick(("for", "if", "for"), ("if", "for"), ("for", "while"), ("for", "for", "if"))}.get(form, (form, )):
            if kind == "while":
                ends = [f"{self.turn()} += 1"]
                self.say(f"{self.loops[-1]} = pid0 * 0")
            self.say({"for": self.head, "if": self.condition, "while": self.asks}[kind]())
            self.depth += 1
        for tile in self.tiles:
            self.change(tile)
        if self.chance(.3):
            self.mark()
        for line in ends:
            self.say(line)
        self.depth, self.loops = depth, []
        if form == "if" and self.chance(.4):
            with self.under("else:"):
                self.change(self.tiles[0])

    def turn(self):
        self.loops.append(self.name("turn"))
        return self.loops[-1]

    def asks(self):
        return f"while {self.loops[-1]} < {self.pick('2', '3', 'n0 & 3')}:"

    def head(self):
        more = self.pick("", "", ", num_stages=1", ", num_stages=2", ", num_stages=3", ", num_stages=4", ", loop_unroll_factor=2", ", flatten=True")
        ends = self.pick("0, 2", "0, 3", "0, n0 & 3", "pid0, 3", "1, 2 + (n1 & 1)", f"0, tl.load({self.source('idx')} + pid0) & 3", "0, 5, 2")
        turn = self.turn()
        return self.pick(f"for {turn} in tl.range({ends}{more}):", f"for {turn} in range({ends}):", f"for {turn} in range(2, -1, -1):")

    def condition(self):
        listed = f"tl.load({self.source('idx')} + pid0) > 20"
        return f"if {self.pick('n0 > 3', 'pid0 % 2 == 0', 'n1 != 1', listed, *[f'{loop} > 0' for loop in self.loops])}:"

    def change(self, tile):
        """The tile's next value, of its own type and shape."""
        last = self.chain(tile, self.random.randint(1, 3))
        if last.shape != tile.shape:
            rows, cols = tile.shape
            x, y = (self.operand(rows, last.shape[0], "f16"), self.operand(last.shape[1], cols, "f16"))
            middle, = self.named(f"tl.dot({x}, {self.narrow(last, 'f16', 2)})", ("f32", (rows, last.shape[1])))
            last, = self.named(f"tl.dot({self.narrow(middle, 'f16', 2)}, {y})", ("f32", tile.shape))
        self.say(f"{tile.name} = {self.small(last, 8)}.to(tl.{TL[tile.ty]})" if self.chance(.6) else
                 f"{tile.name} = {limited(f'{tile.name} + {self.small(last, 8)}', 50, tile.ty)}.to(tl.{TL[tile.ty]})")

    # ---- ops

    def small(self, tile, most=3):
        return limited(tile.name, most, tile.ty)

    def narrow(self, tile, ty, most=3):
        """The tile as an operand. (Triton makes 8-bit floats of other floats alone.)"""
        wide = ".to(tl.float32)" if ty in ("e4", "e5") else ""
        return f"{self.small(tile, most)}{wide}.to(tl.{TL[ty]})"

    def operand(self, rows, cols, ty):
        """A tile of small numbers, which strides and boxes may have anywhere."""
        form = self.pick("usual", "usual", "strides", "strides", "box")
        name, array = self.name("from"), self.array(ty, "b" if form == "box" else "x") if form != "usual" else None
        by = " + ".join([f"{loop} * {self.pick(rows * cols, 16, cols)}" for loop in self.loops if self.chance(.6)] + [self.pick("pid0 * 64", "0")])
        if form == "usual":
            self.tile_of(name, ty, rows, cols, f"({by})")
            return name
        if form == "box":
            pitch = cols + self.pick(0, 16)
            self.say(f"d{name} = tl.make_tensor_descriptor({array}, shape=[{rows + self.pick(0, 7, -3)}, {cols}], strides=[{pitch}, 1], "
                     f"block_shape=[{rows}, {cols}])")
            self.say(f"{name} = d{name}.load([{self.pick('0', 'pid0', *self.loops)}, 0])")
        else:
            steps = self.pick((cols, 1), (0, 1), (1, 0), (-cols, 1), (cols, -1), (1, rows), (1, -rows), (-1, rows), (0, 0), (2 * cols, 2), (3, 5))
            self.say(f"{name} = tl.load({array} + ({by}) + tl.arange(0, {rows})[:, None] * {steps[0]} + tl.arange(0, {cols})[None, :] * {steps[1]})")
        if ty == "i8":
            self.say(f"{name} = {name} & 3")
        return name

    def chain(self, tile, count):
        for _ in range(count):
            tile = self.random.choice([self.product, self.product, self.product, self.moved, self.moved, self.paired, self.picked, self.scanned,
                                       self.folded, self.ordered, self.chosen, self.listed, self.counted, self.cube])(tile)
        return tile

    def product(self, tile):
        """By an operand on either side, in any type that tensor cores or threads multiply."""
        ty = self.pick("f16", "f16", "bf16", "f32", "i8", "e4", "e5", "f64")
        rows, cols = tile.shape
        left = self.chance(.3)
        if (rows if left else cols) < (32 if BITS[ty] == 8 else 16):
            return tile
        other = self.pick(16, 32, 64)
        most = 2 if ty in ("e4", "e5") else 3
        x = self.operand(*((other, rows) if left else (cols, other)), ty)
        pair = (x, self.narrow(tile, ty, most)) if left else (self.narrow(tile, ty, most), x)
        more = self.pick(', input_precision="tf32"', ', input_precision="tf32x3"', EXACT["f32"]) if ty == "f32" else EXACT.get(ty, "")
        out, shape = SUMS.get(ty, "f32"), (other, cols) if left else (rows, other)
        if self.chance(.3):
            start, = self.named(f"tl.full([{shape[0]}, {shape[1]}], {self.pick(1, -1)}, tl.{TL[out]})", (out, shape))
            if ty != "f64":
                return self.named(f"tl.dot({pair[0]}, {pair[1]}, {start.name}{more})", (out, shape))[0]
        return self.named(f"tl.dot({pair[0]}, {pair[1]}{more})", (out, shape))[0]

    def moved(self, tile):
        (rows, cols), ty, name = tile.shape, tile.ty, tile.name
        kind = self.random.randrange(5)
        if kind == 0:
            return self.named(f"tl.trans({name})", (ty, (cols, rows)))[0]
        if kind == 1 and rows > 16 and cols < 64:
            return self.named(f"tl.reshape({name}, [{rows // 2}, {2 * cols}])", (ty, (rows // 2, 2 * cols)))[0]
        if kind == 2 and cols > 16 and rows < 64:
            return self.named(f"tl.reshape(tl.permute(tl.reshape({name}, [{rows}, 2, {cols // 2}]), [1, 0, 2]), [{2 * rows}, {cols // 2}])",
                              (ty, (2 * rows, cols // 2)))[0]
        if kind == 3:
            return self.named(f"tl.flip({name}, {self.pick(0, 1)})", (ty, tile.shape))[0]
        return self.named(f"tl.reshape(tl.trans(tl.reshape({name}, [{rows}, {cols // 4}, 4]), 2, 0, 1), [{rows}, {cols}])", (ty, tile.shape))[0]

    def paired(self, tile):
        """Halves of rows, apart and together again."""
        rows, cols = tile.shape
        form = self.pick("reshape", "permute")
        text = f"tl.reshape({tile.name}, [{rows}, {cols // 2}, 2])" if form == "reshape" else \
            f"tl.permute(tl.reshape({tile.name}, [{rows}, 2, {cols // 2}]), [0, 2, 1])"
        one, two = self.named(f"tl.split({text})", *[(tile.ty, (rows, cols // 2))] * 2)
        if self.chance(.4) and cols > 16:
            return self.named(f"{one.name} {self.pick('+', '-')} {two.name}", (tile.ty, (rows, cols // 2)))[0]
        again = f"tl.join({two.name}, {one.name} + {two.name})"
        return self.named(self.pick(f"tl.reshape({again}, [{rows}, {cols}])", f"tl.interleave({one.name}, -{two.name})",
                                    f"tl.reshape(tl.permute({again}, [0, 2, 1]), [{rows}, {cols}])"), (tile.ty, tile.shape))[0]

    def picked(self, tile):
        axis = self.pick(0, 1)
        size = tile.shape[axis]
        lane = f"tl.arange(0, {size})" + ("[:, None]" if axis == 0 else "[None, :]")
        index = self.pick(f"{lane} ^ {self.pick(1, 2, 8)}", f"({lane} * 3 + pid0) & {size - 1}", f"{size - 1} - {lane}",
                          f"tl.load({self.source('idx')} + {lane}) & {size - 1}")
        return self.named(f"tl.gather({tile.name}, tl.broadcast_to({index}, [{tile.shape[0]}, {tile.shape[1]}]), {axis})", (tile.ty, tile.shape))[0]

    def scanned(self, tile):
        axis, back = self.pick(0, 1), self.pick("", ", reverse=True")
        if self.chance(.4):
            self.helpers += [] if "most" in self.helpers else ["most"]
            return self.named(f"tl.associative_scan({tile.name}, {axis}, most{back})", (tile.ty, tile.shape))[0]
        return self.named(f"tl.cumsum({self.small(tile)}, {axis}{back})", (tile.ty, tile.shape))[0]

    def folded(self, tile):
        """Rows or columns beside what is folded of them."""
        axis = self.pick(0, 1)
        fold = self.pick("sum", "max", "min", "argmax" if tile.ty == "i32" else "max")
        value = self.small(tile)
        keep = "[None, :]" if axis == 0 else "[:, None]"
        text = f"tl.{fold}({value}, {axis}){keep}"
        return self.named(f"({tile.name} {self.pick('-', '+')} {text}).to(tl.{TL[tile.ty]})", (tile.ty, tile.shape))[0]

    def ordered(self, tile):
        if tile.shape[0] * tile.shape[1] > 1024:
            return self.scanned(tile)
        return self.named(f"tl.sort({self.small(tile, 9)}.to(tl.int32){self.pick('', ', descending=True')})", ("i32", tile.shape))[0]

    def chosen(self, tile):
        """By what is loaded, or by what the tile's rows hold."""
        (rows, cols), zero = tile.shape, "0.0" if tile.ty in FLOATS else "0"
        i, j = f"tl.arange(0, {rows})", f"tl.arange(0, {cols})"
        on = self.pick(f"(tl.load({self.source('idx')} + {i}) > {self.pick(10, 30)})[:, None]", f"{i}[:, None] >= {j}[None, :]",
                       f"(tl.max({tile.name}, 0) > 1)[None, :]", f"(tl.load({self.array('i8', 'x')} + {i}[:, None] * {cols} + {j}[None, :]) & 1) != 0",
                       f"({i}[:, None] < n0) & ({j}[None, :] != n1)")
        return self.named(f"tl.where({on}, {tile.name}, {zero})", (tile.ty, tile.shape))[0]

    def listed(self, tile):
        """Rows that the tile names are loaded, where it says so."""
        rows, cols = tile.shape
        at, = self.named(f"tl.max({self.small(tile, 20)}, 1).to(tl.int32)", ("i32", (rows,)))
        ty = self.pick("f32", "f16", "i32", "i8")
        on = self.pick(f"({at.name} > 0)[:, None]", f"({at.name}[:, None] + tl.arange(0, {cols})[None, :]) % 3 != 0")
        zero = "0.0" if ty in FLOATS else "0"
        more, = self.named(f"tl.load({self.array(ty, 'x')} + ({at.name}[:, None] & 15) * {cols} + tl.arange(0, {cols})[None, :], mask={on}, other={zero})",
                           (ty, tile.shape))
        return self.named(f"{self.small(tile)} + {limited(f'{more.name}.to(tl.{TL[tile.ty]})', 4, tile.ty)}", (tile.ty, tile.shape))[0]

    def counted(self, tile):
        """How often numbers are there, added to columns."""
        rows, cols = tile.shape
        flat = f"tl.reshape({self.small(tile, 7)}.to(tl.int32) & {cols - 1}, [{rows * cols}])"
        count, = self.named(f"tl.histogram({flat}, {cols})", ("i32", (cols,)))
        return self.named(f"{self.small(tile)} + (({count.name} & 3).to(tl.{TL[tile.ty]}))[None, :]", (tile.ty, tile.shape))[0]

    def cube(self, tile):
        """In three dimensions: folded, or multiplied in batches."""
        rows, cols = tile.shape
        if rows == 64 and cols >= 16 and self.chance(.5):
            batch, half = self.named(f"tl.reshape({self.narrow(tile, 'f16')}, [2, 32, {cols}])", ("f16", (2, 32, cols)))[0], (2, 32, 32)
            out, = self.named(f"tl.dot({batch.name}, tl.permute({batch.name}, [0, 2, 1]))", ("f32", half))
            return self.named(f"tl.reshape({out.name}, [64, 32])", ("f32", (64, 32)))[0]
        deep = f"tl.reshape({self.small(tile)}, [{rows // 4}, 4, {cols}])"
        fold = self.pick("sum", "max", "min")
        return self.named(f"({tile.name} + tl.reshape(tl.broadcast_to(tl.{fold}({deep}, 1, keep_dims=True), [{rows // 4}, 4, {cols}]), [{rows}, {cols}])"
                          f").to(tl.{TL[tile.ty]})", (tile.ty, tile.shape))[0]

    # ---- memory

    def mark(self):
        """What a step adds to memory, of rows that others may add to."""
        tile = self.pick(*self.tiles)
        rows, cols = tile.shape
        ty, kind = ("i32", self.pick("add", "max", "or")) if self.chance(.5) else ("f32", "add")
        row = self.pick(f"tl.load({self.source('idx')} + tl.arange(0, {rows})) % 5", f"tl.arange(0, {rows}) // 8", f"tl.arange(0, {rows})")
        on = self.pick("", "", f", mask=(tl.max({tile.name}, 1) > 0)[:, None]")
        self.say(f"tl.atomic_{kind}({self.array(ty, 'a')} + ({row})[:, None] * {cols} + tl.arange(0, {cols})[None, :], "
                 f"{self.small(tile)}.to(tl.{TL[ty]}){on}{self.pick('', ', sem=' + repr('relaxed'))})")

    def keep(self, tile):
        rows, cols = tile.shape
        array = self.array(tile.ty, "o")
        place = f"line * {rows * cols} + tl.arange(0, {rows})[:, None] * {cols} + tl.arange(0, {cols})[None, :]"
        mask = self.pick("", "", f", mask=(tl.max({tile.name}, 1) > 0)[:, None]", f", mask=tl.arange(0, {cols})[None, :] < n0")
        self.say(f"tl.store({array} + {place}, {tile.name}{mask})")
        if self.chance(.4):
            self.say(f"tl.store({self.array(tile.ty, 'o')} + line * {rows} + tl.arange(0, {rows}), tl.{self.pick('max', 'min')}({tile.name}, 1))")
        self.values = [Value(tile.name, tile.ty, tile.shape, 64)] if tile.ty == "i32" else []
        self.values = self.values or [self.load((16,), "i32")]

"""Loops over a long K of few rows, which teams of a block divide, with weights that are unpacked on their way; products of groups
that a loop searches for; remainders and quotients by powers of two; scans of rows that begin anywhere and of truths; gathers by
turned bits."""

from generate import Statements
from reference import FLOATS, INTS
from values import TL

POWERS = [1, 2, 2, 4, 8, 16, 32, 64]


class Divided(Statements):
    def begin(self):
        self.dims, self.pids, self.types, self.shapes, self.budget = 1, ["pid0"], ["i32"], [(16,)], 0
        self.window = 1 << 18
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.random.choice([self.long] * 4 + [self.search] * 3 + [self.remainders] * 2 + [self.scans] * 2 + [self.turned])()

    # ---- products

    def long(self):
        """A tile of few rows by each program, and many steps."""
        self.bm, self.bn, self.bk = 16, self.pick(16, 32, 64, 64, 128), self.pick(32, 64, 64, 128)
        steps = self.pick(1, 3, 4, 7, 8, 12, 16, 31)
        self.rows, self.size = self.pick(1, 1, 3, 16), steps * self.bk - self.pick(0, 0, 0, 8, 5)
        self.weights = self.pick("plain", "plain", "words", "words", "bytes", "halves", "rows", "e4")
        self.ty = self.pick("f16", "f16", "bf16")
        self.size = self.size // 8 * 8 if self.weights in ("words", "rows") else self.size
        self.cols = self.bn * self.pick(1, 2, 3) - self.pick(0, 0, 0, 8, 3)
        self.given = {"M": self.rows, "N": self.cols, "K": self.size}
        self.grid = (-(-self.cols // self.bn), 1, 1)
        self.wishes = self.pick({}, {}, {}, {"num_teams": 2}, {"num_teams": 4}, {"num_parts": 2, "num_teams": 2}, {"num_splits": 2})
        self.options = {"num_stages": self.pick(1, 2, 3, 4)}
        self.say(f"m, n = tl.arange(0, {self.bm}), pid0 * {self.bn} + tl.arange(0, {self.bn})")
        self.product(self.operand(), "")

    def operand(self, first=""):
        """Text of a step's weights, k x n, of numbers `kk` along K."""
        on = self.on()
        at = f"{first} + " if first else ""
        if self.weights == "plain":
            return f"tl.load({self.array(self.ty, 'x')} + {at}{self.pick('kk[:, None] * N + n[None, :]', 'n[None, :] * K + kk[:, None]')}{on})"
        if self.weights == "e4":
            scale = f"tl.load({self.array('f32', 'x')} + kk // {self.pick(32, 64)}, mask=kk < K, other=0.0)[:, None]"
            text = f"tl.load({self.array('e4', 'x')} + {at}kk[:, None] * N + n[None, :]{on})"
            return f"({text}.to(tl.float32) * {scale}).to(tl.{TL[self.ty]})"
        if self.weights == "bytes":
            return f"(tl.load({self.array('i8', 'x')} + {at}kk[:, None] * N + n[None, :]{self.on('0')}) & 63).to(tl.{TL[self.ty]})"
        if self.weights == "words":
            word = f"tl.load({self.array('i32', 'x')} + {at}(kk // 8)[:, None] * N + n[None, :]{self.on('0')})"
            return f"(((({word}) >> ((kk % 8) * 4)[:, None]) & 15) - 8).to(tl.{TL[self.ty]})"
        # Halves of bytes, by the row's remainder or by which half of K the row is in.
        row, part = ("kk // 2", "kk % 2") if self.weights == "halves" else ("kk % (K // 2)", "kk // (K // 2)")
        byte = f"tl.load({self.array('u8', 'x')} + {at}({row})[:, None] * N + n[None, :]{self.on('0')})"
        return f"((({byte}).to(tl.int32) >> (({part}) * 4)[:, None]) & 15).to(tl.{TL[self.ty]})"

    def on(self, zero="0.0"):
        return f", mask=(kk < K)[:, None] & (n < N)[None, :], other={zero}"

    def product(self, weights, first):
        a = self.array(self.ty, "x")
        self.say(f"k = tl.arange(0, {self.bk})")
        self.say(f"acc = tl.zeros([{self.bm}, {self.bn}], tl.float32)")
        stages = self.pick("", "", ", num_stages=2", ", num_stages=4")
        self.say(f"for q in tl.range(0, tl.cdiv(K, {self.bk}){stages}):")
        self.depth += 1
        self.say(f"kk = q * {self.bk} + k")
        self.say(f"x = tl.load({a} + {first}m[:, None] * K + kk[None, :], mask=(m < M)[:, None] & (kk < K)[None, :], other=0.0)")
        asks = self.chance(.15)
        if asks:
            self.say(self.pick("if q % 4 != 3:", "if q // 2 * 2 == q:", f"if tl.load({self.source('idx')} + q) > 12:"))
            self.depth += 1
        self.say(f"y = {weights}")
        form = self.pick("acc", "acc", "sum", "turned")
        self.say({"acc": "acc = tl.dot(x, y, acc)", "sum": "acc += tl.dot(x, y)",
                  "turned": "acc += tl.trans(tl.dot(tl.trans(y), tl.trans(x)))"}[form])
        self.depth -= 2 if asks else 1
        if self.chance(.3):
            self.say(f"acc += tl.load({self.array('f32', 'x')} + n, mask=n < N, other=0.0)[None, :]")
        self.say(f"tl.store({self.array('f32', 'o')} + {first.replace('K', 'N')}m[:, None] * N + n[None, :], acc, "
                 "mask=(m < M)[:, None] & (n < N)[None, :])")

    def search(self):
        """A program's group by a search, and a product by its weights."""
        self.bm, self.bn, self.bk = self.pick(16, 16, 64, 128), self.pick(16, 32, 64, 128), self.pick(32, 64)
        self.weights, self.ty = self.pick("plain", "plain", "plain", "words", "bytes"), self.pick("f16", "f16", "bf16")
        self.given = {"M": self.pick(self.bm, self.bm - 3), "N": self.bn - self.pick(0, 0, 8), "G": self.pick(1, 2, 5, 8),
                      "K": self.bk * self.pick(1, 2, 4, 7) - self.pick(0, 0, 8)}
        self.grid = (self.pick(1, 3, 5), 1, 1)
        table = self.source("idx")
        self.say(f"want = pid0 * {self.pick(3, 8, 16)}")
        kind = self.pick("halves", "halves", "chosen", "sums")
        if kind == "sums":
            self.say("g, past = pid0 * 0, pid0 * 0")
            self.say(f"many = tl.load({table})")
            self.say("while (g < G - 1) & (want >= past + many):")
            for line in ("past += many", "g += 1", f"many = tl.load({table} + g)"):
                self.say(f"    {line}")
        else:
            self.say("g, high = pid0 * 0, pid0 * 0 + G - 1")
            self.say("while g < high:")
            self.say(f"    half = {self.pick('(g + high) // 2', 'g + (high - g) // 2', '(g + high) >> 1')}")
            test = f"tl.load({table} + half) < want"
            if kind == "halves":
                for line in (f"if {test}:", "    g = half + 1", "else:", "    high = half"):
                    self.say(f"    {line}")
            else:
                self.say(f"    low = {test}")
                self.say("    g, high = tl.where(low, half + 1, g), tl.where(low, high, half)")
        self.say(f"m, n = tl.arange(0, {self.bm}), tl.arange(0, {self.bn})")
        if self.chance(.3):
            self.say(f"if g != {self.pick(0, 1)}:")
            self.depth += 1
        self.product(self.operand("g * (K * N)"), "pid0 * (M * K) + ")
        self.depth = 1
        if self.chance(.4):
            self.say(f"tl.store({self.array('i32', 'o')} + pid0, g)")

    # ---- bits

    def whole(self, ty, count, first):
        return f"tl.load({self.array(ty, 'x')} + {first}tl.arange(0, {count}))"

    def remainders(self):
        """Numbers of each type and either sign, by powers of two of the text and of arguments."""
        count, ty = self.pick(16, 64, 128, 256), self.pick(*INTS, "i32", "i32")
        self.given = {"P": self.pick(*POWERS), "S": self.pick(0, 3, -5, -64)}
        self.grid = (self.pick(1, 2, 5), 1, 1)
        self.say(f"i = tl.arange(0, {count})")
        self.say(f"v = {self.whole(ty, count, f'pid0 * {count} + ')}")
        signed = ty[0] == "i"
        held = "v"
        if self.chance(.4) and signed:
            self.say(f"w = v + S" if ty in ("i32", "i64") else f"w = v - {self.pick(3, 8)}")
            held = "w"
        if self.chance(.4):
            held = f"({held} & {self.pick(127, 63, 15)})"
        terms = [f"({held} {self.pick('%', '//')} {self.pick(*POWERS)})" for _ in range(self.pick(1, 2, 3))]
        terms += [f"({held} % P)"] if ty in ("i32", "i64") and self.chance(.5) else []
        self.say(f"r = {' + '.join(terms)}")
        if self.chance(.5):
            self.say(f"r = tl.where({held} % {self.pick(2, 4)} == {self.pick(0, 1, -1 if signed else 1)}, r, r + 1)")
        loops = self.chance(.5)
        self.say("total = i * 0")
        if loops:
            self.say(f"for q in range({self.pick(0, -3, 'pid0 - 2')}, {self.pick(4, 5, 'pid0 + 3')}):")
            self.say(f"    at = {self.pick('(q - 1) % 4 + q // 2', 'q % 8 + 8', '(i + q) % 16 + (i - q * 2) // 4', '(i * 4 + q) // 8 % 2')}")
            self.say(f"    total += tl.load({self.source('idx')} + at + i * {self.pick(0, 1)})")
        self.say(f"tl.store({self.array('i32', 'o')} + pid0 * {count} + i, total)")
        out = self.array("i64" if ty[0] == "i" else "u64", "o")
        self.say(f"tl.store({out} + pid0 * {count} + i, r.to(tl.{TL['i64' if ty[0] == 'i' else 'u64']}))")

    def scans(self):
        """Of rows with an odd pitch, of truths, along either axis."""
        rows, cols = self.pick(1, 1, 2, 4, 16), self.pick(64, 128, 256, 1024, 2048)
        rows = 1 if cols > 256 else rows
        ty = self.pick("f32", "f32", "i32", "i32", "i64", "i8")
        size = cols - self.pick(0, 1, 7, 24, cols // 2 - 1)
        self.given = {"C": size, "pitch": size + self.pick(0, 1, 3, 8)}
        self.grid = (self.pick(1, 2, 3), 1, 1)
        axis = 0 if rows == 1 else self.pick(0, 1, 1)
        one = rows == 1
        c = f"tl.arange(0, {cols})" + ("" if one else "[None, :]")
        self.say(f"c = {c}")
        self.say("r = pid0" if one else f"r = (pid0 * {rows} + tl.arange(0, {rows}))[:, None]")
        zero = "0.0" if ty in FLOATS else "0"
        self.say(f"v = tl.load({self.array(ty, 'x')} + r * pitch + c, mask=c < C, other={zero})")
        for _ in range(self.pick(1, 2)):
            kind = self.pick("sum", "truths", "truths", "most", "radix")
            back = self.pick("", "", ", reverse=True")
            out = "i32"
            if kind == "sum":
                out = "i32" if ty == "i8" else ty
                text = f"tl.cumsum(v, {axis}{back})"
            elif kind == "truths":
                text = f"tl.cumsum((v {self.pick('>', '<=', '==')} {self.pick(0, 1)}).to(tl.int32), {axis}{back})"
            elif kind == "most":
                ty_ok = ty not in ("i8",)
                self.helpers += [] if "most" in self.helpers or not ty_ok else ["most"]
                out = ty if ty_ok else "i32"
                text = f"tl.associative_scan(v, {axis}, most{back})" if ty_ok else f"tl.cumsum(v, {axis}{back})"
            else:
                bit = f"((v.to(tl.int32) >> {self.pick(0, 1)}) & 1)" if ty != "i64" else "((v & 1).to(tl.int32))"
                self.say(f"bit = {bit}")
                self.say(f"ones = tl.cumsum(bit, {axis})")
                self.say(f"zeros = tl.cumsum(1 - bit, {axis})")
                text = f"tl.where(bit == 1, tl.sum(1 - bit, {axis}, keep_dims=True) + ones - bit, zeros - 1)"
            name = self.bind(text, out, ()).name
            self.say(f"tl.store({self.array(out, 'o')} + r * pitch + c, {name}, mask=c < C)")

    def turned(self):
        """Elements from places with some bits turned, taken or shifted; steps of a transform."""
        rows, count, ty = self.pick(1, 2, 8, 16), self.pick(32, 64, 128, 256, 1024), self.pick("f32", "f32", "i32", "f16", "i8", "i64")
        axis = self.pick(0, 1) if rows > 1 else 0
        shape = (count,) if rows == 1 else ((count, rows) if axis == 0 else (rows, count))
        self.grid = (self.pick(1, 2), 1, 1)
        self.given = {"H": self.pick(1, 2, 16)}
        self.say(f"lane = tl.arange(0, {count})")
        spread = "" if rows == 1 else "[:, None]" if axis == 0 else "[None, :]"
        inner = [f"tl.arange(0, {shape[-1]})"] if rows == 1 else [f"tl.arange(0, {shape[0]})[:, None] * {shape[1]}", f"tl.arange(0, {shape[1]})[None, :]"]
        self.say(f"at = pid0 * {rows * count} + {' + '.join(inner)}")
        self.say(f"v = tl.load({self.array(ty, 'x')} + at)")
        full = f"[{', '.join(map(str, shape))}]"
        for _ in range(self.pick(1, 2, 3, 5)):
            h = self.pick(*[1 << k for k in range(count.bit_length() - 1)])
            place = self.pick(f"lane ^ {h}", f"lane ^ {h}", f"lane ^ {count - 1}", f"lane & {count - 1 - h}", f"lane | {h}",
                              f"(lane ^ {h}) & {count - 1}", f"lane // {h} * {h}", f"(lane + {h}) % {count}", f"(lane ^ H) & {count - 1}",
                              f"({count - 1} - lane) ^ {h}", f"lane >> 1")
            index = f"({place}){spread}"
            index = index if rows == 1 else f"tl.broadcast_to({index}, {full})"
            self.say(f"o = tl.gather(v, {index}, {axis})")
            form = self.pick("take", "where", "where", "sum")
            if form == "where":
                self.say(f"v = tl.where((lane & {h}){spread} != 0, o, v)")
            elif form == "sum" and ty in ("i32", "i64", "f32"):
                self.say(f"v = tl.where((lane & {h}){spread} != 0, o - v, v + o)")
            else:
                self.say("v = o")
        self.say(f"tl.store({self.array(ty, 'o')} + at, v)")

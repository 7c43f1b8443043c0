"""What models are made of, in numbers that are exact: attention with running maxima, whose powers of two have whole exponents;
linear attention that forgets by powers of two; softmax, cross entropy and norms of rows; what is quantized by powers of two.

Queries have few elements, so that scores are small and sums of powers need no more bits than f32 has."""

import random

from generate import Statements
from reference import BITS
from values import TL

LENGTHS = [1, 5, 16, 17, 31, 48, 64, 64, 65, 100, 128, 128, 130, 192, 200]


class Models(Statements):
    def begin(self):
        self.dims, self.pids, self.types, self.shapes, self.budget = 1, ["pid0"], ["f16"], [(16,)], 0
        self.window = 1 << 18
        # (Tensor cores cut off what sums of 8-bit floats have beyond some 14 bits.)
        self.ty = self.pick("f16", "f16", "bf16", "bf16", "f32")
        self.options = {"num_stages": self.pick(1, 2, 3, 4)}
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        # (By numbers of its own: the text is the same with and without.)
        self.wishes = random.Random(self.random.getstate()[1][0]).choice([{}, {}, {"num_ctas": 2}, {"num_parts": 2}, {"num_splits": 2}])
        self.random.choice([self.attention] * 5 + [self.forgetting, self.forgetting, self.softmax, self.entropy, self.quantized,
                                                   self.norms])()

    def power(self, text):
        return self.pick(f"tl.exp2({text})", f"tl.exp2({text})", f"tl.math.exp2({text})")

    # ---- attention

    def attention(self):
        self.depth_of, self.bm, self.bn = self.pick(16, 32, 64, 64, 128), self.pick(16, 32, 64, 128, 128), self.pick(32, 32, 64, 128)
        if self.ty == "f32":
            self.bm, self.bn, self.depth_of = min(self.bm, 64), min(self.bn, 64), min(self.depth_of, 64)
        self.width = self.pick(self.depth_of, self.depth_of, 32, 64)
        # Heads may end within their tiles, as those of 80 or 96 elements do.
        self.deep, self.wide = ((n * self.pick(5, 6, 7) // 8 if self.chance(.25) and n > 16 else n) for n in (self.depth_of, self.width))
        queries, keys, heads = self.pick(*LENGTHS), self.pick(*LENGTHS), self.pick(1, 2, 4)
        self.given = {"M": queries, "N": keys}
        self.causal, self.split = self.pick(None, None, "plain", "plain", "stages", "window"), self.chance(.15)
        self.parts = self.pick(2, 3) if self.split else 1
        self.grid = (-(-queries // self.bm), heads, self.parts)
        self.say("head, part = tl.program_id(1), tl.program_id(2)")
        self.say(f"m = pid0 * {self.bm} + tl.arange(0, {self.bm})")
        self.say(f"d, w, j = tl.arange(0, {self.depth_of}), tl.arange(0, {self.width}), tl.arange(0, {self.bn})")
        self.group = self.pick(1, 1, 2) if heads > 1 else 1
        self.say(f"shared = head // {self.group}" if self.group > 1 else "shared = head")
        self.say("end = N")
        if self.chance(.25):
            self.say(f"end = tl.minimum(N, tl.load({self.source('idx')} + head){self.pick('', ' * 2', ' + 60')})")
        inside = f"(m < M)[:, None]{self.within('d', '[None, :]')}"
        self.say(f"q = tl.load({self.array(self.ty, 'q')} + (head * M + m)[:, None] * {self.deep} + d[None, :], mask={inside}, other=0.0)")
        self.twice = self.chance(.5)
        if self.twice:
            self.say("q = (q * 2.0).to(q.dtype)")
        self.beginning = self.pick('-float("inf")', '-float("inf")', "-64.0")
        self.say(f"most = tl.full([{self.bm}], {self.beginning}, tl.float32)" if self.beginning != "-64.0" else
                 f"most = tl.zeros([{self.bm}], tl.float32) - 64.0")
        self.say(f"total = tl.zeros([{self.bm}], tl.float32)")
        self.say(f"acc = tl.zeros([{self.bm}, {self.width}], tl.float32)")
        self.operands()
        low, high = self.ends()
        if self.causal == "stages":
            # The keys in front of a block's rows, and those beside them.
            diagonal = f"tl.minimum(pid0 * {self.bm} // {self.bn} * {self.bn}, end)"
            self.say(f"diagonal = {diagonal}")
            self.key_steps(low, "diagonal", False)
            self.key_steps("diagonal", f"tl.minimum(end, (pid0 + 1) * {self.bm})", True)
        else:
            self.key_steps(low, high, self.causal is not None)
        self.result(heads)

    def within(self, name, index):
        """Text of a mask that ends heads, of elements `d` or `w`; none where their tile ends there."""
        whole, real = (self.depth_of, self.deep) if name == "d" else (self.width, self.wide)
        return f" & ({name} < {real}){index}" if real < whole else ""

    def operands(self):
        """Keys and values: pointers, carried or not, boxes, pages; how they lie."""
        keys, size = self.given["N"], BITS[self.ty]
        self.form = self.pick("pointer", "pointer", "carried", "box", "box", "pages") if self.group == 1 else "pointer"
        self.form = "pointer" if self.form == "carried" and (self.split or self.causal) else self.form
        self.turned = self.chance(.5)
        if self.form == "box":
            unit = 128 // size
            for name, real, width in (("k", self.deep, self.depth_of), ("v", self.wide, self.width)):
                pitch = -(-real // unit) * unit
                self.say(f"{name}box = tl.make_tensor_descriptor({self.array(self.ty, 'h')} + shared * {4096 * 16}, shape=[end, {real}], "
                         f"strides=[{pitch}, 1], block_shape=[{self.bn}, {width}])")
            return
        self.k, self.v = self.array(self.ty, "h"), self.array(self.ty, "h")
        self.say(f"kp, vp = {self.k} + shared * {keys * self.deep}, {self.v} + shared * {keys * self.wide}")
        if self.form == "pages":
            self.table = self.source("idx")
        if self.form == "carried":
            self.say(f"kp += {f'j[None, :] * {self.deep} + d[:, None]' if self.turned else f'j[:, None] * {self.deep} + d[None, :]'}")
            self.say(f"vp += j[:, None] * {self.wide} + w[None, :]")

    def ends(self):
        low, high = "0", "end"
        if self.causal == "window":
            low = f"tl.maximum(pid0 * {self.bm} - 40, 0) // {self.bn} * {self.bn}"
        if self.causal and self.chance(.7):
            high = f"tl.minimum(end, (pid0 + 1) * {self.bm})"
        if self.split:
            size = self.bn * self.pick(1, 2)
            low = f"part * {size}"
            high = f"tl.minimum(end, (part + 1) * {size})"
        return low, high

    def key_steps(self, low, high, masked):
        stages = self.pick("", "", ", num_stages=2", ", num_stages=3", ", warp_specialize=True")
        self.say(f"for t in tl.range({low}, {high}, {self.bn}{stages}):")
        self.depth += 1
        if self.chance(.3):
            self.say(f"t = tl.multiple_of(t, {self.bn})" if low in ("0", "diagonal") else "pass")
        self.say("n = t + j")
        where = "n"
        if self.form == "pages":
            self.say(f"page = tl.load({self.table} + head * 4 + t // {self.bn}) & 7")
            self.say(f"place = page * {self.bn} + j")
            where = "place"
        inside = "n < end"
        if self.form == "box":
            self.say("k = tl.trans(kbox.load([t, 0]))")
        elif self.turned:
            pointers = "kp" if self.form == "carried" else f"kp + {where}[None, :] * {self.deep} + d[:, None]"
            self.say(f"k = tl.load({pointers}, mask=({inside})[None, :]{self.within('d', '[:, None]')}, other=0.0)")
        else:
            pointers = "kp" if self.form == "carried" else f"kp + {where}[:, None] * {self.deep} + d[None, :]"
            self.say(f"k = tl.trans(tl.load({pointers}, mask=({inside})[:, None]{self.within('d', '[None, :]')}, other=0.0))")
        more = self.pick(', input_precision="tf32"', ', input_precision="ieee"', ', input_precision="tf32x3"') if self.ty == "f32" else ""
        self.say(f"s = tl.dot(q, k{more})")
        if self.twice:
            self.say("s = s * 0.5")
        for _ in range(self.pick(0, 0, 1)):
            self.say(self.pick("s = tl.minimum(tl.maximum(s, -3.0), 3.0)", "s += tl.maximum(n[None, :] - m[:, None], -3).to(tl.float32)"
                               if self.causal else "s = s - 1.0",
                               f"s += tl.load({self.array(self.pick('f32', self.ty), 'h')} + (m[:, None] * N + n[None, :]), "
                               "mask=(m < M)[:, None] & (n < end)[None, :], other=0.0).to(tl.float32)"))
        parts = [f"({inside})[None, :]"]
        if masked:
            parts.append(self.pick("(m[:, None] >= n[None, :])", "(n[None, :] <= m[:, None])"))
            parts += ["(m[:, None] - n[None, :] < 40)"] if self.causal == "window" else []
        if self.chance(.15):
            parts.append(f"(tl.load({self.array('i8', 'x')} + (m[:, None] * N + n[None, :]), mask=(m < M)[:, None] & (n < end)[None, :], "
                         "other=0) > 0)")
        mask = " & ".join(parts)
        self.say(self.pick(f's = tl.where({mask}, s, -float("inf"))', f's += tl.where({mask}, 0.0, -float("inf"))'))
        self.say(self.pick("new = tl.maximum(most, tl.max(s, 1))", "new = tl.maximum(tl.max(s, 1), most)"))
        # Rows without a key so far.
        self.say('safe = tl.where(new == -float("inf"), 0.0, new)')
        self.say(f"p = {self.power('s - safe[:, None]')}")
        self.say(f"old = {self.power('most - safe')}")
        self.say(self.pick("total = total * old + tl.sum(p, 1)", "total = tl.sum(p, 1) + total * old"))
        self.say("acc = acc * old[:, None]")
        if self.form == "box":
            self.say("v = vbox.load([t, 0])")
        else:
            pointers = "vp" if self.form == "carried" else f"vp + {where}[:, None] * {self.wide} + w[None, :]"
            self.say(f"v = tl.load({pointers}, mask=({inside})[:, None]{self.within('w', '[None, :]')}, other=0.0)")
        p = f"p.to(tl.{TL[self.ty]})" if self.ty != "f32" else "p"
        self.say(self.pick(f"acc = tl.dot({p}, v, acc{more})", f"acc += tl.dot({p}, v{more})"))
        self.say("most = new")
        if self.form == "carried":
            self.say(f"kp += {self.bn * self.deep}")
            self.say(f"vp += {self.bn * self.wide}")
        self.depth -= 1

    def result(self, heads):
        if self.chance(.5) and not self.split:
            self.say("total = tl.where(total == 0.0, 1.0, total)")
            self.say("acc = tl.div_rn(acc, total[:, None])")
        elif self.chance(.5):
            self.say("acc = acc * tl.where(total > 4.0, 0.25, 1.0)[:, None]")
        kept = self.pick("f32", "f32", self.ty)
        row = f"((part * {heads} + head) * M + m)"
        self.say(f"tl.store({self.array(kept, 'o')} + {row}[:, None] * {self.wide} + w[None, :], acc.to(tl.{TL[kept]}), "
                 f"mask=(m < M)[:, None]{self.within('w', '[None, :]')})")
        for name in self.pick(("total",), ("most", "total"), ()):
            self.say(f"tl.store({self.array('f32', 'o')} + {row}, {name}, mask=m < M)")

    # ---- recurrences

    def forgetting(self):
        """Chunks of a sequence: what is kept of those before is multiplied by a power of two."""
        self.ty = self.pick("f16", "bf16", "f32")
        ty, depth, width, chunk = TL[self.ty], self.pick(16, 32, 64), self.pick(16, 32, 64), self.pick(16, 32, 64)
        more = ', input_precision="ieee"' if self.ty == "f32" else ""
        self.given = {"T": self.pick(1, 2, 3, 4)}
        self.grid = (self.pick(1, 2, 3), 1, 1)
        self.say(f"c, d, w = tl.arange(0, {chunk}), tl.arange(0, {depth}), tl.arange(0, {width})")
        self.say(f"held = tl.zeros([{depth}, {width}], tl.float32)")
        q, k, v, g = self.array(self.ty, "q"), self.array(self.ty, "h"), self.array(self.ty, "h"), self.array("f32", "g")
        out, kept = self.array(self.pick("f32", self.ty), "o"), self.chance(.5)
        self.say(f"for t in tl.range(0, T{self.pick('', ', num_stages=2', ', num_stages=3')}):")
        self.depth += 1
        self.say(f"row = (pid0 * T + t) * {chunk} + c")
        self.say(f"q = tl.load({q} + row[:, None] * {depth} + d[None, :])")
        turned = self.chance(.5)
        if turned:
            self.say(f"kt = tl.load({k} + row[None, :] * {depth} + d[:, None])")
        else:
            self.say(f"kt = tl.trans(tl.load({k} + row[:, None] * {depth} + d[None, :]))")
        self.say(f"v = tl.load({v} + row[:, None] * {width} + w[None, :])")
        self.say(f"g = tl.load({g} + row)")
        self.say("sum = tl.cumsum(g, 0)")
        self.say("last = tl.sum(g, 0)")
        self.say(f"a = tl.dot(q, kt{more}) * tl.where(c[:, None] >= c[None, :], {self.power('sum[:, None] - sum[None, :]')}, 0.0)")
        self.say(f"o = tl.dot(a.to(tl.{ty}), v{more})")
        self.say(f"o += tl.dot((q * {self.power('sum')}[:, None]).to(tl.{ty}), held.to(tl.{ty}){more})")
        kind = [ty for name, ty, _ in self.arrays if name == out][0]
        self.say(f"tl.store({out} + row[:, None] * {width} + w[None, :], o.to(tl.{TL[kind]}))")
        self.say(f"held *= {self.power('last')}")
        self.say(f"held += tl.dot((kt * {self.power('last - sum')}[None, :]).to(tl.{ty}), v{more})")
        self.depth -= 1
        if kept:
            self.say(f"tl.store({self.array('f32', 'o')} + pid0 * {depth * width} + d[:, None] * {width} + w[None, :], held)")

    # ---- rows

    def rows(self):
        """Names of rows and columns; whether a program has several rows."""
        size, count = self.pick(1, 7, 33, 100, 128, 200, 256, 511, 600, 1024), self.pick(1, 3, 5, 8)
        self.given = {"N": size, "R": count}
        several = self.pick(1, 1, 2, 4)
        self.grid = (-(-count // several), 1, 1)
        self.block = 1 << (size - 1).bit_length() if size > 1 else 1
        self.type = self.pick("f32", "f16", "bf16")
        if several > 1:
            self.say(f"r = (pid0 * {several} + tl.arange(0, {several}))[:, None]")
            return "[None, :]", 1, " & (r < R)"
        self.say("r = pid0")
        return "", 0, ""

    def softmax(self):
        across, axis, more = self.rows()
        kept = ", keep_dims=True" if axis else ""
        self.say(f"n = tl.arange(0, {self.block}){across}")
        self.say(f"x = tl.load({self.array(self.type, 'x')} + r * N + n, mask=(n < N){more}, other=-float('inf')).to(tl.float32)")
        self.say(f"e = {self.power(f'x - tl.max(x, {axis}{kept})')}")
        if axis:
            self.say(f"e = tl.where((n < N){more}, e, 0.0)")
        self.say(f"total = tl.sum(e, {axis}{kept})")
        if self.chance(.6):
            self.say("e = tl.div_rn(e, tl.where(total == 0.0, 1.0, total))")
        kept = self.pick("f32", self.type)
        self.say(f"tl.store({self.array(kept, 'o')} + r * N + n, e.to(tl.{TL[kept]}), mask=(n < N){more})")

    def entropy(self):
        """A row in parts: its maximum, the sum of powers, and the element that a label names."""
        across, axis, more = self.rows()
        part = self.pick(16, 64, 128)
        shape = f"[{self.several()}, 1]"
        kept = ", keep_dims=True" if axis else ""
        first = "-64.0" if not axis else f"tl.zeros({shape}, tl.float32) - 64.0"
        x = self.array(self.type, "x")
        self.say(f"most = {first}")
        self.say("total = 0.0" if not axis else "total = most * 0.0")
        self.say(f"for t in tl.range(0, N, {part}{self.pick('', ', num_stages=2', ', num_stages=3')}):")
        self.depth += 1
        self.say(f"n = (t + tl.arange(0, {part})){across}")
        self.say(f"x = tl.load({x} + r * N + n, mask=(n < N){more}, other=-float('inf')).to(tl.float32)")
        self.say(f"new = tl.maximum(most, tl.max(x, {axis}{kept}))")
        self.say(f"total = total * {self.power('most - new')} + tl.sum({self.power('x - new')}, {axis}{kept})")
        self.say("most = new")
        self.depth -= 1
        label = f"tl.load({self.source('idx')} + r{', mask=r < R, other=0' if axis else ''}) % N"
        self.say(f"picked = tl.load({x} + r * N + {label}{', mask=r < R, other=0.0' if axis else ''}).to(tl.float32)")
        for name in ("most", "total", "picked - most"):
            self.say(f"tl.store({self.array('f32', 'o')} + r, {name}{', mask=r < R' if axis else ''})")
        if self.chance(.6):
            # The gradient, in a second loop.
            self.say(f"for t in tl.range(0, N, {part}):")
            self.depth += 1
            self.say(f"n = (t + tl.arange(0, {part})){across}")
            self.say(f"x = tl.load({x} + r * N + n, mask=(n < N){more}, other=-float('inf')).to(tl.float32)")
            self.say(f"e = {self.power('x - most')} - tl.where(n == ({label}), 1.0, 0.0)")
            self.say(f"tl.store({self.array('f32', 'o')} + r * N + n, e, mask=(n < N){more})")
            self.depth -= 1

    def several(self):
        """How many rows a program has."""
        return int(self.lines[-1].split("arange(0, ")[1].split(")")[0]) if "arange" in self.lines[-1] else 1

    def norms(self):
        across, axis, more = self.rows()
        kept = ", keep_dims=True" if axis else ""
        self.say(f"n = tl.arange(0, {self.block}){across}")
        self.say(f"x = tl.load({self.array(self.type, 'x')} + r * N + n, mask=(n < N){more}, other=0.0).to(tl.float32)")
        if self.chance(.5):
            self.say(f"x += tl.load({self.array('f32', 'x')} + r * N + n, mask=(n < N){more}, other=0.0)")
        self.say(f"squares = tl.sum(x * x, {axis}{kept})")
        self.say("by = tl.sqrt_rn(squares + 1.0)")
        self.say("y = tl.div_rn(x, by)" if self.chance(.6) else "y = x * tl.div_rn(1.0, by)" if not axis else "y = tl.div_rn(x, by)")
        if self.chance(.6):
            self.say(f"y = y * tl.load({self.array(self.pick('f32', 'f16'), 'h')} + n, mask=n < N, other=0.0).to(tl.float32)")
        self.type = self.pick("f32", self.type)
        self.say(f"tl.store({self.array(self.type, 'o')} + r * N + n, y.to(tl.{TL[self.type]}), mask=(n < N){more})")
        if self.chance(.4):
            self.say(f"tl.store({self.array('f32', 'o')} + r, by{', mask=r < R' if axis else ''})")

    # ---- numbers of few bits

    def quantized(self):
        rows, groups, size = self.pick(1, 2, 8, 16), self.pick(1, 2, 4), self.pick(16, 32, 64, 128)
        held, self.given = self.pick("f32", "f16", "bf16"), {"R": self.pick(1, 3, 8, 16, 30)}
        self.grid = (-(-self.given["R"] // rows), 1, 1)
        self.say(f"r, g, i = pid0 * {rows} + tl.arange(0, {rows}), tl.arange(0, {groups}), tl.arange(0, {size})")
        self.say(f"at = (r[:, None, None] * {groups} + g[None, :, None]) * {size} + i[None, None, :]")
        self.say("inside = (r < R)[:, None, None]")
        self.say(f"x = tl.load({self.array(held, 'x')} + at, mask=inside, other=0.0).to(tl.float32)")
        if self.chance(.5):
            self.say(f"x = x * tl.load({self.array('f32', 'x')} + at, mask=inside, other=0.0)")
        self.say("most = tl.max(tl.abs(x), 2)")
        self.say("power = (most.to(tl.int32, bitcast=True) >> 23) & 255")
        self.say("power = tl.maximum(power, 100)")
        to = self.pick("e4", "e5", "i8", "nibbles")
        self.say(f"back = ((254 - power + {self.pick(0, 2) if to != 'i8' else 6}) << 23).to(tl.float32, bitcast=True)")
        self.say("y = x * back[:, :, None]")
        if to == "nibbles":
            self.say("code = (tl.minimum(tl.maximum(tl.floor(y * 4.0), -8.0), 7.0) + 8.0).to(tl.int32)")
            self.say(f"low, high = tl.split(tl.reshape(code, ({rows}, {groups}, {size // 2}, 2)))")
            self.say("byte = (low | (high << 4)).to(tl.uint8)")
            self.say(f"h = tl.arange(0, {size // 2})")
            self.say(f"tl.store({self.array('u8', 'o')} + (r[:, None, None] * {groups} + g[None, :, None]) * {size // 2} + h[None, None, :], "
                     "byte, mask=inside)")
        elif to == "i8":
            self.say(f"tl.store({self.array('i8', 'o')} + at, tl.minimum(tl.maximum(y, -127.0), 127.0).to(tl.int8), mask=inside)")
        else:
            self.say(f"tl.store({self.array(to, 'o')} + at, y.to(tl.{TL[to]}), mask=inside)")
        self.say(f"tl.store({self.array('u8', 'o')} + r[:, None] * {groups} + g[None, :], power.to(tl.uint8), mask=(r < R)[:, None])")

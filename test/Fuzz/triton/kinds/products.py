"""Loops of products as libraries write them, with all that authors vary: orders of programs, masks or wrapped rows,
pitches, pointers carried or computed, branches and bounds from memory, what is done to operands and to sums.
Recurrences over chunks, as linear attention has them, and products whose rows a list names."""

from generate import Statements
from reference import BITS, FLOATS
from values import EXACT, TL, Value

SIZES = [1, 3, 16, 17, 31, 32, 33, 48, 64, 64, 65, 96, 100, 127, 128, 128, 130, 160, 192, 200]


class Products(Statements):
    def begin(self):
        self.kind = self.pick("product", "product", "pairs")
        self.dims, self.pids, self.types, self.shapes = 1, ["pid0"], ["f16"], [(16,)]
        self.sizes = {"M": self.pick(*SIZES), "N": self.pick(*SIZES), "K": self.pick(0, *SIZES)}
        if self.chance(.4):
            self.sizes = {name: max(16, size // 16 * 16) for name, size in self.sizes.items()}
        self.bm, self.bn = self.pick(16, 32, 64, 64, 128), self.pick(16, 32, 64, 64, 128)
        self.bk = self.pick(16, 32, 32, 64)
        self.budget = self.random.randint(0, 4)
        self.given = dict(self.sizes)
        (self.product if self.kind == "product" else self.pairs)()

    def pitch(self, name, size):
        """An argument that says how far apart rows are."""
        size += self.pick(0, 0, 0, 1, 7, 8, 16)
        self.given[name] = size
        return name

    def programs(self):
        """Which tile a program has, in one of the orders that authors write; returns statements behind which a loop may be open."""
        bm, bn = self.bm, self.bn
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.say(f"rows, cols = tl.cdiv(M, {bm}), tl.cdiv(N, {bn})")
        count = -(-self.sizes["M"] // bm) * -(-self.sizes["N"] // bn)
        self.grid = (count, 1, 1)
        order = self.pick("plain", "plain", "grouped", "back", "persistent", "early")
        number = "pid0"
        if order == "persistent":
            self.grid = (self.pick(1, 2, max(1, count // 2), count), 1, 1)
            more = self.pick("", "", ", flatten=True", ", num_stages=2")
            self.say(f"for number in tl.range(pid0, rows * cols, tl.num_programs(0){more}):")
            self.depth += 1
            number = "number"
        if order == "early":
            self.grid = (count + 2, 1, 1)
            self.say("if pid0 >= rows * cols:")
            self.say("    return")
        if order == "back":
            self.say(f"row, col = rows - 1 - {number} // cols, {number} % cols")
        elif order == "grouped":
            self.say(f"group = {number} // (3 * cols)")
            self.say("size = tl.minimum(rows - group * 3, 3)")
            self.say(f"row, col = group * 3 + ({number} % (3 * cols)) % size, ({number} % (3 * cols)) // size")
        else:
            self.say(f"row, col = {number} // cols, {number} % cols")
        wide = self.pick("", "", ".to(tl.int64)")
        self.say(f"m = row{wide} * {bm} + tl.arange(0, {bm})")
        self.say(f"n = col{wide} * {bn} + tl.arange(0, {bn})")

    def operand_of(self, name, line, size, turned, wraps, last):
        """Says pointers of a tile of `line` by k; returns text of a load in step q, and what follows it."""
        major = self.chance(.5)
        pitch = self.pitch(f"s{name}", self.sizes["K"] if major else self.sizes[size])
        if not wraps and self.chance(.3):
            return self.box_of(name, size, turned, major, pitch)
        at = f"({line} % {size})" if wraps else line
        first, second = (f"{at}[:, None]", "k[None, :]") if not turned else (f"{at}[None, :]", "k[:, None]")
        text = f"{first} * {pitch} + {second}" if major else f"{second} * {pitch} + {first}"
        step = "" if major else f" * {pitch}"
        carried = self.chance(.5)
        array = self.array(self.ty, "x")
        self.say(f"{name} = {array} + ({text})")
        pointer = name if carried else f"{name} + q * {self.bk}{step}"
        edge = f"({line} < {size})" + ("[:, None]" if not turned else "[None, :]")
        depth = self.pick(f"(k < K - q * {self.bk})", f"(q * {self.bk} + k < K)") + ("[None, :]" if not turned else "[:, None]")
        parts = [] if wraps else [edge]
        parts += [depth] if last else []
        zero = "0.0" if self.ty in FLOATS else "0"
        mask = f", mask={' & '.join(parts)}, other={zero}" if parts else ""
        hint = self.pick("", "", "", ', eviction_policy="evict_last"', ', cache_modifier=".cg"')
        return f"tl.load({pointer}{mask}{hint})", [f"{name} += {self.bk}{step}"] if carried else []

    def box_of(self, name, size, turned, major, pitch):
        """The same by a block pointer, or by a descriptor."""
        first = f"row * {self.bm}" if size == "M" else f"col * {self.bn}"
        first = f"({first}).to(tl.int32)"
        extents, strides, block, at = [size, "K"], [pitch, "1"], [self.bm if size == "M" else self.bn, self.bk], [first, "0"]
        if not major:
            strides.reverse()
        bits = BITS[self.ty]
        if self.chance(.5) and self.sizes["K"]:
            # Rows as memory has them; a tile that is wanted the other way round is turned.
            if not major:
                extents.reverse(), block.reverse(), at.reverse()
            self.given[pitch] = -(-self.given[pitch] * bits // 128) * 128 // bits
            array = self.array(self.ty, "b")
            self.say(f"{name} = tl.make_tensor_descriptor({array}, shape=[{', '.join(extents)}], strides=[{pitch}, 1], "
                     f"block_shape={block})")
            at[0 if not major else 1] = f"q * {self.bk}"
            text = f"{name}.load([{', '.join(at)}])"
            return (f"tl.trans({text})" if turned == major else text), []
        if turned:
            extents.reverse(), strides.reverse(), block.reverse(), at.reverse()
        array = self.array(self.ty, "x")
        self.say(f"{name} = tl.make_block_ptr(base={array}, shape=({', '.join(extents)}), strides=({', '.join(strides)}), "
                 f"offsets=({', '.join(at)}), block_shape={tuple(block)}, order={self.pick((1, 0), (0, 1))})")
        step = f"({self.bk}, 0)" if turned else f"(0, {self.bk})"
        return f'tl.load({name}, boundary_check=(0, 1), padding_option="zero")', [f"{name} = tl.advance({name}, {step})"]

    def packed(self):
        """Weights of half-bytes in words or bytes, unpacked in each step; text of B, and what follows a step."""
        word = self.pick("i32", "i32", "u8")
        per = 8 if word == "i32" else 2
        pitch = self.pitch("sw", self.sizes["N"])
        array, group = self.array(word, "x"), self.pick(16, 32, 64)
        scales = self.array("f16", "x") if self.chance(.5) else None
        carried = self.chance(.5)
        self.say(f"w = {array} + (k[:, None] // {per}) * {pitch} + n[None, :]")
        pointer = "w" if carried else f"w + q * {self.bk // per} * {pitch}"
        mask = f"(q * {self.bk} + k < K)[:, None] & (n < N)[None, :]"
        text = f"((tl.load({pointer}, mask={mask}, other=0) >> ((k % {per}) * 4)[:, None].to(tl.{'int32' if per == 8 else 'uint8'})) & 15)"
        text = f"({text}.to(tl.float16) - 8.0)"
        if scales:
            text += f" * tl.load({scales} + ((q * {self.bk} + k) // {group})[:, None] * N + n[None, :], mask={mask}, other=0.0)"
        return text, [f"w += {self.bk // per} * {pitch}"] if carried else []

    def product(self):
        self.ty = self.pick("f16", "f16", "f16", "bf16", "f32", "i8", "e4", "f64", "packed", "bytes")
        packed, kept = self.ty == "packed", {"packed": "f16", "bytes": "f16"}.get(self.ty, self.ty)
        self.ty = {"packed": "f16", "bytes": "i8"}.get(self.ty, self.ty)
        self.bk = max(self.bk, 32) if self.ty in ("i8", "e4") else self.bk
        out = "i32" if kept == "i8" else "f64" if kept == "f64" else "f32"
        even = self.sizes["K"] % self.bk == 0 and self.chance(.6)
        self.programs()
        self.say(f"k = tl.arange(0, {self.bk})")
        wraps = self.chance(.3)
        a, follows = self.operand_of("a", "m", "M", False, wraps, not even)
        b, more = self.packed() if packed else self.operand_of("b", "n", "N", True, wraps and self.chance(.8), not even)
        follows += more
        low, high, step = "0", f"tl.cdiv(K, {self.bk})", "1"
        if not follows:
            low = self.pick("0", "0", "0", "pid0 % 2", f"tl.load({self.source('idx')} + pid0) & 1")
            step = self.pick("1", "1", "1", "1", "2")
        self.say(f"acc = tl.zeros([{self.bm}, {self.bn}], tl.{TL[out]})")
        stages = self.pick("", "", ", num_stages=3", ", num_stages=1")
        self.say(f"for q in tl.range({low}, {high}, {step}{stages}):")
        self.depth += 1
        self.say(f"x = {a}")
        self.say(f"y = {b}")
        self.multiply(kept, out)
        for text in follows:
            self.say(text)
        self.depth -= 1
        self.finish(out)

    def multiply(self, kept, out):
        """What is done to a step's operands, and their product."""
        branch = self.chance(.15)
        if kept != self.ty:
            self.say("xf = (x & 3).to(tl.float16)")
            self.say("yf = (y & 3).to(tl.float16)")
        elif self.chance(.3) and kept in ("f16", "bf16", "f32"):
            self.say(self.pick("x = tl.maximum(x, 0.0).to(x.dtype)", "y = tl.where(y > 1.0, y, 0.0).to(y.dtype)", "x = x + x",
                               f"y = y * tl.load({self.array(kept, 'x')} + n)[None, :]",
                               f"x = x * tl.load({self.array(kept, 'x')} + q)"))
        x, y = ("xf", "yf") if kept != self.ty else ("x", "y")
        if branch:
            self.say(f"if tl.load({self.source('idx')} + q) % 3 != 0:")
            self.depth += 1
        more = EXACT.get(kept, "")
        form = self.pick("acc", "acc", "sum", "turned", "halves") if kept != "f64" else "sum"
        if form == "acc":
            self.say(f"acc = tl.dot({x}, {y}, acc{more})")
        elif form == "sum":
            self.say(f"acc += tl.dot({x}, {y}{more})")
        elif form == "halves" and self.bn >= 32 and kept != "i8":
            # A batch of two products, of the columns' halves.
            half = self.bn // 2
            self.say(f"xx = tl.broadcast_to({x}[None, :, :], [2, {self.bm}, {self.bk}])")
            self.say(f"yy = tl.permute(tl.reshape({y}, {self.bk}, 2, {half}), 1, 0, 2)")
            self.say(f"z = tl.permute(tl.dot(xx, yy{more}), 1, 0, 2)")
            self.say(f"acc += tl.reshape(z, {self.bm}, {self.bn})")
        else:
            self.say(f"acc += tl.trans(tl.dot(tl.trans({y}), tl.trans({x}){more}))")
        if branch:
            self.depth -= 1

    def finish(self, out):
        """What becomes of a sum, and where it goes."""
        if self.chance(.3):
            self.say(f"acc += tl.load({self.array(out, 'x')} + {self.pick('n[None, :]', 'm[:, None]')})")
        if self.chance(.3):
            self.say("acc = tl.where(acc > 0, acc, 0)" if out == "i32" else "acc = tl.maximum(acc, 0.0)")
        self.values = [Value("acc", out, (self.bm, self.bn), 2 ** 17)]
        pitch = self.pitch("so", max(self.sizes["N"], 1))
        where, mask = f"m[:, None] * {pitch} + n[None, :]", "(m < M)[:, None] & (n < N)[None, :]"
        if self.chance(.2):
            self.given["so"] = self.sizes["M"] + self.pick(0, 0, 8)
            where = "n[None, :] * so + m[:, None]"
        kind = self.pick("store", "store", "store", "change", "add", "rows")
        if kind == "change":
            array = self.array(out, "w")
            self.say(f"o = {array} + ({where})")
            self.say(f"old = tl.load(o, mask={mask}, other=0)" if out == "i32" else f"old = tl.load(o, mask={mask}, other=0.0)")
            if self.chance(.4):
                self.say(f"o = {self.alias(array)} + ({where})")
            self.say(f"tl.store(o, acc {self.pick('+', '-')} old, mask={mask})")
        elif kind == "add":
            self.say(f"tl.atomic_add({self.array(out, 'a')} + ({where}), acc, mask={mask})")
        elif kind == "rows":
            self.say(f"acc = tl.where({mask}, acc, 0)")
            self.say(f"tl.atomic_add({self.array(out, 'a')} + m, tl.sum(acc, 1), mask=m < M)")
        if kind in ("store", "rows"):
            narrow = out == "f32" and self.chance(.5)
            value = "tl.minimum(tl.maximum(acc, -1000.0), 1000.0).to(tl.float16)" if narrow else "acc"
            array = self.array("f16" if narrow else out, "o")
            self.say(f"tl.store({array} + ({where}), {value}, mask={mask})")
        self.budget = 0

    def pairs(self):
        """Rows of queries over keys, whose products feed a second dot."""
        self.ty, depth = self.pick("f16", "f16", "bf16"), self.pick(16, 32, 64)
        self.bm, self.bn = self.pick(16, 32, 64, 64, 128), self.pick(16, 32, 64)
        tl_ty = {"f16": "float16", "bf16": "bfloat16"}[self.ty]
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.grid = (-(-self.sizes["M"] // self.bm), 1, 1)
        self.say(f"m = {self.pick('pid0', '(tl.num_programs(0) - 1 - pid0)')} * {self.bm} + tl.arange(0, {self.bm})")
        self.say(f"d = tl.arange(0, {depth})")
        self.say(f"n0 = tl.arange(0, {self.bn})")
        names = {}
        for name in "qkv":
            self.given[f"s{name}"] = depth + self.pick(0, 0, 8, 3)
            names[name] = self.array(self.ty, "x")
        self.say(f"q = tl.load({names['q']} + m[:, None] * sq + d[None, :], mask=(m < M)[:, None], other=0.0)")
        self.say(f"acc = tl.zeros([{self.bm}, {depth}], tl.float32)")
        self.say(f"total = tl.zeros([{self.bm}], tl.float32)")
        self.say(f"most = tl.full([{self.bm}], -1000.0, tl.float32)")
        causal = self.chance(.5)
        end = f"tl.minimum(tl.cdiv(N, {self.bn}), (tl.max(m, 0) + {self.bn}) // {self.bn})" if causal and self.chance(.6) else \
            f"tl.cdiv(N, {self.bn})"
        low = self.pick("0", "0", f"tl.load({self.source('idx')} + pid0) & 1")
        self.say(f"for j in tl.range({low}, {end}{self.pick('', ', num_stages=2', ', num_stages=3')}):")
        self.depth += 1
        self.say(f"n = j * {self.bn} + n0")
        if self.chance(.5):
            self.say(f"k = tl.load({names['k']} + n[None, :] * sk + d[:, None], mask=(n < N)[None, :], other=0.0)")
            self.say("s = tl.dot(q, k)")
        else:
            self.say(f"k = tl.load({names['k']} + n[:, None] * sk + d[None, :], mask=(n < N)[:, None], other=0.0)")
            self.say("s = tl.dot(q, tl.trans(k))")
        if causal:
            self.say(self.pick("s = tl.where(m[:, None] >= n[None, :], s, -500.0)",
                               "s += tl.where((m[:, None] >= n[None, :]) & (n < N)[None, :], 0.0, -100000.0)",
                               "s = tl.where((m[:, None] - n[None, :] < 40) & (m[:, None] >= n[None, :]), s, -500.0)"))
        self.say("s = tl.where((n < N)[None, :], s, -500.0)")
        self.say("most = tl.maximum(most, tl.max(s, 1))")
        self.say("p = tl.minimum(tl.maximum(s, 0.0), 2.0)")
        self.say("total += tl.sum(p, 1)")
        self.say(f"v = tl.load({names['v']} + n[:, None] * sv + d[None, :], mask=(n < N)[:, None], other=0.0)")
        self.say(self.pick(f"acc = tl.dot(p.to(tl.{tl_ty}), v, acc)", f"acc += tl.dot(p.to(tl.{tl_ty}), v)"))
        self.depth -= 1
        for value, place, mask in (("acc", f"m[:, None] * {depth} + d[None, :]", "(m < M)[:, None]"), ("total", "m", "m < M"),
                                   ("most", "m", "m < M")):
            self.say(f"tl.store({self.array('f32', 'o')} + {place}, {value}, mask={mask})")
        self.budget = 0


CHUNK_SIZES = [0, 1, 15, 16, 31, 32, 48, 64, 65, 96, 100, 128]


class Chunks(Statements):
    def begin(self):
        self.dims, self.pids, self.budget, self.types = 1, ["pid0"], 0, ["f16"]
        self.ty = self.pick("f16", "f16", "bf16")
        self.name_of = {"f16": "float16", "bf16": "bfloat16"}[self.ty]
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        (self.states if self.chance(.6) else self.lists)()

    def tile(self, array, rows, columns, pitch, limit):
        """A load of rows below a limit."""
        return f"tl.load({array} + {rows}[:, None] * {pitch} + {columns}[None, :], mask=({rows} < {limit})[:, None], other=0.0)"

    def states(self):
        chunk, dk, dv = self.pick(16, 32, 64), self.pick(16, 32, 64), self.pick(16, 32, 64)
        heads = self.pick(1, 2, 3)
        self.grid = (heads, 1, 1)
        length = self.pick(*CHUNK_SIZES)
        self.given = {"T": length, "sk": dk + self.pick(0, 8, 1), "sv": dv + self.pick(0, 8, 1)}
        q, k, v = (self.array(self.ty, "x") for _ in range(3))
        gates = self.array("i32", "x") if self.chance(.5) else None
        out, states = self.array("f32", "o"), self.array("f32", "o")
        in_place = self.chance(.25)
        if in_place:
            v = self.array(self.ty, "w")
        self.say(f"t0, i, j = tl.arange(0, {chunk}), tl.arange(0, {dk}), tl.arange(0, {dv})")
        self.say(f"h = tl.zeros([{dk}, {dv}], tl.float32)")
        for name, array, pitch in (("q", q, "sk"), ("k", k, "sk"), ("v", v, "sv")):
            self.say(f"{name}0 = {array} + pid0 * T * {pitch}")
        ahead = self.chance(.5)
        many = f"tl.cdiv(T, {chunk})"
        self.say(f"for n in tl.range(0, {many}{self.pick('', ', num_stages=2', ', num_stages=3')}):" if ahead or self.chance(.5)
                 else f"for n in range({many}):")
        self.depth += 1
        self.say(f"t = n * {chunk} + t0")
        self.say(f"q = {self.tile('q0', 't', 'i', 'sk', 'T')}")
        if self.chance(.5):
            self.say(f"k = {self.tile('k0', 't', 'i', 'sk', 'T')}")
            self.say("kt = tl.trans(k)")
        else:
            self.say("kt = tl.load(k0 + t[None, :] * sk + i[:, None], mask=(t < T)[None, :], other=0.0)")
        self.say(f"v = {self.tile('v0', 't', 'j', 'sv', 'T')}")
        if self.chance(.6):
            self.say(f"tl.store({states} + ((pid0 * {-(-length // chunk)} + n) * {dk} + i[:, None]) * {dv} + j[None, :], h)")
        self.say(f"o = tl.dot(q, h.to(tl.{self.name_of}))")
        self.say(f"s = tl.where({self.pick('t0[:, None] >= t0[None, :]', 't0[:, None] > t0[None, :]')}, tl.dot(q, kt), 0.0)")
        self.say(f"s = tl.minimum(tl.maximum(s, -2.0), 2.0).to(tl.{self.name_of})")
        self.say(self.pick("o = tl.dot(s, v, o)", "o += tl.dot(s, v)"))
        if self.chance(.5):
            self.say("o = o * 2.0")
        self.say(f"tl.store({out} + (pid0 * T + t)[:, None] * {dv} + j[None, :], o, mask=(t < T)[:, None])")
        if in_place:
            self.say("tl.store(v0 + t[:, None] * sv + j[None, :], "
                     f"tl.minimum(tl.maximum(o, -4.0), 4.0).to(tl.{self.name_of}), mask=(t < T)[:, None])")
        if gates:
            self.say(f"h = h * (tl.load({gates} + pid0 * 7 + n) & 1).to(tl.float32)")
        self.say("h = tl.dot(kt, v, h)" if self.chance(.5) else "h += tl.dot(kt, v)")
        self.say("h = tl.minimum(tl.maximum(h, -8.0), 8.0)")
        self.depth -= 1
        self.say(f"tl.store({self.array('f32', 'o')} + (pid0 * {dk} + i[:, None]) * {dv} + j[None, :], h)")

    def lists(self):
        """Rows of A, and which B they meet, by lists."""
        bm, bn, bk = self.pick(16, 32, 64), self.pick(16, 32, 64), self.pick(16, 32, 64)
        blocks, n, k = self.pick(1, 2, 4), self.pick(16, 33, 64, 100), self.pick(16, 40, 64, 128)
        self.given = {"N": n, "K": k, "sa": k + self.pick(0, 3, 8), "sb": self.pick(n, n + 8, k + 8, k)}
        columns = self.given["sb"] >= n and self.chance(.5)
        self.given["sb"] = max(self.given["sb"], n if columns else k)
        across = -(-n // bn)
        self.grid = (blocks * across, 1, 1)
        a, b, rows, experts = self.array(self.ty, "x"), self.array(self.ty, "x"), self.array("idx", "x"), self.array("idx", "x")
        self.say(f"block, col = pid0 // {across}, pid0 % {across}")
        self.say(f"expert = tl.load({experts} + block)")
        if self.chance(.5):
            self.say("if expert % 4 == 0:")
            self.say("    return")
        self.say(f"slot = block * {bm} + tl.arange(0, {bm})")
        self.say(f"row = tl.load({rows} + slot)")
        self.say(f"n = col * {bn} + tl.arange(0, {bn})")
        self.say(f"k = tl.arange(0, {bk})")
        some = f"({self.pick('row < 50', 'row >= 5', 'row != 7')})"
        inner = "k[:, None] * sb + n[None, :]" if columns else "n[None, :] * sb + k[:, None]"
        big = f"expert{self.pick('', '.to(tl.int64)')} % 3 * {max(k, n) * self.given['sb']}"
        self.say(f"pa = {a} + {self.pick('row', '(row // 2)')}[:, None] * sa + k[None, :]")
        self.say(f"pb = {b} + {big} + {inner}")
        self.say(f"acc = tl.zeros([{bm}, {bn}], tl.float32)")
        self.say(f"for q in range(0, K, {bk}):")
        self.depth += 1
        self.say(f"x = tl.load(pa, mask={some}[:, None] & (k < K - q)[None, :], other=0.0)")
        self.say("y = tl.load(pb, mask=(k < K - q)[:, None] & (n < N)[None, :], other=0.0)")
        self.say("acc = tl.dot(x, y, acc)")
        self.say(f"pa += {bk}")
        self.say(f"pb += {bk}{' * sb' if columns else ''}")
        self.depth -= 1
        if self.chance(.5):
            self.say(f"acc = acc * tl.load({self.array(self.ty, 'x')} + slot).to(tl.float32)[:, None]")
        self.say(f"tl.store({self.array('f32', 'o')} + slot[:, None] * N + n[None, :], acc, mask={some}[:, None] & (n < N)[None, :])")

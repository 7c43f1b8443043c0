"""Products of large tiles, as Hopper's roads of warps with roles have them: programs in all orders, clusters, operands by boxes,
pointers, lists and of other types, scales within the loop, two sums, and all that is done behind it; attention's backward."""

from generate import Statements
from reference import BITS, FLOATS
from values import TL

SIZES = [1, 40, 64, 72, 100, 128, 128, 192, 200, 256, 256, 300, 384]
MORE = {"f32": ', input_precision="tf32"', "i8": ", out_dtype=tl.int32"}


class Large(Statements):
    def begin(self):
        self.dims, self.pids, self.types, self.shapes, self.budget = 1, ["pid0"], ["f16"], [(16,)], 0
        self.window = 1 << 18
        self.ty = self.pick("f16", "f16", "f16", "bf16", "bf16", "e4", "i8", "f32", "e5")
        self.out = "i32" if self.ty == "i8" else "f32"
        self.sizes = {"M": self.pick(*SIZES), "N": self.pick(*SIZES), "K": self.pick(0, 16, *SIZES)}
        if self.chance(.6):
            self.sizes = {name: -(-size // 64) * 64 for name, size in self.sizes.items()}
        self.bm, self.bn = self.pick(64, 64, 128, 128, 256, 16), self.pick(32, 64, 128, 128, 256)
        if self.bm * self.bn > 128 * 256 or BITS[self.out] * self.bm * self.bn > 128 * 128 * 32 and self.chance(.7):
            self.bm, self.bn = 128, 128
        self.bk = self.pick(32, 64, 64, 128) if BITS[self.ty] < 32 else self.pick(16, 32)
        self.given = dict(self.sizes)
        self.options = {"num_stages": self.pick(1, 2, 3, 4, 6), **({"num_ctas": 2} if self.chance(.15) else {})}
        (self.product if self.chance(.8) else self.backward)()
        self.wishes = self.pick({}, {}, {}, {"num_ctas": 2}, {"num_ctas": 4}, {"num_parts": 2}, {"num_parts": 4}, {"num_splits": 2},
                                {"num_splits": 3, "num_parts": 2}, {"num_last_splits": 2}, {"num_stages": 2}, {"num_ctas": 2, "num_splits": 2})

    def size(self, name):
        return self.sizes[name]

    def pitch(self, name, size, aligned=False):
        """An argument that says how far apart rows are."""
        size += self.pick(0, 0, 0, 1, 8, 16)
        unit = max(1, 128 // BITS[self.ty]) if aligned or self.chance(.4) else 1
        self.given[name] = -(-size // unit) * unit
        return name

    # ---- which program has which tile

    def programs(self):
        """Names of a tile's rows and columns; what stands behind it may be in a loop."""
        rows, cols = -(-self.size("M") // self.bm), -(-self.size("N") // self.bn)
        count, order = rows * cols, self.pick("line", "grid", "persistent", "persistent", "persistent", "grouped", "batch", "parts", "list")
        self.order, self.parts, batch = order, 1, 1
        self.grid = (count, 1, 1)
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        number = "pid0"
        if order == "grid":
            self.grid = (rows, cols, 1)
            self.say("row, col = pid0, tl.program_id(1)")
        elif order == "batch":
            batch = self.pick(2, 3)
            self.grid = (count, 1, batch)
        elif order == "parts":
            self.parts = self.pick(2, 3)
            self.grid = (count, self.parts, 1)
        elif order == "persistent":
            self.grid = (self.pick(1, 2, max(1, count // 2), count, count + 1), 1, 1)
            more = self.pick("", "", ", flatten=True", ", num_stages=3", ", warp_specialize=True")
            self.say(f"for number in tl.range(pid0, tl.cdiv(M, {self.bm}) * tl.cdiv(N, {self.bn}), tl.num_programs(0){more}):")
            self.depth += 1
            number = "number"
        self.say(f"cols = tl.cdiv(N, {self.bn})")
        if order == "grouped" or order == "persistent" and self.chance(.4):
            self.say(f"group = {number} // (2 * cols)")
            self.say(f"size = tl.minimum(tl.cdiv(M, {self.bm}) - group * 2, 2)")
            self.say(f"row, col = group * 2 + ({number} % (2 * cols)) % size, ({number} % (2 * cols)) // size")
        elif order != "grid":
            self.say(f"row, col = {number} // cols, {number} % cols")
        self.say("z = tl.program_id(2)" + self.pick("", ".to(tl.int64)") if batch > 1 else "z = pid0 * 0")
        self.batch = batch
        self.say(f"m = row * {self.bm} + tl.arange(0, {self.bm})")
        self.say(f"n = col * {self.bn} + tl.arange(0, {self.bn})")
        self.say(f"k = tl.arange(0, {self.bk})")

    # ---- operands

    def operand(self, name, line, size, turned):
        """Says what a tile of `line` by k is read by; returns the text of a load in step q, and what follows it."""
        major = self.chance(.65)
        block, ty = self.bm if size == "M" else self.bn, self.ty
        form = self.pick("pointer", "pointer", "box", "box", "block") if self.batch == 1 and self.size("K") and self.parts == 1 else "pointer"
        if form == "pointer" and size == "M" and self.chance(.15):
            self.say(f"{line}l = tl.load({self.array('idx', 'x')} + {line}, mask={line} < {size}, other=0)")
            line, size = f"{line}l", "64"
        elif self.order == "list" and size == "N":
            self.say(f"expert = tl.load({self.source('idx')} + row) & 3")
            form = "expert"
        # Some operands are of another type in memory.
        held = self.pick(ty, ty, ty, *{"f16": ("i8", "e4", "f32"), "bf16": ("i8", "f32")}.get(ty, (ty,)))
        cast = f".to(tl.{TL[ty]})" if held != ty else ""
        extent = self.sizes.get(size, 64)
        pitch = self.pitch(f"s{name}", self.size("K") if major else extent, form == "box")
        if form == "box":
            self.given[pitch] = -(-self.given[pitch] * BITS[held] // 128) * 128 // BITS[held]
            array = self.array(held, "b")
            shape, tile, at = [size, "K"], [block, self.bk], [f"{'row' if size == 'M' else 'col'} * {block}", f"q * {self.bk}"]
            if not major:
                shape.reverse(), tile.reverse(), at.reverse()
            self.say(f"{name} = tl.make_tensor_descriptor({array}, shape=[{', '.join(shape)}], strides=[{pitch}, 1], block_shape={tile})")
            text = f"{name}.load([{', '.join(at)}]){cast}"
            return (f"tl.trans({text})" if turned == major else text), []
        array = self.array(held, "x")
        if form == "block":
            shape, strides, tile = [size, "K"], [pitch, "1"] if major else ["1", pitch], [block, self.bk]
            at = [f"({'row' if size == 'M' else 'col'} * {block}).to(tl.int32)", "0"]
            order = (1, 0) if major != turned else (0, 1)
            if turned:
                shape.reverse(), strides.reverse(), tile.reverse(), at.reverse()
            self.say(f"{name} = tl.make_block_ptr(base={array}, shape=({', '.join(shape)}), strides=({', '.join(strides)}), "
                     f"offsets=({', '.join(at)}), block_shape={tuple(tile)}, order={order})")
            by = f"({self.bk}, 0)" if turned else f"(0, {self.bk})"
            return f'tl.load({name}, boundary_check=(0, 1), padding_option="zero"){cast}', [f"{name} = tl.advance({name}, {by})"]
        wraps = self.chance(.2)
        at = f"({line} % {size})" if wraps else line
        first, second = (f"{at}[:, None]", "k[None, :]") if not turned else (f"{at}[None, :]", "k[:, None]")
        text = f"{first} * {pitch} + {second}" if major else f"{second} * {pitch} + {first}"
        if self.batch > 1:
            text = f"z * {self.pick(0, 16, 1024)} + {text}"
        if form == "expert":
            text = f"expert * {self.pick(64, 1000)} + {text}"
        step = "" if major else f" * {pitch}"
        # Parts of the depth begin at different steps.
        carried = self.parts == 1 and self.chance(.5)
        self.say(f"{name} = {array} + ({text})")
        pointer = name if carried else f"{name} + q * {self.bk}{step}"
        parts = [] if wraps else [f"({line} < {size})" + ("[:, None]" if not turned else "[None, :]")]
        if self.size("K") % self.bk or self.chance(.3):
            parts.append(self.pick(f"(k < K - q * {self.bk})", f"(q * {self.bk} + k < K)") + ("[None, :]" if not turned else "[:, None]"))
        zero = "0.0" if held in FLOATS else "0"
        mask = f", mask={' & '.join(parts)}, other={zero}" if parts else ""
        text = f"tl.load({pointer}{mask})"
        if held == "i8" and held != ty:
            text = f"({text} & 7)"
        return text + cast, [f"{name} += {self.bk}{step}"] if carried else []

    def nibbles(self):
        """B of half-bytes, two in a byte: joined, or by shifts."""
        pitch = self.pitch("sw", self.size("N"))
        array, half = self.array("u8", "x"), self.bk // 2
        mask = f"mask=(q * {half} + tl.arange(0, {half}) < K // 2)[:, None] & (n < N)[None, :], other=0"
        load = f"tl.load({array} + (q * {half} + tl.arange(0, {half}))[:, None] * {pitch} + n[None, :], {mask})"
        if self.chance(.5):
            return [f"w = {load}", "low, high = (w & 15).to(tl.int8) - 8, (w >> 4).to(tl.int8) - 8",
                    f"y = tl.reshape(tl.permute(tl.join(low, high), (0, 2, 1)), ({self.bk}, {self.bn})).to(tl.{TL[self.ty]})"]
        return [f"w = tl.load({array} + ((q * {self.bk} + k) // 2)[:, None] * {pitch} + n[None, :], "
                f"mask=(q * {self.bk} + k < K)[:, None] & (n < N)[None, :], other=0)",
                f"y = (((w >> ((k % 2) * 4)[:, None].to(tl.uint8)) & 15).to(tl.int8) - 8).to(tl.{TL[self.ty]})"]

    # ---- the loop

    def product(self):
        self.programs()
        bm, bn, bk, out, more = self.bm, self.bn, self.bk, self.out, MORE.get(self.ty, "")
        a, follows = self.operand("a", "m", "M", False)
        packed = self.ty in ("f16", "bf16") and self.size("K") % 2 == 0 and self.parts == 1 and self.chance(.12)
        body = [f"x = {a}"]
        if packed:
            body += self.nibbles()
        else:
            b, after = self.operand("b", "n", "N", True)
            body, follows = body + [f"y = {b}"], follows + after
        sums = ["acc"]
        if self.chance(.2) and bm * bn <= 128 * 128:
            b, after = self.operand("c", "n", "N", True)
            body, follows, sums = body + [f"y2 = {b}"], follows + after, ["acc", "acc2"]
        for name in sums:
            self.say(f"{name} = tl.zeros([{bm}, {bn}], tl.{TL[out]})")
        low, high, step = "0", self.pick(f"tl.cdiv(K, {bk})", f"(K + {bk - 1}) // {bk}"), "1"
        if self.parts > 1:
            low, step = "tl.program_id(1)", str(self.parts)
        stages = self.pick("", "", f", num_stages={self.pick(1, 2, 3, 4, 5)}", ", warp_specialize=True", ", disallow_acc_multi_buffer=True")
        self.say(f"for q in tl.range({low}, {high}, {step}{stages}):")
        self.depth += 1
        for text in body:
            self.say(text)
        if self.chance(.2) and self.ty in ("f16", "bf16", "f32"):
            self.say(self.pick("x = tl.maximum(x, 0.0).to(x.dtype)", "x = -x", "y = (y + y).to(y.dtype)",
                               f"x = (x * tl.load({self.array(self.ty, 'x')} + m)[:, None]).to(x.dtype)",
                               f"y = (y * tl.load({self.array(self.ty, 'x')} + n)[None, :]).to(y.dtype)"))
        scaled = self.pick("m[:, None]", "n[None, :]") if self.chance(.15) else None
        skips = self.chance(.1)
        if skips:
            self.say(f"if tl.load({self.source('idx')} + q) > 20:")
            self.depth += 1
        for name, y in zip(sums, ("y", "y2")):
            if scaled:
                array = self.array(out, "x")
                self.say(f"{name} += tl.dot(x, {y}{more}) * tl.load({array} + q * 384 + {scaled})")
            else:
                self.say(self.pick(f"{name} = tl.dot(x, {y}, {name}{more})", f"{name} += tl.dot(x, {y}{more})"))
        self.depth -= skips
        for text in follows:
            self.say(text)
        self.depth -= 1
        self.finish(sums)

    # ---- behind it

    def finish(self, sums):
        out, zero = self.out, "0" if self.out == "i32" else "0.0"
        inside, most = "(m < M)[:, None] & (n < N)[None, :]", 3000 if out == "i32" else "3000.0"
        if len(sums) > 1:
            self.say(f"acc = tl.minimum(tl.maximum(acc, -{most}), {most}) * tl.minimum(tl.maximum(acc2, {zero}), {2 if out == 'i32' else '2.0'})"
                     if self.chance(.6) else "acc = acc + acc2")
        pitch = self.pitch("so", max(self.size("N"), 1))
        where = f"m[:, None] * {pitch} + n[None, :]"
        if self.chance(.15):
            self.given["so"] = self.size("M") + self.pick(0, 0, 8)
            where = f"n[None, :] * {pitch} + m[:, None]"
        if self.batch > 1:
            where = f"z * {self.size('M') * self.given['so'] + self.size('N') * self.given['so']} + {where}"
        if self.parts > 1:
            return self.say(f"tl.atomic_add({self.array(out, 'a')} + ({where}), acc, mask={inside}{self.pick('', ', sem=' + repr('relaxed'))})")
        for _ in range(self.pick(0, 0, 1, 2)):
            self.say(self.pick(f"acc += tl.load({self.array(out, 'x')} + n, mask=n < N, other={zero})[None, :]",
                               f"acc = acc * tl.load({self.array(out, 'x')} + m)[:, None]",
                               f"acc = tl.maximum(acc, {zero})", f"acc = tl.where(m[:, None] >= n[None, :], acc, {zero})",
                               f"acc += tl.load({self.array(self.pick(out, 'f16') if out == 'f32' else out, 'x')} + ({where}), mask={inside}, "
                               f"other={zero}).to(tl.{TL[out]})"))
        if self.chance(.15):
            self.say(f"acc = tl.where({inside}, acc, {zero})")
            fold = self.pick("sum", "max", "min")
            axis, at, end = self.pick((1, "m * cols + col", "m < M"), (0, f"n * tl.cdiv(M, {self.bm}) + row", "n < N"))
            self.say(f"tl.store({self.array(out, 'o')} + z * 4096 + {at}, tl.{fold}(acc, {axis}), mask={end})")
        # Each program stores its own tile; persistent ones of a launch all of theirs.
        form = self.pick("plain", "plain", "box", "halves", "both", "change", "rows", "even")
        kept = self.pick(out, out, *(("i8", "i16") if out == "i32" else ("f16", "f16", "bf16", "e4")))
        value = f"acc.to(tl.{TL[kept]})" if out == "f32" else f"(acc & 127).to(tl.{TL[kept]})" if kept != out else "acc"
        if form == "box" and self.batch == 1 and self.size("N") and self.size("M"):
            unit = 128 // BITS[kept]
            self.given["so"] = -(-max(self.size("N"), 1) // unit) * unit
            self.say(f"o = tl.make_tensor_descriptor({self.array(kept, 'c')}, shape=[M, N], strides=[so, 1], block_shape=[{self.bm}, {self.bn}])")
            return self.say(f"o.store([row * {self.bm}, col * {self.bn}], {value})")
        if form == "halves":
            half = self.bn // 2
            self.say(f"one, two = tl.split(tl.permute(tl.reshape({value}, ({self.bm}, 2, {half})), (0, 2, 1)))")
            array = self.array(kept, "o")
            for name, at in (("one", f"col * {self.bn}"), ("two", f"col * {self.bn} + {half}")):
                self.say(f"{name}n = {at} + tl.arange(0, {half})")
                self.say(f"tl.store({array} + ({where.replace('n[None', name + 'n[None')}), {name}, mask=(m < M)[:, None] & ({name}n < N)[None, :])")
            return
        if form == "change":
            array = self.array(out, "w")
            self.say(f"old = tl.load({array} + ({where}), mask={inside}, other={zero})")
            self.say(f"tl.store({array} + ({where}), acc {self.pick('+', '-')} old, mask={inside})")
            return
        if form == "rows":
            self.say(f"to = tl.load({self.array('idx', 'x')} + m) % 4")
            self.say(f"tl.atomic_add({self.array(out, 'a')} + to[:, None] * N + n[None, :], acc, mask={inside})")
            return
        if form == "even":
            # Two neighbours of a row make one number.
            half = self.bn // 2
            self.say(f"one, two = tl.split(tl.reshape(acc, ({self.bm}, {half}, 2)))")
            self.say(f"h = col * {half} + tl.arange(0, {half})")
            self.say(f"tl.store({self.array(out, 'o')} + z * 400000 + m[:, None] * {-(-self.size('N') // self.bn) * half} + h[None, :], "
                     f"one {self.pick('+', '-')} two, mask=(m < M)[:, None])" if self.batch == 1 else "pass")
            return
        self.say(f"tl.store({self.array(kept, 'o')} + ({where}), {value}, mask={inside})")
        if form == "both":
            self.say(f"tl.store({self.array(out, 'o')} + ({where}), acc{self.pick('', ' + acc')}, mask={inside})")

    # ---- attention's gradient

    def backward(self):
        """Keys and values of a program, over rows of queries: two sums, and a third in memory."""
        self.ty = self.pick("f16", "f16", "bf16")
        depth, bm, bn = self.pick(32, 64, 64, 128), self.pick(32, 64, 64, 128), self.pick(64, 64, 128, 32)
        ty, rows, keys = TL[self.ty], self.size("M"), self.size("N")
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.grid = (-(-keys // bn), 1, 1)
        q, k, v, do = (self.array(self.ty, "x") for _ in range(4))
        delta, dq = self.array("f32", "x"), self.array("f32", "a") if self.chance(.5) else None
        self.say(f"n, d, i = pid0 * {bn} + tl.arange(0, {bn}), tl.arange(0, {depth}), tl.arange(0, {bm})")
        for name, array in (("k", k), ("v", v)):
            self.say(f"{name} = tl.load({array} + n[:, None] * {depth} + d[None, :], mask=(n < N)[:, None], other=0.0)")
        for name in ("dk", "dv"):
            self.say(f"{name} = tl.zeros([{bn}, {depth}], tl.float32)")
        causal = self.chance(.5)
        low = f"pid0 * {bn} // {bm}" if causal else "0"
        self.say(f"for t in tl.range({low}, tl.cdiv(M, {bm}){self.pick('', ', num_stages=2', ', num_stages=3', ', warp_specialize=True')}):")
        self.depth += 1
        self.say(f"m = t * {bm} + i")
        turned = self.chance(.5)
        if turned:
            self.say(f"qt = tl.load({q} + m[None, :] * {depth} + d[:, None], mask=(m < M)[None, :], other=0.0)")
        else:
            self.say(f"q = tl.load({q} + m[:, None] * {depth} + d[None, :], mask=(m < M)[:, None], other=0.0)")
            self.say("qt = tl.trans(q)")
        self.say(f"do = tl.load({do} + m[:, None] * {depth} + d[None, :], mask=(m < M)[:, None], other=0.0)")
        self.say(f"delta = tl.load({delta} + m, mask=m < M, other=0.0)")
        self.say("p = tl.minimum(tl.maximum(tl.dot(k, qt), 0.0), 2.0)")
        if causal:
            self.say("p = tl.where(m[None, :] >= n[:, None], p, 0.0)")
        self.say(self.pick(f"dv = tl.dot(p.to(tl.{ty}), do, dv)", f"dv += tl.dot(p.to(tl.{ty}), do)"))
        self.say("dp = tl.minimum(tl.maximum(tl.dot(v, tl.trans(do)), -3.0), 3.0)")
        self.say(f"ds = (p * (dp - delta[None, :])).to(tl.{ty})")
        self.say("ds = tl.where((m < M)[None, :], ds, 0.0).to(ds.dtype)")
        self.say(f"dk {self.pick('+= tl.dot(ds, tl.trans(qt))', '= tl.dot(ds, tl.trans(qt), dk)')}")
        if dq:
            self.say(f"tl.atomic_add({dq} + m[:, None] * {depth} + d[None, :], tl.dot(tl.trans(ds), k), mask=(m < M)[:, None])")
        self.depth -= 1
        for name in ("dk", "dv"):
            kept = self.pick("f32", self.ty)
            self.say(f"tl.store({self.array(kept, 'o')} + n[:, None] * {depth} + d[None, :], {name}.to(tl.{TL[kept]}), mask=(n < N)[:, None])")

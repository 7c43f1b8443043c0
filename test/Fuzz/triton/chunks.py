"""Recurrences over chunks, as linear attention has them: a state that steps carry, results stored in each step, also where
what the step read lies; and products whose rows a list names."""

from generate import Statements
from reference import FLOATS

SIZES = [0, 1, 15, 16, 31, 32, 48, 64, 65, 96, 100, 128]


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
        length = self.pick(*SIZES)
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

"""Tiles of up to five dimensions, some of one element, through chains of what moves, folds and orders elements: along any
axis, either way round, of one tile or several at a time."""

import re

import numpy as np

from generate import COMBINES, Statements
from reference import BITS, FLOATS, INTS
from values import MOST, TL, Value

COMBINES.update({
    "either": ("def either(a, b):\n    return a | b", 1), "least": ("def least(a, b):\n    return tl.minimum(a, b)", 1),
    "times": ("def times(a, b):\n    return a * b", 1),
    "three": ("def three(a, b, c, d, e, f):\n    return a + d, tl.maximum(b, e), c ^ f", 3),
    "first": ("def first(a, b, c, d):\n    left = (b <= d)\n    return tl.where(left, a, c), tl.where(left, b, d)", 2),
    "runs": ("def runs(a, b, c, d):\n    return tl.where(d != 0, c, a + c), b | d", 2)})


class Tensors(Statements):
    most_elements, most_sorted = 2048, 1024

    def begin(self):
        self.dims, self.pids, self.numbers = 1, ["pid0"], ["n0"]
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.types = self.random.sample([*INTS, "i32", "i32", "i64", "f32", "f32", "f16", "bf16", "f64"], 3)
        self.shapes, self.budget = [self.any_shape() for _ in range(3)], self.random.randint(4, 10)

    def any_shape(self):
        shape, rank = [], self.pick(1, 2, 2, 3, 3, 4, 5)
        for _ in range(rank):
            most = self.most_elements // int(np.prod(shape or [1]))
            shape.append(min(most, self.pick(1, 1, 2, 2, 4, 8, 16, 32, 64 if rank < 4 else 2)))
        self.random.shuffle(shape)
        return tuple(shape)

    def statement(self):
        if self.budget <= 0:
            return
        self.budget -= 1
        kinds = [self.moved, self.moved, self.folded, self.folded, self.scanned, self.scanned, self.ordered, self.paired,
                 self.picked, self.elementwise, self.elementwise, self.counted, self.kept]
        self.random.choice(kinds)()

    def tile(self, types=None):
        a = self.find(types=types or self.types)
        return a if a.shape else self.load(self.shape(), self.pick(*(types or self.types)))

    def kept(self):
        self.store(self.tile())

    def keep_unread(self):
        """Stores what nothing has read: of what nobody keeps nothing would be computed."""
        text = " ".join(self.lines)
        for value in [v for v in self.values if len(re.findall(rf"\b{v.name}\b", text)) == 1][-6:]:
            self.store(value, again=False)

    def factors(self, total):
        """A shape of that many elements."""
        shape = []
        while total > 1 and len(shape) < 4:
            shape.append(self.pick(*[1 << k for k in range(total.bit_length()) if total % (1 << k) == 0]))
            total //= shape[-1]
        return tuple(shape + [total])

    def moved(self):
        a = self.tile()
        rank, kind = len(a.shape), self.random.randrange(7)
        if kind == 0:
            shape = self.factors(int(np.prod(a.shape)))
            return self.bind(f"tl.reshape({a.name}, {', '.join(map(str, shape))})", a.ty, shape, a.most)
        if kind in (1, 2) and rank > 1:
            order = list(range(rank))
            self.random.shuffle(order)
            return self.bind(f"tl.permute({a.name}, {', '.join(map(str, order))})", a.ty, [a.shape[d] for d in order], a.most)
        if kind == 3 and rank < 5:
            axis = self.random.randint(0, rank)
            return self.bind(f"tl.expand_dims({a.name}, {axis})", a.ty, a.shape[:axis] + (1,) + a.shape[axis:], a.most)
        if kind == 4 and 1 in a.shape:
            room = self.most_elements // int(np.prod(a.shape))
            shape = [self.pick(1, 2, 8) if n == 1 and room >= 64 else n for n in a.shape]
            return self.bind(f"tl.broadcast_to({a.name}, {shape})", a.ty, shape, a.most) if shape.count(8) < 3 else None
        if kind == 5 and a.ty != "i1":
            axis = self.random.randrange(rank)
            return self.bind(f"tl.flip({a.name}, {axis})", a.ty, a.shape, a.most) if a.shape[axis] > 1 else None
        if kind == 6:
            shape = self.factors(int(np.prod(a.shape)))
            b = self.bind(f"tl.reshape({a.name}, {shape}, can_reorder=True)", a.ty, shape, a.most)
            self.values.pop()
            if a.ty in INTS:
                self.bind(f"tl.sum({b.name})", ("i32" if a.ty[0] == "i" else "u32") if BITS[a.ty] < 32 else a.ty, ())

    def paired(self):
        a = self.tile()
        if a.ty == "i1":
            return
        total, kind = int(np.prod(a.shape)), self.random.randrange(4)
        b = self.find(a.shape, (a.ty,))
        most = max(a.most, b.most)
        if kind == 0 and len(a.shape) < 5 and total < self.most_elements:
            return self.bind(f"tl.join({a.name}, {b.name})", a.ty, a.shape + (2,), most)
        if kind == 1 and total < self.most_elements:
            return self.bind(f"tl.interleave({a.name}, {b.name})", a.ty, a.shape[:-1] + (a.shape[-1] * 2,), most)
        if kind == 2 and a.shape[-1] == 2 and len(a.shape) > 1:
            one, two = self.name(), self.name()
            self.say(f"{one}, {two} = tl.split({a.name})")
            self.values += [Value(one, a.ty, a.shape[:-1], a.most), Value(two, a.ty, a.shape[:-1], a.most)]
        if kind == 3 and len(a.shape) == 1 and a.ty in INTS and total < self.most_elements and a.shape[0] > 1:
            # In any order: what is left is what does not depend on it.
            c = self.bind(f"tl.cat({a.name}, {b.name}, can_reorder=True)", a.ty, (2 * a.shape[0],))
            self.values.pop()
            self.bind(f"tl.sort({c.name})" if total <= 128 else f"tl.xor_sum({c.name}, 0)", a.ty,
                      c.shape if total <= 128 else ())

    def folded(self):
        a = self.tile()
        if a.ty == "i1" and self.chance(.7):
            a = self.bind(f"{a.name}.to(tl.int32)", "i32", a.shape)
        if self.chance(.15) and a.ty in INTS and BITS[a.ty] >= 32:
            return self.bind(f"tl.{self.pick('sum', 'max', 'min', 'xor_sum')}({a.name})", a.ty, ())
        if self.chance(.4):
            self.find(a.shape)
            return self.reduction()
        axis = self.random.randrange(len(a.shape))
        self.by_function("reduce", a, axis, a.shape[:axis] + a.shape[axis + 1:])

    def scanned(self):
        a = self.tile([t for t in self.types if t != "i1"])
        axis = self.random.randrange(len(a.shape))
        if self.chance(.3) and a.ty in INTS and BITS[a.ty] >= 32:
            return self.bind(f"tl.cumprod({a.name}, {axis}{self.pick('', ', reverse=True')})", a.ty, a.shape)
        if self.chance(.3):
            return self.scan()
        self.by_function("associative_scan", a, axis, a.shape, self.pick("", ", reverse=True"))

    def by_function(self, op, a, axis, shape, more=""):
        """Folds by a function of the kernel's: of one tile, two or three."""
        if a.ty in FLOATS or a.ty == "i1":
            fit = ["most", "least"] if a.ty in ("f32", "f64") else ["either", "both"] if a.ty == "i1" else []
        else:
            fit = ["add", "both", "either", "times", "most", "least", "three", "three"]
            fit += ["affine", "runs", "last", "first"] if op == "associative_scan" else []
        if not fit:
            return
        name = self.random.choice(fit)
        if name not in self.helpers:
            self.helpers.append(name)
        count = COMBINES[name][1]
        if count == 1:
            return self.bind(f"tl.{op}({a.name}, {axis}, {name}{more})", a.ty, shape, a.most)
        kinds = [a.ty] if name == "affine" else [t for t in self.types if t in INTS] or ["i32"]
        others = [self.find(a.shape, kinds) for _ in range(count - 1)]
        others = [o if o.ty in INTS else a for o in others]
        names = [self.name() for _ in range(count)]
        self.say(f"{', '.join(names)} = tl.{op}(({a.name}, {', '.join(o.name for o in others)}), {axis}, {name}{more})")
        self.values += [Value(n, v.ty, shape) for n, v in zip(names, [a, *others])]

    def ordered(self):
        a = self.tile([t for t in self.types if t in INTS] or ["i32"])
        if a.shape[-1] < 2 or int(np.prod(a.shape)) > self.most_sorted or a.ty not in INTS:
            return
        if self.chance(.3) and a.shape[-1] >= 4 and BITS[a.ty] >= 32:
            k = self.pick(2, a.shape[-1] // 2)
            return self.bind(f"tl.topk({a.name}, {k})", a.ty, a.shape[:-1] + (k,))
        self.bind(f"tl.sort({a.name}{self.pick('', ', descending=True')})", a.ty, a.shape)

    def picked(self):
        a = self.tile([t for t in self.types if t != "i1"])
        axis = self.random.randrange(len(a.shape))
        size = self.pick(a.shape[axis], a.shape[axis], 1, 2 * a.shape[axis])
        shape = a.shape[:axis] + (size,) + a.shape[axis + 1:]
        if int(np.prod(shape)) > self.most_elements:
            return
        index = self.find(shape, (self.pick("i32", "i32", "i64", "u8"),))
        if index.ty in FLOATS or index.ty == "i1":
            return
        self.bind(f"tl.gather({a.name}, (({index.name} & {min(255, a.shape[axis] - 1)}).to(tl.int32)), {axis})", a.ty, shape, a.most)

    def counted(self):
        a = self.tile([t for t in self.types if t in INTS] or ["i32"])
        if a.ty not in INTS:
            return
        total, bins = int(np.prod(a.shape)), self.pick(1, 2, 16, 64, 256)
        mask = f", mask={self.mask((total,))}" if self.chance(.4) else ""
        self.bind(f"tl.histogram((tl.reshape({a.name}, {total}) & {min(bins - 1, 127)}).to(tl.int32), {bins}{mask})", "i32", (bins,))

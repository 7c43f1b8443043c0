"""Tiles of 4096 to 32,768 elements without products, by any number of warps: loaded, computed, folded, scanned, sorted, joined and
split, in loops and branches that carry them, beside small tiles of other ranks."""

from kinds.tensors import Tensors
from reference import BITS, INTS


class Wide(Tensors):
    most_elements, most_sorted = 32768, 4096

    def begin(self):
        super().begin()
        self.types = self.random.sample([*INTS, "i32", "i32", "f32", "f32", "f16", "bf16", "f64"], 3)
        self.budget = self.random.randint(3, 8)

    def any_shape(self):
        """A large tile's shape, and one in four times that of a small one."""
        if self.chance(.25):
            return (self.pick(8, 32, 128), self.pick(1, 4, 16))[:self.pick(1, 2)]
        left, shape = self.pick(4096, 4096, 8192, 16384, 32768), []
        for _ in range(self.pick(0, 0, 1, 1, 2, 3)):
            shape.append(self.pick(*[n for n in (1, 2, 4, 8, 16, 32, 64, 128, 256) if n <= left]))
            left //= shape[-1]
        shape.append(left)
        self.random.shuffle(shape)
        return tuple(shape)

    def statement(self):
        if self.budget <= 0:
            return
        kind = self.random.randrange(10)
        if kind == 0 and self.depth < 3 and not self.loops:
            self.budget -= 1
            return self.loop()
        if kind == 1 and self.depth < 3:
            self.budget -= 1
            return self.branch()
        if kind == 2:
            self.budget -= 1
            return self.spread()
        super().statement()

    def spread(self):
        """What a row is folded to, back in each of its elements, as norms have it."""
        a = self.tile([t for t in self.types if t in INTS and BITS[t] >= 32] or ["i32"])
        axis = self.random.randrange(len(a.shape))
        kept = self.named(f"tl.{self.pick('max', 'min', 'sum')}({a.name}, {axis}, keep_dims=True)", (a.ty, a.shape))[0]
        op = self.pick("-", "+", "^")
        b = self.bind(f"{a.name} {op} {kept.name}", a.ty, a.shape)
        if self.chance(.5):
            axis = self.random.randrange(len(a.shape))
            self.bind(f"tl.sum({b.name}, {axis})", a.ty, a.shape[:axis] + a.shape[axis + 1:])

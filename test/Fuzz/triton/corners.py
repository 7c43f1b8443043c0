"""Statements of the rarer kinds: floats that are no numbers, boxes of descriptors, atomics whose results are read,
what a step reads of a step before, hints, functions."""

from reference import BITS, FLOATS, INTS
from values import MOST, TL, Maker, Value


class Corners(Maker):
    def special(self):
        """Ops that take NaN, infinities, zeros of both signs and what is subnormal; each stored at once."""
        ty = self.pick("f32", "f32", "f16", "bf16", "f64")
        shape = self.pick(*[s for s in self.shapes if s])
        a, b = (self.bind(f"tl.load({self.array(ty, 's')} + ({self.lane_place(shape)}))", ty, shape) for _ in range(2))
        del self.values[-2:]
        wide = "f32" if ty == "bf16" else ty
        narrow = {"f64": ("f32", "f16"), "f32": ("f16", "bf16", "e4", "e5"), "f16": ("f32", "e4", "e5", "f64"),
                  "bf16": ("f32", "e4", "e5")}[ty]
        for _ in range(self.pick(1, 2, 3)):
            kind = self.random.randrange(8)
            x, y, out = a.name, b.name, ty
            if kind < 2:
                more = self.pick("", ", propagate_nan=tl.PropagateNan.ALL")
                text, out = f"tl.{self.pick('minimum', 'maximum')}({x}, {y}{more})", wide
            elif kind == 2:
                text, out = f"({x} {self.pick('<', '<=', '>', '>=', '==', '!=')} {y}).to(tl.int8)", "i8"
            elif kind == 3:
                text = f"tl.where({x} {self.pick('<', '>=', '!=')} {y}, {x}, {y})"
            elif kind == 4:
                text = self.pick(f"tl.abs({x})", f"-{x}")
            elif kind == 5:
                out = f"i{BITS[ty]}"
                text = f"{x}.to(tl.{TL[out]}, bitcast=True)"
            elif kind == 6 and ty != "bf16":
                text, out = f"tl.{self.pick('max', 'min')}({x}, {len(shape) - 1})", "f32" if ty == "f16" else ty
            else:
                out = self.pick(*narrow)
                text = f"{x}.to(tl.{TL[out]})"
            value = self.bind(text, out, shape[:-1] if text.startswith(("tl.max(", "tl.min(")) else shape)
            self.values.pop()
            self.store(value, again=False)

    def box(self):
        """A descriptor's box, within its array or beyond."""
        ty = self.pick(*[t for t in self.types if t in ("f16", "bf16", "f32", "i8", "i16", "i32", "u8", "i64", "f64")] or ["f32"])
        least = 16 * 8 // BITS[ty]
        rows, cols = self.pick(1, 2, 8, 16, 32), max(least, self.pick(16, 32, 64))
        high, wide = self.pick(1, 7, 16, 33, 64), self.pick(1, 5, cols, 2 * cols, cols + 3)
        pitch = (wide + self.pick(0, 16) + least - 1) // least * least
        name, array = self.name("d"), self.array(ty, "b")
        self.say(f"{name} = tl.make_tensor_descriptor({array}, shape=[{high}, {wide}], strides=[{pitch}, 1], "
                 f"block_shape=[{rows}, {cols}])")
        place = self.pick("0", "pid0", f"pid0 * {rows}", f"pid0 * {rows} - 3", *self.loops)
        across = self.pick("0", f"{least}", f"pid0 * {least}", f"-{least}")
        value = self.bind(f"{name}.load([{place}, {across}])", ty, (rows, cols), 4 if ty in FLOATS else 0)
        if not self.loops and self.chance(.4):
            out = self.name("d")
            self.say(f"{out} = tl.make_tensor_descriptor({self.array(ty, 'c')} + line * {pitch * high}, shape=[{high}, {wide}], "
                     f"strides=[{pitch}, 1], block_shape=[{rows}, {cols}])")
            self.say(f"{out}.store([{self.pick('0', '1', str(rows), '-1')}, {self.pick('0', least)}], {value.name})")

    def truths_of_memory(self):
        """Bytes that are truths, and numbers made ones."""
        shape = self.shape()
        if self.chance(.6):
            mask = f", mask={self.mask(shape)}, other={self.pick(True, False)}" if self.chance(.5) else ""
            a = self.bind(f"tl.load({self.source('i1')} + ({self.place(shape)}){mask})", "i1", shape)
        else:
            x = self.find(shape, [t for t in self.types if t in INTS] or ["i32"])
            a = self.bind(f"{x.name}.to(tl.int1)", "i1", shape)
        if not self.loops and self.chance(.5):
            self.say(f"tl.store({self.array('i1', 'o')} + ({self.region(shape)}), {a.name}"
                     f"{f', mask={self.mask(shape)}' if self.chance(.4) else ''})")

    def together(self):
        """One value put together of several arrays, by where its elements are."""
        shape, ty = self.pick(*[s for s in self.shapes if s]), self.pick(*[t for t in self.types if t not in ("e4", "e5")] or ["f32"])
        i = self.name("i")
        self.say(f"{i} = {self.lane_place(shape)} + {self.scalar_place()}")
        cuts = sorted(self.random.sample([0, 3, 8, 16, 20, 32, 40, 64, 100, 128], self.pick(1, 2, 3)))
        shared = f" & ({self.mask(shape)})" if self.chance(.4) else ""
        zero, arms = "0.0" if ty in FLOATS else "0", []
        for k in range(len(cuts) + 1):
            low, high = cuts[k - 1] if k else None, cuts[k] if k < len(cuts) else None
            ends = ([f"({i} >= {low})"] if low is not None else []) + ([f"({i} < {high})"] if high is not None else [])
            told = f"({i} < {high})" if high is not None and self.chance(.5) else " & ".join(ends)
            on = " & ".join(ends) if self.chance(.85) else f"({i} != {self.number()})"
            other = zero if self.chance(.8) else "2.0" if ty in FLOATS else "2"
            back = f" - {low}" if low and self.chance(.7) else ""
            name = self.name()
            self.say(f"{name} = tl.load({self.source(ty)} + {i}{back}, mask={on}{shared}, other={other})")
            arms.append((told, f"{name} + {name}" if ty in INTS and self.chance(.3) else name))
        text = arms[-1][1] if self.chance(.7) else f"tl.where({arms[-1][0]}, {arms[-1][1]}, {zero})"
        for told, value in reversed(arms[:-1]):
            text = f"tl.where({told}, {value}, {text})"
        self.bind(text, ty, shape, 4 if ty in FLOATS else 0)

    def most_and_where(self):
        """A maximum with its place; ties go to the first."""
        a = self.find(types=[t for t in self.types if t not in ("bf16", "e4", "e5")] or ["i32"])
        if not a.shape:
            return
        axis = self.random.randrange(len(a.shape))
        one, two, shape = self.name(), self.name(), a.shape[:axis] + a.shape[axis + 1:]
        self.say(f"{one}, {two} = tl.{self.pick('max', 'min')}({a.name}, {axis}, return_indices=True)")
        self.values += [Value(one, a.ty, shape, a.most), Value(two, "i32", shape)]

    def swap(self):
        """Atomics on a place of the program's own, whose results are read."""
        a = self.find(types=("i32", "u32", "i64", "u64"))
        out, pointer = self.array(a.ty, "w"), self.name("p")
        self.say(f"{pointer} = {out} + ({self.region(a.shape)})")
        mask = f", mask={self.mask(a.shape)}" if self.chance(.3) and a.shape else ""
        old = None
        for _ in range(self.pick(1, 2, 3)):
            op = self.pick("add", "max", "min", "and", "or", "xor", "xchg")
            text = f"tl.atomic_{op}({pointer}, {a.name}{mask})"
            if not mask and self.chance(.25):
                text = f"tl.atomic_cas({pointer}, {old.name if old else a.name}, {a.name})"
            if mask:
                self.say(text)
            else:
                old = self.bind(text, a.ty, a.shape)

    def recur(self):
        """Each step reads rows that steps before it wrote."""
        if self.loops:
            return
        ty = self.pick(*[t for t in INTS if BITS[t] >= 16])
        shape = self.pick(*[s for s in self.shapes if s])
        size = 1
        for extent in shape:
            size *= extent
        steps, far = self.pick("3", "5", *self.numbers), self.pick(1, 1, 2)
        steps = f"tl.minimum({steps}, 6)" if not steps.isdigit() else steps
        array, p, i = self.array(ty, "w"), self.name("p"), self.name("i")
        lanes, inner = [], 1
        for d in reversed(range(len(shape))):
            index = "".join(["[", ", ".join(":" if k == d else "None" for k in range(len(shape))), "]"])
            lanes.append(f"tl.arange(0, {shape[d]})" + (index if len(shape) > 1 else "") + (f" * {inner}" if inner > 1 else ""))
            inner *= shape[d]
        self.say(f"{p} = {array} + line * {size * 12} + {' + '.join(lanes)}")
        self.say(f"for {i} in range({steps}):")
        self.depth += 1
        carried = self.chance(.5)
        at = p if carried else f"{p} + {i} * {size}"
        read, write = (f"{at}", f"{at} + {far * size}") if self.chance(.5) else (f"{at} + {far * size}", f"{at}")
        if self.chance(.5):
            self.say("tl.debug_barrier()")
        a, b = self.name(), self.name()
        self.say(f"{a} = tl.load({read})")
        self.say(f"{b} = tl.load({self.source(ty)} + {i} * 7 + ({' + '.join(lanes)}))")
        self.say(f"tl.store({write}, {a} * 3 + {b})")
        if carried:
            self.say(f"{p} += {size}")
        self.depth -= 1

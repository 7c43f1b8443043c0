"""Boxes of descriptors that the host or the kernel makes: of one to five dimensions, of extents of any number, with parts
in front of their arrays and behind them; loaded, stored, added, gathered and scattered, in loops and branches."""

from generate import Statements
from reference import BITS, FLOATS
from values import TL, Value

SUMS = {"f32": ("add",), "f16": ("add", "min", "max"), "bf16": ("add", "min", "max"), "i32": ("add", "min", "max", "and", "or", "xor"),
        "u32": ("add", "min", "max", "and", "or", "xor"), "u64": ("add", "min", "max", "and", "or", "xor"),
        "i64": ("min", "max", "and", "or", "xor")}


class Desc:
    def __init__(self, name, ty, shape, block):
        self.name, self.ty, self.shape, self.block = name, ty, shape, block


class Boxes(Statements):
    def begin(self):
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.ty = self.pick("f16", "f16", "bf16", "f32", "i8", "u8", "i16", "i32", "i64", "f64", "e4")
        self.types, self.shapes = ["i32"], [(16,)]
        self.hosts = self.chance(.5)
        for _ in range(self.pick(1, 1, 2)):
            self.pick(self.copies, self.copies, self.along, self.along, self.sums, self.rows_by_list, self.multiplies)()
        self.values = [self.load((16,), "i32")]

    def least(self, ty):
        return max(1, 128 // BITS[ty])

    def block_of(self, ty, rank):
        """Extents of a box: some of one element, the last of 16 bytes or more."""
        inner = max(self.least(ty), self.pick(16, 32, 64))
        outer, room = [], 2048 // inner
        for _ in range(rank - 1):
            n = min(room, self.pick(1, 1, 2, 4, 8, 16, 32))
            outer.append(n)
            room //= n
        return tuple(outer + [inner])

    def describe(self, ty, block, kind, rows=1, nan=False):
        """A descriptor of an array of its own, a little larger or smaller than so many boxes."""
        shape = [max(1, self.pick(n - 1, n, n, n + 1, 2 * n, 2 * n + 3)) for n in block]
        shape[0] = max(1, rows * block[0] + self.pick(0, 0, -1, 1, 5))
        pitches, pitch = [1], -(-shape[-1] // self.least(ty)) * self.least(ty) + self.pick(0, 0, self.least(ty))
        for n in reversed(shape[1:-1]):
            pitches.insert(0, pitch)
            pitch *= n
        if len(shape) > 1:
            pitches.insert(0, pitch)
        name = self.array(ty, kind)
        padding = "nan" if nan and ty in FLOATS and ty not in ("e4", "e5") else "zero"
        if self.hosts and self.chance(.8):
            self.descs[name] = shape, pitches, list(block), padding
            return Desc(name, ty, shape, block)
        d = self.name("d")
        more = ', padding_option="nan"' if padding == "nan" else ""
        self.say(f"{d} = tl.make_tensor_descriptor({name}, shape={shape}, strides={pitches}, block_shape={list(block)}{more})")
        return Desc(d, ty, shape, block)

    def corner(self, desc, first=None):
        """Coordinates of a box: in the array, or beyond it."""
        at = [first] if first else []
        for n in desc.shape[len(at):]:
            inner = len(at) + 1 == len(desc.shape)
            step = self.least(desc.ty) if inner else 1
            at.append(self.pick("0", "0", f"{step}", f"pid0 * {step}", f"-{step}", f"n0 * {step}", str(2 * n // step * step)))
        return f"[{', '.join(at)}]"

    def changed(self, name, ty):
        if ty in ("e4", "e5") or self.chance(.4):
            return name
        return f"({name} * 0 + 3).to(tl.{TL[ty]})" if self.chance(.2) and ty not in FLOATS else \
            f"(-{name}).to(tl.{TL[ty]})" if ty in FLOATS else f"({name} ^ 5).to(tl.{TL[ty]})"

    def copies(self):
        """A box from one array to another, perhaps turned or in another shape, in a loop or a branch."""
        rank = self.pick(1, 2, 2, 2, 3, 4, 5)
        block = self.block_of(self.ty, rank)
        x = self.describe(self.ty, block, "b", rows=self.pick(1, 2, 4), nan=self.chance(.3))
        y = self.describe(self.ty, block, "c", rows=8)
        depth, form = self.depth, self.pick("plain", "plain", "loop", "branch")
        row = f"pid0 * {block[0]}"
        if form == "loop":
            self.say(f"for k in {self.pick('range', 'tl.range')}(0, {self.pick('2', '3', 'n0 & 3')}):")
            self.depth += 1
            row = f"(pid0 * 3 + k) * {block[0]}"
        elif form == "branch":
            self.say(f"if {self.pick('pid0 > 0', 'n0 < 5', 'pid0 % 2 == 0')}:")
            self.depth += 1
        # Along rows a box of the copy engine's begins at 16 bytes.
        v, step = self.name(), self.least(self.ty) if rank == 1 else 1
        first = self.pick(row, '0', f'-{step}', f'{row} - {3 * step}', f'n0 * {step}')
        self.say(f"{v} = {x.name}.load({self.corner(x, first)})")
        self.say(f"{y.name}.store([{', '.join([row] + ['0'] * (rank - 1))}], {self.changed(v, self.ty)})")
        self.depth = depth

    def along(self):
        """Boxes along a row of boxes, folded; the last of them ends behind the array."""
        ty = self.ty if self.ty not in ("e4", "i8", "u8", "i16") else "f32"
        block = self.block_of(ty, 2)
        x = self.describe(ty, block, "b", rows=self.pick(2, 4, 6))
        total, wide = self.name(), "f32" if ty in ("f16", "bf16") else ty
        self.say(f"{total} = tl.zeros({list(block)}, tl.{TL[wide]})")
        more = self.pick("", "", ", num_stages=3", ", warp_specialize=False", ", num_stages=4")
        end = self.pick("3", "4", "(n0 & 3) + 1", f"tl.cdiv({x.shape[0]}, {block[0]})")
        self.say(f"for k in tl.range(0, {end}{more}):")
        self.depth += 1
        where = self.pick(f"k * {block[0]}", f"k * {block[0]} + pid0", f"(pid0 + k) * {block[0]} - 1", f"{x.shape[0]} - k * {block[0]}")
        self.say(f"x = {x.name}.load({self.corner(x, where)})")
        if self.chance(.3):
            self.say(f"if {self.pick('k > 0', 'n0 > 3', 'k % 2 == 0')}:")
            self.say(f"    {total} += x.to(tl.{TL[wide]})")
        else:
            self.say(f"{total} += x.to(tl.{TL[wide]})")
        self.depth -= 1
        self.values.append(Value(total, wide, block, 64))
        if self.chance(.5):
            self.store(self.values[-1])
        else:
            y = self.describe(wide, block, "c", rows=5)
            self.say(f"{y.name}.store([pid0 * {block[0]}, 0], {total})")

    def sums(self):
        """Boxes added to memory, or folded into it."""
        ty = self.pick(*SUMS)
        block = self.block_of(ty, self.pick(1, 2, 2, 3))
        y = self.describe(ty, block, "f", rows=2)
        v, step = self.load(block, ty), self.least(ty) if len(block) == 1 else 1
        op = self.pick(*SUMS[ty])
        if self.chance(.3):
            self.say("for k in range(2):")
            self.say(f"    {y.name}.atomic_{op}({self.corner(y, self.pick('0', f'k * {step}', f'-{step}'))}, {v.name})")
        else:
            self.say(f"{y.name}.atomic_{op}({self.corner(y)}, {v.name})")

    def rows_by_list(self):
        """Rows that a list names, some of which the array does not have."""
        ty = self.pick("f16", "f32", "i32", "u8", "bf16")
        block = (1, max(256 // BITS[ty], self.pick(16, 32, 64)))
        x = self.describe(ty, block, "b", rows=self.pick(8, 33))
        n, index, v = self.pick(8, 16, 32), self.name("i"), self.name()
        self.say(f"{index} = tl.load({self.array('idx', 'x')} + line * {n} + tl.arange(0, {n}))")
        self.say(f"{v} = {x.name}.gather({index}, {self.pick('0', str(self.least(ty)))})")
        if self.chance(.5):
            y = self.describe(ty, block, "c", rows=64)
            self.say(f"{y.name}.scatter({v}, line * {n} + {self.pick(f'tl.arange(0, {n})', f'({n - 1} - tl.arange(0, {n}))')}, 0)")
        else:
            self.store(Value(v, ty, (n, block[1]), 8))

    def multiplies(self):
        """A product of boxes, perhaps one that goes from tile to tile."""
        ty, bm, bn, bk = self.pick("f16", "f16", "bf16", "e4", "i8"), self.pick(16, 32, 64, 128), self.pick(32, 64, 128), self.pick(32, 64)
        rows, cols, deep = self.pick(1, 2), self.pick(1, 2), self.pick(1, 2, 3)
        turned = self.chance(.5)
        a = self.describe(ty, (bm, bk), "b", rows=rows)
        b = self.describe(ty, (bn, bk) if turned else (bk, bn), "b", rows=cols if turned else deep)
        out = "i32" if ty == "i8" else "f32"
        c = self.describe(out, (bm, bn), "c", rows=rows)
        persistent = self.chance(.4)
        if persistent:
            self.say(f"for tile in tl.range(pid0, {rows * cols}, tl.num_programs(0){self.pick('', ', flatten=True')}):")
            self.depth += 1
        number = "tile" if persistent else f"(pid0 % {rows * cols})"
        if not persistent:
            self.say(f"if pid0 < {rows * cols}:")
            self.depth += 1
        self.say(f"row, col = {number} // {cols}, {number} % {cols}")
        self.say(f"acc = tl.zeros([{bm}, {bn}], tl.{TL[out]})")
        self.say(f"for k in tl.range(0, {self.pick(str(deep), f'{deep} + (n0 & 1)')}{self.pick('', ', num_stages=3', ', num_stages=2')}):")
        self.say(f"    x = {a.name}.load([row * {bm}, k * {bk}])")
        self.say(f"    y = {b.name}.load([{f'col * {bn}, k * {bk}' if turned else f'k * {bk}, col * {bn}'}])")
        self.say(f"    acc = tl.dot(x, {'tl.trans(y)' if turned else 'y'}, acc{', out_dtype=tl.int32' if ty == 'i8' else ''})")
        if self.chance(.3):
            self.say("acc = acc + acc")
        elif self.chance(.2) and out == "f32":
            self.say(f"acc += tl.load({self.array('f32', 'x')} + tl.arange(0, {bn}))[None, :]")
        self.say(f"{c.name}.store([row * {bm}, col * {bn}], acc)")
        self.depth -= 1

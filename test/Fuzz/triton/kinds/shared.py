"""Memory that several accesses, arguments or programs share: one array by two arguments, also some way apart; what a
program reads that its other threads wrote, behind barriers; atomics of all types; counters, locks and flags."""

from generate import Statements
from reference import BITS, FLOATS
from values import TL

ATOMICS = {"i32": ("add", "max", "min", "and", "or", "xor", "xchg"), "f32": ("add", "max", "min", "xchg"), "f16": ("add",),
           "f64": ("add", "max", "min", "xchg"), "bf16": ("add",)}
ATOMICS.update({ty: ATOMICS["i32"] for ty in ("u32", "i64", "u64")})


class Shared(Statements):
    def begin(self):
        self.dims, self.pids, self.numbers, self.budget = 1, ["pid0"], ["n0"], 0
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        self.shapes, self.types = [(self.pick(16, 32, 64, 128, 256),)], ["i32", "f32"]
        for _ in range(self.pick(1, 1, 2)):
            self.pick(self.mixes, self.mixes, self.behind, self.behind, self.together_by, self.adds, self.adds, self.last, self.locked,
                      self.follows, self.lanes)()
        self.values = [self.load(self.shapes[0], "i32")]

    def one_of_two(self, array):
        """The array by its name, or by another argument's that begins there or further on; and how far on."""
        if self.chance(.4):
            return array, 0
        far = self.pick(0, 0, 16, 64, 1, 7)
        name = self.alias(array)
        self.aliases[name] = (array, far)
        return name, far

    def at(self, array, place, far):
        return f"{array} + ({place}{f' - {far}' if far else ''})"

    def mixes(self):
        """Stores and loads of a part of memory in any form, each kept from the next by a barrier."""
        ty = self.pick("i32", "i32", "i64", "u8", "i16", "f32", "f16")
        n = self.pick(32, 64, 128, 256)
        array = self.array(ty, "w")
        names = [self.one_of_two(array) for _ in range(3)]
        v = self.load((n,), ty)
        total = v
        loops = self.chance(.5)
        if loops:
            self.say(f"for k in {self.pick('range', 'tl.range')}({self.pick('0, 3', '0, n0 & 3', '1, 4')}):")
            self.depth += 1
        for _ in range(self.random.randint(2, 5)):
            name, far = self.pick(*names)
            place = self.pick(f"tl.arange(0, {n})", f"({n - 1} - tl.arange(0, {n}))", f"(tl.arange(0, {n}) ^ {self.pick(1, 2, 8, 16, n // 2)})",
                              f"(tl.arange(0, {n}) * {self.pick(3, 5)}) % {n}", f"tl.arange(0, {n}) // 2",
                              f"((tl.arange(0, {n}) + {self.pick(1, 8, 31)}) % {n})",
                              f"(tl.arange(0, {n}) % 8) * {n // 8} + tl.arange(0, {n}) // 8")
            at = self.at(name, f"line * {n} + {place}", far)
            mask = self.mask((n,)) if self.chance(.3) else ""
            zero = "0.0" if ty in FLOATS else "0"
            if self.chance(.5) or "// 2" in place:
                x = self.name()
                self.say(f"{x} = tl.load({at}{f', mask={mask}, other={zero}' if mask else ''})")
                self.say(f"{total.name} = tl.minimum(tl.maximum({total.name} + {x}, -8.0), 8.0).to(tl.{TL[ty]})" if ty in FLOATS else
                         f"{total.name} = ({total.name} * 3 + {x}).to(tl.{TL[ty]})")
            else:
                self.say(f"tl.store({at}, {total.name}{f', mask={mask}' if mask else ''})")
            self.say("tl.debug_barrier()")
        if loops:
            self.depth -= 1
        total.most = 8
        self.store(total)

    def behind(self):
        """Each step reads what steps before it wrote, by another argument, behind a barrier."""
        ty, n = self.pick("i32", "i32", "i64", "f32", "f16", "u8"), self.pick(16, 32, 64, 128)
        array = self.array(ty, "w")
        first, second = self.one_of_two(array), self.one_of_two(array)
        far, many = self.pick(1, 2), self.pick("4", "n0 & 7", "5")
        barrier = self.chance(.7)
        at = f"line * {n * 12} + (k + {far}) * {n} + tl.arange(0, {n})"
        back = f"line * {n * 12} + k * {n} + " + (self.pick(f"tl.arange(0, {n})", f"({n - 1} - tl.arange(0, {n}))", f"tl.arange(0, {n}) ^ 1")
                                                if barrier else f"tl.arange(0, {n})")
        if not barrier:
            second = first
        many = f"({many}) + 1" if many == "n0 & 7" else many
        self.say(f"for k in {self.pick('range', 'tl.range')}(0, {many}):")
        self.depth += 1
        x, y, zero = self.name(), self.name(), "0.0" if ty in FLOATS else "0"
        mask = f", mask=tl.arange(0, {n}) < n0, other={zero}" if self.chance(.3) else ""
        self.say(f"{x} = tl.load({self.at(first[0], back, first[1])}{mask})")
        self.say(f"{y} = tl.load({self.array(ty, 'x')} + k * {n} + tl.arange(0, {n}))")
        new = f"tl.minimum(tl.maximum({x} - {y}, -8.0), 8.0).to(tl.{TL[ty]})" if ty in FLOATS else f"({x} * 3 + {y}).to(tl.{TL[ty]})"
        if barrier:
            self.say("tl.debug_barrier()")
        self.say(f"tl.store({self.at(second[0], at, second[1])}, {new})")
        if barrier:
            self.say("tl.debug_barrier()")
        self.depth -= 1

    def together_by(self):
        """Updates in place, of places that one argument names to read and another to write."""
        ty, n = self.pick("i32", "f32", "f16", "i64", "u8"), self.pick(32, 64, 128)
        array = self.array(ty, "w")
        name, rows = self.alias(array), self.pick(1, 1, 2, 4)
        shape = f"tl.arange(0, {n})" if rows == 1 else f"tl.arange(0, {rows})[:, None] * {n} + tl.arange(0, {n})[None, :]"
        read, write = (array, name) if self.chance(.5) else (name, array)
        loops = self.chance(.6)
        place = f"line * {n * rows * 4} + {shape}"
        if loops:
            self.say(f"for k in range(0, {self.pick('3', 'n0 & 3')}):")
            self.depth += 1
            place = f"line * {n * rows * 4} + k * {n * rows} + {shape}"
        x, zero = self.name(), "0.0" if ty in FLOATS else "0"
        mask = f"{shape} < n0 * {self.pick(1, 8)}" if self.chance(.4) else ""
        self.say(f"{x} = tl.load({read} + {place}{f', mask={mask}, other={zero}' if mask else ''})")
        if rows > 1 and self.chance(.5):
            fold = f"tl.{self.pick('max', 'min')}({x}, {self.pick(0, 1)}, keep_dims=True)"
        elif rows == 1 and self.chance(.5):
            fold = f"tl.{self.pick('max', 'min')}({x}, 0)"
        else:
            fold = x
        new = f"tl.minimum(tl.maximum({x} - {fold}, -8.0), 8.0).to(tl.{TL[ty]})" if ty in FLOATS else f"({x} * 3 + {fold}).to(tl.{TL[ty]})"
        if self.chance(.3):
            self.say(f"tl.store({self.array(ty, 'o')} + {place}, {x})")
        self.say(f"tl.store({write} + {place}, {new}{f', mask={mask}' if mask else ''})")
        if loops:
            self.depth -= 1

    def adds(self):
        """Atomics of every type on places of the program's own, whose results are kept."""
        ty = self.pick(*ATOMICS)
        n = self.pick(1, 16, 32, 64, 128)
        array = self.array(ty, "w")
        place = self.pick(f"tl.arange(0, {n})", f"tl.arange(0, {n}) * 2", f"({n - 1} - tl.arange(0, {n}))",
                          f"(tl.arange(0, {n}) * 3)", f"(tl.arange(0, {n}) ^ {self.pick(0, n // 2)})")
        p, v = self.name("p"), self.load((n,), ty).name
        self.say(f"{p} = {array} + (line * {3 * n} + {place})")
        mask = f", mask=tl.arange(0, {n}) < n0" if self.chance(.3) else ""
        out = self.array(ty, "o")
        loops = self.chance(.3)
        if loops:
            self.say("for k in range(2):")
            self.depth += 1
        for k in range(self.pick(1, 2, 3)):
            op = self.pick(*ATOMICS[ty])
            if ty in ("f32", "f64") and op in ("max", "min"):
                op = "add" if self.chance(.5) else op
            sem = self.pick("", "", ', sem="relaxed"', ', sem="acquire"', ', sem="release"')
            scope = self.pick("", "", ', scope="cta"', ', scope="sys"')
            text = f"tl.atomic_{op}({p}, {v}{mask}{sem}{scope})"
            if not mask and BITS[ty] >= 16 and ty not in FLOATS and self.chance(.2):
                text = f"tl.atomic_cas({p}, {v}, ({v} ^ 1))"
            kept = self.chance(.6)
            old = self.name()
            self.say(f"{old} = {text}" if kept else text)
            if kept:
                at = f"line * {6 * n} + {'k * ' + str(3 * n) + ' + ' if loops else ''}{k * n} + tl.arange(0, {n})"
                self.say(f"tl.store({out} + {at}, {old}{mask})")
        if loops:
            self.depth -= 1

    def last(self):
        """The last program to come folds what all have left."""
        ty, n = self.pick("i32", "f32", "i64"), self.pick(16, 32, 64)
        parts, counter = self.array(ty, "a"), self.array("i32", "z")
        v = self.load((n,), ty)
        self.say(f"tl.store({parts} + pid0 * {n} + tl.arange(0, {n}), {v.name})")
        self.say("tl.debug_barrier()")
        ticket, total = self.name(), self.name()
        self.say(f"{ticket} = tl.atomic_add({counter}, 1{self.pick('', ', sem=' + chr(34) + 'acq_rel' + chr(34))})")
        self.say(f"if {ticket} == tl.num_programs(0) - 1:")
        self.depth += 1
        self.say(f"{total} = tl.zeros([{n}], tl.{TL[ty]})")
        self.say("for k in range(0, tl.num_programs(0)):")
        hint = self.pick("", ', cache_modifier=".cg"', ", volatile=True")
        self.say(f"    {total} += tl.load({parts} + k * {n} + tl.arange(0, {n}){hint})")
        self.say(f"tl.store({self.array(ty, 'a')} + tl.arange(0, {n}), {total})")
        if self.chance(.5):
            self.say(f"tl.store({counter}, 0)" if self.chance(.5) else f"tl.atomic_xchg({counter}, 0)")
        else:
            self.once = True
        self.depth -= 1

    def locked(self):
        """A sum that programs keep behind a lock."""
        ty, n = self.pick("i32", "f32", "i64", "f16"), self.pick(16, 32, 64, 128)
        sums, lock = self.array(ty, "a"), self.array("i32", "z")
        v, which = self.load((n,), ty), self.pick("0", "(pid0 & 1)")
        if self.chance(.5):
            self.say(f"while tl.atomic_cas({lock} + {which}, 0, 1) == 1:")
            self.say("    pass")
        else:
            self.say(f"while tl.atomic_xchg({lock} + {which}, 1) != 0:")
            self.say("    pass")
        x = self.name()
        at = f"{sums} + {which} * {n} + tl.arange(0, {n})"
        mask = f", mask=tl.arange(0, {n}) < n0" if self.chance(.3) else ""
        if self.chance(.3):
            # Who comes first does not read.
            count = self.name()
            self.say(f"{count} = tl.load({lock} + 8 + {which})")
            self.say(f"{x} = {v.name}")
            self.say(f"if {count} == 0:")
            self.say(f"    tl.atomic_xchg({lock} + 8 + {which}, 1)")
            self.say("else:")
            self.say(f"    {x} += tl.load({at}{mask})")
        else:
            self.say(f"{x} = tl.load({at}{mask}) + {v.name}")
        self.say(f"tl.store({at}, {x}{mask})")
        self.say("tl.debug_barrier()")
        self.say(f"tl.atomic_xchg({lock} + {which}, 0)")

    def follows(self):
        """Each program waits for the one before, and goes on from what that left; flags stay, so there is one launch."""
        self.once = True
        ty, n = self.pick("i32", "i64", "f32"), self.pick(16, 32, 64, 128)
        sums, flags = self.array(ty, "a"), self.array("i32", "z")
        v = self.load((n,), ty)
        x = self.name()
        self.say(f"{x} = {v.name}")
        self.say("if pid0 > 0:")
        self.depth += 1
        wait = self.pick(f"tl.atomic_add({flags} + pid0 - 1, 0) == 0", f"tl.atomic_cas({flags} + pid0 - 1, 1, 1) != 1",
                         f"tl.load({flags} + pid0 - 1, volatile=True) == 0")
        self.say(f"while {wait}:")
        self.say("    pass")
        self.say("tl.debug_barrier()")
        hint = ", volatile=True" if "volatile" in wait else self.pick("", ', cache_modifier=".cg"', ", volatile=True")
        self.say(f"{x} += tl.load({sums} + (pid0 - 1) * {n} + {self.pick(f'tl.arange(0, {n})', f'({n - 1} - tl.arange(0, {n}))')}{hint})")
        self.depth -= 1
        self.say(f"tl.store({sums} + pid0 * {n} + tl.arange(0, {n}), {x})")
        self.say("tl.debug_barrier()")
        self.say(f"tl.atomic_xchg({flags} + pid0, 1)")

    def lanes(self):
        """Lanes that meet at one place: sums, and the greatest, of what no order changes."""
        ty = self.pick(*[t for t in ATOMICS if t != "bf16"])
        n = self.pick(32, 64, 128, 256)
        op = self.pick(*[o for o in ATOMICS[ty] if o != "xchg"])
        v = self.load((n,), ty)
        index = self.load((n,), "i32")
        place = self.pick(f"({index.name} & 7)", f"tl.arange(0, {n}) // 4", f"tl.arange(0, {n}) % 4", f"tl.zeros([{n}], tl.int32)",
                          f"({index.name} & {n - 1})")
        mask = f", mask={self.mask((n,))}" if self.chance(.4) else ""
        self.say(f"tl.atomic_{op}({self.array(ty, 'a')} + {place}, {v.name}{mask})")

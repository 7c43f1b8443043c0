"""Kernels that go along rows, as norms, softmaxes, losses and scans do: one loop or some, with what one finds in the next."""

from generate import Statements
from reference import BITS, FLOATS
from values import TL

SIZES = [1, 5, 8, 31, 32, 64, 100, 127, 128, 200, 256, 300, 512]


class Rows(Statements):
    def begin(self):
        self.dims, self.pids, self.budget = 1, ["pid0"], 0
        self.types = [self.pick("f16", "bf16", "f32", "f32", "i32", "i8", "i64", "u8", "f64")]
        self.ty = self.types[0]
        self.sum = {"f64": "f64"}.get(self.ty, "f32") if self.ty in FLOATS else "i64" if self.ty == "i64" else "i32"
        rows, cols = self.pick(1, 2, 3, 7, 12), self.pick(*SIZES)
        self.block = self.pick(16, 32, 64, 128, 256)
        self.high = self.pick(1, 1, 1, 2, 4, 8)
        if self.chance(.12):
            # Rows that fill the registers of some warps, and more.
            self.block, self.high = self.pick(2048, 4096, 8192, 16384, 32768), 1
            rows, cols = self.pick(1, 2, 3), self.pick(self.block, self.block - 1, self.block - 24, self.block // 2 + 3, self.block + 16)
            rows = 1 if cols > 20000 else rows
        self.given = {"R": rows, "C": cols}
        self.step = 1 if cols > 8000 else self.pick(1, 1, 1, 1, 2)
        self.grid = (-(-rows // self.high), 1, 1)
        self.across = cols < 2000 and self.pick(False, False, False, True)     # rows lie across memory
        self.say("pid0 = tl.program_id(0)")
        self.say("line = pid0")
        if self.chance(.2):
            self.grid = (self.grid[0] + 2, 1, 1)
            self.say(f"if pid0 * {self.high} >= R:")
            self.say("    return")
        if self.high > 1:
            self.say(f"r = (pid0 * {self.high} + tl.arange(0, {self.high}))[:, None]")
        else:
            self.say("r = pid0" + self.pick("", ".to(tl.int64)"))
        # In place: what is read is also what is written, by the same name or another.
        self.in_place = self.sum == self.ty and self.chance(.35)
        self.x = self.source_of("w" if self.in_place else "x")
        self.found = []
        for _ in range(self.pick(1, 1, 2)):
            self.look()
        for _ in range(self.pick(1, 1, 2)):
            self.write_rows()

    def source_of(self, kind, ty=None):
        """An array of rows: its name, type and pitch."""
        ty = ty or self.ty
        name = self.array(ty, kind)
        size = self.given["R"] + 8 if self.across else self.given["C"] * self.step
        self.given[f"s{name}"] = size + self.pick(0, 0, 1, 8, 16)
        return name, ty, f"s{name}"

    def at(self, array):
        name, _, pitch = array
        step = f" * {self.step}" if self.step > 1 and not self.across else ""
        return f"{name} + r + c * {pitch}" if self.across else f"{name} + r * {pitch} + c{step}"

    def loop(self, forward=True):
        """Opens a loop over columns; says c, and `on`, which of them there are."""
        b, high = self.block, self.high
        along = f"tl.arange(0, {b})" + ("[None, :]" if high > 1 else "")
        form = self.random.randrange(4)
        more = self.pick("", "", ", num_stages=3")
        if form == 0:
            self.say(f"for j in tl.range(0, tl.cdiv(C, {b}){more}):")
            self.say(f"    c = j * {b} + {along}")
        elif form == 1 and forward is False:
            self.say(f"for j in range((C - 1) // {b} * {b}, -1, -{b}):")
            self.say(f"    c = j + {along}")
        else:
            self.say(f"for j in tl.range(0, C, {b}{more}):")
            self.say(f"    c = j + {along}")
        self.depth += 1
        self.say("on = (c < C) & (r < R)")

    def read(self, array):
        zero = "0.0" if array[1] in FLOATS else "0"
        other = self.pick(zero, zero, "-3.0" if zero == "0.0" else "2")
        wide = f".to(tl.{TL[self.sum]})"
        return f"tl.load({self.at(array)}, mask=on, other={other}){wide}"

    def look(self):
        """A loop that finds a number of each row."""
        ty, kind = TL[self.sum], self.pick("sum", "max", "min", "count", "last", "state")
        shape = f"[{self.high}, {self.block}]" if self.high > 1 else f"[{self.block}]"
        axis = 1 if self.high > 1 else 0
        name, early = self.name("n"), self.chance(.4)
        start = {"max": "-9", "min": "9"}.get(kind, "0")
        column = f"[{self.high}, 1]" if self.high > 1 else "[1]"
        self.say(f"{name} = tl.full({column if early else shape}, {start}, tl.{ty})")
        self.loop(self.chance(.8))
        self.say(f"v = {self.read(self.x)}")
        zero = "0.0" if self.sum in FLOATS else "0"
        low = {"max": "-9", "min": "9"}.get(kind, "0") + (".0" if zero == "0.0" else "")
        self.say(f"v = tl.where(on, v, {low})")
        if kind == "count":
            self.say(f"v = tl.where(v > 1, 1, 0).to(tl.{ty})")
        fold = {"max": "max", "min": "min"}.get(kind, "sum")
        part = f"tl.{fold}(v, {axis}, keep_dims=True)" if early else "v"
        if kind in ("max", "min"):
            self.say(f"{name} = tl.{kind}imum({name}, {part})")
        elif kind == "last":
            self.say(f"{name} = {part} - {name}")
        elif kind == "state":
            self.say(f"{name} = tl.where({part} > {name}, {part}, {name} + 1).to(tl.{ty})")
        else:
            self.say(f"{name} += {part}")
        self.depth -= 1
        if not early:
            self.say(f"{name} = tl.{fold}({name}, {axis}, keep_dims=True)")
        if self.high == 1:
            self.say(f"{name} = tl.sum({name}, 0)")
        self.found.append(name)
        if self.chance(.5):
            out = self.array(self.sum, "o")
            self.say(f"tl.store({out} + r, {name}, mask=r < R)")

    def write_rows(self):
        """A loop that writes rows, of what is read and what was found."""
        if self.in_place and self.chance(.8):
            target = (self.x[0] if self.chance(.3) else self.alias(self.x[0]), self.x[1], self.x[2])
        else:
            target = self.source_of("w" if self.chance(.3) else "o", self.sum)
        second = self.source_of("x") if self.chance(.4) else None
        weights = self.array(self.ty, "x") if self.chance(.4) else None
        self.loop(self.chance(.8))
        self.say(f"v = {self.read(self.x)}")
        if second:
            self.say(f"v += {self.read(second)}")
        if weights:
            self.say(f"v = v * tl.load({weights} + c, mask=c < C, other=0{'.0' if self.ty in FLOATS else ''}).to(tl.{TL[self.sum]})")
        for name in self.found:
            self.say(self.pick(f"v = v - {name}", f"v = v + {name}", f"v = tl.where(v < {name}, v, v + 1)"))
        if target[0][0] == "w" and self.chance(.7):
            self.say(f"v += tl.load({self.at(target)}, mask=on, other=0{'.0' if self.sum in FLOATS else ''})")
        self.say(f"tl.store({self.at(target)}, v.to(tl.{TL[self.sum]}), mask=on)")
        if self.chance(.2):
            self.say(f"tl.store({self.at(self.source_of('o', 'i8'))}, (v > 0).to(tl.int8), mask=on)")
        self.depth -= 1

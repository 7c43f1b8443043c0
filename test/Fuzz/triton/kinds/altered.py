"""Kernels of the other kinds in other words, which mean the same: loops whose counters end near the greatest i32, or are of 64
bits, in two parts behind each other, within a loop of one step or a branch; stores and loads in both arms of a branch;
offsets of 64 bits, or by way of places far off; `while` for counters; barriers."""

import random
import re

LOOP = re.compile(r"for (\w+) in (range|tl\.range)\((.*)\):$")
LIMIT = 2 ** 31 - 1


def depth(line):
    return len(line) - len(line.lstrip())


def parts(text):
    """What commas divide that no bracket holds, up to a bracket that closes more."""
    out, level = [""], 0
    for letter in text:
        level += (letter in "([{") - (letter in ")]}")
        if level < 0:
            break
        if letter == "," and not level:
            out.append("")
        else:
            out[-1] += letter
    return [part.strip() for part in out]


def address(line):
    """The pointer that a load or store of a line goes to, between what stands before and behind it; None: it has neither."""
    found = re.search(r"tl\.(load|store)\(", line)
    if not found:
        return None
    first = parts(line[found.end():])[0]
    return line[:found.end()], first, line[found.end() + len(first):]


def tree(lines):
    """Statements: a line, and those that it holds."""
    out, at = [], 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and depth(lines[end]) > depth(lines[at]):
            end += 1
        out.append((lines[at].strip(), tree(lines[at + 1:end])))
        at = end
    return out


def flat(statements, level):
    for line, inner in statements:
        yield "    " * level + line
        yield from flat(inner, level + 1)


def of_loop(form):
    """A form of loops: other statements stay as they are."""
    def apply(self, made):
        loop = self.loop(made)
        return form(self, made[0][1], *loop) if loop else made
    return apply


def of_access(form):
    """A form of addresses: `form` makes another one of that of a load or store."""
    def apply(self, made):
        line, inner = made[0]
        access = address(line)
        return [(access[0] + form(self, access[1]) + access[2], inner)] if access else made
    return apply


class Altered:
    def __init__(self, seed):
        self.random, self.count = random.Random(seed), 0
        forms = [self.far, self.wide, self.halves, self.within, self.under, self.forked, self.offsets, self.waits, self.asked, self.away]
        # (A kernel in one other form is found in sooner than one in all of them.)
        self.forms = self.random.sample(forms, self.random.choice((1, 1, 2, 3)))
        self.rate = self.random.choice((.3, .6, 1))

    def name(self):
        self.count += 1
        return f"alt{self.count}"

    def text(self, source):
        """The same functions; of helpers nothing is altered."""
        if "make_block_ptr" in source:      # (No number is added to such a pointer, and no `while` carries it.)
            self.forms = [form for form in self.forms if form not in (self.away, self.asked)]
        head, kernel, body = source.rpartition("def kernel(")
        first, *lines = (kernel + body).splitlines()
        return head + first + "\n" + "\n".join(flat(self.block(tree(lines)), 1)) + "\n"

    def block(self, statements):
        out = []
        for line, inner in statements:
            made, arm = [(line, self.block(inner))], line.startswith(("else", "elif"))
            for form in [] if arm else self.forms:
                if self.random.random() < self.rate:
                    made = form(made) if len(made) == 1 else made
            out += made
        return out

    def loop(self, made):
        """Counter, kind, begin, end, step and what else is said of a loop; None of what is none, or has a step that is not
        known to go up."""
        found = LOOP.match(made[0][0])
        if not found:
            return None
        words = parts(found[3])
        plain = [word for word in words if not re.match(r"\w+=", word)]
        more = [word for word in words if word not in plain]
        low, high, step = plain if len(plain) == 3 else (*plain, "1") if len(plain) == 2 else ("0", *plain, "1")
        return (found[1], found[2], low, high, int(step), more) if step.isdigit() else None

    def head(self, counter, kind, low, high, step, more):
        return f"for {counter} in {kind}({', '.join([low, high, str(step), *more])}):"

    @of_loop
    def far(self, body, counter, kind, low, high, step, more):
        """Nine steps behind the last one would end at the greatest i32: what is copied ahead is counted up to there (docs/limits.md)."""
        off, inner = self.name(), self.name()
        room = LIMIT - 9 * step - self.random.choice((0, 0, 1, step))
        end = str(room - int(high)) if high.isdigit() else f"{room} - tl.maximum({high}, 0)"
        head = self.head(inner, kind, f"({low}) + {off}", f"({high}) + {off}", step, more)
        return [(f"{off} = {end}", []), (head, [(f"{counter} = {inner} - {off}", []), *body])]

    @of_loop
    def wide(self, body, counter, kind, low, high, step, more):
        if "loop_unroll_factor=2" in more:      # (Triton 3.6 does not unroll loops over i64.)
            return [(self.head(counter, kind, low, high, step, more), body)]
        inner, zero = self.name(), "(pid0 * 0).to(tl.int64)"
        return [(self.head(inner, kind, f"({low}) + {zero}", high, step, more), [(f"{counter} = {inner}.to(tl.int32)", []), *body])]

    @of_loop
    def halves(self, body, counter, kind, low, high, step, more):
        """The first steps, then the others."""
        middle = self.name()
        far = self.random.choice(("0", "1", "2", "pid0", "(pid0 & 1)"))
        return [(f"{middle} = tl.minimum(({low}) + {far} * {step}, {high})", []),
                (self.head(counter, kind, low, middle, step, more), body),
                (self.head(counter, kind, middle, high, step, self.random.choice((more, []))), body)]

    @of_loop
    def asked(self, body, counter, kind, low, high, step, more):
        """The same steps by `while`."""
        return [(f"{counter} = ({low}) + pid0 * 0", []), (f"while {counter} < {high}:", [*body, (f"{counter} += {step}", [])])]

    def within(self, made):
        if not LOOP.match(made[0][0]) and not made[0][0].startswith(("tl.store(", "tl.atomic_")):
            return made
        return [(f"for {self.name()} in {self.random.choice(('range', 'tl.range'))}(0, pid0 * 0 + 1):", made)]

    def condition(self):
        return self.random.choice(("pid0 % 2 == 0", "pid0 > 0", "tl.num_programs(0) > 2", "pid0 < 1000"))

    def under(self, made):
        """A loop under a condition that holds."""
        return [(f"if {self.random.choice(('pid0 < 1000', 'tl.num_programs(0) > 0', 'pid0 >= 0'))}:", made)] if LOOP.match(made[0][0]) else made

    def forked(self, made):
        line = made[0][0]
        alone = line.startswith(("tl.store(", "tl.atomic_")) or re.match(r"\w+ = tl\.(load|dot|sum|trans)\(", line) or LOOP.match(line)
        return [(f"if {self.condition()}:", made), ("else:", made)] if alone else made

    @of_access
    def offsets(self, pointer):
        """Offsets of accesses by i64."""
        return re.sub(r"tl\.arange\(0, (\w+)\)", r"tl.arange(0, \1).to(tl.int64)", pointer)

    @of_access
    def away(self, pointer):
        """Addresses by way of some far off."""
        far = self.random.choice((2 ** 31, 2 ** 33 + 16, 3 * 2 ** 30, 65536))
        return f"({pointer}) + {far} + (-{far})"

    def waits(self, made):
        return [("tl.debug_barrier()", []), *made] if self.random.random() < .4 else made

"""Kernels of the other kinds within each other: what one of them does stands in front of, between or behind the statements of
another, in its loops and branches or in some of its own; bounds and masks of the later ones follow from what the earlier ones
have computed. So loops of different forms meet in one kernel, boxes and pointers, dots and atomics, sorts and products."""

import ast
import re

from reference import INTS
from values import NUMBERS, Maker

# Which kinds are drawn: those of large tiles less often, and none whose programs tell each other something, once each.
KINDS = [0, 0, 1, 1, 2, 2, 4, 4, 5, 5, 5, 6, 6, 7, 8, 10, 12, 13, 13]
PARTS = ("arrays", "numbers", "given", "scalars", "aliases", "descs")


class Renamed(ast.NodeTransformer):
    """A part's variables have names of their own."""

    def __init__(self, names, behind):
        self.names, self.behind = names, behind

    def visit_Name(self, node):
        node.id += self.behind if node.id in self.names else ""
        return node


class Follows(ast.NodeTransformer):
    """Bounds of loops and masks that ask for a number which is 0 or 1: a step less, or nothing loaded."""

    def __init__(self, number, maker):
        self.number, self.maker = number, maker

    def some(self, text):
        return ast.parse(text.format(self.number), mode="eval").body if self.maker.chance(.4) else None

    def visit_For(self, node):
        less = self.some("{} & 1")
        if less and ast.unparse(node.iter.func) in ("range", "tl.range") and "-1" not in ast.unparse(node.iter):
            at = min(1, len(node.iter.args) - 1)
            node.iter.args[at] = ast.BinOp(node.iter.args[at], ast.Sub(), less)
        return self.generic_visit(node)

    def visit_Call(self, node):
        for word in node.keywords if ast.unparse(node.func) == "tl.load" else []:
            more = self.some("({} == 0)") if word.arg == "mask" else None
            word.value = ast.BinOp(word.value, ast.BitAnd(), more) if more else word.value
        return self.generic_visit(node)


def blocks(statements):
    """Lists of statements: these, and those within them, but for what waits for others, and runs nobody knows how often."""
    yield statements
    for statement in statements:
        if isinstance(statement, ast.While) and re.search("atomic|volatile", ast.unparse(statement.test)):
            continue
        for inner in (getattr(statement, name, []) for name in ("body", "orelse")):
            if inner:
                yield from blocks(inner)


def returns(statements):
    return any(isinstance(node, ast.Return) for statement in statements for node in ast.walk(statement))


class Part:
    """A kernel of another kind: its statements, and what a launch gives it."""

    def __init__(self, seed, number, write):
        self.maker, text = write(seed)
        *helpers, kernel = ast.parse(text).body
        self.helpers = {helper.name: helper for helper in helpers}
        behind = f"_{number}"
        names = {node.id for node in ast.walk(kernel) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        names |= {argument.arg for argument in kernel.args.args}
        self.names = names
        self.body = Renamed(names, behind).visit(ast.Module(kernel.body, [])).body
        self.grid = self.maker.grid if self.maker.given else None
        self.dims = 3 if self.grid else self.maker.dims
        self.kept = [(v.name + behind, v.shape) for v in self.maker.values if v.ty in INTS and v.name in names]
        self.rename(behind)

    def rename(self, behind):
        maker = self.maker
        maker.arrays = [(name + behind, ty, kind) for name, ty, kind in maker.arrays]
        maker.aliases = {name + behind: (array + behind, far) for name, (array, far) in maker.aliases.items()}
        maker.numbers = [name + behind for name in maker.numbers]
        for held in ("given", "scalars", "descs"):
            setattr(maker, held, {name + behind: value for name, value in getattr(maker, held).items()})

    def asks(self, grid):
        """Text of whether a program of the launch is one of this part's."""
        own = self.grid or (None, None, None)
        limits = [own[d] or (grid[d] if d < self.dims else 1) for d in range(3)]
        return " and ".join(f"tl.program_id({d}) < {limit}" for d, limit in enumerate(limits) if limit < grid[d])


class Mixed(Maker):
    """`write` makes the text and maker of a seed."""

    def __init__(self, seed, write):
        super().__init__(seed)
        count = self.pick(2, 2, 2, 3)
        self.parts = [Part(self.pick(*KINDS) * 1000000 + self.random.randrange(1000000), k, write) for k in range(count)]
        # (Who ends early has to be last.)
        self.parts.sort(key=lambda part: returns(part.body))
        grids = [part.grid for part in self.parts if part.grid] or [None]
        dims = max(part.dims if not part.grid else 1 for part in self.parts)
        drawn = [self.random.randint(1, 4) if d < dims else 1 for d in range(3)]
        self.grid = tuple(max([drawn[d], *[grid[d] for grid in grids if grid]]) for d in range(3))
        self.gather()

    def gather(self):
        makers = [part.maker for part in self.parts]
        self.window, self.once = max(maker.window for maker in makers), any(maker.once for maker in makers)
        for maker in makers:
            maker.options.pop("maxnreg", None)      # (more than that is wanted by what stands beside it)
            self.arrays += maker.arrays
            for held in ("given", "aliases", "descs", "options", "wishes"):
                getattr(self, held).update(getattr(maker, held))
            self.given.update({name: self.pick(*NUMBERS) for name in maker.numbers})
            self.given.update({name: self.pick(*choices) for name, choices in maker.scalars.items()})
        self.given = self.given or {"none": 3}

    def text(self):
        body = []
        for part in reversed(self.parts):
            body = self.together(part, self.around(part), body)
        helpers = {name: helper for part in self.parts for name, helper in part.helpers.items()}
        names = ", ".join([name for name, _, _ in self.arrays] + list(self.given))
        kernel = "\n".join("    " + line for line in ast.unparse(ast.Module(body, [])).splitlines())
        return "".join(ast.unparse(helper) + "\n\n\n" for helper in helpers.values()) + f"@triton.jit\ndef kernel({names}):\n{kernel}\n"

    def around(self, part):
        """A part's statements, in a branch or a loop or as they are."""
        text, asks = "{}", part.asks(self.grid)
        if asks:
            text = f"if {asks}:\n    {{}}"
        elif not returns(part.body):
            turn, first = self.name("turn"), self.parts[0].maker.numbers or list(self.parts[0].maker.given)
            text = self.pick("{}", "{}", f"if {self.pick('tl.program_id(0) % 2 == 0', 'tl.num_programs(0) > 1', *[f'{n} > 2' for n in first])}:\n    {{}}",
                             f"for {turn} in range({self.pick('1', 'tl.program_id(0) % 2 + 1')}):\n    {{}}",
                             f"for {turn} in tl.range(0, 2 - tl.program_id(0) % 2{self.pick('', ', num_stages=2', ', flatten=True')}):\n    {{}}",
                             f"{turn} = tl.program_id(0) % 2\nwhile {turn} < 2:\n    {turn} += 1\n    {{}}")
        made = ast.parse(text.format("pass")).body
        held = made
        while held and isinstance(held[-1], (ast.If, ast.For, ast.While)):
            held = held[-1].body
        held[-1:] = part.body
        return made

    def together(self, part, first, rest):
        """What stands in `first`, a part's statements, and in `rest`."""
        form = self.pick("behind", "behind", "inside", "inside", "follows", "between")
        if form == "inside" and rest and not returns(rest):
            target = self.random.choice(list(blocks(first)))
            target.insert(self.random.randint(0, len(target)), ast.If(ast.parse("tl.program_id(0) >= 0", mode="eval").body, rest, [])
                          if self.chance(.3) else ast.Module(rest, []))
            return self.flat(first)
        if form == "between" and first is not part.body and not returns(rest):
            return self.mixed(first, rest)
        if form == "follows" and part.kept and first[0] is part.body[0]:
            name, shape = self.pick(*part.kept)
            number = self.name("told")
            first = first + ast.parse(f"{number} = ({f'tl.max(tl.reshape({name}, [{size(shape)}]), 0)' if shape else name} & 1).to(tl.int32)").body
            rest = Follows(number, self).visit(ast.Module(rest, [])).body
        return first + rest

    def flat(self, statements):
        """Without modules among them."""
        out = []
        for statement in statements:
            for name in ("body", "orelse"):
                if getattr(statement, name, None):
                    setattr(statement, name, self.flat(getattr(statement, name)))
            out += statement.body if isinstance(statement, ast.Module) else [statement]
        return out

    def mixed(self, first, rest):
        """By turns, each in its order."""
        out, first, rest = [], list(first), list(rest)
        while first or rest:
            out.append((first if first and (not rest or self.chance(.5)) else rest).pop(0))
        return out


def size(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total

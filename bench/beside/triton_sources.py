"""Compiles every kernel of libraries that are written in Triton.

    PYTHONPATH= python bench/beside/triton_sources.py [--arch sm_80,sm_90a,sm_120a] [--ptxas PTXAS]
        [--libraries bench/beside/triton_libraries.txt] TILE-RUN OUT [FOLDER...]

A folder is a library: of sources, or of TTIR that launches left (a cache of Triton's, $TRITON_CACHE_DIR; the warps are in the JSON
beside each). --libraries names more, a line each: a name and what pip or git get it by; they are fetched into OUT/libraries once.

Sources are launched by nobody: signatures are guessed. A @triton.jit function that loads or stores and returns nothing is one to try,
unless others call it with what they compute. What accesses
go through is a pointer; constants, pointees and the rest follow from names, in up to six variants, until Triton's
front end has taken two. Their TTIR stays in OUT/LIBRARY/, where a later run finds it, and goes through `TILE-RUN FILE --emit=ptx --arch=ARCH
-D num_warps=4`, for sm_90a where nothing else is asked for, and that through ptxas where one is named. Tiles that so many warps have no registers
for are spread over up to 16, as the backend does. Where registers spill,
Triton compiles the same TTIR for as many warps, and its PTX goes through the same ptxas; so does it where tile or ptxas refuse, since
what Triton refuses as well is nobody's fault here. Prints a row a library and an architecture, then what was refused,
what ptxas says and which spill more than Triton's, by reason, and OUT/refused.txt has each. Needs Triton, and no GPU."""
import argparse
import ast
import collections
import concurrent.futures
import contextlib
import hashlib
import importlib.util
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget, Language
from triton.compiler.compiler import ASTSource, make_backend

TARGET = GPUTarget("cuda", 90, 32)
FORK = multiprocessing.get_context("fork")
MOST_WARPS = 16  # that tiles are spread over where fewer have not the registers
SECONDS = 20  # for one file, in the front end or in tile
HEAD = """import math
from enum import Enum, IntEnum
from typing import *
import torch
import triton
import triton.language as tl
from triton.language.core import constexpr
from triton.language.extra import libdevice
from triton.language.standard import _log2
tldevice = libdevice
"""
VARIANTS = [("fp16", 64), ("bf16", 32), ("fp32", 128), ("fp16", 16), ("i8", 64), ("fp8e4nv", 64)]

NUMBER = re.compile(r"stride|^n_|_n$|^num|len|size|^[MNKBHSTCDGELZ]$|^(batch|heads?|seq|dim|rows?|cols?|start|end|offset|hidden"
                    r"|width|height|chunk|pad|in_|out_|total|[nmkhwbtsd]$)|_(dim|size|len|rows|cols|heads|elements|numel)\d?$"
                    r"|rank|count|numel|window|page|group|seed|top_?k|_id$|_idx$", re.I)
FLOAT = re.compile(r"eps|scale$|alpha|beta|^lr$|factor|slope|gamma|theta|^p$|dropout|cap$|temperature|limit|momentum|decay"
                   r"|prob|inv_|threshold|smoothing|coef|rcp", re.I)
INDICES = re.compile(r"idx|index|indices|ids|offset|seqlen|cu_|table|slot|lens?_?|_map|loc|start|count|lut|sorted|num_tokens"
                     r"|histogram|expt|perm|rank|positions?|length|b_seq|req|splits|qweight|qzeros|packed", re.I)
POINTER = re.compile(r"ptr|pointer|_buf|^(d?[xyzqkvoabcw]|out(put)?|in(put)?|weight|bias|mask|lse|delta|mean|rstd|[lm])$", re.I)
# A constant by its name: a value, or a pair for the first and second variant.
CONSTANTS = [
    (r"dtype|_ty$|type$", lambda name: tl.float32 if re.search("acc|comp", name) else tl.float16),
    (r"precision", lambda name: "ieee"),
    (r"^(is|has|use|do|enable|allow|even|with|need|save|return|apply|skip|add|causal|masked|norm|trans|flip|reverse|accum)"
     r"(?!.*(size|block|dim|stride|len))|causal|even|bias$|_is_|masked|persistent|contig|quantiz|training", (False, True)),
    (r"group_(size_)?m$|num_xcd", 8),
    (r"split_?k|num_splits|stages|unroll|num_warps", 2),
    (r"kernel_(size|h|w)|^k[hw]$|width$", 4),
    (r"group_?size|quant_block", 64),
    (r"^(?!.*block).*(num|^n_|heads|ratio|group|kv_|top_?k|expert)|bits", 4),
    (r"^(?!.*block).*(eps|scale|alpha|slope)", 1.0),
    (r"stride", 64),
    (r"mode", (0, 1)),
    (r"act", "relu"),
    (r"kind|format|layout", "e4m3"),
]


def is_kernel(node):
    return isinstance(node, ast.FunctionDef) and any(
        "jit" in ast.unparse(d) and "torch" not in ast.unparse(d) for d in node.decorator_list)


def parameters(function):
    return [a.arg for a in function.args.args + function.args.kwonlyargs]


def last_name(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


class Library:
    """The sources below a folder, their kernels by name, and the names that are called."""

    def __init__(self, folder):
        self.name = os.path.basename(os.path.normpath(folder))
        self.files, self.kernels, self.called = [], collections.defaultdict(list), set()
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                text = open(path, errors="replace").read() if name.endswith(".py") and os.path.exists(path) else ""
                try:
                    tree = ast.parse(text) if "triton" in text else None
                except SyntaxError:
                    tree = None
                if tree:
                    self.files.append((path, tree))
        for path, tree in self.files:
            for node in ast.walk(tree):
                if is_kernel(node):
                    self.kernels[node.name].append((path, node))
                    self.called |= {last_name(c) for c in ast.walk(node) if isinstance(c, ast.Call)}

    def pointers(self, function, depth=0):
        """The parameters that accesses go through, those of kernels that it calls among them."""
        known, assigned, found = parameters(function), collections.defaultdict(list), set()
        for node in ast.walk(function):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
            for target in targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = zip(target.elts, node.value.elts)
                for name, value in pairs:
                    if isinstance(name, ast.Name):
                        assigned[name.id].append(value)

        def follow(value, seen):
            if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
                follow(value.left, seen), follow(value.right, seen)
            elif isinstance(value, ast.Name):
                found.update({value.id} & set(known))
                for other in assigned[value.id] if value.id not in seen else []:
                    follow(other, seen | {value.id})
            elif isinstance(value, ast.Call) and last_name(value) in (
                    "make_block_ptr", "make_tensor_descriptor", "advance", "to", "multiple_of", "cast", "max_contiguous"):
                for other in value.args[:1] + [k.value for k in value.keywords if k.arg == "base"]:
                    follow(other, seen)
                if isinstance(value.func, ast.Attribute):
                    follow(value.func.value, seen)
            elif isinstance(value, ast.IfExp):
                follow(value.body, seen), follow(value.orelse, seen)
            elif isinstance(value, ast.Subscript):
                follow(value.value, seen)

        for call in ast.walk(function):
            if not isinstance(call, ast.Call):
                continue
            name, owner = last_name(call), ast.unparse(call.func).split(".")[0]
            if (name in ("load", "store") and owner == "tl") or name.startswith("atomic_") or name in (
                    "make_block_ptr", "make_tensor_descriptor"):
                for value in call.args[:1] + [k.value for k in call.keywords if k.arg in ("pointer", "base")]:
                    follow(value, set())
            elif name in self.kernels and depth < 4 and self.kernels[name][0][1] is not function:
                callee = self.kernels[name][0][1]
                theirs = self.pointers(callee, depth + 1)
                for own, value in list(zip(parameters(callee), call.args)) + [(k.arg, k.value) for k in call.keywords]:
                    if own in theirs:
                        follow(value, set())
        return {p for p in found if POINTER.search(p) or not (NUMBER.search(p) or FLOAT.search(p))}

    def module(self, path, tree, function, out):
        """The kernel in a module of its own: with its file's constants, and the kernels that it calls."""
        parts, have = [], set()
        for node in tree.body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and not re.search("triton.Config|torch.ops", ast.unparse(node)):
                parts.append("try:\n" + "".join(f"    {line}\n" for line in ast.unparse(node).split("\n")) + "except Exception: pass")

        def add(node, home):
            if node.name in have:
                return
            have.add(node.name)
            for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & set(self.kernels):
                near = [k for k in self.kernels[name] if k[0] == home]
                add(*reversed((near or self.kernels[name])[0]))
            copy = ast.parse(ast.unparse(node)).body[0]
            copy.decorator_list = [ast.parse("triton.jit").body[0].value]
            parts.append(ast.unparse(copy))

        add(function, path)
        file = os.path.join(out, f"kernel_{hashlib.md5((path + function.name).encode()).hexdigest()[:10]}.py")
        with open(file, "w") as stream:
            stream.write(HEAD + "\n".join(parts))
        spec = importlib.util.spec_from_file_location(os.path.basename(file)[:-3], file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, function.name)


def constant(name, defaults, size, variant):
    if name in defaults:
        return defaults[name]
    for pattern, value in CONSTANTS:
        if re.search(pattern, name.lower()):
            return value(name.lower()) if callable(value) else value[variant & 1] if isinstance(value, tuple) else value
    return size


def pointee(name, element):
    if INDICES.search(name) and not re.search(r"weight$|^q_ptr|scale", name, re.I):
        return "i32"
    if re.search("mask|quant|packed", name, re.I):
        return "i8"
    return "fp32" if re.search("lse|mean|rstd|delta|scale|acc|max|sum", name, re.I) else element


def source(kernel, function, pointers, variant):
    element, size = VARIANTS[variant]
    arguments = function.args
    given = list(zip(arguments.args[::-1], arguments.defaults[::-1])) + list(zip(arguments.kwonlyargs, arguments.kw_defaults))
    defaults = {a.arg: d.value for a, d in given if isinstance(d, ast.Constant) and d.value is not None}
    described = {ast.unparse(c.func.value) for c in ast.walk(function)
                 if isinstance(c, ast.Call) and isinstance(c.func, ast.Attribute) and c.func.attr in ("load", "store")}
    signature, constants, facts = {}, {}, {}
    for i, argument in enumerate(arguments.args + arguments.kwonlyargs):
        name = argument.arg
        if argument.annotation is not None and "constexpr" in ast.unparse(argument.annotation):
            signature[name], constants[name] = "constexpr", constant(name, defaults, size, variant)
        elif name in described:
            signature[name] = f"tensordesc<{element}[{size}, {size}]>"
        elif name in pointers:
            signature[name] = "*" + pointee(name, element)
        else:
            signature[name] = "fp32" if FLOAT.search(name) and not NUMBER.search(name) else "i32"
        if signature[name][0] == "*" or "stride" in name:
            facts[(i,)] = [["tt.divisibility", 16]]
    return ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=facts)


def ttir(text_of):
    backend = make_backend(TARGET)
    options = backend.parse_options({"num_warps": 4})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = text_of.make_ir(TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    return str(backend.make_ttir(module, {}, options, 90))


@contextlib.contextmanager
def quiet():
    """Triton prints modules that it refuses."""
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


def out_of_time(*_):
    raise TimeoutError(f"more than {SECONDS} s")


def capture(library, out):
    """Writes TTIR; how many kernels were tried, and how many gave some."""
    tried = captured = 0
    for path, tree in library.files:
        for function in filter(is_kernel, ast.walk(tree)):
            pointers = library.pointers(function)
            gives = any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))
            if gives or not pointers or (function.name in library.called and not any(map(POINTER.search, pointers))):
                continue
            tried, taken = tried + 1, 0
            for variant in range(len(VARIANTS)):
                signal.alarm(SECONDS)
                try:
                    text = ttir(source(library.module(path, tree, function, out), function, pointers, variant))
                    name = f"{function.name}.{hashlib.md5(path.encode()).hexdigest()[:4]}.{variant}.ttir"
                    with open(os.path.join(out, name), "w") as stream:
                        stream.write(text)
                    taken += 1
                except (Exception, SystemExit):  # guessed wrong
                    pass
                finally:
                    signal.alarm(0)
                if taken == 2:
                    break
            captured += taken > 0
    return tried, captured


def run(command):
    """What it says, and whether that is an error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10 * SECONDS)
    except subprocess.TimeoutExpired:
        return "error: out of time", True
    return done.stderr + done.stdout, done.returncode != 0


def assemble(ptxas, arch, ptx):
    """Bytes that it spills, and what ptxas says beside that."""
    said, failed = run([ptxas, "-v", f"-arch={arch}", ptx, "-o", os.devnull])
    spills = sum(map(int, re.findall(r"(\d+) bytes spill stores", said)))
    lines = [line for line in said.splitlines() if not re.search(r"info +:|bytes stack frame", line)]
    return spills, (lines[0] if lines else f"status {failed:d}" if failed else "").split(":", 1)[-1].strip()


def warps_of(file):
    """What a launch asked for, where the JSON of Triton's cache says it."""
    try:
        with open(file[:-5] + ".json") as stream:
            return json.load(stream).get("num_warps") or 4
    except (OSError, ValueError, AttributeError):
        return 4


def compile_file(tile, arch, ptxas, file):
    """Why tile refuses, what ptxas says (either empty), the bytes that are spilled, and by how many warps."""
    ptx, warps = f"{file[:-5]}.{arch}.ptx" if ptxas else os.devnull, warps_of(file)
    while True:
        said, failed = run([tile, file, "--emit=ptx", f"--arch={arch}", "-D", f"num_warps={warps}", "-o", ptx])
        if not failed or "expected a tile that fits" not in said or warps >= MOST_WARPS:
            break
        warps *= 2
    if failed:
        lines = [line for line in said.splitlines() if "error:" in line] or ["error: a status of its own"]
        return lines[0].split("error:", 1)[-1].strip(), "", 0, warps
    if not ptxas:
        return "", "", 0, warps
    spills, complaint = assemble(ptxas, arch, ptx)
    os.remove(ptx)
    return "", complaint, spills, warps


def ptx_of_triton(target, file, warps):
    """What Triton's stages make of TTIR, up to PTX."""
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": warps, "num_ctas": 1, "arch": f"sm{target.arch}"})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module, stages, metadata = ir.parse_mlir_module(file, context), {}, {"target": target, **options.__dict__}
    module.context = context
    backend.add_stages(stages, options, Language.TRITON)
    for name, stage in stages.items():
        module = stage(module, metadata)
        if name == "ptx":
            return module
    raise LookupError("no PTX")


def assembled_by_triton(arch, ptxas, file, warps, found):
    """Sends what by_triton gives."""
    ptx = file[:-5] + ".triton.ptx"
    target = GPUTarget("cuda", int(re.sub(r"\D", "", arch)), 32)
    with contextlib.suppress(Exception, SystemExit):  # what Triton refuses: nothing is sent
        with open(ptx, "w") as stream:
            stream.write(ptx_of_triton(target, file, warps))
        spills, complaint = assemble(ptxas, arch, ptx) if ptxas else (0, "")
        found.send((spills, not complaint))
    os.remove(ptx)


def by_triton(arch, ptxas, file, warps):
    """Bytes that Triton's own code spills, and whether it compiles at all: in a process of its own, which may end, or be ended in the
    middle of a pass."""
    found, sender = FORK.Pipe(duplex=False)
    child = FORK.Process(target=assembled_by_triton, args=(arch, ptxas, file, warps, sender))
    child.start()
    sender.close()
    try:
        return found.recv() if found.poll(10 * SECONDS) else (0, False)
    except EOFError:
        return 0, False
    finally:
        child.kill()
        child.join()


class Counts:
    """Files by what became of them, and why."""

    def __init__(self, tile, ptxas, archs, each):
        self.tile, self.ptxas, self.archs, self.each = tile, ptxas, archs, each
        self.total, self.reasons = collections.Counter(), collections.Counter()

    def library(self, name, own, tried, captured):
        """Prints a row for each architecture."""
        files = sorted(os.path.join(where, f) for where, _, names in os.walk(own) for f in names if f.endswith(".ttir"))
        for arch in self.archs:
            found = collections.Counter(kernels=tried, captured=captured, files=len(files))
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                states = list(pool.map(lambda f: compile_file(self.tile, arch, self.ptxas, f), files))
            for file, (why, complaint, spills, warps) in zip(files, states):
                theirs, taken = by_triton(arch, self.ptxas, file, warps) if why or complaint or spills else (0, True)
                both = "" if taken else " (Triton's code neither)"
                kind = ("refused", why + both) if why else ("ptxas", complaint + both) if complaint else (
                    "spills", f"{spills} bytes, Triton's {theirs}") if spills > theirs and taken else ("clean", "")
                found["compile"] += not why
                found["clean"] += kind[0] == "clean"
                if kind[1]:
                    self.say(f"{name}/{os.path.relpath(file, own)} {arch} {warps} warps {kind[0]}: {kind[1]}")
                    self.reasons[re.sub(r"\d+", "N", kind[1]) if kind[0] != "spills" else "spills more than Triton's"] += 1
            self.row(f"{name} | {arch}", found)
            self.total.update({(arch, key): value for key, value in found.items()})

    def say(self, line):
        self.each.write(line + "\n")
        self.each.flush()

    def row(self, name, found):
        columns = "kernels", "captured", "files", "compile"
        numbers = [found[c] for c in columns] + ([found["clean"]] if self.ptxas else [])
        print(f"| {name} | " + " | ".join(map(str, numbers)) + " |", flush=True)

    def print_total(self):
        for arch in self.archs:
            self.row(f"all | {arch}", {key: value for (a, key), value in self.total.items() if a == arch})
        print("\n| why not | files |\n| --- | --- |")
        for why, count in self.reasons.most_common():
            print(f"| {why} | {count} |")


def fetch(list_, out):
    """The folders of the libraries that a list names; what cannot be fetched is said and left out."""
    folders = []
    with open(list_) as stream:
        lines = [line.split() for line in stream if line.strip() and line[0] != "#"]
    for name, how, *what in lines:
        folder = os.path.join(out, "libraries", name)
        if not os.path.isdir(folder):
            command = (["git", "clone", "--quiet", "--depth", "1", *what, folder] if how == "git" else
                       [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, *what])
            if subprocess.run(command).returncode:
                print(f"expected to fetch {name}, found an error: it is left out", file=sys.stderr)
                shutil.rmtree(folder, ignore_errors=True)
                continue
        folders.append(folder)
    return folders


def captured_once(folder, own):
    """How many kernels were tried and how many gave TTIR, now or when an earlier run did it."""
    counts = os.path.join(own, "counts.json")
    if not os.path.exists(counts):
        os.makedirs(own, exist_ok=True)
        with quiet():
            found = capture(Library(folder), own)
        with open(counts, "w") as stream:
            json.dump(found, stream)
    with open(counts) as stream:
        return json.load(stream)


def has_ttir(folder):
    return any(f.endswith(".ttir") for _, _, names in os.walk(folder) for f in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--ptxas")
    parser.add_argument("--libraries")
    parser.add_argument("tile")
    parser.add_argument("out")
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    signal.signal(signal.SIGALRM, out_of_time)
    folders = args.folders + (fetch(args.libraries, args.out) if args.libraries else [])
    os.makedirs(args.out, exist_ok=True)
    counts = Counts(args.tile, args.ptxas, args.arch.split(","), open(os.path.join(args.out, "refused.txt"), "w"))
    clean = " clean |" if args.ptxas else ""
    print(f"Triton {triton.__version__}\n\n| library | for | kernels | captured | files | compile |{clean}\n"
          f"| --- | --- | --- | --- | --- | --- |{' --- |' if clean else ''}")
    for folder in folders:
        own, tried, captured = folder, 0, 0
        name = os.path.basename(os.path.normpath(folder))
        if not has_ttir(folder):
            own = os.path.join(args.out, name)
            tried, captured = captured_once(folder, own)
        counts.library(name, own, tried, captured)
    counts.print_total()
    counts.each.close()


if __name__ == "__main__":
    main()

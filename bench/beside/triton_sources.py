"""Compiles every kernel of libraries that are written in Triton, launched by nobody: signatures are guessed from the source.

    PYTHONPATH= python bench/beside/triton_sources.py TILE-RUN OUT FOLDER...      a folder a library

A @triton.jit function that loads or stores and returns nothing is one to try, unless others call it with what they compute. What accesses
go through is a pointer; constants, pointees and the rest follow from names, in up to six variants, until Triton's
front end has taken two. Their TTIR stays in OUT/LIBRARY/, and goes through `TILE-RUN FILE --emit=ptx --arch=sm_90a
-D num_warps=4`. Prints a row a library, then what was refused, by reason, and OUT/refused.txt has each. Needs Triton, and no GPU."""
import ast
import collections
import hashlib
import importlib.util
import os
import re
import signal
import subprocess
import sys

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend

TARGET = GPUTarget("cuda", 90, 32)
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


def compile_file(tile, file):
    """Empty, or why tile refuses."""
    try:
        done = subprocess.run([tile, file, "--emit=ptx", "--arch=sm_90a", "-D", "num_warps=4", "-o", os.devnull],
                              capture_output=True, text=True, timeout=10 * SECONDS)
    except subprocess.TimeoutExpired:
        return "out of time"
    if not done.returncode:
        return ""
    lines = [line for line in done.stderr.splitlines() if "error:" in line] or [f"status {done.returncode}"]
    return lines[0].split("error:", 1)[-1].strip()


def main(tile, out, *folders):
    signal.signal(signal.SIGALRM, out_of_time)
    reasons, total, refused = collections.Counter(), collections.Counter(), []
    print(f"Triton {triton.__version__}\n\n| library | kernels | captured | files | compile |\n| --- | --- | --- | --- | --- |")
    for folder in folders:
        library = Library(folder)
        own = os.path.join(out, library.name)
        os.makedirs(own, exist_ok=True)
        tried, captured = capture(library, own)
        files = sorted(f for f in os.listdir(own) if f.endswith(".ttir"))
        why = {f: compile_file(tile, os.path.join(own, f)) for f in files}
        refused += [f"{library.name}/{f}: {w}" for f, w in why.items() if w]
        reasons.update(re.sub(r"\d+", "N", w) for w in why.values() if w)
        compiled = sum(not w for w in why.values())
        total.update(kernels=tried, captured=captured, files=len(files), compiled=compiled)
        print(f"| {library.name} | {tried} | {captured} | {len(files)} | {compiled} |", flush=True)
    print(f"| all | {total['kernels']} | {total['captured']} | {total['files']} | {total['compiled']} |\n\n| refused | files |\n| --- | --- |")
    for why, count in reasons.most_common():
        print(f"| {why} | {count} |")
    with open(os.path.join(out, "refused.txt"), "w") as stream:
        stream.writelines(line + "\n" for line in refused)


if __name__ == "__main__":
    main(*sys.argv[1:])

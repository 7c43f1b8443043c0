#!/usr/bin/env python3
"""Lines of the gallery's kernels beside those of the same kernels in Triton.

    python3 bench/lines.py test/Examples --tutorials FOLDER [--liger FOLDER]

FOLDER of the tutorials is python/tutorials of Triton's repository, that of Liger is liger_kernel/ops
of its package. Counted are lines with code: no comments, no documentation, no blank lines. Of a kernel
in tile these are its function with grid, cost and configurations, the helpers that it calls and the
type aliases that they name; of one in Triton its function with decorators, the functions of device
code that it calls, and the one that lists its configurations. Host programs count on neither side:
in Triton they hold the grid as well.
"""
import argparse
import ast
import io
import pathlib
import re
import sys
import tokenize

# File and kernels of tile, file and functions of Triton; tut: of its tutorials, liger: of Liger.
ROWS = [
    ("vector add", "Basics/vector_add.mlir", ["add"], "tut/01-vector-add.py", ["add_kernel"]),
    ("softmax", "Layers/softmax.mlir", ["softmax"], "tut/02-fused-softmax.py", ["softmax_kernel"]),
    ("softmax", "Layers/softmax.mlir", ["softmax"], "liger/softmax.py",
     ["_softmax_single_block_forward_kernel"]),
    ("matmul", "Matmul/matmul.mlir", ["matmul"], "tut/03-matrix-multiplication.py",
     ["matmul_kernel", "get_cuda_autotune_config"]),
    ("matmul by descriptors", "Matmul/matmul_descriptors.mlir", ["matmul"], "tut/09-persistent-matmul.py",
     ["matmul_kernel_tma"]),
    ("dropout from a seed", "Layers/dropout.mlir", ["dropout"], "tut/04-low-memory-dropout.py",
     ["_seeded_dropout"]),
    ("layer norm, forward", "Layers/layer_norm.mlir", ["layer_norm"], "tut/05-layer-norm.py",
     ["_layer_norm_fwd_fused"]),
    ("layer norm, forward", "Layers/layer_norm.mlir", ["layer_norm"], "liger/layer_norm.py",
     ["_layer_norm_forward_kernel"]),
    ("layer norm, backward", "Layers/layer_norm.mlir", ["layer_norm_dx", "layer_norm_dw_db"],
     "tut/05-layer-norm.py", ["_layer_norm_bwd_dx_fused", "_layer_norm_bwd_dwdb"]),
    ("rotary embedding", "Layers/rope.mlir", ["rope"], "liger/rope.py", ["_triton_rope"]),
    ("attention, whole and causal", "Layers/attention.mlir", ["attention", "attention_causal"],
     "tut/06-fused-attention.py", ["_attn_fwd"]),
]


def fail(text):
    sys.exit(f"bench/lines.py: error: {text}")


def count_tile(path, kernels):
    """Lines with code of `kernels` in the file, with all that they call and name."""
    parts, name = {}, None
    for line in path.read_text().splitlines():
        code = re.sub(r"//.*", "", line).rstrip()
        start = re.match(r"tile\.func (?:private )?(@\w+)|(!\w+) = ", code)
        if start:
            name = start[1] or start[2]
            parts[name] = []
        if name and code:
            parts[name].append(code)
        if name and (code == "}" or name.startswith("!")):
            name = None
    wanted, found = [f"@{kernel}" for kernel in kernels], set()
    while wanted:
        part = wanted.pop()
        if part in found:
            continue
        if part not in parts:
            fail(f"expected {part} in {path}, found none")
        found.add(part)
        text = re.sub(r"!tile\.\w+", "", "\n".join(parts[part])[len(part):])
        wanted += [n for n in re.findall(r"[@!]\w+", text) if n in parts]
    return sum(len(parts[part]) for part in found)


def count_python(path, functions):
    """The same of functions, with the functions of device code that they call."""
    text = path.read_text()
    defined = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT,
                              tokenize.DEDENT, tokenize.ENDMARKER):
            lines.update(range(token.start[0], token.end[0] + 1))
    wanted, found, total = list(functions), set(), 0
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        if name not in defined:
            fail(f"expected function {name} in {path}, found none")
        found.add(name)
        node = defined[name]
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        inside = set(range(first, node.end_lineno + 1))
        for part in ast.walk(node):
            if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                inside -= set(range(part.lineno, part.end_lineno + 1))
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                called = defined.get(part.func.id)
                if called and any("jit" in ast.unparse(d) for d in called.decorator_list):
                    wanted.append(part.func.id)
        total += len(inside & lines)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--tutorials", type=pathlib.Path)
    parser.add_argument("--liger", type=pathlib.Path)
    parser.add_argument("--only", metavar="NAME", help="the rows of one kernel")
    parser.add_argument("--count", action="store_true", help="count tile's alone")
    options = parser.parse_args()
    folders = {"tut": options.tutorials, "liger": options.liger}
    rows = [row for row in ROWS if options.only in (None, row[0])]
    if options.count:
        for name, file, kernels, *_ in rows:
            print(name, count_tile(options.examples / file, kernels))
        return
    if not any(folders.values()):
        fail("expected --tutorials or --liger, found neither")
    print("| kernel | tile | Triton | of | ratio |\n| --- | --- | --- | --- | --- |")
    for name, file, kernels, source, functions in rows:
        where, other = source.split("/", 1)
        if folders[where] is None:
            continue
        own = count_tile(options.examples / file, kernels)
        peer = count_python(folders[where] / other, functions)
        origin = "Liger's " if where == "liger" else ""
        print(f"| {name} | {own} | {peer} | {origin}{other} | {own / peer:.2f} |")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        fail(f"expected a file, found {error.filename}: {error.strerror}")

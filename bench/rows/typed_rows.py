"""Products of every type that tensor cores multiply, as rows of bench/compare.py.

tile's kernels are those of typed_matmul.mlir, B as [N, K], and for B as [K, N] those of
matmul_descriptors.mlir with its types replaced. Against each stands the fastest of the algorithms
that cuBLASLt offers, and Triton.
"""
import re
import sys

import torch

import cublaslt

try:
    import triton
    import triton_kernels
except ImportError:
    triton = None

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
# A, B and C, the relative error that is allowed, and K of a tile for 128 bytes.
KINDS = {
    "tf32": (torch.float32, torch.float32, torch.float32, 2e-3, 32),
    "tf32x3": (torch.float32, torch.float32, torch.float32, 5e-6, 32),
    "f32": (torch.float32, torch.float32, torch.float32, 5e-6, 32),
    "e4m3": (E4M3, E4M3, torch.bfloat16, 1e-2, 128),
    "e5m2": (E5M2, E4M3, torch.bfloat16, 1e-2, 128),
    "s8": (torch.int8, torch.int8, torch.int32, 0.0, 128),
    "f64": (torch.float64, torch.float64, torch.float64, 1e-13, 16),
}


def numbers(rows, columns, dtype):
    if dtype == torch.int8:
        return torch.randint(-128, 128, (rows, columns), device="cuda", dtype=dtype)
    if dtype == torch.float64:
        return torch.randn(rows, columns, device="cuda", dtype=dtype)
    return torch.randn(rows, columns, device="cuda").to(dtype)


def program(tile, kind, transposed):
    """The module's text, and the kernel's name."""
    precision = {"tf32": " precision tf32", "tf32x3": " precision tf32x3", "f32": ""}.get(kind)
    if transposed:
        text = tile.text("typed_matmul.mlir")
        if kind == "f32":
            return re.sub(r" precision tf32\b", "", text), "matmul_tf32"
        return text, f"matmul_{kind}"
    types = {torch.float32: "f32", torch.float64: "f64", torch.int8: "i8", torch.int32: "i32",
             torch.bfloat16: "bf16", E4M3: "f8E4M3FN", E5M2: "f8E5M2"}
    a, b, c = (types[t] for t in KINDS[kind][:3])
    text = tile.text("matmul_descriptors.mlir").split("func.func @main")[0]
    head, body = text.split("tile.func @matmul", 1)
    head = "\n".join(line for line in head.splitlines() if line.startswith("!"))
    replaced = {"!a_": a, "!b_": b, "!c_": c}
    head = "\n".join(re.sub(r"f16", replaced[l[:3]], l) if l[:3] in replaced else l
                     for l in head.splitlines())
    sums = {"s8": "i32", "f64": "f64"}.get(kind, "f32")
    head = re.sub(r"(!acc_tile = .*)f32", rf"\g<1>{sums}", head)
    for name, type_ in (("a", a), ("b", b), ("c", c)):
        body = re.sub(rf"(%{name}: !tile.ptr<)f16", rf"\g<1>{type_}", body)
        body = re.sub(rf"(%{name}_desc = .*!tile.ptr<)f16", rf"\g<1>{type_}", body)
    body = body.replace("tile.dot %a_tile, %b_tile, %sum",
                        f"tile.dot %a_tile, %b_tile, %sum{precision or ''}")
    body = body.replace("tile.expr f16(%acc)", f"tile.expr {c}(%acc)")
    if c == sums:
        body = re.sub(r"\n *%c_value = .*", "", body).replace("%c_value", "%acc")
    return head + "\ntile.func @matmul" + body, "matmul"


def bindings(kind, m, n, depth):
    if kind == "f64":
        return ["", "BM=128,BN=64,BK=16,num_warps=8", "BM=64,BN=128,BK=16,num_warps=8",
                "BM=128,BN=128,BK=16,num_warps=8", "BM=32,BN=32,BK=16,num_warps=4",
                "BM=64,BN=128,BK=32,num_warps=8", "BM=128,BN=64,BK=32,num_warps=8"]
    if kind == "f32":
        return ["BM=64,BN=128,BK=32,num_warps=4", "BM=128,BN=128,BK=32,num_warps=8"]
    k, wide = f"BK={depth}", 2 * depth
    found = [f"{k},num_warps=8", f"BM=64,BN=128,{k},num_warps=4"]
    if m >= 512 and n >= 512:
        found += [f"BN=256,{k},num_warps=8", f"BN=256,{k},num_warps=8,num_ctas=2",
                  f"BM=256,BN=128,{k},num_warps=8"]
        # Widths of which one round of tiles is a product a little larger than one of 128 x 256.
        found += [f"BN={columns},{k},num_warps=8" for columns in (144, 160)] + [f"BM=256,BN=160,{k},num_warps=8"]
    if kind == "tf32x3":
        found += [f"BK={wide},num_warps=8"]
    if m < 128:
        found += [f"BM=16,BN=64,BK={wide},num_warps=4", f"BM=16,BN=128,BK={wide},num_warps=4"]
    else:
        found += [f"BM=64,BN=64,{k},num_warps=4", f"BM=64,BN=256,{k},num_warps=4"]
    if 128 <= m and m * n < 2 ** 20:
        found += [f"{k},num_warps=8,num_parts=2"]
    return found


def old_bindings(depth):
    """Tiles of targets before sm_90, where threads copy what mma.sync multiplies."""
    found = [f"BM={m},BN={n},BK={k},num_warps={w}" for m, n, w in ((128, 128, 8), (128, 256, 8), (128, 128, 4), (64, 128, 4))
             for k in (depth // 2, depth)]
    return found + [f"{each},num_stages=3" for each in found[:4]]


def typed(row_class, kind, m, n, k, transposed=True, binds=None, arch=""):
    a_type, b_type, c_type, tolerance, depth = KINDS[kind]

    def make(tile):
        a = numbers(m, k, a_type)
        b = numbers(*((n, k) if transposed else (k, n)), b_type)
        c = torch.empty(m, n, device="cuda", dtype=c_type)
        text, name = program(tile, kind, transposed)
        runs = {}
        for bind in binds or bindings(kind, m, n, depth):
            runs[f"tile {bind}".strip()] = tile.kernel(text, name, (a, b, c, m, n, k), bind, arch)
        try:
            runs["cuBLAS"], note = cublaslt.product(
                a, b, c, transposed, "f32" if kind == "tf32x3" else kind)
        except RuntimeError as e:
            note = str(e)
        print(f"  {note}", file=sys.stderr)
        if triton and not arch:
            runs.update(triton_kernels.typed(a, b, c, transposed, kind))
        straight = b.double().t() if transposed else b.double()
        return runs, c, lambda: a.double() @ straight, tolerance
    layout = "[N,K]" if transposed else "[K,N]"
    size = f"{m}" if m == n == k else f"{m} x {n} x {k}"
    return row_class(f"typed {kind} B {layout}{' ' + arch if arch else ''} {size}", make, work=2 * m * n * k)


def rows(row_class):
    """The issue's table, and sizes off every multiple."""
    found = []

    def add(kind, *shapes, transposed=True):
        for shape in shapes:
            shape = shape if isinstance(shape, tuple) else (shape,) * 3
            found.append(typed(row_class, kind, *shape, transposed))
    skinny, wide = (16, 4096, 4096), (128, 14336, 4096)
    off, small = (1000, 1208, 528), (777, 333, 1555)
    for kind in ("e4m3", "e5m2", "s8"):
        add(kind, 4096, 8192, skinny, wide, off, (2064, 2128, 2064), small)
        add(kind, 4096, skinny, off, transposed=False)
    add("tf32", 4096, 2048, skinny, wide, off, (1028, 516, 2052), small)
    add("tf32", 4096, 2048, off, small, transposed=False)
    add("tf32x3", 4096, 2048, skinny, off)
    add("tf32x3", 4096, transposed=False)
    add("f64", 4096, 2048, skinny, wide, off, small)
    add("f64", 4096, 2048, transposed=False)
    add("f32", 4096, 2048)
    add("f32", 4096, transposed=False)
    for kind in ("tf32", "s8"):
        binds = old_bindings(KINDS[kind][4])
        found.append(typed(row_class, kind, 4096, 4096, 4096, binds=binds, arch="sm_80"))
    found.append(typed(row_class, "f64", 4096, 4096, 4096, arch="sm_80"))
    return found

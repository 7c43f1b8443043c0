"""Work that memory or shared memory limits, as rows of bench/compare.py: sorting, counting, sums on the way, and the like.

tile's kernels are those of the examples; against each stand torch, whose sorts, sums and counts are
CUB's or its own, and a copy of as many bytes.
"""
import torch


def top_k(row_class, rows, columns, k):
    def make(tile):
        x = torch.randn(rows, columns, device="cuda")
        values = torch.empty(rows, k, device="cuda")
        numbers = torch.empty(rows, k, device="cuda", dtype=torch.int32)
        block = 1 << (columns - 1).bit_length()
        text = tile.text("top_k.mlir")
        runs = {f"tile num_warps={w}": tile.kernel(text, "top_k", (x, values, numbers, rows, columns, k),
                                                   f"N={block},K={1 << (k - 1).bit_length()},num_warps={w}")
                for w in (1, 2, 4, 8, 16) if 64 * w <= block <= 512 * w}
        if k == columns:
            runs["torch"] = lambda: torch.sort(x, 1, descending=True).values
        else:
            runs["torch"] = lambda: torch.topk(x, k, 1).values
        return runs, values, lambda: torch.sort(x, 1, descending=True).values[:, :k].double(), 0.0
    what = "sort" if k == columns else f"top {k}"
    return row_class(f"{what} f32 {rows} x {columns}", make, moved=4 * rows * columns + 8 * rows * k)


def histogram(row_class, n, bins):
    def make(tile):
        x = torch.randint(0, bins, (n,), device="cuda", dtype=torch.int32)
        counts = torch.empty(bins, device="cuda", dtype=torch.int32)
        runs = {"torch": lambda: torch.bincount(x, minlength=bins)}
        for bind in ("", "N=4096", "N=16384,num_warps=8"):
            kernel = tile.kernel(tile.text("histogram.mlir"), "histogram", (x, counts, n),
                                 f"BINS={bins}" + (f",{bind}" if bind else ""))

            def run(kernel=kernel):
                counts.zero_()
                kernel()
            runs[f"tile {bind}".strip()] = run
        return runs, counts, lambda: torch.bincount(x, minlength=bins), 0.0
    return row_class(f"histogram i32 {n}, {bins} bins", make, moved=4 * n)


def cumsum(row_class, rows, columns):
    def make(tile):
        x = torch.randn(rows, columns, device="cuda")
        out = torch.empty_like(x)
        runs = {"torch": lambda: torch.cumsum(x, 1, out=out)}
        for bind in ("", "N=2048", "N=4096,num_warps=8"):
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("cumsum.mlir"), "cumsum",
                                                       (x, out, rows, columns), bind)
        return runs, out, lambda: torch.cumsum(x.double(), 1), 1e-5
    return row_class(f"cumulative sum f32 {rows} x {columns}", make, moved=8 * rows * columns)


def argmax(row_class, rows, columns):
    def make(tile):
        # No value twice in a row: of several largest torch takes any.
        x = torch.rand(rows, columns, device="cuda").argsort(1).sub_(1 << 15).to(torch.int16)
        out = torch.empty(rows, device="cuda", dtype=torch.int32)
        runs = {"torch": lambda: torch.argmax(x, 1)}
        for bind in ("", "N=4096", "N=8192,num_warps=8"):
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("argmax.mlir"), "argmax",
                                                       (x, out, rows, columns), bind)
        return runs, out, lambda: torch.argmax(x, 1), 0.0
    return row_class(f"argmax i16 {rows} x {columns}", make, moved=2 * rows * columns)


def long_cumsum(row_class, n):
    def make(tile):
        x = torch.randn(n, device="cuda")
        out = torch.empty_like(x)
        runs = {"torch": lambda: torch.cumsum(x, 0, out=out)}
        for block, bind in ((4096, ""), (8192, "N=8192,num_warps=8"), (16384, "N=16384,num_warps=16")):
            states = torch.zeros(-(-n // block), device="cuda", dtype=torch.int64)
            counts = torch.zeros(2, device="cuda", dtype=torch.int32)
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("cumsum_long.mlir"), "cumsum_long",
                                                       (x, out, states, counts, n), bind)
        return runs, out, lambda: torch.cumsum(x.double(), 0), 1e-5
    return row_class(f"cumulative sum f32 {n}", make, moved=8 * n)


def long_argmax(row_class, n):
    def make(tile):
        x = torch.randperm(n, device="cuda").float()
        best = torch.zeros(1, device="cuda", dtype=torch.int64)
        done, out = (torch.zeros(1, device="cuda", dtype=torch.int32) for _ in range(2))
        runs = {"torch": lambda: torch.argmax(x, 0, keepdim=True)}
        for bind in ("", "N=4096,BLOCKS=8,num_warps=8", "N=2048,BLOCKS=8"):
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("argmax_long.mlir"), "argmax_long",
                                                       (x, best, done, out, n), bind)
        return runs, out, lambda: torch.argmax(x, 0, keepdim=True), 0.0
    return row_class(f"argmax f32 {n}", make, moved=4 * n)


def conv1d(row_class, n, taps):
    def make(tile):
        x, w = torch.randn(n, device="cuda"), torch.randn(taps, device="cuda")
        out = torch.empty_like(x)
        conv = lambda x, w: torch.nn.functional.conv1d(x[None, None], w[None, None], padding=taps // 2)[0, 0]
        runs = {"torch": lambda: conv(x, w)}
        for bind in ("", "N=4096"):
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("conv1d.mlir"), "conv1d",
                                                       (x, w, out, n, taps), bind)

        def want():
            wide = torch.nn.functional.pad(x.double(), (taps // 2, taps // 2))
            return sum(w[t].double() * wide[t:t + n] for t in range(taps))
        return runs, out, want, 1e-5
    return row_class(f"convolution f32 {n}, {taps} taps", make, moved=8 * n)


def matvec(row_class, rows, columns):
    def make(tile):
        a, x = torch.randn(rows, columns, device="cuda"), torch.randn(columns, device="cuda")
        out = torch.empty(rows, device="cuda")
        runs = {"torch": lambda: torch.mv(a, x, out=out)}
        for bind in ("", "BM=4,BN=1024", "BM=16,BN=256"):
            runs[f"tile {bind}".strip()] = tile.kernel(tile.text("matvec.mlir"), "matvec",
                                                       (a, x, out, rows, columns), bind)
        return runs, out, lambda: a.double() @ x.double(), 1e-5
    return row_class(f"matrix times vector f32 {rows} x {columns}", make, moved=4 * rows * columns)


def rope(row_class, tokens, heads, depth):
    def make(tile):
        x = torch.randn(tokens * heads, depth, device="cuda", dtype=torch.float16)
        angles = torch.outer(torch.arange(tokens, device="cuda"), 1e4 ** (-torch.arange(depth // 2, device="cuda") * 2 / depth))
        cos, sin = angles.cos(), angles.sin()
        out = torch.empty_like(x)
        runs = {f"tile {bind}".strip(): tile.kernel(
                    tile.text("rope.mlir"), "rope", (x, cos, sin, out, tokens * heads, heads), f"D={depth}" + bind)
                for bind in ("", ",R=32", ",R=64,num_warps=8")}
        # As many bytes.
        runs["plain copy"] = lambda: out.copy_(x)

        def want():
            a, b = x.double().view(tokens, heads, 2, -1).unbind(2)
            c, s = cos.double()[:, None], sin.double()[:, None]
            return torch.stack((a * c - b * s, b * c + a * s), 2).view(-1, depth)
        return runs, out, want, 1e-3
    return row_class(f"rope f16 {tokens} x {heads} x {depth}", make, moved=4 * tokens * heads * depth)


def rows(row_class):
    return [top_k(row_class, 16384, 1024, 1024), top_k(row_class, 65536, 256, 256), top_k(row_class, 4096, 2048, 2048),
            top_k(row_class, 16384, 1024, 64), top_k(row_class, 16384, 4096, 64), top_k(row_class, 16384, 3000, 10), top_k(row_class, 2048, 8192, 128),
            histogram(row_class, 1 << 26, 64), histogram(row_class, 1 << 26, 256), cumsum(row_class, 16384, 4096),
            cumsum(row_class, 256, 1 << 18), argmax(row_class, 4096, 4096), argmax(row_class, 512, 32768),
            long_cumsum(row_class, 1 << 24), long_argmax(row_class, 1 << 24), conv1d(row_class, 1 << 25, 7),
            matvec(row_class, 16384, 8192), matvec(row_class, 4096, 4096), rope(row_class, 8192, 32, 128)]

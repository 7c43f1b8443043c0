"""More models for bench/training_step.py: of pictures, sound, graphs, clicks, detectors, recurrences, diffusion, preferences.

As those of training_models.py: each takes what `draw` draws and gives a loss."""
import math
import torch
from torch import nn
from torch.nn import functional as F
from training_models import Attention, Block, Pictures, Words


class Swin(Pictures):
    """Attention within windows, which every other block shifts; joins of four neighbours."""

    class Part(nn.Module):

        def __init__(self, width, heads, shift, window=7):
            super().__init__()
            self.heads, self.shift, self.window = heads, shift, window
            self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.table = nn.Parameter(torch.zeros((2 * window - 1)**2, heads))
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def attend(self, x):
            b, h, w, c = x.shape
            n = self.window
            if self.shift:
                x = torch.roll(x, (-self.shift, -self.shift), (1, 2))
            x = x.view(b, h // n, n, w // n, n, c).transpose(2, 3).reshape(-1, n * n, c)
            q, k, v = self.qkv(x).view(-1, n * n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
            at = torch.arange(n, device=x.device)
            at = torch.stack(torch.meshgrid(at, at, indexing="ij")).flatten(1)
            apart = at[:, :, None] - at[:, None] + n - 1
            scores = (q * q.shape[-1]**-.5) @ k.transpose(-2, -1) + self.table[apart[0] * (2 * n - 1) + apart[1]].permute(2, 0, 1)
            if self.shift:
                row = torch.arange(h, device=x.device)
                part = (row >= h - n).int() + (row >= h - self.shift).int()
                which = (part[:, None] * 3 + part[None]).view(h // n, n, w // n, n).transpose(1, 2).reshape(-1, n * n)
                mask = (which[:, None] != which[:, :, None]) * -100.0
                scores = (scores.view(b, -1, self.heads, n * n, n * n) + mask[None, :, None]).view(-1, self.heads, n * n, n * n)
            x = self.out((scores.softmax(-1).to(v.dtype) @ v).transpose(1, 2).flatten(2))
            x = x.view(b, h // n, w // n, n, n, c).transpose(2, 3).reshape(b, h, w, c)
            return torch.roll(x, (self.shift, self.shift), (1, 2)) if self.shift else x

        def forward(self, x):
            x = x + self.attend(self.first(x))
            return x + self.down(F.gelu(self.up(self.second(x))))

    def __init__(self, small):
        super().__init__(small, 32, 224)
        self.size = 56 if small else 224
        w = 96
        self.cut, self.norm = nn.Conv2d(3, w, 4, 4), nn.LayerNorm(w)
        self.parts = nn.ModuleList([Swin.Part(w, 3, 0), Swin.Part(w, 3, 3)])
        self.join, self.less = nn.LayerNorm(4 * w), nn.Linear(4 * w, 2 * w, bias=False)
        self.more = nn.ModuleList([Swin.Part(2 * w, 6, 0), Swin.Part(2 * w, 6, 3)])
        self.last, self.head = nn.LayerNorm(2 * w), nn.Linear(2 * w, 1000)

    def forward(self, x, target):
        x = self.norm(self.cut(x).permute(0, 2, 3, 1))
        for part in self.parts:
            x = part(x)
        x = torch.cat([x[:, i::2, j::2] for j in range(2) for i in range(2)], -1)
        x = self.less(self.join(x))
        for part in self.more:
            x = part(x)
        return F.cross_entropy(self.head(self.last(x).mean((1, 2))).float(), target)


class Whisper(Words):
    """Sound by two convolutions and an encoder, words by a decoder that looks at it."""

    def __init__(self, small):
        super().__init__(small, 768, 51865, 8, 448)
        w = self.width
        self.first, self.second = nn.Conv1d(80, w, 3, padding=1), nn.Conv1d(w, w, 3, 2, 1)
        self.encoder = nn.ModuleList(Block(w, w // 64) for _ in range(2))
        self.place = nn.Parameter(torch.zeros(self.length, w))
        self.between = nn.LayerNorm(w)
        self.own, self.norm, self.cross = Block(w, w // 64, True), nn.LayerNorm(w), Attention(w, w // 64)
        self.last = nn.LayerNorm(w)

    def draw(self, device, dtype):
        words, target = super().draw(device, dtype)
        return torch.randn(self.batch, 80, 3000, device=device, dtype=dtype), words, target

    def forward(self, sound, words, target):
        x = F.gelu(self.second(F.gelu(self.first(sound)))).transpose(1, 2)
        half = self.width // 2
        turn = torch.arange(x.shape[1], device=x.device)[:, None] * torch.exp(torch.arange(half, device=x.device) * (-9.2 / (half - 1)))
        x = x + torch.cat([turn.sin(), turn.cos()], 1).to(x.dtype)
        for block in self.encoder:
            x = block(x)
        memory = self.between(x)
        y = self.own(self.table(words) + self.place)
        y = y + self.cross(self.norm(y), memory)
        return self.loss(self.last(y), target)


class Dit(Pictures):
    """A diffusion transformer: norms whose scale and shift follow from time and a class."""

    class Part(nn.Module):

        def __init__(self, width, heads):
            super().__init__()
            self.attention, self.how = Attention(width, heads), nn.Linear(width, 6 * width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x, told):
            a, b, c, d, e, f = self.how(F.silu(told))[:, None].chunk(6, -1)
            norm = lambda x: F.layer_norm(x, x.shape[-1:], eps=1e-6)
            x = x + c * self.attention(norm(x) * (1 + b) + a)
            return x + f * self.down(F.gelu(self.up(norm(x) * (1 + e) + d), approximate="tanh"))

    def __init__(self, small):
        super().__init__(small, 64, 32)
        self.size, w = 32, 64 if small else 1152
        self.cut, self.place = nn.Conv2d(4, w, 2, 2), nn.Parameter(torch.zeros(1, 256, w))
        self.time, self.again, self.kind = nn.Linear(256, w), nn.Linear(w, w), nn.Embedding(1001, w)
        self.parts = nn.ModuleList(Dit.Part(w, 1 if small else 16) for _ in range(2))
        self.how, self.out = nn.Linear(w, 2 * w), nn.Linear(w, 32)

    def draw(self, device, dtype):
        n = self.batch
        when, kind = (torch.randint(0, 1000, (n,), device=device) for _ in range(2))
        return torch.randn(n, 4, 32, 32, device=device, dtype=dtype), when, kind

    def forward(self, x, when, kind):
        noise = torch.randn_like(x)
        level = torch.cumprod(1 - torch.linspace(1e-4, 2e-2, 1000, device=x.device), 0)[when][:, None, None, None]
        seen = (level.sqrt() * x + (1 - level).sqrt() * noise).to(x.dtype)
        turn = when[:, None].float() * torch.exp(torch.arange(128, device=x.device) * (-math.log(10000) / 128))
        told = self.again(F.silu(self.time(torch.cat([turn.cos(), turn.sin()], -1).to(x.dtype))))
        kind = torch.where(torch.rand(kind.shape, device=x.device) < 0.1, 1000, kind)
        told = told + self.kind(kind)
        y = self.cut(seen).flatten(2).transpose(1, 2) + self.place
        for part in self.parts:
            y = part(y, told)
        a, b = self.how(F.silu(told))[:, None].chunk(2, -1)
        y = self.out(F.layer_norm(y, y.shape[-1:]) * (1 + b) + a)
        y = torch.einsum("nhwpqc->nchpwq", y.view(-1, 16, 16, 2, 2, 8)).reshape(-1, 8, 32, 32)
        mean, spread = y.chunk(2, 1)
        return F.mse_loss(mean.float(), noise.float()) + 1e-3 * (spread.float().exp() - spread.float()).mean()


class Vae(Pictures):
    """A picture to a mean and a spread, and back; its loss has a divergence and edges."""

    class Part(nn.Module):

        def __init__(self, a, b):
            super().__init__()
            self.norms = nn.ModuleList([nn.GroupNorm(32, a, 1e-6), nn.GroupNorm(32, b, 1e-6)])
            self.convs = nn.ModuleList([nn.Conv2d(a, b, 3, padding=1), nn.Conv2d(b, b, 3, padding=1)])
            self.short = nn.Conv2d(a, b, 1) if a != b else nn.Identity()

        def forward(self, x):
            y = self.convs[0](F.silu(self.norms[0](x)))
            return self.short(x) + self.convs[1](F.silu(self.norms[1](y)))

    def __init__(self, small):
        super().__init__(small, 4, 256)
        w = 32 if small else 128
        self.into, self.out = nn.Conv2d(3, w, 3, padding=1), nn.Conv2d(w, 3, 3, padding=1)
        self.a, self.b, self.c, self.d = Vae.Part(w, w), Vae.Part(w, 2 * w), Vae.Part(2 * w, w), Vae.Part(w, w)
        self.less, self.more = nn.Conv2d(w, w, 3, 2), nn.Conv2d(2 * w, 2 * w, 3, padding=1)
        self.told, self.back = nn.Conv2d(2 * w, 8, 3, padding=1), nn.Conv2d(4, 2 * w, 3, padding=1)
        self.norm = nn.GroupNorm(32, w, 1e-6)

    def forward(self, x, _):
        y = self.b(self.less(F.pad(self.a(self.into(x)), (0, 1, 0, 1))))
        mean, spread = self.told(F.silu(y)).float().chunk(2, 1)
        spread = spread.clamp(-30, 20)
        z = mean + (0.5 * spread).exp() * torch.randn_like(mean)
        y = self.back(z.to(x.dtype))
        y = self.c(self.more(F.interpolate(y, scale_factor=2.0, mode="nearest")))
        y = self.out(F.silu(self.norm(self.d(y)))).float()
        edges = lambda t: (t[..., 1:] - t[..., :-1], t[..., 1:, :] - t[..., :-1, :])
        loss = (y - x.float()).abs().mean() + sum((a - b).pow(2).mean() for a, b in zip(edges(y), edges(x.float())))
        return loss + 1e-6 * 0.5 * (mean.pow(2) + spread.exp() - 1 - spread).sum((1, 2, 3)).mean()


class Recurrent(Words):
    """Recurrences: some steps of an LSTM's cell one behind the other, a gated scan by sums of logarithms, and RWKV's mix of neighbours."""

    def __init__(self, small):
        super().__init__(small, 1024, 16000, 16, 512)
        w = self.width
        self.wi, self.wh = nn.Linear(w, 4 * w), nn.Linear(w, 4 * w)
        self.gate, self.hidden, self.out = nn.Linear(w, w), nn.Linear(w, w), nn.Linear(w, w)
        self.mix = nn.ParameterList(torch.full((w,), 0.5) for _ in range(3))
        self.key, self.value, self.take = (nn.Linear(w, w, bias=False) for _ in range(3))
        self.norms = nn.ModuleList(nn.LayerNorm(w) for _ in range(3))

    def cells(self, x, steps=8):
        h = c = torch.zeros_like(x[:, 0])
        given, made = self.wi(x[:, :steps]), []
        for t in range(steps):
            i, f, g, o = (given[:, t] + self.wh(h)).chunk(4, -1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            made.append(h)
        return F.pad(torch.stack(made, 1), (0, 0, 0, x.shape[1] - steps))

    def scan(self, x):
        gate, hidden = self.gate(x).float(), self.hidden(x).float()
        keep, value = -F.softplus(gate), torch.where(hidden >= 0, (hidden + 0.5).clamp(min=1e-6).log(), -F.softplus(-hidden))
        total = keep.cumsum(1)
        return (total + torch.logcumsumexp(value - F.softplus(-gate) - total, 1)).exp().to(x.dtype)

    def near(self, x):
        before = F.pad(x, (0, 0, 1, -1))
        k, v, r = (x * m + before * (1 - m) for m in self.mix)
        return self.take(r).sigmoid() * self.value(self.key(k).relu().square() + v)

    def forward(self, words, target):
        x = self.table(words)
        x = x + self.cells(self.norms[0](x))
        x = x + self.out(self.scan(self.norms[1](x)))
        x = x + self.near(self.norms[2](x))
        return self.loss(x, target)


class Efficient(Pictures):
    """Inverted bottlenecks: depthwise convolutions, batch norms, squeezed gates, paths that are dropped."""

    class Part(nn.Module):

        def __init__(self, a, b, kernel, stride):
            super().__init__()
            m = 4 * a
            self.up, self.deep = nn.Conv2d(a, m, 1, bias=False), nn.Conv2d(m, m, kernel, stride, kernel // 2, groups=m, bias=False)
            self.down, self.norms = nn.Conv2d(m, b, 1, bias=False), nn.ModuleList(map(nn.BatchNorm2d, (m, m, b)))
            self.squeeze, self.spread, self.joins = nn.Conv2d(m, a // 4, 1), nn.Conv2d(a // 4, m, 1), a == b and stride == 1

        def forward(self, x):
            y = F.silu(self.norms[0](self.up(x)))
            y = F.silu(self.norms[1](self.deep(y)))
            y = y * self.spread(F.silu(self.squeeze(y.mean((2, 3), keepdim=True)))).sigmoid()
            y = self.norms[2](self.down(y))
            if self.joins:
                y = x + y * ((torch.rand(x.shape[0], 1, 1, 1, device=x.device) < 0.8) / 0.8).to(y.dtype)
            return y

    def __init__(self, small):
        super().__init__(small, 64, 224)
        self.stem, self.norm = nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32)
        parts = (32, 24, 3, 2), (24, 24, 3, 1), (24, 40, 5, 2), (40, 80, 3, 2)
        self.parts = nn.Sequential(*(Efficient.Part(*each) for each in parts))
        self.last, self.after, self.head = nn.Conv2d(80, 320, 1, bias=False), nn.BatchNorm2d(320), nn.Linear(320, 1000)

    def forward(self, x, target):
        x = self.parts(F.silu(self.norm(self.stem(x))))
        x = F.silu(self.after(self.last(x))).mean((2, 3))
        return F.cross_entropy(self.head(F.dropout(x, 0.2)).float(), target, label_smoothing=0.1)


class Clicks(nn.Module):
    """Bags of embeddings, products of pairs of them, and whether somebody clicked."""

    def __init__(self, small):
        super().__init__()
        self.batch, self.rows, self.tables, w = (64, 1000, 3, 16) if small else (8192, 100000, 26, 64)
        self.bags = nn.ParameterList(torch.randn(self.rows, w) * 0.01 for _ in range(self.tables))
        self.dense = nn.Sequential(nn.Linear(13, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, w), nn.ReLU())
        pairs = (self.tables + 1) * self.tables // 2
        self.top = nn.Sequential(nn.Linear(pairs + w, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 1))

    def draw(self, device, dtype):
        return (torch.rand(self.batch, 13, device=device).to(dtype), torch.randint(0, self.rows, (self.tables, self.batch, 4), device=device),
                torch.randint(0, 2, (self.batch,), device=device))

    def forward(self, numbers, words, target):
        x = self.dense(torch.log1p(numbers))
        bags = [table[words[i]].sum(1) for i, table in enumerate(self.bags)]
        t = torch.stack([x] + bags, 1)
        n = t.shape[1]
        i, j = torch.tril_indices(n, n, -1, device=x.device)
        pairs = torch.bmm(t, t.transpose(1, 2))[:, i, j]
        return F.binary_cross_entropy_with_logits(self.top(torch.cat([x, pairs], 1)).float().squeeze(1), target.float())


class Graph(nn.Module):
    """Messages along edges: sums, means and attention over a node's neighbours by scatter."""

    def __init__(self, small):
        super().__init__()
        self.nodes, self.edges, self.width = (100, 500, 32) if small else (20000, 200000, 128)
        w = self.width
        self.first, self.own, self.heads = nn.Linear(w, w), nn.Linear(w, w), 4
        self.q, self.k, self.v, self.out = nn.Linear(w, w), nn.Linear(w, w), nn.Linear(w, w), nn.Linear(w, 40)
        self.norm = nn.LayerNorm(w)

    def draw(self, device, dtype):
        return (torch.randn(self.nodes, self.width, device=device, dtype=dtype), torch.randint(0, self.nodes, (2, self.edges), device=device),
                torch.randint(0, 40, (self.nodes,), device=device))

    def forward(self, x, edges, target):
        begin, end = edges
        n = x.shape[0]
        count = torch.zeros(n, device=x.device).index_add(0, end, torch.ones_like(end, dtype=torch.float32)).clamp(min=1)
        mean = torch.zeros_like(x, dtype=torch.float32).index_add(0, end, self.first(x)[begin].float()) / count[:, None]
        x = self.norm(F.relu(self.own(x) + mean.to(x.dtype)))
        q, k, v = (f(x).view(n, self.heads, -1) for f in (self.q, self.k, self.v))
        scores = F.leaky_relu((q[end] * k[begin]).sum(-1).float() * q.shape[-1]**-.5, 0.2)
        most = torch.full((n, self.heads), float("-inf"), device=x.device).scatter_reduce(0, end[:, None].expand_as(scores), scores, "amax")
        weight = (scores - most[end].detach()).exp()
        total = torch.zeros_like(most).index_add(0, end, weight)
        taken = torch.zeros(n, self.heads, v.shape[-1], device=x.device).index_add(0, end, (weight / total[end])[..., None] * v[begin].float())
        return F.cross_entropy(self.out(x + taken.flatten(1).to(x.dtype)).float(), target)


class Bert(Words):
    """Words that are masked: norms behind, dropouts, segments."""

    def __init__(self, small):
        super().__init__(small, 768, 30522, 32, 256)
        w = self.width
        self.place, self.kind, self.norm = nn.Embedding(self.length, w), nn.Embedding(2, w), nn.LayerNorm(w, 1e-12)
        layer = lambda: nn.ModuleList([Attention(w, w // 64), nn.LayerNorm(w, 1e-12), nn.Linear(w, 4 * w), nn.Linear(4 * w, w), nn.LayerNorm(w, 1e-12)])
        self.layers = nn.ModuleList(layer() for _ in range(2))
        self.turn, self.last = nn.Linear(w, w), nn.LayerNorm(w, 1e-12)

    def forward(self, words, target):
        x = self.table(words) + self.place.weight + self.kind((words > 100).long())
        x = F.dropout(self.norm(x), 0.1)
        for attention, a, up, down, b in self.layers:
            x = a(x + F.dropout(attention(x), 0.1))
            x = b(x + F.dropout(down(F.gelu(up(x))), 0.1))
        x = self.last(F.gelu(self.turn(x)))
        target = torch.where(torch.rand(target.shape, device=x.device) < 0.15, target, -100)
        return self.loss(x, target)


class Segment(Pictures):
    """Each pixel's class: dilated convolutions, sizes changed by straight lines, focal and overlap losses."""

    def __init__(self, small):
        super().__init__(small, 8, 256)
        w = 64
        self.into = nn.Conv2d(3, w, 7, 4, 3)
        self.wide = nn.ModuleList(nn.Conv2d(w, w, 3, padding=r, dilation=r) for r in (1, 6, 12))
        self.norms = nn.ModuleList(nn.InstanceNorm2d(w, affine=True) for _ in range(3))
        self.whole, self.join, self.out = nn.Conv2d(w, w, 1), nn.Conv2d(4 * w, w, 1), nn.Conv2d(w, 21, 1)
        self.act = nn.PReLU(w)

    def draw(self, device, dtype):
        x, _ = super().draw(device, dtype)
        return x, torch.randint(0, 21, (self.batch, self.size, self.size), device=device)

    def forward(self, x, target):
        size = x.shape[-2:]
        x = self.act(self.into(x))
        whole = F.interpolate(self.whole(F.adaptive_avg_pool2d(x, 1)), x.shape[-2:], mode="bilinear")
        x = torch.cat([F.hardswish(n(c(x))) for n, c in zip(self.norms, self.wide)] + [whole], 1)
        x = F.interpolate(self.out(F.dropout2d(F.relu(self.join(x)), 0.1)).float(), size, mode="bilinear", align_corners=False)
        chance = x.softmax(1)
        hot = F.one_hot(target, 21).permute(0, 3, 1, 2).float()
        overlap = 1 - (2 * (chance * hot).sum((2, 3)) + 1) / ((chance + hot).sum((2, 3)) + 1)
        lost = F.cross_entropy(x, target, reduction="none")
        return ((1 - (-lost).exp()).pow(2) * lost).mean() + overlap.mean()


class Boxes(nn.Module):
    """A detector's loss: boxes decoded, overlaps with all true ones, the best k of each assigned, generalised overlap, focal."""

    def __init__(self, small):
        super().__init__()
        self.batch, self.anchors, self.truths = (2, 500, 5) if small else (16, 8400, 32)
        self.head = nn.Linear(64, 85 + 16 * 4 - 4)

    def draw(self, device, dtype):
        boxes = torch.rand(self.batch, self.truths, 4, device=device)
        return torch.randn(self.batch, self.anchors, 64, device=device, dtype=dtype), boxes, torch.randint(0, 80, (self.batch, self.truths), device=device)

    def forward(self, x, truths, kinds):
        y = self.head(x).float()
        spread = y[..., :64].unflatten(-1, (4, 16)).softmax(-1) @ torch.arange(16.0, device=x.device)
        at = torch.arange(self.anchors, device=x.device).float()
        middle = torch.stack([at % 80, at // 80], -1) / 80
        boxes = torch.cat([middle - spread[..., :2] / 80, middle + spread[..., 2:] / 80], -1)
        true = torch.cat([truths[..., :2], truths[..., :2] + truths[..., 2:]], -1)
        low, high = torch.maximum(boxes[:, :, None, :2], true[:, None, :, :2]), torch.minimum(boxes[:, :, None, 2:], true[:, None, :, 2:])
        both = (high - low).clamp(min=0).prod(-1)
        area = lambda b: (b[..., 2:] - b[..., :2]).clamp(min=0).prod(-1)
        iou = both / (area(boxes)[:, :, None] + area(true)[:, None] - both + 1e-7)
        score = y[..., 64:144].sigmoid()
        fit = score.gather(-1, kinds[:, None].expand(-1, self.anchors, -1)).detach() * iou.detach().pow(6)
        best, which = fit.topk(10, 1)
        hot = torch.zeros_like(fit).scatter(1, which, 1.0)
        owner, has = (hot * iou.detach()).max(-1)[1], hot.sum(-1) > 0
        mine = true.gather(1, owner[..., None].expand(-1, -1, 4))
        around = (torch.maximum(boxes[..., 2:], mine[..., 2:]) - torch.minimum(boxes[..., :2], mine[..., :2])).clamp(min=0).prod(-1)
        near = iou.gather(-1, owner[..., None])[..., 0]
        lost = (1 - near + (around - area(mine)) / (around + 1e-7)) * has
        wanted = F.one_hot(kinds.gather(1, owner), 80) * (has * near.detach())[..., None]
        focal = F.binary_cross_entropy_with_logits(y[..., 64:144], wanted, reduction="none") * (wanted - score).abs().detach().pow(1.5)
        return lost.sum() / has.sum().clamp(min=1) + focal.sum() / self.batch


class Clip(nn.Module):
    """Two towers' ends: normed features, scores of all pairs, losses both ways, a sigmoid's as well, a queue of negatives, distances."""

    def __init__(self, small):
        super().__init__()
        self.batch, self.width = (32, 64) if small else (2048, 512)
        self.a, self.b, self.scale = nn.Linear(self.width, self.width), nn.Linear(self.width, self.width), nn.Parameter(torch.ones([]) * 2)
        self.norm = nn.BatchNorm1d(self.width, affine=False)

    def draw(self, device, dtype):
        return tuple(torch.randn(self.batch, self.width, device=device, dtype=dtype) for _ in range(2))

    def forward(self, x, y):
        a, b = F.normalize(self.a(x), dim=-1), F.normalize(self.b(y), dim=-1)
        scores = (a @ b.t()).float() * self.scale.exp()
        target = torch.arange(a.shape[0], device=a.device)
        same = torch.eye(a.shape[0], device=a.device) * 2 - 1
        loss = (F.cross_entropy(scores, target) + F.cross_entropy(scores.t(), target)) / 2 - F.logsigmoid(same * scores).mean()
        c = self.norm(a).t() @ self.norm(b) / a.shape[0]
        off = c - torch.diag_embed(c.diagonal())
        apart = torch.cdist(a[:256].float(), b[:256].float())
        hard = (apart.diagonal()[:, None] - apart + 0.2).clamp(min=0)
        return loss + (c.diagonal() - 1).float().pow(2).sum() + 5e-3 * off.float().pow(2).sum() + hard.amax(1).mean()


class Sound(nn.Module):
    """Waves: weight-normed and transposed convolutions, snakes, spectra by products, gated and dilated stacks."""

    def __init__(self, small):
        super().__init__()
        self.batch, self.length, w = (2, 1024, 32) if small else (8, 16384, 128)
        self.into, self.out = nn.Conv1d(1, w, 7, padding=3), nn.Conv1d(w // 2, 1, 7, padding=3)
        self.deep = nn.ModuleList(nn.Conv1d(w, 2 * w, 3, padding=d, dilation=d) for d in (1, 3, 9))
        self.back, self.less = nn.ModuleList(nn.Conv1d(w, w, 1) for _ in range(3)), nn.Conv1d(w, w, 4, 2, 1)
        self.grow, self.alpha = nn.ConvTranspose1d(w, w // 2, 4, 2, 1), nn.Parameter(torch.ones(w, 1))
        self.norm = nn.GroupNorm(1, w)

    def draw(self, device, dtype):
        return torch.randn(self.batch, 1, self.length, device=device, dtype=dtype),

    def forward(self, x):
        y = self.into(x)
        for deep, back in zip(self.deep, self.back):
            a, b = deep(y).chunk(2, 1)
            y = y + back(a.tanh() * b.sigmoid())
        y = self.less(self.norm(y))
        y = y + (self.alpha * y).sin().square() / (self.alpha + 1e-9)
        y = self.out(F.leaky_relu(self.grow(y), 0.1)).tanh().float()
        parts = lambda t: t[:, 0].unfold(-1, 256, 64) * torch.hann_window(256, device=t.device)
        turn = torch.arange(256, device=x.device)[:, None] * torch.arange(129, device=x.device) * (2 * math.pi / 256)
        power = lambda t: ((parts(t) @ turn.cos())**2 + (parts(t) @ turn.sin())**2 + 1e-7).sqrt()
        a, b = power(y), power(x.float())
        return (a - b).abs().mean() + (a.log() - b.log()).abs().mean() + F.smooth_l1_loss(y, x.float())


class Preferences(Words):
    """Two answers compared (DPO), a teacher's words (KL), an advantage by a backward scan, clipped ratios, entropy."""

    def __init__(self, small):
        super().__init__(small, 512, 32000, 4, 512)
        self.register_buffer("old", torch.randn(self.words, self.width) * 0.02)
        self.worth = nn.Linear(self.width, 1)

    def forward(self, words, target):
        x = self.table(words)
        now, old = self.head(x).float().log_softmax(-1), F.linear(x, self.old).float().log_softmax(-1).detach()
        pick = lambda t: t.gather(-1, target[..., None])[..., 0]
        a, b = pick(now), pick(old)
        seen = (target != 7).float()
        ratio = ((a - b) * seen).sum(-1)
        best, worst = ratio.chunk(2)
        loss = -F.logsigmoid(0.1 * (best - worst)).mean() + F.kl_div(now, old, log_target=True, reduction="batchmean") / words.shape[1]
        worth = self.worth(x).float()[..., 0]
        reward = (target % 3 - 1).float()
        delta = reward[:, :-1] + 0.99 * worth[:, 1:].detach() - worth[:, :-1]
        decay = (0.99 * 0.95)**torch.arange(delta.shape[1], device=x.device)
        gain = ((delta * decay).flip(1).cumsum(1).flip(1) / decay.clamp(min=1e-8)).detach()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        turn = (a - b)[:, :-1].exp()
        clipped = -torch.minimum(turn * gain, turn.clamp(0.8, 1.2) * gain)
        entropy = -(now.exp() * now).sum(-1)
        return loss + (clipped * seen[:, :-1]).sum() / seen.sum() + 0.5 * delta.square().mean() - 0.01 * entropy.mean()


MODELS = {"swin": Swin, "whisper": Whisper, "dit": Dit, "vae": Vae, "recurrent": Recurrent, "efficient": Efficient, "clicks": Clicks, "graph": Graph,
          "bert": Bert, "segment": Segment, "boxes": Boxes, "clip": Clip, "sound": Sound, "preferences": Preferences}

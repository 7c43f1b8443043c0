"""Models of many kinds for bench/training_step.py: what torch.compile writes Triton kernels for in each.

Each is a module that takes what `draw` draws and gives a loss. `small` ones are for machines without a GPU."""
import torch
from torch import nn
from torch.nn import functional as F


def _heads(x, count):
    return x.unflatten(-1, (count, -1)).transpose(1, 2)


class Attention(nn.Module):

    def __init__(self, width, heads, causal=False, bias=True):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.q, self.kv, self.out = nn.Linear(width, width, bias), nn.Linear(width, 2 * width, bias), nn.Linear(width, width, bias)

    def forward(self, x, other=None):
        k, v = self.kv(x if other is None else other).chunk(2, -1)
        y = F.scaled_dot_product_attention(*(_heads(t, self.heads) for t in (self.q(x), k, v)), is_causal=self.causal)
        return self.out(y.transpose(1, 2).flatten(2))


class Written(nn.Module):
    """Attention whose scores are written out, with a learned bias of distances and dropout: T5's."""

    def __init__(self, width, heads, causal, crosses=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.q, self.kv, self.out = nn.Linear(width, width, False), nn.Linear(width, 2 * width, False), nn.Linear(width, width, False)
        self.table = None if crosses else nn.Embedding(32, heads)

    def forward(self, x, other=None):
        k, v = self.kv(x if other is None else other).chunk(2, -1)
        q, k, v = (_heads(t, self.heads) for t in (self.q(x), k, v))
        scores = q @ k.transpose(-1, -2)
        if other is None:
            place = torch.arange(x.shape[1], device=x.device)
            apart = (place[None] - place[:, None]).clamp(-127, 127)
            bucket = (apart.abs().float() + 1).log2().mul(2).int() + 16 * (apart > 0)
            scores = scores + self.table(bucket).permute(2, 0, 1)
            if self.causal:
                scores = scores.masked_fill(place[None] > place[:, None], float("-inf"))
        weights = F.dropout(scores.float().softmax(-1).to(x.dtype), 0.1)
        return self.out((weights @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    """A transformer's, with layer norms in front."""

    def __init__(self, width, heads, causal=False):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, causal)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + F.dropout(self.attention(self.first(x)), 0.1)
        return x + F.dropout(self.down(F.gelu(self.up(self.second(x)))), 0.1)


class Words(nn.Module):
    """What takes words and foretells them."""

    def __init__(self, small, width=1024, words=50257, batch=8, length=1024):
        super().__init__()
        self.width, self.words, self.batch, self.length = (64, 331, 2, 64) if small else (width, words, batch, length)
        self.table = nn.Embedding(self.words, self.width)
        self.head = nn.Linear(self.width, self.words, bias=False)

    def draw(self, device, dtype):
        words = torch.randint(0, self.words, (self.batch, self.length + 1), device=device)
        return words[:, :-1].contiguous(), words[:, 1:].contiguous()

    def loss(self, x, target):
        return F.cross_entropy(self.head(x).flatten(0, 1).float(), target.flatten())


class Gpt(Words):

    def __init__(self, small):
        super().__init__(small)
        self.place = nn.Embedding(self.length, self.width)
        self.blocks = nn.ModuleList(Block(self.width, self.width // 64 or 1, True) for _ in range(2))
        self.last = nn.LayerNorm(self.width)

    def forward(self, words, target):
        x = F.dropout(self.table(words) + self.place(torch.arange(words.shape[1], device=words.device)), 0.1)
        for block in self.blocks:
            x = block(x)
        return self.loss(self.last(x), target)


class T5(Words):

    class Part(nn.Module):

        def __init__(self, width, causal):
            super().__init__()
            self.weights = nn.ParameterList(torch.ones(width) for _ in range(2 + causal))
            self.own, self.other = Written(width, 4, causal), Written(width, 4, causal, True) if causal else None
            self.gate, self.up, self.down = (nn.Linear(*s, bias=False) for s in ((width, 2 * width), (width, 2 * width), (2 * width, width)))

        def norm(self, x, which):
            return F.rms_norm(x, x.shape[-1:], self.weights[which], 1e-6)

        def forward(self, x, memory=None):
            x = x + self.own(self.norm(x, 0))
            if self.other is not None:
                x = x + self.other(self.norm(x, 1), memory)
            y = self.norm(x, -1)
            return x + self.down(F.dropout(F.gelu(self.gate(y), approximate="tanh") * self.up(y), 0.1))

    def __init__(self, small):
        super().__init__(small, 768, 32128, 16, 512)
        self.encoder, self.decoder = T5.Part(self.width, False), T5.Part(self.width, True)

    def forward(self, words, target):
        return self.loss(self.decoder(self.table(words), self.encoder(self.table(target))), target)


class Mamba(Words):
    """A selective scan in chunks, written in torch: causal taps, decays, products of chunks, gated norms."""
    CHUNK, STATE, HEAD = 64, 64, 64

    def __init__(self, small):
        super().__init__(small, 1024, 32000, 8, 1024)
        self.inner = 2 * self.width
        self.heads = self.inner // self.HEAD
        self.first, self.last = (nn.Parameter(torch.ones(n)) for n in (self.width, self.inner))
        self.into = nn.Linear(self.width, 2 * self.inner + 2 * self.STATE + self.heads, bias=False)
        self.taps = nn.Conv1d(self.inner + 2 * self.STATE, self.inner + 2 * self.STATE, 4, padding=3, groups=self.inner + 2 * self.STATE)
        self.decay, self.bias = nn.Parameter(torch.zeros(self.heads)), nn.Parameter(torch.zeros(self.heads))
        self.out = nn.Linear(self.inner, self.width, bias=False)

    def scan(self, x, step, b, c):
        batch, length, _ = x.shape
        n = length // self.CHUNK
        chunks = lambda t, *s: t.reshape(batch, n, self.CHUNK, *s)
        x = chunks(x, self.heads, self.HEAD) * chunks(step, self.heads, 1)
        rate = (chunks(step, self.heads) * -self.decay.exp()).permute(0, 1, 3, 2).float().cumsum(-1)
        b, c = chunks(b, self.STATE), chunks(c, self.STATE)
        apart = (rate[..., :, None] - rate[..., None, :]).tril()
        inside = torch.ones_like(apart).tril() * apart.exp() * (c @ b.transpose(-1, -2))[:, :, None]
        y = torch.einsum("bnhqk,bnkhd->bnqhd", inside.to(x.dtype), x)
        left = (rate[..., -1:] - rate).exp().to(x.dtype)
        states = torch.einsum("bnks,bnhk,bnkhd->bnhds", b, left, x)
        whole = rate[..., -1].cumsum(1)
        carried = F.pad(whole, (0, 0, 1, 0))[:, :-1]
        between = (carried[:, :, None] - whole[:, None]).masked_fill(torch.ones(n, n, device=x.device).triu().bool()[None, ..., None], float("-inf"))
        before = torch.einsum("bnmh,bmhds->bnhds", between.exp().to(x.dtype), states)
        y = y + torch.einsum("bnqs,bnhq,bnhds->bnqhd", c, rate.exp().to(x.dtype), before)
        return y.reshape(batch, length, -1)

    def forward(self, words, target):
        x = self.table(words)
        y = self.into(F.rms_norm(x, x.shape[-1:], self.first))
        gate, mixed, step = y.split((self.inner, self.inner + 2 * self.STATE, self.heads), -1)
        mixed = F.silu(self.taps(mixed.transpose(1, 2))[..., :words.shape[1]].transpose(1, 2))
        mixed, b, c = mixed.split((self.inner, self.STATE, self.STATE), -1)
        y = self.scan(mixed, F.softplus(step + self.bias), b, c) * F.silu(gate)
        return self.loss(x + self.out(F.rms_norm(y, y.shape[-1:], self.last)), target)


class Experts(Words):
    """Tokens to 2 of 8 experts, sorted by them, products in batches of a capacity, with a loss that balances."""

    def __init__(self, small):
        super().__init__(small, 1024, 32000, 8, 512)
        self.block = Block(self.width, self.width // 64, True)
        self.router = nn.Linear(self.width, 8, bias=False)
        self.up, self.down = (nn.Parameter(torch.randn(*s) * 0.02) for s in ((8, self.width, 4 * self.width), (8, 2 * self.width, self.width)))
        self.norm = nn.LayerNorm(self.width)

    def forward(self, words, target):
        x = self.block(self.table(words)).flatten(0, 1)
        y = self.norm(x)
        chances = self.router(y).float().softmax(-1)
        weight, chosen = chances.topk(2, -1)
        weight = weight / weight.sum(-1, keepdim=True)
        hot = F.one_hot(chosen.flatten(), 8)
        place = (hot.cumsum(0) * hot).sum(-1) - 1
        capacity = x.shape[0] * 5 // 16
        kept = place < capacity
        at = chosen.flatten() * capacity + place.clamp(max=capacity - 1)
        rows = torch.arange(x.shape[0], device=x.device).repeat_interleave(2)
        slots = torch.zeros(8 * capacity, self.width, device=x.device, dtype=x.dtype).index_add(0, at, y[rows] * kept[:, None])
        gate, up = torch.bmm(slots.view(8, capacity, -1), self.up).chunk(2, -1)
        made = torch.bmm(F.silu(gate) * up, self.down).flatten(0, 1)[at] * (weight.flatten() * kept).to(x.dtype)[:, None]
        x = x + made.view(-1, 2, self.width).sum(1)
        balance = 8 * (chances.mean(0) * hot.float().mean(0)).sum()
        return self.loss(x.view(*words.shape, -1), target) + 0.01 * balance


class Pictures(nn.Module):
    """What names pictures."""

    def __init__(self, small, batch, size):
        super().__init__()
        self.batch, self.size = (2, 64) if small else (batch, size)

    def draw(self, device, dtype):
        return torch.randn(self.batch, 3, self.size, self.size, device=device, dtype=dtype), torch.randint(0, 1000, (self.batch,), device=device)


class Vit(Pictures):

    def __init__(self, small):
        super().__init__(small, 64, 224)
        width = 64 if small else 768
        self.cut = nn.Conv2d(3, width, 16, 16)
        self.token, self.place = nn.Parameter(torch.randn(1, 1, width)), nn.Parameter(torch.randn(1, (self.size // 16)**2 + 1, width))
        self.blocks = nn.ModuleList(Block(width, width // 64) for _ in range(3))
        self.last, self.head = nn.LayerNorm(width), nn.Linear(width, 1000)

    def forward(self, x, target):
        x = self.cut(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.head(self.last(x)[:, 0]).float(), target, label_smoothing=0.1)


class Resnet(Pictures):
    LAST = torch.contiguous_format

    class Part(nn.Module):

        def __init__(self, a, b, stride):
            super().__init__()
            self.convs = nn.ModuleList([nn.Conv2d(a, b // 4, 1, bias=False), nn.Conv2d(b // 4, b // 4, 3, stride, 1, bias=False), nn.Conv2d(b // 4, b, 1, bias=False)])
            self.norms = nn.ModuleList(map(nn.BatchNorm2d, (b // 4, b // 4, b)))
            self.short = nn.Sequential(nn.Conv2d(a, b, 1, stride, bias=False), nn.BatchNorm2d(b)) if a != b or stride > 1 else nn.Identity()

        def forward(self, x):
            y = x
            for i, (conv, norm) in enumerate(zip(self.convs, self.norms)):
                y = norm(conv(y))
                y = F.relu(y) if i < 2 else y
            return F.relu(y + self.short(x))

    def __init__(self, small):
        super().__init__(small, 64, 224)
        self.stem = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        widths = (64, 128) if small else (64, 256, 256, 512, 1024)
        self.parts = nn.Sequential(*(Resnet.Part(a, b, 1 if a == b or a == 64 else 2) for a, b in zip(widths, widths[1:])))
        self.head = nn.Linear(widths[-1], 1000)
        self.to(memory_format=self.LAST)

    def forward(self, x, target):
        x = self.parts(self.stem(x.contiguous(memory_format=self.LAST)))
        return F.cross_entropy(self.head(x.mean((2, 3))).float(), target)


class ResnetLast(Resnet):
    LAST = torch.channels_last


class Convnext(Pictures):

    class Part(nn.Module):

        def __init__(self, width):
            super().__init__()
            self.conv = nn.Conv2d(width, width, 7, padding=3, groups=width)
            self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.scale = nn.Parameter(torch.full((width,), 1e-2))

        def forward(self, x):
            y = self.norm(self.conv(x).permute(0, 2, 3, 1))
            return x + (self.scale * self.down(F.gelu(self.up(y)))).permute(0, 3, 1, 2)

    def __init__(self, small):
        super().__init__(small, 64, 224)
        width = 32 if small else 96
        self.stem, self.norm = nn.Conv2d(3, width, 4, 4), nn.LayerNorm(width)
        self.first, self.second = Convnext.Part(width), Convnext.Part(2 * width)
        self.between, self.cut = nn.LayerNorm(width), nn.Conv2d(width, 2 * width, 2, 2)
        self.last, self.head = nn.LayerNorm(2 * width), nn.Linear(2 * width, 1000)

    def forward(self, x, target):
        along = lambda norm, x: norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        x = self.first(along(self.norm, self.stem(x)))
        x = self.second(self.cut(along(self.between, x)))
        return F.cross_entropy(self.head(self.last(x.mean((2, 3)))).float(), target)


class Unet(Pictures):
    """Foretells noise: group norms, SiLU, time's embedding, joins, sizes halved and doubled."""

    class Part(nn.Module):

        def __init__(self, a, b, time):
            super().__init__()
            self.first, self.second = nn.Conv2d(a, b, 3, padding=1), nn.Conv2d(b, b, 3, padding=1)
            self.norms = nn.ModuleList([nn.GroupNorm(8, a), nn.GroupNorm(8, b)])
            self.time, self.short = nn.Linear(time, b), nn.Conv2d(a, b, 1) if a != b else nn.Identity()

        def forward(self, x, time):
            y = self.first(F.silu(self.norms[0](x))) + self.time(F.silu(time))[..., None, None]
            return self.short(x) + self.second(F.silu(self.norms[1](y)))

    def __init__(self, small):
        super().__init__(small, 16, 64)
        w = 32 if small else 128
        self.width = w
        self.stem, self.out = nn.Conv2d(3, w, 3, padding=1), nn.Conv2d(w, 3, 3, padding=1)
        self.time = nn.Linear(w, 4 * w)
        self.down, self.middle, self.up = Unet.Part(w, w, 4 * w), Unet.Part(w, 2 * w, 4 * w), Unet.Part(3 * w, w, 4 * w)
        self.norm, self.last = nn.GroupNorm(8, 2 * w), nn.GroupNorm(8, w)
        self.attention = Attention(2 * w, 2 * w // 64)

    def forward(self, x, when):
        half = self.width // 2
        turn = when[:, None] * torch.exp(torch.arange(half, device=x.device) * (-9.2 / half))
        time = self.time(torch.cat([turn.sin(), turn.cos()], -1).to(x.dtype))
        noise = torch.randn_like(x)
        a = self.down(self.stem(x + noise), time)
        b = self.middle(F.avg_pool2d(a, 2), time)
        c = self.attention(self.norm(b).flatten(2).transpose(1, 2)).transpose(1, 2).reshape(b.shape) + b
        y = self.up(torch.cat([a, F.interpolate(c, scale_factor=2, mode="nearest")], 1), time)
        return F.mse_loss(self.out(F.silu(self.last(y))).float(), noise.float())


MODELS = {"gpt": Gpt, "t5": T5, "mamba": Mamba, "experts": Experts, "vit": Vit, "resnet": Resnet, "resnet_last": ResnetLast,
          "convnext": Convnext, "unet": Unet}

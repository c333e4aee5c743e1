# SPDX-License-Identifier: Apache-2.0
"""A small decoder that captures its decode step in CUDA graphs and replays them.

    torch_graphs.py SCENARIO [--hidden N] [--layers N] [--batches 4,2,1] [--around START STOP]
                    [--profile OUT]

SCENARIO: plain, zero (no warm-up before a capture), piece (attention eager between pieces), streams
(two streams), mix (two streams, a Triton kernel, memset and memcpy), recapture (the largest graph
twice), compile (torch.compile).

--around: shell commands that are run before and after each of the two parts, capture and request.
--profile: torch.profiler around the same two parts; OUT.capture.json.gz and OUT.runtime.json.gz.
"""

import argparse
import subprocess
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl
from torch.profiler import ProfilerActivity, profile, record_function

HEAD, LENGTH, VOCABULARY, REPLAYS = 128, 256, 16000, 4
SIDE_STREAM_SCENARIOS = ("streams", "mix")


@triton.jit
def scale_kernel(x, y, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(y + i, tl.load(x + i, mask=mask) * factor, mask=mask)


def triton_scale(x, factor):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 256),)](x, y, n, factor, BLOCK=256)
    return y


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight, 1e-6)


class Layer(nn.Module):
    def __init__(self, width, scenario, side):
        super().__init__()
        self.scenario, self.side = scenario, side
        self.heads = width // HEAD
        self.kv_heads = max(1, self.heads // 2)
        inner = 3 * width
        self.norm1, self.norm2 = Norm(width), Norm(width)
        self.qkv = nn.Linear(width, (self.heads + 2 * self.kv_heads) * HEAD, bias=False)
        self.out = nn.Linear(self.heads * HEAD, width, bias=False)
        self.gate_up = nn.Linear(width, 2 * inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        self.shared = nn.Linear(width, width, bias=False)

    def before_attention(self, x):
        return self.qkv(self.norm1(x))

    def attention(self, qkv, keys, values, position):
        batch = qkv.shape[0]
        sizes = [self.heads * HEAD, self.kv_heads * HEAD, self.kv_heads * HEAD]
        q, k, v = (part.view(batch, 1, -1, HEAD).transpose(1, 2) for part in qkv.split(sizes, -1))
        keys.index_copy_(2, position, k)
        values.index_copy_(2, position, v)
        mixed = F.scaled_dot_product_attention(q, keys, values, enable_gqa=True)
        return mixed.transpose(1, 2).reshape(batch, 1, self.heads * HEAD)

    def mlp(self, h):
        gate, up = self.gate_up(h).chunk(2, -1)
        return self.down(F.silu(gate) * up)

    def after_attention(self, x, mixed):
        x = x + self.out(mixed)
        h = self.norm2(x)
        if self.scenario in SIDE_STREAM_SCENARIOS:
            current = torch.cuda.current_stream()
            self.side.wait_stream(current)
            with torch.cuda.stream(self.side):
                extra = self.shared(h)
            y = self.mlp(h)
            current.wait_stream(self.side)
            y = y + extra
        else:
            y = self.mlp(h)
        if self.scenario == "mix":
            y = triton_scale(y, 0.5)
            copy = torch.zeros_like(y)
            copy.copy_(y)
            y = copy
        return x + y


class Decoder(nn.Module):
    def __init__(self, width, layers, scenario, side):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, width)
        self.layers = nn.ModuleList([Layer(width, scenario, side) for _ in range(layers)])
        self.norm = Norm(width)
        self.head = nn.Linear(width, VOCABULARY, bias=False)

    def finish(self, x):
        return self.head(self.norm(x)).argmax(-1)

    def forward(self, ids, caches, position):
        x = self.embed(ids)
        for layer, cache in zip(self.layers, caches):
            x = layer.after_attention(x, layer.attention(layer.before_attention(x), *cache, position))
        return self.finish(x)


class State:
    """What one batch size needs between steps."""

    def __init__(self, batch, layers, kv_heads):
        def zeros():
            return torch.zeros(batch, kv_heads, LENGTH, HEAD, device="cuda", dtype=torch.bfloat16)

        self.ids = torch.zeros((batch, 1), device="cuda", dtype=torch.long)
        self.position = torch.full((1,), 64, device="cuda", dtype=torch.long)
        self.caches = [(zeros(), zeros()) for _ in range(layers)]


def captured(function):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = function()
    return graph, result


class Engine:
    def __init__(self, scenario, width, layers, batches):
        self.scenario, self.batches = scenario, sorted(batches, reverse=True)
        side = torch.cuda.Stream()
        with torch.device("cuda"):
            self.model = Decoder(width, layers, scenario, side).to(torch.bfloat16).eval()
        self.step = torch.compile(self.model) if scenario == "compile" else self.model
        kv_heads = self.model.layers[0].kv_heads
        self.states = {batch: State(batch, layers, kv_heads) for batch in batches}
        self.graphs = {}
        for batch in batches:
            self.run(batch)
        torch.cuda.synchronize()

    def run(self, batch):
        state = self.states[batch]
        return self.step(state.ids, state.caches, state.position)

    def warm_up(self, batch):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self.run(batch)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()

    def capture_pieces(self, batch):
        state, model = self.states[batch], self.model
        pieces = []
        x = mixed = None
        for i, layer in enumerate(model.layers):
            def piece(layer=layer, i=i, x=x, mixed=mixed):
                y = model.embed(state.ids) if i == 0 else model.layers[i - 1].after_attention(x, mixed)
                return layer.before_attention(y), y

            graph, (qkv, x) = captured(piece)
            mixed = torch.zeros(batch, 1, layer.heads * HEAD, device="cuda", dtype=torch.bfloat16)
            pieces.append((graph, layer, qkv, mixed))
        last = captured(lambda: model.finish(model.layers[-1].after_attention(x, mixed)))
        return pieces, last

    def capture_one(self, batch):
        if self.scenario != "zero":
            self.warm_up(batch)
        self.graphs[batch] = (self.capture_pieces(batch) if self.scenario == "piece"
                              else captured(lambda: self.run(batch)))

    def capture(self):
        kind = "PIECEWISE" if self.scenario == "piece" else "FULL"
        for batch in self.batches:
            times = 2 if self.scenario == "recapture" and batch == self.batches[0] else 1
            for _ in range(times):
                with record_function(f"capture_{batch}_{kind}"):
                    self.capture_one(batch)
        torch.cuda.synchronize()

    def replay(self, batch):
        if self.scenario != "piece":
            graph, result = self.graphs[batch]
            graph.replay()
            return result
        state = self.states[batch]
        pieces, (graph, result) = self.graphs[batch]
        for (piece, layer, qkv, mixed), cache in zip(pieces, state.caches):
            piece.replay()
            mixed.copy_(layer.attention(qkv, *cache, state.position))
        graph.replay()
        return result

    def request(self):
        for batch in self.batches:
            state = self.states[batch]
            for i in range(REPLAYS):
                with record_function(f"execute_context_0(0)_generation_{batch}({batch})"):
                    state.position.fill_(64 + i)
                    state.ids.copy_(self.replay(batch).view(batch, 1))
        torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario")
    parser.add_argument("--hidden", type=int, default=1024)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--batches", default="4,2,1")
    parser.add_argument("--around", nargs=2, metavar=("START", "STOP"))
    parser.add_argument("--profile")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    torch.set_grad_enabled(False)
    batches = [int(batch) for batch in arguments.batches.split(",")]
    engine = Engine(arguments.scenario, arguments.hidden, arguments.layers, batches)
    for name, part in (("capture", engine.capture), ("runtime", engine.request)):
        if arguments.profile:
            with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as recorded:
                part()
            recorded.export_chrome_trace(f"{arguments.profile}.{name}.json.gz")
            continue
        if arguments.around:
            subprocess.run(arguments.around[0], shell=True, check=True)
            time.sleep(0.05)
        part()
        if arguments.around:
            subprocess.run(arguments.around[1], shell=True, check=True)
    print("done", arguments.scenario, flush=True)


if __name__ == "__main__":
    main()

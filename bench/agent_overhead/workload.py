# SPDX-License-Identifier: Apache-2.0
"""One process of the overhead table: captures decode graphs, then replays one of them.

    workload.py [--profiler | --proton] [--window START STOP]

Prints one JSON line: seconds to capture 8 graphs (the median of three passes), and the median of the
time per replay (µs, by CUDA events over 20 replays, 15 times). With --profiler it measures replays
again under torch.profiler, with --window between the two shell commands: the second figure. Needs
torch and a GPU.
"""

import argparse
import json
import statistics
import subprocess
import time

import torch
import torch.nn.functional as F

WIDTH, HEADS, KV_HEADS, HEAD, LAYERS, LENGTH = 1024, 16, 8, 128, 132, 256
BATCHES = (8, 7, 6, 5, 4, 3, 2, 1)
MEASURED_BATCH = 4
ROUNDS, REPLAYS = 15, 20
CAPTURE_PASSES = 3


class Decoder:
    """The decode step of a transformer of many thin layers: about 14 kernels a layer."""

    def __init__(self):
        def weight(rows, columns):
            return torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16) * 0.02

        self.norm = torch.ones(WIDTH, device="cuda", dtype=torch.bfloat16)
        self.layers = [(weight((HEADS + 2 * KV_HEADS) * HEAD, WIDTH), weight(WIDTH, HEADS * HEAD),
                        weight(2 * WIDTH, WIDTH), weight(WIDTH, WIDTH)) for _ in range(LAYERS)]
        self.position = torch.full((1,), 64, device="cuda", dtype=torch.long)
        self.inputs = {b: torch.randn(b, 1, WIDTH, device="cuda", dtype=torch.bfloat16) for b in BATCHES}
        self.caches = {b: torch.zeros(2, b, KV_HEADS, LENGTH, HEAD, device="cuda", dtype=torch.bfloat16)
                       for b in BATCHES}

    def attention(self, h, qkv, cache):
        b = h.shape[0]
        q, k, v = F.linear(h, qkv).split([HEADS * HEAD, KV_HEADS * HEAD, KV_HEADS * HEAD], -1)
        for kept, new in zip(cache, (k, v)):
            kept.index_copy_(2, self.position, new.view(b, 1, KV_HEADS, HEAD).transpose(1, 2))
        mixed = F.scaled_dot_product_attention(q.view(b, 1, HEADS, HEAD).transpose(1, 2), *cache, enable_gqa=True)
        return mixed.transpose(1, 2).reshape(b, 1, HEADS * HEAD)

    def step(self, batch):
        x = self.inputs[batch]
        for qkv, out, gate_up, down in self.layers:
            x = x + F.linear(self.attention(F.rms_norm(x, (WIDTH,), self.norm), qkv, self.caches[batch]), out)
            gate, up = F.linear(F.rms_norm(x, (WIDTH,), self.norm), gate_up).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, down)
        return x


def captured(model, batch):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model.step(batch)
    return graph


def capture_all(model):
    graphs, times = {}, []
    for _ in range(CAPTURE_PASSES):
        graphs = {}  # frees those of the last pass
        torch.cuda.synchronize()
        started = time.perf_counter()
        graphs = {batch: captured(model, batch) for batch in BATCHES}
        torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
    return graphs, statistics.median(times)


def replay_us(graph):
    times = []
    for _ in range(ROUNDS):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(REPLAYS):
            graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1000 / REPLAYS)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--profiler", action="store_true")
    parser.add_argument("--proton", action="store_true")
    parser.add_argument("--window", nargs=2, metavar=("START", "STOP"))
    arguments = parser.parse_args()
    torch.set_grad_enabled(False)
    torch.manual_seed(0)
    model = Decoder()
    for batch in BATCHES:
        model.step(batch)  # lazy initialisation stays out of the measurement
    torch.cuda.synchronize()
    if arguments.proton:
        import triton.profiler as proton
        proton.start("/tmp/proton_overhead", backend="cupti")
    graphs, capture_s = capture_all(model)
    graph = graphs[MEASURED_BATCH]
    graph.replay()
    torch.cuda.synchronize()
    result = {"capture_s": capture_s, "replay_us": replay_us(graph)}
    if arguments.profiler:
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True):
            graph.replay()
            torch.cuda.synchronize()
            result["second_us"] = replay_us(graph)
    if arguments.window:
        subprocess.run(arguments.window[0], shell=True, check=True)
        graph.replay()
        torch.cuda.synchronize()
        result["second_us"] = replay_us(graph)
        subprocess.run(arguments.window[1], shell=True, check=True)
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""One process of the overhead table: captures decode graphs of a model, then replays one of them.

    workload.py [--profiler | --proton | --detach] [--window START STOP]

The model is transformers' Qwen3 in the 0.6B shape (28 layers, random weights), about 1,850 nodes a
graph. Prints one JSON line:

    start_up_s   for 8 batch sizes: one eager step, as servers do before a capture, then the capture
    capture_s    the captures in it alone
    replay_us    a replay in a queue of 20, by CUDA events
    launch_us    the call that launches a replay, by the host's clock, while the device is idle
    step_us      from that call until the replay has ended

The first two are the least of several passes, as other work on the host only adds to them, the others
medians.

With --profiler the last three are measured again under torch.profiler, with --window between the two
shell commands, with --detach after cuptiFinalize, when the driver is as if there were no agent:
"second". Needs torch, transformers and a GPU.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import time

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM, StaticCache

PROMPT = 128
BATCHES = (8, 7, 6, 5, 4, 3, 2, 1)
MEASURED_BATCH = 4
ROUNDS, REPLAYS, SINGLE_REPLAYS = 15, 20, 40
CAPTURE_PASSES = 6
# StaticCache counts its own steps, one for every replay too.
CACHE_LENGTH = PROMPT + 2 * (ROUNDS * REPLAYS + SINGLE_REPLAYS) + 64


class Decoder:
    """The decode step of a request in each batch size."""

    def __init__(self):
        config = Qwen3Config(vocab_size=151936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28,
                             num_attention_heads=16, num_key_value_heads=8, head_dim=128, tie_word_embeddings=True)
        config._attn_implementation = "sdpa"
        with torch.device("cuda"):
            self.model = Qwen3ForCausalLM(config).to(torch.bfloat16).eval()
        self.caches = {b: StaticCache(config=config, max_cache_len=CACHE_LENGTH) for b in BATCHES}
        self.ids = {b: torch.zeros((b, 1), device="cuda", dtype=torch.long) for b in BATCHES}
        self.position = torch.full((1,), PROMPT, device="cuda", dtype=torch.long)

    def step(self, batch):
        positions = self.position.view(1, 1).expand(batch, 1)
        logits = self.model(input_ids=self.ids[batch], cache_position=self.position, position_ids=positions,
                            past_key_values=self.caches[batch], use_cache=True).logits
        return logits[:, -1].argmax(-1)


def captured(model, batch):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model.step(batch)
    return graph


def capture_all(model):
    graphs, start_ups, captures = {}, [], []
    for _ in range(CAPTURE_PASSES):
        graphs = {}  # frees those of the last pass
        start_up = capture = 0
        for batch in BATCHES:
            torch.cuda.synchronize()
            started = time.perf_counter()
            model.step(batch)
            torch.cuda.synchronize()
            warmed_up = time.perf_counter()
            graphs[batch] = captured(model, batch)
            torch.cuda.synchronize()
            ended = time.perf_counter()
            start_up += ended - started
            capture += ended - warmed_up
        start_ups.append(start_up)
        captures.append(capture)
    return graphs, {"start_up_s": min(start_ups), "capture_s": min(captures)}


def queued_us(graph):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(REPLAYS):
        graph.replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) * 1000 / REPLAYS


def single_us(graph):
    started = time.perf_counter()
    graph.replay()
    launched = time.perf_counter()
    torch.cuda.synchronize()
    return (launched - started) * 1e6, (time.perf_counter() - started) * 1e6


def replay_times(graph):
    graph.replay()
    torch.cuda.synchronize()
    launches, steps = zip(*[single_us(graph) for _ in range(SINGLE_REPLAYS)])
    return {"replay_us": statistics.median([queued_us(graph) for _ in range(ROUNDS)]),
            "launch_us": statistics.median(launches), "step_us": statistics.median(steps)}


def detach():
    """With the CUPTI that the agent has loaded. Safe only as nothing was recorded and nothing is launched."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        path = next(line.split()[-1] for line in maps if "/libcupti.so" in line)
    torch.cuda.synchronize()
    if ctypes.CDLL(path).cuptiFinalize() != 0:
        raise RuntimeError("cuptiFinalize failed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--profiler", action="store_true")
    parser.add_argument("--proton", action="store_true")
    parser.add_argument("--detach", action="store_true")
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
    graphs, result = capture_all(model)
    graph = graphs[MEASURED_BATCH]
    result.update(replay_times(graph))
    if arguments.profiler:
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True):
            result["second"] = replay_times(graph)
    if arguments.detach:
        detach()
        result["second"] = replay_times(graph)
    if arguments.window:
        subprocess.run(arguments.window[0], shell=True, check=True)
        result["second"] = replay_times(graph)
        subprocess.run(arguments.window[1], shell=True, check=True)
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()

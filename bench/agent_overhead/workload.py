# SPDX-License-Identifier: Apache-2.0
"""One process of the overhead table: captures decode graphs of a 28-layer model, replays one.

    workload.py MODE        (nothing | torch.profiler | proton; the agent comes from outside)

Prints one JSON line: seconds to capture 8 graphs, and the median of the time per replay (µs, by
CUDA events over 20 replays, 15 times). Needs torch, transformers and a GPU.
"""

import json
import statistics
import sys
import time

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM, StaticCache

BATCHES = (8, 7, 6, 5, 4, 3, 2, 1)
MEASURED_BATCH = 4
ROUNDS, REPLAYS = 15, 20


def main() -> None:
    mode = sys.argv[1]
    torch.manual_seed(0)
    config = Qwen3Config(vocab_size=32000, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28,
                         num_attention_heads=16, num_key_value_heads=8, head_dim=128)
    config._attn_implementation = "sdpa"
    model = Qwen3ForCausalLM(config).to("cuda", torch.bfloat16).eval()
    length = 128 + 4 + ROUNDS * REPLAYS + 64  # StaticCache advances with every replay
    caches = {b: StaticCache(config=config, max_cache_len=length) for b in BATCHES}
    inputs = {b: (torch.zeros((b, 1), device="cuda", dtype=torch.long),
                  torch.full((1,), 128, device="cuda", dtype=torch.long)) for b in BATCHES}

    def step(b):
        ids, position = inputs[b]
        with torch.no_grad():
            return model(input_ids=ids, cache_position=position, position_ids=position.view(1, 1).expand(b, 1),
                         past_key_values=caches[b], use_cache=True).logits[:, -1].argmax(-1)

    for b in BATCHES:
        step(b)  # lazy initialisation stays out of the measurement
    torch.cuda.synchronize()

    profiler = None
    if mode == "proton":
        import triton.profiler as proton
        proton.start("/tmp/proton_overhead", backend="cupti")
    started = time.perf_counter()
    graphs = {}
    for b in BATCHES:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step(b)
        graphs[b] = graph
    torch.cuda.synchronize()
    capture_s = time.perf_counter() - started

    if mode == "torch.profiler":
        from torch.profiler import ProfilerActivity, profile
        profiler = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True)
        profiler.__enter__()
    graph = graphs[MEASURED_BATCH]
    graph.replay()
    torch.cuda.synchronize()
    times = []
    for _ in range(ROUNDS):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(REPLAYS):
            graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1000 / REPLAYS)
    print(json.dumps({"mode": mode, "capture_s": capture_s, "replay_us": statistics.median(times)}), flush=True)


if __name__ == "__main__":
    main()

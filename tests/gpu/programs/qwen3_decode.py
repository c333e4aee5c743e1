# SPDX-License-Identifier: Apache-2.0
"""transformers' Qwen3-0.6B shape (28 layers, random weights): captures decode steps, serves a request.

    qwen3_decode.py [--batches 8,4,2,1] [--steps 8]
"""

import argparse

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM, StaticCache

PROMPT = 128


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batches", default="8,4,2,1")
    parser.add_argument("--steps", type=int, default=8)
    arguments = parser.parse_args()
    batches = [int(batch) for batch in arguments.batches.split(",")]
    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    config = Qwen3Config(vocab_size=151936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28,
                         num_attention_heads=16, num_key_value_heads=8, head_dim=128, tie_word_embeddings=True)
    config._attn_implementation = "sdpa"
    with torch.device("cuda"):
        model = Qwen3ForCausalLM(config).to(torch.bfloat16).eval()
    # StaticCache counts its own steps: warm-up, capture and every replay take one.
    caches = {b: StaticCache(config=config, max_cache_len=PROMPT + arguments.steps + 16) for b in batches}
    ids = {b: torch.zeros((b, 1), device="cuda", dtype=torch.long) for b in batches}
    positions = {b: torch.full((1,), PROMPT, device="cuda", dtype=torch.long) for b in batches}

    def step(b):
        position = positions[b]
        logits = model(input_ids=ids[b], cache_position=position, position_ids=position.view(1, 1).expand(b, 1),
                       past_key_values=caches[b], use_cache=True).logits
        return logits[:, -1].argmax(-1)

    graphs = {}
    for b in batches:
        step(b)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = step(b)
        graphs[b] = graph, result
    for b in batches:
        for _ in range(arguments.steps):
            graph, result = graphs[b]
            graph.replay()
            ids[b].copy_(result.view(b, 1))
            positions[b].add_(1)
    torch.cuda.synchronize()
    print("done qwen3", flush=True)


if __name__ == "__main__":
    main()

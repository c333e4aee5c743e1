# SPDX-License-Identifier: Apache-2.0
"""A captured step with NVTX ranges: of its own, or those of torch.autograd.profiler.emit_nvtx.

    torch_nvtx.py ranges|emit
"""

import contextlib
import sys

import torch


def step(x, w):
    torch.cuda.nvtx.range_push("block::project")
    y = x @ w
    torch.cuda.nvtx.range_pop()
    torch.cuda.nvtx.range_push("block::activate")
    y = torch.relu(y)
    torch.cuda.nvtx.range_pop()
    return y


def main():
    emits = sys.argv[1] == "emit"
    x = torch.randn(8, 512, device="cuda")
    w = torch.randn(512, 256, device="cuda")
    plain = (lambda: torch.relu(x @ w)) if emits else (lambda: step(x, w))
    with torch.no_grad():
        plain()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        scope = torch.autograd.profiler.emit_nvtx(record_shapes=True) if emits else contextlib.nullcontext()
        with scope, torch.cuda.graph(graph):  # emit_nvtx synchronises at its start
            plain()
        for _ in range(3):
            graph.replay()
        torch.cuda.synchronize()
    print("done nvtx", flush=True)


if __name__ == "__main__":
    main()

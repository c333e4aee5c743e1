# SPDX-License-Identifier: Apache-2.0
"""What the agent costs its host, against nothing, torch.profiler and Proton, in one run.

    run.py AGENT.so [--shim SHIM.so] [--rounds N]

Runs every mode in turn, N times (A B C … A B C …), each in a process of its own, and prints a table
of medians with the ratio to "nothing" of the same round. Needs a GPU. A run takes about 20 s, so
five rounds take ten minutes.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

MODES = ("nothing", "agent, map only", "agent, graph detail", "agent, node detail", "torch.profiler", "proton")


def environment(mode: str, agent: str, shim: str, folder: str) -> dict:
    env = dict(os.environ)
    if mode.startswith("agent"):
        env.update(CUDA_INJECTION64_PATH=agent, OPCENSUS_DIR=folder, OPCENSUS_TORCH_SHIM=shim,
                   OPCENSUS_DETAIL="graph" if "graph" in mode else "node",
                   OPCENSUS_WINDOW="none" if "map" in mode else "all")
    return env


def run_once(mode: str, agent: str, shim: str):
    workload = pathlib.Path(__file__).with_name("workload.py")
    with tempfile.TemporaryDirectory() as folder:
        name = mode if mode in ("torch.profiler", "proton") else "nothing"
        done = subprocess.run([sys.executable, str(workload), name], env=environment(mode, agent, shim, folder),
                              capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        print(f"{mode}: failed\n{done.stderr[-1500:]}", file=sys.stderr)
        return None
    return json.loads(lines[-1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--shim", default="")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    results = {mode: [] for mode in MODES}
    for _ in range(arguments.rounds):
        for mode in MODES:
            result = run_once(mode, arguments.agent, arguments.shim)
            if result:
                results[mode].append(result)
                print(f"  {mode}: {result['replay_us']:.1f} µs, capture {result['capture_s']:.3f} s", file=sys.stderr)
    base = results["nothing"]
    print(f"{'mode':22} {'µs/replay':>10} {'ratio':>7} {'capture s':>10} {'ratio':>7}  runs")
    for mode, rows in results.items():
        if not rows:
            print(f"{mode:22} {'-':>10}")
            continue
        replay = statistics.median(row["replay_us"] for row in rows)
        capture = statistics.median(row["capture_s"] for row in rows)
        replay_ratio = statistics.median(row["replay_us"] / ref["replay_us"] for row, ref in zip(rows, base))
        capture_ratio = statistics.median(row["capture_s"] / ref["capture_s"] for row, ref in zip(rows, base))
        print(f"{mode:22} {replay:10.1f} {replay_ratio:7.4f} {capture:10.3f} {capture_ratio:7.3f}  {len(rows)}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What the agent costs its host, against nothing, torch.profiler and Proton, in one run.

    run.py OPCENSUS [--rounds N] [--seconds S]

Runs five processes in turn, N times or for S seconds: nothing and then torch.profiler; the agent idle
and then a window with node detail; the agent idle and then detached; the agent with graph detail;
Proton. The agent runs as a user runs it, under `opcensus record`. Prints a table of medians, with the
median of the ratios to "nothing" of the same round. Where things lie in device memory differs between
processes, and moves times by a percent; so the last line compares the agent with its own process after
it was detached. Needs a GPU, torch and transformers; a round takes about a minute and a half.
"""

import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

IDLE, DETACHED = "agent, idle, again", "the same, detached"
WORKLOAD = [sys.executable, str(pathlib.Path(__file__).with_name("workload.py"))]


def window(opcensus: str, action: str, folder: str) -> str:
    return shlex.join([opcensus, "window", action, folder]) + " > /dev/null"


def processes(opcensus: str, folder: str) -> list:
    """Names of the first and the second figure of a process, and its command."""
    record = [opcensus, "record", "-o", folder, "--force"]
    return [
        ("nothing", "torch.profiler", [*WORKLOAD, "--profiler"]),
        ("agent, idle: capture map only", "agent, node detail in a window",
         [*record, "--control", "--", *WORKLOAD, "--window", window(opcensus, "start", folder),
          window(opcensus, "stop", folder)]),
        (IDLE, DETACHED, [*record, "--control", "--", *WORKLOAD, "--detach"]),
        ("agent, graph detail", None, [*record, "--detail", "graph", "--", *WORKLOAD]),
        ("proton", None, [*WORKLOAD, "--proton"]),
    ]


def run_once(command: list):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        print(f"{shlex.join(command)}: failed\n{done.stderr[-1500:]}", file=sys.stderr)
        return None
    return json.loads(lines[-1])


def run_round(opcensus: str, results: list) -> None:
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for first, second, command in processes(opcensus, folder):
            result = run_once(command)
            if result is None:
                continue
            found[first] = result
            if second:
                found[second] = result.pop("second")
    results.append(found)
    print({name: round(figures["replay_us"], 1) for name, figures in found.items()}, flush=True)


def cell(rows: list, figure: str, width: int, digits: int, has_ratio: bool = True) -> str:
    """The median of a figure over the rounds, and that of its ratio to nothing in the same round."""
    if figure not in rows[0][0]:
        return " " * (width + (7 if has_ratio else 0))
    value = statistics.median(own[figure] for own, _ in rows)
    ratio = statistics.median(own[figure] / base[figure] for own, base in rows)
    return f"{value:{width}.{digits}f}" + (f" {ratio:6.3f}" if has_ratio else "")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("opcensus")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1e9, help="start no round after that")
    arguments = parser.parse_args()
    started = time.monotonic()
    results = []
    while len(results) < arguments.rounds and time.monotonic() - started < arguments.seconds:
        run_round(arguments.opcensus, results)
    names = list(dict.fromkeys(name for found in results for name in found))
    print(f"{'':32}{'us a replay':>16} {'launch':>8}{'us a step':>15}{'capture s':>16}{'start-up s':>16}")
    for name in names:
        rows = [(found[name], found["nothing"]) for found in results if name in found and "nothing" in found]
        print(f"{name:32}{cell(rows, 'replay_us', 9, 1)}{cell(rows, 'launch_us', 8, 0, False)}"
              f"{cell(rows, 'step_us', 8, 0)}{cell(rows, 'capture_s', 9, 3)}{cell(rows, 'start_up_s', 9, 3)}"
              f"  {len(rows)}")
    pairs = [found[IDLE]["replay_us"] / found[DETACHED]["replay_us"] for found in results if DETACHED in found]
    if pairs:
        print(f"a replay with the agent idle / in the same process without it: {statistics.median(pairs):.4f}, "
              f"of {len(pairs)} from {min(pairs):.4f} to {max(pairs):.4f}")


if __name__ == "__main__":
    main()

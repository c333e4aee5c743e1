# SPDX-License-Identifier: Apache-2.0
"""What the agent costs its host, against nothing, torch.profiler and Proton, in one run.

    run.py OPCENSUS [--rounds N] [--seconds S]

Runs four processes in turn, N times or for S seconds: nothing and then torch.profiler; the agent
idle and then a window with node detail; the agent with graph detail; Proton. The agent runs as a
user runs it, under `opcensus record`. Prints a table of medians, with the median of the ratios to
"nothing" of the same round. Needs a GPU and torch; a round takes about half a minute.
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
            found[first] = (result["replay_us"], result["capture_s"])
            if second:
                found[second] = (result["second_us"], None)
    results.append(found)
    print({name: figures[0] for name, figures in found.items()}, flush=True)


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
    print(f"{'mode':32} {'us/replay':>10} {'ratio':>7} {'capture s':>10} {'ratio':>7}  rounds")
    for name in names:
        rows = [(found[name], found["nothing"]) for found in results if name in found and "nothing" in found]
        replay = statistics.median(own[0] for own, _ in rows)
        ratio = statistics.median(own[0] / base[0] for own, base in rows)
        line = f"{name:32} {replay:10.1f} {ratio:7.4f}"
        if rows[0][0][1] is not None:
            capture = statistics.median(own[1] for own, _ in rows)
            capture_ratio = statistics.median(own[1] / base[1] for own, base in rows)
            line += f" {capture:10.3f} {capture_ratio:7.3f}"
        else:
            line += f" {'':10} {'':7}"
        print(f"{line}  {len(rows)}")


if __name__ == "__main__":
    main()

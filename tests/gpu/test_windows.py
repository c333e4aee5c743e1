# SPDX-License-Identifier: Apache-2.0
"""Windows by command: what stays behind, a thousand of them, a kill in the middle, and sampling.

    test_windows.py OPCENSUS after|thousand|killed|sampled [ROUNDS]
"""

import json
import os
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import support

KERNELS = 1832  # of programs/replay_loop.cu


def window_commands(opcensus: str, folder: str) -> list:
    return [shlex.join([opcensus, "window", action, folder]) + " > /dev/null" for action in ("start", "stop")]


def run(opcensus: str, program: str, mode: str, folder: str) -> dict:
    done = support.record(opcensus, folder, [program, mode, *window_commands(opcensus, folder)], "--control")
    return json.loads(done.stdout)


def after(opcensus: str, program: str, folder: str, rounds: int) -> None:
    ratios = []
    for _ in range(rounds):
        times = run(opcensus, program, "windows", folder)
        ratios.append(times["after_us"] / times["before_us"])
        print(times)
    print(f"replay after a window / before it: median {statistics.median(ratios):.4f} of {len(ratios)} runs")
    events = support.Report(opcensus, folder).replay_events()
    print(f"device events in the window: {events}")
    if events != {"exact": 100 * KERNELS}:
        support.fail("the window does not hold its 100 replays")


def thousand(opcensus: str, program: str, folder: str, _: int) -> None:
    found = run(opcensus, program, "thousand", folder)
    events = support.Report(opcensus, folder).replay_events()
    print(found, events)
    if events != {"exact": 1000 * KERNELS}:
        support.fail("a window lost device events, or gave a wrong id")
    if found["rss_kb_at_1000"] - found["rss_kb_at_100"] > 20_000:
        support.fail("the host grew with the number of windows")


def killed(opcensus: str, program: str, folder: str, _: int) -> None:
    process = subprocess.Popen([opcensus, "record", "-o", folder, "--force", "--", program, "forever"],
                               stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(3)
    before = time.time_ns()
    # The target, not record: it is the child.
    target = int(subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True,
                                check=True).stdout.split()[0])
    os.kill(target, signal.SIGKILL)
    status = process.wait()
    report = support.Report(opcensus, folder)
    events = report.replay_events()
    size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
    last = subprocess.run([opcensus, "inspect", folder, "--json"], capture_output=True, text=True, check=False).stdout
    print(f"record returned {status}; {events}; {report.diagnostics()}; {size} bytes; killed at {before}")
    print(last[:400])
    if status != 128 + signal.SIGKILL or set(events) != {"exact"}:
        support.fail("the recording of a killed process is not usable")


def sampled(opcensus: str, program: str, folder: str, rounds: int) -> None:
    def mean_of(command: list) -> float:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["mean_us"]

    record = [opcensus, "record", "-o", folder, "--force"]
    commands = {"nothing": [program, "plain"],
                "agent, idle": [*record, "--control", "--", program, "plain"],
                "agent, a sample of 200": [*record, "--sample", "every=200", "--", program, "plain"]}
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(mean_of(command))
        print({name: round(own[-1], 1) for name, own in times.items()})
    report = support.Report(opcensus, folder)
    events = report.replay_events()
    for name, own in times.items():
        ratio = statistics.median(one / base for one, base in zip(own, times["nothing"]))
        print(f"{name}: {statistics.median(own):.1f} us a replay on average, {ratio:.4f} (median of {rounds})")
    print(f"{events}; {report.diagnostics()}")
    # 2,200 launches: 11 samples, each whole.
    if set(events) != {"exact"} or events["exact"] % KERNELS != 0 or events["exact"] < 11 * KERNELS:
        support.fail("a sample is not whole")


def main() -> None:
    opcensus, name = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    support.need_gpu()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as built:
        program = support.build("replay_loop", built)
        {"after": after, "thousand": thousand, "killed": killed, "sampled": sampled}[name](
            opcensus, program, folder, rounds)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The census of a recording (exact) and of torch.profiler's traces (aligned) of one scenario agree.

    test_same_census.py OPCENSUS SCENARIO

The program runs twice: under the agent with a window around the same two parts that torch.profiler
profiles in the other run. Compared are the device events of every operator, shapes, dtypes, kernel and
phase, and the calls of every operator by phase. Times differ between runs, counts must not.
"""

import shlex
import subprocess
import sys
import tempfile

import support

EVENT_KEY = ("phase", "operator", "input_shapes", "input_dtypes", "kernel_name")
CALL_KEY = ("operator", "input_shapes", "input_dtypes")
CALLS = ("warmup_calls", "capture_calls", "eager_calls", "replay_calls")


def device_events(report: support.Report) -> dict:
    counts = {}
    for row in report.rows("kernels"):
        key = tuple(row[column] for column in EVENT_KEY)
        counts[key] = counts.get(key, 0) + int(row["device_events"])
    return counts


def calls(report: support.Report) -> dict:
    return {tuple(row[column] for column in CALL_KEY): tuple(int(row[column]) for column in CALLS)
            for row in report.rows("operators")}


def differences(name: str, ours: dict, theirs: dict) -> int:
    keys = sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key))
    print(f"{name}: {len({*ours, *theirs})} rows, {len(keys)} differ")
    for key in keys[:20]:
        print("  ", key, "recording", ours.get(key), "trace", theirs.get(key))
    return len(keys)


def main() -> None:
    opcensus, scenario = sys.argv[1:3]
    support.need_gpu()
    support.need_modules("python3", "torch", "triton")
    program = ["python3", str(support.PROGRAMS / "torch_graphs.py"), scenario]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as traces:
        window = [shlex.join([opcensus, "window", action, folder]) + " > /dev/null" for action in ("start", "stop")]
        support.record(opcensus, folder, [*program, "--around", *window], "--control")
        subprocess.run([*program, "--profile", f"{traces}/run"], check=True, stdout=subprocess.DEVNULL)
        recording = support.Report(opcensus, folder)
        trace = support.Report(opcensus, f"{traces}/run.capture.json.gz", f"{traces}/run.runtime.json.gz")
        support.expect_all_exact(recording, scenario)
        print(f"{scenario}: trace {trace.replay_events()}")
        count = differences("device events", device_events(recording), device_events(trace))
        count += differences("operator calls", calls(recording), calls(trace))
        if count > 0:
            support.fail(f"{scenario}: {count} rows differ")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the step annotations out of a runtime trace without warm-up: no shape may be wrong.

    check_without_steps.py OPCENSUS CAPTURE RUNTIME TRUTH.jsonl

Several graphs have equal counts and nothing tells them apart, so every replayed event must say
that its shapes are ambiguous, and the operators must still be those of the truth, as often.
"""

import collections
import csv
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile


def strip_steps(source: str, target: pathlib.Path) -> int:
    with gzip.open(source, "rt", encoding="utf-8") as file:
        trace = json.load(file)
    rows = trace["traceEvents"]
    kept = [row for row in rows if not (row.get("cat", "").endswith("user_annotation")
                                        and row["name"].startswith("execute_"))]
    trace["traceEvents"] = kept
    target.write_text(json.dumps(trace), "utf-8")
    return len(rows) - len(kept)


def main() -> int:
    opcensus, capture, runtime, truth_path = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stripped = strip_steps(runtime, folder / "runtime.json")
        subprocess.run([opcensus, "report", capture, str(folder / "runtime.json"), "--out", str(folder / "out")],
                       check=True, stdout=subprocess.DEVNULL)
        with open(folder / "out/kernels.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["phase"] == "replay"]

    expected = collections.Counter()
    for line in pathlib.Path(truth_path).read_text("utf-8").splitlines():
        node = json.loads(line)
        if "[" in node["op"]:
            expected[node["op"].split(" ", 1)[0]] += node["count"]
    found = collections.Counter()
    problems = [] if stripped > 0 else ["there was no step annotation to take out"]
    for row in rows:
        found[row["operator"]] += int(row["device_events"])
        if row["reason"] != "shape_ambiguous" or row["input_shapes"]:
            problems.append(f"not ambiguous: {row}")
    problems += [f"{name}: {found[name]} events, truth {count}"
                 for name, count in sorted(expected.items()) if found[name] != count]
    print("\n".join(problems[:20]) or f"{sum(found.values())} replayed events: every operator right, every shape open")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

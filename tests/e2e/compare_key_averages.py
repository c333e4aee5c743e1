#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `opcensus table` with PyTorch's own key_averages of the same profile.

    compare_key_averages.py OPCENSUS TRACE KEY_AVERAGES.json [--allow NAME …]

Rows are matched by name, device type and input shapes. Each must be equal in calls and, within
1 ns per call, in CPU total, self CPU, device total and self device. A row named by --allow may
differ for one of two known reasons, and in nothing else:

    its device columns   PyTorch books a kernel twice when the profiler's own work (Activity Buffer
                         Request, a stream's creation) runs inside an operator's launch
    its input shapes     PyTorch prints the shapes of a tensor list as []; ours are apart, and
                         must add up to PyTorch's row

Prints every row that differs; exits 0 if all others are equal.
"""

import argparse
import ast
import json
import subprocess
import sys
from collections import defaultdict

FIELDS = (("cpu_total_us", "cpu_total_ns"), ("self_cpu_us", "self_cpu_ns"),
          ("device_total_us", "device_total_ns"), ("self_device_us", "self_device_ns"))


def our_rows(opcensus: str, trace: str) -> dict:
    text = subprocess.run([opcensus, "table", trace, "--group-by-input-shape", "--row-limit", "0",
                           "--format", "json"], check=True, capture_output=True, text=True).stdout
    rows = defaultdict(list)
    for row in json.loads(text):
        shapes = json.dumps(json.loads(row["input_shapes"]), separators=(",", ":"))
        rows[(row["name"], row["device_type"], shapes)].append(row)
    return rows


def columns_that_differ(row: dict, calls: int, times: dict) -> list:
    out = [] if calls == row["count"] else [f"calls {calls} != {row['count']}"]
    for theirs, mine in FIELDS:
        if abs(times[mine] - row[theirs] * 1000) > max(1, row["count"]):
            out.append(f"{mine} {times[mine]} != {row[theirs] * 1000:.0f}")
    return out


def compare(row: dict, shapes: str, ours: dict) -> tuple:
    """(differences, whether a known reason explains them all)."""
    device_type = "CPU" if row["device_type"].endswith("CPU") else "DEVICE"
    found = ours.get((row["key"], device_type, shapes), [])
    if len(found) == 1:
        differences = columns_that_differ(row, found[0]["calls"], found[0])
        return differences, all("device_" in text for text in differences)
    parts = [part for (name, kind, own), rows in ours.items() for part in rows
             if name == row["key"] and kind == device_type and hide_lists(own) == shapes]
    sums = {mine: sum(part[mine] for part in parts) for _, mine in FIELDS}
    adds_up = bool(parts) and not columns_that_differ(row, sum(part["calls"] for part in parts), sums)
    return [f"{len(found)} rows of ours, {len(parts)} with tensor lists as []"], adds_up


def hide_lists(shapes: str) -> str:
    dims = [[] if dim and isinstance(dim[0], list) else dim for dim in json.loads(shapes)]
    return json.dumps(dims, separators=(",", ":"))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("opcensus")
    parser.add_argument("trace")
    parser.add_argument("key_averages")
    parser.add_argument("--allow", nargs="*", default=[])
    arguments = parser.parse_args()

    ours = our_rows(arguments.opcensus, arguments.trace)
    with open(arguments.key_averages, encoding="utf-8") as file:
        truth = json.load(file)
    equal, unexplained, used = 0, 0, set()
    for row in truth:
        shapes = json.dumps(ast.literal_eval(row["input_shapes"]), separators=(",", ":"))
        differences, explained = compare(row, shapes, ours)
        if not differences:
            equal += 1
            continue
        known = explained and row["key"] in arguments.allow
        used.add(row["key"])
        unexplained += 0 if known else 1
        print(f"{'known' if known else 'DIFFERS'}: {row['key'][:60]} {shapes[:60]}: " + "; ".join(differences))
    idle = sorted(set(arguments.allow) - used)
    if idle:
        print("allowed, but equal: " + ", ".join(idle))
    share = 100.0 * equal / len(truth)
    print(f"{equal} of {len(truth)} rows equal ({share:.2f} %), {unexplained} unexplained")
    return 1 if unexplained or idle else 0


if __name__ == "__main__":
    sys.exit(main())

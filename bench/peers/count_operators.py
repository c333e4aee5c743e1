#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""count_operators.py FILE [--orjson]: operators × shapes × dtypes of a trace, the plain way.

What a script around a profiler does: load the whole document, count cpu_op rows by name, shapes and
dtypes, and add up the device time under each by its External id.
"""

import collections
import gzip
import json
import sys


def load(path, loads):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        return loads(file.read())


def main():
    loads = json.loads
    if "--orjson" in sys.argv:
        import orjson

        loads = orjson.loads
    document = load(sys.argv[1], loads)
    events = document["traceEvents"] if isinstance(document, dict) else document
    calls = collections.Counter()
    by_id = {}
    device = collections.Counter()
    for event in events:
        arguments = event.get("args", {})
        if event.get("cat") == "cpu_op":
            key = (
                event["name"],
                json.dumps(arguments.get("Input Dims")),
                json.dumps(arguments.get("Input type")),
            )
            calls[key] += 1
            by_id[arguments.get("External id")] = key
    for event in events:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            key = by_id.get(event.get("args", {}).get("External id"), ("(none)", "", ""))
            device[key] += event["dur"]
    print(len(calls), "operators,", round(sum(device.values()), 3), "us")


if __name__ == "__main__":
    main()

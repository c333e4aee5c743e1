#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the report on every JSON file below a folder and compares its ledger with a count made here.

    check_corpus.py OPCENSUS FOLDER [--list]

Each file either gives a report whose device events and device time equal what json.load finds in
the file, or one clear error line (exit 1). --list prints a Markdown table of all outcomes. Files
that Python's parser refuses are only required to end in a report or an error.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
from decimal import ROUND_HALF_UP, Decimal

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset", "mlu_memcpy", "mlu_memset"}


def join_repeated_arrays(pairs):
    """A second traceEvents array is read too, not instead of the first."""
    out = {}
    for key, value in pairs:
        out[key] = out[key] + value if key == "traceEvents" and key in out else value
    return out


def count_device_events(path: pathlib.Path):
    """(events, ns) or None where the file is not plain JSON with events."""
    raw = path.read_bytes()
    try:
        while raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        data = json.loads(raw, parse_float=Decimal, object_pairs_hook=join_repeated_arrays)
    except (ValueError, EOFError, OSError):
        return None
    rows = data.get("traceEvents") if isinstance(data, dict) else data
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    events, time = 0, 0
    for row in rows:
        if row.get("ph") == "X" and str(row.get("cat", "")).lower() in DEVICE:
            duration = row.get("dur")
            if isinstance(duration, str):
                duration = Decimal(duration)
            if duration is None or "ts" not in row or not isinstance(row.get("name"), str):
                continue
            events += 1
            time += max(0, int((Decimal(duration) * 1000).quantize(Decimal(1), rounding=ROUND_HALF_UP)))
    return events, time


def run(opcensus: str, path: pathlib.Path):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([opcensus, "report", str(path), "--out", folder], capture_output=True, text=True)
        summary = pathlib.Path(folder) / "summary.json"
        return done, json.loads(summary.read_text("utf-8")) if summary.exists() else None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("opcensus")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        print(f"skipped: no folder {arguments.folder}")
        return 77

    files = sorted(path for path in arguments.folder.rglob("*")
                   if path.is_file() and ".json" in path.name.lower())
    failures = 0
    for path in files:
        name = str(path.relative_to(arguments.folder))
        done, summary = run(arguments.opcensus, path)
        if summary is None:
            ok = done.returncode == 1 and done.stderr.startswith("opcensus: error: ")
            outcome = done.stderr.splitlines()[0].replace(str(path), "…") if done.stderr else f"exit {done.returncode}"
            row = f"| {name} | {outcome[:110]} | | | |"
        else:
            ledger = summary["ledger_all_phases"]
            events, time = ledger["device_events"]["total"], ledger["device_time_ns"]["total"]
            expected = count_device_events(path)
            ok = done.returncode == 0 and all(summary["conservation"].values())
            agrees = "not JSON for Python" if expected is None else str(expected == (events, time))
            ok = ok and agrees != "False"
            attributed = events - ledger["device_events"]["unattributed"]
            share = f"{100 * attributed / events:.1f} %" if events else "-"
            reasons = ", ".join(f"{key} {value['device_events'] if isinstance(value, dict) else value}"
                                for key, value in summary["unattributed_reasons"].items())
            row = f"| {name} | report | {events} | {agrees} | {share} {reasons} |"
        if arguments.list or not ok:
            print(row if ok else "FAILED " + row)
        failures += 0 if ok else 1
    print(f"{len(files) - failures} of {len(files)} files end in a balanced report or a clear error")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the report on every profile below a folder and compares its ledger with a count made here.

    check_corpus.py OPCENSUS FOLDER [--list]

Profiles are JSON files, databases of Nsight Systems and of Ascend, kernel tables of Ascend, and
Ascend's folders. Each either gives a report whose device events and device time equal what json,
sqlite3 or csv find in it, or one clear error line (exit 1). --list prints a Markdown table of all
outcomes. Files that Python's parser refuses, and folders (their files are checked one by one), are
only required to end in a report or an error.
"""

import argparse
import csv
import gzip
import io
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
from decimal import ROUND_HALF_UP, Decimal

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset", "mlu_memcpy", "mlu_memset",
          "mtia_ccp_events"}
MARKS = {"event_record", "event_wait"}  # of mtia_ccp_events: no work
ASCEND_TASKS = {"AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "AI_CPU", "DSA_SQE", "Other",
                "PCIE_DMA_SQE", "SDMA_SQE"}
NSYS_TABLES = ["CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
               "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"]


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
    lanes = {row.get("pid"): row.get("args", {}).get("name") for row in rows
             if row.get("ph") == "M" and row.get("name") == "process_name"}
    events, time = 0, 0
    for row in rows:
        if row.get("ph") == "X" and is_device_row(row, lanes.get(row.get("pid"))):
            duration = row.get("dur")
            if isinstance(duration, str):
                duration = Decimal(duration)
            if duration is None or "ts" not in row or not isinstance(row.get("name"), str):
                continue
            events += 1
            time += max(0, nanoseconds(duration))
    return events, time


def nanoseconds(microseconds):
    return int((Decimal(microseconds) * 1000).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def is_device_row(row, lane):
    if lane == "Ascend Hardware":
        return row.get("args", {}).get("Task Type") in ASCEND_TASKS
    if lane in ("HCCL", "Communication"):
        return row["name"].startswith("hcom_")
    category = str(row.get("cat", "")).lower()
    return category in DEVICE and not (category == "mtia_ccp_events" and row.get("name") in MARKS)


def count_database(path: pathlib.Path):
    """(events, ns) of a database; None where SQLite refuses it or a table is missing."""
    try:
        database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if "StringIds" in tables:
            queries = [f'SELECT COUNT(*), TOTAL(MAX("end" - start, 0)) FROM {table}'
                       for table in NSYS_TABLES if table in tables]
        else:
            span = "COUNT(*), TOTAL(MAX(t.endNs - t.startNs, 0))"
            queries = [
                f"SELECT {span} FROM TASK t JOIN COMPUTE_TASK_INFO c USING (globalTaskId) WHERE "
                "globalTaskId NOT IN (SELECT globalTaskId FROM COMMUNICATION_TASK_INFO)",
                f"SELECT {span} FROM COMMUNICATION_OP t",
                f"SELECT {span} FROM TASK t JOIN STRING_IDS s ON s.id = t.taskType WHERE "
                "(s.value LIKE 'MEMCPY%' OR s.value LIKE 'MEMSET%' OR s.value LIKE '%DMA_SQE') AND "
                "globalTaskId NOT IN (SELECT globalTaskId FROM COMMUNICATION_TASK_INFO)",
            ]
        counts = [database.execute(query).fetchone() for query in queries]
    except sqlite3.Error:
        return None
    return sum(row[0] for row in counts), sum(int(row[1]) for row in counts)


def count_table(path: pathlib.Path):
    """(events, ns) of kernel_details.csv or op_summary_*.csv."""
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    column = next((name for name in ("Duration(us)", "Task Duration(us)") if rows and name in rows[0]),
                  None)
    if column is None:
        return None
    return len(rows), sum(nanoseconds(row[column].strip()) for row in rows)


def count_profile(path: pathlib.Path):
    if path.is_dir():
        return None
    if path.suffix in (".sqlite", ".db"):
        return count_database(path)
    return count_table(path) if path.suffix == ".csv" else count_device_events(path)


def is_profile(path: pathlib.Path) -> bool:
    name = path.name.lower()
    if path.is_dir():
        return name.endswith("_ascend_pt")
    return (".json" in name or name.endswith((".sqlite", ".db")) or name == "kernel_details.csv"
            or (name.startswith("op_summary") and name.endswith(".csv")))


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

    files = sorted(path for path in arguments.folder.rglob("*") if is_profile(path))
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
            expected = count_profile(path)
            ok = done.returncode == 0 and all(summary["conservation"].values())
            agrees = "-" if expected is None else str(expected == (events, time))
            ok = ok and agrees != "False"
            attributed = events - ledger["device_events"]["unattributed"]
            share = f"{100 * attributed / events:.1f} %" if events else "-"
            reasons = ", ".join(f"{key} {value['device_events'] if isinstance(value, dict) else value}"
                                for key, value in summary["unattributed_reasons"].items())
            row = f"| {name} | report | {events} | {agrees} | {share} {reasons} |"
        if arguments.list or not ok:
            print(row if ok else "FAILED " + row)
        failures += 0 if ok else 1
    print(f"{len(files) - failures} of {len(files)} profiles end in a balanced report or a clear error")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""What the GPU tests share: a GPU or a skip, runs under `opcensus record`, and their reports."""

import csv
import ctypes
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PROGRAMS = pathlib.Path(__file__).with_name("programs")
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"


def skip(reason: str):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def fail(reason: str):
    print(f"FAILED: {reason}")
    sys.exit(1)


def need_gpu() -> None:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        skip("no NVIDIA driver on this machine")
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0 or count.value == 0:
        skip("no NVIDIA GPU on this machine")


def need_modules(python: str, *names: str) -> None:
    for name in names:
        if subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode != 0:
            skip(f"{python} has no {name}")


def build(name: str, folder: str) -> str:
    """A CUDA program of ours, compiled."""
    compiler = shutil.which("nvcc")
    if compiler is None:
        skip("no nvcc on this machine")
    out = os.path.join(folder, name)
    subprocess.run([compiler, "-std=c++17", "-O2", "-arch=native", f"-I{INCLUDE}", "-o", out,
                    str(PROGRAMS / f"{name}.cu"), "-ldl"], check=True)
    return out


def record(opcensus: str, folder: str, command: list, *options: str, timeout: int = 300):
    """Runs a command under `opcensus record`; fails if that does."""
    done = subprocess.run([opcensus, "record", "-o", folder, "--force", *options, "--", *command],
                          capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        fail(f"{shlex.join(command)} under record returned {done.returncode}\n{done.stderr[-3000:]}")
    return done


class Report:
    """The files of `opcensus report INPUT… --out`."""

    def __init__(self, opcensus: str, *inputs: str):
        self._folder = tempfile.TemporaryDirectory()
        done = subprocess.run([opcensus, "report", *inputs, "--out", self._folder.name],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            fail(f"report returned {done.returncode}\n{done.stderr[-3000:]}")
        self.text = done.stdout
        self.summary = json.loads((pathlib.Path(self._folder.name) / "summary.json").read_text("utf-8"))

    def rows(self, name: str) -> list:
        with open(pathlib.Path(self._folder.name) / f"{name}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def replay_events(self) -> dict:
        """Device events of graph replays by attribution (or reason, where there is none)."""
        events = {}
        for row in self.rows("kernels"):
            if row["phase"] == "replay":
                key = row["reason"] or row["attribution"]
                events[key] = events.get(key, 0) + int(row["device_events"])
        return events

    def diagnostics(self) -> list:
        return [f"{entry['name']} x{entry['times']}" for entry in self.summary["diagnostics"]]


def expect_all_exact(report: Report, what: str) -> None:
    events = report.replay_events()
    print(f"{what}: replayed device events {events}; diagnostics {report.diagnostics()}")
    if not events.get("exact") or set(events) != {"exact"}:
        for row in report.rows("kernels"):
            if row["phase"] == "replay" and row["attribution"] != "exact":
                print("  ", row["kernel_name"][:90], row["reason"], row["device_events"])
        fail(f"{what}: not every replayed device event is exact")

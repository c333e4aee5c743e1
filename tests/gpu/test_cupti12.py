# SPDX-License-Identifier: Apache-2.0
"""CUPTI 12 under a CUDA 12 program: exact, and what it cannot report is found out, not guessed.

    OPCENSUS_CUDA12=FOLDER test_cupti12.py OPCENSUS

FOLDER holds libcudart.so.12, libcupti.so.12 and include/ of CUDA 12.8 or later, or runtime12, built.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import support


def main() -> None:
    opcensus = sys.argv[1]
    support.need_gpu()
    cuda = os.environ.get("OPCENSUS_CUDA12")
    if not cuda:
        support.skip("OPCENSUS_CUDA12 names no CUDA 12")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(cuda) / "runtime12"
        if not program.exists():
            program = pathlib.Path(folder) / "runtime12"
            subprocess.run(["g++", "-std=c++17", f"-I{cuda}/include", f"-I{support.INCLUDE}", "-o", str(program),
                            str(support.PROGRAMS / "runtime12.cpp"), f"{cuda}/libcudart.so.12", "-ldl"], check=True)
        os.environ["LD_LIBRARY_PATH"] = cuda
        os.environ["OPCENSUS_CUPTI"] = f"{cuda}/libcupti.so.12"
        done = support.record(opcensus, f"{folder}/run", [str(program)])
        if done.stdout != "done runtime12\n":
            support.fail(f"the program's output was changed: {done.stdout!r}")
        report = support.Report(opcensus, f"{folder}/run")
        events = report.replay_events()
        print(events, report.diagnostics())
        print([(row["kernel_name"], row["operator"], row["reason"], row["device_events"])
               for row in report.rows("kernels")])
        # 5 replays of 3 nodes; the first kernel of the last two is another than was captured.
        if events != {"exact": 13, "stale_node": 2}:
            support.fail("not exact, or a stale node was not found")


if __name__ == "__main__":
    main()

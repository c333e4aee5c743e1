#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""load_with_hta.py FILE: HolisticTraceAnalysis loads the file and sums the time of its kernels."""

import os
import shutil
import sys
import tempfile

from hta.trace_analysis import TraceAnalysis


def main():
    with tempfile.TemporaryDirectory() as folder:
        # It wants a folder of gzipped or plain traces that name their rank.
        name = os.path.join(folder, os.path.basename(sys.argv[1]))
        try:
            os.link(sys.argv[1], name)
        except OSError:
            shutil.copy(sys.argv[1], name)
        analysis = TraceAnalysis(trace_files={0: name}, trace_dir=folder)
        table = analysis.t.get_trace(0)
        print(len(table), "rows")


if __name__ == "__main__":
    main()

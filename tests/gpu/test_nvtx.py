# SPDX-License-Identifier: Apache-2.0
"""Without the torch shim, NVTX ranges are the operators; with it, they are only annotations.

    test_nvtx.py OPCENSUS ranges|emit|shim
"""

import sys
import tempfile

import support

EXPECTED = {
    "ranges": {("block::project", ""), ("block::activate", "")},
    "emit": {("aten::mm", "[[8,512],[512,256]]"), ("aten::clamp_min", "[[8,256],[]]")},
    "shim": {("aten::mm", "[[8,512],[512,256]]"), ("aten::clamp_min", "[[8,256],[]]")},
}


def main() -> None:
    opcensus, case = sys.argv[1:3]
    support.need_gpu()
    support.need_modules("python3", "torch")
    options = [] if case == "shim" else ["--torch-shim", "off"]
    mode = "emit" if case == "emit" else "ranges"
    with tempfile.TemporaryDirectory() as folder:
        support.record(opcensus, folder, ["python3", str(support.PROGRAMS / "torch_nvtx.py"), mode], *options)
        report = support.Report(opcensus, folder)
        support.expect_all_exact(report, case)
        found = {(row["operator"], row["input_shapes"]) for row in report.rows("kernels") if row["phase"] == "replay"}
        print(found)
        if found != EXPECTED[case]:
            support.fail(f"{case}: expected {EXPECTED[case]}")


if __name__ == "__main__":
    main()

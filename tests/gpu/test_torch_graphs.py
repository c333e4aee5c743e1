# SPDX-License-Identifier: Apache-2.0
"""Every replayed device event of a torch scenario is exact, and equal to the truth where there is one.

    test_torch_graphs.py OPCENSUS SCENARIO [--truth FILE.jsonl] [arguments of torch_graphs.py]
"""

import argparse
import json
import pathlib
import sys
import tempfile

import support

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from compare_truth import is_same_operator  # noqa: E402


def executed_kernels(report: support.Report) -> dict:
    """Replayed graph -> its executed kernel nodes, in order."""
    graphs = {}
    for row in report.rows("graph_nodes"):
        if int(row["executions"]) > 0 and row["kind"] == "kernel":
            graphs.setdefault(int(row["graph"]), []).append((int(row["node"]), row))
    return {graph: [row for _, row in sorted(nodes, key=lambda pair: pair[0])]
            for graph, nodes in sorted(graphs.items())}


def compare(report: support.Report, truth_path: str) -> None:
    truth = {}
    for line in pathlib.Path(truth_path).read_text("utf-8").splitlines():
        node = json.loads(line)
        truth.setdefault(node["exec"], []).append(node)
    found = executed_kernels(report)
    if len(found) != len(truth):
        support.fail(f"{len(found)} replayed graphs, {len(truth)} in the truth")
    equal = total = shown = 0
    for (_, rows), (_, nodes) in zip(sorted(found.items()), sorted(truth.items())):
        nodes.sort(key=lambda node: node["node"])
        total += max(len(rows), len(nodes))
        for row, node in zip(rows, nodes):
            same = is_same_operator(row, node["op"]) and int(row["executions"]) == node["count"]
            equal += same
            if not same and shown < 5:
                shown += 1
                print("  differs:", row["operator"], row["input_shapes"], row["executions"], "truth", node["op"],
                      node["count"])
    print(f"{equal} of {total} nodes equal the truth")
    if equal != total:
        support.fail("nodes differ from the truth")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("opcensus")
    parser.add_argument("scenario")
    parser.add_argument("--truth")
    arguments, rest = parser.parse_known_args()
    support.need_gpu()
    support.need_modules("python3", "torch", "triton")
    with tempfile.TemporaryDirectory() as folder:
        done = support.record(arguments.opcensus, folder, [
            "python3", str(support.PROGRAMS / "torch_graphs.py"), arguments.scenario, *rest])
        if done.stdout != f"done {arguments.scenario}\n":
            support.fail(f"the program's output was changed: {done.stdout!r}")
        report = support.Report(arguments.opcensus, folder)
        support.expect_all_exact(report, arguments.scenario)
        if arguments.truth:
            compare(report, arguments.truth)


if __name__ == "__main__":
    main()

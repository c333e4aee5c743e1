#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a report's graph_nodes.csv with node-exact ground truth.

    compare_truth.py OPCENSUS CAPTURE RUNTIME TRUTH.jsonl

The truth was recorded by CUPTI graph-node callbacks in an identical run: one line per executed
graph node with its operator, input shapes and dtypes. Exits 0 if every executed node has the
same operator, shapes and dtypes, and the same number of executions; prints the differences
otherwise. Replayed graphs correspond in order: exec ids ascend with instantiation. Nodes that ran
outside every framework operator have no shapes in the truth: of these, executions are compared.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

# Kineto spells the dtypes of tensors as C++ types; the callbacks print c10 names.
TENSOR_DTYPES = {
    "c10::BFloat16": "BFloat16",
    "c10::Half": "Half",
    "float": "Float",
    "double": "Double",
    "long int": "Long",
    "int": "Int",
    "bool": "Bool",
    "unsigned char": "Byte",
}
SCALAR_TAGS = {"Int", "Double", "Bool", "None", "Device", "Generator", "String", "SymInt"}


def parse_truth_op(text: str) -> tuple[str, str, list[str]]:
    name, rest = text.split(" ", 1)
    shapes, _, dtypes = rest.rpartition(" ")
    return name, shapes, [part for part in dtypes.replace("(", "").replace(")", "").split(";") if part]


def flatten_shapes(dims: list) -> str:
    """[[8,1024],[]] -> "[8,1024][]"; a tensor list -> "([8,4][8,4])"."""
    out = ""
    for dim in dims:
        if dim and isinstance(dim[0], list):
            out += "(" + "".join(json.dumps(d, separators=(",", ":")) for d in dim) + ")"
        else:
            out += json.dumps(dim, separators=(",", ":"))
    return out


def dtypes_agree(ours: list[str], dims: list, truth: list[str]) -> bool:
    expanded = []
    for dtype, dim in zip(ours, dims):
        expanded += [dtype] * (len(dim) if dtype == "TensorList" else 1)
    if len(expanded) != len(truth):
        return False
    for dtype, tag in zip(expanded, truth):
        if dtype in TENSOR_DTYPES:
            if TENSOR_DTYPES[dtype] != tag:
                return False
        elif dtype == "TensorList":
            continue  # Kineto does not record the dtypes of its elements
        elif dtype == "ScalarList":
            if tag != "GenericList" and not tag.endswith("List"):
                return False
        elif tag not in SCALAR_TAGS and not tag.endswith("List"):
            return False
    return True


def is_same_operator(row: dict, truth: str) -> bool:
    """A row of graph_nodes.csv against the operator of a truth line."""
    if "[" not in truth:
        return True  # outside every framework operator
    name, shapes, dtypes = parse_truth_op(truth)
    dims = json.loads(row["input_shapes"] or "[]")
    types = json.loads(row["input_dtypes"] or "[]")
    return row["operator"] == name and flatten_shapes(dims) == shapes and dtypes_agree(types, dims, dtypes)


def main() -> int:
    opcensus, capture, runtime, truth_path = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([opcensus, "report", capture, runtime, "--out", folder],
                       check=True, stdout=subprocess.DEVNULL)
        with open(pathlib.Path(folder) / "graph_nodes.csv", newline="", encoding="utf-8") as file:
            nodes = {(int(row["graph"]), int(row["node"])): row for row in csv.DictReader(file)}

    truth = [json.loads(line) for line in pathlib.Path(truth_path).read_text("utf-8").splitlines()]
    replayed = sorted({graph for (graph, _), row in nodes.items() if int(row["executions"]) > 0})
    execs = sorted({line["exec"] for line in truth})
    if len(replayed) != len(execs):
        print(f"{len(replayed)} replayed graphs, {len(execs)} in the truth")
        return 1
    graph_of = dict(zip(execs, replayed))
    differences = []
    for line in truth:
        key = (graph_of[line["exec"]], line["node"])
        row = nodes.pop(key, None)
        if row is None:
            differences.append(f"{key}: missing, truth {line['op']}")
            continue
        if int(row["executions"]) != line["count"]:
            differences.append(f"{key}: {row['executions']} executions, truth {line['count']}")
        if not is_same_operator(row, line["op"]):
            differences.append(f"{key}: {row['operator']} {row['input_shapes']} {row['input_dtypes']}"
                               f" ({row['attribution']}), truth {line['op']}")
    for key, row in nodes.items():
        if int(row["executions"]) > 0 and row["kind"] == "kernel":
            differences.append(f"{key}: executed, but not in the truth")

    for difference in differences[:20]:
        print(difference)
    print(f"{len(truth) - len(differences)} of {len(truth)} executed nodes equal the truth")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

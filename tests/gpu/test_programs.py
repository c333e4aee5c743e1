# SPDX-License-Identifier: Apache-2.0
"""Whole programs under the agent, unchanged: transformers, JAX, CUDA C++.

    test_programs.py OPCENSUS qwen3|jax|graph_kinds [--show]
"""

import sys
import tempfile

import support


def command_of(name: str, folder: str) -> list:
    if name == "graph_kinds":
        return [support.build(name, folder)]
    support.need_modules("python3", *{"qwen3": ("torch", "transformers"), "jax": ("jax",)}[name])
    return ["python3", str(support.PROGRAMS / f"{name}_decode.py")]


def main() -> None:
    opcensus, name = sys.argv[1:3]
    support.need_gpu()
    with tempfile.TemporaryDirectory() as folder:
        command = command_of(name, folder)
        done = support.record(opcensus, f"{folder}/run", command)
        if not done.stdout.startswith("done "):
            support.fail(f"the program's output was changed: {done.stdout!r}")
        report = support.Report(opcensus, f"{folder}/run")
        if "--show" in sys.argv:
            print(done.stderr[-600:])
            print(report.text)
        support.expect_all_exact(report, name)


if __name__ == "__main__":
    main()

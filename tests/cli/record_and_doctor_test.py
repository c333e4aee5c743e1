#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record_and_doctor_test.py BINARY: the verbs that depend on the machine, with or without a GPU."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = ""
FINDINGS = ["driver", "gpu", "cupti", "agent", "torch", "compiler", "shim"]
STATES = {"good", "limits", "prevents"}


def run(*arguments, **environment):
    variables = {**os.environ, **environment}
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, env=variables, check=False
    )


class Doctor(unittest.TestCase):
    def answer(self, *arguments, **environment):
        done = run("doctor", "--json", *arguments, **environment)
        self.assertEqual(done.stderr, "")
        return done.returncode, json.loads(done.stdout)

    def test_every_part_has_a_state_and_a_sentence(self):
        code, answer = self.answer()
        self.assertEqual(code, 0)
        names = [finding["name"] for finding in answer["findings"]]
        self.assertEqual([name for name in names if name != "conflict"], FINDINGS)
        for finding in answer["findings"]:
            self.assertIn(finding["state"], STATES)
            self.assertTrue(finding["text"])
        prevented = any(finding["state"] == "prevents" for finding in answer["findings"])
        self.assertEqual(answer["can_record"], not prevented)

    def test_require_fails_without_the_agent_and_only_require(self):
        missing = {"OPCENSUS_AGENT": "/no/such/agent.so"}
        self.assertEqual(self.answer(**missing)[0], 0)
        code, answer = self.answer("--require", **missing)
        self.assertEqual(code, 1)
        self.assertFalse(answer["can_record"])

    def test_another_injected_tool_is_named_and_not_loaded(self):
        _, answer = self.answer(CUDA_INJECTION64_PATH="/opt/other/tool.so")
        conflict = [each for each in answer["findings"] if each["name"] == "conflict"]
        self.assertEqual(len(conflict), 1)
        self.assertIn("/opt/other/tool.so", conflict[0]["text"])

    def test_a_tool_that_has_nvtx_is_named(self):
        _, answer = self.answer(NVTX_INJECTION64_PATH="/opt/other/nvtx.so")
        conflict = [each["text"] for each in answer["findings"] if each["name"] == "conflict"]
        self.assertEqual(conflict, ["NVTX_INJECTION64_PATH loads another tool: /opt/other/nvtx.so"])

    def test_a_missing_python_is_named(self):
        done = run("doctor", "--python", "/no/such/python3")
        self.assertIn("/no/such/python3 is not there", done.stdout)


class Record(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.run_folder = pathlib.Path(self.folder.name, "run").resolve()

    def record(self, *options, command, **environment):
        return run("record", "-o", str(self.run_folder), *options, "--", *command, **environment)

    def test_the_target_gets_the_agent_and_its_settings(self):
        done = self.record(
            "--detail", "graph", "--sample", "every=200", "--torch-shim", "off", command=["env"],
            OPCENSUS_TORCH_SHIM="/old/shim.so", UNTOUCHED="yes",
        )
        lines = done.stdout.splitlines()
        variables = dict(line.split("=", 1) for line in lines if "=" in line)
        self.assertEqual(variables["OPCENSUS_DIR"], str(self.run_folder))
        self.assertEqual(variables["OPCENSUS_DETAIL"], "graph")
        self.assertEqual(variables["OPCENSUS_WINDOW"], "every=200")
        self.assertEqual(variables["UNTOUCHED"], "yes")
        self.assertNotIn("OPCENSUS_TORCH_SHIM", variables)
        self.assertTrue(os.path.isabs(variables["CUDA_INJECTION64_PATH"]))

    def test_nvtx_goes_to_the_agent_unless_it_is_somebody_elses(self):
        done = self.record("--torch-shim", "off", command=["env"], NVTX_INJECTION64_PATH="")
        variables = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        self.assertEqual(variables["NVTX_INJECTION64_PATH"], variables["CUDA_INJECTION64_PATH"])
        other = "/opt/other/nvtx.so"
        done = self.record(
            "--torch-shim", "off", "--force", command=["env"], NVTX_INJECTION64_PATH=other
        )
        self.assertIn(f"NVTX_INJECTION64_PATH={other}\n", done.stdout)
        self.assertIn(f"leaves NVTX ranges to the tool in NVTX_INJECTION64_PATH: {other}", done.stderr)

    def test_a_given_shim_is_passed_on_as_an_absolute_path(self):
        shim = pathlib.Path(self.folder.name, "shim.so")
        shim.touch()
        done = self.record("--torch-shim", os.path.relpath(shim), command=["env"])
        self.assertIn(f"OPCENSUS_TORCH_SHIM={shim.resolve()}\n", done.stdout)

    def test_recordings_are_counted(self):
        script = "printf 12345 > $OPCENSUS_DIR/1.ocrec; printf 1 > $OPCENSUS_DIR/2.ocrec"
        done = self.record("--torch-shim", "off", command=["sh", "-c", script])
        self.assertEqual(
            done.stderr, f"opcensus: 2 recordings, 6 B; opcensus report {self.run_folder}\n"
        )

    def test_a_torch_that_cannot_be_built_against_does_not_stop_the_run(self):
        torch = pathlib.Path(self.folder.name, "site", "torch")
        (torch / "lib").mkdir(parents=True)
        (torch / "__init__.py").write_text("def compiled_with_cxx11_abi(): return True\n")
        (torch / "version.py").write_text("__version__ = '0.0.1'\n")
        done = self.record(
            command=[sys.executable, "-c", "print('ran')"], PYTHONPATH=str(torch.parent),
            XDG_CACHE_HOME=self.folder.name,
        )
        self.assertEqual(done.stdout, "ran\n")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no PyTorch operators in this recording: the PyTorch shim did not", done.stderr)

    def test_a_missing_agent_is_an_error_before_the_run(self):
        done = self.record(command=["echo", "ran"], OPCENSUS_AGENT="/no/such/agent.so")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertFalse(self.run_folder.exists())


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()

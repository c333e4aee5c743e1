# SPDX-License-Identifier: Apache-2.0
"""tools/check-layers finds each kind of violation, and is silent about what is allowed."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-layers"


def check(files):
    """The exit status and the output for a tree of {path: content}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        run = subprocess.run(
            [sys.executable, TOOL, folder], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout


class CheckLayers(unittest.TestCase):
    def assert_allowed(self, path, line):
        status, output = check({path: line + "\n"})
        self.assertEqual((status, output), (0, ""), f"{path}: {line}")

    def assert_refused(self, path, line, number=1):
        status, output = check({path: line + "\n"})
        self.assertEqual(status, 1, f"{path}: {line}")
        self.assertTrue(output.startswith(f"{path}:{number}: "), output)

    def test_includes_along_the_pipeline_are_allowed(self):
        self.assert_allowed("src/base/a.h", '#include "opcensus/result.h"')
        self.assert_allowed("src/io/a.h", '#include "src/base/ids.h"')
        self.assert_allowed("src/import/kineto/a.cpp", '#include "src/io/byte_source.h"')
        self.assert_allowed("src/import/kineto/a.cpp", '#include "src/import/kineto/b.h"')
        self.assert_allowed("src/census/a.cpp", '#include "src/attribute/attribution.h"')
        self.assert_allowed("src/engine/a.cpp", '#include "src/import/kineto/reader.h"')
        self.assert_allowed("apps/opcensus/a.cpp", '#include "src/engine/engine.h"')
        self.assert_allowed("tests/golden/a.cpp", '#include "src/import/kineto/reader.h"')

    def test_includes_against_the_pipeline_are_refused(self):
        self.assert_refused("src/base/a.h", '#include "src/io/byte_source.h"')
        self.assert_refused("src/io/a.h", '#include "src/model/trace.h"')
        self.assert_refused("src/model/a.cpp", '#include "src/census/census.h"')
        self.assert_refused("src/attribute/a.cpp", '#include "src/import/kineto/reader.h"')
        self.assert_refused("src/report/a.cpp", '#include "src/model/trace.h"')
        self.assert_refused("src/report/a.cpp", '#include "src/engine/engine.h"')
        self.assert_refused("apps/opcensus/a.cpp", '#include "src/model/trace.h"')
        self.assert_refused("src/base/a.cpp", '#include "apps/opcensus/options.h"')
        self.assert_refused("src/base/a.cpp", '#include "tests/support/temporary_folder.h"')

    def test_the_wire_format_is_all_that_agent_and_importer_share(self):
        self.assert_allowed("src/import/recording/a.cpp", '#include "agent/wire.h"')
        self.assert_allowed("agent/a.cpp", '#include "agent/wire.h"')
        self.assert_allowed("tests/support/a.h", '#include "agent/wire.h"')
        self.assert_refused("src/import/recording/a.cpp", '#include "agent/cupti.h"')
        self.assert_refused("src/import/kineto/a.cpp", '#include "agent/wire.h"')
        self.assert_refused("src/engine/a.cpp", '#include "agent/wire.h"')
        self.assert_refused("agent/a.cpp", '#include "src/base/ids.h"')

    def test_formats_do_not_include_each_other(self):
        self.assert_refused("src/import/kineto/a.cpp", '#include "src/import/nsys/reader.h"')

    def test_unit_tests_keep_to_the_layer_of_their_folder(self):
        self.assert_allowed("src/io/a_test.cpp", '#include "tests/support/temporary_folder.h"')
        self.assert_refused("src/io/a_test.cpp", '#include "src/model/trace.h"')

    def test_third_party_headers_stay_in_their_home(self):
        self.assert_allowed("src/import/kineto/a.cpp", "#include <simdjson.h>")
        self.assert_refused("src/model/a.cpp", "#include <simdjson.h>")
        self.assert_allowed("src/io/a.cpp", "#include <sqlite3.h>")
        self.assert_refused("src/engine/a.cpp", "#include <sqlite3.h>")
        self.assert_allowed("src/io/a.cpp", "#include <isa-l/igzip_lib.h>")
        self.assert_refused("src/import/kineto/a.cpp", "#include <isa-l/igzip_lib.h>")
        self.assert_allowed("apps/opcensus/a.cpp", "#include <CLI/CLI.hpp>")
        self.assert_refused("src/engine/a.cpp", "#include <CLI/CLI.hpp>")
        self.assert_allowed("tests/differential/a.cpp", "#include <nlohmann/json.hpp>")
        self.assert_allowed("src/report/a_test.cpp", "#include <nlohmann/json.hpp>")
        self.assert_refused("src/report/a.cpp", "#include <nlohmann/json.hpp>")

    def test_includes_start_at_the_root(self):
        self.assert_refused("src/base/a.cpp", '#include "ids.h"')

    def test_an_unknown_folder_is_refused(self):
        self.assert_refused("src/util/a.cpp", "#include <vector>")

    def test_the_line_is_that_of_the_include(self):
        self.assert_refused("src/base/a.cpp", '\n\n  #  include "src/io/a.h"', number=3)

    def test_packages_are_found_in_one_file(self):
        self.assert_allowed("cmake/Dependencies.cmake", "find_package(fmt)")
        self.assert_refused("src/base/CMakeLists.txt", "find_package(fmt)")
        self.assert_refused("CMakeLists.txt", "  pkg_check_modules(ISAL libisal)")
        self.assert_allowed("src/base/CMakeLists.txt", "# find_package(fmt) is elsewhere")


if __name__ == "__main__":
    unittest.main()

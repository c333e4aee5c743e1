# SPDX-License-Identifier: Apache-2.0
"""docs/errors.md explains every ErrorCode, Issue and Reason, in the words of the code."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def enumerators(name):
    """The enumerators of `enum class NAME`, in order, from whichever header defines it."""
    pattern = re.compile(rf"enum class {name}\b[^{{;]*{{(.*?)}};", re.DOTALL)
    headers = [path for top in ("include", "src") for path in (ROOT / top).rglob("*.h")]
    found = [match for path in headers
             if (match := pattern.search(path.read_text(encoding="utf-8")))]
    assert len(found) == 1, f"{len(found)} definitions of {name}"
    body = found[0].group(1)
    body = re.sub(r"//[^\n]*", "", body)
    return [entry.strip() for entry in body.split(",") if entry.strip()]


def snake_case(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def joined(literals):
    """The value of adjacent C++ string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')


def issues():
    """(name, severity, sentence, remedy) of each row of the table in issue.cpp."""
    literals = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
    row = re.compile(rf"{{{literals},\s*Severity::(\w+),\s*{literals},\s*{literals}}}")
    for name, severity, sentence, remedy in row.findall(read("src/base/issue.cpp")):
        yield joined(name), snake_case(severity), joined(sentence), joined(remedy)


class ErrorsDocument(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.text = read("docs/errors.md")

    def section(self, title):
        """First cells of the table under a heading."""
        match = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", self.text, re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(match, f"no section {title}")
        return re.findall(r"^\| `(\w+)` \|", match.group(1), re.MULTILINE)

    def test_every_error_code_is_there(self):
        codes = enumerators("ErrorCode")
        self.assertGreaterEqual(len(codes), 10)
        self.assertEqual(self.section("Errors"), codes)

    def test_every_reason_is_there(self):
        reasons = enumerators("Reason")
        self.assertEqual(reasons.pop(0), "None")
        self.assertEqual(self.section("Reasons"), [snake_case(name) for name in reasons])

    def test_every_issue_is_there(self):
        names = enumerators("Issue")
        self.assertEqual(names.pop(), "kCount")
        self.assertEqual(self.section("Issues"), [snake_case(name) for name in names])

    def test_issues_are_in_the_words_of_the_code(self):
        rows = list(issues())
        self.assertEqual([row[0] for row in rows], self.section("Issues"))
        for name, severity, sentence, remedy in rows:
            row = f"| `{name}` | {severity} | {sentence} | {remedy} |"
            self.assertTrue(row in self.text, f"docs/errors.md lacks the row:\n{row}")

    def test_exit_codes_are_there(self):
        self.assertEqual(self.section("Exit codes"), ["0", "1", "2", "3"])


if __name__ == "__main__":
    unittest.main()

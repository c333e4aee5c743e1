#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs golden cases: a command, and byte for byte what it must print, write and return.

    run_golden.py BINARY [CASE …] [--approve]

A case is a folder of cases/, named for the sentence that it claims. In it:

    cmd          one command a line, without the program's name; all but the last must exit 0
    exit         the exit code of the last; absent: 0
    stdout       its standard output; absent: empty, or not compared if out/ or files is there
    stdout.same  instead of stdout: the name of the case whose stdout it must equal
    stderr       its standard error; absent: empty
    out/         files that it must write below out/; others there are not compared
    files        the names of all files that it must leave behind, one a line; absent, and no
                 out/: none
    *.from       makes an input: {"from": FILE, "gzip": true, "keep": N, "flip": N} takes FILE,
                 gzips it, keeps the first N bytes, flips one bit of byte N
    *.sql        makes an input: the SQLite database that these statements create

Everything else in the folder is an input. A case runs in a copy of itself, beside a copy of
inputs/. Only the tool's version is normalised. --approve rewrites what is there to be compared.
"""

import argparse
import contextlib
import difflib
import json
import pathlib
import re
import shlex
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
EXPECTATIONS = {"cmd", "exit", "stdout", "stdout.same", "stderr", "out", "files"}
VERSION = re.compile(r'("tool_version": ?"|^opcensus )[0-9][^"\n]*')


BLOCK = 4096


def stored_gzip(data: bytes) -> bytes:
    """gzip without compression, in blocks of 4 KB: the same bytes whatever the zlib."""
    out = b"\x1f\x8b\x08\x00" + bytes(4) + b"\x00\xff"
    for start in range(0, max(len(data), 1), BLOCK):
        part = data[start : start + BLOCK]
        is_last = start + BLOCK >= len(data)
        out += struct.pack("<BHH", is_last, len(part), len(part) ^ 0xFFFF) + part
    return out + struct.pack("<II", zlib.crc32(data), len(data))


def make_inputs(folder: pathlib.Path) -> None:
    for recipe_file in sorted(folder.rglob("*.from")):
        recipe = json.loads(recipe_file.read_text("utf-8"))
        data = (folder / recipe["from"]).read_bytes()
        if recipe.get("gzip"):
            data = stored_gzip(data)
        data = bytearray(data[: recipe.get("keep", len(data))])
        if "flip" in recipe:
            data[recipe["flip"]] ^= 0x10
        recipe_file.with_suffix("").write_bytes(data)
        recipe_file.unlink()
    for script in sorted(folder.rglob("*.sql")):
        if script.with_suffix("").is_dir():
            continue  # a note on how the databases in it were made
        with contextlib.closing(sqlite3.connect(script.with_suffix(""))) as database:
            database.executescript(script.read_text("utf-8"))
        script.unlink()


def list_files(folder: pathlib.Path) -> set:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def read(path: pathlib.Path) -> str:
    return path.read_bytes().decode("utf-8") if path.is_file() else ""


class Outcome:
    """What the last command of a case printed, wrote and returned."""

    def __init__(self, binary: str, case: pathlib.Path):
        with tempfile.TemporaryDirectory() as root:
            shutil.copytree(HERE / "inputs", pathlib.Path(root) / "inputs")
            folder = pathlib.Path(root) / "case"
            shutil.copytree(case, folder, ignore=lambda top, names: EXPECTATIONS & set(names)
                            if pathlib.Path(top) == case else ())
            make_inputs(pathlib.Path(root) / "inputs")
            make_inputs(folder)
            before = list_files(folder)
            commands = (case / "cmd").read_text("utf-8").splitlines()
            for number, command in enumerate(commands):
                done = subprocess.run([binary, *shlex.split(command)], cwd=folder, capture_output=True,
                                      env={"LC_ALL": "C.UTF-8"}, timeout=60)
                if number + 1 < len(commands) and done.returncode != 0:
                    raise SystemExit(f"{case.name}: `{command}` exits {done.returncode}: {done.stderr.decode()}")
            self.stdout = VERSION.sub(r"\1VERSION", done.stdout.decode("utf-8"))
            self.stderr = done.stderr.decode("utf-8")
            self.exit = done.returncode
            self.files = sorted(list_files(folder) - before)
            self.out = {name: VERSION.sub(r"\1VERSION", read(folder / name)) for name in self.files
                        if name.startswith("out/")}


def compared_texts(case: pathlib.Path, outcome: Outcome) -> dict:
    """File of the case -> what it should hold."""
    texts = {"stderr": outcome.stderr, "exit": "" if outcome.exit == 0 else f"{outcome.exit}\n"}
    has_files = (case / "out").is_dir() or (case / "files").is_file()
    if not (case / "stdout.same").is_file() and ((case / "stdout").is_file() or not has_files):
        texts["stdout"] = outcome.stdout
    for path in sorted((case / "out").rglob("*")):
        if path.is_file():
            name = str(path.relative_to(case))
            texts[name] = outcome.out.get(name, "")
    if (case / "files").is_file() or not (case / "out").is_dir():
        texts["files"] = "".join(name + "\n" for name in outcome.files)
    return texts


def check(case: pathlib.Path, outcome: Outcome) -> bool:
    expected = {name: read(case / name) for name in compared_texts(case, outcome)}
    produced = compared_texts(case, outcome)
    if (case / "stdout.same").is_file():
        other = read(case / "stdout.same").strip()
        expected["stdout"], produced["stdout"] = read(CASES / other / "stdout"), outcome.stdout
    good = True
    for name, text in produced.items():
        if text != expected[name]:
            good = False
            print("".join(difflib.unified_diff(expected[name].splitlines(True), text.splitlines(True),
                                               f"{case.name}/{name} (expected)", f"{case.name}/{name} (produced)")))
    return good


def approve(case: pathlib.Path, outcome: Outcome) -> None:
    for name, text in compared_texts(case, outcome).items():
        path = case / name
        if text or name.startswith("out/"):
            path.write_bytes(text.encode("utf-8"))
        elif path.is_file():
            path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--approve", action="store_true")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    names = arguments.cases or sorted(path.name for path in CASES.iterdir() if path.is_dir())
    failed = 0
    for name in names:
        outcome = Outcome(binary, CASES / name)
        if arguments.approve:
            approve(CASES / name, outcome)
        elif not check(CASES / name, outcome):
            print(f"FAILED: {name}")
            failed += 1
    print(f"{len(names) - failed} of {len(names)} cases " + ("approved" if arguments.approve else "as expected"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

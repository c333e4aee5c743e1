#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every file of `report --out` is the same, byte for byte, in whatever form a trace is given.

    same_bytes.py OPCENSUS TRACE …
    same_bytes.py OPCENSUS --long MAKE_TRACE      a trace that is cut into segments; no layouts

The traces are given plain, as gzip and as zstd, always under the same names, with 1, 2 and 7
threads; then minified, and spread over more lines; and in a folder that is searched for them, where
names end in .gz and .zst. All outputs must be equal, with one exception:
another layout of the JSON has another size, so summary.json's `bytes` of the inputs (the size of
the content) is left out of the comparison of layouts, and so are the byte offsets in the places of
its diagnostics. Compression changes neither: both are those of the decompressed content.
"""

import ctypes
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

THREADS = (1, 2, 7)
LONG_SIZE = "150MB"
LONG_EVENTS = 256 * 1024  # of one segment (src/segments/row_store.h)
TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")|(\s+)|([{\[,:])')


def zstd(data: bytes) -> bytes:
    """One frame, by the library that opcensus itself is linked with."""
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = ctypes.c_size_t
    library.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    library.ZSTD_compress.restype = ctypes.c_size_t
    library.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
                                      ctypes.c_size_t, ctypes.c_int]
    packed = ctypes.create_string_buffer(library.ZSTD_compressBound(len(data)))
    size = library.ZSTD_compress(packed, len(packed), data, len(data), 3)
    if size > len(packed):
        sys.exit("ZSTD_compress failed")
    return packed.raw[:size]


PACKERS = {"plain": bytes, "gzip": lambda data: gzip.compress(data, 1), "zstd": zstd}


def minified(text: str) -> str:
    return TOKEN.sub(lambda match: "" if match[2] else match[0], text)


def spread(text: str) -> str:
    """White space wherever JSON takes it, and no number or string touched."""
    return TOKEN.sub(lambda match: match[0] + "\n \t" if match[3] else "" if match[2] else match[0],
                     text)


LAYOUTS = {"minified": minified, "spread": spread}


def outputs(binary: str, traces: dict, threads: int, is_search: bool = False) -> dict:
    """Name to content of all files; the traces are name to content."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in traces.items():
            (pathlib.Path(folder) / name).write_bytes(content)
        paths = ["."] if is_search else traces
        subprocess.run([binary, "report", *paths, "--out", "out", "--threads", str(threads)],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return {path.name: path.read_bytes() for path in (pathlib.Path(folder) / "out").iterdir()}


def without_sizes(files: dict) -> dict:
    summary = files["summary.json"].decode()
    summary, sizes = re.subn(r'("bytes": ?)\d+', r"\1SIZE", summary)
    if sizes == 0:
        sys.exit("summary.json tells no size: this test knows another form of it")
    return files | {"summary.json": re.sub(r"\(byte \d+\)", "(byte AT)", summary).encode()}


def differences(what: str, expected: dict, found: dict) -> list:
    names = expected.keys() | found.keys()
    return [f"{what}: {name} differs" for name in sorted(names)
            if expected.get(name) != found.get(name)]


def check_forms(binary: str, plain: dict, expected: dict) -> list:
    errors = []
    for form, pack in PACKERS.items():
        packed = {name: pack(content) for name, content in plain.items()}
        for threads in THREADS:
            found = outputs(binary, packed, threads)
            errors += differences(f"{form}, {threads} threads", expected, found)
    return errors


def check_layouts(binary: str, plain: dict, expected: dict) -> list:
    errors = []
    for layout, change in LAYOUTS.items():
        changed = {name: change(text.decode()).encode() for name, text in plain.items()}
        if changed == plain:
            errors.append(f"{layout}: nothing was changed")
        for threads in THREADS:
            found = without_sizes(outputs(binary, changed, threads))
            errors += differences(f"{layout}, {threads} threads", without_sizes(expected), found)
    return errors


def check_folder(binary: str, plain: dict) -> list:
    errors = []
    expected = outputs(binary, plain, 2, is_search=True)
    for suffix, pack in {".gz": PACKERS["gzip"], ".zst": PACKERS["zstd"]}.items():
        packed = {name + suffix: pack(content) for name, content in plain.items()}
        found = {name: content.replace(f".json{suffix}".encode(), b".json")
                 for name, content in outputs(binary, packed, 2, is_search=True).items()}
        errors += differences(f"a folder of *{suffix}", expected, found)
    return errors


def read_traces(paths: list) -> dict:
    traces = {}
    for path in map(pathlib.Path, paths):
        data = path.read_bytes()
        name = path.name.removesuffix(".gz")
        traces[name] = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    return traces


def make_long_trace(make_trace: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([make_trace, "--size", LONG_SIZE, "-o", folder], check=True)
        return read_traces(sorted(pathlib.Path(folder).iterdir()))


def main() -> int:
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    is_long = sys.argv[2] == "--long"
    plain = make_long_trace(sys.argv[3]) if is_long else read_traces(sys.argv[2:])
    expected = outputs(binary, plain, 1)
    errors = []
    if len(expected) < 7 or expected["operators.csv"].count(b"\n") < 10:
        errors.append("the report is empty")
    if is_long:
        inputs = json.loads(expected["summary.json"])["inputs"]
        if max(entry["events"] for entry in inputs) < LONG_EVENTS:
            errors.append("the trace is too short to be cut")
    else:
        errors += check_layouts(binary, plain, expected)
        errors += check_folder(binary, plain)
    errors += check_forms(binary, plain, expected)
    print("\n".join(errors) if errors else
          f"{len(plain)} traces: every file is the same in all forms")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

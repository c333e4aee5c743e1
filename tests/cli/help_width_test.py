# SPDX-License-Identifier: Apache-2.0
"""Every --help fits a terminal of 80 columns.

    help_width_test.py OPCENSUS
"""

import subprocess
import sys

VERBS = ["report", "census", "inspect", "table", "record", "window", "doctor"]
COMMANDS = [[], *([verb] for verb in VERBS), *(["window", action] for action in ("start", "stop", "status"))]
WIDTH = 80


def main() -> None:
    too_long = []
    for command in COMMANDS:
        done = subprocess.run([sys.argv[1], *command, "--help"], capture_output=True, text=True, check=True,
                              encoding="utf-8")
        if not done.stdout:
            sys.exit(f"no help of {command}")
        too_long += [f"{' '.join(command)}: {len(line)} columns: {line}" for line in done.stdout.splitlines()
                     if len(line) > WIDTH]
    if too_long:
        sys.exit("\n".join(too_long))


if __name__ == "__main__":
    main()

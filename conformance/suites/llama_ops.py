#!/usr/bin/env python3
"""Compares operations of llama.cpp on a Vulkan driver with its own code for the processor, and counts.

  python3 conformance/suites/llama_ops.py ICD.json [--program test-backend-ops] [--operation MUL_MAT]...

Needs `test-backend-ops` of llama.cpp with its Vulkan backend, from Debian sid or built from its source. ICD.json is the
driver's manifest. Prints the cases that fail, and the counts: a case that the driver or the processor's code does not
support is not compared. The exit code is 1 if a case fails, if none is compared, or if the program ends early.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

# Name that llama.cpp gives to the first device of its Vulkan backend.
BACKEND = "Vulkan0"


def outcome(line: str) -> tuple[str, str] | None:
    """Operation and outcome of a case, from its line; None for other lines."""
    found = re.match(r"(\w+)\(.*\): (?:.* )?(OK|FAIL|not supported .*)$", line)
    if not found:
        return None
    return found[1], {"OK": "pass", "FAIL": "fail"}.get(found[2], "not supported")


def run(program: str, icd: pathlib.Path, operation: str | None, counts: dict[str, collections.Counter[str]]) -> int:
    """Runs an operation's cases, or all, prints those that fail, and counts. Returns the program's exit code."""
    command = [program, "test", "-b", BACKEND] + (["-o", operation] if operation else [])
    # llama.cpp takes a device of the kind CPU only by its number.
    env = {**os.environ, "VK_DRIVER_FILES": str(icd.resolve()), "GGML_VK_VISIBLE_DEVICES": "0"}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", env=env)
    assert child.stdout
    for line in child.stdout:
        line = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
        case = outcome(line)
        if case:
            counts[case[0]][case[1]] += 1
            if case[1] == "fail":
                print(line, flush=True)
    return child.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("icd", type=pathlib.Path, metavar="ICD.json")
    parser.add_argument("--program", default="test-backend-ops", help="a path, or a name on the path")
    parser.add_argument("--operation", action="append", help="as in its output, such as MUL_MAT (default: all)")
    options = parser.parse_args()
    if not options.icd.is_file():
        sys.exit(f"no file {options.icd}")
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    try:
        codes = [run(options.program, options.icd, name, counts) for name in options.operation or [None]]
    except OSError as error:
        sys.exit(f"{options.program}: {error.strerror}")
    sums = sum(counts.values(), collections.Counter())
    for name, of in sorted(counts.items()):
        if of["fail"]:
            print(f"{name}: {of['fail']} of {of['pass'] + of['fail']} fail")
    ends = [f"the program ends with {code}" for code in codes if code and not sums["fail"]]
    said = f"llama-ops: {sums['pass']} pass, {sums['fail']} fail, {sums['not supported']} not supported"
    print(", ".join([said, *ends]))
    sys.exit(bool(sums["fail"] or not sums["pass"] or any(codes)))


if __name__ == "__main__":
    main()

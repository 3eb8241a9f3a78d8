#!/usr/bin/env python3
"""Runs suites of OpenCL kernels by others with the command, prints the cases that do not pass, and counts.

  python3 conformance/suites/kernels.py oclgrind|opencl-cts [--quadrille PATH] [--source FOLDER] [CASE...]

CASE is a name or a pattern such as `memcheck/*`. Needs numpy and, for Oclgrind's kernels in OpenCL C, clang (20 and
older with its llvm-spirv). Without --source, git downloads the suite, at a commit, to `target/suites`. The exit code is
1 if a case does not pass that is not in the suite's table EXPECTED, or if one of those passes.
"""

from __future__ import annotations

import argparse
import collections
import fnmatch
import pathlib
import shutil
import sys
import tempfile

import common
import oclgrind
import opencl_cts

SUITES = {"oclgrind": oclgrind, "opencl-cts": opencl_cts}


def chosen(names: list[str], patterns: list[str]) -> list[str]:
    """Names of cases that match one of the patterns, or all of them if there are none."""
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            sys.exit(f"no such case: {pattern}")
    return [name for name in names if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]


def surprise(passes: bool, expected: str | None) -> str:
    """What differs from the table EXPECTED."""
    if passes:
        return "" if expected is None else "passes, but is in EXPECTED"
    return "NOT EXPECTED" if expected is None else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--quadrille", help="the command (default: cargo's release build, or that on the path)")
    parser.add_argument("--source", type=pathlib.Path, help="a checkout of the suite's repository")
    options = parser.parse_intermixed_args()
    suite = SUITES[options.suite]
    for program in suite.PROGRAMS:
        if not shutil.which(program):
            sys.exit(f"no {program}")
    folder = (options.source or suite.SOURCE.checkout()).resolve() / suite.SOURCE.folder
    names = chosen(suite.cases(folder), options.cases)
    words: collections.Counter[str] = collections.Counter()
    surprises = 0
    with tempfile.TemporaryDirectory() as work:
        quadrille = common.Quadrille(options.quadrille or common.command(), pathlib.Path(work))
        for name in names:
            outcome = suite.outcome(quadrille, folder, name)
            words[outcome.word] += 1
            expected = suite.EXPECTED.get(name)
            surprised = surprise(outcome.passes, expected)
            surprises += bool(surprised)
            if surprised or not outcome.passes:
                parts = (outcome.reason, expected and f"({expected})", surprised)
                print(f"{name}: {outcome.word}: {' '.join(filter(None, parts))}", flush=True)
    absent = [] if options.cases else sorted(suite.EXPECTED.keys() - set(names))
    for name in absent:
        print(f"{name}: is in EXPECTED, but not in the suite")
    print(f"{options.suite}: {suite.summary(words)}")
    sys.exit(surprises + len(absent) > 0)


if __name__ == "__main__":
    main()

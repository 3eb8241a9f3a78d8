#!/usr/bin/env python3
"""Runs a test suite on many machines, in parts, and combines the reports.

  python suite.py tests --engine ray --workers 2 --parts 8 --junit report.xml
  python suite.py tests --engine dask --parts 8 --command "quadrille test"

Each part is a run of pytest with `--quadrille-shard K/N`, or of a command with `--shard K/N`, on any worker; tests of
shaders need no GPU and give the same results everywhere. Ends with 1 if a test fails, and with 5, as pytest, if
there are none.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from engines import ENGINES, Progress, Workers, results


@dataclass(frozen=True)
class Part:
    """Part `number` of `of` of the tests in a folder."""

    folder: str
    number: int
    of: int
    #: Words of a command such as `quadrille test`; if empty, pytest.
    command: tuple[str, ...] = ()


def run(part: Part) -> str:
    """Report of a part, in JUnit's XML."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        shard = f"{part.number}/{part.of}"
        if part.command:
            command = [*part.command, part.folder, f"--shard={shard}", f"--junit={report}", f"--artifacts={folder}"]
            without_tests = 4
        else:
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", part.folder]
            command += [f"--quadrille-shard={shard}", f"--junitxml={report}"]
            without_tests = 5
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode == without_tests and not report.is_file():
            return "<testsuites/>"
        # 1 means failed tests; any other code means that there are no results.
        if done.returncode not in (0, 1, without_tests) or not report.is_file():
            raise RuntimeError(f"part {shard} ended with {done.returncode}:\n{done.stdout}")
        return report.read_text()


def suite(
    folder: str,
    parts: int,
    *,
    engine: str = "local",
    workers: int = 2,
    address: str | None = None,
    command: tuple[str, ...] = (),
    progress: Progress = lambda count: None,
) -> ElementTree.Element:
    """Report of all parts, with the tests in the order of their names."""
    inputs = [Part(folder, number, parts, command) for number in range(1, parts + 1)]
    reports = results(engine, run, inputs, progress, Workers(workers, address))
    suites = [element for report in reports for element in ElementTree.fromstring(report).iter("testsuite")]
    cases = [case for one in suites for case in one.iter("testcase")]
    cases.sort(key=lambda case: (case.get("classname", ""), case.get("name", "")))
    whole = ElementTree.Element("testsuites")
    out = ElementTree.SubElement(whole, "testsuite", {"name": Path(folder).name, "tests": str(len(cases))})
    for what in ("failures", "errors", "skipped"):
        out.set(what, str(sum(int(one.get(what, "0")) for one in suites)))
    out.extend(cases)
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="folder of the tests; the same on every machine")
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--engine", choices=ENGINES, default="local")
    parser.add_argument("--workers", type=int, default=2, help="worker processes, if the engine is started here")
    parser.add_argument("--address", help="a running cluster: a Dask scheduler, a Ray head")
    parser.add_argument("--command", type=shlex.split, default=[], help="in place of pytest, such as `quadrille test`")
    parser.add_argument("--junit", metavar="FILE", help="file of the report")
    options = parser.parse_args()

    def progress(count: int) -> None:
        print(f"\r{count} of {options.parts} parts", end="", file=sys.stderr, flush=True)

    report = suite(
        str(Path(options.folder).resolve()),
        options.parts,
        engine=options.engine,
        workers=options.workers,
        address=options.address,
        command=tuple(options.command),
        progress=progress,
    )
    if options.junit:
        ElementTree.ElementTree(report).write(options.junit, encoding="utf-8", xml_declaration=True)
    (summary,) = report
    failed = int(summary.get("failures", "0")) + int(summary.get("errors", "0"))
    print(f"\n{summary.get('tests')} tests, {failed} failed", file=sys.stderr)
    none = summary.get("tests") == "0"
    sys.exit(1 if failed else 5 if none else 0)


if __name__ == "__main__":
    main()

"""The crates that the packages contain, by cargo: for notices and the bill of materials."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: The crates whose programs and libraries are packaged.
PACKAGED = ("quadrille-cli", "quadrille-python", "quadrille-vulkan")
#: Platform of the packages; those of aarch64 have the same crates.
TARGET = "x86_64-unknown-linux-gnu"


def metadata() -> dict[str, Any]:
    """Returns what `cargo metadata` says about the workspace."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    told: dict[str, Any] = json.loads(printed)
    return told


def linked(crate: str) -> set[tuple[str, str]]:
    """Returns names and versions of the crates that a crate of ours is linked from, without tests and build scripts.

    `cargo metadata` has the features that any crate of the workspace asks for, `cargo tree` those of this crate.
    """
    command = ["cargo", "tree", "--locked", "--package", crate, "--edges", "normal", "--target", TARGET]
    command += ["--prefix", "none", "--format", "{p}"]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = (line.split() for line in printed.splitlines() if line)
    return {(row[0], row[1].removeprefix("v")) for row in rows}


def contained(told: dict[str, Any], crates: Sequence[str] = PACKAGED) -> list[dict[str, Any]]:
    """Returns the packages that crates of ours are linked from, sorted by name and version."""
    names = set().union(*(linked(crate) for crate in crates))
    packages = [package for package in told["packages"] if (package["name"], package["version"]) in names]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))

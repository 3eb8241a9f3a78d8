"""The crates that the packages contain, by `cargo metadata`: for notices and the bill of materials."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: The crates whose programs and libraries are packaged.
PACKAGED = ("quadrille-cli", "quadrille-vulkan")


def metadata(target: str = "x86_64-unknown-linux-gnu") -> dict[str, Any]:
    """Returns what `cargo metadata` says about the workspace, for one platform."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    told: dict[str, Any] = json.loads(printed)
    return told


def contained(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the packages that the packaged crates are linked from, sorted by name and version."""
    packages = {package["id"]: package for package in told["packages"]}
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    open_ids = [i for i, package in packages.items() if package["name"] in PACKAGED and package["source"] is None]
    seen: set[str] = set()
    while open_ids:
        at = open_ids.pop()
        if at in seen:
            continue
        seen.add(at)
        for dependency in nodes[at]["deps"]:
            # Neither tests nor build scripts are in packages.
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                open_ids.append(dependency["pkg"])
    return sorted((packages[i] for i in seen), key=lambda package: (package["name"], package["version"]))

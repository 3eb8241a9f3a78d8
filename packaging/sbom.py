"""Prints the bill of materials of the packages: CycloneDX 1.6, as JSON.

The same sources give the same bytes: the time is that of the last commit, or SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from typing import Any

import tomllib
from dependencies import ROOT, contained, metadata


def checksums() -> dict[tuple[str, str], str]:
    """Returns the SHA-256 of each crate of the lock file."""
    rows = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    return {(row["name"], row["version"]): row["checksum"] for row in rows if "checksum" in row}


def reference(package: dict[str, Any]) -> str:
    """Returns the address of a crate in the form of package URLs."""
    return f"pkg:cargo/{package['name']}@{package['version'].replace('+', '%2B')}"


def component(package: dict[str, Any], sums: dict[tuple[str, str], str]) -> dict[str, Any]:
    """Returns the row of a crate."""
    row: dict[str, Any] = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
        "licenses": [{"expression": package["license"].replace("/", " OR ").replace("  ", " ")}],
    }
    if package["description"]:
        row["description"] = " ".join(package["description"].split())
    if checksum := sums.get((package["name"], package["version"])):
        row["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        row["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return row


def bill() -> dict[str, Any]:
    """Returns the bill of materials."""
    told = metadata()
    packages = contained(told)
    by_id = {package["id"]: package for package in packages}
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    sums = checksums()
    command = next(package for package in packages if package["name"] == "quadrille-cli")
    log = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    seconds = (
        os.environ.get("SOURCE_DATE_EPOCH") or subprocess.run(log, check=True, capture_output=True, text=True).stdout
    )
    ours = [reference(package) for package in packages if package["source"] is None]
    dependencies = []
    for package in packages:
        of = sorted(reference(by_id[d["pkg"]]) for d in nodes[package["id"]]["deps"] if d["pkg"] in by_id)
        dependencies.append({"ref": reference(package), "dependsOn": of})
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(sorted(by_id)))}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "quadrille",
                "name": "quadrille",
                "version": command["version"],
                "licenses": [{"expression": command["license"]}],
            },
        },
        "components": [component(package, sums) for package in packages],
        "dependencies": [{"ref": "quadrille", "dependsOn": ours}, *dependencies],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    sys.stdout.write("\n")

"""Prints the licences of the crates that a package contains, with the texts of their files.

python3 packaging/notices.py [CRATE...]            a text
python3 packaging/notices.py --debian [CRATE...]   paragraphs of Debian's copyright file

CRATE names a crate of ours whose program or library is in the package (default: all that are in packages).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dependencies import PACKAGED, contained, metadata

#: Licences whose texts Debian has once for all packages, and how the texts begin.
COMMON = {
    "Apache-2.0": r"Apache License\s+Version 2\.0, January 2004",
    "GPL-3": r"GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007",
}
#: Beginnings of the names of licence files.
NAMES = ("license", "licence", "copying", "notice", "unlicense")


def texts(package: dict[str, Any]) -> list[str]:
    """Returns the texts of a crate's licence files, and of the C++ code that it contains."""
    folder = Path(package["manifest_path"]).parent
    found = [p for p in folder.iterdir() if p.is_file() and p.name.lower().startswith(NAMES)]
    found += folder.glob("native/*/LICENSE*")
    return [path.read_text(errors="replace").strip() for path in sorted(found)]


def gather(crates: Sequence[str]) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Returns the crates by others, and each distinct text with the crates that have it."""
    packages = [package for package in contained(metadata(), crates) if package["source"] is not None]
    shared: dict[str, list[str]] = {}
    for package in packages:
        for text in texts(package):
            shared.setdefault(text, []).append(f"{package['name']} {package['version']}")
    return packages, shared


def debian(packages: list[dict[str, Any]], shared: dict[str, list[str]]) -> str:
    """Returns the notices as paragraphs of a machine-readable copyright file."""

    def folded(text: str) -> str:
        return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.splitlines())

    # Texts that differ only in the spaces of a common licence are one text afterwards.
    shorter: dict[str, list[str]] = {}
    for text, names in shared.items():
        for name, begin in COMMON.items():
            end = r".*?END OF TERMS AND CONDITIONS(\s+APPENDIX.*?limitations under the License\.)?"
            text = re.sub(f"(?s) *{begin}{end}", f"{name}: see /usr/share/common-licenses/{name}", text)
        shorter.setdefault(text, []).extend(names)
    crates = ", ".join(f"{p['name']} ({p['license']})" for p in packages)
    parts = []
    for text, names in shorter.items():
        if len(text) > 200:
            parts.append(folded(f"{', '.join(names)}:\n\n{text}"))
    texts = "\n .\n".join(parts)
    return f"Comment: The programs contain these crates:\n {crates}\n .\n Their licences:\n .\n{texts}\n"


def plain(packages: list[dict[str, Any]], shared: dict[str, list[str]]) -> str:
    """Returns the notices as text."""
    lines = ["Quadrille is under the licence MIT or Apache-2.0. Its programs contain these crates:", ""]
    lines += [f"  {p['name']} {p['version']}: {p['license']}" for p in packages]
    for text, names in shared.items():
        lines += ["", "-" * 80, ", ".join(names), "", text]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--debian"]
    if unknown := set(named) - set(PACKAGED):
        sys.exit(f"not in packages: {', '.join(sorted(unknown))}; in packages are {', '.join(PACKAGED)}")
    form = debian if "--debian" in sys.argv[1:] else plain
    sys.stdout.write(form(*gather(named or PACKAGED)))

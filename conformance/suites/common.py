"""What the suites share: the command, checkouts of their sources, launches of kernels, and outcomes of cases."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "suites"


# Types of OpenCL C.
SCALARS: dict[str, type[np.generic]] = {
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}


@dataclasses.dataclass
class Outcome:
    """What became of a case."""

    # Word under which the case is counted.
    word: str
    passes: bool
    reason: str = ""


@dataclasses.dataclass
class Source:
    """Part of a public repository at a commit."""

    repository: str
    commit: str
    # Folder that the suite reads; the rest is not checked out.
    folder: str

    def checkout(self) -> pathlib.Path:
        """Folder of a checkout in cargo's target folder, made if it is not there."""
        name = self.repository.rsplit("/", 1)[-1]
        done = WORK / f"{name}-{self.commit[:8]}"
        if not done.is_dir():
            print(f"cloning {self.repository} at {self.commit[:8]}", file=sys.stderr)
            part = done.with_name(done.name + ".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            for words in (
                ["init", "-q"],
                ["remote", "add", "origin", self.repository],
                ["sparse-checkout", "set", self.folder],
                ["fetch", "-q", "--depth", "1", "--filter=blob:none", "origin", self.commit],
                ["checkout", "-q", "FETCH_HEAD"],
            ):
                if subprocess.run(["git", *words], cwd=part).returncode:
                    sys.exit(f"git {words[0]} fails")
            part.rename(done)
        return done


@dataclasses.dataclass
class Launch:
    """A launch of a kernel by the command."""

    file: pathlib.Path
    kernel: str
    # Invocations, and those of a workgroup.
    size: tuple[int, ...]
    local: tuple[int, ...] | None = None
    # Texts of --arg, in order.
    arguments: list[str] = dataclasses.field(default_factory=list)
    options: list[str] = dataclasses.field(default_factory=list)

    def words(self) -> list[str]:
        def list_of(numbers: tuple[int, ...]) -> str:
            return ",".join(map(str, numbers))

        words = [str(self.file), *self.options, "--entry", self.kernel, "--global", list_of(self.size)]
        if self.local:
            words += ["--local", list_of(self.local)]
        return words + [word for argument in self.arguments for word in ("--arg", argument)]


class Quadrille:
    """The command, with a folder for the contents of buffers."""

    # Longest time of one call, in seconds.
    LONGEST = 300

    def __init__(self, path: str, folder: pathlib.Path) -> None:
        self.path = path
        self.folder = folder

    def said(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the command, which may fail. Raises Failed if it does not end."""
        try:
            return subprocess.run(
                [self.path, *words], capture_output=True, text=True, errors="replace", timeout=self.LONGEST
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"takes longer than {self.LONGEST} s") from None

    def buffer(self, index: int, contents: bytes) -> str:
        """Text of --arg for a buffer with these contents."""
        path = self.folder / f"argument{index}.bin"
        path.write_bytes(contents)
        return str(path)

    def results(self, launch: Launch, read: list[int]) -> tuple[dict[int, bytes], list[str]]:
        """Contents of arguments after a launch, and the lines that the kernel printed. Raises Failed."""
        paths = {index: self.folder / f"result{index}.bin" for index in read}
        words = launch.words()
        for index, path in paths.items():
            path.unlink(missing_ok=True)
            image = launch.arguments[index].startswith("image:")
            words += ["--read", f"{index}={path}" if image else f"{index}:u8={path}"]
        done = self.said("run", *words)
        if done.returncode:
            raise Failed(message(done, launch.file))
        # The command prints the invocation in front of each line.
        printed = re.findall(r"^\[\d+, \d+, \d+\] (.*)", done.stderr, re.MULTILINE)
        return {index: path.read_bytes() for index, path in paths.items()}, printed


class Failed(Exception):
    """Raised with the message of a command that failed."""

    def refused(self) -> bool:
        """True if the module is refused, rather than its launch."""
        return re.match("(unsupported|invalid): ", str(self)) is not None


def message(done: subprocess.CompletedProcess[str], file: pathlib.Path) -> str:
    """The error message of the command on one line, without the name of the file."""
    lines = (re.sub("^ *[\u00d7\u2502] ?", "", line).strip() for line in done.stderr.splitlines())
    return " ".join(filter(None, lines)).removeprefix(f"{file}: ") or f"ends with {done.returncode}"


def command() -> str:
    """Path of the command: cargo's, or one on the path; built if there is none."""
    built = TARGET / "release" / "quadrille"
    if built.exists():
        return str(built)
    found = shutil.which("quadrille")
    if found:
        return found
    subprocess.run(["cargo", "build", "--release", "-q", "--bin", "quadrille"], cwd=ROOT, check=True)
    return str(built)

"""The test kernels of Oclgrind: their inputs (.sim), the output that Oclgrind's own test compares (.ref), and its
errors as kinds of `quadrille check`.

A case passes if the output of `quadrille run` agrees, and if `quadrille check` finds a mistake of the kind of each
error that Oclgrind reports, and no other.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import re

import numpy as np
from common import SCALARS, Failed, Launch, Outcome, Quadrille, Source, message

SOURCE = Source("https://github.com/jrprice/Oclgrind", "5597a379b4f7d74c4af5532260df0366c277259f", "tests/kernels")

# Programs on the path, for OpenCL C.
PROGRAMS = ("clang",)

# Cases that do not pass with clang 15 and its translator, with the reason.
EXPECTED = {
    "data-race/local_read_write_race": "the race is found; the result depends on the order",
    "interactive/pointers": "session of Oclgrind's own debugger",
    "interactive/struct_member": "session of Oclgrind's own debugger",
    "misc/lvalue_loads": "all components of the vector that is read are overwritten",
    "wait_event/wait_event_divergent": "the divergent wait is found; the result is undefined",
}

# Kinds of `check` that are the mistake of an error of Oclgrind.
OUT_OF_BOUNDS = {"address-out-of-bounds", "buffer-out-of-bounds", "workgroup-out-of-bounds"}
UNWRITTEN = {"undef-used", "uninitialized-buffer", "uninitialized-variable", "uninitialized-workgroup"}
KINDS = {
    "data race at global memory": {"race-buffer"},
    "data race at local memory": {"race-workgroup"},
    "divergence detected (async copy)": {"copy-divergent"},
    # Oclgrind calls a wait for events a barrier.
    "divergence detected (barrier)": {"barrier-divergent", "copy-divergent"},
    "exceeds static array size": {"index-out-of-range"},
    "finished without waiting for events": {"copy-unwaited"},
    "Invalid read from write-only buffer": {"writeonly-read"},
    "Invalid read of size": OUT_OF_BOUNDS,
    "Invalid wait event": {"event-invalid"},
    "Invalid write of size": OUT_OF_BOUNDS,
    "Invalid write to read-only buffer": {"readonly-written"},
    "not aligned to the pointed type": {"misaligned-access"},
    "Uninitialized address": UNWRITTEN,
    "Uninitialized value": UNWRITTEN,
}
# Mistakes of kernels that Oclgrind does not report.
UNREPORTED = {
    # The copy reads a buffer while the kernel writes it.
    "async_copy/async_copy_unwaited": {"race-buffer"},
}


@dataclasses.dataclass
class Parameter:
    """A parameter of a kernel in OpenCL C."""

    name: str
    # Name of its type without qualifiers, such as `float4`.
    type: str
    local: bool
    pointer: bool


@dataclasses.dataclass
class Argument:
    """An argument in a .sim file."""

    parameter: Parameter
    # Words of its header without values: `ro`, `dump`, `null` and others.
    flags: set[str]
    size: int
    type: type[np.generic]
    # None without an initial value.
    contents: bytes | None

    def text(self, quadrille: Quadrille, index: int) -> str:
        """Text of --arg."""
        if "null" in self.flags:
            return "null"
        if self.parameter.local:
            return f"local:{self.size}"
        if not self.parameter.pointer:
            return "u8:" + ",".join(map(str, self.contents or b""))
        limit = next((f"{limit}:" for limit in ("ro", "wo") if limit in self.flags), "")
        if self.contents is None:
            return f"{limit}undef:{self.size}"
        return limit + quadrille.buffer(index, self.contents)

    def dump(self, result: bytes) -> list[str]:
        """The lines that Oclgrind prints for the contents after the launch."""
        name = self.parameter.name
        values = np.frombuffer(result, self.type)

        def text(value: np.generic) -> str:
            if "hex" in self.flags:
                return "0x" + value.tobytes()[::-1].hex()
            return f"{value:g}" if isinstance(value, np.floating) else str(value)

        lines = [f"  {name}[{i}] = {text(value)}" for i, value in enumerate(values)]
        return [f"Argument '{name}': {len(result)} bytes", *lines]


@dataclasses.dataclass
class Simulation:
    """A .sim file: a launch of a kernel."""

    program: str
    kernel: str
    size: tuple[int, ...]
    local: tuple[int, ...]
    arguments: list[Argument]


def cases(folder: pathlib.Path) -> list[str]:
    return (folder / "TESTS").read_text().split()


def parameters(source: str, kernel: str) -> list[Parameter]:
    """Parameters of a kernel, from the source."""
    source = re.sub(r"//[^\n]*|/\*[\s\S]*?\*/", "", source)
    listed = re.search(rf"kernel\s+void\s+{kernel}\s*\(([^)]*)\)", source)
    if not listed:
        raise Failed(f"no kernel {kernel}")
    found = []
    for text in filter(str.strip, listed[1].split(",")):
        words = re.findall(r"\w+", text)
        qualifiers = {"const", "constant", "global", "local", "restrict", "volatile"}
        plain = [word for word in words if word.strip("_") not in qualifiers]
        found.append(Parameter(plain[-1], plain[0], "local" in {w.strip("_") for w in words}, "*" in text))
    return found


def number(text: str, kind: type[np.generic], base: int) -> np.generic:
    """A number of a .sim file. Negative ones stand for unsigned ones, too."""
    if issubclass(kind, np.floating):
        return kind(float(text))
    return np.array(int(text, base) % (1 << 64), np.uint64).astype(kind)[()]


def initial(header: dict[str, str], kind: type[np.generic], size: int, words: collections.deque[str]) -> bytes | None:
    """Initial contents of an argument: those of its header, or the next words."""
    base, count = 16 if "hex" in header else 10, size // np.dtype(kind).itemsize
    if "noinit" in header or "null" in header:
        return None
    if "fill" in header:
        values = [number(header["fill"], kind, base)] * count
    elif "range" in header:
        start, step, _ = header["range"].split(":")
        first, step = number(start, kind, base), number(step, kind, base)
        values = [first + kind(i) * step for i in range(count)]
    else:
        values = [number(words.popleft(), kind, base) for _ in range(count)]
    return np.array(values, kind).tobytes()


def default_type(parameter: Parameter) -> type[np.generic]:
    """Type of the values of an argument whose header names none."""
    return SCALARS.get(parameter.type.rstrip("0123456789"), np.uint8)


def simulation(path: pathlib.Path) -> Simulation:
    """Reads a .sim file."""
    text = re.sub("#.*", "", path.read_text())
    words = collections.deque(re.findall(r"<[^>]*>|[^\s<]+", text))
    program, kernel = words.popleft(), words.popleft()
    size, local = (tuple(int(words.popleft()) for _ in range(3)) for _ in range(2))
    arguments = []
    for parameter in parameters((path.parent / program).read_text(), kernel):
        parts = [part.partition("=") for part in words.popleft()[1:-1].split()]
        header = {name: value for name, _, value in parts}
        kind = next((SCALARS[name] for name in header if name in SCALARS), default_type(parameter))
        length = int(header.get("size", 0))
        contents = None if parameter.local else initial(header, kind, length, words)
        arguments.append(Argument(parameter, set(header), length, kind, contents))
    if words:
        raise Failed(f"{path.name} has more arguments than the kernel")
    return Simulation(program, kernel, size, local, arguments)


def disagreement(lines: list[str], reference: list[tuple[str, str]]) -> str:
    """The first difference between output and reference, as Oclgrind's own test finds it."""
    left = collections.deque(filter(None, lines))
    for kind, text in reference:
        if not left:
            return f"no output, expected `{text}`"
        line = left.popleft()
        if text != line if kind == "EXACT" else text not in line:
            return f"`{line.strip()}`, expected `{text.strip()}`"
    return f"more output: `{left[0]}`" if left else ""


def found(quadrille: Quadrille, launch: Launch) -> set[str]:
    """Kinds of mistakes that `check` finds."""
    done = quadrille.said("check", "--json", *launch.words())
    if done.returncode not in (0, 1):
        raise Failed(message(done, launch.file))
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    reports = [line["report"] for line in lines if "report" in line]
    return {report["kind"] for report in reports if report["level"] != "note"}


def mistake(kinds: set[str], errors: list[str]) -> str:
    """How the kinds that `check` finds differ from the errors of Oclgrind."""
    if any("Invalid read of size" in error for error in errors):
        # The value of such a read has no contents for Oclgrind. For `check` the read alone is the mistake.
        errors = [error for error in errors if error != "Uninitialized value"]
    expected = [next(kinds for part, kinds in KINDS.items() if part in error) for error in errors]
    missing = {error for error, any_of in zip(errors, expected) if not any_of & kinds}
    more = kinds.difference(*expected)
    parts = []
    if missing:
        parts.append("check does not find: " + ", ".join(sorted(missing)))
    if more:
        parts.append("check finds: " + ", ".join(sorted(more)))
    return "; ".join(parts)


def reasons(quadrille: Quadrille, path: pathlib.Path, name: str) -> list[str]:
    """Why a case does not pass, with empty texts for what agrees."""
    simulated, reference = simulation(path), path.with_suffix(".ref")
    lines = reference.read_text().splitlines() if reference.exists() else []
    expected = [(line[:5], line[6:]) for line in lines if line]
    errors = [text for kind, text in expected if kind == "ERROR"]
    launch = Launch(path.parent / simulated.program, simulated.kernel, simulated.size, simulated.local)
    launch.arguments = [argument.text(quadrille, i) for i, argument in enumerate(simulated.arguments)]
    dumped = [i for i, argument in enumerate(simulated.arguments) if "dump" in argument.flags]
    results, printed = quadrille.results(launch, dumped)
    output = printed + [line for i in dumped for line in simulated.arguments[i].dump(results[i])]
    return [
        disagreement(output, [(kind, text) for kind, text in expected if kind != "ERROR"]),
        mistake(found(quadrille, launch) - UNREPORTED.get(name, set()), errors),
    ]


def outcome(quadrille: Quadrille, folder: pathlib.Path, name: str) -> Outcome:
    path = folder / f"{name}.sim"
    if path.read_text().startswith("# ARGS: -i\n"):
        return Outcome("not run", False)
    try:
        reason = "; ".join(filter(None, reasons(quadrille, path, name)))
    except Failed as failed:
        reason = str(failed)
    return Outcome("fails", False, reason) if reason else Outcome("pass", True)


def summary(words: collections.Counter[str]) -> str:
    return f"{words['pass']} of {sum(words.values())} pass"

"""The 64-bit modules of OpenCL-CTS, `test_conformance/spirv_new`: which ones are accepted, and what those compute.

`cts_trials.py` has their inputs and expected values.
"""

from __future__ import annotations

import collections
import pathlib
import re

import cts_trials
import numpy as np
from common import Failed, Launch, Outcome, Quadrille, Source

SOURCE = Source(
    "https://github.com/KhronosGroup/OpenCL-CTS",
    "b8f8906c251926b1b3679323bfbf3df730b40fb8",
    "test_conformance/spirv_new",
)

# Programs on the path; the command reads the text of modules itself.
PROGRAMS = ()

ENDING = ".spvasm64"

# Cases that do not pass, with the reason.
LINKED = "for the linker, which joins it with another module"
EXPECTED = {
    "decorate_saturated_conversion_double_to_uint": "the suite's: this module converts to signed integers",
    "linkage_export": LINKED,
    "linkage_import": LINKED,
    "linkage_linkonce_odr_main": LINKED,
    "linkage_linkonce_odr_noa_main": LINKED,
    "linkage_linkonce_odr_obj": LINKED,
    "opaque": "an opaque type that an import takes",
    "spv1.4/ptrops": "buffers are 2^40 bytes apart, and the suite keeps 32 bits of the difference of pointers",
}

# Words under which cases are counted.
COMPARED, RAN, REFUSED, NOT_RUN = "values compared", "run only", "refused", "not run"


def cases(folder: pathlib.Path) -> list[str]:
    modules = folder / "spirv_asm"
    return sorted(str(path.relative_to(modules))[: -len(ENDING)] for path in modules.rglob(f"*{ENDING}"))


def kernel(path: pathlib.Path) -> str:
    """Name of the module's kernel; empty if it has none."""
    named = re.search(r'OpEntryPoint Kernel \S+ "(\w+)"', path.read_text())
    return named[1] if named else ""


def differences(got: np.ndarray, expected: np.ndarray, bound: np.ndarray | None) -> np.ndarray:
    """Indices of values that differ, by more than a bound if there is one."""
    same = got == expected
    if got.dtype.kind == "f":
        same |= np.isnan(got) & np.isnan(expected)
    if bound is not None:
        with np.errstate(invalid="ignore"):
            same |= np.abs(got.astype(np.float64) - expected) <= bound
    return np.flatnonzero(~same)


def disagreement(trial: cts_trials.Trial, results: dict[int, bytes], printed: list[str]) -> str:
    """The first difference between the results of a launch and what is expected."""
    values = {}
    for index, contents in results.items():
        argument = trial.arguments[index]
        kind = argument.dtype if isinstance(argument, np.ndarray) else trial.expected[index].dtype
        values[index] = np.frombuffer(contents, kind)
    for index, expected in trial.expected.items():
        expected = expected.reshape(-1)
        wrong = differences(values[index], expected, trial.bound)
        if wrong.size:
            first = wrong[0]
            return f"argument {index}[{first}] is {values[index][first]}, expected {expected[first]}"
    if trial.printed is not None and printed != trial.printed:
        return f"prints {printed}, expected {trial.printed}"
    if trial.holds and not trial.holds(values):
        return f"the results are not as expected: {values}"
    return ""


def tried(quadrille: Quadrille, path: pathlib.Path, trial: cts_trials.Trial) -> str:
    """Launches a kernel, and returns how its results differ from what is expected."""
    options = ["--lang", "spirv", *(f"--spec={constant}" for constant in trial.constants)]
    launch = Launch(path, kernel(path), (trial.count,), trial.local and (trial.local,), options=options)
    launch.arguments = [
        quadrille.buffer(i, argument.tobytes()) if isinstance(argument, np.ndarray) else argument
        for i, argument in enumerate(trial.arguments)
    ]
    buffers = {i for i, argument in enumerate(trial.arguments) if isinstance(argument, np.ndarray)}
    return disagreement(trial, *quadrille.results(launch, sorted(buffers | set(trial.expected))))


def outcome(quadrille: Quadrille, folder: pathlib.Path, name: str) -> Outcome:
    path = folder / "spirv_asm" / f"{name}{ENDING}"
    trials = cts_trials.trials(name.rsplit("/", 1)[-1])
    # The module without arguments: if it is accepted, the first argument is missing.
    for trial in trials or [cts_trials.Trial([], {})]:
        try:
            wrong = tried(quadrille, path, trial)
        except Failed as failed:
            if failed.refused():
                return Outcome(REFUSED, False, str(failed))
            wrong = str(failed)
        if not trials:
            return Outcome(NOT_RUN, False, "no inputs are known")
        if wrong:
            return Outcome("fails", False, wrong)
    return Outcome(COMPARED if any(trial.compared() for trial in trials) else RAN, True)


def summary(words: collections.Counter[str]) -> str:
    total = sum(words.values())
    accepted = total - words[REFUSED]
    counts = [f"{words[word]} {word}" for word in (COMPARED, RAN, NOT_RUN)]
    return f"{accepted} of {total} accepted: {', '.join(counts)}, {words['fails']} fail"

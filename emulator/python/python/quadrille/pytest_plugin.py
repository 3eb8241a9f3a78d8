"""Fixtures for tests of shaders.

`quadrille_device`
    A separate device for each test: a shader that does not end fails only its own test, after ten seconds.

`shader_golden`
    `shader_golden(picture)` compares a picture with the expected one in `goldens`, a folder beside the test.
    `QUADRILLE_BLESS=1` writes the expected picture instead.

Options: `--quadrille-output DIR` for the pictures of failures, `--quadrille-shard K/N` to run a part of the tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy.typing as npt
import pytest

from . import _quadrille
from ._device import Device
from ._pictures import compare_pictures, pixels_of, read_picture, write_picture

#: Time limit of a test's shader, in seconds of CPU time.
BUDGET = 10.0


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("quadrille", "shader tests on Quadrille")
    group.addoption(
        "--quadrille-output",
        metavar="DIR",
        help="folder for actual, expected and difference pictures of failures (default: a temporary one)",
    )
    group.addoption(
        "--quadrille-shard",
        metavar="K/N",
        help="run part K of N of the tests: every Nth, from the Kth",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    given = config.getoption("--quadrille-shard")
    if given is None:
        return
    match = re.fullmatch(r"(\d+)/(\d+)", given)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise pytest.UsageError(f"--quadrille-shard {given} is not K/N, as in 1/4")
    k, n = int(match[1]), int(match[2])
    mine = items[k - 1 :: n]
    rest = [item for at, item in enumerate(items) if at % n != k - 1]
    items[:] = mine
    config.hook.pytest_deselected(items=rest)


@pytest.fixture
def quadrille_device() -> Device:
    """A device for this test only."""
    return Device(budget=BUDGET)


class Golden:
    """Type of the fixture `shader_golden`; call it with a picture."""

    def __init__(
        self, folder: Path, name: str, output: Callable[[], Path], record: Callable[[str, object], None]
    ) -> None:
        self._folder = folder
        self._name = name
        self._output = output
        self._record = record
        self._count = 0

    def __call__(
        self, picture: npt.NDArray[Any], name: str | None = None, *, tolerance: int = 0, pixels: int = 0
    ) -> None:
        """Fails the test unless the picture matches the expected one.

        At most `pixels` pixels may differ by more than `tolerance` in a component. If a test compares several pictures,
        they are distinguished by `name`, or else numbered.
        """
        __tracebackhide__ = True
        self._count += 1
        if name is None:
            name = self._name if self._count == 1 else f"{self._name}_{self._count}"
        actual = pixels_of(picture)
        golden = self._folder / f"{name}.png"
        if _quadrille.bless():
            write_picture(golden, actual)
            return
        out = self._output()
        kept = {what: out / f"{name}.{what}.png" for what in ("actual", "expected", "diff")}
        if not golden.is_file():
            write_picture(kept["actual"], actual)
            pytest.fail(
                f"there is no {golden}; QUADRILLE_BLESS=1 writes it. The picture is {kept['actual']}", pytrace=False
            )
        expected = read_picture(golden)
        wrong = compare_pictures(actual, expected, tolerance=tolerance, pixels=pixels, diff=kept["diff"])
        if wrong is not None:
            write_picture(kept["actual"], actual)
            write_picture(kept["expected"], expected)
            for what, path in kept.items():
                self._record(f"quadrille_{what}", str(path))
            pytest.fail(
                f"{name}: {wrong}\n  actual:   {kept['actual']}\n  expected: {golden}\n"
                "QUADRILLE_BLESS=1 writes the expected picture anew",
                pytrace=False,
            )


@pytest.fixture
def shader_golden(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    record_property: Callable[[str, object], None],
) -> Golden:
    """Compares pictures with the expected ones beside the test."""
    # With the classes of a method, because methods of two classes may have the same name.
    classes = [node.name for node in request.node.listchain() if isinstance(node, pytest.Class)]
    name = re.sub(r"[^\w.-]+", "_", "_".join([*classes, request.node.name])).strip("_")
    stem = request.path.stem

    def output() -> Path:
        given = request.config.getoption("--quadrille-output")
        return Path(given) / stem if given else tmp_path_factory.mktemp(stem)

    return Golden(request.path.parent / "goldens" / stem, name, output, record_property)

"""The package runs with the oldest Python that it names, which the interpreter of these tests is not."""

import ast
from pathlib import Path

import pytest
import quadrille

MODULES = sorted(Path(quadrille.__file__).parent.glob("*.py"))


def unions_that_run(text):
    """Lines at which `|` joins types when the module is imported: Python 3.9 can do so in annotations only."""
    body = ast.parse(text).body
    values = [node.value for node in body if isinstance(node, ast.Assign)]
    found = [node for value in values for node in ast.walk(value) if isinstance(node, ast.BinOp)]
    return [node.lineno for node in found if isinstance(node.op, ast.BitOr)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_types_are_joined_in_annotations_only(path):
    text = path.read_text()
    assert unions_that_run(text) == []
    assert "from __future__ import annotations" in text or path.name == "__init__.py"


def test_unions_are_found():
    assert unions_that_run("A = int | str\n\n\ndef f(a: int | str) -> None: ...\n") == [1]

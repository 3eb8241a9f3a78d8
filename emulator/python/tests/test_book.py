"""The listings of the book's pages about Python: the output of sessions is compared, and pytest runs the tests."""

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "book/src/python.md"
MARK = "<!-- tested: emulator/python/tests/test_book.py -->"
BLOCKS = re.findall(MARK + r"\n```python\n(.*?)```", PAGE.read_text(), re.S)


def test_every_listing_is_tested():
    assert len(BLOCKS) == PAGE.read_text().count("```python\n") == 3


def test_sessions():
    sessions = [block for block in BLOCKS if ">>>" in block]
    assert len(sessions) == 2
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, PAGE.name, str(PAGE), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_tests(pytester, monkeypatch):
    (block,) = [block for block in BLOCKS if ">>>" not in block]
    pytester.makepyfile(block)
    monkeypatch.setenv("QUADRILLE_BLESS", "1")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
    monkeypatch.delenv("QUADRILLE_BLESS")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)

"""The examples of README.md: the output of sessions is compared, and pytest runs the tests."""

import doctest
import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"

BLUR = """
@group(0) @binding(0) var<storage, read_write> values: array<f32, 5>;
@compute @workgroup_size(1) fn main() {
    let old = values;
    for (var i = 1u; i < 4u; i++) { values[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1]; }
}"""
SKY = "half4 main(float2 p) { return half4(0.4, 0.6, p.y / 36, 1); }"


def test_sessions():
    text = README.read_text()
    blocks = [block for block in re.findall(r"```python\n(.*?)```", text, re.S) if ">>>" in block]
    assert len(blocks) >= 4
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", str(README), 0)
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def test_the_tests(pytester, monkeypatch):
    (block,) = re.findall(r"<!-- tested: test_readme -->\n```python\n(.*?)```", README.read_text(), re.S)
    pytester.makepyfile(f'BLUR = """{BLUR}"""\nSKY = """{SKY}"""\n{block}')
    monkeypatch.setenv("QUADRILLE_BLESS", "1")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
    monkeypatch.delenv("QUADRILLE_BLESS")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_the_block_of_the_main_readme(pytester, monkeypatch):
    """The Python example in the repository's README is a test file that passes."""
    text = (README.parents[2] / "README.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", text, re.S)
    pytester.makepyfile(block)
    monkeypatch.setenv("QUADRILLE_BLESS", "1")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
    monkeypatch.delenv("QUADRILLE_BLESS")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)

"""Output of shaders (`debugPrintfEXT`), which goes to `sys.stderr` unless it is captured."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ._quadrille import plain

_captures: list[list[str]] = []


def deliver(lines: list[str]) -> None:
    """Passes on lines that a shader has printed; called by the native extension."""
    if _captures:
        _captures[-1].extend(lines)
    else:
        print(*map(plain, lines), sep="\n", file=sys.stderr)


@contextmanager
def capture_printf() -> Iterator[list[str]]:
    """Collects the lines that shaders of this process print, instead of showing them.

    >>> import quadrille
    >>> shader = quadrille.compile('''
    ... #version 450
    ... #extension GL_EXT_debug_printf : require
    ... layout(local_size_x = 2) in;
    ... void main() { debugPrintfEXT("squared: %u", gl_GlobalInvocationID.x * gl_GlobalInvocationID.x); }
    ... ''', "glsl")
    >>> with quadrille.capture_printf() as lines:
    ...     shader.run(2)
    >>> sorted(lines)[3]
    '[3, 0, 0] squared: 9'
    """
    lines: list[str] = []
    _captures.append(lines)
    try:
        yield lines
    finally:
        # Captures of several threads need not end in reverse order of their start.
        _captures[:] = [capture for capture in _captures if capture is not lines]

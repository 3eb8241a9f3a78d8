"""Exceptions, whose classes give the cause of an error and whose texts show the line of the source."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._quadrille import plain


class Diagnostic(NamedTuple):
    """A compiler message about one place. Lines and columns count from 1; 0 means unknown."""

    line: int
    column: int
    length: int
    message: str


class QuadrilleError(Exception):
    """Base class of Quadrille's errors; the subclasses give the cause.

    >>> import quadrille
    >>> try:
    ...     quadrille.compile("fn f() { let x: i32 = 1.5; }", "wgsl", name="half.wgsl")
    ... except quadrille.CompileError as error:
    ...     print(error.file, error.line, error.column)
    half.wgsl 1 14
    """

    #: Text of the error, without the place.
    message: str
    #: Name of the source, if the error is about one.
    file: str | None
    #: Line of the source, from 1.
    line: int | None
    #: Column in bytes, from 1.
    column: int | None

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self._source = source or ""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (type(self), self.message, self.__dict__.copy()))

    def _places(self) -> list[Diagnostic]:
        return [Diagnostic(self.line or 0, self.column or 0, 0, self.message)]

    def __str__(self) -> str:
        # Compilers count line feeds; `splitlines` would also split at form feeds and other characters.
        source = self._source.removesuffix("\n")
        lines = [line.removesuffix("\r") for line in source.split("\n")] if source else []
        width = len(str(max((d.line for d in self._places()), default=0)))
        text = []
        for d in self._places():
            where = ":".join(str(part) for part in (self.file, d.line or None, d.column or None) if part)
            text.append(f"{where}: {d.message}" if where else d.message)
            if 0 < d.line <= len(lines):
                text.append(f"  {d.line:{width}} | {lines[d.line - 1]}")
                if d.column > 0:
                    # Columns count bytes. Tabs are kept, so that the marks align with the text above.
                    before = lines[d.line - 1].encode()[: d.column - 1].decode(errors="ignore")
                    blank = "".join("\t" if c == "\t" else " " for c in plain(before))
                    text.append(f"  {'':{width}} | {blank}{'^' * max(1, d.length)}")
        return plain("\n".join(text))


def _restore(kind: type[QuadrilleError], message: str, state: dict[str, Any]) -> QuadrilleError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class InvalidError(QuadrilleError):
    """The shader or the call violates its specification."""


class CompileError(InvalidError):
    """A source does not compile; `diagnostics` has all messages."""

    #: All messages, the first included.
    diagnostics: list[Diagnostic]
    #: Advice on how to fix the error, if any.
    hint: str | None
    #: Language of the source.
    language: str

    def __init__(
        self,
        message: str,
        *,
        diagnostics: list[tuple[int, int, int, str]] | None = None,
        language: str = "",
        hint: str | None = None,
        **place: Any,
    ) -> None:
        super().__init__(message, **place)
        self.diagnostics = [Diagnostic(*d) for d in diagnostics or ()]
        self.language = language
        self.hint = hint

    def _places(self) -> list[Diagnostic]:
        return self.diagnostics or super()._places()

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}\n  help: {plain(self.hint)}" if self.hint else text


class UnsupportedError(QuadrilleError):
    """A valid feature that Quadrille does not support; the message names it."""


class LimitError(QuadrilleError):
    """A documented limit is exceeded."""


class OutOfMemoryError(QuadrilleError, MemoryError):
    """The device or the host is out of memory."""


class DeviceLostError(QuadrilleError):
    """A shader exceeded its time budget, or the device belongs to another process."""


class InternalError(QuadrilleError):
    """A defect of Quadrille itself: please report it."""

"""Errors that say whose fault it is, and show the line of the source."""

from __future__ import annotations

from typing import Any, NamedTuple


class Diagnostic(NamedTuple):
    """One message of a compiler about one place. Lines and columns count from 1; 0 is unknown."""

    line: int
    column: int
    length: int
    message: str


class QuadrilleError(Exception):
    """Any error of Quadrille; the classes below say whose fault it is.

    >>> import quadrille
    >>> try:
    ...     quadrille.compile("fn f() { let x: i32 = 1.5; }", "wgsl", name="half.wgsl")
    ... except quadrille.CompileError as error:
    ...     print(error.file, error.line, error.column)
    half.wgsl 1 14
    """

    #: What is wrong, without the place.
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
        lines = self._source.splitlines()
        width = len(str(max((d.line for d in self._places()), default=0)))
        text = []
        for d in self._places():
            where = ":".join(str(part) for part in (self.file, d.line or None, d.column or None) if part)
            text.append(f"{where}: {d.message}" if where else d.message)
            if 0 < d.line <= len(lines):
                text.append(f"  {d.line:{width}} | {lines[d.line - 1]}")
                if d.column > 0:
                    # Columns are bytes; tabs stay, so that the marks stand below what they mark.
                    before = lines[d.line - 1].encode()[: d.column - 1].decode(errors="ignore")
                    blank = "".join("\t" if c == "\t" else " " for c in before)
                    text.append(f"  {'':{width}} | {blank}{'^' * max(1, d.length)}")
        return "\n".join(text)


def _restore(kind: type[QuadrilleError], message: str, state: dict[str, Any]) -> QuadrilleError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class InvalidError(QuadrilleError):
    """The shader or the call breaks its specification."""


class CompileError(InvalidError):
    """A source does not compile; `diagnostics` has all messages."""

    #: All messages, the first included.
    diagnostics: list[Diagnostic]
    #: What to do about it, if that is known.
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
        return f"{text}\n  help: {self.hint}" if self.hint else text


class UnsupportedError(QuadrilleError):
    """Legal, but not offered here; the message names it."""


class LimitError(QuadrilleError):
    """A stated limit is exceeded."""


class OutOfMemoryError(QuadrilleError, MemoryError):
    """Memory of the device or of the host ran out."""


class DeviceLostError(QuadrilleError):
    """A shader did not end within its budget, or the device belongs to another process."""


class InternalError(QuadrilleError):
    """A defect of Quadrille itself: please report it."""

"""Inputs of shaders besides arrays: samplers, textures, values as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InvalidError


@dataclass(frozen=True)
class Sampler:
    """A sampler: `filter` is linear or nearest, `wrap` is repeat, mirror, clamp or border (transparent).

    Coordinates that are not `normalized` count texels.
    """

    filter: str = "linear"
    wrap: str = "repeat"
    normalized: bool = True

    def _arguments(self) -> tuple[str, str, bool]:
        return (self.filter, self.wrap, self.normalized)


@dataclass(frozen=True)
class Image:
    """An image of a kernel: an array of texels, and their format by its Vulkan name.

    The array has the axes layer, z, y and x, as far as the image has them, and then components. Without a format, 8 and
    16 bits are normalized and 32 bits are integers or floats.
    """

    texels: npt.NDArray[Any]
    format: str | None = None


@dataclass(frozen=True)
class Texture:
    """An array of texels with a sampler; several arrays are mip levels, each half as large as the one before."""

    texels: npt.NDArray[Any] | Sequence[npt.NDArray[Any]]
    sampler: Sampler = Sampler()
    #: True if the texels are data and not colours; they are then not premultiplied by alpha (AGSL).
    data: bool = False

    def levels(self) -> list[npt.NDArray[Any]]:
        """Returns the arrays of all levels."""
        return [self.texels] if isinstance(self.texels, np.ndarray) else list(self.texels)

    def only_level(self) -> npt.NDArray[Any]:
        """Returns the array of the only level."""
        levels = self.levels()
        if len(levels) != 1:
            raise InvalidError(f"a picture has one level here, not {len(levels)}")
        return levels[0]


def source_bytes(source: Any, takes: str) -> bytes:
    """Returns the bytes of a source; `takes` says what is taken instead of an object of another type."""
    if isinstance(source, str):
        return source.encode()
    try:
        return bytes(memoryview(source))
    except TypeError:
        # `bytes` makes zeros of a number, and its name of a path.
        raise TypeError(f"{takes}, not {type(source).__name__}") from None


def sizes_of(numbers: int | Sequence[int]) -> list[int]:
    """Returns one to three whole numbers, which may be floats without a fraction."""
    given = list(numbers) if isinstance(numbers, Iterable) else [numbers]
    if not 1 <= len(given) <= 3:
        raise InvalidError(f"one to three numbers, in x, y and z, not {numbers!r}")
    return [_whole(n) for n in given]


def _whole(number: Any) -> int:
    if not isinstance(number, (float, np.floating)):
        return index(number)
    if not float(number).is_integer():
        raise InvalidError(f"{number} is not a whole number")
    return int(number)


def uniform_text(name: str, value: object) -> str:
    """Formats a value as one number per component; strings such as `#ff8000` are returned unchanged."""
    if isinstance(value, str):
        return value
    texts = []
    for number in np.ravel(np.asarray(value)).tolist():
        if not isinstance(number, (int, float)):
            kind = type(number).__name__
            raise TypeError(f"the uniform `{name}` takes numbers, or text such as `#ff8000`, not {kind}")
        texts.append(repr(number) if isinstance(number, float) else str(int(number)))
    return ",".join(texts)


def spec_texts(spec: Mapping[int, object] | None) -> list[tuple[int, str]]:
    """Formats the values of specialization constants as text, in the order of their ids."""

    def text(value: object) -> str:
        if isinstance(value, np.generic):
            value = value.item()
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [(number, text(value)) for number, value in sorted((spec or {}).items())]

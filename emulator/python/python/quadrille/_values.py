"""Inputs of shaders besides arrays: samplers, textures, values as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


def uniform_text(value: object) -> str:
    """Formats a value as one number per component; strings such as `#ff8000` are returned unchanged."""
    if isinstance(value, str):
        return value
    return ",".join(repr(n) if isinstance(n, float) else str(int(n)) for n in np.ravel(np.asarray(value)).tolist())


def spec_texts(spec: Mapping[int, object] | None) -> list[tuple[int, str]]:
    """Formats the values of specialization constants as text, in the order of their ids."""

    def text(value: object) -> str:
        if isinstance(value, np.generic):
            value = value.item()
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [(number, text(value)) for number, value in sorted((spec or {}).items())]

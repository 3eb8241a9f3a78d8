"""Pictures: arrays of shape (height, width, 4) with red, green, blue and alpha, 8 bits each."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _quadrille
from ._errors import InvalidError

Pixels = npt.NDArray[np.uint8]


def pixels_of(picture: npt.NDArray[Any]) -> Pixels:
    """Converts a grey, RGB or RGBA picture to an array of shape (height, width, 4)."""
    picture = np.asarray(picture)
    if picture.dtype != np.uint8:
        raise InvalidError(f"pixels are uint8, not {picture.dtype}")
    if picture.ndim == 2:
        picture = np.repeat(picture[..., None], 3, axis=-1)
    if picture.ndim == 3 and picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    if picture.ndim != 3 or picture.shape[2] != 4:
        raise InvalidError(f"a picture has the shape (height, width, 4), not {picture.shape}")
    return np.ascontiguousarray(picture)


def read_picture(path: str | os.PathLike[str]) -> Pixels:
    """Reads the pixels of a PNG or JPEG file."""
    return _quadrille.read_picture(os.fspath(path))


def write_picture(path: str | os.PathLike[str], picture: npt.NDArray[Any]) -> None:
    """Writes a PNG file and creates its folder."""
    _quadrille.write_picture(os.fspath(path), pixels_of(picture))


def compare_pictures(
    actual: npt.NDArray[Any],
    expected: npt.NDArray[Any],
    *,
    tolerance: int = 0,
    pixels: int = 0,
    diff: str | os.PathLike[str] | None = None,
) -> str | None:
    """Returns None if at most `pixels` pixels differ by more than `tolerance` in a component, else a description.

    If they differ, the expected, difference and actual pictures are written side by side to `diff`.

    >>> import numpy as np
    >>> import quadrille
    >>> a = np.zeros((2, 2, 4), np.uint8)
    >>> b = a.copy(); b[1, 0] = 9
    >>> quadrille.compare_pictures(a, b)
    '1 pixels differ, by up to 9, the first at (0, 1)'
    """
    path = None if diff is None else os.fspath(diff)
    return _quadrille.compare_pictures(pixels_of(actual), pixels_of(expected), tolerance, pixels, path)

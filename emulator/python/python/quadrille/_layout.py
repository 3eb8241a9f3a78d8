"""Compares numpy types with the blocks of a shader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

Type = np.dtype[Any]


def mismatches(here: Type, there: Type, path: str = "") -> list[str]:
    """Returns a sentence for each field whose offset or type differs from the shader's.

    Fields whose names begin with `_` or `pad` are ignored.
    """
    if here.names is None or there.names is None:
        return _leaves(here, there, path or "an element")
    found: list[str] = []
    theirs: Mapping[str, tuple[Any, ...]] = there.fields or {}
    ours: Mapping[str, tuple[Any, ...]] = here.fields or {}
    for name, (kind, offset, *_) in theirs.items():
        full = f"{path}.{name}" if path else name
        if name not in ours:
            found.append(f"the shader has `{full}` at byte {offset}, but it is missing here")
            continue
        mine, at = ours[name][:2]
        if at != offset:
            found.append(f"field `{full}` is at byte {at} here, at {offset} in the shader")
        elif mine.names is not None and kind.names is not None:
            found += mismatches(mine, kind, full)
        else:
            found += _leaves(mine, kind, f"`{full}`")
    for name in ours:
        if name not in theirs and not name.startswith(("_", "pad")):
            full = f"{path}.{name}" if path else name
            found.append(f"the shader's block has no `{full}`, which is at byte {ours[name][1]} here")
    if not path and here.itemsize != there.itemsize and not found:
        found.append(f"an element has {here.itemsize} bytes here, {there.itemsize} in the shader")
    return found


def _leaves(here: Type, there: Type, what: str) -> list[str]:
    """Describes the first number with another offset or type."""
    ours, theirs = list(_numbers(here)), list(_numbers(there))
    for (index, at, mine), (_, offset, kind) in zip(ours, theirs):
        if mine.kind == "b" and kind.itemsize == 4:
            return [f"{what} is bool here, which has 1 byte; in the shader it has 4"]
        if mine != kind and not (mine.kind in "iu" and kind.kind in "iu" and mine.itemsize == kind.itemsize):
            return [f"{what} is {mine} here, {kind} in the shader"]
        if at != offset:
            return [f"{index} of {what} is at byte {at} here, at {offset} in the shader"]
    if len(ours) < len(theirs):
        return [f"{what} has {here.itemsize} bytes here, {there.itemsize} in the shader"]
    return []


def _numbers(kind: Type, index: str = "", at: int = 0) -> Iterator[tuple[str, int, Type]]:
    """Yields index, offset and type of each number; for arrays, only of the first two elements and the last."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        steps = [base.itemsize * int(np.prod(shape[i + 1 :], dtype=int)) for i in range(len(shape))]
        for place in product(*({0, 1, n - 1} & set(range(n)) for n in shape)):
            offset = at + sum(i * step for i, step in zip(place, steps))
            yield from _numbers(base, index + "".join(f"[{i}]" for i in place), offset)
    elif kind.fields is not None:
        for name, (field, offset, *_) in kind.fields.items():
            # The field `value` of a padded element is not a name in the shader.
            inner = index if kind.names == ("value",) else f"{index}.{name}"
            yield from _numbers(field, inner, at + offset)
    else:
        yield index or "[0]", at, kind


def refusal(array: np.ndarray[Any, Any], there: Type | None) -> str | None:
    """Returns the reason why an array does not fit a shader's buffer, as a sentence; None if it fits.

    `there` is the type of the block, or the element type of a block that is a single array; None if numpy has none.
    Bytes (`uint8`) are not checked; of structures, only the byte order is checked.
    """
    here = array.dtype
    if here == np.uint8:
        return None
    swapped = next((kind for _, _, kind in _numbers(here) if not kind.isnative), None)
    if swapped is not None:
        native = swapped.newbyteorder("=")
        return f"it has big-endian numbers ({here}), and shaders little-endian ones: astype(np.{native}) converts it"
    if here.fields is not None or there is None:
        return None
    wanted = {kind for _, _, kind in _numbers(there)}
    if not all(_alike(here, kind) for kind in wanted):
        if len(wanted) == 1:
            kind = wanted.pop()
            return f"it is an array of {here}, and the shader reads {kind}: astype(np.{kind}) converts it, {_AS_IT_IS}"
        return f"it is an array of {here}, and the shader reads a structure: `Shader.dtype` is its type, {_AS_IT_IS}"
    return _padding(array, there)


_AS_IT_IS = "view(np.uint8) gives its bytes as they are"


def _alike(here: Type, kind: Type) -> bool:
    """Returns True if the types are equal, ignoring the signedness of integers."""
    return here == kind or (here.kind in "iu" and kind.kind in "iu" and here.itemsize == kind.itemsize)


def _padding(array: np.ndarray[Any, Any], there: Type) -> str | None:
    """Returns the reason why unpadded elements do not fit the shader's padded ones; None if they fit."""
    element = _element(there)
    numbers = sum(1 for _ in _all_numbers(element))
    tight = numbers * array.itemsize
    row = int(np.prod(array.shape[1:], dtype=int)) * array.itemsize
    is_tight = row == tight if array.ndim > 1 else numbers == 1
    if element.itemsize <= tight or not is_tight:
        return None
    padded = (len(array), element.itemsize // array.itemsize)
    return (
        f"its shape is {array.shape}, {tight} bytes for each element, and the shader has elements of "
        f"{element.itemsize}: an array of shape {padded} has room for what is between, `Shader.dtype` is the type"
    )


def _element(kind: Type) -> Type:
    """Returns the element type, with padding, of a block that is a single array; otherwise the type itself."""
    if kind.subdtype is not None and kind.subdtype[0].fields is not None:
        return _element(kind.subdtype[0])
    if kind.fields is not None and len(kind.fields) == 1 and kind.names != ("value",):
        return _element(next(iter(kind.fields.values()))[0])
    return kind


def _all_numbers(kind: Type) -> Iterator[Type]:
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        for _ in range(int(np.prod(shape, dtype=int))):
            yield from _all_numbers(base)
    elif kind.fields is not None:
        for field, *_ in kind.fields.values():
            yield from _all_numbers(field)
    else:
        yield kind

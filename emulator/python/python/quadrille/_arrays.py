"""Arrays in device memory, copied arrays, and numpy types for shader layouts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._device import default_device
from ._errors import InvalidError, LimitError, UnsupportedError
from ._quadrille import Device, Memory


def zeros(
    shape: int | tuple[int, ...], dtype: npt.DTypeLike = np.float32, *, device: Device | None = None
) -> npt.NDArray[Any]:
    """Returns an array of zeros in device memory, which shaders of that device use without copies.

    Otherwise it is an ordinary array. Accesses to it while a shader uses it give unspecified values but are safe.

    >>> import quadrille
    >>> a = quadrille.zeros((2, 3), "u4")
    >>> a.shape, a.max()
    ((2, 3), np.uint32(0))
    """
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise TypeError("device memory holds numbers, not objects")
    if kind.subdtype is not None:
        # As in numpy, the axes of elements that are arrays come last.
        element, axes = kind.subdtype
        outer = tuple(shape) if isinstance(shape, Iterable) else (shape,)
        return zeros((*outer, *axes), element, device=device)
    count = int(np.prod(shape, dtype=object))
    if count < 0 or count * kind.itemsize >= 1 << 63:
        raise LimitError(f"an array of shape {shape} and {kind.itemsize} bytes for each element")
    memory = (device or default_device()).allocate(count * kind.itemsize)
    return np.asarray(memory).view(kind).reshape(shape) if count and kind.itemsize else np.zeros(shape, kind)


#: The same function, because new device memory is zero.
empty = zeros


def array(
    values: npt.ArrayLike, dtype: npt.DTypeLike | None = None, *, device: Device | None = None
) -> npt.NDArray[Any]:
    """Copies the values to device memory; see `zeros`."""
    host = np.asarray(values, dtype)
    out = zeros(host.shape, host.dtype, device=device)
    out[...] = host
    return out


def memory_of(values: npt.NDArray[Any], device: Device) -> tuple[Memory, int] | None:
    """Returns the device memory of the array and its offset there; None if the array must be copied."""
    base: object = values
    while base is not None and not isinstance(base, Memory):
        base = getattr(base, "base", None)
    if base is None or base.device is not device or not values.flags.c_contiguous:
        return None
    offset = values.ctypes.data - base.address
    return (base, offset) if offset % 16 == 0 else None


def flat_bytes(values: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Returns the bytes of a contiguous array without copying them."""
    flat: npt.NDArray[np.uint8] = values.reshape(-1).view(np.uint8)
    return flat


class Outputs:
    """Arrays that a run writes to. An array that is not in device memory, or not contiguous, is filled after the run.

    The native extension refuses a contiguous array outside of device memory that is bound twice, and does not see the
    others.
    """

    def __init__(self) -> None:
        self._arrays: list[tuple[npt.NDArray[Any], bool]] = []

    def add(self, array: npt.NDArray[Any], what: str, direct: bool) -> None:
        """Adds an array; raises `InvalidError` if a copy would overwrite results in an earlier one, or the reverse.

        `direct` is true for device memory that the shader itself writes to.
        """
        for other, is_direct in self._arrays:
            # All results in device memory are where they belong.
            seen = direct == is_direct and (direct or (array.flags.c_contiguous and other.flags.c_contiguous))
            if not seen and np.shares_memory(array, other):
                raise InvalidError(f"{what}: an array that the shader writes to is bound twice")
        self._arrays.append((array, direct))


_SCALARS = {
    "float": "f4", "double": "f8", "int": "i4", "uint": "u4", "bool": "u4",
    "float16_t": "f2", "int8_t": "i1", "uint8_t": "u1", "int16_t": "i2", "uint16_t": "u2",
    "int64_t": "i8", "uint64_t": "u8",
}  # fmt: skip
_VECTORS = {
    "vec": "f4", "dvec": "f8", "ivec": "i4", "uvec": "u4", "bvec": "u4",
    "f16vec": "f2", "i8vec": "i1", "u8vec": "u1", "i16vec": "i2", "u16vec": "u2", "i64vec": "i8", "u64vec": "u8",
}  # fmt: skip


def _plain(name: str) -> tuple[np.dtype[Any], tuple[int, ...]] | None:
    """Returns the component type and shape of a scalar or vector type such as `float` or `uvec3`."""
    if name in _SCALARS:
        return np.dtype(_SCALARS[name]), ()
    vector = re.fullmatch(r"(\w*vec)([234])", name)
    if vector and vector[1] in _VECTORS:
        return np.dtype(_VECTORS[vector[1]]), (int(vector[2]),)
    return None


def _spread(kind: np.dtype[Any], stride: int) -> np.dtype[Any]:
    """Pads the type at its end to the stride."""
    if stride in (0, kind.itemsize):
        return kind
    if stride < kind.itemsize:
        raise UnsupportedError(f"elements of {kind.itemsize} bytes every {stride} bytes have no numpy type")
    if kind.names is not None and kind.fields is not None:
        fields = [kind.fields[n] for n in kind.names]
        return np.dtype(
            {
                "names": list(kind.names),
                "formats": [f[0] for f in fields],
                "offsets": [f[1] for f in fields],
                "itemsize": stride,
            }
        )
    return np.dtype({"names": ["value"], "formats": [kind], "offsets": [0], "itemsize": stride})


def _matrix(member: dict[str, Any], element: str) -> np.dtype[Any] | None:
    """Returns a matrix type as an array of columns (rows if row-major) with their stride."""
    matrix = re.fullmatch(r"(f16|d)?mat([234])(?:x([234]))?", element)
    if not matrix:
        return None
    columns, rows = int(matrix[2]), int(matrix[3] or matrix[2])
    kind = np.dtype({None: "f4", "d": "f8", "f16": "f2"}[matrix[1]])
    outer, inner = (rows, columns) if member["row_major"] else (columns, rows)
    stride = member["matrix_stride"] or inner * kind.itemsize
    if stride == inner * kind.itemsize:
        return np.dtype((kind, (outer, inner)))
    return np.dtype((_spread(np.dtype((kind, (inner,))), stride), (outer,)))


def _member(member: dict[str, Any]) -> tuple[np.dtype[Any], bool]:
    """Returns the type of a member and False, or the element type of a runtime-sized array and True."""
    name, _, rest = member["type"].partition("[")
    lengths = [part for part in ("[" + rest).replace("]", "").split("[")[1:]] if rest else []
    plain = _plain(name)
    if plain:
        kind = np.dtype((plain[0], plain[1])) if plain[1] else plain[0]
    elif member["members"]:
        kind = struct_dtype(member["members"])
    else:
        found = _matrix(member, name)
        if found is None:
            raise UnsupportedError(f"`{member['name']}` is a {member['type']}, which has no numpy type")
        kind = found
    strides = [member["array_stride"], *member["inner_strides"]] if lengths else []
    for length, stride in reversed(list(zip(lengths, strides))):
        kind = _spread(kind, stride)
        if length == "":
            return kind, True
        kind = np.dtype((kind, (int(length),)))
    return kind, False


def struct_dtype(members: list[dict[str, Any]], size: int | None = None) -> np.dtype[Any]:
    """Returns the type of a structure whose members all have a known size."""
    names, formats, offsets = [], [], []
    for at, member in enumerate(members):
        kind, unsized = _member(member)
        if unsized:
            raise UnsupportedError(f"`{member['name']}` has no length: `dtype` gives the type of its elements alone")
        names.append(member["name"] or f"member{at}")
        formats.append(kind)
        offsets.append(member["offset"])
    end = max((o + f.itemsize for o, f in zip(offsets, formats)), default=0)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": max(end, size or 0)})


def block_dtype(block: dict[str, Any]) -> np.dtype[Any]:
    """Returns the type of a block, or the element type of a block that is a single array."""
    members = block["members"]
    if len(members) == 1:
        kind, unsized = _member(members[0])
        if unsized:
            return kind
        if members[0]["name"] == "" and kind.subdtype is None:
            return kind
    return struct_dtype(members, block["bytes"])

"""Kernels of OpenCL on arrays."""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _quadrille
from ._arrays import Outputs, flat_bytes, memory_of
from ._device import Device, default_device
from ._errors import InvalidError
from ._layout import refusal
from ._quadrille import OpenClKernel
from ._values import Image, Sampler, sizes_of, source_bytes, spec_texts

Size = Union[int, Sequence[int]]


@dataclass(frozen=True)
class Local:
    """An argument in workgroup memory, by its size in bytes."""

    bytes: int


@dataclass(frozen=True)
class Argument:
    """An argument of a kernel."""

    #: Name in the module; may be empty.
    name: str
    #: `buffer`, `value`, `workgroup`, `image` or `sampler`.
    kind: str
    #: Size of a value, in bytes.
    size: int
    #: Type of the numbers in a buffer; integers have no sign. None for structures.
    dtype: np.dtype[Any] | None
    #: Offset and type of each number of a value.
    scalars: tuple[tuple[int, np.dtype[Any]], ...]
    #: True for a buffer or image that the kernel only reads.
    constant: bool


def kernel(
    source: str | bytes | os.PathLike[str],
    entry: str | None = None,
    *,
    language: str = "spirv",
    spec: Mapping[int, object] | None = None,
    device: Device | None = None,
) -> Kernel:
    """Returns a kernel of OpenCL.

    `source` is a file (`.spv`, `.spvasm`, or `.cl` if `clang` is on the path), the bytes of a SPIR-V module, or its
    text, which has several lines. `entry` is the name of the kernel, if the module has several, and `spec` has the
    values of specialization constants by id.

    >>> import numpy as np
    >>> import quadrille
    >>> double = quadrille.kernel('''
    ... OpCapability Kernel
    ... OpCapability Addresses
    ... OpCapability Int64
    ... OpMemoryModel Physical64 OpenCL
    ... OpEntryPoint Kernel %double "double" %id
    ... OpDecorate %id BuiltIn GlobalInvocationId
    ... %void = OpTypeVoid
    ... %u64 = OpTypeInt 64 0
    ... %v3 = OpTypeVector %u64 3
    ... %in = OpTypePointer Input %v3
    ... %f32 = OpTypeFloat 32
    ... %ptr = OpTypePointer CrossWorkgroup %f32
    ... %fn = OpTypeFunction %void %ptr
    ... %id = OpVariable %in Input
    ... %double = OpFunction %void None %fn
    ... %a = OpFunctionParameter %ptr
    ... %entry = OpLabel
    ... %ids = OpLoad %v3 %id
    ... %i = OpCompositeExtract %u64 %ids 0
    ... %p = OpInBoundsPtrAccessChain %ptr %a %i
    ... %x = OpLoad %f32 %p Aligned 4
    ... %y = OpFAdd %f32 %x %x
    ... OpStore %p %y Aligned 4
    ... OpReturn
    ... OpFunctionEnd''')
    >>> values = np.array([1, 2, 3], np.float32)
    >>> double(values, global_size=3)
    >>> values
    array([2., 4., 6.], dtype=float32)
    """
    name = "kernel.spvasm"
    if isinstance(source, str) and "\n" not in source:
        source = Path(source)
    if isinstance(source, os.PathLike):
        path = Path(source)
        name = str(path)
        data = _quadrille.spirv_of(path)
        if data is None:
            data = path.read_bytes()
    else:
        data = source_bytes(source, "`kernel` takes a file, or the text or bytes of a module")
    if language.lower() not in ("spirv", "spir-v"):
        raise InvalidError(f"kernels are SPIR-V, or files of OpenCL C (.cl), not {language}")
    module = _quadrille.compile(data, language="spirv", stage="compute", name=name)
    used = device or default_device()
    return Kernel(used, OpenClKernel(used, module, entry, spec_texts(spec)))


class Kernel:
    """A kernel of OpenCL, created by `kernel`; a call runs it."""

    def __init__(self, device: Device, inner: OpenClKernel) -> None:
        self._device = device
        self._inner = inner
        rows = inner.arguments()
        self._arguments = tuple(
            Argument(
                name,
                kind,
                size,
                None if element is None else np.dtype(element),
                tuple((at, np.dtype(scalar)) for at, scalar in scalars),
                constant,
            )
            for name, kind, size, element, scalars, constant in rows
        )

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments, in order."""
        return self._arguments

    @property
    def required_local_size(self) -> tuple[int, ...] | None:
        """Size of a workgroup that the kernel requires."""
        size = self._inner.required_local
        return None if size is None else tuple(size)

    def __repr__(self) -> str:
        names = ", ".join(a.name or a.kind for a in self._arguments)
        return f"<quadrille.Kernel({names})>"

    def __call__(
        self, *args: object, global_size: Size, local_size: Size | None = None, offset: Size | None = None
    ) -> None:
        """Runs the kernel on arrays, which it modifies in place.

        `global_size` is the number of invocations in each dimension, `local_size` the size of a workgroup (default: the
        kernel's own, or a divisor of `global_size`), and `offset` the global id of the first invocation. The last
        workgroups are smaller if `local_size` does not divide `global_size`. There is one argument for each of the
        kernel's: an array for a buffer, a number, a sequence of numbers or bytes for a value, `Local` for workgroup
        memory, an array of texels or an `Image` for an image, and a `Sampler` for a sampler.

        Buffers are arrays of the numbers that the kernel reads, of structures, or of bytes (`uint8`), which are used
        unchanged. Arrays made by `zeros` and `array` are not copied; others are copied to the device and back. A kernel
        must not write to a read-only array. The interpreter's lock is released while the kernel runs. Ctrl-C ends the
        wait for work of more than 65,536 invocations; the work itself continues to its end or to the end of its budget.
        """
        if len(args) != len(self._arguments):
            raise TypeError(f"the kernel has {len(self._arguments)} arguments, not {len(args)}")
        whole = sizes_of(global_size)
        local = None if local_size is None else _three(sizes_of(local_size), 1)
        first = (0, 0, 0) if offset is None else _three(sizes_of(offset), 0)
        job = _Job(self._device, self._inner)
        for index, (argument, value) in enumerate(zip(self._arguments, args)):
            job.set(index, argument, value)
        sizes = (_three(whole, 1), local, first, len(whole))
        changed = self._inner.launch(sizes, job.arrays, job.memories, job.values, job.locals, job.images, job.samplers)
        if changed:
            what = _describe(changed[0], self._arguments[changed[0]])
            raise ValueError(f"{what}: the kernel writes to it, but the array is read only")
        for to, done in job.copies:
            to[...] = done.reshape(to.shape)


def _three(numbers: list[int], rest: int) -> tuple[int, int, int]:
    x, y, z = [*numbers, rest, rest][:3]
    return (x, y, z)


def _describe(index: int, argument: Argument) -> str:
    return f"argument {index}" + (f" ({argument.name})" if argument.name else "")


class _Job:
    """Arguments of one launch, in the form that the native extension expects."""

    def __init__(self, device: Device, inner: OpenClKernel) -> None:
        self.device = device
        self.inner = inner
        self.images: list[tuple[int, npt.NDArray[np.uint8], str, tuple[list[int], int], bool]] = []
        self.samplers: list[tuple[int, tuple[str, str, bool]]] = []
        self.arrays: list[tuple[int, npt.NDArray[np.uint8], bool]] = []
        self.memories: list[tuple[int, _quadrille.Memory, int, int]] = []
        self.values: list[tuple[int, bytes]] = []
        self.locals: list[tuple[int, int]] = []
        #: Arrays, and the contiguous copies from which they are filled after the launch.
        self.copies: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = []
        self.outputs = Outputs()
        #: Weak references to the arrays, which keep numpy from resizing their memory.
        self.held: list[weakref.ref[npt.NDArray[Any]]] = []

    def set(self, index: int, argument: Argument, value: object) -> None:
        what = _describe(index, argument)
        if argument.kind == "workgroup":
            if not isinstance(value, Local):
                raise TypeError(f"{what} is workgroup memory: quadrille.Local(bytes), not {type(value).__name__}")
            self.locals.append((index, value.bytes))
        elif isinstance(value, Local):
            raise TypeError(f"{what} is a {argument.kind}, not workgroup memory")
        elif argument.kind == "buffer":
            self._buffer(index, argument, value)
        elif argument.kind == "image":
            self._image(index, argument, value)
        elif argument.kind == "sampler":
            if not isinstance(value, Sampler):
                raise TypeError(f"{what} is a sampler: quadrille.Sampler(), not {type(value).__name__}")
            self.samplers.append((index, value._arguments()))
        else:
            self.values.append((index, _value(what, argument, value)))

    def _buffer(self, index: int, argument: Argument, value: object) -> None:
        what = _describe(index, argument)
        array = np.frombuffer(value, np.uint8) if isinstance(value, (bytes, bytearray, memoryview)) else value
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{what} is a buffer: an array (np.asarray makes one), not {type(value).__name__}")
        if array.dtype.hasobject:
            raise TypeError(f"{what}: an array of numbers is bound, not one of objects")
        # Compilers also use bytes for pointers whose type they do not know.
        there = None if argument.dtype is None or argument.dtype.itemsize == 1 else argument.dtype
        why = refusal(array, there)
        if why is not None:
            raise InvalidError(f"{what} does not fit: {why}")
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self.held.append(weakref.ref(owner))
        writeable = array.flags.writeable and not argument.constant
        memory = memory_of(array, self.device) if array.flags.writeable else None
        if writeable:
            self.outputs.add(array, what, memory is not None)
        if memory is not None:
            self.memories.append((index, memory[0], memory[1], array.nbytes))
            return
        flat = array
        if not array.flags.c_contiguous:
            flat = np.ascontiguousarray(array)
            flat.flags.writeable = writeable
            if writeable:
                self.copies.append((array, flat))
        self.arrays.append((index, flat_bytes(flat), writeable))

    def _image(self, index: int, argument: Argument, value: object) -> None:
        what = _describe(index, argument)
        image = Image(value) if isinstance(value, np.ndarray) else value
        if not isinstance(image, Image):
            raise TypeError(f"{what} is an image: an array of texels, not {type(value).__name__}")
        array, dim = image.texels, self.inner.image_dim(index)
        why = refusal(array, None)
        if why is not None:
            raise InvalidError(f"{what} does not fit: {why}")
        axes = {"1D": 1, "Buffer": 1, "1DArray": 2, "2D": 2, "2DArray": 3, "3D": 3}[dim]
        if array.ndim not in (axes, axes + 1) or array.size == 0:
            shape = f"an array of shape {array.shape} does not fit"
            raise InvalidError(f"{what} is an image of dimensionality {dim}: {shape}")
        components = array.shape[axes] if array.ndim > axes else 1
        layers, sides = (array.shape[0], array.shape[1:axes]) if dim.endswith("Array") else (1, array.shape[:axes])
        written = not argument.constant
        if written and not array.flags.writeable:
            raise ValueError(f"{what}: the kernel may write to it, but the array is read only")
        if written:
            self.outputs.add(array, what, False)
        flat = array
        if not array.flags.c_contiguous:
            flat = np.ascontiguousarray(array)
            if written:
                self.copies.append((array, flat))
        extent = [*(int(side) for side in reversed(sides)), 1, 1][:3]
        format = image.format or _format(what, array.dtype, components)
        self.images.append((index, flat_bytes(flat), format, (extent, int(layers)), written))


def _format(what: str, dtype: np.dtype[Any], components: int) -> str:
    """Returns the format of texels whose array is all that is known."""
    bits = 8 * dtype.itemsize
    kinds = {"f": "SFLOAT", "u": "UINT" if bits > 16 else "UNORM", "i": "SINT" if bits > 16 else "SNORM"}
    if dtype.kind not in kinds or components not in (1, 2, 4) or bits not in (8, 16, 32):
        raise InvalidError(f"{what}: no format has {components} components of {dtype}")
    return "".join(f"{letter}{bits}" for letter in "RGBA"[:components]) + "_" + kinds[dtype.kind]


def _value(what: str, argument: Argument, value: object) -> bytes:
    """Returns the memory of a value: bytes and structures as they are, or one number for each scalar."""
    if isinstance(value, (bytes, bytearray, memoryview, np.void)):
        data = value.tobytes() if isinstance(value, np.void) else bytes(value)
        if len(data) != argument.size:
            raise InvalidError(f"{what} has {argument.size} bytes, not {len(data)}")
        return data
    given = np.ravel(np.asarray(value)).tolist()
    if len(given) != len(argument.scalars):
        raise InvalidError(f"{what} has {len(argument.scalars)} numbers, not {len(given)}")
    packed = bytearray(argument.size)
    for (at, kind), number in zip(argument.scalars, given):
        packed[at : at + kind.itemsize] = _scalar(what, kind, number)
    return bytes(packed)


def _scalar(what: str, kind: np.dtype[Any], number: object) -> bytes:
    if not isinstance(number, (int, float)):
        raise TypeError(f"{what} is a value: a number, not {type(number).__name__}")
    if kind.kind == "f":
        return np.array(number, kind).tobytes()
    bits = 8 * kind.itemsize
    if not math.isfinite(number) or number != int(number) or not -(1 << (bits - 1)) <= int(number) < 1 << bits:
        raise InvalidError(f"{what}: {number} is not an integer of {bits} bits")
    return (int(number) % (1 << bits)).to_bytes(kind.itemsize, "little")

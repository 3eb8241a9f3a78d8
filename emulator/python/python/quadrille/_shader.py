"""Compiles shaders, runs them on arrays, and renders pictures."""

from __future__ import annotations

import json
import os
import re
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _quadrille
from ._arrays import Outputs, block_dtype, flat_bytes, memory_of
from ._device import Device, default_device
from ._errors import InvalidError, UnsupportedError
from ._layout import mismatches, refusal
from ._pictures import Pixels
from ._quadrille import Kernel, Module
from ._render import Renderer
from ._values import Sampler, Texture, sizes_of, source_bytes, spec_texts

Value = Union[npt.NDArray[Any], bytes, bytearray, memoryview, Texture, Sampler]
Key = Union[int, "np.integer[Any]", str, tuple[int, int], tuple[int, int, int]]


@dataclass(frozen=True)
class Binding:
    """A resource that a shader expects at a set and a binding."""

    set: int
    binding: int
    #: `storage buffer`, `uniform buffer`, `storage image`, `texture`, `texture with sampler`, `sampler`.
    kind: str
    #: Number of array elements; 0 for a runtime-sized array.
    count: int
    name: str
    #: Smallest size of a buffer in bytes, without its runtime-sized array.
    size: int
    #: True if the shader writes to it.
    written: bool
    #: Type in GLSL notation.
    type: str
    #: Declared format of a storage image.
    format: str | None


def compile(
    source: str | bytes,
    language: str,
    *,
    stage: str | None = None,
    name: str | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    define: Mapping[str, object] | None = None,
    constants: Mapping[str, float] | None = None,
    children: Mapping[str, str] | None = None,
    strict: bool = False,
) -> Shader:
    """Compiles a source.

    `language` is glsl, wgsl, agsl, spirv (binary or text) or shadertoy. `stage` applies to GLSL; by default, a source
    that declares `local_size_x` is a compute shader, and any other a fragment shader. `name` is the source's name in
    messages.

    `include` (folders) and `define` (macros) apply to GLSL, `constants` (values of overridable constants) to WGSL, and
    `children` (programs) to AGSL. `strict` accepts only the letter of the draft in WGSL of January 2021.

    >>> import quadrille
    >>> shader = quadrille.compile("void main() { float x = 1 }", "glsl", stage="compute", name="a.comp")
    Traceback (most recent call last):
        ...
    quadrille._errors.CompileError: a.comp:1:27: syntax error, unexpected `}`, expecting `,` or `;`
      1 | void main() { float x = 1 }
        |                           ^
    """
    data = source_bytes(source, "`load` compiles a file, and `compile` text or bytes")
    file = name or f"shader.{language}"
    bound = [(child, f"{child}.agsl", text) for child, text in (children or {}).items()]
    module = _quadrille.compile(
        data,
        language=language.lower(),
        stage=stage,
        name=file,
        includes=[os.fspath(folder) for folder in include],
        defines=[(macro, str(value)) for macro, value in (define or {}).items()],
        constants=[(constant, float(value)) for constant, value in (constants or {}).items()],
        children=bound,
        strict=strict,
    )
    return Shader(module)


def load(path: str | os.PathLike[str], language: str | None = None, **options: Any) -> Shader:
    """Compiles a file whose name gives its language and stage: `blur.comp`, `sky.frag.glsl`, `sort.wgsl`, `a.spv`.

    Options are those of `compile`. Files that GLSL includes are searched beside the file.
    """
    path = Path(path)
    by_name, stage = _quadrille.language_of(os.fspath(path))
    language = language or by_name
    if language is None:
        raise InvalidError(f"{path}: the name does not say the language; name it, as in language='glsl'")
    options.setdefault("name", str(path))
    if language.lower() == "glsl":
        options.setdefault("stage", stage)
    return compile(path.read_bytes(), language, **options)


@dataclass
class _Copy:
    """An output array, and the copy of it that the shader modifies."""

    to: npt.NDArray[Any]
    done: npt.NDArray[Any]


class Shader:
    """A compiled source, created by `compile` or `load`. A pickle of it contains its SPIR-V."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._kernels: dict[tuple[Any, ...], tuple[Device, Kernel, list[Binding]]] = {}
        self._reflection: dict[str, Any] | None = None
        self._types: dict[tuple[int, int, str | None], np.dtype[Any] | None] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        m = self._module
        sort = (m.language, m.stage, m.shadertoy)
        return (_restore, (m.spirv, m.name, m.text, *sort, m.origin, m.initial_values))

    def __repr__(self) -> str:
        return f"<quadrille.Shader {self.name}: {self._module.language}>"

    def __str__(self) -> str:
        return self._module.describe()

    @property
    def name(self) -> str:
        """Name of the source."""
        return self._module.name

    @property
    def language(self) -> str:
        """Language of the source: GLSL, WGSL, AGSL or SPIR-V."""
        return self._module.language

    @property
    def origin(self) -> tuple[str, str]:
        """Coordinate origin of its pictures, `upper-left` or `lower-left`, and the evidence for it in the source.

        >>> import quadrille
        >>> quadrille.compile("void main() { gl_FragColor = vec4(1.0); }", "glsl").origin
        ('lower-left', 'line 1: only OpenGL has `gl_FragColor`')
        """
        return self._module.origin

    @property
    def spirv(self) -> bytes:
        """The module as SPIR-V binary."""
        return self._module.spirv

    @property
    def entry_points(self) -> list[tuple[str, str]]:
        """Names and stages of the entry points."""
        return self._module.entry_points()

    @property
    def reflection(self) -> dict[str, Any]:
        """Reflected description of the module.

        It contains entry points with inputs, outputs, bindings and uniforms, specialization constants, and
        capabilities.
        """
        if self._reflection is None:
            self._reflection = json.loads(self._module.reflect_json())
        return self._reflection

    def bindings(self, entry: str | None = None, *, device: Device | None = None) -> list[Binding]:
        """Returns the resources that a compute shader expects."""
        return self._kernel(entry, None, device)[2]

    def dtype(self, binding: Key, entry: str | None = None) -> np.dtype[Any]:
        """Returns the numpy type of a buffer's block, with the shader's offsets.

        For a block that is a single array, it is the type of the elements.

        >>> import quadrille
        >>> shader = quadrille.compile('''
        ... struct Ball { at: vec3f, radius: f32, hits: u32 }
        ... @group(0) @binding(0) var<storage, read_write> balls: array<Ball>;
        ... @compute @workgroup_size(1) fn main() { balls[1].hits = u32(balls[1].radius); }
        ... ''', "wgsl")
        >>> balls = np.zeros(2, shader.dtype("balls"))
        >>> balls["radius"] = 3
        >>> shader.run(1, {"balls": balls})
        >>> balls.dtype.itemsize, balls["hits"]
        (32, array([0, 3], dtype=uint32))
        """
        row = _find(self._kernel(entry, None, None)[2], binding)
        for point in self.reflection["entry_points"]:
            for known in point["bindings"]:
                if (known["set"], known["binding"]) == (row.set, row.binding) and known["block"]:
                    return block_dtype(known["block"])
        raise InvalidError(f"{_describe(row)} is not a buffer whose members are known")

    def check_layout(self, binding: Key, kind: npt.DTypeLike | npt.NDArray[Any], entry: str | None = None) -> None:
        """Raises `InvalidError` if the fields of a type have other offsets than in the shader's block.

        `kind` is the type, or an array of it. The error names each such field.

        >>> import quadrille
        >>> shader = quadrille.compile('''
        ... struct Ball { at: vec3f, radius: f32, to: vec3f }
        ... @group(0) @binding(0) var<storage, read_write> balls: array<Ball>;
        ... @compute @workgroup_size(1) fn main() { balls[0].radius = balls[0].to.x; }
        ... ''', "wgsl")
        >>> ball = [("at", "f4", 3), ("radius", "f4"), ("to", "f4", 3)]
        >>> shader.check_layout("balls", [*ball, ("_pad", "f4")])
        >>> try:
        ...     shader.check_layout("balls", ball)
        ... except quadrille.InvalidError as error:
        ...     print(error)
        balls: an element has 28 bytes here, 32 in the shader
        """
        here = kind.dtype if isinstance(kind, np.ndarray) else np.dtype(kind)
        found = mismatches(here, self.dtype(binding, entry))
        if found:
            row = _find(self._kernel(entry, None, None)[2], binding)
            raise InvalidError("\n".join(f"{row.name or _describe(row)}: {line}" for line in found))

    def emit(
        self,
        what: str,
        entry: str | None = None,
        *,
        spec: Mapping[int, object] | None = None,
        device: Device | None = None,
    ) -> str:
        """Returns the code of one compilation stage as text: `spirv`, `ir`, `clif`, or `asm` (host assembly)."""
        points = self.entry_points
        name, stage = next(((n, s) for n, s in points if entry in (None, n)), ("", "compute"))
        return self._module.emit(what, device or default_device(), entry or name, stage, spec_texts(spec))

    def run(
        self,
        groups: int | Sequence[int] | None = None,
        bindings: Mapping[Any, Any] | None = None,
        *,
        invocations: int | Sequence[int] | None = None,
        push: npt.NDArray[Any] | bytes | None = None,
        entry: str | None = None,
        spec: Mapping[int, object] | None = None,
        device: Device | None = None,
    ) -> None:
        """Runs a compute shader on arrays, which it modifies in place.

        `groups` is the number of workgroups in x, y and z. Alternatively, `invocations` is a number of invocations,
        rounded up to whole workgroups. A key of `bindings` is a name, a binding of set 0, `(set, binding)` or
        `(set, binding, element)`; a value is an array, a `Texture`, a `Sampler`, or a list of these for an array of
        bindings. `push` has the push constants, `spec` the values of specialization constants by id.

        Buffers are arrays of the numbers that the shader reads, of structures (`dtype` returns their type), or of
        bytes (`uint8`), which are used unchanged. Images are arrays of shape ([layers or depth,] height, width,
        components) in the type that the shader declares. A cube has 6 layers, and a `Texture` may have several arrays,
        one per mip level. Arrays made by `zeros` and `array` are not copied; others are copied to the device, and back
        if the shader writes to them. The interpreter's lock is released while the shader runs. Ctrl-C ends the wait for
        work of more than 65,536 invocations; the work itself continues to its end or to the end of its budget.

        >>> import numpy as np
        >>> import quadrille
        >>> invert = quadrille.compile('''
        ... #version 450
        ... layout(local_size_x = 8, local_size_y = 8) in;
        ... layout(set = 0, binding = 0, rgba8) uniform image2D picture;
        ... void main() {
        ...     ivec2 at = ivec2(gl_GlobalInvocationID.xy);
        ...     imageStore(picture, at, vec4(1.0 - imageLoad(picture, at).rgb, 1.0));
        ... }''', "glsl")
        >>> picture = np.full((5, 7, 4), 10, np.uint8)
        >>> invert.run(bindings={"picture": picture}, invocations=(7, 5))
        >>> picture[4, 6]
        array([245, 245, 245, 255], dtype=uint8)
        """
        used, kernel, rows = self._kernel(entry, spec, device)
        job = _Job(used, rows, lambda row: self._wanted(row, entry))
        for key, value in (bindings or {}).items():
            row = _find(rows, key)
            first = key[2] if isinstance(key, tuple) and len(key) == 3 else 0
            values: Iterable[Any] = value if isinstance(value, list) else [value]
            for element, one in enumerate(values, first):
                job.bind(row, (row.set, row.binding, element), one)
        job.check_all_bound()
        size = _groups(groups, invocations, kernel)
        why = refusal(push, None) if isinstance(push, np.ndarray) else None
        if why is not None:
            raise InvalidError(f"the push constants do not fit: {why}")
        constants = np.ascontiguousarray(push).tobytes() if isinstance(push, np.ndarray) else bytes(push or b"")
        kernel.run(size, job.buffers, job.memories, job.images, job.samplers, constants)
        for copy in job.copies:
            copy.to[...] = copy.done.reshape(copy.to.shape)

    def _wanted(self, row: Binding, entry: str | None) -> np.dtype[Any] | None:
        """Returns the type of a buffer's block, if numpy has one."""
        key = (row.set, row.binding, entry)
        if key not in self._types:
            try:
                self._types[key] = self.dtype((row.set, row.binding), entry)
            except (InvalidError, UnsupportedError):
                self._types[key] = None
        return self._types[key]

    def renderer(self, width: int, height: int, **options: Any) -> Renderer:
        """Returns a renderer for frames of this size; options are those of `Renderer`."""
        return Renderer(self, width, height, **options)

    def render(
        self,
        width: int,
        height: int,
        *,
        time: float = 0.0,
        frame: int = 0,
        mouse: Sequence[float] = (),
        date: Sequence[float] = (),
        **options: Any,
    ) -> Pixels:
        """Renders a fragment shader to an array of shape (height, width, 4). Options are those of `Renderer`.

        >>> import quadrille
        >>> shader = quadrille.compile('''
        ... void mainImage(out vec4 color, vec2 at) { color = vec4(at / iResolution.xy, iTime, 1); }
        ... ''', "shadertoy")
        >>> shader.render(4, 2, time=0.5)[0, 3]
        array([223, 191, 128, 255], dtype=uint8)
        """
        return Renderer(self, width, height, **options).render(time, frame, mouse=mouse, date=date)

    def _kernel(
        self, entry: str | None, spec: Mapping[int, object] | None, device: Device | None
    ) -> tuple[Device, Kernel, list[Binding]]:
        device = device or default_device()
        texts = spec_texts(spec)
        key = (id(device), entry, tuple(texts))
        known = self._kernels.get(key)
        if known is None:
            kernel = Kernel(device, self._module, entry, texts)
            known = (device, kernel, [Binding(*row) for row in kernel.bindings()])
            if len(self._kernels) >= 16:
                self._kernels.clear()
            self._kernels[key] = known
        return known


def _restore(
    spirv: bytes,
    name: str,
    text: str,
    language: str,
    stage: str | None,
    shadertoy: bool,
    origin: tuple[str, str],
    initial: list[tuple[str, str | None]],
) -> Shader:
    return Shader(Module.restore(spirv, name, text, language, stage, shadertoy, origin, initial))


def _describe(row: Binding) -> str:
    return f"set {row.set}, binding {row.binding}" + (f" ({row.name})" if row.name else "")


def _find(rows: list[Binding], key: Key) -> Binding:
    """Returns the binding that a key of `bindings` names."""
    if isinstance(key, str):
        found = [row for row in rows if row.name == key]
    else:
        place = (0, int(key)) if isinstance(key, (int, np.integer)) else key[:2]
        found = [row for row in rows if (row.set, row.binding) == place]
    if len(found) != 1:
        there = "; ".join(_describe(row) for row in rows) or "nothing"
        several = "names several bindings of" if found else "is not used by"
        raise InvalidError(f"{key!r} {several} the shader, which has: {there}")
    return found[0]


def _three(numbers: int | Sequence[int]) -> tuple[int, int, int]:
    x, y, z = [*sizes_of(numbers), 1, 1][:3]
    return (x, y, z)


def _groups(
    groups: int | Sequence[int] | None, invocations: int | Sequence[int] | None, kernel: Kernel
) -> tuple[int, int, int]:
    if (groups is None) == (invocations is None):
        raise InvalidError("give either the number of workgroups or that of invocations")
    if groups is not None:
        return _three(groups)
    assert invocations is not None
    x, y, z = (-(-n // size) for n, size in zip(_three(invocations), kernel.local_size))
    return (x, y, z)


class _Job:
    """Resources of one run, in the form that the native extension expects."""

    def __init__(self, device: Device, rows: list[Binding], wanted: Callable[[Binding], np.dtype[Any] | None]) -> None:
        self.device = device
        self.rows = rows
        self.wanted = wanted
        #: Weak references to the arrays, which keep numpy from resizing their memory.
        self.held: list[weakref.ref[npt.NDArray[Any]]] = []
        self.buffers: list[tuple[tuple[int, int, int], npt.NDArray[np.uint8], bool]] = []
        self.memories: list[tuple[tuple[int, int, int], _quadrille.Memory, int, int]] = []
        self.images: list[tuple[Any, ...]] = []
        self.samplers: list[tuple[tuple[int, int, int], tuple[str, str, bool]]] = []
        self.copies: list[_Copy] = []
        self.outputs = Outputs()
        self.bound: set[tuple[int, int]] = set()
        self.slots: set[tuple[int, int, int]] = set()

    def check_all_bound(self) -> None:
        missing = [_describe(r) for r in self.rows if r.kind != "sampler" and (r.set, r.binding) not in self.bound]
        if missing:
            raise InvalidError(f"nothing is bound to {'; '.join(missing)}")

    def bind(self, row: Binding, slot: tuple[int, int, int], value: Value) -> None:
        # Names, numbers and pairs of numbers may be the same binding, of whose values one would have no effect.
        if slot in self.slots:
            raise InvalidError(f"{_describe(row)} is bound twice, by two of its names")
        self.slots.add(slot)
        self.bound.add(slot[:2])
        if isinstance(value, Sampler):
            self.samplers.append((slot, value._arguments()))
            return
        sampler = value.sampler._arguments() if isinstance(value, Texture) else None
        levels = [self._array(row, one) for one in (value.levels() if isinstance(value, Texture) else [value])]
        if not levels:
            raise InvalidError(f"{_describe(row)}: a texture without levels")
        if row.kind in ("storage buffer", "uniform buffer"):
            if isinstance(value, Texture):
                raise TypeError(f"{_describe(row)} is a {row.kind}: an array is bound, not a Texture")
            self._buffer(row, slot, levels[0])
        elif row.kind in ("storage image", "texture", "texture with sampler"):
            self._image(row, slot, levels, sampler)
        else:
            raise UnsupportedError(f"{_describe(row)} is a {row.kind}, which no array is bound to")

    def _array(self, row: Binding, value: object) -> npt.NDArray[Any]:
        """Returns the value as an array that the shader may read and, if it does, write."""
        array = np.frombuffer(value, np.uint8) if isinstance(value, (bytes, bytearray, memoryview)) else value
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{_describe(row)}: an array is bound (np.asarray makes one), not {type(value).__name__}")
        if array.dtype.hasobject:
            raise TypeError(f"{_describe(row)}: an array of numbers is bound, not one of objects")
        if row.written and not array.flags.writeable:
            raise ValueError(f"{_describe(row)}: the shader writes to it, but the array is read only")
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self.held.append(weakref.ref(owner))
        return array

    def _contiguous(self, row: Binding, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns the array, or a contiguous copy from which the array is filled after the run."""
        if array.flags.c_contiguous:
            return array
        copy = np.ascontiguousarray(array)
        if row.written:
            self.copies.append(_Copy(array, copy))
        return copy

    def _buffer(self, row: Binding, slot: tuple[int, int, int], array: npt.NDArray[Any]) -> None:
        why = refusal(array, self.wanted(row))
        if why is not None:
            raise InvalidError(f"{_describe(row)} does not fit: {why}")
        memory = memory_of(array, self.device)
        if row.written:
            self.outputs.add(array, _describe(row), memory is not None)
        if memory is not None:
            self.memories.append((slot, memory[0], memory[1], array.nbytes))
            return
        self.buffers.append((slot, flat_bytes(self._contiguous(row, array)), row.written))

    def _image(
        self,
        row: Binding,
        slot: tuple[int, int, int],
        levels: list[npt.NDArray[Any]],
        sampler: tuple[str, str, bool] | None,
    ) -> None:
        dim, integer, axes = _dimensions(row)
        if row.kind != "storage image":
            levels = [_with_alpha(level, axes) for level in levels]
        first = levels[0]
        if first.ndim not in (axes, axes + 1) or first.size == 0:
            raise InvalidError(f"{_describe(row)} is a {row.type}: an array of shape {first.shape} does not fit")
        components = first.shape[-1] if first.ndim == axes + 1 else 1
        format = _format(row, first.dtype, components, integer)
        layered = dim == "Cube" or dim.endswith("Array")
        layers, sides = (first.shape[0], first.shape[1:axes]) if layered else (1, first.shape[:axes])
        if dim.startswith("Cube") and (layers % 6 or (dim == "Cube" and layers != 6)):
            raise InvalidError(f"{_describe(row)} is a {row.type}: a cube has 6 faces, not {layers}")
        for n, level in enumerate(levels):
            smaller = tuple(max(1, side >> n) for side in sides)
            expected = (*((layers,) if layered else ()), *smaller, *first.shape[axes:])
            if level.shape != expected or level.dtype != first.dtype:
                raise InvalidError(
                    f"{_describe(row)}: level {n} is an array of {level.dtype} of shape {level.shape}, "
                    f"expected {first.dtype} and {expected}"
                )
        if len(levels) == 1:
            flat = flat_bytes(self._contiguous(row, first))
        elif row.kind == "storage image":
            raise InvalidError(f"{_describe(row)}: a storage image shows one level, not {len(levels)}")
        else:
            flat = np.concatenate([flat_bytes(np.ascontiguousarray(level)) for level in levels])
        extent = [*reversed(sides), 1, 1][:3]
        written = row.written and row.kind == "storage image"
        if written:
            self.outputs.add(first, _describe(row), False)
        self.images.append((slot, flat, format, (dim, extent, layers, len(levels)), written, sampler))


def _dimensions(row: Binding) -> tuple[str, bool, int]:
    """Returns an image's dimensionality, True for integer texels, and its number of array axes without components."""
    shape = re.fullmatch(r"([iu]?)(?:image|texture|sampler)(1D|2D|3D|Cube)(Array)?", row.type)
    axes = {"1D": 1, "2D": 2, "3D": 3, "Cube": 3}
    if shape is None or (shape[2] == "3D" and shape[3]):
        raise UnsupportedError(
            f"{_describe(row)} is a {row.type}: arrays are bound to images of 1D, 2D, 3D, to cubes and arrays of them"
        )
    array = 1 if shape[3] and shape[2] != "Cube" else 0
    return shape[2] + (shape[3] or ""), bool(shape[1]), axes[shape[2]] + array


def _with_alpha(array: npt.NDArray[Any], axes: int) -> npt.NDArray[Any]:
    """Adds an alpha of one to an array of three components, for which there is no format."""
    if array.ndim != axes + 1 or array.shape[-1] != 3:
        return array
    whole = 1 if array.dtype.kind == "f" else np.iinfo(array.dtype).max
    return np.concatenate([array, np.full((*array.shape[:-1], 1), whole, array.dtype)], axis=-1)


def _format(row: Binding, dtype: np.dtype[Any], components: int, integer: bool) -> str:
    """Returns the format of an array's texels: the declared one, which must match, or else the array's own."""
    if not dtype.isnative:
        raise InvalidError(f"{_describe(row)}: an array of {dtype} is big-endian: astype(np.{dtype.newbyteorder('=')})")
    bits = 8 * dtype.itemsize
    kinds = {
        "f": "SFLOAT",
        "u": "UINT" if integer or bits > 16 else "UNORM",
        "i": "SINT" if integer or bits > 16 else "SNORM",
    }
    if row.format is not None:
        match = re.fullmatch(r"((?:[RGBA]\d+)+)_([A-Z]+)", row.format)
        if match is None:
            # Packed format: one word per texel.
            expected, count = np.dtype("u4"), 1
        else:
            sizes = [int(n) for n in re.findall(r"\d+", match[1])]
            letter = {"SFLOAT": "f", "UNORM": "u", "UINT": "u", "SNORM": "i", "SINT": "i"}[match[2]]
            expected, count = np.dtype(f"{letter}{sizes[0] // 8}"), len(sizes)
        if dtype != expected or components != count:
            raise InvalidError(
                f"{_describe(row)} has the format {row.format}: an array of {expected} with {count} components, "
                f"not of {dtype} with {components}"
            )
        return row.format
    if (
        dtype.kind not in kinds
        or components not in (1, 2, 4)
        or bits not in (8, 16, 32)
        or (dtype.kind == "f" and bits == 8)
    ):
        raise InvalidError(f"{_describe(row)}: no format has {components} components of {dtype}")
    return "".join(f"{letter}{bits}" for letter in "RGBA"[:components]) + "_" + kinds[dtype.kind]

"""The native extension, for internal use by the other modules of the package."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, final

__all__ = [
    "VULKAN_VERSION",
    "Device",
    "Kernel",
    "Memory",
    "Module",
    "OpenClKernel",
    "Renderer",
    "Shadertoy",
    "__version__",
    "bless",
    "command",
    "compare_pictures",
    "compile",
    "language_of",
    "plain",
    "read_picture",
    "spirv_of",
    "write_picture",
]

__version__: str
VULKAN_VERSION: list[int]

_Pixels = npt.NDArray[np.uint8]
_Told = tuple[float, int, float, tuple[float, ...], tuple[float, ...]]

@final
class Device:
    """A software GPU.

    Missing options are taken from the environment. `threads` share the work (0: one per CPU), `lanes` is the subgroup
    size (4, 8, 16 or 32), and `heap_bytes` the size of the device memory. `budget` and `compile_budget` limit the CPU
    time, in seconds, of one dispatch or draw and of compiling one shader (0: no limit). `relaxed_order` relaxes the
    order of atomics, and `interp` selects the reference interpreter. Results depend only on `lanes`, and only if a
    shader observes its subgroup.
    """

    def __new__(
        cls,
        *,
        threads: int | None = None,
        lanes: int | None = None,
        heap_bytes: int | None = None,
        budget: float | None = None,
        compile_budget: float | None = None,
        relaxed_order: bool | None = None,
        interp: bool | None = None,
    ) -> Self: ...
    @property
    def threads(self) -> int: ...
    @property
    def lanes(self) -> int: ...
    @property
    def heap_size(self) -> int: ...
    @property
    def heap_used(self) -> int: ...
    @property
    def lost(self) -> str | None: ...
    def allocate(self, bytes: int) -> Memory: ...

@final
class Memory:
    @property
    def device(self) -> Device: ...
    @property
    def address(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def __array_interface__(self) -> dict[str, object]: ...

@final
class Module:
    @staticmethod
    def restore(
        spirv: bytes,
        name: str,
        text: str,
        language: str,
        stage: str | None,
        shadertoy: bool,
        origin: tuple[str, str],
        initial: list[tuple[str, str | None]],
    ) -> Module: ...
    @property
    def initial_values(self) -> list[tuple[str, str | None]]: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def stage(self) -> str | None: ...
    @property
    def shadertoy(self) -> bool: ...
    @property
    def origin(self) -> tuple[str, str]: ...
    @property
    def spirv(self) -> bytes: ...
    def entry_points(self) -> list[tuple[str, str]]: ...
    def reflect_json(self) -> str: ...
    def describe(self) -> str: ...
    def emit(self, what: str, device: Device, entry: str, stage: str, spec: list[tuple[int, str]]) -> str: ...

_Slot = tuple[int, int, int]

@final
class Kernel:
    def __new__(cls, device: Device, module: Module, entry: str | None, spec: list[tuple[int, str]]) -> Self: ...
    @property
    def local_size(self) -> list[int]: ...
    @property
    def push_size(self) -> int: ...
    def bindings(self) -> list[tuple[int, int, str, int, str, int, bool, str, str | None]]: ...
    def run(
        self,
        groups: tuple[int, int, int],
        buffers: list[tuple[_Slot, npt.NDArray[np.uint8], bool]],
        memories: list[tuple[_Slot, Memory, int, int]],
        images: list[tuple[object, ...]],
        samplers: list[tuple[_Slot, tuple[str, str, bool]]],
        push: bytes,
    ) -> None: ...

@final
class OpenClKernel:
    def __new__(cls, device: Device, module: Module, entry: str | None, spec: list[tuple[int, str]]) -> Self: ...
    @property
    def required_local(self) -> list[int] | None: ...
    def arguments(self) -> list[tuple[str, str, int, str | None, list[tuple[int, str]], bool]]: ...
    def image_dim(self, index: int) -> str: ...
    def launch(
        self,
        sizes: tuple[tuple[int, int, int], tuple[int, int, int] | None, tuple[int, int, int], int],
        arrays: list[tuple[int, npt.NDArray[np.uint8], bool]],
        memories: list[tuple[int, Memory, int, int]],
        values: list[tuple[int, bytes]],
        locals: list[tuple[int, int]],
        images: list[tuple[int, npt.NDArray[np.uint8], str, tuple[list[int], int], bool]],
        samplers: list[tuple[int, tuple[str, str, bool]]],
    ) -> list[int]: ...

@final
class Renderer:
    def __new__(
        cls,
        device: Device,
        module: Module,
        size: tuple[int, int],
        samples: int,
        entry: str | None,
        spec: list[tuple[int, str]],
        textures: list[_Pixels],
        named: list[tuple[str, _Pixels, tuple[str, str, bool] | None, bool]],
        uniforms: list[tuple[str, str]],
        origin: str | None,
    ) -> Self: ...
    @property
    def warnings(self) -> list[str]: ...
    def render(self, told: _Told) -> _Pixels: ...
    def uniforms(self, told: _Told) -> list[tuple[str, str, str]]: ...

@final
class Shadertoy:
    def __new__(
        cls,
        device: Device,
        path: str,
        size: tuple[int, int],
        samples: int,
        includes: list[str],
        defines: list[tuple[str, str]],
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def passes(self) -> list[str]: ...
    @property
    def feeds_back(self) -> bool: ...
    def next(self, told: _Told, picture: bool) -> _Pixels | None: ...
    def sound(self, first: int, count: int) -> npt.NDArray[np.float32]: ...

def bless() -> bool: ...
def plain(text: str) -> str: ...
def command(arguments: list[str], driver: Path) -> int: ...
def compile(
    source: bytes,
    *,
    language: str,
    stage: str | None = None,
    name: str,
    includes: list[str] = ...,
    defines: list[tuple[str, str]] = ...,
    constants: list[tuple[str, float]] = ...,
    children: list[tuple[str, str, str]] = ...,
    strict: bool = False,
) -> Module: ...
def language_of(path: str) -> tuple[str | None, str | None]: ...
def read_picture(path: str) -> _Pixels: ...
def spirv_of(path: Path) -> bytes | None: ...
def write_picture(path: str, pixels: _Pixels) -> None: ...
def compare_pictures(
    actual: _Pixels, expected: _Pixels, component: int, pixels: int, diff: str | None
) -> str | None: ...

"""Renders pictures from fragment shaders and from Shadertoys with several passes."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, Union

import numpy as np
import numpy.typing as npt

from . import _quadrille
from ._device import Device, default_device
from ._pictures import Pixels, pixels_of
from ._values import Texture, spec_texts, uniform_text

Number = Union[float, int]
Told = tuple[float, int, float, tuple[float, ...], tuple[float, ...]]


def _told(time: Number, frame: int, time_delta: Number, mouse: Sequence[Number], date: Sequence[Number]) -> Told:
    def four(numbers: Sequence[Number]) -> tuple[float, ...]:
        return tuple(float(n) for n in numbers) + (0.0,) * (4 - len(numbers))

    return (float(time), int(frame), float(time_delta), four(mouse), four(date))


class Drawn(Protocol):
    """Interface of a shader that can be rendered."""

    @property
    def _module(self) -> _quadrille.Module: ...
    @property
    def name(self) -> str: ...


class Renderer:
    """A fragment shader that renders frames of one size; created by `Shader.renderer`.

    As in `quadrille render`, standard inputs are matched by name in uniform blocks and push constants: `time`,
    `resolution`, `frame`, `mouse` and others. `uniforms` gives values to other members. The coordinate origin is
    `Shader.origin` unless `origin` is given: `upper-left` as in Vulkan, or `lower-left` as in OpenGL, which also flips
    textures.
    """

    def __init__(
        self,
        shader: Drawn,
        width: int,
        height: int,
        *,
        uniforms: Mapping[str, object] | None = None,
        textures: Mapping[str, npt.NDArray[Any] | Texture] | Sequence[npt.NDArray[Any]] = (),
        samples: int = 1,
        origin: str | None = None,
        entry: str | None = None,
        spec: Mapping[int, object] | None = None,
        device: Device | None = None,
    ) -> None:
        ordered: list[Pixels] = []
        named: list[tuple[str, Pixels, tuple[str, str, bool] | None, bool]] = []
        if isinstance(textures, Mapping):
            for name, texture in textures.items():
                if isinstance(texture, Texture):
                    named.append((name, pixels_of(texture.only_level()), texture.sampler._arguments(), texture.data))
                else:
                    named.append((name, pixels_of(texture), None, False))
        else:
            ordered = [pixels_of(t) for t in textures]
        self.width = width
        self.height = height
        self._core = _quadrille.Renderer(
            device or default_device(),
            shader._module,
            (width, height),
            samples,
            entry,
            spec_texts(spec),
            ordered,
            named,
            [(name, uniform_text(name, value)) for name, value in (uniforms or {}).items()],
            origin,
        )
        for warning in self._core.warnings:
            warnings.warn(f"{shader.name}: {warning}", stacklevel=3)

    def render(
        self,
        time: Number = 0.0,
        frame: int = 0,
        *,
        time_delta: Number = 1 / 60,
        mouse: Sequence[Number] = (),
        date: Sequence[Number] = (),
    ) -> Pixels:
        """Renders a frame to an array of shape (height, width, 4)."""
        return self._core.render(_told(time, frame, time_delta, mouse, date))

    def frames(self, frames: range | int, *, fps: Number = 60, time: Number = 0.0, **told: Any) -> Iterator[Pixels]:
        """Yields consecutive frames; frame 0 is at `time`."""
        for n in range(frames) if isinstance(frames, int) else frames:
            yield self.render(time + n / fps, n, time_delta=1 / fps, **told)

    def uniforms(self, time: Number = 0.0, frame: int = 0, **told: Any) -> dict[str, tuple[str, str]]:
        """Returns the types and values of the uniforms in a frame, by name."""
        told = {"time_delta": 1 / 60, "mouse": (), "date": (), **told}
        return {name: (ty, value) for name, ty, value in self._core.uniforms(_told(time, frame, **told))}


class Shadertoy:
    """A Shadertoy with all passes: a folder, its `shadertoy.toml`, or a JSON file from the site's API.

    Frames are rendered in order. If passes read their earlier output (`feeds_back`), frame N depends on all frames
    before it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        width: int,
        height: int,
        *,
        samples: int = 1,
        fps: Number = 60,
        include: Sequence[str | os.PathLike[str]] = (),
        define: Mapping[str, object] | None = None,
        device: Device | None = None,
    ) -> None:
        defines = [(name, str(value)) for name, value in (define or {}).items()]
        folders = [os.fspath(folder) for folder in include]
        self._core = _quadrille.Shadertoy(
            device or default_device(), os.fspath(path), (width, height), samples, folders, defines
        )
        self.width = width
        self.height = height
        self.fps = fps
        #: Number of the next frame.
        self.frame = 0
        for warning in self._core.warnings:
            warnings.warn(f"{self.name}: {warning}", stacklevel=2)

    @property
    def name(self) -> str:
        """Name of the Shadertoy."""
        return self._core.name

    @property
    def feeds_back(self) -> bool:
        """True if a frame depends on earlier frames."""
        return self._core.feeds_back

    @property
    def passes(self) -> list[str]:
        """Names of the passes in drawing order."""
        return self._core.passes

    def _next(self, picture: bool, mouse: Sequence[Number], date: Sequence[Number]) -> Pixels | None:
        told = _told(self.frame / self.fps, self.frame, 1 / self.fps, mouse, date)
        pixels = self._core.next(told, picture)
        self.frame += 1
        return pixels

    def render(self, frame: int | None = None, *, mouse: Sequence[Number] = (), date: Sequence[Number] = ()) -> Pixels:
        """Renders the next frame, or a later one; skipped frames are computed only if later ones depend on them."""
        wanted = self.frame if frame is None else frame
        if wanted < self.frame and self.feeds_back:
            raise ValueError(f"frame {wanted} is over: the next one is {self.frame}")
        if not self.feeds_back:
            self.frame = wanted
        while self.frame < wanted:
            self._next(False, mouse, date)
        pixels = self._next(True, mouse, date)
        assert pixels is not None
        return pixels

    def sound(self, first: int, count: int) -> npt.NDArray[np.float32]:
        """Returns samples of the sound, 44,100 per second: `count` rows of left and right, from -1 to 1."""
        return self._core.sound(first, count)

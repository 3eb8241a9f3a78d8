#!/usr/bin/env python3
"""Renders an animation on many machines.

  python render.py plasma.frag --frames 0..240 --size 640x360 --engine dask --workers 2 -o frames/plasma_%04d.png

A frame depends only on its number, so any worker may draw any frame, and the files have the same bytes for any number
of workers. With `--resume`, frames whose files exist are not drawn again: a file appears only when it is complete.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import quadrille
from engines import ENGINES, Progress, Workers


@dataclass(frozen=True)
class Frame:
    """Everything on which a picture depends."""

    shader: quadrille.Shader
    width: int
    height: int
    samples: int
    fps: float
    number: int


#: The last renderer of this process, kept for its next frames.
_kept: dict[tuple[object, ...], quadrille.Renderer] = {}


def draw(frame: Frame) -> npt.NDArray[np.uint8]:
    """A frame's pixels."""
    key = (frame.shader.spirv, frame.width, frame.height, frame.samples)
    if key not in _kept:
        _kept.clear()
        _kept[key] = frame.shader.renderer(frame.width, frame.height, samples=frame.samples)
    return _kept[key].render(frame.number / frame.fps, frame.number, time_delta=1 / frame.fps)


def write(path: Path, pixels: npt.NDArray[np.uint8]) -> None:
    """Writes a file that appears only when it is complete."""
    part = path.with_name(f"{path.stem}.{os.getpid()}.part.png")
    quadrille.write_picture(part, pixels)
    os.replace(part, path)


def render(
    shader: quadrille.Shader,
    numbers: Sequence[int],
    size: tuple[int, int],
    output: str,
    *,
    engine: str = "local",
    workers: int = 2,
    address: str | None = None,
    samples: int = 1,
    fps: float = 60.0,
    resume: bool = False,
    progress: Progress = lambda count: None,
) -> int:
    """Draws frames to the files that `output` (`frame_%04d.png`) names, and returns the number of drawn frames."""
    wanted = [n for n in numbers if not (resume and Path(output % n).exists())]
    frames = [Frame(shader, *size, samples, fps, n) for n in wanted]
    # A frame is written when it is there: it takes no more memory, and a run that ends early can be resumed.
    for count, (index, pixels) in enumerate(ENGINES[engine](draw, frames, Workers(workers, address)), 1):
        write(Path(output % frames[index].number), pixels)
        progress(count)
    return len(frames)


def _range(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last))


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shader")
    parser.add_argument("--frames", type=_range, default=range(1), metavar="A..B", help="frames from A to before B")
    parser.add_argument("--size", type=_size, default=(640, 360), metavar="WxH")
    parser.add_argument("--samples", type=int, default=1)
    parser.add_argument("--fps", type=float, default=60.0)
    parser.add_argument("--engine", choices=ENGINES, default="local")
    parser.add_argument("--workers", type=int, default=2, help="worker processes, if the engine is started here")
    parser.add_argument("--address", help="a running cluster: a Dask scheduler, a Ray head")
    parser.add_argument("--resume", action="store_true", help="keep frames whose files exist")
    parser.add_argument(
        "-o", "--output", default="frame_%04d.png", help="names of the files; %%04d is the frame number"
    )
    options = parser.parse_args()
    shader = quadrille.load(options.shader)
    total = len(options.frames)
    began = time.monotonic()

    def progress(count: int) -> None:
        print(f"\r{count} of {total} frames, {time.monotonic() - began:.1f} s", end="", file=sys.stderr, flush=True)

    drawn = render(
        shader,
        options.frames,
        options.size,
        options.output,
        engine=options.engine,
        workers=options.workers,
        address=options.address,
        samples=options.samples,
        fps=options.fps,
        resume=options.resume,
        progress=progress,
    )
    print(f"\n{drawn} frames drawn, {total - drawn} were there", file=sys.stderr)


if __name__ == "__main__":
    main()

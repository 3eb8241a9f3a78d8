#!/usr/bin/env python3
"""Traces one picture of a glTF scene on many machines.

  python shards.py room.glb --samples 512 --parts 8 --engine ray --size 960x540 -o room.png

Each part is `quadrille render --path-trace --samples A..B --sums FILE` on any worker. A sample depends only on its
pixel and its number, and sums are in fixed point: the picture has the same bytes for any number of parts and workers.
The last part is traced by this process, which adds the sums of the others (`--add`) and writes the picture.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engines import ENGINES, Progress, Workers, results

#: The command that traces.
COMMAND = "quadrille"


@dataclass(frozen=True)
class Part:
    """Samples `first` to before `end` of a picture."""

    scene: str
    size: str
    first: int
    end: int
    #: Further options of `quadrille render`.
    options: tuple[str, ...] = ()
    command: str = COMMAND

    def run(self, *outputs: str) -> None:
        """Traces the samples, with these options for its outputs."""
        samples = f"--samples={self.first}..{self.end}"
        command = [self.command, "render", self.scene, "--path-trace", "--quiet", f"--size={self.size}", samples]
        done = subprocess.run([*command, *self.options, *outputs], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"samples {self.first}..{self.end} ended with {done.returncode}:\n{done.stderr}")


def trace(part: Part) -> bytes:
    """Sums of a part."""
    with tempfile.TemporaryDirectory() as folder:
        sums = Path(folder) / "part.sums"
        part.run(f"--sums={sums}", f"--output={Path(folder) / 'part.png'}")
        return sums.read_bytes()


def split(samples: int, parts: int) -> list[tuple[int, int]]:
    """Ranges of all samples, as equal as possible and never empty."""
    parts = max(1, min(parts, samples))
    edges = [samples * i // parts for i in range(parts + 1)]
    return [(edges[i], edges[i + 1]) for i in range(parts)]


def shards(
    scene: str,
    output: str,
    *,
    samples: int,
    parts: int,
    size: str = "640x360",
    options: Sequence[str] = (),
    engine: str = "local",
    workers: int = 2,
    address: str | None = None,
    command: str = COMMAND,
    progress: Progress = lambda count: None,
) -> None:
    """Writes the picture of all samples."""
    ranges = split(samples, parts)
    *others, last = [Part(scene, size, first, end, tuple(options), command) for first, end in ranges]
    found = results(engine, trace, others, progress, Workers(workers, address)) if others else []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.sums" for i in range(len(found))]
        for file, sums in zip(files, found, strict=True):
            file.write_bytes(sums)
        last.run(*(f"--add={file}" for file in files), f"--output={output}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", help="a .glb or .gltf file, at the same path on every machine")
    parser.add_argument("--samples", type=int, default=64, help="samples per pixel")
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--size", default="640x360", metavar="WxH")
    parser.add_argument("--engine", choices=ENGINES, default="local")
    parser.add_argument("--workers", type=int, default=2, help="worker processes, if the engine is started here")
    parser.add_argument("--address", help="a running cluster: a Dask scheduler, a Ray head")
    parser.add_argument("--command", default=COMMAND, help="the command `quadrille` on every machine")
    parser.add_argument("-o", "--output", default="picture.png", help="the picture: .png, .jpg or .exr")
    options, more = parser.parse_known_args()

    def progress(count: int) -> None:
        print(f"\r{count} of {options.parts} parts", end="", file=sys.stderr, flush=True)

    shards(
        str(Path(options.scene).resolve()),
        options.output,
        samples=options.samples,
        parts=options.parts,
        size=options.size,
        options=more,
        engine=options.engine,
        workers=options.workers,
        address=options.address,
        command=options.command,
        progress=progress,
    )
    print(f"\r{options.parts} of {options.parts} parts", file=sys.stderr)


if __name__ == "__main__":
    main()

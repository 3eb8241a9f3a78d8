"""Writes flip_reference.json: values of the reference implementation of LDR-FLIP for pictures of formulas.

    pip install flip-evaluator==1.7 numpy && python3 flip_reference.py

`flip.test.mjs` has the same formulas, and compares the values with ours.
"""

import json
from pathlib import Path

import flip_evaluator
import numpy as np

WIDTH, HEIGHT = 61, 43


def gradient(x: int, y: int) -> list[int]:
    """Three gradients."""
    return [x * 4, y * 5, 255 - x * 2 - y * 3]


def noise(x: int, y: int) -> list[int]:
    """Numbers without a pattern."""
    return [(x * x * 31 + y * y * 17 + x * y * 7 * k) % 256 for k in (1, 3, 5)]


def lines(x: int, y: int) -> list[int]:
    """Dark lines, one pixel wide, on a light background."""
    return [30, 20, 60] if x % 7 == 3 or (x + y) % 11 == 0 else [240, 230, 200]


def spot(x: int, y: int) -> list[int]:
    """A grey picture with one white pixel."""
    return [255, 255, 255] if (x, y) == (30, 20) else [90, 90, 90]


def flat(red: int, green: int, blue: int):
    """A picture of one colour."""
    return lambda _x, _y: [red, green, blue]


def moved(picture, by: int):
    """A picture that is moved to the left; what leaves it comes back at the right."""
    return lambda x, y: picture((x + by) % WIDTH, y)


def lighter(picture, by: int):
    """A lighter picture."""
    return lambda x, y: [min(255, value + by) for value in picture(x, y)]


CASES = {
    "the same": (gradient, gradient),
    "black and white": (flat(0, 0, 0), flat(255, 255, 255)),
    "green and blue": (flat(0, 255, 0), flat(0, 0, 255)),
    "a little lighter": (gradient, lighter(gradient, 3)),
    "much lighter": (gradient, lighter(gradient, 60)),
    "moved lines": (lines, moved(lines, 1)),
    "moved noise": (noise, moved(noise, 2)),
    "noise and lines": (noise, lines),
    "a spot": (flat(90, 90, 90), spot),
    "another red": (flat(200, 30, 40), flat(180, 60, 40)),
}
# Pixels in the middle, at edges and at corners.
PLACES = [
    (0, 0),
    (60, 0),
    (0, 42),
    (60, 42),
    (30, 0),
    (0, 21),
    (30, 20),
    (31, 20),
    (33, 23),
    (17, 9),
    (45, 30),
    (8, 38),
]
PER_DEGREE = [None, 30.0]


def image(picture) -> np.ndarray:
    """Values from 0 to 1, row by row."""
    rows = [[picture(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
    return np.array(rows, dtype=np.float32) / np.float32(255)


def main() -> None:
    """Writes the file."""
    found = []
    for name, (reference, test) in CASES.items():
        for per_degree in PER_DEGREE:
            given = {} if per_degree is None else {"ppd": per_degree}
            pictures = image(reference), image(test)
            values, mean, _ = flip_evaluator.evaluate(*pictures, "LDR", applyMagma=False, parameters=given)
            values = np.asarray(values).reshape(HEIGHT, WIDTH)
            pixels = [round(float(values[y, x]), 6) for x, y in PLACES]
            found.append({"case": name, "perDegree": per_degree, "mean": round(float(mean), 6), "pixels": pixels})
    lines_of = ",\n".join(f"    {json.dumps(case)}" for case in found)
    text = f'{{\n  "places": {json.dumps(PLACES)},\n  "cases": [\n{lines_of}\n  ]\n}}\n'
    Path(__file__).with_name("flip_reference.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

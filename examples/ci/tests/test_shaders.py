"""Tests of a program's shaders: they run anywhere, without a GPU, and give the same results everywhere."""

from pathlib import Path

import numpy as np
import pytest
import quadrille

SHADERS = Path(__file__).resolve().parents[1] / "shaders"


@pytest.mark.parametrize("n", [1, 64, 1000])
def test_blur_is_a_mean_of_three(quadrille_device, n):
    source = np.random.default_rng(n).random(n, np.float32)
    result = np.zeros_like(source)
    bindings = {0: source, 1: result}
    quadrille.load(SHADERS / "blur.comp").run(bindings=bindings, invocations=n, device=quadrille_device)
    padded = np.concatenate([source[:1], source, source[-1:]])
    np.testing.assert_array_equal(result, (padded[:-2] + padded[1:-1] + padded[2:]) / np.float32(3))


@pytest.mark.parametrize("sun", ["low", "high"])
def test_sky(shader_golden, sun):
    shader = quadrille.load(SHADERS / "sky.agsl")
    place = {"low": (0.2, 0.9), "high": (0.6, 0.2)}[sun]
    shader_golden(shader.render(96, 54, uniforms={"sun": place, "tint": (0.2, 0.4, 0.8, 1)}))


def test_every_shader_compiles():
    files = [path for path in SHADERS.iterdir() if path.is_file()]
    assert files
    for path in files:
        quadrille.load(path)

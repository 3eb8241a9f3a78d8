"""Sources of every language, and the reflection of modules."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import quadrille

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "shaders"


@pytest.mark.parametrize(
    "name", ["julia.wgsl", "ribbons_2021.wgsl", "ripples.spvasm", "still_life.glsl", "plasma.frag", "window.agsl"]
)
def test_pictures_of_every_language(name):
    with pytest.warns(UserWarning) if name == "window.agsl" else _nothing():
        picture = quadrille.load(ASSETS / name).render(32, 18)
    assert picture.shape == (18, 32, 4) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > (0 if name == "window.agsl" else 3)


def _nothing():
    import contextlib

    return contextlib.nullcontext()


def test_programs_as_children():
    window = (ASSETS / "window.agsl").read_text()
    lights = (ASSETS / "lights.agsl").read_text()
    children = [line.split()[-1].rstrip(";") for line in window.splitlines() if line.startswith("uniform shader")]
    shader = quadrille.compile(window, "agsl", children={children[0]: lights})
    assert len(np.unique(shader.render(32, 18).reshape(-1, 4), axis=0)) > 3


@pytest.mark.parametrize(
    ("ending", "stage"),
    [
        ("vert", "vertex"),
        ("comp", "compute"),
        ("rgen", "ray generation"),
        ("rint", "intersection"),
        ("rahit", "any-hit"),
        ("rchit", "closest hit"),
        ("rmiss", "miss"),
        ("rcall", "callable"),
    ],
)
def test_every_stage_is_loaded(tmp_path, ending, stage):
    extension = "#extension GL_EXT_ray_tracing : require\n" if ending.startswith("r") else ""
    (tmp_path / f"a.{ending}").write_text(f"#version 460\n{extension}void main() {{ }}")
    for language in [None, "GLSL"]:
        shader = quadrille.load(tmp_path / f"a.{ending}", language)
        again = pickle.loads(pickle.dumps(shader))
        assert shader.entry_points == again.entry_points == [("main", stage)]
        assert "OpEntryPoint" in again.emit("spirv")


def test_spirv_binary_is_what_comes_out():
    shader = quadrille.load(ASSETS / "add.comp")
    again = quadrille.compile(shader.spirv, "spirv", name="add.spv")
    out = np.zeros(3, np.float32)
    again.run(1, {0: np.float32([1, 2, 3]), 1: np.float32([10, 20, 30]), 2: out})
    assert np.array_equal(out, [11, 22, 33])
    text = shader.emit("spirv")
    assert "OpEntryPoint GLCompute" in text
    assert quadrille.compile(text, "spirv").spirv[:4] == b"\x03\x02\x23\x07"


def test_every_boundary_has_a_text():
    shader = quadrille.load(ASSETS / "add.comp")
    assert "local size 64 1 1" in shader.emit("ir")
    assert "function" in shader.emit("clif")
    assert len(shader.emit("asm").splitlines()) > 5
    with pytest.raises(quadrille.InvalidError, match="hlsl"):
        shader.emit("hlsl")


def test_reflection():
    shader = quadrille.load(ASSETS / "add.comp")
    (entry,) = shader.reflection["entry_points"]
    assert entry["stage"] == "compute" and entry["name"] == "main"
    assert shader.entry_points == [("main", "compute")]
    kinds = [(b.set, b.binding, b.kind, b.written) for b in shader.bindings()]
    assert [k[:3] for k in kinds] == [(0, n, "storage buffer") for n in range(3)]
    assert kinds[2][3]
    assert "binding 2" in str(shader)


def test_defines_includes_and_constants(tmp_path):
    (tmp_path / "half.glsl").write_text("float half_of(float x) { return x * HALF; }\n")
    source = """#version 450
#extension GL_GOOGLE_include_directive : require
#include "half.glsl"
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float v; };
void main() { v = half_of(v); }"""
    shader = quadrille.compile(source, "glsl", include=[tmp_path], define={"HALF": 0.5})
    v = np.float32([9])
    shader.run(1, {0: v})
    assert v[0] == 4.5

    wgsl = "override N: u32 = 1; @group(0) @binding(0) var<storage, read_write> v: u32;\
        @compute @workgroup_size(1) fn main() { v = N; }"
    n = np.zeros(1, np.uint32)
    quadrille.compile(wgsl, "wgsl", constants={"N": 7}).run(1, {"v": n})
    assert n[0] == 7


def test_several_entry_points():
    shader = quadrille.compile(
        """@group(0) @binding(0) var<storage, read_write> v: u32;
        @compute @workgroup_size(1) fn one() { v = 1u; }
        @compute @workgroup_size(1) fn two() { v = 2u; }""",
        "wgsl",
    )
    v = np.zeros(1, np.uint32)
    shader.run(1, {"v": v}, entry="two")
    assert v[0] == 2
    with pytest.raises(quadrille.InvalidError):
        shader.run(1, {"v": v})
    with pytest.raises(quadrille.InvalidError, match="three"):
        shader.run(1, {"v": v}, entry="three")

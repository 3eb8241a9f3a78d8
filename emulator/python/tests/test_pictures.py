"""Pictures of fragment shaders and of Shadertoys, and picture files."""

from pathlib import Path

import numpy as np
import pytest
import quadrille

ROOT = Path(__file__).resolve().parents[3]


def test_the_gallery_picture_comes_out():
    """The picture equals that of the command, byte for byte."""
    shader = quadrille.load(ROOT / "assets/shaders/still_life.glsl")
    picture = shader.render(960, 540, samples=4)
    assert quadrille.compare_pictures(picture, quadrille.read_picture(ROOT / "assets/gallery/still_life.png")) is None


def test_frames_and_inputs():
    shader = quadrille.compile(
        "void mainImage(out vec4 c, vec2 at) { c = vec4(iTime, float(iFrame) / 255.0, iMouse.x / 255.0, 1); }",
        "shadertoy",
    )
    renderer = shader.renderer(2, 2)
    frames = list(renderer.frames(range(1, 4), fps=4, mouse=(7, 0)))
    assert [f[0, 0].tolist() for f in frames] == [[64, 1, 7, 255], [128, 2, 7, 255], [191, 3, 7, 255]]
    assert np.array_equal(renderer.render(0.25, 1, mouse=(7, 0)), frames[0])


def test_uniforms_by_name():
    shader = quadrille.compile(
        """#version 450
        layout(location = 0) out vec4 color;
        uniform vec3 tint; uniform float factors[2]; uniform mat2 m;
        void main() { color = vec4(tint * factors[1], m[1][0]); }""",
        "glsl",
    )
    values = {"tint": (1, 0.5, 0), "factors": np.float32([0, 0.5]), "m": [0, 0, 1, 0]}
    with_values = shader.renderer(1, 1, uniforms=values)
    assert with_values.render()[0, 0].tolist() == [128, 64, 0, 255]
    assert with_values.uniforms()["tint"] == ("vec3", "1, 0.5, 0")
    with pytest.raises(quadrille.InvalidError, match="tint"):
        shader.render(1, 1, uniforms={"tint": (1, 2)})
    with pytest.raises(quadrille.InvalidError, match=r"nothing_like_it.*there are: tint, factors, m"):
        shader.render(1, 1, uniforms={**values, "nothing_like_it": 1})


def test_textures_by_name_and_in_order():
    source = """#version 450
        layout(location = 0) out vec4 color;
        layout(set = 0, binding = 0) uniform sampler2D left;
        layout(set = 0, binding = 1) uniform sampler2D right;
        void main() { color = vec4(texture(left, vec2(0.3)).r, texture(right, vec2(0.3)).r, 0, 1); }"""
    shader = quadrille.compile(source, "glsl", stage="fragment")
    bright, dark = np.full((2, 2), 200, np.uint8), np.full((4, 4, 3), 10, np.uint8)
    assert shader.render(1, 1, textures=[bright, dark])[0, 0].tolist() == [200, 10, 0, 255]
    named = {"right": quadrille.Texture(bright, quadrille.Sampler("nearest", "clamp")), "left": dark}
    assert shader.render(1, 1, textures=named)[0, 0].tolist() == [10, 200, 0, 255]
    with pytest.warns(UserWarning, match="no picture is given for the texture with sampler at .*right"):
        shader.render(1, 1, textures=[bright])
    with pytest.raises(quadrille.InvalidError, match="uint8"):
        shader.render(1, 1, textures=[bright.astype(np.float32), dark])


def test_a_whole_shadertoy():
    toy = quadrille.Shadertoy(ROOT / "assets/shadertoys/marbles", 64, 36)
    assert toy.feeds_back and "Image" in toy.passes
    first = toy.render()
    third = toy.render(2)
    assert first.shape == (36, 64, 4) and not np.array_equal(first, third)
    with pytest.raises(ValueError, match="over"):
        toy.render(1)
    again = quadrille.Shadertoy(ROOT / "assets/shadertoys/marbles", 64, 36)
    assert np.array_equal([again.render() for _ in range(3)][2], third)


def test_sound(tmp_path):
    (tmp_path / "image.glsl").write_text("void mainImage(out vec4 c, vec2 at) { c = vec4(1); }")
    (tmp_path / "sound.glsl").write_text("vec2 mainSound(int s, float t) { return vec2(t, -0.5); }")
    toy = quadrille.Shadertoy(tmp_path, 4, 4)
    sound = toy.sound(44100, 100)
    assert sound.shape == (100, 2) and sound.dtype == np.float32
    assert sound[0, 0] == 1 and np.all(sound[:, 1] == -0.5)


def test_errors_of_a_shadertoy_name_the_pass(tmp_path):
    (tmp_path / "image.glsl").write_text("void mainImage(out vec4 c, vec2 at) {\n  c = vec4(x);\n}")
    with pytest.raises(quadrille.CompileError) as caught:
        quadrille.Shadertoy(tmp_path, 4, 4)
    assert caught.value.line == 2 and caught.value.file.endswith("image.glsl")


def test_files_go_in_and_out(tmp_path):
    picture = np.random.default_rng(1).integers(0, 256, (5, 7, 4), np.uint8)
    path = tmp_path / "folder" / "a.png"
    quadrille.write_picture(path, picture)
    assert np.array_equal(quadrille.read_picture(path), picture)
    quadrille.write_picture(path, picture[..., 0])
    grey = quadrille.read_picture(path)
    assert np.array_equal(grey[..., 1], picture[..., 0]) and (grey[..., 3] == 255).all()


def test_differences_are_counted_and_drawn(tmp_path):
    a = np.zeros((2, 3, 4), np.uint8)
    b = a.copy()
    b[1, 2, 0], b[0, 0, 1] = 9, 2
    assert quadrille.compare_pictures(a, b, tolerance=9) is None
    assert quadrille.compare_pictures(a, b, pixels=2) is None
    wrong = quadrille.compare_pictures(a, b, tolerance=2, diff=tmp_path / "d.png")
    assert wrong.startswith("1 pixels differ, by up to 9, the first at (2, 1)")
    assert quadrille.read_picture(tmp_path / "d.png").shape == (2, 9, 4)
    assert "3x2 pixels, expected 2x3" in quadrille.compare_pictures(a, b.transpose(1, 0, 2))

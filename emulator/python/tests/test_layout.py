"""Comparison of numpy types with the blocks of shaders."""

import numpy as np
import pytest
import quadrille
from quadrille._layout import mismatches

SOURCE = """#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std140) uniform Block {
    float power;
    vec3 direction;
    float weights[4];
    mat3 rotation;
    uint on;
} block;
layout(set = 0, binding = 1, std430) buffer Out { float sums[]; };
void main() { sums[0] = block.power + block.direction.x + block.weights[1] + block.rotation[1].x + float(block.on); }
"""


@pytest.fixture
def shader():
    return quadrille.compile(SOURCE, "glsl")


def test_the_shaders_own_type_fits(shader):
    shader.check_layout(0, shader.dtype(0))
    shader.check_layout(0, np.zeros(1, shader.dtype(0)))
    shader.check_layout(1, np.float32)


def test_packed_structs_of_numpy_do_not(shader):
    packed = [("power", "f4"), ("direction", "f4", 3), ("weights", "f4", 4), ("rotation", "f4", (3, 3)), ("on", "?")]
    with pytest.raises(quadrille.InvalidError) as error:
        shader.check_layout(0, packed)
    text = str(error.value)
    assert "field `direction` is at byte 4 here, at 16 in the shader" in text
    assert "field `weights` is at byte 16 here, at 32 in the shader" in text


def test_strides_and_types(shader):
    theirs = shader.dtype(0)
    offsets = [theirs.fields[name][1] for name in theirs.names]
    mine = np.dtype(
        {
            "names": list(theirs.names),
            "formats": ["f4", ("f4", 3), ("f4", 4), ("f4", (3, 3)), "?"],
            "offsets": offsets,
            "itemsize": theirs.itemsize,
        }
    )
    assert mismatches(mine, theirs) == [
        "[1] of `weights` is at byte 4 here, at 16 in the shader",
        "[1][0] of `rotation` is at byte 12 here, at 16 in the shader",
        "`on` is bool here, which has 1 byte; in the shader it has 4",
    ]


def test_missing_and_other_fields(shader):
    found = mismatches(np.dtype([("power", "i4"), ("_pad", "f4", 3), ("extra", "f4")]), shader.dtype(0))
    assert found[0] == "`power` is int32 here, float32 in the shader"
    assert "the shader has `direction` at byte 16, but it is missing here" in found
    assert found[-1] == "the shader's block has no `extra`, which is at byte 16 here"


def test_elements_of_plain_arrays(shader):
    with pytest.raises(quadrille.InvalidError, match="float64 here, float32 in the shader"):
        shader.check_layout(1, np.float64)

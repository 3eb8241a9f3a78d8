"""Compute shaders on arrays."""

import multiprocessing
import pickle
import threading
import time

import numpy as np
import pytest
import quadrille

ADD = """
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x < arrayLength(&b)) { b[id.x] += a[id.x]; } }
"""


@pytest.fixture(scope="module")
def add():
    return quadrille.compile(ADD, "wgsl")


@pytest.mark.parametrize("keys", [("a", "b"), (0, 1), ((0, 0), (0, 1)), ((0, 0, 0), (0, 1, 0))])
def test_arrays_change_in_place_by_any_key(add, keys):
    a, b = np.arange(10, dtype=np.uint32), np.full(10, 100, np.uint32)
    add.run(2, {keys[0]: a, keys[1]: b})
    assert np.array_equal(b, 100 + np.arange(10))
    assert np.array_equal(a, np.arange(10))


def test_arrays_in_device_memory_are_not_copied(add):
    b = quadrille.array(np.arange(20), np.uint32)
    whole, part = b, b[4:12]
    used = quadrille.default_device().heap_used
    assert used >= 80
    add.run(1, {"a": np.ones(8, np.uint32), "b": part})
    assert np.array_equal(whole, [*range(4), *range(5, 13), *range(12, 20)])
    # The shader accessed the array's own memory.
    assert part.ctypes.data == whole.ctypes.data + 16
    del b, whole, part
    # A slice whose offset is not aligned for a buffer is copied, with the same result.
    c = quadrille.zeros(9, np.uint32)
    add.run(1, {"a": np.ones(8, np.uint32), "b": c[1:]})
    assert np.array_equal(c, [0] + [1] * 8)


def test_elements_that_are_arrays_in_device_memory():
    move = quadrille.compile(
        """
        @group(0) @binding(0) var<storage, read_write> points: array<vec4f>;
        @compute @workgroup_size(1) fn main() { points[1].z = 7.0; }
        """,
        "wgsl",
    )
    kind = move.dtype("points")
    assert kind == np.dtype(("f4", (4,)))
    for shape in [2, (2,), (1, 2)]:
        points = quadrille.zeros(shape, kind)
        assert points.shape == np.zeros(shape, kind).shape and points.dtype == np.float32
        move.run(1, {"points": points})
        assert np.ravel(points).tolist() == [0] * 6 + [7, 0]


def test_resources_of_one_run_are_not_those_of_the_next():
    sample = quadrille.compile(
        """
        @group(0) @binding(0) var picture: texture_2d<f32>;
        @group(0) @binding(1) var by: sampler;
        @group(0) @binding(2) var<storage, read_write> result: array<f32>;
        @compute @workgroup_size(1) fn main() { result[0] = textureSampleLevel(picture, by, vec2f(0.5), 0.0).x; }
        """,
        "wgsl",
    )
    picture, result = np.array([[0, 1]], np.float32), np.zeros(1, np.float32)
    nearest = quadrille.Sampler("nearest", "clamp")
    # Without a sampler, the default one is linear: the middle between two texels is their mean.
    for sampler, wanted in [({}, 0.5), ({"by": nearest}, 1), ({}, 0.5)]:
        sample.run(1, {"picture": picture, "result": result, **sampler})
        assert result[0] == wanted


def test_device_memory_is_given_back():
    device = quadrille.Device()
    arrays = [quadrille.zeros(1000, np.float64, device=device)[3:] for _ in range(3)]
    assert device.heap_used >= 24000
    del arrays
    assert device.heap_used == 0


def test_arrays_that_are_not_contiguous(add):
    b = np.zeros((8, 2), np.uint32)
    add.run(1, {"a": np.arange(16, dtype=np.uint32)[::2], "b": b[:, 1]})
    assert np.array_equal(b[:, 1], np.arange(0, 16, 2)) and not b[:, 0].any()


def test_read_only_arrays(add):
    a, b = np.ones(8, np.uint32), np.ones(8, np.uint32)
    a.flags.writeable = False
    add.run(1, {"a": a, "b": b})
    assert np.array_equal(b, [2] * 8)
    with pytest.raises(ValueError, match="read only"):
        add.run(1, {"a": b, "b": a})
    # `bytes` objects are read-only, too.
    add.run(1, {"a": bytes(range(32)), "b": b})
    assert b[0] == 2 + 0x03020100


def test_one_array_for_two_bindings_of_which_one_is_written(add):
    a = np.ones(8, np.uint32)
    with pytest.raises(quadrille.InvalidError, match="bound twice"):
        add.run(1, {"a": a, "b": a})


def both_written():
    return quadrille.compile(
        """
        @group(0) @binding(0) var<storage, read_write> a: array<u32>;
        @group(0) @binding(1) var<storage, read_write> b: array<u32>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            a[i] = 1u;
            b[i] = 2u;
        }""",
        "wgsl",
    )


def test_copies_of_device_memory_do_not_overwrite_results_there():
    """Buffers begin at multiples of 16 bytes: arrays that begin elsewhere are filled from a copy after the run."""
    both = both_written()
    values = quadrille.zeros(24, np.uint32)
    for names in [("a", "b"), ("b", "a")]:
        with pytest.raises(quadrille.InvalidError, match="bound twice"):
            both.run(1, dict(zip(names, [values[:8], values[1:9]])))
    both.run(1, {"a": values[:8], "b": values[9:17]})
    assert values.tolist() == [1] * 8 + [0] + [2] * 8 + [0] * 7
    # Both are device memory, where no copy overwrites anything.
    both.run(1, {"a": values[:8], "b": values[8:16]})
    both.run(1, {"a": values[4:12], "b": values[8:16]})
    assert values[4:8].tolist() == [1] * 4 and values[12:16].tolist() == [2] * 4


@pytest.mark.parametrize("other", [slice(0, 16, 2), slice(4, 12), slice(14, None, -2)])
def test_copies_of_one_array_do_not_overwrite_each_other(other):
    """A strided array is filled from a copy after the run."""
    both = both_written()
    values = np.zeros(16, np.uint32)
    with pytest.raises(quadrille.InvalidError, match="bound twice"):
        both.run(1, {"a": values[::2], "b": values[other]})
    both.run(1, {"a": values[::2], "b": values[1::2]})
    assert values.tolist() == [1, 2] * 8


def test_integers_of_numpy_name_bindings(add):
    a, b = np.ones(8, np.uint32), np.ones(8, np.uint32)
    add.run(1, {np.int64(0): a, (np.int32(0), np.uint8(1)): b})
    assert b.tolist() == [2] * 8


@pytest.mark.parametrize("other", [0, (0, 0), (0, 0, 0)])
def test_two_names_of_a_binding(add, other):
    """One of the two values would have no effect."""
    ones = np.ones(8, np.uint32)
    with pytest.raises(quadrille.InvalidError, match=r"set 0, binding 0 \(a\) is bound twice"):
        add.run(1, {"a": ones, other: ones.copy(), "b": ones.copy()})


@pytest.mark.parametrize(
    ("bindings", "message"),
    [
        ({"a": np.ones(8, np.uint32)}, r"nothing is bound to set 0, binding 1 \(b\)"),
        ({"a": np.ones(8, np.uint32), "c": np.ones(8, np.uint32)}, "'c' is not used by the shader, which has: .*a.*b"),
        ({"a": np.ones(8, np.uint32), (3, 4): np.ones(8, np.uint32)}, r"\(3, 4\) is not used"),
        ({"a": np.ones(0, np.uint32), "b": np.ones(8, np.uint32)}, "0 bytes"),
    ],
)
def test_wrong_bindings(add, bindings, message):
    if "0 bytes" in message:
        # An empty array is bound as an empty buffer, and out-of-bounds reads return zero.
        add.run(1, bindings)
        assert np.array_equal(bindings["b"], [1] * 8)
        return
    with pytest.raises(quadrille.InvalidError, match=message):
        add.run(1, bindings)


@pytest.mark.parametrize("value", [[1, 2], 1.5, None, np.array([object()]), quadrille.Texture(np.ones(8, np.uint32))])
def test_what_is_no_array_is_refused(add, value):
    with pytest.raises((TypeError, quadrille.InvalidError)):
        add.run(1, {"a": value, "b": np.ones(8, np.uint32)})


def test_groups_and_invocations(add):
    b = np.zeros(17, np.uint32)
    add.run(bindings={"a": np.ones(17, np.uint32), "b": b}, invocations=17)
    assert np.array_equal(b, [1] * 17)
    for wrong in ({}, {"groups": 1, "invocations": 1}, {"groups": (1, 2, 3, 4)}, {"groups": ()}):
        with pytest.raises(quadrille.InvalidError):
            add.run(bindings={"a": b, "b": np.ones(17, np.uint32)}, **wrong)
    with pytest.raises(OverflowError):
        add.run(-1, {"a": b, "b": np.ones(17, np.uint32)})
    with pytest.raises(quadrille.QuadrilleError):
        add.run(1 << 31, {"a": b, "b": np.ones(17, np.uint32)})


def test_push_constants_and_specialization():
    shader = quadrille.compile(
        """
        #version 450
        layout(local_size_x = 4) in;
        layout(constant_id = 3) const float FACTOR = 1.0;
        layout(constant_id = 4) const bool NEGATE = false;
        layout(push_constant) uniform Push { float x; float y; };
        layout(set = 1, binding = 2) buffer Out { float values[4]; };
        void main() { values[gl_LocalInvocationIndex] = (NEGATE ? -FACTOR : FACTOR) * x + y; }
        """,
        "glsl",
    )
    out = np.zeros(4, np.float32)
    shader.run(1, {(1, 2): out}, push=np.array([2, 5], np.float32))
    assert np.array_equal(out, [7] * 4)
    shader.run(1, {(1, 2): out}, push=np.array([2, 5], np.float32), spec={3: 10.5, 4: np.bool_(True)})
    assert np.array_equal(out, [-16] * 4)
    shader.run(1, {(1, 2): out}, push=np.array([2], np.float32).tobytes())
    assert np.array_equal(out, [2] * 4)
    with pytest.raises(quadrille.InvalidError, match="12 bytes of push constants for a shader that has 8"):
        shader.run(1, {(1, 2): out}, push=np.zeros(3, np.float32))
    with pytest.raises(quadrille.InvalidError, match="no specialization constant has id 9"):
        shader.run(1, {(1, 2): out}, spec={9: 1})


def test_structures_by_their_layout():
    shader = quadrille.compile(
        """
        #version 450
        layout(local_size_x = 1) in;
        struct Light { vec3 place; float power; mat3 turn; int ids[3]; };
        layout(std140, set = 0, binding = 0) uniform Scene { vec2 size; Light lights[2]; } scene;
        layout(std430, set = 0, binding = 1) buffer Out { float head; vec3 sums[]; } result;
        void main() {
            result.head = scene.size.y;
            for (int i = 0; i < 2; i++)
                result.sums[i] = scene.lights[i].turn * scene.lights[i].place + float(scene.lights[i].ids[2]);
        }
        """,
        "glsl",
    )
    kind = shader.dtype(0)
    assert kind.fields["lights"][1] == 16 and kind.itemsize == 16 + 2 * (16 + 48 + 48)
    scene = np.zeros((), kind)
    scene["size"] = [3, 4]
    lights = scene["lights"]
    lights["place"] = [[1, 2, 3], [4, 5, 6]]
    # vec3 columns with a stride of 16 bytes: twice the identity, and a quarter turn.
    lights["turn"]["value"][0] = np.eye(3) * 2
    lights["turn"]["value"][1] = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    lights["ids"]["value"][:, 2] = [10, 20]
    out = np.zeros(12, np.float32)
    shader.run(1, {0: scene, 1: out})
    assert out[0] == 4
    assert np.array_equal(out[4:7], [12, 14, 16]) and np.array_equal(out[8:11], [15, 24, 26])
    with pytest.raises(quadrille.UnsupportedError, match="no length"):
        shader.dtype(1)


@pytest.mark.parametrize(
    ("declared", "dtype", "components"),
    [
        ("r32f", "f4", 1),
        ("rg16f", "f2", 2),
        ("rgba32f", "f4", 4),
        ("rgba8", "u1", 4),
        ("r32ui", "u4", 1),
        ("rg8i", "i1", 2),
    ],
)
def test_storage_images_of_every_kind(declared, dtype, components):
    integer = {"u": "u", "i": "i"}.get(declared[-1] if declared[-1] in "iu" else "", "")
    integer = "u" if declared.endswith("ui") else integer
    vector = f"{integer}vec4"
    shader = quadrille.compile(
        f"""
        #version 450
        #extension GL_EXT_shader_image_load_formatted : enable
        layout(local_size_x = 1) in;
        layout(set = 0, binding = 0, {declared}) uniform {integer}image2D picture;
        void main() {{
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            imageStore(picture, at, imageLoad(picture, at) + imageLoad(picture, at));
        }}""".replace("vec4", vector),
        "glsl",
    )
    shape = (3, 5) if components == 1 else (3, 5, components)
    picture = (np.arange(np.prod(shape)).reshape(shape) % 50).astype(dtype)
    expected = picture * 2
    shader.run((5, 3), {"picture": picture})
    assert np.array_equal(picture, expected)
    with pytest.raises(quadrille.InvalidError, match="has the format"):
        shader.run((5, 3), {"picture": np.zeros((3, 5, 3), dtype)})


def test_textures_and_samplers():
    shader = quadrille.compile(
        """
        @group(0) @binding(0) var picture: texture_2d<f32>;
        @group(0) @binding(1) var by: sampler;
        @group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
        @compute @workgroup_size(1) fn main() {
            out[0] = textureSampleLevel(picture, by, vec2f(0.5, 0.5), 0.0);
            out[1] = textureSampleLevel(picture, by, vec2f(-0.25, 0.5), 0.0);
        }""",
        "wgsl",
    )
    out = np.zeros((2, 4), np.float32)
    picture = np.array([[[1, 0, 0], [3, 0, 8]]], np.float32)
    shader.run(1, {"picture": picture, "by": quadrille.Sampler("linear", "repeat"), "out": out})
    assert np.array_equal(out, [[2, 0, 4, 1], [3, 0, 8, 1]])
    shader.run(1, {"picture": picture, "by": quadrille.Sampler("nearest", "clamp"), "out": out})
    assert np.array_equal(out[1], [1, 0, 0, 1])
    with pytest.raises(quadrille.InvalidError, match="filter"):
        shader.run(1, {"picture": picture, "by": quadrille.Sampler("cubic"), "out": out})


def test_three_dimensions():
    shader = quadrille.compile(
        """
        #version 450
        layout(local_size_x = 1) in;
        layout(set = 0, binding = 0) uniform usampler3D volume;
        layout(set = 0, binding = 1) buffer Out { uvec4 o; };
        void main() { o = texelFetch(volume, ivec3(3, 2, 1), 0); }""",
        "glsl",
    )
    volume = np.arange(2 * 3 * 4 * 2, dtype=np.uint8).reshape(2, 3, 4, 2)
    out = np.zeros(4, np.uint32)
    shader.run(1, {"volume": volume, 1: out})
    assert np.array_equal(out, [*volume[1, 2, 3], 0, 1])


def test_layers_cubes_and_levels():
    shader = quadrille.compile(
        """
        #version 450
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform sampler2DArray layers;
        layout(binding = 1) uniform samplerCube cube;
        layout(binding = 2) uniform samplerCubeArray cubes;
        layout(binding = 3) uniform sampler1DArray lines;
        layout(binding = 4) uniform sampler2D levels;
        layout(binding = 5, r32f) uniform image2DArray written;
        layout(binding = 6) buffer Out { float o[6]; };
        void main() {
            o[0] = textureLod(layers, vec3(0.5, 0.5, 1), 0.0).r;
            o[1] = textureLod(cube, vec3(0, 0, -1), 0.0).r;
            o[2] = textureLod(cubes, vec4(0, 1, 0, 1), 0.0).r;
            o[3] = textureLod(lines, vec2(0.75, 2), 0.0).r;
            o[4] = textureLod(levels, vec2(0.5), 1.0).r;
            o[5] = textureLod(levels, vec2(0.5), 2.0).r;
            imageStore(written, ivec3(1, 0, 2), vec4(7));
        }""",
        "glsl",
    )

    def numbers(*shape):
        return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)

    nearest = quadrille.Sampler("nearest", "clamp")
    levels = [np.full((4 >> n, 2 >> min(n, 1)), n, np.float32) for n in range(3)]
    out, written = np.zeros(6, np.float32), np.zeros((3, 1, 2), np.float32)
    bound = {
        "layers": numbers(2, 1, 1),
        "cube": numbers(6, 1, 1, 1),
        "cubes": numbers(12, 1, 1),
        "lines": quadrille.Texture(numbers(3, 2), nearest),
        "levels": quadrille.Texture(levels, nearest),
        "written": written,
        6: out,
    }
    shader.run(1, bound)
    assert np.array_equal(out, [1, 5, 8, 5, 1, 2])
    assert np.array_equal(written, [[[0, 0]], [[0, 0]], [[0, 7]]])

    def refused(name, value, says):
        with pytest.raises(quadrille.InvalidError, match=says):
            shader.run(1, {**bound, name: value})

    refused("cube", numbers(5, 1, 1), "a cube has 6 faces, not 5")
    refused("cubes", numbers(13, 1, 1), "a cube has 6 faces, not 13")
    refused("layers", numbers(2), "an array of shape")
    refused("levels", quadrille.Texture([levels[0], levels[2]]), "level 1 is an array of float32 of shape")
    refused("levels", quadrille.Texture([]), "without levels")
    refused("written", quadrille.Texture([written, written[:, :, :1]]), "one level, not 2")


def test_lists_are_elements_of_arrays_of_bindings():
    shader = quadrille.compile(
        """
        #version 450
        layout(local_size_x = 1) in;
        layout(set = 0, binding = 0) buffer All { uint v; } all[3];
        void main() { for (int i = 0; i < 3; i++) all[i].v += i + 1; }""",
        "glsl",
    )
    parts = [np.full(1, 10 * i, np.uint32) for i in range(3)]
    shader.run(1, {0: parts})
    assert [int(p[0]) for p in parts] == [1, 12, 23]


def test_same_bits_from_any_number_of_threads():
    shader = quadrille.compile(
        """
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
            var x = f32(id.x); for (var i = 0; i < 20; i++) { x = sin(x) * 3.1 + cos(x * 0.7); } v[id.x] = x;
        }""",
        "wgsl",
    )
    results = []
    for threads in (1, 2, 5):
        v = np.zeros(1 << 14, np.float32)
        shader.run(1 << 8, {"v": v}, device=quadrille.Device(threads=threads))
        results.append(v.tobytes())
    assert len(set(results)) == 1


SLOW = """
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x; for (var i = 0u; i < v[0]; i++) { x = x * 1664525u + 1013904223u; } v[id.x + 1] = x;
}"""


def test_other_threads_run_while_a_shader_does():
    shader = quadrille.compile(SLOW, "wgsl")
    v = np.zeros((1 << 17) + 1, np.uint32)
    v[0] = 3000
    done, ticks = threading.Event(), []

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    shader.run(1 << 11, {"v": v})
    ended = time.monotonic()
    done.set()
    thread.join()
    # If the lock were held, no tick would occur during the run.
    assert any(began < t < ended for t in ticks)


def test_several_threads_run_one_shader():
    shader = quadrille.compile(ADD, "wgsl")
    results = []

    def work(n):
        b = np.zeros(512, np.uint32)
        for _ in range(20):
            shader.run(64, {"a": np.full(512, n, np.uint32), "b": b})
        results.append((n, int(b.min()), int(b.max())))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 7)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [(n, 20 * n, 20 * n) for n in range(1, 7)]


def test_ctrl_c_ends_the_wait():
    import os
    import signal

    # Long work with too many invocations to run on the calling thread. Its budget outlasts a machine that is busy
    # when the signal comes.
    device = quadrille.Device(budget=8)
    shader = quadrille.compile(SLOW, "wgsl")
    v = np.zeros((1 << 17) + 1, np.uint32)
    v[0] = 0xFFFFFFFF
    # Programs that a shell starts in the background ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            shader.run(1 << 11, {"v": v}, device=device)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not v[1:].any()


def test_a_shader_that_does_not_end_loses_its_device_alone():
    device = quadrille.Device(budget=0.5)
    endless = quadrille.compile(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;"
        "@compute @workgroup_size(1) fn main() { while (v[0] == 0u) { v[1] += 1u; } }",
        "wgsl",
    )
    with pytest.raises(quadrille.DeviceLostError, match="main"):
        endless.run(1, {"v": np.zeros(2, np.uint32)}, device=device)
    assert device.lost is not None
    b = np.zeros(8, np.uint32)
    quadrille.compile(ADD, "wgsl").run(1, {"a": np.ones(8, np.uint32), "b": b})
    assert b.all()


def test_the_default_device_is_made_anew_when_it_is_lost():
    before = quadrille.default_device()
    quadrille.set_default_device(quadrille.Device(budget=0.3))
    try:
        endless = quadrille.compile("@compute @workgroup_size(1) fn main() { loop { } }", "wgsl")
        lost = quadrille.default_device()
        with pytest.raises(quadrille.DeviceLostError, match="main"):
            endless.run(1)
        assert lost.lost is not None
        assert quadrille.default_device() is not lost and quadrille.default_device().lost is None
    finally:
        quadrille.set_default_device(before)


def test_shaders_can_be_pickled(add):
    again = pickle.loads(pickle.dumps(add))
    b = np.zeros(8, np.uint32)
    again.run(1, {"a": np.ones(8, np.uint32), "b": b})
    assert b.all() and again.spirv == add.spirv and again.name == add.name


def test_initial_values_of_included_files_stay(tmp_path):
    (tmp_path / "glow.glsl").write_text("uniform float glow = 0.5;\n")
    source = """#version 330
#include "glow.glsl"
out vec4 c;
void main() { c = vec4(glow, 0, 0, 1); }"""
    shader = quadrille.compile(source, "glsl", stage="fragment", include=[tmp_path])
    for one in (shader, pickle.loads(pickle.dumps(shader))):
        assert one.render(1, 1)[0, 0].tolist() == [128, 0, 0, 255]


def _in_child(shader, values):
    b = np.zeros(8, np.uint32)
    shader.run(1, {"a": values, "b": b})
    return b


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes(add, method):
    # The parent has used its device, so the child creates another.
    add.run(1, {"a": np.ones(8, np.uint32), "b": np.zeros(8, np.uint32)})
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert np.array_equal(pool.apply_async(_in_child, (add, np.arange(8, dtype=np.uint32))).get(60), np.arange(8))


def test_printf_is_caught_or_shown(capsys):
    shader = quadrille.compile(
        """
        #version 450
        #extension GL_EXT_debug_printf : require
        layout(local_size_x = 1) in;
        void main() { debugPrintfEXT("%d", 42); }""",
        "glsl",
    )
    with quadrille.capture_printf() as lines:
        shader.run(1)
    assert lines == ["[0, 0, 0] 42"]
    shader.run(1)
    assert capsys.readouterr().err == "[0, 0, 0] 42\n"
    assert lines == ["[0, 0, 0] 42"]


def one_buffer(block, name="y"):
    return quadrille.compile(
        f"""#version 450
        layout(set = 0, binding = 0) buffer Block {{ {block} }};
        void main() {{ {name}[0] = {name}[1]; }}""",
        "glsl",
        stage="compute",
    )


@pytest.mark.parametrize(
    ("block", "array", "words"),
    [
        ("float y[];", np.ones(4, np.float64), "an array of float64, and the shader reads float32"),
        ("float y[];", np.ones(4, np.uint32), "an array of uint32, and the shader reads float32"),
        ("uint y[];", np.ones(4, np.float32), "an array of float32, and the shader reads uint32"),
        ("uint y[];", np.ones(4, np.bool_), "an array of bool, and the shader reads uint32"),
        ("float y[];", np.ones(4, ">f4"), "big-endian numbers (>f4)"),
        ("float y[];", np.ones(4, [("x", ">f4")]), "big-endian numbers"),
        ("vec3 y[];", np.ones((4, 3), np.float32), "its shape is (4, 3), 12 bytes for each element"),
        ("vec3 y[4];", np.ones((4, 3), np.float32), "an array of shape (4, 4) has room"),
        ("struct { float a; uint b; } y[];", np.ones((4, 2), np.float32), "reads a structure: `Shader.dtype`"),
    ],
)
def test_numbers_of_other_types_are_refused(block, array, words):
    if block.startswith("struct"):
        block = "S y[];"
        shader = quadrille.compile(
            """#version 450
            struct S { float a; uint b; };
            layout(set = 0, binding = 0) buffer Block { S y[]; };
            void main() { y[0].a = float(y[1].b); }""",
            "glsl",
            stage="compute",
        )
    else:
        shader = one_buffer(block)
    with pytest.raises(quadrille.InvalidError, match="set 0, binding 0") as raised:
        shader.run(1, {0: array})
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("block", "array"),
    [
        ("float y[];", np.ones(4, np.float32)),
        ("vec4 y[];", np.ones(8, np.float32)),
        ("vec3 y[];", np.ones((2, 4), np.float32)),
        ("int y[];", np.ones(4, np.uint32)),
        # Bytes are used unchanged, for a caller who wants 64-bit floats to be read as integers.
        ("uint y[];", np.ones(4, np.float64).view(np.uint8)),
        ("uint y[];", bytearray(16)),
    ],
)
def test_numbers_that_fit_are_taken(block, array):
    one_buffer(block).run(1, {0: array})


def test_arrays_keep_their_memory_while_a_shader_runs():
    shader = quadrille.compile(
        """
        @group(0) @binding(0) var<storage, read_write> y: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) i: vec3u) {
            for (var k = 0u; k < 400u; k++) { y[i.x] = y[i.x] * 1664525u + 1013904223u; }
        }""",
        "wgsl",
    )
    refused = []
    for pause in range(5):
        y = np.ones(1 << 18, np.uint32)

        def resize(y=y, pause=pause):
            time.sleep(0.002 * (1 + pause))
            try:
                y.resize(16, refcheck=False)
            except ValueError as error:
                refused.append(error)

        thread = threading.Thread(target=resize)
        thread.start()
        shader.run(bindings={"y": y}, invocations=y.size)
        thread.join()
        # The run keeps no reference to the array.
        if y.size != 16:
            y.resize(16, refcheck=False)
    assert refused, "the shader was too fast to see anything"


def test_big_endian_texels_and_push_constants_are_refused():
    shader = quadrille.compile(
        """#version 450
        layout(set = 0, binding = 0) uniform sampler2D t;
        layout(set = 0, binding = 1) buffer Y { vec4 y[]; };
        layout(push_constant) uniform P { float scale; };
        void main() { y[0] = scale * texelFetch(t, ivec2(0), 0); }""",
        "glsl",
        stage="compute",
    )
    y = np.zeros((1, 4), np.float32)
    with pytest.raises(quadrille.InvalidError, match="big-endian"):
        shader.run(1, {"t": np.ones((2, 2, 4), ">f4"), "Y": y}, push=np.float32([2]))
    with pytest.raises(quadrille.InvalidError, match=r"push constants do not fit.*big-endian"):
        shader.run(1, {"t": np.ones((2, 2, 4), np.float32), "Y": y}, push=np.array([2], ">f4"))
    shader.run(1, {"t": np.ones((2, 2, 4), np.float32), "Y": y}, push=np.float32([2]))
    assert np.array_equal(y, [[2, 2, 2, 2]])


def test_buffers_end_where_shaders_do():
    big = np.zeros((1 << 32) - (1 << 16) + 4, np.uint8)
    with pytest.raises(quadrille.LimitError, match="shaders reach 4294901760"):
        one_buffer("uint y[];").run(1, {0: big})

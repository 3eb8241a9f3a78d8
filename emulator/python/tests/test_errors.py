"""Errors as exceptions, with the line of the source."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import quadrille
from quadrille import _printf


def test_compile_errors_show_the_source():
    source = "fn f() -> i32 {\n    let x: i32 = 1.5;\n    return x;\n}\n"
    with pytest.raises(quadrille.CompileError) as caught:
        quadrille.compile(source, "wgsl", name="half.wgsl")
    error = caught.value
    assert (error.file, error.line, error.column, error.language) == ("half.wgsl", 2, 9, "WGSL")
    assert str(error).splitlines()[0].startswith("half.wgsl:2:9: ")
    assert "  2 |     let x: i32 = 1.5;" in str(error)
    assert "    |         ^" in str(error)


def test_all_messages_are_there():
    with pytest.raises(quadrille.CompileError) as caught:
        quadrille.compile("half4 main(float2 p) {\n  a;\n  b;\n  return half4(1);\n}", "agsl")
    assert [d.line for d in caught.value.diagnostics] == [2, 3]
    assert caught.value.diagnostics[1].message in str(caught.value)


def test_errors_of_the_module_name_the_file():
    source = "OpCapability Shader\nOpCapability Pipes\nOpMemoryModel Logical GLSL450\n"
    with pytest.raises(quadrille.UnsupportedError, match=r"pipes\.spvasm: capability Pipes") as caught:
        quadrille.compile(source, "spirv", name="pipes.spvasm")
    assert caught.value.file == "pipes.spvasm"


def test_errors_show_the_line_where_they_know_it():
    error = quadrille.InvalidError("wrong", file="a.comp", line=12, source="\n" * 11 + "here")
    assert str(error) == "a.comp:12: wrong\n  12 | here"


def test_errors_of_pipelines_show_the_line_of_the_text():
    source = """#version 460
layout(local_size_x = 1) in;
#line 70
layout(binding = 0) buffer B { float v[]; };
layout(constant_id = 0) const int C = 0;
const int N = 1 / C;
void main() { float a[N]; a[0] = v[1]; v[0] = a[0]; }
"""
    with pytest.raises(quadrille.InvalidError) as caught:
        shader = quadrille.compile(source, "glsl", stage="compute", name="a.comp")
        shader.run(1, {0: np.zeros(2, np.float32)})
    assert (caught.value.file, caught.value.line) == ("a.comp", 7)
    assert "  7 | void main() { float a[N];" in str(caught.value)


def test_objects_of_wrong_types_are_named():
    with pytest.raises(TypeError, match=r"`load` compiles a file, and `compile` text or bytes, not \w*Path"):
        quadrille.compile(Path("a.comp"), "glsl")
    with pytest.raises(TypeError, match="`kernel` takes a file, or the text or bytes of a module, not int"):
        quadrille.kernel(16)
    picture = quadrille.compile("uniform float k; half4 main(float2 p) { return half4(k); }", "agsl")
    for value, kind in [(None, "NoneType"), ([1, "2"], "str"), (1j, "complex")]:
        with pytest.raises(TypeError, match=f"the uniform `k` takes numbers, or text such as `#ff8000`, not {kind}"):
            picture.render(1, 1, uniforms={"k": value})


def test_numbers_of_workgroups_are_whole():
    ones = quadrille.compile(
        """@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = 1u; }""",
        "wgsl",
    )
    v = np.zeros(4, np.uint32)
    ones.run(6 / 2, {"v": v})
    assert v.tolist() == [1, 1, 1, 0]
    for sizes in [{"groups": 2.5}, {"groups": (1, 2.5)}, {"invocations": np.float32(2.5)}]:
        with pytest.raises(quadrille.InvalidError, match=r"2\.5 is not a whole number"):
            ones.run(bindings={"v": v}, **sizes)
    with pytest.raises(TypeError):
        ones.run("4", {"v": v})


def test_only_line_feeds_end_lines():
    source = "// a\x0cb\x85c\u2028d\r\nhere\r\n"
    error = quadrille.InvalidError("wrong", file="a.comp", line=2, column=2, source=source)
    assert str(error) == "a.comp:2:2: wrong\n  2 | here\n    |  ^"
    for line, text in [(3, source), (1, "")]:
        error = quadrille.InvalidError("wrong", file="a.comp", line=line, source=text)
        assert str(error) == f"a.comp:{line}: wrong"


def test_texts_do_not_control_a_terminal(capsys):
    """Sources, names and what shaders print may have any characters."""
    error = quadrille.InvalidError("a\x1b[2J", file="\x9b.comp", line=1, column=3, source="\x1b]b")
    mark = " " * len("<U+001B>]") + "^"
    assert str(error) == f"<U+009B>.comp:1:3: a<U+001B>[2J\n  1 | <U+001B>]b\n    | {mark}"
    assert error.message == "a\x1b[2J"
    assert str(quadrille.CompileError("a", hint="\x07")).endswith("help: <U+0007>")
    assert str(quadrille.InvalidError("\udc80")) != ""
    _printf.deliver(["[0, 0, 0] \x1b[31mred", "b"])
    assert capsys.readouterr().err == "[0, 0, 0] <U+001B>[31mred\nb\n"


def test_errors_can_be_pickled():
    with pytest.raises(quadrille.CompileError) as caught:
        quadrille.compile("void main() { x }", "glsl", stage="compute", name="x.comp")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics == caught.value.diagnostics
    assert type(again) is quadrille.CompileError and again.line == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: quadrille.compile("", "hlsl"), quadrille.InvalidError, "hlsl"),
        (lambda: quadrille.compile("void main() {}", "glsl", stage="pixel"), quadrille.InvalidError, "pixel"),
        (lambda: quadrille.compile(b"\xff\xfe", "wgsl"), quadrille.CompileError, "UTF-8"),
        (lambda: quadrille.compile(b"\x03\x02\x23\x07", "spirv"), quadrille.InvalidError, "incomplete"),
        (lambda: quadrille.compile(b"abc", "spirv"), quadrille.CompileError, "unknown instruction"),
        (lambda: quadrille.load("README.unknown"), quadrille.InvalidError, "language"),
        (lambda: quadrille.Device(lanes=5), quadrille.InvalidError, "subgroup size 5"),
        (lambda: quadrille.Device(budget=-1), quadrille.InvalidError, "budget"),
        (
            lambda: quadrille.Device(heap_bytes=1 << 20).allocate(1 << 21),
            quadrille.OutOfMemoryError,
            "2097152 bytes wanted",
        ),
        (lambda: quadrille.zeros(1 << 62, np.uint64), quadrille.LimitError, "shape"),
        (lambda: quadrille.zeros(1, object), TypeError, "objects"),
        (lambda: quadrille.read_picture("nowhere.png"), quadrille.InvalidError, "nowhere.png"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_out_of_memory_is_a_memory_error():
    with pytest.raises(MemoryError):
        quadrille.zeros(1 << 22, device=quadrille.Device(heap_bytes=1 << 20))

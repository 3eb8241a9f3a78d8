"""Kernels of OpenCL on arrays."""

import stat

import numpy as np
import pytest
import quadrille

#: out[i] = part[l] + part[l ^ 1], where part[l] = s.by * a[i] + s.plus.
PAIRS = """
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "pairs" %gid %lid
OpEntryPoint Kernel %other "nothing"
OpName %a "a"
OpName %out "out"
OpName %s "s"
OpName %part "part"
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %lid BuiltIn LocalInvocationId
OpDecorate %s FuncParamAttr ByVal
OpDecorate %s Alignment 4
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v3 = OpTypeVector %u64 3
%scale = OpTypeStruct %f32 %u32
%in = OpTypePointer Input %v3
%gf = OpTypePointer CrossWorkgroup %f32
%wf = OpTypePointer Workgroup %f32
%ps = OpTypePointer Function %scale
%pf = OpTypePointer Function %f32
%pu = OpTypePointer Function %u32
%l0 = OpConstant %u64 0
%l1 = OpConstant %u64 1
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u2 = OpConstant %u32 2
%u272 = OpConstant %u32 272
%fn = OpTypeFunction %void %gf %gf %ps %wf
%fn0 = OpTypeFunction %void
%gid = OpVariable %in Input
%lid = OpVariable %in Input
%main = OpFunction %void None %fn
%a = OpFunctionParameter %gf
%out = OpFunctionParameter %gf
%s = OpFunctionParameter %ps
%part = OpFunctionParameter %wf
%entry = OpLabel
%ids = OpLoad %v3 %gid
%i = OpCompositeExtract %u64 %ids 0
%ls = OpLoad %v3 %lid
%l = OpCompositeExtract %u64 %ls 0
%pby = OpInBoundsPtrAccessChain %pf %s %l0 %u0
%by = OpLoad %f32 %pby Aligned 4
%pplus = OpInBoundsPtrAccessChain %pu %s %l0 %u1
%plus = OpLoad %u32 %pplus Aligned 4
%more = OpConvertSToF %f32 %plus
%pa = OpInBoundsPtrAccessChain %gf %a %i
%x = OpLoad %f32 %pa Aligned 4
%scaled = OpFMul %f32 %by %x
%mine = OpFAdd %f32 %scaled %more
%pm = OpInBoundsPtrAccessChain %wf %part %l
OpStore %pm %mine Aligned 4
OpControlBarrier %u2 %u2 %u272
%beside = OpBitwiseXor %u64 %l %l1
%po = OpInBoundsPtrAccessChain %wf %part %beside
%theirs = OpLoad %f32 %po Aligned 4
%sum = OpFAdd %f32 %mine %theirs
%pd = OpInBoundsPtrAccessChain %gf %out %i
OpStore %pd %sum Aligned 4
OpReturn
OpFunctionEnd
%other = OpFunction %void None %fn0
%e = OpLabel
OpReturn
OpFunctionEnd
"""

A = np.arange(8, dtype=np.float32)
#: Pairs of 2 * i - 3.
WANTED = np.repeat(2 * (2 * A[::2] - 3) + 2, 2)


@pytest.fixture(scope="module")
def pairs():
    return quadrille.kernel(PAIRS, "pairs")


def run(pairs, a, out, scale=(2.0, -3), **more):
    pairs(a, out, scale, quadrille.Local(16), **{"global_size": 8, "local_size": 4, **more})


def test_arrays_change_in_place(pairs):
    out = np.zeros(8, np.float32)
    run(pairs, A, out)
    assert np.array_equal(out, WANTED)
    run(pairs, A, out, np.array([(1, 0)], [("by", "f4"), ("plus", "i4")])[0], local_size=2)
    assert np.array_equal(out, np.repeat(A[::2] + A[1::2], 2))
    run(pairs, A, out, bytes(8))
    assert not out.any()


def test_the_offset_and_the_size(pairs):
    out = np.zeros(8, np.float32)
    run(pairs, A, out, global_size=(4,), offset=[4])
    assert np.array_equal(out, [0] * 4 + list(WANTED[4:]))
    run(pairs, A, out, global_size=0, local_size=None)
    # The last workgroup has two invocations.
    out = np.zeros(8, np.float32)
    run(pairs, A, out, global_size=6, local_size=4)
    assert np.array_equal(out, [*WANTED[:6], 0, 0])


def test_arrays_in_device_memory_and_strided_ones(pairs):
    shared = quadrille.zeros(16)
    run(pairs, quadrille.array(A, np.float32), shared[8:])
    assert np.array_equal(shared, [0] * 8 + list(WANTED))
    strided = np.zeros((8, 2), np.float32)
    run(pairs, np.repeat(A, 3)[::3], strided[:, 1])
    assert np.array_equal(strided[:, 1], WANTED) and not strided[:, 0].any()


def test_read_only_arrays(pairs):
    a, out = A.copy(), np.zeros(8, np.float32)
    a.flags.writeable = False
    run(pairs, a, out)
    assert np.array_equal(out, WANTED)
    run(pairs, a.tobytes(), out)
    with pytest.raises(ValueError, match=r"argument 1 \(out\): the kernel writes to it, but the array is read only"):
        run(pairs, out, a)
    with pytest.raises(quadrille.InvalidError, match="bound twice"):
        run(pairs, out, out)
    wide = np.zeros((8, 2), np.float32)
    with pytest.raises(quadrille.InvalidError, match="bound twice"):
        run(pairs, wide[:, 1], wide[:, 1])


def test_the_arguments(pairs):
    assert [(a.name, a.kind) for a in pairs.arguments] == [
        ("a", "buffer"), ("out", "buffer"), ("s", "value"), ("part", "workgroup"),
    ]  # fmt: skip
    assert pairs.arguments[0].dtype == np.float32
    assert [at for at, _ in pairs.arguments[2].scalars] == [0, 4]
    assert pairs.required_local_size is None
    assert repr(pairs) == "<quadrille.Kernel(a, out, s, part)>"
    quadrille.kernel(PAIRS, "nothing")(global_size=3)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"a": A.astype(np.float64)}, quadrille.InvalidError, "argument 0 .* array of float64, and the shader reads"),
        ({"a": [1, 2]}, TypeError, "argument 0 .* is a buffer"),
        ({"a": quadrille.Local(4)}, TypeError, "is a buffer, not workgroup memory"),
        ({"scale": (1.0,)}, quadrille.InvalidError, "argument 2 .* has 2 numbers, not 1"),
        ({"scale": (1.0, 2.5)}, quadrille.InvalidError, "2.5 is not an integer of 32 bits"),
        ({"scale": (1.0, 1 << 32)}, quadrille.InvalidError, "not an integer"),
        ({"scale": (1.0, float("inf"))}, quadrille.InvalidError, r"argument 2 \(s\): inf is not an integer of 32 bits"),
        ({"scale": (1.0, float("nan"))}, quadrille.InvalidError, "nan is not an integer"),
        ({"scale": bytes(7)}, quadrille.InvalidError, "has 8 bytes, not 7"),
        ({"scale": "xy"}, quadrille.QuadrilleError, "2 numbers"),
        ({"local_size": 0}, quadrille.InvalidError, "workgroups of"),
        ({"global_size": (1, 2, 3, 4)}, quadrille.InvalidError, "one to three numbers"),
        ({"global_size": 7.5}, quadrille.InvalidError, "7.5 is not a whole number"),
    ],
)
def test_wrong_arguments(pairs, change, error, message):
    with pytest.raises(error, match=message):
        run(pairs, **{"a": A, "out": np.zeros(8, np.float32), **change})


def test_the_number_of_arguments(pairs):
    with pytest.raises(TypeError, match="has 4 arguments, not 1"):
        pairs(A, global_size=8)
    with pytest.raises(TypeError, match=r"quadrille.Local\(bytes\), not int"):
        pairs(A, A, (1, 1), 16, global_size=8)


def test_files_and_languages(tmp_path, monkeypatch):
    text = tmp_path / "pairs.spvasm"
    text.write_text(PAIRS)
    out = np.zeros(8, np.float32)
    run(quadrille.kernel(text, entry="pairs"), A, out)
    assert np.array_equal(out, WANTED)
    binary = quadrille.compile(PAIRS, "spirv").spirv
    run(quadrille.kernel(binary, entry="pairs"), A, out)
    with pytest.raises(quadrille.QuadrilleError, match="pairs"):
        quadrille.kernel(PAIRS)
    with pytest.raises(quadrille.InvalidError, match="no kernel"):
        quadrille.kernel(PAIRS, "missing")
    with pytest.raises(quadrille.InvalidError, match="not glsl"):
        quadrille.kernel(PAIRS, language="glsl")
    # OpenCL C goes through clang, for which a program stands in here.
    source = tmp_path / "pairs.cl"
    source.write_text("kernel void pairs() {}")
    monkeypatch.setenv("PATH", str(tmp_path / "tools"))
    with pytest.raises(quadrille.InvalidError, match="compiled by clang, which is not on the path"):
        quadrille.kernel(source)
    (tmp_path / "tools").mkdir()
    (tmp_path / "pairs.spv").write_bytes(binary)
    clang = tmp_path / "tools" / "clang"
    clang.write_text(f"#!/bin/sh\nfor last; do :; done\n/bin/cp '{tmp_path}/pairs.spv' \"$last\"\n")
    clang.chmod(clang.stat().st_mode | stat.S_IXUSR)
    out[:] = 0
    run(quadrille.kernel(str(source), "pairs"), A, out)
    assert np.array_equal(out, WANTED)


#: Exchanges two texels of an image.
TURN = """
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability ImageBasic
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "turn" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%v4 = OpTypeVector %f32 4
%v3u64 = OpTypeVector %u64 3
%iv = OpTypePointer Input %v3u64
%from = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%to = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
%sampler = OpTypeSampler
%sampled = OpTypeSampledImage %from
%fn = OpTypeFunction %void %from %sampler %to
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%f0 = OpConstant %f32 0
%gid = OpVariable %iv Input
%main = OpFunction %void None %fn
%a = OpFunctionParameter %from
%s = OpFunctionParameter %sampler
%b = OpFunctionParameter %to
%entry = OpLabel
%ids = OpLoad %v3u64 %gid
%i = OpCompositeExtract %u64 %ids 0
%x = OpUConvert %u32 %i
%other = OpISub %u32 %u1 %x
%here = OpCompositeConstruct %v2 %x %u0
%there = OpCompositeConstruct %v2 %other %u0
%both = OpSampledImage %sampled %a %s
%texel = OpImageSampleExplicitLod %v4 %both %here Lod %f0
OpImageWrite %b %there %texel
OpReturn
OpFunctionEnd
"""


def test_images_and_samplers():
    turn = quadrille.kernel(TURN)
    assert [a.kind for a in turn.arguments] == ["image", "sampler", "image"]
    assert [a.constant for a in turn.arguments] == [True, False, False]
    source = np.array([[[255, 0, 0, 255], [0, 51, 0, 255]]], np.uint8)
    result = np.zeros((1, 2, 4), np.uint8)
    nearest = quadrille.Sampler("nearest", "clamp", normalized=False)
    turn(source, nearest, result, global_size=(2, 1))
    assert np.array_equal(result, source[:, ::-1])
    floats = np.zeros((1, 2), np.float32)
    turn(quadrille.Image(source, "R8G8B8A8_UNORM"), nearest, floats, global_size=(2, 1))
    assert floats.tolist() == [[0, 1]]
    # A format does not change the order of bytes.
    for texels in [floats.astype(">f4"), quadrille.Image(floats.astype(">f4"), "R32_SFLOAT")]:
        with pytest.raises(quadrille.InvalidError, match=r"big-endian numbers \(>f4\)"):
            turn(texels, nearest, result, global_size=(2, 1))
    with pytest.raises(quadrille.InvalidError, match="dimensionality 2D"):
        turn(source[0, 0], nearest, result, global_size=(2, 1))
    with pytest.raises(TypeError, match="is a sampler"):
        turn(source, 1, result, global_size=(2, 1))
    with pytest.raises(TypeError, match="is an image"):
        turn(1, nearest, result, global_size=(2, 1))
    fixed = result.copy()
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read only"):
        turn(source, nearest, fixed, global_size=(2, 1))

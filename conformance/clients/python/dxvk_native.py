"""DXVK's native library: Collatz lengths by a compute shader of Direct3D 11 and a disc by a pixel shader, called by the
tables of COM. Shaders are compiled from HLSL by vkd3d-compiler: dxvk_native.py LIBRARY"""

import ctypes
import subprocess
import sys
from ctypes import POINTER, Structure, addressof, byref, c_float, c_int, c_uint, c_void_p

import loaded
import numpy as np

COUNT, SIZE, CENTRE = 16384, 256, (150, 90)
COMPUTE = """
RWStructuredBuffer<uint> v : register(u0);
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    uint n = v[id.x], i = 0;
    while (n > 1) { if (n % 2 == 0) n = n / 2; else n = 3 * n + 1; i++; }
    v[id.x] = i;
}
"""
VERTEX = """
float4 main(uint i : SV_VertexID) : SV_Position { return float4((i >> 1) * 4.0 - 1.0, (i & 1) * 4.0 - 1.0, 0, 1); }
"""
PIXEL = """
float4 main(float4 at : SV_Position) : SV_Target
{
    float2 d = at.xy - float2(150, 90);
    return dot(d, d) < 4000 ? float4(1, 0, 0, 1) : float4(at.x / 256, at.y / 256, 1, 1);
}
"""
# Positions in the tables of ID3D11Device and ID3D11DeviceContext.
DEVICE = {"CreateBuffer": 3, "CreateTexture2D": 5, "CreateUnorderedAccessView": 8, "CreateRenderTargetView": 9}
DEVICE |= {"CreateVertexShader": 12, "CreatePixelShader": 15, "CreateComputeShader": 18}
CONTEXT = {"PSSetShader": 9, "VSSetShader": 11, "Draw": 13, "Map": 14, "IASetPrimitiveTopology": 24}
CONTEXT |= {"OMSetRenderTargets": 33, "Dispatch": 41, "RSSetViewports": 44, "CopyResource": 47}
CONTEXT |= {"CSSetUnorderedAccessViews": 68, "CSSetShader": 69}
STAGING, READ, TRIANGLES = 3, 1, 4
BIND_UAV, BIND_TARGET, CPU_READ, STRUCTURED, RGBA8 = 0x80, 0x20, 0x20000, 0x40, 28


class Mapped(Structure):
    """Memory of a resource, which is also the layout of first contents."""

    _fields_ = (("data", c_void_p), ("row", c_uint), ("depth", c_uint))


def compiled(profile, text):
    command = ["vkd3d-compiler", "-x", "hlsl", "-b", "dxbc-tpf", f"--profile={profile}", "-e", "main", "-o", "-", "-"]
    return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


class Object:
    """A COM object, whose methods have the positions of a table."""

    def __init__(self, pointer, methods):
        self.pointer, self.methods = pointer, methods
        self.table = ctypes.cast(pointer, POINTER(POINTER(c_void_p)))[0]

    def call(self, name, *arguments, result=None):
        kinds = [type(a) if not hasattr(a, "_obj") else c_void_p for a in arguments]
        method = ctypes.CFUNCTYPE(result, c_void_p, *kinds)(self.table[self.methods[name]])
        given = [c_void_p(addressof(a._obj)) if hasattr(a, "_obj") else a for a in arguments]
        return method(self.pointer, *given)

    def make(self, name, *arguments):
        made = c_void_p()
        failed = self.call(name, *arguments, byref(made), result=c_int)
        assert failed == 0 and made.value, f"{name}: {failed & 0xFFFFFFFF:#x}"
        return made


def created(path):
    device, context, level = c_void_p(), c_void_p(), c_int()
    create = ctypes.CDLL(path).D3D11CreateDevice
    create.argtypes = [c_void_p, c_int, c_void_p, c_uint, c_void_p, c_uint, c_uint, c_void_p, c_void_p, c_void_p]
    # The first adapter, as hardware; version 7 of the interface's headers.
    failed = create(None, 1, None, 0, None, 0, 7, byref(device), byref(level), byref(context))
    assert failed == 0, f"D3D11CreateDevice: {failed & 0xFFFFFFFF:#x}"
    return Object(device, DEVICE), Object(context, CONTEXT), level.value


def shader(device, name, profile, text):
    code = compiled(profile, text)
    return device.make(name, c_void_p(ctypes.cast(code, c_void_p).value), ctypes.c_size_t(len(code)), c_void_p())


def read(context, source, staging, length):
    context.call("CopyResource", staging, source)
    mapped = Mapped()
    failed = context.call("Map", staging, c_uint(0), c_int(READ), c_uint(0), byref(mapped), result=c_int)
    assert failed == 0, "Map"
    return np.frombuffer(
        ctypes.string_at(mapped.data, mapped.row * length if length else 4 * COUNT), np.uint8
    ), mapped.row


def collatz(device, context):
    def buffer(usage, bind, access, flags, first):
        return device.make("CreateBuffer", byref((c_uint * 6)(4 * COUNT, usage, bind, access, flags, 4)), first)

    numbers = np.arange(1, COUNT + 1, dtype=np.uint32)
    values = buffer(0, BIND_UAV, 0, STRUCTURED, byref(Mapped(numbers.ctypes.data, 0, 0)))
    staging = buffer(STAGING, 0, CPU_READ, 0, c_void_p())
    view = device.make("CreateUnorderedAccessView", values, c_void_p())
    context.call("CSSetShader", shader(device, "CreateComputeShader", "cs_5_0", COMPUTE), c_void_p(), c_uint(0))
    context.call("CSSetUnorderedAccessViews", c_uint(0), c_uint(1), byref((c_void_p * 1)(view)), c_void_p())
    context.call("Dispatch", c_uint(COUNT // 64), c_uint(1), c_uint(1))
    got = read(context, values, staging, 0)[0].view(np.uint32)
    for n in range(1, COUNT + 1):
        m, steps = n, 0
        while m > 1:
            m, steps = (m // 2 if m % 2 == 0 else 3 * m + 1), steps + 1
        assert got[n - 1] == steps, f"collatz({n}) is {steps}, not {got[n - 1]}"


def disc(device, context):
    def texture(usage, bind, access):
        wanted = (c_uint * 11)(SIZE, SIZE, 1, 1, RGBA8, 1, 0, usage, bind, access, 0)
        return device.make("CreateTexture2D", byref(wanted), c_void_p())

    target, staging = texture(0, BIND_TARGET, 0), texture(STAGING, 0, CPU_READ)
    view = device.make("CreateRenderTargetView", target, c_void_p())
    for stage, name, profile, text in (("VS", "Vertex", "vs_5_0", VERTEX), ("PS", "Pixel", "ps_5_0", PIXEL)):
        made = shader(device, f"Create{name}Shader", profile, text)
        context.call(f"{stage}SetShader", made, c_void_p(), c_uint(0))
    context.call("IASetPrimitiveTopology", c_int(TRIANGLES))
    context.call("RSSetViewports", c_uint(1), byref((c_float * 6)(0, 0, SIZE, SIZE, 0, 1)))
    context.call("OMSetRenderTargets", c_uint(1), byref((c_void_p * 1)(view)), c_void_p())
    context.call("Draw", c_uint(3), c_uint(0))
    data, row = read(context, target, staging, SIZE)
    got = data.reshape(SIZE, row)[:, : 4 * SIZE].reshape(SIZE, SIZE, 4).astype(int)
    y, x = np.mgrid[:SIZE, :SIZE] + 0.5
    inside = (x - CENTRE[0]) ** 2 + (y - CENTRE[1]) ** 2 < 4000
    around = np.stack([x / SIZE * 255, y / SIZE * 255, np.full_like(x, 255), np.full_like(x, 255)], 2)
    want = np.where(inside[..., None], [255, 0, 0, 255], around)
    assert np.abs(got - want).max() <= 0.51, f"a pixel differs by {np.abs(got - want).max()}"


device, context, level = created(sys.argv[1])
collatz(device, context)
disc(device, context)
print(f"level {level:#x}: {COUNT} values and {SIZE}x{SIZE} pixels are right on {loaded.driver()}")

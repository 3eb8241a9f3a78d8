"""Compushady, whose HLSL goes through Microsoft's compiler: Collatz lengths, and sums of workgroups against numpy."""

import os

import compushady
import loaded
import numpy as np
from compushady.formats import R32_UINT
from compushady.shaders import hlsl

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
COUNT, GROUP = 16384, 64
COLLATZ = """
RWBuffer<uint> v : register(u0);
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    uint n = v[id.x], i = 0;
    while (n > 1) { if (n % 2 == 0) n = n / 2; else n = 3 * n + 1; i++; }
    v[id.x] = i;
}
"""
SUMS = """
Buffer<uint> v : register(t0);
RWBuffer<uint> sums : register(u0);
groupshared uint part[64];
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID, uint at : SV_GroupIndex, uint3 group : SV_GroupID)
{
    part[at] = v[id.x];
    GroupMemoryBarrierWithGroupSync();
    for (uint half = 32; half > 0; half /= 2) {
        if (at < half) part[at] += part[at + half];
        GroupMemoryBarrierWithGroupSync();
    }
    if (at == 0) sums[group.x] = part[0];
}
"""


def buffer(count):
    return compushady.Buffer(4 * count, format=R32_UINT)


def read(source, count):
    back = compushady.Buffer(4 * count, compushady.HEAP_READBACK)
    source.copy_to(back)
    return np.frombuffer(back.readback(), np.uint32)


def lengths_of(n):
    steps = 0
    while n > 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return steps


assert DEVICE in compushady.get_current_device().name, compushady.get_current_device().name
values, sums = buffer(COUNT), buffer(COUNT // GROUP)
upload = compushady.Buffer(4 * COUNT, compushady.HEAP_UPLOAD)
upload.upload(np.arange(1, COUNT + 1, dtype=np.uint32).tobytes())
upload.copy_to(values)
compushady.Compute(hlsl.compile(COLLATZ), uav=[values]).dispatch(COUNT // GROUP, 1, 1)
compushady.Compute(hlsl.compile(SUMS), srv=[values], uav=[sums]).dispatch(COUNT // GROUP, 1, 1)
lengths = np.array([lengths_of(n) for n in range(1, COUNT + 1)], np.uint32)
assert (read(values, COUNT) == lengths).all(), "lengths"
assert (read(sums, COUNT // GROUP) == lengths.reshape(-1, GROUP).sum(1)).all(), "sums"
print(f"{COUNT} lengths and {COUNT // GROUP} sums on {loaded.driver()}")

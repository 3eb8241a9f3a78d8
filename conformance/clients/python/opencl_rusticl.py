"""OpenCL through Mesa's rusticl on zink: sums, reductions in workgroup memory, counts by atomics, square roots, and an
image that is sampled and written. Where Mesa has no rusticl, the last line begins with `skipped`."""

import os
import sys

import numpy as np
import pyopencl as cl

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
SOURCE = """
kernel void add(global const float *a, global const float *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
kernel void reduce(global const int *a, global int *sums, local int *part) {
    size_t l = get_local_id(0);
    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step) part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = part[0];
}
kernel void count(global const int *a, global int *counts) {
    atomic_inc(&counts[a[get_global_id(0)] & 15]);
}
kernel void root(global float4 *a) {
    a[get_global_id(0)] = sqrt(a[get_global_id(0)]);
}
kernel void turn(read_only image2d_t from, write_only image2d_t to) {
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at.yx, read_imagef(from, nearest, at).wzyx);
}
"""

try:
    platforms = [p for p in cl.get_platforms() if "rusticl" in p.name.lower()]
    devices = [d for p in platforms for d in p.get_devices()]
except cl.Error:
    devices = []
if not devices:
    print("skipped: no rusticl on zink")
    sys.exit()
device = devices[0]
assert "zink" in device.name and DEVICE in device.name, device.name
context = cl.Context([device])
queue = cl.CommandQueue(context)
built = cl.Program(context, SOURCE).build()
flags, random, n = cl.mem_flags, np.random.default_rng(5), 4096


def copied(array):
    return cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)


def back(buffer, like):
    out = np.empty_like(like)
    cl.enqueue_copy(queue, out, buffer)
    return out


a, b = random.random(n, np.float32), random.random(n, np.float32)
c = copied(np.zeros_like(a))
built.add(queue, (n,), (64,), copied(a), copied(b), c)
assert np.array_equal(back(c, a), a + b)
words = random.integers(0, 1000, n, np.int32)
sums = copied(np.zeros(n // 64, np.int32))
built.reduce(queue, (n,), (64,), copied(words), sums, cl.LocalMemory(256))
want = words.reshape(-1, 64).sum(1, dtype=np.int32)
assert np.array_equal(back(sums, want), want)
counts = copied(np.zeros(16, np.int32))
built.count(queue, (n,), None, copied(words), counts)
want = np.bincount(words & 15, minlength=16).astype(np.int32)
assert np.array_equal(back(counts, want), want)
roots = copied(a)
built.root(queue, (n // 4,), None, roots)
# OpenCL permits 3 units in the last place.
assert np.allclose(back(roots, a), np.sqrt(a), rtol=4e-7, atol=0)
pixels = random.integers(0, 256, (16, 8, 4), np.uint8)
form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
source = cl.create_image(context, flags.READ_ONLY | flags.COPY_HOST_PTR, form, shape=(8, 16), hostbuf=pixels)
turned = cl.create_image(context, flags.WRITE_ONLY, form, shape=(16, 8))
built.turn(queue, (8, 16), None, source, turned)
got = np.empty((8, 16, 4), np.uint8)
cl.enqueue_copy(queue, got, turned, origin=(0, 0), region=(16, 8))
assert np.array_equal(got, pixels.transpose(1, 0, 2)[:, :, ::-1])
print("rusticl: sums, 64 reductions, counts, roots and an image right")

"""slangpy (slang-rhi): Slang kernels that compute exact scaled sums, and draw a disc by its signed distance."""

import os
import tempfile

import numpy as np
import slangpy as spy

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
KERNELS = """
float scaled_sum(float a, float b, float s) { return a + b * s; }

float3 disc(int2 at)
{
    float d = length(float2(at) + 0.5 - float2(100, 90)) - 50;
    return d < 0 ? float3(1, 0, 0) : float3(0, 0, saturate(d / 100));
}
"""
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "kernels.slang"), "w") as f:
        f.write(KERNELS)
    device = spy.create_device(type=spy.DeviceType.vulkan, include_paths=[folder])
    assert DEVICE in device.info.adapter_name, device.info.adapter_name
    module = spy.Module.load_from_file(device, "kernels.slang")
    n = 100_000
    # The inputs are whole numbers, so the sum is exact, fused or not.
    a, b = (np.random.default_rng(seed).integers(-1000, 1000, n).astype(np.float32) for seed in (1, 2))
    got = module.scaled_sum(a, b, 3.0, _result="numpy")
    assert np.array_equal(got, a + 3 * b), np.flatnonzero(got != a + 3 * b)[:10]
    size = 256
    at = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1).astype(np.int32)
    picture = spy.Tensor.empty(device, (size, size), dtype=module.float3)
    module.disc(spy.grid((size, size)), _result=picture)
    got = picture.to_numpy().reshape(size, size, 3)
distance = np.hypot(at[..., 0] + 0.5 - 100, at[..., 1] + 0.5 - 90) - 50
assert np.abs(distance).min() > 1e-4
outside = np.stack([0 * distance, 0 * distance, np.clip(distance / 100, 0, 1)], -1)
want = np.where((distance < 0)[..., None], [1, 0, 0], outside)
off = np.abs(got - want).max()
assert off < 1e-6, off
print(f"{device.info.adapter_name}: {n} sums, {size * size} pixels right")

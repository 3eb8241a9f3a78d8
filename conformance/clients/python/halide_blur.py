"""Halide: a blur of whole numbers in tiles of workgroup memory, compiled for Vulkan, against numpy to the bit."""

import halide as hl
import loaded
import numpy as np

SIZE = 256
features = hl.TargetFeature
target = hl.get_jit_target_from_environment()
for feature in (features.Vulkan, features.VulkanInt64, features.VulkanV13):
    target = target.with_feature(feature)
data = np.random.default_rng(3).integers(0, 65536, (SIZE, SIZE)).astype(np.int32)
x, y, outer_x, outer_y, inner_x, inner_y = (hl.Var(name) for name in ("x", "y", "xo", "yo", "xi", "yi"))
across, blur = hl.Func("across"), hl.Func("blur")
clamped = hl.BoundaryConditions.repeat_edge(hl.Buffer(data))
across[x, y] = clamped[x - 1, y] + clamped[x, y] + clamped[x + 1, y]
blur[x, y] = (across[x, y - 1] + across[x, y] + across[x, y + 1]) / 9
blur.gpu_tile(x, y, outer_x, outer_y, inner_x, inner_y, 16, 16)
across.compute_at(blur, outer_x).gpu_threads(x, y)
result = blur.realize([SIZE, SIZE], target)
result.copy_to_host()
padded = np.pad(data, 1, mode="edge")
want = sum(padded[i : i + SIZE, j : j + SIZE] for i in range(3) for j in range(3)) // 9
got = np.array(result)
assert np.array_equal(got, want), (got != want).sum()
print(f"Halide on {loaded.driver()}: {SIZE * SIZE} pixels right")

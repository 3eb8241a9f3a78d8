"""taichi on Vulkan: the mass of particles must not change when it is spread to a grid, and the grid must match the
host's."""

import numpy as np
import taichi as ti

ti.init(arch=ti.vulkan, offline_cache=False, log_level=ti.WARN)
assert ti.cfg.arch == ti.vulkan, "another back end"
n, cells = 20000, 64
at = ti.Vector.field(2, ti.f32, n)
grid = ti.field(ti.i32, (cells, cells))
host = np.random.default_rng(7).random((n, 2), np.float32)
at.from_numpy(host)


@ti.kernel
def spread():
    for i in at:
        c = ti.cast(at[i] * cells, ti.i32)
        ti.atomic_add(grid[c[0], c[1]], 1)


@ti.kernel
def blur(a: ti.types.ndarray(ti.i32, 2), b: ti.types.ndarray(ti.i32, 2)):
    for i, j in a:
        s = 0
        for di, dj in ti.static(ti.ndrange((-1, 2), (-1, 2))):
            s += a[(i + di + cells) % cells, (j + dj + cells) % cells]
        b[i, j] = s


spread()
want = np.zeros((cells, cells), np.int64)
c = (host * np.float32(cells)).astype(int)
np.add.at(want, (c[:, 0], c[:, 1]), 1)
got = grid.to_numpy()
assert got.sum() == n and np.array_equal(got, want)
a, b = ti.ndarray(ti.i32, (cells, cells)), ti.ndarray(ti.i32, (cells, cells))
a.from_numpy(got)
blur(a, b)
want = sum(np.roll(want, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
assert np.array_equal(b.to_numpy(), want)
print("taichi: 20000 particles, two grids right")

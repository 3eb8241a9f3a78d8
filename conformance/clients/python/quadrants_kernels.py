"""Quadrants, the compiler of Genesis: a scatter by atomics, a stencil and a reduction against numpy."""

import loaded
import numpy as np
import quadrants as qd

qd.init(arch=qd.vulkan)
assert qd.lang.impl.current_cfg().arch == qd.vulkan, "another back end"
COUNT, SIDE = 50_000, 64
numbers = np.random.default_rng(5)
places = numbers.integers(0, SIDE, (COUNT, 2)).astype(np.int32)
weights = numbers.integers(1, 10, COUNT).astype(np.int32)

at = qd.field(qd.i32, (COUNT, 2))
weight = qd.field(qd.i32, COUNT)
counts = qd.field(qd.i32, (SIDE, SIDE))
smooth = qd.field(qd.f32, (SIDE, SIDE))
total = qd.field(qd.f32, ())


@qd.kernel
def scatter():
    for i in weight:
        qd.atomic_add(counts[at[i, 0], at[i, 1]], weight[i])


@qd.kernel
def stencil():
    for i, j in smooth:
        s = 0.0
        for di, dj in qd.static(qd.ndrange((-1, 2), (-1, 2))):
            s += float(counts[(i + di + SIDE) % SIDE, (j + dj + SIDE) % SIDE])
        smooth[i, j] = qd.sqrt(s)


@qd.kernel
def reduce():
    for i, j in smooth:
        total[None] += smooth[i, j]


at.from_numpy(places)
weight.from_numpy(weights)
scatter()
stencil()
reduce()
want = np.zeros((SIDE, SIDE), np.int32)
np.add.at(want, (places[:, 0], places[:, 1]), weights)
assert (counts.to_numpy() == want).all(), "counts"
sums = sum(np.roll(want, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
roots = np.sqrt(sums.astype(np.float32))
off = np.abs(smooth.to_numpy() - roots).max()
assert off <= 1e-4, f"roots differ by {off}"
# A sum of floats in any order.
assert abs(total[None] / roots.sum(dtype=np.float64) - 1) < 1e-5, (total[None], roots.sum())
print(f"{COUNT} weights in {SIDE * SIDE} cells on {loaded.driver()}")

"""numba-vulkan, whose shaders come from LLVM's back end for SPIR-V: Collatz lengths, a product of matrices in tiles of
workgroup memory, and counts by atomics against numpy."""

import loaded
import numba_vulkan as nv
import numpy as np

COUNT, SIDE, TILE = 16384, 64, 16


@nv.jit
def collatz(lengths):
    i = nv.global_id(0)
    if i < lengths.size:
        n = i + 1
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        lengths[i] = steps


@nv.jit
def histogram(values, bins):
    i = nv.global_id(0)
    if i < values.size:
        nv.atomic.add(bins, values[i], 1)


@nv.jit
def product(a, b, c):
    x, y = nv.local_id(0), nv.local_id(1)
    column, row = nv.global_id(0), nv.global_id(1)
    left = nv.shared.array((TILE, TILE), np.float32)
    right = nv.shared.array((TILE, TILE), np.float32)
    s = np.float32(0)
    for step in range(SIDE // TILE):
        left[y, x] = a[row, step * TILE + x]
        right[y, x] = b[step * TILE + y, column]
        nv.barrier()
        for k in range(TILE):
            s += left[y, k] * right[k, x]
        nv.barrier()
    c[row, column] = s


@nv.jit
def waves(xs, ys):
    i = nv.global_id(0)
    if i < xs.size:
        ys[i] = np.sqrt(np.abs(xs[i])) * 2 + xs[i] * xs[i]


def lengths_of(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


lengths = np.zeros(COUNT, np.int32)
collatz.forall(COUNT)(lengths)
assert lengths.tolist() == [lengths_of(n) for n in range(1, COUNT + 1)], "lengths"

numbers = np.random.default_rng(3)
values = numbers.integers(0, 50, COUNT).astype(np.int32)
bins = np.zeros(50, np.int32)
histogram.forall(COUNT)(values, bins)
assert (bins == np.bincount(values, minlength=50)).all(), "counts"

a, b = numbers.standard_normal((2, SIDE, SIDE)).astype(np.float32)
c = np.zeros((SIDE, SIDE), np.float32)
product[(SIDE // TILE, SIDE // TILE), (TILE, TILE)](a, b, c)
off = np.abs(c - a.astype(float) @ b).max()
assert off < 1e-4, f"the product differs by {off}"

xs = numbers.standard_normal(COUNT).astype(np.float32)
ys = np.zeros(COUNT, np.float32)
waves.forall(COUNT)(xs, ys)
off = np.abs(ys - (2 * np.sqrt(np.abs(xs)) + xs * xs)).max()
assert off < 1e-5, f"roots differ by {off}"
print(f"{COUNT} lengths, counts and roots, a product of {SIDE}x{SIDE} on {loaded.driver()}")

"""VapourSynth: filters on Vulkan against filters of the same name for the CPU, and against numpy."""

import os
import sys

import numpy as np
import vapoursynth as vs

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
HEIGHT, WIDTH = 128, 160
core = vs.core
try:
    name = core.vulkan_device_info["name"]
except vs.Error as e:
    # Its device needs version 1.4 of the loader too.
    print(f"skipped: {e}")
    sys.exit()
assert DEVICE in name, name
y, x = np.mgrid[:HEIGHT, :WIDTH]
noise = np.random.default_rng(3).standard_normal((HEIGHT, WIDTH))
picture = (0.5 + 0.3 * np.sin(x / 9) * np.cos(y / 7) + 0.05 * noise).astype(np.float32)
blank = core.std.BlankClip(format=vs.GRAYS, width=WIDTH, height=HEIGHT, length=3)


def filled(n, f):
    f = f.copy()
    np.asarray(f[0])[:] = np.roll(picture, n, 1)
    return f


def frame(clip):
    return np.array(clip.get_frame(1)[0])


def means(frame, h):
    """Non-local means: a window of 5 by 5 pixels, compared by squares of 3 by 3, weights of Welsch."""
    p = np.pad(frame.astype(np.float64), 3, mode="edge")
    around = np.pad(frame.astype(np.float64), 2, mode="edge")
    total, weights, largest = np.zeros(frame.shape), np.zeros(frame.shape), np.full(frame.shape, 0.0)
    here = p[2 : 2 + HEIGHT + 2, 2 : 2 + WIDTH + 2]
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            if (dy, dx) == (0, 0):
                continue
            there = p[2 + dy : 4 + dy + HEIGHT, 2 + dx : 4 + dx + WIDTH]
            squares = np.lib.stride_tricks.sliding_window_view((here - there) ** 2, (3, 3)).sum((2, 3))
            w = np.exp(-squares / 9 * 3 * (255 / h) ** 2 / 3)
            total += w * around[2 + dy : 2 + dy + HEIGHT, 2 + dx : 2 + dx + WIDTH]
            weights, largest = weights + w, np.maximum(largest, w)
    return (total + largest * frame) / (weights + largest)


clip = core.std.ModifyFrame(blank, blank, filled)
off = np.abs(frame(clip.nnedi3vk.NNEDI3(1, dh=1)) - frame(clip.znedi3.nnedi3(1, dh=1)))
assert off.max() < 1e-5, off.max()
# Where two edges are equally good, rounding decides which one EEDI3 follows.
off = np.abs(frame(clip.eedi3vk2.EEDI3(1, dh=1)) - frame(clip.eedi3m.EEDI3(1, dh=1)))
assert (off > 1e-4).mean() < 0.01, (off > 1e-4).mean()
h = 12.0
got = frame(clip.std.GPUUpload().knlmvk.KNLMeans(d=0, a=2, s=1, h=h).std.GPUDownload())
want = means(frame(clip), h)
off = np.abs(got - want)
inner = off[4:-4, 4:-4]
assert np.abs(got - frame(clip)).mean() > 0.01 and inner.max() < 1e-4, (inner.max(), inner.mean())
print(f"{name}: nnedi3, eedi3 and non-local means right")

"""Compares ffmpeg's Vulkan filters and libplacebo with ffmpeg's software filters and with numpy.

Several of ffmpeg 5.1's filters (hflip, vflip, flip, transpose, chromaber, avgblur, gblur) filter linearly at whole,
unnormalized coordinates, that is at the corner between texels, so the result is the mean of four texels. `between`
computes the same mean: the driver must match it, although the filter intends something else. Drivers may round
differently, so values may differ by one.
"""

import os
import subprocess

import numpy as np

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
W, H, FRAMES = 320, 256, 3
PICTURES = ["-f", "lavfi", "-i", f"testsrc2=size={W}x{H}:rate=5:duration=1"]
MORE_PICTURES = ["-f", "lavfi", "-i", f"mandelbrot=size={W}x{H}:rate=5"]


def ffmpeg(graph, *inputs, vulkan=True):
    """Returns all output frames of a filter graph, as bytes."""
    device = ["-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk"] if vulkan else []
    out = ["-frames:v", str(FRAMES), "-f", "rawvideo", "-"]
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "verbose" if vulkan else "error", *device]
    done = subprocess.run([*command, *(inputs or PICTURES), "-filter_complex", graph, *out], capture_output=True)
    messages = done.stderr.decode(errors="replace")
    assert done.returncode == 0 and len(done.stdout) > 0, f"{graph}: {messages[-600:]}"
    assert not vulkan or any("Using device: " in line and DEVICE in line for line in messages.splitlines()), (
        "another device"
    )
    return np.frombuffer(done.stdout, np.uint8)


def planes(frames, width=W, height=H):
    """Splits 4:2:0 frames into the planes Y, U and V."""
    frames = frames.reshape(FRAMES, -1)
    luma, chroma = width * height, width * height // 4
    assert frames.shape[1] == luma + 2 * chroma, frames.shape
    u, v = frames[:, luma : luma + chroma], frames[:, luma + chroma :]
    half = (FRAMES, height // 2, width // 2)
    return [frames[:, :luma].reshape(FRAMES, height, width), u.reshape(half), v.reshape(half)]


def between(plane, rows, columns):
    """Filters linearly at the whole coordinates `rows` by `columns`, clamped to the edge."""
    plane = plane.astype(float)
    for axis, at in ((1, rows), (2, columns)):
        last = plane.shape[axis] - 1
        plane = (plane.take(np.clip(at - 1, 0, last), axis) + plane.take(np.clip(at, 0, last), axis)) / 2
    return plane


def blurred(plane, weights):
    """Blurs along rows, rounds to bytes, then blurs along columns, like the two passes of avgblur and gblur."""
    y, x = (np.arange(n) for n in plane.shape[1:])
    reach = len(weights) // 2
    plane = sum(w * between(plane, y, x + i - reach) for i, w in enumerate(weights)).round()
    return sum(w * between(plane, y + i - reach, x) for i, w in enumerate(weights))


checks = []


def check(name, got, want, tolerance=1):
    for g, w in zip(got, want, strict=True):
        assert g.shape == w.shape, (name, g.shape, w.shape)
        # Ignore the border, where the filters differ on purpose or read out of bounds.
        off = np.abs(g.astype(float) - w)[:, 8:-8, 8:-8]
        assert off.max() <= tolerance, f"{name}: off by {off.max()}, {(off > tolerance).mean():.2%} of bytes"
        assert w.std() > 5, f"{name}: nothing to see"
    checks.append(name)


def on_vulkan(filters, form="yuv420p"):
    return ffmpeg(f"format={form},hwupload,{filters},hwdownload,format={form}")


def in_software(filters, form="yuv420p"):
    return ffmpeg(f"format={form},{filters}", vulkan=False)


def two(filters, where):
    """Returns the planes that a filter with two inputs produces; `where` is a filter chain for the second input."""
    up, down = (",hwupload", ",hwdownload,format=yuv420p") if "vulkan" in filters else ("", "")
    graph = f"[1]{where}format=yuv420p{up}[b];[0]format=yuv420p{up}[a];[a][b]{filters}{down}"
    return planes(ffmpeg(graph, *PICTURES, *MORE_PICTURES, vulkan="vulkan" in filters))


source = planes(in_software("null"))
# Upload and download must preserve the border, too.
assert np.array_equal(ffmpeg("format=yuv420p,hwupload,hwdownload,format=yuv420p"), in_software("null"))
checks.append("upload and download")
flips = {"hflip": (False, True), "vflip": (True, False), "flip": (True, True)}
for name, (down, across) in flips.items():
    want = []
    for p in source:
        y, x = (np.arange(n) for n in p.shape[1:])
        want.append(between(p, len(y) - y if down else y, len(x) - x if across else x))
    check(name, planes(on_vulkan(f"{name}_vulkan")), want)
soft = [between(p, *(np.arange(n) for n in p.shape[1:])) for p in source]
check("transpose", planes(on_vulkan("transpose_vulkan=dir=0"), H, W), [p.transpose(0, 2, 1) for p in soft])
check("chromaber", planes(on_vulkan("chromaber_vulkan=dist_x=0:dist_y=0"))[:1], soft[:1])
# The planes share workgroup memory without a barrier between the reads of one plane and the writes of the next, so the
# first two planes depend on the number of concurrent invocations. Only V, the last plane, is checked.
check("avgblur", planes(on_vulkan("avgblur_vulkan=sizeX=3:sizeY=3"))[2:], [blurred(source[2], np.full(5, 1 / 5))], 2)
weights = np.exp(-(np.arange(-9, 10) ** 2) / (2 * 1.5**2))
want = [blurred(p, weights / weights.sum()) for p in source]
check("gblur", planes(on_vulkan("gblur_vulkan=sigma=1.5:size=19")), want, 3)
for name, width, ours, theirs in (
    ("scale up", 2 * W, "nearest", "neighbor"),
    ("scale down", W // 2, "bilinear", "area"),
):
    height = width * H // W
    got = on_vulkan(f"scale_vulkan=w={width}:h={height}:scaler={ours}")
    want = in_software(f"scale={width}:{height}:flags={theirs}")
    check(name, planes(got, width, height), planes(want, width, height))
at = "x=40:y=60"
check("overlay", two(f"overlay_vulkan={at}", "scale=100:80,"), two(f"overlay={at}", "scale=100:80,"), 0)
other = planes(ffmpeg("format=yuv420p", *MORE_PICTURES, vulkan=False))
for mode in ("normal", "multiply"):
    want = []
    for a, b in zip(source, other):
        # `a` is the top layer, at full opacity.
        y, x = (np.arange(n) for n in a.shape[1:])
        a, b = between(a, y, x), between(b, y, x)
        want.append(a if mode == "normal" else a * b / 255)
    check(f"blend {mode}", two(f"blend_vulkan=all_mode={mode}:all_opacity=1", ""), want, 2)
same = "libplacebo=dithering=-1:format"
check("libplacebo", planes(on_vulkan(f"{same}=yuv420p:upscaler=nearest:downscaler=nearest")), source)
graph = f"format=yuv444p,hwupload,{same}=bgra:colorspace=gbr:range=pc,hwdownload,format=bgra,format=rgb24"
got = ffmpeg(graph)
want = ffmpeg("format=yuv444p,scale=flags=accurate_rnd+full_chroma_int,format=rgb24", vulkan=False)
check("libplacebo to RGB", *([p.reshape(FRAMES, H, 3 * W)] for p in (got, want)))
print(f"{len(checks)} filters right: {', '.join(checks)}")

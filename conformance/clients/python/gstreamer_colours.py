"""GStreamer: converts test patterns by elements of Vulkan, and compares frames with its CPU elements and BT.601."""

import os
import re
import subprocess

import numpy as np

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
WIDTH, HEIGHT, FRAMES = 320, 240, 3
ENVIRONMENT = {**os.environ, "GST_DEBUG": "vulkandevice:4", "GST_DEBUG_NO_COLOR": "1"}


def frames(kind, pattern, *elements):
    """Returns the bytes of each frame of a pattern, which passes the elements."""
    source = ["videotestsrc", f"num-buffers={FRAMES}", f"pattern={pattern}"]
    caps = f"video/x-raw,format={kind},width={WIDTH},height={HEIGHT}"
    stages = [source, [caps], *([element] for element in elements), ["filesink", "location=gstreamer.raw"]]
    command = ["gst-launch-1.0", "-q", *" ! ".join(" ".join(stage) for stage in stages).split()]
    said = subprocess.run(command, env=ENVIRONMENT, check=True, stderr=subprocess.PIPE, text=True).stderr
    if "vulkanupload" in elements:
        names = re.findall(r"physical device 0 name '([^']*)'", said)
        assert names and all(DEVICE in name for name in names), names
    return np.fromfile("gstreamer.raw", np.uint8).reshape(FRAMES, -1).astype(float)


def by_vulkan(kind, pattern, target):
    return frames(
        kind,
        pattern,
        "vulkanupload",
        "vulkancolorconvert",
        f"video/x-raw(memory:VulkanImage),format={target}",
        "vulkandownload",
    )


for target in ("BGRA", "ARGB", "xBGR"):
    got = by_vulkan("RGBA", "ball", target)
    want = frames("RGBA", "ball", "videoconvert", f"video/x-raw,format={target}")
    assert want.std() > 10 and np.array_equal(got, want), f"{target}: {(got != want).sum()} bytes"
got = by_vulkan("NV12", "smpte", "RGBA").reshape(FRAMES, HEIGHT, WIDTH, 4)
planes = frames("NV12", "smpte")
luma = planes[:, : WIDTH * HEIGHT].reshape(FRAMES, HEIGHT, WIDTH)
chroma = planes[:, WIDTH * HEIGHT :].reshape(FRAMES, HEIGHT // 2, WIDTH // 2, 2).repeat(2, 1).repeat(2, 2) - 128
y, blue, red = 255 / 219 * (luma - 16), 255 / 224 * chroma[..., 0], 255 / 224 * chroma[..., 1]
want = np.stack([y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue], -1).clip(0, 255)
# Chroma is filtered across the edges of the bars, and the pattern has a corner of noise.
off = np.abs(got[..., :3] - want).max(-1)[:, :150]
assert (off > 2).mean() < 0.06, (off > 2).mean()
print(f"GStreamer on {DEVICE}: {FRAMES} frames in four conversions")

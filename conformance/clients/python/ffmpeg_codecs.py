"""Compares the Vulkan codecs of ffmpeg 8 and newer, and libplacebo on frames of 10 to 16 bits, with software.

ffv1 is lossless in both directions. libplacebo uploads the planes of software frames itself, and must keep all bits of
grey frames; frames with halved chroma are scaled, and need a minimum PSNR. Only the standard library is used.
"""

import os
import re
import subprocess
import sys

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
WORK = sys.argv[1]
PICTURES = ["-f", "lavfi", "-i", "testsrc2=size=320x256:rate=5:duration=1"]
ON_VULKAN = ["-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk"]
checks = []


def ffmpeg(*arguments, vulkan=True):
    """Runs ffmpeg and returns its output and its messages."""
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-y", "-loglevel", "verbose", *(ON_VULKAN if vulkan else [])]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stderr[-600:]}"
    used = any(DEVICE in line for line in done.stderr.splitlines() if "elected" in line or "sing device" in line)
    assert used or not vulkan, "another device"
    return done.stdout, done.stderr


def sums(*arguments, vulkan=False):
    """Returns the checksums of three frames."""
    said, _ = ffmpeg(*arguments, "-frames:v", "3", "-f", "framemd5", "-", vulkan=vulkan)
    found = [line.split()[-1] for line in said.splitlines() if not line.startswith("#")]
    assert len(set(found)) == 3, found
    return found


def codecs():
    path, form = os.path.join(WORK, "ffv1.mkv"), ["-pix_fmt", "yuv444p"]
    want = sums(*PICTURES, *form)
    ffmpeg(*PICTURES, "-frames:v", "3", "-vf", "format=yuv444p,hwupload", "-c:v", "ffv1_vulkan", path)
    assert sums("-i", path, *form) == want, "ffv1_vulkan encodes other frames"
    checks.append("ffv1 encoder")
    ffmpeg(*PICTURES, "-frames:v", "3", *form, "-c:v", "ffv1", "-level", "3", "-g", "1", path, vulkan=False)
    decoder = ["-hwaccel", "vulkan", "-hwaccel_device", "vk", "-hwaccel_output_format", "vulkan"]
    got = sums(*decoder, "-i", path, "-vf", "hwdownload,format=yuv444p", vulkan=True)
    assert got == want, "the decoder returns other frames"
    checks.append("ffv1 decoder")
    path = os.path.join(WORK, "prores.mov")
    ffmpeg(*PICTURES, "-frames:v", "3", "-pix_fmt", "yuv422p10le", "-c:v", "prores_ks", path, vulkan=False)
    # The transforms of both decoders round differently.
    graph = "[0]hwdownload,format=yuv422p10le[a];[a][1]psnr"
    compare("prores decoder", 60, *decoder, "-i", path, "-i", path, "-filter_complex", graph)


def compare(name, least, *arguments):
    """Runs a graph that ends in the filter `psnr`, and checks the result, in decibels."""
    _, said = ffmpeg(*arguments, "-frames:v", "3", "-f", "null", "-")
    psnr = float(re.findall(r"PSNR .*average:(\S+)", said)[-1])
    assert psnr >= least, f"{name}: {psnr} dB"
    checks.append(f"{name} {psnr:.1f} dB")


def planes():
    same = "dithering=-1:upscaler=none:downscaler=none"
    # Halved chroma is scaled up and down again. With the upper 10 bits alone, the figures are 29, 64, 72, 31 and 44 dB.
    for form, least in [("gray10le", 100), ("gray16le", 100), ("yuv444p16le", 80), ("yuv420p10le", 42), ("p010le", 42)]:
        graph = f"format={form},split[a][b];[a]libplacebo=format={form}:{same}[c];[c][b]psnr"
        compare(form, least, *PICTURES, "-filter_complex", graph)


codecs()
planes()
print(f"{len(checks)} right: {', '.join(checks)}")

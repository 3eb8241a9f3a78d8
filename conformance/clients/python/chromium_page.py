"""Chromium with ANGLE and Dawn on the driver: checks the results and pixels of a WebGL or WebGPU page.

WebGL runs headless. WebGPU runs in a window on the display, because only a compositor on Vulkan uses drivers of the
system for it. Dawn prefers SwiftShader to other drivers of type CPU, so Chromium starts from a folder without it."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

import served
from PIL import Image

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import window_dump

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
INSTALLED = "/usr/lib/chromium"
TEST, PAGE, PICTURE = sys.argv[1:4]
address, seen, done = served.serve(PAGE)


def options(folder):
    graphics = ["--use-gl=angle", "--use-angle=vulkan", "--enable-features=Vulkan", "--ignore-gpu-blocklist"]
    graphics += ["--enable-unsafe-webgpu", "--enable-webgpu-developer-features"]
    return ["--no-sandbox", f"--user-data-dir={folder}/profile", "--window-size=600,400", "--test-type", *graphics]


def headless(folder, url):
    """Takes a screenshot of the page in headless mode, and returns its rows."""
    command = ["chromium", "--headless", *options(folder), f"--screenshot={PICTURE}", url]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert seen, f"the page said nothing: {ended.stderr[-800:]}"
    picture = Image.open(PICTURE).convert("RGB")
    data = list(picture.getdata())
    return [data[i : i + picture.width] for i in range(0, len(data), picture.width)]


def without_swiftshader(folder):
    """Copies the program to a folder with links to all its files except SwiftShader, and returns its path."""
    os.mkdir(folder)
    for name in os.listdir(INSTALLED):
        if "swiftshader" not in name:
            # Chromium looks for its files in the folder of the program.
            make = shutil.copy if name == "chromium" else os.symlink
            make(os.path.join(INSTALLED, name), os.path.join(folder, name))
    return os.path.join(folder, "chromium")


@contextlib.contextmanager
def window(folder, url):
    """Shows the page in a window, and yields after the page has reported its results."""
    command = [without_swiftshader(os.path.join(folder, "program")), *options(folder)]
    command += ["--ozone-platform=x11", "--window-position=0,0", f"--app={url}"]
    log = os.path.join(folder, "log")
    with open(log, "w") as said:
        child = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        assert done.wait(240), f"the page said nothing: {open(log, errors='replace').read()[-800:]}"
        yield
    finally:
        child.terminate()
        child.wait()


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    if TEST == "webgl":
        picture = headless(folder, address)
    with contextlib.ExitStack() as until:
        if TEST == "webgpu":
            until.enter_context(window(folder, address))
        answer = seen[TEST]
        assert "error" not in answer, answer["error"]
        assert DEVICE.lower() in answer["on"].lower(), f"on another device: {answer['on']}"
        if TEST == "webgl":
            served.compare(TEST, picture)
        else:
            served.shown(TEST, lambda: window_dump(os.environ["DISPLAY"]))
print(f"{TEST} on {answer['on'].strip()}: what is read back and every pixel on the screen are right")

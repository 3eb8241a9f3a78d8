"""Chromium with ANGLE and Dawn on the driver: checks the results and pixels of a WebGL or WebGPU page.

WebGL runs headless. WebGPU runs in a window on the display, because only a compositor on Vulkan uses drivers of the
system for it. Dawn prefers SwiftShader to other drivers of type CPU, so Chromium starts from a folder without it."""

import contextlib
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from PIL import Image

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import window_dump

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
INSTALLED = "/usr/lib/chromium"
TEST, PAGE, PICTURE = sys.argv[1:4]
SIZE, WHITE = 256, (255, 255, 255)
# Centres of the red discs, and the colours around them; the canvases are side by side.
DISCS = {"webgl": ((100, 120), (0, 255, 0)), "webgpu": ((150, 90), (0, 0, 255))}
seen, done = {}, threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body, kind = b"", "text/html"
        if self.path == "/":
            body = open(PAGE, "rb").read()
        elif self.path == "/discs.mjs":
            body, kind = open(os.path.join(os.path.dirname(PAGE), "discs.mjs"), "rb").read(), "text/javascript"
        elif self.path == "/wait":
            done.wait(120)
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        seen.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()
        done.set()

    def log_message(self, *_):
        pass


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


def compare(rows):
    """Checks every pixel of the canvas, wherever the window is, and a pixel of the page around it."""
    around = DISCS[TEST][1]
    top = next((y for y, row in enumerate(rows) if around in row), None)
    assert top is not None, "nothing on the screen"
    left = rows[top].index(around) - SIZE * list(DISCS).index(TEST)
    (x0, y0), at = DISCS[TEST][0], SIZE * list(DISCS).index(TEST) + left
    for y in range(SIZE):
        for x in range(SIZE):
            inside = (x + 0.5 - x0) ** 2 + (y + 0.5 - y0) ** 2 < 4000
            got, want = rows[top + y][at + x], (255, 0, 0) if inside else around
            assert got == want, f"the screen at {x}, {y} of the canvas: {got}"
    assert rows[top + SIZE + 20][left + 20] == WHITE, "the page around"


def shown(rows_of_screen):
    """Checks the screen until it is correct, for up to 20 seconds, because the page may appear late."""
    for last in [False] * 40 + [True]:
        try:
            return compare(rows_of_screen())
        except AssertionError:
            if last:
                raise
        time.sleep(0.5)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
page = f"http://127.0.0.1:{server.server_port}/"
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    if TEST == "webgl":
        picture = headless(folder, page)
    with contextlib.ExitStack() as until:
        if TEST == "webgpu":
            until.enter_context(window(folder, page))
        answer = seen[TEST]
        assert "error" not in answer, answer["error"]
        assert DEVICE.lower() in answer["on"].lower(), f"on another device: {answer['on']}"
        if TEST == "webgl":
            compare(picture)
        else:
            shown(lambda: window_dump(os.environ["DISPLAY"]))
print(f"{TEST} on {answer['on'].strip()}: what is read back and every pixel on the screen are right")

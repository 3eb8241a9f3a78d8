"""Headless Chromium, its graphics by ANGLE and Dawn on the driver: what the page says of WebGL and WebGPU, and the
screenshot."""
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
from PIL import Image

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
TEST, PAGE, PICTURE = sys.argv[1:4]
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


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as profile:
    graphics = ["--use-gl=angle", "--use-angle=vulkan", "--enable-features=Vulkan", "--ignore-gpu-blocklist"]
    graphics += ["--enable-unsafe-webgpu", "--enable-webgpu-developer-features"]
    command = ["chromium", "--headless", "--no-sandbox", f"--user-data-dir={profile}", *graphics]
    command += [f"--screenshot={PICTURE}", "--window-size=600,400", f"http://127.0.0.1:{server.server_port}/"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=240)
assert seen, f"the page said nothing: {ended.stderr[-800:]}"
answer = seen[TEST]
assert "error" not in answer, answer["error"]
if TEST == "webgpu" and DEVICE not in answer["on"] and "SwiftShader" in answer["on"]:
    # It takes a driver of the system only for a compositor on Vulkan, which it does not start without a display card.
    print("skipped Chromium takes the SwiftShader that it brings along")
    sys.exit()
assert DEVICE.lower() in answer["on"].lower(), f"on another device: {answer['on']}"
# Where a disc and what is around it are on the page.
places = {"webgl": {(100, 120): (255, 0, 0), (20, 20): (0, 255, 0)}, "webgpu": {(406, 90): (255, 0, 0), (276, 20): (0, 0, 255)}}
picture = Image.open(PICTURE).convert("RGB")
for at, want in [*places[TEST].items(), ((550, 300), (255, 255, 255))]:
    assert picture.getpixel(at) == want, f"the screenshot at {at}: {picture.getpixel(at)}"
print(f"{TEST} on {answer['on']}: what is read back and the screenshot are right")

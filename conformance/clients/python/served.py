"""The page of two discs for clients that are browsers: its server, and the check of the screen."""

import http.server
import json
import os
import threading
import time

SIZE, WHITE = 256, (255, 255, 255)
# Centres of the red discs, and the colours around them; the canvases are side by side.
DISCS = {"webgl": ((100, 120), (0, 255, 0)), "webgpu": ((150, 90), (0, 0, 255))}


def serve(page):
    """Serves a page in the background. Returns its address, what it will have said, and an event for that."""
    seen, done = {}, threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body, kind = b"", "text/html"
            if self.path == "/":
                body = open(page, "rb").read()
            elif self.path == "/discs.mjs":
                body, kind = open(os.path.join(os.path.dirname(page), "discs.mjs"), "rb").read(), "text/javascript"
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
    return f"http://127.0.0.1:{server.server_port}/", seen, done


def compare(test, rows):
    """Checks every pixel of a canvas, wherever the window is, and a pixel of the page around it."""
    around = DISCS[test][1]
    top = next((y for y, row in enumerate(rows) if around in row), None)
    assert top is not None, "nothing on the screen"
    left = rows[top].index(around) - SIZE * list(DISCS).index(test)
    (x0, y0), at = DISCS[test][0], SIZE * list(DISCS).index(test) + left
    for y in range(SIZE):
        for x in range(SIZE):
            inside = (x + 0.5 - x0) ** 2 + (y + 0.5 - y0) ** 2 < 4000
            got, want = rows[top + y][at + x], (255, 0, 0) if inside else around
            assert got == want, f"the screen at {x}, {y} of the canvas: {got}"
    assert rows[top + SIZE + 20][left + 20] == WHITE, "the page around"


def shown(test, rows_of_screen):
    """Checks the screen until it is correct, for up to 20 seconds, because the page may appear late."""
    for last in [False] * 40 + [True]:
        try:
            return compare(test, rows_of_screen())
        except AssertionError:
            if last:
                raise
        time.sleep(0.5)

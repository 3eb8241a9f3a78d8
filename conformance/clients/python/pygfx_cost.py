"""Measures the CPU time of an example of pygfx's gallery: pygfx_cost.py FILE [FRAMES [PICTURE]]

FILE is an example in a checkout of pygfx's repository, next to its data. The first frame, which compiles, is not timed;
each further frame is, including Python's part. Animations advance by a fixed step and panels are omitted, so that every
driver draws the same frames.
"""

import os
import runpy
import sys
import time

os.environ["RENDERCANVAS_FORCE_OFFSCREEN"] = "1"
import numpy as np

STEP = 0.02

example, *rest = sys.argv[1:]
frames = int(rest[0]) if rest else 20
sys.argv = [example]
names = runpy.run_path(example, run_name="example")
canvas, renderer, mixer = names["canvas"], names["renderer"], names.get("animation_mixer")


def frame():
    if mixer:
        mixer.update(STEP)
    renderer.render(names["scene"], names["camera"])


canvas.request_draw(frame)
picture = canvas.draw()
wall, cpu = time.monotonic(), time.process_time()
for _ in range(frames):
    picture = canvas.draw()
wall, cpu = ((now - then) / frames * 1e3 for now, then in ((time.monotonic(), wall), (time.process_time(), cpu)))
print(f"{renderer.device.adapter.info['device']}: {cpu:.0f} ms of CPU, {wall:.0f} ms by the clock a frame", flush=True)
if len(rest) > 1:
    from PIL import Image

    Image.fromarray(np.asarray(picture)[..., :3]).save(rest[1])
# Skip the exit handlers of the example.
os._exit(0)

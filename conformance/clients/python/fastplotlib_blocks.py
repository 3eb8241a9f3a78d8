"""fastplotlib: a heat map of sixteen blocks, whose shares of the picture and order are compared with the data."""

import os

os.environ["RENDERCANVAS_FORCE_OFFSCREEN"] = "1"
import fastplotlib as fpl
import loaded
import numpy as np

STEP = 17
values = (np.arange(16).reshape(4, 4) * STEP).astype(np.float32)
figure = fpl.Figure(size=(400, 400), canvas="offscreen")
figure[0, 0].axes.visible = False
figure[0, 0].add_image(values, vmin=0, vmax=255, cmap="gray", interpolation="nearest")
figure.show()
figure.canvas.draw()
picture = np.asarray(figure.export_numpy())[..., :3].astype(int)
centres, areas = [], []
for value in values.ravel()[1:].astype(int):
    rows, columns = np.nonzero((np.abs(picture - value) <= 1).all(2))
    centres.append((np.median(rows), np.median(columns)))
    areas.append(len(rows))
centres, areas = np.array(centres), np.array(areas)
# The first block has the colour of the background.
assert areas.min() > 3000 and np.ptp(areas) < 0.05 * areas.mean(), areas
side = np.sqrt(areas.mean())
at = np.stack(np.unravel_index(np.arange(1, 16), (4, 4)), -1) * side
off = np.abs((centres - centres[0]) - (at - at[0])).max()
assert off < 2, f"a block is {off} pixels beside its place"
print(f"fastplotlib on {loaded.driver()}: fifteen blocks of {side:.0f} pixels right")

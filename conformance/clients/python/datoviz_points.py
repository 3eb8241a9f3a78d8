"""Datoviz: a grid of discs, whose centres, colours and areas are compared with the request."""

import datoviz as dvz
import loaded
import numpy as np
from PIL import Image

WIDTH, HEIGHT, SIZE = 400, 300, 20
columns, rows = 8, 6
x, y = (a.ravel() for a in np.meshgrid(np.arange(columns), np.arange(rows)))
count = columns * rows
at = np.stack([(x + 0.5) / columns * 2 - 1, (y + 0.5) / rows * 2 - 1, np.zeros(count)], -1).astype(np.float32)
colours = np.stack([30 + 30 * x, 30 + 40 * y, np.full(count, 128), np.full(count, 255)], -1).astype(np.uint8)
app = dvz.App(offscreen=True)
figure = app.figure(WIDTH, HEIGHT)
panel = figure.panel()
panel.add(app.point(position=at, color=colours, size=np.full(count, SIZE, np.float32)))
app.screenshot(figure, "datoviz.png")
name = loaded.driver()
app.destroy()
picture = np.asarray(Image.open("datoviz.png").convert("RGB")).astype(int)
assert picture.shape == (HEIGHT, WIDTH, 3)
# Rows of the picture go down, those of the grid go up.
column, line = ((x + 0.5) * WIDTH / columns).astype(int), HEIGHT - 1 - ((y + 0.5) * HEIGHT / rows).astype(int)
off = np.abs(picture[line, column] - colours[:, :3]).max()
assert off <= 1, f"a centre differs by {off}"
lit = (picture.max(2) > 64).sum() / count
assert abs(lit / (np.pi * SIZE**2 / 4) - 1) < 0.1, f"{lit} pixels a disc"
print(f"Datoviz on {name}: {count} discs right")

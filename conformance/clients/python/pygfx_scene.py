"""pygfx: checks the lit and dark sides of a sphere under one light, and the places of flat shapes."""

import os
import sys

import numpy as np
import pygfx as gfx
from rendercanvas.offscreen import RenderCanvas

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")

canvas = RenderCanvas(size=(300, 200), pixel_ratio=1)
renderer = gfx.WgpuRenderer(canvas)
assert DEVICE in renderer.device.adapter.info["device"], renderer.device.adapter.info
scene = gfx.Scene()
scene.add(gfx.Background.from_color((0, 0, 0, 1)))
ball = gfx.Mesh(
    gfx.sphere_geometry(40, 64, 48), gfx.MeshPhongMaterial(color=(1, 1, 1, 1), shininess=1, specular="#000")
)
ball.local.position = (-70, 0, 0)
light = gfx.DirectionalLight(color="#fff", intensity=2)
light.local.position = (100, 0, 0)
square = gfx.Mesh(gfx.plane_geometry(60, 60), gfx.MeshBasicMaterial(color=(0, 1, 0, 1)))
square.local.position = (90, 0, 0)
scene.add(ball, light, square)
camera = gfx.OrthographicCamera(300, 200)
camera.local.position = (0, 0, 100)
canvas.request_draw(lambda: renderer.render(scene, camera))
picture = np.asarray(canvas.draw())[..., :3].astype(int)
if len(sys.argv) > 1:
    from PIL import Image

    Image.fromarray(picture.astype(np.uint8)).save(sys.argv[1])


def at(x, y):
    return picture[100 - y, 150 + x]


assert list(at(90, 0)) == [0, 255, 0] and list(at(65, 25)) == [0, 255, 0], "inside of the square"
assert list(at(55, 0)) == [0, 0, 0] and list(at(90, 35)) == [0, 0, 0], "beside it"
# The light comes from the right: brighter towards it, dark on the other side (Lambert's cosine).
row = [at(x, 0)[0] for x in (-105, -85, -70, -50, -35)]
assert row[0] == 0 and row[1] == 0 and row[3] > 100 and row[4] > row[3], row
assert list(at(-70, 45)) == [0, 0, 0], "above the ball"
print("pygfx: ball and square right")

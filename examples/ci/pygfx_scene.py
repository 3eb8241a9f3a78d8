"""Draws a lit ball with pygfx to a picture file, without any reference to Quadrille."""

import sys

import numpy as np
import pygfx as gfx
from PIL import Image
from rendercanvas.offscreen import RenderCanvas

canvas = RenderCanvas(size=(160, 120), pixel_ratio=1)
renderer = gfx.WgpuRenderer(canvas)
scene = gfx.Scene()
scene.add(gfx.Background.from_color("#204060"))
scene.add(gfx.Mesh(gfx.sphere_geometry(40), gfx.MeshPhongMaterial(color="#e0a030")))
light = gfx.DirectionalLight()
light.local.position = (-1, 1, 1)
scene.add(light, gfx.AmbientLight(intensity=0.3))
camera = gfx.OrthographicCamera(160, 120)
canvas.request_draw(lambda: renderer.render(scene, camera))
picture = np.asarray(canvas.draw())
Image.fromarray(picture).save(sys.argv[1])
print(renderer.device.adapter.info["device"])

"""Panda3D: draws lit models by OpenGL of EGL: panda_scene.py NAME.npy"""

import sys

import numpy as np
from panda3d.core import AmbientLight, DirectionalLight, loadPrcFileData

loadPrcFileData(
    "",
    "load-display p3headlessgl\nwindow-type offscreen\nwin-size 320 240\naudio-library-name null\n"
    "framebuffer-multisample 0",
)
from direct.showbase.ShowBase import ShowBase  # noqa: E402

base = ShowBase()
base.setBackgroundColor(0.1, 0.2, 0.3)
for name, at, turned in (("smiley", (-0.8, 6, 0), (30, 20, 0)), ("box", (0.7, 6, -0.5), (30, 20, 10))):
    model = base.loader.loadModel(f"models/{name}")
    model.reparentTo(base.render)
    model.setPosHpr(*at, *turned)
sun = base.render.attachNewNode(DirectionalLight("sun"))
sun.setHpr(-30, -40, 0)
dim = AmbientLight("ambient")
dim.setColor((0.3, 0.3, 0.3, 1))
base.render.setLight(sun)
base.render.setLight(base.render.attachNewNode(dim))
base.graphicsEngine.renderFrame()
base.graphicsEngine.renderFrame()
shot = base.win.getScreenshot()
rows = np.frombuffer(shot.getRamImageAs("RGB"), np.uint8).reshape(shot.getYSize(), shot.getXSize(), 3)
np.save(sys.argv[1], rows[::-1])
print(base.win.gsg.driver_renderer)

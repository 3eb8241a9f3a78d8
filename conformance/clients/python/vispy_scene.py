"""VisPy: draws a box, a surface and lines by OpenGL of a window: vispy_scene.py NAME.npy"""

import sys

import numpy as np
import vispy

vispy.use("glfw")
from vispy import scene  # noqa: E402
from vispy.gloo import gl  # noqa: E402

canvas = scene.SceneCanvas(size=(320, 240), bgcolor="white", show=False)
view = canvas.central_widget.add_view()
view.camera = scene.TurntableCamera(fov=45, distance=4, elevation=30, azimuth=40)
scene.visuals.Box(1, 1, 1, color="tomato", edge_color="black", parent=view.scene)
x, y = np.mgrid[-1:1:40j, -1:1:40j]
heights = 0.2 * np.sin(4 * x) * np.cos(4 * y) - 1
scene.visuals.SurfacePlot(x=x[:, 0], y=y[0], z=heights, shading="smooth", color=(0.2, 0.5, 0.9, 1), parent=view.scene)
scene.visuals.Markers(
    pos=np.stack([x[0], y[:, 0], 0.9 - x[0] ** 2], 1)[::3], face_color="green", size=9, parent=view.scene
)
np.save(sys.argv[1], canvas.render()[..., :3])
print(gl.glGetParameter(gl.GL_RENDERER))

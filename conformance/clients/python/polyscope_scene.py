"""Polyscope: draws points and a coloured mesh by OpenGL of EGL: polyscope_scene.py NAME.npy"""

import sys

import numpy as np
import polyscope as ps
from OpenGL import GL

ps.set_allow_headless_backends(True)
ps.init("openGL3_egl")
ps.set_window_size(320, 240)
ps.set_ground_plane_mode("none")
ps.set_SSAA_factor(1)
u, v = np.mgrid[0 : 2 * np.pi : 40j, 0 : 2 * np.pi : 20j]
points = np.stack([(2 + np.cos(v)) * np.cos(u), (2 + np.cos(v)) * np.sin(u), np.sin(v)], 2).reshape(-1, 3)
ps.register_point_cloud("points", points, radius=0.01)
corners = [(i * 20 + j, (i + 1) * 20 + j, (i + 1) * 20 + j + 1) for i in range(39) for j in range(19)]
mesh = ps.register_surface_mesh("mesh", points, np.array(corners))
mesh.add_scalar_quantity("height", points[:, 2], enabled=True)
ps.look_at((5, 5, 5), (0, 0, 0))
np.save(sys.argv[1], ps.screenshot_to_buffer(False)[..., :3])
print(GL.glGetString(GL.GL_RENDERER).decode())

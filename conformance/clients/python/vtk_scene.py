"""PyVista (VTK): draws isosurfaces, a plot and translucent shapes by OpenGL of EGL: vtk_scene.py NAME.npy"""

import os
import sys

os.environ["VTK_DEFAULT_OPENGL_WINDOW"] = "vtkEGLRenderWindow"
import numpy as np
import pyvista as pv

plotter = pv.Plotter(off_screen=True, window_size=(400, 300))
grid = pv.ImageData(dimensions=(30, 30, 30), spacing=(1 / 29,) * 3)
at = grid.points - 0.5
grid["r"] = np.linalg.norm(at, axis=1) + 0.08 * np.sin(9 * at[:, 0]) * np.cos(9 * at[:, 1])
plotter.add_mesh(grid.contour([0.35]), scalars=None, color="tan", specular=0.6, smooth_shading=True)
plotter.add_mesh(grid.slice(normal="x", origin=(0.5, 0.5, 0.5)), cmap="viridis", show_scalar_bar=False)
plotter.add_mesh(pv.Sphere(radius=0.3, center=(-0.4, 0.5, 0.5)), opacity=0.5, color="blue")
plotter.add_mesh(pv.Cone(center=(1.2, 0.5, 0.5)), color="tomato", pbr=True, roughness=0.4)
plotter.camera_position = [(4, 3, 2), (0.3, 0.5, 0.5), (0, 0, 1)]
np.save(sys.argv[1], plotter.screenshot(return_img=True))
print(next(line for line in plotter.render_window.ReportCapabilities().splitlines() if "renderer string" in line))

"""Open3D: draws shapes by Filament's Vulkan back end: open3d_scene.py NAME.npy"""

import os
import sys

import numpy as np
import open3d as o3d
from open3d.visualization import rendering

renderer = rendering.OffscreenRenderer(320, 240)
scene = renderer.scene
scene.set_background([0.1, 0.2, 0.3, 1])
shapes = {
    "torus": (o3d.geometry.TriangleMesh.create_torus(), (0, 0, 0), (0.9, 0.3, 0.1, 1)),
    "box": (o3d.geometry.TriangleMesh.create_box(0.8, 0.8, 0.8), (-0.4, -0.4, -0.4), (0.2, 0.5, 0.9, 1)),
}
for name, (mesh, at, colour) in shapes.items():
    mesh.compute_vertex_normals()
    material = rendering.MaterialRecord()
    material.shader, material.base_color = "defaultLit", colour
    scene.add_geometry(name, mesh.translate(at), material)
points = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(np.mgrid[-1:1:8j, -1:1:8j, 1:1:1j].reshape(3, -1).T))
dots = rendering.MaterialRecord()
dots.shader, dots.base_color, dots.point_size = "defaultUnlit", (1, 1, 0, 1), 4
scene.add_geometry("points", points, dots)
renderer.setup_camera(60, [0, 0, 0], [0, -2.5, 2], [0, 0, 1])
np.save(sys.argv[1], np.asarray(renderer.render_to_image()))
with open("/proc/self/maps") as f:
    loaded = f.read()
print(" ".join(sorted({os.path.basename(line.split()[-1]) for line in loaded.splitlines() if ".so" in line})))

"""F3D: draws a mesh on a grid with ambient occlusion by OpenGL of EGL: f3d_mesh.py NAME.npy"""

import sys

import f3d
import numpy as np
from OpenGL import GL

engine = f3d.Engine.create_egl()
engine.window.size = 320, 240
mesh = f3d.Mesh(
    points=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    face_sides=[3, 3, 3, 3],
    face_indices=[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
)
engine.scene.add(mesh)
settings = {"render.effect.ambient_occlusion": True, "render.grid.enable": True, "model.color.rgb": [0.9, 0.3, 0.1]}
engine.options.update(settings)
image = engine.window.render_to_image()
pixels = np.asarray(bytearray(image.content), np.uint8).reshape(image.height, image.width, -1)
np.save(sys.argv[1], pixels[..., :3])
print(GL.glGetString(GL.GL_RENDERER).decode())

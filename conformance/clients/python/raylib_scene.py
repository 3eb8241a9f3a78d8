"""raylib: draws shapes and text by OpenGL of a window: raylib_scene.py NAME.npy"""

import sys

import numpy as np
import pyray as rl
from OpenGL import GL

rl.set_trace_log_level(rl.LOG_WARNING)
rl.init_window(320, 240, "scene")
camera = rl.Camera3D((4, 3, 5), (0, 0.5, 0), (0, 1, 0), 45, rl.CAMERA_PERSPECTIVE)
target = rl.load_render_texture(320, 240)
rl.begin_texture_mode(target)
rl.clear_background(rl.Color(20, 40, 60, 255))
rl.begin_mode_3d(camera)
rl.draw_cube((0, 0.5, 0), 1, 1, 1, rl.RED)
rl.draw_cube_wires((0, 0.5, 0), 1, 1, 1, rl.BLACK)
rl.draw_sphere((1.5, 0.5, 0), 0.5, rl.GOLD)
rl.draw_cylinder((-1.5, 0, 0), 0, 0.6, 1, 16, rl.Color(0, 128, 128, 160))
rl.draw_grid(10, 1)
rl.end_mode_3d()
rl.draw_text("Quadrille", 20, 20, 30, rl.YELLOW)
rl.draw_circle_gradient((270, 60), 35, rl.ORANGE, rl.PURPLE)
rl.end_texture_mode()
image = rl.load_image_from_texture(target.texture)
pixels = np.frombuffer(rl.ffi.buffer(image.data, 320 * 240 * 4), np.uint8).reshape(240, 320, 4)
np.save(sys.argv[1], pixels[::-1, :, :3])
print(GL.glGetString(GL.GL_RENDERER).decode())

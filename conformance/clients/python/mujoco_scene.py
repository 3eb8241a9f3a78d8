"""MuJoCo: draws a scene with a shadow by OpenGL of EGL, as colours, segments and depths: mujoco_scene.py NAME.npy"""

import os
import sys

os.environ["MUJOCO_GL"] = "egl"
import mujoco
import numpy as np
from OpenGL import GL

SCENE = """
<mujoco><worldbody>
  <light pos="0 0 3" dir="0.2 0 -1" directional="true" diffuse=".8 .8 .8"/>
  <geom type="plane" size="3 3 .1" rgba=".6 .6 .6 1"/>
  <geom type="sphere" size=".4" pos="0 0 .8" rgba="1 .1 .1 1"/>
  <geom type="box" size=".2 .2 .2" pos=".9 0 .3" rgba=".1 .2 1 1"/>
  <geom type="capsule" size=".2 .3" pos="-.9 0 .6" euler="30 20 0" rgba=".1 .8 .2 .5"/>
  <camera name="eye" pos="0 -3 2" xyaxes="1 0 0 0 .5 1"/>
</worldbody></mujoco>
"""
model = mujoco.MjModel.from_xml_string(SCENE)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
layers = []
with mujoco.Renderer(model, 240, 320) as renderer:
    renderer.update_scene(data, "eye")
    layers.append(renderer.render().copy())
    renderer.enable_segmentation_rendering()
    segments = renderer.render()[..., :1]
    layers.append((60 * (segments + 1)).astype(np.uint8))
    renderer.disable_segmentation_rendering()
    renderer.enable_depth_rendering()
    layers.append((255 * np.clip(renderer.render() / 8, 0, 1)).astype(np.uint8)[..., None])
    print(GL.glGetString(GL.GL_RENDERER).decode())
np.save(sys.argv[1], np.concatenate(layers, -1))

"""Blender: renders a scene without a window: blender -b --python blender_scene.py -- ENGINE PICTURE.png"""

import sys

import bpy
import gpu

engine, picture = sys.argv[-2:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.engine = engine


def coloured(name, colour, roughness):
    material = bpy.data.materials.new(name)
    material.diffuse_color = colour
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = roughness
    bpy.context.object.data.materials.append(material)


bpy.ops.mesh.primitive_monkey_add()
coloured("head", (0.8, 0.2, 0.1, 1), 0.3)
bpy.ops.mesh.primitive_plane_add(size=8, location=(0, 0, -1))
coloured("ground", (0.3, 0.5, 0.3, 1), 0.8)
bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.3, 0))
bpy.context.object.data.energy = 3
bpy.ops.object.camera_add(location=(0, -4.5, 0.5), rotation=(1.46, 0, 0))
scene.camera = bpy.context.object
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 320, 240, 100
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
print("renderer:", gpu.platform.backend_type_get(), gpu.platform.renderer_get())

#!/usr/bin/env python3
"""Compares path-traced scenes with Blender Cycles.

    cycles.py FOLDER [--quadrille FILE] [--blender COMMAND] [--scenes NAME,...] [--size 320x180] [--samples 1024]
        [--table]

Needs Blender of Debian sid (5.2) and, from PyPI, flip-evaluator, numpy and OpenEXR. FOLDER receives, for each scene,
the light of both renderers in linear OpenEXR, and the pictures of Cycles and Quadrille beside the map of FLIP for high
dynamic range. `--table` compares what is there without rendering. Prints a table in Markdown: the light of Quadrille in
parts of that of Cycles, the mean of each colour, and the mean of FLIP.

Both trace the same light: no clamps, no limits of bounces that matter, a filter of one pixel. What glTF leaves to the
importer and what Cycles defines otherwise is set in `SET_UP`.
"""

import argparse
import pathlib
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = {
    # File, exposure of the pictures, whether the evening's panorama lights it.
    "room": ("room.glb", 1.2, False),
    "glasses": ("glasses.glb", 1.0, False),
    "lantern": ("lantern.glb", 0.9, True),
    "tabletop": ("tabletop.glb", 0.9, True),
    "snail": ("snail.gltf", 0.6, True),
    "shingle": ("shingle.glb", 0.6, True),
}

SET_UP = r"""
import math, sys
import bpy

file, out, panorama, width, height, samples = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=file, export_import_convert_lighting_mode="COMPAT")
scene = bpy.context.scene
scene.frame_set(0)
scene.camera = next(o for o in scene.objects if o.type == "CAMERA")
world = scene.world = bpy.data.worlds.new("world")
world.use_nodes = True
background = next(n for n in world.node_tree.nodes if n.type == "BACKGROUND")
if panorama == "none":
    background.inputs["Color"].default_value = (0, 0, 0, 1)
else:
    picture = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
    picture.image = bpy.data.images.load(panorama)
    picture.image.colorspace_settings.name = "Linear Rec.709"
    world.node_tree.links.new(picture.outputs["Color"], background.inputs["Color"])

# Spots become weaker between their angles as KHR_lights_punctual defines.
for light in list(bpy.data.lights):
    if light.type == "SPOT":
        outer = light.spot_size / 2
        inner = math.cos(outer * (1 - light.spot_blend))
        outer = math.cos(outer)
        light.type = "POINT"
        light = bpy.data.lights[light.name]
        light.use_nodes = True
        nodes, links = light.node_tree.nodes, light.node_tree.links
        emission = next(n for n in nodes if n.type == "EMISSION")
        place, parts = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
        ramp, square = nodes.new("ShaderNodeMapRange"), nodes.new("ShaderNodeMath")
        ramp.inputs["From Min"].default_value, ramp.inputs["From Max"].default_value = -outer, -inner
        square.operation, square.inputs[1].default_value = "POWER", 2
        links.new(place.outputs["Normal"], parts.inputs[0])
        links.new(parts.outputs["Z"], ramp.inputs["Value"])
        links.new(ramp.outputs["Result"], square.inputs[0])
        links.new(square.outputs[0], emission.inputs["Strength"])

for material in bpy.data.materials:
    if not material.node_tree:
        continue
    tree = material.node_tree
    # A volume of glTF absorbs -ln(colour) / distance, which is density * (1 - colour) here.
    for node in list(tree.nodes):
        if node.type == "VOLUME_ABSORPTION":
            color, density = node.inputs["Color"], node.inputs["Density"]
            absorbed = [-math.log(max(c, 1e-6)) * density.default_value for c in color.default_value[:3]]
            density.default_value = max(max(absorbed), 1e-9)
            color.default_value = [*(1 - a / density.default_value for a in absorbed), 1]
    # Single-sided surfaces emit light at their front, and the camera does not see them from behind.
    output = next((n for n in tree.nodes if n.type == "OUTPUT_MATERIAL" and n.is_active_output), None)
    shader = next((n for n in tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
    if not output or not output.inputs["Surface"].links or not material.use_backface_culling:
        continue
    if shader and shader.inputs["Transmission Weight"].default_value > 0:
        continue
    before = output.inputs["Surface"].links[0].from_socket
    strength = shader and shader.inputs["Emission Strength"]
    if strength and strength.default_value > 0 and not strength.links:
        front, side = tree.nodes.new("ShaderNodeMath"), tree.nodes.new("ShaderNodeNewGeometry")
        front.operation = "MULTIPLY_ADD"
        front.inputs[1].default_value, front.inputs[2].default_value = -strength.default_value, strength.default_value
        tree.links.new(side.outputs["Backfacing"], front.inputs[0])
        tree.links.new(front.outputs[0], strength)
    behind, path = tree.nodes.new("ShaderNodeNewGeometry"), tree.nodes.new("ShaderNodeLightPath")
    both, mix = tree.nodes.new("ShaderNodeMath"), tree.nodes.new("ShaderNodeMixShader")
    both.operation = "MULTIPLY"
    clear = tree.nodes.new("ShaderNodeBsdfTransparent")
    tree.links.new(behind.outputs["Backfacing"], both.inputs[0])
    tree.links.new(path.outputs["Is Camera Ray"], both.inputs[1])
    tree.links.new(both.outputs[0], mix.inputs[0])
    tree.links.new(before, mix.inputs[1])
    tree.links.new(clear.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], output.inputs["Surface"])

render, cycles = scene.render, scene.cycles
render.engine = "CYCLES"
render.resolution_x, render.resolution_y, render.resolution_percentage = int(width), int(height), 100
render.image_settings.file_format = "OPEN_EXR"
render.image_settings.color_depth = "32"
render.image_settings.color_mode = "RGB"
render.filepath = out
cycles.device, cycles.samples, cycles.seed = "CPU", int(samples), 1
cycles.use_denoising = cycles.use_adaptive_sampling = False
cycles.sample_clamp_direct = cycles.sample_clamp_indirect = cycles.blur_glossy = 0
cycles.caustics_reflective = cycles.caustics_refractive = True
cycles.pixel_filter_type = "BOX"
cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = 256
cycles.transmission_bounces = cycles.transparent_max_bounces = 256
cycles.light_sampling_threshold = 0
bpy.ops.render.render(write_still=True)
"""


def run(command: list[str]) -> None:
    print("+", shlex.join(command), flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def render(args: argparse.Namespace, name: str) -> None:
    file, _, evening = SCENES[name]
    scene = ROOT / "assets/scenes" / file
    width, height = args.size.split("x")
    panorama = args.folder / "evening.exr"
    if evening and not panorama.exists():
        sky = [str(ROOT / "assets/shaders/evening.comp"), "--dispatch", "128,64"]
        run([args.quadrille, "run", *sky, "--bind", "0.0=image:1024x512", "--read", f"0.0={panorama}"])
    light = ["--environment", str(panorama)] if evening else ["--ambient", "0", "--background=#000000"]
    ours = ["-o", str(args.folder / f"{name}_quadrille.exr"), "--samples", args.samples, "--size", args.size, *light]
    run([args.quadrille, "render", str(scene), "--path-trace", "--time", "0", *ours])
    set_up = args.folder / "set_up.py"
    set_up.write_text(SET_UP)
    values = [str(scene), str(args.folder / f"{name}_cycles.exr"), str(panorama) if evening else "none"]
    blender = [*shlex.split(args.blender), "--background", "--factory-startup", "--python-exit-code", "1"]
    run([*blender, "--python", str(set_up), "--", *values, width, height, args.samples])


def compare(args: argparse.Namespace, name: str) -> str:
    import flip_evaluator as flip
    import numpy as np
    import OpenEXR

    def light(renderer):
        with OpenEXR.File(str(args.folder / f"{name}_{renderer}.exr"), separate_channels=True) as file:
            channels = file.channels()
            return np.stack([channels[c].pixels.astype(np.float32) for c in "RGB"], axis=2)

    cycles, ours = light("cycles"), light("quadrille")
    error, mean, _ = flip.evaluate(cycles, ours, "HDR")
    exposure = SCENES[name][1]

    def shown(picture):
        x = np.clip(picture * exposure, 0, None)
        curve = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)
        return np.where(curve <= 0.0031308, curve * 12.92, 1.055 * np.clip(curve, 1e-9, 1) ** (1 / 2.4) - 0.055)

    save(args.folder / f"{name}.png", np.concatenate([shown(cycles), shown(ours), error], axis=1))
    ratios = ours.reshape(-1, 3).mean(axis=0) / np.maximum(cycles.reshape(-1, 3).mean(axis=0), 1e-9)
    return f"| `{name}` | " + " | ".join(f"{ratio:.3f}" for ratio in ratios) + f" | {mean:.3f} |"


def save(path: pathlib.Path, picture) -> None:
    """Writes a picture of values from 0 to 1 as PNG."""
    import struct
    import zlib

    import numpy as np

    height, width, _ = picture.shape
    rows = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    data = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quadrille", default="quadrille")
    parser.add_argument(
        "--blender", default="blender", help="a command, which sees FOLDER and this repository by the same paths"
    )
    parser.add_argument("--scenes", default=",".join(SCENES))
    parser.add_argument("--size", default="320x180")
    parser.add_argument("--samples", default="1024")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    args.folder = args.folder.resolve()
    args.folder.mkdir(parents=True, exist_ok=True)
    names = args.scenes.split(",")
    if not args.table:
        for name in names:
            render(args, name)
    print("| scene | red | green | blue | FLIP |\n|---|---:|---:|---:|---:|")
    for name in names:
        print(compare(args, name))


if __name__ == "__main__":
    main()

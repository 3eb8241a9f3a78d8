"""Draws a case of tests/opengl.rs with Mesa's software OpenGL; prints R, G, B, A bytes, rows from the top.

Usage: mesa.py WIDTH HEIGHT VERTICES TOPOLOGY PICTURE FRAGMENT [VERTEX]

Without a vertex shader a triangle covers the picture. PICTURE is 4 x 4 texels of R, G, B, A, rows from the top.
Uniforms have the values that the test gives to `quadrille render`. Exits with 77 if moderngl or OpenGL is missing.
"""

import os
import struct
import sys
from pathlib import Path

os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
# GLSL before 1.40, too.
os.environ["MESA_GL_VERSION_OVERRIDE"] = "4.5COMPAT"

try:
    import moderngl

    context = moderngl.create_standalone_context(backend="egl")
except Exception as error:
    print(f"no OpenGL: {error}", file=sys.stderr)
    sys.exit(77)
if "llvmpipe" not in context.info["GL_RENDERER"]:
    print(f"not Mesa's: {context.info['GL_RENDERER']}", file=sys.stderr)
    sys.exit(77)

width, height, vertices = (int(n) for n in sys.argv[1:4])
topology, picture, *files = sys.argv[4:]
fragment, *vertex = (Path(file).read_text() for file in files)
if vertex:
    source = vertex[0]
else:
    first = fragment.splitlines()[0]
    version = first if first in ("#version 100", "#version 300 es") else "#version 120"
    word = "in" if version == "#version 300 es" else "attribute"
    source = f"{version}\n{word} vec2 corner;\nvoid main() {{ gl_Position = vec4(corner, 0.0, 1.0); }}"

program = context.program(vertex_shader=source, fragment_shader=fragment)
values = {
    "resolution": (width, height),
    "u_resolution": (width, height),
    "iResolution": (width, height, 1),
    "u_mouse": (20, 12),
    "time": 1.5,
    "u_time": 1.5,
    "iTime": 1.5,
}
for name, value in values.items():
    if name in program:
        program[name].value = value
if "picture" in program:
    rows = Path(picture).read_bytes()
    # The last row comes first, as from texture loaders for OpenGL.
    rows = b"".join(rows[16 * row : 16 * row + 16] for row in reversed(range(4)))
    texture = context.texture((4, 4), 4, rows)
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    texture.use(0)
    program["picture"].value = 0

if vertex:
    array = context.vertex_array(program, [])
else:
    corners = context.buffer(struct.pack("6f", -1, -1, 3, -1, -1, 3))
    array = context.vertex_array(program, [(corners, "2f", "corner")])

depth = context.depth_renderbuffer((width, height))
target = context.framebuffer([context.texture((width, height), 4)], depth)
target.use()
context.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
if vertex:
    context.enable(moderngl.DEPTH_TEST)
    context.enable(moderngl.PROGRAM_POINT_SIZE)
    # GL_POINT_SPRITE, which core profiles always enable; without it gl_PointCoord is undefined.
    context.enable_direct(0x8861)
array.render({"triangles": moderngl.TRIANGLES, "points": moderngl.POINTS}[topology], vertices=vertices)
data = target.read(components=4, alignment=1)
row = 4 * width
sys.stdout.buffer.write(b"".join(data[row * y : row * y + row] for y in reversed(range(height))))

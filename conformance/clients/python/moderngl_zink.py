"""OpenGL through Mesa's zink: Collatz lengths in a compute shader, and a disc drawn by its equation."""

import os

import moderngl
import numpy as np

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")

gl = moderngl.create_standalone_context(backend="egl", require=430)
name = gl.info["GL_RENDERER"]
assert "zink" in name and DEVICE in name, name
n = 16384
buffer = gl.buffer(np.arange(1, n + 1, dtype=np.uint32).tobytes())
buffer.bind_to_storage_buffer(0)
gl.compute_shader("""#version 430
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { uint v[]; };
void main() {
    uint n = v[gl_GlobalInvocationID.x], i = 0u;
    while (n > 1u) { n = (n % 2u == 0u) ? n / 2u : 3u * n + 1u; i++; }
    v[gl_GlobalInvocationID.x] = i;
}""").run(n // 64)
gl.memory_barrier()
got = np.frombuffer(buffer.read(), np.uint32)


def collatz(k):
    i = 0
    while k > 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        i += 1
    return i


assert np.array_equal(got, [collatz(k) for k in range(1, n + 1)])
size = 200
frame = gl.simple_framebuffer((size, size))
frame.use()
program = gl.program(
    vertex_shader="#version 430\nin vec2 at; void main() { gl_Position = vec4(at, 0, 1); }",
    fragment_shader="""#version 430
out vec4 colour;
void main() {
    vec2 d = gl_FragCoord.xy - vec2(90, 70);
    colour = dot(d, d) < 2500 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
}""",
)
corners = gl.buffer(np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes())
gl.vertex_array(program, [(corners, "2f", "at")]).render()
got = np.frombuffer(frame.read(components=4), np.uint8).reshape(size, size, 4)
y, x = np.mgrid[:size, :size] + 0.5
want = np.where(((x - 90) ** 2 + (y - 70) ** 2 < 2500)[..., None], [255, 0, 0, 255], [0, 255, 0, 255])
assert np.array_equal(got, want), (got != want).any(-1).sum()
print(f"{name}: {n} values, {size * size} pixels right")

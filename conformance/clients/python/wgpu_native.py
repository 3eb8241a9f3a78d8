"""wgpu of PyPI (wgpu-native): compares Collatz lengths with the host's, and checks the pixels of a picture."""

import os

import numpy as np
import wgpu

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")

adapter = next(a for a in wgpu.gpu.enumerate_adapters_sync() if DEVICE in a.info["device"])
device = adapter.request_device_sync()
n = 65536
code = """
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var n = v[id.x]; var i = 0u;
    while (n > 1u) { if (n % 2u == 0u) { n = n / 2u; } else { n = 3u * n + 1u; } i++; }
    v[id.x] = i;
}"""
data = np.arange(1, n + 1, dtype=np.uint32)
buffer = device.create_buffer_with_data(data=data, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
module = device.create_shader_module(code=code)
pipeline = device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
group = device.create_bind_group(
    layout=pipeline.get_bind_group_layout(0), entries=[{"binding": 0, "resource": {"buffer": buffer}}]
)
encoder = device.create_command_encoder()
p = encoder.begin_compute_pass()
p.set_pipeline(pipeline)
p.set_bind_group(0, group)
p.dispatch_workgroups(n // 64)
p.end()
device.queue.submit([encoder.finish()])
got = np.frombuffer(device.queue.read_buffer(buffer), np.uint32)


def collatz(k):
    i = 0
    while k > 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        i += 1
    return i


want = np.array([collatz(k) for k in range(1, n + 1)], np.uint32)
assert np.array_equal(got, want), np.flatnonzero(got != want)[:10]

# The shader draws a red disc on blue by its equation, which the host computes, too.
size = 256
code = """
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let d = at.xy - vec2f(100.0, 120.0);
    if (dot(d, d) < 4000.0) { return vec4f(1.0, 0.0, 0.0, 1.0); }
    return vec4f(0.0, 0.0, 1.0, 1.0);
}"""
texture = device.create_texture(
    size=(size, size, 1), format="rgba8unorm", usage=wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
)
module = device.create_shader_module(code=code)
pipeline = device.create_render_pipeline(
    layout="auto",
    vertex={"module": module, "entry_point": "vs"},
    primitive={"topology": "triangle-list"},
    fragment={"module": module, "entry_point": "fs", "targets": [{"format": "rgba8unorm"}]},
)
encoder = device.create_command_encoder()
p = encoder.begin_render_pass(
    color_attachments=[{"view": texture.create_view(), "load_op": "clear", "store_op": "store"}]
)
p.set_pipeline(pipeline)
p.draw(3)
p.end()
device.queue.submit([encoder.finish()])
got = device.queue.read_texture({"texture": texture}, {"bytes_per_row": size * 4}, (size, size, 1))
got = np.frombuffer(got, np.uint8).reshape(size, size, 4)
y, x = np.mgrid[:size, :size] + 0.5
inside = (x - 100) ** 2 + (y - 120) ** 2 < 4000
want = np.where(inside[..., None], [255, 0, 0, 255], [0, 0, 255, 255])
assert np.array_equal(got, want), (got != want).any(-1).sum()
print(f"{adapter.info['device']}: 65536 values, 65536 pixels right")

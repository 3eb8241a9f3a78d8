// webgpu of npm (Dawn): Collatz lengths against the host's, and a disc by its equation.
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
const gpu = create(["backend=vulkan"]);
const adapter = await gpu.requestAdapter();
const name = process.env.CLIENT_DEVICE ?? "Quadrille";
if (!`${adapter.info.description} ${adapter.info.device}`.toLowerCase().includes(name.toLowerCase())) throw Error(`another driver: ${adapter.info.description}`);
const device = await adapter.requestDevice();
device.onuncapturederror = (e) => { throw e.error; };

async function read(buffer) {
    await buffer.mapAsync(GPUMapMode.READ);
    return buffer.getMappedRange();
}

const n = 65536;
const usage = GPUBufferUsage;
const values = device.createBuffer({ size: n * 4, usage: usage.STORAGE | usage.COPY_SRC, mappedAtCreation: true });
new Uint32Array(values.getMappedRange()).set(Uint32Array.from({ length: n }, (_, i) => i + 1));
values.unmap();
const compute = device.createComputePipeline({
    layout: "auto",
    compute: { module: device.createShaderModule({ code: `
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var n = v[id.x]; var i = 0u;
    while (n > 1u) { if (n % 2u == 0u) { n = n / 2u; } else { n = 3u * n + 1u; } i++; }
    v[id.x] = i;
}` }) },
});
const group = device.createBindGroup({ layout: compute.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: values } }] });
const out = device.createBuffer({ size: n * 4, usage: usage.COPY_DST | usage.MAP_READ });
let encoder = device.createCommandEncoder();
let pass = encoder.beginComputePass();
pass.setPipeline(compute);
pass.setBindGroup(0, group);
pass.dispatchWorkgroups(n / 64);
pass.end();
encoder.copyBufferToBuffer(values, 0, out, 0, n * 4);
device.queue.submit([encoder.finish()]);
const got = new Uint32Array(await read(out));
for (let k = 1; k <= n; k++) {
    let [m, i] = [k, 0];
    while (m > 1) { m = m % 2 ? 3 * m + 1 : m / 2; i++; }
    if (got[k - 1] !== i) throw Error(`collatz(${k}) is ${i}, not ${got[k - 1]}`);
}

const size = 256;
const texture = device.createTexture({ size: [size, size], format: "rgba8unorm", usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
const module = device.createShaderModule({ code: `
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let d = at.xy - vec2f(100.0, 120.0);
    if (dot(d, d) < 4000.0) { return vec4f(1.0, 0.0, 0.0, 1.0); }
    return vec4f(0.0, 0.0, 1.0, 1.0);
}` });
const render = device.createRenderPipeline({ layout: "auto", vertex: { module }, fragment: { module, targets: [{ format: "rgba8unorm" }] } });
const pixels = device.createBuffer({ size: size * size * 4, usage: usage.COPY_DST | usage.MAP_READ });
encoder = device.createCommandEncoder();
pass = encoder.beginRenderPass({ colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }] });
pass.setPipeline(render);
pass.draw(3);
pass.end();
encoder.copyTextureToBuffer({ texture }, { buffer: pixels, bytesPerRow: size * 4 }, [size, size]);
device.queue.submit([encoder.finish()]);
const picture = new Uint32Array(await read(pixels));
for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
    const inside = (x + 0.5 - 100) ** 2 + (y + 0.5 - 120) ** 2 < 4000;
    if (picture[y * size + x] !== (inside ? 0xff0000ff : 0xffff0000)) throw Error(`pixel ${x}, ${y}`);
}
console.log(`${adapter.info.description}: ${n} values, ${size * size} pixels right`);
// Dawn's threads do not end by themselves.
process.exit(0);

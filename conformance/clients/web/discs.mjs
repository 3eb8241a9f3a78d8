// Compares Collatz lengths with the host's, and draws a disc by its equation, on any WebGPU device.

export const size = 256;
const n = 65536;

/** `pixels` are rows of RGBA from the top; red in the disc, `around` elsewhere. */
export function compare(pixels, [x0, y0], around) {
    for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
        const inside = (x + 0.5 - x0) ** 2 + (y + 0.5 - y0) ** 2 < 4000;
        const want = inside ? [255, 0, 0, 255] : around;
        const at = 4 * (y * size + x);
        if (want.some((c, i) => pixels[at + i] !== c)) throw Error(`pixel ${x}, ${y}: ${pixels.slice(at, at + 4)}`);
    }
}

/** Computes, and draws a disc with this centre to the texture; what is wrong is thrown. */
export async function discs(device, texture, centre) {
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
    const counts = device.createBuffer({ size: 4 * n, usage }), pixels = device.createBuffer({ size: 4 * size * size, usage });
    const encoder = device.createCommandEncoder();
    compute(device, encoder, counts);
    draw(device, encoder, texture, centre);
    encoder.copyTextureToBuffer({ texture }, { buffer: pixels, bytesPerRow: 4 * size }, [size, size]);
    device.queue.submit([encoder.finish()]);
    await Promise.all([counts.mapAsync(GPUMapMode.READ), pixels.mapAsync(GPUMapMode.READ)]);
    const got = new Uint32Array(counts.getMappedRange());
    for (let k = 1; k <= n; k++) {
        let [m, i] = [k, 0];
        while (m > 1) { m = m % 2 ? 3 * m + 1 : m / 2; i++; }
        if (got[k - 1] !== i) throw Error(`collatz(${k}) is ${i}, not ${got[k - 1]}`);
    }
    const seen = new Uint8Array(pixels.getMappedRange());
    if (texture.format === "bgra8unorm") for (let i = 0; i < seen.length; i += 4) [seen[i], seen[i + 2]] = [seen[i + 2], seen[i]];
    compare(seen, centre, [0, 0, 255, 255]);
    return `${n} values, ${size * size} pixels right`;
}

function compute(device, encoder, counts) {
    const values = device.createBuffer({ size: 4 * n, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, mappedAtCreation: true });
    new Uint32Array(values.getMappedRange()).set(Uint32Array.from({ length: n }, (_, i) => i + 1));
    values.unmap();
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module: device.createShaderModule({ code: `
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var n = v[id.x]; var i = 0u;
    while (n > 1u) { if (n % 2u == 0u) { n = n / 2u; } else { n = 3u * n + 1u; } i++; }
    v[id.x] = i;
}` }) } });
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: values } }] }));
    pass.dispatchWorkgroups(n / 64);
    pass.end();
    encoder.copyBufferToBuffer(values, 0, counts, 0, 4 * n);
}

function draw(device, encoder, texture, [x, y]) {
    const module = device.createShaderModule({ code: `
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let d = at.xy - vec2f(${x}, ${y});
    if (dot(d, d) < 4000.0) { return vec4f(1.0, 0.0, 0.0, 1.0); }
    return vec4f(0.0, 0.0, 1.0, 1.0);
}` });
    const pipeline = device.createRenderPipeline({ layout: "auto", vertex: { module }, fragment: { module, targets: [{ format: texture.format }] } });
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }] });
    pass.setPipeline(pipeline);
    pass.draw(3);
    pass.end();
}

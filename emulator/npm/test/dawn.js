// Squares of numbers by npm's `webgpu`, as JSON with the name of the device.
import 'quadrille/enable';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
// Dawn's objects end with this one, so that it must not be collected.
const navigator = { gpu: create(['backend=vulkan']) };
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
device.onuncapturederror = ({ error }) => { throw error; };
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
const values = device.createBuffer({ size: 32, usage });
const result = device.createBuffer({ size: 32, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
const module = device.createShaderModule({ code: `
@group(0) @binding(0) var<storage, read_write> values: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) { values[id.x] = id.x * id.x; }` });
const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
const encoder = device.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
const entries = [{ binding: 0, resource: { buffer: values } }];
pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
pass.dispatchWorkgroups(1);
pass.end();
encoder.copyBufferToBuffer(values, 0, result, 0, 32);
device.queue.submit([encoder.finish()]);
await result.mapAsync(GPUMapMode.READ);
const { description, device: name } = adapter.info;
console.log(JSON.stringify({ on: `${name} ${description}`, values: [...new Uint32Array(result.getMappedRange())] }));
process.exit(0);

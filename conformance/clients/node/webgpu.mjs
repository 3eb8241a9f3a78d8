// webgpu of npm (Dawn): compares Collatz lengths with the host's, and draws a disc by its equation.
import { create, globals } from "webgpu";
import { discs, size } from "./discs.mjs";

Object.assign(globalThis, globals);
const gpu = create(["backend=vulkan"]);
const adapter = await gpu.requestAdapter();
const name = process.env.CLIENT_DEVICE ?? "Quadrille";
if (!`${adapter.info.description} ${adapter.info.device}`.toLowerCase().includes(name.toLowerCase())) throw Error(`another driver: ${adapter.info.description}`);
const device = await adapter.requestDevice();
device.onuncapturederror = (e) => { throw e.error; };
const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
const texture = device.createTexture({ size: [size, size], format: "rgba8unorm", usage });
console.log(`${adapter.info.description}: ${await discs(device, texture, [100, 120])}`);
// Exit explicitly, because Dawn's threads would keep the process alive.
process.exit(0);

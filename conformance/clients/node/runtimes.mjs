// WebGPU of Deno (wgpu) and of Bun (Dawn, by bun-webgpu): compares Collatz lengths with the host's, and draws a disc.
import { discs, size } from "./discs.mjs";

if (globalThis.Bun) (await import("bun-webgpu")).setupGlobals();
const environment = globalThis.process?.env ?? (await import("node:process")).env;
const adapter = await navigator.gpu.requestAdapter();
const name = environment.CLIENT_DEVICE ?? "Quadrille";
if (!`${adapter.info.description} ${adapter.info.device}`.toLowerCase().includes(name.toLowerCase())) throw Error(`another driver: ${adapter.info.description}`);
const device = await adapter.requestDevice();
const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
const texture = device.createTexture({ size: [size, size], format: "rgba8unorm", usage });
console.log(`${adapter.info.description}: ${await discs(device, texture, [100, 120])}`);
// Exit explicitly, because Dawn's threads would keep the process alive.
if (globalThis.Bun) process.exit(0);

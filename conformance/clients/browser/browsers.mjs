// Chromium on Quadrille and on its own SwiftShader, and a static server on the loopback interface: shared by the
// programs of this folder.
import { chromium } from 'playwright-core';
import { createServer } from 'node:http';
import { createReadStream, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { launch } from 'quadrille';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** SwiftShader as Chromium has it. */
const STOCK = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** The compositor runs on Vulkan too, so that canvases of WebGPU are in the picture. */
const WEBGPU = [
  '--enable-unsafe-webgpu', '--ignore-gpu-blocklist', '--use-vulkan=swiftshader', '--enable-features=Vulkan', '--disable-gpu-watchdog',
];

function swiftshader(args) {
  const { VK_DRIVER_FILES, VK_ICD_FILENAMES, ...env } = process.env;
  return { args: [...STOCK, ...args], env };
}

/** Name of the software GPU to the options that start it, with more arguments. */
const options = {
  quadrille: (args) => launch({ args }),
  swiftshader,
  'swiftshader-webgpu': (args) => swiftshader([...WEBGPU, ...args]),
};

/** Starts a browser on `quadrille`, `swiftshader` or `swiftshader-webgpu`. */
export function start(gpu, args = []) {
  if (!(gpu in options)) throw new Error(`the GPU is ${Object.keys(options).join(' or ')}, not ${gpu}`);
  return chromium.launch({ executablePath, timeout: 600_000, ...options[gpu](args) });
}

const TYPES = {
  css: 'text/css', gif: 'image/gif', glb: 'model/gltf-binary', gltf: 'model/gltf+json', html: 'text/html', jpg: 'image/jpeg',
  js: 'text/javascript', json: 'application/json', mjs: 'text/javascript', mp4: 'video/mp4', ogv: 'video/ogg',
  png: 'image/png', svg: 'image/svg+xml', ttf: 'font/ttf', wasm: 'application/wasm', webm: 'video/webm', webp: 'image/webp',
};

/** Serves folders below prefixes of the path, for example `{ '/': 'site' }`; returns the address. */
export async function serve(folders) {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const prefix = prefixes.find((prefix) => path.startsWith(prefix));
    const file = prefix && join(folders[prefix], path.slice(prefix.length));
    const size = file && statSync(file, { throwIfNoEntry: false });
    if (!size?.isFile()) return response.writeHead(404).end();
    const type = TYPES[file.split('.').pop()] ?? 'text/plain';
    // Videos are read by parts.
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from ?? 0), Math.min(Number(to || size.size - 1), size.size - 1)];
    const part = from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size.size}` };
    const headers = { 'content-type': type, 'content-length': Math.max(end - start + 1, 0), 'accept-ranges': 'bytes', ...part };
    response.writeHead(from === undefined ? 200 : 206, headers);
    return size.size ? createReadStream(file, { start, end }).pipe(response) : response.end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

// Scenes in a browser: opening a page, and the rate and cost of its frames. Shared by `scenes.mjs` and `speed.mjs`.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve, start } from './browsers.mjs';

export const viewport = { width: 960, height: 540 };

/** Processor time of the GPU processes below this process, in milliseconds. */
export function gpuTime() {
  const processes = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
      const gpu = readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('--type=gpu-process');
      // Fields 4, 14 and 15 of proc(5); ticks are hundredths of a second.
      processes.set(Number(id), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]), gpu });
    } catch { /* The process has ended. */ }
  }
  const below = (id) => id === process.pid || (processes.has(id) && below(processes.get(id).parent));
  return [...processes].filter(([id, { gpu }]) => gpu && below(id)).reduce((sum, [, { ticks }]) => sum + ticks * 10, 0);
}

/** Serves the scenes and the libraries; returns the address. */
export function serveScenes() {
  const here = fileURLToPath(new URL('.', import.meta.url));
  return serve({ '/pages/': `${here}pages`, '/modules/': `${here}node_modules` });
}

/** Starts a browser that can draw a scene on `swiftshader` or `quadrille`. */
export function startFor(gpu, name) {
  // The stock configuration has blank canvases of WebGPU.
  const kind = gpu === 'swiftshader' && /webgpu/i.test(name) ? 'swiftshader-webgpu' : gpu;
  return start(kind, ['--enable-webgpu-developer-features']);
}

/** Opens a scene and draws the frame of one second. */
export async function open(browser, address, name, messages = []) {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(600_000);
  page.on('console', (message) => message.type() === 'error' && messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(`${error}`));
  await page.goto(`${address}/pages/index.html#${name}`);
  await page.evaluate(async () => {
    const draw = await window.scene;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // The frame is twice in the picture, as shaders may be compiled while the first is drawn.
    for (let i = 0; i < 2; i++) {
      await frame();
      await draw(1);
    }
    await frame();
    await frame();
  });
  return page;
}

/** Frames per second in so many seconds, and the milliseconds of processor time of the GPU process for a frame. */
export async function rate(page, seconds) {
  const before = gpuTime();
  const { frames, lasted } = await page.evaluate(async (seconds) => {
    const draw = await window.scene;
    const began = performance.now();
    for (let frames = 0; ; frames++) {
      const lasted = (performance.now() - began) / 1000;
      if (lasted >= seconds) return { frames, lasted };
      await draw(1 + lasted * 0.5);
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, seconds);
  return { rate: frames / lasted, cost: (gpuTime() - before) / frames };
}

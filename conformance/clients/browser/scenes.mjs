// Scenes of three.js, Babylon.js, Pixi and deck.gl in headless Chromium, on Quadrille and on SwiftShader: pictures are
// compared, then frames are counted.
//
//   node scenes.mjs OUT [--seconds 6] [--only PART]
//
// OUT gets the pictures. Each line has the difference of the pictures (mean of 255 levels, and share of the pixels in
// which a component differs by more than 16), the frames per second, and the CPU milliseconds of the GPU process for a
// frame, on SwiftShader and on Quadrille.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { picture } from '../../../emulator/npm/test/picture.js';
import { serve, start } from './browsers.mjs';

const SCENES = {
  three: [
    'physical', 'glass', 'instances', 'points', 'lines', 'balls', 'mirror', 'bloom', 'depthOfField', 'ambientOcclusion', 'waves', 'volume',
    'landscape', 'skins',
  ],
  three_passes: [
    'afterimage', 'blurredLight', 'dots', 'film', 'halftone', 'table', 'outline', 'pixelated', 'sao', 'smaa', 'supersampled', 'ssao',
    'reflections', 'fxaa', 'hue', 'kaleidoscope', 'shifted', 'sobel', 'tilted',
  ],
  three_world: [
    'pointShadows', 'spotShadows', 'varianceShadows', 'hardShadows', 'cascades', 'areaLights', 'materials', 'cubeCamera', 'water',
    'refraction', 'flares', 'panorama', 'decals', 'stencil', 'batch', 'deferred', 'layers', 'details', 'views', 'contours', 'anaglyph',
    'far', 'morphs',
  ],
  three_webgpu: ['physical', 'particles', 'bloom', 'nodes'],
  three_webgpu_passes: [
    'afterimage', 'bleached', 'aberration', 'depthOfField', 'dots', 'grain', 'smoothEdges', 'blurred', 'pixelated', 'shifted', 'brown',
    'morphological', 'edges', 'supersampled', 'occlusion', 'temporal',
  ],
  babylon: ['shadowsWebgl', 'bloomWebgl', 'shadowsWebgpu'],
  babylon_more: [
    'glowWebgl', 'glowWebgpu', 'highlight', 'edges', 'occlusionWebgl', 'depthOfField', 'blurred', 'mirrorWebgl', 'mirrorWebgpu',
    'refraction', 'physicalWebgl', 'physicalWebgpu', 'cubeShadows', 'text', 'particles',
  ],
  pixi: ['spritesWebgl', 'filters', 'spritesWebgpu', 'text', 'blendsWebgl', 'blendsWebgpu', 'mesh', 'displaced', 'particles'],
  deck: ['columns', 'arcs', 'paths', 'polygons', 'cells', 'lines', 'cloud', 'heat', 'hexagons', 'words'],
};
const GPUS = ['swiftshader', 'quadrille'];
const viewport = { width: 960, height: 540 };

/** Processor time of the GPU processes below this process, in milliseconds. */
function gpuTime() {
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

/** Opens a scene, draws the frame of one second, and returns its picture, the rate of frames and their cost. */
async function run(gpu, address, name, seconds) {
  const browser = await start(gpu, ['--enable-webgpu-developer-features']);
  const messages = [];
  try {
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
    const png = await page.screenshot();
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
    return { png, rate: frames / lasted, cost: (gpuTime() - before) / frames, messages };
  } catch (error) {
    return { error: `${error}`.split('\n')[0], messages };
  } finally {
    await browser.close();
  }
}

function difference(a, b) {
  const [one, two] = [picture(a), picture(b)];
  let [sum, far] = [0, 0];
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      const other = two.at(x, y);
      const apart = one.at(x, y).map((c, k) => Math.abs(c - other[k]));
      sum += apart[0] + apart[1] + apart[2];
      far += apart.some((c) => c > 16);
    }
  }
  const pixels = one.width * one.height;
  return { mean: sum / pixels / 3, far: far / pixels };
}

const { values, positionals: [out] } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string', default: '' } },
});
mkdirSync(out, { recursive: true });
const here = fileURLToPath(new URL('.', import.meta.url));
const address = await serve({ '/pages/': `${here}pages`, '/modules/': `${here}node_modules` });
console.log('| scene | mean difference | pixels | SwiftShader: frames/s | Quadrille: frames/s | ratio | CPU ms/frame | CPU ms/frame |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
const ratios = [];
for (const [library, scenes] of Object.entries(SCENES)) {
  for (const name of scenes.map((scene) => `${library}/${scene}`).filter((name) => name.includes(values.only))) {
    const seen = {};
    for (const gpu of GPUS) {
      // The stock configuration has blank canvases of WebGPU.
      const kind = gpu === 'swiftshader' && /webgpu/i.test(name) ? 'swiftshader-webgpu' : gpu;
      seen[gpu] = await run(kind, address, name, Number(values.seconds));
      if (seen[gpu].png) writeFileSync(`${out}/${name.replace('/', '-')}-${gpu}.png`, seen[gpu].png);
      for (const message of seen[gpu].messages) console.error(`${name} on ${gpu}: ${message.slice(0, 300)}`);
    }
    const [a, b] = GPUS.map((gpu) => seen[gpu]);
    if (a.error || b.error) {
      console.log(`| ${name} | ${a.error ?? 'ok'} | ${b.error ?? 'ok'} |`);
      continue;
    }
    const { mean, far } = difference(a.png, b.png);
    ratios.push(b.rate / a.rate);
    const cells = [mean.toFixed(2), `${(100 * far).toFixed(2)} %`, a.rate.toFixed(2), b.rate.toFixed(2), (b.rate / a.rate).toFixed(1), a.cost.toFixed(0), b.cost.toFixed(0)];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`geometric mean of ${ratios.length} ratios: ${mean.toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}`);
process.exit(0);

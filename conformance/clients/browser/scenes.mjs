// Scenes of three.js, Babylon.js, Pixi and deck.gl in headless Chromium, on Quadrille and on SwiftShader: pictures are
// compared, then frames are counted.
//
//   node scenes.mjs OUT [--seconds 6] [--only PART]
//
// OUT gets the pictures. Each line has the difference of the pictures (mean of 255 levels, share of the pixels in which a
// component differs by more than 16, and the mean of LDR-FLIP from 0 to 1), the frames per second, and the CPU milliseconds
// of the GPU process for a frame, on SwiftShader and on Quadrille.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { picture } from '../../../emulator/npm/test/picture.js';
import { flip } from './flip.mjs';
import { open, rate, serveScenes, startFor } from './frames.mjs';

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
/** Opens a scene, draws the frame of one second, and returns its picture, the rate of frames and their cost. */
async function run(gpu, address, name, seconds) {
  const messages = [];
  const browser = await startFor(gpu, name);
  try {
    const page = await open(browser, address, name, messages);
    const png = await page.screenshot();
    return { png, ...await rate(page, seconds), messages };
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
  return { mean: sum / pixels / 3, far: far / pixels, seen: flip(one, two).mean };
}

const { values, positionals: [out] } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string', default: '' } },
});
mkdirSync(out, { recursive: true });
const address = await serveScenes();
console.log('| scene | mean difference | pixels | FLIP | SwiftShader: frames/s | Quadrille: frames/s | ratio | CPU ms/frame | CPU ms/frame |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
const ratios = [];
for (const [library, scenes] of Object.entries(SCENES)) {
  for (const name of scenes.map((scene) => `${library}/${scene}`).filter((name) => name.includes(values.only))) {
    const seen = {};
    for (const gpu of GPUS) {
      seen[gpu] = await run(gpu, address, name, Number(values.seconds));
      if (seen[gpu].png) writeFileSync(`${out}/${name.replace('/', '-')}-${gpu}.png`, seen[gpu].png);
      for (const message of seen[gpu].messages) console.error(`${name} on ${gpu}: ${message.slice(0, 300)}`);
    }
    const [a, b] = GPUS.map((gpu) => seen[gpu]);
    if (a.error || b.error) {
      console.log(`| ${name} | ${a.error ?? 'ok'} | ${b.error ?? 'ok'} |`);
      continue;
    }
    const apart = difference(a.png, b.png);
    ratios.push(b.rate / a.rate);
    const differences = [apart.mean.toFixed(2), `${(100 * apart.far).toFixed(2)} %`, apart.seen.toFixed(4)];
    const cells = [...differences, a.rate.toFixed(2), b.rate.toFixed(2), (b.rate / a.rate).toFixed(1), a.cost.toFixed(0), b.cost.toFixed(0)];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`geometric mean of ${ratios.length} ratios: ${mean.toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}`);
process.exit(0);

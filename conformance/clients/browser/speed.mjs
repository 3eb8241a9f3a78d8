// Speed of ten pages in headless Chromium, on SwiftShader and on Quadrille by turns: frames per second, a video of
// frames that are captured one by one, and the start of the browser.
//
//   node speed.mjs [--turns 3] [--seconds 4] [--frames 360] [--capture PAGE] [--only PART]
//
// Rows are medians of the turns; the video, which takes minutes on SwiftShader, is made once, and empty pages are opened
// eleven times. `GPU` is the processor time of the GPU process, for a frame or for the whole video.
import { parseArgs } from 'node:util';
import { gpuTime, open, rate, serveScenes, startFor } from './frames.mjs';

/** A page of each kind of load: materials, refraction, instances, passes, shadows, water, WebGPU, sprites, maps. */
const PAGES = [
  'three/physical', 'three/glass', 'three/instances', 'three/bloom', 'three_world/cascades', 'three_world/water',
  'three_webgpu/physical', 'babylon/shadowsWebgl', 'pixi/spritesWebgl', 'deck/columns',
];
const GPUS = ['swiftshader', 'quadrille'];

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '3' }, seconds: { type: 'string', default: '4' }, frames: { type: 'string', default: '360' },
    capture: { type: 'string', default: 'three/physical' }, only: { type: 'string', default: '' },
  },
});
const address = await serveScenes();
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** What `measure` returns on each GPU: for each of its numbers, the median of the turns. */
async function turns(name, measure, count = Number(values.turns)) {
  const all = Object.fromEntries(GPUS.map((gpu) => [gpu, []]));
  for (let turn = 0; turn < count; turn++) {
    for (const gpu of GPUS) {
      const began = performance.now();
      const browser = await startFor(gpu, name);
      try {
        all[gpu].push(await measure(browser, began));
      } finally {
        await browser.close();
      }
    }
  }
  return GPUS.map((gpu) => all[gpu][0].map((_, number) => median(all[gpu].map((row) => row[number]))));
}

/** Prints a row of two figures for which less is better, or more, and a second pair. */
function row(title, [[a, c], [b, d]], more) {
  const ratio = more ? b / a : a / b;
  console.log(`| ${title} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${ratio.toFixed(2)} | ${c.toFixed(0)} | ${d.toFixed(0)} |`);
  return ratio;
}

console.log('| | SwiftShader | Quadrille | ratio | SwiftShader: GPU, ms | Quadrille: GPU, ms |\n|---|---:|---:|---:|---:|---:|');
const ratios = [];
for (const name of PAGES.filter((name) => name.includes(values.only))) {
  const frames = await turns(name, async (browser) => {
    const { rate: perSecond, cost } = await rate(await open(browser, address, name), Number(values.seconds));
    return [perSecond, cost];
  });
  ratios.push(row(`${name}, frames per second`, frames, true));
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
const count = Number(values.frames);
const name = values.capture;
row(`${name}, ${count} frames captured, s`, await turns(name, async (browser) => {
  const page = await open(browser, address, name);
  const [began, before] = [performance.now(), gpuTime()];
  for (let frame = 0; frame < count; frame++) {
    await page.evaluate(async (time) => (await window.scene)(time), 1 + frame / 30);
    await page.screenshot({ type: 'jpeg', quality: 80 });
  }
  return [(performance.now() - began) / 1000, gpuTime() - before];
}, 1));
row('start of the browser to an empty page, s', await turns('', async (browser, began) => {
  await browser.newPage();
  return [(performance.now() - began) / 1000, gpuTime()];
}, 11));
row(`start of the browser to a picture of ${name}, s`, await turns(name, async (browser, began) => {
  const before = gpuTime();
  await (await open(browser, address, name)).screenshot();
  return [(performance.now() - began) / 1000, gpuTime() - before];
}));
console.log(`geometric mean of ${ratios.length} rates: ${mean.toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}`);
process.exit(0);

// The page with canvases of WebGL 1, WebGL 2 and WebGPU, and the pixels that it must show. WebGPU needs a secure context,
// which files do not have, so that a server on the loopback interface serves the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { picture } from './picture.js';

/** Path of the installed browser. */
export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Pages see the name of a device of WebGPU only with this. */
export const args = ['--enable-webgpu-developer-features'];
/** Limit of a test, in milliseconds. */
export const limits = { timeout: 120_000 };
export const viewport = { width: 520, height: 200 };

/** Serves the page until the test ends, and returns its address. */
export async function address(test) {
  const page = readFileSync(new URL('pages/canvases.html', import.meta.url));
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Every pixel of the page after `frame(i)`: discs by their equation, and white around the canvases. */
export function compare(png, i) {
  const seen = picture(png);
  assert.deepEqual({ width: seen.width, height: seen.height }, viewport);
  const grounds = [[0, 255, 0], [0, 255, 0], [0, 0, 255]];
  for (let y = 0; y < viewport.height; y++) {
    for (let x = 0; x < viewport.width; x++) {
      const canvas = y < 160 ? Math.floor(x / 160) : 3;
      const [dx, dy] = [(x % 160) + 0.5 - (60 + 10 * canvas + i), y + 0.5 - (70 + i)];
      const wanted = canvas > 2 ? [255, 255, 255] : dx * dx + dy * dy < 1600 ? [255, 0, 0] : grounds[canvas];
      const got = seen.at(x, y);
      if (got.some((c, k) => c !== wanted[k])) assert.fail(`frame ${i}, pixel ${x}, ${y}: ${got}, not ${wanted}`);
    }
  }
}

/** Opens the page in a tab of Playwright or Puppeteer, and checks it. */
export async function check(tab, url) {
  await tab.goto(url);
  const on = await tab.evaluate(async () => (await window.page).on);
  for (const name of ['webgl', 'webgl2', 'webgpu']) assert.match(on[name], /Quadrille/i, `${name}: ${on[name]}`);
  compare(await tab.screenshot(), 0);
  for (const i of [7, 23]) {
    await tab.evaluate(async (i) => (await window.page).frame(i), i);
    compare(await tab.screenshot(), i);
  }
}

/** Records each canvas and plays the video. VP8 is not exact: a component may differ by 12 of 255. */
export async function checkVideos(tab) {
  const videos = await tab.evaluate(async () => (await window.page).videos());
  const [red, green, blue] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];
  for (const [name, ground] of [['webgl', green], ['webgl2', green], ['webgpu', blue]]) {
    [red, ground].forEach((wanted, k) =>
      wanted.forEach((c, i) => assert.ok(Math.abs(videos[name][k][i] - c) <= 12, `${name}: ${videos[name]}`)));
  }
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { launch } from 'quadrille';
import { address, args, check, checkVideos, executablePath, limits, viewport } from './canvases.js';

test('canvases of WebGL 1, WebGL 2 and WebGPU by Playwright: every pixel of screenshots, and videos', limits, async (t) => {
  const browser = await chromium.launch(launch({ executablePath, args }));
  t.after(() => browser.close());
  const tab = await browser.newPage({ viewport });
  await check(tab, await address(t));
  await checkVideos(tab);
});

test('the page of Playwright draws the same bits with one thread', limits, async (t) => {
  const env = { ...process.env, QUADRILLE_THREADS: '1' };
  const url = await address(t);
  const shots = [];
  for (const options of [{ executablePath }, { executablePath, env }]) {
    const browser = await chromium.launch(launch(options));
    const tab = await browser.newPage({ viewport });
    await tab.goto(url);
    await tab.evaluate(async () => (await window.page).frame(11));
    shots.push(await tab.screenshot());
    await browser.close();
  }
  assert.ok(shots[0].equals(shots[1]));
});

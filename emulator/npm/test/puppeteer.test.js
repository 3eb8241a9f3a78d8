import { test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { launch } from 'quadrille';
import { address, args, check, checkVideos, executablePath, limits, viewport } from './canvases.js';

test('canvases of WebGL 1, WebGL 2 and WebGPU by Puppeteer: every pixel of screenshots, and videos', limits, async (t) => {
  const browser = await puppeteer.launch(launch({ executablePath, args, defaultViewport: viewport }));
  t.after(() => browser.close());
  const tab = await browser.newPage();
  await check(tab, await address(t));
  await checkVideos(tab);
});

// Compiled, not run: the options fit Playwright and Puppeteer, and what the caller names keeps its type.
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { enable, environment, launch, library, manifest } from 'quadrille';
import 'quadrille/enable';

export const browsers = [
  chromium.launch(launch()),
  chromium.launch(launch({ executablePath: '/usr/bin/chromium', args: ['--mute-audio'], headless: true })),
  puppeteer.launch(launch({ channel: 'chrome' })),
  puppeteer.launch(launch({ executablePath: '/usr/bin/chromium', env: process.env })),
];
export const path: string = launch({ executablePath: 'a' }).executablePath;
export const texts: string[] = [library(), manifest(), ...Object.values(environment()), ...launch().args];
enable();
// @ts-expect-error: arguments are a list
launch({ args: '--mute-audio' });

import { defineConfig } from '@playwright/test';
import { launch } from 'quadrille';

export default defineConfig({
  testDir: 'tests',
  timeout: 60_000,
  // One golden for every machine.
  snapshotPathTemplate: '{testDir}/goldens/{arg}{ext}',
  expect: { timeout: 30_000, toHaveScreenshot: { threshold: 0, maxDiffPixels: 0 } },
  outputDir: process.env.TEST_OUTPUT ?? 'out',
  webServer: { command: 'node server.js', url: 'http://127.0.0.1:8931/webgl.html', reuseExistingServer: false },
  use: {
    baseURL: 'http://127.0.0.1:8931',
    viewport: { width: 640, height: 360 },
    // Without `executablePath`: the browser of `npx playwright install chromium`.
    launchOptions: launch({ executablePath: process.env.CHROMIUM }),
  },
});

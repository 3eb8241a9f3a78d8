import { expect, test } from '@playwright/test';

for (const name of ['webgl', 'webgpu']) {
  for (const time of [0, 1.5]) {
    test(`${name} at ${time} s`, async ({ page }) => {
      await page.goto(`${name}.html`);
      // A page draws a frame when a test asks for it: the picture depends on no clock.
      await page.evaluate(async (time) => (await window.scene).draw(time), time);
      await expect(page.locator('canvas')).toHaveScreenshot(`${name}-${time}.png`);
    });
  }
}

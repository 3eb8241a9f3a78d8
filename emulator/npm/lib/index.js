export { launch } from './browser.js';
export { enable, environment, library, manifest } from './driver.js';

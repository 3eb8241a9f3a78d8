// The driver in this package, and the variables by which Vulkan's loader finds it. Flags of browsers are in browser.js.
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(`../driver/${name}`, import.meta.url));

/** Path of the library of the driver. */
export function library() {
  const path = file('libvk_quadrille.so');
  if (!existsSync(path)) {
    throw new Error(`there is no ${path}: build the driver by \`npm run build\` in the folder of this package`);
  }
  return path;
}

/** Path of the manifest by which Vulkan's loader finds the driver. */
export function manifest() {
  library();
  return file('quadrille_icd.json');
}

/** Variables that make Vulkan's loader use this driver, and no other. */
export function environment() {
  const path = manifest();
  if (path.includes(delimiter)) {
    throw new Error(`VK_DRIVER_FILES cannot name ${path}: its value is a list`);
  }
  // Older loaders read only the second variable. Mesa's layer for the selection of devices must not interfere.
  return { VK_DRIVER_FILES: path, VK_ICD_FILENAMES: path, NODEVICE_SELECT: '1' };
}

/** Sets these variables in this process, for libraries that it loads later and for its child processes. */
export function enable() {
  Object.assign(process.env, environment());
}

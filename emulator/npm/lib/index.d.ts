/** Options of `launch`, which Playwright and Puppeteer share. */
export interface Options {
  /** More arguments for the browser. Lists of features are united. */
  args?: string[];
  /** Variables of the browser (default: those of this process). */
  env?: Record<string, string | undefined>;
}

/** Options that `launch` adds to those of the caller. */
export interface Launch {
  args: string[];
  env: Record<string, string>;
}

/**
 * Options for `chromium.launch` of Playwright and for `puppeteer.launch`, by which the browser draws on Quadrille:
 * WebGL, WebGPU and the page itself. All other options are passed on, such as `executablePath`.
 */
export function launch(): Launch;
export function launch<const T extends object>(options: T & Options): Omit<T, keyof Launch> & Launch;

/** Makes Vulkan libraries that this process loads later, and its child processes, use Quadrille. */
export function enable(): void;

/** Variables that make the Vulkan loader use Quadrille, and no other driver. */
export function environment(): { VK_DRIVER_FILES: string; VK_ICD_FILENAMES: string; NODEVICE_SELECT: string };

/** Path of the library of the driver. */
export function library(): string;

/** Path of the manifest by which the Vulkan loader finds the driver. */
export function manifest(): string;

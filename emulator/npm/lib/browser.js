// Options that make Chromium draw on the driver. The driver itself is in driver.js.
import { environment } from './driver.js';

/** Features of Chromium: the compositor uses Vulkan, so that canvases of WebGPU reach it. */
const FEATURES = ['Vulkan'];

const FLAGS = [
  // WebGL: ANGLE on the driver.
  '--use-gl=angle',
  '--use-angle=vulkan',
  // The compositor on the driver, instead of on Chromium's SwiftShader.
  '--use-vulkan=native',
  '--enable-unsafe-webgpu',
  '--ignore-gpu-blocklist',
  // A frame may take seconds on a busy machine.
  '--disable-gpu-watchdog',
];

/** The names that the switch `--NAME=a,b` lists in these arguments. */
const listed = (args, name) =>
  args.filter((arg) => arg.startsWith(`--${name}=`)).flatMap((arg) => arg.slice(name.length + 3).split(','));

/**
 * Chromium reads only the last `--enable-features`, so that this one has those of the caller too.
 */
function flags(args) {
  const features = new Set([...FEATURES, ...listed(args, 'enable-features')]);
  const others = args.filter((arg) => !arg.startsWith('--enable-features='));
  // Chromium does not start as root in its sandbox.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [...root, ...FLAGS, ...others, `--enable-features=${[...features].filter(Boolean).join(',')}`];
}

/** Options for `chromium.launch` of Playwright and `puppeteer.launch`, with the options of the caller. */
export function launch(options = {}) {
  const env = {
    ...(options.env ?? process.env),
    ...environment(),
    // Dawn prefers Chromium's SwiftShader to other devices of the type CPU.
    QUADRILLE_IDENTITY: 'integrated',
  };
  return { ...options, args: flags(options.args ?? []), env };
}

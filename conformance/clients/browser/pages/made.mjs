// Data that scenes of several libraries use, from formulas.

const wave = (x, y, z) => Math.sin(x) * Math.cos(1.3 * y + 0.5 * z) + Math.sin(2.1 * z - x) * 0.5 + Math.cos(3.7 * y) * 0.25;

/** Densities from 0 to 255 in a cube. */
export function createNoiseVolume(size) {
  const data = new Uint8Array(size ** 3);
  for (let z = 0, at = 0; z < size; z++) for (let y = 0; y < size; y++) for (let x = 0; x < size; x++, at++) {
    const [u, v, w] = [x, y, z].map((c) => (c / size) * 9);
    data[at] = Math.max(0, Math.min(255, 128 + 75 * wave(u, v, w)));
  }
  return data;
}

/** Raises points (x, y, z) by the height of their place. */
export function createLandscape(points) {
  for (let i = 0; i < points.length; i += 3) points[i + 1] = wave(points[i], points[i + 2], 1) * 0.5 - 1;
}

// Reads pictures that browsers write: PNG of 8 bits per component, not interlaced.
import { inflateSync } from 'node:zlib';

const COMPONENTS = { 2: 3, 6: 4 };

/** The row before its filter was applied. Spec: PNG 9.2. */
function unfilter(kind, row, above, step) {
  for (let i = 0; i < row.length; i++) {
    const [a, b, c] = [i < step ? 0 : row[i - step], above[i], i < step ? 0 : above[i - step]];
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    row[i] += [0, a, b, (a + b) >> 1, paeth][kind];
  }
  return row;
}

/** Width, height, and `at(x, y)`: red, green and blue. */
export function picture(png) {
  const data = Buffer.from(png);
  const [width, height, depth, kind] = [data.readUInt32BE(16), data.readUInt32BE(20), data[24], data[25]];
  if (depth !== 8 || !(kind in COMPONENTS) || data[28] !== 0) throw new Error('another kind of PNG');
  const parts = [];
  for (let at = 8; at < data.length; at += 12 + data.readUInt32BE(at)) {
    if (data.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(data.subarray(at + 8, at + 8 + data.readUInt32BE(at)));
  }
  const [bytes, step] = [inflateSync(Buffer.concat(parts)), COMPONENTS[kind]];
  const rows = [];
  for (let y = 0, above = new Uint8Array(width * step); y < height; y++) {
    const start = y * (width * step + 1);
    above = unfilter(bytes[start], new Uint8Array(bytes.subarray(start + 1, start + 1 + width * step)), above, step);
    rows.push(above);
  }
  return { width, height, at: (x, y) => [...rows[y].subarray(x * step, x * step + 3)] };
}

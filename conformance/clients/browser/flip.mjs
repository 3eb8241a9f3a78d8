// LDR-FLIP: the difference of two pictures as people see it who alternate between them, from 0 to 1 for each pixel.
//
// Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström and Fairchild: FLIP: A Difference Evaluator for Alternating Images
// (HPG 2020). Constants and transforms are those of the paper and of its reference implementation, with which
// `flip.test.mjs` compares values.

/** Pixels per degree of an observer 0.7 m away from a screen that is 0.7 m wide and has 3840 columns. */
export const PIXELS_PER_DEGREE = 0.7 * (3840 / 0.7) * (Math.PI / 180);

// Contrast sensitivity of the channels of YCxCz: sums of Gaussians with weights and widths.
const SENSITIVITY = [
  [[1, 0.0047]],
  [[1, 0.0053]],
  [[34.1, 0.04], [13.5, 0.025]],
];
/** Widest of these Gaussians, which gives all filters their radius. */
const WIDEST = 0.04;
/** Width of the detectors of edges and points, in degrees. */
const FEATURE_WIDTH = 0.082;
/** Exponents of the differences of colours and of features. */
const [COLOR_EXPONENT, FEATURE_EXPONENT] = [0.7, 0.5];
/** Differences up to this share of the largest one are mapped to values up to the other share. */
const [KNEE, KNEE_VALUE] = [0.4, 0.95];

const LINEAR_TO_XYZ = [
  [10135552 / 24577794, 8788810 / 24577794, 4435075 / 24577794],
  [2613072 / 12288897, 8788810 / 12288897, 887015 / 12288897],
  [1425312 / 73733382, 8788810 / 73733382, 70074185 / 73733382],
];
const XYZ_TO_LINEAR = inverse(LINEAR_TO_XYZ);
const WHITE = transform(LINEAR_TO_XYZ, [1, 1, 1]);

function transform(matrix, [x, y, z]) {
  return matrix.map(([a, b, c]) => a * x + b * y + c * z);
}

function inverse([[a, b, c], [d, e, f], [g, h, i]]) {
  const adjoint = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  const determinant = a * adjoint[0][0] + b * adjoint[1][0] + c * adjoint[2][0];
  return adjoint.map((row) => row.map((value) => value / determinant));
}

function linear(byte) {
  const value = byte / 255;
  return value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92;
}

/** Linear RGB to YCxCz, which is linear in it. */
function opponent(rgb) {
  const [x, y, z] = transform(LINEAR_TO_XYZ, rgb).map((value, k) => value / WHITE[k]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function fromOpponent([luma, cx, cz]) {
  const y = (luma + 16) / 116;
  return transform(XYZ_TO_LINEAR, [y + cx / 500, y, y - cz / 200].map((value, k) => value * WHITE[k]));
}

/** Linear RGB to CIELAB, whose chroma grows with the lightness (Hunt effect). */
function perceived(rgb) {
  const limit = 6 / 29;
  const [x, y, z] = transform(LINEAR_TO_XYZ, rgb).map((value, k) => {
    const of = value / WHITE[k];
    return of > limit ** 3 ? Math.cbrt(of) : of / (3 * limit * limit) + 4 / 29;
  });
  const lightness = 116 * y - 16;
  return [lightness, 0.01 * lightness * 500 * (x - y), 0.01 * lightness * 200 * (y - z)];
}

/** HyAB distance of two colours. */
function distance([l, a, b], [m, c, d]) {
  return Math.abs(l - m) + Math.hypot(a - c, b - d);
}

/** The largest difference, that of green and blue. */
const LARGEST = distance(perceived([0, 1, 0]), perceived([0, 0, 1])) ** COLOR_EXPONENT;

/** Maps a power of a distance to 0..1, so that small ones take most of the range. */
function spread(power) {
  const knee = KNEE * LARGEST;
  if (power < knee) return (KNEE_VALUE / knee) * power;
  return KNEE_VALUE + ((power - knee) / (LARGEST - knee)) * (1 - KNEE_VALUE);
}

/** Values of a function at whole numbers from -radius to radius. */
function sampled(radius, f) {
  return Float64Array.from({ length: 2 * radius + 1 }, (_, i) => f(i - radius));
}

const sum = (values) => values.reduce((all, value) => all + value, 0);

/** Filters a channel by rows and columns; beyond the edges its last values repeat. */
function filter(channel, width, height, alongX, alongY) {
  const pass = (from, length, lines, step, stride, kernel) => {
    const radius = (kernel.length - 1) / 2;
    const to = new Float64Array(from.length);
    for (let line = 0; line < lines; line++) {
      for (let i = 0; i < length; i++) {
        let value = 0;
        for (let k = 0; k < kernel.length; k++) {
          const at = Math.min(Math.max(i + k - radius, 0), length - 1);
          value += kernel[k] * from[line * stride + at * step];
        }
        to[line * stride + i * step] = value;
      }
    }
    return to;
  };
  const rows = pass(channel, width, height, 1, width, alongX);
  return pass(rows, height, width, width, 1, alongY);
}

/** Channels as the eye resolves them. */
function blurred(channels, width, height, perDegree) {
  const radius = Math.ceil(3 * Math.sqrt(WIDEST / (2 * Math.PI ** 2)) * perDegree);
  return channels.map((channel, k) => {
    const parts = SENSITIVITY[k].map(([weight, b]) => {
      const kernel = sampled(radius, (i) => Math.exp(-(Math.PI ** 2) * (i / perDegree) ** 2 / b));
      return { kernel, weight: weight * Math.sqrt(Math.PI / b) };
    });
    const total = sum(parts.map(({ kernel, weight }) => weight * sum(kernel) ** 2));
    const out = new Float64Array(channel.length);
    for (const { kernel, weight } of parts) {
      const part = filter(channel, width, height, kernel, kernel);
      for (let i = 0; i < out.length; i++) out[i] += (weight / total) * part[i];
    }
    return out;
  });
}

/** Scales the positive values to a sum of 1, and the negative ones to a sum of -1. */
function balanced(kernel) {
  const [up, down] = [sum(kernel.filter((v) => v > 0)), -sum(kernel.filter((v) => v < 0))];
  return kernel.map((v) => (v > 0 ? v / up : v / down));
}

/** Sizes of the edges and of the points of a channel at each pixel. */
function features(luma, width, height, perDegree) {
  const deviation = 0.5 * FEATURE_WIDTH * perDegree;
  const radius = Math.ceil(3 * deviation);
  const gauss = sampled(radius, (i) => Math.exp(-(i * i) / (2 * deviation * deviation)));
  const smooth = gauss.map((v) => v / sum(gauss));
  const edge = balanced(gauss.map((v, i) => -(i - radius) * v));
  const point = balanced(gauss.map((v, i) => (((i - radius) / deviation) ** 2 - 1) * v));
  return [edge, point].map((kernel) => {
    const x = filter(luma, width, height, kernel, smooth);
    const y = filter(luma, width, height, smooth, kernel);
    return x.map((v, i) => Math.hypot(v, y[i]));
  });
}

/** Colours as they are perceived, and features, of a picture. */
function seen({ width, height, at }, perDegree) {
  const channels = [0, 1, 2].map(() => new Float64Array(width * height));
  for (let i = 0; i < width * height; i++) {
    const color = opponent(at(i % width, Math.floor(i / width)).map(linear));
    for (let k = 0; k < 3; k++) channels[k][i] = color[k];
  }
  const luma = channels[0].map((v) => (v + 16) / 116);
  const [edges, points] = features(luma, width, height, perDegree);
  const soft = blurred(channels, width, height, perDegree);
  const color = (i) => {
    const rgb = fromOpponent(soft.map((channel) => channel[i]));
    return perceived(rgb.map((v) => Math.min(Math.max(v, 0), 1)));
  };
  return { color, edges, points };
}

/**
 * Compares a picture with a reference of the same size, each with `width`, `height` and `at(x, y)`: red, green and blue of
 * sRGB from 0 to 255. Returns the differences of the pixels, row by row, and their mean.
 */
export function flip(reference, test, perDegree = PIXELS_PER_DEGREE) {
  const { width, height } = reference;
  if (test.width !== width || test.height !== height) throw new Error('the pictures differ in size');
  const [one, two] = [reference, test].map((picture) => seen(picture, perDegree));
  const map = Float64Array.from({ length: width * height }, (_, i) => {
    const color = spread(distance(one.color(i), two.color(i)) ** COLOR_EXPONENT);
    const edge = Math.abs(one.edges[i] - two.edges[i]);
    const point = Math.abs(one.points[i] - two.points[i]);
    const feature = Math.min((Math.SQRT1_2 * Math.max(edge, point)) ** FEATURE_EXPONENT, 1);
    return color ** (1 - feature);
  });
  return { map, mean: sum(map) / map.length };
}

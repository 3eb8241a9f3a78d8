// Our LDR-FLIP against the reference implementation (`flip_reference.py`), and properties that follow from the paper.
//
//   node --test
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { flip } from './flip.mjs';

const [WIDTH, HEIGHT] = [61, 43];

// The formulas of `flip_reference.py`.
const gradient = (x, y) => [x * 4, y * 5, 255 - x * 2 - y * 3];
const noise = (x, y) => [1, 3, 5].map((k) => (x * x * 31 + y * y * 17 + x * y * 7 * k) % 256);
const lines = (x, y) => (x % 7 === 3 || (x + y) % 11 === 0 ? [30, 20, 60] : [240, 230, 200]);
const spot = (x, y) => (x === 30 && y === 20 ? [255, 255, 255] : [90, 90, 90]);
const flat = (...color) => () => color;
const moved = (of, by) => (x, y) => of((x + by) % WIDTH, y);
const lighter = (of, by) => (x, y) => of(x, y).map((value) => Math.min(255, value + by));

const CASES = {
  'the same': [gradient, gradient],
  'black and white': [flat(0, 0, 0), flat(255, 255, 255)],
  'green and blue': [flat(0, 255, 0), flat(0, 0, 255)],
  'a little lighter': [gradient, lighter(gradient, 3)],
  'much lighter': [gradient, lighter(gradient, 60)],
  'moved lines': [lines, moved(lines, 1)],
  'moved noise': [noise, moved(noise, 2)],
  'noise and lines': [noise, lines],
  'a spot': [flat(90, 90, 90), spot],
  'another red': [flat(200, 30, 40), flat(180, 60, 40)],
};
const picture = (at) => ({ width: WIDTH, height: HEIGHT, at });

test('values are those of the reference implementation', () => {
  const { places, cases } = JSON.parse(readFileSync(new URL('flip_reference.json', import.meta.url)));
  assert.equal(cases.length, 2 * Object.keys(CASES).length);
  for (const { case: name, perDegree, mean, pixels } of cases) {
    const [reference, other] = CASES[name].map(picture);
    const found = flip(reference, other, perDegree ?? undefined);
    // The reference implementation computes with floats of 32 bits.
    const near = (a, b, what) => assert.ok(Math.abs(a - b) < 5e-4, `${name}, ${perDegree}, ${what}: ${a}, not ${b}`);
    near(found.mean, mean, 'mean');
    places.forEach(([x, y], i) => near(found.map[y * WIDTH + x], pixels[i], `pixel ${x}, ${y}`));
  }
});

test('equal pictures do not differ, and the order of two does not matter', () => {
  for (const [reference, other] of Object.values(CASES).map((pair) => pair.map(picture))) {
    assert.equal(flip(reference, reference).mean, 0);
    assert.ok(Math.abs(flip(reference, other).mean - flip(other, reference).mean) < 1e-12);
  }
});

test('pictures of different sizes are refused', () => {
  assert.throws(() => flip(picture(gradient), { ...picture(gradient), width: 60 }), /differ in size/);
});

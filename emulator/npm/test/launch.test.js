import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environment, launch, library, manifest } from 'quadrille';

const features = (args) => args.filter((arg) => arg.startsWith('--enable-features='));

test('options of the caller are passed on', () => {
  const { args, env, ...rest } = launch({ headless: false, executablePath: '/a', args: ['--b'], env: { C: 'd' } });
  assert.deepEqual(rest, { headless: false, executablePath: '/a' });
  assert.ok(args.includes('--b'));
  assert.deepEqual(env, { C: 'd', QUADRILLE_IDENTITY: 'integrated', ...environment() });
});

test('the browser inherits the environment', () => {
  assert.equal(launch().env.PATH, process.env.PATH);
});

test('features of the caller are in the only list', () => {
  assert.deepEqual(features(launch().args), ['--enable-features=Vulkan']);
  const args = launch({ args: ['--enable-features=A,B', '--enable-features=Vulkan,C'] }).args;
  assert.deepEqual(features(args), ['--enable-features=Vulkan,A,B,C']);
});

test('the options of the caller stay as they are', () => {
  const options = Object.freeze({ args: Object.freeze(['--enable-features=A']), env: Object.freeze({}) });
  launch(options);
  assert.deepEqual(options, { args: ['--enable-features=A'], env: {} });
});

test('the manifest names the library beside it', () => {
  assert.equal(JSON.parse(readFileSync(manifest())).ICD.library_path, './libvk_quadrille.so');
  assert.equal(library().replace(/[^/]*$/, ''), manifest().replace(/[^/]*$/, ''));
});

test('a manifest has one name in a list', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a:b-'));
  try {
    ['lib', 'driver'].forEach((name) => mkdirSync(join(folder, name)));
    writeFileSync(join(folder, 'driver/libvk_quadrille.so'), '');
    const module = join(folder, 'lib/driver.mjs');
    copyFileSync(new URL('../lib/driver.js', import.meta.url), module);
    const driver = await import(pathToFileURL(module));
    assert.throws(driver.environment, /its value is a list/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

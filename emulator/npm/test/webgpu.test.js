import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('Dawn in Node computes on the driver', () => {
  // Threads of Dawn keep a process alive, so that it has one of its own.
  const program = fileURLToPath(new URL('dawn.js', import.meta.url));
  const { VK_DRIVER_FILES, VK_ICD_FILENAMES, ...env } = process.env;
  const said = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8', env }));
  assert.match(said.on, /quadrille/i);
  assert.deepEqual(said.values, [0, 1, 4, 9, 16, 25, 36, 49]);
});

// Khronos' WebGL conformance suite in headless Chromium, on Quadrille or on SwiftShader.
//
//   node webgl_suite.mjs SUITE quadrille|swiftshader OUT.jsonl [--pages 1000] [--at-once 2] [--only PART]
//
// SUITE is the folder `sdk/tests` of KhronosGroup/WebGL. The pages of version 2.0 are sampled by the SHA-256 of their
// path. OUT gets a line for each page; a second run continues it. `compare` prints the pages that pass on one GPU only:
//
//   node webgl_suite.mjs compare A.jsonl B.jsonl
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from './browsers.mjs';
import { byHash, compare, results, runAll } from './suite.mjs';

/** Milliseconds that a page may take in each attempt. On a busy machine, a new browser sometimes loads nothing. */
const LIMITS = [90_000, 180_000, 240_000];

/** Numbers of a version, as a value that can be compared. */
const version = (text) => text.split('.').reduce((sum, part) => sum * 100 + Number(part), 0);

/** The pages of a list, and of the lists in it, that version 2.0.1 of the suite runs. */
function pages(suite, list = '00_test_list.txt') {
  return readFileSync(join(suite, list), 'utf8').split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (!words[0] || words[0].startsWith('//') || words[0].startsWith('#')) return [];
    const value = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
    if (version(value('--min-version', '0')) > version('2.0.1')) return [];
    if (version(value('--max-version', '9.9.9')) < version('2.0.1')) return [];
    const path = join(dirname(list), words.at(-1));
    return path.endsWith('.txt') ? pages(suite, path) : [path];
  });
}

/** Opens one page; its messages decide. Pages talk to a harness in their parent window, which is the page itself. */
async function run(browser, address, path, limit) {
  const seen = { pass: 0, fail: 0, skip: 0, first: '' };
  let context, timer, lost;
  try {
    context = await browser.newContext();
    const page = await context.newPage();
    const end = new Promise((done) => {
      page.exposeFunction('suiteReport', (success, text, skipped) => {
        seen[skipped ? 'skip' : success ? 'pass' : 'fail']++;
        if (!success && !skipped) seen.first ||= text;
      });
      page.exposeFunction('suiteEnd', () => done('end'));
      page.on('crash', () => done('crash'));
      lost = () => done('crash');
      browser.on('disconnected', lost);
      timer = setTimeout(() => done('timeout'), limit);
    });
    await page.addInitScript(() => {
      let calls = Promise.resolve();
      let [passed, asked] = [0, false];
      window.webglTestHarness = {
        reportResults: (_, success, text, skipped) => {
          // Thousands of messages of success would cost more than the tests.
          if (success && !skipped && passed++ > 100) return;
          calls = calls.then(() => window.suiteReport(!!success, `${text}`.slice(0, 400), !!skipped));
        },
        notifyFinished: () => {
          if (!asked) calls.then(() => window.suiteEnd());
          asked = true;
        },
      };
    });
    await page.goto(`${address}/${path}${path.includes('?') ? '&' : '?'}webglVersion=2&quiet=1`, { timeout: limit });
    seen.end = await end;
  } catch (error) {
    seen.end = `${error}`.slice(0, 200);
  }
  clearTimeout(timer);
  if (lost) browser.off('disconnected', lost);
  await context?.close().catch(() => {});
  const passes = seen.end === 'end' && seen.fail === 0 && seen.pass + seen.skip > 0;
  return { passes, ...seen };
}

async function main(suite, gpu, out, { pages: count, 'at-once': atOnce, only }) {
  const all = byHash(pages(suite).filter((path) => path.includes(only)));
  const address = await serve({ '/': suite });
  await runAll({
    gpu, out, limits: LIMITS, atOnce: Number(atOnce), names: all.slice(0, Number(count)),
    args: ['--autoplay-policy=no-user-gesture-required'],
    run: (browser, path, limit) => run(browser, address, path, limit),
  });
  const ran = results(out);
  console.log(`${ran.filter((result) => result.passes).length} of ${ran.length} pages pass; the suite has ${all.length}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '1000' }, 'at-once': { type: 'string', default: '2' }, only: { type: 'string', default: '' },
  },
});
if (positionals[0] === 'compare') compare(positionals[1], positionals[2]);
else await main(...positionals, values);

// The WebGPU conformance suite in headless Chromium, on Quadrille or on SwiftShader.
//
//   node webgpu_suite.mjs SUITE quadrille|swiftshader-webgpu OUT.jsonl [--cases 1000] [--each 3] [--at-once 1] [--only webgpu:api]
//
// SUITE is the folder `out` of gpuweb/cts, built by `npm run standalone`. Of each test, `--each` cases are drawn, and of these
// `--cases`, both by the SHA-256 of their names. OUT gets a line for each case; a second run continues it. A case that skips
// passes, and is counted apart. `compare` prints the cases that pass on one GPU only:
//
//   node webgpu_suite.mjs compare A.jsonl B.jsonl
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serve, start } from './browsers.mjs';
import { byHash, compare, results, runAll } from './suite.mjs';

/** Milliseconds that a case may take in each attempt. */
const LIMITS = [60_000, 180_000];

/** The files of tests below the folder, as the suite's loader lists them: parts of their paths, without the ending. */
function listing(suite) {
  const files = readdirSync(`${suite}/webgpu`, { recursive: true }).filter((file) => file.endsWith('.spec.js'));
  return files.sort().map((file) => ({ file: file.slice(0, -'.spec.js'.length).split('/') }));
}

/** The items by what `key` gives for them. */
function groups(items, key) {
  const found = new Map();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return found;
}

/** Opens an empty page of the suite's origin with a loader of its tests. */
async function open(browser, address, files) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${address}/empty`);
  await page.evaluate(async (files) => {
    const { TestFileLoader } = await import('/common/internal/file_loader.js');
    const { parseQuery } = await import('/common/internal/query/parseQuery.js');
    const { Logger } = await import('/common/internal/logging/logger.js');
    class Loader extends TestFileLoader {
      listing() { return Promise.resolve(files); }
      import(path) { return import(`/${path}`); }
    }
    const loader = new Loader();
    window.cases = async (query) => [...(await loader.loadCases(parseQuery(query)))];
    window.runCase = async (query) => {
      const [recorder, result] = new Logger().record(query);
      for (const found of await window.cases(query)) await found.run(recorder, []);
      const log = (result.logs ?? []).map((message) => `${message.name}: ${message.message}`).join('; ');
      return { status: result.status, first: log.slice(0, 400) };
    };
  }, files);
  return page;
}

/** `each` cases of each test, by hash. */
async function sample(gpu, address, files, only, each) {
  const browser = await start(gpu);
  const page = await open(browser, address, files);
  const names = [];
  for (const { file } of files) {
    const query = `webgpu:${file.join(',')}`;
    if (!query.startsWith(only)) continue;
    const namesOf = async (query) => (await window.cases(query)).map((found) => `${found.query}`);
    const cases = await page.evaluate(namesOf, `${query}:*`).catch((error) => {
      // Files of tests that nobody wrote yet have no cases.
      if (`${error}`.includes('does not match any cases')) return [];
      throw error;
    });
    const tests = groups(cases, (name) => name.split(':').slice(0, 3).join(':'));
    for (const found of tests.values()) names.push(...byHash(found).slice(0, each));
  }
  await browser.close();
  return byHash(names);
}

/** Runs one case in a page that is kept for the browser. */
async function run(pages, browser, address, files, name, limit) {
  let timer;
  const late = new Promise((done) => { timer = setTimeout(() => done({ end: 'timeout' }), limit); });
  const ran = (async () => {
    if (!pages.has(browser)) pages.set(browser, await open(browser, address, files));
    const { status, first } = await pages.get(browser).evaluate((name) => window.runCase(name), name);
    return { status, first, end: 'end' };
  })().catch((error) => ({ first: `${error}`.slice(0, 200), end: 'crash' }));
  const result = await Promise.race([ran, late]);
  clearTimeout(timer);
  if (result.end !== 'end') await browser.close().catch(() => {});
  return { passes: ['pass', 'skip', 'warn'].includes(result.status), first: '', ...result };
}

async function main(suite, gpu, out, { cases, each, only, 'at-once': atOnce }) {
  const files = listing(suite);
  const address = await serve({ '/': suite });
  const all = await sample(gpu, address, files, only, Number(each));
  const pages = new WeakMap();
  await runAll({
    gpu, out, limits: LIMITS, atOnce: Number(atOnce), names: all.slice(0, Number(cases)),
    run: (browser, name, limit) => run(pages, browser, address, files, name, limit),
  });
  const counts = groups(results(out), ({ status, end }) => status ?? end);
  console.log([...counts].map(([status, found]) => `${found.length} ${status}`).join(', '), `of ${all.length} drawn`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '1000' }, each: { type: 'string', default: '3' },
    only: { type: 'string', default: 'webgpu:' }, 'at-once': { type: 'string', default: '1' },
  },
});
if (positionals[0] === 'compare') compare(positionals[1], positionals[2]);
else await main(...positionals, values);

// What the runners of the two suites share: a sample by hash, a file with a line for each case, and its comparison.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { start } from './browsers.mjs';

const hash = (text) => createHash('sha256').update(text).digest('hex');

/** The same names in the order of their SHA-256. */
export function byHash(names) {
  return names.map((name) => [hash(name), name]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name);
}

/** Results in a file with an object per line; none if there is no file. */
export function results(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * Runs the cases that `out` does not have yet, each until an attempt ends, and appends the results.
 * `run(browser, name, limit)` returns `{ name, passes, end, .. }`, where `end` other than 'end' asks for another attempt.
 */
export async function runAll({ gpu, args, names, out, limits, atOnce, run }) {
  const done = new Set(results(out).map((result) => result.name));
  const left = names.filter((name) => !done.has(name));
  const worker = async () => {
    let browser, used = 0;
    for (let name; (name = left.shift()); ) {
      let result;
      for (const limit of limits) {
        // A new browser now and then, and after a failure, keeps cases independent of each other.
        if (used++ % 100 === 0 || !browser?.isConnected()) {
          await browser?.close().catch(() => {});
          browser = await start(gpu, args).catch(console.error);
        }
        const began = Date.now();
        const ended = browser ? await run(browser, name, limit) : { passes: false, end: 'no browser', first: '' };
        result = { name, ...ended, seconds: (Date.now() - began) / 1000 };
        if (!result.passes) used = 0;
        if (result.end === 'end') break;
      }
      appendFileSync(out, `${JSON.stringify(result)}\n`);
    }
    await browser?.close();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Prints the cases that pass on one GPU only, and the counts of both. */
export function compare(fileA, fileB) {
  const [a, b] = [fileA, fileB].map((file) => new Map(results(file).map((result) => [result.name, result])));
  const both = [...a.keys()].filter((name) => b.has(name));
  for (const [mine, others, file] of [[a, b, fileA], [b, a, fileB]]) {
    const only = both.filter((name) => mine.get(name).passes && !others.get(name).passes);
    console.log(`${only.length} of ${both.length} pass on ${file} only`);
    for (const name of only) console.log(`  ${name}: ${others.get(name).end}: ${others.get(name).first}`);
  }
  for (const [of, file] of [[a, fileA], [b, fileB]]) {
    const passed = both.filter((name) => of.get(name).passes).length;
    const seconds = both.reduce((sum, name) => sum + of.get(name).seconds, 0);
    console.log(`${file}: ${passed} pass, ${both.length - passed} fail, ${seconds.toFixed(0)} s`);
  }
}

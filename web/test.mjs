// test.mjs - runs the tests: test/*.test.ts in Node, test/*.e2e.ts in Node with a browser.
//
// node test.mjs [short|long] [unit|e2e] [NAME...]    NAME: a part of the files' names. Short, as with
// CI=true in the environment: every size, colour and language, but not each with each, and no test
// that takes minutes. WARG_WEB_SLOW=8 in the environment: each page computes 8 times slower and hears
// late from its server, so that a test that waits for too little fails here and not on a busy machine
// alone. Node reads no TypeScript, so each file is bundled first. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const [, , ...words] = process.argv;
const form = words[0] === 'short' || words[0] === 'long' ? words.shift() : process.env.CI === 'true' ? 'short' : 'long';
const kinds = words[0] === 'unit' || words[0] === 'e2e' ? [words.shift()] : ['unit', 'e2e'];
// As deep as test/, so that packages and paths that lead out of it are found.
const folder = join(root, '.test');
// A browser keeps more than one processor busy.
const slowMs = 10_000; // is told, so that one sees where the time goes
const atOnce = Math.max(1, Math.min(4, availableParallelism()));

function bundle(names) {
  esbuild.buildSync({
    absWorkingDir: root, entryPoints: names.map((name) => `test/${name}`), outdir: folder, outExtension: { '.js': '.mjs' },
    bundle: true, format: 'esm', platform: 'node', target: 'node18', packages: 'external', jsx: 'automatic', jsxImportSource: 'preact',
    logLevel: 'warning',
  });
}

// One file in a process of its own: what it counted, and its output when something failed.
function runFile(name) {
  return new Promise((done) => {
    const begin = Date.now();
    const child = spawn(process.execPath, ['--test', '--test-reporter=tap', join(folder, name.replace(/ts$/, 'mjs'))], {
      env: { ...process.env, WARG_WEB: root, WARG_WEB_FORM: form }, stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let trouble = '';
    child.stdout.setEncoding('utf8').on('data', (part) => { out += part; });
    child.stderr.setEncoding('utf8').on('data', (part) => { trouble += part; });
    child.on('close', (status) => {
      const count = (what) => Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(out)?.[1] ?? 0);
      const failed = count('fail') + count('cancelled') || (status === 0 ? 0 : 1);
      const seconds = Math.round((Date.now() - begin) / 1000);
      console.log(`${name}: ${count('pass')} passed${failed ? `, ${failed} failed` : ''} (${seconds} s)`);
      if (failed) process.stdout.write(out.replace(/^# Subtest.*\n/gm, ''));
      else for (const [, test, took] of out.matchAll(/^ok \d+ - (.*)\n  ---\n  duration_ms: (\d+)/gm)) if (Number(took) > slowMs) console.log(`  ${Math.round(Number(took) / 1000)} s: ${test}`);
      if (!failed) for (const line of out.match(/^ *# (left out|figure).*$/gm) ?? []) console.log(line.trim());
      process.stderr.write(trouble);
      done({ passed: count('pass'), failed });
    });
  });
}

async function run(names, sum) {
  const waiting = [...names].reverse(); // rooms, where one mostly waits, beside others
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await runFile(name);
      sum.passed += result.passed;
      sum.failed += result.failed;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

mkdirSync(folder, { recursive: true });
const sum = { passed: 0, failed: 0 };
for (const kind of kinds) {
  const ending = kind === 'unit' ? '.test.ts' : '.e2e.ts';
  const names = readdirSync(join(root, 'test')).filter((name) => name.endsWith(ending) && (words.length === 0 || words.some((word) => name.includes(word))));
  if (names.length === 0) continue;
  bundle(names);
  await run(names, sum);
}
rmSync(folder, { recursive: true });
// Nothing, by a word that fits no file, is no success.
if (sum.passed + sum.failed === 0) sum.failed = 1;
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;

// test.mjs - runs the tests: test/*.test.ts in Node, test/*.e2e.ts in Node with a browser.
//
// node test.mjs [unit|e2e] [NAME...]    NAME: a part of the files' names. Node reads no TypeScript, so
// each file is bundled first. Ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const [, , ...words] = process.argv;
const kinds = words[0] === 'unit' || words[0] === 'e2e' ? [words.shift()] : ['unit', 'e2e'];
// As deep as test/, so that packages and paths that lead out of it are found.
const folder = join(root, '.test');

function run(kind) {
  const ending = kind === 'unit' ? '.test.ts' : '.e2e.ts';
  const names = readdirSync(join(root, 'test')).filter((name) => name.endsWith(ending) && (words.length === 0 || words.some((word) => name.includes(word))));
  if (names.length === 0) return { passed: 0, failed: 0 };
  esbuild.buildSync({
    absWorkingDir: root, entryPoints: names.map((name) => `test/${name}`), outdir: folder, outExtension: { '.js': '.mjs' },
    bundle: true, format: 'esm', platform: 'node', target: 'node18', packages: 'external', jsx: 'automatic', jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const files = names.map((name) => join(folder, name.replace(/ts$/, 'mjs')));
  const concurrency = kind === 'e2e' ? ['--test-concurrency=1'] : [];
  const supported = process.allowedNodeEnvironmentFlags.has('--test-concurrency') ? concurrency : [];
  const done = spawnSync(process.execPath, [...supported, '--test', '--test-reporter=tap', ...files], {
    encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, WARG_WEB: root },
  });
  const count = (what) => Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(done.stdout)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  if (failed > 0 || done.status !== 0) process.stdout.write(done.stdout.replace(/^# Subtest.*\n/gm, ''), () => {});
  else for (const line of done.stdout.match(/^ *# (left out|figure).*$/gm) ?? []) console.log(line.trim());
  process.stderr.write(done.stderr);
  return { passed: count('pass'), failed: failed || (done.status === 0 ? 0 : 1) };
}

mkdirSync(folder, { recursive: true });
let passed = 0;
let failed = 0;
for (const kind of kinds) {
  const result = run(kind);
  passed += result.passed;
  failed += result.failed;
}
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

// views.test.ts - the page's seat views are the server's, for every seat of the logs in tests/data:
// asks `warg log doc` where it is built, and says so where it isn't. Documents hold to the schema.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { GameDoc } from '../src/doc.ts';
import { seatView } from '../src/seat_view.ts';
import { madeDoc } from './made.mjs';

const tree = join(process.env['WARG_WEB'] ?? '.', '..');
const program = [process.env['WARG'] ?? '', join(tree, 'build/warg'), join(tree, 'build-test/warg')].find((path) => path !== '' && existsSync(path));
const valid: ValidateFunction = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(join(tree, 'docs/spec/web/game.schema.json'), 'utf8')) as object);

function logs(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? logs(path) : /\.log(\.gz)?$/.test(entry.name) ? [path] : [];
  }).sort();
}

const docOf = (path: string, view: string): GameDoc =>
  JSON.parse(execFileSync(program ?? '', ['log', 'doc', '--view', view, path], { maxBuffer: 1 << 28 }).toString()) as GameDoc;

const holds = (doc: GameDoc, what: string): void => assert.ok(valid(doc), `${what}: ${JSON.stringify(valid.errors?.slice(0, 3))}`);

test('documents that tests make up hold to the schema', () => {
  for (const players of [5, 15, 18]) {
    const doc = madeDoc({ players, days: 4, seed: players });
    holds(doc, `${players}`);
    for (const seat of [0, 1, players]) holds(seatView(doc, seat), `${players}, view ${seat}`);
  }
});

test('seat views of the page are those of the server', (context) => {
  if (!program) return context.diagnostic('left out: warg is not built');
  const folders = [join(tree, 'tests/data/aiwolf-logs'), join(tree, 'tests/data/nlp-logs')];
  let views = 0;
  for (const path of folders.flatMap(logs)) {
    const all = docOf(path, 'all');
    holds(all, path);
    for (const seat of [0, ...all.seats.map((each) => each.seat)]) {
      const want = docOf(path, seat === 0 ? 'public' : `seat:${seat}`);
      delete want.belief; // it is the server's own, made from the events of its view
      assert.deepEqual(seatView(all, seat), want, `${path}, seat ${seat}`);
      views++;
    }
  }
  assert.ok(views > 100);
  context.diagnostic(`figure: ${views} views compared`);
});

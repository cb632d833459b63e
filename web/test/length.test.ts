// The page counts as the game does: 2,000 vectors that tests/game/test_length_vectors.c holds, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lengthCount, lengthLeft, lengthLimit, type LengthRules } from '../src/length.ts';

const lines = readFileSync(join(process.env['WARG_WEB'] ?? '.', '../tests/web/length.tsv'), 'utf8').split('\n');
const names = (lines[1] ?? '').split('\t').slice(1);
const plain = (text: string) => text.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)));
const limit = (text: string) => (text === '-1' ? undefined : Number(text));

test('every vector is counted and cut as the game does it', () => {
  let seen = 0;
  for (const line of lines.slice(2, -1)) {
    const f = line.split('\t');
    const at = (i: number) => f[i] ?? '';
    const hasLeft = at(3) !== '-1';
    const rules: LengthRules = { unit: at(0) as LengthRules['unit'], spaces: at(1) === '1', which: at(6) as NonNullable<LengthRules['which']> };
    for (const [key, i] of [['per_talk', 2], ['base', 4], ['mention', 5]] as const) {
      const value = limit(at(i));
      if (value !== undefined) rules[key] = value;
    }
    if (hasLeft) rules.left = Number(at(8));
    const text = plain(at(9));
    assert.equal(lengthCount(rules, text), Number(at(10)), line);
    const cut = lengthLimit(rules, text, names, Number(at(7)));
    assert.equal(cut.text, plain(at(11)), line);
    assert.equal(cut.left ?? Number(at(8)), Number(at(12)), line);
    seen++;
  }
  assert.equal(seen, 2000);
});

test("what is left to write takes a mention's allowance in", () => {
  const rules: LengthRules = { unit: 'chars', spaces: true, per_talk: 125, base: 30, mention: 20, left: 0 };
  assert.deepEqual(lengthLeft(rules, '', ['May', 'Rin'], 2), { left: 30, over: false });
  assert.deepEqual(lengthLeft(rules, 'abc', ['May', 'Rin'], 2), { left: 27, over: false });
  assert.deepEqual(lengthLeft(rules, 'abc @May hey', ['May', 'Rin'], 2), { left: 16, over: false });
  assert.deepEqual(lengthLeft(rules, 'x'.repeat(33), ['May', 'Rin'], 2), { left: -3, over: true });
  assert.equal(lengthLeft({ unit: 'chars', spaces: true }, 'abc', [], 1), undefined);
});

// shell.test.ts - small pure pieces of the pages: what is opened, marked, cut off, drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsIn, gameOfUrl, readHere } from '../src/documents.ts';
import { clockLeft, clockOf, grow } from '../src/follow.ts';
import { markedParts } from '../src/marked.ts';
import { around } from '../src/parts/around.ts';
import { qrPath } from '../src/parts/Qr.tsx';
import { cutOff } from '../src/seat/cut.ts';
import { clockText } from '../src/times.ts';
import { lingering, nameTables, placeTables, WALL_AFTER_MS } from '../src/wall_places.ts';
import { gameWords } from '../src/words_game.ts';
import { pageWords } from '../src/words_pages.ts';
import type { GameDoc } from '../src/doc.ts';
import { hostile, madeDoc } from './made.mjs';

const doc = madeDoc({ players: 5, days: 2, seed: 1 });

test('documents are read here, logs are not, and what is no document is refused with a sentence', () => {
  assert.equal(readHere(JSON.stringify(doc))?.[0]?.id, doc.id);
  assert.equal(readHere(` \n${JSON.stringify([doc, doc])}`)?.length, 2);
  for (const log of ['0,status,1,SEER', '{"day":1}\n{"day":2}', '[]', '{}', '', '{"format":"warg-mind"}', 'x', '<p>', '[1]', 'null']) assert.equal(readHere(log), null, log);
  assert.throws(() => readHere(JSON.stringify({ ...doc, version: 2 })), /version 1/);
});

test('an exported page gives its documents, whatever else is in it', () => {
  const script = (value: unknown) => `<script type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
  const page = `<!doctype html><script>alert(1)</script>${script(doc)}${script({ other: 1 })}<script type="application/json">{broken</script>`;
  assert.deepEqual(documentsIn(page).map((each) => each.id), [doc.id]);
  assert.deepEqual(documentsIn(hostile.join('')), []);
});

test('only games of this server are opened by an address', () => {
  const origin = 'http://192.0.2.1:8090';
  assert.equal(gameOfUrl('/web/g/000#at=d1', origin), '/web/g/000#at=d1');
  assert.equal(gameOfUrl(`${origin}/web/g/000`, origin), '/web/g/000');
  for (const url of ['http://192.0.2.2/web/g/000', 'javascript:alert(1)', '/etc/passwd', '//192.0.2.2/web/g/x', 'file:///web/g/x', '/web/g/../operator', ...hostile])
    assert.equal(gameOfUrl(url, origin), null, url);
});

test('a document grows by its frames: doubled ones are passed over, a gap is seen', () => {
  const part = (n: number): GameDoc => ({ ...doc, status: 'running', events: doc.events.slice(0, n), phases: doc.phases.filter((phase) => phase.first < n) });
  const whole = part(4);
  const grown = grow(whole, { type: 'events', events: doc.events.slice(2, 8), phases: doc.phases.filter((phase) => phase.first >= 2 && phase.first < 8) });
  assert.ok(grown !== 'again' && grown.grew);
  assert.deepEqual(grown.doc.events, doc.events.slice(0, 8));
  assert.deepEqual(grown.doc.phases, doc.phases.filter((phase) => phase.first < 8));
  assert.equal(grow(part(4), { type: 'events', events: doc.events.slice(6, 8) }), 'again');
  assert.equal(grow(part(4), { type: 'events', events: [{ n: 'x' }] }), 'again');
  const same = grow(part(4), { type: 'events', events: doc.events.slice(0, 4) });
  assert.ok(same !== 'again' && !same.grew);
});

test('a clock runs down, and stands while it is paused', () => {
  const clock = clockOf({ type: 'clock', action: 'talk', left_ms: 5000 }, 1000);
  assert.ok(clock);
  assert.equal(clockLeft(clock, 3000), 3000);
  assert.equal(clockLeft(clock, 99_000), 0);
  assert.equal(clockLeft({ ...clock, paused: true }, 3000), 5000);
  assert.equal(clockOf({ type: 'clock' }, 0), undefined);
  assert.deepEqual([0, 900, 42_000, 61_000, 3_600_000].map(clockText), ['0:00', '0:01', '0:42', '1:01', '1:00:00']);
});

test('what is marked is the text itself, in pieces', () => {
  assert.deepEqual(markedParts('Ann, ann', ['ann']), [{ text: 'Ann', hit: true }, { text: ', ', hit: false }, { text: 'ann', hit: true }]);
  for (const text of hostile) for (const word of ['a', '<', 'a b', '長', '(', '']) assert.equal(markedParts(text, word.split(' ')).map((part) => part.text).join(''), text);
});

test('what was cut off is found, white space around a mention aside', () => {
  assert.equal(cutOff('I say that Ben is lying.', 'I say that B'), 'en is lying.');
  assert.equal(cutOff('abc@May hello', 'abc @May  hello'), '');
  assert.equal(cutOff('a  b', 'a b'), '');
  assert.equal(cutOff('abc def', ''), 'abc def');
  assert.equal(cutOff('おはよう、みなさん', 'おはよう'), '、みなさん');
});

test('tables stay where they are on the wall; games that are over leave it', () => {
  assert.deepEqual(placeTables([], ['a', 'b', 'c'], [], 2), ['a', 'b']);
  assert.deepEqual(placeTables(['a', 'b'], ['c', 'b'], [], 2), ['c', 'b']);
  assert.deepEqual(placeTables(['a', 'b'], ['c', 'b'], ['a'], 2), ['c', 'b']); // no other place is left
  assert.deepEqual(placeTables(['a', 'b'], ['c', 'b'], ['a'], 3), ['a', 'b', 'c']);
  assert.deepEqual(placeTables(['a', 'b'], ['b'], ['a'], 2), ['a', 'b']);
  assert.deepEqual(placeTables(['a', 'b'], ['b'], [], 2), ['b']);
  assert.deepEqual(placeTables(['a'], ['a', 'b'], [], 4), ['a', 'b']);
  const row = { division: 'nlp', rules: 'nlp-turn', players: 5, day: 1, night: false };
  const ended = new Map<string, number>();
  const at = (live: string[], over: string[], now: number) => lingering(['a', 'b'], [...live, ...over].map((id) => ({ ...row, id, over: over.includes(id) })), ended, now);
  assert.deepEqual(at(['a', 'b'], [], 0), []);
  assert.deepEqual(at(['b'], ['a'], 1000), ['a']);
  assert.deepEqual(at(['b'], [], 1000 + WALL_AFTER_MS - 1), ['a']); // the server has forgotten it
  assert.deepEqual(at(['b'], ['a'], 1000 + WALL_AFTER_MS), []);
  assert.deepEqual(at(['a', 'b'], [], 900_000), []);
  assert.deepEqual(at(['b'], ['a'], 900_001), ['a']);
});

test('a table is called as its room, also when the room has gone on', () => {
  const names = new Map<string, string>();
  nameTables(names, [{ code: 'K7MPQR', title: 'Evening table', game: 'g1' }, { code: 'WZXY23', game: 'g2' }, { code: 'OTHER2', title: 'x' }]);
  nameTables(names, [{ code: 'K7MPQR', title: 'Evening table', game: 'g3' }]);
  assert.deepEqual([...names], [['g1', 'Evening table'], ['g2', 'WZXY23'], ['g3', 'Evening table']]);
});

test('places around a table are equally far from each other', () => {
  for (const count of [3, 5, 15, 18, 30]) {
    const places = around(count, 43, 38);
    assert.equal(places.length, count);
    const far = places.map(([x, y], i) => {
      const [a, b] = places[(i + 1) % count] as [number, number];
      return Math.hypot(x - a, y - b);
    });
    if (count >= 15) assert.ok(Math.max(...far) / Math.min(...far) < 1.25, String(far));
  }
});

test('a code is one path of all its dark modules', () => {
  assert.equal(qrPath([[true, true, false, true], [false, false, false, false], [false, true, true, true]]), 'M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z');
});

test('no word of the pages hides one of the game', () => {
  assert.deepEqual(Object.keys(pageWords).filter((key) => key in gameWords), []);
  for (const [key, [en, ja]] of Object.entries(pageWords)) {
    const places = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();
    assert.deepEqual(places(ja), places(en), key);
  }
});

// parts.test.ts - small pure pieces: links in texts, what may be shown, addresses, words, the stage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentText, readMoment } from '../src/game/hash.ts';
import { arrowPaths, stageLayout } from '../src/game/layout.ts';
import { decisionsAt } from '../src/mind_figures.ts';
import { spanOf } from '../src/game/Scrubber.tsx';
import { linked } from '../src/linked.ts';
import { faceShape } from '../src/parts/Face.tsx';
import { shown } from '../src/parts/shown.ts';
import { lang } from '../src/settings.ts';
import { t, tn } from '../src/words.ts';
import { gameWords } from '../src/words_game.ts';
import { pageWords } from '../src/words_pages.ts';
import { sharedWords } from '../src/words_shared.ts';
import { hostile } from './made.mjs';

const seats = (text: string, names: (string | undefined)[]): number[] => linked(text, names).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.seat]));

test('names are found as whole words, longest first, with their @', () => {
  const names = [undefined, 'Mio', 'Mio Sato', 'Rin', 'ミナコ', 'リン', '健太'];
  assert.deepEqual(linked('@Mio why? Mio Sato, Miocene', names), [{ seat: 1, text: '@Mio' }, ' why? ', { seat: 2, text: 'Mio Sato' }, ', Miocene']);
  assert.deepEqual(seats('プリンとリンさん', names), [5]);
  assert.deepEqual(seats('ミナコは健太が怪しい', names), [4, 6]);
  assert.deepEqual(seats('Rin2 xRin Rin', names), [3]);
  assert.deepEqual(linked('nobody here', names), ['nobody here']);
  assert.deepEqual(linked('', names), ['']);
});

test('a text keeps all its characters when names are found in it', () => {
  for (const text of hostile) {
    const pieces = linked(`${text} Rin ${text}`, ['', 'Rin', '$&', '<!--', text]);
    assert.equal(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''), `${text} Rin ${text}`);
  }
});

test('what turns direction or is not visible is shown as U+FFFD, families of emoji stay', () => {
  assert.equal(shown('a\u202Eb\u200Bc\uFEFF'), 'a\uFFFDb\uFFFDc\uFFFD');
  assert.equal(shown('👨‍👩‍👧‍👦 and a\u200Db'), '👨‍👩‍👧‍👦 and a\uFFFDb');
  assert.equal(shown('line\nline\ttab'), 'line\nline\ttab');
  assert.equal(shown('\u0000\u001b[31m'), '\uFFFD\uFFFD[31m');
});

test('a moment’s link is read as it was written, and nonsense is left out', () => {
  const moment = { view: 3, at: 'd2v0.7', tab: 'claims', lang: 'ja', speed: 2 } as const;
  assert.deepEqual(readMoment(momentText(moment)), moment);
  assert.equal(momentText({}), '');
  assert.deepEqual(readMoment('#view=31&at=../x&tab=evil&lang=fr&speed=3'), {});
  assert.deepEqual(readMoment('#view=0&at=%3Cscript%3E'), {});
  assert.deepEqual(readMoment('#view=all&at=d1'), { view: 'all', at: 'd1' });
});

test('every word has both languages and the same places in them', () => {
  for (const [key, [english, japanese]] of Object.entries({ ...sharedWords, ...gameWords, ...pageWords })) {
    assert.ok(english.length > 0 && japanese.length > 0, key);
    for (const form of english.split('|')) {
      const places = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
      assert.deepEqual(places(form), places(japanese), key);
    }
  }
});

test('English has a plural, and numbers are written as the language does', () => {
  lang.value = 'en';
  assert.equal(t('votes', { n: 1 }), '1 vote');
  assert.equal(t('votes', { n: 1200 }), '1,200 votes');
  lang.value = 'ja';
  assert.equal(t('votes', { n: 1 }), '1票');
  lang.value = 'en';
  assert.deepEqual(tn('guards', { who: 1, target: 2 }), ['', 1, ' guards ', 2, '']);
});

test('words of people in a place are never read as places', () => {
  assert.equal(t('speaks', { who: '{text}', text: '$& {who}' }), '{text} says: $& {who}');
});

test('seats lie inside the stage, far enough from each other, for any number and size', () => {
  for (const count of [3, 5, 9, 13, 15, 18, 30])
    for (const [width, height] of [[820, 770], [390, 300], [320, 180], [1500, 500]] as const) {
      const layout = stageLayout(width, height, Array.from({ length: count }, (_, i) => i + 1), true);
      layout.places.forEach((place, i) => {
        const r = layout.radius;
        assert.ok(place.x >= r && place.x <= width - r && place.y >= r && place.y <= height - r, `${count} at ${width}×${height}`);
        const next = layout.places[(i + 1) % count];
        if (next && count <= 18) assert.ok(Math.hypot(next.x - place.x, next.y - place.y) >= r * 1.5, `${count} at ${width}×${height}: too near`);
      });
    }
});

test('arrows at one target end at different places', () => {
  const layout = stageLayout(820, 770, Array.from({ length: 15 }, (_, i) => i + 1), false);
  const arrows = Array.from({ length: 14 }, (_, i) => ({ from: i + 2, to: 1 }));
  const paths = arrowPaths(layout, arrows, [], () => 10);
  const tips = paths.map((path) => path.head.slice(1, path.head.indexOf('L')));
  assert.equal(new Set(tips).size, 14);
  assert.ok(paths.every((path) => !/NaN|undefined/.test(path.line + path.head)));
  assert.ok(!/NaN/.test(arrowPaths(layout, [{ from: 3, to: 3 }], [], () => 10)[0]?.line ?? 'NaN'));
});

test('the course of a game whose roles are hidden does not tell its length', () => {
  for (const reached of [0, 40, 200]) assert.equal(spanOf(641, reached, false), spanOf(900, reached, false));
  assert.equal(spanOf(641, 640, false), 640);
  assert.equal(spanOf(641, 10, true), 640);
});

test('a face is the same each time, and all its parts exist', () => {
  const seen = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const shape = faceShape(`name ${i}`, 1 + (i % 15));
    assert.deepEqual(shape, faceShape(`name ${i}`, 1 + (i % 15)));
    assert.ok(shape.hair >= 0 && shape.hair < 6 && shape.eyes >= 0 && shape.eyes < 4 && shape.extra >= 0 && shape.extra < 5);
    seen.add(`${shape.hair}${shape.eyes}${shape.extra}`);
  }
  assert.ok(seen.size > 90);
});

test('decisions up to a moment, newest first; who only listened comes with the one before', () => {
  const at = (anchor: string): number | undefined => ({ d1t0: 1, d1t1: 4 } as Partial<Record<string, number>>)[anchor];
  const made = [{ seat: 1, a: 'd1t0' }, { seat: 2 }, { seat: 3, a: 'd1t1' }, { seat: 4, a: 'gone' }];
  const seats = (until: number): number[] => decisionsAt(made, at, until).map((decision) => decision.seat);
  assert.deepEqual(seats(0), []);
  assert.deepEqual(seats(3), [2, 1]);
  assert.deepEqual(seats(4), [4, 3, 2, 1]);
});

// Opinions of models as steps over the lines of a game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameEvent } from '../src/doc.ts';
import { opinionLines } from '../src/opinion_lines.ts';

const events = [
  { a: 'd1p', kind: 'phase', day: 1 }, { a: 'd1t0', kind: 'talk', day: 1, seat: 1 }, { a: 'd1t1', kind: 'talk', day: 1, seat: 2 },
  { a: 'd1v', kind: 'vote', day: 1, seat: 1, target: 2 }, { a: 'd2t0', kind: 'talk', day: 2, seat: 1 },
] as unknown as GameEvent[];
const at = (anchor: string): number | undefined => {
  const n = events.findIndex((event) => event.a === anchor);
  return n < 0 ? undefined : n;
};
const opinions = [
  { seat: 3, a: 'd1t0', target: 2, sure: 40 }, { seat: 1, a: 'd1t1', target: 2, sure: 0 }, { seat: 3, a: 'd1v', target: 1, sure: 90 },
  { seat: 3, a: 'd2t0', target: 2, sure: 100 },
];

test('an opinion holds until the next of its seat', () => {
  const all = opinionLines(opinions, events, at, 4);
  assert.equal(all.lines, 3);
  assert.equal(all.now, 3);
  assert.deepEqual(all.days, [{ day: 1, x: 0 }, { day: 2, x: 2 }]);
  assert.deepEqual(all.rows.map((row) => row.seat), [1, 3]);
  assert.deepEqual(all.rows[1]?.steps, [
    { x: 1, until: 2, sure: 40, target: 2 }, { x: 2, until: 3, sure: 90, target: 1 }, { x: 3, until: 3, sure: 100, target: 2 },
  ]);
});

test('who is dead has no opinion any more', () => {
  const made = opinionLines(opinions.slice(0, 2), events, at, 4, (seat) => (seat === 3 ? 3 : -1));
  assert.equal(made.rows[1]?.steps[0]?.until, 2);
  assert.equal(made.rows[0]?.steps[0]?.until, 3);
});

test('nothing is told of what came later', () => {
  const early = opinionLines(opinions, events, at, 2);
  assert.deepEqual(early.rows, [
    { seat: 1, steps: [{ x: 2, until: 2, sure: 0, target: 2 }] }, { seat: 3, steps: [{ x: 1, until: 2, sure: 40, target: 2 }] },
  ]);
  assert.equal(early.now, 2);
});

test('without a place the lines that it had heard count', () => {
  const made = opinionLines([{ seat: 2, target: 1, sure: 5, lines: 2 }, { seat: 2, a: 'gone', target: 1, sure: 6, lines: 3 }], events, at, 2);
  assert.deepEqual(made.rows, [{ seat: 2, steps: [{ x: 2, until: 2, sure: 5, target: 1 }] }]);
  assert.deepEqual(opinionLines([], events, at, 4).rows, []);
});

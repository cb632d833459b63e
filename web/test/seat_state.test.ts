// What is asked and answered at a seat, without a browser: docs/spec/web.md 6.2.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeatState, secondsToSay, typedTarget, type Ask } from '../src/seat_state.ts';

const vote = (ask: number, more = {}) => ({ type: 'ask', game: 'g', ask, kind: 'vote', targets: [2, 3, 7], left_ms: 60_000, ...more });
const talk = (ask: number, more = {}) => ({ type: 'ask', game: 'g', ask, kind: 'talk', left_ms: 60_000, may: ['skip', 'over'], ...more });
const first = (state: SeatState): Ask => state.asks[0] as Ask;

test('an answer has its ask, a key of its own, and is sent again until it is settled', () => {
  const state = new SeatState('s');
  state.hear(vote(42), 0);
  const sent = state.answer(first(state), { target: 3 }, 500);
  assert.deepEqual(sent, { type: 'answer', game: 'g', ask: 42, kind: 'vote', key: 's0', target: 3 });
  assert.deepEqual(state.resend(), [sent]);
  assert.equal(state.isPending(42), true);
  state.hear({ type: 'taken', ask: 42, key: 's0', target: 3 }, 600);
  assert.deepEqual(state.resend(), []);
  assert.deepEqual(first(state).answered, { target: 3 });
  assert.notEqual(state.answer(first(state), { target: 2 }, 700).key, 's0');
});

test('what is said once is over; a standing question stays', () => {
  const state = new SeatState('s');
  state.hear(talk(1), 0);
  state.answer(first(state), { text: 'hello there' }, 400);
  state.hear({ type: 'taken', ask: 1, key: 's0', text: 'hello' }, 500);
  assert.equal(state.asks.length, 0);
  assert.deepEqual(state.outcome, { kind: 'talk', taken: true, sent: { text: 'hello there' }, text: 'hello' });
  state.hear(talk(2, { standing: true }), 600);
  state.answer(first(state), { text: 'x' }, 1000);
  state.hear({ type: 'taken', ask: 2, key: 's1', text: 'x' }, 1100);
  assert.equal(state.asks.length, 1);
  state.hear({ type: 'unask', game: 'g', ask: 2 }, 1200);
  assert.equal(state.asks.length, 0);
});

test('a refusal gives the words back, and the targets that are left', () => {
  const state = new SeatState('s');
  state.hear(vote(42), 0);
  state.answer(first(state), { target: 7 }, 400);
  state.hear({ type: 'refused', ask: 42, key: 's0', code: 'dead-target', error: 'no', targets: [2, 3] }, 500);
  assert.deepEqual(first(state).targets, [2, 3]);
  assert.equal(state.outcome?.taken, false);
  state.hear(talk(43), 600);
  const ask = state.speech as Ask;
  state.answer(ask, { text: 'too late' }, 700);
  state.hear({ type: 'refused', ask: 43, key: 's1', code: 'stale', error: 'over' }, 800);
  assert.equal(state.speech, undefined);
  assert.equal(state.outcome?.sent.text, 'too late');
});

test('the same ask again keeps its answer and its first time; an older one is none', () => {
  const state = new SeatState('s');
  state.hear(vote(5), 1000);
  state.answer(first(state), { target: 2 }, 1400);
  state.hear({ type: 'taken', ask: 5, key: 's0' }, 1500);
  state.hear(vote(5, { left_ms: 20_000, targets: [2, 7] }), 41_000);
  assert.equal(first(state).at, 1000);
  assert.equal(first(state).total, 60_000);
  assert.equal(first(state).until, 61_000);
  assert.deepEqual(first(state).answered, { target: 2 });
  assert.equal(state.hear(vote(4), 42_000), false);
  assert.equal(state.asks.length, 1);
});

test('a press within 300 ms of a new ask is none', () => {
  const state = new SeatState('s');
  state.hear(vote(1), 1000);
  assert.equal(state.guarded(first(state), 1299), true);
  assert.equal(state.guarded(first(state), 1300), false);
});

test('of messages that are none nothing comes', () => {
  const state = new SeatState('s');
  for (const message of [{ type: 'ask' }, { type: 'ask', ask: 'x', kind: 'vote' }, { type: 'ask', ask: 1, kind: 'dance' }, { type: 'xyz' }])
    assert.equal(state.hear(message, 0), false);
  state.hear({ type: 'refused', ask: 9, key: 'other' }, 0);
  assert.equal(state.outcome, undefined);
});

test('the time is read out at 30, 10 and 5 seconds, once each', () => {
  const said = [];
  for (let left = 60_000; left >= 0; left -= 250) {
    const mark = secondsToSay(left + 250, left);
    if (mark) said.push(mark);
  }
  assert.deepEqual(said, [30, 10, 5]);
  assert.equal(secondsToSay(31_000, 4_000), 5);
});

test('digits choose a target, two of them where one is meant', () => {
  assert.equal(typedTarget('7', [2, 3, 7]), 7);
  assert.equal(typedTarget('12', [1, 2, 12]), 12);
  assert.equal(typedTarget('13', [1, 3]), 3);
  assert.equal(typedTarget('9', [1, 2]), undefined);
});

// Sums and prompts of the monitor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresOf, listened, promptMessages, quantile } from '../src/mind_figures.ts';

test('a seat is summed up', () => {
  const figures = figuresOf([
    { seat: 1, source: 'model', prompt_tokens: 10, answer_tokens: 2, latency_ms: 300, cost: 0.1 },
    { seat: 1, source: 'rule', took_ms: 100, suppressed: true },
    { seat: 1, source: 'model', prompt_tokens: 5, latency_ms: 200, trouble: 'x', cost: 0.2 },
  ]);
  assert.deepEqual(figures.sources, [['model', 2], ['rule', 1]]);
  assert.equal(figures.tokensIn, 15);
  assert.deepEqual(figures.latency, [100, 200, 300]);
  assert.equal(figures.leaks, 1);
  assert.equal(figures.refusals, 1);
  assert.ok(Math.abs((figures.cost ?? 0) - 0.3) < 1e-9);
  assert.equal(figuresOf([]).cost, undefined);
});

test('quantiles are of the nearest rank', () => {
  assert.equal(quantile([], 0.5), undefined);
  assert.equal(quantile([7], 0.95), 7);
  assert.equal(quantile([1, 2, 3, 4], 0.5), 2);
  assert.equal(quantile([1, 2, 3, 4], 0.95), 4);
});

test('a request is put together from those before it', () => {
  const lines = [
    { prompt: 0, messages: [{ role: 'system', content: 'guide' }, { role: 'user', content: 'a' }] },
    { prompt: 1, as: 0, same: 1, messages: [{ role: 'user', content: 'b' }] },
    { prompt: 2, as: 1, same: 2, messages: [{ role: 'user', content: 'c' }] },
    { prompt: 3, as: 3, same: 1, messages: [] },
  ];
  assert.deepEqual(promptMessages(lines, 2)?.map((m) => [m.content, m.before]), [['guide', true], ['b', true], ['c', false]]);
  assert.equal(promptMessages(lines, 3), undefined);
  assert.equal(promptMessages(lines, 9), undefined);
});

test('who listened neither spoke nor chose', () => {
  assert.ok(listened({ seat: 1, action: 'listen', thought: 'I wait.' }));
  for (const other of [{ action: 'speak', message: 'hello' }, { action: 'vote', target: 3 }, { action: 'listen', message: 'but I said this' }, {}]) assert.ok(!listened({ seat: 1, ...other }));
});

// live.e2e.ts - the page of a game that is played: who comes late has all, who looks back stays there,
// a lost connection is made good, roles are to be had at the end only.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openHallAt, openPage, settled, web, type Hall } from './browser.ts';
import { Mock } from './mock.ts';
import { tableOfFive } from './mock_hall.ts';

const mock = new Mock(join(web, 'dist'));
let hall: Hall;
before(async () => { hall = await openHallAt(new URL(await mock.start(0)).origin, () => mock.stop()); });
after(async () => hall.close());

test('a running game is followed through a lost connection to its end', async () => {
  const game = mock.addGame(tableOfFive('live-1'));
  const { page, faults, requests, close } = await openPage(hall, '/web/g/live-1', { expected: /WebSocket|ERR_/ });
  await settled(page);
  const log = page.locator('.log');
  const at = async (): Promise<number> => Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
  const say = (idx: number, text: string): void => game.add({ a: `d1t${idx}`, kind: 'talk', day: 1, seat: 3, turn: 2, idx, text });
  await page.getByText('that was quick').first().waitFor();
  const newest = await at();

  say(10, 'The first new line.');
  await log.getByText('The first new line.').waitFor();
  assert.equal(await at(), newest + 1);

  // Who looks back stays there, and comes back by a button.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  say(11, 'A line behind the back.');
  await page.waitForTimeout(200);
  assert.equal(await at(), newest - 1);
  await page.getByRole('button', { name: 'To the newest' }).click();
  await log.getByText('A line behind the back.').waitFor();

  // What was said while the connection was away is there afterwards, once.
  mock.cut();
  say(12, 'A line of the dark.');
  await log.getByText('A line of the dark.').waitFor({ timeout: 15000 });
  assert.equal(await log.getByText('A line of the dark.').count(), 1);

  game.clock = { until: Date.now() + 42000, paused: false };
  mock.pushClock(game);
  await page.getByRole('timer').getByText(/0:4\d/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Show roles' }).count(), 0);
  assert.ok(requests.every((url) => !url.includes('view=all')));

  mock.endGame(game, 'VILLAGER');
  await page.getByText('The village wins').first().waitFor();
  await page.getByRole('button', { name: 'Show roles' }).click();
  await page.waitForSelector('.at-role');
  assert.equal(await page.locator('.at-role').count(), 5);
  assert.deepEqual(faults, []);
  await close();
});

test('a game that begins anew in another process is fetched anew', async () => {
  mock.addGame(tableOfFive('live-2'));
  const { page, faults, close } = await openPage(hall, '/web/g/live-2', { expected: /WebSocket|ERR_/ });
  await settled(page);
  await page.getByText('that was quick').first().waitFor();
  const again = mock.addGame(tableOfFive('live-2'));
  again.add({ a: 'd1t20', kind: 'talk', day: 1, seat: 4, turn: 3, idx: 20, text: 'After the restart.' });
  mock.cut();
  await page.locator('.log').getByText('After the restart.').waitFor({ timeout: 15000 });
  assert.deepEqual(faults, []);
  await close();
});

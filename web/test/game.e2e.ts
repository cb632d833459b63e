// game.e2e.ts - the page of a game in a browser: replay, keys, links to moments, views, spoilers,
// dragging, errors.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openHall, openPage, settled, type Hall, type Watched } from './browser.ts';

let hall: Hall;
before(async () => { hall = await openHall(); });
after(async () => hall.close());

async function onGame(id: string, hash: string, act: (page: Page, watched: Watched) => Promise<void>, how = {}): Promise<void> {
  const watched = await openPage(hall, `/web/g/${id}${hash}`, how);
  await settled(watched.page);
  await act(watched.page, watched);
  assert.deepEqual(watched.faults, []);
  await watched.close();
}

const at = async (page: Page): Promise<number> => Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
const hash = async (page: Page): Promise<string> => {
  await page.waitForTimeout(400);
  return new URL(page.url()).hash;
};

test('keys walk through a game: events, days, ends, the same seat', () => onGame('made-15', '', async (page) => {
  assert.equal(await at(page), 0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await at(page), 2);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await at(page), 1);
  await page.keyboard.press(']');
  assert.match(await page.getByRole('slider').getAttribute('aria-valuetext') ?? '', /^Day 2/);
  await page.keyboard.press('[');
  assert.equal(await at(page), 0);
  await page.keyboard.press('End');
  assert.ok(await page.getByText('The game is over').isVisible());
  await page.keyboard.press('Home');
  assert.equal(await at(page), 0);
  for (let i = 0; i < 20 && (await page.locator('.seat.speaks').count()) === 0; i++) await page.keyboard.press('ArrowRight');
  const speaker = await page.locator('.seat.speaks .label').textContent();
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await page.locator('.seat.speaks .label').textContent(), speaker);
}));

test('a game plays by itself, faster and slower, and stands still at a key', () => onGame('made-5', '', async (page) => {
  for (let i = 0; i < 4; i++) await page.keyboard.press('+');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => Number(document.querySelector('[role=slider]')?.getAttribute('aria-valuenow')) > 3);
  await page.keyboard.press(' ');
  const stopped = await at(page);
  await page.waitForTimeout(600);
  assert.equal(await at(page), stopped);
  assert.match(await hash(page), /speed=10/);
}));

test('a link to a moment shows it, and the address follows', () => onGame('made-15', '#view=all&at=d3v0.7&tab=votes', async (page) => {
  assert.match(await page.getByRole('slider').getAttribute('aria-valuetext') ?? '', /^Day 3, Vote/);
  assert.equal(await page.getByRole('tab', { name: 'Votes' }).getAttribute('aria-selected'), 'true');
  assert.equal(await page.locator('#panel thead th').count() > 3, true);
  await page.locator('#panel td a').first().click();
  assert.match(await page.getByRole('slider').getAttribute('aria-valuetext') ?? '', /^Day 1, Vote/);
  assert.match(await hash(page), /view=all&at=d1v0\.1&tab=votes/);
  await page.goBack();
  await page.waitForTimeout(100);
  assert.match(await page.getByRole('slider').getAttribute('aria-valuetext') ?? '', /^Day 3/);
}));

test('an anchor that the view does not have goes to the day before it', () => onGame('made-15', '#at=d2w0', async (page) => {
  assert.match(await page.getByRole('slider').getAttribute('aria-valuetext') ?? '', /^Day 2$/);
}));

test('roles are neither shown nor fetched until somebody asks, and then kept for this game only', () => onGame('made-15', '#at=d3t4', async (page, watched) => {
  assert.equal(await page.locator('.at-role').count(), 0);
  assert.ok(watched.requests.every((url) => !url.includes('view=all') && !url.includes('seat')));
  assert.ok(!/Werewolf|Villager/.test(await page.locator('.stage').innerText()));
  await page.getByRole('button', { name: 'Show roles' }).click();
  await page.waitForSelector('.at-role');
  assert.equal(await page.locator('.at-role').count(), 15);
  assert.match(await hash(page), /view=all&at=d3t4/);
  await page.goto(`${hall.origin}/web/g/made-15`);
  await page.waitForSelector('.at-role');
  await page.goto(`${hall.origin}/web/g/made-5`);
  await settled(page);
  assert.equal(await page.locator('.at-role').count(), 0);
}));

test('the scrubber of a game whose roles are hidden shows the course as far as one has come', () => onGame('made-15', '#at=d1t9', async (page) => {
  assert.equal(await page.locator('.scrubber .executions').getAttribute('d'), '');
  assert.ok(!(await page.locator('.position').innerText()).includes('/'));
  assert.ok(Number(await page.getByRole('slider').getAttribute('aria-valuemax')) < 100);
  await page.getByRole('button', { name: 'Show the whole course' }).click();
  assert.notEqual(await page.locator('.scrubber .executions').getAttribute('d'), '');
  assert.ok((await page.locator('.position').innerText()).includes('/'));
}));

test('a seat’s view is chosen by a click and by its key, a second one goes back', () => onGame('made-15', '#at=d2n', async (page) => {
  await page.getByRole('button', { name: /^4,/ }).click();
  await page.waitForSelector('.seat.isview');
  assert.equal(await page.locator('.seat.isview .label').innerText(), '4');
  assert.ok((await page.locator('.at-role').count()) >= 1);
  await page.getByRole('button', { name: /^4,/ }).click();
  await page.waitForSelector('.seat.isview', { state: 'detached' });
  await page.keyboard.press('7');
  await page.waitForSelector('.seat.isview');
  assert.equal(await page.getByLabel('View', { exact: true }).inputValue(), '7');
  await page.keyboard.press('0');
  await page.waitForSelector('.seat.isview', { state: 'detached' });
}));

test('keys can be switched off, and do nothing in a field', () => onGame('made-15', '#at=d1t3', async (page) => {
  const before = await at(page);
  await page.keyboard.press('/');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('v4]');
  assert.equal(await at(page), before);
  assert.equal(await page.getByRole('tab', { name: 'Log' }).getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByLabel('Use these keys').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  assert.equal(await at(page), before);
}));

test('plain words come first, the sentence as it was said by a key', () => onGame('made-15', '#at=d1t8', async (page) => {
  assert.equal(await page.locator('.row .sentence').count(), 0);
  await page.keyboard.press('o');
  assert.ok((await page.locator('.row .sentence').count()) > 0);
}));

test('words are found in the game', () => onGame('made-13-en', '', async (page) => {
  await page.keyboard.press('/');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('strange');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.row.now').innerText(), /strange/);
  const first = await at(page);
  await page.keyboard.press('Enter');
  assert.ok((await at(page)) > first);
  await page.keyboard.press('Shift+Enter');
  assert.equal(await at(page), first);
}));

test('the log waits while a hand drags, the stage follows', () => onGame('made-15', '#view=all', async (page) => {
  const box = await page.getByRole('slider').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 4 });
  await page.waitForTimeout(40);
  const middle = await at(page);
  assert.ok(middle > 100);
  await page.mouse.up();
  await page.waitForTimeout(150);
  assert.equal(await at(page), middle);
  assert.ok((await page.locator('.row').count()) >= 24);
  await page.mouse.wheel(0, 120);
  await page.waitForTimeout(60);
  assert.equal(await at(page), middle + 5);
}));

test('the log shows the last rows, and more when one scrolls up', () => onGame('made-15', '#view=all&at=end', async (page) => {
  assert.equal(await page.locator('.row').count(), 24);
  await page.locator('.log').evaluate((log) => { log.scrollTop = 0; });
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 48);
}));

test('a picture of the table says in words what it shows, the status line only what is new', () => onGame('made-15', '#at=d2v0.15', async (page) => {
  assert.match(await page.locator('.ground').getAttribute('aria-label') ?? '', /^Day 2, \d+ alive\. \d+ votes? for \d+/);
  assert.match(await page.locator('[role=status].unseen').innerText(), /^Vote: 15 → \d+$/);
}));

test('both languages, kept; the game’s own texts stay as they are', () => onGame('made-13-ja', '#at=d1t3', async (page) => {
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  await page.getByRole('button', { name: '日本語' }).click();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
  assert.ok(await page.getByText('1日目').first().isVisible());
  assert.equal(await page.locator('.row .said p').last().getAttribute('lang'), 'ja');
  await page.reload();
  await settled(page);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
}));

test('colours follow the system until they are switched', () => onGame('made-5', '', async (page) => {
  const paper = async (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  assert.notEqual(await paper(), dark);
  await page.reload();
  await settled(page);
  assert.notEqual(await paper(), dark);
}, { colorScheme: 'dark' }));

test('nothing moves for who wants that', () => onGame('made-15', '#at=d2v0.14', async (page) => {
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
}, { reducedMotion: 'reduce' }));

test('a game that is not here is told in a sentence, with a way to try again', () => onGame('none', '', async (page) => {
  await page.getByText('No such game is here.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Try again' }).isVisible());
}, { expected: /404/ }));

test('a save of the view is a document', () => onGame('made-5', '#at=d1', async (page) => {
  await page.getByRole('button', { name: 'More' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save this view' }).click()]);
  assert.equal(download.suggestedFilename(), 'made-5.public.json');
}));

// seat.e2e.ts - a person's seat in a browser: what is asked, what is answered, what is kept, before
// a server by script.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hostile } from './made.mjs';
import type { MockGame } from './mock_game.ts';
import { closeAll, isFine, looksAt, matrix, nameOf, open, openMock, sideways, twice, type How, type MockHall } from './mock_browser.ts';
import { seatsOf } from './mock_hall.ts';

let hall: MockHall;
let game: MockGame;

const length = { unit: 'chars', spaces: true, per_talk: 125, base: 30, mention: 20, left: 40, rule: 'longest' };
const talk = { kind: 'talk', left_ms: 60_000, may: ['skip', 'over'], length, turns_left: 4, skips_left: 2 };
const vote = { kind: 'vote', left_ms: 60_000, targets: [2, 3, 4, 5], changes: true };

before(async () => {
  hall = await openMock();
  sit('evening-1', 1);
});
after(closeAll);

function sit(id: string, seat: number): void {
  hall.mock.seat = { game: id, seat, room: 'WZXY23', name: 'Ann' };
  game = hall.mock.games.get(id) as MockGame;
  for (const ask of [...game.asks.keys()]) game.unask(ask);
  game.answers.length = 0;
}

async function seated(how: How = {}) {
  const watched = await open(hall, 'seat', { seat: true, expected: /ERR_|Failed|WebSocket/, ...how });
  await watched.page.waitForSelector('.seatpage .log .row');
  await watched.page.waitForTimeout(150);
  return watched;
}

const answers = (): string[] => game.answers.map((answer) => String(answer.text ?? answer.target));
const until = async (what: () => boolean): Promise<void> => {
  for (let i = 0; i < 100 && !what(); i++) await new Promise((done) => { setTimeout(done, 50); });
  assert.ok(what());
};

test('one speaks: how much is left, what will be cut, Enter sends, an input method’s Enter does not', async () => {
  sit('evening-1', 1);
  const { page, faults, close } = await seated();
  game.ask(1, talk);
  await page.getByText('Your turn to speak').waitFor();
  const field = page.getByRole('textbox', { name: 'Write here' });
  await field.fill('hello');
  await page.getByText('65 characters left').waitFor({ state: 'attached' });
  await field.fill('x'.repeat(80));
  await page.getByText('10 too many').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.cutnotice del').textContent(), 'x'.repeat(10));
  await field.fill('これは');
  await field.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true })));
  await field.press('Shift+Enter');
  await field.pressSequentially('狼');
  await page.waitForTimeout(400);
  assert.deepEqual(answers(), []);
  await field.press('Enter');
  await until(() => answers().length === 1);
  assert.deepEqual(answers(), ['これは 狼']);
  await page.getByText('Listening…').waitFor();
  assert.equal(await field.inputValue(), '');
  assert.deepEqual(faults, []);
  await close();
});

test('what was recorded shorter is shown', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  game.ask(1, { ...talk, length: undefined, max_chars: 400 });
  game.asks.forEach((ask) => { ask.length = { per_talk: 12 }; });
  await page.getByRole('textbox').fill('I say that Ben is lying.');
  await page.waitForTimeout(350);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('It was recorded shorter').waitFor();
  assert.equal(await page.locator('.outcome del').textContent(), 'en is lying.');
  await close();
});

test('Skip and Over are answers, and nothing more', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  game.ask(1, talk);
  await page.getByRole('textbox').fill('a draft');
  await page.waitForTimeout(350);
  await page.getByRole('button', { name: /^Skip/ }).click();
  await until(() => answers().length === 1);
  game.ask(1, talk);
  await page.getByRole('button', { name: 'Over' }).waitFor();
  await page.waitForTimeout(350);
  await page.getByRole('button', { name: 'Over' }).click();
  await until(() => answers().length === 2);
  assert.deepEqual(answers(), ['Skip', 'Over']);
  assert.equal(await page.getByRole('textbox').inputValue(), 'a draft');
  await close();
});

test('a draft outlives a reload and the next ask; what came too late is not lost', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  const ask = game.ask(1, talk);
  await page.getByRole('textbox').fill('I think it is Ben');
  await page.reload();
  await page.waitForSelector('.seatpage .log .row');
  assert.equal(await page.getByRole('textbox').inputValue(), 'I think it is Ben');
  game.unask(ask);
  await page.getByText('Listening…').waitFor();
  assert.equal(await page.getByRole('textbox').inputValue(), 'I think it is Ben');
  const late = game.ask(1, talk);
  await page.getByText('Your turn to speak').waitFor();
  await page.waitForTimeout(350);
  game.asks.delete(late); // the server's clock was faster than the network
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Too late: it was not said.').waitFor();
  assert.equal(await page.getByRole('textbox').inputValue(), 'I think it is Ben');
  assert.deepEqual(answers(), []);
  await close();
});

test('what is written ahead is sent on one’s turn when one said so, as it stood, and on that day only', async () => {
  sit('evening-1', 1);
  const { page, faults, close } = await seated();
  const field = page.getByRole('textbox');
  await field.fill('I think it is Ben');
  await page.getByText('Enter: send it on your turn.').waitFor();
  const first = game.ask(1, talk); // not marked: it waits
  await page.getByText('Not sent yet: Enter sends it.').waitFor();
  await page.waitForTimeout(700);
  assert.deepEqual(answers(), []);
  game.unask(first);
  await page.getByText('Enter: send it on your turn.').waitFor();
  await field.press('Enter');
  await page.getByText('Will be sent on your turn.').waitFor();
  await field.press('End');
  await field.pressSequentially('.'); // another text: the mark is gone
  await page.getByText('Enter: send it on your turn.').waitFor();
  await page.getByRole('button', { name: 'Send on my turn' }).click();
  await page.getByRole('button', { name: 'Don’t send' }).click();
  await page.getByText('Enter: send it on your turn.').waitFor();
  await field.press('Enter');
  game.ask(1, talk);
  await until(() => answers().length === 1);
  assert.deepEqual(answers(), ['I think it is Ben.']);
  assert.equal(await field.inputValue(), '');
  // What the rules would cut is for its writer to mend.
  await page.getByText('Listening…').waitFor();
  await field.fill('y'.repeat(90));
  await field.press('Enter');
  await page.getByText('Will be sent on your turn.').waitFor();
  game.ask(1, talk);
  await page.getByText('Will be cut:').waitFor();
  await page.waitForTimeout(700);
  assert.equal(answers().length, 1);
  assert.deepEqual(faults, []);
  await close();
});

test('why a sentence is none stands once, and goes when it is mended', async () => {
  sit('000', 4);
  const { page, close } = await seated({ viewport: { width: 320, height: 640 } });
  game.ask(4, { kind: 'talk', left_ms: 60_000, may: ['skip', 'over'] });
  const field = page.getByRole('textbox');
  await field.fill('I think it is 7');
  await page.getByText('Not a sentence: column 1: no such word').waitFor();
  await page.waitForTimeout(350);
  await field.press('Enter');
  await page.getByRole('alert').getByText('Not taken: column 1: no such word').waitFor();
  assert.equal(await page.getByText('no such word').count(), 1);
  assert.equal(await field.inputValue(), 'I think it is 7');
  const inSight = await page.evaluate(() => {
    const log = document.querySelector('.seatlog .log') as Element;
    const dock = document.querySelector('.dock') as Element;
    return log.scrollTop + log.clientHeight >= log.scrollHeight - 2 && dock.scrollHeight <= dock.clientHeight + 1;
  });
  assert.ok(inSight, 'the last line is in sight, and all of the dock');
  await field.fill('VOTE Agent[07]');
  await page.getByText('Valid: says: VOTE 7').waitFor();
  assert.equal(await page.getByText('no such word').count(), 0);
  await close();
});

test('a vote by keys, changed, withdrawn; a press within 300 ms is none; who is dead is no target', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  // Keys that were meant for something else. The page's clock stands until they are pressed, however slow the machine is.
  await page.evaluate(() => {
    const at = performance.now();
    performance.now = () => at;
    const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const watcher = new MutationObserver(() => {
      if (!document.querySelector('.targets')) return;
      watcher.disconnect();
      setTimeout(() => {
        press('3');
        press('Enter');
        document.body.dataset['pressed'] = 'yes';
      }, 60);
    });
    watcher.observe(document.body, { subtree: true, childList: true });
  });
  game.ask(1, { ...vote, withdraw: true });
  await page.waitForSelector('[data-pressed]');
  await page.waitForTimeout(1000);
  assert.deepEqual(answers(), []);
  await page.evaluate(() => { delete (performance as Partial<Performance>).now; });
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await until(() => answers().length === 1);
  await page.getByText('Your choice: Ben.').waitFor();
  await page.getByRole('button', { name: '5 Emi' }).last().click();
  await page.getByRole('button', { name: 'Vote for Emi' }).click();
  await until(() => answers().length === 2);
  await page.getByText('Your choice: Emi.').waitFor();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await until(() => answers().length === 3);
  assert.deepEqual(answers(), ['2', '5', '0']);
  game.asks.forEach((ask) => { ask.targets = [2, 3]; });
  await page.getByRole('button', { name: '4 Dmitri' }).last().click();
  await page.getByRole('button', { name: 'Vote for Dmitri' }).click();
  await page.getByText('Not taken: Seat 4 cannot be chosen.').waitFor();
  assert.equal(await page.locator('.target').count(), 2);
  await close();
});

test('seats from 10 on have two digits', async () => {
  sit('eighteen', 1);
  const { page, close } = await seated();
  game.ask(1, { ...vote, targets: [1, 2, 12, 18] });
  await page.getByText('Whom do you vote for?').waitFor();
  await page.waitForTimeout(350);
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await until(() => answers().length === 1);
  assert.deepEqual(answers(), ['12']);
  await close();
});

test('an answer into a lost connection is sent once more, with the same key', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  game.ask(1, vote);
  await page.getByText('Whom do you vote for?').waitFor();
  await page.waitForTimeout(350);
  hall.mock.down = true;
  hall.mock.cut();
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await page.getByText('Sending…').waitFor();
  await page.getByText('The connection is lost').waitFor();
  assert.deepEqual(answers(), []);
  hall.mock.down = false;
  await until(() => answers().length >= 1);
  await page.getByText('Your choice: Chloe.').waitFor();
  assert.equal(new Set(game.answers.map((answer) => answer.key)).size, 1);
  await close();
});

test('the role is nowhere to be seen until one holds its button', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  const roleSigns = (): Promise<number> => page.evaluate(() => [...document.querySelectorAll('.at-role, .row.deed, .rolecard')].filter((each) => each.checkVisibility({ visibilityProperty: true })).length);
  assert.equal(await roleSigns(), 0);
  const button = page.getByRole('button', { name: 'My role' });
  const box = await button.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  await page.locator('.rolecard').getByText('Seer').waitFor();
  await page.getByText('Night 0: Ben is a werewolf').waitFor();
  await page.mouse.up();
  assert.equal(await roleSigns(), 0);
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('.rolecard').getByText('Seer').waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await roleSigns(), 0);
  await close();
});

test('the clock is read out at 10 and 5 seconds, once', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  await page.evaluate(() => {
    const said: string[] = [];
    (globalThis as unknown as { said: string[] }).said = said;
    new MutationObserver(() => {
      const text = document.querySelector('.countdown .unseen')?.textContent ?? '';
      if (text && said[said.length - 1] !== text) said.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  game.ask(1, { ...talk, left_ms: 11_500 });
  await page.waitForTimeout(7500);
  assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { said: string[] }).said), ['10 seconds left', '5 seconds left']);
  assert.equal(await page.locator('.countdown.soon').count(), 1);
  await close();
});

test('are you there? yes', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated();
  hall.mock.tell(() => true, { type: 'here?', room: 'WZXY23', left_ms: 30_000 });
  await page.getByText('Are you there?').waitFor();
  hall.mock.acts.length = 0;
  await page.getByRole('button', { name: 'I am here' }).click();
  await until(() => hall.mock.acts.length === 1);
  assert.equal(hall.mock.acts[0]?.path, 'here');
  assert.equal(await page.getByText('Are you there?').count(), 0);
  await close();
});

test('a sentence of the protocol by buttons: those said most, and step by step', async () => {
  sit('000', 4);
  const { page, close } = await seated();
  game.ask(4, { kind: 'talk', left_ms: 60_000, may: ['skip', 'over'] });
  await page.getByText('Your turn to speak').waitFor();
  await page.getByRole('group', { name: 'About' }).getByRole('button', { name: '7', exact: true }).click();
  await page.getByRole('button', { name: 'I vote 7', exact: true }).click();
  assert.equal(await page.getByRole('textbox').inputValue(), 'VOTE Agent[07]');
  await page.getByText('Valid: says: VOTE 7').waitFor();
  await page.getByText('Build a sentence').click();
  await page.getByRole('button', { name: 'Because', exact: true }).click();
  const steps = page.locator('.steps');
  for (const name of ['divined', '7', 'a werewolf', 'vote', '7']) await steps.getByRole('button', { name, exact: true }).click();
  assert.equal(await page.getByRole('textbox').inputValue(), 'BECAUSE (DIVINED Agent[07] WEREWOLF) (VOTE Agent[07])');
  await steps.getByRole('button', { name: /Back/ }).click();
  await steps.getByRole('button', { name: '8', exact: true }).click();
  await page.waitForTimeout(350);
  await page.getByRole('button', { name: 'Send' }).click();
  await until(() => answers().length === 1);
  assert.deepEqual(answers(), ['BECAUSE (DIVINED Agent[07] WEREWOLF) (VOTE Agent[08])']);
  await close();
});

test('on a phone: a press on a face mentions it, the table by its key, by a button and by a swipe', async () => {
  sit('evening-1', 1);
  const { page, close } = await seated({ viewport: { width: 390, height: 844 }, hasTouch: true });
  game.ask(1, talk);
  await page.getByRole('button', { name: /Mention Ben/ }).click();
  assert.equal(await page.getByRole('textbox').inputValue(), '@Ben ');
  assert.equal(await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('#write') as Element).fontSize) >= 16), true);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.waitForSelector('.stage .seat');
  await page.getByRole('heading', { level: 1 }).click();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('t');
  assert.equal(await page.locator('.stage').isVisible(), false);
  await page.evaluate(() => {
    const log = document.querySelector('.seatlog') as Element;
    const touch = (x: number) => new Touch({ identifier: 1, target: log, clientX: x, clientY: 300 });
    log.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [touch(300)], changedTouches: [touch(300)] }));
    log.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: [touch(120)] }));
  });
  await page.waitForSelector('.stage .seat');
  await close();
});

test('without a seat the page says where to get one; before the game it waits', async () => {
  const { page, close } = await open(hall, 'seat', { expected: /404/ });
  await page.getByText('You have no seat in this browser').waitFor();
  await close();
});

const states: [string, string, number, object[]][] = [
  ['speaks', 'evening-1', 1, [talk]], ['votes', 'evening-1', 1, [vote]], ['both', 'evening-1', 1, [{ ...talk, standing: true }, { ...vote, withdraw: true }]],
  ['builds', '000', 4, [{ kind: 'talk', left_ms: 60_000, may: ['skip', 'over'] }]], ['of eighteen', 'eighteen', 1, [{ ...vote, targets: [2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18] }]],
  ['wishes', 'inlg-night', 1, [{ kind: 'role_wish', left_ms: 9_000 }, { kind: 'whisper_to', targets: [2, 3], left_ms: 9_000 }]], ['listens', 'inlg-night', 1, []],
];

for (const how of matrix)
  test(`axe finds nothing, nothing is too wide: ${nameOf(how)}`, async () => {
    for (const [what, id, seat, asks] of states.filter((_, i) => looksAt(how, i))) {
      sit(id, seat);
      for (const ask of asks) game.ask(seat, ask as Record<string, unknown>);
      const { page, faults, close } = await seated(how);
      await isFine(page, `${what} ${nameOf(how)}`);
      assert.deepEqual(faults, []);
      await close();
    }
  });

test('text of twice the size and forced colours at 320 px', async () => {
  for (const forcedColors of ['none', 'active'] as const)
    for (const [what, id, seat, asks] of states) {
      sit(id, seat);
      for (const ask of asks) game.ask(seat, ask as Record<string, unknown>);
      const { page, close } = await seated({ viewport: { width: 320, height: 640 }, forcedColors });
      await twice(page);
      assert.ok((await sideways(page)) <= 0, what);
      await close();
    }
});

test('hostile names and lines are only texts at the seat', async () => {
  const names = hostile.slice(0, 18);
  const table = hall.mock.games.get('eighteen') as MockGame;
  const before = table.seats.map((seat) => seat.name);
  table.seats.forEach((seat, i) => { seat.name = names[i] as string; });
  sit('eighteen', 1);
  game.add(...hostile.map((text, i) => ({ a: `d2t${i + 1}`, kind: 'talk' as const, day: 2, seat: 1 + (i % 18), turn: 1, idx: i + 1, text })));
  game.ask(1, { ...vote, targets: [2, 3, 4, 5, 17] });
  game.ask(1, talk);
  const { page, faults, close } = await seated({ viewport: { width: 320, height: 640 } });
  assert.deepEqual(faults, []);
  assert.ok((await sideways(page)) <= 0);
  assert.equal(await page.locator('main img, main script, main style, main iframe').count(), 0);
  table.seats.forEach((seat, i) => { seat.name = before[i] as string; });
  await close();
});

test('the end: who was what, won or lost, and once more', async () => {
  sit('evening-1', 1);
  assert.ok(seatsOf);
  const { page, faults, close } = await seated({ bypassCSP: true, reducedMotion: 'reduce' });
  game.ask(1, talk);
  await page.getByText('Your turn to speak').waitFor();
  hall.mock.endGame(game, 'WEREWOLF');
  await page.getByText('You have lost').waitFor();
  await page.locator('.whowas').getByText('Possessed').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Play again' }).getAttribute('href'), '/web/r/WZXY23');
  assert.equal(await page.getByRole('textbox').count(), 0);
  await isFine(page, 'the end');
  assert.deepEqual(faults, []);
  await close();
});

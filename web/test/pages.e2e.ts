// pages.e2e.ts - all pages but the game's and the seat's, before a server by script.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exportFile, long, web } from './browser.ts';
import { hostile } from './made.mjs';
import { SECRET } from './mock.ts';
import { closeAll, isFine, looksAt, matrix, nameOf, open, openMock, settled, sideways, twice, type How, type MockHall } from './mock_browser.ts';

let hall: MockHall;
before(async () => { hall = await openMock(); });
after(closeAll);

const pages: { path: string; operator?: true; expected?: RegExp }[] = [
  { path: '' }, { path: 'open' }, { path: 'search' }, { path: 'search?q=ann&day=1' }, { path: 'search?q=nothing' }, { path: 's/house-2026-11-20' },
  { path: 'r/K7MPQR' }, { path: 'r/WZXY23' }, { path: 'r/NONE22', expected: /404/ }, { path: 'wall' }, { path: 'seat', expected: /404/ }, { path: 'operator' }, { path: 'login' },
  { path: 'nowhere' }, { path: 'operator', operator: true }, { path: 'mind/evening-1', operator: true }, { path: 'r/K7MPQR', operator: true },
];

for (const how of matrix)
  test(`axe finds nothing, nothing is too wide: ${nameOf(how)}`, async () => {
    for (const operator of [false, true]) {
      const watched = await open(hall, '', { ...how, operator, expected: /404/ });
      for (const each of pages.filter((one, i) => (one.operator ?? false) === operator && looksAt(how, i))) {
        await watched.page.goto(`${hall.origin}/web/${each.path}`);
        await settled(watched.page);
        await isFine(watched.page, `${each.path} ${nameOf(how)}`);
      }
      assert.deepEqual(watched.faults, []);
      await watched.close();
    }
  });

test('text of twice the size, forced colours: nothing is lost to the side', async () => {
  for (const [i, how] of [{}, { forcedColors: 'active' as const }].entries())
    for (const each of pages.filter((_, j) => long || i === 0 || j % 3 === 0)) {
      const watched = await open(hall, each.path, { ...how, viewport: { width: 320, height: 640 }, operator: each.operator === true, expected: /404/ });
      await settled(watched.page);
      await twice(watched.page);
      assert.ok((await sideways(watched.page)) <= 0, `${each.path} at 200 %`);
      await watched.close();
    }
});

test('results are on no page and in no answer before one asks for them', async () => {
  const { page, faults, close } = await open(hall, '');
  await page.getByText('Autumn cup · game 412').waitFor();
  await page.getByText('412 of 1,000 games').waitFor();
  await page.getByText('60 games', { exact: true }).waitFor();
  assert.equal(await page.getByText(/won/).count(), 0);
  await page.getByLabel('Show results').check();
  await page.getByText('Werewolves won').first().waitFor();
  await page.reload();
  await page.getByText('Werewolves won').first().waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('a server without anything, one that is slow, one that fails, one that is away', async () => {
  const empty = await openMock();
  Object.assign(empty.mock, { rows: [], contests: [] });
  empty.mock.games.clear();
  empty.mock.rooms.clear();
  empty.mock.sessions.clear();
  const { page, close } = await open(empty, '', { expected: /503|500|ERR_|Failed/ });
  await page.getByText('Nothing is here yet').waitFor();
  empty.mock.slowMs = 400;
  await page.reload();
  await page.getByText('Loading…').waitFor();
  empty.mock.slowMs = 0;
  empty.mock.trouble = { status: 503, code: 'busy', text: 'All workers are busy; try again in a moment.' };
  await page.reload();
  await page.getByText('All workers are busy').waitFor();
  empty.mock.trouble = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nothing is here yet').waitFor();
  await page.goto(`${empty.origin}/web/wall`);
  await page.getByText('No table is played right now').waitFor();
  await close();
  await empty.close();
});

// ---- opening ----

const dropped = (page: Awaited<ReturnType<typeof open>>['page'], files: { name: string; text: string }[]) => page.evaluate((all) => {
  const data = new DataTransfer();
  for (const { name, text } of all) data.items.add(new File([text], name));
  for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
}, files);

const publicText = (): string => readFileSync(join(web, '../docs/spec/web/game-public.json'), 'utf8');

test('a document that is dropped on any page is shown without asking the server', async () => {
  const { page, faults, requests, close } = await open(hall, 'search');
  await settled(page);
  const before = requests.length;
  await dropped(page, [{ name: 'game.json', text: publicText() }]);
  await page.waitForSelector('.stage');
  assert.equal(requests.length, before);
  assert.deepEqual(faults, []);
  await close();
});

test('several files become a list; a log that can’t be read says where', async () => {
  const { page, close } = await open(hall, 'open', { expected: /400/ });
  const page2 = readFileSync(exportFile([JSON.parse(publicText())]), 'utf8');
  await dropped(page, [{ name: 'a.json', text: publicText() }, { name: 'bad.log', text: '0,status,1,SEER\nx' }, { name: 'page.html', text: page2 }, { name: 'empty.log', text: '' }]);
  await page.getByText('line 3, column 7: expected a number').waitFor();
  await page.getByText('empty.log: the file is empty').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Show (?!all)/ }).count(), 2);
  await page.getByRole('button', { name: 'Remove bad.log' }).click();
  assert.equal(await page.getByText('line 3').count(), 0);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForSelector('.stage');
  await close();
});

test('a log goes to the server, also gzipped; chosen and pasted', async () => {
  const got: { name: string; text: string }[] = [];
  hall.mock.open = (bytes, name) => {
    got.push({ name, text: bytes.toString() });
    return [JSON.parse(publicText())];
  };
  const { page, close } = await open(hall, 'open');
  const folder = mkdtempSync(join(tmpdir(), 'warg-open-'));
  writeFileSync(join(folder, 'game.log.gz'), gzipSync('0,status,1,SEER'));
  await page.locator('input[type=file]').setInputFiles(join(folder, 'game.log.gz'));
  await page.waitForSelector('.stage');
  await page.goto(`${hall.origin}/web/open`);
  await page.locator('#pasted').fill('0,status,2,VILLAGER');
  await page.getByRole('button', { name: 'Open what is pasted' }).click();
  await page.waitForSelector('.stage');
  assert.deepEqual(got, [{ name: 'game.log.gz', text: '0,status,1,SEER' }, { name: 'pasted', text: '0,status,2,VILLAGER' }]);
  await page.goto(`${hall.origin}/web/open?url=${encodeURIComponent('https://example.com/web/g/x')}`);
  await settled(page);
  assert.match(page.url(), /\/web\/open\?/);
  await page.goto(`${hall.origin}/web/open?url=/web/g/jsai2026_truck5_game1`);
  await page.waitForURL(/\/web\/g\/jsai2026/);
  await close();
});

// ---- rooms, operators ----

test('a guest takes a seat with one button, leaves, and sees others come', async () => {
  const { page, faults, close } = await open(hall, 'r/K7MPQR', { viewport: { width: 390, height: 844 } });
  await page.getByLabel('Your name at the table').fill('Mio');
  await page.getByRole('button', { name: 'Take a seat' }).click();
  await page.getByText('You have a seat, Mio.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'To my seat' }).getAttribute('href'), '/web/seat');
  const other = await open(hall, 'r/K7MPQR');
  await other.page.getByLabel('Your name at the table').fill('Otto');
  await other.page.getByRole('button', { name: 'Take a seat' }).click();
  await page.getByText('Otto').waitFor();
  await other.page.getByRole('button', { name: 'Leave' }).click();
  await other.page.getByRole('button', { name: /Wait for a seat|Take a seat/ }).waitFor();
  assert.deepEqual([...faults, ...other.faults], []);
  await other.close();
  await close();
});

test('who has a seat goes to the table when the game begins', async () => {
  const guests = hall.mock.rooms.get('K7MPQR')?.seats ?? [];
  hall.mock.changeRoom('K7MPQR', { seats: [], queue: [] });
  const { page, faults, close } = await open(hall, 'r/K7MPQR', { viewport: { width: 390, height: 844 } });
  await page.getByRole('button', { name: 'Take a seat' }).click();
  await page.getByText('You have a seat').waitFor();
  const room = hall.mock.rooms.get('K7MPQR');
  assert.ok(room?.you);
  const { you } = room;
  hall.mock.seat = { game: 'evening-1', seat: 1, room: 'K7MPQR', name: 'Mio' };
  await hall.mock.whenWatched('K7MPQR'); // the socket comes back with the cookie
  hall.mock.changeRoom('K7MPQR', { state: 'playing', game: 'evening-1', you: { ...you, playing: true, seat: 1 } });
  await page.waitForURL(/\/web\/seat$/);
  await page.waitForSelector('.seatpage .log');
  delete room.you;
  hall.mock.changeRoom('K7MPQR', { state: 'open', seats: guests });
  assert.deepEqual(faults, []);
  await close();
});

test('the code on the screen leads to the room', async (context) => {
  const { page, close } = await open(hall, 'r/K7MPQR');
  const picture = join(mkdtempSync(join(tmpdir(), 'warg-qr-')), 'room.png');
  await page.locator('.qr').screenshot({ path: picture });
  await close();
  try {
    assert.equal(execFileSync('zbarimg', ['-q', '--raw', picture], { encoding: 'utf8' }).trim(), `${hall.origin}/web/r/K7MPQR`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    context.diagnostic('left out: zbarimg is not installed');
  }
});

test('the operator’s key goes from the address at once, and is sent as it should be', async () => {
  const { page, close } = await open(hall, `login#k=${SECRET}`);
  await page.getByText('You are the operator in this tab.').waitFor();
  assert.doesNotMatch(page.url(), /k=/);
  assert.equal(await page.evaluate(() => localStorage.length + document.cookie.length - localStorage.length), 0);
  hall.mock.acts.length = 0;
  await page.goto(`${hall.origin}/web/operator`);
  await page.getByLabel('Name', { exact: true }).fill('Hall');
  await page.locator('[name=start]').selectOption('after');
  await page.getByLabel('Seconds until the start').fill('90');
  await page.getByRole('button', { name: 'Make the room' }).click();
  await page.waitForURL(/\/web\/r\/NEWABC/);
  assert.deepEqual(hall.mock.acts, [{ path: 'rooms', body: { title: 'Hall', division: 'nlp', rules: 'nlp-turn', players: 5, people: 1, fill: 'bot:talker', start: '90s', language: 'en', delay_s: 0, names_hidden: false, listed: true, kept: false } }]);
  await page.goto(`${hall.origin}/web/r/K7MPQR`);
  await page.getByRole('button', { name: 'Remove Guest 7' }).click();
  await page.getByRole('button', { name: 'Press again to do it' }).click();
  await page.getByText('Done').waitFor();
  assert.deepEqual(hall.mock.acts[1], { path: 'rooms/K7MPQR/kick', body: { id: 7 } });
  await close();
  const wrong = await open(hall, 'login#k=wrong', { expected: /401/ });
  await wrong.page.getByText('This link holds no valid key.').waitFor();
  assert.equal(await wrong.page.evaluate(() => sessionStorage.length), 0);
  await wrong.close();
});

test('what the server is to do it says first, and does it when it is told again', async () => {
  const { page, faults, close } = await open(hall, 'operator', { operator: true, expected: /409/ });
  await page.getByRole('button', { name: 'Hold: begin no further game' }).click();
  await page.getByText('This would hold').waitFor();
  assert.equal(hall.mock.serverActsDone.held, false);
  await page.getByRole('button', { name: 'Do it' }).click();
  await page.getByText('Held: no further game begins.').waitFor();
  await page.getByLabel('Team, agent, or the game’s ID').fill('kanolab');
  await page.getByLabel('Why (kept in the journal)').fill('asked to');
  await page.getByRole('button', { name: 'Ask the server' }).click();
  await page.getByRole('button', { name: 'Leave it' }).click();
  assert.equal(hall.mock.serverActsDone.left_out.length, 0);
  await page.getByRole('button', { name: 'Ask the server' }).click();
  await page.getByRole('button', { name: 'Do it' }).click();
  await page.getByRole('button', { name: 'Let kanolab in again' }).waitFor();
  assert.deepEqual(hall.mock.serverActsDone.acts[0], { act: 'leave-out', team: 'kanolab', why: 'asked to', by: 'operator', at: '2026-11-26T12:00:00Z' });
  assert.deepEqual(faults, []);
  await close();
});

// ---- live ----

test('the wall follows its tables through a lost connection, which it tells of', async () => {
  const own = await openMock();
  const { page, close } = await open(own, 'wall?tables=4', { expected: /ERR_|Failed|WebSocket/ });
  await page.getByText('that was quick').waitFor();
  assert.equal(await page.locator('.tile .mini').count(), 4);
  await page.locator('.tile').getByText('夜の卓').waitFor(); // its room's name
  const game = own.mock.games.get('evening-1');
  assert.ok(game);
  const say = (idx: number, text: string) => game.add({ a: `d1t${idx}`, kind: 'talk', day: 1, seat: 3, turn: 1, idx, text });
  say(4, 'I heard that.');
  await page.getByText('I heard that.').waitFor();
  own.mock.down = true;
  own.mock.cut();
  await page.getByText('The connection is lost').waitFor();
  say(5, 'Nobody heard this yet.');
  own.mock.down = false;
  await page.getByText('Nobody heard this yet.').waitFor();
  assert.equal(await page.getByText('The connection is lost').count(), 0);
  assert.equal(own.mock.requests.filter((line) => line.includes('evening-1/doc')).length, 1);
  own.mock.endGame(game, 'VILLAGER');
  await page.getByText('Villagers won').waitFor();
  await close();
  await own.close();
});

test('seats of the monitor have the colours of their table, and names keep their words', async () => {
  const { page, close } = await open(hall, 'mind/eighteen', { viewport: { width: 320, height: 640 } });
  const chip = page.locator('.minds .chip').first();
  await chip.waitFor();
  assert.equal((await chip.evaluate((element) => getComputedStyle(element).getPropertyValue('--h'))).trim(), '340.0'); // 20 + 16 * 20
  assert.ok(((await page.locator('.minds .name').boundingBox())?.width ?? 0) > 60);
  await close();
});

test('the monitor of a game that runs says so in its title and frame', async () => {
  const { page, close } = await open(hall, 'mind/evening-1', { operator: true });
  await page.getByText('This game is being played.').waitFor();
  assert.match(await page.title(), /operators only/);
  await page.getByText('Prompt 23').click();
  await page.getByText('= [system]').first().waitFor();
  await page.getByText('listened', { exact: true }).waitFor();
  await page.locator('.decision .pill', { hasText: 'rule' }).first().waitFor();
  await page.getByLabel('Unfold all').check();
  assert.ok((await page.locator('details.fold[open]').count()) > 40);
  await close();
});

test('a hit leads to its moment', async () => {
  const { page, close } = await open(hall, '');
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('ann');
  await page.keyboard.press('Enter');
  await page.getByText('61 places').waitFor();
  assert.equal(await page.locator('mark').first().textContent(), 'ann');
  assert.equal(await page.locator('a.item-main').first().getAttribute('href'), '/web/g/evening-1#at=d1t0');
  await close();
});

// ---- everybody ----

test('the tab key alone reaches every button and link, and one sees where', async () => {
  for (const path of ['', 'r/K7MPQR', 'open', 'search?q=ann']) {
    const { page, close } = await open(hall, path);
    await settled(page);
    await page.waitForTimeout(300);
    const wanted = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('a[href],button:not(:disabled),input:not([tabindex="-1"]),select,textarea,summary')].filter((each) => each.checkVisibility()).length);
    const seen = await page.evaluate(() => { (document.activeElement as HTMLElement | null)?.blur(); return 0; });
    let reached = seen;
    for (let i = 0; i < wanted + 20; i++) {
      await page.keyboard.press('Tab');
      const state = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        if (!element || element === document.body || element.dataset['reached']) return 'old';
        element.dataset['reached'] = '1';
        if (!element.matches('a[href],button,input,select,textarea,summary')) return 'other';
        const style = getComputedStyle(element);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 ? 'seen' : `unseen ${element.outerHTML.slice(0, 80)}`;
      });
      assert.ok(!state.startsWith('unseen'), `${path}: ${state}`);
      if (state === 'seen') reached++;
    }
    assert.equal(reached, wanted, path);
    await close();
  }
});

test('hostile texts are only texts, in every place', async () => {
  const own = await openMock();
  const { mock } = own;
  const at = (i: number): string => hostile[i % hostile.length] as string;
  mock.rows.forEach((row, i) => Object.assign(row, { name: at(i), rules: at(i + 3), contest: at(i + 5) }));
  mock.contests.forEach((row, i) => { row.name = at(i); });
  const room = mock.rooms.get('K7MPQR');
  assert.ok(room);
  Object.assign(room, { title: at(0), rules: at(1), trouble: at(3), seats: hostile.map((name, i) => ({ id: i, name, here: i % 2 === 0 })), queue: [{ id: 99, name: at(16) }] });
  const session = mock.sessions.get('house-2026-11-20');
  session?.seats.forEach((seat, i) => Object.assign(seat, { name: at(i), agent: at(i + 9) }));
  mock.search = () => ({ hits: hostile.map((text, i) => ({ game: at(i + 1), a: at(i + 2), seat: i + 1, name: at(i + 4), text })) });
  const mind = mock.minds.get('evening-1');
  mind?.decisions.forEach((decision, i) => Object.assign(decision, { thought: at(i), message: at(i + 1), raw: at(i + 2), reason: at(i + 3), task: at(i + 4), a: at(i + 5) }));
  mind?.seats.forEach((seat, i) => Object.assign(seat, { name: at(i), model: at(i + 7) }));
  const run = async (path: string, how: How = {}) => {
    const { page, faults, close } = await open(own, path, { viewport: { width: 320, height: 640 }, ...how });
    await settled(page);
    await page.waitForTimeout(200);
    assert.deepEqual(faults, [], path);
    assert.ok((await sideways(page)) <= 0, `${path}: wider than the window`);
    assert.equal(await page.locator('main img, main script, main style, main iframe').count(), 0);
    assert.doesNotMatch(await page.locator('main').innerText(), /[\u202e\u200b\u0007]/);
    await close();
  };
  for (const path of ['', 'r/K7MPQR', 's/house-2026-11-20', 'search?q=evil', 'wall']) await run(path);
  await run('mind/evening-1', { operator: true });
  await own.close();
});

test('nothing moves where one wants it so', async () => {
  const { page, close } = await open(hall, '', { reducedMotion: 'reduce' });
  await settled(page);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await close();
});

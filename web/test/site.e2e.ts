// site.e2e.ts - the pages of the contest site before a server that says what docs/contest-api.md says:
// everything that people do there, by what they can see, and what must not get lost.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openHallAt, openPage, web, long, type Hall, type Watched } from './browser.ts';
import { hostile } from './made.mjs';
import { axeTrouble, sideways, sizes, twice } from './mock_browser.ts';
import { SiteMock } from './mock_site.ts';
import { lotEntry } from '../src/site/lot.ts';
import { bytesOfHex } from '../src/site/merkle.ts';

let hall: Hall;
let mock: SiteMock;
before(async () => { hall = await openHallAt('', async () => {}); });
after(async () => {
  await hall.close();
  await mock.stop();
});
beforeEach(async () => {
  await mock?.stop();
  mock = new SiteMock(join(web, 'dist'));
  hall.origin = await mock.start();
});

type How = BrowserContextOptions & { expected?: RegExp };

/** A page as `login` sees it; '' for nobody. */
function openAs(login: string, path: string, how: How = {}): Promise<Watched> {
  const cookies = login ? [{ name: 'warg', value: mock.cookieOf(login), domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }] : [];
  const origins = login ? [{ origin: hall.origin, localStorage: [{ name: 'warg.in', value: 'yes' }] }] : [];
  return openPage(hall, path, { storageState: { cookies, origins }, timezoneId: 'Europe/Berlin', ...how });
}

const there = (page: Page): Promise<unknown> => page.waitForSelector('main:not(:has(.loading))');
/** Another page without loading all anew, as links lead there. */
async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, path);
  await there(page);
}
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => { setTimeout(done, 10); });
}
/** Asks for all anew, as a browser does that is connected again: no test waits for a clock. */
const askAgain = (page: Page): Promise<unknown> => page.evaluate(() => dispatchEvent(new Event('online')));
const clean = async (watched: Watched): Promise<void> => {
  assert.deepEqual(watched.faults, []);
  await watched.close();
};

const zip = (bytes: number): Buffer => Buffer.alloc(bytes, 'PK\x03\x04 any bytes');

const places: [string, string[]][] = [
  ['', ['/', '/cup', '/cup/standings', '/cup/ledger', '/login', '/register?contest=cup', '/reset', '/reset/abc', '/invite/abc', '/cup/nothing', '/old']],
  ['ann', ['/account', '/cup/teams', '/cup/games', '/cup/games/1', '/cup/team/owls', '/cup/team/owls?part=people', '/cup/team/owls?part=findings', '/cup/team/owls?part=documents', '/cup/team/owls?part=lots', '/cup/team/owls?part=notices', '/talk/team/speakers']],
  ['org', ['/cup/organise', '/cup/organise?part=teams', '/cup/organise?part=findings', '/cup/organise?part=appeals', '/cup/organise?part=jobs', '/cup/organise?part=announce', '/cup/organise?part=rules', '/cup/organise?part=people', '/cup/organise?part=trail']],
  ['jo', ['/talk/judge', '/talk/judge/1', '/talk/judge/3']],
  ['root', ['/admin']],
];
const looks = [0, 1, 2, 3, 4, 5].map((i) => ({ viewport: sizes[i % 3] as { width: number; height: number }, colorScheme: i % 2 ? ('dark' as const) : ('light' as const), locale: i === 0 || i === 3 || i === 4 ? 'en' : 'ja' }));

/** Pages that are drawn with text twice as large, too. */
const large: readonly string[] = ['/cup', '/cup/team/owls', '/cup/team/owls?part=people', '/cup/standings', '/account', '/cup/organise', '/talk/judge/1'];

async function seeLarge(page: Page, path: string): Promise<string[]> {
  await twice(page);
  if ((await sideways(page)) <= 0) return [];
  return [`${path}, large text: ${await page.evaluate(() => [...document.querySelectorAll('main *, header *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((each) => each.outerHTML.slice(0, 160)).join(' | '))}`];
}

test('axe finds nothing on any page, each size, colour and language; nothing is wider than 320 px, or a phone with large text', async () => {
  const found: string[] = [];
  let turn = 0; // in the short form each page has one look, and each look some pages of each reader
  for (const [login, paths] of places) {
    const watched = await openAs(login, paths[0] as string, { reducedMotion: 'reduce', bypassCSP: true });
    const { page } = watched;
    for (const path of paths) {
      await show(page, path);
      for (const look of long ? looks : [looks[turn++ % looks.length] as (typeof looks)[0]]) {
        await page.emulateMedia({ colorScheme: look.colorScheme });
        await page.setViewportSize(look.viewport);
        if ((await page.evaluate(() => document.documentElement.lang)) !== look.locale) await page.locator('.topbar button[lang]').click();
        for (const button of await page.getByRole('button', { name: /^(Show the check|チェック結果を見る)/ }).all()) await button.click();
        for (const each of await axeTrouble(page)) found.push(`${path} ${look.viewport.width} ${look.colorScheme} ${look.locale}: ${each}`);
        if ((await sideways(page)) > 0) found.push(`${path} ${look.viewport.width} ${look.locale}: wider than the window`);
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of paths) {
      await show(page, path);
      if ((await sideways(page)) > 0) found.push(`${path} 320: wider than the window`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of paths.filter((each) => large.includes(each))) {
      await page.evaluate(() => { for (const each of document.querySelectorAll<HTMLElement>('body *')) each.style.fontSize = ''; });
      await show(page, path);
      found.push(...(await seeLarge(page, path)));
    }
    found.push(...watched.faults);
    await watched.close();
  }
  assert.deepEqual(found, []);
});

test('what judges say stands below the standings, people and models apart; before it is over nobody sees it', async () => {
  const talk = (mock.sites.get('talk') as { contest: { state: string } }).contest;
  const early = await openAs('', '/talk/standings');
  await there(early.page);
  assert.equal(await early.page.getByText('What judges say').count(), 0);
  assert.equal(mock.requests.filter((each) => each.includes('/scores')).length, 0);
  await clean(early);

  talk.state = 'APPEALS';
  const watched = await openAs('', '/talk/standings', { reducedMotion: 'reduce', bypassCSP: true });
  const { page } = watched;
  const table = page.getByRole('region', { name: 'Scores of judges' });
  const cells = (row: number): Promise<string[]> => table.locator(`tbody tr >> nth=${row} >> th, td`).allInnerTexts();
  await table.waitFor();
  assert.deepEqual((await cells(0)).map((each) => each.replace(/\s+/g, ' ').trim()), ['1', 'sUper_IL', '1.50', '0.25 place 1', '0.40 place 2']);
  assert.equal((await cells(1))[0], '2.5');
  assert.deepEqual(await table.locator('tfoot tr >> nth=0 >> td').allInnerTexts(), ['', '', '0.71', '–']);
  await page.getByRole('link', { name: 'llama3' }).click();
  await page.getByText('Not in the mean place, as it agrees with people too little: C.').waitFor();
  await table.getByText('Effect of the order shown').waitFor();
  assert.ok(!(await page.content()).includes('key-file')); // where a model runs is nobody's
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize(look.viewport);
    if ((await page.evaluate(() => document.documentElement.lang)) !== look.locale) await page.locator('.topbar button[lang]').click();
    assert.deepEqual(await axeTrouble(page), []);
    assert.ok((await sideways(page)) <= 0);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok((await sideways(page)) <= 0);
  // A track that nobody judged has no such part.
  await show(page, '/talk/standings?stage=turn9');
  assert.equal(await page.locator('#scores').count(), 0);
  await clean(watched);
});

test('one form makes an account and a team; when the team is refused, nothing typed is lost', async () => {
  const watched = await openAs('', '/', { expected: /409|422/ });
  const { page } = watched;
  await page.getByRole('link', { name: /AIWolf Cup 2030/ }).click();
  await page.getByRole('link', { name: 'Register', exact: true }).click();
  await page.getByLabel('Login', { exact: true }).fill('eve');
  await page.getByLabel('Your name').fill('Eve');
  await page.getByLabel('Team name').fill('owls');
  await page.reload(); // nothing is lost but the password
  assert.equal(await page.getByLabel('Team name').inputValue(), 'owls');
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes('a long secret'));
  await page.getByLabel('Password').fill('a long secret');
  await page.getByRole('button', { name: 'Register the team' }).click();
  await page.getByText('A team of this name is in the contest.').waitFor();
  assert.equal(await page.getByLabel('Team name').getAttribute('aria-invalid'), 'true');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'team');
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes('a long secret'));
  await page.getByLabel('Team name').fill('eagles');
  await page.getByRole('button', { name: 'Register the team' }).click();
  await page.waitForURL('**/cup/team/eagles');
  await page.getByRole('heading', { name: 'eagles', exact: true }).waitFor();
  assert.equal(mock.people.filter((person) => person.login === 'eve').length, 1);
  await clean(watched);
});

test('who logs in comes back to the page that asked for it; a wrong password says so', async () => {
  const watched = await openAs('', '/cup/team/owls', { expected: /401/ });
  const { page } = watched;
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Login', { exact: true }).fill('ann');
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Login or password is wrong.').waitFor();
  await page.getByLabel('Password').fill('a long password');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/cup/team/owls');
  await page.getByRole('button', { name: 'Upload' }).waitFor();
  await page.goBack(); // the form is not in the way back
  assert.ok(!page.url().includes('/login'));
  await clean(watched);
});

test('a version is dropped, breaks off, is sent again as the same version, and its check is told step by step', async () => {
  const watched = await openAs('ann', '/cup/team/owls', { expected: /ERR_|Failed to load|413/ });
  const { page } = watched;
  await page.getByLabel('Language').selectOption('python');
  await page.getByLabel('Script or program').fill('start.py');
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('Choose a file first.').waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['PK one'], 'owls.jar'));
    document.querySelector('.dropfile')?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.getByText('This language takes .zip.').waitFor();
  await page.locator('input[type=file]').first().setInputFiles({ name: 'owls.zip', mimeType: 'application/zip', buffer: zip(2_000_000) });
  let cut = true;
  await page.route('**/file', async (route) => { if (cut) await route.abort('connectionreset'); else await route.continue(); });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText(/The upload broke off/).waitFor();
  cut = false;
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('Received.').waitFor();
  const versions = mock.sites.get('cup')?.teams[0]?.versions ?? [];
  assert.equal(versions.length, 3, 'the second try made no second version');
  const made = versions[2] as (typeof versions)[0];
  assert.equal(mock.blobs.get(made.id)?.length, 2_000_000);
  for (const [state, text] of [['UNPACKED', 'What it needs is being installed.'], ['CHECKING', /Playing with it in every role/]] as const) {
    made.state = state;
    await askAgain(page);
    await page.getByText(text).waitFor();
  }
  Object.assign(made, { state: 'REFUSED', why: 'name: says owl, not owls' });
  await askAgain(page);
  const row = page.locator('.version').filter({ hasText: 'version 3' });
  await row.getByText('refused', { exact: true }).first().waitFor();
  await row.getByText('answer NAME with exactly the name that -n gives').waitFor();
  await row.getByText('PermissionError: memo.txt').waitFor();
  await page.locator('input[type=file]').first().setInputFiles({ name: 'owls.zip', mimeType: 'application/zip', buffer: zip(3_000_001) });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('The file is larger than 2.9 MiB.').first().waitFor();
  await page.locator('.version').filter({ hasText: 'version 1' }).getByText('plays', { exact: true }).waitFor();
  await clean(watched);
});

test('a lot is made in the browser: the secret goes into a file, its entry to the server, and later it is opened', async () => {
  const watched = await openAs('ann', '/cup/team/owls?part=lots', { acceptDownloads: true });
  const { page } = watched;
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Make a lot and enter it Preliminary' }).click()]);
  const text = readFileSync(await file.path(), 'utf8');
  await page.getByText('entered', { exact: true }).waitFor();
  const secret = bytesOfHex(text.trim().split('\n').pop() ?? '');
  const lot = mock.sites.get('cup')?.teams[0]?.lots[0];
  assert.equal(secret?.length, 32);
  assert.equal(lot?.entry, await lotEntry('owls', secret as Uint8Array));
  assert.ok(!mock.requests.join().includes(text.trim().split('\n').pop() ?? '?'));
  (mock.sites.get('cup') as { contest: { state: string } }).contest.state = 'FROZEN';
  await page.reload();
  await page.getByText('This browser has kept it.').waitFor();
  await page.getByLabel('Secret of the lot').fill('0'.repeat(64));
  await page.getByRole('button', { name: 'Open the lot' }).click();
  await page.getByText('This is not the lot of the entry.').waitFor();
  await page.locator('input[type=file]').first().setInputFiles(await file.path());
  await page.getByText('This is not the lot of the entry.').waitFor({ state: 'detached' }); // the form is filled anew
  await page.getByRole('button', { name: 'Open the lot' }).click();
  await page.getByText('opened', { exact: true }).waitFor();
  await clean(watched);
});

test('findings are answered, appeals sent, documents and members kept', async () => {
  const watched = await openAs('ann', '/cup/team/owls?part=findings');
  const { page } = watched;
  await page.getByRole('textbox', { name: 'Your answer' }).fill('It was the cache of a library.');
  await page.getByRole('button', { name: 'Answer' }).first().click();
  await page.getByText('The team says:').waitFor();
  await page.getByText('Appeal', { exact: true }).click();
  await page.getByLabel('Against').selectOption('game');
  await page.getByLabel('Number').fill('3');
  await page.getByLabel('What is wrong with it').fill('We waited for the processor.');
  await page.getByRole('button', { name: 'Send the appeal' }).click();
  await page.getByText('We waited for the processor.').waitFor();
  await page.getByRole('link', { name: 'Documents' }).click();
  const source = page.getByRole('form', { name: 'Source' });
  await source.locator('input[type=file]').setInputFiles({ name: 'src.zip', mimeType: 'application/zip', buffer: zip(100) });
  await source.getByLabel('Licence').fill('MIT');
  await source.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('application/zip · MIT').waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByLabel('results of a round').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.deepEqual((mock.sites.get('cup')?.teams[0] as { quiet?: unknown }).quiet, 'round');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByText('/invite/0123abcd').waitFor();
  await page.getByRole('button', { name: 'Remove Bo' }).click();
  await page.getByRole('button', { name: 'Remove Bo' }).waitFor({ state: 'detached' });
  await clean(watched);
});

test('a team watches its own game at the table, and comes back; nobody else does', async () => {
  const watched = await openAs('ann', '/cup/games');
  const { page } = watched;
  await page.locator('a.item-main', { hasText: 'owls, wool_100%' }).nth(1).click();
  await page.getByText('a sample agent').waitFor();
  await page.getByRole('link', { name: 'Watch it' }).click();
  await page.waitForURL('**/cup/games/2/watch');
  await page.locator('.stage .seat').first().waitFor();
  assert.equal(await page.title(), 'cup-game-2 – warg');
  await page.getByRole('button', { name: 'Show roles' }).click();
  await page.getByRole('combobox', { name: 'View' }).selectOption('3');
  assert.equal(mock.requests.filter((each) => each.includes('/doc')).length, 2);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL('**/cup/games/2');
  await page.getByRole('link', { name: 'What our program printed' }).waitFor();
  await clean(watched);
  const old = await openAs('ann', '/cup/games/3');
  await old.page.getByText('is no longer kept').waitFor();
  assert.equal(await old.page.getByRole('link', { name: 'What our program printed' }).count(), 0);
  await clean(old);
  const other = await openAs('', '/cup/games/2/watch', { expected: /401/ });
  await other.page.getByText('Log in first.').waitFor();
  await other.page.getByRole('main').getByRole('link', { name: 'Back' }).click();
  await other.page.getByText('Its log is not to be had').waitFor();
  assert.equal(await other.page.getByRole('link', { name: 'Watch it' }).count(), 0);
  await clean(other);
});

test('a team of natural language enters a track, gets a token, says when it is away, and sees who is connected', async () => {
  (mock.sites.get('talk') as { contest: { state: string } }).contest.state = 'OPEN';
  const watched = await openAs('ann', '/talk/team/speakers');
  const { page } = watched;
  await page.getByText('connected: speakers1').waitFor();
  await page.getByText('Self-matches without an error: 2 of 5').first().waitFor();
  await page.getByText('The server did not accept the agent').waitFor();
  await page.getByRole('button', { name: 'Get a token turn5' }).click();
  await page.getByText(/^eyJ/).waitFor();
  await page.getByRole('button', { name: 'Enter this track turn9' }).click();
  await page.getByRole('button', { name: 'Leave this track turn9' }).waitFor();
  await page.locator('summary', { hasText: 'Hours in which we are away' }).first().click();
  await page.locator('details[open]').getByLabel(/^From/).fill('2030-08-03T10:00');
  await page.locator('details[open]').getByLabel(/^To/).fill('2030-08-03T12:00');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('We are away:').waitFor();
  assert.deepEqual(mock.sites.get('talk')?.teams[0]?.tracks?.[0]?.away, { from: '2030-08-03T01:00:00.000Z', to: '2030-08-03T03:00:00.000Z' });
  await clean(watched);
});

test('an organiser moves, pauses, amends with what changes in sight, rules, and sees guards and the trail', async () => {
  const watched = await openAs('org', '/cup/organise', { expected: /409|422/ });
  const { page } = watched;
  await page.locator('summary', { hasText: 'Pause' }).click();
  await page.locator('details[open]').getByLabel('Reason').fill('a broken disk');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('the organisers have paused the contest').waitFor();
  await page.locator('summary', { hasText: 'Go on to:' }).click();
  await page.getByRole('button', { name: 'Go to: entries closed' }).click();
  await page.locator('summary', { hasText: 'Go on to: preliminary' }).click();
  await page.getByRole('button', { name: 'Go to: preliminary' }).click();
  await page.getByRole('alert').getByText('No runner is alive.').waitFor();
  await page.getByLabel('Preliminary begins').fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Change the dates' }).click();
  await page.getByText('This date is past.').waitFor();
  await page.getByLabel('Preliminary begins').fill('2030-05-01T09:00');
  await page.getByRole('button', { name: 'Change the dates' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal(mock.sites.get('cup')?.contest.dates?.['preliminary'], '2030-05-01T00:00:00.000Z');
  await page.getByRole('link', { name: 'Rules' }).click();
  const area = page.getByLabel('Contest file');
  await area.fill((await area.inputValue()).replace('1000', '2000'));
  await page.locator('.diff .in').getByText('min_games: 2000').waitFor();
  await page.locator('.diff .out').getByText('min_games: 1000').waitFor();
  await page.reload(); // kept
  await page.locator('.diff .in').getByText('min_games: 2000').waitFor();
  await page.getByLabel('Reason').fill('more certain');
  await page.getByRole('button', { name: 'Amend' }).click();
  await page.getByText('Nothing is changed yet.').waitFor();
  assert.match(mock.sites.get('cup')?.contest.file ?? '', /2000/);
  await page.getByRole('link', { name: /^Findings/ }).click();
  const row = page.locator('.version').filter({ hasText: 'no. 5' });
  await row.getByLabel('Decision').selectOption('eliminate');
  await row.getByLabel('Reason', { exact: false }).fill('wrote files again and again');
  await row.getByRole('button', { name: 'Rule', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Parts of organising').getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('button', { name: 'Approve new-team' }).click();
  await page.getByRole('button', { name: 'Approve new-team' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('button', { name: 'Try again 01J0000000' }).click();
  await page.getByRole('link', { name: 'Announce' }).click();
  await page.getByLabel('Text in English').fill('A day later.');
  await page.getByRole('button', { name: 'Send to all teams' }).click();
  await page.getByText('The announcement is on its way.').waitFor();
  await page.getByRole('link', { name: 'Roles' }).click();
  await page.getByLabel(/^Login/).fill('nobody');
  await page.getByRole('button', { name: 'Give the role' }).click();
  await page.getByText('There is no such account.').waitFor();
  await page.getByLabel(/^Login/).fill('jo');
  await page.getByRole('button', { name: 'Give the role' }).click();
  await page.getByRole('button', { name: 'Remove jo' }).waitFor();
  await page.getByRole('link', { name: 'Trail' }).click();
  await page.getByText('eliminate').waitFor();
  await clean(watched);
});

test('an organiser sees what waits for somebody, and the way there; the admin makes links, and a backup', async () => {
  const watched = await openAs('org', '/cup/organise');
  const { page } = watched;
  const needs = page.locator('.block', { hasText: 'What needs somebody' });
  await needs.getByText('1 to approve').waitFor();
  await needs.getByText('The server is fit').waitFor();
  mock.unfit = ['runner', 'disk'];
  await askAgain(page);
  await needs.getByText('The server is not fit: no runner is alive, the disk is nearly full.').waitFor();
  await needs.getByRole('link', { name: 'Jobs' }).click();
  await page.getByText('no cell could be made').waitFor();
  await clean(watched);
  const desk = await openAs('root', '/admin');
  await desk.page.locator('summary', { hasText: 'New account' }).click();
  await desk.page.getByLabel('Login', { exact: true }).fill('eve');
  await desk.page.getByRole('button', { name: 'New account' }).click();
  await desk.page.getByText('/reset/new-eve').waitFor();
  await desk.page.getByRole('button', { name: 'Password link jo' }).click();
  await desk.page.getByText('/reset/again-3').waitFor();
  await desk.page.getByRole('button', { name: 'Back up now' }).click();
  await desk.page.getByText('The backup is in /srv/backups/2029-12-02.').waitFor();
  await show(desk.page, '/talk/organise?part=sheets');
  await desk.page.locator('input[type=file]').setInputFiles({ name: 'sheets.csv', mimeType: 'text/csv', buffer: Buffer.from('sheet,name,rank\n1,Mei,1\n1,Asuka,2\n') });
  await desk.page.getByRole('button', { name: 'Upload' }).click();
  await desk.page.getByText('2 sheets were handed in.').waitFor();
  await clean(desk);
});

test('who waits for approval, and who is not in the final, is asked for nothing that is refused then', async () => {
  const site = mock.sites.get('cup');
  const [owls] = site?.teams ?? [];
  assert.ok(site && owls);
  owls.state = 'WAITING';
  const watched = await openAs('ann', '/cup/team/owls');
  const { page } = watched;
  await page.getByText('An organiser looks at this team first.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0);
  Object.assign(owls, { state: 'IN', finalist: false });
  site.contest.state = 'REVISION';
  await page.reload();
  await page.getByText('This team is not in the final').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0);
  await show(page, '/cup/team/owls?part=documents');
  assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0);
  await show(page, '/cup');
  assert.equal(await page.getByRole('link', { name: 'Hand in source and description' }).count(), 0);
  owls.finalist = true;
  await page.reload();
  await page.getByRole('link', { name: 'Hand in source and description' }).click();
  await page.getByText('finalist', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Upload' }).first().waitFor();
  await clean(watched);
});

test('by keyboard alone: an account, a team, a version', async () => {
  const watched = await openAs('', '/register?contest=cup');
  const { page } = watched;
  await page.getByLabel('Login', { exact: true }).waitFor();
  const at = (): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? '');
  /** Goes on by Tab until `name` has the focus, as somebody does who sees where it is. */
  const tabTo = async (name: string): Promise<void> => {
    for (let i = 0; i < 60 && (await at()) !== name; i++) await page.keyboard.press('Tab');
    assert.equal(await at(), name);
    assert.ok(await page.evaluate(() => document.activeElement?.matches(':focus-visible')), `${name}: the focus is seen`);
  };
  for (const [name, text] of [['login', 'eve'], ['password', 'a long password'], ['name', 'Eve'], ['team', 'eagles']] as const) {
    await tabTo(name);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/cup/team/eagles');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await tabTo('language');
  await page.keyboard.press('p');
  // Waited for early: a browser opens a window of its own until it knows that somebody waits.
  const choosing = page.waitForEvent('filechooser');
  await tabTo('entry');
  await page.keyboard.type('start.py');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await (await choosing).setFiles({ name: 'eagles.zip', mimeType: 'application/zip', buffer: zip(1000) });
  await tabTo('Upload');
  await page.keyboard.press('Enter');
  await page.getByText('Received.').waitFor();
  assert.equal(mock.sites.get('cup')?.teams.find((team) => team.name === 'eagles')?.versions[0]?.language, 'python');
  await clean(watched);
});

test('a judge ranks by keyboard, drags, loses the network, reloads, and sends a whole sheet', async () => {
  const watched = await openAs('jo', '/talk/judge', { viewport: { width: 390, height: 844 }, expected: /ERR_|Failed to load/ });
  const { page } = watched;
  const sheet = mock.sites.get('talk')?.sheets[0];
  const ranks = (): string[] => Object.entries(sheet?.ranks ?? {}).sort(([, a], [, b]) => (a.rank ?? 0) - (b.rank ?? 0)).map(([name]) => name);
  await page.getByRole('link', { name: 'Begin' }).click();
  for (const name of ['Mei', 'Toshio', 'Minato', 'Asuka']) await page.getByRole('group', { name: 'Not in the order yet' }).getByRole('button', { name }).press('Enter');
  await page.getByText('saved', { exact: true }).waitFor();
  assert.deepEqual(ranks(), ['Mei', 'Toshio', 'Minato', 'Asuka']);
  assert.equal(await page.getByRole('button', { name: 'Send this sheet' }).getAttribute('aria-disabled'), 'true');
  await page.getByRole('button', { name: 'Send this sheet' }).press('Enter');
  await page.getByText('Everybody needs a place first.').waitFor();
  const grip = page.getByRole('button', { name: /^Asuka, place/ });
  await grip.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Asuka, place 2 of 5: arrow keys move it' }).waitFor();
  assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''), /^Asuka, place 2/);
  // The server is away: what is done stays here, over a reload, and gets there by itself.
  mock.refuse = -1;
  await page.getByRole('group', { name: 'Not in the order yet' }).getByRole('button', { name: 'Shion' }).click();
  await page.getByText('kept in this browser').waitFor();
  await page.getByText('The server does not answer.').first().waitFor();
  mock.refuse = 0;
  await page.reload();
  await page.getByRole('button', { name: 'Shion, place 5 of 5: arrow keys move it' }).waitFor();
  await page.getByText('saved', { exact: true }).waitFor();
  assert.deepEqual(ranks(), ['Mei', 'Asuka', 'Toshio', 'Minato', 'Shion']);
  await page.locator('#order').evaluate((order) => order.scrollIntoView({ block: 'start' }));
  const from = await page.getByRole('button', { name: /^Shion, place/ }).boundingBox();
  const to = await page.getByRole('button', { name: /^Mei, place/ }).boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, to.y - 4, { steps: 8 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Shion, place 1 of 5: arrow keys move it' }).waitFor();
  await page.locator('.ranks > li').first().getByText('Why (optional)').click();
  await page.getByLabel('Why (optional) Shion').fill('never contradicts herself');
  await page.getByRole('button', { name: 'Send this sheet' }).click();
  await page.waitForURL('**/talk/judge/2');
  assert.equal(sheet?.state, 'DONE');
  assert.deepEqual(ranks(), ['Shion', 'Mei', 'Asuka', 'Toshio', 'Minato']);
  assert.equal(sheet?.ranks?.['Shion']?.reason, 'never contradicts herself');
  await page.getByRole('navigation', { name: 'Parts of the contest' }).getByRole('link', { name: 'Judge' }).click();
  await page.getByText('1 of 3 sheets are sent').first().waitFor();
  await clean(watched);
});

test('a server that is away is told of, asked again, and the page comes by itself', async () => {
  const watched = await openAs('', '/login', { expected: /503|ERR_/ });
  const { page } = watched;
  await page.clock.install();
  mock.refuse = 503;
  await show(page, '/cup');
  await page.getByText('The store is not there now.').waitFor();
  mock.refuse = 0;
  await page.clock.runFor(2500);
  await page.getByRole('heading', { name: 'Dates' }).waitFor();
  await page.getByText('1 Apr 2030, 17:00').first().waitFor(); // the reader's zone …
  await page.getByText('2 Apr 2030, 00:00').first().waitFor(); // … and the contest's
  (mock.sites.get('cup') as { contest: { state: string } }).contest.state = 'FROZEN';
  await until(() => mock.followers > 0);
  mock.tell('state');
  await page.getByText('Entries are closed.').waitFor();
  await clean(watched);
});

test('a rehearsal has a clock of its own, from which pages count', async () => {
  mock.now = '2030-03-30T15:00:00Z';
  const watched = await openAs('', '/cup');
  const { page } = watched;
  await page.getByText('in 2 days').waitFor();
  mock.now = '2030-04-01T12:00:00Z';
  await askAgain(page);
  await page.getByText('in 3 hr').waitFor();
  await show(page, '/');
  await page.getByText('in 3 hr').waitFor();
  await clean(watched);
});

test('the ledger is checked in the browser, and one changed line is seen', async () => {
  const watched = await openAs('', '/cup/ledger');
  const { page } = watched;
  await page.getByRole('button', { name: 'Check it in this browser' }).click();
  await page.getByText('All 3 entries are those of the checkpoint.').waitFor();
  await page.route('**/ledger?*', (route) => route.fulfill({ contentType: 'text/plain', body: (mock.sites.get('cup')?.ledger ?? []).join('\n').replace('owls', 'owlz') }));
  await page.getByRole('button', { name: 'Check it in this browser' }).click();
  await page.getByText('The ledger is not the one of its checkpoint!').waitFor();
  await clean(watched);
});

test('by keyboard alone: the way to the content, links, back; the language changes in place', async () => {
  const watched = await openAs('', '/');
  const { page } = watched;
  await there(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/cup');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.waitForFunction(() => document.title.startsWith('AIWolf Cup 2030'));
  await page.getByRole('button', { name: '日本語' }).press('Enter');
  await page.getByRole('heading', { name: '日程' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
  await page.goBack();
  await page.getByRole('heading', { name: '開催中・準備中' }).waitFor();
  assert.deepEqual(watched.requests.filter((url) => url.endsWith('/')).length, 1, 'one load of the page');
  await clean(watched);
});

test('texts of others are only texts', async () => {
  const site = mock.sites.get('cup');
  assert.ok(site);
  site.contest.title = { en: hostile.join(' '), ja: hostile.join(' ') };
  site.teams.push(...hostile.map((text, i) => ({ ...(site.teams[1] as (typeof site.teams)[0]), name: `${text.slice(0, 100)} ${i}`, affiliation: text })));
  for (const finding of site.teams[0]?.findings ?? []) Object.assign(finding, { text: hostile.join('\n'), evidence: hostile.join('\n') });
  Object.assign(site.teams[0]?.versions[1] ?? {}, { why: hostile.join(' '), note: hostile.join(' '), entry: hostile.join(' ') });
  for (const [login, paths] of [['', ['/', '/cup']], ['org', ['/cup/teams', '/cup/organise?part=findings']], ['ann', ['/cup/team/owls', '/cup/team/owls?part=findings']]] as const) {
    const watched = await openAs(login, paths[0], { viewport: { width: 320, height: 640 } });
    for (const path of paths) {
      await show(watched.page, path);
      assert.equal(await watched.page.locator('script:not([src]), img, iframe, main b, main script').count(), 0, path);
      assert.ok((await sideways(watched.page)) <= 0, `${path}: wider than the window: ${await watched.page.evaluate(() => [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((each) => each.outerHTML.slice(0, 300)).join(' | '))}`);
    }
    await clean(watched);
  }
});

test('from part to part a server is asked for little, and a login that is over is seen', async () => {
  const began = Date.now();
  const watched = await openAs('ann', '/cup', { expected: /401/ });
  const { page } = watched;
  const tabs = page.getByRole('navigation', { name: 'Parts of the contest' });
  await page.getByRole('heading', { name: 'Dates' }).waitFor();
  await tabs.getByRole('link', { name: 'My team' }).waitFor(); // it is known who reads
  await until(() => mock.followers > 0);
  assert.equal(mock.requests.filter((each) => each === 'GET /api/v1/contests/cup').length, 1, 'the contest is asked for once');
  await page.clock.setFixedTime(began); // what is fresh stays so, however long a busy machine takes
  mock.requests.length = 0;
  for (const [name, there_] of [['Teams', 'wool_100%'], ['Standings', 'sUper_IL'], ['Contest', 'Submissions close']] as const) {
    await tabs.getByRole('link', { name, exact: true }).click();
    await page.getByText(there_).first().waitFor();
  }
  assert.deepEqual(mock.requests.filter((each) => each.includes('/api/') && !each.includes('/events')), ['GET /api/v1/contests/cup/teams', 'GET /api/v1/contests/cup/standings']);
  mock.logins.clear();
  await tabs.getByRole('link', { name: 'My team' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Log in' }).waitFor();
  await clean(watched);
});

// site_real.e2e.ts - the pages of the contest site before the real server: `warg contest serve` with its
// store, clock, runner and cells. One season's first days as people see them. Says so where warg is not
// built.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openHallAt, openPage, web, type Hall, type Watched } from './browser.ts';
import { isFine } from './mock_browser.ts';
import { contestFile, RealSite, talkFile } from './real_site.mjs';

const tree = join(web, '..');
const program = [process.env['WARG'] ?? '', join(tree, 'build/warg'), join(tree, 'build-test/warg')].find((path) => path !== '' && existsSync(path));

const real = new RealSite(program ?? '', tree);
let hall: Hall;
before(async () => {
  if (!program) return;
  await real.start();
  hall = await openHallAt(real.origin, () => real.stop());
});
after(() => (hall ? hall.close() : real.stop()));

const open = (path: string, expected?: RegExp): Promise<Watched> => openPage(hall, path, { bypassCSP: true, reducedMotion: 'reduce', timezoneId: 'Europe/Berlin', ...(expected ? { expected } : {}) });
const patient = { timeout: 120_000 }; // a check plays games, on a machine that may be busy

async function register(page: Page, login: string, team = ''): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(login);
  await page.getByLabel('Password').fill('a sentence as a password');
  await page.getByLabel('Your name').fill(`${login} of the woods`);
  if (team) await page.getByLabel('Team name').fill(team);
  await page.getByRole('button', { name: team ? 'Register the team' : 'Register' }).click();
}

test('a team registers, hands in what is refused and what passes, makes a lot; an organiser acts; the ledger agrees', async (context) => {
  if (!program) return context.diagnostic('left out: warg is not built');
  const cells = (() => { try { execFileSync(program, ['cell', 'probe'], { stdio: 'ignore' }); return true; } catch { return false; } })();
  await real.makeContest(contestFile('cup', 'The cup of owls', '梟の大会'));
  const team = await open('/', /40[0-9]|422/);
  const { page } = team;
  await page.getByRole('link', { name: /The cup of owls/ }).click();
  await page.getByText('open for entries').first().waitFor();
  await isFine(page, 'the contest');
  await page.getByRole('link', { name: 'Register', exact: true }).click();
  await register(page, 'ann', 'owls');
  await page.waitForURL('**/cup/team/owls');

  await page.getByLabel('Language').selectOption('python');
  await page.getByLabel('Script or program').fill('missing.py');
  await page.locator('input[type=file]').first().setInputFiles(real.agentZip('owls.zip', "'--do', 'good'"));
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('Received.').waitFor();
  const first = page.locator('.version').filter({ hasText: 'version 1' });
  if (cells) {
    await first.getByText('refused', { exact: true }).first().waitFor(patient);
    await first.locator('.step, .why').first().waitFor();
    await page.getByLabel('Script or program').fill('start.py');
    await page.locator('input[type=file]').first().setInputFiles(real.agentZip('owls.zip', "'--do', 'good'"));
    await page.getByRole('button', { name: 'Upload' }).click();
    const second = page.locator('.version').filter({ hasText: 'version 2' });
    await second.getByText('plays', { exact: true }).waitFor(patient);
    await second.getByRole('button', { name: /Show the check/ }).click();
    await second.locator('.step').filter({ hasText: 'Dialogue' }).getByText('good', { exact: true }).waitFor();
    await isFine(page, 'the versions');
  } else context.diagnostic('left out: checks, no cells here');

  await page.getByRole('link', { name: 'Lots' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Make a lot and enter it Preliminary' }).click()]);
  assert.match(readFileSync(await file.path(), 'utf8'), /^[0-9a-f]{64}$/m);
  await page.getByText('entered', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByLabel(/^Affiliation/).fill('University of Owls');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const link = new URL(await page.locator('.copy code').first().innerText());
  assert.equal(link.origin, real.origin);

  const other = await open(link.pathname, /40[0-9]/);
  await register(other.page, 'bo');
  await other.page.waitForURL('**/cup/team/owls');
  await other.page.getByRole('link', { name: 'Members' }).click();
  await other.page.getByText('bo of the woods').first().waitFor();
  await other.page.goto(`${real.origin}/account`);
  await other.page.getByRole('heading', { name: 'Where you are logged in' }).waitFor();
  await isFine(other.page, 'the account');
  await other.page.getByText('Make a token', { exact: true }).first().click();
  await other.page.getByLabel('What it is for').fill('laptop');
  await other.page.getByRole('button', { name: 'Make a token' }).click();
  await other.page.getByText(/^wgt_/).waitFor();
  await other.page.getByRole('button', { name: 'Log out', exact: true }).click();
  await other.page.getByRole('link', { name: 'Log in' }).waitFor();

  // An organiser, by a link.
  const role = await real.asAdmin<{ link: string }>('POST', 'contests/cup/roles', { role: 'organiser' });
  const desk = await open(new URL(role.link).pathname, /40[0-9]|422/);
  await register(desk.page, 'org');
  await desk.page.waitForURL('**/cup/organise');
  await isFine(desk.page, 'organising');
  await desk.page.locator('summary', { hasText: 'Pause' }).click();
  await desk.page.locator('details[open]').getByLabel('Reason').fill('a broken disk');
  await desk.page.getByRole('button', { name: 'Pause' }).click();
  await desk.page.getByText('the organisers have paused the contest').waitFor();
  await desk.page.locator('summary', { hasText: 'Go on' }).last().click();
  await desk.page.getByRole('button', { name: 'Go on' }).click();
  await desk.page.getByText('the organisers have paused the contest').waitFor({ state: 'detached' });
  await desk.page.getByLabel('Preliminary begins').fill('2040-07-23T09:30');
  await desk.page.getByRole('button', { name: 'Change the dates' }).click();
  await desk.page.getByText('Saved.').waitFor();
  await desk.page.getByRole('link', { name: 'Rules' }).click();
  const area = desk.page.getByLabel('Contest file');
  await area.fill((await area.inputValue()).replace('The cup of owls', 'The great cup of owls'));
  await desk.page.locator('.diff .in').getByText('The great cup').waitFor();
  await desk.page.getByLabel('Reason').fill('a better name');
  await desk.page.getByRole('button', { name: 'Amend' }).click();
  await desk.page.getByText('Nothing is changed yet.').waitFor();
  await desk.page.getByRole('link', { name: 'Announce' }).click();
  await desk.page.getByLabel('Text in English').fill('A day later.');
  await desk.page.getByRole('button', { name: 'Send to all teams' }).click();
  await desk.page.getByText('The announcement is on its way.').waitFor();
  for (const part of ['Teams', 'Findings', 'Appeals', 'Jobs', 'Roles', 'Trail']) {
    await desk.page.getByRole('navigation', { name: 'Parts of organising' }).getByRole('link', { name: part }).click();
    await desk.page.waitForSelector('main:not(:has(.loading))');
    assert.equal(await desk.page.locator('.blank[role=alert]').count(), 0, part);
  }
  await desk.page.getByText('announce').first().waitFor();

  await page.getByRole('link', { name: 'Notices' }).click();
  await page.reload();
  await page.getByText('A day later.').waitFor();
  await page.goto(`${real.origin}/cup/ledger`);
  await page.getByRole('button', { name: 'Check it in this browser' }).click();
  await page.locator('.good-text').waitFor();
  await page.getByText('Lot of a team').first().waitFor();
  await isFine(page, 'the ledger');
  // What is only linked to.
  for (const path of ['teams/owls/logs.zip', 'environment', 'ledger', 'checkpoint']) {
    const { status } = await page.evaluate(async (to) => ({ status: (await fetch(to)).status }), `/api/v1/contests/cup/${path}`);
    assert.equal(status, 200, path);
  }
  for (const path of ['/cup/standings', '/cup/teams', '/cup/games']) {
    await page.goto(real.origin + path);
    await page.waitForSelector('main:not(:has(.loading))');
    assert.equal(await page.locator('.blank[role=alert]').count(), 0, path);
    await isFine(page, path);
  }
  for (const watched of [team, other, desk]) {
    assert.deepEqual(watched.faults, []);
    await watched.close();
  }
});

test('natural language: a team enters a track and gets a token; a judge rates a real game, blind, and sends it', async (context) => {
  if (!program) return context.diagnostic('left out: warg is not built');
  await real.makeContest(talkFile('talk'));
  const team = await open('/register?contest=talk', /40[0-9]|422/);
  await register(team.page, 'tia', 'talkers');
  await team.page.waitForURL('**/talk/team/talkers');
  await team.page.getByRole('button', { name: 'Enter this track turn5' }).click();
  await team.page.getByText('Self-matches without an error: 0 of 2').first().waitFor();
  await team.page.getByRole('button', { name: 'Get a token turn5' }).click();
  await team.page.getByText(/^eyJ/).waitFor();
  await isFine(team.page, 'the connection');

  const { link } = await real.asAdmin<{ link: string }>('POST', 'contests/talk/roles', { role: 'judge' });
  const judge = await openPage(hall, new URL(link).pathname, { viewport: { width: 390, height: 844 }, bypassCSP: true, reducedMotion: 'reduce', expected: /40[0-9]/ });
  const { page } = judge;
  await register(page, 'jo');
  await page.waitForURL('**/talk/judge');
  real.addSheets('talk', 'jo', 'inlg2025_truck5_game2.log');
  await page.reload();
  await page.getByText('0 of 2 sheets are sent').first().waitFor();
  await isFine(page, 'the sheets');
  await page.getByRole('link', { name: 'Begin' }).click();
  const rest = page.getByRole('group', { name: 'Not in the order yet' }).getByRole('button');
  await rest.first().waitFor();
  assert.ok((await page.locator('.talk li').count()) > 10);
  assert.ok(!(await page.locator('main').innerText()).includes('talkers'));
  await isFine(page, 'a sheet');
  assert.equal(await rest.count(), 5);
  for (let left = 5; left > 0; left--) await rest.first().click();
  const order = (): Promise<string[]> => page.locator('.ranks .rank-row .name').allInnerTexts();
  const before = await order();
  await page.getByRole('button', { name: `${before[4]} one up` }).click();
  await page.locator('.ranks > li').first().getByText('Why (optional)').click();
  await page.getByLabel(`Why (optional) ${before[0]}`).fill('自然な話し方');
  await page.getByText('saved', { exact: true }).waitFor();
  await page.reload();
  await page.locator('.ranks > li').nth(4).waitFor();
  assert.deepEqual(await order(), [before[0], before[1], before[2], before[4], before[3]]);
  assert.equal(await page.getByLabel(`Why (optional) ${before[0]}`).inputValue(), '自然な話し方');
  await page.getByRole('button', { name: 'Send this sheet' }).click();
  await page.waitForURL(/\/talk\/judge\/\d+$/);
  await page.getByRole('navigation', { name: 'Parts of the contest' }).getByRole('link', { name: 'Judge' }).click();
  await page.getByText('1 of 2 sheets are sent').first().waitFor();
  for (const watched of [team, judge]) {
    assert.deepEqual(watched.faults, []);
    await watched.close();
  }
});

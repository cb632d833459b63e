// contest.e2e.ts - pages of a contest, which the real program writes: whole without script; with it the colours that
// were chosen, and a line when there are new games. Says so where warg is not built.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openHallAt, openPage, web, type Hall } from './browser.ts';
import { isFine, looksAt, matrix, nameOf, sideways, twice } from './mock_browser.ts';

const tree = join(web, '..');
const program = [process.env['WARG'] ?? '', join(tree, 'build/warg'), join(tree, 'build-test/warg')].find((path) => path !== '' && existsSync(path));
const pages = ['', '/standings', '/roles', '/versus', '/schedule', '/faults', '/games?results=1', '/team/sample'];
const GAMES = 12;
const GAMES_FIRST = 5; // of those in the contest that goes on

let hall: Hall;
let folder = '';
let lines: string[] = [];

before(async () => {
  if (!program) return;
  folder = mkdtempSync(join(tmpdir(), 'warg-contest-'));
  const cup = join(folder, 'cup');
  const goes = join(folder, 'goes');
  execFileSync(program, ['run', '--players', '5', '--games', String(GAMES), '--agent', 'bot:sample*3', '--agent', 'bot:random*2', '--seed', '1', '-q', '--out', cup], { stdio: 'ignore' });
  cpSync(cup, goes, { recursive: true });
  lines = readFileSync(join(goes, 'journal.jsonl'), 'utf8').split('\n').filter((line) => line !== '' && !line.includes('"record":"end"'));
  writeJournal(GAMES_FIRST);
  const started = spawn(program, ['web', '--port', '0', '--assets', join(web, 'dist'), cup, goes], { stdio: ['ignore', 'pipe', 'pipe'] });
  const origin = await new Promise<string>((done, fail) => {
    let text = '';
    const read = (part: Buffer): void => {
      text += part.toString();
      const found = /http:\/\/[^\s]+\/web\//.exec(text);
      if (found) done(new URL(found[0]).origin);
    };
    started.stdout?.on('data', read);
    started.stderr?.on('data', read);
    started.on('exit', () => fail(new Error(`warg web ended: ${text}`)));
  });
  hall = await openHallAt(origin, () => new Promise((done) => {
    started.removeAllListeners('exit');
    started.on('exit', () => done());
    started.kill('SIGKILL');
  }));
});

after(async () => {
  await hall?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The journal of the contest that goes on, as it is after so many games. */
function writeJournal(games: number): void {
  const first = lines.findIndex((line) => line.includes('"record":"game"'));
  writeFileSync(join(folder, 'goes/journal.jsonl'), `${lines.slice(0, first + games).join('\n')}\n`);
}

const paper = 'getComputedStyle(document.body).backgroundColor';

describe('contest pages', { skip: program ? false : 'warg is not built' }, () => {
  test('without script: search is a form, no button that does nothing, colours are the system’s', async () => {
    const { page, faults, close } = await openPage(hall, '/web/c/cup', { javaScriptEnabled: false, colorScheme: 'dark' });
    assert.equal(await page.locator('#theme').isVisible(), false);
    assert.equal(await page.locator('#fresh').count(), 0); // it is over
    await page.getByRole('searchbox', { name: 'Search this contest' }).fill('Agent');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/web/search?*');
    const asked = new URL(page.url()).searchParams;
    assert.deepEqual([asked.get('q'), asked.get('contest')], ['Agent', 'cup']);
    assert.deepEqual(faults, []);
    await close();
  });

  test('the colours that were chosen hold on all pages, from the first paint on', async () => {
    const { page, faults, close } = await openPage(hall, '/web/c/cup', { colorScheme: 'light' });
    const light = await page.evaluate(paper);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    const dark = await page.evaluate(paper);
    assert.notEqual(dark, light);
    assert.equal(await page.getByRole('button', { name: 'Light or dark' }).getAttribute('aria-pressed'), 'true');
    await page.goto(`${hall.origin}/web/c/cup/standings`, { waitUntil: 'commit' });
    await page.waitForSelector('h1');
    assert.equal(await page.evaluate(paper), dark);
    await page.goto(`${hall.origin}/web/`);
    await page.waitForSelector('main.page');
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    await page.goto(`${hall.origin}/web/c/cup`);
    await page.getByRole('link', { name: '日本語' }).click(); // the language, too, is that of all pages
    await page.waitForSelector('html[lang=ja]');
    await page.goto(`${hall.origin}/web/`);
    await page.waitForSelector('html[lang=ja]');
    assert.deepEqual(faults, []);
    await close();
  });

  test('a set has no more games than are planned, whatever its rule allows', async () => {
    const { page, close } = await openPage(hall, '/web/c/cup/schedule', { javaScriptEnabled: false });
    const row = page.getByRole('row').filter({ hasText: 'final' });
    assert.deepEqual(await row.getByRole('cell').allTextContents(), ['1', String(GAMES), String(GAMES), String(GAMES)]);
    await close();
  });

  test('new games are told of, and nothing moves', async () => {
    const { page, faults, close } = await openPage(hall, '/web/c/goes');
    const top = (): Promise<number> => page.evaluate('document.querySelector("h1").getBoundingClientRect().top + document.body.scrollHeight');
    const before = await top();
    assert.equal(await page.locator('#fresh').isVisible(), false);
    writeJournal(GAMES);
    for (let i = 0; i < 200 && !(await page.locator('#fresh').isVisible()); i++) {
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))'); // as when somebody looks at it again
      await page.waitForTimeout(250);
    }
    await page.getByRole('status').getByText(`${GAMES - GAMES_FIRST} new games`).waitFor();
    assert.equal(await top(), before);
    await page.getByRole('link', { name: 'Load the page again' }).click();
    await page.locator('.key').getByText(String(GAMES), { exact: true }).waitFor();
    assert.equal(await page.locator('#fresh').isVisible(), false);
    assert.deepEqual(faults, []);
    await close();
  });

  test('an operator has the acts and a team’s logs; who has no secret asks for nothing', async () => {
    const { page, faults, close } = await openPage(hall, '/web/c/cup');
    const asked: (string | undefined)[] = [];
    const acts = [...Array(12).keys()].map((i) => ({ act: i ? 'hold' : 'void', game: `g${i}`, by: 'operator', why: i ? undefined : '<b>why</b>\u202E', at: '2026-11-26T10:00:00Z' }));
    await page.route('**/api/v1/operator/**', (route) => {
      const url = new URL(route.request().url());
      asked.push(`${url.pathname}${url.search} ${route.request().headers()['authorization']} ${route.request().headers()['cookie'] ?? 'no cookie'}`);
      if (url.pathname.endsWith('/acts')) return route.fulfill({ json: { held: false, left_out: [], acts } });
      if (asked.length > 3) return route.fulfill({ status: 404, json: { error: { code: 'unknown', text: 'no games of that team' } } });
      return route.fulfill({ contentType: 'application/gzip', body: 'packed' });
    });
    for (const path of ['', '/team/sample']) {
      await page.goto(`${hall.origin}/web/c/cup${path}`);
      await page.waitForFunction('document.readyState === "complete"');
      assert.equal(await page.locator('#acts:visible, #logs:visible').count(), 0);
    }
    assert.deepEqual(asked, []);
    await page.evaluate('sessionStorage.setItem("warg.operator", "the secret")');
    await page.goto(`${hall.origin}/web/c/cup`);
    await page.locator('#acts').waitFor();
    const lines = await page.locator('#acts li').allInnerTexts();
    assert.equal(lines.length, 10);
    assert.equal(lines[0], '2026-11-26T10:00:00Z void g0 operator – <b>why</b>\uFFFD');
    await page.getByRole('link', { name: 'The operators' }).waitFor();
    await isFine(page, 'with acts');
    await page.goto(`${hall.origin}/web/c/cup/team/sample`);
    const button = page.getByRole('button', { name: 'Download the logs of its games' });
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.equal(readFileSync(await saved.path(), 'utf8'), 'packed');
    await isFine(page, 'with logs');
    assert.deepEqual(asked, ['acts', 'acts', 'logs?team=sample'].map((what) => `/api/v1/operator/${what} Bearer the secret no cookie`));
    assert.deepEqual(faults, []);
    await button.click(); // refused: the server says why
    await page.getByRole('status').getByText('no games of that team').waitFor();
    await close();
  });

  for (const look of matrix)
    test(`axe finds nothing, nothing is too wide: ${nameOf(look)}`, async () => {
      for (const path of pages.filter((_, i) => looksAt(look, i))) {
        const { page, faults, close } = await openPage(hall, `/web/c/cup${path}`, look);
        await page.waitForSelector('h1');
        await isFine(page, `${path} ${nameOf(look)}`);
        if (look.viewport?.width === 320) {
          await twice(page);
          assert.ok((await sideways(page)) <= 0, `${path}: twice as large`);
        }
        assert.deepEqual(faults, []);
        await close();
      }
    });
});

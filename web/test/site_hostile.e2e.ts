// site_hostile.e2e.ts - whatever people, agents and judges write is text on every page of the contest
// site: each free text of each answer of the server is an attack here, in both languages.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openHallAt, openPage, web, type Hall } from './browser.ts';
import { SiteMock } from './mock_site.ts';

let hall: Hall;
const mock = new SiteMock(join(web, 'dist'));
before(async () => { hall = await openHallAt(await mock.start(), () => mock.stop()); });
after(() => hall.close());

/** Members of answers in which somebody's words are, or an agent's. */
const free = ['account', 'address', 'advice', 'advice_ja', 'affiliation', 'answer', 'body', 'closed', 'detail', 'entry', 'evidence', 'facts', 'grounds', 'label', 'language', 'licence', 'login', 'mail', 'media', 'name', 'note', 'object', 'output', 'quiet',
  'model', 'reason', 'said', 'sentence', 'speaker', 'stage', 'subject', 'team', 'text', 'title', 'translation', 'url', 'verb', 'warnings', 'webhook', 'why', 'words'];
/** What the pages find their way by. */
const kept = /^\/api\/v1\/account$|\/(sheets)$/;

/** `mark` tells which member was shown. */
const attack = (mark: string): string =>
  `[${mark}]<img src=x onerror="hit('${mark}')"><svg onload="hit('${mark}')"><script>hit('${mark}')</script><a href="javascript:hit('${mark}')">a</a><iframe srcdoc="<script>parent.hit()</script>"></iframe>` +
  `"onmouseover="hit()" ' onfocus='hit()' autofocus='{{hit()}}\${hit()}</title></textarea></style></script><base href=//192.0.2.1><form action=//192.0.2.1><meta http-equiv=refresh content=0;url=//192.0.2.1>\u202Ejavascript:hit()`;

function spoil(value: unknown, key: string, deep: number): unknown {
  if (typeof value === 'string') return free.includes(key) ? attack(key) : value;
  if (Array.isArray(value)) return value.map((each) => spoil(each, key, deep + 1));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => {
    const inside = name === 'en' || name === 'ja' || key === 'facts' ? key : name;
    // A contest is found by its name, a team of one's own by its.
    const way = (name === 'name' && (deep <= 2 || key === 'stages')) || (name === 'stage' && key === 'lots') || (name === 'me' && deep === 0);
    return [name, way ? each : spoil(each, inside, deep + 1)];
  }));
}

async function spoilAnswers(page: Page): Promise<void> {
  await page.route('**/api/v1/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/events') || kept.test(pathname) || route.request().method() !== 'GET') return route.continue();
    const answer = await route.fetch();
    if (!(answer.headers()['content-type'] ?? '').includes('json')) return route.fulfill({ response: answer });
    return route.fulfill({ response: answer, json: spoil(await answer.json(), '', 0) });
  });
}

/** Who looks where, and what is looked at in Japanese, too. */
const places: [string, string[], string[]][] = [
  ['', ['/', '/cup', '/cup/standings', '/talk/standings?stage=turn5', '/cup/ledger', '/register?contest=cup', '/old'], ['/', '/cup']],
  ['ann', ['/account', '/cup/teams', '/cup/games', '/cup/games/1', '/cup/team/owls', '/cup/team/owls?part=people', '/cup/team/owls?part=findings', '/cup/team/owls?part=documents', '/cup/team/owls?part=lots', '/cup/team/owls?part=notices', '/talk/team/speakers'], ['/cup/team/owls', '/cup/team/owls?part=notices']],
  ['org', ['/cup/organise', '/cup/organise?part=teams', '/cup/organise?part=findings', '/cup/organise?part=appeals', '/cup/organise?part=jobs', '/cup/organise?part=announce', '/cup/organise?part=rules', '/cup/organise?part=people', '/cup/organise?part=trail'], []],
  ['jo', ['/talk/judge', '/talk/judge/1', '/talk/judge/3'], ['/talk/judge/1']],
  ['root', ['/admin'], []],
];
/** Where words are typed in they stay as they were typed; an address to connect to is the server's own. */
const typed = /^(\/talk\/team\/speakers url|\/cup\/team\/owls\?part=people affiliation|\/cup\/team\/owls\?part=documents licence|\/cup\/organise\?part=rules text|\/talk\/judge.* reason)$/;

/** What the stand-in has not by itself. */
function fillMock(): void {
  const team = mock.sites.get('cup')?.teams[0];
  assert.ok(team);
  Object.assign(team.findings[1] as object, { decision: 'warn', reason: 'x', answer: 'x', evidence: [{ file: 'x', text: 'x' }] });
  team.appeals.push({ id: '1', team: 'owls', about: 'rank', object: '1', text: 'x', state: 'DISMISSED', answer: 'x', evidence: { words: 'x' } });
  team.appeals.push({ id: '2', team: 'owls', about: 'game', object: '1', text: 'x', state: 'OPEN' });
  team.documents.push({ id: '1', kind: 'source', number: 1, media: 'text/html', licence: 'x' });
  (mock.sites.get('talk') as { contest: { state: string } }).contest.state = 'APPEALS'; // judges' scores are there
  const sheet = mock.sites.get('talk')?.sheets[2];
  if (sheet) sheet.ranks = { Minato: { rank: 1, reason: 'x' } };
}

test('no text of anybody is more than text, on any page, in either language', async () => {
  const seen = new Set<string>();
  const turned = new Set<string>(); // where text turns the rest of its line around
  fillMock();
  for (const [login, english, japanese] of places)
    for (const [locale, paths] of [['en', english], ['ja', japanese]] as const) {
      if (paths.length === 0) continue;
      const cookies = login ? [{ name: 'warg', value: mock.cookieOf(login), domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }] : [];
      const origins = login ? [{ origin: hall.origin, localStorage: [{ name: 'warg.in', value: 'yes' }] }] : [];
      const watched = await openPage(hall, '/login', { storageState: { cookies, origins }, locale, reducedMotion: 'reduce' });
      const { page } = watched;
      await spoilAnswers(page);
      await page.evaluate(() => { (window as unknown as { hit: (mark?: string) => void }).hit = (mark) => console.error(`it ran: ${mark}`); });
      for (const path of paths) {
        await page.evaluate((to) => {
          history.pushState(null, '', to);
          dispatchEvent(new PopStateEvent('popstate'));
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }, path);
        await page.waitForSelector('main:not(:has(.loading))');
        for (const button of await page.getByRole('button', { name: /^(Show the check|チェック結果を見る)/ }).all()) await button.click();
        await page.waitForSelector('main:not(:has(.loading))');
        await page.evaluate(() => { for (const each of document.querySelectorAll('details')) each.open = true; });
        const strange = await page.evaluate(() => [...document.querySelectorAll('img, svg[onload], script:not([src]), iframe, base, meta[http-equiv=refresh], form[action], [onerror], [onmouseover], [onfocus], [style*="url("]')].map((each) => each.outerHTML.slice(0, 120)));
        assert.deepEqual(strange, [], path);
        const links = await page.evaluate(() => [...document.querySelectorAll('a')].map((each) => each.href).filter((href) => !/^(https?:|blob:)/.test(href) || (href.startsWith('http') && new URL(href).origin !== location.origin)));
        assert.deepEqual(links, [], path);
        const text = await page.evaluate(() => document.body.innerText + [...document.querySelectorAll('input, textarea')].map((each) => (each as HTMLInputElement).value).join('\n'));
        for (const [, mark] of text.matchAll(/\[([a-z_]+)\]<img[^\u202E\[]*\u202E/g)) turned.add(`${path} ${mark}`);
        for (const [, mark] of text.matchAll(/\[([a-z_]+)\]<img/g)) seen.add(mark as string);
      }
      assert.deepEqual(watched.faults, [], login);
      await watched.close();
    }
  assert.deepEqual([...turned].filter((each) => !typed.test(each)), []);
  // That the attacks came to the pages.
  const there = ['account', 'advice', 'affiliation', 'answer', 'detail', 'entry', 'evidence', 'facts', 'label', 'licence', 'media', 'model', 'note', 'object', 'output', 'reason', 'sentence', 'speaker', 'stage', 'subject', 'team', 'text', 'title', 'url', 'warnings', 'why', 'words'];
  assert.deepEqual(there.filter((each) => !seen.has(each)), []);
});

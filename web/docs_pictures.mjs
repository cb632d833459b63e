// docs_pictures.mjs - draws the pictures of docs/web/ with the real program: a contest of bots, a tournament of
// stand-ins for models, published logs, a session of demo models, a room.
//
// node docs_pictures.mjs [OUT [NAME...]]      WARG=PROGRAM (build/warg). Look at what it has drawn before it is
// committed. `site`: those of the contest site alone.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { contestFile, RealSite, talkFile } from './test/real_site.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const warg = process.env.WARG ?? join(root, 'build/warg');
const out = process.argv[2] ?? join(root, 'docs/web');
const only = process.argv.slice(3);
const place = mkdtempSync(join(tmpdir(), 'warg-docs-'));
const desk = [1280, 800];
const phone = [390, 844];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
mkdirSync(out, { recursive: true });
await drawSite();
if (only.length === 1 && only[0] === 'site') {
  await browser.close();
  process.exit();
}

execFileSync(warg, ['run', '--players', '15', '--games', '40', '--agent', 'bot:sample*10', '--agent', 'bot:random*5', '--seed', '1', '-q', '--out', join(place, 'cup')]);
execFileSync(warg, ['maw', '-n', '7', '--llm', '4', '--llm-url', 'demo', '--rounds', '2', '--day-s', '12', '--night-s', '4', '--seed', '3', '--id', 'evening', '-q', '--out', join(place, 'evening')]);
const models = spawn('python3', [join(root, 'tests/e2e/agents/model_players.py')], { stdio: ['ignore', 'pipe', 'ignore'] });
const port = await new Promise((done) => models.stdout.once('data', (part) => done(String(part).trim())));
writeFileSync(join(place, 'models.yml'), `contest: models
seed: 7
agents:
${['good', 'rule', 'random'].map((model) => `  - llm: {url: "http://127.0.0.1:${port}/v1", model: ${model}}`).join('\n')}
  - {bot: sample, copies: 2}
limits: {time_limit: 1m, startup: 1m}
stages:
  - {name: final, players: 5, pairing: rotate, games_per_set: 5, blocks: true}
`);
writeFileSync(join(place, 'prices.yml'), `currency: USD
models:
  good: {in: 2.50, cached: 0.5, out: 10}
  rule: {in: 0.15, cached: 0.075, out: 0.60}
  random: {in: 0.10, out: 0.40}
`);
execFileSync(warg, ['run', join(place, 'models.yml'), '-q', '--out', join(place, 'models')]);
models.kill();
execFileSync('cp', ['-r', join(root, 'tests/data/nlp-logs'), join(place, 'logs')]);
const quick = 'pause_min_ms=300 pause_max_ms=900 answer_s=120';
const server = spawn(warg, ['web', '--port', '0', '--operator-file', join(place, 'key'), '--prices', join(place, 'prices.yml'), '--room', `title=Evening_table players=5 people=1 start=full ${quick}`,
  '--room', `title=夜の卓 players=5 people=3 start=hand language=ja ${quick}`, join(place, 'cup'), join(place, 'models'), join(place, 'evening'), join(place, 'logs')], { stdio: ['ignore', 'pipe', 'inherit'] });
const [origin, rooms] = await new Promise((done) => {
  let text = '';
  server.stdout.on('data', (part) => {
    text += part;
    const links = [...text.matchAll(/http:\/\/[^\s]+\/web\/r\/[A-Z0-9]{6}/g)].map((match) => match[0]);
    if (links.length === 2) done([new URL(links[0]).origin, links]);
  });
});
const nlp = (await (await fetch(`${origin}/web/api/games?limit=500`)).json()).games.filter((game) => game.division === 'nlp' && game.players >= 5);

async function draw(name, path, [width, height], colorScheme = 'light', locale = 'en', act = async () => {}) {
  if (only.length && !only.includes(name)) return;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale, reducedMotion: 'reduce', deviceScaleFactor: width < 500 ? 2 : 1 });
  const page = await context.newPage();
  await page.goto(path.startsWith('http') ? path : `${origin}/web/${path}`);
  await page.waitForTimeout(1200);
  await act(page);
  await page.screenshot({ path: join(out, `${name}.jpg`), type: 'jpeg', quality: 72 });
  await context.close();
  console.log(name);
}

await draw('game-day', 'g/cup.039#at=d2v0.15', desk);
await draw('game-night-dark', 'g/cup.039#view=all&at=d2k', desk, 'dark');
await draw('game-ja', `g/${nlp[0].id}#at=d1t10`, desk, 'light', 'ja');
await draw('game-claims', 'g/cup.039#at=d4v0.1&tab=claims', desk);
await draw('game-stances-dark', 'g/cup.039#view=all&at=d4v0.1&tab=stances', desk, 'dark', 'ja');
await draw('game-mind', 'g/evening.1#view=all&at=end&tab=mind', desk);
await draw('game-phone', 'g/cup.039#at=d2v0.15', phone);
await draw('game-phone-ja-dark', `g/${nlp[0].id}#at=d1v0.5`, phone, 'dark', 'ja');
await draw('home', '', desk);
await draw('contest-standings', 'c/cup/standings', desk);
await draw('contest-models', 'c/models/standings', [1440, 900]);
await draw('contest-roles-dark', 'c/cup/roles', desk, 'dark');
await draw('contest-games-phone', 'c/cup/games', phone, 'light', 'ja');
await draw('search-ja', `search?q=${encodeURIComponent('占い')}`, desk, 'light', 'ja', (page) => page.waitForTimeout(3000));
await draw('monitor', 'mind/evening.1', desk, 'dark');
await draw('room-ja', rooms[1], desk, 'light', 'ja');
await draw('seat-phone', rooms[0], phone, 'light', 'en', async (page) => {
  await page.getByLabel('Your name at the table').fill('Ann');
  await page.getByRole('button', { name: 'Take a seat' }).click();
  await page.getByRole('status').filter({ hasText: /^Your turn to speak/ }).first().waitFor({ timeout: 60000 });
  await page.getByRole('textbox', { name: /^Write/ }).fill('Who was quiet so far? I would like to hear number 3.');
  await page.waitForTimeout(400);
});
await browser.close();
server.kill();
rmSync(place, { recursive: true });

/** A contest site with two teams: one that was refused and passed, one that is new. */
async function drawSite() {
  if (only.length && !only.includes('site')) return;
  const site = new RealSite(warg, root);
  await site.start();
  await site.makeContest(contestFile('cup', 'Cup of the owls', '梟杯'));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const shot = async (name, path, [width, height], lang = 'en', scheme = 'light', act = async () => {}) => {
    const own = await browser.newContext({ viewport: { width, height }, locale: lang, colorScheme: scheme, timezoneId: 'Europe/Berlin', reducedMotion: 'reduce', deviceScaleFactor: width < 500 ? 2 : 1, storageState: await context.storageState() });
    const seen = await own.newPage();
    await seen.goto(site.origin + path);
    await seen.waitForSelector('main:not(:has(.loading))');
    await act(seen);
    await seen.waitForTimeout(600);
    await seen.screenshot({ path: join(out, `${name}.jpg`), type: 'jpeg', quality: 72 });
    await own.close();
    console.log(name);
  };
  await page.goto(`${site.origin}/register?contest=cup`);
  await page.getByLabel('Login', { exact: true }).fill('ann');
  await page.getByLabel('Password').fill('a sentence as a password');
  await page.getByLabel('Your name').fill('Ann');
  await page.getByLabel('Team name').fill('owls');
  await page.getByLabel(/^Affiliation/).fill('University of the Woods');
  await page.getByRole('button', { name: 'Register the team' }).click();
  await page.waitForURL('**/cup/team/owls');
  for (const [i, doing] of ["'--do', 'name'", "'--do', 'good'"].entries()) {
    await page.getByLabel('Language').selectOption('python');
    await page.getByLabel('Script or program').fill('start.py');
    await page.locator('input[type=file]').first().setInputFiles(site.agentZip('owls.zip', doing));
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.locator('.version').filter({ hasText: `version ${i + 1}` }).getByText(/^(?:refused|plays)$/).first().waitFor({ timeout: 300_000 });
  }
  await shot('site-contest', '/cup', desk);
  await shot('site-check-phone', '/cup/team/owls', phone, 'en', 'light', async (seen) => {
    await seen.locator('.step').filter({ hasText: 'Conduct' }).last().waitFor();
    await seen.locator('.version').filter({ hasText: 'version 1' }).evaluate((row) => row.scrollIntoView());
  });
  const { link } = await site.asAdmin('POST', 'contests/cup/roles', { role: 'organiser' });
  const organiser = await browser.newContext({ locale: 'en' });
  const other = await organiser.newPage();
  await other.goto(link);
  await other.getByLabel('Login', { exact: true }).fill('org');
  await other.getByLabel('Password').fill('a sentence as a password');
  await other.getByLabel('Your name').fill('Org');
  await other.getByRole('button', { name: 'Register' }).click();
  await other.waitForURL('**/cup/organise');
  await context.clearCookies();
  await context.addCookies(await organiser.cookies());
  await shot('site-organise-ja-dark', '/cup/organise', desk, 'ja', 'dark');
  await site.makeContest(talkFile('talk'));
  const sheets = await site.asAdmin('POST', 'contests/talk/roles', { role: 'judge' });
  const judge = await browser.newContext({ locale: 'ja' });
  const last = await judge.newPage();
  await last.goto(sheets.link);
  await last.locator('input[name=login]').fill('jo');
  await last.locator('input[name=password]').fill('a sentence as a password');
  await last.locator('input[name=name]').fill('Jo');
  await last.locator('form button[type=submit]').click();
  await last.waitForURL('**/talk/judge');
  site.addSheets('talk', 'jo', 'inlg2025_truck5_game2.log');
  await context.clearCookies();
  await context.addCookies(await judge.cookies());
  await shot('site-judge-phone-ja', '/talk/judge/1', phone, 'ja', 'light', async (seen) => {
    for (let i = 0; i < 3; i++) await seen.locator('.rest button').nth(i % 2).click();
    await seen.locator('#order').evaluate((order) => scrollTo(0, order.getBoundingClientRect().top + scrollY - 420));
  });
  await site.stop();
}

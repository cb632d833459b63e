// open_all.mjs - every log as a document, by `warg web`; up to a hundred of them on a page in a browser.
//
// node web/open_all.mjs PATH...    A path is a log or a folder of logs. WARG in the environment: the
// program. Each document must say what it is, and no page may write an error to the console, ask
// another server, or break its own policy. Ends with `N passed, N failed`; a log counts once.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const pagesMost = 100;
const root = dirname(fileURLToPath(import.meta.url));
const paths = process.argv.slice(2);
const program = [process.env.WARG ?? '', ...['build', 'build-test'].map((each) => join(root, '..', each, 'warg'))].find((path) => path !== '' && existsSync(path));
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (paths.length === 0 || !program || !executablePath) {
  console.error(paths.length === 0 ? 'usage: open_all.mjs PATH...' : !program ? 'warg is not built' : 'no chromium is installed');
  process.exit(1);
}

function start() {
  const server = spawn(program, ['web', '--port', '0', '--assets', join(root, 'dist'), ...paths], { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((done, fail) => {
    let text = '';
    const read = (part) => {
      text += part;
      const address = /http:\/\/\S+\/web\//.exec(text)?.[0];
      if (address) done({ server, origin: new URL(address).origin });
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('exit', () => fail(new Error(`warg web ended: ${text}`)));
  });
}

/** The IDs of all games that are listed. */
async function idsOf(origin) {
  const ids = [];
  for (let after = ''; ;) {
    const { games, next } = await (await fetch(`${origin}/web/api/games?limit=500&after=${encodeURIComponent(after)}`)).json();
    ids.push(...games.map((game) => game.id));
    if (!next) return ids;
    after = next;
  }
}

/** What is wrong with a game's document; '' when nothing is. */
async function troubleOf(origin, id) {
  const answer = await fetch(`${origin}/web/api/games/${encodeURIComponent(id)}/doc?view=all`);
  const doc = await answer.json();
  if (!answer.ok) return `${answer.status} ${doc.error?.text ?? ''}`;
  if (doc.format !== 'warg-game' || doc.id !== id || !(doc.seats?.length > 0) || !(doc.events?.length > 0)) return 'it is no document of a game';
  return '';
}

/** What a page of the game says that it should not. */
async function faultsOf(context, origin, id) {
  const page = await context.newPage();
  const faults = [];
  page.on('console', (line) => { if (line.type() === 'error' || line.type() === 'warning') faults.push(line.text()); });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => { if (!request.url().startsWith(origin)) faults.push(`request to ${request.url()}`); });
  try {
    await page.goto(`${origin}/web/g/${encodeURIComponent(id)}#view=all&at=end`);
    await page.locator('.seat').first().waitFor();
    for (const tab of await page.getByRole('tab').all()) await tab.click();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    if ((await page.locator('.row').count()) === 0) await page.getByRole('tab').first().click();
    await page.locator('.row').first().waitFor();
  } catch (error) {
    faults.push(error.message.split('\n')[0]);
  }
  await page.close();
  return faults;
}

/** Some at a time: `act` of each. */
async function each(items, atOnce, act) {
  const waiting = [...items];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  }));
}

const { server, origin } = await start();
const bad = new Set();
const say = (id, text) => {
  bad.add(id);
  console.log(`${id}: ${text}`);
};
const ids = await idsOf(origin);
await each(ids, 4, async (id) => {
  const trouble = await troubleOf(origin, id);
  if (trouble) say(id, trouble);
});
console.log(`${ids.length} documents`);
const good = ids.filter((id) => !bad.has(id));
// Spread over all of them.
const shown = good.filter((_, i) => Math.floor((i * pagesMost) / good.length) !== Math.floor(((i - 1) * pagesMost) / good.length)).slice(0, pagesMost);
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en', reducedMotion: 'reduce' });
await context.addInitScript(() => {
  addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
});
await each(shown, 2, async (id) => {
  for (const fault of await faultsOf(context, origin, id)) say(id, fault);
});
console.log(`${shown.length} pages`);
await browser.close();
server.removeAllListeners('exit');
server.kill('SIGKILL');
const failed = ids.length === 0 ? 1 : bad.size;
console.log(`${ids.length - bad.size} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

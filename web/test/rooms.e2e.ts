// rooms.e2e.ts - people in rooms of the real program: each has an address and what is to be seen,
// by names and labels alone, and comes to the end of a game. Bots of a few milliseconds sit on the
// other seats. Says so where warg is not built.
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { long, openHallAt, openPage, web, type Hall } from './browser.ts';

const tree = join(web, '..');
const built = [process.env['WARG'] ?? '', join(tree, 'build/warg'), join(tree, 'build-test/warg')].find((path) => path !== '' && existsSync(path));
const program = built && execFileSync(built, ['web', '--help'], { encoding: 'utf8' }).includes('--room') ? built : undefined;

const quick = 'pause_min_ms=5 pause_max_ms=20 answer_s=30';
const rooms = {
  nlp: `title=Evening players=5 people=1 start=full ${quick}`,
  protocol: `division=protocol players=5 people=1 start=full ${quick}`,
  maw: `division=maw players=6 people=1 start=full talk_s=12 ${quick}`,
  ja: `title=夜の卓 players=5 people=1 start=full language=ja ${quick}`,
  five: `title=Five division=maw talk_s=8 players=7 people=5 start=full ${quick}`,
  three: `title=Hall players=5 people=3 start=full ${quick}`,
};

let server: ChildProcess | undefined;
let hall: Hall;
const codes = new Map<string, string>();

/** `warg web`, and the links that it writes. */
async function serve(what: string[], link: RegExp, count: number): Promise<{ server: ChildProcess; links: string[] }> {
  const started = spawn(program as string, ['web', '--port', '0', '--assets', join(web, 'dist'), ...what], { stdio: ['ignore', 'pipe', 'pipe'] });
  const links = await new Promise<string[]>((done, fail) => {
    let text = '';
    const read = (part: Buffer): void => {
      text += part.toString();
      const found = [...text.matchAll(link)].map((match) => match[0]);
      if (found.length === count) done(found);
    };
    started.stdout?.on('data', read);
    started.stderr?.on('data', read);
    started.on('exit', () => fail(new Error(`warg web ended: ${text}`)));
  });
  return { server: started, links };
}

before(async () => {
  if (!program) return;
  const serving = await serve(Object.values(rooms).flatMap((room) => ['--room', room]), /http:\/\/[^\s]+\/web\/r\/[A-Z0-9]{6}/g, Object.keys(rooms).length);
  server = serving.server;
  const found = serving.links;
  Object.keys(rooms).forEach((name, i) => codes.set(name, new URL(found[i] as string).pathname));
  hall = await openHallAt(new URL(found[0] as string).origin, () => new Promise((done) => {
    server?.removeAllListeners('exit');
    server?.on('exit', () => done());
    server?.kill('SIGKILL');
  }));
});
after(async () => hall?.close());

const words = {
  en: { name: 'Your name at the table', join: 'Take a seat', write: /^Write/, send: 'Send', turn: /^(Your turn to speak|Speak when you like|Whisper)/, over: /^You have (won|lost)$/, who: 'Who was what', again: 'Play again', lost: /connection is lost/ },
  ja: { name: '席での名前', join: '席に着く', write: /書く$/, send: '送信', turn: /^(あなたの番です|いつでも発言できます|仲間に囁く)/, over: /^あなたの(勝ち|負け)です$/, who: '役職一覧', again: 'もう一度遊ぶ', lost: /接続が切れました/ },
};

/** One who sees what is on the page, and answers. `meddle`: what happens in between. */
async function play(page: Page, lang: 'en' | 'ja', meddle: (turn: number) => Promise<void> = async () => {}): Promise<{ spoke: number; chose: number }> {
  const word = words[lang];
  const did = { spoke: 0, chose: 0 };
  const until = Date.now() + 150_000;
  const end = page.getByRole('heading', { name: word.over });
  while (!(await end.isVisible())) {
    assert.ok(Date.now() < until, `the game does not end: ${JSON.stringify(did)} ${await page.locator('body').innerText()}`);
    const whom = page.getByRole('group').filter({ has: page.getByRole('heading', { level: 2 }) }).first();
    const choice = whom.getByRole('button', { pressed: false }).first();
    const quickOne = { timeout: 1500 };
    if (await choice.isVisible()) {
      await page.waitForTimeout(320);
      try {
        await choice.click(quickOne);
        await whom.locator('.confirm').getByRole('button').first().click(quickOne);
        did.chose++;
        await meddle(did.spoke + did.chose);
        await page.waitForTimeout(400);
      } catch {
        // It was over while one thought about it.
      }
    } else if (await page.getByRole('status').filter({ hasText: word.turn }).first().isVisible()) {
      await page.waitForTimeout(320);
      const ready = page.locator('.quick').getByRole('button').first();
      try {
        if (await ready.isVisible()) await ready.click(quickOne);
        else await page.getByRole('textbox', { name: word.write }).fill(lang === 'ja' ? `私は村人です。${did.spoke}回目の発言。` : `I am a villager, as I said ${did.spoke} times.`, quickOne);
        await page.getByRole('button', { name: word.send, exact: true }).click(quickOne);
        did.spoke++;
        await meddle(did.spoke + did.chose);
      } catch {
        // As above.
      }
    }
    await page.waitForTimeout(60);
  }
  return did;
}

async function guest(room: string, how: BrowserContextOptions & { name?: string; lang?: 'en' | 'ja' } = {}) {
  const { name = 'Mio', lang = 'en', ...rest } = how;
  const watched = await openPage(hall, codes.get(room) as string, { viewport: { width: 390, height: 844 }, hasTouch: true, locale: lang, expected: /WebSocket|ERR_|404/, ...rest });
  await watched.page.getByLabel(words[lang].name).fill(name);
  return watched;
}

const builtOr = (context: TestContext): boolean => {
  if (!program) context.diagnostic('left out: warg is not built');
  return program !== undefined;
};

// Each in a room of its own; they mostly wait for others.
describe('rooms', { concurrency: 3 }, () => {
  for (const [room, lang] of [['nlp', 'en'], ['protocol', 'en'], ['maw', 'en'], ['ja', 'ja']] as const)
    test(`a person comes to the end: ${room}, ${lang}, by what is to be seen; the page is loaded again in between`, async (context) => {
      if (!builtOr(context)) return;
      const { page, faults, close } = await guest(room, { lang });
      await page.getByRole('button', { name: words[lang].join }).click();
      await page.waitForURL(/\/web\/seat$/);
      const did = await play(page, lang, async (turn) => {
        if (turn === 2) await page.reload();
      });
      assert.ok(did.chose > 0, JSON.stringify(did));
      await page.getByRole('link', { name: words[lang].again }).click();
      await page.waitForURL(/\/web\/r\//);
      assert.deepEqual(faults, []);
      await close();
    });

  test('five people with telephones, two of them Japanese, sit at one table of seven and come to the end', async (context) => {
    if (!builtOr(context) || !long) return;
    const names = ['Ann', 'Ben', 'ハナ', 'Chloe', 'ケンタ'];
    const people = await Promise.all(names.map(async (name) => {
      const lang: 'en' | 'ja' = /^[A-Z]/.test(name) ? 'en' : 'ja';
      return { lang, ...(await guest('five', { name, lang })) };
    }));
    await Promise.all(people.map(async ({ page, lang }) => {
      await page.getByRole('button', { name: words[lang].join }).click();
      await page.waitForURL(/\/web\/seat$/);
    }));
    const results = await Promise.all(people.map(({ page, lang }) => play(page, lang)));
    // Who dies in the first night may have had nothing to say.
    assert.ok(results.some((did) => did.spoke + did.chose > 0), JSON.stringify(results));
    assert.deepEqual(people.flatMap((each) => each.faults), []);
    await Promise.all(people.map((each) => each.close()));
  });

  test('a server that plays nothing is asked for no feed', async (context) => {
    if (!builtOr(context)) return;
    const serving = await serve([join(tree, 'tests/data/nlp-logs')], /http:\/\/[^\s]+\/web\//g, 1);
    const watched = await openPage({ ...hall, origin: new URL(serving.links[0] as string).origin }, '/web/');
    const { page, faults, close } = watched;
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    await page.reload();
    await page.getByRole('heading', { name: 'Latest games' }).waitFor();
    for (const other of ['wall', 'open', 'search']) {
      await page.goto(`${new URL(page.url()).origin}/web/${other}`);
      await page.locator('main:not(:has(.loading))').waitFor();
      // Whatever opens at once has opened.
      await page.evaluate(() => new Promise((done) => { setTimeout(done, 100); }));
    }
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.evaluate(() => new Promise((done) => { setTimeout(done, 100); }));
    assert.deepEqual([...faults, ...sockets], []);
    await close();
    serving.server.removeAllListeners('exit');
    serving.server.kill('SIGKILL');
  });

  test('three guests, one in the queue; the network of one is cut in between; the next game by the same link', async (context) => {
    if (!builtOr(context)) return;
    const people = [];
    for (const name of ['Ann', 'Ben', 'Chloe']) people.push(await guest('three', { name }));
    const [ann, ben, chloe] = people as [Awaited<ReturnType<typeof guest>>, Awaited<ReturnType<typeof guest>>, Awaited<ReturnType<typeof guest>>];
    await ann.page.getByRole('button', { name: 'Take a seat' }).click();
    await ben.page.getByText('Ann', { exact: true }).waitFor();
    // All that Ben's socket has goes through here, so that it can be cut.
    const lines: { close(): Promise<void> }[] = [];
    let cut = false;
    await ben.page.routeWebSocket(/feed$/, (line) => {
      if (cut) return void line.close();
      line.connectToServer();
      lines.push(line);
    });
    await ben.page.reload();
    await ben.page.getByLabel('Your name at the table').fill('Ben');
    for (const each of [ben, chloe]) await each.page.getByRole('button', { name: 'Take a seat' }).click();
    const late = await guest('three', { name: 'Dmitri' });
    await late.page.getByRole('button', { name: 'Wait for a seat' }).click();
    await late.page.getByText('You are number 1 in the queue, Dmitri.').waitFor();
    await Promise.all([ann, ben, chloe].map((each) => each.page.waitForURL(/\/web\/seat$/)));
    const results = await Promise.all([
      play(ann.page, 'en'), play(chloe.page, 'en'),
      play(ben.page, 'en', async (turn) => {
        if (turn !== 1) return;
        cut = true;
        for (const line of lines) await line.close();
        await ben.page.getByText(words.en.lost).waitFor();
        cut = false;
        await ben.page.getByText(words.en.lost).waitFor({ state: 'hidden' });
      }),
    ]);
    assert.ok(results.every((did) => did.spoke + did.chose > 0), JSON.stringify(results));
    // Who waited has a seat when the room opens again.
    await late.page.getByText('You have a seat, Dmitri.').waitFor({ timeout: 40_000 });
    assert.deepEqual(people.flatMap((each) => each.faults), []);
    await Promise.all([...people, late].map((each) => each.close()));
  });
});

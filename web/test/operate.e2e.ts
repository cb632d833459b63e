// operate.e2e.ts - an operator at the page of real servers of two divisions: hold and go on, leave a
// team out, disconnect, end, void, take logs away. Each is asked twice, and stands in the journal.
// In the long form; says so where warg is not built.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { long, openHallAt, openPage, web } from './browser.ts';

const tree = join(web, '..');
const program = [process.env['WARG'] ?? '', join(tree, 'build/warg'), join(tree, 'build-test/warg')].find((path) => path !== '' && existsSync(path));
const secret = 'a secret of an operator, 40 characters long';

interface Act { act: string; team?: string; agent?: string; game?: string; set?: number; why?: string }

/** A server with its agents in a folder of its own, and an operator who has opened its link. */
class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'warg-operate-'));
  readonly agents: ChildProcess[] = [];
  private text = '';
  private printed = '';
  private server!: ChildProcess;
  page!: Page;
  faults!: string[];
  leave!: () => Promise<void>;

  constructor() {
    writeFileSync(join(this.folder, 'key'), `${secret}\n`, { mode: 0o600 });
  }

  start(words: string[]): void {
    this.server = spawn(program as string, ['serve', ...words, '--operator-file', 'key'], { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    this.server.stdout?.on('data', (part: Buffer) => { this.printed += part.toString(); });
    for (const out of [this.server.stdout, this.server.stderr]) out?.on('data', (part: Buffer) => { this.text += part.toString(); });
  }

  /** What the server has said, once it has; any act may take as long as the machine is busy. */
  async said(what: RegExp): Promise<RegExpExecArray> {
    for (let i = 0; i < 1200; i++) {
      const found = what.exec(this.text);
      if (found) return found;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`it never says ${what}: ${this.text}`);
  }

  /** A set with this agent is over: its table is printed. */
  async setOver(agent: string): Promise<void> {
    for (let i = 0; i < 1200 && !this.printed.includes(agent); i++) await new Promise((done) => setTimeout(done, 50));
    assert.ok(this.printed.includes(agent), `no set of ${agent} is over: ${this.text}`);
  }

  agent(words: string[]): void {
    this.agents.push(spawn(program as string, ['bot', ...words], { stdio: 'ignore' }));
  }

  freeze(stop: boolean): void {
    for (const agent of this.agents) agent.kill(stop ? 'SIGSTOP' : 'SIGCONT');
  }

  async open(origin: string): Promise<void> {
    const hall = await openHallAt(origin, async () => {});
    const watched = await openPage(hall, `/web/login#k=${encodeURIComponent(secret)}`, { expected: /409|404/ });
    this.page = watched.page;
    this.page.setDefaultTimeout(60_000);
    this.faults = watched.faults;
    this.leave = () => hall.close();
    await this.page.getByText('You are the operator in this tab.').waitFor();
    await this.page.goto(`${origin}/web/operator`);
    await this.page.getByRole('heading', { name: 'This server' }).waitFor();
  }

  async acts(): Promise<{ held: boolean; left_out: string[]; acts: Act[] }> {
    return await this.page.evaluate(async (key) => await (await fetch('/api/v1/operator/acts', { headers: { Authorization: `Bearer ${key}` } })).json(), secret) as never;
  }

  /** Asked once nothing is done; then it is. */
  private async twice(ask: () => Promise<void>, act: string): Promise<void> {
    const before = (await this.acts()).acts.length;
    await ask();
    const question = this.page.getByRole('alertdialog');
    await question.or(this.page.locator('.toast.bad')).first().waitFor();
    assert.equal(await question.count(), 1, `${act} is refused: ${await this.page.locator('.toast.bad').allInnerTexts()}`);
    assert.equal((await this.acts()).acts.length, before, `${act} was done before it was confirmed`);
    await question.getByRole('button', { name: 'Do it' }).click();
    await question.waitFor({ state: 'detached' });
    for (let i = 0; i < 600 && (await this.acts()).acts.length === before; i++) await new Promise((done) => setTimeout(done, 100));
    assert.equal((await this.acts()).acts[0]?.act, act);
  }

  async press(button: string, act: string): Promise<void> {
    await this.twice(() => this.page.getByRole('button', { name: button }).first().click(), act);
  }

  async act(kind: string, whom: string): Promise<void> {
    await this.twice(async () => {
      const form = this.page.locator('form.actform').first();
      await form.locator('[name=act]').selectOption(kind);
      await form.locator('[name=whom]').fill(whom);
      await form.locator('[name=why]').fill('a test');
      await form.getByRole('button', { name: 'Ask the server' }).click();
    }, kind);
  }

  /** The names in the archive that the page hands over. */
  async logs(kind: 'day' | 'team', value: string): Promise<string> {
    const form = this.page.locator('form.actform').last();
    await form.locator('select').selectOption(kind);
    await form.locator('[name=value]').fill(value);
    const [saved] = await Promise.all([this.page.waitForEvent('download'), form.getByRole('button', { name: 'Download' }).click()]);
    return gunzipSync(readFileSync(await saved.path())).toString('latin1');
  }

  /** The acts as whoever counts has them. */
  journal(): string[] {
    const path = readdirSync(this.folder, { recursive: true, encoding: 'utf8' }).find((each) => each.endsWith('journal.jsonl'));
    assert.ok(path, 'no journal');
    const lines = readFileSync(join(this.folder, path), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Act & { record: string; by?: string });
    return lines.filter((line) => line.record === 'act').map((line) => {
      assert.equal(line.by, 'operator');
      return line.act;
    });
  }

  async close(): Promise<void> {
    await this.leave?.();
    for (const agent of this.agents) agent.kill('SIGKILL');
    this.server.kill('SIGKILL');
    await new Promise((done) => this.server.exitCode === null && this.server.signalCode === null ? this.server.on('exit', done) : done(null));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const today = (): string => new Date().toISOString().slice(0, 10);

async function operate(t: TestContext, run: (desk: Desk) => Promise<void>): Promise<void> {
  if (!program || !long) {
    t.diagnostic(`left out: ${program ? 'in the long form only' : 'warg is not built'}`);
    return;
  }
  const desk = new Desk();
  try {
    await run(desk);
    assert.deepEqual(desk.faults, []);
  } finally {
    await desk.close();
  }
}

test('an operator of the natural-language division acts on its own port', (t) => operate(t, async (desk) => {
  const config = readFileSync(join(tree, 'config/nlp/freeform_en_5.yml'), 'utf8').replace('self_match: true', 'self_match: false').replace('is_optimize: false', 'is_optimize: true')
    .replace(/team_count: .*/, 'team_count: 6').replace(/game_count: .*/, 'game_count: 6').replace(/duration: 10m/, 'duration: 1s');
  writeFileSync(join(desk.folder, 'cup.yml'), config);
  desk.start(['nlp', '-c', 'cup.yml', '--port', '0']);
  const origin = `http://127.0.0.1:${(await desk.said(/listening on ws:\/\/127\.0\.0\.1:(\d+)/))[1]}`;
  await desk.open(origin);
  await desk.press('Hold: begin no further game', 'hold');
  await desk.page.getByText('Held: no further game begins.').waitFor();
  for (const team of ['ann', 'ben', 'cho', 'dai', 'eve', 'fay'])
    desk.agent(['nlp', '--url', `${origin.replace('http', 'ws')}/ws`, '--quiet', '--team', team, '-n', '1', '--reconnect', '--retry', '20ms', '--think', '100ms']);
  for (let i = 0; i < 1200 && !(await (await fetch(`${origin}/api/v1/progress`)).text()).includes('"waiting":6'); i++) await new Promise((done) => setTimeout(done, 50));
  await desk.act('leave-out', 'fay');
  await desk.page.getByRole('button', { name: 'Let fay in again' }).waitFor();
  desk.freeze(true); // without fay there is little to play: the hold keeps the server
  await desk.press('Go on', 'go-on');
  await desk.said(/game-begun/);
  await desk.press('Hold: begin no further game', 'hold');
  desk.freeze(false);
  const first = (await desk.said(/game-over game=(\w+)/))[1] as string;
  const { contests } = await (await fetch(`${origin}/web/api/home`)).json() as { contests: { id: string }[] };
  await desk.page.goto(`${origin}/web/c/${contests[0]?.id}`); // the contest's own pages, while the hold keeps the server
  assert.match(await desk.page.locator('#acts li').first().innerText(), / hold .*operator/);
  await desk.page.goto(`${origin}/web/c/${contests[0]?.id}/team/ann`);
  const [saved] = await Promise.all([desk.page.waitForEvent('download'), desk.page.getByRole('button', { name: 'Download the logs of its games' }).click()]);
  assert.match(gunzipSync(readFileSync(await saved.path())).toString('latin1'), /\.log/);
  await desk.page.goto(`${origin}/web/operator`);
  await desk.page.getByText('Held: no further game begins.').waitFor();
  await desk.act('void', first);
  await desk.press('Let fay in again', 'let-in');
  await desk.act('disconnect', 'ben1');
  desk.freeze(true); // what begins now is stuck
  await desk.press('Go on', 'go-on');
  const running = async (): Promise<string> => {
    const { games } = await (await fetch(`${origin}/api/v1/games`, { headers: { Authorization: `Bearer ${secret}` } })).json() as { games: { id: string }[] };
    return games[0]?.id ?? '';
  };
  let stuck = '';
  for (let i = 0; i < 1200 && stuck === ''; i++) {
    stuck = await running();
    if (stuck === '') await new Promise((done) => setTimeout(done, 20));
  }
  await desk.act('end', stuck);
  desk.freeze(false);
  assert.match(await desk.logs('team', 'ann'), /\.log/);
  assert.match(await desk.logs('day', today()), /\.log/);
  assert.deepEqual(desk.journal(), ['hold', 'leave-out', 'go-on', 'hold', 'void', 'let-in', 'disconnect', 'go-on', 'end']);
}));

test('an operator of the protocol division acts on sets', (t) => operate(t, async (desk) => {
  desk.start(['aiwolf', '--port', '0', '--web', '0', '--out', 'set', '--players', '5', '--games', '300', '--sets', '4', '--agent', 'bot:sample*3', '--time-limit', '60s']);
  const port = (await desk.said(/listening on (?:tcp:\/\/)?127\.0\.0\.1:(\d+)/))[1] as string;
  const origin = (await desk.said(/pages: (http:\/\/127\.0\.0\.1:\d+)/))[1] as string;
  await desk.open(origin);
  await desk.press('Hold: begin no further game', 'hold');
  const sit = (names: string[]): void => { for (const name of names) desk.agent(['aiwolf', '--port', port, '--name', name]); };
  sit(['ann', 'bo', 'cho']);
  for (let i = 0; i < 1200 && !JSON.stringify(await desk.acts()).includes('cho'); i++) await new Promise((done) => setTimeout(done, 50));
  await desk.act('leave-out', 'cho');
  await desk.press('Go on', 'go-on');
  await desk.setOver('ann');
  await desk.act('void', '0');
  sit(['dan', 'eve']);
  await desk.said(/set 1 begins/);
  desk.freeze(true);
  await desk.act('disconnect', 'dan');
  await desk.act('end', '1');
  desk.freeze(false);
  assert.match(await desk.logs('day', today()), /\.log/);
  assert.match(await desk.logs('team', 'ann'), /\.log/);
  assert.deepEqual(desk.journal(), ['hold', 'leave-out', 'go-on', 'void', 'disconnect', 'end']);
}));

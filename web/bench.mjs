// bench.mjs - how long pages take: the table of docs/spec/web.md 13.1.
//
// Processor time of the page's thread, since wall time says nothing on a busy machine: the browser
// counts it by itself (thread ticks).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { madeDoc } from './test/made.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = (name) => readFileSync(join(root, 'dist', name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'warg-bench-'));
const packed = (text) => gzipSync(text, { level: 9 }).length;
let failed = 0;

function tell(what, limit, value, unit, over = value > limit) {
  if (over) failed++;
  console.log(`${what.padEnd(54)} ${String(value).padStart(9)} ${unit.padEnd(6)} of ${limit}${over ? '   OVER' : ''}`);
}

function exported(name, doc) {
  const inside = `<script type="application/json">${JSON.stringify(doc).replaceAll('<', '\\u003c')}</script>`;
  const text = dist('export.html').replace('/*STYLE*/', () => dist('app.css')).replace('/*SCRIPT*/', () => dist('app.js')).replace('<!--DOCUMENTS-->', () => inside);
  const path = join(folder, `${name}.html`);
  writeFileSync(path, text);
  return `file://${path}`;
}

const small = madeDoc({ players: 15, days: 9, seed: 3, turns: 8, id: 'small' });
const large = madeDoc({ players: 15, days: 12, seed: 9, turns: 14, id: 'large' });
const huge = madeDoc({ players: 15, days: 40, seed: 9, turns: 20, id: 'huge' });
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const ms = (seconds) => Math.round(seconds * 10000) / 10;

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--enable-precise-memory-info'] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });

async function open(url) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const metric = async (name) => (await session.send('Performance.getMetrics')).metrics.find((each) => each.name === name)?.value ?? 0;
  const before = await metric('TaskDuration');
  await page.goto(url);
  await page.waitForSelector('.stage .seat');
  await settle(page);
  return { page, session, metric, first: (await metric('TaskDuration')) - before };
}

const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function costs(page, metric, times, act) {
  const list = [];
  for (let i = 0; i < times; i++) {
    const before = await metric('TaskDuration');
    await act(i);
    await settle(page);
    list.push((await metric('TaskDuration')) - before);
  }
  return list;
}

async function onGame(name, doc) {
  const { page, metric } = await open(`${exported(name, doc)}#view=all&at=d3`);
  await page.addStyleTag({ content: '' }).catch(() => {});
  const idle = median(await costs(page, metric, 20, async () => {}));
  const steps = await costs(page, metric, 60, () => page.keyboard.press('ArrowRight'));
  const jumps = await costs(page, metric, 30, (i) => page.keyboard.press(i % 2 ? '[' : ']'));
  const box = await page.getByRole('slider').boundingBox();
  await page.mouse.move(box.x + 5, box.y + 20);
  await page.mouse.down();
  const drags = await costs(page, metric, 60, (i) => page.mouse.move(box.x + 5 + ((i * 37) % 60) * (box.width / 62), box.y + 20));
  await page.mouse.up();
  await page.close();
  return { step: ms(median(steps) - idle), jump: ms(median(jumps) - idle), drag: ms(median(drags) - idle) };
}

tell('script + style, gzipped', 150000, packed(dist('app.js')) + packed(dist('app.css')), 'bytes');
tell(`document of ${small.events.length} events`, 150000 * Math.max(1, small.events.length / 750), JSON.stringify(small).length, 'bytes');
tell('  gzipped', 15000 * Math.max(1, small.events.length / 750), packed(JSON.stringify(small)), 'bytes');
const firsts = [];
for (let i = 0; i < 5; i++) {
  const { page, first } = await open(exported('small', small));
  firsts.push(first);
  await page.close();
}
tell(`first paint, an export of ${small.events.length} events`, 200, ms(median(firsts)), 'ms');
for (const [name, doc] of [['large', large], ['huge', huge]]) {
  const { step, jump, drag } = await onGame(name, doc);
  tell(`a frame while dragging, ${doc.events.length} events, median`, 16, drag, 'ms');
  tell(`one step by a key, ${doc.events.length} events, median`, 16, step, 'ms');
  tell(`a jump of a day with the log drawn anew, median`, 50, jump, 'ms');
}

const { page, session } = await open(`${exported('large', large)}#view=all`);
const heap = async () => {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
};
const walk = async (times) => {
  for (let i = 0; i < times; i++) {
    await page.keyboard.press(i % 50 === 49 ? 'Home' : i % 7 === 6 ? ']' : 'ArrowRight');
    if (i % 100 === 99) await settle(page);
  }
};
await walk(600);
const early = await heap();
await walk(1400);
const late = await heap();
tell('heap after 2,000 moves', 30, Math.round(late * 10) / 10, 'MB');
tell('  growth since the 600th', 1, Math.round((late - early) * 10) / 10, 'MB');
await browser.close();
rmSync(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;

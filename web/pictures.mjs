// pictures.mjs - draws twelve fixed moments with the pages of this tree and with those of an older
// commit, in the same run of the same browser, and says how many of their points differ.
//
// node pictures.mjs [--base COMMIT] [--out FOLDER]     exit status 1: a picture differs by more than
// 0.2 %. Who changes the look on purpose looks at the pictures in FOLDER and says so in the commit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const limit = 0.002;
const option = (name, otherwise) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : otherwise);
const base = option('--base', 'HEAD~1');
const out = option('--out', '');
const desk = [1440, 900];
const phone = [390, 844];

const moments = [
  ['desk-day', 'made-15#at=d2v0.15', desk, 'light', 'en'],
  ['desk-night-dark', 'made-15#view=all&at=d3k', desk, 'dark', 'en'],
  ['desk-talk-ja', 'made-13-ja#at=d1t10', desk, 'light', 'ja'],
  ['desk-claims-seat6', 'made-15#view=6&at=d4v0.9&tab=claims', desk, 'light', 'en'],
  ['desk-stances-dark', 'made-15#at=d4v0.9&tab=stances', desk, 'dark', 'ja'],
  ['desk-end', 'made-13-en#view=all&at=end', desk, 'light', 'en'],
  ['desk-40-days', 'made-40-days#view=all&at=d20', desk, 'dark', 'en'],
  ['phone-day', 'made-15#at=d2v0.15', phone, 'light', 'en'],
  ['phone-ja-dark', 'made-13-ja#at=d2v0.12', phone, 'dark', 'ja'],
  ['phone-votes', 'made-18#view=all&at=d4t3&tab=votes', phone, 'light', 'en'],
  ['narrow-18', 'made-18#at=d3t14', [320, 640], 'light', 'en'],
  ['low-5', 'made-5-ja#at=d1t8', [844, 390], 'dark', 'ja'],
];

function oldDist() {
  const folder = mkdtempSync(join(tmpdir(), 'warg-pictures-'));
  for (const name of ['app.js', 'app.css', 'icon.svg'])
    writeFileSync(join(folder, name), execFileSync('git', ['-C', root, 'show', `${base}:./dist/${name}`], { maxBuffer: 1 << 26 }));
  return folder;
}

async function draw(browser, origin, [, path, [width, height], colorScheme, locale]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${origin}/web/g/${path}`);
  await page.waitForSelector('.stage .seat');
  await page.waitForTimeout(500);
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

// The browser reads both pictures; a point differs when a colour does by more than 8 of 255.
const differing = (page, one, other) => page.evaluate(async ([a, b]) => {
  const pixels = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const draw = canvas.getContext('2d');
    draw.drawImage(image, 0, 0);
    return draw.getImageData(0, 0, image.width, image.height).data;
  };
  const [left, right] = [await pixels(a), await pixels(b)];
  if (left.length !== right.length) return 1;
  let count = 0;
  for (let i = 0; i < left.length; i += 4)
    if (Math.abs(left[i] - right[i]) > 8 || Math.abs(left[i + 1] - right[i + 1]) > 8 || Math.abs(left[i + 2] - right[i + 2]) > 8) count++;
  return (count * 4) / left.length;
}, [one.toString('base64'), other.toString('base64')]);

const before = oldDist();
const servers = [await serve(0), await serve(0, [], before)];
const [now, then] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
const blank = await browser.newPage();
if (out) mkdirSync(out, { recursive: true });
let failed = 0;
for (const moment of moments) {
  const picture = await draw(browser, now, moment);
  const old = await draw(browser, then, moment);
  const part = await differing(blank, picture, old);
  if (part > limit) failed++;
  console.log(`${part > limit ? 'differs' : 'same   '} ${moment[0].padEnd(20)} ${(part * 100).toFixed(3)} %`);
  if (out) {
    writeFileSync(join(out, `${moment[0]}.png`), picture);
    if (part > limit) writeFileSync(join(out, `${moment[0]}.before.png`), old);
  }
}
await browser.close();
for (const server of servers) {
  server.closeAllConnections();
  server.close();
}
rmSync(before, { recursive: true });
console.log(`${moments.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

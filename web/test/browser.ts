// browser.ts - a browser and a server for tests of pages. Whatever a page should never do fails the
// test that opened it: an error on the console, a report of the content security policy, a request to
// anywhere else, a dialog.
import { existsSync, readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { serve } from '../serve.mjs';

export const web = process.env['WARG_WEB'] ?? '.';

/** Everything in every combination; else each value, and each pair of values somewhere. */
export const long = process.env['WARG_WEB_FORM'] !== 'short';

/** How many times slower a page computes, and hears from its server: races that a quick machine hides. */
const slow = Number(process.env['WARG_WEB_SLOW'] ?? 1);

export interface Hall {
  browser: Browser;
  origin: string;
  close(): Promise<void>;
}

/** A browser for a server that somebody else started. */
export async function openHallAt(origin: string, closeServer: () => Promise<void>): Promise<Hall> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) throw new Error('no chromium is installed');
  // Containers have no place for the browser's own sandbox.
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  return {
    browser, origin,
    close: async () => {
      await browser.close();
      await closeServer();
    },
  };
}

/** A browser and a server of games that are over. */
export async function openHall(docs: unknown[] = []): Promise<Hall> {
  const server = await serve(0, docs);
  return openHallAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
}

export interface Watched {
  page: Page;
  faults: string[];
  requests: string[];
  close(): Promise<void>;
}

/** A page of its own browser context. `expected`: what may be on the console, for pages that show errors. */
export async function openPage(hall: Hall, url: string, how: BrowserContextOptions & { expected?: RegExp } = {}): Promise<Watched> {
  const { expected, ...options } = how;
  const context = await hall.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  const say = (text: string): void => { if (!expected?.test(text)) faults.push(text); };
  page.on('console', (line) => { if (line.type() === 'error' || line.type() === 'warning') say(line.text()); });
  page.on('pageerror', (error) => say(`error: ${error.message}`));
  page.on('dialog', (dialog) => { say(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(hall.origin) && !/^(blob|data|file):/.test(request.url())) say(`request to ${request.url()}`);
  });
  if (slow > 1) {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: 25 * slow, downloadThroughput: -1, uploadThroughput: -1 });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow });
  }
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(url.startsWith('/') ? hall.origin + url : url);
  return { page, faults, requests, close: () => context.close() };
}

/** An exported page, as `warg export` puts it together: a path. */
export function exportFile(docs: unknown[]): string {
  const dist = (name: string): string => readFileSync(join(web, 'dist', name), 'utf8');
  const inside = docs.map((doc) => `<script type="application/json">${JSON.stringify(doc).replaceAll('<', '\\u003c')}</script>`).join('\n');
  const text = dist('export.html')
    .replace('/*STYLE*/', () => dist('app.css'))
    .replace('/*SCRIPT*/', () => dist('app.js'))
    .replace('<!--DOCUMENTS-->', () => inside);
  const path = join(mkdtempSync(join(tmpdir(), 'warg-export-')), 'game.html');
  writeFileSync(path, text);
  return path;
}

export const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('.stage .seat, main.page');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

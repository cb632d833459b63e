// mock_browser.ts - a browser before the mock hall; axe; what every page is asked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { long, openHallAt, openPage, web, type Hall, type Watched } from './browser.ts';
import { hall as mockHall } from './mock_hall.ts';
import { SECRET, type Mock } from './mock.ts';

export interface MockHall extends Hall {
  mock: Mock;
}

const halls = new Set<MockHall>();

/** Whatever is still open: a test that fails leaves nothing behind that the others would wait for. */
export async function closeAll(): Promise<void> {
  for (const hall of [...halls]) await hall.close();
}

export async function openMock(): Promise<MockHall> {
  const mock = mockHall(join(web, 'dist'), join(web, '../docs/spec/web'));
  const address = await mock.start();
  const opened = await openHallAt(new URL(address).origin, () => mock.stop());
  const hall: MockHall = {
    ...opened, mock,
    close: async () => {
      if (halls.delete(hall)) await opened.close();
    },
  };
  halls.add(hall);
  return hall;
}

export type How = BrowserContextOptions & { expected?: RegExp; seat?: boolean; operator?: boolean };

/** A page of the mock hall; `seat`: with the cookie of its seat, `operator`: with the secret. */
export async function open(hall: MockHall, path: string, how: How = {}): Promise<Watched> {
  const { seat, operator, ...rest } = how;
  const cookies = seat ? [{ name: `warg_seat_${hall.mock.port}`, value: 'abc', domain: '127.0.0.1', path: '/web/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' as const }] : [];
  const first = operator ? `/web/login#k=${SECRET}` : `/web/${path}`;
  const watched = await openPage(hall, first, { ...rest, storageState: { cookies, origins: [] } });
  if (operator) {
    await watched.page.waitForSelector('.blank');
    await watched.page.goto(`${hall.origin}/web/${path}`);
  }
  return watched;
}

export const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('main:not(:has(.loading))');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

const axeText = readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8');

export async function axeTrouble(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeText);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(how: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> } }).axe;
    const { violations } = await axe.run({ resultTypes: ['violations'] }); // what is good isn't described
    return violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`);
  });
}

export const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Nothing for axe, nothing wider than the window. The context must bypass the policy, for axe itself. */
export async function isFine(page: Page, what: string): Promise<void> {
  assert.deepEqual(await axeTrouble(page), [], what);
  assert.ok((await sideways(page)) <= 0, `${what}: wider than the window`);
}

/** All text twice as large, as a browser's own setting does it. */
export const twice = (page: Page): Promise<void> => page.evaluate(() => {
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const size = parseFloat(getComputedStyle(element).fontSize);
    element.dataset['size'] = String(size);
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *')) element.style.fontSize = `${2 * Number(element.dataset['size'])}px`;
});

export const sizes = [{ width: 1440, height: 900 }, { width: 390, height: 844 }, { width: 320, height: 640 }];

export type Look = BrowserContextOptions & { half: number };

export const nameOf = (how: BrowserContextOptions): string => `${how.viewport?.width} px, ${how.colorScheme}, ${how.locale}`;

// Each half has every size, both colours and both languages; the two together have every pair of these.
const halves = [['1440 px, light, en', '390 px, dark, ja', '320 px, light, ja'], ['1440 px, dark, ja', '390 px, light, en', '320 px, dark, en']];

/** Size, colours and language: all of each; in the short form the six looks of the two halves. */
export const matrix: Look[] = sizes.flatMap((viewport) => (['light', 'dark'] as const).flatMap((colorScheme) => ['en', 'ja'].map((locale) => {
  const look = { viewport, colorScheme, locale, reducedMotion: 'reduce' as const, bypassCSP: true };
  return { ...look, half: halves.findIndex((half) => half.includes(nameOf(look))) };
}))).filter((look) => long || look.half >= 0);

/** Whether the page or state of this number is looked at so: in the short form by one of the halves. */
export const looksAt = (look: Look, number: number): boolean => long || look.half === number % 2;

// access.e2e.ts - for everybody: axe finds nothing on any size, scheme, language and tab; nothing is
// wider than 320 px; large text, forced colours; hostile texts are only texts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { exportFile, long, openHall, openPage, settled, web, type Hall } from './browser.ts';
import { hostile, madeDoc } from './made.mjs';

let hall: Hall;
before(async () => { hall = await openHall(); });
after(async () => hall.close());

const axeText = readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8');

async function axeTrouble(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> } }).axe;
    const { violations } = await axe.run();
    return violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`);
  });
}

const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// axe is put into a page by the test, which the policy of the pages would not let anybody do.
async function troubleOn(url: string, how: Parameters<typeof openPage>[2], act: (page: Page) => Promise<void> = async () => {}): Promise<string[]> {
  const watched = await openPage(hall, url, { ...how, bypassCSP: true });
  await settled(watched.page);
  await act(watched.page);
  await watched.page.evaluate(axeText);
  const what = `${url} ${JSON.stringify(how?.viewport)} ${how?.colorScheme} ${how?.locale}`;
  const found = [...(await axeTrouble(watched.page)), ...watched.faults];
  if ((await sideways(watched.page)) > 0) found.push('wider than the window');
  await watched.close();
  return found.map((each) => `${what}: ${each}`);
}

const axeOn = async (...what: Parameters<typeof troubleOn>): Promise<void> => assert.deepEqual(await troubleOn(...what), []);

const sizes = [{ width: 1440, height: 900 }, { width: 390, height: 844 }, { width: 320, height: 640 }];
const moments = ['#at=d2t7', '#view=all&at=d2v0.15', '#view=all&at=d3k', '#view=all&at=d3v0.5&tab=votes', '#at=d4t3&tab=claims', '#view=all&at=d4t3&tab=stances', '#at=end'];

// Any four that follow each other have all sizes and both schemes: in the short form each moment is
// looked at in four of them, one in each test.
const looks = [0, 1, 2, 3, 4, 5].map((i) => ({ viewport: sizes[i % 3] as { width: number; height: number }, colorScheme: i % 2 ? ('dark' as const) : ('light' as const) }));

for (const [turn, [locale, id]] of ([['en', 'made-15'], ['ja', 'made-15'], ['en', 'made-13-ja'], ['ja', 'made-13-ja']] as const).entries())
  test(`axe finds nothing on any size and scheme, ${id}, ${locale}`, async () => {
    const watched = await openPage(hall, `/web/g/${id}`, { locale, reducedMotion: 'reduce', bypassCSP: true });
    const { page } = watched;
    await settled(page);
    await page.evaluate(axeText);
    const found: string[] = [];
    for (const [i, hash] of moments.entries()) {
      await page.evaluate((to) => { location.hash = to; }, hash);
      for (const [j, { viewport, colorScheme }] of looks.entries()) {
        if (!long && j !== (i + turn) % looks.length) continue;
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(60);
        const trouble = await axeTrouble(page);
        if ((await sideways(page)) > 0) trouble.push('wider than the window');
        found.push(...trouble.map((each) => `${hash} ${viewport.width} ${colorScheme}: ${each}`));
      }
    }
    assert.deepEqual([...found, ...watched.faults], []);
    await watched.close();
  });

test('axe finds nothing in the lists over the page', async () => {
  await axeOn('/web/g/made-15', {}, async (page) => page.keyboard.press('?'));
  await axeOn('/web/g/made-15', {}, async (page) => page.getByRole('button', { name: 'More' }).click());
  await axeOn('/web/g/made-15', {}, async (page) => page.keyboard.press('/'));
  await axeOn('/web/g/none', { expected: /404/ });
});

test('nothing is wider than 320 px: long names, 18 seats, 40 days, text of twice the size', async () => {
  for (const id of ['made-18', 'made-40-days', 'made-13-ja', 'made-hostile'])
    for (const tab of ['log', 'votes', 'claims', 'stances']) {
      const watched = await openPage(hall, `/web/g/${id}#view=all&at=end&tab=${tab}`, { viewport: { width: 320, height: 640 } });
      await settled(watched.page);
      assert.ok((await sideways(watched.page)) <= 0, `${id} ${tab}`);
      await watched.page.addStyleTag({ content: '' }).catch(() => {});
      await watched.page.evaluate(() => { document.documentElement.style.fontSize = '200%'; document.body.style.fontSize = '30px'; });
      assert.ok((await sideways(watched.page)) <= 0, `${id} ${tab}, 200 %`);
      await watched.close();
    }
});

test('the tab key reaches everything and its focus is seen', async () => {
  const watched = await openPage(hall, '/web/g/made-15#at=d2t4');
  await settled(watched.page);
  const seen = new Set<string>();
  for (let i = 0; i < 60; i++) {
    await watched.page.keyboard.press('Tab');
    const name = await watched.page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      if (element === document.body) return '';
      const style = getComputedStyle(element);
      const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
      return `${element.getAttribute('role') ?? element.tagName.toLowerCase()}${outlined ? '' : ' without a mark'}`;
    });
    seen.add(name);
  }
  for (const wanted of ['a', 'select', 'button', 'tab', 'region', 'slider']) assert.ok(seen.has(wanted), `${wanted} of ${[...seen].join(', ')}`);
  assert.ok(![...seen].some((name) => name.endsWith('without a mark')), [...seen].join(', '));
  await watched.close();
});

test('forced colours keep the page readable', async () => {
  const watched = await openPage(hall, '/web/g/made-15#at=d2v0.14', { forcedColors: 'active' });
  await settled(watched.page);
  assert.equal(await watched.page.locator('.seat').count(), 15);
  assert.deepEqual(watched.faults, []);
  await watched.close();
});

async function onlyTexts(page: Page, what: string): Promise<void> {
  const strange = await page.evaluate(() => [...document.querySelectorAll('body img, body iframe, #app script, #app style, [onerror], [onload], [onmouseover]')].map((element) => element.outerHTML.slice(0, 100)));
  assert.deepEqual(strange, [], what);
  const links = await page.evaluate(() => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''));
  assert.ok(links.every((href) => /^(#|\/web\/)/.test(href)), what);
}

test('hostile names and texts are only texts, on the page and in an exported file', async () => {
  const watched = await openPage(hall, '/web/g/made-hostile#view=all&at=d2t5');
  for (const tab of ['log', 'votes', 'claims', 'stances']) {
    await watched.page.goto(`${hall.origin}/web/g/made-hostile#view=all&at=d2t5&tab=${tab}`);
    await settled(watched.page);
    await onlyTexts(watched.page, tab);
  }
  assert.deepEqual(watched.faults, []);
  await watched.close();
  for (const [i, text] of hostile.entries()) {
    if (!long && i % 3) continue; // as seats' names all are in the game above
    const doc = madeDoc({ players: 5, days: 2, seed: i, division: 'nlp', names: [text, 'Rin'], text, id: `h${i}`, turns: 2 });
    doc.source.name = text;
    const exported = await openPage(hall, `file://${exportFile([doc])}#view=all&at=d1t2`);
    await settled(exported.page);
    await onlyTexts(exported.page, text);
    const said = await exported.page.locator('.row.now, .row').last().innerText();
    assert.ok(!/\u202E|\u200B/.test(said));
    assert.deepEqual(exported.faults, [], text);
    await exported.close();
  }
});

test('an exported file works by itself: no request, views, both languages', async () => {
  const doc = madeDoc({ players: 15, days: 4, seed: 3, id: 'alone' });
  const watched = await openPage(hall, `file://${exportFile([doc])}`, { offline: true });
  const { page } = watched;
  await settled(page);
  assert.equal(await page.locator('.seat').count(), 15);
  assert.equal(await page.locator('.at-role').count(), 0, 'spoilers wait here, too');
  await page.keyboard.press('End');
  await page.keyboard.press('r');
  await page.waitForSelector('.at-role');
  await page.keyboard.press('3');
  await page.waitForSelector('.seat.isview');
  await page.getByRole('button', { name: '日本語' }).click();
  await page.getByText('ゲーム終了').waitFor();
  assert.ok(watched.requests.every((url) => /^(file|data|blob):/.test(url)), watched.requests.join(' '));
  assert.deepEqual(watched.faults, []);
  await watched.close();
});

test('an exported file takes documents and other exported files that are dropped on it', async () => {
  const other = madeDoc({ players: 5, days: 2, seed: 5, id: 'other' });
  const third = readFileSync(exportFile([madeDoc({ players: 18, days: 2, seed: 6, id: 'third' })]), 'utf8');
  const watched = await openPage(hall, `file://${exportFile([madeDoc({ players: 15, days: 2, seed: 3, id: 'alone' })])}`, { offline: true });
  const { page } = watched;
  await settled(page);
  for (const [name, text, id] of [['other.json', JSON.stringify(other), 'other'], ['third.html', third, 'third']] as const) {
    await page.evaluate(([file, body]) => {
      const data = new DataTransfer();
      data.items.add(new File([body], file));
      for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, text] as const);
    await page.locator('h1', { hasText: id }).or(page.getByRole('button', { name: new RegExp(`${name}`) })).first().waitFor();
  }
  assert.deepEqual(watched.faults, []);
  await watched.close();
});

// words.ts - every word on the pages of the contest site, in two languages.
import { shown } from '../parts/shown.ts';
import { lang } from '../settings.ts';
import { wording } from '../wording.ts';
import { sharedWords } from '../words_shared.ts';
import type { Both } from './shapes.ts';
import { contestWords } from './words_contest.ts';
import { organiseWords } from './words_organise.ts';
import { siteWords } from './words_site.ts';
import { teamWords } from './words_team.ts';

/** Also for tests, which read all of them. */
export const table = { ...sharedWords, ...siteWords, ...contestWords, ...teamWords, ...organiseWords } as const;

export type WordKey = keyof typeof table;
export { num } from '../wording.ts';
export const { t, tn } = wording(table);

/** A text of the API in both languages, or in one: as the reader has it. */
export function both(text: string | Both | undefined | null): string {
  if (!text) return '';
  if (typeof text === 'string') return text;
  return (lang.value === 'ja' ? text.ja || text.en : text.en || text.ja) ?? '';
}

/** The word of a key that the server sends, or what it sent. */
export const wordOf = (prefix: string, value: string): string => (Object.hasOwn(table, prefix + value) ? t((prefix + value) as WordKey) : shown(value));

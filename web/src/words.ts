// words.ts - every word on the pages, in two languages, and how numbers get into them.
//
// A row is [English, Japanese]. `{n}` is a place. English may have two forms with `|` between, for
// one and for many by the place `n`. Words of the game's page are in words_game.ts, of all other
// pages in words_pages.ts; both lists are typed, so a missing word does not build.
import type { ComponentChildren } from 'preact';
import { lang } from './settings.ts';
import { gameWords } from './words_game.ts';
import { pageWords } from './words_pages.ts';

const table = { ...gameWords, ...pageWords } as const;

export type WordKey = keyof typeof table;
export type Places = Record<string, string | number>;

const plural = new Intl.PluralRules('en');
const numbers = { en: new Intl.NumberFormat('en'), ja: new Intl.NumberFormat('ja') };

export const num = (n: number): string => numbers[lang.value].format(n);

/** The words of `key` in the page's language, with its places filled. */
export function t(key: WordKey, places?: Places): string {
  let text: string = table[key][lang.value === 'ja' ? 1 : 0];
  const bar = text.indexOf('|');
  if (bar >= 0 && places && typeof places['n'] === 'number')
    text = plural.select(places['n']) === 'one' ? text.slice(0, bar) : text.slice(bar + 1);
  if (!places) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = places[name];
    return value === undefined ? whole : typeof value === 'number' ? num(value) : value;
  });
}

/** The same with parts that are elements, such as a seat's chip, in its places. */
export function tn(key: WordKey, places: Record<string, ComponentChildren>): ComponentChildren[] {
  const text = table[key][lang.value === 'ja' ? 1 : 0];
  return text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : places[part]));
}

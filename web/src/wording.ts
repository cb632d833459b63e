// wording.ts - how words get from a table onto a page: by the reader's language, with numbers in their places.
//
// A row is [English, Japanese]. `{n}` is a place. English may have two forms with `|` between, for
// one and for many by the place `n`.
import type { ComponentChildren } from 'preact';
import { lang } from './settings.ts';

export type WordTable = Readonly<Record<string, readonly [string, string]>>;
export type Places = Record<string, string | number>;

const plural = new Intl.PluralRules('en');
const numbers = { en: new Intl.NumberFormat('en'), ja: new Intl.NumberFormat('ja') };

export const num = (n: number): string => numbers[lang.value].format(n);

export interface Wording<Key extends string> {
  /** The words of `key` in the page's language, with its places filled. */
  t: (key: Key, places?: Places) => string;
  /** The same with parts that are elements, such as a seat's chip, in its places. */
  tn: (key: Key, places: Record<string, ComponentChildren>) => ComponentChildren[];
}

export function wording<Table extends WordTable>(table: Table): Wording<keyof Table & string> {
  const row = (key: keyof Table): string => (table[key] as readonly [string, string])[lang.value === 'ja' ? 1 : 0];
  return {
    t: (key, places) => {
      let text = row(key);
      const bar = text.indexOf('|');
      if (bar >= 0 && places && typeof places['n'] === 'number')
        text = plural.select(places['n']) === 'one' ? text.slice(0, bar) : text.slice(bar + 1);
      if (!places) return text;
      return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
        const value = places[name];
        return value === undefined ? whole : typeof value === 'number' ? num(value) : value;
      });
    },
    tn: (key, places) => row(key).split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : places[part])),
  };
}

// settings.ts - what a person chose on this browser, and keeps: language, colours, how rows read.
import { effect, signal, type Signal } from '@preact/signals';
import { keep, kept } from './kept.ts';

export { keep, kept };

export type Lang = 'en' | 'ja';
export type Theme = 'system' | 'light' | 'dark';

/** A choice among a few words that is kept under `key`. */
export function choice<T extends string>(key: string, allowed: readonly T[], first: T): Signal<T> {
  const old = kept(key) as T | null;
  const made = signal<T>(old !== null && allowed.includes(old) ? old : first);
  let before = made.value;
  effect(() => {
    if (made.value !== before) keep(key, made.value);
    before = made.value;
  });
  return made;
}

const browserLang = (): Lang =>
  typeof navigator !== 'undefined' && navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';

export const lang = choice<Lang>('lang', ['en', 'ja'], browserLang());
export const theme = choice<Theme>('theme', ['system', 'light', 'dark'], 'system');
/** Protocol sentences: in plain words, or as they were said. */
export const sentences = choice('sentences', ['plain', 'said'], 'plain');
export const keysOn = choice('keys', ['on', 'off'], 'on');
/** The scrubber of a game whose roles are hidden: as far as one has come, or all of it. */
export const course = choice('course', ['reached', 'whole'], 'reached');
/** What a screen reader is told of a live game. */
export const aloud = choice('aloud', ['all', 'deeds', 'nothing'], 'all');

/** Puts language and colours on the page, now and at each change. */
export function applySettings(): void {
  effect(() => {
    document.documentElement.lang = lang.value;
  });
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}

export const darkNow = (): boolean =>
  theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);

export const nextTheme = (): void => {
  theme.value = darkNow() ? 'light' : 'dark';
};

// drafts.ts - what somebody wrote and has not sent yet stays in this browser, over reloads and lost
// connections, until it is sent.
import { keep, kept } from '../kept.ts';

const name = (key: string): string => `draft.${key}`;

export function draftOf(key: string): Record<string, string> {
  try {
    const read: unknown = JSON.parse(kept(name(key)) ?? '{}');
    if (read === null || typeof read !== 'object') return {};
    return Object.fromEntries(Object.entries(read).filter((row): row is [string, string] => typeof row[1] === 'string'));
  } catch {
    return {};
  }
}

/** Without what is empty; nothing at all removes it. */
export function keepDraft(key: string, values: Readonly<Record<string, string>>): void {
  const written = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
  if (Object.keys(written).length > 0) keep(name(key), JSON.stringify(written));
  else forgetDraft(key);
}

export function forgetDraft(key: string): void {
  try {
    localStorage.removeItem(`warg.${name(key)}`);
  } catch {
    // Nothing was kept either.
  }
}

// Find.tsx - finds words in what was said, up to where the game may be known.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { lang } from '../settings.ts';
import { t } from '../words.ts';
import type { Course } from '../model.ts';
import type { GameStore } from './store.ts';

/** The events whose text holds `words`, whatever their case. */
export function found(course: Course, words: string, until: number, language: string): number[] {
  const wanted = words.trim().toLocaleLowerCase();
  if (wanted === '') return [];
  const made: number[] = [];
  for (let n = 0; n <= until; n++) {
    const event = course.event(n);
    if (!event || event.text === undefined || event.quiet) continue;
    const plain = event.plain?.[language] ?? '';
    const name = course.names[event.seat ?? 0] ?? '';
    if (`${name} ${event.text} ${plain}`.toLocaleLowerCase().includes(wanted)) made.push(n);
  }
  return made;
}

export function Find({ game, onClose }: { game: GameStore; onClose: () => void }) {
  const words = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  void game.grown.value;
  const hits = found(game.course.value, words.value, game.last.value, lang.value);
  const at = game.cursor.value;
  const place = hits.indexOf(at);
  const go = (step: 1 | -1): void => {
    const next = step > 0 ? hits.find((n) => n > at) ?? hits[0] : hits.filter((n) => n < at).pop() ?? hits[hits.length - 1];
    if (next !== undefined) game.go(next);
  };
  return (
    <form class="find" role="search" onSubmit={(submit) => { submit.preventDefault(); go(1); }}>
      <input ref={field} class="field" type="search" aria-label={t('find')} placeholder={t('find')} value={words.value}
        onInput={(input) => { words.value = (input.currentTarget as HTMLInputElement).value; }}
        onKeyDown={(key) => {
          if (key.isComposing) return;
          if (key.key === 'Escape') onClose();
          else if (key.key === 'Enter' && key.shiftKey) {
            key.preventDefault();
            go(-1);
          }
        }} />
      <span class="note" role="status">{words.value.trim() === '' ? '' : hits.length === 0 ? t('findNone') : t('findCount', { at: place >= 0 ? place + 1 : '–', n: hits.length })}</span>
      <button type="button" class="button square quiet" aria-label={t('findBefore')} onClick={() => go(-1)}>↑</button>
      <button type="submit" class="button square quiet" aria-label={t('findNext')}>↓</button>
      <button type="button" class="button square quiet" aria-label={t('close')} onClick={onClose}>✕</button>
    </form>
  );
}

// ahead.ts - a draft that is to be sent as soon as its writer is asked to speak.
//
// Only what was marked so by hand is sent, as it stood then, and on the day it was marked: on another day, or
// where the rules would cut it, it stays a draft.
import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { lengthLimit } from '../length.ts';
import { GUARD_MS, type Ask } from '../seat_state.ts';
import { cutOff } from './cut.ts';
import { nowMs, type Desk } from './desk.ts';

/** The day of the mark; -1: not marked. */
export type Ahead = Signal<number>;
export const NOT_AHEAD = -1;

export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim();

/** What the rules of `ask` would cut off. */
export function lostOf(desk: Desk, ask: Ask, text: string): string {
  if (!ask.length) return '';
  const limit = lengthLimit(ask.length, oneLine(text), desk.game.doc.value.seats.map((seat) => seat.name), desk.seat);
  return limit.lost > 0 ? cutOff(oneLine(text), limit.text) : '';
}

export function useAhead(desk: Desk, ask: Ask | undefined, text: Signal<string>, ahead: Ahead): void {
  useEffect(() => {
    if (!ask || ahead.value === NOT_AHEAD) return;
    const wanted = ask.kind === 'talk' && !ask.standing && ahead.value === desk.game.table.value.day && lostOf(desk, ask, text.value) === '';
    if (!wanted) {
      ahead.value = NOT_AHEAD;
      return;
    }
    const timer = setTimeout(() => {
      if (ahead.value !== NOT_AHEAD) desk.answer(ask, { text: oneLine(text.value) });
      ahead.value = NOT_AHEAD;
    }, Math.max(0, ask.at + GUARD_MS + 20 - nowMs()));
    return () => clearTimeout(timer);
  }, [desk, ask?.ask]);
}

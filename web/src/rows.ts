// rows.ts - the log as rows: one an utterance, one for the silent of a turn, one for a ballot.
// Pure. Rows lie in the order of events and each event lies in one row.
import type { GameDoc, GameEvent } from './doc.ts';
import type { Course } from './model.ts';

export type RowKind = 'head' | 'talk' | 'quiet' | 'ballot' | 'deed' | 'death' | 'fault' | 'notice' | 'standing' | 'roles' | 'score' | 'end' | 'unknown';

export interface Row {
  kind: RowKind;
  /** Its events are first to last; a heading without an event of its own has first > last. */
  first: number;
  last: number;
  day: number;
  night: boolean;
}

const kinds: Partial<Record<string, RowKind>> = {
  day: 'head', night: 'head', talk: 'talk', whisper: 'talk', vote: 'ballot', attack_vote: 'ballot', execute: 'death',
  death: 'death', divine: 'deed', identify: 'deed', guard: 'deed', attack: 'deed', fault: 'fault', notice: 'notice',
  standing: 'standing', role: 'roles', reveal: 'roles', score: 'score', end: 'end',
};

const kindOf = (event: GameEvent): RowKind => (event.quiet ? 'quiet' : kinds[event.kind] ?? 'unknown');

function goesOn(row: Row, event: GameEvent, doc: GameDoc): boolean {
  const before = doc.events[row.last];
  if (!before || row.kind !== kindOf(event)) return false;
  switch (row.kind) {
    case 'quiet':
      for (let n = row.first; n <= row.last; n++) if (doc.events[n]?.seat === event.seat) return false;
      return before.kind === event.kind && before.room === event.room;
    case 'ballot':
      return before.kind === event.kind && before.day === event.day && (before.round ?? 0) === (event.round ?? 0);
    case 'roles':
      return before.kind === event.kind;
    case 'score':
    case 'unknown':
      return true;
    default:
      return false;
  }
}

/** Adds the rows of events that have none yet: at first of all, later of those that came live. */
export function growRows(rows: Row[], course: Course): void {
  const { doc } = course;
  let row = rows[rows.length - 1];
  let day = row ? row.day : -1;
  let night = row ? row.night : false;
  for (let n = row ? Math.max(row.last + 1, row.first) : 0; n < doc.events.length; n++) {
    const event = doc.events[n] as GameEvent;
    const phase = doc.phases[course.phaseIndex(n)];
    const nowNight = event.kind === 'night' ? true : event.kind === 'day' ? false : phase ? phase.night : night;
    const isHead = event.kind === 'day' || event.kind === 'night';
    if (!isHead && (nowNight !== night || event.day !== day) && event.kind !== 'end')
      rows.push({ kind: 'head', first: n, last: n - 1, day: event.day, night: nowNight });
    day = event.day;
    night = nowNight;
    row = rows[rows.length - 1];
    if (row && row.last === n - 1 && goesOn(row, event, doc)) row.last = n;
    else rows.push({ kind: kindOf(event), first: n, last: n, day, night });
  }
}

/** Index of the last row that begins at or before event `n`, -1 without one. */
export function rowAt(rows: readonly Row[], n: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as Row).first <= n) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

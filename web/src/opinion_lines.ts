// opinion_lines.ts - whom models would vote for, over the lines of a game, as steps of a drawing. Pure.
import type { GameEvent } from './doc.ts';
import type { Opinion } from './shapes.ts';

/** What a model thought from line `x` up to line `until`. */
export interface OpinionStep {
  x: number;
  until: number;
  sure: number;
  target: number;
}

export interface OpinionRow {
  seat: number;
  steps: OpinionStep[]; // at least one
}

export interface OpinionLines {
  rows: OpinionRow[];
  lines: number; // of the whole game
  now: number; // of these up to the moment
  days: { day: number; x: number }[];
}

/** The opinions that there were at event `until`; one of which the place is not known stands behind
 * as many lines as its model had heard. Who is dead (`diedAt`: the event, -1 = lives) has none any more. */
export function opinionLines(opinions: readonly Opinion[], events: readonly GameEvent[], at: (anchor: string) => number | undefined, until: number, diedAt: (seat: number) => number = () => -1): OpinionLines {
  const before: number[] = []; // lines up to each event, itself included
  const made: OpinionLines = { rows: [], lines: 0, now: 0, days: [] };
  events.forEach((event, n) => {
    if (event.kind === 'talk' && !event.quiet) {
      if (made.days[made.days.length - 1]?.day !== event.day) made.days.push({ day: event.day ?? 0, x: made.lines });
      made.lines++;
    }
    before[n] = made.lines;
  });
  made.now = before[Math.min(until, events.length - 1)] ?? 0;
  const rows = new Map<number, OpinionRow>();
  for (const { seat, a, lines, sure, target } of opinions) {
    const n = a === undefined ? undefined : at(a);
    const x = n === undefined ? Math.min(lines ?? 0, made.lines) : before[n] ?? 0;
    if (n === undefined ? x > made.now : n > until) continue;
    const row = rows.get(seat) ?? { seat, steps: [] };
    rows.set(seat, row);
    const last = row.steps[row.steps.length - 1];
    if (last) last.until = Math.max(x, last.x);
    row.steps.push({ x: Math.max(x, last?.x ?? 0), until: made.now, sure, target });
  }
  for (const { seat, steps } of rows.values()) {
    const died = diedAt(seat);
    const last = steps[steps.length - 1];
    if (last && died >= 0) last.until = Math.max(last.x, Math.min(last.until, before[died] ?? made.now));
  }
  made.rows = [...rows.values()].sort((one, other) => one.seat - other.seat);
  return made;
}

// follow.ts - a live game's document, which grows with the frames of the feed.
//
// For:    the game page, the wall, a person's seat. Pure.
// Source: docs/spec/web.md 4, 5.1. A document's events are numbered without gaps, so what is doubled
//         or lacks something is seen by its number.

import type { FeedMessage } from './feed.ts';
import type { GameDoc, GameEvent, Phase, Seat } from './doc.ts';

export type Clock = { action: string; leftMs: number; at: number; paused: boolean };

// `grown`: the document, one that is not the old object; `again`: fetch it anew.
export type Growth = { doc: GameDoc; grew: boolean } | 'again';

function isEvent(value: unknown): value is GameEvent {
  const event = value as GameEvent;
  return typeof event === 'object' && event !== null && Number.isInteger(event.n) && typeof event.kind === 'string' && typeof event.a === 'string';
}

// The frame's events behind those of the document. The arrays of the document grow in place, so
// that nothing is copied for each event; the object around them is a new one.
export function grow(doc: GameDoc, frame: FeedMessage): Growth {
  const events = Array.isArray(frame.events) ? frame.events : [];
  let grew = false;
  const next: GameDoc = { ...doc };
  for (const event of events) {
    if (!isEvent(event)) return 'again';
    if (event.n < doc.events.length) continue;
    if (event.n > doc.events.length) return 'again';
    doc.events.push(event);
    grew = true;
    if (event.kind === 'end') {
      next.status = 'finished';
      if (event.winner) next.winner = event.winner;
    }
    if (event.kind === 'reveal' && event.seat && event.role) next.seats = withSeat(next.seats, { seat: event.seat, role: event.role } as Seat);
  }
  for (const phase of Array.isArray(frame.phases) ? (frame.phases as Phase[]) : []) {
    const last = doc.phases[doc.phases.length - 1];
    if (!last || phase.first > last.first || (phase.first === last.first && phase.action !== last.action)) {
      doc.phases.push(phase);
      grew = true;
    }
  }
  for (const seat of Array.isArray(frame.seats) ? (frame.seats as Seat[]) : []) {
    next.seats = withSeat(next.seats, seat);
    grew = true;
  }
  if (typeof frame.status === 'string') next.status = frame.status as GameDoc['status'];
  return { doc: next, grew };
}

function withSeat(seats: readonly Seat[], changed: Seat): Seat[] {
  return seats.map((seat) => (seat.seat === changed.seat ? { ...seat, ...changed } : seat));
}

// A `clock` frame that arrived at `now`; the wall clock of whoever looks is never used.
export function clockOf(frame: FeedMessage, now: number): Clock | undefined {
  const leftMs = Number(frame.left_ms);
  if (!Number.isFinite(leftMs) || leftMs < 0) return undefined;
  return { action: typeof frame.action === 'string' ? frame.action : '', leftMs, at: now, paused: frame.paused === true };
}

export function clockLeft(clock: Clock, now: number): number {
  return clock.paused ? clock.leftMs : Math.max(0, clock.leftMs - (now - clock.at));
}
